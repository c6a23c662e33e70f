//! What a workload is: jobs as columns, the machine they ran on, its calendar, where it all came from.
//!
//! The flow is *records → [`Trace`] → [`Workload`]*: a trace keeps what the log said; a workload is what a
//! scheduler is given under stated [`Reading`] rules. Nothing here prints, reads a clock or a file.

#![forbid(unsafe_code)]

pub mod calendar;
pub mod clean;
pub mod column;
pub mod describe;
pub mod expr;
pub mod field;
pub mod finding;
pub mod foreign;
pub mod header;
pub mod machine;
pub mod models;
pub mod nearest;
pub mod number;
pub mod provenance;
pub mod reading;
pub mod record;
pub mod seed;
pub mod shape;
pub mod time;
pub mod trace;
pub mod workload;

pub use calendar::Calendar;
pub use column::Column;
pub use describe::{Description, describe};
pub use expr::Expr;
pub use field::{Field, status};
pub use finding::{Example, Finding, Findings, Kind, Level, Refusal, SourcePlace};
pub use header::Header;
pub use machine::Machine;
pub use number::Number;
pub use provenance::Provenance;
pub use reading::Reading;
pub use record::{Record, RecordSink};
pub use time::Time;
pub use trace::Trace;
pub use workload::{JobId, Workload};
