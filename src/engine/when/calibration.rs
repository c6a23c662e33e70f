//! What was foretold at past instants of a log, and what happened.

use std::sync::Arc;

use batchlab_slurm::twin;
use batchlab_traces::workload::Standing;
use batchlab_traces::{JobId, Time};

use super::forecast::{Forecast, Foretold};
use super::margins::{Margins, Missed};
use super::run_times::RunTimes;
use crate::outcome::Outcome;
use crate::replay::comparison::ComparisonError;
use crate::replay::engine::Scenario;

/// A log's past: its jobs and when they started and ended.
#[derive(Clone, Copy)]
pub struct Past<'a> {
    pub forecast: Forecast<'a>,
    pub schedule: &'a Outcome,
}

/// What was foretold of a job at a past instant, and what is known of what happened: seconds from that instant.
#[derive(Clone, Debug)]
pub(super) struct Checked {
    pub instant: Time,
    pub job: JobId,
    /// The ends of its interval by the draws alone, with the median between them.
    pub drawn: [f64; 3],
    /// As [`Foretold::earliest`].
    pub earliest: f64,
    /// Its start; of a job that still waits, how long it has waited since the instant.
    pub actual: f64,
    /// Whether it still waits, so that its start is later than this.
    pub waits: bool,
    /// Its start if all jobs had run as long as requested.
    pub requested: f64,
}

impl Past<'_> {
    pub fn standing(&self, now: Time) -> Standing {
        Standing::at(&self.forecast.scenario.workload, &self.schedule.start, &self.schedule.end, now)
    }

    /// Returns a scenario whose Slurm installation knows what the jobs that have ended by an instant have used, and how jobs were
    /// changed by then. O(jobs log jobs).
    pub fn with_usage(&self, mut scenario: Scenario, now: Time) -> Scenario {
        let workload = &self.forecast.scenario.workload;
        let run = |job: JobId| {
            let at = workload.position(job);
            (self.schedule.start[at], self.schedule.end[at], job)
        };
        let runs = workload.jobs().map(run).filter(|&(start, end, _)| start < end && end <= now);
        if let Some(site) = scenario.slurm.as_mut().filter(|site| !site.changes().is_empty()) {
            Arc::make_mut(site).forget_changes_after(now);
        }
        if let Some(site) = &mut scenario.slurm
            && let Some(usage) = twin::used(site, (workload, &scenario.machine), runs, now)
        {
            Arc::make_mut(site).used = Some((now, usage));
        }
        scenario
    }

    /// Returns what is known at an instant of the run times of jobs that have ended: in the order of their ends. O(n log n).
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
    /// submitted between two instants and did not start at once, or have not yet.
    pub fn instants(&self, from: Time, to: Time, most: usize) -> Vec<Time> {
        let workload = &self.forecast.scenario.workload;
        let waited = workload.jobs().filter(|&job| {
            let (submit, start) = (workload.submit(job), self.schedule.start[workload.position(job)]);
            (from..to).contains(&submit) && start > submit
        });
        let mut instants: Vec<Time> = waited.map(|job| workload.submit(job)).collect();
        instants.dedup();
        let step = instants.len().div_ceil(most.max(1)).max(1);
        // The first of them has the least history.
        instants.into_iter().skip(step / 2).step_by(step).collect()
    }

    /// Foretells the starts of the jobs that waited at past instants, in the order of the instants; they start by the log, or still wait
    /// when it ends. A job that starts in no replay is left out, as it is not foretold.
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
                if foretold.starts_at_all() {
                    checked.push(Checked::of(&foretold, now, start, level));
                }
            }
            progress(done + 1);
        }
        Ok(checked)
    }

    /// Returns the margins with which intervals of a level would have held at past instants, by the starts up to `now`. Jobs of which
    /// it is unknown when they will be eligible (`barred`) say nothing.
    pub fn margins(
        &self,
        instants: &[Time],
        (now, barred): (Time, &dyn Fn(JobId) -> bool),
        level: f64,
        progress: &(dyn Fn(usize) + Sync),
    ) -> Result<Margins, ComparisonError> {
        let mut checked = self.check(instants, level, progress)?;
        checked.retain(|checked| !barred(checked.job));
        Ok(self.margins_at(&checked, now, level))
    }

    /// Returns the margins by what was foretold at instants before another one, as it was known then.
    pub(super) fn margins_at(&self, checked: &[Checked], now: Time, level: f64) -> Margins {
        let seen: Vec<Checked> = checked.iter().map(|checked| checked.seen_at(now)).collect();
        // Who names a predictor gets what it predicts.
        Margins::of(&seen, self.forecast.predictor.is_none(), level)
    }
}

impl Checked {
    pub(super) fn of(foretold: &Foretold, now: Time, start: Time, level: f64) -> Checked {
        let since = |at: Time| if at == Time::MAX { f64::INFINITY } else { (at - now).secs() };
        Checked {
            instant: now,
            job: foretold.job,
            drawn: foretold.quantiles(level),
            earliest: foretold.earliest,
            actual: since(start),
            waits: start == Time::MAX,
            requested: foretold.requested,
        }
    }

    /// Returns what was known of it at a later instant.
    pub(super) fn seen_at(&self, now: Time) -> Checked {
        let passed = (now - self.instant).secs();
        let waits = self.actual > passed;
        Checked { actual: if waits { passed } else { self.actual }, waits, ..self.clone() }
    }

    /// It lay behind its interval, which reached up to `latest`.
    pub(super) fn missed(&self, latest: f64) -> Missed {
        Missed { at: self.instant, job: self.job, latest, actual: self.actual }
    }
}
