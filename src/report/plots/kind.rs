//! The kinds of plots, one line each.

use super::scene::Scene;
use super::selection::Selection;
use crate::experiment::detail::DetailSpec;
use crate::plot::Panel;

/// A kind of plot: one constant in one file, its `mod` line, and one line in [`KINDS`].
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
    /// Whether the value axis is logarithmic by default; `None` if there is no choice.
    pub log: Option<bool>,
    /// The detail of replays that it reads.
    pub detail: Option<&'static DetailSpec>,
    /// The meaning of the marks, for the caption.
    pub legend: &'static str,
    /// Draws the panels of a selection of the results.
    pub(super) draw: fn(&Scene<'_>, &Selection, &str) -> Result<Vec<Panel>, String>,
}

/// What a kind of plot shows.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Subject {
    /// A metric of the experiment.
    Metric,
    /// A quantity of jobs, one of [`crate::experiment::detail::distribution::QUANTITIES`].
    Quantity,
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
    /// Nothing: a panel shows one design point.
    Nothing,
}

/// All kinds.
pub static KINDS: &[&PlotKind] = &[
    &super::lines::LINES,
    &super::bars::BARS,
    &super::forest::FOREST,
    &super::cdf::CDF,
    &super::heatmap::HEATMAP,
    &super::timeline::TIMELINE,
    &super::gantt::GANTT,
    &super::density::DENSITY,
];

impl PlotKind {
    /// Returns the kind with a given name.
    pub fn find(name: &str) -> Option<&'static PlotKind> {
        KINDS.iter().copied().find(|kind| kind.name == name)
    }
}
