//! Schedules as CSV: `job_id,submit,start,end,procs`, seconds from the trace's zero, in the order of the trace.

mod read;
mod write;

pub use read::{Row, ScheduleError, outcome, partial_outcome, read};
pub use write::write;
