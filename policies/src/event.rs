//! What a policy is told has happened.

use batchlab_traces::{JobId, Time};

/// Something that happened since the policy was asked last, in the order in which it happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Event {
    /// A job arrived and waits.
    Submitted(JobId),
    /// A job is about to end within this very instant, as was expected of it: what it held is free
    /// already. Its [`Event::Finished`] follows in a later decision. Only in the orders `submit-first` and
    /// `finish-first`.
    Released(JobId),
    /// A job ended.
    Finished(JobId),
    /// A job was killed by the policy.
    Killed(JobId),
    /// A job left the machine without having ended, and waits again. Where swapping takes time, this comes when its
    /// memory is free.
    Displaced(JobId),
    /// A job that had to be swapped in has been: it can run. It may have been resident for a while.
    Loaded(JobId),
    /// A wake-up that the policy asked for is due.
    Woke(Time),
}
