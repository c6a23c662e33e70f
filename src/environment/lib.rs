//! Replays as an environment for agents that learn to schedule: observe, choose a job, get a reward.
//!
//! An [`Environment`] has the protocol of Gymnasium: [`reset`](Environment::reset) draws an episode,
//! [`step`](Environment::step) takes an action. An action is the place of a job in the window of the first
//! [`EnvironmentOptions::window`] waiting jobs in the order of submission, or `window`: go on.
//!
//! # Choices
//! Asked at every event, the default, an agent makes EASY's choices:
//!
//! * It first chooses a head. A head that fits starts, and the agent is asked again.
//! * A head that does not fit gets the reservation of EASY: a shadow time, and extra processors. Now the agent chooses
//!   among the jobs that may be backfilled without delaying the head, until it goes on or no job may.
//! * The replay then goes on to the next event at which some job of the window fits. At all others no choice has an effect.
//!
//! So an agent that always takes the best valid job of an order gives exactly the schedule of `easy:order=…`, and without
//! [`EnvironmentOptions::backfill`] that of `fcfs:order=…`, as long as no more jobs wait than the window has places.
//!
//! With [`EnvironmentOptions::commit`] it is asked as `RLScheduler` asks (Zhang, Dai, He, Bao, Xie, SC 2020): whenever jobs wait, and a
//! job that does not fit is waited for. Meanwhile, in the order of submission, jobs start that fit and are expected to end
//! before the shadow time that the job had when it was chosen; extra processors are not used. Events of one instant count
//! together here, and one by one there.
//!
//! # Invalid actions
//! A place without a job, a candidate that may not start, going on when nothing else would ever happen: such an action has
//! no effect but [`EnvironmentOptions::penalty`]. After [`EnvironmentOptions::patience`] of them in a row the environment goes on by itself, or
//! starts the first job if nothing else would ever happen.

#![allow(missing_docs, clippy::missing_errors_doc)] // Names and error types say most; units and rules have their lines.
#![forbid(unsafe_code)]

mod gain;
mod observe;
mod options;
mod vector;

use std::ops::Range;
use std::sync::Arc;

use batchlab_policies::backfill::stepwise::{Chosen, Stepwise};
use batchlab_policies::cluster::Cluster;
use batchlab_policies::spec::BuildError;
use batchlab_policies::support::keeper::Bookkeeping;
use batchlab_policies::{Event, JobView, Needs, Policy};
use batchlab_traces::reading::Overrun;
use batchlab_traces::{JobId, Time, seed};
use chacha20::ChaCha12Rng;

use batchlab_engine::outcome::Outcome;
use batchlab_engine::replay::{ReplayError, Scenario, Stepped};
use gain::Gain;
use observe::Scales;
pub use options::{
    EnvironmentOptions, JOB_FEATURES, MACHINE_FEATURES, ObservationLayout, ObservationShape, RELEASE_BOUNDS,
    Reward,
};
pub use vector::VectorEnvironment;

/// The name under which an agent's replays run.
const AGENT: &str = "agent";

/// A scenario that an agent schedules, episode by episode.
pub struct Environment {
    scenario: Scenario,
    played: Scenario,
    options: EnvironmentOptions,
    scales: Arc<Scales>,
    /// The stream that episodes are drawn from.
    draws: ChaCha12Rng,
    first: usize,
    /// The number of jobs that are simulated before those of the episode.
    prefix: usize,
    starts: Vec<(JobId, Time)>,
    /// The episode, until it is over.
    episode: Option<Episode>,
    window: Vec<JobId>,
    /// Which actions are valid, going on last.
    mask: Vec<bool>,
    invalid: u32,
    gain: Gain,
    outcome: Option<Outcome>,
}

struct Episode {
    replay: Stepped,
    agent: Bookkeeping<Stepwise>,
    /// The job that is waited for, and its shadow time when it was chosen.
    committed: Option<(JobId, Time)>,
    /// The processors that the running jobs of each user hold.
    held: Vec<i64>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepResult {
    /// The reward: what the step has added to [`EnvironmentOptions::reward`], less the penalty.
    pub reward: f64,
    /// Whether the episode is over: every job has ended.
    pub terminated: bool,
    /// Whether the episode was cut off. It never is: [`EnvironmentOptions::length`] bounds its jobs.
    pub truncated: bool,
    pub invalid: bool,
}

/// Why an environment cannot be made, or cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EnvironmentError {
    #[error("{0}")]
    Option(String),
    #[error("an environment cannot have {what}; {remedy}")]
    Scenario { what: &'static str, remedy: &'static str },
    #[error(transparent)]
    Machine(#[from] BuildError),
    #[error(transparent)]
    Replay(#[from] ReplayError),
}

impl Environment {
    /// Returns an environment at the beginning of the episode that [`Environment::reset`] gives with the scenario's seed.
    ///
    /// # Errors
    /// When an option is out of its range; when the machine is not a pool with processors only; when jobs do not fit it,
    /// depend on others or are cancelled; when the scenario stops early, has another event order than `batch`, limits, a
    /// calendar or priorities.
    pub fn new(scenario: &Scenario, options: EnvironmentOptions) -> Result<Environment, EnvironmentError> {
        let scales = Arc::new(Scales::new(&scenario.workload, &scenario.machine));
        Environment::with_scales(scenario, options, scales)
    }

    fn with_scales(
        scenario: &Scenario,
        options: EnvironmentOptions,
        scales: Arc<Scales>,
    ) -> Result<Environment, EnvironmentError> {
        options.check(&scenario.workload).map_err(EnvironmentError::Option)?;
        let (workload, machine) = (&scenario.workload, &scenario.machine);
        let to_pool = "replay it as a pool with processors only";
        let odd = [
            (!machine.is_pool(), "a machine with nodes", to_pool),
            (machine.kinds() > 1 || workload.kinds() > 1, "several resources", to_pool),
            (!workload.fits(machine), "jobs that do not fit the machine", "drop them"),
            (workload.is_closed(), "jobs that depend on others", "ignore dependencies"),
            (workload.has_cancellations(), "jobs that are cancelled", "ignore cancellations"),
            (scenario.stop.is_early(), "a replay that stops early", "let it run to its end"),
        ];
        if let Some(&(_, what, remedy)) = odd.iter().find(|(is_odd, ..)| *is_odd) {
            return Err(EnvironmentError::Scenario { what, remedy });
        }
        let mut environment = Environment {
            scales,
            draws: seed::stream(scenario.seed, AGENT),
            first: 0,
            prefix: 0,
            starts: Vec::new(),
            episode: None,
            window: Vec::with_capacity(options.window),
            mask: vec![false; options.window + 1],
            invalid: 0,
            gain: Gain::new(options.reward, workload, machine, 0),
            outcome: None,
            played: scenario.clone(),
            scenario: scenario.clone(),
            options,
        };
        environment.reset(Some(scenario.seed))?;
        Ok(environment)
    }

    /// Begins an episode: [`EnvironmentOptions::length`] successive jobs of the log, drawn uniformly. A seed begins a new stream of
    /// draws, so the same seed gives the same episode; without one, the stream goes on.
    pub fn reset(&mut self, seed: Option<u64>) -> Result<(), EnvironmentError> {
        if let Some(seed) = seed {
            self.draws = seed::stream(seed, AGENT);
        }
        let positions = self.draw();
        let all = &self.scenario.workload;
        let workload = if positions.len() == all.len() { all.clone() } else { all.section(positions).into() };
        self.played = Scenario { workload, ..self.scenario.clone() };
        let scenario = &self.played;
        self.gain = Gain::new(self.options.reward, &scenario.workload, &scenario.machine, self.prefix);
        self.episode = Some(Episode {
            replay: Stepped::new(scenario, AGENT, Needs::NONE)?,
            agent: Bookkeeping { keeper: Stepwise::new(&scenario.setting(Overrun::default()))? },
            committed: None,
            held: vec![0; self.gain.users()],
        });
        (self.invalid, self.outcome) = (0, None);
        self.starts.clear();
        self.advance()?;
        self.play_prefix()
    }

    /// Draws the jobs of an episode; returns the positions of all that are simulated for it.
    fn draw(&mut self) -> Range<usize> {
        let workload = &self.scenario.workload;
        let (jobs, before) = (workload.len(), self.options.prefix_jobs);
        let length = self.options.length.unwrap_or(jobs - before);
        let places = jobs - before - length + 1;
        let drawn = ((seed::unit(&mut self.draws) * places as f64) as usize).min(places - 1);
        self.first = drawn;
        // What is measured begins at an instant, as that of `--prefix` does.
        let submit = |at: usize| workload.submit(JobId(at as u32));
        let begin = submit(drawn + before);
        let together = (drawn..drawn + before).rev().take_while(|&at| submit(at) == begin).count();
        self.prefix = before - together;
        drawn..drawn + before + length
    }

    /// Decides as EASY in the order of submission until the first job of the episode is submitted.
    fn play_prefix(&mut self) -> Result<(), EnvironmentError> {
        let (_, begin) = self.prefix_times();
        while self.prefix > 0 && self.now().is_some_and(|now| now < begin) {
            let Some(first) = self.mask.iter().position(|&is_valid| is_valid) else { break };
            self.take(first)?;
        }
        Ok(())
    }

    /// Returns the submissions of the first job that is simulated and of the first one that is measured.
    fn prefix_times(&self) -> (Time, Time) {
        let submit = |at: usize| self.played.workload.submit(JobId(at as u32));
        (submit(0), submit(self.prefix))
    }

    /// Takes an action; see the [module](self). After the end of the episode nothing happens.
    pub fn step(&mut self, action: usize) -> Result<StepResult, EnvironmentError> {
        if self.episode.is_none() {
            return Ok(StepResult { terminated: true, ..StepResult::default() });
        }
        let before = self.gain.value();
        let invalid = !self.mask.get(action).copied().unwrap_or(false);
        let mut penalty = 0.0;
        if invalid {
            penalty = self.options.penalty;
            self.invalid += 1;
            if self.invalid >= self.options.patience {
                self.invalid = 0;
                self.take(if self.may_go_on() { self.options.window } else { 0 })?;
            }
        } else {
            self.invalid = 0;
            self.take(action)?;
        }
        let reward = self.gain.value() - before - penalty;
        Ok(StepResult { reward, terminated: self.episode.is_none(), truncated: false, invalid })
    }

    fn may_go_on(&self) -> bool {
        self.mask.last().copied().unwrap_or(false)
    }

    fn take(&mut self, action: usize) -> Result<(), EnvironmentError> {
        let (Some(&job), Some(episode)) = (self.window.get(action), &mut self.episode) else {
            return self.advance();
        };
        let mut chosen = Chosen::Started;
        episode.replay.act(|turn| {
            chosen = episode.agent.keeper.choose(turn, job)?;
            Ok(())
        })?;
        match chosen {
            Chosen::Started => self.started(job),
            Chosen::Reserved(_) if !self.options.backfill && !self.options.commit => return self.advance(),
            Chosen::Reserved(at) if self.options.commit => {
                episode.committed = Some((job, at));
                self.keep_commitment()?;
                return self.advance();
            }
            Chosen::Reserved(_) => {}
        }
        if self.look() { Ok(()) } else { self.advance() }
    }

    /// Goes on to the next event at which there is something to choose, or to the end of the episode.
    fn advance(&mut self) -> Result<(), EnvironmentError> {
        loop {
            let Some(episode) = &mut self.episode else { return Ok(()) };
            let used = self.scenario.machine.procs() - episode.replay.cluster().free(0)[0];
            let Some(now) = episode.replay.advance(&mut episode.agent)? else { return self.end() };
            self.gain.passes(used, now);
            episode.replay.act(|turn| {
                for event in turn.events() {
                    if let Event::Finished(job) | Event::Killed(job) = event
                        && let Some(held) = self.gain.user(*job).and_then(|user| episode.held.get_mut(user))
                    {
                        *held -= turn.job(*job).procs();
                    }
                }
                episode.agent.decide(turn)
            })?;
            self.keep_commitment()?;
            if self.look() {
                return Ok(());
            }
        }
    }

    /// Starts the job that is waited for if it fits; otherwise the jobs behind it that end before its shadow time.
    fn keep_commitment(&mut self) -> Result<(), EnvironmentError> {
        let Some(episode) = &mut self.episode else { return Ok(()) };
        let Some((job, shadow)) = episode.committed else { return Ok(()) };
        let mut starts = Vec::new();
        let Episode { replay, agent, committed, .. } = episode;
        let backfill = self.options.backfill;
        replay.act(|turn| {
            if turn.fits(job) {
                agent.keeper.choose(turn, job)?;
                starts.push(job);
                *committed = None;
            } else if backfill {
                agent.keeper.start_before(turn, shadow, job, |job| starts.push(job))?;
            }
            Ok(())
        })?;
        for job in starts {
            self.started(job);
        }
        Ok(())
    }

    fn started(&mut self, job: JobId) {
        let Some(episode) = &mut self.episode else { return };
        let workload = episode.replay.cluster().workload();
        self.gain.started(workload, job, episode.replay.now());
        self.starts.push((job, episode.replay.now()));
        if let Some(held) = self.gain.user(job).and_then(|user| episode.held.get_mut(user)) {
            *held += workload.procs(job);
        }
    }

    /// Looks at the window and the valid actions; returns whether a job may be chosen to some effect.
    fn look(&mut self) -> bool {
        self.window.clear();
        self.mask.fill(false);
        let Some(Episode { replay, agent, committed, .. }) = &mut self.episode else { return false };
        if committed.is_some() {
            return false;
        }
        let Some(turn) = replay.turn() else { return false };
        if !self.options.commit && !agent.keeper.any_may_start(&turn) {
            return false;
        }
        self.window.extend(turn.waiting().take(self.options.window));
        let mut any = self.options.commit || agent.keeper.reserved().is_some();
        for (valid, &job) in self.mask.iter_mut().zip(&self.window) {
            *valid = agent.keeper.may_choose(&turn, job);
            any |= turn.fits(job);
        }
        let any = any && self.mask.contains(&true);
        self.mask[self.options.window] = any && replay.goes_on();
        any
    }

    fn end(&mut self) -> Result<(), EnvironmentError> {
        self.window.clear();
        self.mask.fill(false);
        if let Some(Episode { replay, mut agent, .. }) = self.episode.take() {
            self.outcome = Some(replay.finish(&mut agent)?);
        }
        Ok(())
    }
}

/// What an agent, or a test of it, may look at.
impl Environment {
    /// Returns the number of actions: the places of the window, and going on.
    pub fn actions(&self) -> usize {
        self.options.window + 1
    }

    pub fn options(&self) -> &EnvironmentOptions {
        &self.options
    }

    /// Returns which actions are valid, going on last; none after the end of the episode.
    pub fn mask(&self) -> &[bool] {
        &self.mask
    }

    /// Returns the jobs of the window in the order of submission: action `i` chooses the job at place `i`.
    pub fn window(&self) -> &[JobId] {
        &self.window
    }

    pub fn job(&self, job: JobId) -> Option<JobView<'_>> {
        Some(JobView::new(self.cluster()?.workload(), job))
    }

    /// Returns the instant of the open decision; `None` after the end of the episode.
    pub fn now(&self) -> Option<Time> {
        Some(self.episode.as_ref()?.replay.now())
    }

    /// Returns the head that holds a reservation, and its shadow time.
    pub fn head(&self) -> Option<(JobId, Time)> {
        let (head, shadow, _) = self.episode.as_ref()?.agent.keeper.reserved()?;
        Some((head, shadow))
    }

    /// Returns the machine and the jobs as they are now; `None` after the end of the episode.
    pub fn cluster(&self) -> Option<&Cluster> {
        Some(self.episode.as_ref()?.replay.cluster())
    }

    /// Returns the positions of the episode's jobs in the scenario's workload, without those before them that are simulated
    /// only. With [`EnvironmentOptions::prefix_jobs`], jobs that were submitted together with the first one belong to it.
    pub fn jobs(&self) -> Range<usize> {
        self.first + self.prefix..self.first + self.played.workload.len()
    }

    /// Returns the time from the first submission that is simulated and not measured.
    pub fn prefix(&self) -> Time {
        let (first, begin) = self.prefix_times();
        begin - first
    }

    /// Returns the jobs of [`Environment::episode`] that have started so far, with their starts, in this order.
    pub fn starts(&self) -> &[(JobId, Time)] {
        &self.starts
    }

    /// Returns the episode as a scenario: its jobs and those before them that are simulated only, on the machine.
    pub fn episode(&self) -> &Scenario {
        &self.played
    }

    /// Returns the outcome of the episode, when it is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    pub fn shape(&self) -> ObservationShape {
        self.options.layout.shape(self.options.window, self.scenario.machine.procs())
    }

    /// Writes the observation: the jobs row by row, then the machine. All values are within [0, 1]; after the end of the
    /// episode the window is empty. O(window).
    ///
    /// # Panics
    /// When the slice does not have [`ObservationShape::size`] values.
    pub fn observe(&self, into: &mut [f32]) {
        assert_eq!(into.len(), self.shape().size(), "an observation has its shape");
        observe::write(self, into);
    }
}
