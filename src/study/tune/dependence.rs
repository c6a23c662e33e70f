//! What a queue order does, in numbers: where it puts a job as one of the job's properties changes.

use std::ops::Range;

use batchlab_engine::metrics::Measurement;
use batchlab_traces::JobId;
use batchlab_traces::Workload;
use batchlab_traces::expr::{Expr, FieldId, Rows, Vocabulary};
use batchlab_traces::seed::{stream, unit};

use super::evaluator::Evaluator;
use super::split::UnitRole;

/// The partial dependence of an order on a property of jobs (Friedman, Annals of Statistics 29, 2001): the mean place, from 0 for the
/// first to 1 for the last, of jobs that are all given this value and keep their other properties.
#[derive(Clone, Debug, PartialEq)]
pub struct Lean {
    pub property: &'static str,
    /// Values of the property, which are quantiles of the log's jobs, each with the mean place.
    pub places: Vec<(f64, f64)>,
}

const PROPERTIES: [(&str, FieldId); 3] =
    [("procs", FieldId::Procs), ("estimate", FieldId::Estimate), ("wait", FieldId::Wait)];

/// The most jobs whose places are computed.
const JOBS: usize = 400;

/// Returns the leanings of the first expression in a spec, by the jobs of the first unit and their waits under the spec; none if
/// the spec has no expression of jobs. O(jobs log jobs).
pub fn leanings(evaluator: &Evaluator, spec: &str) -> Vec<Lean> {
    let Some(text) = expression(spec) else { return Vec::new() };
    let Some(&at) = evaluator.units(UnitRole::Fit).first() else { return Vec::new() };
    let vocabulary = Vocabulary::policy(evaluator.machine(at));
    let Ok(program) = Expr::parse(text).and_then(|expr| expr.number(&vocabulary)) else { return Vec::new() };
    let read = program.reads();
    let of = |measurement: &Measurement<'_>| {
        let sample = Sample::of(measurement);
        let mut sorted = program.numbers(&sample);
        sorted.sort_by(f64::total_cmp);
        let is_read = |(_, field): &&(&str, FieldId)| read.contains(field);
        let lean = |&(property, field): &(&'static str, FieldId)| {
            let place = |value: f64| {
                let given = Given { sample: &sample, field, value };
                let places = program.numbers(&given).into_iter().map(|number| {
                    let [below, upto] =
                        [f64::lt, f64::le].map(|is| sorted.partition_point(|known| is(known, &number)));
                    (below + upto) as f64 / 2.0 / sorted.len() as f64
                });
                (value, places.sum::<f64>() / sample.len() as f64)
            };
            Lean { property, places: sample.quantiles(field).into_iter().map(place).collect() }
        };
        PROPERTIES.iter().filter(is_read).map(lean).collect()
    };
    evaluator.look(spec, at, of).unwrap_or_default()
}

/// Returns the text within the first `expr(...)` of a spec.
fn expression(spec: &str) -> Option<&str> {
    let (_, rest) = spec.split_once("expr(")?;
    let mut depth = 1;
    let end = rest.find(|letter| {
        depth += i32::from(letter == '(') - i32::from(letter == ')');
        depth == 0
    })?;
    Some(&rest[..end])
}

/// Jobs, each at an instant of its wait.
struct Sample<'a> {
    workload: &'a Workload,
    jobs: Vec<(JobId, f64)>,
}

impl<'a> Sample<'a> {
    fn of(measurement: &Measurement<'a>) -> Sample<'a> {
        let (jobs, workload) = (measurement.jobs(), measurement.workload());
        let mut random = stream(1, "instants");
        let step = jobs.len().div_ceil(JOBS).max(1);
        let waiting = |&job: &JobId| {
            let started = measurement.outcome().started(job)?;
            Some((job, (started - workload.submit(job)).secs() * unit(&mut random)))
        };
        Sample { workload, jobs: jobs.iter().step_by(step).filter_map(waiting).collect() }
    }

    /// Returns the least value of a field, its quartiles and its greatest value, each once.
    fn quantiles(&self, field: FieldId) -> Vec<f64> {
        let mut values = vec![0.0; self.len()];
        self.fill(field, 0..self.len(), &mut values);
        values.sort_by(f64::total_cmp);
        let last = values.len().saturating_sub(1);
        let mut quantiles: Vec<f64> =
            (0..=4).filter_map(|quarter| values.get(last * quarter / 4).copied()).collect();
        quantiles.dedup();
        quantiles
    }
}

impl Rows for Sample<'_> {
    fn len(&self) -> usize {
        self.jobs.len()
    }

    fn fill(&self, field: FieldId, rows: Range<usize>, out: &mut [f64]) {
        for ((job, wait), to) in self.jobs[rows].iter().zip(out) {
            match field {
                FieldId::Wait => *to = *wait,
                _ => Rows::fill(self.workload, field, job.index()..job.index() + 1, std::slice::from_mut(to)),
            }
        }
    }
}

/// The same jobs with one property at a given value.
struct Given<'a> {
    sample: &'a Sample<'a>,
    field: FieldId,
    value: f64,
}

impl Rows for Given<'_> {
    fn len(&self) -> usize {
        self.sample.len()
    }

    fn fill(&self, field: FieldId, rows: Range<usize>, out: &mut [f64]) {
        if field == self.field { out.fill(self.value) } else { self.sample.fill(field, rows, out) }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_first_expression_of_a_spec_is_read_to_its_end() {
        let expression = super::expression("easy:order=expr(procs*(1 + wait)),k=2");
        assert_eq!(expression, Some("procs*(1 + wait)"));
        assert_eq!(super::expression("easy:order=saf"), None);
    }
}
