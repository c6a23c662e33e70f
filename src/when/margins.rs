//! How much wider intervals must be to contain starts as often as their level says, by past instants of the same log.

use batchlab_traces::{JobId, Time};

use super::calibration::Checked;
use super::forecast::Foretold;

/// What past instants say about foretold starts: how far the ends of intervals are moved.
///
/// At past instants, each job that waited then has foretold starts and a true one. (To multiply foretold starts by the factor with
/// which the medians of the past were least wrong was tried; on runs that it was not tried on, intervals then held less often and
/// medians were farther off.) The ends of intervals are moved by conformalized quantile regression (Romano, Patterson, Candès, `NeurIPS` 2019) with the two ends
/// apart: the margin of an end is the quantile of how far, as a share of its scale, true starts lay outside of it, which is the margin
/// with the least pinball loss. Jobs that wait at the same instant depend on each other, so all instants weigh the same, and the
/// quantile is that of a sample of as many values as there are instants. Which quantile it is, adapts online (adaptive conformal
/// inference: Gibbs, Candès, `NeurIPS` 2021): from instant to instant, in their order, it rises by what the margin by the instants
/// before missed of the jobs there beyond what it may miss, and falls if it missed less.
///
/// Errors are shares because they grow with what is foretold. Where true starts lay `FAR` times the scale and more behind
/// their intervals, they have another cause, and do not grow: an interval then reaches no farther beyond the draws than the
/// start that lay farthest behind, or than the scale of its own job.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margins {
    /// Of the earliest start.
    pub below: f64,
    /// Of the latest start.
    pub above: f64,
    /// How far behind its interval a start lay at most, in seconds.
    pub farthest: f64,
    /// The jobs that started later than their intervals by `FAR` times the scale and more.
    pub far: usize,
    /// The one of them whose start lay farthest behind.
    pub worst: Option<Missed>,
    /// Instants that they are from; 0 without calibration.
    pub instants: usize,
    /// Jobs that waited at these instants.
    pub jobs: usize,
}

/// How much of what an end misses too often or too rarely at an instant the next one makes up for.
const RATE: f64 = 0.05;

/// An end may miss from this share of what it is to miss, up to half of the starts.
const LEAST_MISSED: f64 = 0.4;
const MOST_MISSED: f64 = 0.5;

/// A start is far behind its interval from this many times its scale on.
const FAR: f64 = 10.0;

/// A job that started far later than foretold at a past instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missed {
    /// The instant.
    pub at: Time,
    /// The job, in the log's workload.
    pub job: JobId,
    /// The latest start of its interval, in seconds from the instant.
    pub latest: f64,
    /// Its start, in seconds from the instant.
    pub actual: f64,
}

/// Why an interval is too wide to use: what most of its length is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wide {
    /// The run times of similar jobs differ.
    RunTimes,
    /// There are few past instants, so that the worst of them counts.
    FewInstants,
    /// Starts at past instants lay far from what was foretold.
    Past,
}

impl Wide {
    /// Returns the reason in words.
    pub fn words(self) -> &'static str {
        match self {
            Wide::RunTimes => "run times",
            Wide::FewInstants => "few past instants",
            Wide::Past => "past starts",
        }
    }
}

/// An interval is too wide to use that is longer than so many times its median, but not one of at most so many seconds.
const WIDE: f64 = 3.0;
const NARROW: f64 = 60.0;

impl Margins {
    /// Returns the least number of instants from which the quantile of a level can be taken; with fewer, the worst value counts.
    pub fn enough(level: f64) -> usize {
        (2.0 / (1.0 - level)).round() as usize - 1
    }

    /// Returns the margins by what was foretold, in the order of the instants.
    pub(super) fn of(checked: &[Checked], level: f64) -> Margins {
        let groups: Vec<&[Checked]> = checked.chunk_by(|a, b| a.instant == b.instant).collect();
        let missed = (1.0 - level) / 2.0;
        let below = Beyond::of(&groups, |checked| outside(checked)[0]).margin(missed);
        let above = Beyond::of(&groups, |checked| outside(checked)[1]).margin(missed);
        // In seconds and as a share of the scale.
        let late = |checked: &Checked| {
            let [_, median, high] = checked.drawn;
            let late = checked.actual - high;
            (late, late / scale(median, checked.earliest))
        };
        let finite = || checked.iter().filter(|&checked| late(checked).0.is_finite());
        let farthest = finite().map(|checked| late(checked).0).fold(0.0, f64::max);
        let far = || finite().filter(|&checked| late(checked).1 >= FAR);
        let worst = far().max_by(|&a, &b| late(a).0.total_cmp(&late(b).0));
        let worst = worst.map(|checked| checked.missed(checked.drawn[2]));
        let (instants, jobs, far) = (groups.len(), checked.len(), far().count());
        Margins { below, above, farthest, far, worst, instants, jobs }
    }

    /// Whether past instants show that the policy foretells nothing: the latest start of intervals is `FAR` times the scale
    /// behind the draws.
    pub fn disagree(&self) -> bool {
        self.above >= FAR
    }

    /// Returns the earliest start of an interval of a level, the median, and the latest start: seconds from the instant of
    /// the standing. Infinite where too few of the replays start the job.
    pub fn interval(&self, foretold: &Foretold, level: f64) -> [f64; 3] {
        self.around(foretold.quantiles(level), foretold.earliest)
    }

    /// Returns why an interval of a level is too wide to use: longer than three times its median, and than a minute.
    pub fn too_wide(&self, foretold: &Foretold, level: f64) -> Option<Wide> {
        let [low, median, high] = self.interval(foretold, level);
        let length = high - low;
        if !length.is_finite() || length <= (WIDE * median).max(NARROW) {
            return None;
        }
        let [first, _, last] = foretold.quantiles(level);
        Some(if last - first >= length / 2.0 {
            Wide::RunTimes
        } else if self.instants < Margins::enough(level) {
            Wide::FewInstants
        } else {
            Wide::Past
        })
    }

    /// Returns the interval by the ends and the median of the draws.
    pub(super) fn around(&self, drawn: [f64; 3], earliest: f64) -> [f64; 3] {
        let [low, median, high] = drawn;
        let scale = scale(median, earliest);
        let most = if self.disagree() { self.farthest.max(scale) } else { f64::INFINITY };
        let above = (self.above * scale).min(most);
        let low = (low - self.below * scale).max(earliest).min(median);
        [low, median, (high + above).max(median)]
    }
}

/// Added to the scale of all jobs, in seconds.
const LEAST: f64 = 120.0;

/// Returns how far off a start may be, in seconds: its median, from its earliest instant on, plus two minutes. Margins are shares of
/// it.
fn scale(median: f64, earliest: f64) -> f64 {
    let ahead = (median - earliest).max(0.0);
    LEAST + if ahead.is_finite() { ahead } else { 0.0 }
}

/// Returns how far a start lay before its interval and behind it, as shares of its scale.
fn outside(checked: &Checked) -> [f64; 2] {
    let [low, median, high] = checked.drawn;
    [low - checked.actual, checked.actual - high].map(|by| by / scale(median, checked.earliest))
}

/// Returns the first of ascending values that reaches a sum of weights; 0 without values.
fn weighted(mut values: impl Iterator<Item = (f64, f64)>, mut left: f64) -> f64 {
    let mut last = 0.0;
    // The last one holds, whatever the rounding of the weights.
    while let Some((value, weight)) = values.next().filter(|_| left > 1e-9) {
        (last, left) = (value, left - weight);
    }
    last
}

/// How far starts lay beyond one end of their intervals: shares of the scale, ascending, with the number and the weight of the
/// instant.
struct Beyond {
    shares: Vec<(f64, usize, f64)>,
    instants: usize,
}

impl Beyond {
    fn of(groups: &[&[Checked]], end: impl Fn(&Checked) -> f64) -> Beyond {
        let mut shares = Vec::new();
        for (at, group) in groups.iter().enumerate() {
            for checked in *group {
                let share = end(checked);
                let share = if share.is_nan() { 0.0 } else { share };
                shares.push((share, at, 1.0 / group.len() as f64));
            }
        }
        shares.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        Beyond { shares, instants: groups.len() }
    }

    /// Returns the margin that is to miss a share of the starts, as it has adapted to what it missed. O(jobs · instants).
    fn margin(&self, target: f64) -> f64 {
        let mut misses = target;
        for at in 1..self.instants {
            misses += RATE * (target - self.missed(at, self.quantile(at, misses)));
            misses = misses.clamp(LEAST_MISSED * target, MOST_MISSED);
        }
        let share = self.quantile(self.instants, misses);
        if share.is_finite() { share } else { 0.0 }
    }

    /// Returns the margin by the first instants that would have missed a share of the starts there; with few of them, the worst.
    fn quantile(&self, instants: usize, misses: f64) -> f64 {
        let p = ((1.0 - misses) * (instants as f64 + 1.0) / instants as f64).min(1.0);
        let first = self.shares.iter().filter(|&&(_, at, _)| at < instants);
        weighted(first.map(|&(share, _, weight)| (share, weight)), p * instants as f64)
    }

    /// Returns the share of the starts of an instant that a margin misses.
    fn missed(&self, instant: usize, margin: f64) -> f64 {
        let beyond = self.shares.iter().filter(|&&(share, at, _)| at == instant && share > margin);
        beyond.map(|&(_, _, weight)| weight).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foretold(starts: [f64; 3]) -> Foretold {
        Foretold { job: JobId(0), requested: None, starts: starts.into(), earliest: 0.0 }
    }

    fn checked(instant: i64, starts: [f64; 3], actual: f64) -> Checked {
        let instant = Time::from_secs(instant);
        Checked::of(&foretold(starts), instant, instant + Time::from_secs_f64(actual), 0.9)
    }

    #[test]
    fn margins_are_quantiles_of_how_far_starts_lay_outside() {
        // At each of 99 instants a start at 40 s is foretold; starts are 49 s earlier to 49 s later. Shares are of 160 s.
        let past = |instants: i64| -> Vec<Checked> {
            (0..instants).map(|at| checked(at, [40.0; 3], 40.0 + ((at * 37) % 99 - 49) as f64)).collect()
        };
        let shares = |end: fn(&Checked) -> f64| {
            let past = past(99);
            Beyond::of(&past.chunk_by(|a, b| a.instant == b.instant).collect::<Vec<_>>(), end)
        };
        let late = shares(|checked| (checked.actual - 40.0) / 100.0);
        // 0.95 · 100 / 99 of 99 values: the 95th.
        assert_eq!((late.quantile(99, 0.05), late.quantile(99, 0.5)), (0.45, 0.0));
        assert_eq!(late.quantile(3, 0.05), 0.25, "-49, -12 and 25 s: the worst");
        let margins = Margins::of(&past(99), 0.9);
        assert_eq!((margins.instants, margins.jobs), (99, 99));
        assert!(
            (0.25..=0.31).contains(&margins.above) && (0.25..=0.31).contains(&margins.below),
            "{margins:?}"
        );
        assert_eq!((margins.disagree(), margins.far, margins.worst), (false, 0, None));
    }

    #[test]
    fn margins_adapt_to_what_they_missed() {
        // 20 instants without an error, then 20 at which starts lie 30 s behind, then 30 without.
        let late = |at: i64| if (20..40).contains(&at) { 30.0 } else { 0.0 };
        let margin = |instants: i64| {
            let past: Vec<Checked> =
                (0..instants).map(|at| checked(at, [40.0; 3], 40.0 + late(at))).collect();
            Margins::of(&past, 0.9).above
        };
        assert_eq!(margin(20), 0.0);
        assert!(margin(25) > 0.1, "5 of 25 lie 30 s behind, of 160");
        assert_eq!(Beyond { shares: vec![(0.0, 0, 1.0), (0.3, 1, 1.0)], instants: 2 }.margin(0.05), 0.3);
    }

    #[test]
    fn all_instants_weigh_the_same() {
        // 50 jobs of one instant start at once, one job of each of 19 others 10 s late.
        let crowd = (0..50).map(|_| checked(0, [40.0; 3], 40.0));
        let others = (1..20).map(|at| checked(at, [40.0; 3], 50.0));
        let past: Vec<Checked> = crowd.chain(others).collect();
        let groups: Vec<&[Checked]> = past.chunk_by(|a, b| a.instant == b.instant).collect();
        let late = Beyond::of(&groups, |checked| checked.actual - 40.0);
        assert_eq!((late.instants, late.quantile(20, 0.5)), (20, 10.0));
    }

    #[test]
    fn an_interval_that_is_too_wide_tells_what_most_of_it_is_from() {
        let margins = |above: f64, instants: usize| Margins { above, instants, ..Margins::default() };
        let wide = |margins: Margins, starts: [f64; 3]| margins.too_wide(&foretold(starts), 0.9);
        // Of a median of 100 s the scale is 220 s.
        assert_eq!(wide(margins(0.9, 30), [60.0, 100.0, 140.0]), None, "278 s");
        assert_eq!(wide(margins(1.1, 30), [60.0, 100.0, 140.0]), Some(Wide::Past));
        assert_eq!(wide(margins(1.1, 18), [60.0, 100.0, 140.0]), Some(Wide::FewInstants));
        assert_eq!(wide(margins(0.0, 30), [0.0, 10.0, 150.0]), Some(Wide::RunTimes));
        assert_eq!(wide(margins(0.4, 30), [0.0, 1.0, 2.0]), None, "a minute is of use, whatever the median");
        assert_eq!(wide(margins(0.4, 30), [0.0, 1.0, f64::INFINITY]), None);
    }

    #[test]
    fn a_job_that_may_not_start_has_no_latest_start() {
        let [low, median, high] = Margins::default().interval(&foretold([10.0, 20.0, f64::INFINITY]), 0.9);
        assert_eq!((low, median, high), (11.0, 20.0, f64::INFINITY));
    }

    #[test]
    fn an_interval_reaches_no_farther_than_starts_did_that_the_policy_does_not_explain() {
        // A start at once is foretold, and the jobs start 5,000 and 6,000 s later: 42 and 50 times the scale.
        let past = [checked(0, [0.0; 3], 5000.0), checked(1, [0.0; 3], 6000.0)];
        let margins = Margins::of(&past, 0.9);
        assert_eq!((margins.above, margins.farthest, margins.far), (50.0, 6000.0, 2));
        assert!(margins.disagree());
        let missed = margins.worst.unwrap();
        assert_eq!((missed.at, missed.latest, missed.actual), (Time::from_secs(1), 0.0, 6000.0));
        // Of a forecast of 500 s, 50 times the scale would be 31,000 s.
        assert_eq!(margins.interval(&foretold([500.0; 3]), 0.9)[2], 6500.0);
        // The scale of a long forecast is more than that.
        assert_eq!(margins.interval(&foretold([50000.0; 3]), 0.9)[2], 100_120.0);
    }
}
