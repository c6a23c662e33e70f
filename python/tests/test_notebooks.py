"""The notebooks run, and say what they say."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

NOTEBOOKS = Path(__file__).resolve().parents[1] / "notebooks"


def executed(name: str) -> tuple[list[Any], list[Any]]:
    """Execute a notebook; return its cells as they are in the file, and with new outputs."""
    kept = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    again = nbformat.read(NOTEBOOKS / f"{name}.ipynb", as_version=4)
    client = NotebookClient(again, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(NOTEBOOKS)}})
    client.execute()
    return kept.cells, again.cells


def texts(cells: list[Any]) -> list[str]:
    """Return what cells print and show as text; the end of a progress line, which slow machines show, is blank."""
    outputs = [output for cell in cells for output in cell.get("outputs", [])]
    printed = [output["text"] for output in outputs if output.get("name") == "stdout" and output["text"].strip()]
    shown = [output.get("data", {}).get("text/plain", "") for output in outputs]
    return printed + [text for text in shown if text.strip()]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", ["first_table", "figure"])
def test_a_notebook_shows_what_is_kept_in_it(name: str) -> None:
    kept, again = executed(name)
    assert len(texts(kept)) >= 3
    assert texts(kept) == texts(again)


@pytest.mark.filterwarnings("ignore")
def test_a_policy_is_learned_that_beats_fcfs_on_jobs_that_it_has_not_seen() -> None:
    # Weights may differ in their last digits between processors, and then everything after them.
    _, again = executed("learning")
    shown = texts(again)
    (exported,) = (text for text in shown if text.startswith("batchlab replay LOG"))
    assert "easy:order=expr(" in exported
    (against,) = (text for text in shown if "FCFS" in text and "value" in text)
    (learned,) = (line.split() for line in against.splitlines() if "learned" in line)
    ratio_high, p = float(learned[-2]), float(learned[-1])
    assert ratio_high < 0.5 and p < 0.01


@pytest.mark.filterwarnings("ignore")
def test_the_leaderboard_ranks_all_contestants_on_the_same_episodes() -> None:
    kept, again = executed("leaderboard")
    # What rules get does not depend on the weights, whose last digits may differ between processors.
    (board, same) = (next(text for text in texts(cells) if "ratio to EASY" in text) for cells in (kept, again))
    rows = {line.split()[0]: line.split() for line in same.splitlines()[1:]}
    assert set(rows) == {"EASY", "SJF", "F1", "WFP3", "trained"}
    for name in ("EASY", "SJF", "F1", "WFP3"):
        (line,) = (line.split() for line in board.splitlines() if line.startswith(name))
        assert rows[name][:5] == line[:5]
    low, high = float(rows["trained"][3]), float(rows["trained"][4])
    assert low < high < 1, "the agent is better than EASY"
