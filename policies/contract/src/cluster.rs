//! The machine's state and its legal moves. It has no clock: every call passes the instant.
//!
//! A resident job has a *placement* and a *rate*. On every node, at every instant: of each *space* resource (memory,
//! licences) the sum of the shares is at most the capacity; of each *time* resource (processors) the sum of share × rate.
//! A pool is a machine with one node. Gang scheduling is rates 0 and 1: a paused job keeps its memory and not its
//! processors. A pool whose policy never shares time takes a plain path (`pool`), everything else the general one
//! (`general`); a property test checks that both give equal schedules.

mod closures;
pub mod columns;
mod cover;
mod cycles;
pub mod epochs;
mod general;
mod kept;
mod lists;
mod members;
mod pool;
pub mod record;
mod room;
pub mod rotation;
mod states;
mod suspended;
mod turning;

use std::borrow::Cow;
use std::sync::Arc;

use batchlab_traces::{JobId, Machine, Time, Workload};

use crate::costs::Costs;
use crate::placement::{Placement, Rate, Share};
use crate::refused::Reason;
use cover::expect_cover;
use epochs::Epochs;
use general::General;
use record::{Stretch, TimeSpent};
use room::Room;
pub use states::State;
use states::States;
use turning::{Reordered, Turning};

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
    machine: Arc<Machine>,
    workload: Arc<Workload>,
    jobs: States,
    room: Room,
    general: Option<General>,
    /// The capacity that is out of service, once there is any.
    closures: Option<Box<closures::Closures>>,
    /// Reservations, if there are any.
    kept: Option<Box<kept::Kept>>,
    /// The jobs suspended in place, if jobs may be.
    suspended: Option<Box<suspended::Suspended>>,
    costs: Costs,
    /// The rows that take turns, under gang scheduling.
    turning: Option<Box<Turning>>,
    /// The jobs whose ends may have changed.
    reordered: Reordered,
    /// How each job's time was spent; empty on the plain path.
    services: Vec<TimeSpent>,
    epochs: Epochs,
    stretches: Vec<Stretch>,
    moves: Vec<(JobId, Time, Placement)>,
}

impl Cluster {
    /// Returns an empty machine before the first submission.
    ///
    /// `plain` requests the plain path, which only a pool without time sharing may take.
    pub fn new(machine: Arc<Machine>, workload: Arc<Workload>, plain: bool) -> Cluster {
        let general = (!plain || !machine.is_pool()).then(|| General::new(&machine));
        let jobs = workload.len();
        Cluster {
            room: Room::new(&machine),
            machine,
            workload,
            jobs: States::new(jobs),
            closures: None,
            kept: None,
            suspended: None,
            costs: Costs::default(),
            turning: None,
            reordered: Reordered::default(),
            services: if general.is_some() { vec![TimeSpent::default(); jobs] } else { Vec::new() },
            epochs: Epochs::default(),
            general,
            stretches: Vec::new(),
            moves: Vec::new(),
        }
    }

    /// Returns the machine with costs of switching, migrating and swapping.
    #[must_use]
    pub fn with_costs(self, costs: Costs) -> Cluster {
        Cluster { costs, ..self }
    }

    /// Goes on with the next section of a stream ([`Workload::onward`]); all jobs before its first have ended. On the
    /// plain path only. O(jobs of the section).
    pub fn go_on(&mut self, workload: Arc<Workload>) {
        let Some(first) = workload.jobs().next() else { return };
        self.jobs.go_on(first, workload.len());
        self.workload = workload;
    }

    /// Before the first submission: jobs have no identities until they enter the queue ([`Cluster::admit`]).
    pub fn open(&mut self) {
        self.workload = Arc::new(self.workload.before_entries());
    }

    /// Gives a job of another workload its identity, as it enters the queue at an instant; it is to be submitted then.
    /// O(resources).
    pub fn admit(&mut self, of: &Workload, job: JobId, now: Time) -> JobId {
        Arc::make_mut(&mut self.workload).enter(of, job, now)
    }

    /// Returns the workload, to be kept beyond the replay.
    pub fn share_workload(&self) -> Arc<Workload> {
        self.workload.clone()
    }

    /// Returns the workload.
    pub fn workload(&self) -> &Workload {
        &self.workload
    }

    /// Returns the machine.
    pub fn machine(&self) -> &Machine {
        &self.machine
    }

    /// Returns the free amounts of a node, one per resource; shared time resources are rounded down.
    #[inline]
    pub fn free(&self, node: usize) -> &[i64] {
        self.room.without_devices(node)
    }

    /// Returns the free amounts of a node, one per resource, then one per device.
    #[inline]
    pub fn room(&self, node: usize) -> &[i64] {
        self.room.of(node)
    }

    /// Returns the nodes with most room: on every other node no more is free than on one of these, of any resource.
    /// O(nodes · nodes returned) after a change, O(1) until the next.
    pub fn roomiest(&self) -> &[u32] {
        self.room.roomiest()
    }

    /// Returns how often room was given back: as long as it stays the same, what is free has only become less.
    #[inline]
    pub fn gifts(&self) -> u64 {
        self.room.gifts()
    }

    /// Returns the state of a job; a job beyond this workload is always [`State::Future`].
    #[inline]
    pub fn state(&self, job: JobId) -> State {
        self.jobs.of(job)
    }

    /// Returns when a job first ran: was placed at a rate above zero, or had a slice. A slice that began
    /// after rows were last changed or settled is not included; see [`Cluster::opened`].
    #[inline]
    pub fn started(&self, job: JobId) -> Option<Time> {
        self.jobs.started(job)
    }

    /// Returns when a job first ran, up to an instant, including slices that are not settled yet.
    pub fn opened(&self, job: JobId, now: Time) -> Option<Time> {
        self.started(job).or_else(|| self.turning.as_ref()?.opened(job, now))
    }

    /// Whether a job is being swapped out or in.
    pub fn is_swapping(&self, job: JobId) -> bool {
        self.general.is_some() && self.swapping_until(job).is_some()
    }

    /// Whether a waiting job would have to be swapped in before it could run.
    pub fn must_load(&self, job: JobId) -> bool {
        self.general.is_some() && self.loading_time(job) > Time::ZERO
    }

    /// Returns when the swap of a job will be over.
    pub fn swapped_at(&self, job: JobId) -> Option<Time> {
        self.swapping_until(job)
    }

    /// Returns when a job ended or was killed.
    #[inline]
    pub fn ended(&self, job: JobId) -> Option<Time> {
        self.jobs.ended(job)
    }

    /// Returns the waiting jobs in the order of submission.
    pub fn waiting(&self) -> impl Iterator<Item = JobId> + '_ {
        self.jobs.waiting()
    }

    /// Returns the jobs on the machine in the order in which they were placed.
    pub fn resident(&self) -> impl Iterator<Item = JobId> + '_ {
        self.jobs.resident()
    }

    /// Returns a resident job's rate.
    pub fn rate(&self, job: JobId) -> Rate {
        match &self.general {
            Some(general) => general.rate(job),
            None if self.state(job) == State::Resident => Rate::FULL,
            None => Rate::PAUSED,
        }
    }

    /// Returns where a resident job is.
    pub fn placement(&self, job: JobId) -> Placement {
        match &self.general {
            Some(general) => Placement(general.shares(job).to_vec()),
            None => Placement::on(0, self.workload.procs(job)),
        }
    }

    /// Returns a resident job's processors on each of its nodes.
    pub(crate) fn shares(&self, job: JobId) -> Cow<'_, [Share]> {
        match &self.general {
            Some(general) => Cow::Borrowed(general.shares(job)),
            None => Cow::Owned(Placement::on(0, self.workload.procs(job)).0),
        }
    }

    /// Whether time can be shared: rates, displacement and migration are possible.
    pub fn shares_time(&self) -> bool {
        self.general.is_some()
    }

    /// A job is submitted.
    pub fn submit(&mut self, job: JobId) {
        self.jobs.submit(job);
    }

    /// Puts a waiting job on the machine, or moves a resident one.
    ///
    /// # Errors
    /// When the job neither waits nor is resident, the placement does not cover it in whole tasks on nodes that take
    /// it, or the machine would be oversubscribed.
    pub fn place(&mut self, job: JobId, placement: &Placement, rate: Rate, now: Time) -> Result<(), Reason> {
        if self.general.is_some() {
            return self.place_general(job, placement, rate, now);
        }
        self.jobs.expect(job, State::Waiting)?;
        expect_cover(&self.machine, &self.workload, job, placement)?;
        self.place_plain(job, now)
    }

    /// Puts a waiting job on a pool at full speed.
    ///
    /// # Errors
    /// When the job does not wait, or the pool would be oversubscribed.
    #[inline]
    pub fn start(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        if self.general.is_some() {
            self.jobs.expect(job, State::Waiting)?;
            let placement = Placement::on(0, self.workload.procs(job));
            self.place_general(job, &placement, Rate::FULL, now)
        } else {
            self.place_plain(job, now)
        }
    }

    /// Changes a resident job's rate.
    ///
    /// # Errors
    /// When the job is not resident, or a time resource would be oversubscribed.
    pub fn set_rate(&mut self, job: JobId, rate: Rate, now: Time) -> Result<(), Reason> {
        self.jobs.expect(job, State::Resident)?;
        self.expect_no_turns(rate)?;
        if self.swapping_out(job) {
            return Err(Reason::State { state: "is being swapped out" });
        }
        self.rate_general(job, rate, now)
    }

    /// Makes exactly these resident jobs run at full speed and pauses all others, in one step.
    ///
    /// # Errors
    /// When one of the jobs is not resident, or together they oversubscribe a time resource; nothing has
    /// changed then.
    pub fn run_only(&mut self, row: &[JobId], now: Time) -> Result<Vec<JobId>, Reason> {
        for &job in row {
            self.jobs.expect(job, State::Resident)?;
        }
        self.settle(now);
        self.settle_members();
        self.turning = None;
        self.run_only_general(row, now)
    }

    /// Takes a resident job off the machine; it waits again, with or without its progress. Returns when it
    /// will have left, if swapping it out takes time.
    ///
    /// # Errors
    /// When the job is not resident, or is being swapped out already.
    pub fn displace(&mut self, job: JobId, keep: bool, now: Time) -> Result<Option<Time>, Reason> {
        self.jobs.expect(job, State::Resident)?;
        if self.swapping_out(job) {
            return Err(Reason::State { state: "is being swapped out" });
        }
        let until = self.displace_general(job, keep, now)?;
        self.jobs.run_at(job, Rate::PAUSED, now);
        if until.is_none() {
            self.jobs.wait_again(job);
        }
        Ok(until)
    }

    /// Ends a swap that is due: returns whether it was a swap out; `None` if there is no such swap (any
    /// more).
    pub fn swapped(&mut self, job: JobId, now: Time) -> Option<bool> {
        let out = self.swap_general(job, now)?;
        if out {
            self.jobs.wait_again(job);
        }
        Some(out)
    }

    /// A resident job ends, or is killed, or a waiting one is cancelled.
    ///
    /// # Errors
    /// When the job neither waits nor is on the machine.
    pub fn end(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        match self.state(job) {
            State::Resident => self.give_back(job, now),
            State::Leaving | State::Waiting => {}
            State::Future | State::Done => return self.jobs.expect(job, State::Resident),
        }
        self.jobs.end(job, now);
        Ok(())
    }

    /// Rejects a waiting job: it never was on the machine and has no end.
    ///
    /// # Errors
    /// When the job does not wait, or has been on the machine.
    pub fn reject(&mut self, job: JobId) -> Result<(), Reason> {
        self.jobs.reject(job)
    }

    /// Frees what a resident job holds before its end is reported, within the same instant.
    pub fn release(&mut self, job: JobId, now: Time) {
        if self.state(job) == State::Resident {
            self.give_back(job, now);
            self.jobs.release(job);
        }
    }

    /// Takes the first start and the end of every job out of the cluster; [`Time::MAX`] for a job that never started.
    pub fn take_times(&mut self) -> (Vec<Time>, Vec<Time>) {
        self.jobs.take_times()
    }

    /// Takes the record of the time of each job out of the cluster; empty on the plain path.
    pub fn take_services(&mut self) -> Vec<TimeSpent> {
        self.settle_members();
        std::mem::take(&mut self.services)
    }

    /// Returns the stretches that were closed since the last call.
    pub fn drain_stretches(&mut self) -> std::vec::Drain<'_, Stretch> {
        self.stretches.drain(..)
    }

    /// Returns where jobs were put, and when, since the last call; nothing on a pool.
    pub fn drain_moves(&mut self) -> std::vec::Drain<'_, (JobId, Time, Placement)> {
        self.moves.drain(..)
    }

    fn swapping_out(&self, job: JobId) -> bool {
        let residence = self.general.as_ref().and_then(|general| general.residents.get(&job));
        residence.is_some_and(|residence| residence.leaving)
    }

    /// While rows take turns, no job may run at a rate beside them.
    fn expect_no_turns(&self, rate: Rate) -> Result<(), Reason> {
        let turns = self.turning.as_ref().is_some_and(|turning| turning.any());
        if turns && rate > Rate::PAUSED {
            return Err(Reason::State { state: "cannot run at a rate while rows take turns" });
        }
        Ok(())
    }

    fn give_back(&mut self, job: JobId, now: Time) {
        if self.general.is_some() {
            self.give_back_general(job, now);
        } else {
            self.give_back_plain(job);
        }
        if self.closures.is_some() {
            self.forgets_suspension(job);
            self.reclaim(job);
            self.settle_owed();
        }
    }
}
