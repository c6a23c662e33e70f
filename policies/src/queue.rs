//! Policies without reservations.

pub mod fcfs;
pub mod first_fit;
