//! Metrics of a user's own: a statistic of an expression over the measured jobs, under a name.
//!
//! `short = share(wait < 10min)`, `mean_wait_per_processor = mean(wait / procs)`. An expression has the fields of a
//! job that a replay has, its times in the schedule (`wait`, `start`, `end`, `response`, and `run` as it received
//! it), `stalled`, `slowdown`, `bsld` and `predicted`.

use std::ops::Range;
use std::sync::Arc;

use batchlab_traces::expr::{Expr, ExprError, ExprType, FieldId, Program, Rows, Vocabulary};
use batchlab_traces::nearest::{meant, nearest};
use batchlab_traces::{Citation, JobId, Time};

use super::measurement::Measurement;
use super::metric::{Metric, MetricPart};
use super::sample::Sample;
use super::served::Served;
use super::spec::{Compute, Domain, MetricSpec};
use super::statistic::Statistic;
use crate::table::{Better, Unit};

/// The family of all of them.
pub static OWN: MetricSpec = MetricSpec {
    name: "expression",
    unit: Unit::Ratio,
    better: Better::Neither,
    domain: Domain::Any,
    definition: "mean, sum, max, median, p50, p90, p95, p99, sd, cv or var of an expression over the measured jobs \
                 that have a finite value of it, or share of the jobs for which a condition holds; it has the fields \
                 of jobs, wait, start, end, response, stalled, slowdown, bsld and predicted, the run time by which the policy \
                 planned",
    cite: Citation::of("defined by its user", &[]),
    compute: Compute::Own,
    ..MetricSpec::OF_JOBS
};

/// Numbers of a job in a schedule that are not fields of a log, with the words of their units.
const FURTHER: [(&str, &str); 4] = [("stalled", "s"), ("slowdown", ""), ("bsld", ""), ("predicted", "s")];

/// A metric of a user's own.
#[derive(Debug)]
pub struct OwnMetric {
    /// Its key.
    pub name: String,
    statistic: OwnStatistic,
    program: Program,
    /// The definition in canonical form, without the name: `share(wait < 10min)`.
    text: String,
    /// The number of resources beside the processors: the position of the first of [`FURTHER`].
    resources: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum OwnStatistic {
    Of(Statistic),
    Sum,
    /// The share of the jobs for which a condition holds.
    Share,
}

/// Why a text defines no metric.
#[allow(missing_docs, reason = "the texts of the errors say what they are about")]
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum OwnMetricError {
    #[error("`{0}` names no metric: lower-case letters, digits and `_` make a name")]
    Name(String),
    #[error("`{0}` needs a name: NAME={0}")]
    Unnamed(String),
    #[error("a metric called `{0}` is there already")]
    Taken(String),
    #[error(
        "{name}: a definition is STATISTIC(EXPRESSION), such as mean(wait / procs) or share(wait < 10min)"
    )]
    Form { name: String },
    #[error("{name}: there is no statistic `{given}`{}; there are {}", meant(*near), OwnStatistic::names().join(", "))]
    Statistic { name: String, given: String, near: Option<&'static str> },
    #[error("{name}:\n{error}")]
    Expression { name: String, error: ExprError },
}

impl OwnStatistic {
    fn all() -> impl Iterator<Item = (&'static str, OwnStatistic)> {
        let shared = Statistic::ALL.map(|statistic| (statistic.name(), OwnStatistic::Of(statistic)));
        let others = [
            ("p50", OwnStatistic::Of(Statistic::Median)),
            ("sum", OwnStatistic::Sum),
            ("share", OwnStatistic::Share),
        ];
        shared.into_iter().chain(others)
    }

    fn names() -> Vec<&'static str> {
        OwnStatistic::all().map(|(name, _)| name).collect()
    }
}

impl OwnMetric {
    /// Reads a definition, `mean(wait / procs)`; the vocabulary is that of the jobs of the replay.
    fn read(name: &str, definition: &str, vocabulary: &Vocabulary) -> Result<OwnMetric, OwnMetricError> {
        let form = || OwnMetricError::Form { name: name.into() };
        let (statistic, rest) = definition.trim().split_once('(').ok_or_else(form)?;
        let expression = rest.strip_suffix(')').ok_or_else(form)?;
        let given = statistic.trim();
        let found = OwnStatistic::all().find(|(known, _)| *known == given);
        let Some((word, statistic)) = found else {
            let near = nearest(given, OwnStatistic::names());
            return Err(OwnMetricError::Statistic { name: name.into(), given: given.into(), near });
        };
        let resources = vocabulary.further();
        let vocabulary = vocabulary.clone().scheduled(&FURTHER);
        let parsed = Expr::parse(expression);
        let program = parsed.and_then(|expr| {
            let program = match statistic {
                OwnStatistic::Share => expr.condition(&vocabulary),
                _ => expr.number(&vocabulary),
            };
            Ok((program?, format!("{word}({expr})")))
        });
        let (program, text) =
            program.map_err(|error| OwnMetricError::Expression { name: name.into(), error })?;
        Ok(OwnMetric { name: name.into(), statistic, program, text, resources })
    }

    /// Returns the unit of its values; quantities for which tables have no unit are plain numbers.
    pub fn unit(&self) -> Unit {
        let unit = match self.program.kind() {
            ExprType::TIME => Unit::Seconds,
            ExprType::Quantity { time: 2, memory: 0 } => Unit::SecondsSquared,
            _ => Unit::Ratio,
        };
        match self.statistic {
            OwnStatistic::Share => Unit::Fraction,
            OwnStatistic::Of(Statistic::Cv) => Unit::Ratio,
            OwnStatistic::Of(Statistic::Var) => unit.squared(),
            _ => unit,
        }
    }

    /// Returns the range of its values.
    pub fn domain(&self) -> Domain {
        match self.statistic {
            OwnStatistic::Share => Domain::Share,
            OwnStatistic::Of(Statistic::Sd | Statistic::Var | Statistic::Cv) => Domain::NotNegative,
            _ => Domain::Any,
        }
    }

    /// Returns its definition, in one line.
    pub fn definition(&self) -> String {
        match self.program.kind() {
            ExprType::Condition | ExprType::TIME | ExprType::PLAIN => {
                format!("{} over the measured jobs", self.text)
            }
            kind @ ExprType::Quantity { .. } => format!("{} over the measured jobs, {kind}", self.text),
        }
    }

    /// Returns the value; `None` if no job has a finite value of the expression.
    pub fn value(&self, measurement: &Measurement<'_>) -> Option<f64> {
        let sample = self.sample(measurement);
        match self.statistic {
            OwnStatistic::Of(statistic) => statistic.of(&sample),
            OwnStatistic::Sum => sample.mean().map(|_| sample.values().iter().sum()),
            OwnStatistic::Share => sample.mean(),
        }
    }

    /// Returns the number of measured jobs that have no finite value of the expression.
    pub fn left_out(&self, measurement: &Measurement<'_>) -> usize {
        self.sample(measurement).left_out()
    }

    /// Returns the values of the measured jobs. Times that a log could have are summed exactly, as those of the built-in metrics.
    fn sample(&self, measurement: &Measurement<'_>) -> Sample {
        let rows = ServedRows { measurement, resources: self.resources };
        let values = self.program.numbers(&rows);
        let ticks = |value: f64| {
            let time = Time::from_secs_f64(value);
            (time.secs() == value).then(|| time.ticks())
        };
        let is_time = self.program.kind() == ExprType::TIME;
        let ticks: Option<Vec<i64>> =
            is_time.then(|| values.iter().map(|&value| ticks(value)).collect()).flatten();
        match ticks {
            Some(ticks) => Sample::of_ticks(ticks.into_iter()),
            None => Sample::of_ratios(
                values.into_iter().map(|value| Some(value).filter(|value| value.is_finite())),
            ),
        }
    }
}

/// The measured jobs with their times in the schedule, as rows of an expression.
struct ServedRows<'a> {
    measurement: &'a Measurement<'a>,
    resources: u32,
}

impl ServedRows<'_> {
    /// Returns a number that only the schedule knows; `None` for those of the log.
    fn served(&self, field: FieldId, job: JobId) -> Option<f64> {
        let of = |value: fn(&Served) -> Time| Some(value(&self.measurement.served(job)).secs());
        match field {
            FieldId::Wait => of(Served::wait),
            FieldId::Start => of(|served| served.start),
            FieldId::End => of(|served| served.end),
            FieldId::Run => of(|served| served.run),
            FieldId::Response => of(Served::response),
            FieldId::Resource(at) => match at.checked_sub(self.resources)? {
                0 => of(Served::stalled),
                1 => Some(self.measurement.served(job).slowdown().unwrap_or(f64::NAN)),
                2 => {
                    let tau = self.measurement.options().tau;
                    Some(self.measurement.served(job).bounded_slowdown(tau).unwrap_or(f64::NAN))
                }
                _ => Some(self.measurement.served(job).predicted.map_or(f64::NAN, Time::secs)),
            },
            _ => None,
        }
    }
}

impl Rows for ServedRows<'_> {
    fn len(&self) -> usize {
        self.measurement.jobs().len()
    }

    fn fill(&self, field: FieldId, rows: Range<usize>, out: &mut [f64]) {
        for (to, &job) in out.iter_mut().zip(&self.measurement.jobs()[rows]) {
            match self.served(field, job) {
                Some(value) => *to = value,
                None => {
                    let row = job.index();
                    self.measurement.workload().fill(field, row..row + 1, std::slice::from_mut(to));
                }
            }
        }
    }
}

/// Returns the metrics that a list defines, by `NAME=STATISTIC(EXPRESSION)` among its items; `known` is whether a
/// key is one of another metric, and the vocabulary is that of the jobs of the replay.
pub(super) fn defined(
    list: &str,
    known: impl Fn(&str) -> bool,
    vocabulary: &Vocabulary,
) -> Result<Vec<Metric>, OwnMetricError> {
    let mut metrics: Vec<Metric> = Vec::new();
    for item in items(list).into_iter().filter(|item| item.contains(['=', '('])) {
        let named = item.split_once('=').filter(|(name, _)| !name.contains('('));
        let (name, definition) = named.ok_or_else(|| OwnMetricError::Unnamed(item.into()))?;
        let name = name.trim();
        let fits = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '_';
        if !name.starts_with(|first: char| first.is_ascii_lowercase()) || !name.chars().all(fits) {
            return Err(OwnMetricError::Name(name.into()));
        }
        if known(name) || metrics.iter().any(|metric| metric.key() == name) {
            return Err(OwnMetricError::Taken(name.into()));
        }
        let part = MetricPart::Own(Arc::new(OwnMetric::read(name, definition, vocabulary)?));
        metrics.push(Metric { spec: &OWN, part });
    }
    Ok(metrics)
}

/// Returns the key of an item of a list: that of a metric, or the name that a definition gives.
pub fn key(item: &str) -> &str {
    item.split_once('=').map_or(item, |(name, _)| name).trim()
}

/// Returns the items of a list, without blanks around them: commas within parentheses and texts separate nothing.
pub fn items(list: &str) -> Vec<&str> {
    let (mut items, mut from, mut depth, mut quote) = (Vec::new(), 0, 0_usize, None);
    for (at, letter) in list.char_indices() {
        match (quote, letter) {
            (Some(end), _) => quote = Some(end).filter(|end| *end != letter),
            (None, '"' | '\'' | '`') => quote = Some(letter),
            (None, '(') => depth += 1,
            (None, ')') => depth = depth.saturating_sub(1),
            (None, ',') if depth == 0 => {
                items.push(list[from..at].trim());
                from = at + 1;
            }
            _ => {}
        }
    }
    items.push(list[from..].trim());
    items
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_within_parentheses_and_texts_separate_nothing() {
        let list = "mean_wait, a = share(queue in (1, 2)),b=max(min(wait, 1h)) , c=share(queue = \"x),y\")";
        let found = items(list);
        assert_eq!(
            found,
            ["mean_wait", "a = share(queue in (1, 2))", "b=max(min(wait, 1h))", "c=share(queue = \"x),y\")"]
        );
        assert_eq!(found.iter().map(|item| key(item)).collect::<Vec<_>>(), ["mean_wait", "a", "b", "c"]);
    }
}
