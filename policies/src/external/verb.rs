//! What a plug-in wants done, and how it is done.

use batchlab_traces::{JobId, Time};

use crate::cluster::{Placed, State};
use crate::placement::{Placement, Rate};
use crate::refused::{Reason, Refused};
use crate::turn::Turn;

/// Something that a plug-in wants done; each is a verb of [`Turn`].
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
    /// Expect a waiting job to run for so long, instead of its estimate.
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
    /// Does it; says whether a job that was placed takes no time.
    ///
    /// # Errors
    /// As the verbs of [`Turn`]; what is expected of or promised to a job that does not wait is refused too.
    pub fn apply(&self, turn: &mut Turn<'_>) -> Result<Placed, Refused> {
        match *self {
            Verb::Start(job) => return turn.start(job),
            Verb::Place { job, ref placement, rate } => return turn.place(job, placement, rate),
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
                must_wait(turn, "promise a start to", job)?;
                turn.promise(job, at);
            }
        }
        Ok(Placed::Holds)
    }

    /// Returns the job that it is about, if it is about one.
    pub fn job(&self) -> Option<JobId> {
        match *self {
            Verb::Start(job)
            | Verb::Place { job, .. }
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
    Err(Refused {
        verb,
        job: i64::from(job.0),
        at: turn.now(),
        reason: Reason::State { state: "does not wait" },
    })
}
