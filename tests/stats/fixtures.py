"""Prints the results of independent software for small samples: `fixtures.json`, used by the tests of `src/engine/stats`.

    pip install numpy==2.4.6 scipy==1.17.1 statsmodels==0.15.0
    python tests/stats/fixtures.py > tests/stats/fixtures.json

The recorded file contains the versions that produced it. If no library has a method, it is computed in another way than
in `src/engine/stats`: Fieller's interval by a search for the ratios that a t-test does not reject, order statistics by trying
all pairs, BCa with all resamples.
"""

import itertools
import json
import platform
import sys
import warnings

import numpy as np
import scipy
import statsmodels
from scipy import optimize, special, stats
from scipy.stats._resampling import _bca_interval
from statsmodels.stats.multitest import multipletests
from statsmodels.tsa.stattools import acf

warnings.simplefilter("ignore")
rng = np.random.default_rng(20000)


def rounded(values):
    return [round(float(value), 6) for value in values]


def student():
    ps = [0.5, 0.6, 0.75, 0.9, 0.95, 0.975, 0.99, 0.995, 0.9995, 0.025, 0.0005]
    dfs = [1, 2, 3, 5, 9, 19, 29, 99, 499, 500, 501, 1000, 9999, 10000, 20000, 100000, 1000000]
    return {
        "quantiles": [[p, df, float(stats.t.ppf(p, df))] for p in ps for df in dfs],
        "p_values": [
            [t, df, float(2 * stats.t.sf(abs(t), df))]
            for t in [-3.5, 0.001, 0.1, 1.0, 1.96, 2.5, 5.0, 10.0]
            for df in dfs
        ],
    }


def t_intervals():
    cases = []
    for values, level in [
        ([1.0, 2.0], 0.95),
        ([3.5, -1.25, 8.0, 2.0, 0.5, 4.75, 1.5], 0.95),
        (rounded(rng.normal(100, 15, 10)), 0.9),
        (rounded(rng.lognormal(3, 1, 40)), 0.99),
        ([1e9 + value for value in [1.0, 2.0, 4.0, 8.0]], 0.95),
    ]:
        n = len(values)
        low, high = stats.t.interval(level, n - 1, np.mean(values), stats.sem(values))
        cases.append({"values": values, "level": level, "mean": float(np.mean(values)), "ends": [low, high]})
    return cases


def paired_samples():
    samples = []
    for n in [6, 8, 12, 20, 40]:
        base = rng.lognormal(3, 0.8, n)
        a = rounded(base * rng.lognormal(-0.1, 0.3, n))
        samples.append([a, rounded(base)])
    return samples


def fieller(a, b, level):
    a, b = np.array(a), np.array(b)
    beyond = lambda ratio: stats.ttest_1samp(a - ratio * b, 0).pvalue - (1 - level)
    middle = a.mean() / b.mean()
    ends = []
    for far in [middle - 50, middle + 50]:
        ends.append(optimize.brentq(beyond, middle, far, xtol=1e-14, rtol=1e-14, maxiter=1000))
    return ends


def paired(samples):
    cases = []
    for a, b in samples:
        test = stats.ttest_rel(a, b)
        interval = test.confidence_interval(0.95)
        unbounded = stats.ttest_1samp(b, 0).pvalue >= 0.05
        # What is not above 0 has no logarithm.
        geometric = geometric_ratio(np.log(a), np.log(b)) if min(a + b) > 0 else None
        cases.append(
            {
                "a": a,
                "b": b,
                "difference": float(np.mean(a) - np.mean(b)),
                "ends": [interval.low, interval.high],
                "t": test.statistic,
                "p": test.pvalue,
                "ratio": float(np.mean(a) / np.mean(b)),
                "geometric": geometric,
                "fieller": None if unbounded else fieller(a, b, 0.95),
            }
        )
    return cases


def geometric_ratio(log_a, log_b):
    test = stats.ttest_rel(log_a, log_b)
    flips = {"permutation_type": "samples", "n_resamples": np.inf}
    few = len(log_a) <= 14
    return {
        "ratio": float(np.exp(np.mean(log_a - log_b))),
        "ends": list(np.exp(test.confidence_interval(0.95))),
        "t": test.statistic,
        "p": test.pvalue,
        "signs": stats.permutation_test((log_a - log_b,), np.mean, **flips).pvalue if few else None,
    }


def wilcoxon():
    cases = []
    for n in [6, 10, 25, 26, 60]:
        d = rounded(rng.normal(0.3, 1, n))
        method = "exact" if n <= 25 else "approx"
        test = stats.wilcoxon(d, method=method, correction=method == "approx")
        cases.append({"differences": d, "statistic": test.statistic, "p": test.pvalue})
    # Ties and zeros: few units by all sign patterns, many by the normal distribution.
    for n, exact in [(10, True), (14, True), (45, False)]:
        d = [float(value) for value in np.round(rng.normal(0.8, 2, n))]
        kept = [value for value in d if value != 0]
        if exact:
            signed = lambda x: np.sum(stats.rankdata(np.abs(x)) * (x > 0))
            of = stats.permutation_test((kept,), signed, permutation_type="samples", n_resamples=np.inf)
            ranks = stats.rankdata(np.abs(kept))
            positive = signed(np.array(kept))
            cases.append({"differences": d, "statistic": float(min(positive, ranks.sum() - positive)), "p": of.pvalue})
        else:
            of = stats.wilcoxon(d, method="approx", correction=True, zero_method="wilcox")
            cases.append({"differences": d, "statistic": of.statistic, "p": of.pvalue})
    return cases


def sign_flips():
    cases = []
    for d in [
        rounded(rng.normal(0.5, 1, 6)),
        rounded(rng.normal(0.5, 1, 9)),
        rounded(rng.normal(0.9, 1, 14)),
        [0.0, 1.0, 1.0, -2.0, 3.0, 0.0, 0.5, 0.5],
        [0.1, 0.2, 0.3, -0.6, 0.7, -0.7, 1.1],
    ]:
        of = stats.permutation_test((d,), np.mean, permutation_type="samples", n_resamples=np.inf)
        cases.append({"differences": d, "statistic": of.statistic, "p": of.pvalue})
    return cases


def bca_of_all(values, statistic):
    """scipy's own bias correction and acceleration, over all resamples instead of drawn ones."""
    everyone = np.array(list(itertools.product(range(len(values[0])), repeat=len(values[0]))))
    data = [np.array(value) for value in values]
    # Sums of the same numbers in another order differ by rounding, and count as equal.
    equal = lambda *chosen: np.round(statistic(*chosen), 11)
    theta = np.array([equal(*(value[chosen] for value in data)) for chosen in everyone])
    batched = lambda *resampled, axis: np.apply_along_axis(
        lambda chosen: equal(*(value[chosen.astype(int)] for value in data)), axis, resampled[0]
    )
    units = np.arange(len(values[0]), dtype=float)
    low, high, _ = _bca_interval((units,), batched, -1, 0.025, theta, None, np)
    return [float(np.percentile(theta, 100 * low)), float(np.percentile(theta, 100 * high))]


def bca(samples):
    a, b = samples[0]
    values = [2.0, 3.5, 9.0, 1.25, 4.0, 30.0]
    ratio = lambda a, b: a.sum() / b.sum()
    exact = [
        {"values": [values, values], "what": "mean", "ends": bca_of_all([values, values], lambda a, _: a.mean())},
        {"values": [values, values], "what": "median", "ends": bca_of_all([values, values], lambda a, _: np.median(a))},
        {"values": [a, b], "what": "ratio", "ends": bca_of_all([a, b], ratio)},
    ]
    drawn = []
    skewed = rounded(rng.lognormal(1, 1, 25))
    for what, data, statistic in [
        ("mean", [skewed, skewed], lambda a, _, axis: np.mean(a, axis=axis)),
        ("ratio", samples[3], lambda a, b, axis: a.sum(axis=axis) / b.sum(axis=axis)),
    ]:
        of = stats.bootstrap(
            tuple(data), statistic, paired=True, n_resamples=400_000, method="BCa", batch=2000, vectorized=True,
            rng=np.random.default_rng(1),
        )
        drawn.append({"values": data, "what": what, "ends": list(of.confidence_interval)})
    return {"exact": exact, "drawn": drawn}


def holm():
    cases = [[0.01, 0.04, 0.03, 0.005], [0.5], [0.2, 0.9, 0.9, 0.0], rounded(rng.uniform(0, 0.2, 12))]
    return [
        {
            "raw": raw,
            "adjusted": list(multipletests(raw, method="holm")[1]),
            "bonferroni": list(multipletests(raw, method="bonferroni")[1]),
        }
        for raw in cases
    ]


def quantiles():
    values = rounded(rng.lognormal(2, 1.5, 37))
    ps = [0, 0.01, 0.25, 0.5, 0.9, 0.95, 0.999, 1]
    return {"values": values, "quantiles": [[p, float(np.quantile(values, p))] for p in ps]}


def order_statistics():
    """For each n and p: the closest order statistics with at most (1 - level)/2 outside on either side."""
    cases = []
    for n, p, level in [(6, 0.5, 0.95), (10, 0.5, 0.95), (35, 0.1, 0.9), (100, 0.9, 0.95), (500, 0.99, 0.95)]:
        law = stats.binom(n, p)
        outside = (1 - level) / 2
        lower = max(k for k in range(1, n + 1) if law.cdf(k - 1) <= outside)
        upper = min(k for k in range(1, n + 1) if law.sf(k - 1) <= outside)
        coverage = float(law.cdf(upper - 1) - law.cdf(lower - 1))
        cases.append({"n": n, "p": p, "level": level, "ranks": [lower, upper], "coverage": coverage})
    return cases


def isotonic():
    cases = []
    for y, weights in [
        ([1.0, 3.0, 2.0, 4.0, 3.5, 6.0], [1.0] * 6),
        ([5.0, 4.0, 3.0, 2.0], [1.0, 2.0, 3.0, 4.0]),
        (rounded(rng.normal(0, 1, 15) + np.arange(15) / 5), rounded(rng.uniform(0.5, 3, 15))),
    ]:
        fit = optimize.isotonic_regression(y, weights=weights)
        cases.append({"y": y, "weights": weights, "fit": [float(value) for value in fit.x]})
    return cases


def autoregression(n, phi):
    values = [0.0]
    for noise in rng.normal(0, 1, n + 100):
        values.append(phi * values[-1] + noise)
    return rounded(np.array(values[-n:]) + 10)


def series():
    cases = []
    for phi in [0.0, 0.5, 0.9, 0.99]:
        values = autoregression(1200, phi)
        intervals = {}
        for batches in [30, 25, 20, 16, 12, 10, 8, 6]:
            # 1200 is not a multiple of 16 and other numbers: batches begin where the documentation of `src/engine/stats` says.
            edges = [len(values) * at // batches for at in range(batches + 1)]
            means = [np.mean(values[low:high]) for low, high in zip(edges, edges[1:])]
            margin = stats.t.ppf(0.975, batches - 1) * np.std(means, ddof=1) / np.sqrt(batches)
            intervals[batches] = [np.mean(values) - margin, np.mean(values) + margin]
        small = [np.mean(values[at : at + 12]) for at in range(0, 1200, 12)]
        measured = float(acf(small, nlags=1, fft=False)[1])
        cases.append(
            {
                "phi": phi,
                "values": values,
                "acf": [float(value) for value in acf(values, nlags=3, fft=False)],
                "small_lag1": measured,
                "intervals": intervals,
            }
        )
    return cases


def mser5():
    cases = []
    for values in [
        rounded(rng.normal(0, 1, 300) + 20 * np.exp(-np.arange(300) / 15)),
        rounded(rng.normal(0, 1, 203)),
        rounded(np.arange(100) + rng.normal(0, 0.1, 100)),
    ]:
        batches = [np.mean(values[at : at + 5]) for at in range(0, len(values) - 4, 5)]
        errors = [np.var(batches[cut:]) / (len(batches) - cut) for cut in range(len(batches) - 4)]
        cases.append({"values": values, "cut": 5 * int(np.argmin(errors))})
    return cases


def effects(samples):
    cases = []
    for a, b in samples:
        d = np.array(a) - np.array(b)
        half = (len(d) - 1) / 2
        factor = special.gamma(half) / (np.sqrt(half) * special.gamma(half - 0.5))
        wins = np.mean((np.array(a) < b) + 0.5 * (np.array(a) == b))
        cases.append({"a": a, "b": b, "standardised": float(d.mean() / d.std(ddof=1) * factor), "superiority": float(wins)})
    return cases


def geometric():
    ratios = [0.5, 0.8, 1.1, 0.95, 0.7, 2.0]
    logs = np.log(ratios)
    ends = stats.t.interval(0.95, 5, logs.mean(), stats.sem(logs))
    return {"ratios": ratios, "mean": float(stats.gmean(ratios)), "ends": [float(np.exp(end)) for end in ends]}


def slope():
    times = rounded(np.sort(rng.uniform(0, 100, 60)))
    values = rounded(0.3 * np.array(times) + rng.normal(0, 5, 60))
    return {"times": times, "values": values, "slope": float(np.polyfit(times, values, 1)[0])}


def main():
    samples = paired_samples()
    # A denominator that may be 0: no Fieller interval.
    unbounded = [rounded(rng.normal(1, 1, 8)), rounded(rng.normal(0.2, 2, 8))]
    everything = {
        "made_by": {
            "command": "python tests/stats/fixtures.py > tests/stats/fixtures.json",
            "python": platform.python_version(),
            "numpy": np.__version__,
            "scipy": scipy.__version__,
            "statsmodels": statsmodels.__version__,
        },
        "student": student(),
        "t_intervals": t_intervals(),
        "paired": paired([*samples, unbounded]),
        "wilcoxon": wilcoxon(),
        "sign_flips": sign_flips(),
        "bca": bca(samples),
        "holm": holm(),
        "quantiles": quantiles(),
        "order_statistics": order_statistics(),
        "isotonic": isotonic(),
        "series": series(),
        "mser5": mser5(),
        "effects": effects(samples),
        "geometric": geometric(),
        "slope": slope(),
    }
    as_number = lambda value: float(value)
    json.dump(everything, sys.stdout, default=as_number)
    print()


main()
