use std::ops::Range;

use batchlab_contract::turn::Turn;
use batchlab_traces::Time;

use super::bounds::FieldBounds;
use super::reserved::{Left, Reserved, whole};
use crate::site::{Backfill, SlurmVersion};
use crate::twin::controller::Controller;
use crate::twin::grid::Resolution;
use crate::twin::node_set::NodeSet;
use crate::twin::nodes::Space;
use crate::twin::queue::Waiting;
use crate::twin::table::{NodeSpaceMap, Search, Stretch};

/// The reservations of a cycle, and what is known of the jobs behind.
pub(super) struct Plan {
    table: NodeSpaceMap,
    /// What is known of the jobs without an advance reservation, then of the jobs of each advance reservation.
    bounds: Vec<FieldBounds>,
    reserved: Reserved,
    grid: Resolution,
    most_slots: u64,
    /// The rules of slots differ between versions.
    version: SlurmVersion,
}

impl Plan {
    /// Returns the plan of a cycle that begins now: nodes that are down or drain are not in its table (`avail_node_bitmap`).
    pub(super) fn new(
        controller: &Controller,
        turn: &Turn<'_>,
        rules: &Backfill,
        (grid, version): (Resolution, SlurmVersion),
    ) -> Plan {
        let (now, nodes) = (turn.now(), controller.nodes());
        let mut table = NodeSpaceMap::new(nodes, now, now + rules.window, version.from(24, 11));
        let out = controller.allocations().out();
        if !out.is_empty() {
            table.reserve(out, Time::ZERO, Time::FARTHEST);
        }
        let reservations = controller.allocations().reservations().all();
        Plan {
            table,
            bounds: (0..=reservations.len()).map(|_| FieldBounds::default()).collect(),
            reserved: Reserved::known(reservations, turn, nodes),
            grid,
            most_slots: rules.most_slots(),
            version,
        }
    }

    /// Returns what is known of the jobs with the advance reservation of a job, or of the jobs without any if it has none.
    fn bounds(&mut self, job: &Waiting) -> &mut FieldBounds {
        &mut self.bounds[job.reservation.map_or(0, |at| at + 1)]
    }

    /// Returns the latest instant before which a job is known not to start, if it is later than `after`.
    pub(super) fn bound(&mut self, job: &Waiting, after: Time) -> Option<Time> {
        self.bounds(job).after(job, after)
    }

    pub(super) fn note_bound(&mut self, job: &Waiting, before: Time) {
        self.bounds(job).note(job, before);
    }

    /// Whether the reservations so far leave a job room to start now. Further reservations only leave less.
    pub(super) fn leaves_room(&mut self, job: &Waiting, now: Time, space: &mut Space) -> bool {
        if self.bound(job, now).is_some() {
            return false;
        }
        let nodes = self.reserved.leave(job, &job.nodes, now);
        let has_room =
            nodes.is_some_and(|nodes| space.has_room(job, &self.table.free(&nodes, now, now + job.limit)));
        if !has_room {
            self.note_bound(job, now + Time::TICK);
        }
        has_room
    }

    pub(super) fn is_full(&self) -> bool {
        self.table.len() as u64 > self.most_slots
    }

    /// Returns when a reservation of a job from an instant on begins and ends, on the grid. Since 24.11 its end is rounded up
    /// (`_set_slot_time`); in 24.05 it is a step of the grid behind its beginning at least.
    pub(super) fn slot(&self, job: &Waiting, start: Time) -> Range<Time> {
        let begin = self.grid.round(start);
        let end = self.end(start + job.limit);
        begin..if self.version.from(24, 5) { end.max(begin + self.grid.step()) } else { end }
    }

    /// Returns the end of what begins now or later, on the grid.
    fn end(&self, end: Time) -> Time {
        if self.version.from(24, 11) { self.grid.round_up(whole(end)) } else { self.grid.round(end) }
    }

    /// Returns from when a search for a job's start may go on if it cannot start before `bound`.
    pub(super) fn skip(&self, job: &Waiting, from: Time, bound: Time) -> Time {
        self.table.skip(&job.nodes, from, job.limit, bound)
    }

    /// Returns what advance reservations leave to a job from an instant on, up to the end of the window.
    pub(super) fn left(&self, job: &Waiting, partition: &NodeSet, from: Time, last: Time) -> Option<Left> {
        self.reserved.left(job, partition, from, last, self.grid)
    }

    /// Returns what is free of some nodes for a job's limit from an instant on.
    pub(super) fn stretch(&self, job: &Waiting, nodes: &NodeSet, from: Time) -> Stretch {
        let to = from + job.limit;
        Stretch { free: self.table.free(nodes, from, to), later: self.table.later(nodes, from, to) }
    }

    /// Searches for the first stretch, not before `from`, in which some nodes may be enough for a job that sees a space.
    pub(super) fn candidate(&self, job: &Waiting, nodes: &NodeSet, from: Time, space: &mut Space) -> Search {
        space.candidate(job, nodes, &self.table, from, self.grid.step())
    }

    /// Returns the nodes of a stretch from an instant on that stay free if a job starts later; `None` for all.
    pub(super) fn still_free(
        &self,
        job: &Waiting,
        nodes: &NodeSet,
        from: Time,
        start: Time,
    ) -> Option<NodeSet> {
        let slot = self.slot(job, start);
        self.table.still_free(nodes, from + job.limit, slot.start, slot.end)
    }

    /// Whether a reservation holds one of these nodes in a slot of time.
    pub(super) fn overlaps(&self, nodes: &NodeSet, slot: &Range<Time>) -> bool {
        self.table.overlaps(nodes, slot.start, slot.end)
    }

    /// Reserves nodes for a slot of time: since 22.05 for a step of the grid at least (`_add_reservation`).
    pub(super) fn reserve(&mut self, nodes: &NodeSet, slot: &Range<Time>) {
        let least = if self.version.from(22, 5) { slot.start + self.grid.step() } else { slot.end };
        self.table.reserve(nodes, slot.start, slot.end.max(least));
    }

    /// Notes that a job has just started on whole nodes of `select/cons_tres`: since 22.05 they are taken until its limit
    /// (`_bf_reserve_running`).
    pub(super) fn take_whole(&mut self, job: &Waiting, nodes: &NodeSet, now: Time) {
        if self.version.from(22, 5) {
            let least = self.grid.round(now) + self.grid.step();
            self.table.reserve(nodes, Time::ZERO, self.end(now + job.limit).max(least));
        }
    }
}
