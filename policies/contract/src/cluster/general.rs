//! The general path: any nodes, any rates, progress kept.
//!
//! On every node, at every instant: Σ share ≤ capacity of each *space* resource, and Σ share × rate ≤
//! capacity of each *time* resource. Sums are whole numbers: time resources are counted in parts of
//! [`Rate::WHOLE`].

use std::borrow::Cow;

use batchlab_traces::machine::{Sharing, members};
use batchlab_traces::{JobId, Machine, Time, Workload};
use rustc_hash::FxHashMap;

use super::cover::expect_cover;
use super::record::Busy;
use super::{Cluster, State, Stretch};
use crate::cluster::columns::Columns;
use crate::placement::{Placement, Rate, Share};
use crate::refused::Reason;

const WHOLE: i128 = Rate::WHOLE as i128;

#[derive(Debug)]
pub(super) struct General {
    /// Free parts (amount × [`Rate::WHOLE`]), node by node.
    free: Vec<i128>,
    pub(super) residents: FxHashMap<JobId, Residence>,
    /// Ticks × parts executed by jobs that were displaced and kept their progress.
    kept: FxHashMap<JobId, i128>,
}

#[derive(Debug, Clone, Default)]
pub(super) struct Residence {
    pub(super) placement: Placement,
    /// Its nodes, if it is in rows and does not oversubscribe any of them alone.
    pub(super) nodes: Option<Columns>,
    pub(super) rate: Rate,
    /// The instant from which it makes progress at the rate; `done` counts up to then.
    pub(super) since: Time,
    /// Ticks × parts executed.
    pub(super) done: i128,
    /// What delays its progress, and the instant at which the delay began; it lasts until `since`.
    pub(super) busy: Option<(Busy, Time)>,
    /// Whether it is being swapped out.
    pub(super) leaving: bool,
    /// The service that migrations will cost it, if rows take turns.
    pub(super) owes: Time,
}

impl Residence {
    fn done_by(&self, now: Time) -> i128 {
        self.done + i128::from((now - self.since).ticks().max(0)) * i128::from(self.rate.parts())
    }
}

impl General {
    pub(super) fn new(machine: &Machine) -> General {
        let free = (0..machine.nodes())
            .flat_map(|node| machine.amounts(node).into_iter().map(|amount| i128::from(amount) * WHOLE))
            .collect();
        General { free, residents: FxHashMap::default(), kept: FxHashMap::default() }
    }

    /// Adds to a free amount; returns the new amount, in whole units.
    pub(super) fn free_more(&mut self, at: usize, amount: i64) -> i64 {
        self.free[at] += i128::from(amount) * WHOLE;
        self.whole(at)
    }

    /// Returns a free amount in whole units.
    fn whole(&self, at: usize) -> i64 {
        self.free[at].div_euclid(WHOLE) as i64
    }

    pub(super) fn rate(&self, job: JobId) -> Rate {
        self.residents.get(&job).map_or(Rate::PAUSED, |residence| residence.rate)
    }

    /// Returns a resident job's processors on each of its nodes.
    pub(super) fn shares(&self, job: JobId) -> &[Share] {
        self.residents.get(&job).map_or(&[], |residence| &residence.placement.0)
    }

    pub(super) fn executed(&self, job: JobId, now: Time) -> Time {
        let done = match self.residents.get(&job) {
            Some(residence) => residence.done_by(now),
            None => self.kept.get(&job).copied().unwrap_or(0),
        };
        Time::from_ticks((done / WHOLE) as i64)
    }

    /// Returns the ticks of service that a resident job needs until its work is done and its migrations are paid for, given
    /// that it got `got` ticks since its residence was settled.
    pub(super) fn need(&self, job: JobId, run: Time, got: i64) -> i64 {
        let Some(residence) = self.residents.get(&job) else { return 0 };
        let left = i128::from(run.ticks() - got) * WHOLE - residence.done;
        let most = i64::MAX / 4;
        // Divisions of small numbers are many times faster.
        let ticks = match i64::try_from(left.max(0) + WHOLE - 1) {
            Ok(parts) => (parts / i64::from(Rate::WHOLE)).min(most),
            Err(_) => ((left + WHOLE - 1) / WHOLE).min(i128::from(most)) as i64,
        };
        ticks + residence.owes.ticks()
    }

    pub(super) fn done_at(&self, job: JobId, run: Time, now: Time) -> Option<Time> {
        let residence = self.residents.get(&job)?;
        let left = i128::from(run.ticks()) * WHOLE - residence.done_by(now);
        let parts = i128::from(residence.rate.parts());
        // A job ends at the first tick at which its work is done.
        let ticks = |parts: i128| ((left.max(0) + parts - 1) / parts).min(i128::from(i64::MAX)) as i64;
        (parts > 0).then(|| now.max(residence.since).saturating_add(Time::from_ticks(ticks(parts))))
    }
}

/// Returns the parts of each resource that a job takes on the nodes of a placement, as pairs
/// `(index into free, parts)`.
///
/// A job at rate 0 takes nothing of what suspended jobs give back.
fn takes(
    machine: &Machine,
    workload: &Workload,
    job: JobId,
    at: &Placement,
    (rate, releases): (Rate, Option<&[bool]>),
) -> Vec<(usize, i128)> {
    let releases = releases.filter(|_| rate == Rate::PAUSED);
    let mut takes = Vec::with_capacity(at.0.len() * machine.width());
    for share in &at.0 {
        let first = share.node as usize * machine.width();
        let whole = machine.devices().filter(|_| share.devices != 0);
        for (kind, resource) in machine.resources().iter().enumerate() {
            if releases.is_some_and(|releases| releases[kind]) {
                continue;
            }
            let capacity = machine.capacity(share.node as usize)[kind];
            let mut amount = workload.held_on(job, kind, share.procs, capacity);
            let parts = match resource.sharing {
                Sharing::Space => WHOLE,
                Sharing::Time => i128::from(rate.parts()),
            };
            if let Some(devices) = whole.filter(|devices| devices.resource() == kind) {
                amount = devices.held(amount);
                let each = i128::from(amount.min(devices.size())) * WHOLE;
                takes.extend(members(share.devices).map(|device| (first + devices.index(device), each)));
            }
            takes.push((first + kind, i128::from(amount) * parts));
        }
    }
    takes
}

impl Cluster {
    pub(super) fn place_general(
        &mut self,
        job: JobId,
        at: &Placement,
        rate: Rate,
        now: Time,
    ) -> Result<(), Reason> {
        let resident = self.state(job) == State::Resident;
        if !resident {
            self.jobs.expect(job, State::Waiting)?;
        }
        expect_cover(&self.machine, &self.workload, job, at)?;
        self.expect_no_turns(rate)?;
        self.turning.iter_mut().for_each(|turning| turning.taken = None);
        let before = resident.then(|| self.take_off(job, now));
        let taken = self.with_devices(job, at).and_then(|at| {
            self.take(job, &at, rate)?;
            Ok(at)
        });
        match taken {
            Ok(at) => self.settle_in(job, &at, rate, before.as_ref(), now),
            Err(reason) => {
                if let Some(old) = before {
                    self.put_back(job, old);
                }
                return Err(reason);
            }
        }
        Ok(())
    }

    /// Returns a placement with devices on each node: the devices that it names if they suit the job, otherwise chosen free
    /// devices. Without devices on the machine, it is the same placement.
    fn with_devices<'a>(&self, job: JobId, at: &'a Placement) -> Result<Cow<'a, Placement>, Reason> {
        let Some(devices) = self.machine.devices() else { return Ok(Cow::Borrowed(at)) };
        let kind = devices.resource();
        let mut at = Cow::Borrowed(at);
        for index in 0..at.0.len() {
            let share = at.0[index];
            let node = share.node as usize;
            let capacity = self.machine.capacity(node);
            let need = self.workload.held_on(job, kind, share.procs, capacity[kind]);
            if share.devices != 0 && devices.suits(share.devices, need, capacity) {
                continue;
            }
            let mut room = self.room(node).to_vec();
            let chosen = devices.choose(need, &room);
            devices.limit(&mut room);
            let resource = || self.machine.resources()[kind].name.clone();
            let full = || Reason::Oversubscribed { resource: resource(), node, need, free: room[kind] };
            let chosen = chosen.ok_or_else(full)?;
            if chosen != share.devices {
                at.to_mut().0[index].devices = chosen;
            }
        }
        Ok(at)
    }

    /// Records that a job is on nodes that were taken for it, and the cost of bringing it there.
    pub(super) fn settle_in(
        &mut self,
        job: JobId,
        at: &Placement,
        rate: Rate,
        before: Option<&Residence>,
        now: Time,
    ) {
        let loading = self.loading_time(job);
        let turning = self.turning.is_some();
        let ran = self.started(job).is_some();
        let Some(general) = &mut self.general else { return };
        let kept = general.kept.remove(&job);
        let (mut since, mut busy) = (now, None);
        match before {
            None if loading > Time::ZERO => {
                (since, busy) = (now + loading, Some((Busy::Swapping, now)));
            }
            None => {}
            // With rows, migrations are charged through `owes`.
            Some(old) if turning => busy = old.busy.filter(|_| old.since > now),
            Some(old) => {
                let moves = old.placement != *at && ran;
                let busy_before = (old.since - now).max(Time::ZERO);
                since = now + busy_before + if moves { self.costs.migrate } else { Time::ZERO };
                busy = (since > now).then_some((Busy::Migrating, now));
                self.services[job.index()].migrations += u32::from(moves);
            }
        }
        let done = before.map_or(kept.unwrap_or(0), |old| old.done);
        let owes = before.map_or(Time::ZERO, |old| old.owes);
        let placement = at.clone();
        let residence = Residence { placement, nodes: None, rate, since, done, busy, leaving: false, owes };
        general.residents.insert(job, residence);
        if !self.machine.is_pool() {
            self.moves.push((job, now, at.clone()));
        }
        if before.is_some() {
            self.jobs.run_at(job, rate, now);
        } else {
            self.jobs.enter(job, rate, now);
        }
    }

    /// Returns how long it would take to bring a waiting job into memory.
    pub(super) fn loading_time(&self, job: JobId) -> Time {
        let kept = self.general.as_ref().is_some_and(|general| general.kept.contains_key(&job));
        if self.state(job) == State::Waiting && (kept || self.costs.first_load) {
            return self.costs.swap_time(&self.machine, &self.workload, job);
        }
        Time::ZERO
    }

    pub(super) fn rate_general(&mut self, job: JobId, rate: Rate, now: Time) -> Result<(), Reason> {
        let old = self.take_off(job, now);
        if let Err(reason) = self.take(job, &old.placement, rate) {
            self.put_back(job, old);
            return Err(reason);
        }
        if rate == Rate::PAUSED && old.rate > rate && self.started(job).is_some_and(|start| start < now) {
            self.services[job.index()].suspensions += 1;
        }
        if let Some(general) = &mut self.general {
            general.residents.insert(job, Residence { rate, ..old });
        }
        self.jobs.run_at(job, rate, now);
        Ok(())
    }

    pub(super) fn run_only_general(&mut self, row: &[JobId], now: Time) -> Result<Vec<JobId>, Reason> {
        let Some(general) = &self.general else { return Err(Reason::Undeclared("time sharing")) };
        let mut before: Vec<(JobId, Rate)> =
            general.residents.iter().map(|(&job, residence)| (job, residence.rate)).collect();
        before.sort_unstable_by_key(|&(job, _)| job);
        let wanted = |job: JobId| if row.contains(&job) { Rate::FULL } else { Rate::PAUSED };
        let changes: Vec<(JobId, Rate)> =
            before.iter().filter(|(job, rate)| wanted(*job) != *rate).copied().collect();
        // Pausing first makes room; if a running job then does not fit, everything is undone.
        let (pausing, running): (Vec<_>, Vec<_>) =
            changes.iter().partition::<Vec<(JobId, Rate)>, _>(|(job, _)| wanted(*job) == Rate::PAUSED);
        for &(job, _) in &pausing {
            self.rate_general(job, Rate::PAUSED, now)?;
        }
        for (index, &(job, _)) in running.iter().enumerate() {
            if let Err(reason) = self.rate_general(job, Rate::FULL, now) {
                for &(job, rate) in running[..index].iter().chain(&pausing) {
                    self.rate_general(job, rate, now)?;
                }
                return Err(reason);
            }
        }
        Ok(changes.into_iter().map(|(job, _)| job).collect())
    }

    /// Takes a job off the machine, or begins to: returns when it will have left, if that takes time.
    pub(super) fn displace_general(
        &mut self,
        job: JobId,
        keep: bool,
        now: Time,
    ) -> Result<Option<Time>, Reason> {
        if self.general.is_none() {
            return Err(Reason::Undeclared("time sharing"));
        }
        self.settle(now);
        let ran_now = self.turning.as_ref().is_some_and(|turning| turning.ran_just_before(job));
        self.leave_rows(job, now);
        let old = self.take_off(job, now);
        let ran = self.started(job).is_some_and(|start| start < now);
        let ledger = &mut self.services[job.index()];
        ledger.suspensions += u32::from(ran && (old.rate > Rate::PAUSED || ran_now));
        ledger.swaps += u32::from(keep && ran);
        let swap =
            if keep && ran { self.costs.swap_time(&self.machine, &self.workload, job) } else { Time::ZERO };
        let Some(general) = &mut self.general else { return Ok(None) };
        if swap == Time::ZERO {
            if keep {
                general.kept.insert(job, old.done);
            }
            return Ok(None);
        }
        let until = now + swap;
        let busy = Some((Busy::Swapping, now));
        let leaving = Residence { rate: Rate::PAUSED, since: until, busy, leaving: true, ..old };
        // Its memory becomes free only when it has been written out.
        let taken = self.take(job, &leaving.placement, Rate::PAUSED);
        debug_assert!(taken.is_ok(), "a job fits where it was");
        if let Some(general) = &mut self.general {
            general.residents.insert(job, leaving);
        }
        Ok(Some(until))
    }

    /// Returns when the swap of a job, in or out, will be over.
    pub(super) fn swapping_until(&self, job: JobId) -> Option<Time> {
        let residence = self.general.as_ref()?.residents.get(&job)?;
        residence.busy.filter(|&(busy, _)| busy == Busy::Swapping).map(|_| residence.since)
    }

    /// Ends a swap that is due: returns whether it was a swap out; `None` if there is no such swap.
    pub(super) fn swap_general(&mut self, job: JobId, now: Time) -> Option<bool> {
        self.swapping_until(job).filter(|&until| until <= now)?;
        let residence = self.general.as_mut()?.residents.get_mut(&job)?;
        if residence.leaving {
            let old = self.take_off(job, now);
            self.general.as_mut()?.kept.insert(job, old.done);
            return Some(true);
        }
        let closed = residence.clone();
        residence.busy = None;
        self.close(job, &Residence { rate: Rate::PAUSED, ..closed }, now);
        Some(false)
    }

    pub(super) fn give_back_general(&mut self, job: JobId, now: Time) {
        self.leave_rows(job, now);
        self.take_off(job, now);
    }

    /// Frees the resources of a resident job, closes its stretch and returns its residence up to now.
    pub(super) fn take_off(&mut self, job: JobId, now: Time) -> Residence {
        self.settle_member(job);
        let Some(old) = self.general.as_mut().and_then(|general| general.residents.remove(&job)) else {
            return Residence { since: now, ..Residence::default() };
        };
        self.give_parts(job, &old.placement, old.rate);
        self.close(job, &old, now);
        let busy = old.busy.filter(|_| old.since > now).map(|(busy, _)| (busy, now));
        Residence { done: old.done_by(now), since: old.since.max(now), busy, ..old }
    }

    /// Records the work of a job since its last record.
    pub(super) fn close(&mut self, job: JobId, old: &Residence, now: Time) {
        let mut from = old.since;
        if let Some((busy, begun)) = old.busy {
            let to = old.since.min(now);
            if to > begun {
                self.stretches.push(Stretch { job, from: begun, to, rate: old.rate, busy: Some(busy) });
                let ledger = &mut self.services[job.index()];
                match busy {
                    Busy::Migrating => ledger.migrating += to - begun,
                    Busy::Swapping => ledger.swapping += to - begun,
                }
            }
            from = to.max(old.since);
        }
        if now > from {
            self.stretches.push(Stretch { job, from, to: now, rate: old.rate, busy: None });
        }
    }

    pub(super) fn put_back(&mut self, job: JobId, old: Residence) {
        // The resources were free a moment ago, and still are.
        let taken = self.take(job, &old.placement, old.rate);
        debug_assert!(taken.is_ok(), "a job fits where it was");
        if let Some(general) = &mut self.general {
            general.residents.insert(job, old);
        }
    }

    /// Frees the resources that a job held on nodes at a rate.
    pub(super) fn give_parts(&mut self, job: JobId, at: &Placement, rate: Rate) {
        let Some(general) = &mut self.general else { return };
        let releases = self.suspended.as_ref().map(|suspended| &suspended.releases[..]);
        let takes = takes(&self.machine, &self.workload, job, at, (rate, releases));
        for &(index, parts) in &takes {
            general.free[index] += parts;
        }
        self.room.set(true, takes.iter().map(|&(index, _)| (index, general.whole(index))));
    }

    pub(super) fn take(&mut self, job: JobId, at: &Placement, rate: Rate) -> Result<(), Reason> {
        let Some(general) = &mut self.general else { return Ok(()) };
        let releases = self.suspended.as_ref().map(|suspended| &suspended.releases[..]);
        let takes = takes(&self.machine, &self.workload, job, at, (rate, releases));
        for (done, &(index, parts)) in takes.iter().enumerate() {
            if parts > general.free[index] {
                for &(index, parts) in &takes[..done] {
                    general.free[index] += parts;
                }
                let width = self.machine.width();
                return Err(Reason::Oversubscribed {
                    resource: self.machine.name_of(index % width).to_owned(),
                    node: index / width,
                    need: ((parts + WHOLE - 1) / WHOLE) as i64,
                    free: general.whole(index),
                });
            }
            general.free[index] -= parts;
        }
        self.room.set(false, takes.iter().map(|&(index, _)| (index, general.whole(index))));
        Ok(())
    }
}
