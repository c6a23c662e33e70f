"""Schedules and tables from Python are those of the program, byte for byte."""

from pathlib import Path
from typing import Any

import pytest

import batchlab
from conftest import DATA, KTH, program, read

#: Twenty specs, with options of the scenario where a policy needs them.
SPECS: list[tuple[str, dict[str, Any]]] = [
    ("fcfs", {}),
    ("fcfs:order=sjf", {}),
    ("fcfs:order=ljf", {}),
    ("easy", {}),
    ("easy:order=sjf", {}),
    ("easy:order=wfp3", {}),
    ("easy:order=unicef", {}),
    ("easy:order=f1", {}),
    ("easy:order=fairshare", {}),
    ("easy", {"estimate": "actual"}),
    ("easy", {"estimate": "tsafrir", "seed": 7}),
    ("easy", {"events": "submit-first", "overrun": "kill"}),
    ("easy", {"load": 1.2, "warmup": "1%"}),
    ("conservative", {}),
    ("conservative:variant=fixed", {}),
    ("depth:k=3", {}),
    ("lookahead", {}),
    ("selective", {}),
    ("slack", {}),
    ("expr(-wait * procs)", {}),
    ("gs", {"drop_zero_run": True}),
    ("easy", {"nodes": 16, "task_procs": 1}),
]
LOGS = [DATA / "lublin-128.swf.gz", DATA / "harbour-128.swf.gz", DATA / "valley-128.swf.gz"]
COLUMNS = "user,queue,estimate,run,wait,bsld,nodes,fate"


def typed(options: dict[str, Any]) -> list[str]:
    words = []
    for name, value in options.items():
        words.append(f"--{name.replace('_', '-')}" + ("" if value is True else f"={value}"))
    return words


@pytest.mark.parametrize("log", LOGS, ids=lambda log: log.name)
@pytest.mark.filterwarnings("ignore")
def test_schedules_are_those_of_the_program(log: Path, tmp_path: Path) -> None:
    trace = read(log)
    for spec, options in SPECS:
        theirs, ours = tmp_path / "theirs.csv", tmp_path / "ours.csv"
        done = program("replay", log, "--policy", spec, "--schedule", theirs, "--schedule-columns", COLUMNS, "--quiet", *typed(options))
        assert done.returncode == 0, (spec, done.stderr)
        outcome = batchlab.replay(trace, spec, **options)
        outcome.to_csv(ours, COLUMNS)
        assert ours.read_bytes() == theirs.read_bytes(), (spec, options)
        beside = [path.with_suffix(".intervals.csv") for path in (ours, theirs)]
        assert beside[0].exists() == beside[1].exists()
        if beside[0].exists():
            assert beside[0].read_bytes() == beside[1].read_bytes(), (spec, options)
            for path in beside:
                path.unlink()
        assert outcome.verify() == []


@pytest.mark.filterwarnings("ignore")
def test_tables_are_those_of_the_program() -> None:
    log, policies = LOGS[0], ["fcfs", "easy", "conservative"]
    comparison = batchlab.compare(read(log), policies, clairvoyant=True, bounds=True)
    words = [word for policy in policies for word in ("--policy", policy)]
    for form in ("table", "markdown", "html", "csv", "json"):
        done = program("replay", log, *words, "--clairvoyant", "--bounds", "--quiet", "--format", form)
        assert comparison.table(form) == done.stdout, form


@pytest.mark.skipif(not KTH.exists(), reason="the log is not here")
@pytest.mark.filterwarnings("ignore")
def test_a_real_log_cleaned_and_shaped_on_the_way(tmp_path: Path) -> None:
    steps = tmp_path / "steps.toml"
    steps.write_text('[[step]]\nkind = "window"\ndays = [0, 60]\n')
    theirs, ours = tmp_path / "theirs.csv", tmp_path / "ours.csv"
    done = program("replay", KTH, "--policy", "easy", "--steps", steps, "--schedule", theirs, "--quiet")
    assert done.returncode == 0, done.stderr
    batchlab.replay(read(KTH).shape(steps), "easy").to_csv(ours)
    assert ours.read_bytes() == theirs.read_bytes()
    batchlab.replay(read(KTH), "easy", steps=steps).to_csv(ours)
    assert ours.read_bytes() == theirs.read_bytes()
