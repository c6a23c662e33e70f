//! Gang scheduling under memory limits with long-term scheduling: Setia, Squillante and Naik 1999.
//!
//! `dhc` assigns and releases slot, processors and memory together: a job that is being swapped out keeps its block in
//! its slot until its memory is free, and alternates may run there meanwhile. It handles events in the order in which
//! they happened: if an end and an arrival come at one instant, the event order determines whether the queues are
//! examined before or after the newcomer is tried.

mod alternates;
mod board;
mod buddies;
pub mod dhc;
mod lines;
mod options;
mod service;
mod slots;
