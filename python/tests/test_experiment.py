"""Experiments: results as frames."""

from pathlib import Path

import pytest

import batchlab
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


def test_what_is_wrong_is_told(tmp_path: Path) -> None:
    with pytest.raises(batchlab.InputError, match="there is no such file"):
        batchlab.experiment(tmp_path / "absent.toml")
    with pytest.raises(batchlab.InputError, match="no results.csv"):
        batchlab.Results(tmp_path)
    file = tmp_path / "wrong.toml"
    file.write_text(EXPERIMENT.replace("easy", "esay"))
    with pytest.raises(batchlab.UsageError, match="did you mean `easy`"):
        batchlab.experiment(file).run(out=tmp_path / "out")
