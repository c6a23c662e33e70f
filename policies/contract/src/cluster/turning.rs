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

use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};
use rustc_hash::{FxHashMap, FxHashSet};

use super::columns::Columns;
use super::epochs::Epochs;
use super::members::Members;
use super::record::first_switch;
use super::rotation::{Point, Rotation, Turns};
use super::{Cluster, State};
use crate::costs::SwitchCharge;
use crate::cycle::Resume;
use crate::placement::Rate;

/// Rows that take turns, settled up to an instant.
#[derive(Debug, Default)]
pub(super) struct Turning {
    /// The number of jobs of each row by its position.
    pub(super) rows: Vec<usize>,
    /// The nodes of the jobs of each row, if they are known.
    pub(super) taken: Option<Vec<Columns>>,
    pub(super) slice: Time,
    /// The instant up to which the service of classes is counted.
    pub(super) since: Time,
    /// The row of the current slice, even if it is empty now; how much of the slice is left, and how much is
    /// over.
    pub(super) position: usize,
    pub(super) left: Time,
    spent: Time,
    /// The row that ran just before.
    ran: Option<usize>,
    /// The jobs whose rows have changed at this instant, and whether they ran just before.
    changed: FxHashMap<JobId, bool>,
    /// The jobs that have moved at this instant.
    pub(super) moved: Vec<JobId>,
    /// How the rows that are not empty take turns, from the current one on, and their positions.
    pub(super) rotation: Rotation,
    pub(super) order: Vec<usize>,
    pub(super) members: Members,
    /// The jobs in rows that have had no slice yet.
    new: Vec<JobId>,
    /// The jobs that may owe service for migrations.
    pub(super) debtors: SortedSet<JobId>,
}

/// The jobs whose ends may have changed.
#[derive(Debug, Default)]
pub struct Reordered {
    /// All jobs on the machine.
    pub all: bool,
    /// These jobs.
    pub jobs: Vec<JobId>,
}

impl Turning {
    /// Returns the ticks of service a member got since rows were settled; debts are not yet deducted.
    pub(super) fn service(&self, job: JobId, now: Time) -> i64 {
        let elapsed = (now - self.since).ticks();
        self.members.class(job).map_or(0, |class| self.rotation.service(&class.turns, elapsed))
    }

    /// Returns when a member will have had this many further ticks of service.
    pub(super) fn reached(&self, job: JobId, need: i64) -> Option<Time> {
        let elapsed = self.rotation.reached(&self.members.class(job)?.turns, need)?;
        Some(self.since.saturating_add(Time::from_ticks(elapsed)))
    }

    /// Returns when a member's first slice since the rows were settled began, if it has begun.
    pub(super) fn opened(&self, job: JobId, now: Time) -> Option<Time> {
        let opening = self.rotation.opening(&self.members.class(job)?.turns)?;
        let opening = self.since + Time::from_ticks(opening);
        (opening < now).then_some(opening)
    }

    pub(super) fn any(&self) -> bool {
        self.members.any()
    }

    pub(super) fn ran_just_before(&self, job: JobId) -> bool {
        let is_in = |row| self.members.class(job).is_some_and(|class| class.is_in(row));
        self.changed.get(&job).copied().unwrap_or_else(|| self.ran.is_some_and(is_in))
    }

    pub(super) fn has(&self, job: JobId) -> bool {
        self.members.has(job)
    }

    /// A job with these nodes leaves these rows.
    pub(super) fn vacate(&mut self, rows: &[u32], nodes: Option<&Columns>) {
        match (&mut self.taken, nodes) {
            (Some(taken), Some(nodes)) => rows.iter().for_each(|&row| taken[row as usize].take(nodes)),
            _ => self.taken = None,
        }
    }

    /// Returns the rows that are not empty from the current one on.
    pub(super) fn ordered(&self) -> Vec<usize> {
        let count = self.rows.len();
        let from = |step: usize| (self.position + step) % count.max(1);
        (0..count).map(from).filter(|&row| self.rows[row] > 0).collect()
    }

    /// Returns the facts on which the ends of jobs with unchanged rows depend: the rows from the current one on, the position,
    /// and the remainder of the current slice; `None` if the slice or the number of rows changes, or no row has jobs.
    pub(super) fn steady(&self, slice: Time, rows: usize) -> Option<(Vec<usize>, usize, Time)> {
        let goes_on = slice == self.slice && rows == self.rows.len() && self.rotation.count > 0;
        goes_on.then(|| (self.ordered(), self.position, self.left))
    }

    /// Computes the rotation from the rows and the position. O(classes · rows) if no job is exempt from switches.
    pub(super) fn derive(&mut self, switch: Time, charge: SwitchCharge) {
        self.order = self.ordered();
        let goes_on = self.order.first() == Some(&self.position);
        let (first, spent) = if goes_on { (self.left, self.spent) } else { (self.slice, Time::ZERO) };
        self.rotation = Rotation { count: self.order.len(), first, slice: self.slice, switch, charge, spent };
        let mut places = vec![0; self.rows.len()];
        self.order.iter().enumerate().for_each(|(index, &row)| places[row] = index);
        let rotation = self.rotation;
        for class in self.members.classes() {
            let rows = &mut class.turns.rows;
            rows.clear();
            rows.extend(class.rows.iter().map(|&row| places[row as usize]));
            rows.sort_unstable();
            class.turns.first_switch = first_switch(&rotation, class.exempt);
        }
    }

    /// Returns the jobs that will not pay for the switch of the current slice, if this has to be determined: at the
    /// beginning of a slice, the jobs that ran just before and have not moved.
    pub(super) fn stay(&self, switch: Time, charge: SwitchCharge) -> Option<FxHashSet<JobId>> {
        let first = self.ordered().first().copied();
        let spent = if first == Some(self.position) { self.spent } else { Time::ZERO };
        match first {
            _ if !exempts(switch, charge) => Some(FxHashSet::default()),
            Some(row) if spent == Time::ZERO => {
                let is_in = |job: JobId| self.members.class(job).is_some_and(|class| class.is_in(row));
                let mut stay: FxHashSet<JobId> =
                    self.members.jobs().filter(|&job| self.ran_just_before(job) && is_in(job)).collect();
                self.moved.iter().for_each(|job| _ = stay.remove(job));
                Some(stay)
            }
            _ => None,
        }
    }

    /// Moves the position on to an instant. Returns the jobs that do not pay for the switch of the new current slice, if
    /// it is new and jobs may be exempt.
    fn advance(&mut self, now: Time) -> Option<FxHashSet<JobId>> {
        let elapsed = (now - self.since).ticks();
        self.since = now;
        self.moved.clear();
        self.changed.clear();
        if self.order.is_empty() {
            self.ran = None;
            self.left = Time::ZERO;
            return None;
        }
        let Point { slice, into } = self.rotation.point(elapsed);
        let last = if into > 0 { slice } else { slice - 1 };
        self.ran = Some(self.order[self.rotation.row_of(last)]);
        let row = self.rotation.row_of(slice);
        self.position = self.order[row];
        self.left = Time::from_ticks(self.rotation.length_of(slice) - into);
        let into = Time::from_ticks(into);
        self.spent = if slice == 0 { self.rotation.spent + into } else { into };
        if slice == 0 || !exempts(self.rotation.switch, self.rotation.charge) {
            return None;
        }
        let (row, before) = (self.position, self.order[self.rotation.row_of(slice - 1)]);
        let stays = |job: &JobId| {
            self.members.class(*job).is_some_and(|class| class.is_in(row) && class.is_in(before))
        };
        Some(self.members.jobs().filter(stays).collect())
    }

    /// Cuts the current slice, and continues as the cycle says.
    pub(super) fn resume(&mut self, resume: Resume) {
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
    /// Returns for how long a job has executed until `now`, counted at full speed.
    pub fn executed(&self, job: JobId, now: Time) -> Time {
        match (&self.general, self.started(job)) {
            (Some(general), _) => {
                let turning = self.turning.as_ref();
                let settled = turning.map_or(0, |turning| turning.members.unsettled(job).service);
                let got = turning.map_or(0, |turning| turning.service(job, now));
                let owes = general.residents.get(&job).map_or(0, |residence| residence.owes.ticks());
                general.executed(job, now) + Time::from_ticks(settled + (got - owes).max(0))
            }
            (None, Some(start)) if self.state(job) == State::Resident => now - start,
            (None, _) => Time::ZERO,
        }
    }

    /// Returns when a resident job will have executed for `run` if nothing changes; `None` while paused.
    pub fn done_at(&self, job: JobId, run: Time, now: Time) -> Option<Time> {
        match &self.general {
            Some(general) => match self.turning.as_ref().filter(|turning| turning.has(job)) {
                Some(turning) => match general.need(job, run, turning.members.unsettled(job).service) {
                    // The job finished at the end of its slice; another job that finished at the same
                    // instant was reported before it.
                    0 if run > Time::ZERO || self.started(job).is_some() => Some(now),
                    need => turning.reached(job, need),
                },
                None => general.done_at(job, run, now),
            },
            None => self.started(job).map(|start| start + run),
        }
    }

    /// Returns the jobs whose ends may have changed since the last call.
    pub fn take_reordered(&mut self) -> Reordered {
        std::mem::take(&mut self.reordered)
    }

    /// Returns the times in which rows took turns.
    pub fn epochs(&self) -> &Epochs {
        &self.epochs
    }

    /// Takes the times in which rows took turns out of the cluster.
    pub fn take_epochs(&mut self) -> Epochs {
        std::mem::take(&mut self.epochs)
    }

    /// Records the service of jobs in turns until now.
    pub(super) fn settle(&mut self, now: Time) {
        if self.account(now) {
            self.derive_rows();
        }
    }

    /// Computes how the rows take turns from now on.
    pub(super) fn derive_rows(&mut self) {
        let Some(turning) = &self.turning else { return };
        let (switch, charge) = (turning.rotation.switch, turning.rotation.charge);
        let stay = turning.stay(switch, charge);
        self.exempt(stay);
        if let Some(turning) = &mut self.turning {
            turning.derive(switch, charge);
        }
    }

    /// Records the service of jobs in turns until now without computing the rotation from the new position; returns whether it
    /// has to be.
    pub(super) fn account(&mut self, now: Time) -> bool {
        let Some(mut turning) = self.turning.take() else { return false };
        if now > turning.since && !turning.order.is_empty() {
            let owed = self.pay(&mut turning, now);
            let exempt = turning.members.exempt();
            let between = (turning.since, now);
            self.epochs.add(between, turning.order[0], &turning.rotation, exempt, owed);
        }
        let passed = now > turning.since;
        let stay = if passed { turning.advance(now) } else { None };
        self.turning = Some(turning);
        self.exempt(stay);
        passed
    }

    /// From now on these jobs do not pay for the switch of the current slice, if they are given. O(jobs in rows), if any is
    /// exempt now or was.
    pub(super) fn exempt(&mut self, stay: Option<FxHashSet<JobId>>) {
        let (Some(stay), Some(turning)) = (stay, &self.turning) else { return };
        let was = turning.members.exempt();
        if stay.is_empty() && was.is_empty() {
            return;
        }
        let mut changed: Vec<JobId> = was.iter().copied().filter(|job| !stay.contains(job)).collect();
        changed.extend(stay.iter().copied().filter(|job| was.binary_search(job).is_err()));
        changed.sort_unstable();
        for job in changed {
            self.settle_member(job);
            let Some(turning) = &mut self.turning else { return };
            let rows = turning.members.rows(job).to_vec();
            turning.members.set(job, &rows, stay.contains(&job));
        }
    }

    /// Records in a job's residence its service in rows.
    pub(super) fn settle_member(&mut self, job: JobId) {
        if let Some(mut turning) = self.turning.take() {
            self.settle_in_turn(&mut turning, job);
            self.turning = Some(turning);
        }
    }

    fn settle_in_turn(&mut self, turning: &mut Turning, job: JobId) {
        let residence = self.general.as_mut().and_then(|general| general.residents.get_mut(&job));
        let Some(residence) = residence.filter(|_| turning.members.has(job)) else { return };
        let got = turning.members.settle(job);
        residence.done += i128::from(got.service) * i128::from(Rate::WHOLE);
        residence.since = turning.since;
        let ledger = &mut self.services[job.index()];
        ledger.switching += Time::from_ticks(got.held - got.service);
        ledger.suspensions = (i64::from(ledger.suspensions) + got.stops) as u32;
    }

    /// Records in the residences of all jobs in rows their service.
    pub(super) fn settle_members(&mut self) {
        let Some(mut turning) = self.turning.take() else { return };
        let mut jobs: Vec<JobId> = turning.members.jobs().collect();
        jobs.sort_unstable();
        for job in jobs {
            self.settle_in_turn(&mut turning, job);
        }
        self.turning = Some(turning);
    }

    /// Moves a job from its rows into these rows. O(rows).
    pub(super) fn set_rows(&mut self, turning: &mut Turning, job: JobId, rows: &[u32]) {
        self.settle_in_turn(turning, job);
        let before = turning.members.rows(job).to_vec();
        if before == rows {
            return;
        }
        let ran = turning.ran_just_before(job);
        turning.changed.entry(job).or_insert(ran);
        for &row in before.iter().filter(|row| !rows.contains(row)) {
            turning.rows[row as usize] -= 1;
            self.epochs.change(job, row as usize, false);
        }
        for &row in rows.iter().filter(|row| !before.contains(row)) {
            turning.rows[row as usize] += 1;
            self.epochs.change(job, row as usize, true);
        }
        let exempt = turning.members.class(job).is_some_and(|class| class.exempt);
        turning.members.set(job, rows, exempt);
        if before.is_empty() && self.started(job).is_none() {
            turning.new.push(job);
        }
    }

    /// Removes a job from the rows; the other jobs continue.
    pub(super) fn leave_rows(&mut self, job: JobId, now: Time) {
        if self.turning.as_ref().is_none_or(|turning| !turning.has(job)) {
            return;
        }
        self.account(now);
        let Some(mut turning) = self.turning.take() else { return };
        let rows = turning.members.rows(job).to_vec();
        let nodes = self.general.as_ref().and_then(|general| general.residents.get(&job)?.nodes.as_ref());
        turning.vacate(&rows, nodes);
        self.set_rows(&mut turning, job, &[]);
        turning.changed.insert(job, false);
        self.reordered.all |= rows.iter().any(|&row| turning.rows[row as usize] == 0);
        self.turning = Some(turning);
        self.derive_rows();
    }

    /// Counts the service since the rows were settled; returns the earlier debts of jobs. O(classes · rows + jobs that are
    /// new, changed or owe something).
    fn pay(&mut self, turning: &mut Turning, now: Time) -> Vec<(JobId, Time)> {
        let rotation = turning.rotation;
        let elapsed = (now - turning.since).ticks();
        let times: Vec<i64> = (0..rotation.count).map(|row| rotation.time_of(row, elapsed)).collect();
        let stops = stops(&rotation, elapsed);
        let (ran, first) = (turning.ran, turning.order[0]);
        let switches = rotation.switch > Time::ZERO;
        for class in turning.members.classes() {
            let held: i64 = class.turns.rows.iter().map(|&row| times[row]).sum();
            let service = if switches { rotation.service(&class.turns, elapsed) } else { held };
            // The row that ran just before gives way to the first one.
            let stopped = ran.is_some_and(|ran| class.is_in(ran)) && !class.is_in(first);
            class.got.held += held;
            class.got.service += service;
            class.got.stops += suspensions(&class.turns, &stops) + i64::from(stopped);
        }
        for (&job, &ran_before) in &turning.changed {
            let Some(class) = turning.members.class(job) else { continue };
            let counted = ran.is_some_and(|ran| class.is_in(ran)) && !class.is_in(first);
            let stopped = ran_before && !class.is_in(first);
            turning.members.stops_more(job, i64::from(stopped) - i64::from(counted));
        }
        self.note_openings(turning, elapsed);
        self.pay_debts(turning, elapsed, now)
    }

    /// Records the first starts of jobs in rows.
    fn note_openings(&mut self, turning: &mut Turning, elapsed: i64) {
        let mut new = std::mem::take(&mut turning.new);
        new.retain(|&job| {
            let Some(class) = turning.members.class(job) else { return false };
            let opening = turning.rotation.opening(&class.turns).filter(|&at| at < elapsed);
            if let Some(opening) = opening {
                self.jobs.has_run_at(job, turning.since + Time::from_ticks(opening));
            }
            self.jobs.started(job).is_none()
        });
        turning.new = new;
    }

    /// Jobs in rows pay their debts for migrations from their service; returns the debts.
    fn pay_debts(&mut self, turning: &mut Turning, elapsed: i64, now: Time) -> Vec<(JobId, Time)> {
        let mut owed = Vec::new();
        for job in std::mem::take(&mut turning.debtors) {
            let debt = self.general.as_ref().and_then(|general| Some(general.residents.get(&job)?.owes));
            let Some(debt) = debt.filter(|&debt| debt > Time::ZERO) else { continue };
            turning.debtors.insert(job);
            let Some(class) = turning.members.class(job) else { continue };
            owed.push((job, debt));
            let service = turning.rotation.service(&class.turns, elapsed);
            let paid = debt.ticks().min(service);
            self.settle_in_turn(turning, job);
            self.services[job.index()].migrating += Time::from_ticks(paid);
            let residence = self.general.as_mut().and_then(|general| general.residents.get_mut(&job));
            if let Some(residence) = residence {
                residence.owes -= Time::from_ticks(paid);
                residence.done -= i128::from(paid) * i128::from(Rate::WHOLE);
                residence.since = now;
            }
        }
        owed
    }
}

/// Whether some jobs may be exempt from a switch: not without costs, or if every job pays.
fn exempts(switch: Time, charge: SwitchCharge) -> bool {
    switch > Time::ZERO && charge == SwitchCharge::Changed
}

/// Returns for each row how often its slices end within an elapsed time, so that another row runs.
fn stops(rotation: &Rotation, elapsed: i64) -> Vec<i64> {
    // The last slice that has begun is still running, or the slice after it is not known yet.
    let followed = rotation.begun(elapsed) - 1;
    (0..rotation.count).map(|row| rotation.slices_before(row, followed)).collect()
}

/// Returns how often a job stops, given how often the slices of each row end.
fn suspensions(turns: &Turns, stops: &[i64]) -> i64 {
    let next = turns.rows.iter().skip(1).chain(turns.rows.first());
    let stopped = turns.rows.iter().zip(next).filter(|&(row, next)| (row + 1) % stops.len() != *next);
    stopped.map(|(&row, _)| stops[row]).sum()
}
