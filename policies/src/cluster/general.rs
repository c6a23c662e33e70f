//! The general path: any nodes, any rates, progress that is kept.
//!
//! On every node, at every instant: Σ share ≤ capacity of each *space* resource, and Σ share × rate ≤
//! capacity of each *time* resource. Sums are whole numbers: time resources are counted in parts of
//! [`Rate::WHOLE`].

use std::collections::BTreeMap;

use batchlab_traces::machine::Sharing;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::{Cluster, State, Stretch};
use crate::placement::{Placement, Rate};
use crate::refused::Reason;

const WHOLE: i128 = Rate::WHOLE as i128;

#[derive(Debug)]
pub(super) struct General {
    /// Free parts (amount × [`Rate::WHOLE`]), node by node.
    free: Vec<i128>,
    residents: BTreeMap<JobId, Residence>,
    /// Ticks × parts executed by jobs that were displaced with their progress kept.
    kept: BTreeMap<JobId, i128>,
}

#[derive(Debug, Clone)]
struct Residence {
    placement: Placement,
    rate: Rate,
    /// When the rate was set; `done` counts up to then.
    since: Time,
    /// Ticks × parts executed.
    done: i128,
}

impl Residence {
    fn done_by(&self, now: Time) -> i128 {
        self.done + i128::from((now - self.since).ticks()) * i128::from(self.rate.parts())
    }
}

impl General {
    pub(super) fn new(machine: &Machine) -> General {
        let free = (0..machine.nodes())
            .flat_map(|node| machine.capacity(node).iter().map(|&amount| i128::from(amount) * WHOLE))
            .collect();
        General { free, residents: BTreeMap::new(), kept: BTreeMap::new() }
    }

    pub(super) fn rate(&self, job: JobId) -> Rate {
        self.residents.get(&job).map_or(Rate::PAUSED, |residence| residence.rate)
    }

    pub(super) fn placement(&self, job: JobId) -> Placement {
        self.residents.get(&job).map(|residence| residence.placement.clone()).unwrap_or_default()
    }

    pub(super) fn executed(&self, job: JobId, now: Time) -> Time {
        let done = match self.residents.get(&job) {
            Some(residence) => residence.done_by(now),
            None => self.kept.get(&job).copied().unwrap_or(0),
        };
        Time::from_ticks((done / WHOLE) as i64)
    }

    pub(super) fn done_at(&self, job: JobId, run: Time, now: Time) -> Option<Time> {
        let residence = self.residents.get(&job)?;
        let left = i128::from(run.ticks()) * WHOLE - residence.done_by(now);
        let parts = i128::from(residence.rate.parts());
        // A job ends at the first tick at which its work is done.
        let ticks = |parts: i128| ((left.max(0) + parts - 1) / parts).min(i128::from(i64::MAX)) as i64;
        (parts > 0).then(|| now.saturating_add(Time::from_ticks(ticks(parts))))
    }
}

/// Parts of each resource that a job takes on the nodes of a placement: `(index into free, parts)`.
fn takes(
    machine: &Machine,
    workload: &Workload,
    job: JobId,
    at: &Placement,
    rate: Rate,
) -> Vec<(usize, i128)> {
    let mut takes = Vec::with_capacity(at.0.len() * machine.kinds());
    for share in &at.0 {
        for (kind, resource) in machine.resources().iter().enumerate() {
            let amount = i128::from(workload.held(job, kind, share.procs));
            let parts = match resource.sharing {
                Sharing::Space => WHOLE,
                Sharing::Time => i128::from(rate.parts()),
            };
            takes.push((share.node as usize * machine.kinds() + kind, amount * parts));
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
        let resident = self.states.get(job.index()) == Some(&State::Resident);
        if !resident {
            self.expect_state(job, State::Waiting)?;
        }
        self.expect_cover(job, at)?;
        let before = resident.then(|| self.take_off(job, now));
        if let Err(reason) = self.take(job, at, rate) {
            if let Some(old) = before {
                self.put_back(job, old);
            }
            return Err(reason);
        }
        let Some(general) = &mut self.general else { return Ok(()) };
        let done = before.map_or_else(|| general.kept.remove(&job).unwrap_or(0), |old| old.done);
        general.residents.insert(job, Residence { placement: at.clone(), rate, since: now, done });
        if !self.machine.is_pool() {
            self.moves.push((job, now, at.clone()));
        }
        if resident {
            self.note_start(job, rate, now);
        } else {
            self.enter(job, rate, now);
        }
        Ok(())
    }

    pub(super) fn rate_general(&mut self, job: JobId, rate: Rate, now: Time) -> Result<(), Reason> {
        let old = self.take_off(job, now);
        if let Err(reason) = self.take(job, &old.placement, rate) {
            self.put_back(job, old);
            return Err(reason);
        }
        if let Some(general) = &mut self.general {
            general.residents.insert(job, Residence { rate, ..old });
        }
        self.note_start(job, rate, now);
        Ok(())
    }

    pub(super) fn run_only_general(&mut self, row: &[JobId], now: Time) -> Result<Vec<JobId>, Reason> {
        let Some(general) = &self.general else { return Err(Reason::Undeclared("time sharing")) };
        let before: Vec<(JobId, Rate)> =
            general.residents.iter().map(|(&job, residence)| (job, residence.rate)).collect();
        let wanted = |job: JobId| if row.contains(&job) { Rate::FULL } else { Rate::PAUSED };
        let changes: Vec<(JobId, Rate)> =
            before.iter().filter(|(job, rate)| wanted(*job) != *rate).copied().collect();
        // Pausing first makes room; should a running one then not fit, everything is put back.
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

    pub(super) fn displace_general(&mut self, job: JobId, keep: bool, now: Time) -> Result<(), Reason> {
        if self.general.is_none() {
            return Err(Reason::Undeclared("time sharing"));
        }
        let old = self.take_off(job, now);
        if let Some(general) = self.general.as_mut().filter(|_| keep) {
            general.kept.insert(job, old.done);
        }
        Ok(())
    }

    pub(super) fn give_back_general(&mut self, job: JobId, now: Time) {
        self.take_off(job, now);
    }

    /// Frees what a resident job holds, closes its stretch and returns its residence up to now.
    fn take_off(&mut self, job: JobId, now: Time) -> Residence {
        let gone = Residence { placement: Placement::default(), rate: Rate::PAUSED, since: now, done: 0 };
        let Some(general) = &mut self.general else { return gone };
        let Some(old) = general.residents.remove(&job) else { return gone };
        for (index, parts) in takes(&self.machine, &self.workload, job, &old.placement, old.rate) {
            general.free[index] += parts;
            self.free[index] = general.free[index].div_euclid(WHOLE) as i64;
        }
        if now > old.since {
            self.stretches.push(Stretch { job, from: old.since, to: now, rate: old.rate });
        }
        Residence { done: old.done_by(now), since: now, ..old }
    }

    fn put_back(&mut self, job: JobId, old: Residence) {
        // What was free a moment ago is free still.
        let taken = self.take(job, &old.placement, old.rate);
        debug_assert!(taken.is_ok(), "a job fits where it was");
        if let Some(general) = &mut self.general {
            general.residents.insert(job, old);
        }
    }

    fn take(&mut self, job: JobId, at: &Placement, rate: Rate) -> Result<(), Reason> {
        let Some(general) = &mut self.general else { return Ok(()) };
        let takes = takes(&self.machine, &self.workload, job, at, rate);
        for (done, &(index, parts)) in takes.iter().enumerate() {
            if parts > general.free[index] {
                for &(index, parts) in &takes[..done] {
                    general.free[index] += parts;
                }
                let kinds = self.machine.kinds();
                return Err(Reason::Oversubscribed {
                    resource: self.machine.resources()[index % kinds].name.clone(),
                    node: index / kinds,
                    need: ((parts + WHOLE - 1) / WHOLE) as i64,
                    free: general.free[index].div_euclid(WHOLE) as i64,
                });
            }
            general.free[index] -= parts;
        }
        for &(index, _) in &takes {
            self.free[index] = general.free[index].div_euclid(WHOLE) as i64;
        }
        Ok(())
    }
}
