//! When a job could start as running jobs reach their limits, bin by bin.
//!
//! Source: the plug-ins `select/linear` and `select/cons_tres` of Slurm 22.05 (`_will_run_test`).

use batchlab_traces::Time;

use super::amounts::NodeAmounts;
use super::bins::Bins;
use super::chooser::Chooser;
use super::horizon::Horizon;
use super::room::{Count, TaskShape};
use super::running::RunningJobs;
use super::view::View;
use crate::twin::node_set::NodeSet;
use crate::twin::queue::Waiting;

/// When a job could start, and where, given the limits of the running jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Forecast {
    pub start: Time,
    /// `None` if some of the nodes are not free for long enough, whichever it gets.
    pub nodes: Option<NodeSet>,
}

/// When a job may start.
#[derive(Clone, Copy)]
pub struct Within<'a> {
    pub now: Time,
    /// A bound, if it is later than now.
    pub floor: Time,
    /// The beginning of the stretch that is looked at.
    pub from: Time,
    /// When it is worth looking again.
    pub later: Option<Time>,
    /// The last instant.
    pub by: Time,
    /// Returns the nodes that stay free if the job starts at an instant; `None` for all.
    pub stay: &'a dyn Fn(Time) -> Option<NodeSet>,
}

/// The nodes for the jobs of a field, now and as the running jobs reach their limits.
pub struct Outlook<'a> {
    pub amounts: &'a NodeAmounts,
    pub running: &'a RunningJobs,
    pub nodes: &'a NodeSet,
    pub chooser: &'a Chooser,
    pub shape: &'a TaskShape,
    pub horizon: &'a mut Horizon,
}

impl Outlook<'_> {
    pub fn now(&mut self) -> &View {
        self.horizon.view(0)
    }

    pub fn count_now(&mut self) -> Count {
        self.horizon.view(0).count(self.nodes)
    }

    /// Makes the horizon reach until the first `ended` running jobs have ended.
    fn extend(&mut self, ended: usize) {
        for running in self.running.range(self.horizon.reach()..ended) {
            self.horizon.extend(running, self.shape, self.amounts);
        }
    }

    fn view(&mut self, ended: usize) -> &View {
        self.extend(ended);
        self.horizon.view(ended)
    }

    /// Whether some nodes may suffice for a job at an instant.
    pub fn may_suffice(&mut self, job: &Waiting, nodes: &NodeSet, by: Time) -> bool {
        let ended = self.horizon.ended_by(self.running.limits(), by);
        self.view(ended).suffices(job, nodes)
    }

    /// Returns the earliest start of a job on some nodes; `None` also if it is after the last instant.
    pub fn forecast(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        within: Within<'_>,
        bins: Bins,
    ) -> Option<Forecast> {
        let (chooser, amounts) = (self.chooser, self.amounts);
        let view = self.now();
        if within.floor <= within.now
            && !(bins.lie_within() && within.from > within.now)
            && view.suffices(job, nodes)
            && let Some(nodes) = chooser.chosen_in(view, job, nodes, amounts)
        {
            return Some(Forecast { start: within.now, nodes: Some(nodes) });
        }
        self.later(job, nodes, within, bins)
    }

    /// Lets running jobs end, bin by bin, until a job fits.
    fn later(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        Within { floor, from, later, now, by, stay }: Within<'_>,
        bins: Bins,
    ) -> Option<Forecast> {
        let (running, chooser, amounts) = (self.running, self.chooser, self.amounts);
        let (mut gone, all) = (0, running.limits());
        let mut limits = all;
        if bins.lie_within() {
            if from > now {
                gone = self
                    .horizon
                    .ended_by(all, if bins.end_on_own_nodes() { from } else { from - Time::TICK });
                let view = self.view(gone);
                if view.suffices(job, nodes)
                    && let Some(nodes) = chooser.chosen_in(view, job, nodes, amounts)
                {
                    return Some(Forecast { start: from, nodes: Some(nodes) });
                }
            }
            limits = &all[..later.map_or(all.len(), |later| self.horizon.ended_by(all, later).max(gone))];
        }
        let touches = |place: usize| place >= gone && running.touches(place, nodes);
        let reach = limits.len();
        // There is ever more room: often not even the last bin has enough.
        let most = bins.most_ended(limits, touches, by, |at| self.horizon.ended_by(all, at).min(reach));
        if !self.view(most).suffices(job, nodes) {
            return None;
        }
        let ends = bins.ends(limits, touches, by, |at| self.horizon.ended_by(all, at).min(reach));
        let &(_, whole) = ends.last()?;
        if whole != most && !self.view(whole).suffices(job, nodes) {
            return None;
        }
        let early = ends.partition_point(|&(last, _)| last < floor && now < floor);
        let ends = ends.get(early..)?;
        let first = ends
            .partition_point(|&(_, ended)| ended < whole && !self.horizon.view(ended).suffices(job, nodes));
        ends[first..].iter().find_map(|&(last, ended)| {
            let view = self.horizon.view(ended);
            if bins.end_on_own_nodes() {
                let nodes = chooser.chosen_in(view, job, nodes, amounts)?;
                let own = (gone..ended).rev().find(|&place| running.touches(place, &nodes));
                let start = bins.start(own.map_or(last, |own| limits[own]), now);
                return Some(Forecast { start, nodes: Some(nodes) });
            }
            let start = bins.start(last, now);
            if chooser.is_plain(job) && stay(start).is_some_and(|stay| !view.suffices(job, &stay)) {
                return Some(Forecast { start, nodes: None });
            }
            Some(Forecast { start, nodes: Some(chooser.chosen_in(view, job, nodes, amounts)?) })
        })
    }

    /// Returns the first instant at which a job may fit on all nodes of its field, if all that keeps it from them is running jobs,
    /// which end at their limits; `None` if it never does. The job does not fit now.
    pub fn earliest(&mut self, job: &Waiting, now: Count) -> Option<Time> {
        let mut after = std::mem::take(self.horizon.after(job.field));
        // There is ever more room.
        let mut ended = after.partition_point(|count| !count.suffices(job));
        if ended == after.len() {
            let mut count = after.last().copied().unwrap_or(now);
            while ended < self.running.len() {
                self.extend(ended + 1);
                count += self.horizon.ending(ended, self.nodes);
                after.push(count);
                if count.suffices(job) {
                    break;
                }
                ended += 1;
            }
        }
        *self.horizon.after(job.field) = after;
        self.running.range(ended..ended + 1).first().map(|running| running.end)
    }
}
