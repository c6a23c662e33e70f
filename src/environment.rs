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

mod gain;
mod observe;
mod options;
mod vector;

use std::sync::Arc;

use batchlab_policies::backfill::stepwise::{Chosen, Stepwise};
use batchlab_policies::cluster::Cluster;
use batchlab_policies::spec::BuildError;
use batchlab_policies::{Event, JobView, Needs, Policy};
use batchlab_traces::reading::Overrun;
use batchlab_traces::{JobId, Time, seed};
use rand_chacha::ChaCha12Rng;

use crate::outcome::Outcome;
use crate::replay::{ReplayError, Scenario, Stepped};
use gain::Gain;
use observe::Scales;
pub use observe::{JOB_FEATURES, MACHINE_FEATURES, RELEASE_BOUNDS};
pub use options::{EnvironmentOptions, ObservationLayout, ObservationShape, Reward};
pub use vector::VectorEnvironment;

/// The name under which an agent's replays run.
const AGENT: &str = "agent";

/// A scenario that an agent schedules, episode by episode.
pub struct Environment {
    scenario: Scenario,
    /// The scenario with the jobs of the episode.
    played: Scenario,
    options: EnvironmentOptions,
    scales: Arc<Scales>,
    /// The stream that episodes are drawn from.
    draws: ChaCha12Rng,
    /// The position of the episode's first job in the log.
    first: usize,
    /// The episode, until it is over.
    episode: Option<Episode>,
    /// The jobs of the window.
    window: Vec<JobId>,
    /// Which actions are valid, going on last.
    mask: Vec<bool>,
    /// Number of invalid actions in a row.
    invalid: u32,
    gain: Gain,
    outcome: Option<Outcome>,
}

/// An episode that is not over.
struct Episode {
    replay: Stepped,
    agent: Stepwise,
    /// The job that is waited for, and its shadow time when it was chosen.
    committed: Option<(JobId, Time)>,
    /// The processors that the running jobs of each user hold.
    held: Vec<i64>,
}

/// The result of a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepResult {
    /// The reward: what the step has added to [`EnvironmentOptions::reward`], less the penalty.
    pub reward: f64,
    /// Whether the episode is over: every job has ended.
    pub terminated: bool,
    /// Whether the episode was cut off. It never is: [`EnvironmentOptions::length`] bounds its jobs.
    pub truncated: bool,
    /// Whether the action was invalid.
    pub invalid: bool,
}

/// Why an environment cannot be made, or cannot go on.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum EnvironmentError {
    /// An option is out of its range.
    #[error("{0}")]
    Option(String),
    /// The scenario has something that an agent cannot decide about.
    #[error("an environment cannot have {what}; {remedy}")]
    Scenario {
        /// What that is.
        what: &'static str,
        /// What to do.
        remedy: &'static str,
    },
    /// The machine is not a pool of processors.
    #[error(transparent)]
    Machine(#[from] BuildError),
    /// The replay cannot go on.
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
        options.check(&scenario.workload)?;
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
            episode: None,
            window: Vec::with_capacity(options.window),
            mask: vec![false; options.window + 1],
            invalid: 0,
            gain: Gain::new(options.reward, workload, machine),
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
    ///
    /// # Errors
    /// When the replay cannot begin.
    pub fn reset(&mut self, seed: Option<u64>) -> Result<(), EnvironmentError> {
        if let Some(seed) = seed {
            self.draws = seed::stream(seed, AGENT);
        }
        let jobs = self.scenario.workload.len();
        let length = self.options.length.unwrap_or(jobs);
        let places = (jobs - length + 1) as f64;
        self.first = ((seed::unit(&mut self.draws) * places) as usize).min(jobs - length);
        let workload = if length == jobs {
            self.scenario.workload.clone()
        } else {
            self.scenario.workload.section(self.first..self.first + length).into()
        };
        self.played = Scenario { workload, ..self.scenario.clone() };
        let scenario = &self.played;
        self.gain = Gain::new(self.options.reward, &scenario.workload, &scenario.machine);
        self.episode = Some(Episode {
            replay: Stepped::new(scenario, AGENT, Needs::NONE)?,
            agent: Stepwise::new(&scenario.setting(Overrun::default()))?,
            committed: None,
            held: vec![0; self.gain.users()],
        });
        (self.invalid, self.outcome) = (0, None);
        self.advance()
    }

    /// Takes an action; see the [module](self). After the end of the episode nothing happens.
    ///
    /// # Errors
    /// When the replay exceeds its budget, or the range of time.
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

    /// Carries out a valid action.
    fn take(&mut self, action: usize) -> Result<(), EnvironmentError> {
        let (Some(&job), Some(episode)) = (self.window.get(action), &mut self.episode) else {
            return self.advance();
        };
        let mut chosen = Chosen::Started;
        episode.replay.act(|turn| {
            chosen = episode.agent.choose(turn, job)?;
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
                agent.choose(turn, job)?;
                starts.push(job);
                *committed = None;
            } else if backfill {
                agent.start_before(turn, shadow, job, |job| starts.push(job))?;
            }
            Ok(())
        })?;
        for job in starts {
            self.started(job);
        }
        Ok(())
    }

    /// A job has started now.
    fn started(&mut self, job: JobId) {
        let Some(episode) = &mut self.episode else { return };
        let workload = episode.replay.cluster().workload();
        self.gain.started(workload, job, episode.replay.now());
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
        if !self.options.commit && !agent.any_may_start(&turn) {
            return false;
        }
        self.window.extend(turn.waiting().take(self.options.window));
        let mut any = self.options.commit || agent.reserved().is_some();
        for (valid, &job) in self.mask.iter_mut().zip(&self.window) {
            *valid = agent.may_choose(&turn, job);
            any |= turn.fits(job);
        }
        let any = any && self.mask.contains(&true);
        self.mask[self.options.window] = any && replay.goes_on();
        any
    }

    /// Ends the episode.
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

    /// Returns the options.
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

    /// Returns a job of the episode.
    pub fn job(&self, job: JobId) -> Option<JobView<'_>> {
        Some(JobView::new(self.cluster()?.workload(), job))
    }

    /// Returns the instant of the open decision; `None` after the end of the episode.
    pub fn now(&self) -> Option<Time> {
        Some(self.episode.as_ref()?.replay.now())
    }

    /// Returns the head that holds a reservation, and its shadow time.
    pub fn head(&self) -> Option<(JobId, Time)> {
        let (head, shadow, _) = self.episode.as_ref()?.agent.reserved()?;
        Some((head, shadow))
    }

    /// Returns the machine and the jobs as they are now; `None` after the end of the episode.
    pub fn cluster(&self) -> Option<&Cluster> {
        Some(self.episode.as_ref()?.replay.cluster())
    }

    /// Returns the positions of the episode's jobs in the scenario's workload.
    pub fn jobs(&self) -> std::ops::Range<usize> {
        self.first..self.first + self.options.length.unwrap_or(self.scenario.workload.len())
    }

    /// Returns the episode as a scenario: its jobs, on the machine.
    pub fn episode(&self) -> &Scenario {
        &self.played
    }

    /// Returns the outcome of the episode, when it is over.
    pub fn outcome(&self) -> Option<&Outcome> {
        self.outcome.as_ref()
    }

    /// Returns the shape of an observation.
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
