//! How each user fares: the sums over their jobs, of which tables of users are made.

use batchlab_traces::Field;
use batchlab_traces::sorted::SortedMap;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::who::Sums;
use super::{DetailSpec, Extent, recorded};
use batchlab_engine::metrics::Measurement;

/// The sums of every known user: at most [`MOST`] rows.
pub static USER_SUMS: DetailSpec = DetailSpec {
    name: "user-sums",
    what: "jobs, waits and bounded slowdowns of every known user",
    reads_journal: false,
    make,
};

/// The most users of a replay; one with more has no such detail.
pub const MOST: usize = 20_000;

/// The known users of one replay, ascending by their number in the log.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct UserSums {
    pub users: Vec<(i64, Sums)>,
}

/// O(n log n).
fn make(measurement: &Measurement<'_>, _: Extent) -> Option<Value> {
    let mut users: SortedMap<i64, Sums> = SortedMap::new();
    for job in measurement.measured() {
        let user = measurement.workload().attribute(job.job, Field::User);
        if user >= 0 {
            users.entry(user).or_default().add(&job, measurement.options().tau);
        }
    }
    match users.len() {
        0 if measurement.jobs().is_empty() => None,
        0 => recorded::<UserSums>(Err("the log names no users".into())),
        many if many > MOST => recorded::<UserSums>(Err(format!("the log has more than {MOST} users"))),
        _ => recorded(Ok(UserSums { users: users.into_iter().collect() })),
    }
}
