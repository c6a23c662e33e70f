#!/usr/bin/env python3
"""Prints how much two runs of one scenario differ: Slurm's own scatter.

Reads what oracle.py has kept. A job of one run is the job of the other that the same line of jobs.txt submitted (of an
array: the same task). Starts count from the submission of the first job. Jobs that start in one run only are counted
in the column `once`, and in no other.
"""

import argparse
import csv
import datetime
import gzip
import json
import pathlib
import statistics

WITHIN = (1, 5, 60)


def rows(path, delimiter):
    """Returns the rows of a table, which may be compressed."""
    packed = path.with_name(path.name + ".gz")
    with gzip.open(packed, "rt") if packed.exists() else open(path) as file:
        # sacct quotes nothing.
        quoting = csv.QUOTE_NONE if delimiter == "|" else csv.QUOTE_MINIMAL
        return list(csv.DictReader(file, delimiter=delimiter, quoting=quoting))


def seconds(text):
    """Returns a time of sacct in seconds, or nothing: `Unknown` and `None` are no times."""
    try:
        return datetime.datetime.fromisoformat(text + "+00:00").timestamp()
    except ValueError:
        return None


def started(folder):
    """Returns the jobs that started: by line of the list and task, seconds of start and of wait."""
    lines = {row["job"]: int(row["line"]) for row in rows(folder / "submitted.csv", ",") if row["job"]}
    accounting = rows(folder / "sacct.txt", "|")
    begin = min(seconds(row["Submit"]) for row in accounting)
    jobs = {}
    for row in accounting:
        start = seconds(row["Start"])
        # sacct gives to a job that was cancelled while it waited the time of that as its start.
        if start is None or not row["AllocTRES"]:
            continue
        job, _, task = row["JobID"].partition("_")
        jobs[lines[job], task] = start - begin, start - seconds(row["Submit"])
    return jobs


def compare(name, first, second):
    """Returns the row of the table for two runs, with a name."""
    about = [json.loads((folder / "run.json").read_text()) for folder in (first, second)]
    one, two = started(first), started(second)
    both = sorted(one.keys() & two.keys())
    apart = [abs(one[job][0] - two[job][0]) for job in both]
    waits = [statistics.mean(jobs[job][1] for job in both) for jobs in (one, two)]
    return (
        [name, f"{len(both):,}", str(len(one.keys() ^ two.keys()))]
        + [f"{run['duration_seconds']:,}" for run in about]
        + [f"{sum(gap <= within for gap in apart) / len(apart):.1%}" for within in WITHIN]
        + [f"{statistics.median(apart):.0f}"]
        + [f"{wait:.1f}" for wait in waits]
        + [f"{(waits[1] - waits[0]) / waits[0]:+.1%}"]
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", metavar="NAME", help="scenarios (default: all that were run twice)")
    parser.add_argument("--runs", type=pathlib.Path, default=pathlib.Path(__file__).parent / "runs", metavar="DIR",
        help="the folder that oracle.py wrote (default: runs beside this script)")
    parser.add_argument("--pair", nargs=2, metavar="RUN", action="append", help="compare these two runs instead")
    options = parser.parse_args()
    names = options.names or sorted(path.name[:-2] for path in options.runs.glob("*-2") if (path / "run.json").exists())
    within = [f"≤ {seconds} s" for seconds in WITHIN]
    head = ["scenario", "jobs", "once", "1: s", "2: s", *within, "median s", "wait 1", "wait 2", "change"]
    print("| " + " | ".join(head) + " |")
    print("|---|" + "---:|" * (len(head) - 1))
    pairs = [(f"{one}, {two}", one, two) for one, two in options.pair or ()]
    for name, one, two in pairs or [(name, f"{name}-1", f"{name}-2") for name in names]:
        print("| " + " | ".join(compare(name, options.runs / one, options.runs / two)) + " |")


if __name__ == "__main__":
    main()
