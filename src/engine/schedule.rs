//! Schedules as CSV: `job_id,submit,start,end,procs`, seconds from the trace's zero, in the order of the trace.
//!
//! On machines with nodes a sixth column, `nodes`, has the places of each job: `0:8+3:4` is 8 processors on
//! node 0 and 4 on node 3, nodes counted from 0. It is empty for a job that moved.
//!
//! Further columns ([`SCHEDULE_COLUMNS`]) follow if they are asked for; readers ignore them.
//!
//! Schedules in which jobs do not simply run from start to end have a second file: `FILE.intervals.csv` for `FILE.csv`.
//!
//! If not every job finished, a last column, `fate`, has `finished`, `killed`, `rejected` or `unfinished`. A rejected job has
//! neither start nor end, and neither has a job that would have been submitted after the stop of a replay; the end of an
//! unfinished job is the stop. A job with neither and without a fate is left out of the schedule.
#![allow(missing_docs)] // Names of fields and the texts of errors say what they are.

mod batsim;
mod columns;
pub mod diff;
pub mod explain;
mod intervals;
mod nodes;
mod occurrence;
mod processors;
mod read;
mod sheet;
pub mod snapshot;
pub mod verify;
mod write;

pub use batsim::{write_batsim_jobs, write_batsim_summary};
pub use columns::{ColumnValues, SCHEDULE_COLUMNS, ScheduleColumn, UnknownScheduleColumn, columns};
pub use intervals::{are_intervals, read_intervals, write_intervals};
pub use nodes::NodeList;
pub use occurrence::{InstantDisplay, Length, Occurrence};
pub use read::{ScheduleError, ScheduleRow, complete, outcome, partial_outcome, read, read_on};
pub use write::{write, write_with};
