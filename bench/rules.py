#!/usr/bin/env python3
"""What each pruning rule of the exact search saves: the search without it beside the search with all of them. A Markdown table.

    .venv/bin/python bench/rules.py --data-dir FOLDER [--rules reach budgets] [--cases wilt:3 landsat:2:costs]

A case is a set, a depth and what makes it special: costs = a matrix of costs with as many labels as classes, row_costs = costs by row,
weights = real weights of the rows, leaf = at least 20 rows in a leaf, price = a split costs a fiftieth of a leaf's errors, 01 = a few 0/1
columns for each column. Times are CPU seconds of one thread: with and without the rule in turn, the least of each, since the machine may
be shared. Subproblems are the search's own count, the same in every run. A search without a rule is stopped after `--most` times the time
of that with it, so such a ratio is a lower bound (>).

The columns: geometric means over all cases of time and subproblems without the rule, as multiples of those with it; the case in which the
rule saves most; the cases in which it saves more than a tenth of the time or of the subproblems.
"""

from __future__ import annotations

import argparse
import math
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import cpu_clock
import numpy as np
import pandas as pd

from treewright import OptimalTreeClassifier

RULES = [
    "merge_rows", "merge_orderings", "monotone", "lipschitz", "reach", "leaf_price", "depth_price", "class_bound", "row_bound", "budgets",
    "known_bounds", "bit_sets", "repeated_sets", "core_rows",
]  # fmt: skip
CASES = [
    "wine:3", "banknote:3", "raisin:3", "htru2:3", "page-blocks:3", "avila:3", "landsat:2", "breast-cancer-diagnostic:3", "ionosphere:3",
    "car-evaluation:4", "tic-tac-toe:4", "kr-vs-kp:4", "congressional-voting:4", "credit-approval:3", "thoracic-surgery:3", "wilt:4",
    "raisin:4", "blood-transfusion:5", "raisin:3:weights", "wilt:3:weights", "landsat:2:costs", "page-blocks:3:costs",
    "contraceptive:3:costs", "raisin:3:row_costs", "raisin:3:leaf", "wilt:3:leaf", "kr-vs-kp:4:leaf", "wilt:4:price",
    "breast-cancer-wisconsin:5:price", "magic04:3:01",
]  # fmt: skip
LEAST_SECONDS, MOST_RUNS = 0.3, 5
CUTS = 5  # thresholds of a column that become 0/1 columns


def special(X: pd.DataFrame, y: pd.Series, kind: str) -> tuple[pd.DataFrame, dict[str, Any], dict[str, Any]]:
    """Features, and what the estimator and its `fit` are told besides."""
    random = np.random.default_rng(7)
    classes = sorted(y.unique())
    if kind == "costs":
        costs = random.integers(1, 10, (len(classes), len(classes))) * (1 - np.eye(len(classes), dtype=int))
        return X, {"cost_matrix": pd.DataFrame(costs, classes, classes)}, {}
    if kind == "row_costs":
        costs = random.integers(1, 10, (len(y), 1)) * (y.to_numpy()[:, None] != np.array(classes)[None, :])
        return X, {}, {"costs": pd.DataFrame(costs, columns=classes)}
    if kind == "weights":
        return X, {}, {"sample_weight": random.uniform(0.5, 2, len(y))}
    if kind == "01":
        cuts = {f"{c}<{q}": (X[c] < q).astype(int) for c in X for q in np.unique(np.quantile(X[c], np.arange(1, CUTS + 1) / (CUTS + 1)))}
        return pd.DataFrame(cuts), {}, {}
    return X, {"leaf": {"min_samples_leaf": 20}, "price": {"ccp_alpha": 0.02}, "": {}}[kind], {}


class Run(NamedTuple):
    seconds: float
    subproblems: int
    objective: float  # NaN where it is not proved


class Ratios(NamedTuple):
    seconds: float
    subproblems: float
    is_least: bool  # the search without the rule was stopped


class Case:
    def __init__(self, name: str, folder: Path):
        stem, depth, *kind = name.split(":")
        frame = pd.read_csv(folder / f"{stem}.csv")
        self.name, self.y = name, frame.iloc[:, -1].astype(str)
        self.X, options, self.told = special(frame.iloc[:, :-1], self.y, kind[0] if kind else "")
        self.options = {"max_depth": int(depth), "n_jobs": 1} | options

    def run(self, disable: str, limit: float | None) -> Run:
        news = [0]
        model = OptimalTreeClassifier(
            time_limit=limit,
            run={"disable": disable, "verify": False},
            callback=lambda told: news.append(told.subproblems),
            **self.options,
        )
        before = time.process_time()
        model.fit(self.X, self.y, **self.told)
        seconds = time.process_time() - before
        return Run(seconds, news[-1], model.objective_ if model.status_ == "optimal" else math.nan)

    def ratios(self, rule: str, most: float) -> Ratios:
        pairs: list[tuple[Run, Run]] = []
        while len(pairs) < MOST_RUNS and sum(pair[0].seconds for pair in pairs) < LEAST_SECONDS:
            first = self.run("", None)
            pairs.append((first, self.run(rule, most * first.seconds)))
        (_, with_it, objective), (_, without, other) = pairs[-1]
        if other != objective and not math.isnan(other):
            raise SystemExit(f"{self.name} without {rule}: the objective is {other:g}, with it {objective:g}")
        seconds = [min(pair[i].seconds for pair in pairs) for i in (0, 1)]
        return Ratios(seconds[1] / seconds[0], max(1, without) / max(1, with_it), math.isnan(other))


def row(rule: str, found: dict[str, Ratios]) -> str:
    def mean(ratios: list[float]) -> str:
        return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.2f}"

    best = max(found, key=lambda name: found[name].seconds)
    many = sum(max(ratio.seconds, ratio.subproblems) > 1 / 0.9 for ratio in found.values())
    means = [mean([ratio.seconds for ratio in found.values()]), mean([ratio.subproblems for ratio in found.values()])]
    sign = "> " if any(ratio.is_least for ratio in found.values()) else ""
    most = f"{'> ' if found[best].is_least else ''}{found[best].seconds:.1f}, {best}"
    return f"| `{rule}` | {sign}{means[0]} | {sign}{means[1]} | {most} | {many} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--rules", nargs="*", default=RULES)
    parser.add_argument("--cases", nargs="*", default=CASES)
    parser.add_argument("--most", type=float, default=6)
    parser.add_argument("--all", action="store_true", help="print every ratio")
    arguments = parser.parse_args()
    cpu_clock.run_preloaded()  # limits on time in CPU seconds
    warnings.simplefilter("ignore")
    cases = [Case(name, arguments.data_dir) for name in arguments.cases]
    print(f"| without | CPU s, mean | subproblems, mean | most | of {len(cases)} |")
    print("|---|---|---|---|---|")
    for rule in arguments.rules:
        found = {case.name: case.ratios(rule, arguments.most) for case in cases}
        print(row(rule, found), flush=True)
        for name, ratios in found.items() if arguments.all else ():
            print(f"    {name}: {ratios.seconds:.3f} {ratios.subproblems:.3f}", flush=True)


if __name__ == "__main__":
    main()
