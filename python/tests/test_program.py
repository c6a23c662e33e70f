"""The console script is the program."""

import importlib.metadata
import signal
import subprocess
import sys
import time
from pathlib import Path

import batchlab
from conftest import DATA, PROGRAM, program

LUBLIN = DATA / "lublin-128.swf.gz"


def test_versions_agree() -> None:
    assert program("--version").stdout == f"batchlab {batchlab.__version__}\n"
    assert importlib.metadata.version("batchlab") == batchlab.__version__


def test_the_module_is_the_program_too() -> None:
    words = [sys.executable, "-m", "batchlab", "list", "policies"]
    done = subprocess.run(words, capture_output=True, text=True, check=True, cwd=Path(__file__).parent)
    assert done.stdout == program("list", "policies").stdout
    assert "easy" in done.stdout


def test_exit_codes_are_those_of_the_program() -> None:
    assert program("list", "policies").returncode == 0
    assert program("replay", LUBLIN, "--policy", "esay").returncode == 2
    assert program("replay", "absent.swf", "--policy", "easy").returncode == 3
    unknown = program("replay", LUBLIN, "--policy", "esay").stderr
    assert unknown.startswith("error: ") and "did you mean `easy`?" in unknown


def test_a_closed_pipe_is_no_error() -> None:
    replay = subprocess.Popen(
        [PROGRAM, "info", LUBLIN, "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert replay.stdout is not None and replay.stderr is not None
    replay.stdout.close()
    assert (replay.wait(), replay.stderr.read()) == (0, b"")
    replay.stderr.close()


def test_ctrl_c_ends_the_program_with_130_and_leaves_no_file(tmp_path: Path) -> None:
    for number, code in [(signal.SIGINT, 130), (signal.SIGTERM, 143)]:
        out = tmp_path / "schedule.csv"
        generate = ["generate", "lublin", "--jobs", "20000000", "-o", str(out)]
        process = subprocess.Popen([PROGRAM, *generate], stderr=subprocess.PIPE)
        time.sleep(0.5)
        process.send_signal(number)
        assert process.wait(10) == code
        assert process.stderr is not None
        process.stderr.close()
        assert list(tmp_path.iterdir()) == []
