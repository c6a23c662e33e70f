#!/usr/bin/env python3
"""Replays the first jobs of real logs by batchlab and by simulators of others, and compares time, memory and schedules.

    git clone https://github.com/dinesh121991/pyss
    python3 -m venv peer && peer/bin/pip install accasim
    peer/bin/python tests/benches/peer.py --bin target/release/batchlab --pyss pyss

pyss was written for Python 2: it is converted by lib2to3, which Python has until 3.12, and runs without its assertions (-O), which
search all events at each of them. It decides after each event by itself, submissions first, so batchlab is asked for
`--events submit-first`, and every start has to be the same. AccaSim 1.1.3 imports names from `collections` that Python 3.10 has
moved to `collections.abc`; they are put back. Its EASY keeps nothing free for the first job of the queue, so schedules differ.
Estimates below the run time count as the run time.
"""

import argparse
import gzip
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
from importlib.metadata import version

from speed import timed

LOGS = {"KTH-SP2": ("KTH-SP2-1996-2.1-cln", 100), "SDSC-SP2": ("SDSC-SP2-1998-derived", 128), "RICC": ("RICC-2010-2", 8192)}

PYSS = """
import builtins
import sys

sys.path.insert(0, "pyss/src")
builtins.cmp = lambda one, other: (one > other) - (one < other)
from base.prototype import Job, JobEvent

JobEvent.__lt__ = lambda one, other: one._cmp_tuple < other._cmp_tuple
JobEvent.__hash__ = object.__hash__
from schedulers.conservative_scheduler import ConservativeScheduler
from schedulers.easy_scheduler import EasyBackfillScheduler
from schedulers.fcfs_scheduler import FcfsScheduler
from schedulers.simulator import Simulator

_, log, policy, procs = sys.argv
made = {"fcfs": FcfsScheduler, "easy": EasyBackfillScheduler, "conservative": ConservativeScheduler}[policy](int(procs))
rows = [line.split() for line in open(log) if not line.startswith(";")]
jobs = [Job(int(row[0]), int(row[8]), int(row[3]), int(row[7]), int(row[1])) for row in rows]
Simulator(jobs, int(procs), made).run()
for job in jobs:
    print(job.id, job.start_to_run_at_time)
"""

ACCASIM = """
import collections
import collections.abc
import sys

for name in ("Callable", "Iterable", "Mapping", "MutableMapping", "Sequence"):
    setattr(collections, name, getattr(collections.abc, name))
from accasim.base.allocator_class import FirstFit
from accasim.base.scheduler_class import EASYBackfilling, FirstInFirstOut
from accasim.base.simulator_class import Simulator

_, log, policy, machine = sys.argv
made = {"fcfs": FirstInFirstOut, "easy": EASYBackfilling}[policy](FirstFit())
quiet = {"scheduling_output": False, "statistics_output": False, "show_statistics": False}
Simulator(log, machine, made, **quiet).start_simulation()
"""


def first_jobs(path, procs, count, out):
    """Writes the first jobs of a log that ran, numbered from 1."""
    lines = [f"; MaxProcs: {procs}"]
    with gzip.open(path, "rt") as log:
        for line in log:
            cells = line.split()
            if line.startswith(";") or len(lines) > count:
                continue
            run, size = int(float(cells[3])), int(cells[7]) if int(cells[7]) > 0 else int(cells[4])
            if run > 0 and size > 0:
                cells[0], cells[3] = str(len(lines)), str(run)
                cells[4] = cells[7] = str(size)
                cells[8] = str(max(int(float(cells[8])), run))
                lines.append(" ".join(cells))
    out.write_text("\n".join(lines) + "\n")


def converted(source, folder):
    """Copies pyss and converts it to Python 3."""
    shutil.copytree(source, folder / "pyss", ignore=shutil.ignore_patterns(".git"))
    for path in (folder / "pyss" / "src").rglob("*.py"):
        path.write_text(path.read_text().expandtabs(8))
    convert = [sys.executable, "-W", "ignore", "-m", "lib2to3", "-w", "-n", str(folder / "pyss" / "src")]
    subprocess.run(convert, check=True, capture_output=True)


def commands(asked, folder, log, policy, procs):
    """Returns the command of each simulator that is here."""
    events = ["--events", "submit-first", "--schedule", str(folder / "starts.csv")]
    yield "batchlab", [asked.bin, "replay", "-q", log, "--policy", policy, *events]
    if asked.pyss:
        yield "pyss", [sys.executable, "-O", "pyss.py", log, policy, str(procs)]
    if policy != "conservative" and not asked.without_accasim:
        yield "AccaSim", [sys.executable, "accasim_run.py", log, policy, "machine.json"]


def starts(folder):
    """Returns the starts that batchlab wrote, by job."""
    rows = [line.split(",") for line in (folder / "starts.csv").read_text().splitlines()]
    at = rows[0].index("start")
    return {row[0]: row[at] for row in rows[1:]}


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="batchlab", metavar="FILE", help="the program (default: batchlab)")
    parser.add_argument("--pyss", type=pathlib.Path, metavar="FOLDER", help="a clone of pyss")
    parser.add_argument("--without-accasim", action="store_true", help="leave AccaSim out")
    parser.add_argument("--traces", type=pathlib.Path, default="../shared/traces", help="the folder of the logs")
    parser.add_argument("--jobs", type=int, default=3_000, help="jobs of each log (default: %(default)s)")
    asked = parser.parse_args()
    asked.bin = str(pathlib.Path(asked.bin).resolve()) if "/" in asked.bin else asked.bin
    shown = subprocess.run([asked.bin, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    peers = [] if asked.without_accasim else [f"AccaSim {version('accasim')}"]
    print("; ".join([shown, *peers, f"Python {sys.version.split()[0]}", f"the first {asked.jobs:,} jobs of each log"]) + "\n")
    print("| log | policy | simulator | CPU s | times batchlab | MB | other starts |\n|---|---|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "pyss.py").write_text(PYSS)
        (folder / "accasim_run.py").write_text(ACCASIM)
        if asked.pyss:
            converted(asked.pyss, folder)
        for name, (file, procs) in LOGS.items():
            log = folder / f"{name}.swf"
            first_jobs(asked.traces / f"{file}.swf.gz", procs, asked.jobs, log)
            machine = {"system_name": "pool", "start_time": 0, "groups": {"g0": {"core": 1}}, "resources": {"g0": procs}}
            machine["equivalence"] = {"processor": {"core": 1}}
            (folder / "machine.json").write_text(json.dumps(machine))
            for policy in ("fcfs", "easy", "conservative"):
                own = None
                for simulator, command in commands(asked, folder, str(log), policy, procs):
                    cpu, _, peak, printed = timed(["env", "-C", str(folder), *command])
                    own = own or cpu
                    differ = ""
                    if simulator == "pyss":
                        theirs = dict(line.split() for line in printed.decode().splitlines())
                        differ = sum(start != theirs[job] for job, start in starts(folder).items())
                    print(f"| {name} | {policy} | {simulator} | {cpu:.2f} | {cpu / own:.0f} | {peak:.0f} | {differ} |", flush=True)


if __name__ == "__main__":
    main()
