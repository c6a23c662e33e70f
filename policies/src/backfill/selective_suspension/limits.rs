//! The factor above which a running job is not suspended.

use batchlab_traces::Time;
use batchlab_traces::sorted::SortedMap;

use super::standing::ExpansionFactor;
use crate::spec::{BuildError, ParamKind, ParamSpec, Params, Setting};
use crate::support::factor::Factor;
use crate::view::JobView;

pub const LIMIT: ParamSpec = ParamSpec {
    name: "limit",
    kind: ParamKind::Factor { least: 1.0, words: &["inf"] },
    default: "inf",
    help: "a running job with a higher factor is not suspended; expr(...) gives each job its own limit",
    ..ParamSpec::PLAIN
};

pub const TSS: ParamSpec = ParamSpec {
    name: "tss",
    kind: ParamKind::NumberOr { least: 0.0, words: &["none"] },
    default: "none",
    help: "tunable: the limit as a multiple of the mean bounded slowdown of the ended jobs of its category",
    ..ParamSpec::PLAIN
};

/// Run times below this count as this long in bounded slowdowns (τ).
const SHORT: Time = Time::from_secs(10);

/// Longest estimates of the first three categories, in seconds.
const LENGTHS: [i64; 3] = [600, 3600, 28_800];

/// Most processors of the first three categories.
const WIDTHS: [i64; 3] = [1, 8, 32];

type Category = (usize, usize);

fn category(job: JobView<'_>) -> Category {
    let longer = LENGTHS.iter().filter(|&&seconds| job.estimate() > Time::from_secs(seconds)).count();
    (longer, WIDTHS.iter().filter(|&&procs| job.procs() > procs).count())
}

#[derive(Clone, Debug)]
pub struct SuspensionLimits {
    fixed: Option<Factor>,
    /// Factor of the category's mean slowdown; `None` if the scheme sets no such limit.
    tunable: Option<f64>,
    /// For each category the sum of the slowdowns of its ended jobs, and their number.
    ended: SortedMap<Category, (f64, f64)>,
}

impl SuspensionLimits {
    pub fn from_params(params: &Params, setting: &Setting<'_>) -> Result<SuspensionLimits, BuildError> {
        Ok(SuspensionLimits {
            fixed: Factor::from_params(params, LIMIT.name, setting)?,
            tunable: params.number(TSS.name),
            ended: SortedMap::new(),
        })
    }

    pub fn ended(&mut self, job: JobView<'_>, end: Time, queued: Time) {
        if self.tunable.is_some() {
            let response = end - job.submit();
            let slowdown = (response.secs() / (response - queued).max(SHORT).secs()).max(1.0);
            let (sum, count) = self.ended.entry(category(job)).or_default();
            *sum += slowdown;
            *count += 1.0;
        }
    }

    /// Whether a running job may be suspended.
    pub fn allow(&mut self, job: JobView<'_>, standing: ExpansionFactor) -> bool {
        let factor = standing.factor();
        let within = |limit: f64| factor <= limit;
        let tunable = self.tunable.and_then(|times| {
            let (sum, count) = self.ended.get(&category(job))?;
            Some(times * sum / count)
        });
        tunable.is_none_or(within)
            && self.fixed.as_mut().is_none_or(|fixed| within(fixed.of(job, job.estimate())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::workload::PlainJob;
    use batchlab_traces::{JobId, Workload};

    #[test]
    fn sixteen_categories_by_estimate_and_processors() {
        let jobs = [(600, 1), (601, 2), (3600, 8), (28_800, 9), (28_801, 32), (0, 33)];
        let jobs = jobs.map(|(estimate, procs)| PlainJob {
            estimate: Time::from_secs(estimate),
            ..PlainJob::secs(0, 0, vec![procs])
        });
        let workload = Workload::from_jobs(&jobs);
        let found: Vec<Category> =
            workload.jobs().map(|job: JobId| category(JobView::new(&workload, job))).collect();
        assert_eq!(found, [(0, 0), (1, 1), (1, 1), (2, 2), (3, 2), (0, 3)]);
    }
}
