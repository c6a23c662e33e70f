//! What a Gantt chart shows: which part of a replay, what its colours distinguish, and reservations.

use batchlab_traces::located::LocatedToml;
use batchlab_traces::located::values::{Length, Whole};
use serde::Deserialize;

use super::kind::Panels;
use super::spec::{PlotKeys, PlotSection};
use crate::experiment::detail::Extent;
use crate::experiment::{ExperimentError, Section};
use crate::report::tables::Names;

/// What a Gantt chart shows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chart {
    /// The part of the replay.
    pub extent: Extent,
    /// What colours distinguish.
    pub colour: Colour,
    /// Which first reservations are drawn.
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
    /// All.
    All,
    /// That of the marked job.
    Marked,
    /// None.
    None,
}

/// What the colours of a Gantt chart distinguish.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Colour {
    /// Nothing.
    #[default]
    None,
    /// The users with the most work.
    User,
    /// The number of processors.
    Width,
    /// The classes of the experiment.
    Class,
}

/// The keys of a Gantt chart.
pub(super) const KEYS: [&str; 6] = ["from", "to", "around", "reach", "colour", "reservations"];

/// How many seconds a window around a job reaches to both sides unless the experiment says otherwise.
const REACH: f64 = 6.0 * 3600.0;

impl Chart {
    /// Reads the keys of a Gantt chart.
    ///
    /// # Errors
    /// At the first error, with its line.
    pub(super) fn read(section: &PlotSection<'_>, names: &Names) -> Result<Chart, ExperimentError> {
        let colour = section.keys.colour.unwrap_or_default();
        if colour == Colour::Class && names.classes().len() < 2 {
            let what = "colour: the experiment has no classes; `classes` in [measure] defines them";
            return Err(section.wrong("colour", what));
        }
        let reservations = match section.keys.reservations {
            None => Reservations::Few,
            Some(true) => Reservations::All,
            Some(false) => Reservations::None,
        };
        let extent = extent(section)?;
        let marked = if let Extent::Around(job, _) = extent { Some(job) } else { None };
        Ok(Chart { extent, colour, reservations, marked })
    }
}

/// Reads which part of a replay is shown.
fn extent(section: &PlotSection<'_>) -> Result<Extent, ExperimentError> {
    let PlotKeys { from, to, around, reach, .. } = &section.keys;
    let [from, to, reach] = [from, to, reach].map(|time| time.map(|Length(time)| time.secs()));
    match (*around, from, to, reach) {
        (Some(_), Some(_), _, _) | (Some(_), _, Some(_), _) => {
            Err(section.wrong("around", "around: the job chooses the window; leave out `from` and `to`"))
        }
        (Some(_), _, _, Some(0.0)) => Err(section.wrong("reach", "reach: a window of no length is empty")),
        (Some(Whole(job)), _, _, reach) => Ok(Extent::Around(job, reach.unwrap_or(REACH))),
        (None, _, _, Some(_)) => {
            Err(section.wrong("reach", "reach: it is that of a window around a job; give `around` too"))
        }
        (None, None, None, None) => Ok(Extent::Whole),
        (None, from, to, None) if to.is_none_or(|to| to > from.unwrap_or(0.0)) => {
            Ok(Extent::Between(from.unwrap_or(0.0), to))
        }
        _ => Err(section.wrong("to", "to: the window must end after it begins")),
    }
}

/// Returns the names of the Gantt charts that an experiment file declares, with the part of the replay that each
/// shows; without declarations that have errors, which reading the file as a whole reports.
pub fn windows(text: &str, file: &str) -> Vec<(String, Extent)> {
    let toml = LocatedToml::new(text, file);
    let Ok(table) = toml.parse() else { return Vec::new() };
    let Ok(sections) = Section::whole(&toml, &table).sections("plot") else { return Vec::new() };
    let chart = |section: &Section<'_>| {
        let section: PlotSection<'_> = section.read().ok()?;
        let has_window = section.keys.kind.panels == Panels::Window;
        has_window.then_some((section.keys.name.0.clone(), extent(&section).ok()?))
    };
    sections.iter().filter_map(chart).collect()
}
