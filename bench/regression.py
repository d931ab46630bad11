#!/usr/bin/env python3
"""Trees that predict numbers, beside STreeD (pystreed) and scikit-learn's greedy tree: a table in Markdown on standard output.

  .venv-bench/bin/python bench/regression.py --data-dir FOLDER      FOLDER holds CSV files whose last column is the target

treewright gets the columns as they are. STreeD splits 0/1 columns: once it gets one for each threshold that treewright may choose, so that
both solve the same problem and must agree (left out where that makes more than 1,500 columns), and once 20 quantiles of each column, which
is less work and another problem. Seconds are CPU seconds of one thread of fit(), the least of three where one takes less than 0.1 s, and so
are time limits (cpu_clock.c). `>` stands before the seconds of a program that ran out of time.
"""

import argparse
import pathlib
import sys
import time

import cpu_clock
import numpy as np
import pandas as pd

MOST_COLUMNS = 1500


def thresholds(X, most):
    """One 0/1 column for each threshold, or for `most` quantiles of each column; None where these are too many."""
    columns = []
    for x in X.T:
        values = np.unique(x)
        middle = (values[:-1] + values[1:]) / 2
        if most is not None and len(middle) > most:
            middle = np.unique(np.quantile(x, np.linspace(0, 1, most + 2)[1:-1]))
        columns += [x < cut for cut in middle]
    return np.stack(columns, axis=1).astype(np.int32) if most is not None or len(columns) <= MOST_COLUMNS else None


def treewright(X, y, depth, limit):
    from treewright import OptimalTreeRegressor

    model = OptimalTreeRegressor(max_depth=depth, time_limit=limit).fit(X, y)
    return model.predict(X), model.status_ == "optimal"


def streed(X, y, depth, limit):
    from pystreed import STreeDRegressor

    model = STreeDRegressor(max_depth=depth, time_limit=limit, cost_complexity=0.0).fit(X, y)
    return np.asarray(model.predict(X)).ravel(), model.fit_result.is_optimal()


def greedy(X, y, depth, limit):
    from sklearn.tree import DecisionTreeRegressor

    return DecisionTreeRegressor(max_depth=depth, random_state=0).fit(X, y).predict(X), True


def measured(fit, X, y, depth, limit):
    """Seconds, R2 on these rows, and whether the program ended by itself."""
    least, fits = np.inf, 0
    while fits == 0 or (fits < 3 and least < 0.1):
        begin = time.process_time()
        predicted, proved = fit(X, y, depth, limit)
        least, fits = min(least, time.process_time() - begin), fits + 1
    return least, 1 - np.sum((y - predicted) ** 2) / np.sum((y - y.mean()) ** 2), proved


def seconds(found):
    return "-" if found is None else f"{'' if found[2] else '>'}{found[0]:.3g}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=pathlib.Path, required=True)
    parser.add_argument("--sets", nargs="*", help="names of files without their ending")
    parser.add_argument("--depths", type=int, nargs="*", default=[2, 3])
    parser.add_argument("--time-limit", type=float, default=60)
    arguments = parser.parse_args()
    cpu_clock.run_preloaded()
    small = np.arange(40.0).reshape(20, 2)
    for fit, X in ((treewright, small), (streed, (small > 7).astype(np.int32)), (greedy, small)):
        fit(X, small[:, 0], 1, 5)  # pays for what every first call loads
    heads = "set, depth, rows, columns, optimal R2, treewright s, STreeD s, STreeD of 20 quantiles: R2, s, greedy: R2, s".split(", ")
    print(f"| {' | '.join(heads)} |\n|{'---|' * len(heads)}")
    wrong = 0
    for depth in arguments.depths:
        for path in sorted(arguments.data_dir.glob("*.csv")):
            if arguments.sets and path.stem not in arguments.sets:
                continue
            frame = pd.read_csv(path).dropna()
            X, y = frame.iloc[:, :-1].to_numpy(dtype=np.float64), frame.iloc[:, -1].to_numpy(dtype=np.float64)
            ours = measured(treewright, X, y, depth, arguments.time_limit)
            every = thresholds(X, None)
            theirs = None if every is None else measured(streed, every, y, depth, arguments.time_limit)
            coarse = measured(streed, thresholds(X, 20), y, depth, arguments.time_limit)
            tree = measured(greedy, X, y, depth, arguments.time_limit)
            if theirs is not None and ours[2] and theirs[2] and abs(ours[1] - theirs[1]) > 1e-6:
                wrong += 1
                print(f"DISAGREE on {path.stem} depth {depth}: {ours[1]} and {theirs[1]}", file=sys.stderr)
            r2 = f"{ours[1]:.4f}" if ours[2] else f"at least {ours[1]:.4f}"
            cells = [path.stem, depth, f"{len(y):,}", X.shape[1], r2, seconds(ours), seconds(theirs)]
            cells += [f"{coarse[1]:.4f}", seconds(coarse), f"{tree[1]:.4f}", f"{tree[0]:.2g}"]
            print(f"| {' | '.join(map(str, cells))} |", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
