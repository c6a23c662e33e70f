#!/usr/bin/env python3
"""Prints how well `batchlab when` foretells the starts of the jobs that waited in real runs of Slurm, as a table in Markdown.

It gets what a user can get 700 s after the beginning of a run (`snapshot/`) and the installation, and is judged by when jobs
really started. Slurm's own forecasts are those of squeue at the next sample; it has none for some jobs, which count in the
columns on the left only.
"""

import argparse
import datetime
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile

import scatter
import twin

HERE = pathlib.Path(__file__).parent


def foretold(program, folder):
    """Returns what `batchlab when` says at the snapshot of a run."""
    with tempfile.TemporaryDirectory() as scratch:
        files = [folder / name for name in twin.FILES]
        files = [path for path in files if path.exists()] + twin.reservations(folder, pathlib.Path(scratch))
        options = ["--draws", "100", "--dependencies", "log", "--format", "json", "-q"]
        command = [program, "when", folder / "snapshot" / "sacct.txt.gz", *options]
        for path in files:
            command += ["--slurm", path]
        done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{folder.name}: {done.stderr}")
    jobs = json.loads(done.stdout)["jobs"]
    # Tasks that wait have no number of their own yet.
    return [{**job, "job": job.get("id") or str(job["job"])} for job in jobs]


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


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios (default: all)")
    parser.add_argument("--bin", default="batchlab", metavar="FILE", help="the program (default: batchlab)")
    parser.add_argument("--runs", type=pathlib.Path, default=HERE / "runs", metavar="DIR", help="the runs")
    options = parser.parse_args()
    names = options.names or sorted(path.name[:-2] for path in options.runs.glob("*-2") if (path / "run.json").exists())
    head = ["run", "jobs", "within 90 %", "wait left", "error", "as requested", "Slurm foretells", "its error", "our error there"]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    for folder in (options.runs / f"{name}-{number}" for name in names for number in (1, 2)):
        now = instant((folder / "snapshot" / "time.txt").read_text().strip())
        real, slurm = starts(folder), own(folder, now)
        jobs = [job for job in foretold(options.bin, folder) if job["job"] in real and job["start_in"] is not None]
        if not jobs:
            print(f"| {folder.name} | 0 |" + " |" * (len(head) - 2))
            continue
        left = {job["job"]: real[job["job"]] - now for job in jobs}
        # Both clocks show whole seconds.
        inside = lambda job: job["earliest_in"] - 1 <= left[job["job"]] <= (job["latest_in"] or float("inf")) + 1
        error = lambda job, key: abs(left[job["job"]] - job[key])
        mean = lambda values: f"{statistics.mean(values):.0f} s"
        both = [job for job in jobs if job["job"] in slurm]
        cells = [folder.name, str(len(jobs)), f"{statistics.mean(map(inside, jobs)):.1%}", mean(left.values())]
        cells += [mean(error(job, key) for job in jobs if job[key] is not None) for key in ("start_in", "start_as_requested_in")]
        cells += [str(len(both))]
        if both:
            cells += [mean(abs(real[job["job"]] - slurm[job["job"]]) for job in both)]
            cells += [mean(error(job, "start_in") for job in both)]
        else:
            cells += ["", ""]
        print("| " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
