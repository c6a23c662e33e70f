"""Searches: what is found, and objectives for other optimisers."""

from __future__ import annotations

from pathlib import Path

import pytest

import batchlab

SEARCH = """
[experiment]
name = "order"
[[workload]]
model = "lublin"
jobs = 150
procs = 64
load = 1.1
replications = 16
[[policy]]
label = "FCFS"
spec = "fcfs"
[tune]
spec = "fcfs:order={order}"
objective = "mean_bsld"
robust = false
[space]
order = ["laf", "fcfs", "saf"]
"""


def test_a_search_returns_what_it_found(tmp_path: Path) -> None:
    seen: list[tuple[int, int | None]] = []
    tuned = batchlab.experiment(SEARCH).tune(out=tmp_path / "out", progress=lambda *done: seen.append(done))
    assert "fcfs:order=saf" in tuned.words
    candidates = tuned.candidates
    assert set(candidates["candidate"][-1:]) == {"FCFS"}
    assert candidates["spec"][0] == "fcfs:order=saf"
    assert candidates["mean_bsld: choose"].iloc[0] < 1 == candidates["mean_bsld: choose"].iloc[-1]
    assert tuned.results is not None
    assert set(tuned.results.to_pandas()["policy"]) == {"FCFS", "tuned"}
    with pytest.raises(batchlab.UsageError, match="has a search already"):
        batchlab.experiment(SEARCH).tune(out=tmp_path / "out", progress=False)
    again = batchlab.experiment(SEARCH).tune(out=tmp_path / "out", resume=True, progress=False)
    assert again.words == tuned.words


def test_an_objective_is_asked_and_tells() -> None:
    objective = batchlab.experiment(SEARCH).objective()
    assert objective.space == {"order": ["laf", "fcfs", "saf"]}
    assert objective.spec(order="saf") == "fcfs:order=saf"
    ratios = {order: objective(order=order) for order in objective.space["order"]}
    assert min(ratios, key=lambda order: ratios[order]) == "saf"
    assert ratios["fcfs"] == 1
    assert objective.evaluate(order="saf", units="choose") == objective.evaluate("fcfs:order=saf", units="choose")
    with pytest.raises(batchlab.UsageError, match="`{order}` of the spec has no value"):
        objective()
    with pytest.raises(batchlab.PolicyError, match="order takes one of"):
        objective("fcfs:order=none")
    with pytest.raises(ValueError, match="units are those that fit or choose"):
        objective.evaluate(order="saf", units="judge")


def test_logs_in_memory_are_refused(lublin: batchlab.Trace) -> None:
    with pytest.raises(ValueError, match="write these with Trace.to_swf first"):
        batchlab.experiment(SEARCH, workloads={"mine": lublin}).objective()
