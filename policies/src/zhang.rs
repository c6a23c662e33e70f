//! Zhang, Franke, Moreira, Sivasubramaniam 2000: backfilling, gang scheduling and migration, alone and
//! combined. Published as *An Integrated Approach to Parallel Scheduling Using Gang-Scheduling, Backfilling,
//! and Migration*, JSSPP 2001, LNCS 2221; section numbers are those of the earlier text.

mod backfilled;
pub mod bf;
pub mod bgs;
mod gang;
pub mod gs;
pub mod mbgs;
mod memory;
pub mod mgs;
mod options;
mod prediction;
mod reservations;
