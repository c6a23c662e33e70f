//! Policies that reserve for some and fill the holes with others.

pub mod conservative;
pub mod depth;
pub mod easy;
mod holes;
pub mod lookahead;
pub mod relaxed;
pub mod selective;
pub mod selective_suspension;
pub mod slack;
