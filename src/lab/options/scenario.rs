//! The options of a scenario: the log, the machine, the jobs, the replay.

use batchlab_traces::number::counted;
use batchlab_traces::reading::{Cancel, Dependencies, Estimate, Requeues};
use batchlab_traces::workload::InteractiveRule;

use super::help;
use super::rows::{flag, group, list, many, one, push, push_parsed, put, put_parsed, some, some_parsed};
use super::spec::{Caller, Decides, Files, Help, OptionSpec, ReplayFacts};
use crate::lab::logs::rules::is_text;
use crate::lab::settings::limits;
use crate::lab::settings::parse::{at_least_one, capacity, costs, positive};
use crate::outcome::StopRule;

use Caller::{Compare, Read, Replay, Run, Shape, Sweep, Workload};

/// Calls that get a log that has been read.
const WITH_LOG: &[Caller] = &[Shape, Replay, Compare];

pub static TRACE: [OptionSpec; 1] = group(
    None,
    Decides::Log,
    [one("trace", "TRACE", "The log: a file, packed or not, or - for standard input", |s, text| {
        put(&mut s.scenario.trace, text)
    })
    .place()
    .required()
    .reads()],
);

pub static SOURCE: [OptionSpec; 4] = group(Some("Reading"), Decides::Log, [
    one(
        "from",
        "FORMAT",
        "Format of the log, instead of detecting it from the content",
        |s, text| some(&mut s.scenario.source.from, text),
    )
    .common()
    .not_in(WITH_LOG),
    one(
        "mapping",
        "FILE.toml",
        "Mapping file that describes the columns of the log, for any table; `list formats NAME --mapping` prints one \
         to start from",
        |s, text| some(&mut s.scenario.source.mapping, text),
    )
    .reads()
    .stated(2, |of| of.prepared?.settings.source.mapping.clone())
    .not_in(WITH_LOG),
    one(
        "log-columns",
        "A,B,...",
        "Columns of a log without a heading, for formats whose columns vary, such as JobID,Submit,Start,End,State",
        |s, text| some(&mut s.scenario.source.log_columns, text),
    )
    .stated(3, |of| of.prepared?.settings.source.log_columns.clone())
    .not_in(WITH_LOG),
    one(
        "zone",
        "ZONE",
        "Time zone of the log's clock, such as Europe/Stockholm or +02:00, instead of the format's own zone",
        |s, text| some(&mut s.scenario.source.zone, text),
    )
    .hyphens()
    .stated(1, |of| of.zone.map(|zone| zone.to_string())),
]);

pub static QUIET: [OptionSpec; 1] = group(
    Some("Reading"),
    Decides::Nothing,
    [flag("quiet", "Print only errors on standard error", |s| s.scenario.source.quiet = true)
        .short('q')
        .not_in(&[Workload, Sweep, Read, Shape, Replay, Compare, Run])],
);

pub static MACHINE: [OptionSpec; 7] = group(Some("Machine"), Decides::Jobs, [
    one(
        "procs",
        "N",
        "Processors of the machine [default: `MaxProcs` of the header]",
        |s, text| some(&mut s.scenario.procs, text),
    )
    .common(),
    one(
        "nodes",
        "N",
        "Number of nodes of the machine; the processors are divided equally among them [default: one pool]",
        |s, text| some_parsed(&mut s.scenario.nodes, at_least_one(text)),
    ),
    one(
        "layout",
        "log|tasks:T|whole-node|pool",
        "How jobs lie on nodes: as the record of each tells (its nodes, processors per node and task, whether it is \
         alone there), in tasks of T processors each placed whole on one node, on whole nodes that no other job \
         shares, or anywhere in one pool of all nodes [default: log]",
        |s, text| some(&mut s.scenario.layout, text),
    )
    .excludes(&["task-procs"]),
    one(
        "task-procs",
        "T",
        "The same as --layout tasks:T",
        |s, text| some_parsed(&mut s.scenario.task_procs, at_least_one(text)),
    ),
    one(
        "machine",
        "FILE.toml",
        "",
        |s, text| some(&mut s.scenario.machine, text),
    )
    .excludes(&["procs", "nodes"])
    .reads()
    .help(Help::Long(help::MACHINE)),
    list(
        "capacity",
        "NAME=AMOUNT",
        "Capacity of a further resource, such as memory=64GB: per node, or of the whole pool; `memory=none` leaves a \
         resource out [default: capacities that the log's header declares]",
        |s, text| push_parsed(&mut s.scenario.capacity, capacity(text)),
    ),
    one(
        "memory",
        "requested|used",
        "Memory of a job: what was requested, or what was used",
        |s, text| put(&mut s.scenario.memory, text),
    )
    .default("requested"),
]);

pub static JOBS: [OptionSpec; 14] = group(Some("Jobs"), Decides::Jobs, [
    one(
        "size",
        "requested|allocated",
        "Size of a job: requested processors, or allocated ones",
        |s, text| put(&mut s.scenario.size, text),
    )
    .default("requested"),
    one(
        "queue-from",
        "submit|eligible",
        "Instant from which a job waits, if the log records when it became eligible (held, dependent, postponed jobs)",
        |s, text| put(&mut s.scenario.queue_from, text),
    )
    .default("eligible")
    .stated(6, |of| of.prepared?.held()),
    one(
        "dependencies",
        "log|ignore",
        "Whether jobs wait for the jobs that they depend on in the log (fields 17 and 18, submit lines), and tasks \
         for the throttle of their array: with log, a job enters the queue when the replay has met its dependencies, \
         and its user has thought; with ignore, when it did in the log",
        |s, text| put(&mut s.scenario.dependencies, text),
    )
    .default("ignore")
    .whole_log(|s| s.dependencies != Dependencies::default())
    .stated(9, dependent),
    one(
        "cancel",
        "log|ignore",
        "Jobs that were cancelled before they started, where the log tells when: drop them (ignore), or let them wait \
         and leave as long after their entry into the queue as in the log (log). Such jobs are not measured",
        |s, text| put(&mut s.scenario.cancel, text),
    )
    .default("ignore")
    .whole_log(|s| s.cancel != Cancel::default())
    .stated(10, cancelled),
    one(
        "requeues",
        "each|last|sum",
        "Runs of a job that was put back into the queue, where the log has a record of each: every run is a job \
         (each), or the job enters with its first run and is as long as its last run (last), or as all runs together \
         (sum)",
        |s, text| put(&mut s.scenario.requeues, text),
    )
    .default("each")
    .whole_log(|s| s.requeues != Requeues::default())
    .stated(7, |of| unless_default(&of.prepared?.settings.requeues)),
    one(
        "feedback",
        "arrivals|ends[:GAP]",
        "Let users submit as they did: each job follows, after its think time, the job of its user's session that had \
         ended last. Sessions end with a gap between arrivals (of 1h, unless given), or after ends (of 20m). Implies \
         --dependencies log",
        |s, text| some(&mut s.scenario.feedback, text),
    )
    .whole_log(|s| s.feedback.is_some())
    .stated(8, |of| of.prepared?.settings.feedback.map(|sessions| sessions.to_string())),
    one(
        "estimate",
        "KIND",
        "Run times that schedulers see: requested (of jobs without a limit MaxTime of the partition with --slurm, else 365 \
         days), actual, phi:X, factor:X, tsafrir or tsafrir:MAX",
        |s, text| put(&mut s.scenario.estimate, text),
    )
    .common()
    .default("requested")
    .whole_log(|s| matches!(s.estimate, Estimate::Phi(_) | Estimate::Tsafrir(_)))
    .in_part("phi and tsafrir"),
    one(
        "overrun",
        "raise|kill|overdue",
        "Treatment of a job that ran longer than its estimate: raise the estimate, kill the job at it, or keep both; \
         with --slurm, raise also keeps both, since slurmctld ends jobs some time after their limit",
        |s, text| put(&mut s.scenario.overrun, text),
    )
    .default("raise"),
    list(
        "status",
        "CODE,...",
        "Keep only jobs with one of these values in the log's status field",
        |s, text| push(&mut s.scenario.status, text),
    ),
    one(
        "running",
        "drop|limit|all",
        "Treatment of jobs that had not ended when the log was written: drop them, let those that ran run until their \
         limit (or as long as they had already run, if that is longer), or all of them. Jobs without a limit run for what \
         counts instead: MaxTime of the partition (--slurm), else 365 days; where the log does not state the limit, limit drops \
         them",
        |s, text| put(&mut s.scenario.running, text),
    )
    .default("drop")
    .stated(11, |of| unless_default(&of.reading.running)),
    flag(
        "drop-zero-run",
        "Leave out jobs with a run time of zero",
        |s| s.scenario.drop_zero_run = true,
    ),
    one(
        "interactive",
        "CONDITION|shortest:SHARE",
        "Which jobs are interactive, all others being batch jobs: a condition, or shortest:SHARE, the share of the \
         jobs with the smallest run times",
        |s, text| put(&mut s.scenario.interactive, text),
    )
    .default("queue = 0")
    .whole_log(|s| s.interactive != InteractiveRule::default())
    .stated(18, interactive),
    one(
        "load",
        "F",
        "Multiply the offered load: submit times, counted from the first, are divided by F",
        |s, text| put_parsed(&mut s.scenario.load, positive(text)),
    )
    .common()
    .default("1")
    .not_in(&[Sweep])
    .whole_log(|s| s.load != 1.0),
    one(
        "scale-run",
        "F",
        "Multiply run times and requested times by F",
        |s, text| put_parsed(&mut s.scenario.scale_run, positive(text)),
    )
    .default("1"),
]);

pub static REPLAY: [OptionSpec; 8] = group(Some("Replay"), Decides::Jobs, [
    one(
        "events",
        "ORDER",
        "Order of simultaneous events: batch, submit-first, finish-first or periodic:S, a decision every S seconds \
         (1s to 52w) while jobs wait",
        |s, text| put(&mut s.scenario.events, text),
    )
    .default("batch"),
    one(
        "cost",
        "COSTS",
        "What a context switch (share of a slice), a migration and swapping (rate of each processor) cost, such as \
         switch=0.05,migrate=30s,swap=20MB/s [default: nothing]",
        |s, text| put_parsed(&mut s.scenario.cost, costs(text)),
    )
    .default_unshown("")
    .stated_as(16, "costs", |of| unless_default(&of.scenario.costs)),
    one(
        "stop",
        "all|last-interactive|last:CONDITION",
        "When the replay ends: when all jobs have ended, or when the last interactive one has, or the last one for \
         which a condition holds. Jobs that have not ended by then are not measured",
        |s, text| put(&mut s.scenario.stop, text),
    )
    .default("all")
    .whole_log(|s| s.stop != StopRule::All)
    .stated(17, stop),
    one(
        "seed",
        "S",
        "Seed of all random numbers",
        |s, text| put(&mut s.scenario.seed, text),
    )
    .default("1")
    .not_in(&[Workload, Sweep]),
    one(
        "limits",
        "FILE.toml",
        "",
        |s, text| some(&mut s.scenario.usage_limits, text),
    )
    .reads()
    .whole_log(|s| s.usage_limits.is_some())
    .stated(13, |of| of.prepared?.settings.usage_limits.clone())
    .help(Help::Long(help::LIMITS)),
    one(
        "priorities",
        "FILE.toml",
        "",
        |s, text| some(&mut s.scenario.priorities, text),
    )
    .reads()
    .whole_log(|s| s.priorities.is_some())
    .stated(14, |of| of.prepared?.settings.priorities.clone())
    .help(Help::Long(help::PRIORITIES)),
    one(
        "calendar",
        "FILE",
        "",
        |s, text| some(&mut s.scenario.calendar, text),
    )
    .reads()
    .whole_log(|s| s.calendar.is_some())
    .stated(15, |of| of.prepared?.calendar.clone())
    .help(Help::Long(help::CALENDAR)),
    one(
        "foresight",
        "calendar|none|reservations",
        "What policies know in advance of the changes in the file of --calendar: all of them, none, or those that are \
         announced (`known`)",
        |s, text| put(&mut s.scenario.foresight, text),
    )
    .default("reservations"),
]);

// The jobs of Slurm keep what they asked of nodes when the log is read for an installation.
/// The installation.
pub static SLURM: [OptionSpec; 2] = group(
    Some("Machine"),
    Decides::Log,
    [many("slurm", "FILE", "", |s, text| push(&mut s.scenario.slurm.files, text))
        .common()
        .excludes(&["procs", "nodes", "machine"])
        .reads()
        .of_log()
        .whole_log(|s| s.slurm.is_given())
        .stated(12, |of| of.prepared?.settings.slurm.words())
        .help(Help::Long(help::SLURM)),
    one(
        "slurm-version",
        "X.Y",
        "Version of Slurm whose rules and defaults hold, instead of the one that the files of --slurm state [default: that \
         of `scontrol show config`, else 25.05]",
        |s, text| s.scenario.slurm.set_version(text),
    )
    .requires("slurm")
    .of_log()
    .stated(19, |of| of.prepared?.settings.slurm.version.map(|version| version.to_string()))],
);

pub static DELAYS: [OptionSpec; 1] = group(Some("Replay"), Decides::Jobs, [
    one(
        "slurm-delays",
        "react=TIME,complete=TIME",
        "How long slurmctld takes: from an event to the pass that it causes, and from the end of a job until its \
         nodes are free again; parameters of the policy slurm [default: react=0.5s,complete=0s]",
        |s, text| some(&mut s.scenario.slurm.delays, text),
    )
    .not_in(&[Workload]),
]);

pub static LIMITS: [OptionSpec; 1] = group(
    Some("Limits"),
    Decides::Nothing,
    [many("limit", "KEY=VALUE", "", |s, text| s.scenario.limits.add(text))
        .not_in(&[Workload, Sweep])
        .help(Help::Made(limits::help))],
);

/// What is done with a log that has been read.
pub static LATE: [OptionSpec; 2] = group(
    Some("Reading"),
    Decides::Log,
    [
        one(
            "rules",
            "RULES",
            "Clean the log first: a file of rules (TOML), or a preset such as pwa:kth-sp2",
            |s, text| some(&mut s.scenario.rules, text),
        )
        .common()
        .files(Files::ReadOrText)
        .not_in(&[Workload])
        .stated(4, |of| of.prepared?.settings.rules.as_deref().map(named))
        .whole_log(|s| s.rules.is_some()),
        one(
            "steps",
            "STEPS",
            "Then shape it by the steps of a file (TOML); see `batchlab list steps`",
            |s, text| some(&mut s.scenario.steps, text),
        )
        .common()
        .files(Files::ReadOrText)
        .not_in(&[Workload])
        .whole_log(|s| s.steps.is_some())
        .stated(5, |of| of.prepared?.settings.steps.as_deref().map(named)),
    ],
);

fn unless_default<T: Default + PartialEq + std::fmt::Display>(value: &T) -> Option<String> {
    (*value != T::default()).then(|| value.to_string())
}

fn named(file: &str) -> String {
    if is_text(file) { "of the experiment".into() } else { file.into() }
}

fn dependent(of: &ReplayFacts<'_>) -> Option<String> {
    let closed = of.scenario.workload.conditions().len() as u64;
    (closed > 0).then(|| format!("log ({})", counted(closed, "dependent job")))
}

fn cancelled(of: &ReplayFacts<'_>) -> Option<String> {
    let workload = &of.scenario.workload;
    let cancelled = workload.jobs().filter(|&job| workload.patience(job).is_some()).count() as u64;
    (cancelled > 0).then(|| format!("log ({})", counted(cancelled, "job")))
}

fn stop(of: &ReplayFacts<'_>) -> Option<String> {
    let stop = &of.scenario.stop;
    stop.is_early().then(|| stop.rule().to_string())
}

fn interactive(of: &ReplayFacts<'_>) -> Option<String> {
    let rule = || of.scenario.workload.interactive_rule().to_string();
    of.prepared?.tells_classes_apart.then(rule)
}
