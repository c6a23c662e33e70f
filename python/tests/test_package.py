"""The package: types, and what an import brings in."""

import inspect
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import batchlab
from batchlab import _options

PACKAGE = Path(__file__).resolve().parents[1]


def test_types_are_strict(tmp_path: Path) -> None:
    here = PACKAGE / "tests"
    mypy = [sys.executable, "-m", "mypy", "--config-file", str(PACKAGE / "pyproject.toml"), "--cache-dir", str(tmp_path)]
    modules = [f"-m{file.stem}" for file in sorted(here.glob("*.py"))]
    done = subprocess.run([*mypy, "-pbatchlab", *modules], capture_output=True, text=True, cwd=here, check=False)
    assert done.returncode == 0, done.stdout


def test_an_import_is_light() -> None:
    code = "import sys, batchlab; print(*sys.modules)"
    # Beside the tests, where the folder of the package is not taken for the installed one.
    here = PACKAGE / "tests"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=here)
    modules = done.stdout.split()
    assert "batchlab" in modules
    assert not {"pandas", "numpy", "polars", "pyarrow", "importlib.metadata", "asyncio"} & set(modules)


@pytest.mark.parametrize(
    ("function", "options"),
    [
        (batchlab.replay, _options.ReplayOptions),
        (batchlab.compare, _options.CompareOptions),
        (batchlab.Trace.read, _options.ReadOptions),
        (batchlab.Trace.shape, _options.ShapeOptions),
        (batchlab.Experiment.run, _options.RunOptions),
    ],
)
def test_the_help_lists_the_options(function: Callable[..., Any], options: Any) -> None:
    text = inspect.getdoc(function) or ""
    listed = [line.strip().partition("=")[0] for line in text.splitlines() if line[:4].isspace() and line[4:5].isalpha() and "=" in line]
    assert [name for name in listed if name in options.__annotations__] == list(options.__annotations__)
    assert text.splitlines()[0][0].isupper() and "\nOptions:\n" in text


def test_the_help_has_units_and_defaults() -> None:
    text = " ".join((inspect.getdoc(batchlab.replay) or "").split())
    assert "tau=TIME Bound of the bounded slowdown [default: 10]." in text
    assert "A TIME is a number of seconds" in text
    assert max(map(len, (inspect.getdoc(batchlab.replay) or "").splitlines())) <= 120
