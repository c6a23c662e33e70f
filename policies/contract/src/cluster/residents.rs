//! The jobs on the machine on the general path: any nodes, any rates, progress kept; and the record of how each spent its time.

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use super::columns::Columns;
use super::common::Common;
use super::members::Got;
use super::record::{Busy, Stretch, TimeSpent};
use super::room::WHOLE;
use super::states::State;
use crate::costs::Costs;
use crate::cycle::Checkpoint;
use crate::placement::{Placement, Rate, Share};
use crate::refused::Reason;

/// The moves of a cycle: job, new placement, and its residence before.
pub(super) type Moves<'a> = Vec<(JobId, &'a Placement, Option<Residence>)>;

#[derive(Debug, Clone, Default)]
pub(super) struct Residence {
    placement: Placement,
    /// Its nodes, if it is in rows and does not oversubscribe any of them alone.
    nodes: Option<Columns>,
    rate: Rate,
    /// The instant from which it makes progress at the rate; `done` counts up to then.
    since: Time,
    /// Ticks × parts executed.
    done: i128,
    /// What delays its progress, and the instant at which the delay began; it lasts until `since`.
    busy: Option<(Busy, Time)>,
    /// Whether it is being swapped out.
    leaving: bool,
    /// The service that migrations will cost it, if rows take turns.
    owes: Time,
}

impl Residence {
    pub(super) fn new(placement: Placement, rate: Rate) -> Residence {
        Residence { placement, rate, ..Residence::default() }
    }

    pub(super) fn placement(&self) -> &Placement {
        &self.placement
    }

    pub(super) fn nodes(&self) -> Option<&Columns> {
        self.nodes.as_ref()
    }

    pub(super) fn is_busy(&self) -> bool {
        self.busy.is_some()
    }

    fn done_by(&self, now: Time) -> i128 {
        self.done + i128::from((now - self.since).ticks().max(0)) * i128::from(self.rate.parts())
    }
}

/// Residences, and the records of the time that jobs spent on the machine.
#[derive(Debug)]
pub(super) struct Residents {
    by_job: FxHashMap<JobId, Residence>,
    /// Ticks × parts executed by jobs that were displaced and kept their progress.
    kept: FxHashMap<JobId, i128>,
    costs: Costs,
    services: Vec<TimeSpent>,
    stretches: Vec<Stretch>,
    moves: Vec<(JobId, Time, Placement)>,
}

impl Residents {
    pub(super) fn new(jobs: usize, costs: Costs) -> Residents {
        Residents {
            by_job: FxHashMap::default(),
            kept: FxHashMap::default(),
            costs,
            services: vec![TimeSpent::default(); jobs],
            stretches: Vec::new(),
            moves: Vec::new(),
        }
    }

    pub(super) fn costs(&self) -> &Costs {
        &self.costs
    }

    pub(super) fn get(&self, job: JobId) -> Option<&Residence> {
        self.by_job.get(&job)
    }

    pub(super) fn rate(&self, job: JobId) -> Rate {
        self.by_job.get(&job).map_or(Rate::PAUSED, |residence| residence.rate)
    }

    /// Returns the rates of all jobs on the machine, by job. O(n log n).
    pub(super) fn rates(&self) -> Vec<(JobId, Rate)> {
        let mut rates: Vec<_> = self.by_job.iter().map(|(&job, residence)| (job, residence.rate)).collect();
        rates.sort_unstable_by_key(|&(job, _)| job);
        rates
    }

    pub(super) fn shares(&self, job: JobId) -> &[Share] {
        self.by_job.get(&job).map_or(&[], |residence| &residence.placement.0)
    }

    /// Returns for how long a job has executed at full speed, without its service in rows.
    pub(super) fn executed(&self, job: JobId, now: Time) -> Time {
        let done = match self.by_job.get(&job) {
            Some(residence) => residence.done_by(now),
            None => self.kept.get(&job).copied().unwrap_or(0),
        };
        Time::from_ticks((done / WHOLE) as i64)
    }

    /// Returns the ticks of service that a resident job needs until its work is done and its migrations are paid for, given
    /// that it got `got` ticks since its residence was settled.
    pub(super) fn need(&self, job: JobId, run: Time, got: i64) -> i64 {
        let Some(residence) = self.by_job.get(&job) else { return 0 };
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
        let residence = self.by_job.get(&job)?;
        let left = i128::from(run.ticks()) * WHOLE - residence.done_by(now);
        let parts = i128::from(residence.rate.parts());
        // A job ends at the first tick at which its work is done.
        let ticks = |parts: i128| ((left.max(0) + parts - 1) / parts).min(i128::from(i64::MAX)) as i64;
        (parts > 0).then(|| now.max(residence.since).saturating_add(Time::from_ticks(ticks(parts))))
    }

    /// Records that a job is on nodes that were taken for it, and the cost of bringing it there; `before` is its stay until now.
    /// While rows take turns, migrations are charged by [`Residents::charge`].
    pub(super) fn settle_in(
        &mut self,
        common: &mut Common,
        job: JobId,
        new: Residence,
        before: Option<&Residence>,
        turns: bool,
        now: Time,
    ) {
        let loading = self.loading_time(common, job);
        let kept = self.kept.remove(&job);
        let (mut since, mut busy) = (now, None);
        match before {
            None if loading > Time::ZERO => {
                (since, busy) = (now + loading, Some((Busy::Swapping, now)));
            }
            None => {}
            Some(old) if turns => busy = old.busy.filter(|_| old.since > now),
            Some(old) => {
                let moves = old.placement != new.placement && common.jobs().started(job).is_some();
                let busy_before = (old.since - now).max(Time::ZERO);
                since = now + busy_before + if moves { self.costs.migrate } else { Time::ZERO };
                busy = (since > now).then_some((Busy::Migrating, now));
                self.services[job.index()].migrations += u32::from(moves);
            }
        }
        let done = before.map_or(kept.unwrap_or(0), |old| old.done);
        let owes = before.map_or(Time::ZERO, |old| old.owes);
        if !common.machine().is_pool() {
            self.moves.push((job, now, new.placement.clone()));
        }
        match before {
            Some(_) => common.jobs_mut().run_at(job, new.rate, now),
            None => common.jobs_mut().enter(job, new.rate, now),
        }
        self.by_job.insert(job, Residence { since, done, busy, owes, ..new });
    }

    pub(super) fn set_nodes(&mut self, job: JobId, nodes: Option<Columns>) {
        if let Some(residence) = self.by_job.get_mut(&job) {
            residence.nodes = nodes;
        }
    }

    /// Returns how long it would take to bring a waiting job into memory.
    pub(super) fn loading_time(&self, common: &Common, job: JobId) -> Time {
        let loads = self.costs.first_load || self.kept.contains_key(&job);
        if common.jobs().of(job) == State::Waiting && loads {
            return self.costs.swap_time(common.machine(), common.workload(), job);
        }
        Time::ZERO
    }

    pub(super) fn set_rate(
        &mut self,
        common: &mut Common,
        job: JobId,
        rate: Rate,
        now: Time,
    ) -> Result<(), Reason> {
        let old = self.take_off(common, job, now);
        if let Err(reason) = common.take(job, &old.placement, rate) {
            self.put_back(common, job, old);
            return Err(reason);
        }
        if rate == Rate::PAUSED
            && old.rate > rate
            && common.jobs().started(job).is_some_and(|start| start < now)
        {
            self.services[job.index()].suspensions += 1;
        }
        self.by_job.insert(job, Residence { rate, ..old });
        common.jobs_mut().run_at(job, rate, now);
        Ok(())
    }

    /// Takes a job that is in no row off the machine, or begins to: returns when it will have left, if that takes time. `ran_now`
    /// says whether it ran just before in a row.
    pub(super) fn displace(
        &mut self,
        common: &mut Common,
        job: JobId,
        keep: bool,
        ran_now: bool,
        now: Time,
    ) -> Option<Time> {
        let old = self.take_off(common, job, now);
        let ran = common.jobs().started(job).is_some_and(|start| start < now);
        let spent = &mut self.services[job.index()];
        spent.suspensions += u32::from(ran && (old.rate > Rate::PAUSED || ran_now));
        spent.swaps += u32::from(keep && ran);
        let swaps = keep && ran;
        let swap =
            if swaps { self.costs.swap_time(common.machine(), common.workload(), job) } else { Time::ZERO };
        if swap == Time::ZERO {
            if keep {
                self.kept.insert(job, old.done);
            }
            return None;
        }
        let until = now + swap;
        let busy = Some((Busy::Swapping, now));
        // Its memory becomes free only when it has been written out.
        self.put_back(
            common,
            job,
            Residence { rate: Rate::PAUSED, since: until, busy, leaving: true, ..old },
        );
        Some(until)
    }

    pub(super) fn is_leaving(&self, job: JobId) -> bool {
        self.by_job.get(&job).is_some_and(|residence| residence.leaving)
    }

    /// Returns when the swap of a job, in or out, will be over.
    pub(super) fn swapping_until(&self, job: JobId) -> Option<Time> {
        let residence = self.by_job.get(&job)?;
        residence.busy.filter(|&(busy, _)| busy == Busy::Swapping).map(|_| residence.since)
    }

    /// Ends the swap of a job that is in no row: returns whether it was a swap out; `None` if no such swap is due.
    pub(super) fn swapped(&mut self, common: &mut Common, job: JobId, now: Time) -> Option<bool> {
        self.swapping_until(job).filter(|&until| until <= now)?;
        let residence = self.by_job.get_mut(&job)?;
        if residence.leaving {
            let old = self.take_off(common, job, now);
            self.kept.insert(job, old.done);
            return Some(true);
        }
        let closed = Residence { rate: Rate::PAUSED, ..residence.clone() };
        residence.busy = None;
        self.close(job, &closed, now);
        Some(false)
    }

    /// Frees the resources of a resident job, whose service in rows is settled, closes its stretch and returns its residence up to
    /// now.
    pub(super) fn take_off(&mut self, common: &mut Common, job: JobId, now: Time) -> Residence {
        let Some(old) = self.by_job.remove(&job) else {
            return Residence { since: now, ..Residence::default() };
        };
        common.give(job, &old.placement, old.rate);
        self.close(job, &old, now);
        let busy = old.busy.filter(|_| old.since > now).map(|(busy, _)| (busy, now));
        Residence { done: old.done_by(now), since: old.since.max(now), busy, ..old }
    }

    /// Puts a job back that was taken off within this call.
    pub(super) fn put_back(&mut self, common: &mut Common, job: JobId, old: Residence) {
        // The resources were free a moment ago, and still are.
        let taken = common.take(job, &old.placement, old.rate);
        debug_assert!(taken.is_ok(), "a job fits where it was");
        self.by_job.insert(job, old);
    }

    /// Records the work of a job since its last record.
    fn close(&mut self, job: JobId, old: &Residence, now: Time) {
        let mut from = old.since;
        if let Some((busy, begun)) = old.busy {
            let to = old.since.min(now);
            if to > begun {
                self.stretches.push(Stretch { job, from: begun, to, rate: old.rate, busy: Some(busy) });
                let spent = &mut self.services[job.index()];
                match busy {
                    Busy::Migrating => spent.migrating += to - begun,
                    Busy::Swapping => spent.swapping += to - begun,
                }
            }
            from = to.max(old.since);
        }
        if now > from {
            self.stretches.push(Stretch { job, from, to: now, rate: old.rate, busy: None });
        }
    }

    /// A paused job comes into rows: from now on its progress is its service in rows.
    pub(super) fn enter_rows(&mut self, job: JobId, now: Time) {
        let Some(residence) = self.by_job.get_mut(&job) else { return };
        let closed = Residence { placement: Placement::default(), nodes: None, ..*residence };
        residence.since = now;
        residence.busy = None;
        self.close(job, &closed, now);
    }

    /// Adds the service of a job in rows up to an instant to its progress.
    pub(super) fn serve(&mut self, job: JobId, until: Time, got: impl FnOnce() -> Got) {
        let Some(residence) = self.by_job.get_mut(&job) else { return };
        let got = got();
        residence.done += i128::from(got.service) * WHOLE;
        residence.since = until;
        let spent = &mut self.services[job.index()];
        spent.switching += Time::from_ticks(got.held - got.service);
        spent.suspensions = (i64::from(spent.suspensions) + got.stops) as u32;
    }

    pub(super) fn owes(&self, job: JobId) -> Time {
        self.by_job.get(&job).map_or(Time::ZERO, |residence| residence.owes)
    }

    /// A job pays ticks of its service for its migrations.
    pub(super) fn pay(&mut self, job: JobId, paid: i64, now: Time) {
        let Some(residence) = self.by_job.get_mut(&job) else { return };
        residence.owes -= Time::from_ticks(paid);
        residence.done -= i128::from(paid) * WHOLE;
        residence.since = now;
        self.services[job.index()].migrating += Time::from_ticks(paid);
    }

    /// Charges migrations by equations 4 and 5 of Zhang et al. 2000: C to each job that moves, and C/2 for each checkpoint to each
    /// job that waits for it. Returns the jobs that owe more than before.
    ///
    /// A job that has not run has no checkpoint. A job that moves itself does not also wait for others.
    pub(super) fn charge(
        &mut self,
        common: &Common,
        checkpoints: &[Checkpoint],
        moves: &Moves<'_>,
    ) -> Vec<JobId> {
        let mut debtors: Vec<JobId> = Vec::new();
        let mut left: SortedMap<JobId, Placement> = SortedMap::new();
        for (job, place, before) in moves {
            let Some(before) = before.as_ref().filter(|before| before.placement != **place) else { continue };
            if common.jobs().started(*job).is_none() {
                continue;
            }
            self.services[job.index()].migrations += 1;
            self.owe(*job, self.costs.migrate, &mut debtors);
            left.insert(*job, before.placement.clone());
        }
        if left.is_empty() {
            return debtors;
        }
        let mut freed = vec![false; common.machine().nodes()];
        for checkpoint in checkpoints {
            let places = || checkpoint.leaving.iter().filter_map(|job| left.get(job));
            let nodes = || places().flat_map(|place| &place.0);
            nodes().for_each(|share| freed[share.node as usize] = true);
            for &job in checkpoint.waiting.iter().filter(|job| !left.contains_key(job)) {
                // A job that a later migration of the same event has moved elsewhere does not wait.
                if self.shares(job).iter().any(|share| freed[share.node as usize]) {
                    self.owe(job, self.half(), &mut debtors);
                }
            }
            nodes().for_each(|share| freed[share.node as usize] = false);
        }
        debtors
    }

    /// Charges each migration by itself: C to each job that leaves, and C/2 to each that waits for its checkpoint. A job that has
    /// not run has no checkpoint. Returns the jobs that owe more than before.
    pub(super) fn charge_steps(&mut self, common: &Common, checkpoints: &[Checkpoint]) -> Vec<JobId> {
        let mut debtors: Vec<JobId> = Vec::new();
        for checkpoint in checkpoints {
            let ran = checkpoint.leaving.iter().filter(|job| common.jobs().started(**job).is_some());
            let leaving: Vec<JobId> = ran.copied().collect();
            for &job in &leaving {
                self.services[job.index()].migrations += 1;
                self.owe(job, self.costs.migrate, &mut debtors);
            }
            if !leaving.is_empty() {
                checkpoint.waiting.iter().for_each(|&job| self.owe(job, self.half(), &mut debtors));
            }
        }
        debtors
    }

    /// Returns the cost of a checkpoint, or of a restart.
    fn half(&self) -> Time {
        Time::from_ticks(self.costs.migrate.ticks() / 2)
    }

    fn owe(&mut self, job: JobId, cost: Time, debtors: &mut Vec<JobId>) {
        if let Some(residence) = self.by_job.get_mut(&job) {
            residence.owes += cost;
            debtors.push(job);
        }
    }

    pub(super) fn take_services(&mut self) -> Vec<TimeSpent> {
        std::mem::take(&mut self.services)
    }

    pub(super) fn drain_stretches(&mut self) -> std::vec::Drain<'_, Stretch> {
        self.stretches.drain(..)
    }

    pub(super) fn drain_moves(&mut self) -> std::vec::Drain<'_, (JobId, Time, Placement)> {
        self.moves.drain(..)
    }
}
