//! Policies that reserve nothing.

pub mod fcfs;
pub mod first_fit;
