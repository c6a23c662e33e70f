//! What preemption did to a job, and for it.

use std::fmt;

use batchlab_support::journal::{Act, Entry, Journal, Preemption};
use batchlab_traces::priorities::Preempted;
use batchlab_traces::{JobId, Time, Workload};

use crate::outcome::Outcome;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taken {
    /// The number of the other job in the log.
    pub number: i64,
    /// The tier of the job that gets the processors.
    pub tier: i32,
    pub decided: Time,
    /// When the processors became free: after the grace time, or when the job ended before.
    pub at: Time,
    /// What became of the job that lost them; `None` if it ended before.
    pub how: Option<Preempted>,
    /// When it resumed, if it was suspended and did.
    pub resumed: Option<Time>,
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Preemptions {
    /// The jobs to which it lost processors, in order.
    pub lost: Vec<Taken>,
    /// The jobs whose processors it got or waited for, in order.
    pub got: Vec<Taken>,
    /// When its start was first void because room was kept for a job of its tier or a higher one.
    pub kept_out: Option<Time>,
}

impl Preemptions {
    /// Finds them in a journal. O(entries + lost runs · preemptions).
    pub fn of(workload: &Workload, outcome: &Outcome, journal: &Journal, job: JobId) -> Preemptions {
        let mut found = Preemptions::default();
        for entry in &journal.entries {
            let taken = |other: JobId, Preemption { by, how, at }: Preemption| {
                let victim = entry.job;
                let requeued = outcome.lost.iter().any(|run| run.job == victim && run.to == at);
                let acts = |act| move |entry: &&Entry| (entry.job, entry.act) == (victim, act);
                let mut own = journal.entries.iter();
                let suspended = own.find(|entry| entry.time == at && acts(Act::Suspended)(entry)).is_some();
                // A job that has not run when it is to be suspended waits again.
                let how = if how == Preempted::Suspended && !suspended { Preempted::Requeued } else { how };
                let loses = match how {
                    Preempted::Requeued => requeued,
                    Preempted::Cancelled => outcome.end(victim) == at,
                    Preempted::Suspended => true,
                };
                let resumed =
                    if suspended { own.find(acts(Act::Resumed)).map(|entry| entry.time) } else { None };
                let number = workload.number(other);
                let end = if loses { at } else { at.min(outcome.end(victim)) };
                Taken {
                    number,
                    tier: workload.tier(by),
                    decided: entry.time,
                    at: end,
                    how: loses.then_some(how),
                    resumed,
                }
            };
            match entry.act {
                Act::Preempted(preemption) if entry.job == job => {
                    found.lost.push(taken(preemption.by, preemption));
                }
                Act::Preempted(preemption) if preemption.by == job => {
                    found.got.push(taken(entry.job, preemption));
                }
                Act::KeptOut if entry.job == job => found.kept_out = found.kept_out.or(Some(entry.time)),
                _ => {}
            }
        }
        found
    }
}

impl fmt::Display for Preemptions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for Taken { number, tier, decided, at, how, resumed } in &self.lost {
            match how {
                None => writeln!(
                    f,
                    "given notice at {decided} s for job {number} of tier {tier}; it ended before"
                )?,
                Some(Preempted::Requeued) => {
                    writeln!(f, "requeued at {at} s for job {number} of tier {tier}")?;
                }
                Some(Preempted::Suspended) => {
                    write!(f, "suspended at {at} s for job {number} of tier {tier}")?;
                    match resumed {
                        None => writeln!(f),
                        Some(resumed) => writeln!(f, ", resumed at {resumed} s after {} s", *resumed - *at),
                    }?;
                }
                Some(Preempted::Cancelled) => {
                    writeln!(f, "cancelled at {at} s for job {number} of tier {tier}")?;
                }
            }
        }
        for Taken { number, decided, at, .. } in &self.got {
            if at > decided {
                let grace = *at - *decided;
                writeln!(f, "waited {grace} s for the processors of job {number} in its grace time")?;
            } else {
                writeln!(f, "got the processors of job {number} at {at} s")?;
            }
        }
        match self.kept_out {
            None => Ok(()),
            Some(at) => writeln!(f, "at {at} s its room was kept for a job that preempts others"),
        }
    }
}
