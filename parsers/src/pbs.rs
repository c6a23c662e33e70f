//! Accounting logs of PBS: `OpenPBS`, PBS Professional, Torque; and of Cobalt, whose records have the same form.
//!
//! Source: the accounting chapter of the PBS Professional and Torque administrator's guides. The server writes
//! one file a day (`server_priv/accounting/YYYYMMDD`) of lines `MM/DD/YYYY HH:MM:SS;TYPE;ID;key=value key=value`.
//!
//! * An E (ended) record is a job. Earlier records of the job are kept until then; without an E record they make a job: S without E
//!   still ran at the end of the log; Q without S still waited; D or A without S was cancelled before its start. R puts a job back
//!   into the queue: the run before is a separate record, status failed, and the next run is eligible from its end on.
//! * Submission is `ctime`, else the time of the Q record, else `qtime`, when the job entered its present queue. A later `etime`, when
//!   the job became eligible, is the column `eligible` (seconds after submission).
//! * The run time is `end` − `start`: `resources_used.walltime` is sampled, 0 for short jobs, and only compared.
//! * The local times of Q, D and A records count if the record has no epoch. The offset of the server's clock is that between the two
//!   ends in E records, local and epoch, unless the user names a zone.
//! * Requested processors come from `select`, else from `nodes`, `procs`, `ncpus`, `nodect`, in this order; the
//!   allocated ones from `exec_vnode`, else `total_execution_slots`, else `exec_host` (one per slot), else
//!   `resources_used.ncpus`.
//! * Memory is `Resource_List.mem`, else that of the `select` chunks, else `pmem` for each processor. CPU time
//!   and memory used are those of the job, shared among its allocated processors.
//! * The group is `group`, else `account`, else `project`; the application is the job's name; the partition is
//!   the `model` of the `select` chunks, by which NAS, where PBS comes from, names its processor types.
//! * Status: `Exit_status` 0 is completed, another one failed; jobs with a D record are cancelled. A job that SIGTERM or SIGKILL ended
//!   before its limit, without a D record, counts as cancelled: a guess.
//!
//! The log of Cobalt (`src/lib/accounting.py`) differs: instants have decimals; types may have two letters (`task_start` `TS`,
//! `hold_acquire` `HA`, ...), and no such record is a job's start or end; `exec_host` is a location without slots; `ncpus` counts
//! processes. Its processors are nodes, since Cobalt allocates whole nodes: requested are `nodect`, allocated
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
