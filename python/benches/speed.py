"""What the package costs: decisions of policies in Python, steps of environments, an import. Prints Markdown.

    python benches/speed.py [LOG]

The log is a sample, unless one is given. Policies alternate within the run, and give the same schedules.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy

import batchlab
from batchlab.gym import SchedulingEnv, SchedulingVectorEnv

ROOT = Path(__file__).resolve().parents[2]
EXAMPLES = ROOT / "policies" / "abi" / "python"
ROUNDS = 7


@batchlab.policy
class Empty(batchlab.Policy):
    """First come, first served: the least that a policy can do in Python."""

    needs = ["pool"]

    def begin(self) -> None:
        self.queue: list[batchlab.Job] = []

    def decide(self, turn: batchlab.Turn) -> None:
        queue = self.queue
        queue += turn.submitted
        while queue and turn.fits(queue[0]):
            turn.start(queue.pop(0))


@batchlab.order("estimate")
def shortest(jobs: batchlab.Columns) -> Any:
    return jobs.estimate


@batchlab.policy
class Shortest1(batchlab.Order):
    columns = ["estimate"]

    def score(self, estimate: float) -> float:
        return estimate


@batchlab.order("estimate", "wait")
def patient(jobs: batchlab.Columns) -> Any:
    return jobs.estimate


def child(file: str) -> str:
    return f"exec:({sys.executable} {EXAMPLES / file})"


#: What is replayed, what else gives the same schedule, and what that is.
CARRIED = [
    ("fcfs", [("in this process, a class", "empty"), ("a process of its own", child("fcfs.py"))]),
    ("easy", [("in this process, a class", "easy-here"), ("a process of its own", child("easy.py"))]),
    (
        "easy:order=sjf",
        [
            ("in this process, job by job", "easy:order=shortest1"),
            ("in this process, by columns", "easy:order=shortest"),
            ("in this process, by columns at each decision", "easy:order=patient"),
            ("a process of its own", f"easy:order=({child('sjf.py')})"),
        ],
    ),
]


def median(measure: Callable[[], float], rounds: int = ROUNDS) -> float:
    return statistics.median(measure() for _ in range(rounds))


def decisions(trace: batchlab.Trace) -> None:
    batchlab.load(EXAMPLES / "easy.py", name="easy-here")
    print(f"| policy | where | whole replay, ms | beyond built in, µs per decision |\n|---|---|---:|---:|")
    for built_in, others in CARRIED:
        specs = [built_in, *(spec for _, spec in others)]
        took: dict[str, list[float]] = {spec: [] for spec in specs}
        starts, count = [], 0
        for round in range(ROUNDS):
            for spec in specs:
                began = time.perf_counter()
                outcome = batchlab.replay(trace, spec, progress=False)
                took[spec].append(time.perf_counter() - began)
                count = outcome.decisions
                if round == 0:
                    starts.append(outcome.jobs["start"])
        assert all(start.equals(starts[0]) for start in starts), built_in
        base = statistics.median(took[built_in])
        print(f"| {built_in} | built in | {base * 1e3:.1f} | |")
        for where, spec in others:
            seconds = statistics.median(took[spec])
            print(f"| {built_in} | {where} | {seconds * 1e3:.1f} | {(seconds - base) / count * 1e6:.2f} |")


def steps(log: Path) -> None:
    trace = batchlab.Trace.read(log, progress=False)
    print("\n| environment | observation | window | jobs to choose from | steps per second |\n|---|---|---:|---:|---:|")
    for observation, window in [("native", 128), ("native", 32), ("rlscheduler", 128)]:
        options: dict[str, Any] = {"observation": observation, "window": window, "length": 2000, "load": 1.2}
        env = SchedulingEnv(trace, **options)
        valid: list[int] = []

        def single(env: SchedulingEnv = env, valid: list[int] = valid) -> float:
            _, info = env.reset(seed=1)
            over, count = False, 0
            began = time.perf_counter()
            while not over:
                mask = info["action_mask"]
                _, _, over, _, info = env.step(mask.argmax())
                count += 1
            took = time.perf_counter() - began
            valid.append(count)
            return count / took

        rate = median(single)
        waiting = choices(env)
        print(f"| one | {observation} | {window} | {waiting:.0f} | {rate:,.0f} |")
        vector = SchedulingVectorEnv(trace, 256, **options)

        def many(vector: SchedulingVectorEnv = vector) -> float:
            _, info = vector.reset(seed=1)
            began = time.perf_counter()
            for _ in range(400):
                _, _, _, _, info = vector.step(info["action_mask"].argmax(axis=1))
            return 400 * 256 / (time.perf_counter() - began)

        print(f"| 256 together | {observation} | {window} | {waiting:.0f} | {median(many):,.0f} |")


def choices(env: SchedulingEnv) -> float:
    """Return how many jobs an agent could choose from at a step, on average."""
    _, info = env.reset(seed=1)
    seen, over = [], False
    while not over:
        seen.append(len(env.window()))
        _, _, over, _, info = env.step(info["action_mask"].argmax())
    return float(numpy.mean(seen))


def imported() -> None:
    def run(code: str) -> float:
        began = time.perf_counter()
        subprocess.run([sys.executable, "-c", code], check=True)
        return time.perf_counter() - began

    pairs = [run("import batchlab") - run("pass") for _ in range(21)]
    print(f"\nAn import of `batchlab`: {statistics.median(pairs) * 1e3:.0f} ms, without the start of Python.")


def main() -> None:
    warnings.simplefilter("ignore")
    log = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "traces" / "data" / "lublin-128.swf.gz"
    trace = batchlab.Trace.read(log, progress=False)
    print(f"{log.name}: {len(trace):,} records, median of {ROUNDS}\n")
    decisions(trace)
    steps(ROOT / "traces" / "data" / "harbour-128.swf.gz")
    imported()


if __name__ == "__main__":
    main()
