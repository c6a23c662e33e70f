//! Replays, each verified by the independent checker.
use batchlab::policies::spec::{BuildError, PolicySpec, Setting};
use batchlab::policies::{Journal, Needs, Policy};
use batchlab::replay::capability;
use batchlab::replay::engine::{Budget, ReplayError, Run, Scenario, replay};
use batchlab::schedule::verify::verify;
use batchlab::slurm::site::{PriorityConfig, Scheduler, Select, SlurmSite, SlurmSystem, SlurmVersion};
use batchlab::traces::capacity::CalendarFile;
use batchlab::traces::limits::{LimitFile, LimitsError};
use batchlab::traces::priorities::PriorityFile;
use batchlab::traces::reading::Overrun;
use batchlab::traces::workload::PlainJob;
use batchlab::traces::{Findings, Machine, Provenance, Time, Trace, Workload};
use batchlab::{Outcome, Registry};

/// A scenario, the rule by which overruns were read, and replay options.
#[derive(Clone, Debug)]
pub struct Play {
    pub scenario: Scenario,
    pub overrun: Overrun,
    pub journal: bool,
    pub general: bool,
    /// Choose nodes one by one even if there is only one node.
    pub by_node: bool,
}

impl Play {
    /// A scenario in event order `batch`, overruns raised, without a journal.
    pub fn new(machine: Machine, workload: Workload) -> Play {
        let scenario = Scenario::new(machine, workload);
        Play { scenario, overrun: Overrun::Raise, journal: false, general: false, by_node: false }
    }

    pub fn events(&self, order: &str) -> Play {
        let scenario = Scenario { order: order.parse().unwrap(), ..self.scenario.clone() };
        Play { scenario, ..self.clone() }
    }

    /// The same scenario within limits, in the form of a limit file; jobs above a limit are dropped.
    pub fn limits(&self, limits: &str) -> Play {
        self.some_limits(limits).expect("some job is within the limits")
    }

    /// The same within limits, or `None` if each of the jobs alone exceeds one.
    pub fn some_limits(&self, limits: &str) -> Option<Play> {
        let Scenario { workload, machine, .. } = &self.scenario;
        let file = LimitFile::parse(limits, "limits.toml").unwrap();
        let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
        let jobs = Workload::clone(workload);
        let applied = file.apply(jobs, &Trace::default(), machine, &mut findings, &mut provenance);
        let (workload, table) = match applied {
            Err(LimitsError::NoJobs(_)) => return None,
            applied => applied.unwrap(),
        };
        let limits = (!table.limits.is_empty()).then(|| table.into());
        Some(Play {
            scenario: Scenario { workload: workload.into(), limits, ..self.scenario.clone() },
            ..self.clone()
        })
    }

    /// The same scenario with tiers and preemption, in the form of a file of priorities.
    pub fn priorities(&self, priorities: &str) -> Play {
        let file = PriorityFile::parse(priorities, "priorities.toml").unwrap();
        let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
        let jobs = Workload::clone(&self.scenario.workload);
        let machine = &self.scenario.machine;
        let (workload, table) =
            file.apply(jobs, machine, &Trace::default(), &mut findings, &mut provenance).unwrap();
        let priorities = (!priorities.is_empty()).then(|| table.into());
        Play {
            scenario: Scenario { workload: workload.into(), priorities, ..self.scenario.clone() },
            ..self.clone()
        }
    }

    /// The same scenario with a calendar of capacity, in the form of a calendar file.
    pub fn calendar(&self, calendar: &str, foresight: &str) -> Play {
        let Scenario { workload, machine, .. } = &self.scenario;
        let file = CalendarFile::parse(calendar, "calendar.toml").unwrap();
        let (mut findings, mut provenance) = (Findings::lenient(), Provenance::default());
        let jobs = Workload::clone(workload);
        let foresight = foresight.parse().unwrap();
        let (workload, calendar) =
            file.apply(jobs, &Trace::default(), machine, foresight, &mut findings, &mut provenance).unwrap();
        let capacity = (!calendar.closures.is_empty()).then(|| calendar.into());
        Play {
            scenario: Scenario { workload: workload.into(), capacity, ..self.scenario.clone() },
            ..self.clone()
        }
    }

    /// The same scenario as a Slurm installation with the defaults of 22.05 and `select/cons_tres`.
    pub fn slurm(&self) -> Play {
        let version = SlurmVersion::parse("22.05").unwrap();
        let system = SlurmSystem {
            version,
            scheduler: Scheduler::of_version(version),
            priority: PriorityConfig::of_version(version),
            select: Select { whole_nodes: false, ..Select::default() },
            kill_wait: Time::from_secs(30),
            ..SlurmSystem::default()
        };
        let site = SlurmSite::new(system.into());
        Play { scenario: Scenario { slurm: Some(site.into()), ..self.scenario.clone() }, ..self.clone() }
    }

    /// The same scenario with a budget of `decisions` consecutive decisions that do nothing.
    pub fn within(&self, decisions: u64) -> Play {
        let budget = Budget { decisions, ..self.scenario.budget.clone() };
        Play { scenario: Scenario { budget, ..self.scenario.clone() }, ..self.clone() }
    }

    /// Replays a policy value; the outcome is always checked.
    pub fn with(&self, needs: Needs, policy: &mut dyn Policy) -> Result<(Outcome, Journal), ReplayError> {
        self.named("test", needs, policy)
    }

    /// The same under a name, which seeds the policy's random stream.
    pub fn named(
        &self,
        name: &str,
        needs: Needs,
        policy: &mut dyn Policy,
    ) -> Result<(Outcome, Journal), ReplayError> {
        let run = Run { journal: self.journal, general: self.general, ..Run::default() };
        let (outcome, journal) = replay(&self.scenario, name, needs, policy, run)?;
        assert_clean(&self.scenario, &outcome, name);
        Ok((outcome, journal.unwrap_or_default()))
    }
}

pub fn play(play: &Play, spec: &str) -> (Outcome, Journal) {
    try_play(play, spec).unwrap_or_else(|unfit| panic!("{spec}: {unfit}"))
}

/// Replays a built-in policy or a plug-in, or returns why it cannot work on this scenario.
pub fn try_play(play: &Play, spec: &str) -> Result<(Outcome, Journal), BuildError> {
    let chosen = Registry::builtin()
        .allow_native()
        .allow_exec()
        .choose(spec)
        .unwrap_or_else(|error| panic!("{spec}: {error}"));
    capability::check_startable(&chosen, &play.scenario)
        .map_err(|unmet| BuildError::Unfit(unmet.to_string()))?;
    let by_node = play.by_node || !play.scenario.machine.is_pool();
    let setting = Setting { by_node, ..play.scenario.setting(play.overrun) };
    let mut policy = chosen.build(&setting)?;
    let done = play.named(&chosen.canonical(), chosen.needs(), policy.as_mut());
    Ok(done.unwrap_or_else(|error| panic!("{error}")))
}

/// The built-in policies that work on any log: those that need the files of an installation have tests of their own.
pub fn policies() -> Vec<PolicySpec> {
    let registry = batchlab::policies::Registry::builtin();
    registry.specs().iter().filter(|spec| !spec.needs.installation).copied().collect()
}

/// A spec of a policy for machines with processors only: some policies hold jobs in memory by default.
pub fn bare(spec: &PolicySpec) -> String {
    let memory = spec.params.iter().any(|param| param.name == "memory");
    if memory { format!("{}:memory=off", spec.name) } else { spec.name.into() }
}

/// Fails with the first violations, if there are any.
pub fn assert_clean(scenario: &Scenario, outcome: &Outcome, policy: &str) {
    let violations = verify(scenario, outcome);
    let shown: Vec<String> = violations.iter().take(5).map(ToString::to_string).collect();
    assert!(violations.is_empty(), "`{policy}` in {}: {}", scenario.order, shown.join("; "));
}

/// Applies the reading rule for jobs that outlive their estimate.
pub fn overrun(rule: Overrun, job: &PlainJob) -> PlainJob {
    let (run, estimate) = (job.run, job.estimate);
    match rule {
        Overrun::Raise => PlainJob { estimate: estimate.max(run), ..job.clone() },
        Overrun::Kill => PlainJob { run: Time::min(run, estimate), ..job.clone() },
        Overrun::Overdue => job.clone(),
    }
}
