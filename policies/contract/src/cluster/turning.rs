//! Rows that take turns on the machine: gang scheduling in the cluster.
//!
//! The start of a job that shares time is the beginning of its first slice, including the switch; time lost after that is
//! `stalled`. A slice that an event cuts continues for its remainder and pays for the switch again (Zhang et al. 2000 count cut
//! slices, too). A job that is swapped is in no row until the swap is over, which proceeds during the slices of other jobs.
//!
//! Migrations are charged by the difference between two matrices: a job that was moved twice at one event is checkpointed once. A
//! policy names the jobs that wait for checkpoints, since the rows do not show which jobs met there before the phase Fill.

use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};
use rustc_hash::{FxHashMap, FxHashSet};

use super::columns::Columns;
use super::epochs::Epochs;
use super::members::Members;
use super::record::first_switch;
use super::residents::{Residence, Residents};
use super::rotation::{Point, Rotation};
use super::states::States;
use crate::costs::SwitchCharge;
use crate::cycle::{Checkpoint, Resume};
use crate::placement::Rate;
use crate::refused::Reason;

/// Rows that take turns, settled up to an instant.
#[derive(Debug, Default)]
pub(super) struct Turning {
    /// Whether there have been cycles since jobs last ran without rows.
    on: bool,
    /// The number of jobs of each row by its position.
    rows: Vec<usize>,
    /// The nodes of the jobs of each row, if they are known.
    taken: Option<Vec<Columns>>,
    slice: Time,
    /// The instant up to which the service of classes is counted.
    since: Time,
    /// The row of the current slice, even if it is empty now; how much of the slice is left, and how much is over.
    position: usize,
    left: Time,
    spent: Time,
    /// The row that ran just before.
    ran: Option<usize>,
    /// The jobs whose rows have changed at this instant, and whether they ran just before.
    changed: FxHashMap<JobId, bool>,
    moved: Vec<JobId>,
    /// How the rows that are not empty take turns, from the current one on, and their positions.
    rotation: Rotation,
    order: Vec<usize>,
    members: Members,
    /// The jobs in rows that have had no slice yet.
    new: Vec<JobId>,
    /// The jobs that may owe service for migrations.
    debtors: SortedSet<JobId>,
    /// The jobs whose ends may have changed.
    reordered: Reordered,
    epochs: Epochs,
}

/// The properties of a cycle besides its rows.
pub(super) struct Manner<'a> {
    pub(super) rows: usize,
    pub(super) slice: Time,
    pub(super) resume: Resume,
    pub(super) checkpoints: &'a [Checkpoint],
}

/// The jobs whose ends may have changed.
#[derive(Debug, Default)]
pub struct Reordered {
    /// All jobs on the machine.
    pub all: bool,
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

    /// Returns the ticks of service that a member got since its residence was settled, up to the instant at which rows were settled.
    pub(super) fn unsettled(&self, job: JobId) -> i64 {
        self.members.unsettled(job).service
    }

    pub(super) fn is_on(&self) -> bool {
        self.on
    }

    /// While rows take turns, no job may run at a rate beside them.
    pub(super) fn expect_none(&self, rate: Rate) -> Result<(), Reason> {
        if self.any() && rate > Rate::PAUSED {
            return Err(Reason::State { state: "cannot run at a rate while rows take turns" });
        }
        Ok(())
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

    pub(super) fn jobs(&self) -> impl Iterator<Item = JobId> + '_ {
        self.members.jobs()
    }

    pub(super) fn rows_of(&self, job: JobId) -> &[u32] {
        self.members.rows(job)
    }

    /// Returns the number of rows, including those that are empty.
    pub(super) fn row_count(&self) -> usize {
        self.rows.len()
    }

    /// Takes the nodes of the jobs of each row out, if they are known.
    pub(super) fn take_nodes(&mut self) -> Option<Vec<Columns>> {
        self.taken.take()
    }

    pub(super) fn note_nodes(&mut self, taken: Vec<Columns>) {
        self.taken = Some(taken);
    }

    /// All ends may have changed, if `all`.
    pub(super) fn reorder_all(&mut self, all: bool) {
        self.reordered.all |= all;
    }

    /// These jobs owe service for migrations.
    pub(super) fn in_debt(&mut self, debtors: Vec<JobId>) {
        self.reordered.jobs.extend(&debtors);
        self.debtors.extend(debtors);
    }

    pub(super) fn take_reordered(&mut self) -> Reordered {
        std::mem::take(&mut self.reordered)
    }

    pub(super) fn epochs(&self) -> &Epochs {
        &self.epochs
    }

    pub(super) fn take_epochs(&mut self) -> Epochs {
        std::mem::take(&mut self.epochs)
    }

    /// A job with these nodes leaves these rows.
    fn vacate(&mut self, rows: &[u32], nodes: Option<&Columns>) {
        match (&mut self.taken, nodes) {
            (Some(taken), Some(nodes)) => rows.iter().for_each(|&row| taken[row as usize].take(nodes)),
            _ => self.taken = None,
        }
    }

    /// Returns the rows that are not empty from the current one on.
    fn ordered(&self) -> Vec<usize> {
        let count = self.rows.len();
        let from = |step: usize| (self.position + step) % count.max(1);
        (0..count).map(from).filter(|&row| self.rows[row] > 0).collect()
    }

    /// Returns the facts on which the ends of jobs with unchanged rows depend: the rows from the current one on, the position,
    /// and the remainder of the current slice; `None` if the slice or the number of rows changes, or no row has jobs.
    fn steady(&self, slice: Time, rows: usize) -> Option<(Vec<usize>, usize, Time)> {
        let goes_on = slice == self.slice && rows == self.rows.len() && self.rotation.count > 0;
        goes_on.then(|| (self.ordered(), self.position, self.left))
    }

    /// Computes the rotation from the rows and the position. O(classes · rows) if no job is exempt from switches.
    fn derive(&mut self, switch: Time, charge: SwitchCharge) {
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
    fn stay(&self, switch: Time, charge: SwitchCharge) -> Option<FxHashSet<JobId>> {
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

    /// Brings jobs into these rows; `moved` are the jobs of them that have moved.
    pub(super) fn change(
        &mut self,
        residents: &mut Residents,
        jobs: &States,
        manner: &Manner<'_>,
        rows: &[(JobId, Vec<u32>)],
        moved: Vec<JobId>,
        now: Time,
    ) {
        self.on = true;
        // Rows that are empty at the end of a slice start afresh. A job that arrives when the last job
        // leaves may instead use the rest of that job's slice.
        if self.order.is_empty() && self.left == Time::ZERO {
            (self.since, self.position, self.left) = (now, 0, manner.slice);
        }
        self.moved.extend(moved);
        let before = self.steady(manner.slice, manner.rows);
        self.rows.resize(self.rows.len().max(manner.rows), 0);
        for (job, rows) in rows {
            self.set_rows(residents, jobs, *job, rows);
        }
        self.rows.truncate(manner.rows);
        self.slice = manner.slice;
        self.resume(manner.resume);
        let costs = residents.costs();
        let (switch, charge) = (costs.switch.of(manner.slice), costs.charge);
        self.exempt(residents, self.stay(switch, charge));
        self.derive(switch, charge);
        let goes_on = manner.resume == Resume::Continue && switch == Time::ZERO;
        self.reordered.all |= !goes_on || before != self.steady(manner.slice, manner.rows);
        self.reordered.jobs.extend(rows.iter().map(|&(job, _)| job));
    }

    /// Jobs run in no rows from now on.
    pub(super) fn stop(&mut self, residents: &mut Residents) {
        self.settle_members(residents);
        let (reordered, epochs) = (self.take_reordered(), self.take_epochs());
        *self = Turning { reordered, epochs, ..Turning::default() };
    }

    pub(super) fn settle(&mut self, residents: &mut Residents, jobs: &mut States, now: Time) {
        if self.account(residents, jobs, now) {
            self.derive_rows(residents);
        }
    }

    pub(super) fn derive_rows(&mut self, residents: &mut Residents) {
        let (switch, charge) = (self.rotation.switch, self.rotation.charge);
        self.exempt(residents, self.stay(switch, charge));
        self.derive(switch, charge);
    }

    /// Records the service of jobs in turns until now without computing the rotation from the new position; returns whether it
    /// has to be.
    pub(super) fn account(&mut self, residents: &mut Residents, jobs: &mut States, now: Time) -> bool {
        if !self.on || now <= self.since {
            return false;
        }
        if !self.order.is_empty() {
            let owed = self.pay(residents, jobs, now);
            let exempt = self.members.exempt();
            self.epochs.add((self.since, now), self.order[0], &self.rotation, exempt, owed);
        }
        let stay = self.advance(now);
        self.exempt(residents, stay);
        true
    }

    /// From now on these jobs do not pay for the switch of the current slice, if they are given. O(jobs in rows), if any is
    /// exempt now or was.
    fn exempt(&mut self, residents: &mut Residents, stay: Option<FxHashSet<JobId>>) {
        let Some(stay) = stay else { return };
        let was = self.members.exempt();
        if stay.is_empty() && was.is_empty() {
            return;
        }
        let mut changed: Vec<JobId> = was.iter().copied().filter(|job| !stay.contains(job)).collect();
        changed.extend(stay.iter().copied().filter(|job| was.binary_search(job).is_err()));
        changed.sort_unstable();
        for job in changed {
            self.settle_member(residents, job);
            let rows = self.members.rows(job).to_vec();
            self.members.set(job, &rows, stay.contains(&job));
        }
    }

    /// Records in a job's residence its service in rows.
    pub(super) fn settle_member(&mut self, residents: &mut Residents, job: JobId) {
        if self.members.has(job) {
            residents.serve(job, self.since, || self.members.settle(job));
        }
    }

    /// Records in the residences of all jobs in rows their service.
    pub(super) fn settle_members(&mut self, residents: &mut Residents) {
        let mut jobs: Vec<JobId> = self.members.jobs().collect();
        jobs.sort_unstable();
        for job in jobs {
            self.settle_member(residents, job);
        }
    }

    /// Moves a job from its rows into these rows. O(rows).
    fn set_rows(&mut self, residents: &mut Residents, jobs: &States, job: JobId, rows: &[u32]) {
        self.settle_member(residents, job);
        let before = self.members.rows(job).to_vec();
        if before == rows {
            return;
        }
        let ran = self.ran_just_before(job);
        self.changed.entry(job).or_insert(ran);
        for &row in before.iter().filter(|row| !rows.contains(row)) {
            self.rows[row as usize] -= 1;
            self.epochs.change(job, row as usize, false);
        }
        for &row in rows.iter().filter(|row| !before.contains(row)) {
            self.rows[row as usize] += 1;
            self.epochs.change(job, row as usize, true);
        }
        let exempt = self.members.class(job).is_some_and(|class| class.exempt);
        self.members.set(job, rows, exempt);
        if before.is_empty() && jobs.started(job).is_none() {
            self.new.push(job);
        }
    }

    /// Removes a job from the rows, if it is in any; the other jobs continue.
    pub(super) fn leave(&mut self, residents: &mut Residents, jobs: &mut States, job: JobId, now: Time) {
        if !self.has(job) {
            return;
        }
        self.account(residents, jobs, now);
        let rows = self.members.rows(job).to_vec();
        self.vacate(&rows, residents.get(job).and_then(Residence::nodes));
        self.set_rows(residents, jobs, job, &[]);
        self.changed.insert(job, false);
        self.reordered.all |= rows.iter().any(|&row| self.rows[row as usize] == 0);
        self.derive_rows(residents);
    }

    /// Counts the service since the rows were settled; returns the earlier debts of jobs. O(classes · rows + jobs that are
    /// new, changed or owe something).
    fn pay(&mut self, residents: &mut Residents, jobs: &mut States, now: Time) -> Vec<(JobId, Time)> {
        let rotation = self.rotation;
        let elapsed = (now - self.since).ticks();
        let times: Vec<i64> = (0..rotation.count).map(|row| rotation.time_of(row, elapsed)).collect();
        let stops = rotation.stops(elapsed);
        let (ran, first) = (self.ran, self.order[0]);
        let switches = rotation.switch > Time::ZERO;
        for class in self.members.classes() {
            let held: i64 = class.turns.rows.iter().map(|&row| times[row]).sum();
            let service = if switches { rotation.service(&class.turns, elapsed) } else { held };
            // The row that ran just before gives way to the first one.
            let stopped = ran.is_some_and(|ran| class.is_in(ran)) && !class.is_in(first);
            class.got.held += held;
            class.got.service += service;
            class.got.stops += class.turns.suspensions(&stops) + i64::from(stopped);
        }
        for (&job, &ran_before) in &self.changed {
            let Some(class) = self.members.class(job) else { continue };
            let counted = ran.is_some_and(|ran| class.is_in(ran)) && !class.is_in(first);
            let stopped = ran_before && !class.is_in(first);
            self.members.stops_more(job, i64::from(stopped) - i64::from(counted));
        }
        self.note_openings(jobs, elapsed);
        self.pay_debts(residents, elapsed, now)
    }

    fn note_openings(&mut self, jobs: &mut States, elapsed: i64) {
        let (members, rotation, since) = (&self.members, &self.rotation, self.since);
        self.new.retain(|&job| {
            let Some(class) = members.class(job) else { return false };
            let opening = rotation.opening(&class.turns).filter(|&at| at < elapsed);
            if let Some(opening) = opening {
                jobs.has_run_at(job, since + Time::from_ticks(opening));
            }
            jobs.started(job).is_none()
        });
    }

    /// Jobs in rows pay their debts for migrations from their service; returns the debts.
    fn pay_debts(&mut self, residents: &mut Residents, elapsed: i64, now: Time) -> Vec<(JobId, Time)> {
        let mut owed = Vec::new();
        for job in std::mem::take(&mut self.debtors) {
            let debt = residents.owes(job);
            if debt == Time::ZERO {
                continue;
            }
            self.debtors.insert(job);
            let Some(class) = self.members.class(job) else { continue };
            owed.push((job, debt));
            let paid = debt.ticks().min(self.rotation.service(&class.turns, elapsed));
            self.settle_member(residents, job);
            residents.pay(job, paid, now);
        }
        owed
    }
}

/// Whether some jobs may be exempt from a switch: not without costs, or if every job pays.
fn exempts(switch: Time, charge: SwitchCharge) -> bool {
    switch > Time::ZERO && charge == SwitchCharge::Changed
}
