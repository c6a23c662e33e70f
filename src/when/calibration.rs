//! How much wider intervals must be to hold as often as they say, by past instants of the same log.

use std::sync::Arc;

use batchlab_policies::slurm;
use batchlab_traces::workload::Standing;
use batchlab_traces::{JobId, Time};

use super::forecast::{Forecast, Foretold};
use super::run_times::RunTimes;
use crate::outcome::Outcome;
use crate::replay::comparison::ComparisonError;
use crate::replay::engine::Scenario;
use crate::stats::quantile::type7;

/// How far the ends of intervals are moved, as shares of [`Foretold::scale`]. Negative values make them narrower.
///
/// This is conformalized quantile regression (Romano, Patterson, Candès, `NeurIPS` 2019) with the two ends apart: at past
/// instants, each job that waited then has a foretold interval and a true start; the margin of an end is the quantile of how
/// far, as a share, true starts lay outside of it. Jobs that wait at the same instant depend on each other, so all instants
/// weigh the same, and the quantile is that of a sample of as many values as there are instants.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Margins {
    /// Of the earliest start.
    pub below: f64,
    /// Of the latest start.
    pub above: f64,
    /// Instants that they are from; 0 without calibration.
    pub instants: usize,
    /// Jobs that waited at these instants.
    pub jobs: usize,
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
    pub foretold: Foretold,
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
            && let Some(usage) = slurm::used(site, (workload, &scenario.machine), runs, now)
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

    /// Returns the submissions of jobs that are equally many jobs apart, at most `most` of them, among the jobs that were
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

    /// Foretells the starts of the jobs that waited at past instants and have started since, in the order of the instants.
    ///
    /// # Errors
    /// If the policy cannot work in the scenario, or misbehaves.
    pub(super) fn check(
        &self,
        instants: &[Time],
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
                if start < Time::MAX {
                    let since = |at: Time| (at - now).secs();
                    let requested = foretold.requested.map_or(f64::INFINITY, since);
                    checked.push(Checked { instant: now, foretold, actual: since(start), requested });
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
        Ok(Margins::of(&self.check(instants, progress)?, level))
    }
}

impl Margins {
    /// Returns the least number of instants of which a quantile is what a level asks for; of fewer, the worst one is taken.
    pub fn enough(level: f64) -> usize {
        (2.0 / (1.0 - level)).round() as usize - 1
    }

    /// Returns the margins by what was foretold, in the order of the instants.
    pub(super) fn of(checked: &[Checked], level: f64) -> Margins {
        let instants = checked.chunk_by(|a, b| a.instant == b.instant).count();
        let p = (1.0 - (1.0 - level) / 2.0) * (instants as f64 + 1.0) / (instants as f64).max(1.0);
        let bare = Margins::default();
        let outside = |end: fn(f64, f64, f64) -> f64| -> f64 {
            let mut shares: Vec<(f64, f64)> = Vec::with_capacity(checked.len());
            for group in checked.chunk_by(|a, b| a.instant == b.instant) {
                for checked in group {
                    let [low, _, high] = bare.interval(&checked.foretold, level);
                    let share = end(low, high, checked.actual) / checked.foretold.scale;
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
        let below = outside(|low, _, actual| low - actual);
        let above = outside(|_, high, actual| actual - high);
        Margins { below, above, instants, jobs: checked.len() }
    }

    /// Returns the earliest start of an interval of a level, the median, and the latest start: seconds from the instant of
    /// the standing. Infinite for a job that does not start in so many of the replays.
    pub fn interval(&self, foretold: &Foretold, level: f64) -> [f64; 3] {
        let at = |p: f64| type7(&foretold.starts, p).unwrap_or(f64::INFINITY);
        let (low, median, high) = (at((1.0 - level) / 2.0), at(0.5), at(f64::midpoint(1.0, level)));
        let low = (low - self.below * foretold.scale).max(0.0).min(median);
        [low, median, (high + self.above * foretold.scale).max(median)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use batchlab_traces::JobId;

    fn checked(instant: i64, starts: [f64; 3], actual: f64) -> Checked {
        let foretold = Foretold { job: JobId(0), requested: None, starts: starts.into(), scale: 100.0 };
        Checked { instant: Time::from_secs(instant), foretold, actual, requested: 0.0 }
    }

    #[test]
    fn margins_are_quantiles_of_how_far_starts_lay_outside() {
        // At each of 99 instants 40 s are foretold, from 40 to 40, and the start is 0 to 98 s later; shares are of 100 s.
        let past: Vec<Checked> = (0..99).map(|late| checked(late, [40.0; 3], 40.0 + late as f64)).collect();
        let margins = Margins::of(&past, 0.9);
        // 0.95 * 100 / 99 of 99 values: the 95th was 94 s late. As many started at most 4 s late or more.
        assert_eq!((margins.above, margins.below), (0.94, -0.04));
        assert_eq!(margins.interval(&past[0].foretold, 0.9), [40.0, 40.0, 134.0]);
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
        let starts = vec![10.0, 20.0, f64::INFINITY];
        let foretold = Foretold { job: JobId(0), requested: None, starts, scale: 60.0 };
        let [low, median, high] = Margins::default().interval(&foretold, 0.9);
        assert_eq!((low, median, high), (11.0, 20.0, f64::INFINITY));
    }
}
