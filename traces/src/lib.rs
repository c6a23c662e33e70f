//! Workloads: jobs as columns, the machine they ran on, its calendar, and their provenance.
//!
//! The flow is *records → [`Trace`] → [`Workload`]*: a trace keeps the content of a log; a workload is the
//! input of a scheduler under stated [`Reading`] rules. Nothing here prints, or reads a clock or a file.
//!
//! The rooms, in the order of the flow:
//!
//! * [`mod@field`]: the eighteen fields of the Standard Workload Format.
//! * [`record`]: one line of a log, with its [`number`]s.
//! * [`header`]: the header of a log.
//! * [`trace`]: a log as columns ([`mod@column`]), with its [`calendar`] and its [`provenance`].
//! * [`finding`]: oddities of an input, and what was done about them.
//! * [`expr`]: the single expression language, for rules, filters, classes and orders.
//! * [`clean`]: cleaning by published rules; a trace from a trace.
//! * [`shape`]: shaping in steps; a trace from a trace.
//! * [`models`]: workload models; a trace from a seed.
//! * [`mod@describe`]: a summary of a workload, in the terms of models.
//! * [`machine`]: nodes with capacities, and which job fits where.
//! * [`layout`]: how the processors of a job lie on nodes; [`constraint`]: what a job asks of them.
//! * [`capacity`]: what of a machine is out of service, and when.
//! * [`class`]: classes of jobs, by user, group, account, partition, queue and service class.
//! * [`limits`]: what users, groups and partitions may use; [`priorities`]: which jobs are served first, and preempt others.
//! * [`asked`]: the columns of a log that state what a job asked of its batch system.
//! * [`reading`]: how a trace is read as jobs, every choice by name.
//! * [`workload`]: the jobs as input of a scheduler.
//!
//! [`notation`] has the only reader of each notation in texts: numbers, hosts, sizes, durations and instants.
//!
//! All use four tools: [`time`] (whole ticks), [`seed`] (random streams), [`nearest`] (the name that was
//! probably meant) and [`foreign`] (foreign texts, made safe and short); [`redact`] puts pseudonyms in the place of names.

#![forbid(unsafe_code)]
#![allow(clippy::missing_errors_doc)] // An error type names its errors; a section adds what the type does not say.

pub mod arrange;
pub mod asked;
pub mod calendar;
pub mod capacity;
pub mod citation;
pub mod class;
pub mod clean;
pub mod column;
pub mod constraint;
pub mod describe;
pub mod expr;
pub mod field;
pub mod finding;
pub mod foreign;
pub mod header;
pub mod layout;
pub mod limits;
pub mod located;
pub mod machine;
pub mod models;
pub mod nearest;
pub mod notation;
pub mod number;

pub mod priorities;
pub mod provenance;
pub mod reading;
pub mod record;
pub mod redact;
pub mod seed;
pub mod shape;
pub mod sorted;
pub mod time;
pub mod trace;
pub mod workload;
#[cfg(test)]
mod wrong_files;

pub use calendar::Calendar;
pub use citation::Citation;
pub use column::Column;
pub use describe::{Description, describe};
pub use expr::Expr;
pub use field::{Field, status};
pub use finding::{Example, Finding, Findings, Kind, Level, Refusal, SourcePlace};
pub use header::Header;
pub use layout::Layout;
pub use machine::Machine;
pub use number::Number;
pub use provenance::Provenance;
pub use reading::Reading;
pub use record::{Record, RecordSink};
pub use time::Time;
pub use trace::Trace;
pub use workload::{JobId, Workload};
