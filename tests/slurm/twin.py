#!/usr/bin/env python3
"""Prints how closely the policy `slurm` follows real runs of Slurm (`batchlab slurm-check`), as a table in Markdown.

`accuracy`: every run beside Slurm's own scatter, which scatter.py computes from two runs of a scenario. `changes`: the closed loop
with what the accounting keeps of reservations and nodes, and with the lines of the controller's log about them. `ablation`: the same
measures without one of the twin's parts at a time. `delays`: the means over all runs with nodes that take some time to
complete. `preempt`: the runs with preemption, where jobs run several times; the log of the replay has each job once, for as
long as its command sleeps. `chance`: the same runs in drawn replays. `milliseconds`: the closed loop with the times of the
accounting, which are whole seconds, and with those of the controller's own log, which show the order within a second.
`priorities`: the priorities of the waiting jobs and their factors at each sample of `sprio`, computed from the accounting
and the lines of the controller's log about changes. `instants`: those of the queue beside `sprio -l` at the instants of a run, with
the usage of `sshare`. `columns`: the closed loop without one column of the accounting at a time, in the run that loses most.
`versions`: the runs of a later version by the rules of several ones.
`power`: the closed loop of twins with one rule broken on purpose, beside the whole twin, in the runs that have the rule. `parted`: the
starts of all runs that do not agree, by their causes. `long`: a log of a site (NAME is the file) without its configuration.
"""

import argparse
import csv
import datetime
import gzip
import json
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

import scatter
from scatter import seconds

HERE = pathlib.Path(__file__).parent
# Runs that were looked at once, after the last change of the twin.
HELD_OUT = ("backfill-b", "multifactor-b", "memory-b")
# Runs with settings that sites combine, recorded later.
MIXED = ("classic", "lab", "maintenance", "no-limits", "partition-qos", "scavenger", "threads", "two-partitions")
# Runs in which jobs lose their nodes to others.
PREEMPTED = ("preempt", "quality-preempt", "suspend")
# The files of a run that describe the installation.
FILES = ("slurm.conf", "scontrol-config.txt", "dump.cfg", "qos.psv", "topology.conf", "events.txt", "reservations.txt")
# Whose waits are compared: the column of sacct, and its values from the jobs that preempt to those that are preempted first.
RANKS = ("Partition", ("urgent", "normal", "scavenger"))
RANKS_OF = {"quality-preempt": ("QOS", ("high", "normal", "low"))}
# What is left out, as further lines of slurm.conf, options, and a spec of the policy.
ABLATIONS = [
    ("the whole twin", "", [], "slurm"),
    ("no backfill loop", "", [], "slurm:type=builtin"),
    ("no main loop", "SchedulerParameters=batch_sched_delay=1000000,sched_interval=1000000", [], "slurm"),
    ("no reaction time", "", [], "slurm:react=0"),
    ("no delay of batch jobs", "SchedulerParameters=batch_sched_delay=0", [], "slurm"),
    ("no grid of reservations", "SchedulerParameters=bf_resolution=1", [], "slurm"),
    ("no phase of cycles", "", [], "slurm:phase=15"),
    ("no priority factors", "PriorityType=priority/basic", [], "slurm"),
    ("no age", "PriorityWeightAge=0", [], "slurm"),
    ("no fairshare", "PriorityWeightFairshare=0", [], "slurm"),
    ("no job size", "PriorityWeightJobSize=0", [], "slurm"),
    ("no partition factor", "PriorityWeightPartition=0", [], "slurm"),
    ("no QOS factor", "PriorityWeightQOS=0", [], "slurm"),
    ("cancelled jobs left out", "", ["--cancel", "ignore"], "slurm"),
]
# Replays with what the log leaves out drawn, for each run: one of them lies beyond each end of the band that holds 90 %.
DRAWS = 39
# Seconds until the nodes of a job are free after its end, and drawn replays for each of them.
DELAYS = (0, 0.5, 1)
DELAY_DRAWS = 5
ABLATED = ("backfill", "multifactor")
# Twins with one rule broken: what the settings of a run have that has the rule, and what is set otherwise.
BROKEN = [
    ("no age", r"PriorityWeightAge=[1-9]", {"PriorityWeightAge": "0"}),
    ("`PriorityFavorSmall` inverted", r"PriorityWeightJobSize=[1-9]", {"PriorityFavorSmall": "inverted"}),
    ("no fair share", r"PriorityWeightFairshare=[1-9]", {"PriorityWeightFairshare": "0"}),
    ("levels of QOS inverted", r"PriorityWeightQOS=[1-9]", {"QOS": "inverted"}),
    ("`bf_window` of 5 minutes", r"sched/backfill", {"bf_window": "5"}),
    ("`bf_max_job_test` of 5", r"sched/backfill", {"bf_max_job_test": "5"}),
    ("no backfill loop", r"sched/backfill", {"SchedulerType": "sched/builtin"}),
]
# What the closed loop tells, by the ends of its keys.
CLOSED = ("agreement", "found", "precision")
# Columns of sacct that change decisions.
COLUMNS = ("Partition", "TimelimitRaw", "SubmitLine", "Constraints", "User", "QOS", "Account", "NodeList", "Priority", "Reservation")
COLUMNS += ("Eligible", "ReqTRES", "Flags", "Suspended", "NNodes", "ReqCPUS", "NCPUS", "ReqMem", "AllocTRES")
# Others that tell the same.
ALIASES = {"TimelimitRaw": ["Timelimit"]}
# Runs of a later version, and the versions by whose rules they are replayed.
NEWER, RULES = ("backfill-25.05", "multifactor-25.05"), ("22.05", "24.11", "25.05")
# Jobs share nodes by processors, and priorities have factors.
SHARED = ("multifactor", "limits", "tuned", "multifactor-b")
# Reservations were changed.
CHANGED = ("maintenance",)
# Priorities have factors, and were sampled.
RANKED = ("classic", "lab", "limits", "multifactor", "multifactor-b", "no-limits", "partition-qos", "quality-preempt", "scavenger")
RANKED += ("threads", "tuned", "two-partitions", "whole-nodes")
# Why a priority differs, as `batchlab priorities` says: what no file tells.
UNTOLD = "the log does not tell its nice"
# Their queues were recorded with sprio and sshare beside them.
SHOWN = ("classic", "no-limits", "partition-qos", "threads", "two-partitions")


def reservations(folder, into):
    """Writes what `scontrol show reservation` said of each reservation first; where sacctmgr tells how they were changed, what it said
    last. Returns the file, if there is any."""
    samples = folder / "reservations.psv.gz"
    if not samples.exists():
        return []
    with gzip.open(samples, "rt") as file:
        rows = csv.DictReader(file, delimiter="|", quoting=csv.QUOTE_NONE)
        texts = {}
        changed = (folder / "reservations.txt").exists()
        for row in rows:
            name = row["Reservation"].split()[0]
            if changed or name not in texts:
                texts[name] = row["Reservation"]
    path = into / "scontrol-reservation.txt"
    path.write_text("\n\n".join(text.replace(" ", "\n   ", 1) for text in texts.values()) + "\n")
    return [path]


def changes(folder, into):
    """Writes the lines of the controller's log that slurm-collect collects; returns the file."""
    words = r"sched: (Created|Updated) reservation=|_slurm_rpc_delete_reservation complete for |update_node: node \S+ state set to "
    words += r"|_update_job: (set priority|setting time_limit|setting QOS|setting partition|nice changed) .*JobId="
    words += r"|_hold_job_rec: hold on JobId=|_release_job_rec: release hold on JobId="
    with gzip.open(folder / "slurmctld.log.gz", "rt") as log:
        lines = [line for line in log if re.search(words, line)]
    path = into / "changes.txt"
    path.write_text("".join(lines))
    return [path]


def conf(folder):
    return (folder / "slurm.conf").read_text()


def broken(folder, scratch, files, settings):
    """Returns the files of a run with one that sets some settings otherwise, or with other levels of its QOS."""
    lines = []
    for key, value in settings.items():
        if key == "QOS":
            files = [inverted(path, scratch) if path.name == "qos.psv" else path for path in files]
        elif key.startswith("bf_"):
            known = re.search(r"(?m)^SchedulerParameters=(\S+)", conf(folder))
            kept = [word for word in (known[1].split(",") if known else []) if word.split("=")[0] != key]
            lines.append("SchedulerParameters=" + ",".join([*kept, f"{key}={value}"]))
        elif value == "inverted":
            lines.append(f"{key}=" + ("NO" if re.search(rf"{key}=YES", conf(folder)) else "YES"))
        else:
            lines.append(f"{key}={value}")
    (scratch / "broken.conf").write_text("\n".join([*lines, ""]))
    return [*files, scratch / "broken.conf"] if lines else files


def inverted(path, scratch):
    """Writes a table of QOS with their levels inverted; returns the file."""
    head, *rows = (line.split("|") for line in path.read_text().splitlines())
    at = head.index("Priority")
    most = max(int(row[at]) for row in rows)
    for row in rows:
        row[at] = str(most - int(row[at]))
    (scratch / path.name).write_text("".join("|".join(row) + "\n" for row in [head, *rows]))
    return scratch / path.name


def check(program, folder, lines="", more=(), spec="slurm", draws=0, accounting=None, told=False, settings=None, jobs=None):
    """Returns what slurm-check says of a run, or of other accounting of it; with the lines of the controller's log if `told`, with
    some `settings` otherwise, and with a row for each start in the file `jobs`."""
    with tempfile.TemporaryDirectory() as scratch:
        scratch = pathlib.Path(scratch)
        files = [folder / name for name in FILES]
        files = [path for path in files if path.exists()] + reservations(folder, scratch)
        if settings:
            files = broken(folder, scratch, files, settings)
        if told:
            files += changes(folder, scratch)
        if lines:
            (scratch / "more.conf").write_text(lines + "\n")
            files.append(scratch / "more.conf")
        options = ["--policy", spec, "--draws", str(draws), "--format", "json", "-q", *more]
        options += ["--jobs", jobs] if jobs else []
        command = [program, "slurm-check", accounting or folder / "sacct.txt.gz", *options]
        for path in files:
            command += ["--slurm", path]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{folder.name}: {done.stderr}")
    return json.loads(done.stdout)


def versions(program, runs, names):
    """Prints a row for each run and each version by whose rules it is replayed."""
    print("| run | rules of | ≤ 60 s | closed loop | nodes | early |")
    print("|---|---|---:|---:|---:|---:|")
    for name in names:
        for folder in (runs / f"{name}-1", runs / f"{name}-2"):
            for version in RULES:
                found = check(program, folder, f"SlurmVersion={version}")
                shares = [share(found[key]) for key in ("within_60s", "closed_loop_agreement", "closed_loop_nodes")]
                print("|", " | ".join([folder.name, version, *shares, str(found["closed_loop_early"])]), "|")


def share(value):
    return f"{value:.1%}"


def accuracy(program, runs, names):
    """Prints a row for each run."""
    head = ["run", "≤ 1 s", "≤ 5 s", "≤ 60 s", "drawn", "Slurm", "wait", "change", "drawn", "band", "holds", "Slurm", "rank"]
    head += ["closed loop", "found", "precision", "nodes", "early", "late", "missed", "not tested"]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for name in names:
        folders = [runs / f"{name}-{number}" for number in (1, 2)]
        one, two = (scatter.started(folder) for folder in folders)
        both = one.keys() & two.keys()
        near = sum(abs(one[job][0] - two[job][0]) <= 60 for job in both) / len(both)
        waits = [statistics.mean(jobs[job][1] for job in both) for jobs in (one, two)]
        for folder in folders:
            found = check(program, folder, draws=DRAWS)
            real, twin = found["mean_wait_real"], found["mean_wait_replayed"]
            drawn, spread = found["drawn_mean_wait"] / real - 1, found["drawn_mean_wait_sd"] / real
            cells = [folder.name]
            cells += [share(found[f"within_{seconds}s"]) for seconds in (1, 5, 60)]
            cells += [share(found["drawn_within_60s"]), share(near), f"{real:.1f} s", f"{twin / real - 1:+.1%}"]
            low, high = (100 * (edge / real - 1) for edge in found["drawn_band"])
            cells += [f"{100 * drawn:+.1f} ± {spread:.1%}", f"{low:+.1f} … {high:+.1f}%"]
            cells += ["yes" if low <= 0 <= high else "no", f"{waits[1] / waits[0] - 1:+.1%}"]
            cells += [f"{found['rank_correlation']:.2f}", *(share(found[f"closed_loop_{key}"]) for key in CLOSED)]
            cells += [share(found["closed_loop_nodes"])]
            cells += [str(found[f"closed_loop_{key}"]) for key in ("early", "late", "missed", "postponed")]
            print("| " + " | ".join(cells) + " |", flush=True)


def told(program, runs, names):
    """Prints a row for each run."""
    print("| run | closed loop | found | nodes | early | closed loop, controller's log | found | nodes | early |")
    print("|---|" + "---:|" * 8)
    for folder in (runs / f"{name}-{number}" for name in names for number in (1, 2)):
        cells = [folder.name]
        for is_told in (False, True):
            found = check(program, folder, told=is_told)
            cells += [share(found[f"closed_loop_{key}"]) for key in ("agreement", "found", "nodes")]
            cells += [str(found["closed_loop_early"])]
        print("| " + " | ".join(cells) + " |", flush=True)


def ablation(program, runs, names):
    """Prints a row for each part that is left out, with the means over both runs of each scenario."""
    head = ["without"]
    head += [f"{name}: {what}" for name in names for what in ("≤ 5 s", "≤ 60 s", "change of wait", "rank", "closed loop")]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for words, lines, more, spec in ABLATIONS:
        cells = [words]
        for name in names:
            found = [check(program, runs / f"{name}-{number}", lines, more, spec) for number in (1, 2)]
            mean = lambda key: statistics.mean(run[key] for run in found)
            change = statistics.mean(run["mean_wait_replayed"] / run["mean_wait_real"] - 1 for run in found)
            cells += [share(mean("within_5s")), share(mean("within_60s")), f"{change:+.1%}"]
            cells += [f"{mean('rank_correlation'):.2f}", share(mean("closed_loop_agreement"))]
        print("| " + " | ".join(cells) + " |", flush=True)


def power(program, runs, names):
    """Prints a row for each rule that is broken, with the means over the runs that have it: as they are, and with the rule broken."""
    head = ["broken", "runs", *(f"{words}{which}" for words in CLOSED for which in ("", ", broken")), "least fall", "run"]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 2) + "---|")
    folders = [runs / f"{name}-{number}" for name in names for number in (1, 2)]
    whole = {folder: check(program, folder) for folder in folders}
    for words, pattern, settings in BROKEN:
        found = {folder: check(program, folder, settings=settings) for folder in folders if re.search(pattern, conf(folder))}
        mean = lambda of, key: share(statistics.mean(of[folder][f"closed_loop_{key}"] for folder in found))
        cells = [words, str(len(found))]
        cells += [mean(of, key) for key in CLOSED for of in (whole, found)]
        fall = lambda folder: whole[folder]["closed_loop_agreement"] - found[folder]["closed_loop_agreement"]
        least = min(found, key=fall)
        print("| " + " | ".join([*cells, share(fall(least)), least.name]) + " |", flush=True)


def parted(program, runs, names):
    """Prints a row for each cause of starts that do not agree, with the runs that have most of them."""
    counts, tested = {}, 0
    for folder in (runs / f"{name}-{number}" for name in names for number in (1, 2)):
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "jobs.csv"
            check(program, folder, jobs=path)
            for row in scatter.rows(path, ","):
                tested += row["verdict"] != "postponed"
                if row["verdict"] not in ("agreed", "postponed"):
                    cause = (row["verdict"], row["held"] or row["loops_by"] or "another job", row["started_by"])
                    of = counts.setdefault(cause, {})
                    of[folder.name] = of.get(folder.name, 0) + 1
    print("| verdict | cause | really started by | starts | of the tested | most of them in |")
    print("|---|---|---|---:|---:|---|")
    for cause, of in sorted(counts.items(), key=lambda item: (-sum(item[1].values()), item[0])):
        count = sum(of.values())
        most = ", ".join(f"{name} {of[name]}" for name in sorted(of, key=lambda name: (-of[name], name))[:4])
        print("| " + " | ".join([*cause, str(count), f"{count / tested:.2%}", most]) + " |", flush=True)


def delays(program, runs, names):
    """Prints a row for each time that the nodes of a job take to complete, with the means over the runs."""
    head = ["complete", "≤ 60 s", "drawn", "change of wait, drawn", "its amount", "closed loop"]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for delay in DELAYS:
        folders = [runs / f"{name}-{number}" for name in names for number in (1, 2)]
        found = [check(program, folder, spec=f"slurm:complete={delay}", draws=DELAY_DRAWS) for folder in folders]
        mean = lambda key: statistics.mean(run[key] for run in found)
        changes = [run["drawn_mean_wait"] / run["mean_wait_real"] - 1 for run in found]
        cells = [f"{delay} s", share(mean("within_60s")), share(mean("drawn_within_60s"))]
        cells += [f"{statistics.mean(changes):+.1%}", share(statistics.mean(map(abs, changes)))]
        cells += [share(mean("closed_loop_agreement"))]
        print("| " + " | ".join(cells) + " |", flush=True)


def precise(folder, path):
    """Writes the accounting of a run with the milliseconds of the controller's log, where it has the event in the same second."""
    events = {"Submit": {}, "Start": {}, "End": {}}
    words = [
        ("Submit", r"^JobId=(\d+) allocated resources"),
        ("Start", r"^sched: Allocate JobId=(\d+) |Started JobId=(\d+) "),
        ("End", r"_job_complete: JobId=(\d+) done|Time limit exhausted for JobId=(\d+)|_slurm_rpc_kill_job.*JobId=(\d+)"),
    ]
    for name in ("slurmctld.log.gz", "sched.log.gz"):
        with gzip.open(folder / name, "rt") as log:
            for line in log:
                time, _, text = line.removeprefix("sched: ").lstrip("[").partition("] ")
                for column, pattern in words:
                    found = re.search(pattern, text)
                    if found:
                        events[column].setdefault(next(filter(None, found.groups())), time)
    rows = scatter.rows(folder / "sacct.txt", "|")
    for row in rows:
        for column, times in events.items():
            time = times.get(row["JobID"], "")
            if time.startswith(row[column]):
                if column == "Submit" and row["Eligible"] == row["Submit"]:
                    row["Eligible"] = time
                row[column] = time
    path.write_text("\n".join(["|".join(rows[0]), *("|".join(row.values()) for row in rows)]) + "\n")


def milliseconds(program, runs, names):
    """Prints a row for each run."""
    print("| run | closed loop | nodes | closed loop, milliseconds | nodes |")
    print("|---|" + "---:|" * 4)
    for folder in (runs / f"{name}-{number}" for name in names for number in (1, 2)):
        cells = [folder.name]
        with tempfile.TemporaryDirectory() as scratch:
            path = pathlib.Path(scratch) / "sacct.txt"
            precise(folder, path)
            for accounting in (None, path):
                found = check(program, folder, accounting=accounting)
                cells += [share(found["closed_loop_agreement"]), share(found["closed_loop_nodes"])]
        print("| " + " | ".join(cells) + " |", flush=True)


def without(folder, column, path):
    """Writes the accounting of a run without a column; returns whether it has it."""
    with gzip.open(folder / "sacct.txt.gz", "rt") as file:
        head, *lines = file.read().splitlines()
    head = head.split("|")
    if column not in head:
        return False
    gone = [head.index(name) for name in (column, *ALIASES.get(column, ())) if name in head]

    def split(line):
        # sacct quotes nothing: further bars are of the constraint, which the submit line repeats.
        cells = line.split("|")
        more = (len(cells) - len(head)) // 2
        one = head.index("Constraints")
        cells[one : one + more + 1] = ["|".join(cells[one : one + more + 1])]
        return cells[: len(head) - 1] + ["|".join(cells[len(head) - 1 :])]

    rows = [head, *map(split, lines)]
    left = ([cell for at, cell in enumerate(row) if at not in gone] for row in rows)
    path.write_text("".join("|".join(row) + "\n" for row in left))
    return True


def columns(program, runs, names):
    """Prints a row for each column, by what its absence costs the run that loses most of its agreement."""
    folders = [runs / f"{name}-{number}" for name in names for number in (1, 2)]
    whole = {folder: check(program, folder) for folder in folders}
    found = []
    for column in COLUMNS:
        costs = []
        for folder in folders:
            with tempfile.TemporaryDirectory() as scratch:
                path = pathlib.Path(scratch) / "sacct.txt"
                if without(folder, column, path):
                    costs.append((whole[folder], check(program, folder, accounting=path), folder.name))
        closed, opened = "closed_loop_agreement", "within_60s"
        agreed = max(costs, key=lambda cost: cost[0][closed] - cost[1][closed])
        near = max(costs, key=lambda cost: cost[0][opened] - cost[1][opened])
        found.append((column, agreed, near))
    print("| column | closed loop | without | run | ≤ 60 s | without | run |")
    print("|---|---:|---:|---|---:|---:|---|")
    cost = lambda row: row[1][0]["closed_loop_agreement"] - row[1][1]["closed_loop_agreement"]
    for column, agreed, near in sorted(found, key=cost, reverse=True):
        cells = [f"`{column}`"]
        for key, (before, after, name) in (("closed_loop_agreement", agreed), ("within_60s", near)):
            if before[key] == after[key]:
                cells += ["", "", "none"]
            else:
                cells += [share(before[key]), share(after[key]), name]
        print("| " + " | ".join(cells) + " |", flush=True)


def once(folder, path):
    """Writes the log of a run with each job once, as it would run if it were not preempted; returns all rows of each job."""
    jobs = {}
    for row in scatter.rows(folder / "sacct.txt", "|"):
        jobs.setdefault(row["JobID"], []).append(row)
    lines = []
    for rows in jobs.values():
        row = dict(rows[0])
        if any(other["State"] == "PREEMPTED" for other in rows):
            sleeps = int(re.search(r"sleep (\d+)", row["SubmitLine"])[1])
            run = min(sleeps, 60 * int(row["TimelimitRaw"])) if row["TimelimitRaw"].isdigit() else sleeps
            end = datetime.datetime.fromtimestamp(seconds(row["Start"]) + run, datetime.timezone.utc)
            row.update(State="COMPLETED", ElapsedRaw=str(run), End=end.strftime("%Y-%m-%dT%H:%M:%S"))
        lines.append("|".join(row.values()))
    path.write_text("\n".join(["|".join(rows[0]), *lines]) + "\n")
    return jobs


def suspensions(folder):
    """Returns how often slurmctld suspended jobs, by its log."""
    with gzip.open(folder / "slurmctld.log.gz", "rt") as log:
        return sum("gang: suspending" in line for line in log)


def replayed(program, folder, log, more=()):
    """Replays a log of a run; returns how many jobs were cancelled, requeued and suspended, and the start of each job."""
    with tempfile.TemporaryDirectory() as scratch:
        schedule = pathlib.Path(scratch) / "schedule.csv"
        command = [program, "replay", log, "--cancel", "log", "-q", "--schedule", schedule, *more]
        for file in FILES:
            if (folder / file).exists():
                command += ["--slurm", folder / file]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(f"{folder.name}: {done.stderr}")
        starts = {row["job_id"]: float(row["start"]) for row in scatter.rows(schedule, ",") if row["start"]}
    words = {"cancelled": r"jobs? cancelled by", "requeued": r"jobs? requeued by", "suspended": r"suspensions? by"}
    told = {word: re.search(rf"(\d+) {pattern} preemption", done.stdout) for word, pattern in words.items()}
    return {word: int(found[1]) if found else 0 for word, found in told.items()}, starts


def preempted(program, folder, column, ranks, draws):
    """Returns what preemption did in a run, and in one replay of it, or in drawn ones; and the last start of each job."""
    with tempfile.TemporaryDirectory() as scratch:
        log = pathlib.Path(scratch) / "sacct.txt"
        jobs = once(folder, log)
        more = [["--policy", "slurm:clock=drawn", "--seed", str(seed + 1)] for seed in range(draws)] or [[]]
        replays = [replayed(program, folder, log, options) for options in more]
    lost = {"cancelled": 0, "requeued": 0, "suspended": suspensions(folder)}
    begin = min(seconds(rows[0]["Submit"]) for rows in jobs.values())
    starts = []
    for job, rows in jobs.items():
        for row in rows:
            if row["State"] == "PREEMPTED":
                # Those of the second rank are requeued.
                lost["requeued" if row[column] == ranks[1] else "cancelled"] += 1
        start = seconds(rows[-1]["Start"])
        others = [other.get(job) for _, other in replays]
        if start is not None and rows[-1]["AllocTRES"] and None not in others:
            starts.append((rows[0][column], seconds(rows[0]["Submit"]), start, [begin + other for other in others]))
    return lost, [counts for counts, _ in replays], starts


def preempt(program, runs, names):
    """Prints a row for each run: what preemption did, and the last start of each job."""
    head = ["run"]
    for what in ("cancelled", "requeued", "suspended"):
        head += [what, "by the twin"]
    head += ["≤ 60 s", "Slurm", "wait, first", "twin", "second", "twin", "third", "twin"]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for name in names:
        column, ranks = RANKS_OF.get(name, RANKS)
        folders = [runs / f"{name}-{number}" for number in (1, 2)]
        one, two = (scatter.started(folder) for folder in folders)
        near = sum(abs(one[job][0] - two[job][0]) <= 60 for job in one.keys() & two.keys()) / len(one.keys() & two.keys())
        for folder in folders:
            lost, (told,), starts = preempted(program, folder, column, ranks, 0)
            cells = [folder.name]
            for word in ("cancelled", "requeued", "suspended"):
                cells += [str(lost[word]), str(told[word])]
            cells += [share(sum(abs(start - twin) <= 60 for _, _, start, (twin,) in starts) / len(starts)), share(near)]
            for rank in ranks:
                waits = [(start - submit, twin - submit) for of, submit, start, (twin,) in starts if of == rank]
                cells += [f"{statistics.mean(each):.1f} s" for each in zip(*waits)]
            print("| " + " | ".join(cells) + " |", flush=True)


def chance(program, runs, names):
    """Prints a row for each run with preemption: the means and the standard deviations of drawn replays."""
    head = ["run"]
    for what in ("cancelled", "requeued", "suspended", "wait, first", "second", "third"):
        head += [what, "drawn"]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for folder in (runs / f"{name}-{number}" for name in names for number in (1, 2)):
        column, ranks = RANKS_OF.get(folder.name[:-2], RANKS)
        lost, told, starts = preempted(program, folder, column, ranks, DRAWS)
        cells = [folder.name]
        drawn = lambda values, unit: f"{statistics.mean(values):.1f} ± {statistics.stdev(values):.1f}{unit}"
        for word in ("cancelled", "requeued", "suspended"):
            cells += [str(lost[word]), drawn([counts[word] for counts in told], "")]
        for rank in ranks:
            mine = [row for row in starts if row[0] == rank]
            real = statistics.mean(start - submit for _, submit, start, _ in mine)
            each = [statistics.mean(twins[at] - submit for _, submit, _, twins in mine) for at in range(DRAWS)]
            cells += [f"{real:.1f} s", drawn(each, " s")]
        print("| " + " | ".join(cells) + " |", flush=True)


def described(folder, scratch):
    """Returns the options for the files of a run that describe the installation."""
    files = [folder / name for name in FILES if (folder / name).exists()] + reservations(folder, scratch)
    return [word for path in files for word in ("--slurm", path)]


def sampled(path):
    """Returns the rows of a table of samples at each instant."""
    with gzip.open(path, "rt") as file:
        _, *rows = file.read().splitlines()
    samples = {}
    for row in rows:
        samples.setdefault(row.split("|", 1)[0], []).append(row)
    return samples


def ranked(program, folder):
    """Returns how the priorities at each sample agree with those of sprio: sums over the samples, by factor too."""
    samples = sampled(folder / "sprio.psv.gz")
    shares = folder / "sshare.psv.gz"
    total = {"compared": 0, "equal": 0, "within_1_percent": 0, "only_here": 0, "only_in_sprio": 0, "factors": {}, "shares": [0, 0]}
    total["untold"] = 0
    with tempfile.TemporaryDirectory() as scratch:
        base = [program, "priorities", folder / "sacct.txt.gz", *described(folder, pathlib.Path(scratch)), "-q", "--format", "json"]
        base += ["--slurm", changes(folder, pathlib.Path(scratch))[0]]
        base += ["--sprio", folder / "sprio.psv.gz"] + (["--sshare", shares] if shares.exists() else [])
        for time in samples:
            command = [*base, "--at", time[:19].replace("T", " ")]
            done = subprocess.run(command, capture_output=True, text=True)
            if done.returncode:
                sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
            answer = json.loads(done.stdout)
            found = answer["sprio"]
            for key in ("compared", "equal", "within_1_percent"):
                total[key] += found[key]
            total["untold"] += found["reasons"].get(UNTOLD, 0)
            for key in ("only_here", "only_in_sprio"):
                total[key] += len(found[key])
            for factor in found["factors"]:
                known = total["factors"].setdefault(factor["factor"], [0, 0])
                known[0] += factor["equal"]
                known[1] += factor["compared"]
            if "sshare" in answer:
                total["shares"][0] += answer["sshare"]["equal"]
                total["shares"][1] += answer["sshare"]["factors"]
    return total


def priorities(program, runs, names):
    """Prints a row for each run, by the accounting alone."""
    factors = ("AGE", "FAIRSHARE", "JOBSIZE", "PARTITION", "QOS", "NICE", "TRES")
    head = ["run", "priorities", "equal", "nice untold", "equal of the others", "≤ 1 %", *factors, "shares"]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    part = lambda pair: share(pair[0] / pair[1]) if pair[1] else ""
    for name in names:
        for folder in (runs / f"{name}-{number}" for number in (1, 2)):
            found = ranked(program, folder)
            count = found["compared"]
            cells = [folder.name, f"{count:,}", part((found["equal"], count)), str(found["untold"])]
            cells += [part((found["equal"], count - found["untold"])), part((found["within_1_percent"], count))]
            cells += [part(found["factors"].get(factor, (0, 0))) for factor in factors] + [part(found["shares"])]
            print("| " + " | ".join(cells) + " |", flush=True)


def instants(program, runs, names):
    """Prints a row for each run: the priorities of the queue at its instants beside sprio, with the usage of sshare."""
    print("| run | priorities | equal | within 1 % |")
    print("|---|---:|---:|---:|")
    for name in names:
        for folder in (runs / f"{name}-{number}" for number in (1, 2)):
            total = [0, 0, 0]
            for instant in sorted((folder / "instants").iterdir()):
                if not (instant / "sprio.txt").exists():
                    continue
                command = [program, "priorities", instant / "squeue.json.gz", "--history", instant / "sacct.txt.gz", "-q"]
                for path in [folder / name for name in FILES] + [instant / "sshare.txt"]:
                    command += ["--slurm", path] if path.exists() else []
                command += ["--sprio", instant / "sprio.txt", "--sshare", instant / "sshare.txt", "--format", "json"]
                done = subprocess.run(command, capture_output=True, text=True)
                if done.returncode:
                    sys.exit(f"{' '.join(map(str, command))}: {done.stderr}")
                found = json.loads(done.stdout)["sprio"]
                total = [sum(pair) for pair in zip(total, (found[key] for key in ("compared", "equal", "within_1_percent")))]
            print(f"| {folder.name} | " + " | ".join(map(str, total)) + " |", flush=True)


def hosts(text):
    """Returns the nodes of a list such as `n[1-3],m7`."""
    found = []
    for name, ranges in re.findall(r"([^,\[]+)(?:\[([^\]]*)\])?,?", text):
        for part in ranges.split(",") if ranges else [""]:
            first, _, last = part.partition("-")
            numbers = range(int(first), int(last or first) + 1) if part else [None]
            found += [name if number is None else f"{name}{number:0{len(first)}}" for number in numbers]
    return found


def described_by(log):
    """Returns a slurm.conf that has what accounting without a heading (26 columns, as xdmod collects them) shows of the machine: on each
    node the most processors and memory that jobs had at once, and the nodes of each partition. No setting is known."""
    events, partitions = {}, {}
    with gzip.open(log, "rt") as file:
        for row in (line.rstrip("\n").split("|") for line in file):
            if not row[12].startswith("20") or row[24].startswith("None"):
                continue
            nodes = hosts(row[24])
            memory = re.search(r"mem=([0-9.]+)([MG])", row[22] or row[21])
            megabytes = float(memory[1]) * (1024 if memory[2] == "G" else 1) if memory else 0
            partitions.setdefault(row[3], set()).update(nodes)
            for node in nodes:
                amounts = (int(row[19]) / len(nodes), megabytes / len(nodes))
                events.setdefault(node, []).append((seconds(row[12]), 1, *amounts))
                events[node].append((seconds(row[13]), 0, *(-amount for amount in amounts)))
    lines = ["SelectType=select/cons_tres", "SelectTypeParameters=CR_CPU_Memory", "SchedulerType=sched/backfill"]
    for node, changes in sorted(events.items()):
        held, most = [0, 0], [1, 1]
        for _, _, *amounts in sorted(changes):
            held = [sum(pair) for pair in zip(held, amounts)]
            most = [max(pair) for pair in zip(most, held)]
        lines.append(f"NodeName={node} CPUs={round(most[0])} RealMemory={-int(-most[1] // 1)}")
    lines += [f"PartitionName={name} Nodes={','.join(sorted(nodes))} MaxTime=INFINITE" for name, nodes in partitions.items()]
    return "\n".join([*lines, ""])


def long(program, log):
    """Prints what slurm-check says of a log that comes without its configuration."""
    with tempfile.TemporaryDirectory() as scratch:
        conf = pathlib.Path(scratch) / "slurm.conf"
        conf.write_text(described_by(log))
        command = [program, "slurm-check", log, "--slurm", conf, "--draws", "0", "--format", "json", "-q"]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{log}: {done.stderr}")
    found = json.loads(done.stdout)
    print("| jobs | ≤ 60 s | mean wait | replayed | rank | tested | closed loop | found | early | late | missed | not tested |")
    print("|" + "---:|" * 12)
    cells = [f"{found['jobs']:,}", share(found["within_60s"]), f"{found['mean_wait_real']:,.0f} s"]
    cells += [f"{found['mean_wait_replayed']:,.0f} s", f"{found['rank_correlation']:.2f}"]
    cells += [share(found[f"closed_loop_{key}"]) for key in ("tested", "agreement", "found")]
    cells += [str(found[f"closed_loop_{key}"]) for key in ("early", "late", "missed", "postponed")]
    print("| " + " | ".join(cells) + " |")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("accuracy", "ablation", "delays", "preempt", "chance", "milliseconds", "priorities", "instants", "changes", "columns", "versions", "power", "parted", "long"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios (default: those of the docs)")
    parser.add_argument("--held-out", action="store_true", help="the scenarios that were not used for tuning")
    parser.add_argument("--mixed", action="store_true", help="the scenarios with settings that sites combine")
    parser.add_argument("--bin", default="batchlab", metavar="FILE", help="the program (default: batchlab)")
    parser.add_argument("--runs", type=pathlib.Path, default=HERE / "runs", metavar="DIR", help="the runs")
    options = parser.parse_args()
    known = sorted(path.name[:-2] for path in options.runs.glob("*-2") if (path / "run.json").exists())
    known = [name for name in known if name not in PREEMPTED + NEWER]
    group = HELD_OUT if options.held_out else MIXED if options.mixed else None
    is_meant = lambda name: name in group if group else name not in HELD_OUT + MIXED
    names = options.names or [name for name in known if is_meant(name)]
    if options.table == "long":
        for log in options.names:
            long(options.bin, log)
    elif options.table == "preempt":
        preempt(options.bin, options.runs, options.names or PREEMPTED)
    elif options.table == "chance":
        chance(options.bin, options.runs, options.names or PREEMPTED)
    elif options.table == "delays":
        delays(options.bin, options.runs, options.names or known)
    elif options.table == "accuracy":
        accuracy(options.bin, options.runs, names)
    elif options.table == "priorities":
        priorities(options.bin, options.runs, options.names or RANKED)
    elif options.table == "instants":
        instants(options.bin, options.runs, options.names or SHOWN)
    elif options.table == "changes":
        told(options.bin, options.runs, options.names or CHANGED)
    elif options.table == "versions":
        versions(options.bin, options.runs, options.names or NEWER)
    elif options.table == "columns":
        columns(options.bin, options.runs, options.names or [*known, *PREEMPTED])
    elif options.table == "power":
        power(options.bin, options.runs, options.names or known)
    elif options.table == "parted":
        parted(options.bin, options.runs, options.names or [*known, *PREEMPTED])
    elif options.table == "milliseconds":
        milliseconds(options.bin, options.runs, options.names or SHARED)
    else:
        ablation(options.bin, options.runs, options.names or ABLATED)


if __name__ == "__main__":
    main()
