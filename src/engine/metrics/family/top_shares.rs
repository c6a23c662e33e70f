//! Shares of a metric's sum that come from a few jobs, one user or one week.

use super::FRACHTENBERG05;
use crate::metrics::shares::{Shares, TopShares};
use crate::metrics::spec::{Compute, Domain, MetricSpec};
use crate::table::{Better, Unit};

/// Defines shares of sums: the quantity, and whose share it is.
macro_rules! shares_of {
    ($($constant:ident $name:literal, $quantity:ident.$whose:ident, $definition:literal;)+) => {$(
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
    )+};
}

shares_of! {
    TOP_JOBS_WAIT "top_jobs_wait", wait.jobs,
    "share of the sum of all waits that the 1 % of jobs (rounded up) with the longest waits make";
    TOP_JOBS_BSLD "top_jobs_bsld", bsld.jobs,
    "share of the sum of all bsld that the 1 % of jobs (rounded up) with the largest bsld make";
    TOP_USER_WAIT "top_user_wait", wait.user,
    "largest share of the sum of all waits that one known user's jobs make; undefined for fewer than two known users";
    TOP_USER_BSLD "top_user_bsld", bsld.user,
    "largest share of the sum of all bsld that one known user's jobs make; undefined for fewer than two known users";
    TOP_WEEK_WAIT "top_week_wait", wait.week,
    "largest share of the sum of all waits that the jobs submitted in one week make, weeks counted from the first \
     measured submission; undefined over less than four weeks";
    TOP_WEEK_BSLD "top_week_bsld", bsld.week,
    "largest share of the sum of all bsld that the jobs submitted in one week make, weeks counted from the first \
     measured submission; undefined over less than four weeks";
}
