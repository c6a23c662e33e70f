"""Policies and orders in Python, in this process and in their own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import batchlab
from batchlab import Columns, Job, Trace, Turn, replay
from conftest import ROOT, program

EXAMPLES = ROOT / "policies" / "abi" / "python"
GUESTS = Path(__file__).parent / "guests"

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


@pytest.fixture(scope="session")
def week(lublin: Trace) -> Trace:
    """The first 400 jobs."""
    return lublin.shape('[[step]]\nkind = "filter"\nkeep = "job <= 400"\n')


@batchlab.policy
class InOrder(batchlab.Policy):
    """First come, first served."""

    needs = ["pool"]

    def begin(self) -> None:
        self.queue: list[Job] = []

    def decide(self, turn: Turn) -> None:
        self.queue += turn.submitted
        while self.queue and turn.fits(self.queue[0]):
            turn.start(self.queue.pop(0))


@batchlab.order("estimate", "procs")
def area(jobs: Columns) -> Any:
    return jobs.estimate * jobs["procs"]


@batchlab.policy(name="by-slowdown")
class BySlowdown:
    columns = ["wait", "estimate"]

    def score(self, jobs: Columns) -> Any:
        return -(jobs.wait + jobs.estimate) / np.maximum(jobs.estimate, 1)


@pytest.mark.parametrize(
    ("own", "built_in"),
    [
        ("inorder", "fcfs"),
        ("python:inorder", "fcfs"),
        ("easy:order=area", "easy:order=expr(estimate*procs)"),
        ("area", "fcfs:order=expr(estimate*procs)"),
        ("easy:order=by-slowdown", "easy:order=expr(-(wait+estimate)/max(estimate,1))"),
        ("easy:candidates=(python:area)", "easy:candidates=expr(estimate*procs)"),
    ],
)
def test_they_decide_as_the_built_in_ones(week: Trace, own: str, built_in: str) -> None:
    assert replay(week, own).jobs.equals(replay(week, built_in).jobs)


def both(week: Trace, file: Path, spec: str, tmp_path: Path, options: Any) -> list[bytes]:
    """Replay under the policy of a file in this process and in its own, and return the schedules."""
    name = f"{file.stem}-here"
    batchlab.load(file, name=name)
    here, there = tmp_path / "here.csv", tmp_path / "there.csv"
    child = f"exec:({sys.executable} {file})"
    replay(week, spec.format(name), **options).to_csv(here)
    replay(week, spec.format(f"({child})" if "=" in spec else child), **options).to_csv(there)
    return [here.read_bytes(), there.read_bytes()]


@pytest.mark.parametrize(
    ("file", "spec"),
    [
        ("fcfs.py", "{}"),
        ("easy.py", "{}"),
        ("ahead.py", "{}"),
        ("sjf.py", "easy:order={}"),
        ("predictor.py", "easy:candidates=sjf,predictor={}"),
    ],
)
def test_the_examples_run_here_and_in_a_process(week: Trace, tmp_path: Path, file: str, spec: str) -> None:
    calendar = tmp_path / "weekly.toml"
    calendar.write_text('[[event]]\nkind = "maintenance"\nfrom = 180000\nto = 194400\nevery = "2d"\n')
    options = {"calendar": calendar} if file == "ahead.py" else {}
    here, there = both(week, EXAMPLES / file, spec, tmp_path, options)
    assert here == there and len(here) > 400 * 10


DEVICES = """
[[resource]]
name = "gpu"
device = 1000

[[nodes]]
count = 4
procs = 8
gpu = 4000
"""


@pytest.mark.parametrize("overrun", ["raise", "kill"])
@pytest.mark.parametrize("machine", ["pool", "nodes", "devices", "calendar"])
def test_both_carriers_show_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, machine: str, overrun: str
) -> None:
    rng = np.random.default_rng(7)
    count = 120
    columns: dict[str, Any] = {
        "submit": np.sort(rng.integers(0, 4000, count)),
        "run": rng.integers(1, 900, count),
        "requested_time": rng.integers(1, 900, count),
        "requested_procs": rng.integers(1, 9, count),
        "user": rng.integers(1, 5, count),
        "queue": rng.integers(1, 3, count),
    }
    options: dict[str, Any] = {"overrun": overrun}
    resources = {}
    if machine == "nodes":
        options["nodes"] = 4
    if machine == "devices":
        columns["gpu"] = rng.integers(0, 5, count) * 500  # halves of devices
        resources["gpu"] = "scope=node"
        options["machine"] = tmp_path / "m.toml"
        options["machine"].write_text(DEVICES)
    if machine == "calendar":
        (tmp_path / "c.toml").write_text('[[event]]\nkind = "outage"\nfrom = 500.5\nto = 900\nprocs = 20\n')
        options["calendar"] = tmp_path / "c.toml"
    import pandas

    trace = Trace.from_dataframe(pandas.DataFrame(columns), max_procs=32, resources=resources)
    seen = []
    record = tmp_path / "seen.txt"
    monkeypatch.setenv("RECORD", str(record))
    batchlab.load(GUESTS / "recorder.py")
    for spec in ("recorder:k=4,word=abc", f"exec:({sys.executable} {GUESTS / 'recorder.py'}),k=4,word=abc"):
        jobs = replay(trace, spec, **options).jobs
        seen.append((record.read_text(), jobs[["start", "end"]].to_csv()))
    here, there = (seen.splitlines() for seen, _ in seen)
    assert [pair for pair in zip(here, there, strict=True) if pair[0] != pair[1]][:1] == []
    assert seen[0][1] == seen[1][1]
    assert ('"devices": null' in here[0]) == (machine != "devices")
    assert any('"code": "room"' in line for line in here)
    assert seen[0][0].count('"job"') >= count and '"end"' in seen[0][0]


def test_the_policy_of_a_file_needs_a_last_line(tmp_path: Path) -> None:
    file = tmp_path / "none.py"
    file.write_text("x = 1\n")
    with pytest.raises(ValueError, match="runs no policy"):
        batchlab.load(file)


def test_kept_columns_stay_as_they_were(week: Trace) -> None:
    kept = []
    copies = []

    @batchlab.order("estimate", "wait")
    def keeping(jobs: Columns) -> Any:
        kept.append(jobs["wait"])
        copies.append(jobs["wait"].copy())
        with pytest.raises(ValueError, match="read-only"):
            jobs.estimate[0] = 1
        return jobs.estimate

    replay(week, "easy:order=keeping")
    assert len(kept) > 400 and any(wait.any() for wait in copies)
    assert all((array == copy).all() for array, copy in zip(kept, copies, strict=True))


def test_what_they_raise_is_the_cause(week: Trace) -> None:
    @batchlab.policy
    class Unlucky(batchlab.Policy):
        def decide(self, turn: Turn) -> None:
            if turn.submitted and turn.submitted[0].number == 3:
                raise LookupError("no luck\nat all")

    with pytest.raises(batchlab.PolicyError, match=r"LookupError: no luck at all \(test_policy.py, line \d+\)") as raised:
        replay(week, "unlucky")
    assert isinstance(raised.value.__cause__, LookupError)
    with pytest.raises(batchlab.PolicyError) as again:
        replay(week, "easy", limit="time=0.000001", load=1.5)
    assert again.value.__cause__ is None


def score(returned: Any) -> None:
    batchlab.order("estimate", name="scorer")(lambda jobs: returned(jobs))


@pytest.mark.parametrize(
    ("returned", "match"),
    [
        (lambda jobs: jobs.estimate * np.nan, "the score of job 1 of 1 is not a number"),
        (lambda jobs: "low", "scores returned str"),
        (lambda jobs: None, "of 1 is not a number|scores returned NoneType"),
        (lambda jobs: [1.0, 2.0], r"scores of shape \(2,\) for 1 jobs"),
        (lambda jobs: jobs.procs, "'procs' is not among the columns estimate"),
        (lambda jobs: jobs["procs"], "'procs' is not among the columns estimate"),
    ],
)
def test_bad_scores_are_told(week: Trace, returned: Any, match: str) -> None:
    score(returned)
    with pytest.raises(batchlab.PolicyError, match=match):
        replay(week, "easy:order=scorer")


@pytest.mark.parametrize(
    ("decide", "error", "match"),
    [
        (lambda turn, job: turn.start(3), TypeError, "Job"),
        (lambda turn, job: (turn.start(job), turn.start(job)), type(None), "cannot place job"),
        (lambda turn, job: turn.wake(float("nan")), ValueError, "(?i)nan is no time"),
        (lambda turn, job: turn.wake(1e300), ValueError, "beyond"),
        (lambda turn, job: turn.expect(job, -1), ValueError, "below 0"),
        (lambda turn, job: turn.rate(job, 2), ValueError, "a rate of 2; it is a number from 0 to 1"),
        (lambda turn, job: turn.place(job, [(99, 1)]), IndexError, "out of range"),
        (lambda turn, job: turn.place(job, [(-1, 1)]), ValueError, "no node -1"),
        (lambda turn, job: sys.exit("enough"), SystemExit, "enough"),
    ],
)
def test_bad_verbs_are_told(week: Trace, decide: Any, error: type[BaseException], match: str) -> None:
    @batchlab.policy
    class Verbs(batchlab.Policy):
        def decide(self, turn: Turn) -> None:
            decide(turn, turn.submitted[0])

    with pytest.raises(batchlab.PolicyError, match=match) as raised:
        replay(week, "verbs")
    assert isinstance(raised.value.__cause__, error)


def test_names_are_unique_and_classes_complete(week: Trace) -> None:
    with pytest.raises(batchlab.UsageError, match="called `easy` already"):
        batchlab.policy(name="easy")(InOrder)
    with pytest.raises(batchlab.UsageError, match="called `sjf` already"):
        batchlab.order("estimate", name="sjf")(lambda jobs: jobs.estimate)
    with pytest.raises(ValueError, match="`a b` is not a name"):
        batchlab.policy(name="a b")(InOrder)
    with pytest.raises(TypeError, match=r"neither decide\(turn\) nor score\(jobs\)"):
        batchlab.policy(type("Neither", (), {}))
    with pytest.raises(TypeError, match="a class is registered"):
        batchlab.policy(lambda turn: None)  # type: ignore[call-overload]
    with pytest.raises(TypeError, match="a function is registered"):
        batchlab.order("estimate")(InOrder)  # type: ignore[type-var]
    with pytest.raises(TypeError, match="reads columns, which are texts"):
        batchlab.order()
    with pytest.raises(ValueError, match="not an expression"):
        batchlab.order("estimate +", name="odd")(lambda jobs: jobs)
    with pytest.raises(batchlab.UsageError, match="no policy called `inordr` is registered in python .did you mean `inorder`"):
        replay(week, "python:inordr")
    with pytest.raises(batchlab.UsageError, match="inorder decides which jobs start"):
        replay(week, "easy:order=inorder")


def test_a_name_is_registered_again(week: Trace) -> None:
    batchlab.order("estimate", name="again")(lambda jobs: jobs.estimate)
    short = replay(week, "fcfs:order=again").jobs
    batchlab.order("estimate", name="again")(lambda jobs: -jobs.estimate)
    assert not replay(week, "fcfs:order=again").jobs.equals(short)


def test_they_are_compared_and_conform(week: Trace, capfd: pytest.CaptureFixture[str]) -> None:
    table = batchlab.compare(week, ["easy", "inorder", "easy:order=area", "fcfs"]).to_pandas()
    assert (table.loc["python:inorder"] == table.loc["fcfs"]).all()
    assert batchlab.conform("inorder", like="fcfs", cases=10, quiet=True)
    assert "python:inorder conforms" in capfd.readouterr().out

    @batchlab.policy
    class Forgetful(batchlab.Policy):
        seen: list[int] = []  # of all replays

        def decide(self, turn: Turn) -> None:
            self.seen.append(1)
            for job in turn.jobs.values():
                if len(self.seen) % 7 and turn.fits(job):
                    turn.start(job)

    assert not batchlab.conform("forgetful", cases=5, quiet=True, check="legal,deterministic")
    with pytest.raises(ValueError, match="could not be checked"):
        batchlab.conform("nosuch")


def test_ctrl_c_ends_a_decision_that_does_not_end() -> None:
    code = f"""
import os, signal, sys, threading, time, warnings
signal.signal(signal.SIGINT, signal.default_int_handler)
warnings.simplefilter("ignore")
import batchlab

@batchlab.policy
class Endless(batchlab.Policy):
    def decide(self, turn):
        while True:
            pass

trace = batchlab.Trace.read({str(ROOT / "traces/data/lublin-128.swf.gz")!r})
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
began = time.monotonic()
try:
    batchlab.replay(trace, "endless")
except KeyboardInterrupt:
    time.sleep(0.2)
    print("stopped", time.monotonic() - began < 5, threading.active_count())
print(batchlab.replay(trace, "easy").decisions > 0)
"""
    # Beside the tests, where the folder of the package is not taken for the installed one.
    here = Path(__file__).parent
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False, cwd=here)
    assert done.stdout.split() == ["stopped", "True", "1", "True"], done.stderr


def test_the_module_for_child_processes_is_installed() -> None:
    import batchlab_policy

    assert batchlab_policy.Policy is batchlab.Policy
    installed = Path(batchlab_policy.__file__).read_bytes()
    assert installed == (EXAMPLES / "batchlab_policy.py").read_bytes()


def test_the_program_knows_nothing_of_them(tmp_path: Path) -> None:
    done = program("replay", ROOT / "traces/data/lublin-128.swf.gz", "--policy", "python:inorder", "--quiet")
    assert done.returncode == 2
    assert done.stderr == "error: no policy called `inorder` is registered in python\n"
