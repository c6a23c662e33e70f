#!/usr/bin/env python3
"""Prints how well `batchlab when` foretells the starts of the jobs that waited in real runs of Slurm, as a table in Markdown.

`snapshot`: it gets what a user could get 700 s after the beginning of a run (`snapshot/`) and the installation, and is judged by
when jobs really started. Slurm's own forecasts are those of squeue at the next sample; it has none for some jobs, which count in
the columns on the left only.

`instants`: the same at several instants of each run. What sacct said then is reconstructed from the accounting of the whole run,
without the tasks of arrays that a throttle held then; 700 s after the beginning it is the snapshot. `score` is the mean interval
score: the length, and 2 / (1 - level) times as much as a start lies outside. `wide` is the share of the intervals of which the
program says that they are too wide to use. Jobs that wait at the same
instant wait for each other: their intervals hold or fail together, so that one instant shows little. The range behind the share of
all runs is that of the middle 95 % of 1,000 draws of as many scenarios with replacement.

`usage`: the snapshot with the output of `sshare` among the files of the installation and without, where the accounting has the whole
run, and where it has only the jobs that had not ended two minutes before the snapshot.
"""

import argparse
import datetime
import json
import pathlib
import random
import re
import statistics
import subprocess
import sys
import tempfile

import scatter
import twin

HERE = pathlib.Path(__file__).parent
# Seconds after the beginning of a run.
SNAPSHOT = 700
INSTANTS = range(400, 1101, 100)
# How far the short accounting of `usage` reaches back.
RECENT = 120
# Of an interval.
LEVEL = 0.9


def foretold(program, folder, log, more=()):
    """Returns what `batchlab when` says when sacct prints a log in a run."""
    with tempfile.TemporaryDirectory() as scratch:
        files = [folder / name for name in twin.FILES]
        files = [path for path in files if path.exists()] + twin.reservations(folder, pathlib.Path(scratch))
        files += more
        options = ["--draws", "100", "--dependencies", "log", "--format", "json", "-q"]
        command = [program, "when", log, *options]
        for path in files:
            command += ["--slurm", path]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{folder.name}: {done.stderr}")
    jobs = json.loads(done.stdout)["jobs"]
    # Tasks that wait have no number of their own yet.
    return [{**job, "job": job.get("id") or str(job["job"])} for job in jobs]


def past(folder, now):
    """Returns the rows that sacct printed at an instant, from those of the whole run."""
    rows, arrays = [], {}
    for row in scatter.rows(folder / "sacct.txt", "|"):
        # The rest of a constraint with `|`.
        row = {key: "|".join(value) if isinstance(value, list) else value for key, value in row.items()}
        submit, eligible, start, end = (scatter.seconds(row[name]) for name in ("Submit", "Eligible", "Start", "End"))
        # Accounting learns of a job when it is eligible.
        if max(submit, eligible or submit) > now:
            continue
        if row["AllocTRES"] and start is not None and start <= now < (end or now + 1):
            row.update(State="RUNNING", End="Unknown", ElapsedRaw=str(int(now - start)), ExitCode="0:0")
        elif (end or now + 1) > now:
            row.update(State="PENDING", Start="Unknown", End="Unknown", ElapsedRaw="0", ExitCode="0:0")
            row.update(AllocTRES="", NodeList="None assigned", NNodes=row["ReqNodes"], NCPUS=row["ReqCPUS"])
            row.update(Flags=",".join(flag for flag in row["Flags"].split(",") if not flag.startswith("Sched")))
            # The tasks of an array that wait have one row.
            array, _, task = row["JobID"].partition("_")
            if task:
                arrays.setdefault(array, []).append(int(task))
                if len(arrays[array]) > 1:
                    continue
                row["JobIDRaw"] = array
        rows.append(row)
    for row in rows:
        array = row["JobID"].partition("_")[0]
        if row["State"] == "PENDING" and array in arrays:
            throttle = re.search(r"--array=\S*(%\d+)", row["SubmitLine"])
            row["JobID"] = f"{array}_[{ranges(arrays[array])}{throttle[1] if throttle else ''}]"
    return rows


def ranges(tasks):
    """Returns the numbers of tasks as Slurm lists them: 1-3,7."""
    found = []
    for task in sorted(tasks):
        if found and found[-1][1] == task - 1:
            found[-1][1] = task
        else:
            found.append([task, task])
    return ",".join(f"{first}-{last}" if first < last else str(first) for first, last in found)


def starts(folder):
    """Returns when jobs started, by their numbers; tasks of arrays as 31_2."""
    accounting = scatter.rows(folder / "sacct.txt", "|")
    known = {row["JobID"]: scatter.seconds(row["Start"]) for row in accounting if row["AllocTRES"]}
    return {job: start for job, start in known.items() if start is not None}


def own(folder, now):
    """Returns Slurm's own forecasts at the first sample after an instant, by job."""
    samples = scatter.rows(folder / "squeue.psv", "|")
    times = sorted({row["Time"] for row in samples})
    at = next(time for time in times if instant(time) >= now)
    pending = (row for row in samples if row["Time"] == at and row["State"] == "PENDING" and row["JobID"].isdigit())
    known = {row["JobID"]: scatter.seconds(row["Start"]) for row in pending}
    return {job: start for job, start in known.items() if start is not None}


def instant(text):
    return datetime.datetime.fromisoformat(text + "+00:00").timestamp()


def judged(program, folder, after):
    """Returns the jobs that are foretold some time after the beginning of a run and started later, with what happened, in seconds."""
    now = instant((folder / "snapshot" / "time.txt").read_text().strip()) + after - SNAPSHOT
    with tempfile.TemporaryDirectory() as scratch:
        log = folder / "snapshot" / "sacct.txt.gz"
        if after != SNAPSHOT:
            log, rows = pathlib.Path(scratch) / "sacct.txt", past(folder, now)
            log.write_text("\n".join(["|".join(rows[0])] + ["|".join(row.values()) for row in rows]) + "\n")
        jobs = foretold(program, folder, log)
    return with_real(folder, jobs, now)


def with_real(folder, jobs, now):
    """Returns the jobs of a forecast that started later, with what happened, in seconds from the instant."""
    real, slurm = starts(folder), own(folder, now)
    jobs = [job for job in jobs if job["job"] in real and job["start_in"] is not None]
    for job in jobs:
        job["left"] = real[job["job"]] - now
        job["slurm_in"] = slurm[job["job"]] - now if job["job"] in slurm else None
        # Both clocks show whole seconds.
        latest = float("inf") if job["latest_in"] is None else job["latest_in"]
        outside = max(job["earliest_in"] - job["left"], job["left"] - latest, 0)
        job["holds"] = outside <= 1
        job["score"] = latest - job["earliest_in"] + 2 / (1 - LEVEL) * outside
    return jobs


def mean(values):
    values = list(values)
    return f"{statistics.mean(values):.0f} s" if values else ""


def holds(jobs):
    return statistics.mean(job["holds"] for job in jobs)


def error(jobs, key):
    return mean(abs(job["left"] - job[key]) for job in jobs if job[key] is not None)


def beside_slurm(jobs):
    """Returns the columns of the jobs for which Slurm foretells a start."""
    both = [job for job in jobs if job["slurm_in"] is not None]
    return [str(len(both)), error(both, "slurm_in"), error(both, "start_in")]


def heading(cells):
    print("| " + " | ".join(cells) + " |")
    print("|---|" + "---:|" * (len(cells) - 1))


def line(cells):
    print("| " + " | ".join(cells) + " |", flush=True)


def snapshot(program, folders):
    heading(["run", "jobs", "within 90 %", "wait left", "error", "as requested", "Slurm foretells", "its error", "our error there"])
    for folder in folders:
        jobs = judged(program, folder, SNAPSHOT)
        cells = [folder.name, str(len(jobs)), f"{holds(jobs):.1%}" if jobs else "", mean(job["left"] for job in jobs)]
        line(cells + [error(jobs, "start_in"), error(jobs, "start_as_requested_in")] + beside_slurm(jobs))


def instants(program, folders):
    found = {(folder, after): judged(program, folder, after) for folder in folders for after in INSTANTS}
    names = ["run", "instants", "jobs", "within 90 %", "least", "wait left", "length", "score", "wide", "error"]
    heading(names + ["Slurm foretells", "its error", "our error there"])

    def row(name, groups, more=""):
        groups = [jobs for jobs in groups if jobs]
        jobs = [job for group in groups for job in group]
        bounded = [job for job in jobs if job["latest_in"] is not None]
        length = mean(job["latest_in"] - job["earliest_in"] for job in bounded)
        score, wide = mean(job["score"] for job in bounded), statistics.mean("too_wide" in job for job in jobs)
        cells = [name, str(len(groups)), str(len(jobs)), f"{holds(jobs):.1%}{more}", f"{min(map(holds, groups)):.0%}"]
        line(cells + [mean(job["left"] for job in jobs), length, score, f"{wide:.0%}", error(jobs, "start_in")] + beside_slurm(jobs))

    for folder in folders:
        row(folder.name, [found[folder, after] for after in INSTANTS])
    if len(folders) > 2:
        for after in INSTANTS:
            row(f"all after {after} s", [found[folder, after] for folder in folders])
        # Of each scenario, how many intervals hold, and how many there are.
        scenarios = {}
        for (folder, _), jobs in found.items():
            held, count = scenarios.get(folder.name[:-2], (0, 0))
            scenarios[folder.name[:-2]] = held + sum(job["holds"] for job in jobs), count + len(jobs)
        draw = random.Random(1)
        drawn = (draw.choices(list(scenarios.values()), k=len(scenarios)) for _ in range(1000))
        shares = sorted(sum(held for held, _ in some) / sum(count for _, count in some) for some in drawn)
        row("all", found.values(), f" ({shares[25]:.0%} to {shares[975]:.0%})")


def usage(program, folders):
    heading(["run", "accounting", "jobs", "error", "with sshare", "score", "with sshare"])
    for folder in folders:
        now, told = instant((folder / "snapshot" / "time.txt").read_text().strip()), folder / "snapshot" / "sshare.txt"
        rows = scatter.rows(folder / "snapshot" / "sacct.txt", "|")
        rows = [{key: "|".join(value) if isinstance(value, list) else value for key, value in row.items()} for row in rows]
        with tempfile.TemporaryDirectory() as scratch:
            for name, least in (("of the run", 0), (f"of {RECENT} s", now - RECENT)):
                log = pathlib.Path(scratch) / "sacct.txt"
                kept = [row for row in rows if (scatter.seconds(row["End"]) or now) >= least]
                log.write_text("\n".join(["|".join(kept[0])] + ["|".join(row.values()) for row in kept]) + "\n")
                found = [with_real(folder, foretold(program, folder, log, more), now) for more in ((), (told,))]
                cells = [error(jobs, "start_in") for jobs in found]
                bounded = [[job["score"] for job in jobs if job["latest_in"] is not None] for jobs in found]
                line([folder.name, name, str(len(found[0])), *cells, *map(mean, bounded)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", choices=("snapshot", "instants", "usage"))
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios (default: all)")
    parser.add_argument("--bin", default="batchlab", metavar="FILE", help="the program (default: batchlab)")
    parser.add_argument("--runs", type=pathlib.Path, default=HERE / "runs", metavar="DIR", help="the runs")
    options = parser.parse_args()
    names = options.names or sorted(path.name[:-2] for path in options.runs.glob("*-2") if (path / "run.json").exists())
    folders = [options.runs / f"{name}-{number}" for name in names for number in (1, 2)]
    {"snapshot": snapshot, "instants": instants, "usage": usage}[options.table](options.bin, folders)


if __name__ == "__main__":
    main()
