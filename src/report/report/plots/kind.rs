//! What a kind of plot is.

use super::scene::Scene;
use super::selection::Selection;
use crate::report::tables::Statistic;
use batchlab_engine::plot::Panel;
use batchlab_study::experiment::detail::DetailSpec;

/// A kind of plot: one constant in one file, its `mod` line, and one line in [`KINDS`](super::KINDS).
#[derive(Debug)]
pub struct PlotKind {
    /// Name, as experiment files write it.
    pub name: &'static str,
    /// One line for `list plots`: what it shows.
    pub what: &'static str,
    /// The source of its numbers: a metric, a quantity of jobs, or a replay.
    pub subject: Subject,
    /// What is spread within a panel, besides policies.
    pub spread: Spread,
    /// The key of the axis along which it is spread: `x`, or `y` of a kind with a cell for each x and y.
    pub axis: &'static str,
    /// How its panels lie on the page.
    pub panels: Panels,
    /// Whether it draws intervals, which `band = false` hides.
    pub has_intervals: bool,
    /// Whether it draws the value of each unit, in place of their mean.
    pub has_units: bool,
    /// The meaning of the marks with `letters = true`, if it has boxes.
    pub letters: Option<&'static str>,
    /// Whether published values can be drawn beside the measured ones.
    pub marks_published: bool,
    /// Whether the value axis is logarithmic by default; `None` if there is no choice.
    pub log: Option<Scale>,
    /// The detail of replays that it reads.
    pub detail: Option<&'static DetailSpec>,
    /// A statistic that it shows, for those who cite it.
    pub statistic: Option<Statistic>,
    /// The meaning of the marks, for the caption.
    pub legend: &'static str,
    pub(super) draw: fn(&Scene<'_>, &Selection, &str) -> Result<Vec<Panel>, String>,
}

/// Most kinds: a kind states what differs from this.
pub(super) const PLAIN: PlotKind = PlotKind {
    name: "",
    what: "",
    subject: Subject::Metric,
    spread: Spread::Nothing,
    axis: "x",
    panels: Panels::Grid,
    has_intervals: false,
    has_units: false,
    letters: None,
    marks_published: false,
    log: None,
    detail: None,
    statistic: None,
    legend: "",
    draw: |_, _, _| Ok(Vec::new()),
};

/// What a kind of plot shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A metric of the experiment.
    Metric,
    /// A quantity of jobs, one of [`batchlab_study::experiment::detail::distribution::QUANTITIES`].
    Quantity,
    /// The quantity of jobs with this name, which no other kind shows.
    Fixed(&'static str),
    /// A replay itself.
    Replay,
}

/// What a kind of plot spreads within a panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spread {
    /// Numbers along the x axis.
    Numbers,
    /// A row for each policy at each workload, point and class.
    Rows,
    /// Named categories.
    Names,
    /// The values of another metric along the x axis.
    Metric,
    /// A property of single jobs along the x axis.
    Jobs,
    /// The workloads, over which ranks are taken.
    Logs,
    /// Nothing: a panel shows one design point.
    Nothing,
}

/// The scale of the axis of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    Linear,
    Logarithmic,
    /// Linear, but logarithmic for ratios: one of a half is as far from 1 as one of two.
    LinearUnlessRatio,
}

/// How the panels of a kind of plot lie on the page.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panels {
    /// Beside and below each other.
    Grid,
    /// Those of one selection below each other: they share the axis of time.
    Stacked,
    /// Each over the whole width, with a window of the replay.
    Window,
}
