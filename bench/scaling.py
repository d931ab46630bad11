#!/usr/bin/env python3
"""How the cost of an optimal tree grows with rows and features, beside ConTree; writes a TSV and a plot (SVG).

Rows are drawn by `treewright generate bd17-train` (a random tree of depth 4, a tenth of the labels changed). A solver that passes the limit
is not asked for larger sizes. timed_fit.py says what the figures are.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from timed_fit import timed_fit

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tools"))

from small_svg import pyplot, save

ROWS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
FEATURES = (5, 10, 20, 50, 100)
DEPTHS = (2, 3)
COLUMNS = ("sweep", "solver", "depth", "n", "p", "seconds", "mb", "errors")


def plot(rows, target):
    figure, axes = pyplot().subplots(1, 2, figsize=(10, 4))
    for axis, sweep, size, label in ((axes[0], "rows", "n", "rows (10 features)"), (axes[1], "features", "p", "features (10,000 rows)")):
        for solver, colour in (("treewright", "#1b6ca8"), ("contree", "#c0504d")):
            for depth, style in zip(DEPTHS, ("--", "-")):
                points = [
                    (row[size], row["seconds"]) for row in rows if (row["sweep"], row["solver"], row["depth"]) == (sweep, solver, depth)
                ]
                if points:
                    axis.plot(*zip(*points), style, marker="o", markersize=4, color=colour, label=f"{solver}, depth {depth}")
        axis.set(xscale="log", yscale="log", xlabel=label, ylabel="CPU seconds")
        axis.grid(alpha=0.3)
        axis.legend()
    figure.tight_layout()
    save(figure, target)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/release/treewright")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for one fit")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("scaling"), help="path without ending: .tsv and .svg are written")
    arguments = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as work:
        for sweep, sizes in (("rows", [(n, 10) for n in ROWS]), ("features", [(10_000, p) for p in FEATURES])):
            out_of_time = set()
            for n, p in sizes:
                path = f"{work}/{n}-{p}.csv"
                subprocess.run(
                    [
                        arguments.command,
                        "generate",
                        "bd17-train",
                        "--depth",
                        "4",
                        "--classes",
                        "2",
                        "--features",
                        str(p),
                        "--rows",
                        str(n),
                        "--label-noise",
                        "0.1",
                        "--out",
                        path,
                    ],
                    check=True,
                )
                for depth in DEPTHS:
                    for solver in ("treewright", "contree"):
                        if (solver, depth) in out_of_time:
                            continue
                        found = timed_fit(solver, path, depth, arguments.time_limit)
                        if "skipped" in found or not found["proved"]:
                            out_of_time.add((solver, depth))
                            continue
                        rows.append({"sweep": sweep, "solver": solver, "depth": depth, "n": n, "p": p, **found})
                        print("\t".join(str(rows[-1][column]) for column in COLUMNS), flush=True)
    lines = ["\t".join(COLUMNS)] + ["\t".join(str(row[column]) for column in COLUMNS) for row in rows]
    arguments.out.with_suffix(".tsv").write_text("\n".join(lines) + "\n")
    plot(rows, arguments.out.with_suffix(".svg"))


if __name__ == "__main__":
    sys.exit(main())
