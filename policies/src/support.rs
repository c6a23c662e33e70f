//! Halves that policies are made of.

pub mod books;
pub mod estimates;
pub mod front;
pub mod kinds;
pub mod order;
pub mod profile;
pub mod queue;
pub mod releases;
pub mod tree;
