#!/usr/bin/env python3
"""Times trees that choose among actions (`fit --cost-columns`) on the sizes for which policytree's documentation tells its times.

    bench/policies.py [--command build/release/treewright] [--seconds 600]

The rows are normal numbers, the rewards of each action normal numbers too: nothing to be learned, so that bounds help least. In some cases
the action named by the signs of the first two columns has a reward that is higher by 1. policytree
(grf-labs) searches exhaustively; its times are those of the vignette "policytree introduction", on another machine. Prints a table in
Markdown: CPU seconds of one thread, reading the file included.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import tempfile
from pathlib import Path

import numpy as np

# rows, columns, actions, decimals of the columns (None: all), depth, by how much the right action is better, what policytree's page says.
CASES = [
    (1000, 30, 20, None, 2, 0, "1.5 min"),
    (10000, 30, 20, None, 2, 0, "3 h"),
    (10000, 30, 20, 2, 2, 0, "8 min"),
    (100000, 30, 20, 2, 2, 0, "6.3 h"),
    (40000, 5, 2, 1, 2, 1, ""),
    (40000, 5, 4, 1, 2, 1, ""),
    (40000, 5, 2, 1, 3, 1, ""),
    (40000, 5, 4, 1, 3, 1, ""),
    (40000, 5, 2, None, 3, 1, ""),
    (10000, 10, 2, None, 3, 1, ""),
    (10000, 10, 4, None, 3, 1, ""),
]


def write(path: Path, rows: int, columns: int, actions: int, decimals: int | None, better: float) -> list[str]:
    random = np.random.default_rng(1)
    x = random.normal(size=(rows, columns))
    if decimals is not None:
        x = x.round(decimals)
    costs = random.normal(size=(rows, actions))
    costs[np.arange(rows), ((x[:, 0] > 0) + 2 * (x[:, 1] > 0)) % actions] -= better
    names = [f"action{i}" for i in range(actions)]
    header = ",".join([f"x{i}" for i in range(columns)] + names)
    np.savetxt(path, np.c_[x, costs], delimiter=",", header=header, comments="", fmt="%.9g")
    return names


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/release/treewright")
    parser.add_argument("--seconds", type=float, default=600, help="time limit of a run")
    parser.add_argument("--only", type=int, nargs="*", help="numbers of cases, from 0")
    arguments = parser.parse_args()
    print("| depth | rows | columns | values | actions | the right one better by | policytree, published | treewright, CPU s | status |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for number, (rows, columns, actions, decimals, depth, better, published) in enumerate(CASES):
            if arguments.only is not None and number not in arguments.only:
                continue
            file = Path(folder) / "rows.csv"
            names = write(file, rows, columns, actions, decimals, better)
            command = [arguments.command, "fit", str(file), "--cost-columns", ",".join(names), "--max-depth", str(depth), "--threads", "1"]
            command += ["--no-verify", "--quiet", "--time-limit", str(arguments.seconds)]
            before = resource.getrusage(resource.RUSAGE_CHILDREN)
            out = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
            said = dict(line.split(None, 1) for line in out.splitlines() if line.startswith(("status", "gap")))
            distinct = "all" if decimals is None else f"{decimals} decimal{'s' * (decimals > 1)}"
            status = said["status"] if said["status"].startswith("optimal") else f"gap {said['gap']}"
            print(
                f"| {depth} | {rows:,} | {columns} | {distinct} | {actions} | {better} | {published} | {seconds:.2f} | {status} |",
                flush=True,
            )


if __name__ == "__main__":
    main()
