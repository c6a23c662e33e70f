//! Makes a scenario from the options shared by `replay`, `verify`, `diff` and `explain`.

use std::str::FromStr;
use std::sync::Arc;

use batchlab_parsers::outages::{self, OutageError};
use batchlab_policies::Costs;
use batchlab_policies::costs::CostsError;
use batchlab_policies::spec::Chosen;
use batchlab_slurm::site::{Installation, SiteChoice as MachineChoice, SlurmSite};
use batchlab_traces::capacity::{CalendarFile, Foresight};
use batchlab_traces::layout::LayoutRule;
use batchlab_traces::limits::{LimitFile, LimitTable};
use batchlab_traces::machine::{self, Capacity, ChoiceError, MachineFile};
use batchlab_traces::number::{counted, grouped};
use batchlab_traces::priorities::PriorityFile;
use batchlab_traces::reading::{
    Cancel, Dependencies, Estimate, Memory, Overrun, QueueFrom, Requeues, Running, Size,
};
use batchlab_traces::shape::{Sessions, Target};
use batchlab_traces::workload::{InteractiveRule, LAYOUT_UNTOLD};
use batchlab_traces::{Example, Findings, Kind, Level, Provenance, Reading, Trace, Workload};
use clap::Args;

use super::diff::read_text;
use super::installation::SlurmArgs;
use super::limits::LimitArgs;
use super::shaping::StepsFile;
use super::source::SourceArgs;
use super::{Failure, options, redact, rules, tell};
use crate::Registry;
use crate::outcome::{Stop, StopError, StopRule};
use crate::replay::engine::{Budget, EventOrder, Scenario};
use crate::replay::{calibration, capability};

const MACHINE_HELP: [&str; 2] = [
    "A description of the machine, node by node (TOML)",
    "\
A machine file:

  task_procs = 8              processors of a task, as --layout tasks:8
  [[resource]]                a resource beside the processors
  name = \"memory\"
  unit = \"KB\"                 what jobs count it in
  sharing = \"space\"           held while a job is there; or time: used as it runs
  [[nodes]]                   equal nodes, numbered on from 0
  count = 128
  procs = 8
  memory = \"16GB\"             on each node; a resource without a line is absent
  [[nodes]]
  procs = 16
  memory = \"64GB\"
  partitions = [2, \"large\"]   numbers of the log's field 16, or names of its header;
                              nodes without partitions take every job
  features = [\"v100\", \"ib\"]   what the constraints of jobs may ask for
  names = \"gpu[1-16]\"         one for each node, for constraints that name nodes",
];

const LIMITS_HELP: [&str; 2] = [
    "Limits on what users, groups, accounts, partitions, queues and service classes may use (TOML)",
    "\
A limit file; every policy is replayed within its limits:

  [[limit]]
  partition = \"gpu\"          # of the jobs of this partition: a number, a name, or a list of them
  user = \"*\"                 # each user separately; without a key, all users together
  running_jobs = 4           # at most 4 jobs run,
  procs = 256                # on at most 256 processors,
  node_hours = 1000          # with at most this much left of their requests (on a pool, a processor is a node)
  wall_time = \"24h\"          # a job that requests more is dropped
  count = \"running\"          # see below

The keys of jobs are partition, queue, user, group, account and qos. With count = \"running\", the default, a
job that would exceed a limit is skipped, as batch systems do: it holds no reservation, and is considered
again, in the order of priority, when there is room. With count = \"eligible\" the waiting jobs that the policy
sees count too; the other jobs wait outside its queue and are admitted in the order of submission. A job that
alone exceeds a limit could never start; it is dropped with a finding.",
];

const PRIORITIES_HELP: [&str; 2] = [
    "Tiers of jobs, and which jobs take processors from running ones (TOML)",
    "\
A file of priorities:

  [[class]]
  partition = \"urgent\"       # or queue, user, group, account, qos: a number, a name, or a list of them
  priority = 10              # tier: jobs of a higher tier are served before those of a lower one; 0 without it
  preempts = true            # takes processors from running jobs of lower tiers; or 5: of tiers below 5
  [[class]]
  qos = \"scavenger\"
  priority = -10
  preempted = \"requeue\"      # what becomes of its running jobs: requeue (they lose their work), cancel, or suspend
                             # (they go on later, where they are); without it they are never preempted
  grace = \"5m\"               # time for which they continue to run after the decision
  exempt = \"10m\"             # run time before which they cannot be preempted

A job of several classes has the keys of all of them. The first waiting jobs in the order of the queue that may
preempt, and for which too little is free, get victims: running jobs of lower tiers, the lowest tier first, then the
latest start; only as many as needed, and none if all of them do not suffice: behind such a job, jobs that the policy
would backfill still preempt. What the victims leave is kept for the
jobs that asked for it.

A suspended job gives back its processors and devices to jobs that may preempt it, and to no others; it keeps the rest,
such as memory and licences, and resumes when no such job has or awaits what it gave back. Before the classes,
releases = [\"procs\", \"memory\"] names what suspended jobs give back instead.

Gang scheduling, schemes that sort arrivals and plug-ins that decide take no priorities.",
];

const CALENDAR_HELP: [&str; 2] = [
    "When parts of the machine are out of service: outages, drains, maintenance, caps (TOML), or a failure log",
    "\
A calendar of capacity:

  [[event]]
  kind = \"maintenance\"         # outage, drain, maintenance, reservation or capacity
  from = \"2026-12-01 08:00\"    # on the site's clock, or seconds from the log's zero
  to = \"2026-12-01 16:00\"      # without it: for good
  nodes = \"0-63\"               # or, on a pool, procs = 64, or resource = \"licences\" with amount = 20;
                               # without any of them: the whole machine
  every = \"7d\"                 # again and again, until = \"2027-06-01\" or the last submission
  known = \"2d\"                 # announced so long before; true: from the beginning; false: not at all
  jobs = \"requeue\"             # what becomes of running jobs: requeue (they lose their work), kill, or drain
                               # (they run on, and nothing new starts there)

A reservation keeps nodes (on a pool, processors) for the jobs of a user, group, account, partition, queue or qos
(account = \"course\", as in a limit file): such a job starts there if it is expected to end by the end of the
reservation, in the order of submission; and anywhere else as the policy decides.

Jobs are requeued by an outage and by maintenance, and drained by other events. Maintenance, reservations and
capacity are known from the beginning, an outage and a drain not at all. On a pool, the jobs that were started
last make room. A job for which too little is in service is not considered: it holds no reservation and blocks no
other job. The start of a requeued job is its last start.

FILE may also be a failure log, packed or not: the outages beside SWF (Chapin et al. 1999), failure data of Los Alamos,
event_trace.tab of the Failure Trace Archive, or `sacctmgr show event -P` of Slurm. docs/MACHINES.md has their columns.",
];

/// Jobs for which a replay does not wait.
static STOPPED: Kind = Kind {
    code: "replay-stopped",
    level: Level::Note,
    what: "{job|jobs} that the replay does not wait for",
    done: "jobs that have not ended at the stop are not measured, and which jobs these are depends on the policy: long \
           jobs, wide jobs, postponed jobs. Means over the rest favour policies that leave most work undone, and the \
           actual load is below the offered load (Setia et al. 1999, section 4.2, say so themselves)",
    advice: "--stop all, the default, waits for every job: then all policies serve the same work",
};

/// The log, and how it is read as jobs for a machine.
#[derive(Args)]
pub struct ScenarioArgs {
    /// The log: a file, packed or not, or - for standard input
    pub trace: String,
    #[command(flatten)]
    pub source: SourceArgs,
    /// Processors of the machine [default: `MaxProcs` of the header]
    #[arg(long, value_name = "N", help_heading = "Machine")]
    pub procs: Option<i64>,
    /// Number of nodes of the machine; the processors are divided equally among them [default: one pool]
    #[arg(long, value_name = "N", value_parser = at_least_one::<usize>, help_heading = "Machine")]
    pub nodes: Option<usize>,
    /// How jobs lie on nodes: as the record of each tells (its nodes, processors per node and task, whether it is alone
    /// there), in tasks of T processors each placed whole on one node, on whole nodes that no other job shares, or
    /// anywhere in one pool of all nodes [default: log]
    #[arg(
        long,
        value_name = "log|tasks:T|whole-node|pool",
        conflicts_with = "task_procs",
        help_heading = "Machine"
    )]
    pub layout: Option<LayoutRule>,
    /// The same as --layout tasks:T
    #[arg(long, value_name = "T", value_parser = at_least_one::<i64>, help_heading = "Machine")]
    pub task_procs: Option<i64>,
    #[arg(long, value_name = "FILE.toml", help = MACHINE_HELP[0], long_help = MACHINE_HELP.join("\n\n"), conflicts_with_all = ["procs", "nodes"], help_heading = "Machine")]
    pub machine: Option<String>,
    /// Capacity of a further resource, such as memory=64GB: per node, or of the whole pool; `memory=none`
    /// leaves a resource out [default: capacities that the log's header declares]
    #[arg(long, value_name = "NAME=AMOUNT", value_delimiter = ',', value_parser = capacity, help_heading = "Machine")]
    pub capacity: Vec<(String, Capacity)>,
    /// Memory of a job: what was requested, or what was used
    #[arg(long, default_value = "requested", value_name = "requested|used", help_heading = "Machine")]
    pub memory: Memory,
    /// Size of a job: requested processors, or allocated ones
    #[arg(long, default_value = "requested", value_name = "requested|allocated", help_heading = "Jobs")]
    pub size: Size,
    /// Instant from which a job waits, if the log records when it became eligible (held, dependent, postponed
    /// jobs)
    #[arg(long, default_value = "eligible", value_name = "submit|eligible", help_heading = "Jobs")]
    pub queue_from: QueueFrom,
    /// Whether jobs wait for the jobs that they depend on in the log (fields 17 and 18, submit lines), and tasks for the
    /// throttle of their array: with log, a job enters the queue when the replay has met its dependencies, and its user has
    /// thought; with ignore, when it did in the log
    #[arg(long, default_value = "ignore", value_name = "log|ignore", help_heading = "Jobs")]
    pub dependencies: Dependencies,
    /// Jobs that were cancelled before they started, where the log tells when: drop them (ignore), or let them wait and leave
    /// as long after their entry into the queue as in the log (log). Such jobs are not measured
    #[arg(long, default_value = "ignore", value_name = "log|ignore", help_heading = "Jobs")]
    pub cancel: Cancel,
    /// Runs of a job that was put back into the queue, where the log has a record of each: every run is a job (each), or the
    /// job enters with its first run and is as long as its last run (last), or as all runs together (sum)
    #[arg(long, default_value = "each", value_name = "each|last|sum", help_heading = "Jobs")]
    pub requeues: Requeues,
    /// Let users submit as they did: each job follows, after its think time, the job of its user's session that had ended
    /// last. Sessions end with a gap between arrivals (of 1h, unless given), or after ends (of 20m). Implies --dependencies log
    #[arg(long, value_name = "arrivals|ends[:GAP]", help_heading = "Jobs")]
    pub feedback: Option<Sessions>,
    /// Run times that schedulers see: requested, actual, phi:X, factor:X, tsafrir or tsafrir:MAX
    #[arg(long, default_value = "requested", value_name = "KIND", help_heading = "Jobs")]
    pub estimate: Estimate,
    /// Treatment of a job that ran longer than its estimate: raise the estimate, kill the job at it, or keep
    /// both; with --slurm, raise also keeps both, since slurmctld ends jobs some time after their limit
    #[arg(long, default_value = "raise", value_name = "raise|kill|overdue", help_heading = "Jobs")]
    pub overrun: Overrun,
    /// Keep only jobs with one of these values in the log's status field
    #[arg(long, value_delimiter = ',', value_name = "CODE,...", help_heading = "Jobs")]
    pub status: Vec<i64>,
    /// Treatment of jobs that had not ended when the log was written: drop them, let those that ran run until their
    /// limit (or as long as they had already run, if that is longer; jobs without a limit are dropped), or all of them
    #[arg(long, default_value = "drop", value_name = "drop|limit|all", help_heading = "Jobs")]
    pub running: Running,
    /// Leave out jobs with a run time of zero
    #[arg(long, help_heading = "Jobs")]
    pub drop_zero_run: bool,
    /// Which jobs are interactive, all others being batch jobs: a condition, or shortest:SHARE, the share of the jobs
    /// with the smallest run times
    #[arg(long, default_value = "queue = 0", value_name = "CONDITION|shortest:SHARE", help_heading = "Jobs")]
    pub interactive: InteractiveRule,
    /// Multiply the offered load: submit times, counted from the first, are divided by F
    #[arg(long, default_value_t = 1.0, value_name = "F", value_parser = positive, help_heading = "Jobs")]
    pub load: f64,
    /// Multiply run times and requested times by F
    #[arg(long, default_value_t = 1.0, value_name = "F", value_parser = positive, help_heading = "Jobs")]
    pub scale_run: f64,
    /// Order of simultaneous events: batch, submit-first, finish-first or periodic:S, a decision every S seconds (1s to 52w)
    /// while jobs wait
    #[arg(long, default_value = "batch", value_name = "ORDER", help_heading = "Replay")]
    pub events: EventOrder,
    /// What a context switch (share of a slice), a migration and swapping (rate of each processor) cost, such as
    /// switch=0.05,migrate=30s,swap=20MB/s [default: nothing]
    #[arg(long, value_name = "COSTS", default_value = "", hide_default_value = true, value_parser = costs, help_heading = "Replay")]
    pub cost: Costs,
    /// When the replay ends: when all jobs have ended, or when the last interactive one has, or the last one
    /// for which a condition holds. Jobs that have not ended by then are not measured
    #[arg(
        long,
        default_value = "all",
        value_name = "all|last-interactive|last:CONDITION",
        help_heading = "Replay"
    )]
    pub stop: StopRule,
    /// Seed of all random numbers
    #[arg(long, default_value_t = 1, value_name = "S", help_heading = "Replay")]
    pub seed: u64,
    #[arg(long = "limits", value_name = "FILE.toml", help = LIMITS_HELP[0], long_help = LIMITS_HELP.join("\n\n"), help_heading = "Replay")]
    pub usage_limits: Option<String>,
    #[arg(long, value_name = "FILE.toml", help = PRIORITIES_HELP[0], long_help = PRIORITIES_HELP.join("\n\n"), help_heading = "Replay")]
    pub priorities: Option<String>,
    #[arg(long, value_name = "FILE", help = CALENDAR_HELP[0], long_help = CALENDAR_HELP.join("\n\n"), help_heading = "Replay")]
    pub calendar: Option<String>,
    /// What policies know in advance of the changes in the file of --calendar: all of them, none, or those that are
    /// announced (`known`)
    #[arg(
        long,
        default_value = "reservations",
        value_name = "calendar|none|reservations",
        help_heading = "Replay"
    )]
    pub foresight: Foresight,
    #[command(flatten)]
    pub slurm: SlurmArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// Clean the log first: a file of rules (TOML), or a preset such as pwa:kth-sp2
    #[arg(long, value_name = "RULES", help_heading = "Reading")]
    pub rules: Option<String>,
    /// Then shape it by the steps of a file (TOML); see `batchlab list steps`
    #[arg(long, value_name = "STEPS", help_heading = "Reading")]
    pub steps: Option<String>,
    /// Refuse at the first finding that drops, mends or guesses something
    #[arg(long, help_heading = "Reading")]
    pub strict: bool,
    /// Whether a program calls the verb: nothing is printed then, and the message of a failure has the findings that
    /// explain it.
    #[arg(skip)]
    pub is_call: bool,
}

/// A log, ready to be replayed.
pub struct Prepared {
    /// The log.
    pub trace: Trace,
    /// Jobs, machine, event order, seed.
    pub scenario: Scenario,
    /// The rules by which the log was read.
    pub reading: Reading,
    /// Findings about the log and its jobs.
    pub findings: Findings,
    /// The origin of the jobs.
    pub provenance: Provenance,
    /// The file of the steps that the log was shaped by, if there is one.
    pub steps: Option<String>,
    /// The file of limits on usage, if there is one.
    pub usage_limits: Option<String>,
    /// The file of priorities, if there is one.
    pub priorities: Option<String>,
    /// The files of the Slurm installation, if there are any.
    pub slurm: Option<String>,
    /// The calendar of capacity and what policies know of it, if there is one.
    pub calendar: Option<String>,
    /// What the sessions of users are, if users react to the schedule.
    pub feedback: Option<Sessions>,
    /// What became of the runs of requeued jobs.
    pub requeues: Requeues,
    /// Whether results depend on which jobs are interactive.
    pub tells_classes_apart: bool,
}

impl Prepared {
    /// Checks that the jobs provide what policies need, and reports jobs that lack a value that others have.
    pub fn suit<'a>(
        &mut self,
        policies: impl IntoIterator<Item = &'a Chosen> + Clone,
    ) -> Result<(), Failure> {
        for policy in policies.clone() {
            capability::check(policy, &self.scenario)?;
        }
        if policies.clone().into_iter().any(|policy| policy.needs().classes) {
            self.tell_classes_apart();
        }
        Ok(capability::report(policies, &self.scenario, &mut self.findings, &mut self.provenance)?)
    }

    /// Makes the results state which jobs are interactive, because something depends on it.
    pub fn tell_classes_apart(&mut self) {
        if !self.tells_classes_apart {
            self.tells_classes_apart = true;
            let workload = &self.scenario.workload;
            let detail = format!("jobs are interactive by the rule `{}`", workload.interactive_rule());
            self.provenance.step("interactive", detail, workload.interactive_jobs() as u64);
        }
    }

    /// Sets the rule that ends the replay, and reports its consequences.
    fn stop_by(&mut self, rule: &StopRule) -> Result<(), Failure> {
        let scenario = &mut self.scenario;
        scenario.stop = rule.of(&scenario.workload, &scenario.machine)?;
        let Some(awaited) = scenario.stop.awaited() else { return Ok(()) };
        let (all, words) = (scenario.workload.len(), rule.to_string());
        let others = (all - awaited) as u64;
        self.provenance.step(
            "stop",
            format!("the replay ends with the last of {awaited} jobs: {words}"),
            awaited as u64,
        );
        let (awaited, total) = (grouped(awaited as u64), grouped(all as u64));
        let detail = format!("--stop {words} waits for {awaited} of {total} jobs");
        self.findings.report_many(&STOPPED, others, || Example { place: None, detail })?;
        if *rule == StopRule::LastInteractive {
            self.tell_classes_apart();
        }
        Ok(())
    }

    /// Returns the conditions by name that differ from the defaults, besides those of log, machine and
    /// reading.
    pub fn further(&self) -> Vec<(String, String)> {
        let (scenario, reading) = (&self.scenario, &self.reading);
        options::stated(&options::ReplayFacts { scenario, reading, prepared: Some(self) })
    }

    /// Returns the instant from which jobs wait and the number of jobs that were held back, if the log
    /// records these.
    pub fn held(&self) -> Option<String> {
        let held = match self.reading.queue_from {
            QueueFrom::Eligible => self.scenario.workload.held_back(),
            QueueFrom::Submit => self.trace.holds().count(),
        };
        let jobs = || counted(held, "job");
        (held > 0).then(|| format!("{} ({} held back)", self.reading.queue_from, jobs()))
    }

    /// Prints the findings to standard error, unless `quiet`.
    pub fn tell(&self, quiet: bool) {
        if !quiet {
            tell::findings(&self.findings);
        }
    }
}

impl ScenarioArgs {
    /// Reads the log and makes the scenario from it.
    ///
    /// The registry provides the formats of the log, and the policies and metrics for calibrating steps.
    pub fn prepare(&self, registry: &Registry) -> Result<Prepared, Failure> {
        let choice = self.choice()?;
        let trace = self.shaped(registry, &choice, || self.cleaned(registry))?;
        self.prepare_trace(trace, &choice)
    }

    /// Makes the scenario of a log that has been read; it is cleaned and shaped first, as asked.
    pub fn prepare_read(&self, registry: &Registry, trace: Trace) -> Result<Prepared, Failure> {
        let choice = self.choice()?;
        let trace = self.shaped(registry, &choice, || self.clean(trace))?;
        self.prepare_trace(trace, &choice)
    }

    /// Makes the scenario of a log that has been read, cleaned and shaped.
    pub fn prepare_trace(&self, trace: Trace, choice: &MachineChoice) -> Result<Prepared, Failure> {
        self.prepare_marked(self.marked(trace)?, choice)
    }

    /// Joins the runs of requeued jobs as asked, and marks the dependencies of users' sessions, if users react to the
    /// schedule.
    pub fn marked(&self, trace: Trace) -> Result<Trace, Failure> {
        let mut trace = self.requeues.join(trace)?;
        if let Some(sessions) = self.feedback {
            let marked = sessions.mark(&mut trace);
            let marked = marked.map_err(|why| Failure::Input(format!("--feedback {sessions}: {why}")))?;
            trace.provenance.step(
                "feedback",
                format!("jobs that follow another of their session: {sessions}"),
                marked,
            );
        }
        Ok(trace)
    }

    /// Makes the scenario of a log whose runs have been joined and whose sessions have been marked.
    pub fn prepare_marked(&self, mut trace: Trace, choice: &MachineChoice) -> Result<Prepared, Failure> {
        let mut findings = std::mem::take(&mut trace.findings);
        let mut provenance = trace.provenance.clone();
        let scenario = self.scenario(choice, &trace, &mut findings, &mut provenance);
        if let Some(names) = redact::names(&trace.header) {
            names.findings(&mut findings);
            names.provenance(&mut provenance);
            names.redact(&mut trace);
        }
        if let Err(Failure::Input(text)) = &scenario {
            // The findings explain why no job is left.
            if self.is_call {
                let list = findings.list().iter().map(|finding| format!("\n{finding}"));
                return Err(Failure::Input(text.clone() + &list.collect::<String>()));
            }
            if !self.source.quiet {
                tell::findings(&findings);
            }
        }
        let (steps, reading) = (self.steps.clone(), self.reading(choice));
        let usage_limits = self.usage_limits.clone();
        let calendar = self.calendar.as_ref().map(|path| format!("{path} (foresight {})", self.foresight));
        // A rule that the user gave is always stated.
        let tells_classes_apart = self.interactive != InteractiveRule::default();
        let scenario = scenario?;
        let mut prepared = Prepared {
            scenario,
            reading,
            trace,
            findings,
            provenance,
            steps,
            usage_limits,
            priorities: self.priorities.clone(),
            slurm: self.slurm.words(),
            calendar,
            feedback: self.feedback,
            requeues: self.requeues,
            tells_classes_apart: false,
        };
        if tells_classes_apart {
            prepared.tell_classes_apart();
        }
        prepared.stop_by(&self.stop)?;
        Ok(prepared)
    }

    /// Reads the log and cleans it by the rules, if there are any.
    pub fn cleaned(&self, registry: &Registry) -> Result<Trace, Failure> {
        self.clean(self.source.read_named(registry, &self.trace, self.slurm.is_given(), self.strict)?)
    }

    /// Cleans a log by the rules, if there are any.
    pub fn clean(&self, trace: Trace) -> Result<Trace, Failure> {
        let Some(rules) = &self.rules else { return Ok(trace) };
        rules::cleaned(&trace, rules, self.source.quiet)
    }

    /// Returns the cleaned log after applying the steps, if there are any.
    pub fn shaped(
        &self,
        registry: &Registry,
        choice: &MachineChoice,
        cleaned: impl FnOnce() -> Result<Trace, Failure>,
    ) -> Result<Trace, Failure> {
        let Some(path) = &self.steps else { return cleaned() };
        let steps = StepsFile::read(path)?;
        steps.refuse_splits()?;
        self.shaped_by(&steps, registry, choice, cleaned()?, self.seed)
    }

    /// Applies steps that yield a single log to a cleaned log.
    pub fn shaped_by(
        &self,
        steps: &StepsFile,
        registry: &Registry,
        choice: &MachineChoice,
        trace: Trace,
        seed: u64,
    ) -> Result<Trace, Failure> {
        let measure = |trace: &Trace, target: &Target| {
            let scenario =
                self.scenario(choice, trace, &mut Findings::lenient(), &mut Provenance::default())?;
            calibration::measure(registry, &scenario, self.overrun, target).map_err(Failure::Input)
        };
        let shaped = steps.apply(registry, trace, seed, &self.source, self.strict, &measure)?;
        let mut logs = shaped.logs.into_iter().map(|log| log.trace);
        logs.next().ok_or_else(|| Failure::Input(format!("{} leaves no log", steps.path())))
    }

    /// Reads a trace as the jobs of a replay.
    fn scenario(
        &self,
        choice: &MachineChoice,
        trace: &Trace,
        findings: &mut Findings,
        provenance: &mut Provenance,
    ) -> Result<Scenario, Failure> {
        let reading = self.reading(choice);
        let machine = choice.machine(trace, &reading, findings)?;
        let machine = if reading.layout == LayoutRule::Pool { machine.as_pool() } else { machine };
        let workload = Workload::read(trace, &machine, &reading, findings, provenance)?;
        if self.layout == Some(LayoutRule::Log) && !workload.has_own_layouts() {
            let (jobs, detail) =
                (workload.len() as u64, "the log has no column `nodes`, `ppn` or `task_procs`");
            findings.report_many(&LAYOUT_UNTOLD, jobs, || Example { place: None, detail: detail.into() })?;
        }
        let workload = match &choice.slurm {
            Some(slurm) => slurm.system.placed(workload, trace, &machine, findings, provenance)?,
            None => workload,
        };
        let (workload, limits) = match &self.usage_limits {
            None => (workload, None),
            Some(path) => {
                let file = LimitFile::parse(&read_text(path)?, path)?;
                let (workload, table) = file.apply(workload, trace, &machine, findings, provenance)?;
                (workload, Some(Arc::new(table)))
            }
        };
        let given = self.calendar.as_ref().map(|path| calendar(path, findings)).transpose()?;
        let own = choice.slurm.as_ref().and_then(|slurm| slurm.system.calendar(trace));
        let own = own.map(|text| CalendarFile::parse(&text, "reservations of --slurm")).transpose()?;
        let calendar = match (given, own) {
            (Some(given), Some(own)) => Some(given.and(own)),
            (given, own) => given.or(own),
        };
        let (workload, capacity) = match calendar {
            None => (workload, None),
            Some(file) => {
                let (workload, calendar) =
                    file.apply(workload, trace, &machine, self.foresight, findings, provenance)?;
                (workload, Some(calendar).filter(|calendar| !calendar.closures.is_empty()).map(Arc::new))
            }
        };
        let (workload, priorities) = match &self.priorities {
            None => (workload, None),
            Some(path) => {
                let file = PriorityFile::parse(&read_text(path)?, path)?;
                let (workload, table) = file.apply(workload, &machine, trace, findings, provenance)?;
                (workload, Some(Arc::new(table)))
            }
        };
        let workload = workload.with_interactive(&self.interactive, &machine);
        let workload = workload.map_err(|error| Failure::Usage(format!("--interactive:\n{error}")))?;
        let resolve = |installation: &Installation| {
            SlurmSite::resolve(installation.system.clone(), &workload, trace, findings)
        };
        let names = redact::names(&trace.header);
        let mut slurm = choice.slurm.as_ref().map(resolve).transpose()?;
        if let (Some(names), Some(site)) = (&names, &mut slurm) {
            site.redact(names);
        }
        let mut slurm = slurm.map(Arc::new);
        let limits = match &slurm {
            Some(site) => {
                let own = site.limits(&workload, findings)?.limits;
                let given = limits.iter().flat_map(|table| table.limits.clone());
                let limits: Vec<_> = given.chain(own).collect();
                (!limits.is_empty()).then(|| Arc::new(LimitTable { limits }))
            }
            None => limits,
        };
        if let Some(site) = &mut slurm {
            let computed = batchlab_slurm::twin::computed(site, &workload, &machine);
            Arc::make_mut(site).computed = computed;
        }
        let (limits, capacity) = match &names {
            Some(names) => (
                limits.map(|table| Arc::new(names.limits((*table).clone()))),
                capacity.map(|calendar| Arc::new(names.calendar((*calendar).clone()))),
            ),
            None => (limits, capacity),
        };
        Ok(Scenario {
            workload: Arc::new(workload),
            machine: Arc::new(machine),
            order: self.events,
            costs: self.cost,
            limits,
            priorities,
            capacity,
            slurm,
            stop: Stop::default(),
            budget: self.limits.limits().budget(&Budget::default()),
            seed: self.seed,
        })
    }

    /// Returns the rules by which the log is read as jobs.
    pub fn reading(&self, choice: &MachineChoice) -> Reading {
        let tasks = self.task_procs.or_else(|| choice.plain.file.as_ref().and_then(MachineFile::task_procs));
        let plain = match &choice.slurm {
            None => LayoutRule::default(),
            Some(slurm) if slurm.system.select.whole_nodes => LayoutRule::WholeNode,
            // The installation lays its jobs out by what they asked for.
            Some(_) => LayoutRule::Tasks(1),
        };
        Reading {
            layout: self.layout.or(tasks.map(LayoutRule::Tasks)).unwrap_or(plain),
            size: self.size,
            estimate: self.estimate,
            // slurmctld looks for overdue jobs every 30 s, so that jobs outlive their limits, which stay what they were.
            overrun: match self.overrun {
                Overrun::Raise if choice.slurm.is_some() => Overrun::Overdue,
                overrun => overrun,
            },
            memory: self.memory,
            running: self.running,
            queue_from: self.queue_from,
            dependencies: if self.feedback.is_some() { Dependencies::Log } else { self.dependencies },
            cancel: self.cancel,
            statuses: self.status.clone(),
            drop_zero_run: self.drop_zero_run,
            load: self.load,
            scale_run: self.scale_run,
            seed: self.seed,
        }
    }

    /// Returns the machine as given by options and machine file.
    pub fn choice(&self) -> Result<MachineChoice, Failure> {
        if self.nodes.is_none() && self.machine.is_none() && !self.slurm.is_given() {
            let given = [("--task-procs", self.task_procs.is_some()), ("--layout", self.layout.is_some())];
            if let Some((option, _)) = given.into_iter().find(|(_, given)| *given) {
                return Err(Failure::Usage(format!(
                    "{option} is about nodes: give --nodes N or --machine FILE too; on a pool no task is apart"
                )));
            }
        }
        let (procs, nodes, capacities) = (self.procs, self.nodes, self.capacity.clone());
        let file = self.machine.as_deref().map(machine_file).transpose()?;
        let slurm = self.slurm.installation(self.strict)?;
        Ok(MachineChoice { plain: machine::MachineChoice { procs, nodes, file, capacities }, slurm })
    }
}

/// Reads a calendar: a file of events, or a failure log.
fn calendar(path: &str, findings: &mut Findings) -> Result<CalendarFile, Failure> {
    let text = read_text(path)?;
    match outages::detect(&text) {
        None => Ok(CalendarFile::parse(&text, path)?),
        Some(format) => {
            let log = outages::read(format, &text, path, findings);
            let log = log.map_err(|error| match error {
                OutageError::Unusable { .. } => Failure::Usage(error.to_string()),
                OutageError::Refused(refusal) => refusal.into(),
            })?;
            Ok(CalendarFile::of_log(log))
        }
    }
}

fn machine_file(path: &str) -> Result<MachineFile, Failure> {
    Ok(MachineFile::parse(&read_text(path)?, path)?)
}

impl From<ChoiceError> for Failure {
    fn from(error: ChoiceError) -> Failure {
        match error {
            ChoiceError::Reading(error) => error.into(),
            other => Failure::Usage(other.to_string()),
        }
    }
}

impl From<StopError> for Failure {
    fn from(error: StopError) -> Failure {
        Failure::Usage(error.to_string())
    }
}

/// The most threads for replays.
const MOST_THREADS: usize = 1024;

/// Parses a number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    text.parse()
        .ok()
        .filter(|number| (1..=MOST_THREADS).contains(number))
        .ok_or_else(|| format!("it must be a whole number from 1 to {MOST_THREADS}"))
}

/// Parses a whole number from 1.
pub fn at_least_one<N: FromStr + Default + PartialOrd>(text: &str) -> Result<N, String> {
    text.parse()
        .ok()
        .filter(|number| *number > N::default())
        .ok_or_else(|| "it must be a whole number from 1".into())
}

fn positive(text: &str) -> Result<f64, String> {
    let number: f64 = text.parse().map_err(|_| format!("`{text}` is not a number"))?;
    if number > 0.0 && number.is_finite() { Ok(number) } else { Err("it must be above zero".into()) }
}

/// Parses costs; costs that are not given are zero.
fn costs(text: &str) -> Result<Costs, String> {
    if text.is_empty() {
        Ok(Costs::default())
    } else {
        text.parse().map_err(|error: CostsError| error.to_string())
    }
}

/// Parses `memory=64GB` or `gpu=none`; `mem` is memory.
fn capacity(text: &str) -> Result<(String, Capacity), String> {
    let error = || format!("`{text}` is neither NAME=AMOUNT, such as memory=64GB or gpu=16, nor NAME=none");
    let (name, amount) = text.split_once('=').ok_or_else(error)?;
    let name = if name == "mem" { "memory" } else { name };
    if name.is_empty() || name == "procs" {
        return Err(error());
    }
    let capacity = match amount {
        "none" => Capacity::LeftOut,
        _ => Capacity::Of(amount.parse().map_err(|_| error())?),
    };
    Ok((name.into(), capacity))
}
