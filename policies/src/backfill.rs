//! Policies that reserve for some and fill the holes with others.

pub mod conservative;
pub mod depth;
pub mod easy;
