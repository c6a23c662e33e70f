//! Published schedules and values, reproduced job by job on the archive's logs, where they are at hand.
//!
//! Where a case names a reference schedule, every start and every end of every job must agree.

mod conservative;
mod event_orders;
mod first_come;
mod gaussier;
mod one_node;
mod promises;
mod tsafrir;
mod windows;
