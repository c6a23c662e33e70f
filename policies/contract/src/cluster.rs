//! The machine's state and its legal moves. It has no clock: every call passes the instant.
//!
//! A resident job has a *placement* and a *rate*. On every node, at every instant: of each *space* resource (memory,
//! licences) the sum of the shares is at most the capacity; of each *time* resource (processors) the sum of share × rate.
//! A pool is a machine with one node. Gang scheduling is rates 0 and 1: a paused job keeps its memory and not its
//! processors. A pool whose policy never shares time takes a plain path (`common`), everything else the general one
//! (`general`); a property test checks that both give equal schedules.

mod closures;
pub mod columns;
mod common;
mod cover;
pub mod epochs;
mod general;
mod kept;
mod lists;
mod members;
pub mod record;
mod residents;
mod room;
pub mod rotation;
mod row_check;
mod states;
mod suspended;
mod turning;
mod withheld;

use std::borrow::Cow;
use std::sync::Arc;

use batchlab_traces::{JobId, Machine, Time, Workload};

use crate::costs::Costs;
use crate::cycle::{Cycle, CycleChanges};
use crate::placement::{Placement, Rate, Share};
use crate::refused::Reason;
use common::Common;
use epochs::Epochs;
use general::General;
use record::{Stretch, TimeSpent};
pub use states::State;
use turning::Reordered;
use withheld::Withheld;

/// The effect of a placed job on the books of the policy that placed it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Placed {
    /// It holds its resources.
    Holds,
    /// Its run time is zero, and its resources are free again within this instant.
    Passing,
}

/// The state of a machine and of all jobs of a workload.
///
/// A pool whose policy never shares time takes a plain path: one subtraction per resource at a start, one
/// addition at an end, no record of rates. All other machines and policies keep placements, rates and
/// progress. Both paths give the same results wherever both apply.
pub struct Cluster {
    common: Common,
    /// `None` on the plain path.
    general: Option<General>,
    /// `None` until capacity is out of service, unless jobs may be suspended in place.
    withheld: Option<Box<Withheld>>,
}

impl Cluster {
    /// Returns an empty machine before the first submission, with costs of switching, migrating and swapping.
    ///
    /// `plain` requests the plain path, which only a pool without time sharing may take.
    pub fn new(machine: Arc<Machine>, workload: Arc<Workload>, plain: bool, costs: Costs) -> Cluster {
        let plain = plain && machine.is_pool();
        let general = (!plain).then(|| General::new(workload.len(), costs));
        Cluster { common: Common::new(machine, workload, plain), general, withheld: None }
    }

    /// Goes on with the next section of a stream ([`Workload::onward`]); all jobs before its first have ended. On the
    /// plain path only. O(jobs of the section).
    pub fn go_on(&mut self, workload: Arc<Workload>) {
        self.common.go_on(workload);
    }

    /// Before the first submission: jobs have no identities until they enter the queue ([`Cluster::admit`]).
    pub fn open(&mut self) {
        self.common.open();
    }

    /// Gives a job of another workload its identity, as it enters the queue at an instant; it is to be submitted then.
    /// O(resources).
    pub fn admit(&mut self, of: &Workload, job: JobId, now: Time) -> JobId {
        self.common.admit(of, job, now)
    }

    /// Returns the workload, to be kept beyond the replay.
    pub fn share_workload(&self) -> Arc<Workload> {
        self.common.workload().clone()
    }

    /// Returns the workload.
    #[inline]
    pub fn workload(&self) -> &Workload {
        self.common.workload()
    }

    /// Returns the machine.
    #[inline]
    pub fn machine(&self) -> &Machine {
        self.common.machine()
    }

    /// Returns the free amounts of a node, one per resource; shared time resources are rounded down.
    #[inline]
    pub fn free(&self, node: usize) -> &[i64] {
        self.common.room().without_devices(node)
    }

    /// Returns the free amounts of a node, one per resource, then one per device.
    #[inline]
    pub fn room(&self, node: usize) -> &[i64] {
        self.common.room().of(node)
    }

    /// Returns the nodes with most room: on every other node no more is free than on one of these, of any resource.
    /// O(nodes · nodes returned) after a change, O(1) until the next.
    pub fn roomiest(&self) -> &[u32] {
        self.common.room().roomiest()
    }

    /// Returns nodes, each with the number of nodes for which it stands: the same is free on all of them.
    pub fn alike(&self) -> &[(u32, u32)] {
        self.common.room().alike()
    }

    /// Returns how often room was given back: as long as it stays the same, what is free has only become less.
    #[inline]
    pub fn gifts(&self) -> u64 {
        self.common.room().gifts()
    }

    /// Returns the state of a job; a job beyond this workload is always [`State::Future`].
    #[inline]
    pub fn state(&self, job: JobId) -> State {
        self.common.jobs().of(job)
    }

    /// Returns when a job first ran: was placed at a rate above zero, or had a slice. A slice that began
    /// after rows were last changed or settled is not included; see [`Cluster::opened`].
    #[inline]
    pub fn started(&self, job: JobId) -> Option<Time> {
        self.common.jobs().started(job)
    }

    /// Returns when a job first ran, up to an instant, including slices that are not settled yet.
    pub fn opened(&self, job: JobId, now: Time) -> Option<Time> {
        self.started(job).or_else(|| self.general.as_ref()?.turning().opened(job, now))
    }

    /// Whether a job is being swapped out or in.
    pub fn is_swapping(&self, job: JobId) -> bool {
        self.swapped_at(job).is_some()
    }

    /// Whether a waiting job would have to be swapped in before it could run.
    pub fn must_load(&self, job: JobId) -> bool {
        self.general
            .as_ref()
            .is_some_and(|general| general.residents().loading_time(&self.common, job) > Time::ZERO)
    }

    /// Returns when the swap of a job will be over.
    pub fn swapped_at(&self, job: JobId) -> Option<Time> {
        self.general.as_ref()?.residents().swapping_until(job)
    }

    /// Returns when a job ended or was killed.
    #[inline]
    pub fn ended(&self, job: JobId) -> Option<Time> {
        self.common.jobs().ended(job)
    }

    /// Returns the waiting jobs in the order of submission.
    pub fn waiting(&self) -> impl Iterator<Item = JobId> + '_ {
        self.common.jobs().waiting()
    }

    /// Returns the jobs on the machine in the order in which they were placed.
    pub fn resident(&self) -> impl Iterator<Item = JobId> + '_ {
        self.common.jobs().resident()
    }

    /// Returns a resident job's rate.
    pub fn rate(&self, job: JobId) -> Rate {
        match &self.general {
            Some(general) => general.residents().rate(job),
            None if self.state(job) == State::Resident => Rate::FULL,
            None => Rate::PAUSED,
        }
    }

    /// Returns where a resident job is.
    pub fn placement(&self, job: JobId) -> Placement {
        match &self.general {
            Some(general) => Placement(general.residents().shares(job).to_vec()),
            None => Placement::on(0, self.workload().procs(job)),
        }
    }

    pub(crate) fn shares(&self, job: JobId) -> Cow<'_, [Share]> {
        match &self.general {
            Some(general) => Cow::Borrowed(general.residents().shares(job)),
            None => Cow::Owned(Placement::on(0, self.workload().procs(job)).0),
        }
    }

    /// Whether time can be shared: rates, displacement and migration are possible.
    pub fn shares_time(&self) -> bool {
        self.general.is_some()
    }

    /// A job is submitted.
    pub fn submit(&mut self, job: JobId) {
        self.common.jobs_mut().submit(job);
    }

    /// Puts a waiting job on the machine, or moves a resident one.
    ///
    /// # Errors
    /// When the job neither waits nor is resident, the placement does not cover it in whole tasks on nodes that take
    /// it, or the machine would be oversubscribed.
    pub fn place(&mut self, job: JobId, placement: &Placement, rate: Rate, now: Time) -> Result<(), Reason> {
        if let Some(general) = &mut self.general {
            return general.place(&mut self.common, job, placement, rate, now);
        }
        self.common.jobs().expect(job, State::Waiting)?;
        self.common.expect_cover(job, placement)?;
        self.common.start_plain(job, now)
    }

    /// Puts a waiting job on a pool at full speed.
    ///
    /// # Errors
    /// When the job does not wait, or the pool would be oversubscribed.
    #[inline]
    pub fn start(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        match &mut self.general {
            Some(general) => {
                self.common.jobs().expect(job, State::Waiting)?;
                let placement = Placement::on(0, self.common.workload().procs(job));
                general.place(&mut self.common, job, &placement, Rate::FULL, now)
            }
            None => self.common.start_plain(job, now),
        }
    }

    /// Changes a resident job's rate.
    ///
    /// # Errors
    /// When the job is not resident, or a time resource would be oversubscribed.
    pub fn set_rate(&mut self, job: JobId, rate: Rate, now: Time) -> Result<(), Reason> {
        self.common.jobs().expect(job, State::Resident)?;
        if let Some(general) = &self.general {
            general.turning().expect_none(rate)?;
            expect_stays(general, job)?;
        }
        self.rate_to(job, rate, now)
    }

    fn rate_to(&mut self, job: JobId, rate: Rate, now: Time) -> Result<(), Reason> {
        let general = self.general.as_mut().ok_or(NO_SHARING)?;
        general.set_rate(&mut self.common, job, rate, now)
    }

    /// Makes exactly these resident jobs run at full speed and pauses all others, in one step.
    ///
    /// # Errors
    /// When one of the jobs is not resident, or together they oversubscribe a time resource; nothing has changed then.
    pub fn run_only(&mut self, row: &[JobId], now: Time) -> Result<Vec<JobId>, Reason> {
        for &job in row {
            self.common.jobs().expect(job, State::Resident)?;
        }
        self.general.as_mut().ok_or(NO_SHARING)?.run_only(&mut self.common, row, now)
    }

    /// Runs resident jobs in turns from now on, after putting the jobs of `places` on their nodes.
    ///
    /// # Errors
    /// When a job of a row is not on the machine or is being swapped, is in a row twice, or shares a processor with another job
    /// of the row; when a placement does not cover its job, or a node is oversubscribed. Nothing has changed then.
    pub fn cycle(
        &mut self,
        cycle: &Cycle,
        places: &[(JobId, Placement)],
        now: Time,
    ) -> Result<(), (JobId, Reason)> {
        let general = self.general.as_mut().ok_or((JobId(0), NO_SHARING))?;
        general.cycle(&mut self.common, cycle, places, now)
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
        let general = self.general.as_mut().ok_or((JobId(0), NO_SHARING))?;
        general.change_cycle(&mut self.common, changes, places, now)
    }

    /// Takes a resident job off the machine; it waits again, with or without its progress. Returns when it
    /// will have left, if swapping it out takes time.
    ///
    /// # Errors
    /// When the job is not resident, or is being swapped out already.
    pub fn displace(&mut self, job: JobId, keep: bool, now: Time) -> Result<Option<Time>, Reason> {
        self.common.jobs().expect(job, State::Resident)?;
        let general = self.general.as_mut().ok_or(NO_SHARING)?;
        expect_stays(general, job)?;
        let until = general.displace(&mut self.common, job, keep, now);
        self.common.jobs_mut().run_at(job, Rate::PAUSED, now);
        if until.is_none() {
            self.common.jobs_mut().wait_again(job);
        }
        Ok(until)
    }

    /// Ends a swap that is due: returns whether it was a swap out; `None` if there is no such swap (any more).
    pub fn swapped(&mut self, job: JobId, now: Time) -> Option<bool> {
        let out = self.general.as_mut()?.residents_mut().swapped(&mut self.common, job, now)?;
        if out {
            self.common.jobs_mut().wait_again(job);
        }
        Some(out)
    }

    /// Returns for how long a job has executed until `now`, counted at full speed.
    pub fn executed(&self, job: JobId, now: Time) -> Time {
        match (&self.general, self.started(job)) {
            (Some(general), _) => general.executed(job, now),
            (None, Some(start)) if self.state(job) == State::Resident => now - start,
            (None, _) => Time::ZERO,
        }
    }

    /// Returns when a resident job will have executed for `run` if nothing changes; `None` while paused.
    pub fn done_at(&self, job: JobId, run: Time, now: Time) -> Option<Time> {
        match &self.general {
            Some(general) => general.done_at(&self.common, job, run, now),
            None => self.started(job).map(|start| start + run),
        }
    }

    /// A resident job ends, or is killed, or a waiting one is cancelled.
    ///
    /// # Errors
    /// When the job neither waits nor is on the machine.
    pub fn end(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        match self.state(job) {
            State::Resident => self.give_back(job, now),
            State::Leaving | State::Waiting => {}
            State::Future | State::Done => return self.common.jobs().expect(job, State::Resident),
        }
        self.common.jobs_mut().end(job, now);
        Ok(())
    }

    /// Rejects a waiting job: it never was on the machine and has no end.
    ///
    /// # Errors
    /// When the job does not wait, or has been on the machine.
    pub fn reject(&mut self, job: JobId) -> Result<(), Reason> {
        self.common.jobs_mut().reject(job)
    }

    /// Frees what a resident job holds before its end is reported, within the same instant.
    pub fn release(&mut self, job: JobId, now: Time) {
        if self.state(job) == State::Resident {
            self.give_back(job, now);
            self.common.jobs_mut().release(job);
        }
    }

    /// Takes the first start and the end of every job out of the cluster; [`Time::MAX`] for a job that never started.
    pub fn take_times(&mut self) -> (Vec<Time>, Vec<Time>) {
        self.common.jobs_mut().take_times()
    }

    /// Makes room for at least this number of jobs, that no event has named before; amortised O(1) for each.
    pub fn make_room(&mut self, jobs: usize) {
        self.common.jobs_mut().make_room(jobs);
    }

    /// Returns the jobs whose ends may have changed since the last call.
    pub fn take_reordered(&mut self) -> Reordered {
        self.general.as_mut().map(|general| general.turning_mut().take_reordered()).unwrap_or_default()
    }

    /// Returns the size of the record of the times in which rows took turns, in bytes. O(1).
    pub fn epoch_bytes(&self) -> u64 {
        self.general.as_ref().map_or(0, |general| general.turning().epochs().bytes())
    }

    /// Takes the times in which rows took turns out of the cluster.
    pub fn take_epochs(&mut self) -> Epochs {
        self.general.as_mut().map(|general| general.turning_mut().take_epochs()).unwrap_or_default()
    }

    /// Takes the record of the time of each job out of the cluster; empty on the plain path.
    pub fn take_services(&mut self) -> Vec<TimeSpent> {
        self.general.as_mut().map(General::take_services).unwrap_or_default()
    }

    /// Returns the stretches that were closed since the last call.
    pub fn drain_stretches(&mut self) -> impl Iterator<Item = Stretch> + '_ {
        self.general.iter_mut().flat_map(|general| general.residents_mut().drain_stretches())
    }

    /// Returns where jobs were put, and when, since the last call; nothing on a pool.
    pub fn drain_moves(&mut self) -> impl Iterator<Item = (JobId, Time, Placement)> + '_ {
        self.general.iter_mut().flat_map(|general| general.residents_mut().drain_moves())
    }

    fn give_back(&mut self, job: JobId, now: Time) {
        match &mut self.general {
            Some(general) => general.give_back(&mut self.common, job, now),
            None => self.common.give_back_plain(job),
        }
        if let Some(withheld) = &mut self.withheld {
            withheld.leave(&mut self.common, job);
        }
    }
}

fn expect_stays(general: &General, job: JobId) -> Result<(), Reason> {
    if general.residents().is_leaving(job) {
        Err(Reason::State { state: "is being swapped out" })
    } else {
        Ok(())
    }
}

const NO_SHARING: Reason = Reason::Undeclared("time sharing");
