//! The estimates that schedulers see.

use batchlab_traces::reading::Estimate;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{Time, Workload};
use serde::{Deserialize, Serialize};

use super::preparation::Preparation;
use batchlab_engine::as_text;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EstimateFacts {
    #[serde(with = "as_text")]
    pub mode: Estimate,
    /// Jobs without a request, whose run time is the estimate.
    pub missing: u64,
    /// Share of jobs whose estimate is their run time.
    pub exact: f64,
    /// The multiple of its run time that nearly every job's estimate equals, if there is one above 1.
    pub multiple: Option<f64>,
    /// Share of jobs that have one of the 20 most used estimates.
    pub modal: f64,
}

/// The number of values that cover most jobs if users estimate (Tsafrir, Etsion, Feitelson 2005).
const MOST_USED: usize = 20;
/// Share of jobs that counts as nearly all.
const NEARLY_ALL: f64 = 0.95;

impl EstimateFacts {
    pub(super) fn of(from: &Preparation<'_>) -> EstimateFacts {
        let jobs = from.workload;
        let exact = jobs.jobs().filter(|&job| jobs.estimate(job) == jobs.run(job)).count();
        let mut uses: SortedMap<Time, usize> = SortedMap::new();
        for job in jobs.jobs() {
            *uses.entry(jobs.estimate(job)).or_default() += 1;
        }
        let mut uses: Vec<usize> = uses.into_values().collect();
        uses.sort_unstable_by(|one, other| other.cmp(one));
        let share = |part: usize| if jobs.is_empty() { 0.0 } else { part as f64 / jobs.len() as f64 };
        EstimateFacts {
            mode: from.reading.estimate,
            missing: from.done("trace-no-estimates"),
            exact: share(exact),
            multiple: multiple(jobs),
            modal: share(uses.iter().take(MOST_USED).sum()),
        }
    }
}

/// Returns the multiple of its run time that nearly every job's estimate equals, to a second; `None` for 1.
fn multiple(jobs: &Workload) -> Option<f64> {
    let pairs = jobs.jobs().map(|job| (jobs.run(job).secs(), jobs.estimate(job).secs()));
    let mut pairs: Vec<(f64, f64)> = pairs.filter(|&(run, _)| run > 0.0).collect();
    let median = pairs.len().checked_sub(1)? / 2;
    pairs.select_nth_unstable_by(median, |one, other| (one.1 / one.0).total_cmp(&(other.1 / other.0)));
    let factor = pairs[median].1 / pairs[median].0;
    // A request in whole seconds may be off by up to one second.
    let fits = pairs.iter().filter(|&&(run, estimate)| (estimate - factor * run).abs() <= 1.0);
    let nearly_all = fits.count() as f64 >= NEARLY_ALL * pairs.len() as f64;
    (nearly_all && (factor - 1.0).abs() > 0.01).then_some(factor)
}
