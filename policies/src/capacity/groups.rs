//! Groups of jobs that limits put aside in the policy's queue.

use batchlab_traces::JobId;
use rustc_hash::{FxHashMap, FxHashSet};

use super::InService;
use crate::policy::Aside;
use crate::turn::Turn;
use crate::view::JobView;

/// What limits have done with groups since the last decision, and the group of each job.
#[derive(Default)]
pub(super) struct Grouped {
    changes: Vec<Change>,
    of: FxHashMap<JobId, usize>,
    /// The groups that are shown.
    shown: FxHashSet<usize>,
}

enum Change {
    SetAside(JobId, usize),
    TakeOut(JobId),
    Show(usize, bool),
}

impl Grouped {
    /// Returns the group of a job that was put aside.
    pub fn of(&self, job: JobId) -> Option<usize> {
        self.of.get(&job).copied()
    }

    /// A job is in no group any more.
    pub fn remove(&mut self, job: JobId) {
        if !self.of.is_empty() {
            self.of.remove(&job);
        }
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
}

impl InService<'_> {
    /// Passes on what limits have done with groups, without the jobs for which too little is in service.
    pub(super) fn pass_on(&mut self, turn: &Turn<'_>) {
        for change in std::mem::take(&mut self.grouped.changes) {
            match change {
                Change::SetAside(job, group) => {
                    self.grouped.of.insert(job, group);
                    if self.fits(turn, job) {
                        self.parked.remove(&job);
                        self.joins(turn, job, group);
                    } else {
                        self.parked.insert(job);
                    }
                }
                Change::TakeOut(job) => {
                    self.grouped.remove(job);
                    if !self.parked.remove(&job) {
                        self.leaves(turn, job);
                    }
                }
                Change::Show(group, is_shown) => {
                    if is_shown {
                        self.grouped.shown.insert(group);
                    } else {
                        self.grouped.shown.remove(&group);
                    }
                    if let Some(queue) = self.inner.aside() {
                        queue.show(group, is_shown);
                    }
                }
            }
        }
    }

    /// Enough is in service for a job of a group.
    pub(super) fn joins(&mut self, turn: &Turn<'_>, job: JobId, group: usize) {
        self.shown.insert(job);
        if let Some(queue) = self.inner.aside() {
            queue.set_aside(turn.job(job), group);
            queue.show(group, self.grouped.shown.contains(&group));
        }
    }

    /// A job of a group is not in the policy's queue any more.
    pub(super) fn leaves(&mut self, turn: &Turn<'_>, job: JobId) {
        self.shown.remove(&job);
        if let Some(queue) = self.inner.aside() {
            queue.take_out(turn.job(job));
        }
    }
}
