//! Metrics on handmade schedules and on published ones.

mod own;
mod published;
mod recorded;
pub mod schedule;
mod second_by_second;
mod small;
mod time_sharing;
mod trimming;
