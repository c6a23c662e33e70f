//! A policy and the state behind its turns, without a clock.

use std::sync::Arc;

use batchlab_traces::foreign::line;
use batchlab_traces::sorted::SortedSet;
use batchlab_traces::workload::PlainJob;
use batchlab_traces::{JobId, Machine, Time, Workload};

use super::ServeError;
use batchlab_contract::cluster::State;
use batchlab_contract::costs::Costs;
use batchlab_contract::event::Event;
use batchlab_contract::facts::{Fact, Facts};
use batchlab_contract::policy::{Late, Policy, PolicyError};
use batchlab_contract::spec::{Chosen, Setting};
use batchlab_contract::stage::{Effect, Setup, Stage};
use batchlab_contract::view::JobView;

#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    pub procs: i64,
    pub estimate: Time,
    /// For a policy that needs it.
    pub run: Option<Time>,
    /// -1 if unknown.
    pub user: i64,
    /// -1 if unknown.
    pub partition: i64,
}

/// A policy's order to the simulator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SeatOrder {
    /// A job that waits.
    Start(JobId),
    /// A job that runs.
    Kill(JobId),
    /// A job that waits.
    Reject(JobId),
}

/// A policy on a pool of processors.
pub struct Seat {
    name: String,
    policy: Box<dyn Policy>,
    stage: Stage,
    /// The jobs behind the identities: each goes through it as it arrives.
    events: Vec<Event>,
    /// The instants at which jobs will have outlived the policy's expectation.
    expiries: SortedSet<(Time, JobId)>,
    clairvoyant: bool,
    facts: Facts,
}

const ROOM: usize = 1 << 10;

impl Seat {
    /// Puts a policy on an empty pool. `tells` are the facts of jobs that the simulator has.
    pub fn new(chosen: &Chosen, procs: i64, seed: u64, tells: Facts) -> Result<Seat, ServeError> {
        let name = chosen.canonical();
        let needs = chosen.needs();
        let unfit = |why: String| ServeError::Unfit { policy: name.clone(), why };
        let odd = [
            (needs.time_sharing, "it suspends or moves running jobs"),
            (needs.processors, "it places jobs on numbered processors"),
            (needs.spread, "it needs a node for each task of a job"),
            (needs.installation, "it needs the files of a Slurm installation"),
            (needs.classes, "it needs interactive and batch jobs"),
        ];
        if let Some((_, why)) = odd.iter().find(|(is_odd, _)| *is_odd) {
            return Err(unfit((*why).into()));
        }
        if let Some(fact) = needs.facts.list().find(|&fact| !tells.has(fact)) {
            return Err(unfit(format!("it needs the {} of each job, which is not told", fact.name())));
        }
        let machine = Arc::new(Machine::pool(procs).map_err(|error| unfit(error.to_string()))?);
        let policy = chosen.build(&Setting::new(&machine)).map_err(|error| unfit(error.to_string()))?;
        let setup = Setup {
            policy: name.clone(),
            needs,
            costs: Costs::default().under(needs.costs),
            seed,
            passing: false,
            journal: false,
            suspends: None,
            general: false,
        };
        // It only holds its place.
        let blank = PlainJob {
            submit: Time::ZERO,
            run: Time::ZERO,
            estimate: Time::ZERO,
            demand: vec![1],
            user: -1,
            partition: -1,
        };
        let mut stage = Stage::new(&machine, &Arc::new(Workload::from_jobs(&[blank])), &setup);
        stage.cluster.open();
        stage.cluster.make_room(ROOM);
        let (clairvoyant, facts) = (needs.clairvoyance, needs.facts);
        Ok(Seat { name, policy, stage, events: Vec::new(), expiries: SortedSet::new(), clairvoyant, facts })
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns an error if the policy needs a fact of a job that the simulator does not tell of this one.
    pub fn must_tell(&self, job: &str, fact: Fact, value: i64) -> Result<(), ServeError> {
        if value >= 0 || !self.facts.has(fact) {
            return Ok(());
        }
        let why = format!("it needs the {} of each job, and `{}` has none", fact.name(), line(job, 60));
        Err(ServeError::Unfit { policy: self.name.clone(), why })
    }

    pub fn submit(&mut self, arrival: Arrival, now: Time) -> Result<JobId, ServeError> {
        let run = match arrival.run {
            None if self.clairvoyant => {
                let why = "it needs the run time of each job, which is not told".into();
                return Err(ServeError::Unfit { policy: self.name.clone(), why });
            }
            run => run.unwrap_or(arrival.estimate),
        };
        let job = PlainJob {
            submit: now,
            run,
            estimate: arrival.estimate,
            demand: vec![arrival.procs],
            user: arrival.user,
            partition: arrival.partition,
        };
        let of = Workload::from_jobs(&[job]);
        let id = self.stage.cluster.admit(&of, JobId(0), now);
        self.stage.cluster.make_room(id.index() + 1);
        self.stage.cluster.submit(id);
        self.events.push(Event::Submitted(id));
        Ok(id)
    }

    /// A job has ended, by itself or killed; nothing happens if it had before.
    pub fn end(&mut self, job: JobId, at: Time, by_itself: bool) {
        if self.stage.cluster.end(job, at).is_ok() {
            self.stage.forget_delay(job);
            self.events.push(if by_itself { Event::Finished(job) } else { Event::Killed(job) });
        }
    }

    pub fn procs(&self, job: JobId) -> i64 {
        self.stage.cluster.workload().procs(job)
    }

    /// Lets the policy decide, if something has happened.
    pub fn decide(&mut self, now: Time) -> Result<Vec<SeatOrder>, ServeError> {
        self.expire(now);
        let mut woke = false;
        while self.stage.wakes.first().is_some_and(|&at| at <= now) {
            self.stage.wakes.pop_first();
            woke = true;
        }
        self.events.extend(woke.then_some(Event::Woke(now)));
        let mut orders = Vec::new();
        // The effects of a decision are reported within the instant, as an engine does.
        while !self.events.is_empty() {
            let events = std::mem::take(&mut self.events);
            let decided = self.policy.decide(&mut self.stage.turn(now, &events));
            decided.map_err(|error| self.failed(now, &error))?;
            self.stage.work = batchlab_contract::stage::Work::default();
            for effect in std::mem::take(&mut self.stage.effects) {
                orders.push(self.order(effect, now)?);
            }
        }
        Ok(orders)
    }

    pub fn finish(&mut self, now: Time) -> Result<(), ServeError> {
        self.policy.finish().map_err(|error| self.failed(now, &error))
    }

    /// The next instant at which the policy must be called even if nothing happens.
    pub fn next_call(&self) -> Option<Time> {
        let expiry = self.expiries.first().map(|&(at, _)| at);
        expiry.into_iter().chain(self.stage.wakes.first().copied()).min()
    }

    fn order(&mut self, effect: Effect, now: Time) -> Result<SeatOrder, ServeError> {
        match effect {
            Effect::Placed(job) => {
                self.expect(job, now);
                Ok(SeatOrder::Start(job))
            }
            Effect::Killed(job) => {
                self.events.push(Event::Killed(job));
                let has_run = self.stage.cluster.started(job).is_some();
                Ok(if has_run { SeatOrder::Kill(job) } else { SeatOrder::Reject(job) })
            }
            Effect::Rejected(job) => Ok(SeatOrder::Reject(job)),
            Effect::Rated(job)
            | Effect::Displaced(job)
            | Effect::Swapping(job, _)
            | Effect::Preempted(job, _)
            | Effect::Resumed(job) => {
                let why = format!("it moves or suspends job {}, which runs", job.0);
                Err(ServeError::Failed { policy: self.name.clone(), at: now, why })
            }
        }
    }

    /// Notes when a job will have outlived the policy's expectation. The simulator ends a job at its estimate.
    fn expect(&mut self, job: JobId, now: Time) {
        let expected = self.stage.expected_end(job);
        let limit = self.stage.cluster.workload().estimate(job);
        if self.stage.expected_duration(job) < limit && expected < Time::FARTHEST {
            self.expiries.insert((expected.max(now), job));
        }
    }

    /// Asks the policy about jobs that have outlived its expectations.
    fn expire(&mut self, now: Time) {
        while let Some(&(at, job)) = self.expiries.first().filter(|(at, _)| *at <= now) {
            self.expiries.pop_first();
            if self.stage.cluster.state(job) != State::Resident {
                continue;
            }
            let Some(started) = self.stage.cluster.started(job) else { continue };
            let before = self.stage.expected_duration(job);
            let late = Late { job: JobView::new(self.stage.cluster.workload(), job), started, now: at };
            let longer = self.policy.expired(late).filter(|&duration| duration > before);
            self.stage.expected.insert(job, longer.unwrap_or(Time::MAX));
            self.expect(job, now);
        }
    }

    fn failed(&self, at: Time, error: &PolicyError) -> ServeError {
        ServeError::Failed { policy: self.name.clone(), at, why: error.to_string() }
    }
}
