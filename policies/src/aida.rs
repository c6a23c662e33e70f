//! The schemes of Aida, Kasahara and Narita, *Job Scheduling Scheme for Pure Space Sharing among Rigid
//! Jobs*, JSSPP 1998: a queue that is sorted or not, searched or not, with a limit on waiting. The paper's
//! FCFS and backfilling schemes have no limit: they are [`fcfs`](crate::queue::fcfs) and
//! [`easy`](crate::backfill::easy).

pub mod fpfs;
pub mod fplpfs;
pub mod fpmpfs;
mod line;
pub mod lpfs;
pub mod mpfs;
mod scheme;
