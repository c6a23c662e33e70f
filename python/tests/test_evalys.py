"""evalys reads schedules that are written for it, and schedules whose processors are numbered."""

from pathlib import Path
from typing import Any

import pytest

import batchlab
from conftest import DATA, program, read

jobset: Any = pytest.importorskip("evalys.jobset")
procset: Any = pytest.importorskip("procset")

#: Its names of the columns.
NAMES = {
    "submit": "submission_time",
    "start": "starting_time",
    "end": "finish_time",
    "procs": "requested_number_of_resources",
    "processors": "allocated_resources",
}


@pytest.mark.filterwarnings("ignore")
def test_evalys_reads_a_schedule_of_a_pool(tmp_path: Path) -> None:
    import pandas

    file = tmp_path / "easy.csv"
    outcome = batchlab.replay(read(DATA / "lublin-128.swf.gz"), "easy")
    outcome.to_csv(file, "processors")
    schedule = pandas.read_csv(file, dtype={"processors": str}).rename(columns=NAMES)
    schedule["allocated_resources"] = schedule["allocated_resources"].map(procset.ProcSet.from_str)
    jobs = jobset.JobSet(schedule)
    assert (jobs.df["proc_alloc"] == jobs.df["requested_number_of_resources"]).all()
    assert jobs.MaxProcs == 128
    apart(jobs)


@pytest.mark.filterwarnings("ignore")
def test_evalys_reads_what_replay_writes_for_it(tmp_path: Path) -> None:
    done = program("replay", DATA / "lublin-128.swf.gz", "--policy", "easy", "--evalys", tmp_path, "-q")
    assert done.returncode == 0, done.stderr
    jobs = jobset.JobSet.from_csv(tmp_path / "easy_jobs.csv")
    assert (len(jobs.df), jobs.MaxProcs) == (5000, 128)
    assert (jobs.df["proc_alloc"] == jobs.df["requested_number_of_resources"]).all()
    # The table of the replay has 6,447 s.
    assert round(jobs.df["waiting_time"].mean()) == 6447
    assert jobs.utilisation["load"].max() <= 128
    apart(jobs)


def apart(jobs: Any) -> None:
    """Check that no processor has two jobs: the running jobs at each start have no processor in common."""
    running = sorted(zip(jobs.df["starting_time"], jobs.df["finish_time"], jobs.df["allocated_resources"]))
    now: list[Any] = []
    for start, end, processors in running:
        now = [(last, taken) for last, taken in now if last > start]
        for _, taken in now:
            assert not taken & processors, (start, str(processors), str(taken))
        now.append((end, processors))
