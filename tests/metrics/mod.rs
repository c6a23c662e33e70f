//! Metrics on schedules made by hand and on published ones.

mod published;
pub mod schedule;
mod small;
mod trimming;
