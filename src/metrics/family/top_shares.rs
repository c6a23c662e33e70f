//! Who makes the mean: shares of a metric's sum that few jobs, one user or one week contribute.

use std::collections::BTreeMap;

use batchlab_traces::{Field, Time};

use crate::metrics::measurement::Measurement;
use crate::metrics::served::Served;
use crate::metrics::spec::{Better, Bound, Compute, MetricSpec, Scope, Unit};

const CITE: &str = "Frachtenberg and Feitelson 2005, Pitfalls in Parallel Job Scheduling Evaluation";
/// One job in so many is among the top ones.
const ONE_IN: usize = 100;
const WEEK: Time = Time::from_secs(7 * 86_400);
/// Fewer weeks of submission than these are each a large part of the whole.
const WEEKS: i64 = 4;

/// A share of a sum: a quantity, and what of it is looked at.
macro_rules! share_of {
    ($(#[$about:meta])+ $constant:ident $name:literal, $share:path, $value:path, $definition:literal) => {
        $(#[$about])+
        pub static $constant: MetricSpec = MetricSpec {
            name: $name,
            unit: Unit::Fraction,
            better: Better::Neither,
            scope: Scope::Jobs,
            bound: Bound::None,
            in_summary: false,
            definition: $definition,
            cite: CITE,
            compute: Compute::Value(|measurement| $share(measurement, $value)),
        };
    };
}

share_of! {
    /// Of the waits, by jobs.
    TOP_JOBS_WAIT "top_jobs_wait", of_jobs, wait,
    "share of the sum of all waits that the 1 % of jobs (rounded up) with the longest waits make"
}
share_of! {
    /// Of the bounded slowdowns, by jobs.
    TOP_JOBS_BSLD "top_jobs_bsld", of_jobs, bounded_slowdown,
    "share of the sum of all bsld that the 1 % of jobs (rounded up) with the largest bsld make"
}
share_of! {
    /// Of the waits, by users.
    TOP_USER_WAIT "top_user_wait", of_user, wait,
    "largest share of the sum of all waits that one known user's jobs make; undefined where no user is known"
}
share_of! {
    /// Of the bounded slowdowns, by users.
    TOP_USER_BSLD "top_user_bsld", of_user, bounded_slowdown,
    "largest share of the sum of all bsld that one known user's jobs make; undefined where no user is known"
}
share_of! {
    /// Of the waits, by weeks of submission.
    TOP_WEEK_WAIT "top_week_wait", of_week, wait,
    "largest share of the sum of all waits that the jobs submitted in one week make, weeks counted from the first \
     measured submission; undefined over less than four weeks"
}
share_of! {
    /// Of the bounded slowdowns, by weeks of submission.
    TOP_WEEK_BSLD "top_week_bsld", of_week, bounded_slowdown,
    "largest share of the sum of all bsld that the jobs submitted in one week make, weeks counted from the first \
     measured submission; undefined over less than four weeks"
}

type Value = fn(&Measurement<'_>, &Served) -> Option<f64>;

#[expect(clippy::unnecessary_wraps, reason = "other values are undefined for some jobs")]
fn wait(_: &Measurement<'_>, job: &Served) -> Option<f64> {
    Some(job.wait().secs())
}

fn bounded_slowdown(measurement: &Measurement<'_>, job: &Served) -> Option<f64> {
    job.bounded_slowdown(measurement.options().tau)
}

/// Returns the share of the top jobs. O(n).
fn of_jobs(measurement: &Measurement<'_>, value: Value) -> Option<f64> {
    let mut values: Vec<f64> = measurement.measured().filter_map(|job| value(measurement, &job)).collect();
    let sum: f64 = values.iter().sum();
    let top = values.len().div_ceil(ONE_IN);
    if top > 0 {
        values.select_nth_unstable_by(top - 1, |one, other| other.total_cmp(one));
    }
    share(values[..top].iter().sum(), sum)
}

/// Returns the share of the user who has the largest one. O(n log users).
fn of_user(measurement: &Measurement<'_>, value: Value) -> Option<f64> {
    let user = |job: &Served| measurement.workload().attribute(job.job, Field::User);
    largest(measurement, value, |job| Some(user(job)).filter(|&user| user >= 0))
}

/// Returns the share of the week that has the largest one. O(n log weeks).
fn of_week(measurement: &Measurement<'_>, value: Value) -> Option<f64> {
    let submit = |job| measurement.workload().submit(job);
    let (first, last) = (submit(*measurement.jobs().first()?), submit(*measurement.jobs().last()?));
    if (last - first).ticks() < WEEKS * WEEK.ticks() {
        return None;
    }
    largest(measurement, value, |job| Some((job.submit - first).ticks() / WEEK.ticks()))
}

/// Returns the largest share of a part; jobs of no part count in the sum alone.
fn largest(
    measurement: &Measurement<'_>,
    value: Value,
    part: impl Fn(&Served) -> Option<i64>,
) -> Option<f64> {
    let mut parts: BTreeMap<i64, f64> = BTreeMap::new();
    let mut sum = 0.0;
    for job in measurement.measured() {
        let Some(value) = value(measurement, &job) else { continue };
        sum += value;
        if let Some(part) = part(&job) {
            *parts.entry(part).or_default() += value;
        }
    }
    share(parts.values().copied().max_by(f64::total_cmp)?, sum)
}

fn share(part: f64, sum: f64) -> Option<f64> {
    (sum > 0.0).then(|| part / sum)
}

#[cfg(test)]
mod tests {
    use batchlab_traces::workload::PlainJob;
    use batchlab_traces::{Machine, Workload};

    use super::*;
    use crate::Outcome;
    use crate::metrics::{Catalogue, MeasureOptions};

    const DAY: i64 = 86_400;

    /// Values of keys over jobs of 100 s: (submit, wait, user).
    fn values(jobs: &[(i64, i64, i64)], keys: &[&str]) -> Vec<Option<f64>> {
        let run = Time::from_secs(100);
        let plain = |&(submit, _, user): &(i64, i64, i64)| PlainJob {
            submit: Time::from_secs(submit),
            run,
            estimate: run,
            demand: vec![1],
            user,
            partition: -1,
        };
        let workload = Workload::from_jobs(&jobs.iter().map(plain).collect::<Vec<_>>());
        let start: Vec<Time> = jobs.iter().map(|job| Time::from_secs(job.0 + job.1)).collect();
        let end = start.iter().map(|&start| start + run).collect();
        let outcome = Outcome { start, end, ..Outcome::default() };
        let machine = Machine::pool(1000).unwrap();
        let measurement = Measurement::new(&workload, &machine, &outcome, MeasureOptions::default()).unwrap();
        let catalogue = Catalogue::new(&machine, &[]);
        keys.iter().map(|key| catalogue.find(key).unwrap().value(&measurement)).collect()
    }

    #[test]
    fn one_job_in_a_hundred_may_make_the_mean() {
        // 101 jobs: two of them are the top ones.
        let mut jobs: Vec<(i64, i64, i64)> = (0..101).map(|at| (at, 1, 1)).collect();
        jobs[7].1 = 500;
        jobs[50].1 = 401;
        let sum = 500.0 + 401.0 + 99.0;
        assert_eq!(values(&jobs, &["top_jobs_wait"]), [Some(901.0 / sum)]);
        let (top, others) = (6.0 + 5.01, 99.0 * 1.01);
        let bsld = values(&jobs, &["top_jobs_bsld"])[0].unwrap();
        assert!((bsld - top / (top + others)).abs() < 1e-12);
        assert_eq!(values(&[(0, 0, 1), (1, 0, 1)], &["top_jobs_wait", "top_jobs_bsld"]), [None, Some(0.5)]);
    }

    #[test]
    fn users_and_weeks_are_those_of_the_submission() {
        let (keys, none) = (["top_user_wait", "top_week_wait", "top_user_bsld", "top_week_bsld"], [None; 4]);
        let known = [(0, 100, 1), (8 * DAY, 300, 2), (9 * DAY, 500, 1), (28 * DAY, 100, -1)];
        assert_eq!(values(&known, &keys), [Some(0.6), Some(0.8), Some(8.0 / 14.0), Some(10.0 / 14.0)]);
        let nobody = [(0, 100, -1), (28 * DAY - 1, 300, -1)];
        assert_eq!(values(&nobody, &keys), none);
        assert_eq!(values(&[], &keys), none);
    }
}
