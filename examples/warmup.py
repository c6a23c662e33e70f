"""What windows that begin with an empty machine do to a comparison, and what is left of it after a warm-up or a prefix.

    python3 examples/warmup.py BATCHLAB LOGS WORK > examples/warmup.md

BATCHLAB is the program, LOGS a folder with the four logs, WORK a folder for results, which are kept and used again. Each log is
replayed as a whole and in windows of 28 and of 7 days. A job of a window is paired with itself in the replay of the whole log.
"""

import csv
import gzip
import math
import pathlib
import statistics
import subprocess
import sys

DAY = 86_400
LOGS = {
    "KTH-SP2": "KTH-SP2-1996-2.1-cln.swf.gz",
    "SDSC-SP2": "SDSC-SP2-1998-derived.swf.gz",
    "SDSC-BLUE": "SDSC-BLUE-2000-derived.swf.gz",
    "LANL-CM5": "LANL-CM5-1994-4.1-cln.swf.gz",
}
POLICIES = {
    "EASY": "easy",
    "shortest candidates": "easy:candidates=sjf",
    "conservative": "conservative",
    "aged area": "easy:order=expr(estimate*procs/(1+wait/1h))",
    "shortest first": "easy:order=sjf",
}
# Days of a window: name, days of warm-up, days of prefix.
WAYS = {
    28: [("nothing", 0, 0), ("warm-up 3 d", 3, 0), ("warm-up 7 d", 7, 0), ("prefix 3 d", 0, 3), ("prefix 7 d", 0, 7),
         ("prefix 28 d", 0, 28)],
    7: [("nothing", 0, 0), ("warm-up 1 d", 1, 0), ("prefix 3 d", 0, 3), ("prefix 7 d", 0, 7), ("prefix 28 d", 0, 28)],
}


def run(program, logs, work, name, units, measure):
    """Runs an experiment on all logs, and returns its folder."""
    folder = work / name
    if not (folder / "results.csv").exists():
        text = f'[experiment]\nname = "{name}"\n[measure]\nmetrics = ["mean_wait"]\n{measure}\n'
        for log, file in LOGS.items():
            text += f'[[workload]]\nname = "{log}"\ntrace = "{logs / file}"\n{units}\n'
        for label, spec in POLICIES.items():
            text += f'[[policy]]\nlabel = "{label}"\nspec = "{spec}"\n'
        file = work / f"{name}.toml"
        file.write_text(text)
        subprocess.run([program, "run", file, "--out", folder, "--schedules"], check=True, stdout=subprocess.DEVNULL)
    return folder


def schedules(folder):
    """Yields workload, policy, unit and the jobs (number, submission, wait) of each replay."""
    seen = set()
    for row in csv.DictReader(open(folder / "results.csv")):
        if row["key"] not in seen:
            seen.add(row["key"])
            with gzip.open(folder / "schedules" / f"{row['key']}.csv.gz", "rt") as file:
                jobs = [(job["job_id"], float(job["submit"]), float(job["wait"])) for job in csv.DictReader(file)]
            yield row["workload"], row["policy"], row["unit"], jobs


def paired(folder, whole, warmup, prefix):
    """Returns for each workload and policy the mean waits of each window: in the window, and in the whole replay."""
    units = {}
    for log, policy, unit, jobs in schedules(folder):
        begin = min(submit for _, submit, _ in jobs) + (warmup + prefix) * DAY
        known = whole[log, policy]
        pairs = [(wait, known[job][1]) for job, submit, wait in jobs if submit >= begin and job in known]
        if pairs:
            means = [statistics.fmean(side) for side in zip(*pairs)]
            units.setdefault((log, policy), {})[unit] = means
    return units


def level(units):
    """Returns by how much the mean over windows differs from that of the same jobs in the whole replay."""
    return "{:+.1f}".format(100 * (statistics.fmean(own for own, _ in units) / statistics.fmean(base for _, base in units) - 1))


def ratio(own, easy):
    """Returns the same of the ratio to EASY in a typical window, with a 95 % interval (Student's t on logarithms)."""
    both = [(own[unit], easy[unit]) for unit in own if unit in easy and min(*own[unit], *easy[unit]) > 0]
    logs = [math.log(a[0] / b[0]) - math.log(a[1] / b[1]) for a, b in both]
    half = quantile(len(logs) - 1) * statistics.stdev(logs) / math.sqrt(len(logs))
    middle = statistics.fmean(logs)
    low, value, high = (100 * (math.exp(at) - 1) for at in (middle - half, middle, middle + half))
    return f"{value:+.1f} [{low:+.1f}, {high:+.1f}]"


def quantile(freedom):
    """Returns the 97.5 % quantile of Student's t, by the expansion of Cornish and Fisher: right to .001 from 9 degrees on."""
    z = statistics.NormalDist().inv_cdf(0.975)
    terms = (z, (z**3 + z) / 4, (5 * z**5 + 16 * z**3 + 3 * z) / 96, (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384)
    return sum(term / freedom**power for power, term in enumerate(terms))


def measured(program, logs, work, days, prefix, warmup, whole):
    """Runs all logs in windows, and returns their mean waits beside those of the whole replay."""
    measure = f'prefix = "{prefix}d"' if prefix else ""
    folder = run(program, logs, work, f"windows{days}-prefix{prefix}", f'windows = "{days}d"', measure)
    return paired(folder, whole, warmup, prefix)


def tables(days, ways):
    """Prints what windows of so many days do to mean waits and to ratios."""
    print(f"\n## Windows of {days} days\n")
    print("Mean wait over windows, per cent more than in the whole replay:\n")
    row("log", "policy", *(name for name, _ in ways))
    row("---", "---", *("---:" for _ in ways))
    for log in LOGS:
        for policy in POLICIES:
            row(log, policy, *(level(units[log, policy].values()) for _, units in ways))
    print("\nRatio of mean waits to EASY in a typical window, per cent more than in the whole replay, with the 95 % interval:\n")
    row("log", "policy", *(name for name, _ in ways))
    row("---", "---", *("---:" for _ in ways))
    for log in LOGS:
        for policy in list(POLICIES)[1:]:
            row(log, policy, *(ratio(units[log, policy], units[log, "EASY"]) for _, units in ways))


def row(*cells):
    print("| " + " | ".join(cells) + " |")


def main():
    program, logs, work = sys.argv[1], pathlib.Path(sys.argv[2]).resolve(), pathlib.Path(sys.argv[3]).resolve()
    work.mkdir(exist_ok=True)
    whole, ends = {}, []
    for log, policy, _, jobs in schedules(run(program, logs, work, "blocks", 'blocks = "28d"', "")):
        whole[log, policy] = {job: (submit, wait) for job, submit, wait in jobs}
    print("# Windows that begin with an empty machine\n")
    print("Made by `python3 examples/warmup.py BATCHLAB LOGS WORK`. Windows are compared with the same jobs in one replay of the whole\n"
          "log, which begins empty only once.")
    for days, ways in WAYS.items():
        tables(days, [(name, measured(program, logs, work, days, prefix, warmup, whole)) for name, warmup, prefix in ways])
    print("\n## The end of a log\n")
    print("What fills no window of 28 days is left out. Its jobs, under EASY in the whole replay:\n")
    row("log", "days left out", "jobs left out (%)", "their mean wait (s)", "mean wait of the others (s)")
    row("---", "---:", "---:", "---:", "---:")
    for log in LOGS:
        jobs = sorted(whole[log, "EASY"].values())
        first, last = jobs[0][0], jobs[-1][0]
        end = first + (last - first) // (28 * DAY) * 28 * DAY
        left, kept = [wait for at, wait in jobs if at >= end], [wait for at, wait in jobs if at < end]
        row(log, f"{(last - end) / DAY:.1f}", f"{100 * len(left) / len(jobs):.1f}", f"{statistics.fmean(left):,.0f}",
            f"{statistics.fmean(kept):,.0f}")


main()
