//! The verbs of a plug-in, and their application.

use batchlab_traces::{JobId, Time};

use crate::cluster::{Placed, State};
use crate::placement::{Placement, Rate};
use crate::refused::{Reason, Refused};
use crate::turn::Turn;

/// A request of a plug-in; each is a verb of [`Turn`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verb {
    /// Start a waiting job on the pool, at full speed.
    Start(JobId),
    /// Put a job on nodes at a rate, or move it there.
    Place {
        /// The job.
        job: JobId,
        /// Its nodes.
        placement: Placement,
        /// Its rate.
        rate: Rate,
    },
    /// State which processors a job has, as [`Turn::name_processors`] gets them, which changes nothing else.
    Processors(JobId, Vec<(u32, u32)>),
    /// Describe a job in words of the plug-in's own, which change nothing.
    Describe(JobId, String),
    /// Change a resident job's rate; [`Rate::PAUSED`] suspends it.
    Rate {
        /// The job.
        job: JobId,
        /// Its rate.
        rate: Rate,
    },
    /// Run exactly these resident jobs at full speed and pause all others.
    RunOnly(Vec<JobId>),
    /// Take a resident job off the machine; it waits again.
    Displace {
        /// The job.
        job: JobId,
        /// Whether its progress is kept.
        keep: bool,
    },
    /// End a job for good.
    Kill(JobId),
    /// Ask for a decision at an instant.
    Wake(Time),
    /// Expect a waiting job to run for a duration, instead of its estimate.
    Expect {
        /// The job.
        job: JobId,
        /// How long.
        duration: Time,
    },
    /// Promise a waiting job a start no later than an instant.
    Promise {
        /// The job.
        job: JobId,
        /// The instant.
        at: Time,
    },
}

impl Verb {
    /// Checks its times, as far as this is independent of the state of the replay. Every carrier calls it.
    ///
    /// # Errors
    /// In words, when a time lies beyond [`Time::FARTHEST`], where sums overflow, or a duration is negative.
    pub fn check_times(&self) -> Result<(), String> {
        let (Verb::Wake(time) | Verb::Expect { duration: time, .. } | Verb::Promise { at: time, .. }) = self
        else {
            return Ok(());
        };
        if time.ticks().unsigned_abs() > Time::FARTHEST.ticks().unsigned_abs() {
            return Err(format!("has a time beyond {} s", Time::FARTHEST));
        }
        match self {
            Verb::Expect { duration, .. } if *duration < Time::ZERO => {
                Err(format!("has a length of time below 0, {duration} s"))
            }
            _ => Ok(()),
        }
    }

    /// Applies the verb; returns whether a placed job holds its resources or has a run time of zero.
    ///
    /// # Errors
    /// As the verbs of [`Turn`]. An expectation or a promise for a job that does not wait, and a promise of
    /// a start before now, are refused too.
    pub fn apply(&self, turn: &mut Turn<'_>) -> Result<Placed, Refused> {
        match *self {
            Verb::Start(job) => return turn.start(job),
            Verb::Place { job, ref placement, rate } => return turn.place(job, placement, rate),
            Verb::Processors(job, ref ranges) => turn.name_processors(job, ranges.clone()),
            Verb::Describe(job, ref words) => turn.describe(job, words.clone()),
            Verb::Rate { job, rate } => turn.set_rate(job, rate)?,
            Verb::RunOnly(ref row) => turn.run_only(row)?,
            Verb::Displace { job, keep } => turn.displace(job, keep)?,
            Verb::Kill(job) => turn.kill(job)?,
            Verb::Wake(at) => turn.wake_at(at)?,
            Verb::Expect { job, duration } => {
                must_wait(turn, "expect something of", job)?;
                turn.expect(job, duration);
            }
            Verb::Promise { job, at } => {
                const PROMISE: &str = "promise a start to";
                must_wait(turn, PROMISE, job)?;
                if at < turn.now() {
                    return Err(refused(turn, PROMISE, job, Reason::Promised(at)));
                }
                turn.promise(job, at);
            }
        }
        Ok(Placed::Holds)
    }

    /// Returns the job that the verb is about, if any.
    pub fn job(&self) -> Option<JobId> {
        match *self {
            Verb::Start(job)
            | Verb::Place { job, .. }
            | Verb::Processors(job, _)
            | Verb::Describe(job, _)
            | Verb::Rate { job, .. }
            | Verb::Displace { job, .. }
            | Verb::Kill(job)
            | Verb::Expect { job, .. }
            | Verb::Promise { job, .. } => Some(job),
            Verb::RunOnly(_) | Verb::Wake(_) => None,
        }
    }
}

fn must_wait(turn: &Turn<'_>, verb: &'static str, job: JobId) -> Result<(), Refused> {
    if turn.state(job) == State::Waiting {
        return Ok(());
    }
    Err(refused(turn, verb, job, Reason::State { state: "does not wait" }))
}

fn refused(turn: &Turn<'_>, verb: &'static str, job: JobId, reason: Reason) -> Refused {
    Refused { verb, job: turn.number(job), at: turn.now(), reason }
}
