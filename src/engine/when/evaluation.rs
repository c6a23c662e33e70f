use batchlab_traces::Time;
use serde::Serialize;

use super::calibration::{Checked, Past};
use super::margins::Margins;
use crate::replay::comparison::ComparisonError;

/// How good foretold starts were, with the margins that were known at each instant.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Evaluation {
    pub instants: usize,
    /// Jobs that waited at them and have started since.
    pub jobs: usize,
    pub level: f64,
    /// Share of starts within their interval.
    pub coverage: f64,
    /// The same without margins.
    pub coverage_without_margins: f64,
    /// Mean length of the intervals, seconds.
    pub mean_length: f64,
    /// Mean interval score, seconds: the length, and `2 / (1 - level)` times as much as a start lies outside (Gneiting, Raftery, JASA
    /// 102, 2007). The less, the better; it is least in the mean for the true quantiles.
    pub mean_interval_score: f64,
    /// Mean absolute error of the median, seconds.
    pub mean_absolute_error: f64,
    /// The same of starts that are foretold by requests alone.
    pub mean_absolute_error_of_requests: f64,
    /// Mean time from the instant to the start, seconds.
    pub mean_remaining_wait: f64,
    /// Jobs that do not start in some of the replays; they count for coverage only.
    pub endless: usize,
}

impl Past<'_> {
    /// Evaluates foretold starts at instants of the past, in their order, from the `first` on. The intervals of each have the
    /// margins that were known then: by the last `window` instants before it. Jobs that never start are not judged.
    pub fn evaluate(
        &self,
        instants: &[Time],
        (first, window): (Time, usize),
        level: f64,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Evaluation, ComparisonError> {
        let checked = self.check(instants, level, progress)?;
        let groups: Vec<&[Checked]> = checked.chunk_by(|a, b| a.instant == b.instant).collect();
        let mut judged = Vec::new();
        for (at, group) in groups.iter().enumerate().filter(|(_, group)| group[0].instant >= first) {
            let before = groups[at.saturating_sub(window)..at].concat();
            let started = group.iter().filter(|checked| !checked.waits).collect::<Vec<_>>();
            judged.push((self.margins_at(&before, group[0].instant, level), started));
        }
        judged.retain(|(_, started)| !started.is_empty());
        Ok(Evaluation::of(&judged, level))
    }
}

/// Returns the score of an interval of a level, by its length and how far outside of it the start lies.
pub(super) fn interval_score(length: f64, outside: f64, level: f64) -> f64 {
    length + 2.0 / (1.0 - level) * outside
}

impl Evaluation {
    fn of(judged: &[(Margins, Vec<&Checked>)], level: f64) -> Evaluation {
        let bare = Margins::default();
        let checked: Vec<(&Margins, &Checked)> = judged
            .iter()
            .flat_map(|(margins, group)| group.iter().map(move |&checked| (margins, checked)))
            .collect();
        let share = |holds: &dyn Fn(&Margins, &Checked) -> bool| {
            checked.iter().filter(|(margins, checked)| holds(margins, checked)).count() as f64
                / checked.len().max(1) as f64
        };
        let holds = |margins: &Margins, checked: &Checked| {
            let [low, _, high] = margins.around(checked);
            // What is foretold is rounded to whole seconds.
            (low.floor()..=high.ceil()).contains(&checked.actual)
        };
        let ends = |&(margins, checked): &(&Margins, &Checked)| {
            let [low, median, high] = margins.around(checked);
            let outside = (low - checked.actual).max(checked.actual - high).max(0.0);
            let score = interval_score(high - low, outside, level);
            high.is_finite().then_some([high - low, (median - checked.actual).abs(), score])
        };
        let finite: Vec<[f64; 3]> = checked.iter().filter_map(ends).collect();
        let mean = |values: &mut dyn Iterator<Item = f64>| {
            let (count, sum) = values.fold((0.0, 0.0), |(count, sum), value| (count + 1.0, sum + value));
            if count == 0.0 { 0.0 } else { sum / count }
        };
        let requested =
            checked.iter().map(|(_, checked)| checked).filter(|checked| checked.requested.is_finite());
        Evaluation {
            instants: judged.len(),
            jobs: checked.len(),
            level,
            coverage: share(&holds),
            coverage_without_margins: share(&|_, checked| holds(&bare, checked)),
            mean_length: mean(&mut finite.iter().map(|ends| ends[0])),
            mean_interval_score: mean(&mut finite.iter().map(|ends| ends[2])),
            mean_absolute_error: mean(&mut finite.iter().map(|ends| ends[1])),
            mean_absolute_error_of_requests: mean(
                &mut requested.map(|checked| (checked.requested - checked.actual).abs()),
            ),
            mean_remaining_wait: mean(&mut checked.iter().map(|(_, checked)| checked.actual)),
            endless: checked.len() - finite.len(),
        }
    }
}
