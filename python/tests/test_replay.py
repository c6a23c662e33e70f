"""Replays: jobs, metrics, plots."""

import math
import pickle
import xml.dom.minidom
from pathlib import Path

import numpy
import pandas
import pytest

import batchlab
from batchlab import Trace


def test_jobs_are_in_the_order_of_the_log_in_seconds(small: Trace) -> None:
    outcome = batchlab.replay(small, "easy")
    jobs = outcome.jobs
    assert list(jobs["job_id"]) == [1, 2, 3]
    # Job 2 waits for job 1, and job 3 has no room beside either.
    assert list(jobs["start"]) == [0.0, 10.0, 15.0]
    assert list(jobs["end"]) == [10.0, 15.0, 18.0]
    assert list(jobs["wait"]) == [0.0, 9.0, 13.0]
    assert list(jobs["bsld"]) == [1.0, 1.4, 1.6]
    assert list(jobs["user"]) == [7, 7, 7]
    assert jobs["start"].dtype == numpy.float64
    assert jobs["group"].isna().all()
    assert outcome.jobs is jobs


def test_columns_are_chosen_by_name(small: Trace) -> None:
    outcome = batchlab.replay(small, "easy")
    assert list(outcome.to_pandas("wait").columns) == ["job_id", "submit", "start", "end", "procs", "wait"]
    assert list(outcome.to_pandas(["wait", "user"]).columns)[5:] == ["wait", "user"]
    with pytest.raises(batchlab.UsageError, match="unknown column `wiat` of schedules; did you mean wait"):
        outcome.to_pandas("wiat")


def test_nodes_are_told_where_there_are_nodes(small: Trace) -> None:
    jobs = batchlab.replay(small, "easy", nodes=2, task_procs=1).jobs
    assert list(jobs["nodes"]) == ["0:2+1:2", "0:2+1:2", "0:1"]
    assert "nodes" not in batchlab.replay(small, "easy").jobs


def test_metrics_are_those_of_the_summary_or_those_asked_for(small: Trace) -> None:
    metrics = batchlab.replay(small, "easy").metrics
    assert metrics["mean_wait"] == pytest.approx(22 / 3)
    assert len(metrics) > 20
    asked = batchlab.replay(small, "easy", metrics=["mean_wait", "max_wait"]).metrics
    assert asked == {"mean_wait": pytest.approx(22 / 3), "max_wait": 13.0}
    own = batchlab.replay(small, "easy", metrics="late=share(wait > 10s)").metrics
    assert own["late"] == pytest.approx(1 / 3)


def test_the_frame_agrees_with_the_metrics(lublin: Trace) -> None:
    outcome = batchlab.replay(lublin, "easy")
    assert outcome.jobs["wait"].mean() == pytest.approx(outcome.metrics["mean_wait"])
    assert outcome.jobs["bsld"].mean() == pytest.approx(outcome.metrics["mean_bsld"])


def test_a_schedule_is_legal(lublin: Trace) -> None:
    assert batchlab.replay(lublin, "conservative").verify() == []


@pytest.mark.filterwarnings("ignore::batchlab.PitfallWarning")
def test_plots_are_svg(lublin: Trace, tmp_path: Path) -> None:
    outcome = batchlab.replay(lublin, "easy")
    plots = [outcome.gantt(), outcome.gantt(0, 86400, colour="width"), outcome.utilization()]
    plots.append(batchlab.compare(lublin, ["fcfs", "easy"]).utilization())
    for plot in plots:
        root = xml.dom.minidom.parseString(plot.svg).documentElement
        assert root is not None and root.tagName == "svg"
        assert plot._repr_svg_() == plot.svg
    assert "fcfs" in plots[-1].svg and "easy" in plots[-1].svg
    plots[0].save(tmp_path / "gantt.svg")
    assert (tmp_path / "gantt.svg").read_text() == plots[0].svg
    with pytest.raises(ValueError, match="colour"):
        outcome.gantt(colour="red")


@pytest.mark.filterwarnings("ignore::batchlab.PitfallWarning")
def test_plots_are_saved_in_the_form_of_their_ending(lublin: Trace, tmp_path: Path) -> None:
    plot = batchlab.replay(lublin, "easy").utilization()
    for name, beginning in [("a.svg", b"<"), ("a.pdf", b"%PDF-"), ("a.PNG", b"\x89PNG\r\n")]:
        plot.save(tmp_path / name)
        assert (tmp_path / name).read_bytes().lstrip().startswith(beginning), name
    for name in ["a.jpg", "a"]:
        with pytest.raises(ValueError, match=r"saved as \.svg, \.pdf or \.png"):
            plot.save(tmp_path / name)
        assert not (tmp_path / name).exists()


@pytest.mark.filterwarnings("ignore")
def test_a_comparison_is_a_table_and_a_mapping(lublin: Trace) -> None:
    comparison = batchlab.compare(lublin, ["fcfs", "easy:order=sjf"], metrics="mean_wait,mean_bsld")
    assert list(comparison) == ["fcfs", "easy:order=sjf"]
    frame = comparison.to_pandas()
    assert list(frame.index) == ["fcfs", "easy:order=sjf"] and list(frame.columns) == ["mean_wait", "mean_bsld"]
    waits = frame["mean_wait"].to_dict()
    assert waits["fcfs"] == comparison["fcfs"].metrics["mean_wait"]
    assert waits["fcfs"] > waits["easy:order=sjf"]
    assert comparison._repr_html_().lstrip().startswith("<")
    assert "easy:order=sjf" in str(comparison)
    with pytest.raises(KeyError):
        comparison["esay"]


def test_pitfalls_of_a_comparison_are_warnings(lublin: Trace) -> None:
    with pytest.warns(batchlab.PitfallWarning):
        batchlab.compare(lublin, ["fcfs", "easy"])


def test_threads_change_nothing(lublin: Trace) -> None:
    with pytest.warns(batchlab.PitfallWarning):
        one = batchlab.compare(lublin, ["fcfs", "easy", "slack"], threads=1)
        two = batchlab.compare(lublin, ["fcfs", "easy", "slack"], threads=2)
    assert one.table("json") == two.table("json")


def test_outcomes_can_be_pickled(small: Trace) -> None:
    outcome = batchlab.replay(small, "easy", overrun="kill")
    again = pickle.loads(pickle.dumps(outcome))
    pandas.testing.assert_frame_equal(again.jobs, outcome.jobs)
    assert again.policy == "easy"
    assert all(math.isnan(value) or again.metrics[key] == value for key, value in outcome.metrics.items())


def test_frames_of_all_kinds_agree(small: Trace) -> None:
    import polars

    outcome = batchlab.replay(small, "easy")
    assert outcome.to_polars()["wait"].to_list() == [0.0, 9.0, 13.0]
    assert outcome.to_polars()["group"].null_count() == 3
    assert outcome.to_arrow().column("end").to_pylist() == [10.0, 15.0, 18.0]
    assert polars.DataFrame(outcome).shape == outcome.to_arrow().shape
