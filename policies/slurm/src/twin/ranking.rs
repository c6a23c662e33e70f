//! The priorities of waiting jobs at an instant, with what they consist of.
//!
//! Source: `priority_p_get_priority_factors_list` of Slurm 22.05: `sprio` shows the factors that each job had when its priority was
//! computed last, at its submission or at the last period of `PriorityCalcPeriod`.

use std::cmp::Reverse;
use std::sync::Arc;

use batchlab_contract::JobView;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::admission::limit;
use super::grid::{counted, next_on};
use super::priority::{Factors, JobRun, Multifactor, Waits};
use super::queue::PriorityRank;
use crate::site::{ChangedJob, PriorityType, SlurmSite};

/// The priorities of jobs that wait at an instant.
pub struct Ranking<'a> {
    site: Arc<SlurmSite>,
    workload: &'a Workload,
    factors: Multifactor,
    computed: Computed,
    changed: SortedMap<usize, ChangedJob>,
}

/// An instant, and when priorities were computed last before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Computed {
    pub now: Time,
    /// When all priorities were computed last.
    pub last: Time,
}

/// The age that a job was seen to have, in units of its weighted factor.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SeenAge {
    pub job: JobId,
    /// The least that its factor may have been.
    pub least: f64,
    pub below: f64,
}

/// The longest period whose second is sought: a day, in seconds.
const LONGEST: i64 = 86_400;

impl Computed {
    /// Returns when priorities were computed last, by the instant that the priorities of a log tell; else the instant itself.
    pub fn of_log(site: &SlurmSite, now: Time) -> Computed {
        let period = site.system.priority.period;
        let last = site.computed.map_or(now, |at| next_on(counted(at), period, now) - period);
        Computed { now, last: last.min(now) }
    }

    /// Returns when priorities were computed last, by the ages that waiting jobs were seen to have: the latest second of the last
    /// period that explains most of them. `None` if it explains no more than half. O(ages + seconds of a period).
    pub fn by_ages(
        site: &SlurmSite,
        workload: &Workload,
        ages: impl Iterator<Item = SeenAge>,
        now: Time,
    ) -> Option<Computed> {
        let priority = &site.system.priority;
        let period = priority.period.ticks().div_euclid(Time::SECOND.ticks()).clamp(1, LONGEST);
        let (weight, most) = (priority.weights.age, priority.max_age.secs());
        let mut changes = vec![0_i64; usize::try_from(period).ok()? + 1];
        let mut seen = 0;
        // At place 0 is `now`, at the next ones the seconds before it.
        for SeenAge { job, least, below } in ages.filter(|age| age.least > 0.0 && age.below < weight) {
            let Some(since) = site.age_since(JobView::new(workload, job)) else { continue };
            let waited = (now - since).ticks().div_euclid(Time::SECOND.ticks());
            let [first, end] = [least, below].map(|factor| (factor * most / weight).ceil() as i64);
            let range = (waited - end + 1).max(0)..=(waited - first).min(period - 1);
            seen += 1;
            if !range.is_empty() {
                changes[*range.start() as usize] += 1;
                changes[*range.end() as usize + 1] -= 1;
            }
        }
        let mut explained = 0;
        let counts = changes.iter().map(|change| {
            explained += change;
            explained
        });
        let (before, count) =
            (0..).zip(counts).max_by_key(|&(before, count): &(i64, i64)| (count, -before))?;
        let whole = Time::from_secs(now.ticks().div_euclid(Time::SECOND.ticks()) - before);
        (2 * count > seen).then_some(Computed { now, last: whole })
    }
}

impl<'a> Ranking<'a> {
    /// Returns the priorities at an instant at which some jobs wait; the others of the workload ran in `runs`, each with its start
    /// and end. With `told`, usage is what slurmctld had counted at that instant; else it follows from the runs. `None` without
    /// `priority/multifactor`. Cost as that of [`used`](super::used).
    pub fn new(
        site: &Arc<SlurmSite>,
        (workload, machine): (&'a Workload, &Machine),
        runs: impl Iterator<Item = JobRun>,
        waiting: &[JobId],
        (computed, told): (Computed, bool),
    ) -> Option<Ranking<'a>> {
        if site.system.priority.kind != PriorityType::Multifactor {
            return None;
        }
        let mut factors = Multifactor::new(site.clone(), machine);
        match site.told.as_ref().filter(|_| told) {
            Some(told) => factors.take(told, workload, waiting),
            None => {
                let comes_first = site.computed.map_or(Time::ZERO, |at| counted(at) - at);
                let last = computed.last - comes_first;
                factors.follow((workload, machine), runs, waiting, last, computed.now);
            }
        }
        Some(Ranking {
            site: site.clone(),
            workload,
            factors,
            computed,
            changed: site.changed_by(computed.now),
        })
    }

    pub fn factors(&self, job: JobId, partition: Option<usize>) -> Factors {
        let view = JobView::new(self.workload, job);
        // The main loop has tested a job within the second of its submission, but for those that it looks at no more.
        let is_tested = view.submit() < self.computed.last;
        let qos = self.qos(view);
        let waits = Waits { partition, qos, limit: limit(&self.site, view, partition), is_tested };
        self.factors.factors(view, waits, self.computed.last)
    }

    fn qos(&self, job: JobView<'_>) -> Option<usize> {
        let changed = self.changed.get(&job.row()).and_then(|changed| changed.qos);
        changed.or_else(|| self.site.qos(job))
    }

    /// Returns what belongs to jobs in their partitions, each with its priority, in the order in which the loops come to them; it
    /// stands in the order of submission, with the partitions of each job together. O(n log n).
    pub fn in_order<R>(&self, rows: impl Iterator<Item = (JobId, usize, u64, R)>) -> impl Iterator<Item = R> {
        let (site, precedence) = (&self.site, self.site.precedence());
        let ranked = (0..).zip(rows).map(|(place, (job, partition, priority, row))| {
            let view = JobView::new(self.workload, job);
            let is_over = |at: usize| site.reservations()[at].to <= self.computed.now;
            let is_reserved = site.reservation(view).is_some_and(|at| !is_over(at));
            let class = site.precedence_class(self.qos(view), Some(partition));
            let tier = site.system.partitions.get(partition).map_or(1, |known| known.tier);
            let by_class = Reverse((precedence.level(class), is_reserved));
            let (submit, order) = (view.submitted(), site.order(view));
            let rank: PriorityRank = (by_class, Reverse(tier), Reverse(priority), submit, order, job, place);
            (class, rank, row)
        });
        precedence.sort(ranked.collect()).into_iter().map(|(_, _, row)| row)
    }

    /// Returns the weighted factor of each resource of a job, by the name of the resource; those of 0 are left out.
    pub fn resources(&self, job: JobId, partition: Option<usize>) -> Vec<(String, f64)> {
        let view = JobView::new(self.workload, job);
        let weights = &self.site.system.priority.weights.tres;
        let parts = weights
            .iter()
            .map(|weight| (weight.resource.clone(), self.factors.tres(view, partition, weight)));
        parts.filter(|(_, factor)| *factor != 0.0).collect()
    }

    pub fn usage(&self, association: usize) -> Option<f64> {
        self.factors.usage(association)
    }

    /// Returns the factor of an association that is a user's, between 0 and 1; `None` if nothing has asked for it.
    pub fn fairshare(&self, association: usize) -> Option<f64> {
        self.factors.fairshare(association)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::site::SlurmSystem;
    use batchlab_traces::workload::PlainJob;

    #[test]
    fn the_second_of_a_period_follows_from_ages() {
        let mut system = SlurmSystem::default();
        system.priority.weights.age = 1000.0;
        system.priority.max_age = Time::from_secs(2000);
        system.priority.period = Time::from_secs(60);
        let site = SlurmSite::new(Arc::new(system));
        let job = |submit: i64| PlainJob { user: 1, partition: 1, ..PlainJob::secs(submit, 1, vec![1]) };
        let workload = Workload::from_jobs(&[job(100), job(131), job(500)]);
        let now = Time::from_secs(600);
        let age =
            |job: u32, factor: f64| SeenAge { job: JobId(job), least: factor - 0.5, below: factor + 0.5 };
        let last = |ages: &[SeenAge]| {
            let found = Computed::by_ages(&site, &workload, ages.iter().copied(), now);
            found.map(|computed| computed.last.secs())
        };
        // 1000 · 453 / 2000 is 226.5, which is shown as 227: 553 or 554. By the second job it is 554 or 555.
        assert_eq!(last(&[age(0, 227.0), age(1, 212.0)]), Some(554.0));
        assert_eq!(last(&[age(0, 227.0), age(1, 212.0), age(2, 48.0)]), Some(554.0), "one of three is odd");
        assert_eq!(last(&[age(0, 100.0), age(1, 212.0)]), None, "the first would be of another period");
        assert_eq!(last(&[]), None);
    }
}
