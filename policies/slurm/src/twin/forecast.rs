//! When a job could start as running jobs reach their limits, bin by bin.
//!
//! Source: the plug-ins `select/linear` and `select/cons_tres` of Slurm 22.05 (`_will_run_test`).

use batchlab_traces::Time;

use super::bins::Bins;
use super::horizon::Horizon;
use super::node_set::NodeSet;
use super::queue::Waiting;
use super::room::TaskShape;
use super::space::Space;
use super::table::{NodeSpaceMap, Search, StayLength};

/// When a job could start, and where, given the limits of the running jobs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Forecast {
    pub(super) start: Time,
    /// `None` if whichever it gets, not all of them are free for long enough.
    pub(super) nodes: Option<NodeSet>,
}

/// When a job may start.
#[derive(Clone, Copy)]
pub(super) struct Within<'a> {
    pub(super) now: Time,
    /// A bound, if it is later than now.
    pub(super) floor: Time,
    /// The last instant.
    pub(super) by: Time,
    /// Returns the nodes that stay free if it starts at an instant; `None` for all.
    pub(super) stay: &'a dyn Fn(Time) -> Option<NodeSet>,
}

impl Space {
    /// Returns the first instant, not before `from`, from which those of some nodes that are not reserved for as long as a job's limit
    /// may be enough by the instant when further nodes may be free. Reservations are rounded down to multiples of `step`.
    pub(super) fn candidate(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        table: &NodeSpaceMap,
        from: Time,
        step: Time,
    ) -> Search {
        let number = self.fields[job.field].room;
        let mut horizon = self.horizon(number);
        let room = &self.rooms[number];
        let mut sweep = std::mem::take(&mut self.sweep);
        let length = StayLength { full: job.limit, sure: (job.limit - step).max(Time::ZERO) };
        let found = table.candidate(nodes, from, length, &mut sweep, |nodes, by| {
            let ended = horizon.ended_by(&self.limits, by);
            self.extend(&mut horizon, room, ended);
            horizon.view(ended).suffices(job, nodes)
        });
        self.sweep = sweep;
        self.horizons.put(number, horizon);
        found
    }

    /// Returns the earliest start of a job on some nodes, were it alone with the running jobs, which stay until their limits;
    /// `None` also if it is after `by`. The floor is that of [`Space::earliest`].
    pub(super) fn forecast(
        &mut self,
        job: &Waiting,
        nodes: &NodeSet,
        within: Within<'_>,
        bins: Bins,
    ) -> Option<Forecast> {
        let number = self.fields[job.field].room;
        let mut horizon = self.horizon(number);
        let room = &self.rooms[number];
        let found = job
            .parts(nodes)
            .filter_map(|part| self.found(&mut horizon, room, job, &part, within, bins))
            .min_by_key(|forecast| forecast.start);
        self.horizons.put(number, horizon);
        found
    }

    fn found(
        &self,
        horizon: &mut Horizon,
        room: &TaskShape,
        job: &Waiting,
        nodes: &NodeSet,
        within: Within<'_>,
        bins: Bins,
    ) -> Option<Forecast> {
        let view = horizon.view(0);
        if within.floor <= within.now
            && view.suffices(job, nodes)
            && let Some(nodes) = self.chosen_in(view, job, nodes)
        {
            return Some(Forecast { start: within.now, nodes: Some(nodes) });
        }
        self.later(horizon, room, job, nodes, within, bins)
    }

    /// Makes a horizon reach until so many of the running jobs have ended.
    fn extend(&self, horizon: &mut Horizon, room: &TaskShape, ended: usize) {
        for running in self.running.get(horizon.reach()..ended).unwrap_or_default() {
            horizon.extend((running.end, running.job), &running.places, room, self.as_nodes());
        }
    }

    /// Lets running jobs end, bin by bin, until a job fits.
    fn later(
        &self,
        horizon: &mut Horizon,
        room: &TaskShape,
        job: &Waiting,
        nodes: &NodeSet,
        Within { floor, now, by, stay }: Within<'_>,
        bins: Bins,
    ) -> Option<Forecast> {
        let touches = |at: usize| self.touches(at, nodes);
        // There is ever more room: often not even the last bin has enough.
        let most = bins.most_ended(&self.limits, touches, by, |at| horizon.ended_by(&self.limits, at));
        self.extend(horizon, room, most);
        if !horizon.view(most).suffices(job, nodes) {
            return None;
        }
        let ends = bins.ends(&self.limits, touches, by, |at| horizon.ended_by(&self.limits, at));
        let &(_, whole) = ends.last()?;
        if whole != most {
            self.extend(horizon, room, whole);
            if !horizon.view(whole).suffices(job, nodes) {
                return None;
            }
        }
        let early = ends.partition_point(|&(last, _)| last < floor && now < floor);
        let ends = ends.get(early..)?;
        let first =
            ends.partition_point(|&(_, ended)| ended < whole && !horizon.view(ended).suffices(job, nodes));
        ends[first..].iter().find_map(|&(last, ended)| {
            let soon = now + Time::SECOND;
            // An overdue job of select/linear is expected to be gone at once.
            let overdue = if bins.single { soon } else { (last + bins.overtime).max(soon) };
            let start = if last > now { last } else { overdue };
            let view = horizon.view(ended);
            if self.is_plain(job) && stay(start).is_some_and(|stay| !view.suffices(job, &stay)) {
                return Some(Forecast { start, nodes: None });
            }
            Some(Forecast { start, nodes: Some(self.chosen_in(view, job, nodes)?) })
        })
    }

    /// Returns a bound on the start of a job by limits of running jobs alone, on all its nodes: [`Space::forecast`] is never
    /// earlier, on no subset of the nodes. `None` if it can never start.
    pub(super) fn earliest(&mut self, job: &Waiting, now: Time) -> Option<Time> {
        if self.fits(job) {
            return Some(now);
        }
        let field = &self.fields[job.field];
        let (number, nodes, mut count) = (field.room, field.nodes.clone(), field.now);
        let mut horizon = self.horizon(number);
        let mut after = std::mem::take(horizon.after(job.field));
        // There is ever more room.
        let mut ended = after.partition_point(|count| !count.suffices(job));
        if ended == after.len() {
            count = after.last().copied().unwrap_or(count);
            while ended < self.running.len() {
                self.extend(&mut horizon, &self.rooms[number], ended + 1);
                count += horizon.ending(ended, &nodes);
                after.push(count);
                if count.suffices(job) {
                    break;
                }
                ended += 1;
            }
        }
        *horizon.after(job.field) = after;
        self.horizons.put(number, horizon);
        self.running.get(ended).map(|running| running.end.max(now))
    }
}
