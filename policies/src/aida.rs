//! The schemes of Aida, Kasahara and Narita, *Job Scheduling Scheme for Pure Space Sharing among Rigid Jobs*, JSSPP
//! 1998: a queue sorted or not, searched or not, and a limit on waiting. Its FCFS and backfilling have no limit: they
//! are [`fcfs`](crate::queue::fcfs) and [`easy`](crate::backfill::easy).

pub mod fpfs;
pub mod fplpfs;
pub mod fpmpfs;
mod line;
pub mod lpfs;
pub mod mpfs;
mod scheme;
