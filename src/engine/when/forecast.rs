//! Replays that go on from a standing.

use std::collections::HashMap;

use batchlab_support::external::Fault;
use batchlab_support::predictor::Predictor;
use batchlab_support::spec::{BuildError, Chosen};
use batchlab_support::{JobView, Journal};
use batchlab_traces::arrange::Arrange as _;
use batchlab_traces::reading::Overrun;
use batchlab_traces::sorted::SortedMap;
use batchlab_traces::workload::Standing;
use batchlab_traces::{JobId, Time, Workload, seed};
use rayon::prelude::*;

use super::ran::Ran;
use super::run_times::{Candidates, RunTimes};
use crate::outcome::{Outcome, Stop};
use crate::replay::comparison::ComparisonError;
use crate::replay::engine::{self, Run, Scenario};
use crate::stats::quantile::type7;

/// What is asked: when the jobs of a standing start under a policy.
#[derive(Clone, Copy)]
pub struct Forecast<'a> {
    /// The jobs of the log, the machine, limits, tiers and calendar.
    pub scenario: &'a Scenario,
    /// The rule for jobs that run longer than requested.
    pub overrun: Overrun,
    pub policy: &'a Chosen,
    /// The predictor of run times ([`Registry::choose_predictor`](batchlab_support::registry::Policies::choose_predictor)); without
    /// one they are drawn from those of similar jobs.
    pub predictor: Option<&'a Chosen>,
    /// Number of replays; with a predictor one replay suffices, unless the policy itself draws.
    pub draws: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Foretold {
    pub job: JobId,
    /// Its start if all jobs run as long as requested, in seconds from the instant of the standing; infinite if it does not start.
    pub requested: f64,
    /// Its starts in the replays, ascending, in seconds from that instant. A job that does not start in a
    /// replay has infinity there.
    pub starts: Vec<f64>,
    /// From when on it may start, in seconds from that instant: more than 0 if it is not eligible yet.
    pub earliest: f64,
}

/// A job that cannot start must not keep the others from being foretold.
const LEAVING: Run<'static> = Run { journal: false, general: false, leaves: true, progress: None };

impl Foretold {
    pub fn median(&self) -> f64 {
        type7(&self.starts, 0.5).unwrap_or(f64::INFINITY)
    }

    pub fn starts_at_all(&self) -> bool {
        self.requested.is_finite() || self.starts.first().is_some_and(|start| start.is_finite())
    }

    /// Returns the quantiles of its starts: the ends of an interval of a level around the median, in this order.
    pub fn quantiles(&self, level: f64) -> [f64; 3] {
        let at = |p: f64| type7(&self.starts, p).unwrap_or(f64::INFINITY);
        [at((1.0 - level) / 2.0), at(0.5), at(f64::midpoint(1.0, level))]
    }
}

impl Forecast<'_> {
    /// Returns what is known of run times before any job has ended.
    pub fn unknown(&self) -> Result<RunTimes, BuildError> {
        let Some(chosen) = self.predictor else { return Ok(RunTimes::default()) };
        let setting = self.scenario.setting(self.overrun);
        Ok(RunTimes::predicted(Predictor::from_params(chosen.params(), &setting)?))
    }

    /// Returns when each job of a standing starts that waits or is to come ([`Standing::queued`]), in
    /// the order of the log's workload. The same on any number of threads.
    ///
    /// `known` has the run times of jobs that ended before. O(draws) replays of the jobs that run and wait.
    pub fn foretell(
        &self,
        standing: &Standing,
        known: &mut RunTimes,
    ) -> Result<Vec<Foretold>, ComparisonError> {
        let all = &self.scenario.workload;
        let ran = self.ran(standing)?;
        let stood = self.stood(standing, &ran);
        let candidates: Result<Vec<Candidates>, Fault> = jobs_of(standing, &ran)
            .map(|(ran, job)| {
                let elapsed = ran.map_or(Time::ZERO, |ran| ran.really);
                if standing.ending.contains(&job) {
                    return Ok(Candidates::one(elapsed + Time::SECOND));
                }
                known.candidates(all, job, elapsed)
            })
            .collect();
        let candidates = candidates.map_err(|fault| {
            let policy = self.predictor.map_or(String::new(), Chosen::canonical);
            BuildError::Fault { policy, fault }
        })?;
        let running = standing.running.len();
        // Where jobs depend on others, outcomes have them in the order of entry.
        let places: HashMap<usize, usize> = if stood.is_closed() {
            stood.jobs().map(|job| (stood.row(job), stood.position(job))).collect()
        } else {
            HashMap::new()
        };
        let starts = |outcome: &Outcome| -> Vec<Option<Time>> {
            let start = |job: JobId| outcome.started(job);
            let Some(entered) = &outcome.entered else {
                return (running..stood.len()).map(|at| start(JobId(at as u32))).collect();
            };
            let mut starts = vec![None; stood.len() - running];
            for job in entered.jobs() {
                let place = places.get(&entered.row(job)).and_then(|place| place.checked_sub(running));
                if let Some(to) = place.and_then(|place| starts.get_mut(place)) {
                    *to = start(job);
                }
            }
            starts
        };
        let requested = || -> Result<Vec<_>, ComparisonError> {
            Ok(starts(&self.replay(&stood.with_runs(requests(all, standing, &ran)), 0, LEAVING)?.0))
        };
        let draw = |draw: u32| {
            let mut random = seed::stream(self.scenario.seed, &format!("when {draw}"));
            let drawn = candidates.iter().map(|candidates| candidates.draw(&mut random));
            let ran = ran.iter().map(Some).chain(std::iter::repeat(None));
            let runs = drawn.zip(ran).map(|(run, ran)| ran.map_or(run, |ran| ran.in_replay(run))).collect();
            Ok(starts(&self.replay(&stood.with_runs(runs), draw, LEAVING)?.0))
        };
        let drawn =
            || -> Result<Vec<_>, ComparisonError> { (1..=self.draws).into_par_iter().map(draw).collect() };
        let (requested, drawn) = rayon::join(requested, drawn);
        let (requested, drawn) = (requested?, drawn?);
        let earliest: SortedMap<JobId, Time> =
            standing.coming.iter().map(|&(earliest, job)| (job, earliest)).collect();
        let foretold = |(at, job): (usize, JobId)| {
            let since =
                |start: Option<Time>| start.map_or(f64::INFINITY, |start| (start - standing.now).secs());
            let mut starts: Vec<f64> = drawn.iter().map(|starts| since(starts[at])).collect();
            starts.sort_unstable_by(f64::total_cmp);
            let earliest = earliest.get(&job).map_or(0.0, |&earliest| since(Some(earliest)).max(0.0));
            Foretold { job, requested: since(requested[at]), starts, earliest }
        };
        let mut foretold: Vec<Foretold> = standing.queued().enumerate().map(foretold).collect();
        foretold.arrange_by_key(|foretold| foretold.job);
        Ok(foretold)
    }

    /// Returns the replay in which all jobs run as long as requested, with the jobs of the standing and the journal: what
    /// explains a foretold start.
    pub fn as_requested(&self, standing: &Standing) -> Result<(Scenario, Outcome, Journal), ComparisonError> {
        let all = &self.scenario.workload;
        let ran = self.ran(standing)?;
        let stood = self.stood(standing, &ran).with_runs(requests(all, standing, &ran));
        let (outcome, journal) = self.replay(&stood, 0, Run { journal: true, ..LEAVING })?;
        let scenario = Scenario { workload: stood.into(), stop: Stop::default(), ..self.scenario.clone() };
        Ok((scenario, outcome, journal.unwrap_or_default()))
    }

    /// Returns the jobs of a standing. Those that run are where they are, if the log states it.
    fn stood(&self, standing: &Standing, ran: &[Ran]) -> Workload {
        let (all, Scenario { machine, slurm, .. }) = (&self.scenario.workload, self.scenario);
        let stood = all.standing(standing);
        let on = |((&(_, job), ran), place): ((&(Time, JobId), &Ran), u32)| {
            let nodes = slurm.as_ref().filter(|_| ran.is_there)?.ran_on(JobView::new(all, job))?;
            Some((JobId(place), nodes))
        };
        stood.bound(machine, standing.running.iter().zip(ran).zip(0..).filter_map(on))
    }

    /// Returns the replay of a standing whose jobs run for some time each.
    pub(super) fn replay_of(
        &self,
        (standing, ran): (&Standing, &[Ran]),
        runs: Vec<Time>,
    ) -> Result<Outcome, ComparisonError> {
        Ok(self.replay(&self.stood(standing, ran).with_runs(runs), 0, LEAVING)?.0)
    }

    fn replay(
        &self,
        jobs: &Workload,
        draw: u32,
        run: Run<'_>,
    ) -> Result<(Outcome, Option<Journal>), ComparisonError> {
        let seed = self.scenario.seed.wrapping_add(u64::from(draw));
        let scenario =
            Scenario { workload: jobs.clone().into(), stop: Stop::default(), seed, ..self.scenario.clone() };
        let mut policy = self.policy.build(&scenario.setting(self.overrun))?;
        let (name, needs) = (self.policy.canonical(), self.policy.needs());
        Ok(engine::replay(&scenario, &name, needs, policy.as_mut(), run)?)
    }
}

/// Returns the jobs of a standing as [`Workload::standing`] orders them, with how long those that run have run.
fn jobs_of<'a>(standing: &'a Standing, ran: &'a [Ran]) -> impl Iterator<Item = (Option<Ran>, JobId)> + 'a {
    let running = standing.running.iter().zip(ran).map(|(&(_, job), &ran)| (Some(ran), job));
    running.chain(standing.queued().map(|job| (None, job)))
}

/// Returns run times as requested; of a job that has run longer, a second more than it has.
fn requests(all: &Workload, standing: &Standing, ran: &[Ran]) -> Vec<Time> {
    let run = |(ran, job): (Option<Ran>, JobId)| {
        let Some(ran) = ran else { return all.estimate(job) };
        let soon = ran.really + Time::SECOND;
        ran.in_replay(if standing.ending.contains(&job) { soon } else { all.estimate(job).max(soon) })
    };
    jobs_of(standing, ran).map(run).collect()
}
