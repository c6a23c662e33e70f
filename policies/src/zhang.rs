//! Zhang, Franke, Moreira, Sivasubramaniam: Improving Parallel Job Scheduling by Combining Gang Scheduling and Backfilling
//! Techniques, IPDPS 2000, with migration as in the extended version.

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
