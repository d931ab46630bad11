#!/usr/bin/env python3
"""Times fits with a matrix of costs beside fits that count errors: a Markdown table.

    bench/cost_matrices.py --data-dir FOLDER [--command build/release/treewright] [--sets landsat image-segmentation] [--depth 3] [--runs 3]

What a label costs a row of another class is drawn among 1 to 9, the seed is the number of classes. CPU seconds of one thread, reading the
file included, the least of some runs.

"""

from __future__ import annotations

import argparse
import csv
import json
import random
import resource
import subprocess
import tempfile
from pathlib import Path

SETS = ["image-segmentation", "landsat", "pendigits", "avila", "page-blocks", "wine", "car-evaluation"]


def labels(file: Path) -> list[str]:
    with file.open(newline="", encoding="utf-8") as lines:
        return sorted({row[-1] for row in list(csv.reader(lines))[1:]})


def write_matrix(file: Path, classes: list[str]) -> None:
    draw = random.Random(len(classes))
    lines = [",".join(["class", *classes])]
    lines += [",".join([true, *(str(0 if true == label else draw.randint(1, 9)) for label in classes)]) for true in classes]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def timed(command: list[str], runs: int) -> tuple[float, str]:
    """CPU seconds, and how it ended."""
    least = float("inf")
    for _ in range(runs):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return least, json.loads(out)["status"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/release/treewright")
    parser.add_argument("--data-dir", type=Path, required=True)
    parser.add_argument("--sets", nargs="*", default=SETS)
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--runs", type=int, default=3)
    arguments = parser.parse_args()
    print("| set | classes | errors, s | costs, s | times | status |")
    print("|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name in arguments.sets:
            data, matrix = arguments.data_dir / f"{name}.csv", Path(folder) / "costs.csv"
            classes = labels(data)
            write_matrix(matrix, classes)
            fit = [arguments.command, "fit", str(data), "--max-depth", str(arguments.depth), "--threads", "1", "--no-verify", "--json"]
            plain, _ = timed(fit, arguments.runs)
            costs, status = timed([*fit, "--costs", str(matrix)], arguments.runs)
            print(f"| {name} | {len(classes)} | {plain:.3f} | {costs:.3f} | {costs / plain:.1f} | {status} |", flush=True)


if __name__ == "__main__":
    main()
