//! The options of the verbs that programs call, beside those of a scenario.

use batchlab_traces::reading::parse_duration;

use super::rows::{flag, group, many, one, other, push, push_parsed, put, put_parsed, some, some_parsed};
use super::spec::{Caller, Decides, Files, OptionSpec, Takes};
use crate::lab::settings::parse::{shard, threads};
use crate::lab::settings::plugins::ceiling;

use Caller::{Compare, Replay, Run, Shape};

const fn strict(help: &'static str) -> [OptionSpec; 1] {
    group(Some("Reading"), Decides::Log, [flag("strict", help, |s| s.scenario.source.strict = true)])
}

/// Whether findings are refused, of verbs with a scenario.
pub static STRICT: [OptionSpec; 1] =
    strict("Refuse at the first finding that drops, mends or guesses something");

/// As [`STRICT`], of verbs that find something in a log that has been read.
pub static STRICT_READING: [OptionSpec; 1] =
    strict("Refuse at the first finding that drops, mends or guesses something while reading");

/// As [`STRICT`], of verbs that write a log.
pub static STRICT_WRITING: [OptionSpec; 1] =
    strict("Refuse at the first finding that drops, mends or guesses something, and write nothing");

/// What is kept of a log of Slurm, of calls that read a log.
pub static PLACES: [OptionSpec; 1] = group(
    None,
    Decides::Nothing,
    [flag(
        "places",
        "Keep what jobs of a Slurm log asked of nodes, and the nodes on which they ran, for replays with the files of the \
     installation",
        |s| s.places = true,
    )],
);

pub static POLICY: [OptionSpec; 1] = group(
    None,
    Decides::Nothing,
    [many(
        "policy",
        "SPEC",
        "A policy, as name:key=value,key=value; see `batchlab list policies` [default with --slurm: slurm]",
        |s, text| push(&mut s.replay.policy, text),
    )
    .common()
    .required_unless("slurm")
    .files(Files::Policy)
    .not_in(&[Replay, Compare])],
);

/// Which plug-ins are let in.
pub static PLUGINS: [OptionSpec; 4] = group(
    Some("Plug-ins"),
    Decides::Nothing,
    [
        many(
            "plugin",
            "FILE",
            "Make the policies of a plug-in (.wasm, .wat, .so) available by name, like built-in ones; may be repeated",
            |s, text| push(&mut s.plugins.plugin, text),
        )
        .reads(),
        flag(
            "allow-native",
            "Allow shared libraries: native code, which can do anything that you can",
            |s| s.plugins.allow_native = true,
        ),
        flag(
            "allow-exec",
            "Allow files to start the commands (exec:) that they name as policies; a command typed here needs no \
         permission",
            |s| s.plugins.allow_exec = true,
        ),
        many(
            "allow-limit",
            "KEY=VALUE",
            "Let specs in files set a limit of plug-ins (fuel, memory, timeout) above its default, up to this value; may \
         be repeated. Limits that are typed here as part of a spec need no permission",
            |s, text| push_parsed(&mut s.plugins.allow_limit, ceiling(text)),
        ),
    ],
);

pub static MEASURE: [OptionSpec; 6] = group(Some("Measurement"), Decides::Nothing, [
    one(
        "metrics",
        "A,B,C|NAME=DEFINITION",
        "Metrics, by key (see `batchlab list metrics`), or of your own as NAME=STATISTIC(EXPRESSION), such as \
         'short=share(wait < 10min)' or 'wide=p95(wait / procs)'",
        |s, text| some(&mut s.measure.metrics, text),
    )
    .common(),
    many(
        "classes",
        "PRESET|NAME=CONDITION",
        "Measure classes of jobs apart: zhang, feitelson4x4, interactive, or one by a condition, such as 'wide=procs \
         > 32 and run > 4h'; may be given several times",
        |s, text| push(&mut s.measure.classes, text),
    )
    .common(),
    one(
        "tau",
        "TIME",
        "Bound of the bounded slowdown",
        |s, text| put_parsed(&mut s.measure.tau, parse_duration(text)),
    )
    .default("10"),
    one(
        "warmup",
        "SHARE|TIME|mser5",
        "Leave out the beginning: a share of terminations such as 1%, a time such as 2d, or the first jobs that \
         MSER-5 cuts from the waits of each replay (mser5; nothing if it finds no cut in the first half)",
        |s, text| put(&mut s.measure.warmup, text),
    )
    .default("none"),
    one(
        "cooldown",
        "submit|TIME",
        "Leave out the end: jobs that end after the last submission (submit), or a time such as 2d",
        |s, text| put(&mut s.measure.cooldown, text),
    )
    .default("none"),
    one(
        "prefix",
        "TIME",
        "Simulate the jobs of this time from the first submission, but do not measure them",
        |s, text| put_parsed(&mut s.measure.prefix, parse_duration(text)),
    )
    .default("0"),
]);

pub static ROWS: [OptionSpec; 2] = group(
    Some("Rows"),
    Decides::Nothing,
    [
        flag(
            "clairvoyant",
            "Add a row for each policy with the actual run times as estimates; a comparison, not a bound",
            |s| s.replay.clairvoyant = true,
        )
        .not_in(&[Replay]),
        flag(
            "bounds",
            "Add a row of proven lower bounds: no wait at all, and squashed area for the makespan",
            |s| s.replay.bounds = true,
        )
        .not_in(&[Replay]),
    ],
);

pub static TABLE: [OptionSpec; 5] = group(Some("Output"), Decides::Nothing, [
    one(
        "format",
        "FORM",
        "Form of the table: table, markdown, latex, html, csv or json",
        |s, text| put(&mut s.replay.format, text),
    )
    .common()
    .default("table")
    .not_in(&[Replay, Compare]),
    one(
        "schedule",
        "FILE.csv",
        "Write the schedule of the one policy",
        |s, text| some(&mut s.replay.schedule, text),
    )
    .common()
    .writes()
    .not_in(&[Replay, Compare]),
    one(
        "out",
        "DIR",
        "Write the schedules of all policies, and the summary, into a folder",
        |s, text| some(&mut s.replay.out, text),
    )
    .common()
    .writes_into()
    .not_in(&[Replay, Compare]),
    one(
        "evalys",
        "DIR",
        "Write the schedules of all policies into a folder as the simulator Batsim does, for evalys: POLICY_jobs.csv and \
         POLICY_schedule.csv",
        |s, text| some(&mut s.replay.evalys, text),
    )
    .writes_into()
    .not_in(&[Replay, Compare]),
    one(
        "schedule-columns",
        "A,B,C",
        "With --schedule or --out: further columns of schedules, such as user,queue,estimate,wait,bsld; see `batchlab \
         list schedule-columns`",
        |s, text| some(&mut s.replay.schedule_columns, text),
    )
    .not_in(&[Replay, Compare]),
]);

pub static WAY: [OptionSpec; 2] = group(Some("Replay"), Decides::Nothing, [
    flag(
        "stream",
        "Replay while reading, in memory for the jobs alive only: for SWF logs that are sorted or nearly so, on a \
         pool",
        |s| s.replay.stream = true,
    )
    .not_in(&[Replay, Compare]),
    one(
        "threads",
        "N",
        "Policies that are replayed at the same time [default: one per core]",
        |s, text| some_parsed(&mut s.replay.threads, threads(text)),
    )
    .not_in(&[Replay]),
]);

pub static RUN: [OptionSpec; 14] = group(
    None,
    Decides::Nothing,
    [
        other(
            "out",
            "DIR",
            "The folder of the results [default: the experiment's name with -results behind it]",
            Takes::Path(|s, path| s.run.out = Some(path)),
        )
        .common()
        .writes_into(),
        flag("resume", "Continue with existing results; run only what is missing or has changed", |s| {
            s.run.resume = true;
        })
        .common(),
        one(
            "shard",
            "I/N",
            "Run only the I-th of N parts; `batchlab merge` joins their folders",
            |s, text| some_parsed(&mut s.run.shard, shard(text)),
        )
        .not_in(&[Run]),
        one("threads", "T", "Replays that run at the same time [default: one per core]", |s, text| {
            some_parsed(&mut s.run.threads, threads(text))
        })
        .common(),
        one(
            "profile",
            "NAME",
            "Run with the values of [profile.NAME] of the file in the place of its own, such as fewer jobs and \
         replications",
            |s, text| some(&mut s.run.profile, text),
        )
        .common(),
        other(
            "logs",
            "DIR",
            "A folder in which logs are looked for that are not beside the experiment, by their names or by `sha256`; may \
         be given several times",
            Takes::Paths(|s, path| s.run.logs.push(path)),
        )
        .common()
        .reads(),
        one(
            "baseline",
            "LABEL",
            "Baseline that the other policies are compared with, instead of the experiment's",
            |s, text| some(&mut s.run.baseline, text),
        ),
        flag("schedules", "Keep the schedule of every replay too, in schedules/KEY.csv.gz", |s| {
            s.run.schedules = true;
        }),
        one(
            "schedule-columns",
            "A,B,C",
            "With --schedules or --schedule: columns of schedules beside the first five; see `batchlab list \
         schedule-columns` [default: user,queue,estimate,run,wait,bsld, and class if classes are measured]",
            |s, text| some(&mut s.run.schedule_columns, text),
        ),
        flag(
            "dry-run",
            "Print the planned replays and the time that they would take, without running them",
            |s| s.run.dry_run = true,
        )
        .common()
        .not_in(&[Run]),
        one(
            "key",
            "KEY",
            "Repeat one replay by its key and print its rows; nothing is written to the folder",
            |s, text| some(&mut s.run.key, text),
        )
        .excludes(&["out", "resume", "shard", "schedules", "dry-run"])
        .not_in(&[Run]),
        one("schedule", "FILE.csv", "With --key: write its schedule", |s, text| {
            some(&mut s.run.schedule, text)
        })
        .writes()
        .requires("key")
        .not_in(&[Run]),
        one(
            "format",
            "FORM",
            "Form of the tables on standard output: table, markdown, latex, html, csv or json",
            |s, text| put(&mut s.run.format, text),
        )
        .default("table")
        .not_in(&[Run]),
        flag("quiet", "Print only errors on standard error", |s| s.run.quiet = true)
            .short('q')
            .not_in(&[Run]),
    ],
);

pub static SHAPE: [OptionSpec; 3] = group(
    None,
    Decides::Nothing,
    [
        one("steps", "STEPS.toml", "The file of steps", |s, text| put(&mut s.shape.steps, text))
            .common()
            .required()
            .reads()
            .not_in(&[Shape]),
        one(
            "output",
            "OUT",
            "The SWF file to write; packed if its name ends in .gz; - for standard output",
            |s, text| put(&mut s.shape.output, text),
        )
        .common()
        .writes()
        .short('o')
        .required()
        .not_in(&[Shape]),
        one("seed", "S", "Seed of all random numbers", |s, text| put(&mut s.shape.seed, text)).default("1"),
    ],
);
