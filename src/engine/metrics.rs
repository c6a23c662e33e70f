//! Metrics: every number that the program computes from an outcome.
//!
//! A metric reads the workload, the machine and the [`Outcome`](crate::Outcome), and nothing else. One file under [`family`] with
//! its `mod` line, and one line in [`METRICS`], make a family of metrics; a user's crate registers its own with [`Metrics`].
//! [`Catalogue`] turns names into [`Metric`]s, [`Measurement`] is what they read, and [`MeasureOptions`] select the jobs and the
//! time that count. Sums run in the order of the jobs and are exact for whole values, so equal outcomes give equal bits.

pub mod backlog;
pub mod bounds;
pub mod catalogue;
pub mod class;
pub mod classes;
pub mod fair;
pub mod family;
pub mod key;
pub mod long;
pub mod measured;
pub mod measurement;
pub mod metric;
pub mod options;
pub mod own;
pub mod promises;
pub mod recorded;
pub mod registry;
mod residency;
pub mod sample;
pub mod served;
pub mod shares;
pub mod spec;
pub mod spoken;
pub mod statistic;
pub mod timeline;
mod turns;
pub mod window;

pub use backlog::Backlog;
pub use bounds::{lower_bounds, makespan_bound};
pub use catalogue::{Catalogue, UnknownMetric};
pub use class::{CLASS_PRESETS, Class, ClassPreset, UnknownClasses};
pub use classes::{ClassesError, classes};
pub use fair::FairStarts;
pub use key::MeasureKey;
pub use long::{LongMeasurement, NotStreamed};
pub use measured::{MeasuredOutcome, OutcomeMismatch};
pub use measurement::Measurement;
pub use metric::{Metric, MetricPart};
pub use options::{Cooldown, MeasureOptions, PartsPerMillion, Warmup};
pub use own::{OwnMetric, OwnMetricError};
pub use promises::{FirstPromises, first_promises};
pub use recorded::{NotRecorded, recorded_schedule};
pub use registry::{DIAGNOSTICS, METRICS, MetricError, Metrics};
pub use sample::Sample;
pub use served::Served;
pub use shares::{Shares, TopShares};
pub use spec::{Bound, Compute, Domain, JobValue, MetricSpec, Quantity, Scope};
pub use statistic::Statistic;
pub use window::Window;
