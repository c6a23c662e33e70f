//! What policies count, by the names under which an outcome reports it ([`Turn::tally`], [`Turn::tied`]).
//!
//! Metrics of the root package read the counts by these names.
//!
//! [`Turn::tally`]: crate::turn::Turn::tally
//! [`Turn::tied`]: crate::turn::Turn::tied

/// Reservations that fell due and whose job could not start.
pub const SLIPPED: &str = "slipped reservations";
/// Searches of the queue that ended at a job that had waited longer than its limit (Aida 1998).
pub const STOPPED: &str = "searches stopped by a job over its limit";
/// Jobs that the limits on users, groups or partitions kept out of the queue when they were submitted.
pub const HELD_BACK: &str = "jobs that limits held back";

/// Jobs that lost their work because capacity went out of service, and waited again.
pub const REQUEUED: &str = "jobs requeued by the calendar";
/// Jobs that ended because capacity went out of service.
pub const EVICTED: &str = "jobs killed by the calendar";

/// Jobs that lost their work because a job of a higher tier took their processors, and waited again.
pub const PREEMPTED_REQUEUED: &str = "jobs requeued by preemption";
/// Jobs that ended because a job of a higher tier took their processors.
pub const PREEMPTED_CANCELLED: &str = "jobs cancelled by preemption";

/// Suspensions of jobs in place because a job of a higher tier took their processors.
pub const PREEMPTED_SUSPENDED: &str = "suspensions by preemption";

/// Choices among candidates by a score.
pub const SCORES: &str = "scores";
/// Choices among nodes by a score.
pub const HOST_CHOICES: &str = "host choices";
/// Waiting jobs that were ranked by a score.
pub const QUEUE_SCORES: &str = "queue scores";
