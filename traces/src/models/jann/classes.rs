use super::fit::{FitOptions, Gaps, Ranges};
use crate::arrange::Arrange as _;
use crate::workload::size;
use crate::{Field, Trace, status};

/// A job of the log: submit time and run time in seconds, and size.
#[derive(Clone, Copy, Debug)]
pub(super) struct LogJob {
    pub(super) submit: f64,
    pub(super) run: f64,
    pub(super) size: i64,
}

/// The jobs of a range of sizes in the order of submission.
#[derive(Clone, Debug)]
pub(super) struct SizeRange {
    pub(super) least: i64,
    pub(super) most: i64,
    pub(super) jobs: Vec<LogJob>,
    /// The ranges that were pooled into it; empty if it is a single range.
    pub(super) pooled: Vec<(i64, i64)>,
}

/// Returns the jobs of a log in the order of submission, and the number of rows that are not jobs.
///
/// Parts of checkpointed jobs and rows without submit time, run time or size are excluded.
pub(super) fn jobs(log: &Trace, options: &FitOptions) -> (Vec<LogJob>, u64) {
    let job = |row| {
        let [submit, run] = [Field::Submit, Field::Run].map(|field| log.get(row, field));
        if submit.is_unknown() || run.is_unknown() || status::is_part(log.get(row, Field::Status).truncated())
        {
            return None;
        }
        let size = size(log, options.size, row)?;
        Some(LogJob { submit: submit.to_f64(), run: run.to_f64(), size })
    };
    let mut jobs: Vec<LogJob> = (0..log.len()).filter_map(job).collect();
    let left_out = log.len() - jobs.len();
    jobs.arrange_by(|one, other| one.submit.total_cmp(&other.submit));
    (jobs, left_out as u64)
}

/// Returns the jobs by ranges of sizes, smallest first, without empty ranges.
pub(super) fn groups(jobs: &[LogJob], ranges: Ranges) -> Vec<SizeRange> {
    let mut groups: Vec<SizeRange> = Vec::new();
    for job in jobs {
        let (least, most) = ranges.of(job.size);
        match groups.binary_search_by_key(&least, |group| group.least) {
            Ok(at) => groups[at].jobs.push(*job),
            Err(at) => groups.insert(at, SizeRange { least, most, jobs: vec![*job], pooled: Vec::new() }),
        }
    }
    groups
}

/// Pools the first group for which `poor` holds with its smaller neighbour, or the smallest group with its
/// larger one, until `poor` holds for none; `None` if it holds for the last single group.
pub(super) fn pool(mut groups: Vec<SizeRange>, poor: impl Fn(&SizeRange) -> bool) -> Option<Vec<SizeRange>> {
    while let Some(at) = groups.iter().position(&poor) {
        if groups.len() == 1 {
            return None;
        }
        let larger = groups.remove(at.max(1));
        groups[at.max(1) - 1].take(larger);
    }
    Some(groups)
}

impl SizeRange {
    fn take(&mut self, larger: SizeRange) {
        let mut pooled = self.ranges();
        pooled.extend(larger.ranges());
        self.pooled = pooled;
        self.most = larger.most;
        self.jobs.extend(larger.jobs);
        self.jobs.arrange_by(|one, other| one.submit.total_cmp(&other.submit));
    }

    fn ranges(&self) -> Vec<(i64, i64)> {
        if self.pooled.is_empty() { vec![(self.least, self.most)] } else { self.pooled.clone() }
    }

    /// Returns the times between its submissions; with [`Gaps::Wrapped`], including the gap around the end
    /// of the log, which lasts from `first` to `last`.
    pub(super) fn gaps(&self, gaps: Gaps, (first, last): (f64, f64)) -> Vec<f64> {
        let mut times: Vec<f64> = self.jobs.windows(2).map(|pair| pair[1].submit - pair[0].submit).collect();
        if let (Gaps::Wrapped, Some(own_first), Some(own_last)) = (gaps, self.jobs.first(), self.jobs.last())
        {
            times.push(last - own_last.submit + own_first.submit - first);
        }
        times
    }

    pub(super) fn runs(&self) -> Vec<f64> {
        self.jobs.iter().map(|job| job.run).collect()
    }

    /// Returns its sizes and the number of jobs of each, smallest first.
    pub(super) fn sizes(&self) -> Vec<(i64, u64)> {
        let mut sizes: Vec<i64> = self.jobs.iter().map(|job| job.size).collect();
        sizes.sort_unstable();
        sizes.chunk_by(|one, other| one == other).map(|equal| (equal[0], equal.len() as u64)).collect()
    }
}
