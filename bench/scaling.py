#!/usr/bin/env python3
"""How the cost of an optimal tree grows with rows and features, beside ConTree; writes a TSV and a plot (SVG).

Rows are drawn by `treewright generate bd17-train` (a random tree of depth 4, a tenth of the labels changed). Figures are user CPU
seconds, one thread: of the fit alone for both solvers, by the process clock around it. A solver that passes the limit is
not asked for larger sizes.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile

ROWS = (1_000, 3_000, 10_000, 30_000, 100_000, 300_000, 1_000_000)
FEATURES = (5, 10, 20, 50, 100)


def fit_here(solver, path, depth, limit):
    import pandas as pd
    frame = pd.read_csv(path)
    features, labels = frame.iloc[:, :-1], pd.Series(pd.factorize(frame.iloc[:, -1], sort=True)[0])
    if solver == "contree":
        from pycontree import ConTree
        model = ConTree(max_depth=depth, time_limit=limit)
    else:
        from treewright import OptimalTreeClassifier
        model = OptimalTreeClassifier(max_depth=depth, n_jobs=1, time_limit=limit)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_utime
    model.fit(features, labels)
    print(json.dumps({"seconds": resource.getrusage(resource.RUSAGE_SELF).ru_utime - before, "errors": int((model.predict(features) != labels).sum())}))


def measure(solver, path, depth, limit):
    command = [sys.executable, __file__, "--one", solver, "--data", path, "--depth", str(depth), "--time-limit", str(limit)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * limit + 120)
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (subprocess.TimeoutExpired, IndexError, json.JSONDecodeError):
        return {"seconds": float("inf"), "errors": -1}


def plot(rows, target):
    import matplotlib
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "treewright"
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(1, 2, figsize=(10, 4))
    for axis, kind, label in ((axes[0], "rows", "rows (10 features)"), (axes[1], "features", "features (10,000 rows)")):
        for solver, colour in (("treewright", "#1b6ca8"), ("contree", "#c0504d")):
            for depth, style in ((2, "--"), (3, "-")):
                points = [(r["n"] if kind == "rows" else r["p"], r["seconds"]) for r in rows
                          if r["solver"] == solver and r["depth"] == depth and r["sweep"] == kind]
                if points:
                    axis.plot(*zip(*points), style, marker="o", color=colour, label=f"{solver}, depth {depth}")
        axis.set(xscale="log", yscale="log", xlabel=label, ylabel="user CPU seconds")
        axis.grid(alpha=0.3)
        axis.legend()
    figure.tight_layout()
    figure.savefig(target, metadata={"Date": None})


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one", dest="solver", help=argparse.SUPPRESS)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    parser.add_argument("--depth", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--command", default="build/release/treewright")
    parser.add_argument("--time-limit", type=float, default=60, help="seconds for one fit")
    parser.add_argument("--max-rows", type=int, default=1_000_000)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("docs/results/scaling"), help="path without ending: .tsv and .svg are written")
    arguments = parser.parse_args()
    if arguments.solver:
        return fit_here(arguments.solver, arguments.data, arguments.depth, arguments.time_limit)
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    rows = []
    with tempfile.TemporaryDirectory() as work:
        for sweep, sizes in (("rows", [(n, 10) for n in ROWS if n <= arguments.max_rows]), ("features", [(10_000, p) for p in FEATURES])):
            out_of_time = set()
            for n, p in sizes:
                path = f"{work}/{n}-{p}.csv"
                subprocess.run([arguments.command, "generate", "bd17-train", "--depth", "4", "--classes", "2", "--features", str(p), "--rows", str(n),
                                "--label-noise", "0.1", "--out", path], check=True)
                for depth in (2, 3):
                    for solver in ("treewright", "contree"):
                        if (solver, depth) in out_of_time:
                            continue
                        found = measure(solver, path, depth, arguments.time_limit)
                        if found["seconds"] >= arguments.time_limit:
                            out_of_time.add((solver, depth))
                            continue
                        rows.append({"sweep": sweep, "solver": solver, "depth": depth, "n": n, "p": p, **found})
                        print("\t".join(str(value) for value in rows[-1].values()), flush=True)
    columns = ["sweep", "solver", "depth", "n", "p", "seconds", "errors"]
    arguments.out.with_suffix(".tsv").write_text("\t".join(columns) + "\n" + "".join("\t".join(str(row[c]) for c in columns) + "\n" for row in rows))
    plot(rows, arguments.out.with_suffix(".svg"))


if __name__ == "__main__":
    sys.exit(main())
