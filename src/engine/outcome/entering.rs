//! Schedules in which the instants at which jobs enter the queue depend on the schedule itself.

use std::sync::Arc;

use batchlab_traces::workload::Milestone;
use batchlab_traces::{JobId, Time, Workload};

use super::{Fate, Outcome};

impl Outcome {
    /// Returns a schedule of the jobs of a log with the jobs in the order in which they entered the queue by it; jobs
    /// that depend on others entered when the schedule met their dependencies. For schedules that no engine made; others,
    /// and those of jobs that do not depend on others, are unchanged. O(n log n).
    #[must_use]
    pub fn entering(self, log: &Workload) -> Outcome {
        if !log.is_closed() || self.entered.is_some() {
            return self;
        }
        let last = self.end.iter().copied().filter(|&end| end < Time::MAX).max().unwrap_or_default();
        let mut entries: Vec<(Time, JobId)> = log.jobs().map(|job| (log.submit(job), job)).collect();
        for (job, condition) in log.conditions() {
            let entry = condition.entry(|on, milestone| self.reached(log, on, milestone));
            let never = log.submit(*job).max(last.saturating_add(Time::TICK));
            entries[job.index()].0 = entry.unwrap_or(never);
        }
        entries.sort_unstable();
        let mut entered = log.before_entries();
        for &(at, job) in &entries {
            entered.enter(log, job, at);
        }
        let order: Vec<JobId> = entries.into_iter().map(|(_, job)| job).collect();
        self.reordered(&order, Some(Arc::new(entered)))
    }

    /// Returns the schedule with the identities of another schedule of the same log. O(n log n).
    #[must_use]
    pub fn with_identities_of(self, other: &Outcome, log: &Workload) -> Outcome {
        let Some(entered) = &other.entered else { return self };
        self.with_identities_of_log(log).reordered(&in_log(log, entered), Some(entered.clone()))
    }

    /// Returns the schedule with the identities of the log. O(n log n).
    #[must_use]
    pub fn with_identities_of_log(self, log: &Workload) -> Outcome {
        let Some(own) = &self.entered else { return self };
        let mut order = vec![JobId(0); log.len()];
        for (job, of_log) in own.jobs().zip(in_log(log, own)) {
            order[of_log.index()] = job;
        }
        self.reordered(&order, None)
    }

    /// Returns the schedule with the jobs in another order, which is that of `entered`.
    fn reordered(self, order: &[JobId], entered: Option<Arc<Workload>>) -> Outcome {
        let mut identity = vec![JobId(0); order.len()];
        for (job, before) in order.iter().enumerate() {
            identity[before.index()] = JobId(job as u32);
        }
        let order = || order.iter().copied();
        let mut intervals = self.intervals;
        for interval in &mut intervals {
            interval.job = identity[interval.job.index()];
        }
        let mut earlier_runs = self.lost;
        for run in &mut earlier_runs {
            run.job = identity[run.job.index()];
        }
        Outcome {
            start: in_order(&self.start, order()),
            end: in_order(&self.end, order()),
            fate: in_order(&self.fate, order()),
            services: in_order(&self.services, order()),
            places: self.places.relabelled(|job| identity[job.index()]),
            intervals,
            lost: earlier_runs,
            entered,
            ..self
        }
    }

    /// Returns when a job reached a milestone, by identities of this outcome; for a rejected job, whose end is unknown,
    /// its submission. A job is on the machine from its first placement on, even if it is paused then.
    pub fn reached(&self, workload: &Workload, job: JobId, milestone: Milestone) -> Option<Time> {
        if self.fate(job) == Fate::Rejected {
            return Some(workload.submit(job));
        }
        match milestone {
            Milestone::Start if self.shares_time() => {
                let placed = self.places.stays(job).next().map(|(at, _)| at);
                placed.or_else(|| self.first_start(job))
            }
            // Jobs that depend on its start entered at the first one.
            Milestone::Start => self.first_start(job),
            Milestone::End => self.ended(job),
        }
    }
}

/// Returns the identity in the log of each job of an outcome, in the order of entry. O(n).
pub fn in_log(log: &Workload, entered: &Workload) -> Vec<JobId> {
    let rows = log.jobs().map(|job| log.row(job)).max().map_or(0, |last| last + 1);
    let mut of_row = vec![JobId(0); rows];
    for job in log.jobs() {
        of_row[log.row(job)] = job;
    }
    entered.jobs().map(|job| of_row[entered.row(job)]).collect()
}

fn in_order<T: Copy>(values: &[T], order: impl Iterator<Item = JobId>) -> Vec<T> {
    if values.is_empty() { Vec::new() } else { order.map(|job| values[job.index()]).collect() }
}
