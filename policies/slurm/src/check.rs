//! The replay of a Slurm log beside what really happened.

use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::{JobId, Time};
use serde::Serialize;

use crate::twin::{Judgement, share as share_of};

/// How closely a replay follows what really happened.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SlurmCheck {
    pub jobs: u64,
    /// Share of starts within a second of the real one.
    pub within_1s: f64,
    pub within_5s: f64,
    pub within_60s: f64,
    /// Share of starts within one period of the backfill loop (of the main loop without one).
    pub within_bf_interval: f64,
    /// Mean wait in the log, seconds.
    pub mean_wait_real: f64,
    /// Mean wait in the replay, seconds.
    pub mean_wait_replayed: f64,
    /// Spearman's rank correlation of the waits.
    pub rank_correlation: f64,
    /// Share of the tested starts that the loops, asked at each pass and cycle in the state that really was, make within a cycle of
    /// the real instant, neither earlier nor later.
    pub closed_loop_agreement: f64,
    /// Share of the tested starts that the loops make by a cycle after the real instant, however much earlier.
    pub closed_loop_found: f64,
    /// Of the starts that the loops make, the share that is real within a cycle.
    pub closed_loop_precision: f64,
    /// Share of the real starts that are tested: in the state that really was.
    pub closed_loop_tested: f64,
    /// Share on the same nodes, of the real starts that the loops make in the same second and in which no job ends; 1 if the log has
    /// no nodes.
    pub closed_loop_nodes: f64,
    /// Tested starts that the loops would have made more than a cycle before the real instant.
    pub closed_loop_early: u64,
    /// Tested starts that the loops make more than a cycle after the real instant.
    pub closed_loop_late: u64,
    /// Tested starts that the loops do not make.
    pub closed_loop_missed: u64,
    /// Jobs that the loops would have started more than a cycle before they were cancelled, and that never really started.
    pub closed_loop_unstarted: u64,
    /// Starts that are not tested: in the check they came more than a second after the real instant, and so in another state.
    pub closed_loop_postponed: u64,
    /// Starts that did not fit at their real instant on their real nodes: the log does not say how many processors a job uses on each
    /// of several nodes, or another job had not ended there.
    pub closed_loop_displaced: u64,
    /// Replays in which what the log leaves out is drawn (`clock=ticks`).
    #[serde(flatten)]
    pub drawn: Option<ReplayScatter>,
    /// The first job whose start differs by more than a second; not in JSON.
    #[serde(skip)]
    pub first_parting: Option<Parting>,
}

/// How far chance alone moves a replay: the same log, with other draws of the seconds that it leaves open.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct ReplayScatter {
    pub draws: u64,
    /// Share of starts within a minute of the real one, in their mean.
    pub drawn_within_60s: f64,
    /// Mean of their mean waits, seconds.
    pub drawn_mean_wait: f64,
    /// Standard deviation of their mean waits, seconds; 0 for a single one.
    pub drawn_mean_wait_sd: f64,
    /// Share of them with a mean wait below the real one.
    pub drawn_below_real: f64,
    /// A range of mean waits, seconds, from one of them to another: a further draw lies in it with a probability of at least
    /// [`BAND`], as all orders of the draws are equally likely. `None` if there are too few.
    pub drawn_band: Option<[f64; 2]>,
}

/// The least probability with which a further draw lies in the range of [`ReplayScatter::drawn_band`].
pub const BAND: f64 = 0.9;

/// Returns the range of values in which a further one lies with a probability of at least [`BAND`]: it leaves out equally many values
/// on both sides, and with `k` of `n` values beyond each end the probability is `1 - 2 (k + 1) / (n + 1)`.
fn band(mut values: Vec<f64>) -> Option<[f64; 2]> {
    values.arrange_by(f64::total_cmp);
    let tail = (1.0 - BAND) / 2.0 * (values.len() + 1) as f64;
    let beyond = ((tail + 1e-9).floor() as usize).checked_sub(1)?;
    Some([values[beyond], values[values.len() - 1 - beyond]])
}

impl ReplayScatter {
    pub fn of(checks: &[SlurmCheck]) -> Option<ReplayScatter> {
        let count = checks.len() as f64;
        let mean = |of: &dyn Fn(&SlurmCheck) -> f64| checks.iter().map(of).sum::<f64>() / count;
        let wait = mean(&|check| check.mean_wait_replayed);
        let squares = mean(&|check| (check.mean_wait_replayed - wait).powi(2));
        (!checks.is_empty()).then(|| ReplayScatter {
            draws: checks.len() as u64,
            drawn_within_60s: mean(&|check| check.within_60s),
            drawn_mean_wait: wait,
            drawn_mean_wait_sd: (squares * count / (count - 1.0).max(1.0)).sqrt(),
            drawn_below_real: mean(&|check| f64::from(check.mean_wait_replayed < check.mean_wait_real)),
            drawn_band: band(checks.iter().map(|check| check.mean_wait_replayed).collect()),
        })
    }
}

/// A job that starts at another time than it really did.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Parting {
    pub job: JobId,
    pub real: Time,
    pub replayed: Time,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Compared {
    pub job: JobId,
    /// Since when it waited, really and in the replay: where jobs depend on others, each schedule has its own instants at which
    /// they may run.
    pub since: [Time; 2],
    pub start: [Time; 2],
}

impl Compared {
    fn waits(&self) -> [f64; 2] {
        [0, 1].map(|which| (self.start[which] - self.since[which]).secs())
    }

    fn apart(&self) -> Time {
        let [real, replayed] = self.start;
        if real > replayed { real - replayed } else { replayed - real }
    }
}

impl SlurmCheck {
    /// Compares the jobs of an open-loop replay with the real schedule, and adds what the closed loop found. `interval` is the
    /// period of the backfill loop; `correlation` returns the rank correlation of two lists. O(n log n).
    pub fn new(
        jobs: &[Compared],
        closed: Judgement,
        interval: Time,
        correlation: fn(&[f64], &[f64]) -> f64,
    ) -> SlurmCheck {
        let share = |most: Time| {
            let near = jobs.iter().filter(|job| job.apart() <= most).count();
            if jobs.is_empty() { 1.0 } else { near as f64 / jobs.len() as f64 }
        };
        let mean = |values: &[f64]| values.iter().sum::<f64>() / values.len().max(1) as f64;
        let [waits_real, waits_replayed] =
            [0, 1].map(|which| jobs.iter().map(|job| job.waits()[which]).collect::<Vec<f64>>());
        SlurmCheck {
            jobs: jobs.len() as u64,
            within_1s: share(Time::SECOND),
            within_5s: share(Time::from_secs(5)),
            within_60s: share(Time::from_secs(60)),
            within_bf_interval: share(interval),
            mean_wait_real: mean(&waits_real),
            mean_wait_replayed: mean(&waits_replayed),
            rank_correlation: correlation(&waits_real, &waits_replayed),
            closed_loop_agreement: closed.agreement(),
            closed_loop_found: closed.found(),
            closed_loop_precision: closed.precision(),
            closed_loop_tested: share_of(closed.tested, closed.tested + closed.postponed),
            closed_loop_nodes: share_of(closed.same_nodes, closed.located),
            closed_loop_early: closed.early,
            closed_loop_late: closed.late,
            closed_loop_missed: closed.missed,
            closed_loop_unstarted: closed.unstarted,
            closed_loop_postponed: closed.postponed,
            closed_loop_displaced: closed.displaced,
            drawn: None,
            first_parting: first_parting(jobs),
        }
    }
}

/// Returns the first job whose starts differ by more than a second.
fn first_parting(jobs: &[Compared]) -> Option<Parting> {
    let parted = jobs.iter().filter(|job| job.apart() > Time::SECOND);
    let first = parted.min_by_key(|one| (one.start.into_iter().min(), one.job))?;
    let [real, replayed] = first.start;
    Some(Parting { job: first.job, real, replayed })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn starts_are_compared_with_the_real_ones() {
        let at = Time::from_secs;
        let job = |number, since: [i64; 2], start: [i64; 2]| Compared {
            job: JobId(number),
            since: since.map(at),
            start: start.map(at),
        };
        // The second waits for another job, which ends later in the replay.
        let jobs = [job(0, [0, 0], [10, 11]), job(1, [20, 25], [24, 30]), job(2, [5, 5], [50, 150])];
        let closed = Judgement { tested: 4, agreed: 3, ..Judgement::default() };
        let check = SlurmCheck::new(&jobs, closed, at(100), |real, replayed| real[1] + replayed[1]);
        assert_eq!((check.within_1s, check.within_5s, check.within_bf_interval), (1.0 / 3.0, 1.0 / 3.0, 1.0));
        assert_eq!((check.mean_wait_real, check.mean_wait_replayed), (59.0 / 3.0, 161.0 / 3.0));
        assert_eq!((check.rank_correlation, check.closed_loop_agreement), (9.0, 0.75));
        assert_eq!(check.closed_loop_nodes, 1.0, "the log has no nodes");
        let parting = Parting { job: JobId(1), real: at(24), replayed: at(30) };
        assert_eq!(check.first_parting, Some(parting), "the first by the earlier of both starts");
    }

    #[test]
    fn draws_have_a_mean_and_a_deviation() {
        let of = |wait: f64| {
            let check = SlurmCheck::new(&[], Judgement::default(), Time::SECOND, |_, _| 0.0);
            SlurmCheck { mean_wait_replayed: wait, mean_wait_real: 2.0, ..check }
        };
        let drawn = ReplayScatter::of(&[of(1.0), of(3.0)]).unwrap();
        assert_eq!((drawn.draws, drawn.drawn_mean_wait, drawn.drawn_below_real), (2, 2.0, 0.5));
        assert_eq!(drawn.drawn_mean_wait_sd, 2.0_f64.sqrt());
        assert_eq!(ReplayScatter::of(&[]), None);
        assert_eq!(drawn.drawn_band, None, "a third one is as likely outside");
        let waits = |count: i32| (1..=count).rev().map(f64::from).collect::<Vec<f64>>();
        assert_eq!([18, 19].map(|count| band(waits(count))), [None, Some([1.0, 19.0])]);
        assert_eq!([38, 39].map(|count| band(waits(count))), [Some([1.0, 38.0]), Some([2.0, 38.0])]);
    }
}
