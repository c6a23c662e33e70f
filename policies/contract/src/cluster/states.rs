//! The states of jobs and the moves between them: a job is submitted and waits, is on the machine, and ends; in between it may
//! leave the machine and wait again.

use std::collections::HashSet;

use batchlab_traces::{JobId, Time};

use super::lists::Lists;
use crate::placement::Rate;
use crate::refused::Reason;

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

#[derive(Debug)]
pub(super) struct States {
    /// The first job of the arrays below: 0, except in a stream.
    first: u32,
    current: Vec<State>,
    starts: Vec<Time>,
    ends: Vec<Time>,
    lists: Lists,
    /// Jobs that have left the machine without ending.
    been: HashSet<JobId>,
    /// Jobs that lost their work and have not started again.
    again: HashSet<JobId>,
}

impl States {
    pub(super) fn new(jobs: usize) -> States {
        States {
            first: 0,
            current: vec![State::Future; jobs],
            starts: vec![Time::MAX; jobs],
            ends: vec![Time::MAX; jobs],
            lists: Lists::new(jobs),
            been: HashSet::new(),
            again: HashSet::new(),
        }
    }

    /// Goes on with `jobs` jobs from `first` on; those before have ended.
    pub(super) fn go_on(&mut self, first: JobId, jobs: usize) {
        let gone = (first.0 - self.first) as usize;
        self.current.drain(..gone);
        self.current.resize(jobs, State::Future);
        for times in [&mut self.starts, &mut self.ends] {
            times.drain(..gone);
            times.resize(jobs, Time::MAX);
        }
        self.lists.go_on(first, jobs);
        self.first = first.0;
    }

    /// Makes room for at least this number of jobs; amortised O(1) for each.
    pub(super) fn make_room(&mut self, jobs: usize) {
        if jobs > self.current.len() {
            let jobs = jobs.next_power_of_two();
            self.current.resize(jobs, State::Future);
            self.starts.resize(jobs, Time::MAX);
            self.ends.resize(jobs, Time::MAX);
            self.lists.grow(jobs);
        }
    }

    #[inline]
    fn at(&self, job: JobId) -> usize {
        job.0.wrapping_sub(self.first) as usize
    }

    /// Returns the state of a job; a job beyond the workload is always [`State::Future`].
    #[inline]
    pub(super) fn of(&self, job: JobId) -> State {
        if job.0 < self.first {
            return State::Done;
        }
        self.current.get(self.at(job)).copied().unwrap_or(State::Future)
    }

    /// Returns the reason why a job is not in a state.
    #[inline]
    pub(super) fn expect(&self, job: JobId, state: State) -> Result<(), Reason> {
        match self.current.get(self.at(job)) {
            Some(&actual) if actual == state => Ok(()),
            Some(&actual) => Err(Reason::State { state: wrong(actual) }),
            None => Err(Reason::State { state: "is not a job of this workload" }),
        }
    }

    #[inline]
    pub(super) fn started(&self, job: JobId) -> Option<Time> {
        Some(self.starts[self.at(job)]).filter(|&start| start != Time::MAX)
    }

    #[inline]
    pub(super) fn ended(&self, job: JobId) -> Option<Time> {
        Some(self.ends[self.at(job)]).filter(|&end| end != Time::MAX)
    }

    /// Returns the waiting jobs in the order of submission.
    pub(super) fn waiting(&self) -> impl Iterator<Item = JobId> + '_ {
        self.lists.waiting()
    }

    /// Returns the jobs on the machine in the order in which they were placed.
    pub(super) fn resident(&self) -> impl Iterator<Item = JobId> + '_ {
        self.lists.resident()
    }

    /// A job waits for the first time.
    #[inline]
    pub(super) fn submit(&mut self, job: JobId) {
        self.set(job, State::Waiting);
        self.lists.wait(job);
    }

    /// A waiting job is on the machine, at a rate.
    #[inline]
    pub(super) fn enter(&mut self, job: JobId, rate: Rate, now: Time) {
        self.set(job, State::Resident);
        self.lists.leave(job);
        self.lists.reside(job);
        // The first start of a job that lost its work then is forgotten.
        if !self.again.is_empty() && self.again.remove(&job) {
            let at = self.at(job);
            self.starts[at] = Time::MAX;
        }
        self.run_at(job, rate, now);
    }

    /// Records a job's first start; a job that stops at the very instant of its first start has not run.
    #[inline]
    pub(super) fn run_at(&mut self, job: JobId, rate: Rate, now: Time) {
        let at = self.at(job);
        let start = &mut self.starts[at];
        if rate > Rate::PAUSED && *start == Time::MAX {
            *start = now;
        } else if rate == Rate::PAUSED && *start == now {
            *start = Time::MAX;
        }
    }

    /// Records a first start that is known only now.
    pub(super) fn has_run_at(&mut self, job: JobId, start: Time) {
        let at = self.at(job);
        self.starts[at] = self.starts[at].min(start);
    }

    /// A job on the machine waits again.
    pub(super) fn wait_again(&mut self, job: JobId) {
        self.set(job, State::Waiting);
        self.lists.leave(job);
        self.lists.wait(job);
        self.been.insert(job);
    }

    /// A job on the machine loses its work and waits again; its next start counts as its start.
    pub(super) fn lose(&mut self, job: JobId, now: Time) {
        self.run_at(job, Rate::PAUSED, now);
        self.wait_again(job);
        self.again.insert(job);
    }

    /// A job on the machine has freed what it held, and ends at this instant.
    pub(super) fn release(&mut self, job: JobId) {
        self.set(job, State::Leaving);
    }

    #[inline]
    pub(super) fn end(&mut self, job: JobId, now: Time) {
        let at = self.at(job);
        self.ends[at] = now;
        self.leave(job);
    }

    pub(super) fn reject(&mut self, job: JobId) -> Result<(), Reason> {
        self.expect(job, State::Waiting)?;
        if self.been.contains(&job) {
            return Err(Reason::State { state: "has been on the machine" });
        }
        self.leave(job);
        Ok(())
    }

    /// Turns away a waiting job that can never start again: it has neither start nor end.
    pub(super) fn turn_away(&mut self, job: JobId) {
        let at = self.at(job);
        self.starts[at] = Time::MAX;
        self.leave(job);
    }

    /// Takes the first start and the end of every job out.
    pub(super) fn take_times(&mut self) -> (Vec<Time>, Vec<Time>) {
        (std::mem::take(&mut self.starts), std::mem::take(&mut self.ends))
    }

    #[inline]
    fn leave(&mut self, job: JobId) {
        self.set(job, State::Done);
        self.lists.leave(job);
    }

    #[inline]
    fn set(&mut self, job: JobId, state: State) {
        let at = self.at(job);
        self.current[at] = state;
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
