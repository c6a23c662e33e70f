//! What a kind of plot draws from: the results, restricted to what its plot shows.

use std::cell::RefCell;

use serde::de::DeserializeOwned;
use serde_json::Value;

use super::selection::{Dimension, PlotCell, Selection};
use super::spec::{PlotSpec, PublishedValue};
use batchlab_engine::metrics::{MeasureKey, spoken};
use batchlab_engine::plot::LOOKS;
use batchlab_engine::stats::Interval;
use batchlab_engine::table::Better;
use batchlab_study::experiment::detail::Wanted;
use batchlab_study::experiment::{DesignPoint, Frame, FrameRow, Measure, UnitKind, detail};
use batchlab_study::study::dominance::{ParetoStanding, standings};
use batchlab_study::study::pitfalls::saturated;
use batchlab_study::study::{Answer, ComparedNumber, Comparison, Contrast, Family, Question, Reason, Study};

/// Returns a detail of a replay, by the key of the replay and the name of the detail.
pub type Details<'a> = dyn Fn(&str, &str) -> Option<Value> + 'a;

/// The note about hollow markers.
pub(super) const SATURATED: &str = "Hollow markers: saturated, less work was done than arrived and the backlog grew, or the \
     load rises and the machine's use does not; such means grow with the length of the run.";

/// What a kind of plot draws from.
pub(super) struct Scene<'a> {
    pub spec: &'a PlotSpec,
    pub frame: &'a Frame,
    study: &'a Study<'a>,
    details: &'a Details<'a>,
    /// Additional sentences for the caption, each once.
    notes: RefCell<Vec<String>>,
}

/// A value that is drawn, with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PlottedValue {
    pub value: f64,
    pub range: Option<(f64, f64)>,
}

impl<'a> Scene<'a> {
    pub fn new(spec: &'a PlotSpec, study: &'a Study<'a>, details: &'a Details<'a>) -> Scene<'a> {
        Scene { spec, frame: study.frame(), study, details, notes: RefCell::default() }
    }

    /// Returns the scene of another plot of the same results, with the same notes so far.
    pub fn with<'b>(&'b self, spec: &'b PlotSpec) -> Scene<'b> {
        Scene { spec, notes: RefCell::new(self.notes()), ..Scene::new(spec, self.study, self.details) }
    }

    /// Adds a sentence to the caption.
    pub fn note(&self, note: impl Into<String>) {
        let (note, mut notes) = (note.into(), self.notes.borrow_mut());
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    pub fn notes(&self) -> Vec<String> {
        self.notes.borrow().clone()
    }

    /// Returns the position of the measure of a metric and a class.
    pub fn measure(&self, metric: &str, class: Option<&str>) -> Result<usize, String> {
        let key = MeasureKey { metric, class }.to_string();
        self.frame.measure(&key).ok_or_else(|| format!("the results have no `{key}`"))
    }

    /// Returns what the results say of a metric.
    pub fn described(&self, metric: &str) -> Option<&'a Measure> {
        self.frame.measures.iter().find(|measure| measure.metric == metric)
    }

    pub fn better(&self, metric: &str) -> Better {
        self.described(metric).map_or(Better::Neither, |measure| measure.better)
    }

    /// Returns the look of a policy: the same in all plots of an experiment, unless it has more policies than there are looks.
    pub fn look(&self, policy: usize) -> usize {
        let shown = &self.spec.selection.policies;
        if shown.len() > LOOKS {
            self.note(format!(
                "There are more than {LOOKS} policies: looks repeat after the {LOOKS}th, in the order of the key."
            ));
        }
        if self.frame.policies.len() <= LOOKS {
            return policy;
        }
        shown.iter().position(|&known| known == policy).unwrap_or(policy)
    }

    pub fn policy(&self, policy: usize) -> &str {
        let label = &self.frame.policies[policy].label;
        self.spec.label(label).unwrap_or(label)
    }

    /// Returns the name of the first value of a dimension.
    pub fn name(&self, part: &Selection, dimension: Dimension) -> String {
        let name = part.label(dimension, self.frame);
        self.spec.label(&name).map_or(name.clone(), str::to_owned)
    }

    /// Returns the name of a swept parameter.
    pub fn parameter(&self, parameter: usize) -> String {
        let name = &self.frame.parameters[parameter].name;
        self.spec.label(name).unwrap_or(name).to_owned()
    }

    /// Returns the name of an axis with the values of a swept parameter. Values of `load` are factors, no offered loads.
    pub fn parameter_axis(&self, parameter: usize) -> String {
        match self.parameter(parameter) {
            name if name == "load" => "load, times that of the log".into(),
            name => name,
        }
    }

    /// Returns the name of a metric or a quantity of jobs in plain words.
    pub fn words(&self, metric: &str) -> String {
        self.spec.label(metric).map_or_else(|| spoken::of(metric), str::to_owned)
    }

    /// Returns the value of a policy in a cell: that of the metric, or its ratio to the value of another policy.
    pub fn reading(&self, cell: &PlotCell, policy: usize) -> Result<Option<PlottedValue>, String> {
        self.reading_of(&self.spec.metric, cell, policy)
    }

    /// Returns the value of a policy in a cell by any metric; see [`Scene::reading`].
    pub fn reading_of(
        &self,
        metric: &str,
        cell: &PlotCell,
        policy: usize,
    ) -> Result<Option<PlottedValue>, String> {
        let measure = self.measure(metric, cell.class.as_deref())?;
        Ok(match self.spec.relative {
            Some(to) => self.ratio(&cell.design_point, policy, to, measure).map(|ratio| self.as_drawn(ratio)),
            None => self.estimate(&cell.design_point, policy, measure),
        })
    }

    /// Returns a ratio, or the gain in per cent that it is.
    fn as_drawn(&self, ratio: PlottedValue) -> PlottedValue {
        if !self.spec.is_gain {
            return ratio;
        }
        let gain = |ratio: f64| 100.0 * (1.0 / ratio - 1.0);
        // The lowest ratio is the highest gain.
        PlottedValue {
            value: gain(ratio.value),
            range: ratio.range.map(|(low, high)| (gain(high), gain(low))),
        }
    }

    /// Returns the value at which a policy is no better and no worse than the one that it is compared with.
    pub fn even(&self) -> Option<f64> {
        self.spec.relative.map(|_| if self.spec.is_gain { 0.0 } else { 1.0 })
    }

    /// Returns the ends of the range that the axis of values covers at least.
    pub fn range_ends(&self) -> impl Iterator<Item = f64> {
        self.spec.range.into_iter().flatten()
    }

    /// Returns the values of the metric in the units of a policy, each with the number of its unit; their ratios, unit by
    /// unit, if the plot compares policies with another one. Without units, the value of the whole replay is that of unit 0.
    pub fn unit_values(&self, cell: &PlotCell, policy: usize) -> Result<Vec<(u32, f64)>, String> {
        let measure = self.measure(&self.spec.metric, cell.class.as_deref())?;
        let of = |policy: usize| {
            let units = self.frame.units(&cell.design_point, policy, measure);
            let whole = || self.frame.whole(&cell.design_point, policy, measure).map(|value| (0, value));
            let units = if units.is_empty() { whole().into_iter().collect() } else { units };
            units.into_iter().filter(|(_, value)| value.is_finite()).collect::<Vec<(u32, f64)>>()
        };
        let Some(to) = self.spec.relative else { return Ok(of(policy)) };
        let base = of(to);
        let ratio = |(unit, value): (u32, f64)| {
            let at = base.binary_search_by_key(&unit, |(unit, _)| *unit).ok()?;
            (base[at].1 > 0.0).then(|| (unit, value / base[at].1))
        };
        Ok(of(policy).into_iter().filter_map(ratio).collect())
    }

    /// Returns the value of a measure without its interval.
    pub fn value(&self, design_point: &DesignPoint, policy: usize, measure: usize) -> Option<f64> {
        let is_there = !self.frame.rows(design_point, policy).is_empty();
        let estimate = is_there.then(|| self.study.estimate(design_point, policy, measure))?;
        estimate.value.filter(|value| value.is_finite())
    }

    fn estimate(&self, design_point: &DesignPoint, policy: usize, measure: usize) -> Option<PlottedValue> {
        let value = self.value(design_point, policy, measure)?;
        let estimate = self.study.estimate(design_point, policy, measure);
        let range = match estimate.kind {
            UnitKind::Shaken => self.shaken(estimate.range),
            _ => self.range(&estimate.interval, estimate.units),
        };
        Some(PlottedValue { value, range })
    }

    /// Returns the geometric mean of a policy's ratios to another one, unit by unit; the ratio of means where a unit's value
    /// is not above 0.
    pub fn ratio(
        &self,
        design_point: &DesignPoint,
        policy: usize,
        to: usize,
        measure: usize,
    ) -> Option<PlottedValue> {
        let is_there = |policy| !self.frame.rows(design_point, policy).is_empty();
        if !is_there(policy) || !is_there(to) {
            return None;
        }
        if policy == to {
            return Some(PlottedValue { value: 1.0, range: None });
        }
        let question = Question::of_policies(design_point, [policy, to], measure);
        let contrast = self.study.contrast(&question, self.frame.level);
        let ratio = self.as_ratio(&contrast);
        let range = self.range(&ratio.interval, contrast.units);
        ratio.value.filter(|ratio| ratio.is_finite()).map(|value| PlottedValue { value, range })
    }

    /// Returns the ratio of a contrast that is drawn: that of means if a unit's value has no logarithm, with a note.
    pub fn as_ratio<'c>(&self, contrast: &'c Contrast) -> &'c Comparison {
        let ratio = contrast.as_ratio();
        if ratio.quantity != ComparedNumber::Ratio && ratio.value.is_some() {
            self.note("Where a unit's value is 0 and has no logarithm, the ratio is that of means.");
        }
        ratio
    }

    /// Returns what the comparisons of policies with another one in a cell show, as one family; `None` for a policy
    /// without results.
    pub fn answers(
        &self,
        cell: &PlotCell,
        policies: &[usize],
        to: usize,
    ) -> Result<Vec<Option<Answer>>, String> {
        let measure = self.measure(&self.spec.metric, cell.class.as_deref())?;
        let is_there = |policy: usize| !self.frame.rows(&cell.design_point, policy).is_empty();
        let ask = |&policy: &usize| Question::of_policies(&cell.design_point, [policy, to], measure);
        let questions: Vec<Question> =
            policies.iter().filter(|&&policy| is_there(policy) && is_there(to)).map(ask).collect();
        let family = Family::of(self.study, &questions, ComparedNumber::default());
        if family.members > 0 {
            let percent = format!("{:.4}", self.frame.level * 100.0);
            let percent = percent.trim_end_matches('0').trim_end_matches('.');
            self.note(format!(
                "The intervals below a heading hold together at {percent} % (Bonferroni's method)."
            ));
        }
        let find = |policy: &usize| questions.iter().position(|question| question.side.policy == *policy);
        Ok(policies.iter().map(|policy| find(policy).map(|at| family.answers[at].clone())).collect())
    }

    fn shaken(&self, range: Option<(f64, f64)>) -> Option<(f64, f64)> {
        if !self.spec.has_band {
            return None;
        }
        self.note(
            "Ranges are the least and the greatest value under input shaking: how unstable a value is, not how sure.",
        );
        range
    }

    fn range(&self, interval: &Result<Interval, Reason>, units: usize) -> Option<(f64, f64)> {
        if !self.spec.has_band {
            return None;
        }
        match interval {
            Ok(interval) => {
                let percent = format!("{:.4}", interval.level * 100.0);
                let percent = percent.trim_end_matches('0').trim_end_matches('.');
                self.note(format!(
                    "Ranges are {percent} % confidence intervals for each value alone ({}).",
                    interval.method.words()
                ));
                Some((interval.low, interval.high))
            }
            Err(reason) => {
                let units = if units == 1 { "1 unit".into() } else { format!("{units} units") };
                self.note(format!("No interval of {units}: {reason}."));
                None
            }
        }
    }

    /// Whether the machine is saturated under a policy; `false` if the results do not show it.
    pub fn is_saturated(&self, design_point: &DesignPoint, policy: usize) -> bool {
        saturated(self.frame, design_point, policy).is_some()
    }

    /// Returns a detail of the shown replay of a policy at a design point, or the reason why there is none.
    pub fn detail<T: DeserializeOwned>(
        &self,
        design_point: &DesignPoint,
        policy: usize,
    ) -> Result<T, String> {
        self.detail_of(self.replay(design_point, policy).ok_or("there is no such replay")?)
    }

    fn detail_of<T: DeserializeOwned>(&self, row: &FrameRow) -> Result<T, String> {
        let wanted = self.spec.kind.detail.map(|spec| Wanted { spec, extent: self.spec.chart.extent });
        let name = wanted.map_or_else(String::new, |wanted| wanted.name());
        let missing = || format!("the results have no `{name}` of the replay");
        detail::read(&(self.details)(&row.key, &name).ok_or_else(missing)?)
    }

    /// Returns what was found of a policy; if nothing was, the caption says why.
    pub fn noted<T>(&self, policy: usize, found: Result<T, String>) -> Option<T> {
        found.map_err(|reason| self.note(format!("{}: {reason}.", self.policy(policy)))).ok()
    }

    /// Returns a detail of every unit of a policy at a design point, or of its whole replay; `None` if one of them is missing or
    /// damaged, as the caption then says.
    pub fn details_of_units<T: DeserializeOwned>(
        &self,
        design_point: &DesignPoint,
        policy: usize,
    ) -> Option<Vec<T>> {
        let rows = self.frame.rows(design_point, policy);
        let whole = rows.iter().position(|row| row.unit.is_none());
        let rows = whole.map_or(rows, |at| &rows[at..=at]);
        let details: Result<Vec<T>, String> = match rows {
            [] => Err("there is no such replay".into()),
            rows => rows.iter().map(|row| self.detail_of(row)).collect(),
        };
        self.noted(policy, details)
    }

    /// Returns the design points that the plot shows.
    pub fn design_points(&self) -> Vec<DesignPoint> {
        let Selection { workloads, values, .. } = &self.spec.selection;
        let is_shown = |design_point: &DesignPoint| {
            let mut values = values.iter().zip(&design_point.point);
            workloads.contains(&design_point.workload) && values.all(|(values, at)| values.contains(at))
        };
        self.frame.design_points().into_iter().filter(is_shown).collect()
    }

    /// Returns the row of the whole replay, or of the unit that is shown.
    fn replay(&self, design_point: &DesignPoint, policy: usize) -> Option<&FrameRow> {
        let rows = self.frame.rows(design_point, policy);
        let whole = rows.iter().find(|row| row.unit.is_none());
        whole.or_else(|| rows.iter().find(|row| row.unit == Some(self.spec.unit)))
    }

    /// Returns how policies stand at a design point in several measures; none if one has no good direction.
    pub fn standings(
        &self,
        design_point: &DesignPoint,
        policies: &[usize],
        measures: &[usize],
    ) -> Vec<ParetoStanding> {
        standings(self.study, design_point, policies, measures).unwrap_or_default()
    }

    /// Returns the published values of the policies that a panel shows.
    pub fn published(&self, policies: &[usize]) -> impl Iterator<Item = &PublishedValue> {
        self.spec.published.iter().filter(move |of| policies.contains(&of.policy))
    }

    /// Returns the policies that are shown, without the one that serves as denominator of ratios.
    pub fn compared(&self, part: &Selection) -> Vec<usize> {
        part.policies.iter().copied().filter(|&policy| Some(policy) != self.spec.relative).collect()
    }

    /// Returns the name of the values on an axis.
    pub fn value_name(&self) -> String {
        self.value_name_of(&self.spec.metric)
    }

    /// Returns the name of the values of a metric on an axis.
    pub fn value_name_of(&self, metric: &str) -> String {
        match self.spec.relative {
            Some(to) if self.spec.is_gain => {
                format!("gain in {} over {} (%)", self.words(metric), self.policy(to))
            }
            Some(to) => format!("{}, ratio to {}", self.words(metric), self.policy(to)),
            None => self.words(metric),
        }
    }

    pub fn title(&self) -> String {
        match self.spec.metric.as_str() {
            "" => format!("{}: {}", self.frame.name, self.spec.kind.name),
            metric => {
                let against = self.spec.x_metric.as_ref().map(|x| format!(" against {}", self.words(x)));
                format!("{}: {}{}", self.frame.name, self.words(metric), against.unwrap_or_default())
            }
        }
    }

    /// Returns what all panels have in common: the workload and the values of parameters.
    pub fn subtitle(&self) -> String {
        let Selection { workloads, values, .. } = &self.spec.selection;
        let mut facts = Vec::new();
        if let [workload] = workloads[..] {
            facts.push(self.frame.workloads[workload].name.clone());
        }
        for (parameter, values) in self.frame.parameters.iter().zip(values) {
            if let [value] = values[..] {
                facts.push(format!("{} = {}", parameter.name, parameter.values[value]));
            }
        }
        facts.join(", ")
    }
}
