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
pub mod rotation;
mod suspended;
mod turning;

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::HashSet;
use std::sync::Arc;

use batchlab_traces::{JobId, Machine, Time, Workload};

use crate::costs::Costs;
use crate::placement::{Placement, Rate, Share};
use crate::refused::Reason;
use epochs::Epochs;
use general::General;
use lists::Lists;
use record::{Stretch, TimeSpent};
use turning::{Reordered, Turning};

/// The state of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// Not submitted yet.
    Future,
    /// Submitted and not on the machine.
    Waiting,
    /// On the machine.
    Resident,
    /// On the machine for the remainder of this instant only; its resources are free already.
    Leaving,
    /// Ended or rejected.
    Done,
}

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
    /// The first job of the arrays below: 0, except in a stream.
    first: u32,
    states: Vec<State>,
    starts: Vec<Time>,
    ends: Vec<Time>,
    lists: Lists,
    /// Jobs that have left the machine without ending.
    been: HashSet<JobId>,
    /// Jobs that lost their work and have not started again.
    again: HashSet<JobId>,
    /// Free amounts in whole units, node by node.
    free: Vec<i64>,
    /// The nodes with most room, once asked for.
    roomiest: OnceCell<Vec<u32>>,
    /// How often room was given back.
    gifts: u64,
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
        let free: Vec<i64> = (0..machine.nodes()).flat_map(|node| machine.amounts(node)).collect();
        let general = (!plain || !machine.is_pool()).then(|| General::new(&machine));
        let jobs = workload.len();
        Cluster {
            machine,
            workload,
            first: 0,
            states: vec![State::Future; jobs],
            starts: vec![Time::MAX; jobs],
            ends: vec![Time::MAX; jobs],
            lists: Lists::new(jobs),
            been: HashSet::new(),
            again: HashSet::new(),
            free,
            roomiest: OnceCell::new(),
            closures: None,
            kept: None,
            suspended: None,
            costs: Costs::default(),
            turning: None,
            reordered: Reordered::default(),
            services: if general.is_some() { vec![TimeSpent::default(); jobs] } else { Vec::new() },
            epochs: Epochs::default(),
            gifts: 0,
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
        let (gone, jobs) = ((first.0 - self.first) as usize, workload.len());
        self.states.drain(..gone);
        self.states.resize(jobs, State::Future);
        for times in [&mut self.starts, &mut self.ends] {
            times.drain(..gone);
            times.resize(jobs, Time::MAX);
        }
        self.lists.go_on(first, jobs);
        (self.workload, self.first) = (workload, first.0);
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

    #[inline]
    fn at(&self, job: JobId) -> usize {
        job.0.wrapping_sub(self.first) as usize
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
        &self.room(node)[..self.machine.kinds()]
    }

    /// Returns the free amounts of a node, one per resource, then one per device.
    #[inline]
    pub fn room(&self, node: usize) -> &[i64] {
        let width = self.machine.width();
        &self.free[node * width..(node + 1) * width]
    }

    /// Returns the nodes with most room: on every other node no more is free than on one of these, of any resource.
    /// O(nodes · nodes returned) after a change, O(1) until the next.
    pub fn roomiest(&self) -> &[u32] {
        self.roomiest.get_or_init(|| {
            let within = |one: u32, other: u32| {
                let (one, other) = (self.free(one as usize), self.free(other as usize));
                one.iter().zip(other).all(|(one, other)| one <= other)
            };
            let mut roomiest: Vec<u32> = Vec::new();
            for node in 0..self.machine.nodes() as u32 {
                if !roomiest.iter().any(|&other| within(node, other)) {
                    roomiest.retain(|&other| !within(other, node));
                    roomiest.push(node);
                }
            }
            roomiest
        })
    }

    /// Returns how often room was given back: as long as it stays the same, what is free has only become less.
    #[inline]
    pub fn gifts(&self) -> u64 {
        self.gifts
    }

    /// Returns the state of a job; a job beyond this workload is always [`State::Future`].
    #[inline]
    pub fn state(&self, job: JobId) -> State {
        if job.0 < self.first {
            return State::Done;
        }
        self.states.get(self.at(job)).copied().unwrap_or(State::Future)
    }

    /// Returns when a job first ran: was placed at a rate above zero, or had a slice. A slice that began
    /// after rows were last changed or settled is not included; see [`Cluster::opened`].
    #[inline]
    pub fn started(&self, job: JobId) -> Option<Time> {
        Some(self.starts[self.at(job)]).filter(|&start| start != Time::MAX)
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
        Some(self.ends[self.at(job)]).filter(|&end| end != Time::MAX)
    }

    /// Returns the waiting jobs in the order of submission.
    pub fn waiting(&self) -> impl Iterator<Item = JobId> + '_ {
        self.lists.waiting()
    }

    /// Returns the jobs on the machine in the order in which they were placed.
    pub fn resident(&self) -> impl Iterator<Item = JobId> + '_ {
        self.lists.resident()
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
        let at = self.at(job);
        self.states[at] = State::Waiting;
        self.lists.wait(job);
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
        self.expect_state(job, State::Waiting)?;
        self.expect_cover(job, placement)?;
        self.place_plain(job, now)
    }

    /// Puts a waiting job on a pool at full speed.
    ///
    /// # Errors
    /// When the job does not wait, or the pool would be oversubscribed.
    #[inline]
    pub fn start(&mut self, job: JobId, now: Time) -> Result<(), Reason> {
        if self.general.is_some() {
            self.expect_state(job, State::Waiting)?;
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
        self.expect_state(job, State::Resident)?;
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
            self.expect_state(job, State::Resident)?;
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
        self.expect_state(job, State::Resident)?;
        if self.swapping_out(job) {
            return Err(Reason::State { state: "is being swapped out" });
        }
        let until = self.displace_general(job, keep, now)?;
        self.note_start(job, Rate::PAUSED, now);
        if until.is_none() {
            self.wait_again(job);
        }
        Ok(until)
    }

    /// Ends a swap that is due: returns whether it was a swap out; `None` if there is no such swap (any
    /// more).
    pub fn swapped(&mut self, job: JobId, now: Time) -> Option<bool> {
        let out = self.swap_general(job, now)?;
        if out {
            self.wait_again(job);
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
            state => {
                return self
                    .expect_state(job, State::Resident)
                    .and(Err(Reason::State { state: wrong(state) }));
            }
        }
        let at = self.at(job);
        self.states[at] = State::Done;
        self.ends[at] = now;
        self.lists.leave(job);
        Ok(())
    }

    /// Rejects a waiting job: it never was on the machine and has no end.
    ///
    /// # Errors
    /// When the job does not wait, or has been on the machine.
    pub fn reject(&mut self, job: JobId) -> Result<(), Reason> {
        self.expect_state(job, State::Waiting)?;
        if self.been.contains(&job) {
            return Err(Reason::State { state: "has been on the machine" });
        }
        let at = self.at(job);
        self.states[at] = State::Done;
        self.lists.leave(job);
        Ok(())
    }

    /// Frees what a resident job holds before its end is reported, within the same instant.
    pub fn release(&mut self, job: JobId, now: Time) {
        if self.state(job) == State::Resident {
            self.give_back(job, now);
            let at = self.at(job);
            self.states[at] = State::Leaving;
        }
    }

    /// Takes the first start and the end of every job out of the cluster; [`Time::MAX`] for a job that never started.
    pub fn take_times(&mut self) -> (Vec<Time>, Vec<Time>) {
        (std::mem::take(&mut self.starts), std::mem::take(&mut self.ends))
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

    fn wait_again(&mut self, job: JobId) {
        let at = self.at(job);
        self.states[at] = State::Waiting;
        self.lists.leave(job);
        self.lists.wait(job);
        self.been.insert(job);
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

    fn enter(&mut self, job: JobId, rate: Rate, now: Time) {
        let at = self.at(job);
        self.states[at] = State::Resident;
        self.lists.leave(job);
        self.lists.reside(job);
        self.start_anew(job);
        self.note_start(job, rate, now);
    }

    /// Records a job's first start; a job that stops at the very instant of its first start has not run.
    fn note_start(&mut self, job: JobId, rate: Rate, now: Time) {
        let at = self.at(job);
        let start = &mut self.starts[at];
        if rate > Rate::PAUSED && *start == Time::MAX {
            *start = now;
        } else if rate == Rate::PAUSED && *start == now {
            *start = Time::MAX;
        }
    }

    fn expect_state(&self, job: JobId, state: State) -> Result<(), Reason> {
        match self.states.get(self.at(job)) {
            Some(&actual) if actual == state => Ok(()),
            Some(&actual) => Err(Reason::State { state: wrong(actual) }),
            None => Err(Reason::State { state: "is not a job of this workload" }),
        }
    }
}

fn wrong(state: State) -> &'static str {
    match state {
        State::Future => "has not been submitted",
        State::Waiting => "waits",
        State::Resident => "is on the machine already",
        State::Leaving | State::Done => "has ended",
    }
}
