#!/usr/bin/env python3
"""Times trade-offs between two kinds of errors (`trade-off`) on sets of two classes: a Markdown table.

    .venv/bin/python bench/trade_offs.py --data-dir FOLDER [--sets banknote wilt] [--depths 2 3]

Each row: corners, CPU seconds of one thread for one fit and for all of them (means over half a second), and the second over
corners times the first. Depth 3 where one fit takes less than `--least-fit` seconds. Also the share of the points of logistic regression
(all thresholds, where all columns are numbers) that lie below the certified line, which no tree of that depth reaches, and the false
positives that CART's trees have more than the corner that misses no more, as the median over the corners.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
from treewright._core import fit, trade_off

from treewright import OptimalTreeClassifier, TradeOff

SETS = [
    "banknote", "blood-transfusion", "breast-cancer-diagnostic", "breast-cancer-wisconsin", "climate-model", "credit-approval", "haberman",
    "heart-cleveland-binary", "hepatitis", "htru2", "indian-liver", "ionosphere", "kr-vs-kp", "magic04", "mammographic-mass", "parkinsons",
    "pima-diabetes", "raisin", "tic-tac-toe", "wilt",
]  # fmt: skip
LEAST_SECONDS = 0.5


def mean_seconds(work: Callable[[], Any]) -> float:
    """CPU seconds of a run, as the mean of as many as take a while together: the clock may tick slowly."""
    before, runs = time.process_time(), 0
    while runs == 0 or time.process_time() - before < LEAST_SECONDS:
        work()
        runs += 1
    return (time.process_time() - before) / runs


def below_the_line(found: TradeOff, curve: np.ndarray | None) -> str:
    """The share of the points that no tree of this depth reaches."""
    if curve is None:
        return "-"
    height = np.interp(curve[:, 0], found.false_positives, found.false_negatives)
    return f"{100 * np.mean(curve[:, 1] < height - 1e-9):.0f} %"


def cart_more(found: TradeOff, curve: np.ndarray) -> str:
    more = []
    for false_positives, missed in zip(found.false_positives, found.false_negatives, strict=True):
        within = curve[curve[:, 1] <= missed, 0]
        more += [within.min() - false_positives] if len(within) else []
    return f"{np.median(more):g}" if more else "-"


def row(arguments: argparse.Namespace, name: str, depth: int) -> None:
    """Prints a row, unless one fit takes long."""
    frame = pd.read_csv(arguments.data_dir / f"{name}.csv", na_values=["?"])
    X, y = frame.iloc[:, :-1], frame.iloc[:, -1].astype(str).to_numpy()
    model = OptimalTreeClassifier(max_depth=depth, n_jobs=1, run={"verify": False})
    data = model._dataset(*model._training_data(X, y, None))[0]
    one = mean_seconds(lambda: fit(data, model._options()))
    if depth > 2 and one > arguments.least_fit:
        return
    every = mean_seconds(lambda: trade_off(data, model._options(), model.classes_[1]))
    found = model.trade_off(X, y)
    curves = found.compare(X, y)
    milliseconds = [f"{1000 * seconds:.1f}" for seconds in (one, every)]
    cells = [
        name, depth, f"{len(X):,}", len(found), *milliseconds, f"{every / (len(found) * one):.2f}",
        found.status, below_the_line(found, curves.get("logistic regression")), cart_more(found, curves["CART"]),
    ]  # fmt: skip
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--depths", nargs="*", type=int, default=[2, 3])
    parser.add_argument("--least-fit", type=float, default=1)
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    head = ["set", "depth", "rows", "corners", "one fit, CPU ms", "all, CPU ms", "all / (corners * fit)", "status"]
    head += ["logistic regression below the line", "CART: false positives more"]
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for depth in arguments.depths:
        for name in arguments.sets:
            row(arguments, name, depth)


if __name__ == "__main__":
    main()
