"""Options of functions: those of the command line, with underscores for dashes.

Written by ``UPDATE_SAMPLES=1 cargo test -p batchlab --test main -- python::``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypedDict, Union

#: A value of an option, as on the command line.
Value = Union[str, int, float, "os.PathLike[str]"]
#: Values of an option, or one.
Values = Union[Value, Sequence[Value]]


class ReadOptions(TypedDict, total=False):
    """Options of reading a log."""

    from_: Values
    """Format of the log, instead of detecting it from the content."""
    mapping: Values
    """Mapping file that describes the columns of the log, for any table; `list formats NAME --mapping` prints one to start from."""
    log_columns: Values
    """Columns of a log without a heading, for formats whose columns vary, such as JobID,Submit,Start,End,State."""
    zone: Values
    """Time zone of the log's clock, such as Europe/Stockholm or +02:00, instead of the format's own zone."""
    strict: bool
    """Refuse at the first finding that drops, mends or guesses something."""
    places: bool
    """Keep what jobs of a Slurm log asked of nodes, and the nodes on which they ran, for replays with the files of the installation."""


class ShapeOptions(TypedDict, total=False):
    """Options of shaping a log."""

    seed: Values
    """Seed of all random numbers."""
    strict: bool
    """Refuse at the first finding that drops, mends or guesses something, and write nothing."""
    zone: Values
    """Time zone of the log's clock, such as Europe/Stockholm or +02:00, instead of the format's own zone."""
    plugin: Values
    """Make the policies of a plug-in (.wasm, .wat, .so) available by name, like built-in ones; may be repeated."""
    allow_native: bool
    """Allow shared libraries: native code, which can do anything that you can."""
    allow_exec: bool
    """Allow files to start the commands (exec:) that they name as policies; a command typed here needs no permission."""
    allow_limit: Values
    """Let specs in files set a limit of plug-ins (fuel, memory, timeout) above its default, up to this value; may be repeated. Limits that are typed here as part of a spec need no permission."""


class ReplayOptions(TypedDict, total=False):
    """Options of a replay."""

    zone: Values
    """Time zone of the log's clock, such as Europe/Stockholm or +02:00, instead of the format's own zone."""
    procs: Values
    """Processors of the machine [default: `MaxProcs` of the header]."""
    nodes: Values
    """Number of nodes of the machine; the processors are divided equally among them [default: one pool]."""
    layout: Values
    """How jobs lie on nodes: as the record of each tells (its nodes, processors per node and task, whether it is alone there), in tasks of T processors each placed whole on one node, on whole nodes that no other job shares, or anywhere in one pool of all nodes [default: log]."""
    task_procs: Values
    """The same as --layout tasks:T."""
    machine: Values
    """A description of the machine, node by node (TOML); or a platform of SimGrid (XML), a system of AccaSim (JSON), machines of Alea."""
    capacity: Values
    """Capacity of a further resource, such as memory=64GB: per node, or of the whole pool; `memory=none` leaves a resource out [default: capacities that the log's header declares]."""
    memory: Values
    """Memory of a job: what was requested, or what was used."""
    size: Values
    """Size of a job: requested processors, or allocated ones."""
    queue_from: Values
    """Instant from which a job waits, if the log records when it became eligible (held, dependent, postponed jobs)."""
    dependencies: Values
    """Whether jobs wait for the jobs that they depend on in the log (fields 17 and 18, submit lines), and tasks for the throttle of their array: with log, a job enters the queue when the replay has met its dependencies, and its user has thought; with ignore, when it did in the log."""
    cancel: Values
    """Jobs that were cancelled before they started, where the log tells when: drop them (ignore), or let them wait and leave as long after their entry into the queue as in the log (log). Such jobs are not measured."""
    requeues: Values
    """Runs of a job that was put back into the queue, where the log has a record of each: every run is a job (each), or the job enters with its first run and is as long as its last run (last), or as all runs together (sum)."""
    feedback: Values
    """Let users submit as they did: each job follows, after its think time, the job of its user's session that had ended last. Sessions end with a gap between arrivals (of 1h, unless given), or after ends (of 20m). Implies --dependencies log."""
    estimate: Values
    """Run times that schedulers see: requested (of jobs without a limit MaxTime of the partition with --slurm, else 365 days), actual, phi:X, factor:X, tsafrir or tsafrir:MAX."""
    overrun: Values
    """Treatment of a job that ran longer than its estimate: raise the estimate, kill the job at it, or keep both; with --slurm, raise also keeps both, since slurmctld ends jobs some time after their limit."""
    status: Values
    """Keep only jobs with one of these values in the log's status field."""
    running: Values
    """Treatment of jobs that had not ended when the log was written: drop them, let those that ran run until their limit (or as long as they had already run, if that is longer), or all of them. Jobs without a limit run for what counts instead: MaxTime of the partition (--slurm), else 365 days; where the log does not state the limit, limit drops them."""
    drop_zero_run: bool
    """Leave out jobs with a run time of zero."""
    interactive: Values
    """Which jobs are interactive, all others being batch jobs: a condition, or shortest:SHARE, the share of the jobs with the smallest run times."""
    load: Values
    """Multiply the offered load: submit times, counted from the first, are divided by F."""
    scale_run: Values
    """Multiply run times and requested times by F."""
    events: Values
    """Order of simultaneous events: batch, submit-first, finish-first or periodic:S, a decision every S seconds (1s to 52w) while jobs wait."""
    cost: Values
    """What a context switch (share of a slice), a migration and swapping (rate of each processor) cost, such as switch=0.05,migrate=30s,swap=20MB/s [default: nothing]."""
    stop: Values
    """When the replay ends: when all jobs have ended, or when the last interactive one has, or the last one for which a condition holds. Jobs that have not ended by then are not measured."""
    seed: Values
    """Seed of all random numbers."""
    limits: Values
    """Limits on what users, groups, accounts, partitions, queues and service classes may use (TOML)."""
    priorities: Values
    """Tiers of jobs, and which jobs take processors from running ones (TOML)."""
    calendar: Values
    """When parts of the machine are out of service: outages, drains, maintenance, caps (TOML), or a failure log."""
    foresight: Values
    """What policies know in advance of the changes in the file of --calendar: all of them, none, or those that are announced (`known`)."""
    slurm: Values
    """A file of a Slurm installation (slurm.conf, topology.conf, the output of scontrol or sacctmgr), or a folder or tar archive of them, as slurm-collect makes. May be given several times."""
    slurm_version: Values
    """Version of Slurm whose rules and defaults hold, instead of the one that the files of --slurm state [default: that of `scontrol show config`, else 25.05]."""
    slurm_delays: Values
    """How long slurmctld takes: from an event to the pass that it causes, and from the end of a job until its nodes are free again; parameters of the policy slurm [default: react=0.5s,complete=0s]."""
    limit: Values
    """Upper limit on what the program may use; may be given several times: decisions=N: the most decisions of a replay in a row without an arrival, a start, an end or a change of rate [default: 10000000, for conform 1000000] work=N: the most work in such decisions in a row, in units of about half a microsecond: a call of a plug-in counts 2 (so, wasm), 60 (exec) or 10 (python), and more with its message and its fuel [default: 5000000, for conform 1000000] record=MIB: the most MiB of memory that intervals, slices, places and postponed ends take in a replay in which a policy suspends, resumes or slows jobs down [default: 1024, for conform 64] time=TIME: the most time that each replay may take on the clock; results then depend on the machine [default: none] jobs=N: the most jobs that a model draws [default: 20000000] replays=N: the most replays of an experiment [default: 1000000]."""
    rules: Values
    """Clean the log first: a file of rules (TOML), or a preset such as pwa:kth-sp2."""
    steps: Values
    """Then shape it by the steps of a file (TOML); see `batchlab list steps`."""
    strict: bool
    """Refuse at the first finding that drops, mends or guesses something."""
    plugin: Values
    """Make the policies of a plug-in (.wasm, .wat, .so) available by name, like built-in ones; may be repeated."""
    allow_native: bool
    """Allow shared libraries: native code, which can do anything that you can."""
    allow_exec: bool
    """Allow files to start the commands (exec:) that they name as policies; a command typed here needs no permission."""
    allow_limit: Values
    """Let specs in files set a limit of plug-ins (fuel, memory, timeout) above its default, up to this value; may be repeated. Limits that are typed here as part of a spec need no permission."""
    metrics: Values
    """Metrics, by key (see `batchlab list metrics`), or of your own as NAME=STATISTIC(EXPRESSION), such as 'short=share(wait < 10min)' or 'wide=p95(wait / procs)'."""
    classes: Values
    """Measure classes of jobs apart: zhang, feitelson4x4, interactive, or one by a condition, such as 'wide=procs > 32 and run > 4h'; may be given several times."""
    tau: Values
    """Bound of the bounded slowdown."""
    warmup: Values
    """Leave out the beginning: a share of terminations such as 1%, a time such as 2d, or the first jobs that MSER-5 cuts from the waits of each replay (mser5; nothing if it finds no cut in the first half)."""
    cooldown: Values
    """Leave out the end: jobs that end after the last submission (submit), or a time such as 2d."""
    prefix: Values
    """Simulate the jobs of this time from the first submission, but do not measure them."""


class CompareOptions(ReplayOptions, total=False):
    """Options of a comparison."""

    clairvoyant: bool
    """Add a row for each policy with the actual run times as estimates; a comparison, not a bound."""
    bounds: bool
    """Add a row of proven lower bounds: no wait at all, and squashed area for the makespan."""
    threads: Values
    """Policies that are replayed at the same time [default: one per core]."""


class RunOptions(TypedDict, total=False):
    """Options of an experiment."""

    out: Values
    """The folder of the results [default: the experiment's name with -results behind it]."""
    resume: bool
    """Continue with existing results; run only what is missing or has changed."""
    threads: Values
    """Replays that run at the same time [default: one per core]."""
    profile: Values
    """Run with the values of [profile.NAME] of the file in the place of its own, such as fewer jobs and replications."""
    logs: Values
    """A folder in which logs are looked for that are not beside the experiment, by their names or by `sha256`; may be given several times."""
    baseline: Values
    """Baseline that the other policies are compared with, instead of the experiment's."""
    schedules: bool
    """Keep the schedule of every replay too, in schedules/KEY.csv.gz."""
    schedule_columns: Values
    """With --schedules or --schedule: columns of schedules beside the first five; see `batchlab list schedule-columns` [default: user,queue,estimate,run,wait,bsld, and class if classes are measured]."""
    limit: Values
    """Upper limit on what the program may use; may be given several times: decisions=N: the most decisions of a replay in a row without an arrival, a start, an end or a change of rate [default: 10000000, for conform 1000000] work=N: the most work in such decisions in a row, in units of about half a microsecond: a call of a plug-in counts 2 (so, wasm), 60 (exec) or 10 (python), and more with its message and its fuel [default: 5000000, for conform 1000000] record=MIB: the most MiB of memory that intervals, slices, places and postponed ends take in a replay in which a policy suspends, resumes or slows jobs down [default: 1024, for conform 64] time=TIME: the most time that each replay may take on the clock; results then depend on the machine [default: none] jobs=N: the most jobs that a model draws [default: 20000000] replays=N: the most replays of an experiment [default: 1000000]."""
    plugin: Values
    """Make the policies of a plug-in (.wasm, .wat, .so) available by name, like built-in ones; may be repeated."""
    allow_native: bool
    """Allow shared libraries: native code, which can do anything that you can."""
    allow_exec: bool
    """Allow files to start the commands (exec:) that they name as policies; a command typed here needs no permission."""
    allow_limit: Values
    """Let specs in files set a limit of plug-ins (fuel, memory, timeout) above its default, up to this value; may be repeated. Limits that are typed here as part of a spec need no permission."""
