//! A plot of an experiment: what it shows, and how.

use super::chart::Chart;
use super::kind::{PlotKind, Subject};
use super::selection::{Dimension, Selection};
use crate::report::tables::Statistic;
use batchlab_engine::plot::PageLayout;
use batchlab_study::experiment::detail::Wanted;

/// A plot of an experiment.
#[derive(Clone, Debug)]
pub struct PlotSpec {
    /// Name of its file, without the ending.
    pub name: String,
    /// The label of the x axis, if the experiment gives it.
    pub x_label: Option<String>,
    pub y_label: Option<String>,
    /// What things are called, in place of their names in the experiment.
    pub labels: Vec<(String, String)>,
    /// Its title; empty means that of the kind.
    pub title: String,
    pub kind: &'static PlotKind,
    /// The metric, without a class, or the quantity of jobs; empty if the kind shows the replay itself.
    pub metric: String,
    /// The dimension spread within a panel: along the x axis, or along the y axis of heat maps.
    pub spread: Option<Dimension>,
    /// The metric whose means are the values of x, if these are not the values of a parameter.
    pub x_metric: Option<String>,
    /// The dimension whose values have a panel each.
    pub panel: Option<Dimension>,
    pub selection: Selection,
    pub is_log: bool,
    pub has_band: bool,
    /// The meaning of the marks, if boxes show letter values.
    pub letters: Option<&'static str>,
    /// The policy that is the denominator of ratios.
    pub relative: Option<usize>,
    /// Whether gains over that policy are drawn in place of ratios.
    pub is_gain: bool,
    /// What the axis of values covers at least, in the unit that is drawn.
    pub range: Option<[f64; 2]>,
    /// The unit whose replay is shown, for workloads with several units.
    pub unit: u32,
    pub chart: Chart,
    /// Published values, drawn beside the measured ones.
    pub published: Vec<PublishedValue>,
    pub layout: PageLayout,
}

/// A value that was published, as open mark in a plot.
#[derive(Clone, Debug, PartialEq)]
pub struct PublishedValue {
    pub policy: usize,
    /// Where it stands along the x axis: a number, or the name of a group of bars.
    pub at: String,
    /// The value, in the metric's own unit.
    pub value: f64,
}

impl PlotSpec {
    /// Returns the meaning of the marks, for the caption.
    pub(super) fn legend(&self) -> &'static str {
        self.letters.unwrap_or(self.kind.legend)
    }

    /// Returns a statistic that the plot shows, for those who cite it.
    pub fn statistic(&self) -> Option<Statistic> {
        self.letters.map(|_| Statistic::LetterValues).or(self.kind.statistic)
    }

    /// Returns what something is called in the figure, if the experiment says so.
    pub fn label(&self, name: &str) -> Option<&str> {
        self.labels.iter().find(|(known, _)| known == name).map(|(_, label)| label.as_str())
    }

    /// Returns the detail of a replay that the plot needs; positions refer to the names with which the plot was read, and `unit` is
    /// `None` for a whole replay that is measured in blocks.
    pub fn detail_of(
        &self,
        workload: usize,
        policy: usize,
        point: &[usize],
        unit: Option<u32>,
    ) -> Option<Wanted> {
        let Selection { workloads, policies, values, .. } = &self.selection;
        let at_point = values.len() == point.len()
            && values.iter().zip(point).all(|(values, value)| values.contains(value));
        let is_shown = workloads.contains(&workload) && policies.contains(&policy) && at_point;
        let has_all = matches!(self.kind.subject, Subject::Quantity | Subject::Fixed(_));
        let is_unit = |unit| has_all || unit == self.unit;
        let spec = self.kind.detail.filter(|_| is_shown && unit.is_none_or(is_unit))?;
        Some(Wanted { spec, extent: self.chart.extent })
    }
}
