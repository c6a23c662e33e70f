#!/usr/bin/env python3
"""Makes a queue on a real Slurm cluster on this machine, and keeps what each command says of it at one instant.

The cluster has four nodes: one is drained, one is draining. There is a past of short jobs; jobs run; others wait: for resources,
for other jobs, for a time, for the throttle of their array, and held. The files in DIR are what the commands in SHOWN print,
and `after.txt`, the accounting after all jobs have ended. Exits with 77 if this needs something that is missing here (see oracle.py).
"""

import argparse
import dataclasses
import os
import pathlib
import subprocess
import sys
import time

import oracle
from scenarios import SCENARIOS, USERS

# Columns with bars, as docs/WHEN.md asks for them; then the same queue in other forms.
COLUMNS = (
    "JobID ArrayJobID ArrayTaskID UserName Account Partition QOS State Reason SubmitTime StartTime TimeUsed TimeLimit NumCPUs "
    "NumNodes tres-alloc Feature OverSubscribe Dependency Reservation NodeList Name"
).split()
SHOWN = {
    "squeue.txt": ["squeue", "-a", "-O", ",".join(f"{column}:|" for column in COLUMNS)],
    "squeue-all.txt": ["squeue", "-a", "-o", "%all"],
    "squeue-default.txt": ["squeue", "-a"],
    "squeue.json": ["squeue", "-a", "--json"],
    "scontrol-job.txt": ["scontrol", "show", "job"],
    "scontrol-node.txt": ["scontrol", "show", "node"],
    "sinfo.txt": ["sinfo"],
    "sinfo-nodes.txt": ["sinfo", "-N", "-l"],
    "sacct.txt": ["sacct", "-a", "-X", "-D", "-P", "-S", "2000-01-01", "-o", oracle.SACCT],
}


def jobs():
    """Returns the submissions: seconds from the beginning, user, options and run time."""
    past = [(2 * at, at % 4, f"--ntasks={1 + at % 8} --time={1 + at % 3}", 4 + 5 * (at % 4)) for at in range(24)]
    running = [
        (62, 0, "--ntasks=8 --time=5", 70), (62, 1, "--ntasks=8 --time=10", 95), (63, 2, "--ntasks=4 --time=3", 45),
        (63, 3, "--ntasks=4 --time=4", 120),
    ]
    waiting = [
        (66, 0, "--ntasks=16 --time=3", 30), (67, 1, "--ntasks=6 --time=2", 20), (67, 2, "--array=0-5%2 --ntasks=2 --time=2", 15),
        (68, 3, "--ntasks=8 --time=2 --dependency=afterok:@27", 10), (68, 0, "--ntasks=8 --time=2 --hold", 10),
        (69, 1, "--ntasks=8 --time=2 --begin=now+1hour", 10), (69, 2, "--ntasks=12 --nodes=2 --time=4 --mem=4000", 25),
        (70, 3, "--ntasks=1 --time=1", 5), (70, 0, "--ntasks=8 --time=6", 40), (71, 1, "--ntasks=8 --time=1", 15),
    ]
    return past + running + waiting


def inside(folder):
    """Runs the cluster in this process's namespaces."""
    folder = pathlib.Path(f"/proc/self/fd/{os.open(folder, os.O_DIRECTORY)}")
    scenario = dataclasses.replace(SCENARIOS["memory"], nodes=4)
    cluster = oracle.Cluster(scenario)
    (folder / "slurm.conf").write_text(pathlib.Path("/etc/slurm/slurm.conf").read_text())
    events = [
        (60, "scontrol update nodename=n4 state=drain reason=disk"),
        (72, "scontrol update nodename=n3 state=drain reason=fan"),
    ]
    ids = {}
    began = time.monotonic()
    todo = [(job[0], line, job) for line, job in enumerate(jobs(), 1)] + [(at, 0, text) for at, text in events]
    todo.sort(key=lambda entry: entry[:2])
    for at, line, what in todo:
        time.sleep(max(0.0, began + at - time.monotonic()))
        if isinstance(what, str):
            oracle.output(*what.split())
            continue
        _, user, options, run = what
        for number, job in ids.items():
            options = options.replace(f"@{number}", job)
        name = list(USERS)[user]
        account = {"user": oracle.FIRST_UID + list(USERS).index(name), "group": 100, "extra_groups": []}
        command = ["sbatch", "--parsable", *options.split(), f"--wrap=sleep {run}"]
        ids[line] = oracle.output(*command, cwd="/tmp", **account).strip()
    time.sleep(max(0.0, began + 76 - time.monotonic()))
    shown = {name: oracle.output(*command) for name, command in SHOWN.items()}
    for name, text in shown.items():
        # What these lines show is of the machine below.
        lines = text.splitlines(True)
        oracle.keep(folder / name, "".join(line for line in lines if not line.strip().startswith(("OS=", "BootTime="))))
    waits = lambda: oracle.output("squeue", "-h", "-a", "-t", "PD,R,CG", "-o", "%r").split("\n")
    while {line for line in waits() if line} - {"JobHeldUser", "BeginTime"}:
        time.sleep(2)
    time.sleep(5)
    oracle.keep(folder / "after.txt", oracle.output(*SHOWN["sacct.txt"]))
    cluster.stop()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent / "queue", metavar="DIR",
        help="keep the files there (default: queue beside this script)")
    parser.add_argument("--inside", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if options.inside:
        return inside(options.inside)
    if reason := oracle.missing():
        print(f"no cluster can be started here: {reason}", file=sys.stderr)
        return 77
    options.out.mkdir(parents=True, exist_ok=True)
    command = [sys.executable, str(pathlib.Path(__file__).resolve()), "--inside", str(options.out.resolve())]
    return subprocess.run(["unshare", *oracle.NAMESPACES, "sh", "-c", '"$@"; exit $?', "sh", *command]).returncode


if __name__ == "__main__":
    sys.exit(main())
