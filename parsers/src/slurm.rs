//! Slurm's accounting in its three forms: the text of `sacct`, its JSON, and the file of the
//! `jobcomp/filetxt` plug-in; and the jobs that its controller knows, as `scontrol show job`, `squeue` and
//! `squeue --json` print them.
//!
//! Sources: the manual pages `sacct(1)` and `slurm.conf(5)` of versions 17.11 to 26.05, and the output of a
//! cluster under 22.05.8. All forms fill the same description of a job, and one place makes an entry of
//! it, so a job that several forms contain becomes the same record. The recommended command is:
//!
//! ```text
//! SLURM_TIME_FORMAT=%s sacct -a -P -D -S 2024-01-01 -E 2025-01-01 --noconvert -o \
//!   JobID,JobIDRaw,JobName,User,UID,Account,Partition,QOS,State,Submit,Eligible,Start,End,ElapsedRaw,Suspended,\
//!   TimelimitRaw,Priority,Flags,NNodes,ReqCPUS,AllocCPUS,ReqMem,ReqTRES,AllocTRES,NTasks,MaxRSS,TRESUsageInTot,\
//!   TotalCPU,NodeList,Constraints,Reservation,Cluster,SubmitLine
//! ```
//!
//! Destinations:
//! - **number**: `JobIDRaw`, else `JobID` unless it is an array's; the columns `array`, `array_task`,
//!   `het_job` and `het_offset` name the whole that a job is part of. Every row is a record (rows of
//!   overlapping extracts count once): each run of a requeued job (`-D`) held processors for a while and is a
//!   separate record, with status failed; so is each part of a resized job (status unknown). The rest of a
//!   pending array, `12_[5-30]`, is one record.
//! - **times**: submit is `Submit`. The earliest possible start (`Eligible`, for held, dependent and
//!   postponed jobs) is the column `eligible`, in seconds after submission. Run is `Elapsed`, which excludes
//!   suspensions, else end − start − `Suspended`. A job without a start, or without nodes and run time, never
//!   started: its wait and run are unknown, whatever start a version writes. The run of a job that had not ended is unknown as well.
//! - **processors**: allocated is `AllocCPUS`, else `NCPUS`, else `cpu` of `AllocTRES`; requested is
//!   `ReqCPUS`, else `cpu` of `ReqTRES`. Allocations of whole nodes exceed the request. The column `nodes` is unknown if a job of
//!   several processors that never started has one node: Slurm then writes 1 by default.
//! - **memory**: the column `memory` has the request of the whole job in KB, from `ReqTRES`, else `ReqMem`
//!   (of a node or a CPU up to version 21.08), else `AllocTRES`. Field 10 is this amount divided by the
//!   requested processors, rounded to the millionth of a KB, so that multiplying and rounding restores the
//!   total. Used memory is that of the largest step, `TRESUsageInTot`, else `MaxRSS` times `NTasks`: a lower
//!   bound if steps ran side by side, as in Slurm's own `seff`.
//! - **CPU time**: `TotalCPU` of the job if above zero, else the sum over its steps, per allocated processor.
//! - **other resources**: `gpu` is `gres/gpu`. Other `gres/` names, `license/` and `bb/` are columns, and so
//!   is each type of a `gres/`, such as `gpu:a100`, beside the sum of all types. The request is used; the
//!   allocation is used for names that the request does not have. Names that accounting does not
//!   track are taken from the options of `SubmitLine` and from what the controller lists for each node, socket, task or job.
//! - **names**: user is `User`, else `UID`. Group is `Account`, to which Slurm's shares and limits apply,
//!   else `Group`. A Slurm partition is a queue and a set of nodes in one: it is stored as both queue and
//!   partition, so rules written for queues work. The service class is the column `qos`.
//! - **status**: completed is 1; cancelled, revoked and past its deadline is 5; every other end is 0.

mod collected;
mod columns;
mod command;
mod delimiter;
mod depends;
mod destinations;
mod entry;
mod formats;
mod gres;
mod history;
mod job;
mod jobcomp;
mod jobid;
mod json;
mod keyed;
mod ledger;
mod partial;
mod queued;
mod sacct;
mod show_job;
mod squeue;
mod state;
mod tres;
mod values;
mod writer;

pub mod kinds;

pub use collected::{COLLECTED, CollectedColumn, OF_LATER_VERSIONS, collected_names};
pub use formats::{JOBCOMP, SACCT, SACCT_JSON, SHOW_JOB, SQUEUE, SQUEUE_JSON};
pub use writer::{NotInAccounting, write_sacct};
