"""Policies that do not end, Ctrl-C, and the end of Python: no replay aborts the process or outlives it."""

from __future__ import annotations

import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from conftest import DATA

#: What every script begins with. A policy that catches interrupts calls something: CPython (seen with 3.11) raises one that
#: arrives at the jump of `while True: pass` outside the `try` around it.
HEAD = f"""
import os, signal, sys, threading, time, warnings
warnings.simplefilter("ignore")
signal.signal(signal.SIGINT, signal.default_int_handler)
import batchlab
trace = batchlab.Trace.read({str(DATA / "lublin-128.swf.gz")!r})

@batchlab.policy
class Endless(batchlab.Policy):
    needs = ["pool"]
    def decide(self, turn):
        while True: pass

@batchlab.policy
class Stubborn(batchlab.Policy):
    needs = ["pool"]
    def decide(self, turn):
        while True:
            try:
                while True: time.sleep(0)
            except BaseException: pass

@batchlab.policy
class Slow(batchlab.Policy):
    needs = ["pool"]
    def decide(self, turn):
        time.sleep(0.01)
        for job in turn.submitted:
            if turn.fits(job): turn.start(job)

@batchlab.policy
class Asleep(batchlab.Policy):
    needs = ["pool"]
    def decide(self, turn):
        time.sleep(1000)

@batchlab.order("wait")
def waited(jobs):
    return jobs.wait

def after(seconds):
    threading.Timer(seconds, lambda: os.kill(os.getpid(), signal.SIGINT)).start()

def interrupted(work):
    after(0.5)
    began = time.monotonic()
    try:
        work()
    except KeyboardInterrupt:
        print("interrupted", flush=True)
    assert time.monotonic() - began < 5, time.monotonic() - began

def beside(work, threads=4):
    for _ in range(threads):
        threading.Thread(target=work, daemon=True).start()
    time.sleep(0.7)
"""


def script(body: str, timeout: float = 60) -> tuple[int, str, str, float]:
    """Run a script in a process of its own: its exit code, what it wrote, and how long it took."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-c", HEAD + textwrap.dedent(body)],
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout,
        cwd=Path(__file__).parent,
    )
    return done.returncode, done.stdout, done.stderr, time.monotonic() - began


@pytest.mark.parametrize(
    "work",
    [
        'batchlab.replay(trace, "endless")',
        'batchlab.compare(trace, ["easy", "endless"])',
        'batchlab.compare(trace, ["endless", "asleep", "slow", "easy:order=waited"])',
        'batchlab.replay(trace, "slow")',
        'batchlab.replay(trace, "stubborn")',
        'batchlab.compare(trace, ["stubborn", "endless", "easy"])',
        'batchlab.replay(trace, "asleep")',
    ],
)
def test_ctrl_c_and_exit_after_a_policy_that_does_not_end(work: str) -> None:
    code, out, err, took = script(f"interrupted(lambda: {work})\nprint('end')\n")
    assert (code, out) == (0, "interrupted\nend\n"), err
    assert took < 20


@pytest.mark.parametrize(
    "work",
    [
        'batchlab.replay(trace, "endless")',
        'batchlab.replay(trace, "stubborn")',
        'batchlab.compare(trace, ["slow", "stubborn"])',
        'batchlab.replay(trace, "slow")',
        '[batchlab.replay(trace, "conservative", load=20) for _ in range(50)]',
        '[batchlab.replay(trace, "easy:order=waited") for _ in range(50)]',
        '[batchlab.replay(trace, "slow", progress=lambda done, total: None) for _ in range(50)]',
    ],
)
def test_exit_while_threads_replay(work: str) -> None:
    for code in (0, 3):
        ended, out, err, took = script(f"beside(lambda: {work})\nprint('end')\nsys.exit({code})\n")
        assert (ended, out) == (code, "end\n"), err
        assert took < 20


def test_an_interrupted_policy_uses_no_processor_any_more() -> None:
    body = """
    import resource
    used = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_utime
    for policies in (["endless", "easy"], ["stubborn", "easy"]):
        interrupted(lambda: batchlab.compare(trace, policies))
        time.sleep(6)
        before = used()
        time.sleep(2)
        assert used() - before < 0.5, (policies, used() - before)
    print(batchlab.replay(trace, "easy").verify())
    """
    code, out, err, _ = script(body)
    assert (code, out) == (0, "interrupted\ninterrupted\n[]\n"), err


def test_a_policy_may_catch_the_first_interrupt() -> None:
    body = """
    @batchlab.policy
    class Tidy(batchlab.Policy):
        needs = ["pool"]
        def decide(self, turn):
            try:
                try:
                    while True: time.sleep(0)
                except KeyboardInterrupt:
                    while True: time.sleep(0)
            finally:
                print("tidied", flush=True)

    interrupted(lambda: batchlab.replay(trace, "tidy"))
    """
    code, out, err, _ = script(body)
    assert (code, sorted(out.split())) == (0, ["interrupted", "tidied"]), err


def test_an_interrupt_ends_only_its_own_work() -> None:
    body = """
    done = []
    @batchlab.policy
    class Other(batchlab.Policy):
        needs = ["pool"]
        def begin(self): self.queue = []
        def decide(self, turn):
            time.sleep(0.0005)
            self.queue += turn.submitted
            while self.queue and turn.fits(self.queue[0]): turn.start(self.queue.pop(0))

    def other():
        done.append(batchlab.replay(trace, "other").verify())

    thread = threading.Thread(target=other)
    thread.start()
    interrupted(lambda: batchlab.compare(trace, ["endless", "easy"]))
    thread.join()
    print(done)
    """
    code, out, err, _ = script(body)
    assert (code, out) == (0, "interrupted\n[[]]\n"), err


def test_a_policy_that_replays_is_interrupted_within() -> None:
    body = """
    @batchlab.policy
    class Within(batchlab.Policy):
        needs = ["pool"]
        def decide(self, turn):
            batchlab.replay(trace, "endless")

    interrupted(lambda: batchlab.replay(trace, "within"))
    """
    code, out, err, took = script(body)
    assert (code, out) == (0, "interrupted\n"), err
    assert took < 20


def test_the_check_of_a_policy_gives_way_to_ctrl_c() -> None:
    code, out, err, took = script("interrupted(lambda: batchlab.conform('endless', cases=3))\n")
    assert code == 0 and "interrupted\n" in out, (out, err)
    assert took < 20


def test_ctrl_c_raises_after_a_check_of_a_policy() -> None:
    body = """
    batchlab.conform("easy", cases=3)
    interrupted(lambda: time.sleep(3))
    """
    code, out, err, _ = script(body)
    assert code == 0 and out.endswith("interrupted\n"), (out, err)


def test_work_is_refused_when_python_has_ended_its_work() -> None:
    body = """
    batchlab._batchlab.close()
    try:
        batchlab.replay(trace, "easy")
    except RuntimeError as error:
        print(error)
    """
    code, out, err, _ = script(body)
    assert (code, out) == (0, "Python is ending: no work is begun any more\n"), err


def test_a_forked_process_works_and_ends(tmp_path: Path) -> None:
    if not hasattr(__import__("os"), "fork"):
        pytest.skip("there is no fork")
    body = """
    threading.Thread(target=lambda: batchlab.replay(trace, "slow"), daemon=True).start()
    time.sleep(0.3)
    child = os.fork()
    if child == 0:
        signal.alarm(20)
        print(batchlab.replay(trace, "easy").verify(), flush=True)
        sys.exit(5)
    print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    code, out, err, _ = script(body)
    assert (code, out) == (0, "[]\n5\n"), err
