//! Counters of policies: slipped reservations, stopped searches, ties.

use batchlab_support::tally;
use batchlab_traces::Citation;

use crate::metrics::measurement::Measurement;
use crate::metrics::spec::{Compute, Domain, MetricSpec};
use crate::table::{Better, Unit};

pub static SLIPPED_RESERVATIONS: MetricSpec = MetricSpec {
    name: "slipped_reservations",
    better: Better::Lower,
    definition: "reservations whose job could not start when they fell due, as counted by conservative, depth, mcbp, bkfl, \
                 bf, bgs, mbgs and their kin; 0 under policies that count none",
    compute: Compute::Value(|measurement| counted(measurement, tally::SLIPPED)),
    ..COUNT
};

pub static STOPPED_SEARCHES: MetricSpec = MetricSpec {
    name: "stopped_searches",
    definition: "searches of the queue that ended at a job that had waited longer than its limit, as counted by policies with \
                 a waitlimit; 0 under others",
    compute: Compute::Value(|measurement| counted(measurement, tally::STOPPED)),
    ..COUNT
};

pub static HELD_BACK_JOBS: MetricSpec = MetricSpec {
    name: "held_back_jobs",
    better: Better::Lower,
    definition: "jobs that limits on users, groups or partitions kept out of the queue when they were submitted",
    compute: Compute::Value(|measurement| counted(measurement, tally::HELD_BACK)),
    ..COUNT
};

pub static SCORE_TIES: MetricSpec = MetricSpec {
    name: "score_ties",
    definition: "choices among candidates by a score in which the best score was shared, of all such choices",
    compute: Compute::Value(|measurement| tied(measurement, tally::SCORES)),
    ..SHARE
};

pub static HOST_TIES: MetricSpec = MetricSpec {
    name: "host_ties",
    definition: "choices among nodes by a score in which the best score was shared, of all such choices",
    compute: Compute::Value(|measurement| tied(measurement, tally::HOST_CHOICES)),
    ..SHARE
};

pub static QUEUE_TIES: MetricSpec = MetricSpec {
    name: "queue_ties",
    definition: "waiting jobs that shared their score with another when the queue was ranked by scores, of all that were \
                 ranked, at all rankings together",
    compute: Compute::Value(|measurement| tied(measurement, tally::QUEUE_SCORES)),
    ..SHARE
};

const COUNT: MetricSpec = MetricSpec {
    unit: Unit::Count,
    better: Better::Neither,
    cite: Citation::of("a plain count by the policy, of the whole replay", &[]),
    ..MetricSpec::OF_REPLAY
};

const SHARE: MetricSpec = MetricSpec { unit: Unit::Fraction, domain: Domain::Share, ..COUNT };

/// Returns a counter of the policy; `None` for a schedule that was not made by a replay here, which has no counters.
fn counted(measurement: &Measurement<'_>, what: &str) -> Option<f64> {
    let outcome = measurement.outcome();
    let count = || outcome.tallies.get(what).copied().unwrap_or(0);
    (outcome.decisions > 0).then(|| count() as f64)
}

/// Returns the share of choices that were ties; `None` if nothing was chosen by score.
fn tied(measurement: &Measurement<'_>, what: &str) -> Option<f64> {
    let (choices, ties) = measurement.outcome().ties.get(what)?;
    (*choices > 0).then(|| *ties as f64 / *choices as f64)
}
