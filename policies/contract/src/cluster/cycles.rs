//! Cycles of rows as policies pass them to the cluster.

use batchlab_traces::machine::Sharing;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use super::columns::Columns;
use super::cover::expect_cover;
use super::general::Residence;
use super::turning::Turning;
use super::{Cluster, State};
use crate::costs::MigrationCharge;
use crate::cycle::{Checkpoint, Cycle, CycleChanges, Resume};
use crate::placement::{Placement, Rate, Share};
use crate::refused::Reason;

/// The moves of a cycle: job, new placement, and its residence before.
type Moves<'a> = Vec<(JobId, &'a Placement, Option<Residence>)>;

/// The nodes of jobs; `None` for a job that alone oversubscribes one of its nodes.
type NodeSets = SortedMap<JobId, Option<Columns>>;

/// The properties of a cycle besides its rows.
struct Manner<'a> {
    rows: usize,
    slice: Time,
    resume: Resume,
    checkpoints: &'a [Checkpoint],
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
        self.expect_turns()?;
        let sets = self.expect_rows(cycle, places)?;
        let mut places_of: FxHashMap<JobId, usize> = FxHashMap::default();
        let mut jobs: Vec<(JobId, Vec<u32>)> = Vec::new();
        for (row, &job) in
            cycle.rows.iter().enumerate().flat_map(|(at, row)| row.iter().map(move |job| (at, job)))
        {
            let at = *places_of.entry(job).or_insert(jobs.len());
            if at == jobs.len() {
                jobs.push((job, Vec::new()));
            }
            if jobs[at].1.last() != Some(&(row as u32)) {
                jobs[at].1.push(row as u32);
            }
        }
        let leave = self.turning.iter().flat_map(|turning| turning.members.jobs());
        let mut leave: Vec<JobId> = leave.filter(|job| !places_of.contains_key(job)).collect();
        leave.sort_unstable();
        jobs.extend(leave.into_iter().map(|job| (job, Vec::new())));
        if let Some(turning) = &mut self.turning {
            turning.taken = None;
        }
        let Cycle { slice, resume, checkpoints, .. } = cycle;
        let manner = Manner { rows: cycle.rows.len(), slice: *slice, resume: *resume, checkpoints };
        self.turn(&manner, &jobs, places, sets, now)
    }

    /// As [`Cluster::cycle`], for rows that differ from those of the last cycle in some jobs.
    ///
    /// # Errors
    /// As [`Cluster::cycle`].
    pub fn change_cycle(
        &mut self,
        changes: &CycleChanges,
        places: &[(JobId, Placement)],
        now: Time,
    ) -> Result<(), (JobId, Reason)> {
        self.expect_turns()?;
        let sets = match self.expect_changes(changes, places) {
            Some(sets) => sets,
            None => self.expect_rows(&self.whole(changes), places)?,
        };
        let CycleChanges { rows, slice, resume, checkpoints, .. } = changes;
        let manner = Manner { rows: *rows, slice: *slice, resume: *resume, checkpoints };
        self.turn(&manner, &changes.jobs, places, sets, now)
    }

    fn expect_turns(&self) -> Result<(), (JobId, Reason)> {
        if self.general.is_none() {
            return Err((JobId(0), Reason::Undeclared("time sharing")));
        }
        Ok(())
    }

    /// Brings jobs into rows, after putting those of `places` on their nodes.
    fn turn(
        &mut self,
        manner: &Manner<'_>,
        jobs: &[(JobId, Vec<u32>)],
        places: &[(JobId, Placement)],
        sets: NodeSets,
        now: Time,
    ) -> Result<(), (JobId, Reason)> {
        let settled = self.account(now);
        let put = self.put(places, sets, now);
        if put.is_err() {
            self.turning.iter_mut().for_each(|turning| turning.taken = None);
            if settled {
                self.derive_rows();
            }
        }
        let moves = put?;
        match self.costs.migrate_charge {
            MigrationCharge::Event => self.charge(manner.checkpoints, &moves),
            MigrationCharge::Step => self.charge_steps(manner.checkpoints),
        }
        self.enter_rows(jobs, now);
        let elsewhere = moves.iter().filter(|(.., before)| before.is_some()).map(|&(job, ..)| job);
        let mut turning = self.turning.take().unwrap_or_default();
        // Rows that are empty at the end of a slice start afresh. A job that arrives when the last job
        // leaves may instead use the rest of that job's slice.
        if turning.order.is_empty() && turning.left == Time::ZERO {
            (turning.since, turning.position, turning.left) = (now, 0, manner.slice);
        }
        turning.moved.extend(elsewhere);
        let before = turning.steady(manner.slice, manner.rows);
        turning.rows.resize(turning.rows.len().max(manner.rows), 0);
        for (job, rows) in jobs {
            self.set_rows(&mut turning, *job, rows);
        }
        turning.rows.truncate(manner.rows);
        turning.slice = manner.slice;
        turning.resume(manner.resume);
        let (switch, charge) = (self.costs.switch.of(manner.slice), self.costs.charge);
        let stay = turning.stay(switch, charge);
        self.turning = Some(turning);
        self.exempt(stay);
        if let Some(turning) = &mut self.turning {
            turning.derive(switch, charge);
            let goes_on = manner.resume == Resume::Continue && switch == Time::ZERO;
            self.reordered.all |= !goes_on || before != turning.steady(manner.slice, manner.rows);
            self.reordered.jobs.extend(jobs.iter().map(|&(job, _)| job));
        }
        Ok(())
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
    fn charge(&mut self, checkpoints: &[Checkpoint], moves: &Moves<'_>) {
        let Some(general) = &mut self.general else { return };
        let mut debtors: Vec<JobId> = Vec::new();
        let mut left: SortedMap<JobId, Placement> = SortedMap::new();
        for (job, place, before) in moves {
            let Some(before) = before.as_ref().filter(|before| before.placement != **place) else { continue };
            if self.jobs.started(*job).is_none() {
                continue;
            }
            self.services[job.index()].migrations += 1;
            if let Some(residence) = general.residents.get_mut(job) {
                residence.owes += self.costs.migrate;
                debtors.push(*job);
            }
            left.insert(*job, before.placement.clone());
        }
        let half = Time::from_ticks(self.costs.migrate.ticks() / 2);
        let mut freed = vec![false; if left.is_empty() { 0 } else { self.machine.nodes() }];
        for checkpoint in checkpoints {
            let places = || checkpoint.leaving.iter().filter_map(|job| left.get(job));
            let nodes = || places().flat_map(|place| &place.0);
            nodes().for_each(|share| freed[share.node as usize] = true);
            for job in checkpoint.waiting.iter().filter(|job| !left.contains_key(job)) {
                let Some(residence) = general.residents.get_mut(job) else { continue };
                // A job that a later migration of the same event has moved elsewhere does not wait.
                if !left.is_empty() && residence.placement.0.iter().any(|share| freed[share.node as usize]) {
                    residence.owes += half;
                    debtors.push(*job);
                }
            }
            nodes().for_each(|share| freed[share.node as usize] = false);
        }
        self.in_debt(debtors);
    }

    /// Charges each migration by itself: C to each job that leaves, and C/2 to each that waits for its checkpoint. A job that has
    /// not run has no checkpoint.
    fn charge_steps(&mut self, checkpoints: &[Checkpoint]) {
        let Some(general) = &mut self.general else { return };
        let (whole, half) = (self.costs.migrate, Time::from_ticks(self.costs.migrate.ticks() / 2));
        let mut debtors: Vec<JobId> = Vec::new();
        let mut owes = |job: JobId, cost: Time| {
            if let Some(residence) = general.residents.get_mut(&job) {
                residence.owes += cost;
                debtors.push(job);
            }
        };
        for checkpoint in checkpoints {
            let ran = checkpoint.leaving.iter().filter(|job| self.jobs.started(**job).is_some());
            let leaving: Vec<JobId> = ran.copied().collect();
            for &job in &leaving {
                self.services[job.index()].migrations += 1;
                owes(job, whole);
            }
            checkpoint.waiting.iter().filter(|_| !leaving.is_empty()).for_each(|&job| owes(job, half));
        }
        self.in_debt(debtors);
    }

    fn in_debt(&mut self, debtors: Vec<JobId>) {
        self.reordered.jobs.extend(&debtors);
        self.turning.get_or_insert_default().debtors.extend(debtors);
    }

    /// Brings jobs into rows; until now they were paused or ran at a rate. O(jobs on the machine) if there were none in rows.
    fn enter_rows(&mut self, jobs: &[(JobId, Vec<u32>)], now: Time) {
        let Some(general) = &self.general else { return };
        // Beside rows no job runs at a rate.
        if self.turning.as_ref().is_none_or(|turning| !turning.any()) {
            let running = general.residents.iter().filter(|(_, residence)| residence.rate > Rate::PAUSED);
            let mut running: Vec<JobId> = running.map(|(&job, _)| job).collect();
            running.sort_unstable();
            self.reordered.all |= !running.is_empty();
            for job in running {
                // Pausing only frees resources and is never refused.
                let _ = self.rate_general(job, Rate::PAUSED, now);
            }
        }
        for (job, _) in jobs.iter().filter(|(_, rows)| !rows.is_empty()) {
            if self.turning.as_ref().is_some_and(|turning| turning.has(*job)) {
                continue;
            }
            let Some(residence) = self.general.as_mut().and_then(|general| general.residents.get_mut(job))
            else {
                continue;
            };
            let closed = Residence { placement: Placement::default(), nodes: None, ..*residence };
            residence.since = now;
            residence.busy = None;
            self.close(*job, &closed, now);
        }
    }

    /// Returns the whole cycle that changes lead to.
    fn whole(&self, changes: &CycleChanges) -> Cycle {
        let mut rows = vec![Vec::new(); changes.rows];
        let replaced: FxHashMap<JobId, &[u32]> =
            changes.jobs.iter().map(|(job, rows)| (*job, &rows[..])).collect();
        let members = self.turning.iter().flat_map(|turning| turning.members.jobs());
        let mut jobs: Vec<JobId> =
            members.filter(|job| !replaced.contains_key(job)).chain(replaced.keys().copied()).collect();
        jobs.sort_unstable();
        for job in jobs {
            let known = || self.turning.as_ref().map_or(&[][..], |turning| turning.members.rows(job));
            for &row in replaced.get(&job).copied().unwrap_or_else(known) {
                rows[row as usize].push(job);
            }
        }
        let CycleChanges { slice, resume, checkpoints, .. } = changes;
        Cycle { rows, slice: *slice, resume: *resume, checkpoints: checkpoints.clone() }
    }

    /// Checks changes of rows as [`Cluster::cycle`] checks rows; `None` if this needs the amounts in use on each node, or
    /// finds a mistake. O(nodes / 64) for each row of a job that changes rows or moves.
    fn expect_changes(&mut self, changes: &CycleChanges, places: &[(JobId, Placement)]) -> Option<NodeSets> {
        if changes.slice <= Time::ZERO
            || self.turning.as_ref().is_some_and(|turning| turning.rows.len() > changes.rows)
        {
            return None;
        }
        let sets = self.expect_places(places).ok()?;
        let known = self.turning.is_some();
        let mut turning = self.turning.take().unwrap_or_default();
        let taken = self.taken_after(&mut turning, changes, &sets);
        let is_sound = taken.is_some();
        turning.taken = taken;
        self.turning = known.then_some(turning);
        is_sound.then_some(sets)
    }

    /// Returns the nodes of the jobs of each row after changes; `None` if they are not known or jobs of a row share one.
    fn taken_after(
        &self,
        turning: &mut Turning,
        changes: &CycleChanges,
        new: &NodeSets,
    ) -> Option<Vec<Columns>> {
        let general = self.general.as_ref()?;
        let nodes = |job: JobId| general.residents.get(&job).and_then(|residence| residence.nodes.as_ref());
        let mut taken = match turning.taken.take() {
            Some(taken) => taken,
            None => {
                let mut taken = vec![Columns::none(self.machine.nodes()); turning.rows.len()];
                for job in turning.members.jobs() {
                    for &row in turning.members.rows(job) {
                        taken[row as usize].add(nodes(job)?);
                    }
                }
                taken
            }
        };
        taken.resize(changes.rows, Columns::none(self.machine.nodes()));
        let replaced: FxHashMap<JobId, &[u32]> =
            changes.jobs.iter().map(|(job, rows)| (*job, &rows[..])).collect();
        let moved = new.keys().filter(|job| !replaced.contains_key(job));
        let moved: Vec<(JobId, &[u32])> = moved.map(|&job| (job, turning.members.rows(job))).collect();
        let all = || replaced.iter().map(|(&job, &rows)| (job, rows)).chain(moved.iter().copied());
        for (job, _) in all() {
            for &row in turning.members.rows(job) {
                taken[row as usize].take(nodes(job)?);
            }
        }
        for (job, rows) in all().filter(|(_, rows)| !rows.is_empty()) {
            let residence = general.residents.get(&job);
            let placed = new.contains_key(&job);
            if self.is_swapping(job) || !placed && residence.is_none_or(|residence| residence.busy.is_some())
            {
                return None;
            }
            let nodes = new.get(&job).map_or_else(|| nodes(job), Option::as_ref)?;
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

    /// Checks rows: every job is on the machine, once in its row, and no two jobs of a row share a
    /// processor. Returns the nodes of the jobs that get new places.
    fn expect_rows(&self, cycle: &Cycle, places: &[(JobId, Placement)]) -> Result<NodeSets, (JobId, Reason)> {
        let new = self.expect_places(places)?;
        let by_job: SortedMap<JobId, &Placement> = places.iter().map(|(job, place)| (*job, place)).collect();
        if cycle.slice <= Time::ZERO {
            return Err((JobId(0), Reason::State { state: "cannot take turns in slices of no length" }));
        }
        let nodes = self.machine.nodes();
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

    /// Checks places of jobs; returns the nodes of each.
    fn expect_places(&self, places: &[(JobId, Placement)]) -> Result<NodeSets, (JobId, Reason)> {
        for (job, place) in places {
            let state = if self.state(*job) == State::Resident { State::Resident } else { State::Waiting };
            let sound = self
                .jobs
                .expect(*job, state)
                .and_then(|()| expect_cover(&self.machine, &self.workload, *job, place));
            sound.and_then(|()| self.expect_no_swap(*job)).map_err(|reason| (*job, reason))?;
        }
        let nodes = self.machine.nodes();
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
            self.jobs.expect(job, State::Resident)?;
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
