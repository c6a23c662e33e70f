//! Accounting of the San Diego Supercomputer Center.
//!
//! `sdsc-joblog`: the NPACI JOBLOG of the IBM SP2 (log SDSC-SP2-1998-0 of the Parallel Workloads Archive), 29 fields
//! between commas. `sdsc-blue`: its relative of Blue Horizon (SDSC-BLUE-2000-0), 23 columns between blanks.
//! Sources: the archive's pages of these logs, its description of the JOBLOG, and its rules for converting them.

pub mod blue;
pub mod joblog;
pub mod kinds;

mod values;
