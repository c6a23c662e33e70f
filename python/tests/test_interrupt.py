"""Long work gives way to Ctrl-C, and leaves nothing behind."""

import os
import signal
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

import batchlab
from batchlab import Trace
from conftest import DATA, read
from test_experiment import EXPERIMENT


def long_log() -> Trace:
    """A log whose replay under a plan takes many seconds: four times as much load as the machine has."""
    return read(DATA / "lublin-128.swf.gz")


def interrupted(work: Callable[[], object]) -> float:
    """Do work, send this process Ctrl-C after a moment, and return the seconds until it gave way."""
    sent: list[float] = []

    def send() -> None:
        time.sleep(0.3)
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    sender = threading.Thread(target=send)
    sender.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            work()
            # It was faster than the signal.
            sender.join()
            time.sleep(1)
        return time.monotonic() - sent[0]
    finally:
        sender.join()


def test_a_replay_gives_way_to_ctrl_c() -> None:
    trace = long_log()
    took = interrupted(lambda: [batchlab.replay(trace, "conservative", load=20) for _ in range(100)])
    assert took < 5.0
    # The next replay is not disturbed.
    assert batchlab.replay(trace, "easy").verify() == []


@pytest.mark.filterwarnings("ignore")
def test_a_comparison_gives_way_to_ctrl_c() -> None:
    trace = long_log()
    policies = ["conservative", "slack", "depth:k=100", "selective"]
    assert interrupted(lambda: [batchlab.compare(trace, policies, load=20) for _ in range(100)]) < 5.0


@pytest.mark.filterwarnings("ignore")
def test_an_experiment_goes_on_after_ctrl_c(tmp_path: Path) -> None:
    file = tmp_path / "long.toml"
    many = EXPERIMENT.replace("replications = 4", "replications = 300").replace("jobs = 200", "jobs = 500")
    file.write_text(many)
    long = batchlab.experiment(file)
    assert interrupted(lambda: long.run(out=tmp_path / "out")) < 10.0
    assert not (tmp_path / "out" / "results.csv").exists()
    with pytest.raises(batchlab.UsageError, match="resume"):
        long.run(out=tmp_path / "out")
    assert len(long.run(out=tmp_path / "out", resume=True).to_pandas()) == 600


def test_other_threads_run_meanwhile(lublin: Trace) -> None:
    ticks = []
    done = threading.Event()

    def tick() -> None:
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.001)

    ticker = threading.Thread(target=tick)
    ticker.start()
    began = time.monotonic()
    while time.monotonic() < began + 0.5:
        batchlab.replay(lublin, "conservative")
    done.set()
    ticker.join()
    assert len(ticks) > 50


def test_progress_is_told_and_may_raise() -> None:
    trace = long_log()
    told: list[tuple[int, int | None]] = []
    began = time.monotonic()
    while not told and time.monotonic() < began + 10:
        batchlab.replay(trace, "conservative", load=20, progress=lambda done, total: told.append((done, total)))
    assert all(total in (5000, None) and done <= 5000 for done, total in told)

    class Enough(Exception):
        pass

    def stop(done: int, total: int | None) -> None:
        raise Enough

    with pytest.raises(Enough):
        for _ in range(100):
            batchlab.replay(trace, "conservative", load=20, progress=stop)


def test_many_replays_keep_their_memory(small: Trace) -> None:
    def pages() -> int:
        with open("/proc/self/statm") as file:
            return int(file.read().split()[1])

    def replays(count: int) -> None:
        for _ in range(count):
            assert batchlab.replay(small, "easy").decisions > 0

    replays(1000)
    before = pages()
    replays(4000)
    assert (pages() - before) * os.sysconf("SC_PAGE_SIZE") < 8 << 20
