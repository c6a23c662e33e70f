//! Accounting logs of the San Diego Supercomputer Center.
//!
//! `sdsc-joblog` is the NPACI JOBLOG of the IBM SP2 (log SDSC-SP2-1998-0 of the Parallel Workloads Archive),
//! 29 comma-separated fields. `sdsc-blue` is the similar log of Blue Horizon (SDSC-BLUE-2000-0), 23
//! blank-separated columns. Sources: the archive's pages of these logs, its description of the JOBLOG, and
//! its rules for converting them.

pub mod blue;
pub mod joblog;
pub mod kinds;

mod values;
