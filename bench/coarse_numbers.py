#!/usr/bin/env python3
"""Numbers and times on columns of few values, beside STreeD (pystreed): two tables in Markdown on standard output.

  .venv-bench/bin/python bench/coarse_numbers.py --data-dir FOLDER      FOLDER holds CSV files whose last column is the target

The first table: trees of depth 5 with a price of 0.0001 a split, where each column is the number of those of its 20 quantiles that lie
below the value. STreeD gets a 0/1 column for each of these, so both solve the same problem. The second one: trees of depth 4 for survival
times that are drawn with some columns of 0 and 1. Seconds are CPU seconds of one thread of fit(), and so are time limits (cpu_clock.c).
"""

import argparse
import pathlib
import sys
import time

import cpu_clock
import numpy as np
import pandas as pd
from regression import thresholds

DEPTH, PRICE, QUANTILES = 5, 1e-4, 20
SETS = ("auto-mpg", "airfoil", "real-estate", "optical-net", "seoul-bike", "temperature-min", "california-housing")


def codes(x):
    cuts = np.unique(np.quantile(x, np.arange(1, QUANTILES + 1) / (QUANTILES + 1), method="higher"))
    return (x[:, None] > cuts).sum(axis=1)


def seconds(begin):
    return time.process_time() - begin


def numbers(path, limit):
    from pystreed import STreeDRegressor

    from treewright import OptimalTreeRegressor

    frame = pd.read_csv(path).dropna()
    X, y = np.stack([codes(frame[name].to_numpy()) for name in frame.columns[:-1]], axis=1), frame.iloc[:, -1].to_numpy(dtype=np.float64)
    begin = time.process_time()
    ours = OptimalTreeRegressor(max_depth=DEPTH, ccp_alpha=PRICE, time_limit=limit).fit(X, y)
    our_seconds = seconds(begin)
    binary, begin = thresholds(X, None), time.process_time()
    theirs = STreeDRegressor(max_depth=DEPTH, cost_complexity=PRICE, time_limit=limit).fit(binary, y)
    their_seconds, their_r2 = seconds(begin), 1 - np.mean((y - np.ravel(theirs.predict(binary))) ** 2) / np.var(y)
    end = f"{our_seconds:.2f}" if ours.status_ == "optimal" else f"gap {100 * ours.gap_:.1f} % after {our_seconds:.0f}"
    theirs_end = f"{their_seconds:.2f}" if theirs.fit_result.is_optimal() else f"no proof after {their_seconds:.0f}"
    return [path.stem, f"{len(y):,} x {X.shape[1]}", f"{ours.score(X, y):.4f}", end, f"{their_r2:.4f}", theirs_end]


def times(rows, columns, limit):
    import pystreed.survival_analysis
    from pystreed import STreeDSurvivalAnalysis

    from treewright import OptimalSurvivalTree

    draw = np.random.default_rng(rows)
    X = (draw.random((rows, columns)) < draw.uniform(0.15, 0.6, columns)).astype(np.int32)
    seen = draw.exponential(np.exp(0.6 * X[:, 1] * X[:, 2] - 0.8 * X[:, 0] - 0.5 * X[:, 3]))
    last = draw.exponential(1.2, rows)
    event, time_seen = seen <= last, np.round(np.minimum(seen, last), 3) + 0.001
    y = np.array(list(zip(event, time_seen, strict=True)), dtype=[("event", bool), ("time", float)])
    begin = time.process_time()
    ours = OptimalSurvivalTree(max_depth=4, time_limit=limit).fit(X, y)
    our_seconds = seconds(begin)
    # pystreed counts by the event, which scikit-survival hands out as a bool.
    checked, unique = pystreed.survival_analysis.check_array_survival, pystreed.survival_analysis.get_unique_times
    pystreed.survival_analysis.check_array_survival = lambda X, y: (checked(X, y)[0].astype(int), checked(X, y)[1])
    pystreed.survival_analysis.get_unique_times = lambda times, events: unique(times, events.astype(bool))
    begin = time.process_time()
    theirs = STreeDSurvivalAnalysis(max_depth=4, time_limit=limit).fit(X, y)
    their_seconds = seconds(begin)
    pystreed.survival_analysis.check_array_survival, pystreed.survival_analysis.get_unique_times = checked, unique
    proved = ours.status_ == "optimal" and theirs.fit_result.is_optimal()
    return [f"{rows:,} x {columns}", f"{our_seconds:.2f}", f"{their_seconds:.2f}", "yes" if proved else "no"]


def table(heads, rows):
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    for row in rows:
        print(f"| {' | '.join(row)} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=pathlib.Path, required=True)
    parser.add_argument("--sets", nargs="*", default=SETS, help="names of files without their ending")
    parser.add_argument("--time-limit", type=float, default=300)
    arguments = parser.parse_args()
    cpu_clock.run_preloaded()
    shapes, limit = [(3504, 22), (929, 33)], arguments.time_limit
    times(60, 5, 5)  # pays for what every first call loads
    heads = ["set", "rows x columns", "R2", "treewright s", "STreeD: R2", "STreeD s"]
    table(heads, (numbers(arguments.data_dir / f"{name}.csv", limit) for name in arguments.sets))
    print()
    table(["rows x columns", "treewright s", "STreeD s", "both proved"], (times(*shape, limit) for shape in shapes))
    return 0


if __name__ == "__main__":
    sys.exit(main())
