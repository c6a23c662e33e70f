//! Accounting files of Grid Engine: Sun's, its successors' and Univa's.
//!
//! Source: accounting(5) and `sge_status(5)` of Sun Grid Engine 6.2, Son of Grid Engine 8.1 and Univa Grid Engine 8. One
//! line per ended job, fields separated by colons: 43 to 45 of them in Grid Engine, more in Univa's.
//!
//! * Times are seconds since 1970; Univa 8.2 and later writes milliseconds, recognised by their size. A start
//!   of 0 means never, unless the record has CPU time or `ru_wallclock`: the job began that long before its end. The run time is end − start.
//! * Colons are not escaped. qsub refuses them in job names and accounts, but requests contain them
//!   (`h_rt=1:00:00`), and so do names from other sources: the fields are then found by the numbers between
//!   them.
//! * Requests are taken from the category, `-l h_rt=36000,h_vmem=4G -pe mpi 8`. Time is `h_rt`, else `s_rt`.
//!   Memory, which Grid Engine counts per slot, is the first of `m_mem_free`, `h_vmem`, `mem_free`,
//!   `virtual_free`, `s_vmem`; lower-case units are powers of 1000, capitals of 1024. `gpu`, `gpus` and
//!   `ngpus` count for the job, which is a guess: sites define them. Soft requests are not used.
//! * Allocated processors are the slots; requested processors are those of `-pe`, unless it is a range.
//! * CPU time is `cpu`; used memory is Univa's `maxrss`, else `maxvmem`; both are divided among the slots.
//! * Each task of an array is a job; the records of a parallel job's tasks (`pe_taskid`) are not.
//! * Status: completed if `failed` and `exit_status` are 0; cancelled if Univa names the user who deleted the
//!   job, or if it never started and did not fail; else failed. A job killed (137, 143) before its limit
//!   counts as cancelled: a guess.

pub mod kinds;

mod category;
mod job;
mod reader;
mod record;

pub use reader::{SPEC, UNIVA};
