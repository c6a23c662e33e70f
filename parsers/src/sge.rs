//! Accounting files of Grid Engine: Sun's, its successors', and Univa's.
//!
//! Source: accounting(5) and `sge_status(5)` of Sun Grid Engine 6.2, Son of Grid Engine 8.1 and Univa Grid Engine 8.
//! One line per job that ended, fields separated by colons: 43 to 45 of them in Grid Engine, more in Univa's.
//!
//! * Times are seconds since 1970; those of Univa 8.2 and later are milliseconds, which their size tells. A start
//!   of 0 stands for never. The run time is end − start.
//! * Colons are not escaped. qsub refuses them in job names and accounts, but requests have them (`h_rt=1:00:00`)
//!   and names that came another way too: the fields are then found by the numbers between them.
//! * Requests come of the category, `-l h_rt=36000,h_vmem=4G -pe mpi 8`: time is `h_rt`, else `s_rt`; memory, which
//!   Grid Engine counts for each slot, is the first of `m_mem_free`, `h_vmem`, `mem_free`, `virtual_free`, `s_vmem`;
//!   small letters are powers of 1000, capitals of 1024. `gpu`, `gpus` and `ngpus` count for the job, which is a
//!   guess: sites define them. Soft requests are not used.
//! * Allocated processors are the slots; the requested ones those of `-pe`, unless it is a range.
//! * CPU time is `cpu`, used memory `maxrss` where Univa tells it, else `maxvmem`, shared among the slots.
//! * Each task of an array is a job; the records of parallel jobs' tasks (`pe_taskid`) are not.
//! * Status: completed when `failed` and `exit_status` are 0; cancelled when Univa names who deleted the job, or it
//!   never started and did not fail; else failed. Killed (137, 143) before its limit, it counts as cancelled: a
//!   guess.

pub mod kinds;

mod category;
mod job;
mod reader;
mod record;

pub use reader::{SPEC, UNIVA};
