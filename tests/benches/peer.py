#!/usr/bin/env python3
"""Times FCFS and EASY of AccaSim, a simulator in Python, beside those of batchlab on the same overloaded logs.

    python3 -m venv peer && peer/bin/pip install accasim
    peer/bin/python tests/benches/peer.py --bin target/release/batchlab

prints CPU seconds of whole processes: jobs of the lublin model at a load of 8 on 128 processors, with estimates of four times the
run time. The exponents are those between the last two logs. AccaSim 1.1.3 imports names from `collections` that Python 3.10 has
moved to `collections.abc`; they are put back.
"""

import argparse
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile
from importlib.metadata import version

JOBS = (500, 1_000, 2_000)
PROCS = 128
# The processors of a machine as AccaSim describes it: nodes of one core.
MACHINE = {
    "system_name": "pool",
    "start_time": 0,
    "groups": {"g0": {"core": 1}},
    "resources": {"g0": PROCS},
    "equivalence": {"processor": {"core": 1}},
}
PEER = """
import collections
import collections.abc
import sys

for name in ("Callable", "Iterable", "Mapping", "MutableMapping", "Sequence"):
    setattr(collections, name, getattr(collections.abc, name))
from accasim.base.allocator_class import FirstFit
from accasim.base.scheduler_class import EASYBackfilling, FirstInFirstOut
from accasim.base.simulator_class import Simulator

policy = {"fcfs": FirstInFirstOut, "easy": EASYBackfilling}[sys.argv[3]]
quiet = {"scheduling_output": False, "statistics_output": False, "show_statistics": False}
Simulator(sys.argv[1], sys.argv[2], policy(FirstFit()), **quiet).start_simulation()
"""


def seconds(command, folder):
    """Returns the CPU seconds of a command, which must succeed."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr[-2000:]}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def log(program, folder, jobs):
    """Returns the path of a log: its estimates are four times the run times."""
    path = folder / f"{jobs}.swf"
    drawn = ["--jobs", str(jobs), "--procs", str(PROCS), "--seed", "5", "--set", "load=8"]
    subprocess.run([program, "generate", "lublin", *drawn, "-q", "-o", path], check=True)
    lines = []
    for line in path.read_text().splitlines():
        cells = line.split()
        if not line.startswith(";"):
            cells[8] = str(4 * max(int(float(cells[3])), 1))
        lines.append(line if line.startswith(";") else " ".join(cells))
    path.write_text("\n".join(lines) + "\n")
    return path


def main():
    """Prints the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--bin", default="batchlab", metavar="FILE", help="the program (default: batchlab)")
    program = parser.parse_args().bin
    program = str(pathlib.Path(program).resolve()) if "/" in program else program
    shown = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    python = ".".join(map(str, sys.version_info[:3]))
    print(f"{shown}; AccaSim {version('accasim')} on Python {python}\n")
    print(f"| policy | simulator | {' | '.join(f'{jobs} jobs, s' for jobs in JOBS)} | exponent |")
    print(f"|---|---|{'---:|' * (len(JOBS) + 1)}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = pathlib.Path(scratch)
        (folder / "peer.py").write_text(PEER)
        (folder / "machine.json").write_text(json.dumps(MACHINE))
        logs = [log(program, folder, jobs) for jobs in JOBS]
        for policy in ("fcfs", "easy"):
            commands = {
                "batchlab": lambda path: [program, "replay", "-q", path, "--policy", policy],
                "AccaSim": lambda path: [sys.executable, "peer.py", path, "machine.json", policy],
            }
            for simulator, command in commands.items():
                took = [seconds(command(path), folder) for path in logs]
                exponent = math.log(took[-1] / took[-2]) / math.log(JOBS[-1] / JOBS[-2])
                cells = " | ".join(f"{value:.3f}" for value in took)
                print(f"| {policy} | {simulator} | {cells} | {exponent:.2f} |", flush=True)


if __name__ == "__main__":
    main()
