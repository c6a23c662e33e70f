"""evalys reads schedules whose processors are numbered."""

from pathlib import Path
from typing import Any

import pytest

import batchlab
from conftest import DATA, read

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
    # No processor has two jobs: the sum of the running jobs is the number of their processors.
    running = sorted(zip(jobs.df["starting_time"], jobs.df["finish_time"], jobs.df["allocated_resources"]))
    now: list[Any] = []
    for start, end, processors in running:
        now = [(last, taken) for last, taken in now if last > start]
        for _, taken in now:
            assert not taken & processors, (start, str(processors), str(taken))
        now.append((end, processors))
