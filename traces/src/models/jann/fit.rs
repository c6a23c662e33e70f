//! Fitting a log: the first three moments of each range of sizes are matched.

use serde::Serialize;

use super::classes::{SizeRange, groups, jobs, pool};
use super::erlang::HyperErlang;
use crate::models::error::ModelError;
use crate::reading::Size;
use crate::trace::Trace;

/// The beginning of notes that describe how well a model was fitted to a log.
pub const FIT_NOTE: &str = "fit of ";

/// Ranges of sizes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ranges {
    /// 1, 2, 3–4, 5–8, 9–16 and so on: the upper end is a power of two.
    #[default]
    Powers,
    /// 1–w, w+1–2w and so on.
    Width(u32),
}

impl Ranges {
    /// Returns the range of a size, from 1: its least and its greatest size.
    pub fn of(self, size: i64) -> (i64, i64) {
        match self {
            Ranges::Powers => {
                let most = size.max(1).unsigned_abs().next_power_of_two() as i64;
                (most / 2 + 1, most)
            }
            Ranges::Width(width) => {
                let width = i64::from(width.max(1));
                let below = (size - 1).max(0) / width * width;
                (below + 1, below.saturating_add(width))
            }
        }
    }
}

/// Which interarrival times a range has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Gaps {
    /// The times between its jobs.
    #[default]
    Inner,
    /// Also the time from its last job to its first, as if the log began again at its end.
    Wrapped,
}

/// The options of fitting a log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FitOptions {
    /// Ranges of sizes.
    pub ranges: Ranges,
    /// Interarrival times.
    pub gaps: Gaps,
    /// Which size field of a job counts.
    pub size: Size,
    /// The highest order tried.
    pub max_order: u32,
}

impl Default for FitOptions {
    fn default() -> FitOptions {
        let (ranges, gaps, size) = (Ranges::default(), Gaps::default(), Size::default());
        FitOptions { ranges, gaps, size, max_order: 1000 }
    }
}

/// A sample and the law that matches its moments.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Matched {
    /// The number of values in the sample.
    pub values: u64,
    /// Its first three moments about zero, in seconds, their squares and cubes.
    pub asked: [f64; 3],
    /// The law.
    pub law: HyperErlang,
    /// The law's moments.
    pub achieved: [f64; 3],
}

/// The fit of one range of sizes.
#[allow(missing_docs)] // The names say the rest.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ClassFit {
    pub least: i64,
    pub most: i64,
    /// The ranges that it was pooled from because they had too few different values; empty for a single range.
    pub pooled: Vec<(i64, i64)>,
    pub jobs: u64,
    /// Sizes that occur, and the number of jobs of each.
    pub sizes: Vec<(i64, u64)>,
    pub interarrival: Matched,
    pub service: Matched,
}

/// The fit of a log.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Fit {
    /// The ranges of sizes, smallest first.
    pub classes: Vec<ClassFit>,
    /// Rows of the log that are not jobs: parts of jobs, or rows without submit time, run time or size.
    pub left_out: u64,
}

/// The least number of different positive values that a range must have, both of interarrival and of run times.
const LEAST_DISTINCT: usize = 3;

/// Fits a log: for each range of sizes, the hyper-Erlang laws of the lowest common order that match the
/// first three moments of its interarrival times and of its run times. O(n log n).
///
/// A range with fewer than three different positive values of either time, or whose moments are matched by no order up to the
/// highest, is pooled with its smaller neighbour (the smallest range with its larger one).
///
/// # Errors
/// [`ModelError::PoorLog`] when even all jobs together have too few different values.
pub fn fit(log: &Trace, options: &FitOptions) -> Result<Fit, ModelError> {
    let (jobs, left_out) = jobs(log, options);
    let span = jobs.first().zip(jobs.last()).map_or((0.0, 0.0), |(first, last)| (first.submit, last.submit));
    let matched = |group: &SizeRange| -> Option<(Matched, Matched)> {
        let interarrival = match_moments(&group.gaps(options.gaps, span), options.max_order)?;
        Some((interarrival, match_moments(&group.runs(), options.max_order)?))
    };
    let groups = pool(groups(&jobs, options.ranges), |group| matched(group).is_none());
    let class = |group: SizeRange| {
        let (interarrival, service) = matched(&group)?;
        let (sizes, jobs) = (group.sizes(), group.jobs.len() as u64);
        let SizeRange { least, most, pooled, .. } = group;
        Some(ClassFit { least, most, pooled, jobs, sizes, interarrival, service })
    };
    let classes: Vec<ClassFit> = groups.unwrap_or_default().into_iter().filter_map(class).collect();
    if classes.is_empty() {
        return Err(ModelError::PoorLog(format!(
            "its {} usable jobs have fewer than {LEAST_DISTINCT} different positive times between \
             submissions, or run times, or need an order above {}",
            jobs.len(),
            options.max_order
        )));
    }
    Ok(Fit { classes, left_out })
}

/// Returns the law that matches a sample; `None` if it has too few different values, or no order matches.
fn match_moments(sample: &[f64], max_order: u32) -> Option<Matched> {
    let mut positive: Vec<f64> = sample.iter().copied().filter(|&value| value > 0.0).collect();
    positive.sort_unstable_by(f64::total_cmp);
    positive.dedup();
    if positive.len() < LEAST_DISTINCT {
        return None;
    }
    let n = sample.len() as f64;
    let asked = [1, 2, 3].map(|power| sample.iter().map(|value| value.powi(power)).sum::<f64>() / n);
    let law = HyperErlang::matching(asked, max_order)?;
    Some(Matched { values: sample.len() as u64, asked, law, achieved: law.moments() })
}

impl Matched {
    /// Returns the greatest relative difference between a moment of the sample and of the law.
    pub fn error(&self) -> f64 {
        let errors =
            self.asked.iter().zip(self.achieved).map(|(asked, achieved)| (achieved / asked - 1.0).abs());
        errors.fold(0.0, f64::max)
    }

    fn words(&self) -> String {
        let moments = |three: [f64; 3]| three.map(|moment| format!("{moment:.6e}")).join(", ");
        let (asked, achieved) = (moments(self.asked), moments(self.achieved));
        format!("n={} {}; moments asked {asked}, achieved {achieved}", self.values, self.law)
    }
}

impl Fit {
    /// Returns the fit in words, two lines for each range; each begins with [`FIT_NOTE`].
    pub fn notes(&self) -> Vec<String> {
        let range = |(least, most): (i64, i64)| {
            if least == most { least.to_string() } else { format!("{least}-{most}") }
        };
        let mut notes = Vec::new();
        for class in &self.classes {
            let name = range((class.least, class.most));
            if !class.pooled.is_empty() {
                let pooled: Vec<String> = class.pooled.iter().map(|&one| range(one)).collect();
                let pooled = pooled.join(", ");
                notes.push(format!("{FIT_NOTE}{name} processors: pooled from {pooled}, some too poor alone"));
            }
            notes.push(format!("{FIT_NOTE}{name} processors, interarrival: {}", class.interarrival.words()));
            notes.push(format!("{FIT_NOTE}{name} processors, run time: {}", class.service.words()));
        }
        if self.left_out > 0 {
            notes.push(format!("{FIT_NOTE}the log: {} of its rows are not whole jobs", self.left_out));
        }
        notes
    }
}
