//! The jobs that have not entered the queue: the next one in the order of submission, and those that wait for others.
//!
//! A job that depends on others enters the queue when the replay has met its condition, and the task of an array with a throttle
//! when enough tasks of the array have left. Until then only this module knows of the job. Jobs of such a workload get their
//! identities as they enter, so that identities ascend for policies. The outcome keeps the workload in this order
//! (`Outcome::entered`), and a measurement is about it; the row in the trace is what two outcomes have in common.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::sync::Arc;

use batchlab_traces::workload::Milestone;
use batchlab_traces::{JobId, Time, Workload};

pub(super) struct ArrivalQueue {
    /// The jobs of the log. Where jobs depend on others, the cluster has its own identities for them, in the order of
    /// entry; all jobs here are by their identities in the log.
    workload: Arc<Workload>,
    /// The next job without dependencies.
    next: u32,
    /// Number of jobs that have entered.
    count: u32,
    held: Option<Box<Held>>,
}

/// The jobs that depend on others.
struct Held {
    /// For each job its place among the conditions of the workload; [`FREE`] if it has none.
    place: Vec<u32>,
    waits: Vec<Waits>,
    /// For each job, the range of `links` that depend on it.
    first: Vec<u32>,
    links: Vec<Link>,
    arrays: Arrays,
    /// For each condition, when its dependencies are met and when the throttle of its array lets it in.
    met: Vec<[Option<Time>; 2]>,
    /// Jobs whose conditions are met, by their instants of entry. A job may be there several times; the first counts.
    ready: BinaryHeap<Reverse<(Time, JobId)>>,
    has_entered: Vec<bool>,
    has_started: Vec<bool>,
    /// The jobs that have entered, in that order.
    entered: Vec<JobId>,
}

/// The place of a job without a condition.
const FREE: u32 = u32::MAX;

/// A dependency, seen from the job that comes first.
#[derive(Clone, Copy)]
struct Link {
    place: u32,
    milestone: Milestone,
    delay: Time,
}

/// The state of a condition.
enum Waits {
    /// All dependencies are needed: the number of those that are not met, and the latest instant so far.
    All(usize, Time),
    /// Some are needed: the instants so far.
    Some(Vec<Time>),
}

/// The arrays of which only some tasks may be in the system at a time.
#[derive(Default)]
struct Arrays {
    /// For each job its array; [`FREE`] if it has none. Empty without arrays.
    of: Vec<u32>,
    /// For each array how many of its tasks have left, and how many must have for each condition to come, descending.
    left: Vec<(usize, Vec<(usize, u32)>)>,
}

impl ArrivalQueue {
    pub(super) fn new(workload: &Arc<Workload>) -> ArrivalQueue {
        let held = workload.is_closed().then(|| Box::new(Held::new(workload)));
        let mut arrivals = ArrivalQueue { workload: workload.clone(), next: 0, count: 0, held };
        arrivals.skip_held();
        arrivals
    }

    /// Returns the jobs of the log, by their identities there.
    pub(super) fn workload(&self) -> &Arc<Workload> {
        &self.workload
    }

    /// Goes on with the next section of a stream: of the present one, only the jobs `from` one on stay.
    pub(super) fn go_on(&mut self, from: JobId, more: &Workload) {
        self.workload = Arc::new(self.workload.onward(from, more));
    }

    /// Whether jobs depend on others, so that they get their identities as they enter.
    pub(super) fn is_closed(&self) -> bool {
        self.held.is_some()
    }

    pub(super) fn count(&self) -> u32 {
        self.count
    }

    /// Returns the next job to enter, and when it does; ties in the order of the log. O(1).
    #[inline]
    pub(super) fn next(&self) -> Option<(Time, JobId)> {
        let next = Some(JobId(self.next)).filter(|&job| job < self.workload.end());
        let next = next.map(|job| (self.workload.seen(job), job));
        let Some(held) = &self.held else { return next };
        let ready = held.ready.peek().map(|&Reverse(ready)| ready);
        next.into_iter().chain(ready).min()
    }

    /// Takes the next job, if there is one. O(log n).
    pub(super) fn take(&mut self) -> Option<(Time, JobId)> {
        let (at, job) = self.next()?;
        self.count += 1;
        if job.0 == self.next {
            self.next += 1;
            self.skip_held();
        }
        if let Some(held) = &mut self.held {
            held.enter(job);
        }
        Some((at, job))
    }

    /// A job, by its identity in the cluster, is on the machine. O(d log n) for the d jobs that depend on it.
    #[inline]
    pub(super) fn started(&mut self, entered: JobId, now: Time) {
        if let Some(held) = &mut self.held {
            held.started(held.entered[entered.index()], now, &self.workload);
        }
    }

    /// A job, by its identity in the cluster, has ended or was rejected. Jobs that waited for its start wait no longer.
    #[inline]
    pub(super) fn left(&mut self, entered: JobId, now: Time) {
        if let Some(held) = &mut self.held {
            let job = held.entered[entered.index()];
            held.started(job, now, &self.workload);
            held.reached(job, Milestone::End, now, &self.workload);
            held.task_left(job, now, &self.workload);
        }
    }

    /// Returns the identity in the log of a job that has entered.
    #[inline]
    pub(super) fn in_log(&self, entered: JobId) -> JobId {
        self.held.as_ref().map_or(entered, |held| held.entered[entered.index()])
    }

    /// Returns the number of jobs that still wait for others, and the number of the first in the log.
    pub(super) fn held(&self) -> Option<(usize, i64)> {
        let held = self.held.as_ref()?;
        let mut left = self.workload.jobs().filter(|job| !held.has_entered[job.index()]);
        let first = left.next()?;
        Some((1 + left.count(), self.workload.number(first)))
    }

    /// The replay stops at an instant: jobs that still depend on others come as if they were submitted after it.
    pub(super) fn release_all(&mut self, stop: Time) {
        if let Some(held) = &mut self.held {
            held.release_all(stop, &self.workload);
        }
    }

    fn skip_held(&mut self) {
        let Some(held) = &self.held else { return };
        let waits = |next: &u32| held.place.get(*next as usize).is_some_and(|&place| place != FREE);
        while waits(&self.next) {
            self.next += 1;
        }
    }
}

impl Held {
    fn new(workload: &Workload) -> Held {
        let conditions = workload.conditions();
        let mut place = vec![FREE; workload.len()];
        let mut first = vec![0_u32; workload.len() + 1];
        for (at, (job, condition)) in conditions.iter().enumerate() {
            place[job.index()] = at as u32;
            condition.on.iter().for_each(|dependency| first[dependency.on.index() + 1] += 1);
        }
        for job in 0..workload.len() {
            first[job + 1] += first[job];
        }
        let unset = Link { place: FREE, milestone: Milestone::End, delay: Time::ZERO };
        let (mut next, mut links) = (first.clone(), vec![unset; first[workload.len()] as usize]);
        for (place, (_, condition)) in conditions.iter().enumerate() {
            for dependency in &condition.on {
                let at = &mut next[dependency.on.index()];
                let place = place as u32;
                links[*at as usize] =
                    Link { place, milestone: dependency.milestone, delay: dependency.delay };
                *at += 1;
            }
        }
        let mut held = Held {
            place,
            waits: Vec::with_capacity(conditions.len()),
            first,
            links,
            arrays: Arrays::new(workload),
            met: Vec::with_capacity(conditions.len()),
            ready: BinaryHeap::new(),
            has_entered: vec![false; workload.len()],
            has_started: vec![false; workload.len()],
            entered: Vec::with_capacity(workload.len()),
        };
        for (job, condition) in conditions {
            held.waits.push(match condition.needed {
                all if all == condition.on.len() => Waits::All(all, condition.earliest),
                _ => Waits::Some(Vec::new()),
            });
            let dependencies = (condition.needed == 0).then_some(condition.earliest);
            let throttle = condition.throttle.is_none().then_some(condition.earliest);
            held.met.push([dependencies, throttle]);
            if condition.needed == 0 && condition.throttle.is_none() {
                held.ready.push(Reverse((condition.earliest, *job)));
            }
        }
        held
    }

    fn enter(&mut self, job: JobId) {
        self.has_entered[job.index()] = true;
        self.entered.push(job);
        while self.ready.peek().is_some_and(|&Reverse((_, job))| self.has_entered[job.index()]) {
            self.ready.pop();
        }
    }

    fn started(&mut self, job: JobId, now: Time, workload: &Workload) {
        if !std::mem::replace(&mut self.has_started[job.index()], true) {
            self.reached(job, Milestone::Start, now, workload);
        }
    }

    fn reached(&mut self, job: JobId, milestone: Milestone, now: Time, workload: &Workload) {
        let range = self.first[job.index()] as usize..self.first[job.index() + 1] as usize;
        for &link in self.links[range].iter().filter(|link| link.milestone == milestone) {
            let (held, condition) = &workload.conditions()[link.place as usize];
            if self.has_entered[held.index()] {
                continue;
            }
            let met = now.saturating_add(link.delay).max(condition.earliest);
            let entry = match &mut self.waits[link.place as usize] {
                Waits::All(open, latest) => {
                    (*open, *latest) = (open.saturating_sub(1), met.max(*latest));
                    (*open == 0).then_some(*latest)
                }
                Waits::Some(instants) => {
                    instants.insert(instants.partition_point(|&at| at <= met), met);
                    condition.needed.checked_sub(1).and_then(|last| instants.get(last).copied())
                }
            };
            if let Some(at) = entry {
                self.met[link.place as usize][0] = Some(at);
                if let Some(throttle) = self.met[link.place as usize][1] {
                    self.ready.push(Reverse((at.max(throttle), *held)));
                }
            }
        }
    }

    /// A task of an array has left; the next one may enter. O(log n).
    fn task_left(&mut self, job: JobId, now: Time, workload: &Workload) {
        let array = self.arrays.of.get(job.index()).filter(|&&array| array != FREE);
        let Some((left, waiting)) = array.map(|&array| &mut self.arrays.left[array as usize]) else { return };
        *left += 1;
        while let Some((_, place)) = waiting.pop_if(|(ended, _)| *ended <= *left) {
            let [dependencies, throttle] = &mut self.met[place as usize];
            *throttle = Some(now);
            if let Some(dependencies) = *dependencies {
                let task = workload.conditions()[place as usize].0;
                self.ready.push(Reverse((dependencies.max(now), task)));
            }
        }
    }

    fn release_all(&mut self, stop: Time, workload: &Workload) {
        let after = stop.saturating_add(Time::TICK);
        self.ready.clear();
        for (job, _) in workload.conditions() {
            if !self.has_entered[job.index()] {
                self.ready.push(Reverse((workload.submit(*job).max(after), *job)));
            }
        }
    }
}

impl Arrays {
    fn new(workload: &Workload) -> Arrays {
        let throttles = || {
            let conditions = workload.conditions().iter().enumerate();
            conditions.filter_map(|(place, (_, condition))| Some((place, condition.throttle.as_ref()?)))
        };
        let mut arrays = Arrays::default();
        if throttles().next().is_none() {
            return arrays;
        }
        arrays.of = vec![FREE; workload.len()];
        for (place, throttle) in throttles() {
            let first = throttle.tasks[0].index();
            if arrays.of[first] == FREE {
                for task in throttle.tasks.iter() {
                    arrays.of[task.index()] = arrays.left.len() as u32;
                }
                arrays.left.push((0, Vec::new()));
            }
            let (_, waiting) = &mut arrays.left[arrays.of[first] as usize];
            waiting.push((throttle.ended(), place as u32));
        }
        for (_, waiting) in &mut arrays.left {
            waiting.sort_unstable_by(|a, b| b.cmp(a));
        }
        arrays
    }
}
