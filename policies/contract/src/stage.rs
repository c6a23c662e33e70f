//! The state behind a turn: the cluster, the decisions and promises, and the policy's counters.

use std::collections::HashMap;
use std::sync::Arc;

use batchlab_traces::capacity::KnownClosures;
use batchlab_traces::sorted::{SortedMap, SortedSet};
use batchlab_traces::{JobId, Machine, Time, Workload, seed};
use chacha20::ChaCha12Rng;

use crate::cluster::Cluster;
use crate::costs::Costs;
use crate::event::Event;
use crate::journal::{Act, Entry, Journal, Preemption};
use crate::needs::Needs;
use crate::priorities::claims::Claims;
use crate::turn::Turn;

/// An effect of a decision that the clock must know about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)] // The names say the rest.
pub enum Effect {
    Placed(JobId),
    Rated(JobId),
    Displaced(JobId),
    Killed(JobId),
    /// A job is being swapped out or in until an instant.
    Swapping(JobId, Time),
    Rejected(JobId),
    /// A resident job loses its processors at an instant, unless it ends before.
    Preempted(JobId, Preemption),
    Resumed(JobId),
}

/// The setup of a replay, as far as a policy's turn depends on it.
#[derive(Clone, Debug, Default)]
pub struct Setup {
    /// The policy's spec, which also names its random stream.
    pub policy: String,
    /// The needs that the policy declared.
    pub needs: Needs,
    /// What switching, migrating and swapping cost.
    pub costs: Costs,
    /// Seed of the replay.
    pub seed: u64,
    /// Whether jobs with a run time of zero free their processors at once (`submit-first`, `finish-first`).
    pub passing: bool,
    /// Whether decisions are recorded.
    pub journal: bool,
    /// If jobs may be suspended in place: whether they give back each resource meanwhile.
    pub suspends: Option<Vec<bool>>,
    /// Whether the general path is taken even if the plain one would do (tests compare the two).
    pub general: bool,
}

/// The cost of a decision beside the policy's own code.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Wake-ups requested.
    pub wakes: u64,
    /// Calls of plug-ins, in units of about half a microsecond.
    pub calls: u64,
}

impl Work {
    /// The most wake-ups that a decision may request.
    pub const MOST_WAKES: u64 = 10_000_000;

    /// Returns the work in units of about half a microsecond: eight wake-ups are one, and the wake-up that a policy needs to
    /// be asked again is free.
    pub fn units(self) -> u64 {
        self.calls.saturating_add(self.wakes.saturating_sub(1) / 8)
    }
}

/// The state that a policy acts on, owned by the engine between its turns.
pub struct Stage {
    /// The machine and the jobs.
    pub cluster: Cluster,
    /// The effects of the last decision.
    pub effects: Vec<Effect>,
    /// The instants for which the policy requested wake-ups. Several wake-ups at one instant count as one.
    pub wakes: SortedSet<Time>,
    /// The expected total run times of jobs, if they differ from the estimates.
    pub expected: HashMap<JobId, Time>,
    /// For how long jobs that were suspended in place have been so, or are expected to have been so when they resume.
    pub(crate) delays: HashMap<JobId, Time>,
    /// The journal, if decisions are recorded.
    pub journal: Option<Journal>,
    /// The processors of jobs that the policy named by number, as [`Turn::name_processors`] gets them.
    pub processors: HashMap<JobId, Vec<(u32, u32)>>,
    /// The policy's words about jobs.
    pub descriptions: HashMap<JobId, String>,
    /// Number of rejected jobs, by reason.
    pub rejected: SortedMap<&'static str, u64>,
    /// The policy's counters.
    pub tallies: SortedMap<&'static str, u64>,
    /// For each kind of choice by score: the number of choices, and of ties among them.
    pub ties: SortedMap<&'static str, (u64, u64)>,
    /// The changes of the capacity that are known and not over, by beginning.
    pub foreseen: KnownClosures,
    /// The number of changes that have become known since the beginning.
    pub announced: u64,
    /// Whether jobs may hold more than is there: the scenario has changes of the capacity, or jobs are suspended in place.
    pub closes: bool,
    /// The room that is kept for jobs that preempt others; `None` if no job does.
    pub(crate) claims: Option<Box<Claims>>,
    /// The cost of the decision so far beside the policy's own code: calls of plug-ins and wake-ups.
    pub work: Work,
    /// Number of the decision, from 1.
    pub decision: u64,
    pub(crate) needs: Needs,
    pub(crate) passing: bool,
    pub(crate) rng: ChaCha12Rng,
}

impl Stage {
    /// Returns the stage before the first submission.
    pub fn new(machine: &Arc<Machine>, workload: &Arc<Workload>, setup: &Setup) -> Stage {
        let plain = !setup.needs.time_sharing && !setup.general && setup.suspends.is_none();
        let cluster = Cluster::new(machine.clone(), workload.clone(), plain, setup.costs);
        Stage {
            cluster: match &setup.suspends {
                Some(releases) => cluster.with_suspension(releases),
                None => cluster,
            },
            effects: Vec::new(),
            wakes: SortedSet::new(),
            expected: HashMap::new(),
            delays: HashMap::new(),
            journal: setup.journal.then(Journal::default),
            processors: HashMap::new(),
            descriptions: HashMap::new(),
            rejected: SortedMap::new(),
            tallies: SortedMap::new(),
            ties: SortedMap::new(),
            foreseen: KnownClosures::default(),
            announced: 0,
            closes: setup.suspends.is_some(),
            claims: None,
            work: Work::default(),
            decision: 0,
            needs: setup.needs,
            passing: setup.passing,
            rng: seed::stream(setup.seed, &setup.policy),
        }
    }

    /// Goes on with the next section of a stream, as [`Cluster::go_on`].
    pub fn go_on(&mut self, workload: &Arc<Workload>) {
        self.expected.retain(|&job, _| workload.has(job));
        self.cluster.go_on(workload.clone());
    }

    /// Opens the policy's turn at an instant, after these events.
    pub fn turn<'a>(&'a mut self, now: Time, events: &'a [Event]) -> Turn<'a> {
        self.decision += 1;
        self.same_turn(now, events)
    }

    /// Opens the turn of the present decision again.
    pub fn same_turn<'a>(&'a mut self, now: Time, events: &'a [Event]) -> Turn<'a> {
        // The borrows end with the turn; the shared parts are borrowed from their owners, not from `self`.
        Turn::new(self, now, events)
    }

    /// Returns when a resident job is expected to end: its start plus its expected run time, and the time for which it is
    /// suspended in place.
    pub fn expected_end(&self, job: JobId) -> Time {
        let start = self.cluster.started(job).unwrap_or(Time::MAX);
        start.saturating_add(self.expected_duration(job)).saturating_add(self.delay(job))
    }

    /// Returns for how long a job has been suspended in place, or is expected to have been so when it resumes.
    #[inline]
    pub fn delay(&self, job: JobId) -> Time {
        if self.delays.is_empty() { Time::ZERO } else { self.delays.get(&job).copied().unwrap_or_default() }
    }

    /// A suspended job is expected to resume at an instant, or resumes then. Returns whether that is new.
    pub fn resumes_at(&mut self, job: JobId, at: Time) -> bool {
        let Some(start) = self.cluster.started(job) else { return false };
        let delay = at - start - self.cluster.executed(job, at);
        self.delays.insert(job, delay) != Some(delay)
    }

    /// A job has ended, or has lost its work.
    #[inline]
    pub fn forget_delay(&mut self, job: JobId) {
        if !self.delays.is_empty() {
            self.delays.remove(&job);
        }
    }

    /// Returns the expected total run time of a job.
    #[inline]
    pub fn expected_duration(&self, job: JobId) -> Time {
        let estimate = || self.cluster.workload().estimate(job);
        if self.expected.is_empty() {
            return estimate();
        }
        self.expected.get(&job).copied().unwrap_or_else(estimate)
    }

    /// Turns away, for a reason, a waiting job that the capacity in service can never hold: it has neither start nor end.
    pub fn turn_away(&mut self, now: Time, job: JobId, reason: &'static str) {
        self.cluster.turn_away(job);
        *self.rejected.entry(reason).or_default() += 1;
        self.note(now, job, Act::Rejected(reason));
    }

    /// Records what happens to a job, if decisions are recorded.
    pub fn note(&mut self, now: Time, job: JobId, act: Act) {
        let decision = self.decision;
        if let Some(journal) = &mut self.journal {
            journal.entries.push(Entry { time: now, decision, job, act });
        }
    }
}
