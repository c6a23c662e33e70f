//! Gang scheduling under memory limits with long-term scheduling: Setia, Squillante and Naik 1999.

pub mod alternates;
pub mod board;
pub mod buddies;
pub mod dhc;
pub mod lines;
pub mod options;
pub mod service;
pub mod slots;
