"""The Python code of the README and of the guide runs."""

import re
from pathlib import Path

import pytest

import batchlab
from conftest import ROOT, program
from test_experiment import EXPERIMENT

BLOCKS = re.findall(r"```python\n(.*?)```", (ROOT / "python" / "README.md").read_text(), re.DOTALL)


def test_the_first_command_installs_from_a_checkout() -> None:
    # The gate builds and installs the same folder; here the command is what pip takes.
    readme = (ROOT / "python" / "README.md").read_text()
    commands = re.findall(r"```sh\n(.*?)```", readme, re.DOTALL)[0].splitlines()
    assert [command.partition("#")[0].strip() for command in commands] == ["pip install './python[pandas]'", "batchlab --version"]
    project = (ROOT / "python" / "pyproject.toml").read_text()
    assert all(re.search(rf"^{extra} = \[", project, re.MULTILINE) for extra in ("pandas", "polars", "arrow", "gym"))
    assert program("--version").stdout.startswith("batchlab ")


@pytest.mark.filterwarnings("ignore")
def test_the_first_block_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    exec(BLOCKS[0], names)
    assert len(names["trace"]) == 5000  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore")
def test_the_block_about_policies_runs(lublin: batchlab.Trace, capfd: pytest.CaptureFixture[str]) -> None:
    exec(BLOCKS[1], {"batchlab": batchlab, "trace": lublin})
    assert "python:smallestfirst conforms" in capfd.readouterr().out


@pytest.mark.filterwarnings("ignore")
def test_the_block_about_agents_runs(lublin: batchlab.Trace) -> None:
    names: dict[str, object] = {"trace": lublin}
    exec(BLOCKS[2], names)
    assert names["terminated"] is False


@pytest.mark.filterwarnings("ignore")
def test_the_block_of_the_guide_about_agents_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    page = (ROOT / "docs" / "guide" / "learn.md").read_text()
    names: dict[str, object] = {}
    exec(re.findall(r"```python\n(.*?)```", page, re.DOTALL)[0], names)
    assert names["terminated"] is False


@pytest.mark.filterwarnings("ignore")
def test_the_block_about_experiments_runs(tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    file.write_text(EXPERIMENT)
    block = BLOCKS[3].replace("tests/experiments/backfilling.toml", str(file))
    exec("import batchlab\n" + block.replace('"results"', repr(str(tmp_path / "out"))), {})


@pytest.mark.filterwarnings("ignore")
def test_the_block_about_an_experiment_in_memory_runs(
    lublin: batchlab.Trace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    exec(BLOCKS[4], {"batchlab": batchlab, "trace": lublin})
    arguments = ["run", "ours/experiment.toml", "--logs", "ours/logs", "--out", "again", "--quiet"]
    assert program(*arguments).returncode == 0
    assert Path("again/results.csv").read_bytes() == Path("ours/results.csv").read_bytes()
