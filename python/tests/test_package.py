"""The package: types, and what an import brings in."""

import subprocess
import sys
from pathlib import Path

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
