//! Groups of jobs that limits put aside in the policy's queue.

use batchlab_traces::JobId;
use batchlab_traces::sorted::SortedSet;
use rustc_hash::{FxHashMap, FxHashSet};

use super::InService;
use crate::cluster::State;
use crate::policy::Aside;
use crate::turn::Turn;
use crate::view::JobView;

/// The changes that limits made to groups since the last decision, and the group of each job.
#[derive(Default)]
pub(super) struct Grouped {
    changes: Vec<Change>,
    group_of: FxHashMap<JobId, usize>,
    /// The jobs of each group for which enough is in service; some may have started.
    fitting: FxHashMap<usize, SortedSet<JobId>>,
    shown: FxHashSet<usize>,
    /// Whether the policy sees a difference since its last decision.
    pub(super) is_news: bool,
}

enum Change {
    SetAside(JobId, usize),
    TakeOut(JobId),
    Show(usize, bool),
}

impl Grouped {
    /// Returns the group of a job that was put aside.
    pub fn of(&self, job: JobId) -> Option<usize> {
        self.group_of.get(&job).copied()
    }

    pub fn remove(&mut self, job: JobId) {
        if let Some(group) = self.group_of.remove(&job) {
            self.lacks(job, group);
        }
    }

    /// Too little is in service for a job of a group.
    fn lacks(&mut self, job: JobId, group: usize) {
        if let Some(fitting) = self.fitting.get_mut(&group) {
            fitting.remove(&job);
        }
    }

    /// Whether the policy sees the jobs of the group of a job, if it is in one.
    fn shows(&self, job: JobId) -> bool {
        self.group_of.get(&job).is_none_or(|group| self.shown.contains(group))
    }

    /// Whether a job of a group waits and fits on the capacity in service. O(log n), amortized.
    fn has_waiting(&mut self, group: usize, turn: &Turn<'_>) -> bool {
        let Some(fitting) = self.fitting.get_mut(&group) else { return false };
        while let Some(&job) = fitting.first() {
            if turn.state(job) == State::Waiting {
                return true;
            }
            fitting.remove(&job);
        }
        false
    }
}

impl Aside for InService<'_> {
    fn set_aside(&mut self, job: JobView<'_>, group: usize) {
        self.grouped.changes.push(Change::SetAside(job.id(), group));
    }

    fn take_out(&mut self, job: JobView<'_>) {
        self.grouped.changes.push(Change::TakeOut(job.id()));
    }

    fn show(&mut self, group: usize, is_shown: bool) {
        self.grouped.changes.push(Change::Show(group, is_shown));
    }

    fn is_news(&mut self, turn: &Turn<'_>) -> bool {
        self.measure(turn);
        self.pass_on(turn);
        self.grouped.is_news
    }
}

impl InService<'_> {
    /// Passes on what limits have done with groups, without the jobs for which too little is in service.
    pub(super) fn pass_on(&mut self, turn: &Turn<'_>) {
        for change in std::mem::take(&mut self.grouped.changes) {
            self.grouped.is_news |= match change {
                Change::SetAside(job, group) => self.sets_aside(turn, job, group),
                Change::TakeOut(job) => {
                    let was_seen = self.grouped.shows(job);
                    self.grouped.remove(job);
                    let fits = !self.parked.remove(&job);
                    if fits {
                        self.leaves(turn, job);
                    }
                    fits && was_seen
                }
                Change::Show(group, is_shown) => self.shows(turn, group, is_shown),
            };
        }
    }

    /// Limits have put a job aside; returns whether the policy saw it before, or sees it now.
    fn sets_aside(&mut self, turn: &Turn<'_>, job: JobId, group: usize) -> bool {
        let was_seen = self.shown.contains(&job) && self.grouped.shows(job);
        self.grouped.remove(job);
        self.grouped.group_of.insert(job, group);
        if !self.fits(turn, job) {
            self.parked.insert(job);
            return was_seen;
        }
        self.parked.remove(&job);
        self.joins(turn, job, group);
        was_seen || self.grouped.shows(job)
    }

    /// Limits show a group or hide it; returns whether the policy sees the difference.
    fn shows(&mut self, turn: &Turn<'_>, group: usize, is_shown: bool) -> bool {
        let changes =
            if is_shown { self.grouped.shown.insert(group) } else { self.grouped.shown.remove(&group) };
        if let Some(queue) = self.inner.aside() {
            queue.show(group, is_shown);
        }
        changes && self.grouped.has_waiting(group, turn)
    }

    /// Enough is in service for a job of a group.
    pub(super) fn joins(&mut self, turn: &Turn<'_>, job: JobId, group: usize) {
        self.shown.insert(job);
        self.grouped.fitting.entry(group).or_default().insert(job);
        if let Some(queue) = self.inner.aside() {
            queue.set_aside(turn.job(job), group);
            queue.show(group, self.grouped.shown.contains(&group));
        }
    }

    /// A job of a group is not in the policy's queue any more.
    pub(super) fn leaves(&mut self, turn: &Turn<'_>, job: JobId) {
        self.shown.remove(&job);
        if let Some(group) = self.grouped.of(job) {
            self.grouped.lacks(job, group);
        }
        if let Some(queue) = self.inner.aside() {
            queue.take_out(turn.job(job));
        }
    }
}
