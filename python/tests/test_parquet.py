"""Tables of jobs in Parquet."""

from datetime import datetime, timezone
from pathlib import Path
from typing import Any

import pytest

import batchlab

pyarrow: Any = pytest.importorskip("pyarrow")
parquet: Any = pytest.importorskip("pyarrow.parquet")


def at(minute: int) -> datetime:
    return datetime(2020, 5, 5, 10, minute, tzinfo=timezone.utc)


def table(**columns: list[Any]) -> Any:
    """Two jobs of PM100: the first waits for five minutes and runs for ten, the second never starts."""
    jobs: dict[str, list[Any]] = {
        "job_id": [7, 9],
        "submit_time": [at(0), at(1)],
        "start_time": [at(5), None],
        "end_time": [at(15), at(2)],
        "run_time": [600, 0],
        "time_limit": [30, 60],
        "num_cores_req": [256, 128],
        "num_cores_alloc": [256, 0],
        "num_nodes_req": [2, 1],
        "num_gpus_req": [8, 4],
        "mem_req": [475, 237],
        "job_state": ["COMPLETED", "CANCELLED"],
        "user_id": [3, 4],
        "group_id": [1, 2],
        "qos": ["1", "0"],
        "partition": ["1", "2"],
        "node_power_consumption": [[500.0, 510.0], []],
    }
    return pyarrow.table(jobs | columns)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("unit", ["us", "ns", "ms"])
def test_a_known_table_is_read_without_its_columns_of_lists(tmp_path: Path, unit: str) -> None:
    pytest.importorskip("pandas")
    times = pyarrow.timestamp(unit, tz="UTC")
    jobs = table()
    for name in ("submit_time", "start_time", "end_time"):
        jobs = jobs.set_column(jobs.schema.get_field_index(name), name, jobs[name].cast(times))
    parquet.write_table(jobs, tmp_path / "job_table.parquet")
    frame = batchlab.Trace.read_parquet(tmp_path / "job_table.parquet", progress=False).to_pandas()
    assert len(frame) == 2
    first = frame.iloc[0]
    assert first["wait"] == 300
    assert (first["run"], first["requested_procs"], first["gpu"]) == (600, 256, 8)
    assert first["requested_time"] == 1800


def test_an_unknown_table_needs_a_mapping(tmp_path: Path) -> None:
    parquet.write_table(pyarrow.table({"who": ["ann"], "cpus": [4]}), tmp_path / "other.parquet")
    with pytest.raises(batchlab.InputError, match="mapping"):
        batchlab.Trace.read_parquet(tmp_path / "other.parquet", progress=False)
