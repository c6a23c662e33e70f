//! Published schedules and values, reproduced job by job on the archive's logs, if they are present.
//!
//! If a case names a reference schedule, the start and end of every job must agree.

mod aida;
mod backfilling;
mod batsim;
mod carriers;
mod conservative;
mod equalities;
mod event_orders;
mod feedback;
mod first_come;
mod gang;
mod gaussier;
mod nodes;
mod packing;
mod predictors;
mod promises;
mod setia;
mod sharing;
mod tsafrir;
mod windows;
