mod screen;

use batchlab_traces::limits::LimitedQuantity;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time, Workload};
use rustc_hash::FxHashMap;

use super::groups::Groups;
use super::share::{LimitUsage, Stay};
use crate::cluster::Cluster;
use crate::event::Event;
use crate::journal::Act;

/// The use of the limits by running jobs, and the waiting jobs that may start.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub(crate) struct Guard {
    shares: Vec<LimitUsage>,
    groups: Groups,
    /// Whether empty groups are dropped, because there may be as many groups as jobs.
    drops_groups: bool,
    running: FxHashMap<JobId, Stay>,
    /// Jobs whose start did not count; the policy has dropped them from its queue.
    void: SortedSet<JobId>,
    /// Whether a start has exhausted a limit for which other jobs wait, so that further starts do not count.
    exhausted: bool,
    /// Whether the policy asks before each start, so that its further starts count all the same.
    heeded: bool,
    touched: SortedSet<(usize, usize)>,
    /// The classes, by limit, in which jobs have no room.
    full: SortedSet<(usize, usize)>,
    /// The groups with jobs beyond the part that the policy sees.
    clipped: SortedSet<usize>,
    /// The instants for which the policy, and not the limits, requested wake-ups.
    wakes: SortedSet<Time>,
    /// Events that have not been reported to the policy yet.
    untold: Vec<Event>,
    /// Whether groups have been shown or hidden since the policy last decided.
    news: bool,
    records: bool,
    /// If decisions are recorded: the limit that holds a job back, by its place among the shares.
    held: FxHashMap<JobId, usize>,
    /// What happened to jobs in this decision, for the journal.
    notes: Vec<(JobId, Act)>,
}

impl Guard {
    /// Returns the guard of some limits; `in_parts` says whether the policy shows parts of groups.
    pub(super) fn new(shares: Vec<LimitUsage>, in_parts: bool) -> Guard {
        let mut guard = Guard { shares, ..Guard::default() };
        guard.groups.in_parts = in_parts;
        Guard { drops_groups: !in_parts && guard.counts(LimitedQuantity::Work), ..guard }
    }

    fn counts(&self, quantity: LimitedQuantity) -> bool {
        self.shares.iter().any(|share| share.limit.quantity == quantity)
    }

    /// Whether groups have been shown or hidden since the last call.
    pub(super) fn has_news(&mut self) -> bool {
        std::mem::take(&mut self.news)
    }

    pub(super) fn tells_later(&mut self, events: Vec<Event>) {
        self.untold.extend(events);
    }

    /// Whether a waiting job may start now.
    pub(crate) fn has_room(&mut self, workload: &Workload, job: JobId, now: Time) -> bool {
        let has_room = |share: &mut LimitUsage| {
            let stand = share.stand(workload, job).filter(|stand| stand.binds);
            stand.is_none_or(|stand| stand.amount <= share.room(stand.class, now))
        };
        !self.exhausted && self.shares.iter_mut().all(has_room)
    }

    /// Whether a waiting job may start now; if not, the policy drops it.
    pub(crate) fn admits(&mut self, workload: &Workload, job: JobId, now: Time) -> bool {
        let admits = self.has_room(workload, job, now);
        if !admits {
            self.void.insert(job);
        }
        admits
    }

    /// The policy asks [`Guard::has_room_beside`] before each start.
    pub(crate) fn heed(&mut self) {
        self.heeded = true;
    }

    /// Whether a start has exhausted a limit for which other jobs wait, so that further starts do not count.
    pub(crate) fn is_exhausted(&self) -> bool {
        self.exhausted
    }

    /// Whether a job, which may be a running one, may start now beside the running jobs and some others on their nodes.
    /// Without a number of nodes the job starts on no more than it asked for. O(limits × others).
    pub(crate) fn has_room_beside(
        &mut self,
        workload: &Workload,
        (job, nodes): (JobId, Option<i64>),
        others: &[(JobId, i64)],
        now: Time,
    ) -> bool {
        let runs = self.running.contains_key(&job);
        self.shares.iter_mut().filter(|share| share.limit.binds(workload, job)).all(|share| {
            let Some(class) = share.limit.class(workload, job) else { return true };
            let others =
                others.iter().filter(|(other, _)| share.limit.class(workload, *other) == Some(class));
            let beside: i128 =
                others.map(|&(other, nodes)| share.limit.amount_on(workload, other, nodes)).sum();
            let own = match nodes {
                _ if runs => 0,
                Some(nodes) => share.limit.amount_on(workload, job, nodes),
                None => share.limit.amount(workload, job),
            };
            beside + own <= share.room(class, now)
        })
    }

    pub(crate) fn starts(&mut self, cluster: &Cluster, job: JobId, now: Time) {
        self.forget(job);
        let (workload, nodes) = (cluster.workload(), cluster.shares(job).len() as i64);
        let stay = Stay { end: now.saturating_add(workload.estimate(job)), nodes };
        for (at, share) in self.shares.iter_mut().enumerate() {
            share.begins(workload, job, stay);
            if let Some(class) = share.limit.class(workload, job) {
                self.touched.insert((at, class));
                let room = share.room(class, now);
                let shown = &share.classes[class].shown;
                let is_cut = |&(_, group): &(i128, usize)| {
                    let part = self.groups.get(group).part.as_ref();
                    part.is_some_and(|part| part.has_between(room, part.reach))
                };
                let is_work = self.groups.in_parts && share.limit.quantity == LimitedQuantity::Work;
                let is_full = shown.last().is_some_and(|&(amount, _)| amount > room);
                self.exhausted |= !self.heeded && (is_full || is_work && shown.iter().any(is_cut));
            }
        }
        self.running.insert(job, stay);
    }

    /// Whether the policy sees a waiting job, and has not dropped it in this decision.
    pub(crate) fn shows(&self, job: JobId) -> bool {
        self.groups.shows(job) && !self.void.contains(&job)
    }

    pub(crate) fn wakes_at(&mut self, at: Time) {
        self.wakes.insert(at);
    }
}
