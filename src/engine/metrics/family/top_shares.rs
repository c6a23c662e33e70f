//! Shares of a metric's sum that come from a few jobs, one user or one week.

use super::FRACHTENBERG05;
use crate::metrics::shares::{Shares, TopShares};
use crate::metrics::spec::{Compute, Domain, MetricSpec};
use crate::table::{Better, Unit};

/// Defines a share of a sum: the quantity, and whose share it is.
macro_rules! share_of {
    ($(#[$about:meta])+ $constant:ident $name:literal, $quantity:ident.$whose:ident, $definition:literal) => {
        $(#[$about])+
        pub static $constant: MetricSpec = MetricSpec {
            name: $name,
            unit: Unit::Fraction,
            better: Better::Neither,
            domain: Domain::Share,
            definition: $definition,
            cite: FRACHTENBERG05,
            compute: Compute::Value(|measurement| {
                let TopShares { $quantity: Shares { $whose, .. }, .. } = *measurement.top_shares();
                $whose
            }),
            ..MetricSpec::OF_JOBS
        };
    };
}

share_of! {
    /// The share of the top jobs in the sum of waits.
    TOP_JOBS_WAIT "top_jobs_wait", wait.jobs,
    "share of the sum of all waits that the 1 % of jobs (rounded up) with the longest waits make"
}
share_of! {
    /// The share of the top jobs in the sum of bounded slowdowns.
    TOP_JOBS_BSLD "top_jobs_bsld", bsld.jobs,
    "share of the sum of all bsld that the 1 % of jobs (rounded up) with the largest bsld make"
}
share_of! {
    /// The share of the top user in the sum of waits.
    TOP_USER_WAIT "top_user_wait", wait.user,
    "largest share of the sum of all waits that one known user's jobs make; undefined for fewer than two known users"
}
share_of! {
    /// The share of the top user in the sum of bounded slowdowns.
    TOP_USER_BSLD "top_user_bsld", bsld.user,
    "largest share of the sum of all bsld that one known user's jobs make; undefined for fewer than two known users"
}
share_of! {
    /// The share of the top week of submission in the sum of waits.
    TOP_WEEK_WAIT "top_week_wait", wait.week,
    "largest share of the sum of all waits that the jobs submitted in one week make, weeks counted from the first \
     measured submission; undefined over less than four weeks"
}
share_of! {
    /// The share of the top week of submission in the sum of bounded slowdowns.
    TOP_WEEK_BSLD "top_week_bsld", bsld.week,
    "largest share of the sum of all bsld that the jobs submitted in one week make, weeks counted from the first \
     measured submission; undefined over less than four weeks"
}

#[cfg(test)]
mod tests {
    use batchlab_traces::workload::PlainJob;
    use batchlab_traces::{Machine, Time, Workload};

    use crate::Outcome;
    use crate::metrics::{Catalogue, MeasureOptions, Measurement};

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
        // The share of the only user says nothing.
        let one = [(0, 100, 1), (8 * DAY, 300, 1), (28 * DAY, 100, -1)];
        assert_eq!(values(&one, &["top_user_wait", "top_user_bsld", "jain"]), [None; 3]);
        let nobody = [(0, 100, -1), (28 * DAY - 1, 300, -1)];
        assert_eq!(values(&nobody, &keys), none);
        assert_eq!(values(&[], &keys), none);
    }

    #[test]
    fn the_top_jobs_are_found_among_many_of_whatever_users() {
        // 1,000 waits, each of 0 to 999 s once; users have numbers of all sizes.
        let jobs: Vec<(i64, i64, i64)> =
            (0..1_000).map(|at| (at, at * 617 % 1_000, [3, 5_000, 1 << 40, -1][at as usize % 4])).collect();
        let sum = 999.0 * 500.0;
        assert_eq!(values(&jobs, &["top_jobs_wait"]), [Some((990..1_000).sum::<i64>() as f64 / sum)]);
        let of = |user: i64| jobs.iter().filter(|job| job.2 == user).map(|job| job.1).sum::<i64>();
        let most = [3, 5_000, 1 << 40].map(of).into_iter().max().unwrap();
        assert_eq!(values(&jobs, &["top_user_wait"]), [Some(most as f64 / sum)]);
    }
}
