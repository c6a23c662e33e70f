//! When waiting jobs will start: replays that go on from what runs and waits at an instant, with drawn run times.
//!
//! A [`Forecast`] replays a [`Standing`](batchlab_traces::workload::Standing) many times. In each replay the run time of
//! every job is drawn from [`RunTimes`], what is known of jobs that ended before, or predicted. The quantiles of a job's starts are its
//! interval. They leave out what draws of run times cannot show: jobs that are still to be submitted, and a policy that
//! differs from the machine's. [`Margins`] widen them by what past instants of the same log show to be missing.
#![allow(missing_docs)] // Most fields are columns of tables and keys of JSON.

mod barred;
mod calibration;
mod evaluation;
mod forecast;
pub mod kinds;
mod margins;
mod never;
mod past;
mod plan;
mod ran;
mod record;
mod run_times;
mod similar;
mod table;
mod usage;

pub use barred::barred;
pub use calibration::Past;
pub use evaluation::Evaluation;
pub use forecast::{Forecast, Foretold};
pub use margins::{Margins, Missed, Wide};
pub use never::never_start;
pub use past::{Recorded, replayed_until};
pub use record::{ForecastRecord, Hits, IntervalTold, RecordError};
pub use run_times::RunTimes;
pub use table::{Row, evaluation_table, when_table};
pub use usage::with_told_usage;
