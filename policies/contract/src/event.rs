//! The events reported to a policy.

use batchlab_traces::{JobId, Time};

/// An event since the policy's last decision; events are reported in the order in which they happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A job arrived and waits.
    Submitted(JobId),
    /// A job is about to end within this very instant, as expected: its resources are already free. Its [`Event::Finished`]
    /// follows in a later decision. Only in the orders `submit-first` and `finish-first`.
    Released(JobId),
    /// A job ended.
    Finished(JobId),
    /// A job was killed by the policy, or has left the queue: limits on running jobs withdraw it, and submit it again
    /// when it may start.
    Killed(JobId),
    /// A job left the machine without having ended, and waits again. If swapping takes time, this event
    /// comes when its memory is free.
    Displaced(JobId),
    /// A running job was suspended in place for jobs that may preempt it, or its expected resumption has changed
    /// ([`Turn::resumes_at`]). For the policy it holds the same resources; those that it gave back are lent to these jobs.
    ///
    /// [`Turn::resumes_at`]: crate::turn::Turn::resumes_at
    Suspended(JobId),
    /// A job suspended in place runs again.
    Resumed(JobId),
    /// A job that had to be swapped in is in memory and can run. It may have been resident for a while.
    Loaded(JobId),
    /// A wake-up requested by the policy is due.
    Woke(Time),
    /// The capacity of the machine has changed, or a future change has become known. Jobs that had to leave the machine are
    /// reported before this event.
    Capacity(Time),
}

impl Event {
    /// Returns the job that the event is about; `None` for a wake-up and for a change of the capacity.
    pub fn job(self) -> Option<JobId> {
        match self {
            Event::Submitted(job)
            | Event::Released(job)
            | Event::Finished(job)
            | Event::Killed(job)
            | Event::Displaced(job)
            | Event::Suspended(job)
            | Event::Resumed(job)
            | Event::Loaded(job) => Some(job),
            Event::Woke(_) | Event::Capacity(_) => None,
        }
    }
}
