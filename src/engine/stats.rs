//! Statistics of results: whether policies differ, by how much, and how certain that is.
//!
//! Pure functions over slices of `f64`; random ones take a seed. The unit of inference is a replication, a window or a week,
//! never a job: jobs of one replay depend on each other, and any difference between 28,000 of them would be "significant". So no
//! function here takes jobs, except [`batch::means`] and [`warmup::mser5`], which deal with that dependence.
//!
//! What cannot be estimated is a [`NoInterval`], never a NaN: too few units, no spread, a value that is not finite.

pub mod batch;
pub mod bonferroni;
pub mod bootstrap;
pub mod caution;
pub mod crossing;
pub mod dependence;
mod draws;
pub mod effect;
pub mod friedman;
pub mod geometric;
pub mod holm;
mod interval;
pub mod isotonic;
mod no_interval;
mod normal;
pub mod paired;
pub mod permutation;
pub mod prediction;
pub mod quantile;
pub mod rank_correlation;
mod sample;
pub mod saturation;
pub mod shaking;
mod significance;
pub mod student;
pub mod studentized_range;
pub mod warmup;
pub mod weeks;
pub mod wilcoxon;

pub use interval::{Interval, Method};
pub use no_interval::NoInterval;
pub use rank_correlation::rank_correlation;
pub use significance::{Test, TestKind};

/// The least number of units for tests and resampling.
///
/// With five pairs, the least p-value of a two-sided sign-flip test is 2/2⁵ = 0.0625: no difference could
/// ever be significant at 5 %.
pub const MIN_UNITS: usize = 6;
