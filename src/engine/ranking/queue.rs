use batchlab_slurm::reader::FACTORS;
use batchlab_slurm::site::{ChangedJob, SlurmSite, is_held};
use batchlab_slurm::twin::{Factors, Ranking};
use batchlab_support::JobView;
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::asked::REASON;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::workload::Standing;
use batchlab_traces::{JobId, Trace, Workload};
use serde::Serialize;

use super::Beside;

#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct JobPriority {
    /// Its number in the log.
    pub job: i64,
    /// Its identifier in the batch system, if the log has one beside the number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    pub partition: String,
    pub user: String,
    pub account: String,
    pub priority: u64,
    /// The weighted factors that it consists of.
    pub factors: Factors,
    /// Those of resources.
    pub tres: SortedMap<String, f64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub of_queue: Option<i64>,
    /// Its priority as `sprio` told it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprio: Option<Beside>,
}

impl JobPriority {
    /// Returns the factors in the order of [`FACTORS`]; that of a plug-in of the site is 0.
    pub fn listed(&self) -> [f64; FACTORS.len()] {
        let Factors { age, association, fairshare, size, partition, qos, nice, .. } = self.factors;
        [0.0, age, association, fairshare, size, partition, qos, nice as f64]
    }
}

/// The jobs that wait at an instant and have a priority.
pub struct RankedQueue<'a> {
    pub site: &'a SlurmSite,
    pub trace: &'a Trace,
    pub workload: &'a Workload,
    /// Those that wait; of the tasks of an array that wait together the first one.
    pub jobs: Vec<JobId>,
    pub held: usize,
    /// Whether the instant is that of the log, which then tells priorities.
    is_now: bool,
    changed: SortedMap<usize, ChangedJob>,
}

impl<'a> RankedQueue<'a> {
    /// Returns the jobs that `sprio` would show: those that are eligible and not held. With `ACCRUE_ALWAYS` those that are not eligible
    /// yet, too.
    pub fn of(
        site: &'a SlurmSite,
        (trace, workload): (&'a Trace, &'a Workload),
        (standing, is_now): (&Standing, bool),
    ) -> RankedQueue<'a> {
        let words: SortedMap<i64, String> =
            trace.header.noted(REASON).map(|named| (named.number, named.name)).collect();
        let reasons = trace.resource(REASON);
        let changed = site.changed_by(standing.now);
        let is_out = |job: JobId| {
            if changed.get(&workload.row(job)).is_some_and(|changed| changed.is_held) {
                return true;
            }
            let word = reasons.and_then(|column| words.get(&column.whole(workload.row(job))));
            let told = site.priority_now(JobView::new(workload, job)).filter(|_| is_now);
            told == Some(0) || is_now && word.is_some_and(|word| is_held(word))
        };
        let counts_always = site.system.priority.accrue_always;
        let coming = standing.coming.iter().map(|&(_, job)| job).filter(|_| counts_always);
        let (held, mut jobs): (Vec<JobId>, Vec<JobId>) =
            standing.waiting.iter().copied().chain(coming).partition(|&job| is_out(job));
        jobs.arrange_by_key(|&job| site.order(JobView::new(workload, job)));
        let mut arrays = SortedSet::new();
        jobs.retain(|&job| site.array(JobView::new(workload, job)).is_none_or(|array| arrays.insert(array)));
        RankedQueue { site, trace, workload, jobs, held: held.len(), is_now, changed }
    }

    /// Returns the number by which `sprio` calls a job: its own, or that of its array.
    pub fn number(&self, job: JobId) -> i64 {
        self.site.array(JobView::new(self.workload, job)).unwrap_or(self.workload.number(job))
    }

    /// Returns the priority of a job as the log tells it, which is that of its instant.
    pub fn told(&self, job: JobId) -> Option<i64> {
        self.site.priority_now(JobView::new(self.workload, job)).filter(|_| self.is_now)
    }

    pub fn partitions(&self, job: JobId) -> Vec<usize> {
        let changed = self.changed.get(&self.workload.row(job)).and_then(|changed| changed.partition);
        changed.map_or_else(|| self.site.partitions_of(JobView::new(self.workload, job)), |at| vec![at])
    }

    /// Returns the rows of the jobs, in the order in which the loops come to them.
    pub fn rows(&self, ranking: &Ranking<'_>) -> Vec<JobPriority> {
        let of_job = |&job: &JobId| {
            self.partitions(job).into_iter().map(move |partition| {
                let row = self.row(ranking, job, partition);
                (job, partition, row.priority, row)
            })
        };
        ranking.in_order(self.jobs.iter().flat_map(of_job)).collect()
    }

    fn row(&self, ranking: &Ranking<'_>, job: JobId, partition: usize) -> JobPriority {
        let (workload, site) = (self.workload, self.site);
        let view = JobView::new(workload, job);
        let association = site.association(view).and_then(|at| site.tree.get(at));
        let by_hand = self.changed.get(&workload.row(job)).and_then(|changed| changed.priority);
        // As sprio has it (`_get_priority_internal`): a priority that was set by hand has no factors.
        let factors = by_hand.map_or_else(|| ranking.factors(job, Some(partition)), |_| Factors::default());
        let tres = if by_hand.is_some() { Vec::new() } else { ranking.resources(job, Some(partition)) };
        JobPriority {
            job: self.number(job),
            id: self.trace.own_id(workload.row(job)).map(|id| id.to_string()),
            partition: site.system.partitions.get(partition).map_or(String::new(), |one| one.name.clone()),
            user: association.and_then(|one| one.user.clone()).unwrap_or_default(),
            account: association.map_or(String::new(), |one| one.account.clone()),
            priority: by_hand.map_or_else(|| factors.priority(), u64::from),
            factors,
            tres: tres.into_iter().collect(),
            of_queue: self.told(job),
            sprio: None,
        }
    }
}
