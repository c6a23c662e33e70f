//! The state of every job in the system, and its time in the queue.

use batchlab_traces::sorted::SortedMap;
use batchlab_traces::{JobId, Time};

use super::standing::ExpansionFactor;
use crate::turn::Turn;
use crate::view::JobView;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    /// In the queue.
    Waiting,
    /// Suspended, on the machine.
    InMemory,
    /// Suspended, still leaving the machine.
    Leaving,
    Running,
    /// It ends within this instant.
    Gone,
}

#[derive(Clone, Copy, Debug)]
struct Life {
    stands: Stands,
    /// Since when it has been idle, or has been running.
    since: Time,
    /// Time in the queue before the present stage.
    queued: Time,
}

impl Life {
    fn is_idle(&self) -> bool {
        matches!(self.stands, Stands::Waiting | Stands::InMemory)
    }

    fn wait(&self, now: Time) -> Time {
        match self.stands {
            Stands::Running | Stands::Gone => self.queued,
            _ => self.queued + (now - self.since),
        }
    }
}

/// The jobs in the system, by submission.
#[derive(Clone, Debug, Default)]
pub struct Lives {
    lives: SortedMap<JobId, Life>,
    in_memory: usize,
}

impl Lives {
    pub fn submitted(&mut self, job: JobView<'_>) {
        let life = Life { stands: Stands::Waiting, since: job.submit(), queued: Time::ZERO };
        self.lives.insert(job.id(), life);
    }

    pub fn has_left(&mut self, job: JobId) {
        self.change(job, Stands::Waiting, None);
    }

    /// A job is suspended and leaves the machine; it does not run from now on.
    pub fn leaves(&mut self, job: JobId, now: Time) {
        self.change(job, Stands::Leaving, Some(now));
    }

    pub fn stays_in_memory(&mut self, job: JobId, now: Time) {
        self.change(job, Stands::InMemory, Some(now));
    }

    /// A job starts or resumes.
    pub fn placed(&mut self, job: JobId, now: Time) {
        if let Some(life) = self.lives.get_mut(&job) {
            life.queued = life.wait(now);
        }
        self.change(job, Stands::Running, Some(now));
    }

    /// A job ends within this instant.
    pub fn is_gone(&mut self, job: JobId) {
        self.change(job, Stands::Gone, None);
    }

    /// A job has ended; returns its time in the queue, without its present wait.
    pub fn ended(&mut self, job: JobId) -> Option<Time> {
        let life = self.lives.remove(&job)?;
        self.in_memory -= usize::from(life.stands == Stands::InMemory);
        Some(life.queued)
    }

    fn change(&mut self, job: JobId, stands: Stands, since: Option<Time>) {
        if let Some(life) = self.lives.get_mut(&job) {
            self.in_memory += usize::from(stands == Stands::InMemory);
            self.in_memory -= usize::from(life.stands == Stands::InMemory);
            life.stands = stands;
            life.since = since.unwrap_or(life.since);
        }
    }

    pub fn any_in_memory(&self) -> bool {
        self.in_memory > 0
    }

    pub fn is_in_memory(&self, job: JobId) -> bool {
        self.lives.get(&job).is_some_and(|life| life.stands == Stands::InMemory)
    }

    /// Returns since when a job has been idle, or has been running.
    pub fn since(&self, job: JobId) -> Time {
        self.lives.get(&job).map_or(Time::MAX, |life| life.since)
    }

    pub fn is_idle(&self, job: JobId) -> bool {
        self.lives.get(&job).is_some_and(Life::is_idle)
    }

    pub fn standing(&self, turn: &Turn<'_>, job: JobId) -> ExpansionFactor {
        let wait = self.lives.get(&job).map_or(Time::ZERO, |life| life.wait(turn.now()));
        ExpansionFactor::new(wait, turn.job(job).estimate())
    }

    pub fn idle<'a>(&'a self, turn: &'a Turn<'_>) -> impl Iterator<Item = (JobId, ExpansionFactor)> + 'a {
        self.standings(turn, Life::is_idle)
    }

    /// Returns the jobs that have been idle since an instant that `meant` accepts.
    pub fn idle_since<'a>(
        &'a self,
        turn: &'a Turn<'_>,
        meant: impl Fn(Time) -> bool + 'a,
    ) -> impl Iterator<Item = (JobId, ExpansionFactor)> + 'a {
        self.standings(turn, move |life| life.is_idle() && meant(life.since))
    }

    pub fn running<'a>(&'a self, turn: &'a Turn<'_>) -> impl Iterator<Item = (JobId, ExpansionFactor)> + 'a {
        self.standings(turn, |life| life.stands == Stands::Running)
    }

    fn standings<'a>(
        &'a self,
        turn: &'a Turn<'_>,
        meant: impl Fn(&Life) -> bool + 'a,
    ) -> impl Iterator<Item = (JobId, ExpansionFactor)> + 'a {
        let lives = self.lives.iter().filter(move |(_, life)| meant(life));
        lives.map(|(&job, life)| (job, ExpansionFactor::new(life.wait(turn.now()), turn.job(job).estimate())))
    }
}
