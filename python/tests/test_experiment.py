"""Experiments: results as frames."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy
import pytest

import batchlab
from batchlab import _toml
from conftest import program

EXPERIMENT = """
[experiment]
name = "small"
replications = 4

[[workload]]
model = "lublin"
jobs = 200

[[policy]]
label = "FCFS"
spec = "fcfs"

[[policy]]
label = "EASY"
spec = "easy"

[[table]]
name = "main"
rows = ["policy"]
metrics = ["mean_wait"]
cells = ["value"]

[[plot]]
name = "waits"
kind = "cdf"
metric = "wait"
"""


@pytest.mark.filterwarnings("ignore")
def test_results_are_those_of_the_program(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT)
    told: list[tuple[int, int | None]] = []
    results = batchlab.experiment(file).run(out=tmp_path / "ours", progress=lambda done, total: told.append((done, total)))
    assert program("run", file, "--out", tmp_path / "theirs", "--quiet").returncode == 0
    for name in ["results.csv", "tables/main.csv", "tables/main.html", "plots/waits.svg", "README.md"]:
        assert (tmp_path / "ours" / name).read_bytes() == (tmp_path / "theirs" / name).read_bytes(), name
    assert len(results.to_pandas()) == 8
    assert set(results.to_pandas()["policy"]) == {"FCFS", "EASY"}
    assert "main" in results.tables and len(results.tables["main"]) == 2
    assert results.plots["waits"].svg.lstrip().startswith("<")
    assert "<table" in results._repr_html_()
    assert results.report.startswith("#")


def test_pitfalls_are_told_in_words(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT)
    with pytest.warns(batchlab.PitfallWarning) as told:
        results = batchlab.experiment(file).run(out=tmp_path / "out", progress=False)
    grave = [pitfall for pitfall in results.pitfalls if pitfall["level"] != "note"]
    texts = [str(warning.message) for warning in told if issubclass(warning.category, batchlab.PitfallWarning)]
    assert len(texts) == len(grave) > 0
    for text, pitfall in zip(texts, grave):
        assert text.startswith(f"warning[{pitfall['code']}]: {pitfall['title']}: "), text
        assert pitfall["cases"][0]["seen"] in text and "{" not in text, text


#: The experiment above as a dict.
TABLES: dict[str, Any] = {
    "experiment": {"name": "small", "replications": 4},
    "workload": [{"model": "lublin", "jobs": 200}],
    "policy": [{"label": "FCFS", "spec": "fcfs"}, {"label": "EASY", "spec": "easy"}],
    "table": [{"name": "main", "rows": ["policy"], "metrics": ["mean_wait"], "cells": ["value"]}],
    "plot": ({"name": "waits", "kind": "cdf", "metric": "wait"},),
}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("source", [EXPERIMENT, TABLES])
def test_a_text_or_a_dict_gives_the_results_of_the_file(
    source: str | dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("small.toml").write_text(EXPERIMENT)
    of_file = batchlab.experiment("small.toml").run(out="file", progress=False)
    made = batchlab.experiment(source).run(out="made", progress=False)
    assert made.folder == Path("made") and made.to_pandas().equals(of_file.to_pandas())
    for name in ["results.csv", "tables/main.csv", "plots/waits.svg"]:
        assert (made.folder / name).read_bytes() == (of_file.folder / name).read_bytes(), name
    assert batchlab.experiment(source).run(progress=False).folder.resolve() == tmp_path / "small-results"
    # What is kept runs again.
    again = batchlab.experiment("made/experiment.toml").run(out="again", progress=False)
    assert again.to_pandas().equals(made.to_pandas())


#: Parts of an experiment with several workloads.
POLICIES = {"policy": TABLES["policy"], "table": [{**TABLES["table"][0], "rows": ["workload", "policy"]}]}


@pytest.mark.filterwarnings("ignore")
def test_workloads_may_be_logs_in_memory(lublin: batchlab.Trace, tmp_path: Path) -> None:
    first = lublin.shape('[[step]]\nkind = "filter"\nkeep = "job <= 500"\n')
    source = {"experiment": {"name": "ours"}, "workload": [{"name": "half", "trace": "first", "load": 0.5}], **POLICIES}
    run = batchlab.experiment(source, workloads={"first": first, "all": lublin}).run(out=tmp_path / "out", progress=False)
    frame = run.to_pandas()
    assert set(frame["workload"]) == {"half", "all"}
    waits = frame[(frame["workload"] == "all") & (frame["policy"] == "EASY")]["mean_wait"]
    assert list(waits) == [pytest.approx(batchlab.replay(lublin, "easy").metrics["mean_wait"])]
    slower = frame[(frame["workload"] == "half") & (frame["policy"] == "FCFS")]["mean_wait"]
    assert list(slower) == [pytest.approx(batchlab.replay(first, "fcfs", load=0.5).metrics["mean_wait"])]
    # The folder has the logs, so that the program makes the same results of it.
    done = program("run", run.folder / "experiment.toml", "--logs", run.folder / "logs", "--out", tmp_path / "same", "--quiet")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "same" / "results.csv").read_bytes() == (run.folder / "results.csv").read_bytes()
    resumed = batchlab.experiment(source, workloads={"first": first, "all": lublin})
    assert resumed.run(out=run.folder, resume=True, progress=False).to_pandas().equals(frame)
    assert str(tmp_path) not in (run.folder / "manifest.json").read_text()


@pytest.mark.filterwarnings("ignore")
def test_a_file_may_have_logs_in_memory(lublin: batchlab.Trace, tmp_path: Path) -> None:
    text = EXPERIMENT.replace('model = "lublin"\njobs = 200', 'trace = "mine"').replace("replications = 4\n", "")
    (tmp_path / "ours.toml").write_text(text)
    results = batchlab.experiment(tmp_path / "ours.toml", workloads={"mine": lublin}).run(out=tmp_path / "out", progress=False)
    assert set(results.to_pandas()["workload"]) == {"mine"}
    (tmp_path / "mine").write_text("")
    with pytest.raises(ValueError, match="the file .*mine has its name: rename one"):
        batchlab.experiment(tmp_path / "ours.toml", workloads={"mine": lublin}).run(out=tmp_path / "more")


def test_a_dict_is_written_in_toml() -> None:
    table = {
        "experiment": {"name": 'a "b"\\c\n', "seed": numpy.int64(7), "share": 0.5, "off": None, "on": True},
        "sweep": {"load": [0.5, 1], "odd key": {"x": ["y"]}},
        "workload": [{"trace": Path("log.swf"), "deep": {"est": 1}}, {"mixed": [{"a": 1}, 2]}],
    }
    assert _toml.text(table) == """
[experiment]
name = "a \\"b\\"\\\\c\\n"
seed = 7
share = 0.5
on = true

[sweep]
load = [0.5, 1]

[sweep."odd key"]
x = ["y"]

[[workload]]
trace = "log.swf"

[workload.deep]
est = 1

[[workload]]
mixed = [{ a = 1 }, 2]
"""
    with pytest.raises(TypeError, match="`policy.spec` takes a text, a number, .* not object"):
        _toml.text({"policy": [{"spec": object()}]})
    with pytest.raises(TypeError, match="the keys of an experiment are texts, not int: 1"):
        _toml.text({"policy": {1: 2}})


def test_sources_that_are_wrong_are_told(lublin: batchlab.Trace) -> None:
    with pytest.raises(TypeError, match="an experiment is a path, a text in TOML or a dict, not int"):
        batchlab.experiment(7)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="the workload 'mine' is a Trace, not str"):
        batchlab.experiment(TABLES, workloads={"mine": "log.swf"})  # type: ignore[dict-item]
    with pytest.raises(ValueError, match="the name of a workload has letters, digits"):
        batchlab.experiment(TABLES, workloads={"../mine": lublin})
    with pytest.raises(batchlab.UsageError, match="experiment:2:2: unknown key `experimnt`"):
        batchlab.experiment({"experimnt": {}}).run()


def test_what_is_wrong_is_told(tmp_path: Path) -> None:
    with pytest.raises(batchlab.InputError, match="there is no such file"):
        batchlab.experiment(tmp_path / "absent.toml")
    with pytest.raises(batchlab.InputError, match="no results.csv"):
        batchlab.Results(tmp_path)
    file = tmp_path / "wrong.toml"
    file.write_text(EXPERIMENT.replace("easy", "esay"))
    with pytest.raises(batchlab.UsageError, match="did you mean `easy`"):
        batchlab.experiment(file).run(out=tmp_path / "out")
