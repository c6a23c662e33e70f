"""Logs: reading, cleaning, shaping, frames."""

import copy
import pickle
from datetime import datetime, timezone
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

import numpy
import pandas
import polars
import pyarrow
import pytest

import batchlab
from batchlab import Trace
from conftest import DATA, KTH, program, read


def test_a_log_tells_what_it_is(lublin: Trace) -> None:
    assert len(lublin) == 5000
    assert lublin.max_procs == 128
    assert lublin.name.endswith("lublin-128.swf.gz")
    assert "5,000 records, 128 processors" in repr(lublin)
    assert lublin.columns[:4] == ["job", "submit", "wait", "run"]


def test_numbers_are_not_copied(lublin: Trace) -> None:
    one, two = lublin["submit"], lublin["submit"]
    assert one.dtype == numpy.int32 and not one.flags.writeable
    assert one.__array_interface__["data"] == two.__array_interface__["data"]
    frame = lublin.to_pandas()
    assert numpy.shares_memory(frame["submit"].to_numpy(), one)
    table = pyarrow.table(lublin)
    address = table.column("submit").chunk(0).buffers()[1].address
    assert address == one.__array_interface__["data"][0]


def test_arrays_outlive_their_log() -> None:
    submit = read(DATA / "lublin-128.swf.gz")["submit"]
    for _ in range(3):
        read(DATA / "valley-128.swf.gz")
    assert submit[0] == pandas.read_csv(DATA / "lublin-128.swf.gz", sep=r"\s+", comment=";", header=None)[1][0]


def test_unknown_values_are_missing(small: Trace) -> None:
    frame = small.to_pandas()
    assert list(frame["run"]) == [10, 5, 3]
    assert frame["wait"].isna().all() and frame["wait"].dtype == "Int32"
    assert small.to_polars()["wait"].null_count() == 3
    assert small.to_arrow().column("wait").null_count == 3
    assert polars.DataFrame(small)["run"].to_list() == [10, 5, 3]


@pytest.mark.parametrize("log", [DATA / "lublin-128.swf.gz", DATA / "valley-128.swf.gz", DATA / "harbour-128.swf.gz"])
@pytest.mark.parametrize("kind", ["to_pandas", "to_polars"])
@pytest.mark.filterwarnings("ignore")
def test_a_log_survives_a_frame(log: Path, kind: str) -> None:
    trace = read(log)
    again = Trace.from_dataframe(getattr(trace, kind)(), max_procs=trace.max_procs)
    pandas.testing.assert_frame_equal(again.to_pandas()[trace.columns[:18]], trace.to_pandas()[trace.columns[:18]])
    ours, theirs = (batchlab.replay(log, "easy").jobs["start"] for log in (again, trace))
    assert (ours == theirs).all()


@pytest.mark.filterwarnings("ignore")
def test_resources_survive_a_frame_too(tmp_path: Path) -> None:
    log = tmp_path / "gpu.swf"
    resources = ["; Resource: 1 memory KB capacity=1024 scope=pool", "; Resource: 2 gpu capacity=4 scope=node"]
    jobs = ["1 0 -1 100 4 -1 -1 4 200 -1 1 1 1 -1 1 -1 -1 -1 640 2", "2 1 -1 100 4 -1 -1 4 200 -1 1 1 1 -1 1 -1 -1 -1 512 -1"]
    log.write_text("\n".join(["; MaxProcs: 16", *resources, *jobs, ""]))
    trace = read(log)
    assert trace.resources == {"memory": "KB capacity=1024 scope=pool", "gpu": "capacity=4 scope=node"}
    assert trace.columns[18:] == ["memory", "gpu"]
    again = Trace.from_dataframe(trace.to_pandas(), max_procs=16, resources=trace.resources)
    assert again.resources == trace.resources
    pandas.testing.assert_frame_equal(again.to_pandas(), trace.to_pandas())
    # 640 and 512 of 1,024 KB: the second job waits for the first.
    assert list(batchlab.replay(again, "easy").jobs["start"]) == [0.0, 100.0]


def test_a_frame_may_have_other_names_instants_and_texts() -> None:
    frame = pandas.DataFrame(
        {
            "submit_time": pandas.to_datetime(["2026-01-05 08:00:00", "2026-01-05 08:00:01"]),
            "runtime": pandas.to_timedelta([60, 1.5], unit="s"),
            "procs": [4, 2],
            "user": ["ada", "bob"],
            "comment": ["", ""],
        }
    )
    with pytest.warns(UserWarning, match="columns that no log has are left out: `comment`"):
        trace = Trace.from_dataframe(frame, max_procs=4)
    assert list(trace["submit"]) == [0, 1]
    assert list(trace["run"]) == [60.0, 1.5]
    assert list(trace["user"]) == [1, 2]
    with pytest.warns(batchlab.FindingWarning):
        assert list(batchlab.replay(trace, "fcfs").jobs["start"]) == [0.0, 60.0]


WHEN = ["2026-03-29T01:30:00+01:00", "2026-03-29T03:30:00+02:00", "2026-03-29T02:00:00+00:00"]


def zoned() -> list[Any]:
    """The same three instants, each half an hour to an hour after the one before, in each way in which a frame has them."""
    instants = [datetime.fromisoformat(text) for text in WHEN]
    berlin = pandas.Series(pandas.to_datetime(instants, utc=True)).dt.tz_convert("Europe/Berlin")
    frame = {"run": [1, 1, 1], "procs": [1, 1, 1]}
    return [
        pandas.DataFrame({"submit": pandas.Series(instants, dtype=object), **frame}),
        pandas.DataFrame({"submit": berlin, **frame}),
        pandas.DataFrame({"submit": berlin.dt.tz_convert(None), **frame}),
        pandas.DataFrame({"submit": berlin, **frame}).convert_dtypes(dtype_backend="pyarrow"),
        polars.DataFrame({"submit": [instant.astimezone(timezone.utc) for instant in instants], **frame}),
        polars.DataFrame({"submit": [instant.astimezone(ZoneInfo("Europe/Berlin")) for instant in instants], **frame}),
    ]


@pytest.mark.parametrize("at", range(6))
def test_instants_with_a_time_zone_are_converted(at: int, tmp_path: Path) -> None:
    trace = Trace.from_dataframe(zoned()[at], max_procs=4)
    # The clocks go forward between the first and the second instant.
    assert list(trace["submit"]) == [0, 3600, 5400]
    trace.to_swf(tmp_path / "zoned.swf")
    # date -u -d 2026-03-29T00:30:00 +%s
    assert "UnixStartTime: 1774744200" in (tmp_path / "zoned.swf").read_text()


def test_instants_with_and_without_a_time_zone_are_not_mixed() -> None:
    frame = {"submit": [datetime.fromisoformat(WHEN[0]), datetime(2026, 3, 29, 3)], "run": [1, 1], "procs": [1, 1]}
    with pytest.raises(batchlab.InputError, match="column `submit` mixes instants with and without a time zone"):
        Trace.from_dataframe(pandas.DataFrame(frame, dtype=object))


def test_what_a_frame_lacks_is_told() -> None:
    with pytest.raises(batchlab.InputError, match="the frame lacks `run`, `requested_procs`; it has `submit`"):
        Trace.from_dataframe(pandas.DataFrame({"submit": [1]}))
    with pytest.raises(batchlab.InputError, match="column `run`, row 1: 'long' is not a number"):
        Trace.from_dataframe(pandas.DataFrame({"submit": [1, 2], "run": [1, "long"], "procs": [1, 1]}))
    with pytest.raises(batchlab.InputError, match="`run` twice"):
        Trace.from_dataframe(pandas.DataFrame({"submit": [1], "run": [1], "runtime": [1], "procs": [1]}))
    with pytest.raises(ValueError, match="row 0: inf is not a value"):
        Trace.from_dataframe(pandas.DataFrame({"submit": [1], "run": [float("inf")], "procs": [1]}))
    with pytest.raises(TypeError, match="a frame of jobs is wanted"):
        Trace.from_dataframe([1, 2])


def test_rules_and_steps_make_other_logs(lublin: Trace, tmp_path: Path) -> None:
    rules = '[[rule]]\nid = "wide"\ndrop = "procs > 64"\nbecause = "too wide"\n'
    file = tmp_path / "rules.toml"
    file.write_text(rules)
    cleaned = lublin.clean(file)
    assert len(cleaned) < len(lublin) == 5000
    assert len(lublin.clean(rules)) == len(cleaned)
    steps = '[[step]]\nkind = "filter"\nkeep = "procs > 1"\n'
    shaped = lublin.shape(steps)
    assert (shaped["requested_procs"] > 1).all()
    assert [name for name, _, _ in shaped.history]
    assert [name for name, _, _ in lublin.history] == []


@pytest.mark.skipif(not KTH.exists(), reason="the log is not here")
@pytest.mark.filterwarnings("ignore")
def test_a_preset_cleans_the_log_it_is_for() -> None:
    raw = read(KTH.with_name("KTH-SP2-1996-2.swf.gz"))
    cleaned = raw.clean("pwa:kth-sp2")
    assert (len(raw), len(cleaned)) == (28489, 28475)


def test_a_log_is_written_as_the_program_writes_it(lublin: Trace, tmp_path: Path) -> None:
    ours, theirs = tmp_path / "ours.swf", tmp_path / "theirs.swf"
    lublin.to_swf(ours)
    assert program("convert", DATA / "lublin-128.swf.gz", "-o", theirs, "--quiet").returncode == 0
    assert ours.read_bytes() == theirs.read_bytes()


def test_logs_can_be_pickled(lublin: Trace) -> None:
    again = pickle.loads(pickle.dumps(lublin))
    assert again.name == lublin.name and again.max_procs == 128
    pandas.testing.assert_frame_equal(again.to_pandas(), lublin.to_pandas())


@pytest.mark.filterwarnings("ignore::batchlab.FindingWarning")
def test_a_pickled_log_keeps_its_hash_its_findings_and_its_history(tmp_path: Path) -> None:
    log = tmp_path / "short.swf"
    short = "".join(f"{job} {job} -1 10 4\n" for job in range(1, 8))
    log.write_text(f"; MaxProcs: 4\n{short}8 9 -1 5 4 -1 -1 4 5 -1 1 7 -1 -1 0 -1 -1 -1\n")
    trace = read(log).clean("[[rule]]\nid = 'first'\nbecause = 'it is'\ndrop = 'job = 1'\n")
    assert len(trace.sha256) == 64 and trace.history and trace.findings
    for again in [pickle.loads(pickle.dumps(trace)), copy.deepcopy(trace)]:
        assert (again.name, again.sha256) == (trace.name, trace.sha256)
        assert again.history == trace.history
        assert again.findings == trace.findings
        assert any("7 lines with too few fields" in text and "and 4 more" in text for _, _, text in again.findings)


def test_findings_are_warnings(tmp_path: Path) -> None:
    log = tmp_path / "short.swf"
    log.write_text("; MaxProcs: 4\n1 0 -1 10 4\n2 1 -1 5 4 -1 -1 4 5 -1 1 7 -1 -1 0 -1 -1 -1\n")
    with pytest.warns(batchlab.FindingWarning, match=r"warning\[swf-short-line\]: 1 line with too few fields"):
        trace = read(log)
    assert any(code == "swf-short-line" for _, code, _ in trace.findings)
    with pytest.raises(batchlab.InputError, match="short.swf:2"):
        Trace.read(log, strict=True)
