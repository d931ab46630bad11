#!/usr/bin/env python3
"""Times trees of any depth with a price of each leaf, on 0/1 columns, beside imodels' FastSmallTreeClassifier where that is installed.

    bench/prices.py [--command build/release/treewright] [--seconds 60]

The columns are the levels of each column, or whether a number lies below each of nine quantiles of it; imodels needs them so. A tree pays
the share of the rows that it labels wrongly, and the price for each leaf. CPU seconds of one thread: ours of the whole command, imodels'
of the second `fit`, because the first one compiles. Prints a table in Markdown.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas

CASES = [
    ("tic-tac-toe", 0.02),
    ("kr-vs-kp", 0.01),
    ("hepatitis", 0.01),
    ("heart-cleveland-binary", 0.02),
    ("heart-cleveland-binary", 0.01),
]
QUANTILES = np.linspace(0, 1, 11)[1:-1]


def zeros_and_ones(path: Path) -> pandas.DataFrame:
    data = pandas.read_csv(path)
    target = data.columns[-1]
    columns = {}
    for name in data.columns[:-1]:
        values = data[name].dropna()
        if pandas.api.types.is_numeric_dtype(values) and values.nunique() > 2:
            for cut in np.unique(np.quantile(values, QUANTILES)):
                columns[f"{name}<{cut:g}"] = (data[name] < cut).astype(int)
        else:
            for level in sorted(values.unique(), key=str):
                columns[f"{name}={level}"] = (data[name] == level).astype(int)
    table = pandas.DataFrame(columns)
    table = table.loc[:, table.nunique() > 1].T.drop_duplicates().T
    return table.assign(**{"class": data[target]})


def ours(command: str, file: Path, price: float, seconds: float) -> tuple[str, float, float]:
    arguments = [command, "fit", str(file), "--alpha", str(price), "--alpha-scale", "rows", "--max-depth", "60"]
    arguments += ["--threads", "1", "--no-verify", "--quiet", "--time-limit", str(seconds)]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    out = subprocess.run(arguments, capture_output=True, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    said = dict(line.split(None, 1) for line in out.splitlines() if line.startswith(("status", "objective", "gap")))
    status = "proved" if said["status"].startswith("optimal") else f"gap {said['gap']}"
    # Ours counts splits, of which there is one less than leaves.
    return status, float(said["objective"]) + price, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def theirs(table: pandas.DataFrame, price: float, seconds: float) -> tuple[str, float, float] | None:
    try:
        from imodels import FastSmallTreeClassifier
    except ImportError:
        return None
    model = FastSmallTreeClassifier(regularization=price, time_limit=seconds)
    x, y = table.drop(columns="class").to_numpy(), table["class"]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        FastSmallTreeClassifier(regularization=0.2, time_limit=seconds).fit(x, y)
        before = time.process_time()
        model.fit(x, y)
    return "proved" if model.optimal_ else "not proved", model.objective_, time.process_time() - before


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/release/treewright")
    parser.add_argument("--data-dir", default=os.environ.get("TREEWRIGHT_DATA_DIR", "data"))
    parser.add_argument("--seconds", type=float, default=60, help="time limit of a run")
    arguments = parser.parse_args()
    print("| set | columns | price of a leaf | treewright | objective | CPU s | imodels | objective | CPU s |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, price in CASES:
            table = zeros_and_ones(Path(arguments.data_dir) / f"{name}.csv")
            file = Path(folder) / f"{name}.csv"
            table.to_csv(file, index=False)
            runs = [ours(arguments.command, file, price, arguments.seconds), theirs(table, price, arguments.seconds)]
            cells = [f"{run[0]} | {run[1]:.5f} | {run[2]:.2f}" if run else "| |" for run in runs]
            print(f"| {name} | {table.shape[1] - 1} | {price} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
