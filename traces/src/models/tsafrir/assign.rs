use super::{SettingsError, SiteParameters, histogram};
use crate::arrange::Arrange as _;
use crate::seed;
use crate::time::Time;

/// The estimates of some jobs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AssignedEstimates {
    /// One estimate for each job, in their order; none is shorter than its job's run time.
    pub times: Vec<Time>,
    /// The number of jobs that run longer than the longest estimate: their estimate is their run time.
    pub beyond: u64,
    /// The number of jobs for which, among many long jobs, no estimate long enough was left: their estimate is their run time.
    pub crowded: u64,
}

/// Draws an estimate for each job. O(n log n).
///
/// Both jobs and estimates are sorted, longest first. Job by job, one of the estimates that are long enough
/// is taken with equal probability, and the longest remaining one moves to its place. Where the authors'
/// program gives up because too many jobs are too long, the estimate is the run time, and is counted.
pub fn estimates(
    runs: &[Time],
    settings: &SiteParameters,
    seed: u64,
) -> Result<AssignedEstimates, SettingsError> {
    let mut order: Vec<usize> = (0..runs.len()).filter(|&job| runs[job] <= settings.max).collect();
    order.arrange_by_key(|&job| std::cmp::Reverse(runs[job]));
    let bins = histogram(order.len(), settings, seed)?;
    let sorted: Vec<Time> =
        bins.into_iter().flat_map(|(time, count)| std::iter::repeat_n(time, count as usize)).collect();
    let mut left = sorted.clone();
    let mut drawn =
        AssignedEstimates { times: runs.to_vec(), beyond: (runs.len() - order.len()) as u64, crowded: 0 };
    let mut random = seed::stream(seed, "tsafrir jobs");
    for (at, &job) in order.iter().enumerate() {
        // Estimates only move back, so the sorted list bounds how far back is still long enough.
        let enough = sorted.partition_point(|&estimate| estimate >= runs[job]);
        if enough <= at {
            drawn.crowded += 1;
            continue;
        }
        let place = at + (seed::unit(&mut random) * (enough - at) as f64) as usize;
        drawn.times[job] = left[place];
        left[place] = left[at];
    }
    Ok(drawn)
}
