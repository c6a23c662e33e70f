//! Overtaking: jobs that are submitted later and start earlier.

use batchlab_traces::{Citation, Time};

use crate::metrics::spec::{Compute, MetricSpec};
use crate::table::Unit;

pub static OVERTAKES: MetricSpec = MetricSpec {
    name: "overtakes",
    unit: Unit::Ratio,
    in_summary: true,
    definition: "pairs of measured jobs of which the later submitted one starts earlier, per job",
    cite: Citation::of("a plain count of inversions", &[]),
    compute: Compute::Value(|measurement| {
        let jobs: Vec<_> = measurement.measured().map(|job| (job.submit, job.start)).collect();
        let count = jobs.len();
        (count > 0).then(|| overtaking_pairs(jobs) as f64 / count as f64)
    }),
    ..MetricSpec::OF_JOBS
};

/// Returns the number of pairs (submit, start) with a later submit and an earlier start. O(n log n).
fn overtaking_pairs(mut jobs: Vec<(Time, Time)>) -> u64 {
    // Jobs with the same submit time do not overtake each other: sorting makes their starts ascending.
    jobs.sort_unstable();
    let mut starts: Vec<Time> = jobs.into_iter().map(|(_, start)| start).collect();
    let mut merged = starts.clone();
    inversions(&mut starts, &mut merged)
}

/// Below this length, insertion sort is faster than merging.
const SHORT: usize = 24;

/// Sorts and returns the number of pairs that were in descending order; `room` has the same length.
fn inversions(values: &mut [Time], room: &mut [Time]) -> u64 {
    if values.len() <= SHORT {
        return inversions_by_insertion(values);
    }
    let middle = values.len() / 2;
    let mut count = inversions(&mut values[..middle], &mut room[..middle])
        + inversions(&mut values[middle..], &mut room[middle..]);
    // Jobs rarely overtake across half a log, so most merges have nothing to do.
    if values[middle - 1] <= values[middle] {
        return count;
    }
    let (mut left, mut right) = (0, middle);
    for slot in room.iter_mut() {
        if right == values.len() || left < middle && values[left] <= values[right] {
            *slot = values[left];
            left += 1;
        } else {
            count += (middle - left) as u64;
            *slot = values[right];
            right += 1;
        }
    }
    values.copy_from_slice(room);
    count
}

fn inversions_by_insertion(values: &mut [Time]) -> u64 {
    let mut count = 0;
    for sorted in 1..values.len() {
        let value = values[sorted];
        let mut at = sorted;
        while at > 0 && values[at - 1] > value {
            values[at] = values[at - 1];
            at -= 1;
        }
        values[at] = value;
        count += (sorted - at) as u64;
    }
    count
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn counting_by_merging_is_counting_by_pairs(jobs in prop::collection::vec((0i64..9, 0i64..9), 0..120)) {
            let jobs: Vec<(Time, Time)> =
                jobs.into_iter().map(|(a, b)| (Time::from_ticks(a), Time::from_ticks(b))).collect();
            let overtakes = |a: &(Time, Time), b: &(Time, Time)| a.0 > b.0 && a.1 < b.1;
            let by_pairs = jobs.iter().map(|a| jobs.iter().filter(|b| overtakes(a, b)).count()).sum::<usize>();
            prop_assert_eq!(overtaking_pairs(jobs), by_pairs as u64);
        }
    }
}
