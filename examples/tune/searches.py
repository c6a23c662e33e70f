"""Repeat searches over seeds: does a search without anything to find claim nothing, and which search pays?

    python3 examples/tune/searches.py null 100      # how many of 100 searches claim a gain
    python3 examples/tune/searches.py compare 20    # 20 seeds of each search, at equal budgets
    python3 examples/tune/searches.py logs LOGS     # orders.toml on each of its logs by itself; LOGS is their folder

Prints Markdown. `batchlab` is the program on the path, or that of the variable BATCHLAB.
"""

import csv
import os
import pathlib
import re
import statistics
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
PROGRAM = os.environ.get("BATCHLAB", "batchlab")


def search(text: str, *options: str) -> pathlib.Path:
    """Run a search and return its folder."""
    folder = pathlib.Path(tempfile.mkdtemp(prefix="tune-"))
    file = folder / "search.toml"
    file.write_text(text)
    done = subprocess.run([PROGRAM, "tune", file, "--out", folder / "out", "-q", *options], stdout=subprocess.DEVNULL)
    if done.returncode not in (0, 1):
        sys.exit(f"{file} failed")
    return folder / "out"


def seeded(name: str, seed: int, **keys: str) -> str:
    text = re.sub(r"(?m)^seed = .*$", f"seed = {seed}", (HERE / f"{name}.toml").read_text())
    for key, value in keys.items():
        text = re.sub(rf"(?m)^{key} = .*$", f'{key} = "{value}"', text)
    return text


def null(seeds: int) -> None:
    claimed = [seed for seed in range(1, seeds + 1) if "holds" in claims(search(seeded("null", seed)))]
    claim = "claims" if len(claimed) == 1 else "claim"
    print(f"Of {seeds} searches without anything to find {len(claimed)} {claim} a gain (seeds {claimed}).")


def claims(folder: pathlib.Path) -> str:
    return (folder / "judged" / "claims.txt").read_text()


def ratios(folder: pathlib.Path) -> list[float]:
    """Return the best ratio on the units that fit, and that of the chosen candidate on those that judge."""
    rows = list(csv.DictReader((folder / "candidates.csv").open()))
    fit = min(float(row["mean_bsld: fit"]) for row in rows if row["size"])
    page = (folder / "tuned.md").read_text()
    judged = re.search(r"(?m)^\| tuned \|.*\| ([\d.]+) \|$", page)
    assert judged, page
    return [fit, float(judged[1])]


def compare(seeds: int) -> None:
    print("| search | best ratio, fit: median (worst) | judge: median |\n|---|---:|---:|")
    fits = {}
    for kind in ["random", "evolve"]:
        found = [ratios(search(seeded("valley", seed, search=kind))) for seed in range(1, seeds + 1)]
        fits[kind] = [fit for fit, _ in found]
        judged = statistics.median(judge for _, judge in found)
        print(f"| {kind} | {statistics.median(fits[kind]):.3f} ({max(fits[kind]):.3f}) | {judged:.3f} |")
    better = sum(a < b for a, b in zip(fits["evolve"], fits["random"]))
    print(f"\nevolve fits better than random draws with {better} of {seeds} seeds.")


def logs(folder: str) -> None:
    """Search on each log of orders.toml by itself, with all its windows."""
    text = (HERE / "orders.toml").read_text()
    head, *parts = text.split("[[workload]]")
    *workloads, last = parts
    rest = last[last.index("[[policy]]") :].replace('judges = ["NASA-iPSC"]\n', "")
    print("| log | units that judge | fit | choose | judge | to the best policy of the file |\n|---|---:|---:|---:|---:|---|")
    for workload in [*workloads, last[: last.index("[[policy]]")]]:
        found = search(head + "[[workload]]" + re.sub(r", every \d", "", workload) + rest, "--logs", folder)
        page = (found / "tuned.md").read_text()
        row = re.search(r"(?m)^\| tuned \| ([\d.]+) \| ([\d.]+) \| ([\d.]+) \|$", page)
        units = re.search(r"on the (\d+) units that judge", page)
        best = re.search(r"the file (\S+) was the best.*the ratio to it is ([\d.]+), 95 % interval ([\d.]+ to [\d.]+\d)", page)
        name = re.search(r'name = "(.*?)"', workload)
        assert row and units and name, page
        told = f"{best[1]}: {best[2]} ({best[3]})" if best else "EASY-SAF is the best"
        print(f"| {name[1]} | {units[1]} | {row[1]} | {row[2]} | {row[3]} | {told} |", flush=True)


if __name__ == "__main__":
    if sys.argv[1] == "logs":
        logs(sys.argv[2])
    else:
        {"null": null, "compare": compare}[sys.argv[1]](int(sys.argv[2]))
