//! How much wider intervals must be to contain starts as often as their level says, by past instants of the same log.

use std::sync::Arc;

use batchlab_slurm::twin;
use batchlab_traces::workload::Standing;
use batchlab_traces::{JobId, Time};

use super::forecast::{Forecast, Foretold};
use super::run_times::RunTimes;
use crate::outcome::Outcome;
use crate::replay::comparison::ComparisonError;
use crate::replay::engine::Scenario;

/// How far the ends of intervals are moved, as shares of [`Foretold::scale`]. Negative values make them narrower.
///
/// This is conformalized quantile regression (Romano, Patterson, Candès, `NeurIPS` 2019) with the two ends apart: at past
/// instants, each job that waited then has a foretold interval and a true start; the margin of an end is the quantile of how
/// far, as a share, true starts lay outside of it. Jobs that wait at the same instant depend on each other, so all instants
/// weigh the same, and the quantile is that of a sample of as many values as there are instants.
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

/// A log's past: its jobs and when they started and ended.
#[derive(Clone, Copy)]
pub struct Past<'a> {
    /// How starts are foretold.
    pub forecast: Forecast<'a>,
    /// When jobs started and ended.
    pub schedule: &'a Outcome,
}

/// What was foretold of a job at a past instant, and what happened: seconds from that instant.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub instant: Time,
    pub job: JobId,
    /// The ends of its interval by the draws alone, with the median between them.
    pub drawn: [f64; 3],
    /// As [`Foretold::scale`].
    pub scale: f64,
    pub actual: f64,
    /// Its start if all jobs had run as long as requested.
    pub requested: f64,
}

impl Past<'_> {
    /// Returns what runs and waits at an instant.
    pub fn standing(&self, now: Time) -> Standing {
        Standing::at(&self.forecast.scenario.workload, &self.schedule.start, &self.schedule.end, now)
    }

    /// Returns a scenario whose Slurm installation knows what the jobs that have ended by an instant have used. O(jobs log jobs).
    pub fn with_usage(&self, mut scenario: Scenario, now: Time) -> Scenario {
        let workload = &self.forecast.scenario.workload;
        let run = |job: JobId| {
            let at = workload.position(job);
            (self.schedule.start[at], self.schedule.end[at], job)
        };
        let runs = workload.jobs().map(run).filter(|&(start, end, _)| start < end && end <= now);
        if let Some(site) = &mut scenario.slurm
            && let Some(usage) = twin::used(site, (workload, &scenario.machine), runs, now)
        {
            Arc::make_mut(site).used = Some((now, usage));
        }
        scenario
    }

    /// Returns what is known at an instant of the run times of jobs that have ended: in the order of their ends. O(n log n).
    ///
    /// # Errors
    /// If the predictor cannot work in the scenario.
    pub fn known(&self, now: Time) -> Result<RunTimes, ComparisonError> {
        let workload = &self.forecast.scenario.workload;
        let mut ended: Vec<_> =
            workload.jobs().map(|job| (self.schedule.end[workload.position(job)], job)).collect();
        ended.retain(|&(end, _)| end <= now);
        ended.sort_unstable();
        let mut known = self.forecast.unknown()?;
        for (_, job) in ended {
            known.learn(workload, job);
        }
        Ok(known)
    }

    /// Returns at most `most` submissions, the same number of jobs apart, among the jobs that were
    /// submitted between two instants and did not start at once.
    pub fn instants(&self, from: Time, to: Time, most: usize) -> Vec<Time> {
        let workload = &self.forecast.scenario.workload;
        let waited = workload.jobs().filter(|&job| {
            let (submit, start) = (workload.submit(job), self.schedule.start[workload.position(job)]);
            (from..to).contains(&submit) && start > submit && start < Time::MAX
        });
        let mut instants: Vec<Time> = waited.map(|job| workload.submit(job)).collect();
        instants.dedup();
        let step = instants.len().div_ceil(most.max(1)).max(1);
        // The first of them has the least history.
        instants.into_iter().skip(step / 2).step_by(step).collect()
    }

    /// Foretells the starts of the jobs that waited at past instants and have started since, in the order of the instants. A job that
    /// starts in no replay is left out, as it is not foretold.
    ///
    /// # Errors
    /// If the policy cannot work in the scenario, or misbehaves.
    pub(super) fn check(
        &self,
        instants: &[Time],
        level: f64,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Vec<Checked>, ComparisonError> {
        let workload = &self.forecast.scenario.workload;
        let mut checked = Vec::new();
        for (done, &now) in instants.iter().enumerate() {
            let (standing, mut known) = (self.standing(now), self.known(now)?);
            let scenario = self.with_usage(self.forecast.scenario.clone(), now);
            let forecast = Forecast { scenario: &scenario, ..self.forecast };
            for foretold in forecast.foretell(&standing, &mut known)? {
                let start = self.schedule.start[workload.position(foretold.job)];
                if start < Time::MAX && foretold.starts_at_all() {
                    checked.push(Checked::of(&foretold, now, start, level));
                }
            }
            progress(done + 1);
        }
        Ok(checked)
    }

    /// Returns the margins with which intervals of a level would have held at past instants.
    ///
    /// # Errors
    /// If the policy cannot work in the scenario, or misbehaves.
    pub fn margins(
        &self,
        instants: &[Time],
        level: f64,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Margins, ComparisonError> {
        Ok(Margins::of(&self.check(instants, level, progress)?, level))
    }
}

impl Margins {
    /// Returns the least number of instants from which the quantile of a level can be taken; with fewer, the worst value counts.
    pub fn enough(level: f64) -> usize {
        (2.0 / (1.0 - level)).round() as usize - 1
    }

    /// Returns the margins by what was foretold, in the order of the instants.
    pub(super) fn of(checked: &[Checked], level: f64) -> Margins {
        let instants = checked.chunk_by(|a, b| a.instant == b.instant).count();
        let p = (1.0 - (1.0 - level) / 2.0) * (instants as f64 + 1.0) / (instants as f64).max(1.0);
        let outside = |end: fn(&Checked) -> f64| -> f64 {
            let mut shares: Vec<(f64, f64)> = Vec::with_capacity(checked.len());
            for group in checked.chunk_by(|a, b| a.instant == b.instant) {
                for checked in group {
                    let share = end(checked) / checked.scale;
                    shares.push((if share.is_nan() { 0.0 } else { share }, 1.0 / group.len() as f64));
                }
            }
            shares.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
            let mut left = p.min(1.0) * instants as f64;
            // The last one holds, whatever the rounding of the weights.
            let holds = |&&(_, weight): &&(f64, f64)| {
                left -= weight;
                left <= 1e-9
            };
            let share = shares.iter().find(holds).or(shares.last()).map_or(0.0, |&(share, _)| share);
            if share.is_finite() { share } else { 0.0 }
        };
        let below = outside(Checked::early);
        let above = outside(Checked::late);
        let late = || checked.iter().filter(|checked| checked.late().is_finite());
        let farthest = late().map(Checked::late).fold(0.0, f64::max);
        let far = || late().filter(|checked| checked.late() >= FAR * checked.scale);
        let worst = far().max_by(|a, b| a.late().total_cmp(&b.late())).map(Checked::missed);
        Margins { below, above, farthest, far: far().count(), worst, instants, jobs: checked.len() }
    }

    /// Whether past instants show that the policy foretells nothing: the latest start of intervals is `FAR` times the scale
    /// behind the draws.
    pub fn disagree(&self) -> bool {
        self.above >= FAR
    }

    /// Returns the earliest start of an interval of a level, the median, and the latest start: seconds from the instant of
    /// the standing. Infinite where too few of the replays start the job.
    pub fn interval(&self, foretold: &Foretold, level: f64) -> [f64; 3] {
        self.around(foretold.quantiles(level), foretold.scale)
    }

    /// The same by the ends and the median of the draws.
    pub(super) fn around(&self, [low, median, high]: [f64; 3], scale: f64) -> [f64; 3] {
        let most = if self.disagree() { self.farthest.max(scale) } else { f64::INFINITY };
        let above = (self.above * scale).min(most);
        let low = (low - self.below * scale).max(0.0).min(median);
        [low, median, (high + above).max(median)]
    }
}

impl Checked {
    fn of(foretold: &Foretold, now: Time, start: Time, level: f64) -> Checked {
        let since = |at: Time| (at - now).secs();
        Checked {
            instant: now,
            job: foretold.job,
            drawn: foretold.quantiles(level),
            scale: foretold.scale,
            actual: since(start),
            requested: foretold.requested.map_or(f64::INFINITY, since),
        }
    }

    /// Returns how far its start lay before its interval by the draws alone, in seconds.
    fn early(&self) -> f64 {
        self.drawn[0] - self.actual
    }

    /// Returns how far its start lay behind it.
    fn late(&self) -> f64 {
        self.actual - self.drawn[2]
    }

    fn missed(&self) -> Missed {
        Missed { at: self.instant, job: self.job, latest: self.drawn[2], actual: self.actual }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn foretold(starts: [f64; 3], scale: f64) -> Foretold {
        Foretold { job: JobId(0), requested: None, starts: starts.into(), scale }
    }

    fn checked(instant: i64, starts: [f64; 3], actual: f64) -> Checked {
        let instant = Time::from_secs(instant);
        Checked::of(&foretold(starts, 100.0), instant, instant + Time::from_secs_f64(actual), 0.9)
    }

    #[test]
    fn margins_are_quantiles_of_how_far_starts_lay_outside() {
        // At each of 99 instants 40 s are foretold, from 40 to 40, and the start is 0 to 98 s later; shares are of 100 s.
        let past: Vec<Checked> = (0..99).map(|late| checked(late, [40.0; 3], 40.0 + late as f64)).collect();
        let margins = Margins::of(&past, 0.9);
        // 0.95 * 100 / 99 of 99 values: the 95th was 94 s late. As many started at most 4 s late or more.
        assert_eq!((margins.above, margins.below), (0.94, -0.04));
        assert_eq!(margins.interval(&foretold([40.0; 3], 100.0), 0.9), [40.0, 40.0, 134.0]);
        assert_eq!((margins.disagree(), margins.far, margins.worst), (false, 0, None));
    }

    #[test]
    fn all_instants_weigh_the_same() {
        // 50 jobs of one instant start at once, one job of each of 19 others 10 s late.
        let crowd = (0..50).map(|_| checked(0, [40.0; 3], 40.0));
        let others = (1..20).map(|at| checked(at, [40.0; 3], 50.0));
        let margins = Margins::of(&crowd.chain(others).collect::<Vec<_>>(), 0.5);
        assert_eq!((margins.above, margins.instants, margins.jobs), (0.1, 20, 69));
    }

    #[test]
    fn a_job_that_may_not_start_has_no_latest_start() {
        let [low, median, high] =
            Margins::default().interval(&foretold([10.0, 20.0, f64::INFINITY], 60.0), 0.9);
        assert_eq!((low, median, high), (11.0, 20.0, f64::INFINITY));
    }

    #[test]
    fn an_interval_reaches_no_farther_than_starts_did_that_the_policy_does_not_explain() {
        // 40 s are foretold, and the jobs start 5,000 and 6,000 s later: 50 and 60 times the scale.
        let past = [checked(0, [40.0; 3], 5040.0), checked(1, [40.0; 3], 6040.0)];
        let margins = Margins::of(&past, 0.9);
        assert_eq!((margins.above, margins.farthest, margins.far), (60.0, 6000.0, 2));
        assert!(margins.disagree());
        let missed = margins.worst.unwrap();
        assert_eq!((missed.at, missed.latest, missed.actual), (Time::from_secs(1), 40.0, 6040.0));
        // Of a forecast of 500 s, 60 times the scale would be 33,600 s.
        assert_eq!(margins.interval(&foretold([500.0; 3], 560.0), 0.9)[2], 6500.0);
        // The scale of a long forecast is more than that.
        assert_eq!(margins.interval(&foretold([50000.0; 3], 50060.0), 0.9)[2], 100_060.0);
    }
}
