//! Policies that give some jobs reservations and start other jobs in the holes.

pub mod conservative;
pub mod depth;
pub mod easy;
mod holes;
pub mod lookahead;
pub mod relaxed;
pub mod selective;
pub mod selective_suspension;
pub mod slack;
pub mod stepwise;
