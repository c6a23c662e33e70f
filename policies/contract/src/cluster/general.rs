//! The general path: any nodes, any rates, progress kept, and rows that take turns.
//!
//! On every node, at every instant: Σ share ≤ capacity of each *space* resource, and Σ share × rate ≤ capacity of each *time*
//! resource. Sums are whole numbers: time resources are counted in parts of [`Rate::WHOLE`].

use batchlab_traces::{JobId, Time};
use rustc_hash::FxHashMap;

use super::common::Common;
use super::record::TimeSpent;
use super::residents::{Moves, Residence, Residents};
use super::row_check::{NodeSets, RowCheck};
use super::states::State;
use super::turning::{Manner, Turning};
use crate::costs::{Costs, MigrationCharge};
use crate::cycle::{Cycle, CycleChanges};
use crate::placement::{Placement, Rate};
use crate::refused::Reason;

#[derive(Debug)]
pub(super) struct General {
    residents: Residents,
    turning: Turning,
}

impl General {
    pub(super) fn new(jobs: usize, costs: Costs) -> General {
        General { residents: Residents::new(jobs, costs), turning: Turning::default() }
    }

    pub(super) fn residents(&self) -> &Residents {
        &self.residents
    }

    pub(super) fn residents_mut(&mut self) -> &mut Residents {
        &mut self.residents
    }

    pub(super) fn turning(&self) -> &Turning {
        &self.turning
    }

    pub(super) fn turning_mut(&mut self) -> &mut Turning {
        &mut self.turning
    }

    pub(super) fn executed(&self, job: JobId, now: Time) -> Time {
        let got = self.turning.service(job, now) - self.residents.owes(job).ticks();
        self.residents.executed(job, now) + Time::from_ticks(self.turning.unsettled(job) + got.max(0))
    }

    pub(super) fn done_at(&self, common: &Common, job: JobId, run: Time, now: Time) -> Option<Time> {
        if !self.turning.has(job) {
            return self.residents.done_at(job, run, now);
        }
        match self.residents.need(job, run, self.turning.unsettled(job)) {
            // The job finished at the end of its slice; another job that finished at the same instant was reported before it.
            0 if run > Time::ZERO || common.jobs().started(job).is_some() => Some(now),
            need => self.turning.reached(job, need),
        }
    }

    pub(super) fn place(
        &mut self,
        common: &mut Common,
        job: JobId,
        at: &Placement,
        rate: Rate,
        now: Time,
    ) -> Result<(), Reason> {
        let resident = common.jobs().of(job) == State::Resident;
        if !resident {
            common.jobs().expect(job, State::Waiting)?;
        }
        common.expect_cover(job, at)?;
        self.turning.expect_none(rate)?;
        self.turning.take_nodes();
        let before = resident.then(|| self.take_off(common, job, now));
        let taken = common.with_devices(job, at).and_then(|at| {
            common.take(job, &at, rate)?;
            Ok(at)
        });
        match taken {
            Ok(at) => {
                let new = Residence::new(at.into_owned(), rate);
                self.residents.settle_in(common, job, new, before.as_ref(), self.turning.is_on(), now);
                Ok(())
            }
            Err(reason) => {
                if let Some(old) = before {
                    self.residents.put_back(common, job, old);
                }
                Err(reason)
            }
        }
    }

    pub(super) fn set_rate(
        &mut self,
        common: &mut Common,
        job: JobId,
        rate: Rate,
        now: Time,
    ) -> Result<(), Reason> {
        self.turning.settle_member(&mut self.residents, job);
        self.residents.set_rate(common, job, rate, now)
    }

    /// Makes exactly these jobs run at full speed, in no rows; returns the jobs whose rates changed.
    pub(super) fn run_only(
        &mut self,
        common: &mut Common,
        row: &[JobId],
        now: Time,
    ) -> Result<Vec<JobId>, Reason> {
        self.turning.settle(&mut self.residents, common.jobs_mut(), now);
        self.turning.stop(&mut self.residents);
        let wanted = |job: JobId| if row.contains(&job) { Rate::FULL } else { Rate::PAUSED };
        let mut changes = self.residents.rates();
        changes.retain(|&(job, rate)| wanted(job) != rate);
        // Pausing first makes room; if a running job then does not fit, everything is undone.
        let (pausing, running): (Vec<_>, Vec<_>) =
            changes.iter().partition::<Vec<(JobId, Rate)>, _>(|(job, _)| wanted(*job) == Rate::PAUSED);
        for &(job, _) in &pausing {
            self.set_rate(common, job, Rate::PAUSED, now)?;
        }
        for (index, &(job, _)) in running.iter().enumerate() {
            if let Err(reason) = self.set_rate(common, job, Rate::FULL, now) {
                for &(job, rate) in running[..index].iter().chain(&pausing) {
                    self.set_rate(common, job, rate, now)?;
                }
                return Err(reason);
            }
        }
        Ok(changes.into_iter().map(|(job, _)| job).collect())
    }

    pub(super) fn displace(
        &mut self,
        common: &mut Common,
        job: JobId,
        keep: bool,
        now: Time,
    ) -> Option<Time> {
        self.turning.settle(&mut self.residents, common.jobs_mut(), now);
        let ran_now = self.turning.ran_just_before(job);
        self.turning.leave(&mut self.residents, common.jobs_mut(), job, now);
        self.residents.displace(common, job, keep, ran_now, now)
    }

    pub(super) fn give_back(&mut self, common: &mut Common, job: JobId, now: Time) {
        self.turning.leave(&mut self.residents, common.jobs_mut(), job, now);
        self.take_off(common, job, now);
    }

    fn take_off(&mut self, common: &mut Common, job: JobId, now: Time) -> Residence {
        self.turning.settle_member(&mut self.residents, job);
        self.residents.take_off(common, job, now)
    }

    pub(super) fn cycle(
        &mut self,
        common: &mut Common,
        cycle: &Cycle,
        places: &[(JobId, Placement)],
        now: Time,
    ) -> Result<(), (JobId, Reason)> {
        let sets = self.check(common).rows(cycle, places)?;
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
        let mut leave: Vec<JobId> = self.turning.jobs().filter(|job| !places_of.contains_key(job)).collect();
        leave.sort_unstable();
        jobs.extend(leave.into_iter().map(|job| (job, Vec::new())));
        self.turning.take_nodes();
        let Cycle { slice, resume, checkpoints, .. } = cycle;
        let manner = Manner { rows: cycle.rows.len(), slice: *slice, resume: *resume, checkpoints };
        self.turn(common, &manner, &jobs, (places, sets), now)
    }

    pub(super) fn change_cycle(
        &mut self,
        common: &mut Common,
        changes: &CycleChanges,
        places: &[(JobId, Placement)],
        now: Time,
    ) -> Result<(), (JobId, Reason)> {
        let known = self.turning.take_nodes();
        let sets = match self.check(common).changes(changes, places, known) {
            Some((sets, taken)) => {
                self.turning.note_nodes(taken);
                sets
            }
            None => self.check(common).rows(&self.whole(changes), places)?,
        };
        let CycleChanges { rows, slice, resume, checkpoints, .. } = changes;
        let manner = Manner { rows: *rows, slice: *slice, resume: *resume, checkpoints };
        self.turn(common, &manner, &changes.jobs, (places, sets), now)
    }

    fn check<'a>(&'a self, common: &'a Common) -> RowCheck<'a> {
        RowCheck { common, residents: &self.residents, turning: &self.turning }
    }

    /// Brings jobs into rows, after putting those of `places` on their nodes.
    fn turn(
        &mut self,
        common: &mut Common,
        manner: &Manner<'_>,
        jobs: &[(JobId, Vec<u32>)],
        (places, sets): (&[(JobId, Placement)], NodeSets),
        now: Time,
    ) -> Result<(), (JobId, Reason)> {
        let settled = self.turning.account(&mut self.residents, common.jobs_mut(), now);
        let put = self.put(common, places, sets, now);
        if put.is_err() {
            self.turning.take_nodes();
            if settled {
                self.turning.derive_rows(&mut self.residents);
            }
        }
        let moves = put?;
        let costs = *self.residents.costs();
        let debtors = match costs.migrate_charge {
            MigrationCharge::Event => self.residents.charge(common, manner.checkpoints, &moves),
            MigrationCharge::Step => self.residents.charge_steps(common, manner.checkpoints),
        };
        self.turning.in_debt(debtors);
        self.enter_rows(common, jobs, now);
        let elsewhere = moves.iter().filter(|(.., before)| before.is_some()).map(|&(job, ..)| job).collect();
        self.turning.change(&mut self.residents, common.jobs(), manner, jobs, elsewhere, now);
        Ok(())
    }

    /// Puts jobs on their new nodes, all in one step; returns where they were.
    fn put<'a>(
        &mut self,
        common: &mut Common,
        places: &'a [(JobId, Placement)],
        mut sets: NodeSets,
        now: Time,
    ) -> Result<Moves<'a>, (JobId, Reason)> {
        if let Some((job, _)) = places.first().filter(|_| common.machine().devices().is_some()) {
            let state = "cannot be in a row on a machine with devices";
            return Err((*job, Reason::State { state }));
        }
        let mut moves: Moves<'a> = Vec::with_capacity(places.len());
        for (job, place) in places {
            let resident = common.jobs().of(*job) == State::Resident;
            moves.push((*job, place, resident.then(|| self.take_off(common, *job, now))));
        }
        for (done, (job, place, _)) in moves.iter().enumerate() {
            if let Err(reason) = common.take(*job, place, Rate::PAUSED) {
                let refused = (*job, reason);
                for (job, place, _) in &moves[..done] {
                    common.give(*job, place, Rate::PAUSED);
                }
                for (job, _, before) in moves {
                    if let Some(before) = before {
                        self.residents.put_back(common, job, before);
                    }
                }
                return Err(refused);
            }
        }
        for (job, place, before) in &moves {
            let new = Residence::new((*place).clone(), Rate::PAUSED);
            self.residents.settle_in(common, *job, new, before.as_ref(), self.turning.is_on(), now);
            self.residents.set_nodes(*job, sets.remove(job).flatten());
        }
        Ok(moves)
    }

    /// Brings jobs into rows; until now they were paused or ran at a rate. O(jobs on the machine) if there were none in rows.
    fn enter_rows(&mut self, common: &mut Common, jobs: &[(JobId, Vec<u32>)], now: Time) {
        // Beside rows no job runs at a rate.
        if !self.turning.any() {
            let mut running = self.residents.rates();
            running.retain(|&(_, rate)| rate > Rate::PAUSED);
            self.turning.reorder_all(!running.is_empty());
            for (job, _) in running {
                // Pausing only frees resources and is never refused.
                let _ = self.set_rate(common, job, Rate::PAUSED, now);
            }
        }
        for (job, _) in jobs.iter().filter(|(job, rows)| !rows.is_empty() && !self.turning.has(*job)) {
            self.residents.enter_rows(*job, now);
        }
    }

    /// Returns the whole cycle that changes lead to.
    fn whole(&self, changes: &CycleChanges) -> Cycle {
        let mut rows = vec![Vec::new(); changes.rows];
        let replaced: FxHashMap<JobId, &[u32]> =
            changes.jobs.iter().map(|(job, rows)| (*job, &rows[..])).collect();
        let members = self.turning.jobs().filter(|job| !replaced.contains_key(job));
        let mut jobs: Vec<JobId> = members.chain(replaced.keys().copied()).collect();
        jobs.sort_unstable();
        for job in jobs {
            for &row in replaced.get(&job).copied().unwrap_or_else(|| self.turning.rows_of(job)) {
                rows[row as usize].push(job);
            }
        }
        let CycleChanges { slice, resume, checkpoints, .. } = changes;
        Cycle { rows, slice: *slice, resume: *resume, checkpoints: checkpoints.clone() }
    }

    pub(super) fn take_services(&mut self) -> Vec<TimeSpent> {
        self.turning.settle_members(&mut self.residents);
        self.residents.take_services()
    }
}
