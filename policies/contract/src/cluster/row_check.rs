//! The conditions that rows must satisfy: every job of a row is on the machine, and no two of them share a processor.

use batchlab_traces::machine::Sharing;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use super::columns::Columns;
use super::common::Common;
use super::residents::{Residence, Residents};
use super::states::State;
use super::turning::Turning;
use crate::cycle::{Cycle, CycleChanges};
use crate::placement::{Placement, Share};
use crate::refused::Reason;

/// The nodes of jobs; `None` for a job that alone oversubscribes one of its nodes.
pub(super) type NodeSets = SortedMap<JobId, Option<Columns>>;

pub(super) struct RowCheck<'a> {
    pub(super) common: &'a Common,
    pub(super) residents: &'a Residents,
    pub(super) turning: &'a Turning,
}

impl RowCheck<'_> {
    /// Checks rows: every job is on the machine, once in its row, and no two jobs of a row share a
    /// processor. Returns the nodes of the jobs that get new places.
    pub(super) fn rows(
        &self,
        cycle: &Cycle,
        places: &[(JobId, Placement)],
    ) -> Result<NodeSets, (JobId, Reason)> {
        let new = self.places(places)?;
        let by_job: SortedMap<JobId, &Placement> = places.iter().map(|(job, place)| (*job, place)).collect();
        if cycle.slice <= Time::ZERO {
            return Err((JobId(0), Reason::State { state: "cannot take turns in slices of no length" }));
        }
        let machine = self.common.machine();
        let nodes = machine.nodes();
        let mut taken = Columns::none(nodes);
        let mut used = Vec::new();
        for row in &cycle.rows {
            taken.clear();
            if self.is_apart(row, &new, &mut taken) {
                continue;
            }
            used.clear();
            used.resize(nodes * machine.kinds(), 0_i64);
            for &job in row {
                self.in_row(job, by_job.get(&job).copied(), &mut used).map_err(|reason| (job, reason))?;
            }
        }
        Ok(new)
    }

    /// Checks changes of rows as [`RowCheck::rows`] checks rows; `None` if this needs the amounts in use on each node, or finds a
    /// mistake. Returns also the nodes of the jobs of each row after the changes, given those of before, if they are known. O(nodes
    /// / 64) for each row of a job that changes rows or moves.
    pub(super) fn changes(
        &self,
        changes: &CycleChanges,
        places: &[(JobId, Placement)],
        known: Option<Vec<Columns>>,
    ) -> Option<(NodeSets, Vec<Columns>)> {
        if changes.slice <= Time::ZERO || self.turning.row_count() > changes.rows {
            return None;
        }
        let sets = self.places(places).ok()?;
        let taken = self.taken_after(known, changes, &sets)?;
        Some((sets, taken))
    }

    /// Returns the nodes of the jobs of each row after changes; `None` if they are not known or jobs of a row share one.
    fn taken_after(
        &self,
        known: Option<Vec<Columns>>,
        changes: &CycleChanges,
        new: &NodeSets,
    ) -> Option<Vec<Columns>> {
        let (turning, nodes) = (self.turning, self.common.machine().nodes());
        let nodes_of = |job: JobId| self.residents.get(job).and_then(Residence::nodes);
        let mut taken = match known {
            Some(taken) => taken,
            None => {
                let mut taken = vec![Columns::none(nodes); turning.row_count()];
                for job in turning.jobs() {
                    for &row in turning.rows_of(job) {
                        taken[row as usize].add(nodes_of(job)?);
                    }
                }
                taken
            }
        };
        taken.resize(changes.rows, Columns::none(nodes));
        let replaced: FxHashMap<JobId, &[u32]> =
            changes.jobs.iter().map(|(job, rows)| (*job, &rows[..])).collect();
        let moved = new.keys().filter(|job| !replaced.contains_key(job));
        let moved: Vec<(JobId, &[u32])> = moved.map(|&job| (job, turning.rows_of(job))).collect();
        let all = || replaced.iter().map(|(&job, &rows)| (job, rows)).chain(moved.iter().copied());
        for (job, _) in all() {
            for &row in turning.rows_of(job) {
                taken[row as usize].take(nodes_of(job)?);
            }
        }
        for (job, rows) in all().filter(|(_, rows)| !rows.is_empty()) {
            let placed = new.contains_key(&job);
            let swaps = self.residents.swapping_until(job).is_some();
            if swaps || !placed && self.residents.get(job).is_none_or(Residence::is_busy) {
                return None;
            }
            let nodes = new.get(&job).map_or_else(|| nodes_of(job), Option::as_ref)?;
            for &row in rows {
                let taken = taken.get_mut(row as usize)?;
                if !nodes.is_disjoint(taken) {
                    return None;
                }
                taken.add(nodes);
            }
        }
        Some(taken)
    }

    fn places(&self, places: &[(JobId, Placement)]) -> Result<NodeSets, (JobId, Reason)> {
        let jobs = self.common.jobs();
        for (job, place) in places {
            let state = if jobs.of(*job) == State::Resident { State::Resident } else { State::Waiting };
            let sound = jobs.expect(*job, state).and_then(|()| self.common.expect_cover(*job, place));
            sound.and_then(|()| self.no_swap(*job)).map_err(|reason| (*job, reason))?;
        }
        let nodes = self.common.machine().nodes();
        let set = |place: &Placement| Columns::of(nodes, place.0.iter().map(|share| share.node as usize));
        let known =
            |(job, place): &(JobId, Placement)| (*job, self.fits_alone(*job, place).then(|| set(place)));
        let sets: NodeSets = places.iter().map(known).collect();
        if sets.len() < places.len() {
            return Err((places[0].0, Reason::State { state: "is placed twice at once" }));
        }
        Ok(sets)
    }

    /// Whether no two jobs of a row share a node, and none of them alone oversubscribes one: then the row needs no account
    /// of the amounts in use on each node.
    fn is_apart(&self, row: &[JobId], new: &NodeSets, taken: &mut Columns) -> bool {
        row.iter().all(|job| {
            let residence = self.residents.get(*job);
            let nodes = match new.get(job) {
                Some(nodes) => nodes.as_ref(),
                None => residence.and_then(Residence::nodes),
            };
            let is_free = !residence.is_some_and(Residence::is_busy);
            let apart = nodes.filter(|nodes| is_free && nodes.is_disjoint(taken));
            apart.is_some_and(|nodes| {
                taken.add(nodes);
                true
            })
        })
    }

    /// Whether a job alone would not oversubscribe the resources of nodes that are shared in time.
    fn fits_alone(&self, job: JobId, at: &Placement) -> bool {
        let (machine, workload) = (self.common.machine(), self.common.workload());
        let shared = |kind: &usize| machine.resources()[*kind].sharing == Sharing::Time;
        (0..machine.kinds()).filter(shared).all(|kind| {
            let capacity = |share: &Share| machine.capacity(share.node as usize)[kind];
            at.0.iter()
                .all(|share| workload.held_on(job, kind, share.procs, capacity(share)) <= capacity(share))
        })
    }

    fn in_row(&self, job: JobId, place: Option<&Placement>, used: &mut [i64]) -> Result<(), Reason> {
        if place.is_none() {
            self.common.jobs().expect(job, State::Resident)?;
        }
        self.no_swap(job)?;
        let residence = self.residents.get(job);
        let Some(place) = place.or(residence.map(Residence::placement)) else { return Ok(()) };
        let machine = self.common.machine();
        let kinds = machine.kinds();
        for (kind, resource) in machine.resources().iter().enumerate() {
            if resource.sharing == Sharing::Space {
                continue;
            }
            for share in &place.0 {
                let node = share.node as usize;
                let capacity = machine.capacity(node)[kind];
                let need = self.common.workload().held_on(job, kind, share.procs, capacity);
                let used = &mut used[node * kinds + kind];
                if *used + need > capacity {
                    let (resource, free) = (resource.name.clone(), capacity - *used);
                    return Err(Reason::Oversubscribed { resource, node, need, free });
                }
                *used += need;
            }
        }
        Ok(())
    }

    fn no_swap(&self, job: JobId) -> Result<(), Reason> {
        match self.residents.swapping_until(job) {
            Some(_) => Err(Reason::State { state: "is being swapped" }),
            None => Ok(()),
        }
    }
}
