//! Saturation: whether the machine kept up with the arriving work.

use std::cell::RefCell;

use batchlab_traces::seed;

use super::quantile::type7;
use super::sample::{check_finite, check_units, moments};
use super::{Interval, Method, NoInterval, draws};

/// Share of the arrived work that may be left over in a replay that kept up.
///
/// Some work is in the system at the last submission of any replay: that of some hours, 1 % of a month's. A
/// machine offered 105 % of its capacity leaves 5 %.
pub const LEFT_OVER: f64 = 0.01;

/// Whether a replay did not keep up: the share of the arrived work that was done, the lower end of the backlog's growth, and
/// the [`least`] backlog of the second half as a share of the arrived work.
///
/// Each condition alone misleads: work that is left over may be that of running jobs, the backlog of a steady queue wanders and
/// can look like a trend for long, and a burst is worked off. In `examples/saturation.md` at most 7 % of the drawn logs that a machine keeps
/// up with are called saturated: long jobs, bursts, days and nights, a machine that begins empty.
pub fn is_saturated(completed_share: f64, growth_low: f64, least_share: f64) -> bool {
    completed_share < 1.0 - LEFT_OVER && growth_low > 0.0 && least_share > LEFT_OVER
}

/// Returns the least value in the second half of points (time, value): near 0 for a queue that is worked off again and again;
/// `None` without points.
pub fn least(points: &[(f64, f64)]) -> Option<f64> {
    points[points.len() / 2..].iter().map(|point| point.1).min_by(f64::total_cmp)
}

/// Level of confidence of the slope's interval.
const LEVEL: f64 = 0.95;
/// The least number of points of the backlog: at least five blocks.
const POINTS: usize = 30;
const RESAMPLES: usize = 1_000;

/// The assessment of whether a replay kept up.
#[derive(Clone, Debug, PartialEq)]
pub struct Saturation {
    /// Work completed / work arrived.
    pub completed_share: f64,
    /// Slope of the backlog, in its unit per unit of time.
    pub slope: Result<Interval, NoInterval>,
    /// The verdict.
    pub verdict: SaturationVerdict,
}

/// Whether a replay kept up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SaturationVerdict {
    /// The backlog does not grow significantly, and all but [`LEFT_OVER`] of the work was completed.
    Steady,
    /// The backlog grows and is not worked off, and work is left over: means depend on the length of the replay and have little
    /// meaning.
    Saturated,
    /// Only some of this, or no slope could be estimated.
    Unclear,
}

/// Judges a replay between warm-up and last submission. `work_arrived` and `work_completed` (in the same unit) are those of this
/// window; `backlog` holds pairs of a time and the work or jobs that wait, at nearly equidistant times, in the unit of
/// `work_arrived`. A replay is saturated by [`is_saturated`]; it is steady if the slope's 95 % interval does not lie above 0 and
/// the completed share is not below 1 − [`LEFT_OVER`]. Costs as of [`slope`].
///
/// # Errors
/// No work arrived, or a number that is not finite.
pub fn verdict(
    work_arrived: f64,
    work_completed: f64,
    backlog: &[(f64, f64)],
    seed: u64,
) -> Result<Saturation, NoInterval> {
    let completed_share = work_completed / work_arrived;
    if work_arrived <= 0.0 || !work_arrived.is_finite() || !completed_share.is_finite() {
        return Err(NoInterval::NotFinite);
    }
    let slope = slope(backlog, seed);
    if slope == Err(NoInterval::NotFinite) {
        return Err(NoInterval::NotFinite);
    }
    let least = least(backlog).unwrap_or_default() / work_arrived;
    let left = completed_share < 1.0 - LEFT_OVER;
    let verdict = match &slope {
        Ok(slope) if is_saturated(completed_share, slope.low, least) => SaturationVerdict::Saturated,
        Ok(slope) if slope.low <= 0.0 && !left => SaturationVerdict::Steady,
        // A constant backlog does not grow.
        Err(NoInterval::NoSpread) if !left => SaturationVerdict::Steady,
        _ => SaturationVerdict::Unclear,
    };
    Ok(Saturation { completed_share, slope, verdict })
}

/// Returns the least-squares slope of points (time, value), with its 95 % interval by block bootstrap. O(n² + 1,000 √n).
///
/// Residuals are resampled in blocks of ⌈√n⌉ neighbours from a circle (Künsch, "The jackknife and the bootstrap for general
/// stationary observations", Annals of Statistics 17, 1989; Politis and Romano 1992), the line is fitted to each resample, and
/// the ends are percentiles. Assumes that points at a distance of √n are nearly independent. If dependence reaches farther, the
/// interval is too short: for M/M/1 queues at 0.95 of their capacity it lies above 0 in 18.6 % of cases.
///
/// # Errors
/// Fewer than 30 points, times or values that do not vary, a number that is not finite.
pub fn slope(points: &[(f64, f64)], seed: u64) -> Result<Interval, NoInterval> {
    check_units(points.len(), POINTS)?;
    let (times, values): (Vec<f64>, Vec<f64>) = points.iter().copied().unzip();
    check_finite(&times)?;
    let (of_times, of_values) = (moments(&times)?, moments(&values)?);
    if of_times.sd == 0.0 || of_values.sd == 0.0 {
        return Err(NoInterval::NoSpread);
    }
    // Scaled by standard deviations, so that nothing overflows.
    let times: Vec<f64> = times.iter().map(|time| (time - of_times.mean) / of_times.sd).collect();
    let values: Vec<f64> = values.iter().map(|value| (value - of_values.mean) / of_values.sd).collect();
    let squares: f64 = times.iter().map(|time| time * time).sum();
    let estimate = times.iter().zip(&values).map(|(t, v)| t * v).sum::<f64>() / squares;
    let residuals: Vec<f64> = times.iter().zip(&values).map(|(t, v)| v - estimate * t).collect();
    let mut slopes: Vec<f64> =
        resampled(&times, &residuals, seed).into_iter().map(|sum| sum / squares).collect();
    slopes.sort_unstable_by(f64::total_cmp);
    let end = |share| type7(&slopes, share).map_or(f64::NAN, |change| estimate + change);
    let unit = of_values.sd / of_times.sd;
    let ends = [end((1.0 - LEVEL) / 2.0) * unit, end(f64::midpoint(1.0, LEVEL)) * unit];
    Interval::new(estimate * unit, ends, LEVEL, Method::BlockBootstrap, block_count(points.len()))
}

/// Sums of time × residual, for residuals drawn in blocks.
fn resampled(times: &[f64], residuals: &[f64], seed: u64) -> Vec<f64> {
    let n = residuals.len();
    let sums = block_sums(times, residuals);
    DRAWN.with_borrow_mut(|drawn| {
        let resamples = drawn.of(seed, n, sums.len() / n).chunks_exact(sums.len() / n);
        let sum = |drawn: &[u32]| sums.chunks_exact(n).zip(drawn).map(|(of, &at)| of[at as usize]).sum();
        resamples.map(sum).collect()
    })
}

thread_local! {
    /// The draws are cached, because thousands of replays are judged by the same ones and drawing them takes
    /// longer than everything else.
    static DRAWN: RefCell<Drawn> = RefCell::default();
}

/// The beginning of each block of each resample.
#[derive(Default)]
struct Drawn {
    /// Seed, number of points, number of blocks.
    of: (u64, usize, usize),
    begins: Vec<u32>,
}

impl Drawn {
    fn of(&mut self, seed: u64, n: usize, blocks: usize) -> &[u32] {
        if self.of != (seed, n, blocks) {
            let mut stream = seed::stream(seed, "blocks");
            self.begins = (0..RESAMPLES * blocks).map(|_| draws::below(&mut stream, n) as u32).collect();
            self.of = (seed, n, blocks);
        }
        &self.begins
    }
}

/// Returns, for each block of times and each residual, the sum of time × residual over the block if residuals
/// are taken from that one on. O(n²), once for all resamples.
fn block_sums(times: &[f64], residuals: &[f64]) -> Vec<f64> {
    let n = residuals.len();
    let circle = [residuals, residuals].concat();
    let sum = |block: &[f64], from: usize| -> f64 {
        block.iter().zip(&circle[from..]).map(|(time, residual)| time * residual).sum()
    };
    let blocks = times.chunks(n.div_ceil(block_count(n)));
    blocks.flat_map(|block| (0..n).map(|from| sum(block, from)).collect::<Vec<_>>()).collect()
}

/// Number of blocks of about √n points.
fn block_count(n: usize) -> usize {
    n.div_ceil((n as f64).sqrt().ceil() as usize)
}
