//! What a Gantt chart shows: which part of a replay, what its colours distinguish, and reservations.

use serde::Deserialize;

use batchlab_study::experiment::detail::Extent;

/// What a Gantt chart shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    pub extent: Extent,
    pub colour: Colour,
    /// The first reservations that are drawn.
    pub reservations: Reservations,
    /// The number of the job that is marked.
    pub marked: Option<i64>,
}

/// The first reservations that a Gantt chart shows, of jobs that started at another time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reservations {
    /// All, unless they are too many to be distinguished; that of the marked job then.
    #[default]
    Few,
    All,
    /// That of the marked job.
    Marked,
    None,
}

/// What the colours of a Gantt chart distinguish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    #[default]
    None,
    /// The users with the most work.
    User,
    /// The number of processors.
    Width,
    /// The classes of the experiment.
    Class,
}
