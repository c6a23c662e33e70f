//! Rows that take turns on the machine: gang scheduling in the cluster.
//!
//! The start of a job that shares time is the beginning of its first slice, including the switch; time lost after that is
//! `stalled`. A slice that an event cuts continues for its remainder and pays for the switch again (Zhang et al. 2000
//! count cut slices, too). A job that is swapped is in no row until the swap is over, which proceeds during the slices of
//! other jobs.
//!
//! Migrations are charged by the difference between two matrices: a job that was moved twice at one event is checkpointed
//! once. A policy names the jobs that wait for checkpoints, since the rows do not show which jobs met there before the
//! phase Fill.

use std::collections::BTreeMap;
use std::sync::Arc;

use batchlab_traces::machine::Sharing;
use batchlab_traces::{JobId, Time};
use rustc_hash::{FxHashMap, FxHashSet};

use super::general::Residence;
use super::record::{Epoch, first_switch};
use super::rotation::{Point, Rotation, Turns};
use super::{Cluster, State};
use crate::cluster::columns::Columns;
use crate::costs::SwitchCharge;
use crate::cycle::{Cycle, Resume};
use crate::placement::{Placement, Rate, Share};
use crate::refused::Reason;

/// Rows that take turns, settled up to an instant.
#[derive(Debug, Default)]
pub(super) struct Turning {
    /// The jobs of each row by its position.
    rows: Vec<Arc<[JobId]>>,
    slice: Time,
    /// The service of jobs up to this instant is recorded in their residences.
    since: Time,
    /// The row of the current slice, even if it is empty now; how much of the slice is left, and how much is
    /// over.
    position: usize,
    left: Time,
    spent: Time,
    /// The jobs that ran just before.
    ran: Vec<JobId>,
    /// The jobs that have moved at this instant.
    moved: Vec<JobId>,
    /// The jobs that do not pay for the switch of the current slice.
    exempt: Vec<JobId>,
    /// The rows that are not empty, from the current one on, with their positions, and the part of each job
    /// in them.
    rotation: Rotation,
    order: Vec<usize>,
    members: FxHashMap<JobId, Turns>,
}

/// The moves of a cycle: job, new placement, and its residence before.
type Moves<'a> = Vec<(JobId, &'a Placement, Option<Residence>)>;

/// The nodes of jobs, of those that by themselves oversubscribe none of them.
type NodeSets = BTreeMap<JobId, Option<Columns>>;

impl Turning {
    /// Returns the ticks of service a member got since rows were settled; debts are not yet deducted.
    pub(super) fn service(&self, job: JobId, now: Time) -> i64 {
        let elapsed = (now - self.since).ticks();
        self.members.get(&job).map_or(0, |turns| self.rotation.service(turns, elapsed))
    }

    /// Returns when a member will have had this many further ticks of service.
    pub(super) fn reached(&self, job: JobId, need: i64) -> Option<Time> {
        let elapsed = self.rotation.reached(self.members.get(&job)?, need)?;
        Some(self.since.saturating_add(Time::from_ticks(elapsed)))
    }

    /// Returns when a member's first slice since the rows were settled began, if it has begun.
    pub(super) fn opened(&self, job: JobId, now: Time) -> Option<Time> {
        let opening = self.since + Time::from_ticks(self.rotation.opening(self.members.get(&job)?)?);
        (opening < now).then_some(opening)
    }

    pub(super) fn any(&self) -> bool {
        !self.members.is_empty()
    }

    pub(super) fn ran_just_before(&self, job: JobId) -> bool {
        self.ran.contains(&job)
    }

    pub(super) fn has(&self, job: JobId) -> bool {
        self.members.contains_key(&job)
    }

    /// Whether a job is in a row of the rotation.
    fn is_in(&self, job: JobId, row: usize) -> bool {
        self.members.get(&job).is_some_and(|turns| turns.rows.contains(&row))
    }

    /// Computes the rotation from the rows and the position.
    fn derive(&mut self, switch: Time, charge: SwitchCharge) {
        let count = self.rows.len();
        let from = |step: usize| (self.position + step) % count.max(1);
        let order: Vec<usize> = (0..count).map(from).filter(|&row| !self.rows[row].is_empty()).collect();
        let goes_on = order.first() == Some(&self.position);
        let (first, spent) = if goes_on { (self.left, self.spent) } else { (self.slice, Time::ZERO) };
        if switch == Time::ZERO || charge == SwitchCharge::All {
            // Without costs, or if every job pays, no job is exempt.
            self.exempt.clear();
        } else if spent == Time::ZERO {
            // At the beginning of a slice, a job that ran just before and has not moved pays for no switch.
            let row = order.first().map_or(&[][..], |&row| &self.rows[row]);
            let mut stay: FxHashSet<JobId> = self.ran.iter().copied().collect();
            self.moved.iter().for_each(|job| _ = stay.remove(job));
            self.exempt = row.iter().filter(|job| stay.contains(job)).copied().collect();
        }
        let rows = order.iter().map(|&row| self.rows[row].clone()).collect();
        self.rotation = Rotation { rows, first, slice: self.slice, switch, charge, spent };
        self.order = order;
        self.members.values_mut().for_each(|turns| turns.rows.clear());
        for (index, row) in self.rotation.rows.iter().enumerate() {
            for &job in row.iter() {
                let rows = &mut self.members.entry(job).or_default().rows;
                if rows.last() != Some(&index) {
                    rows.push(index);
                }
            }
        }
        self.members.retain(|_, turns| !turns.rows.is_empty());
        let switched = first_switch(&self.rotation, false);
        self.members.values_mut().for_each(|turns| turns.first_switch = switched);
        for job in &self.exempt {
            if let Some(turns) = self.members.get_mut(job) {
                turns.first_switch = first_switch(&self.rotation, true);
            }
        }
    }

    /// Moves the position on to an instant.
    fn advance(&mut self, now: Time) {
        let elapsed = (now - self.since).ticks();
        self.since = now;
        self.moved.clear();
        if self.order.is_empty() {
            self.ran.clear();
            self.left = Time::ZERO;
            return;
        }
        let Point { slice, into } = self.rotation.point(elapsed);
        let last = if into > 0 { slice } else { slice - 1 };
        self.ran = self.rotation.rows[self.rotation.row_of(last)].to_vec();
        let row = self.rotation.row_of(slice);
        self.position = self.order[row];
        self.left = Time::from_ticks(self.rotation.length_of(slice) - into);
        let into = Time::from_ticks(into);
        self.spent = if slice == 0 { self.rotation.spent + into } else { into };
        if slice > 0 {
            let before = self.rotation.row_of(slice - 1);
            let stays = |job: &&JobId| self.is_in(**job, before);
            self.exempt = self.rotation.rows[row].iter().filter(stays).copied().collect();
        }
    }

    /// Cuts the current slice, and continues as the cycle says.
    fn resume(&mut self, resume: Resume) {
        // At the beginning of a slice there is nothing to cut.
        let cut = self.left < self.slice || self.spent > Time::ZERO;
        match resume {
            Resume::Next if cut => (self.position, self.left) = (self.position + 1, self.slice),
            Resume::Continue | Resume::Next => {}
            Resume::First => (self.position, self.left) = (0, self.slice),
        }
        self.spent = Time::ZERO;
        if self.position >= self.rows.len() {
            (self.position, self.left) = (0, self.slice);
        }
        self.left = self.left.min(self.slice);
    }
}

impl Cluster {
    /// Runs resident jobs in turns from now on, after putting the jobs of `places` on their nodes.
    ///
    /// # Errors
    /// When a job of a row is not on the machine or is being swapped, is in a row twice, or shares a
    /// processor with another job of the row; when a placement does not cover its job, or a node is
    /// oversubscribed. Nothing has changed then.
    pub fn cycle(
        &mut self,
        cycle: &Cycle,
        places: &[(JobId, Placement)],
        now: Time,
    ) -> Result<(), (JobId, Reason)> {
        if self.general.is_none() {
            return Err((JobId(0), Reason::Undeclared("time sharing")));
        }
        let sets = self.expect_rows(cycle, places)?;
        let settled = self.account(now);
        let put = self.put(places, sets, now);
        if settled && put.is_err() {
            self.derive_rows();
        }
        let moves = put?;
        self.charge(cycle, &moves);
        self.enter_rows(cycle, now);
        let elsewhere = moves.iter().filter(|(.., before)| before.is_some()).map(|&(job, ..)| job);
        let mut turning = self.turning.take().unwrap_or_default();
        // Rows that are empty at the end of a slice start afresh. A job that arrives when the last job
        // leaves may instead use the rest of that job's slice.
        if turning.order.is_empty() && turning.left == Time::ZERO {
            (turning.since, turning.position, turning.left) = (now, 0, cycle.slice);
        }
        turning.moved.extend(elsewhere);
        let same = |(row, jobs): (usize, &Vec<JobId>)| match turning.rows.get(row) {
            Some(known) if **known == **jobs => known.clone(),
            _ => jobs.as_slice().into(),
        };
        turning.rows = cycle.rows.iter().enumerate().map(same).collect();
        turning.slice = cycle.slice;
        turning.resume(cycle.resume);
        turning.derive(self.costs.switch.of(cycle.slice), self.costs.charge);
        self.turning = Some(turning);
        self.reordered = true;
        Ok(())
    }

    /// Whether the ends of resident jobs may have changed since the last call.
    pub fn take_reordered(&mut self) -> bool {
        std::mem::take(&mut self.reordered)
    }

    /// Returns the times, since the last call, in which rows took turns.
    pub fn drain_epochs(&mut self) -> std::vec::Drain<'_, Epoch> {
        self.epochs.drain(..)
    }

    /// Records the service of jobs in turns until now in their residences.
    pub(super) fn settle(&mut self, now: Time) {
        if self.account(now) {
            self.derive_rows();
        }
    }

    fn derive_rows(&mut self) {
        if let Some(turning) = &mut self.turning {
            turning.derive(turning.rotation.switch, turning.rotation.charge);
        }
    }

    /// Does the same without computing the rotation from the new position; returns whether it has to be.
    fn account(&mut self, now: Time) -> bool {
        let Some(mut turning) = self.turning.take() else { return false };
        if now > turning.since && !turning.order.is_empty() {
            let owed = self.pay(&turning, now);
            self.epochs.push(Epoch {
                from: turning.since,
                to: now,
                rotation: turning.rotation.clone(),
                exempt: turning.exempt.clone(),
                owed,
            });
        }
        let passed = now > turning.since;
        if passed {
            turning.advance(now);
        }
        self.turning = Some(turning);
        passed
    }

    /// Removes a job from the rows; the other jobs continue.
    pub(super) fn leave_rows(&mut self, job: JobId, now: Time) {
        if self.turning.as_ref().is_none_or(|turning| !turning.has(job)) {
            return;
        }
        self.account(now);
        let Some(turning) = &mut self.turning else { return };
        let Some(turns) = turning.members.get(&job) else { return };
        for &row in &turns.rows {
            let row = &mut turning.rows[turning.order[row]];
            *row = row.iter().copied().filter(|&other| other != job).collect();
            self.reordered |= row.is_empty();
        }
        turning.ran.retain(|&other| other != job);
        self.derive_rows();
    }

    /// Records the service since the rows were settled; returns what jobs owed before.
    fn pay(&mut self, turning: &Turning, now: Time) -> Vec<(JobId, Time)> {
        let Some(general) = &mut self.general else { return Vec::new() };
        let rotation = &turning.rotation;
        let elapsed = (now - turning.since).ticks();
        let mut owed = Vec::new();
        for &job in turning.ran.iter().filter(|&&job| !turning.is_in(job, 0)) {
            self.services[job.index()].suspensions += 1;
        }
        let times: Vec<i64> = (0..rotation.rows.len()).map(|row| rotation.time_of(row, elapsed)).collect();
        let stops = stops(rotation, elapsed);
        for (&job, turns) in &turning.members {
            let Some(residence) = general.residents.get_mut(&job) else { continue };
            let slices: i64 = turns.rows.iter().map(|&row| times[row]).sum();
            let switches = rotation.switch > Time::ZERO;
            let service = if switches { rotation.service(turns, elapsed) } else { slices };
            if residence.owes > Time::ZERO {
                owed.push((job, residence.owes));
            }
            let paid = residence.owes.ticks().min(service);
            residence.owes -= Time::from_ticks(paid);
            residence.done += i128::from(service - paid) * i128::from(Rate::WHOLE);
            residence.since = now;
            let ledger = &mut self.services[job.index()];
            ledger.switching += Time::from_ticks(slices - service);
            ledger.migrating += Time::from_ticks(paid);
            ledger.suspensions += suspensions(turns, &stops);
            let start = &mut self.starts[job.index()];
            if let Some(opening) = rotation.opening(turns).filter(|&opening| opening < elapsed) {
                *start = (*start).min(turning.since + Time::from_ticks(opening));
            }
        }
        owed.sort_unstable();
        owed
    }

    /// Puts jobs on their new nodes, all in one step; returns where they were.
    fn put<'a>(
        &mut self,
        places: &'a [(JobId, Placement)],
        mut sets: NodeSets,
        now: Time,
    ) -> Result<Moves<'a>, (JobId, Reason)> {
        if let Some((job, _)) = places.first().filter(|_| self.machine.devices().is_some()) {
            let state = "cannot be in a row on a machine with devices";
            return Err((*job, Reason::State { state }));
        }
        let mut moves: Moves<'a> = Vec::with_capacity(places.len());
        for (job, place) in places {
            let before = (self.state(*job) == State::Resident).then(|| self.take_off(*job, now));
            moves.push((*job, place, before));
        }
        for (done, (job, place, _)) in moves.iter().enumerate() {
            if let Err(reason) = self.take(*job, place, Rate::PAUSED) {
                let refused = (*job, reason);
                for (job, place, _) in &moves[..done] {
                    self.give_parts(*job, place, Rate::PAUSED);
                }
                for (job, _, before) in moves {
                    if let Some(before) = before {
                        self.put_back(job, before);
                    }
                }
                return Err(refused);
            }
        }
        for (job, place, before) in &moves {
            self.settle_in(*job, place, Rate::PAUSED, before.as_ref(), now);
            let residence = self.general.as_mut().and_then(|general| general.residents.get_mut(job));
            if let Some(residence) = residence {
                residence.nodes = sets.remove(job).flatten();
            }
        }
        Ok(moves)
    }

    /// Charges migrations by equations 4 and 5 of Zhang et al. 2000: C to each job that moves, and C/2 for
    /// each checkpoint to each job that waits for it.
    ///
    /// A job that has not run has no checkpoint. A job that moves itself does not also wait for others.
    fn charge(&mut self, cycle: &Cycle, moves: &Moves<'_>) {
        let Some(general) = &mut self.general else { return };
        let mut left: BTreeMap<JobId, Placement> = BTreeMap::new();
        for (job, place, before) in moves {
            let Some(before) = before.as_ref().filter(|before| before.placement != **place) else { continue };
            if self.starts[job.index()] == Time::MAX {
                continue;
            }
            self.services[job.index()].migrations += 1;
            if let Some(residence) = general.residents.get_mut(job) {
                residence.owes += self.costs.migrate;
            }
            left.insert(*job, before.placement.clone());
        }
        let half = Time::from_ticks(self.costs.migrate.ticks() / 2);
        let mut freed = vec![false; if left.is_empty() { 0 } else { self.machine.nodes() }];
        for checkpoint in &cycle.checkpoints {
            let places = || checkpoint.leaving.iter().filter_map(|job| left.get(job));
            let nodes = || places().flat_map(|place| &place.0);
            nodes().for_each(|share| freed[share.node as usize] = true);
            for job in checkpoint.waiting.iter().filter(|job| !left.contains_key(job)) {
                let Some(residence) = general.residents.get_mut(job) else { continue };
                // A job that a later migration of the same event has moved elsewhere does not wait.
                if !left.is_empty() && residence.placement.0.iter().any(|share| freed[share.node as usize]) {
                    residence.owes += half;
                }
            }
            nodes().for_each(|share| freed[share.node as usize] = false);
        }
    }

    /// Brings jobs into rows; until now they were paused or ran at a rate.
    fn enter_rows(&mut self, cycle: &Cycle, now: Time) {
        let was = |turning: &Option<Box<Turning>>, job: JobId| {
            turning.as_ref().is_some_and(|turning| turning.has(job))
        };
        let Some(general) = &self.general else { return };
        let running = general.residents.iter().filter(|(_, residence)| residence.rate > Rate::PAUSED);
        let mut running: Vec<JobId> = running.map(|(&job, _)| job).collect();
        running.sort_unstable();
        for job in running {
            // Pausing only frees resources and is never refused.
            let _ = self.rate_general(job, Rate::PAUSED, now);
        }
        for &job in cycle.rows.iter().flatten() {
            if was(&self.turning, job) {
                continue;
            }
            let Some(residence) = self.general.as_mut().and_then(|general| general.residents.get_mut(&job))
            else {
                continue;
            };
            let closed = residence.clone();
            residence.since = now;
            residence.busy = None;
            self.close(job, &closed, now);
        }
    }

    /// Checks rows: every job is on the machine, once in its row, and no two jobs of a row share a
    /// processor. Returns the nodes of the jobs that get new places.
    fn expect_rows(&self, cycle: &Cycle, places: &[(JobId, Placement)]) -> Result<NodeSets, (JobId, Reason)> {
        let by_job: BTreeMap<JobId, &Placement> = places.iter().map(|(job, place)| (*job, place)).collect();
        for (job, place) in places {
            let state = if self.state(*job) == State::Resident { State::Resident } else { State::Waiting };
            let sound = self.expect_state(*job, state).and_then(|()| self.expect_cover(*job, place));
            sound.and_then(|()| self.expect_no_swap(*job)).map_err(|reason| (*job, reason))?;
        }
        if by_job.len() < places.len() {
            return Err((places[0].0, Reason::State { state: "is placed twice at once" }));
        }
        if cycle.slice <= Time::ZERO {
            return Err((JobId(0), Reason::State { state: "cannot take turns in slices of no length" }));
        }
        let nodes = self.machine.nodes();
        let set = |place: &Placement| Columns::of(nodes, place.0.iter().map(|share| share.node as usize));
        let known =
            |(&job, place): (&JobId, &&Placement)| (job, self.fits_alone(job, place).then(|| set(place)));
        let new: NodeSets = by_job.iter().map(known).collect();
        let mut taken = Columns::none(nodes);
        let mut used = Vec::new();
        for row in &cycle.rows {
            taken.clear();
            if self.is_apart(row, &new, &mut taken) {
                continue;
            }
            used.clear();
            used.resize(nodes * self.machine.kinds(), 0_i64);
            for &job in row {
                self.expect_in_row(job, by_job.get(&job).copied(), &mut used)
                    .map_err(|reason| (job, reason))?;
            }
        }
        Ok(new)
    }

    /// Whether no two jobs of a row share a node, and none of them alone oversubscribes one: then the row
    /// needs no account of what is used on each node.
    fn is_apart(&self, row: &[JobId], new: &NodeSets, taken: &mut Columns) -> bool {
        let Some(general) = &self.general else { return false };
        row.iter().all(|job| {
            let residence = general.residents.get(job);
            let free = residence.is_none_or(|residence| residence.busy.is_none());
            let known = new.get(job).or(residence.map(|residence| &residence.nodes));
            let apart = known.and_then(Option::as_ref).filter(|nodes| free && nodes.is_disjoint(taken));
            apart.is_some_and(|nodes| {
                taken.add(nodes);
                true
            })
        })
    }

    /// Whether a job alone would not oversubscribe the resources of nodes that are shared in time.
    fn fits_alone(&self, job: JobId, at: &Placement) -> bool {
        let shared = |kind: &usize| self.machine.resources()[*kind].sharing == Sharing::Time;
        (0..self.machine.kinds()).filter(shared).all(|kind| {
            let capacity = |share: &Share| self.machine.capacity(share.node as usize)[kind];
            at.0.iter().all(|share| {
                self.workload.held_on(job, kind, share.procs, capacity(share)) <= capacity(share)
            })
        })
    }

    fn expect_in_row(&self, job: JobId, place: Option<&Placement>, used: &mut [i64]) -> Result<(), Reason> {
        if place.is_none() {
            self.expect_state(job, State::Resident)?;
        }
        self.expect_no_swap(job)?;
        let residence = self.general.as_ref().and_then(|general| general.residents.get(&job));
        let Some(place) = place.or(residence.map(|residence| &residence.placement)) else { return Ok(()) };
        let kinds = self.machine.kinds();
        for (kind, resource) in self.machine.resources().iter().enumerate() {
            if resource.sharing == Sharing::Space {
                continue;
            }
            for share in &place.0 {
                let node = share.node as usize;
                let capacity = self.machine.capacity(node)[kind];
                let need = self.workload.held_on(job, kind, share.procs, capacity);
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

    fn expect_no_swap(&self, job: JobId) -> Result<(), Reason> {
        if self.is_swapping(job) { Err(Reason::State { state: "is being swapped" }) } else { Ok(()) }
    }
}

/// Returns for each row how often its slices end within an elapsed time, so that another row runs.
fn stops(rotation: &Rotation, elapsed: i64) -> Vec<i64> {
    // The last slice that has begun is still running, or the slice after it is not known yet.
    let followed = rotation.begun(elapsed) - 1;
    (0..rotation.rows.len()).map(|row| rotation.slices_before(row, followed)).collect()
}

/// Returns how often a job stops, given how often the slices of each row end.
fn suspensions(turns: &Turns, stops: &[i64]) -> u32 {
    let next = turns.rows.iter().skip(1).chain(turns.rows.first());
    let stopped = turns.rows.iter().zip(next).filter(|&(row, next)| (row + 1) % stops.len() != *next);
    stopped.map(|(&row, _)| stops[row]).sum::<i64>() as u32
}
