#!/usr/bin/env python3
"""Times the commands of speed.toml, as users type them, and prints RECORDED.md.

    cargo build --release
    python3 tests/benches/speed.py > tests/benches/RECORDED.md

A row's unit is the CPU time of a plain replay that runs just before it, since a ratio within one run means the same on a busy
machine and on a quiet one, which seconds do not. A row of less than 20 s is timed in several rounds, of which the median counts.
`speed.py slack bgs` times the rows with these words; `--against OTHER` times another build of the program in turn with this one,
and requires that both print the same.
"""

import argparse
import math
import os
import pathlib
import platform
import shlex
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import tomllib

HERE = pathlib.Path(__file__).parent
SIZES = (5_000, 10_000, 20_000, 40_000)
# Above this many seconds a row is timed once, and not with more jobs.
LONG = 20


def timed(typed):
    """Runs a command; returns its CPU seconds, its seconds, its MB and what it printed."""
    with tempfile.TemporaryFile() as printed:
        began = time.monotonic()
        child = subprocess.Popen(typed, stdout=printed, stderr=subprocess.DEVNULL)
        _, status, used = os.wait4(child.pid, 0)
        took = time.monotonic() - began
        child.returncode = os.waitstatus_to_exitcode(status)
        if child.returncode != 0:
            sys.exit(f"{shlex.join(typed)}: exit code {child.returncode}")
        printed.seek(0)
        return used.ru_utime + used.ru_stime, took, used.ru_maxrss / 1024, printed.read()


class Bench:
    """Commands with their logs and files in a scratch folder."""

    def __init__(self, asked, definition, folder):
        self.asked, self.definition, self.folder = asked, definition, folder
        self.places = {name: asked.traces / file for name, file in definition["logs"].items()}
        for name, text in definition["files"].items():
            self.places[name] = folder / name
            self.places[name].write_text(text)

    def place(self, name):
        """Returns the path of a log or file; None for a published log that is not here."""
        if name in self.definition["made"] and name not in self.places:
            self.places[name] = self.made(name, **self.definition["made"][name])
        place = self.folder / "out" if name == "out" else self.places[name]
        return place if name == "out" or place.exists() else None

    def made(self, name, command, users=None, memory=None, packed=False):
        """Draws a log, and writes users and requested memory (in MB) into its jobs, in turn; packs it."""
        path = self.folder / f"{name}.swf"
        drawn = [self.asked.bin, "generate", *shlex.split(command), "-q", "-o", str(path)]
        subprocess.run(drawn, check=True)
        if users or memory:
            lines = path.read_text().splitlines()
            for at, line in enumerate(lines):
                if not line.startswith(";"):
                    cells = line.split()
                    cells[9] = str(1024 * (1 + at % memory)) if memory else cells[9]
                    cells[11] = str(1 + at % users) if users else cells[11]
                    lines[at] = " ".join(cells)
            path.write_text("\n".join(lines) + "\n")
        if packed:
            subprocess.run(["gzip", "-1", str(path)], check=True)
            path = path.with_suffix(".swf.gz")
        return path

    def filled(self, command):
        """Returns a command with paths in the place of names; None if a log of it is not here."""
        for name in [part.split("}")[0] for part in command.split("{")[1:]]:
            place = self.place(name)
            if place is None:
                return None
            command = command.replace("{" + name + "}", shlex.quote(str(place)))
        return command

    def run(self, command, program=None):
        """Runs a command of the program, or of the shell; returns CPU seconds, seconds, MB and what it printed."""
        out = self.folder / "out"
        shutil.rmtree(out, ignore_errors=True)
        out.unlink(missing_ok=True)
        return timed(["sh", "-c", command] if program == "sh" else [program or self.asked.bin, *shlex.split(command)])

    def paired(self, row, command):
        """Returns the medians of a row's units, CPU seconds, seconds, MB and ratio to the other program."""
        rounds = []
        while len(rounds) < self.asked.rounds and not (rounds and rounds[0][1] > LONG):
            if "wall" in row:
                _, unit, _, _ = self.run(self.filled(row["wall"]), "sh")
            else:
                unit = self.run(self.filled(self.definition["unit"]))[0]
            cpu, took, peak, printed = self.run(command)
            beside = math.nan
            if self.asked.against:
                other, _, _, same = self.run(command, self.asked.against)
                beside = cpu / other
                if same != printed:
                    sys.exit(f"{row['name']}: the programs print different results")
            rounds.append(((took if "wall" in row else cpu) / unit, cpu, took, peak, beside))
        return [statistics.median(column) for column in zip(*rounds)]


def told(bench, row):
    """Returns the cells of a row; None if it cannot be run here."""
    if "{load8-N}" not in row["command"]:
        command = bench.filled(row["command"])
        return command and [bench.paired(row, command)]
    cells = []
    for size in SIZES:
        if cells and cells[-1][2] > LONG / 4:
            break
        cells.append(bench.paired(row, bench.filled(row["command"].replace("N}", f"{size}}}"))))
    return cells


def table(bench, rows, words):
    """Prints the rows of a table that have the words in their names."""
    wanted = [row for row in rows if not words or any(word in row["name"] for word in words)]
    if not wanted:
        return
    grows = "{load8-N}" in wanted[0]["command"]
    heads = [f"{size:,} jobs" for size in SIZES] + ["exponent"] if grows else ["units", "CPU s", "s", "MB"]
    heads += ["goal"] + (["to the other program"] if bench.asked.against else [])
    print(f"| command | {' | '.join(heads)} |\n|---|{'---:|' * len(heads)}")
    for row in wanted:
        print(f"{row['name']} …", file=sys.stderr)
        found = told(bench, row)
        if found is None:
            print(f"{row['name']}: its log is not here", file=sys.stderr)
            continue
        units, cpu, took, peak, beside = found[-1]
        cells = [f"{units:.2f}", f"{cpu:.2f}", f"{took:.2f}", f"{peak:.0f}"]
        if grows:
            cells = [f"{one[0]:.2f}" for one in found] + ["left out"] * (len(SIZES) - len(found))
            cells.append(f"{math.log2(units / found[-2][0]):.2f}" if len(found) > 1 else "")
        cells += [str(row.get("goal", ""))] + ([f"{beside:.3f}"] if bench.asked.against else [])
        print(f"| {row['name']} | {' | '.join(cells)} |", flush=True)
    print()


def machine():
    """Returns the words of the processor."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines() if os.path.exists("/proc/cpuinfo") else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return f"{os.cpu_count()} cores of {names[0] if names else platform.processor()}"


def main():
    """Prints the page."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("words", nargs="*", help="words of the rows to time (default: all)")
    parser.add_argument("--bin", default="target/release/batchlab", help="the program (default: %(default)s)")
    parser.add_argument("--against", help="another build, timed in turn with the program")
    parser.add_argument("--traces", type=pathlib.Path, default="../shared/traces", help="the folder of the published logs")
    parser.add_argument("--rounds", type=int, default=3, help="rounds of a short row (default: %(default)s)")
    asked = parser.parse_args()
    definition = tomllib.loads((HERE / "speed.toml").read_text())
    with tempfile.TemporaryDirectory() as scratch:
        bench = Bench(asked, definition, pathlib.Path(scratch))
        version = subprocess.run([asked.bin, "--version"], capture_output=True, text=True, check=True).stdout.strip()
        cpu, _, peak, _ = bench.run(bench.filled(definition["unit"]))
        print(f"# Recorded times\n\n{version}, as `cargo build --release` makes it, on {machine()}; printed by\n"
              f"`python3 tests/benches/speed.py`. The unit is the CPU time of `batchlab {definition['unit']}`: {cpu:.2f} s and\n"
              f"{peak:.0f} MB here. The commands are in [`speed.toml`](speed.toml).\n")
        for one in definition["table"]:
            print(f"## {one['title']}\n")
            if "note" in one:
                print(f"{one['note']}\n")
            table(bench, one["rows"], asked.words)


if __name__ == "__main__":
    main()
