"""The package: options, types, what an import brings in."""

import os
import subprocess
import sys
from pathlib import Path

from batchlab import _batchlab, _options

PACKAGE = Path(__file__).resolve().parents[1]
HEAD = '''"""Options of calls: those of the command line, with underscores for dashes.

Written by ``UPDATE_SAMPLES=1 pytest tests/test_package.py``.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypedDict, Union

#: A value of an option, as on the command line.
Value = Union[str, int, float, "os.PathLike[str]"]
#: Values of an option, or one.
Values = Union[Value, Sequence[Value]]
'''


def written() -> str:
    def of(name: str, base: str, verb: str, what: str, without: str = "") -> str:
        lines = [f"\n\nclass {name}({base}):", f'    """{what}"""', ""]
        there = [option for option, *_ in _batchlab.options(without)]
        for option, text, is_flag, _ in _batchlab.options(verb):
            if option not in there:
                key = "from_" if option == "from" else option
                kind = "bool" if is_flag else "Values"
                lines.append(f"    {key}: {kind}")
                words = " ".join(text.split()).replace("\\", "\\\\").replace('"""', "'''")
                lines.append(f'    """{words}."""')
        return "\n".join(lines) + "\n"

    base = "TypedDict, total=False"
    return (
        HEAD
        + of("ReadOptions", base, "read", "Options for reading a log.")
        + of("ShapeOptions", base, "shape", "Options for shaping a log.")
        + of("ReplayOptions", base, "replay", "Options of a replay.")
        + of("CompareOptions", "ReplayOptions, total=False", "compare", "Options of a comparison.", "replay")
        + of("RunOptions", base, "run", "Options of an experiment.")
    )


def test_the_options_are_those_of_the_command_line() -> None:
    source = PACKAGE / "batchlab" / "_options.py"
    if os.environ.get("UPDATE_SAMPLES"):
        source.write_text(written())
    assert source.read_text() == written()
    assert "estimate" in _options.ReplayOptions.__annotations__


def test_types_are_strict() -> None:
    mypy = [sys.executable, "-m", "mypy", "--config-file", PACKAGE / "pyproject.toml", "-p", "batchlab", "-p", "conftest"]
    tests = [f"-m{file.stem}" for file in sorted((PACKAGE / "tests").glob("test_*.py"))]
    here = PACKAGE / "tests"
    done = subprocess.run([*mypy, *tests], capture_output=True, text=True, cwd=here, check=False)
    assert done.returncode == 0, done.stdout


def test_an_import_is_light() -> None:
    code = "import sys, batchlab; print(*sys.modules)"
    modules = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert "batchlab" in modules
    assert not {"pandas", "numpy", "polars", "pyarrow", "importlib.metadata", "asyncio"} & set(modules)
