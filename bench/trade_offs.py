#!/usr/bin/env python3
"""Times trade-offs between two kinds of errors (`tradeoff`) on sets of two classes: a Markdown table.

    bench/trade_offs.py --data-dir FOLDER [--command build/release/treewright] [--sets banknote wilt] [--logistic]

Each row: corners, problems solved, CPU seconds of one thread for one `fit` and for all of them, and the second over corners times the
first. They are the least of three runs, less those of a fit of depth 0, which does little but read the file. Depth 3 where one fit takes less than
`--least-fit` seconds. With --logistic also the share of logistic regression's points (all thresholds, all columns) that lie below the
certified line: no tree of that depth reaches them.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

SETS = [
    "banknote", "blood-transfusion", "breast-cancer-diagnostic", "breast-cancer-wisconsin", "climate-model", "credit-approval", "haberman",
    "heart-cleveland-binary", "hepatitis", "htru2", "indian-liver", "ionosphere", "kr-vs-kp", "magic04", "mammographic-mass", "parkinsons",
    "pima-diabetes", "raisin", "tic-tac-toe", "wilt",
]  # fmt: skip
REPEATS = 3


def run(*command: object) -> tuple[float, str]:
    """CPU seconds and standard output."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen([str(part) for part in command], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        out.seek(0)
        said = out.read()
        if status != 0:
            sys.exit(f"{' '.join(map(str, command))}: exit status {os.waitstatus_to_exitcode(status)}\n{said}")
        return usage.ru_utime + usage.ru_stime, said


def least(*command: object) -> tuple[float, str]:
    """The run of fewest CPU seconds."""
    return min((run(*command) for _ in range(REPEATS)), key=lambda one: one[0])


def height(line: list[dict[str, float]], false_positives: float) -> float:
    """False negatives of the certified line above so many false positives."""
    for a, b in zip(line, line[1:], strict=False):
        if a["false_positives"] <= false_positives <= b["false_positives"]:
            share = (false_positives - a["false_positives"]) / (b["false_positives"] - a["false_positives"])
            return a["false_negatives"] + share * (b["false_negatives"] - a["false_negatives"])
    return line[-1]["false_negatives"] if false_positives > line[-1]["false_positives"] else float("inf")


def points_below(data: Path, positive: str, line: list[dict[str, float]]) -> str:
    """Points of logistic regression's curve that no tree of this depth reaches."""
    import pandas as pd
    from sklearn.linear_model import LogisticRegression
    from sklearn.metrics import confusion_matrix
    from sklearn.preprocessing import StandardScaler

    frame = pd.read_csv(data)
    X = pd.get_dummies(frame.iloc[:, :-1]).astype(float)
    X = StandardScaler().fit_transform(X.fillna(X.mean()))
    y = frame.iloc[:, -1].astype(str) == positive
    scores = LogisticRegression(max_iter=5000).fit(X, y).decision_function(X)
    below, points = 0, sorted(set(scores.tolist()))
    points = points[:: max(1, len(points) // 500)]
    for threshold in points:
        _, false_positives, false_negatives, _ = confusion_matrix(y, scores >= threshold).ravel()
        below += false_negatives < height(line, false_positives) - 1e-9
    return f"{100 * below / len(points):.0f} %"


def row(arguments: argparse.Namespace, name: str, depth: int) -> None:
    """Prints a row, unless one fit takes long."""
    data = arguments.data_dir / f"{name}.csv"
    how = (data, "--max-depth", depth, "--threads", 1, "--quiet", "--json")
    reading = least(arguments.command, "fit", data, "--max-depth", 0, *how[3:], "--no-verify")[0]
    fit, said = least(arguments.command, "fit", *how, "--no-verify")
    tree, fit = json.loads(said), max(fit - reading, 1e-3)
    if depth > 2 and fit > arguments.least_fit:
        return
    every, said = least(arguments.command, "tradeoff", *how, "--time-limit", arguments.seconds)
    found, every = json.loads(said), max(every - reading, 1e-3)
    corners = len(found["corners"])
    cells = [
        name, depth, f"{tree['rows']:,}", corners, found["solves"], f"{fit:.3f}", f"{every:.3f}", f"{every / (corners * fit):.2f}",
        found["status"],
    ]  # fmt: skip
    if arguments.logistic:
        cells.append(points_below(data, found["positive"], found["certified"]))
    print("| " + " | ".join(str(cell) for cell in cells) + " |", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/release/treewright")
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--depths", nargs="*", type=int, default=[2, 3])
    parser.add_argument("--least-fit", type=float, default=1)
    parser.add_argument("--seconds", type=float, default=600, help="time limit of a trade-off")
    parser.add_argument("--logistic", action="store_true", help="needs scikit-learn and pandas")
    arguments = parser.parse_args()
    head = ["set", "depth", "rows", "corners", "solves", "one fit, CPU s", "all, CPU s", "all / (corners * fit)", "status"]
    head += ["logistic regression below the line"] if arguments.logistic else []
    print("| " + " | ".join(head) + " |\n|" + "---|" * len(head))
    for depth in arguments.depths:
        for name in arguments.sets:
            row(arguments, name, depth)


if __name__ == "__main__":
    main()
