//! How much wider intervals must be to contain starts as often as their level says, by past instants of the same log.

use batchlab_traces::sorted::SortedSet;
use batchlab_traces::{JobId, Time};

use super::calibration::Checked;
use super::forecast::Foretold;
use super::plan::Plan;

/// What past instants say about foretold starts: how far the ends of intervals are moved.
///
/// At past instants, each job that waited then has foretold starts and a true one. The ends of intervals are moved by conformalized
/// quantile regression (Romano, Patterson, Candès, `NeurIPS` 2019) with the two ends apart: the margin of an end is the quantile of
/// how many scales true starts lay outside of it, which is the margin with the least pinball loss. Jobs that wait at the same instant
/// depend on each other, so all instants weigh the same, and the quantile is that of a sample of as many values as there are instants.
///
/// Instants count up to the present one. Of a job that still waits it is known that its start lies at least as far behind as it has
/// waited: its weight counts behind that, among the jobs that lay there (Kaplan, Meier, JASA 53, 1958). Errors of early forecasts may
/// depend on when they are judged, so that this holds on average only: on recorded runs and with jobs added to them that never start.
/// In the first instants of a log, with less than 50 starts, more jobs may still wait beyond all known starts than the level leaves out:
/// how late they will be is taken to be exponential, as in the tail of an estimate of Kaplan and Meier that is not closed (Brown,
/// Hollander, Korwar, Reliability and Biometry, SIAM 1974), but at most twice what is known. Both bounds were chosen on recorded runs:
/// without the first one later intervals were longer, with three in place of two they held hardly more.
///
/// Errors grow with what is foretold, but less than in proportion, so that scales are powers of it; and no interval reaches farther
/// beyond the draws than the start that lay farthest behind them, unless its own job is foretold to wait longer than that. Exponent,
/// addend and cap were chosen among some by coverage and interval score on recorded runs of Slurm and logs of the archive. To multiply
/// foretold starts by the factor with which the medians of the past were least wrong was tried, and quantiles that adapt to what they
/// missed (adaptive conformal inference: Gibbs, Candès, `NeurIPS` 2021): intervals then held less often than their level.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margins {
    /// What the starts as requested count for.
    plan: Plan,
    /// Of the earliest start, in scales.
    pub below: f64,
    /// Of the latest start, in scales.
    pub above: f64,
    /// How far behind its interval a start lay at most, in seconds; a job that still waits lies at least as far as it has waited.
    pub farthest: f64,
    /// By which part of itself the margin of the latest start is longer than what is known, because too many jobs still wait.
    pub stretch: f64,
    /// Whether past instants show that the policy foretells nothing: too many starts lie far behind.
    pub disagree: bool,
    /// The jobs that started far later than their intervals.
    pub far: usize,
    /// The one of them whose start lay farthest behind.
    pub worst: Option<Missed>,
    /// Instants that they are from; 0 without calibration.
    pub instants: usize,
    /// Jobs that waited at these instants.
    pub jobs: usize,
}

/// How late a start is far behind its interval: this many times the wait that was foretold, with two minutes added.
const FAR: f64 = 10.0;

/// A job that started far later than foretold at a past instant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Missed {
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
    RunTimes,
    /// There are few past instants, so that the worst of them counts.
    FewInstants,
    /// Starts at past instants lay far from what was foretold.
    Past,
}

impl Wide {
    pub fn words(self) -> &'static str {
        match self {
            Wide::RunTimes => "run times",
            Wide::FewInstants => "few past instants",
            Wide::Past => "past starts",
        }
    }
}

/// An interval is too wide to use if it is longer than this many times its median.
const WIDE: f64 = 3.0;
/// The longest interval that is never too wide, in seconds.
const NARROW: f64 = 60.0;

impl Margins {
    /// Returns the least number of instants from which the quantile of a level can be taken; with fewer, the worst value counts.
    pub fn enough(level: f64) -> usize {
        (2.0 / (1.0 - level)).round() as usize - 1
    }

    /// Returns the margins by what was foretold, in the order of the instants, and whether run times were drawn.
    pub(super) fn of(checked: &[Checked], is_drawn: bool, level: f64) -> Margins {
        let instants: Vec<&[Checked]> = checked.chunk_by(|a, b| a.instant == b.instant).collect();
        let plan = if is_drawn { Plan::of(&instants) } else { Plan::default() };
        let blended = |checked: &Checked| {
            let drawn = plan.blend(checked.drawn, checked.requested);
            Checked { drawn, ..checked.clone() }
        };
        let checked: Vec<Checked> = checked.iter().map(blended).collect();
        let groups: Vec<&[Checked]> = checked.chunk_by(|a, b| a.instant == b.instant).collect();
        let missed = (1.0 - level) / 2.0;
        let [below, above] = [Side::Below, Side::Above]
            .map(|side| quantile(&groups, missed, side, |checked| outside(checked, side)));
        // In seconds and as a share of what was foretold.
        let late = |checked: &Checked| {
            let [_, median, high] = checked.drawn;
            let late = checked.actual - high;
            (late, late / (LATE + ahead(median, checked.earliest)))
        };
        let jobs_that = |waits: bool| -> SortedSet<JobId> {
            checked.iter().filter(|checked| checked.waits == waits).map(|checked| checked.job).collect()
        };
        let (started, waiting) = (jobs_that(false).len(), jobs_that(true).len());
        // A single job that something holds waits at each instant, and says nothing of the others.
        let is_early = started < FEW && waiting as f64 > missed * (started + waiting) as f64;
        let behind = || values(&groups, Side::Above, |checked| outside(checked, Side::Above));
        let stretch = if is_early { stretch(&behind(), missed) } else { 0.0 };
        let disagree = quantile(&groups, missed, Side::Above, |checked| late(checked).1) >= FAR;
        let finite = || checked.iter().filter(|&checked| !checked.waits && late(checked).0.is_finite());
        let lates =
            checked.iter().filter(|checked| is_early || !checked.waits).map(|checked| late(checked).0);
        let farthest = lates.filter(|late| late.is_finite()).fold(0.0, f64::max);
        let far = || finite().filter(|&checked| late(checked).1 >= FAR);
        let worst = far().max_by(|&a, &b| late(a).0.total_cmp(&late(b).0));
        let worst = worst.map(|checked| checked.missed(checked.drawn[2]));
        let (instants, jobs, far) = (groups.len(), checked.len(), far().count());
        Margins { plan, below, above, farthest, stretch, disagree, far, worst, instants, jobs }
    }

    /// Returns the earliest start of an interval of a level, the median, and the latest start: seconds from the instant of
    /// the standing. Infinite where too few of the replays start the job.
    pub fn interval(&self, foretold: &Foretold, level: f64) -> [f64; 3] {
        self.moved(self.plan.blend(foretold.quantiles(level), foretold.requested), foretold.earliest)
    }

    /// Returns why an interval of a level is too wide to use: longer than three times its median, and than a minute.
    pub fn too_wide(&self, foretold: &Foretold, level: f64) -> Option<Wide> {
        let [low, median, high] = self.interval(foretold, level);
        let length = high - low;
        if !length.is_finite() || length <= (WIDE * median).max(NARROW) {
            return None;
        }
        let [first, _, last] = self.plan.blend(foretold.quantiles(level), foretold.requested);
        Some(if last - first >= length / 2.0 {
            Wide::RunTimes
        } else if self.instants < Margins::enough(level) {
            Wide::FewInstants
        } else {
            Wide::Past
        })
    }

    pub(super) fn around(&self, checked: &Checked) -> [f64; 3] {
        self.moved(self.plan.blend(checked.drawn, checked.requested), checked.earliest)
    }

    fn moved(&self, [low, median, high]: [f64; 3], earliest: f64) -> [f64; 3] {
        let scale = scale(median, earliest);
        let most = self.farthest.max(LATE + ahead(median, earliest));
        let low = (low - self.below * scale).max(earliest).min(median);
        let above = (1.0 + self.stretch) * (self.above * scale).min(most);
        [low, median, (high + above).max(median)]
    }
}

/// Added to what is foretold where a start is called far behind, and in the cap of margins, in seconds.
const LATE: f64 = 120.0;

/// Added to what is foretold in scales, in seconds.
const LEAST: f64 = 60.0;

/// How scales grow with what is foretold.
const EXPONENT: f64 = 0.7;

/// Returns how long a job is foretold to wait, from its earliest instant on, in seconds; 0 if endlessly.
fn ahead(median: f64, earliest: f64) -> f64 {
    let ahead = (median - earliest).max(0.0);
    if ahead.is_finite() { ahead } else { 0.0 }
}

/// Returns the unit of a job's margins: how far off its start may be.
fn scale(median: f64, earliest: f64) -> f64 {
    (LEAST + ahead(median, earliest)).powf(EXPONENT)
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Below,
    Above,
}

/// Returns how far a start lay before its interval or behind it, in scales. Of a job that still waits it is the most or the least that it
/// may be.
fn outside(checked: &Checked, side: Side) -> f64 {
    let [low, median, high] = checked.drawn;
    let by = if side == Side::Below { low - checked.actual } else { checked.actual - high };
    by / scale(median, checked.earliest)
}

/// Returns the value that misses a share of the jobs, all instants weighing the same; with few instants, the greatest. 0 without
/// jobs, or if it is infinite. O(jobs log jobs).
fn quantile(groups: &[&[Checked]], misses: f64, side: Side, of: impl Fn(&Checked) -> f64) -> f64 {
    let mut known = masses(&values(groups, side, of));
    if side == Side::Below {
        known.reverse();
    }
    let instants = groups.len() as f64;
    let found = weighted(&known, ((1.0 - misses) * (instants + 1.0)).min(instants));
    if found.is_finite() { found } else { 0.0 }
}

/// Returns what jobs say of a margin, the least first; of the earliest start, the greatest.
fn values(groups: &[&[Checked]], side: Side, of: impl Fn(&Checked) -> f64) -> Vec<Value> {
    let weighed = |group: &&[Checked]| {
        let weight = 1.0 / group.len() as f64;
        let value = |checked: &Checked| Value { amount: of(checked), weight, is_bound: checked.waits };
        group.iter().map(value).collect::<Vec<_>>()
    };
    let mut values: Vec<Value> = groups.iter().flat_map(weighed).collect();
    // A job that is foretold to start endlessly late, and does, is not off.
    values.iter_mut().filter(|value| value.amount.is_nan()).for_each(|value| value.amount = 0.0);
    values.sort_unstable_by(|a, b| {
        let values = a.amount.total_cmp(&b.amount);
        let values = if side == Side::Below { values.reverse() } else { values };
        values.then(a.is_bound.cmp(&b.is_bound)).then(a.weight.total_cmp(&b.weight))
    });
    values
}

/// By which part of itself the greatest of ascending values is extended so that it misses a share of the jobs: a greater share of them
/// lies beyond all that is known, and is taken to be exponential.
fn stretch(values: &[Value], misses: f64) -> f64 {
    let all: f64 = values.iter().map(|value| value.weight).sum();
    let left = masses(values).last().filter(|_| values.last().is_some_and(|last| last.is_bound)).copied();
    let share = left.map_or(0.0, |(_, left)| left / all);
    if share <= misses { 0.0 } else { (misses.ln() / share.min(0.99).ln() - 1.0).min(STRETCHED) }
}

/// With fewer jobs that have started at past instants, jobs that still wait may stretch a margin.
const FEW: usize = 50;

/// The most by which a margin is stretched, as a part of itself.
const STRETCHED: f64 = 1.0;

struct Value {
    amount: f64,
    weight: f64,
    /// Whether the true value lies behind it.
    is_bound: bool,
}

/// Returns the values that are known with their weights, to which those of the bounds before them are added in proportion: the estimate
/// of Kaplan and Meier. What no known value lies behind stays at the last bound.
fn masses(values: &[Value]) -> Vec<(f64, f64)> {
    let mut ahead: f64 = values.iter().map(|value| value.weight).sum();
    let (mut left, mut masses) = (ahead, Vec::new());
    for value in values {
        if !value.is_bound && ahead > 0.0 {
            let mass = left * (value.weight / ahead).min(1.0);
            masses.push((value.amount, mass));
            left -= mass;
        }
        ahead -= value.weight;
    }
    masses.extend(values.last().filter(|value| value.is_bound).map(|value| (value.amount, left)));
    masses
}

/// Returns the first of ascending values that reaches a sum of weights, which is more than 0; 0 without values.
fn weighted(values: &[(f64, f64)], sum: f64) -> f64 {
    let (mut last, mut left) = (0.0, sum);
    for &(value, weight) in values {
        // The last one holds, whatever the rounding of the weights.
        if left <= 1e-9 {
            break;
        }
        (last, left) = (value, left - weight);
    }
    last
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foretold(starts: [f64; 3]) -> Foretold {
        Foretold { job: JobId(0), requested: f64::INFINITY, starts: starts.into(), earliest: 0.0 }
    }

    fn checked(instant: i64, starts: [f64; 3], actual: f64) -> Checked {
        let instant = Time::from_secs(instant);
        Checked::of(&foretold(starts), instant, instant + Time::from_secs_f64(actual), 0.9)
    }

    /// Quantiles of how late jobs started after 40 s, as their forecast was.
    fn late(past: &[Checked], misses: f64) -> f64 {
        let groups: Vec<&[Checked]> = past.chunk_by(|a, b| a.instant == b.instant).collect();
        quantile(&groups, misses, Side::Above, |checked| checked.actual - 40.0)
    }

    #[test]
    fn margins_are_quantiles_of_how_far_starts_lay_outside() {
        // At each of 99 instants a start at 40 s is foretold; starts are 49 s earlier to 49 s later.
        let past = |instants: i64| -> Vec<Checked> {
            (0..instants).map(|at| checked(at, [40.0; 3], 40.0 + ((at * 37) % 99 - 49) as f64)).collect()
        };
        // 0.95 · 100 of 99 values: the 95th.
        assert_eq!((late(&past(99), 0.05), late(&past(99), 0.5)), (45.0, 0.0));
        assert_eq!(late(&past(3), 0.05), 25.0, "-49, -12 and 25 s: the worst");
        let margins = Margins::of(&past(99), false, 0.9);
        assert_eq!((margins.instants, margins.jobs, margins.farthest), (99, 99, 49.0));
        assert_eq!((margins.disagree, margins.far, margins.worst), (false, 0, None));
        // An interval of the same forecast reaches as far as they did.
        let [low, _, high] = margins.interval(&foretold([40.0; 3]), 0.9);
        assert_eq!((low, high), (0.0, 85.0));
    }

    #[test]
    fn margins_grow_less_than_in_proportion() {
        let past: Vec<Checked> = (0..50).map(|at| checked(at, [40.0; 3], 50.0)).collect();
        let latest =
            |start: f64| Margins::of(&past, false, 0.9).interval(&foretold([start; 3]), 0.9)[2] - start;
        // Of 100 s the margin is 10 s, of 1,000 s 10^0.7 times as much: capped by what a job was late at most, or waits.
        assert!((latest(40.0) - 10.0).abs() < 1e-9);
        assert!((latest(940.0) - 50.12).abs() < 0.01, "{}", latest(940.0));
    }

    #[test]
    fn all_instants_weigh_the_same() {
        // 50 jobs of one instant start at once, one job of each of 19 others 10 s late.
        let crowd = (0..50).map(|_| checked(0, [40.0; 3], 40.0));
        let others = (1..20).map(|at| checked(at, [40.0; 3], 50.0));
        let past: Vec<Checked> = crowd.chain(others).collect();
        assert_eq!(late(&past, 0.5), 10.0);
    }

    #[test]
    fn a_job_that_still_waits_starts_later_than_now() {
        // At 100 s, of ten jobs of ten instants, foretold after 40 s each: four started 10, 20, 30 and 40 s late, and six still wait.
        let started = |late: i64| checked(late, [40.0; 3], 40.0 + late as f64);
        let waiting = |passed: i64| checked(100 - passed, [40.0; 3], 1000.0).seen_at(Time::from_secs(100));
        let early: Vec<Checked> =
            [10, 20, 30, 40].map(started).into_iter().chain((0..6).map(waiting)).collect();
        // They say nothing of starts that late: the first four are all that is known.
        assert_eq!([0.8, 0.55, 0.35, 0.01].map(|misses| late(&early, misses)), [10.0, 20.0, 30.0, 40.0]);
        // Of the four jobs that lay behind 20 s two still wait: one for 25 s behind its forecast, the other for 50 s.
        let some = [10, 20, 30, 40].map(started).into_iter().chain([65, 90].map(waiting));
        let some: Vec<Checked> = some.collect();
        assert_eq!([0.6, 0.3, 0.01].map(|misses| late(&some, misses)), [30.0, 50.0, 50.0]);
    }

    #[test]
    fn a_margin_is_stretched_while_too_many_jobs_wait_beyond_all_known_starts() {
        // At 100 s, of the jobs of ten instants, foretold after 40 s each, the last ones still wait: they are 20 s late and more.
        let at_once = |waiting: i64| -> Vec<Checked> {
            let job = |at: i64| {
                let start = if at < waiting { 1000.0 } else { 50.0 };
                checked(30 + at, [40.0; 3], start).seen_at(Time::from_secs(90 + at))
            };
            (0..10).map(job).collect()
        };
        let margins = |waiting: i64| Margins::of(&at_once(waiting), false, 0.9);
        assert_eq!([margins(0).stretch, margins(0).farthest], [0.0, 10.0]);
        // A tenth lies beyond: what a twentieth lies beyond is ln 20 / ln 10 times as far.
        assert!(
            (margins(1).stretch - (20f64.ln() / 10f64.ln() - 1.0)).abs() < 1e-9,
            "{}",
            margins(1).stretch
        );
        assert_eq!(margins(1).farthest, 20.0, "so long it has waited behind its forecast");
        assert_eq!(margins(5).stretch, 1.0, "of a half at most twice as far, not 4.3 times");
        let latest = margins(5).interval(&foretold([40.0; 3]), 0.9)[2];
        assert!((latest - 80.0).abs() < 1e-9, "{latest}");
    }

    #[test]
    fn an_interval_that_is_too_wide_tells_what_most_of_it_is_from() {
        let margins =
            |above: f64, instants: usize| Margins { above, instants, farthest: 1000.0, ..Margins::default() };
        let wide = |margins: Margins, starts: [f64; 3]| margins.too_wide(&foretold(starts), 0.9);
        // Of a median of 100 s the scale is 160^0.7 = 34.9.
        assert_eq!(wide(margins(5.5, 30), [60.0, 100.0, 140.0]), None, "264 s");
        assert_eq!(wide(margins(7.0, 30), [60.0, 100.0, 140.0]), Some(Wide::Past), "316 s");
        assert_eq!(wide(margins(7.0, 18), [60.0, 100.0, 140.0]), Some(Wide::FewInstants));
        assert_eq!(wide(margins(0.0, 30), [0.0, 10.0, 150.0]), Some(Wide::RunTimes));
        assert_eq!(wide(margins(3.0, 30), [0.0, 1.0, 2.0]), None, "a minute is of use, whatever the median");
        assert_eq!(wide(margins(3.0, 30), [0.0, 1.0, f64::INFINITY]), None);
    }

    #[test]
    fn a_job_that_may_not_start_has_no_latest_start() {
        let [low, median, high] = Margins::default().interval(&foretold([10.0, 20.0, f64::INFINITY]), 0.9);
        assert_eq!((low, median, high), (11.0, 20.0, f64::INFINITY));
    }

    #[test]
    fn an_interval_reaches_no_farther_than_starts_did_or_jobs_wait() {
        // A start at once is foretold, and the jobs start 5,000 and 6,000 s later: 42 and 50 times two minutes.
        let past = [checked(0, [0.0; 3], 5000.0), checked(1, [0.0; 3], 6000.0)];
        let margins = Margins::of(&past, false, 0.9);
        assert_eq!((margins.farthest, margins.far, margins.disagree), (6000.0, 2, true));
        let missed = margins.worst.unwrap();
        assert_eq!((missed.at, missed.latest, missed.actual), (Time::from_secs(1), 0.0, 6000.0));
        // Of a forecast of 500 s, the margin would be 27,000 s.
        assert_eq!(margins.interval(&foretold([500.0; 3]), 0.9)[2], 6500.0);
        // The wait of a long forecast is more than that.
        assert_eq!(margins.interval(&foretold([50000.0; 3]), 0.9)[2], 100_120.0);
    }
}
