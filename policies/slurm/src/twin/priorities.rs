//! The priorities of waiting jobs: when they are computed, and from what.

use std::sync::Arc;

use batchlab_contract::JobView;
use batchlab_contract::turn::Turn;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Machine, Time};

use super::clock::drawn_in_period;
use super::grid::{counted, next_on};
use super::priority::{Holding, Multifactor, Waits};
use super::queue::Queue;
use crate::site::{PriorityType, SlurmSite};

/// The priority of the first job under `priority/basic`; each further job has one less.
const FIRST_PRIORITY: i64 = 0xFFFF_0000 - 1;

pub(super) struct Priorities {
    site: Arc<SlurmSite>,
    /// `None` under `priority/basic`.
    factors: Option<Multifactor>,
    next: Option<Time>,
    /// Whether the usage by jobs that are not of the replay has been added.
    has_used: bool,
    /// The priorities that operators set, which no computation changes (`direct_set_prio`).
    by_hand: SortedMap<JobId, u64>,
}

impl Priorities {
    pub(super) fn new(site: &Arc<SlurmSite>, machine: &Machine) -> Priorities {
        let ranks = site.system.priority.kind == PriorityType::Multifactor;
        let factors = ranks.then(|| Multifactor::new(site.clone(), machine));
        Priorities { site: site.clone(), factors, next: None, has_used: false, by_hand: SortedMap::new() }
    }

    /// Draws when priorities were computed last, to the second that the log tells.
    pub(super) fn draw_phase(&mut self, turn: &mut Turn<'_>) {
        if let Some(factors) = &self.factors {
            self.next = Some(drawn_in_period(turn, self.site.computed.map(counted), factors.period()));
        }
    }

    pub(super) fn next(&self) -> Option<Time> {
        self.next
    }

    /// Sets the priority of a job, or leaves it to be computed.
    pub(super) fn set_by_hand(&mut self, job: JobId, priority: Option<u32>) {
        match priority {
            Some(priority) => drop(self.by_hand.insert(job, priority.into())),
            None => drop(self.by_hand.remove(&job)),
        }
    }

    pub(super) fn at_entry(&mut self, job: JobView<'_>, waits: Waits, now: Time) -> u64 {
        if let Some(&priority) = self.by_hand.get(&job.id()) {
            return priority;
        }
        let Some(factors) = &mut self.factors else {
            let first = FIRST_PRIORITY.saturating_sub(self.site.order(job));
            return first.saturating_sub(self.site.nice(job)).clamp(1, u32::MAX.into()) as u64;
        };
        factors.look_at(self.site.association(job));
        factors.priority(job, waits, now)
    }

    pub(super) fn started(&mut self, job: JobView<'_>, held: Holding<'_>, now: Time) {
        if let Some(factors) = &mut self.factors {
            factors.started(job, held, now);
        }
    }

    pub(super) fn ended(&mut self, job: JobId, now: Time) {
        if let Some(factors) = &mut self.factors {
            factors.ended(job, now);
        }
    }

    /// Makes up for the computations before an instant, at which nothing was heard because no job waited.
    pub(super) fn catch_up(&mut self, now: Time) {
        if let (Some(factors), Some(next)) = (&mut self.factors, &mut self.next) {
            factors.catch_up(next, now);
        }
    }

    /// Computes the priorities of a queue again when it is time; `has_tested` tells whether a loop has tested the jobs that entered
    /// at an instant. Returns whether the order of the queue has changed.
    pub(super) fn recompute(
        &mut self,
        turn: &Turn<'_>,
        queue: &mut Queue,
        has_tested: impl Fn(Time) -> bool,
    ) -> bool {
        let Some(factors) = &mut self.factors else { return false };
        let now = turn.now();
        let period = factors.period();
        let last = self.site.computed.map_or(now, |at| next_on(at, period, now) - period);
        let due = *self.next.get_or_insert(last);
        let used = self.site.used.as_ref().filter(|&&(at, _)| at <= now && !self.has_used);
        if due > now && used.is_none() {
            return false;
        }
        if let Some((_, usage)) = used {
            factors.use_up(usage);
            if self.site.used_has_running {
                factors.charge_from(last.min(now));
            }
            self.has_used = true;
        }
        factors.recompute(now, queue.iter().map(|job| (job.order, job.association)));
        self.next = Some(next_on(due, period, now));
        let increases = self.site.system.priority.increase_only;
        let by_hand = &self.by_hand;
        queue.rank_again(|job| {
            if let Some(&priority) = by_hand.get(&job.job) {
                return priority;
            }
            let waits = job.waits(has_tested(job.entered));
            let fresh = factors.priority(turn.job(job.job), waits, counted(now));
            if increases { fresh.max(job.priority) } else { fresh }
        })
    }
}
