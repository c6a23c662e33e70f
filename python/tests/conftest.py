"""What the tests share: logs, and the program."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

import batchlab

# A shell that runs the tests in the background has SIGINT ignored, and Python leaves it so.
signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parents[2]
DATA = ROOT / "traces" / "data"
KTH = ROOT.parent / "shared" / "traces" / "KTH-SP2-1996-2.1-cln.swf.gz"
PROGRAM = Path(sys.executable).with_name("batchlab")


def program(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    """Run the console script."""
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def read(path: Path) -> batchlab.Trace:
    return batchlab.Trace.read(path)


@pytest.fixture(scope="session")
def lublin() -> batchlab.Trace:
    """5,000 jobs of a model on 128 processors."""
    return read(DATA / "lublin-128.swf.gz")


@pytest.fixture
def small(tmp_path: Path) -> batchlab.Trace:
    """Three jobs on 4 processors: a wide one in the middle waits for the first, a narrow one fits beside the first."""
    rows = ["1 0 -1 10 4 -1 -1 4 10", "2 1 -1 5 4 -1 -1 4 5", "3 2 -1 3 1 -1 -1 1 3"]
    text = "; MaxProcs: 4\n" + "".join(f"{row} -1 1 7 -1 -1 0 -1 -1 -1\n" for row in rows)
    log = tmp_path / "small.swf"
    log.write_text(text)
    return read(log)
