"""Estimates and contrasts of a handmade experiment, by scipy and statsmodels.

    pip install scipy==1.17.1 statsmodels==0.15.0
    python tests/report/compare/expected.py > tests/report/compare/expected.json

Two workloads, of which the first has windows in a row, three policies (the first is the baseline) and eight units, in
which mean waits are drawn once and written down; everything else follows from them.
"""

import json

import numpy as np
from scipy import stats
from scipy.special import gammaln
from statsmodels.stats.multitest import multipletests

UNITS = 8
LEVEL = 0.95


def draw():
    """Mean waits: workload, policy, unit. Units share their load, so that policies go together."""
    rng = np.random.default_rng(2026)
    waits = []
    for scale in (6000.0, 90.0):
        load = rng.lognormal(0.0, 0.5, UNITS)
        waits.append(
            [
                [round(scale * factor * of * noise, 2) for of, noise in zip(load, rng.lognormal(0.0, 0.06, UNITS))]
                for factor in (1.0, 0.8, 1.02)
            ]
        )
    return waits


def dependence(values):
    """Autocorrelation at lag 1, corrected for its bias (Marriott and Pope 1954), between 0 and what leaves two units."""
    n, off = len(values), np.asarray(values) - np.mean(values)
    lag1 = np.sum(off[1:] * off[:-1]) / np.sum(off**2)
    return min(max(lag1 + (1 + 3 * lag1) / n, 0), (n - 2) / (n + 2))


def stretched(values, rho):
    """Values of which n tell as much about the mean as n (1 - rho) / (1 + rho) independent ones."""
    return np.mean(values) + np.sqrt((1 + rho) / (1 - rho)) * (np.asarray(values) - np.mean(values))


def estimate(values, is_row):
    spread = stretched(values, dependence(values)) if is_row else values
    low, high = stats.t.interval(LEVEL, len(values) - 1, np.mean(values), stats.sem(spread))
    return {"value": np.mean(values), "low": low, "high": high, "sd": np.std(values, ddof=1)}


def fieller(a, b, level):
    """The two ratios for which the t statistic of mean(a - ratio * b) is just significant, by bisection."""
    t = stats.t.ppf(0.5 + level / 2, len(a) - 1)
    ratio = np.mean(a) / np.mean(b)

    def excess(rho):
        rest = a - rho * b
        return abs(np.mean(rest)) / stats.sem(rest) - t

    ends = []
    for sign in (-1, 1):
        near, far = ratio, ratio + sign * 1e-3
        while excess(far) < 0:
            far = ratio + (far - ratio) * 2
        for _ in range(200):
            middle = (near + far) / 2
            near, far = (middle, far) if excess(middle) < 0 else (near, middle)
        ends.append((near + far) / 2)
    return ends


def contrast(a, b, level, is_row):
    difference, logs = a - b, np.log(a) - np.log(b)
    of_differences, of_logs = (dependence(of) if is_row else 0 for of in (difference, logs))
    wide_a, wide_b, wide_logs = stretched(a, of_differences), stretched(b, of_differences), stretched(logs, of_logs)
    test, geometric = stats.ttest_rel(wide_a, wide_b), stats.ttest_1samp(wide_logs, 0)
    low, high = test.confidence_interval(level)
    half = (len(a) - 1) / 2
    hedges = np.exp(gammaln(half) - gammaln(half - 0.5)) / np.sqrt(half)
    return {
        "difference": np.mean(difference),
        "low": low,
        "high": high,
        "ratio": np.exp(np.mean(logs)),
        "ratio_ends": list(np.exp(geometric.confidence_interval(level))),
        "ratio_p_raw": geometric.pvalue,
        "ratio_signs": stats.permutation_test(
            (wide_logs,), np.mean, permutation_type="samples", n_resamples=np.inf
        ).pvalue,
        "ratio_effect": np.mean(logs) / np.std(logs, ddof=1) * hedges,
        "ratio_of_means": np.mean(a) / np.mean(b),
        "ratio_of_means_ends": fieller(wide_a, wide_b, level),
        "p_raw": test.pvalue,
        "effect": np.mean(difference) / np.std(difference, ddof=1) * hedges,
        "superiority": np.mean(a < b),
    }


def main():
    waits = draw()
    pairs = [(workload, policy) for workload in range(2) for policy in (1, 2)]
    # Bonferroni's level, at which the four intervals hold together.
    simultaneous = 1 - (1 - LEVEL) / len(pairs)
    contrasts = []
    for workload, policy in pairs:
        a, b = np.array(waits[workload][policy]), np.array(waits[workload][0])
        contrasts.append(contrast(a, b, simultaneous, workload == 0))
    for raw, key in (("p_raw", "p"), ("ratio_p_raw", "ratio_p")):
        adjusted = multipletests([of[raw] for of in contrasts], method="bonferroni")[1]
        for of, p in zip(contrasts, adjusted):
            of[key] = p
    across = {}
    for mean in (stats.gmean, np.mean):
        for policy in (1, 2):
            logs = np.log([mean(waits[w][policy]) / mean(waits[w][0]) for w in range(2)])
            low, high = stats.t.interval(LEVEL, len(logs) - 1, np.mean(logs), stats.sem(logs))
            of = {"mean": np.exp(np.mean(logs)), "low": np.exp(low), "high": np.exp(high)}
            across.setdefault("ratio" if mean is stats.gmean else "ratio_of_means", []).append(of)
    document = {
        "waits": waits,
        "estimates": [[estimate(values, at == 0) for values in of] for at, of in enumerate(waits)],
        "contrasts": contrasts,
        "across": across,
    }
    print(json.dumps(document, indent=1))


main()
