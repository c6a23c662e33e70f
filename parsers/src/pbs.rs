//! Accounting logs of PBS: `OpenPBS`, PBS Professional, Torque; and of Cobalt, whose records have the same form.
//!
//! Source: the accounting chapter of the PBS Professional and Torque administrator's guides. The server writes
//! one file a day (`server_priv/accounting/YYYYMMDD`) of lines `MM/DD/YYYY HH:MM:SS;TYPE;ID;key=value key=value`.
//!
//! * An E (ended) record is a job. What came before is kept per job until then, and is a job of its own only if
//!   no E follows: S without E still ran at the end of the log; Q without S still waited; D or A without S was
//!   cancelled before its start. R sends a job back: the run before is a record of its own, status failed, and the
//!   next one is eligible when it has ended.
//! * Submission is `ctime`, else the time of the Q record; `etime`, when the job became eligible, is kept in the
//!   column `eligible` (seconds after submission) where it is later.
//!   The run time is `end` − `start`: `resources_used.walltime` is sampled, 0 for short jobs, and only compared.
//! * The local times of Q, D and A records count where no epoch is given. How far that clock is ahead of UTC is
//!   found out from E records, which have the end on both; a zone that the user names goes first.
//! * `qtime` is when the job entered its present queue, and counts as submission only where nothing else tells one.
//! * Requested processors come from `select`, else from `nodes`, `procs`, `ncpus`, `nodect`, in this order; the
//!   allocated ones from `exec_vnode`, else `total_execution_slots`, else `exec_host` (one per slot), else
//!   `resources_used.ncpus`.
//! * Memory is `Resource_List.mem`, else that of the `select` chunks, else `pmem` for each processor. CPU time
//!   and memory used are those of the job, shared among its allocated processors.
//! * The group is `group`, else `account`, else `project`; the application is the job's name; the partition is
//!   the `model` of the `select` chunks, by which NAS, where PBS comes from, names its processor types.
//! * Status: `Exit_status` 0 is completed, another one failed; jobs with a D record are cancelled. Ended by
//!   SIGTERM or SIGKILL before its limit without a D record, a job counts as cancelled: that is a guess.
//!
//! Cobalt (`src/lib/accounting.py`) calls its log a PBS accounting log, and differs in this: instants have decimals; types may have
//! two letters (`task_start` `TS`, `hold_acquire` `HA`, ...), of which none is a job's start or end; `exec_host` is a location without
//! slots; `ncpus` counts processes. Its processors are nodes, as it allocates whole ones: requested are `nodect`, allocated
//! `resources_used.nodect`, both of the last run.

pub mod kinds;

mod fields;
mod job;
mod line;
mod open;
mod places;
mod reader;
mod request;

pub use reader::{COBALT, SPEC};
