#!/usr/bin/env python3
"""What programs for optimal trees have when they are stopped early: errors of the tree after 0.1 to 60 CPU seconds, depths 4, 5, 6.

Each program has a process for each set, in which it runs once for each depth and time limit (timed_fit.py): the clock starts with fit() and
counts CPU seconds. A program is not asked for more time once its tree is known to be optimal. Numeric columns go to ConTree and CA-ConTree,
0/1 columns (those of peers.py --binary) to STreeD and to DL8.5 by limited discrepancy search. LicketySPLIT and greedy trees have no time
limit: their trees count from the time that they took. GOSDT is left out: its limits are whole seconds, and it takes several times as long.

OUT.tsv.gz has a line for each run; OUT.md and two plots are made from it. As in peers.py, only what is asked for is measured.
"""

import argparse
import math
import pathlib
import sys
import tempfile

from peers import BINARY_SETS, SETS, Table, exact, file_of, size_of, version, versions
from timed_fit import PROGRAMS, traced_fits

sys.path.insert(0, str(pathlib.Path(__file__).parents[1] / "tools"))

from small_svg import pyplot, save

DEPTHS = (4, 5, 6)
TIMES = (0.1, 1, 10, 60)
HORIZON = 10  # of the primal integral
KINDS = {
    "numeric": (SETS, ("treewright", "ca-contree", "contree", "greedy")),
    "binary": (BINARY_SETS, ("treewright", "lds-dl85", "streed", "lickety", "lickety-2", "greedy")),
}
COLUMNS = ("columns", "set", "depth", "n", "p", "K", "limit", "program", "version", "seconds", "errors", "proved", "bound", "trace")
KEY = ("columns", "set", "depth", "limit", "program")
WORDS = """\
Errors of the best tree after some CPU seconds of one thread, on all rows. The clock starts with the call of `fit` in a process that has
imported everything, and time limits are CPU seconds, so other work of the machine costs no program anything. Every tree is recounted on
the raw rows. A time in brackets is what a program took that came much later than it was told to; its tree counts all the same. A dash:
not run, or no tree in time. treewright's bound is what it has proved that no tree has fewer errors than, and its gap is the share of its
errors above that bound. CA-ConTree tries cuts in the order of their Gini impurity, because its trees are far worse in the default order.
GOSDT is left out: its limits are whole seconds, and it takes several times as long.
"""
PRIMAL_WORDS = f"""\
The mean over the first {HORIZON} seconds, and over the sets, of the share of errors above the fewest that any program has found, in
percent; before there is a tree that share is 100 %. Of STreeD and ConTree only the results of the runs are known, so their
integrals are upper bounds.
"""
NAMES = {"numeric": "Numeric columns", "binary": "0/1 columns"}
TRACED = ("treewright", "ca-contree", "lds-dl85")  # they tell of better trees; of the others only the results are known


def thinned(trace):
    """The first news, each fewer errors and each bound that has risen by a hundredth of the errors; the last news."""
    kept = []
    for seconds, errors, bound in trace:
        if not kept or errors < kept[-1][1] or bound >= kept[-1][2] + 0.01 * errors or (seconds, errors, bound) == tuple(trace[-1]):
            kept.append((seconds, errors, bound))
    return " ".join(f"{seconds:.3f}:{errors:.0f}:{bound:.1f}" for seconds, errors, bound in kept)


class Runs:
    """The lines of the table, asked for by set and program."""

    def __init__(self, table):
        self.table = table

    def least(self, columns, name, depth):
        """Fewest errors that any program has found, and whether that is proved to be optimal."""
        lines = [line for line in self.table.lines.values() if (line["columns"], line["set"], line["depth"]) == (columns, name, str(depth))]
        if not lines:
            return None, False
        return min(int(line["errors"]) for line in lines), any(line["proved"] == "True" for line in lines)

    def at(self, columns, name, depth, program, limit):
        """What a program has at a time: that run, or an earlier one whose tree is optimal; for programs without a limit, if it is ready."""
        if not exact(program):
            line = self.table.get(columns, name, depth, "none", program)
            return line if line and float(line["seconds"]) <= limit else None
        least, proved = self.least(columns, name, depth)
        for earlier in sorted((float(line["limit"]) for line in self.of(columns, name, depth, program)), reverse=True):
            line = self.table.get(columns, name, depth, f"{earlier:g}", program)
            optimal = proved and int(line["errors"]) == least
            if earlier == limit or (earlier < limit and (line["proved"] == "True" or (optimal and program != "treewright"))):
                return line
        return None

    def of(self, columns, name, depth, program):
        key = (columns, name, str(depth), program)
        return [line for line in self.table.lines.values() if (line["columns"], line["set"], line["depth"], line["program"]) == key]

    def optimal_before(self, columns, name, depth, program, limit, optimum):
        """Whether a shorter run has ended with an optimal tree."""
        return exact(program) and any(
            float(line["limit"]) < limit and (line["proved"] == "True" or int(line["errors"]) == optimum)
            for line in self.of(columns, name, depth, program)
        )

    def trace(self, columns, name, depth, program):
        """Seconds and errors of better and better trees, by the longest run up to the horizon, or by the results of all runs."""
        lines = [line for line in self.of(columns, name, depth, program) if line["limit"] == "none" or float(line["limit"]) <= HORIZON]
        if program in TRACED:
            lines = lines and [max(lines, key=lambda line: float(line["limit"]))]
        points = sorted(tuple(map(float, point.split(":"))) for line in lines for point in line["trace"].split())
        return points


def primal_integral(points, least):
    """Mean over the horizon of 1 - least / errors, which is 1 until there is a tree."""
    total, gap, since = 0.0, 1.0, 0.0
    for seconds, errors, _ in points:
        if seconds >= HORIZON:
            break
        total, since = total + gap * (seconds - since), seconds
        gap = min(gap, 1 - least / errors if errors else 0.0)
    return (total + gap * (HORIZON - since)) / HORIZON


def measure(arguments, table, work):
    runs = Runs(table)
    for columns in arguments.columns:
        sets, programs = KINDS[columns]
        for name in arguments.sets or sets:
            if name not in sets or (path := file_of(name, arguments.data_dir, work, columns == "binary")) is None:
                continue
            size = size_of(path)
            for program in arguments.programs or programs:
                if program not in programs or version(program) is None:
                    continue
                limits = sorted(arguments.times) if exact(program) else [1]
                optimum_of = {}
                for depth in arguments.depths:
                    least, proved = runs.least(columns, name, depth)
                    # Its whole trace is wanted of treewright, whose bound may still rise.
                    optimum = least if proved and program != "treewright" else -1
                    if not runs.optimal_before(columns, name, depth, program, limits[0], optimum):
                        optimum_of[depth] = optimum
                for found in traced_fits(program, path, optimum_of, limits) if optimum_of else ():
                    key = {"columns": columns, "set": name, "limit": f"{found['limit']:g}" if exact(program) else "none"}
                    rounded = {"seconds": f"{found['seconds']:.3f}", "bound": f"{found['bound']:.2f}", "trace": thinned(found["trace"])}
                    table.add({**found, **rounded, **key, **size, "program": program, "version": version(program)})


def late(line):
    return float(line["seconds"]) > 1.2 * float(line["limit"]) + 0.02 if line["limit"] != "none" else False


def cell(line):
    return "-" if line is None else line["errors"] + (f" ({float(line['seconds']):.2f} s)" if late(line) else "")


def page(table, out):
    runs = Runs(table)
    text, losses, wins, integrals = {}, [], {}, {}
    for columns, (sets, programs) in KINDS.items():
        head = ["set", "depth", "s", "treewright", "bound", "gap %", *(PROGRAMS[program].title for program in programs[1:])]
        rows = []
        for name in table.ordered("set", sets):
            for depth in DEPTHS:
                least, _ = runs.least(columns, name, depth)
                if least is None or name not in sets:
                    continue
                for limit in sorted({float(line["limit"]) for line in table.lines.values() if line["limit"] != "none"}):
                    if limit > HORIZON and runs.table.get(columns, name, depth, f"{limit:g}", "treewright") is None:
                        continue
                    lines = {program: runs.at(columns, name, depth, program, limit) for program in programs}
                    ours = lines["treewright"]
                    if ours is None:
                        continue
                    errors, bound = int(ours["errors"]), float(ours["bound"])
                    gap = "0" if errors <= bound else f"{100 * (1 - bound / errors):.0f}"
                    rows.append(
                        [
                            name,
                            str(depth),
                            f"{limit:g}",
                            cell(ours),
                            f"{math.ceil(bound - 1e-6)}",
                            gap,
                            *(cell(lines[x]) for x in programs[1:]),
                        ]
                    )
                    for program in programs[1:]:
                        if lines[program] is None:
                            continue
                        count = wins.setdefault((columns, program, limit), [0, 0, 0])
                        theirs = int(lines[program]["errors"])
                        count[(theirs >= errors) + (theirs > errors)] += 1
                        if theirs < errors:
                            losses.append(
                                [name, columns, str(depth), f"{limit:g}", cell(ours), cell(lines[program]), PROGRAMS[program].title]
                            )
                for program in programs:
                    if points := runs.trace(columns, name, depth, program):
                        integrals.setdefault((columns, depth), {}).setdefault(program, {})[name] = primal_integral(points, least)
        text[columns] = table_of(head, rows)
    packages = versions(table, [program for _, programs in KINDS.values() for program in programs])
    counted = sorted(wins.items(), key=order)
    counts = [[columns, PROGRAMS[program].title, f"{limit:g}", *map(str, count)] for (columns, program, limit), count in counted]
    lines = [
        "# Trees of a search that is stopped",
        "",
        WORDS,
        packages,
        f"The command is `bench/anytime.py`; all runs are in [the table]({out.name}.tsv.gz).",
        "",
        f"![errors over time]({out.name}_errors.svg)",
        "",
        f"![gap over time]({out.name}_gap.svg)",
        "",
        "## Fewer, as many and more errors than treewright",
        "",
        *table_of(["columns", "program", "s", "fewer", "as many", "more"], counts),
        "",
        "## Where a program has fewer errors than treewright",
        "",
        *(table_of(["set", "columns", "depth", "s", "treewright", "other", "program"], losses) if losses else ["Nowhere."]),
        "",
        "## Primal integral",
        "",
        PRIMAL_WORDS,
        *integral_table(integrals),
    ]
    for columns, title in NAMES.items():
        lines += ["", f"## {title}", "", *text[columns]]
    out.with_suffix(".md").write_text("\n".join(lines) + "\n")


def order(item):
    (columns, program, limit), _ = item
    return (columns != "numeric", KINDS[columns][1].index(program), limit)


def table_of(head, rows):
    return [f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]]


def integral_table(integrals):
    rows = []
    for (columns, depth), found in sorted(integrals.items(), key=lambda item: (item[0][0] != "numeric", item[0][1])):
        for program in KINDS[columns][1]:
            if program in found:
                common = [name for name in found[program] if name in found.get("treewright", {})]
                if common:
                    mean = sum(found[program][name] for name in common) / len(common)
                    ours = sum(found["treewright"][name] for name in common) / len(common)
                    rows.append([columns, str(depth), PROGRAMS[program].title, f"{100 * mean:.2f}", f"{100 * ours:.2f}", str(len(common))])
    return table_of(["columns", "depth", "program", "its mean", "treewright's", "sets"], rows)


COLORS = {
    "treewright": "#1b6ca8",
    "ca-contree": "#c0504d",
    "contree": "#e0a030",
    "lds-dl85": "#c0504d",
    "streed": "#e0a030",
    "lickety-2": "#609050",
}


def plots(table, out):
    plt = pyplot()
    runs, times = Runs(table), [10 ** (e / 10) for e in range(-20, 11)]
    figure, axes = plt.subplots(2, 3, figsize=(12, 7), sharex=True)
    for axis_row, (columns, (sets, programs)) in zip(axes, KINDS.items()):
        for axis, depth in zip(axis_row, DEPTHS):
            known = {name: runs.least(columns, name, depth)[0] for name in sets}
            traces = {p: {name: runs.trace(columns, name, depth, p) for name in sets} for p in programs if p in COLORS}
            common = [name for name in sets if known[name] is not None and all(found[name] for found in traces.values())]
            for program, found in traces.items():
                share = [100 * sum(gap_at(found[name], time, known[name]) for name in common) / max(1, len(common)) for time in times]
                axis.plot(times, share, color=COLORS[program], label=PROGRAMS[program].title)
            axis.set(
                xscale="log",
                title=f"{NAMES[columns]}, depth {depth}: {len(common)} sets",
                ylim=(0, 60),
            )
            axis.grid(alpha=0.3)
        axis_row[0].set_ylabel("errors above the fewest known, %")
        axis_row[0].legend()
    for axis in axes[1]:
        axis.set_xlabel("CPU seconds")
    figure.tight_layout()
    save(figure, out.with_name(out.name + "_errors.svg"))

    figure, axes = plt.subplots(1, 2, figsize=(10, 4), sharey=True)
    for axis, (columns, (sets, _)) in zip(axes, KINDS.items()):
        for depth, style in zip(DEPTHS, ("-", "--", ":")):
            found = [trace for name in sets if (trace := runs.trace(columns, name, depth, "treewright"))]
            axis.plot(times, [100 * sum(certified_gap(trace, time) for trace in found) / max(1, len(found)) for time in times], style,
                      color=COLORS["treewright"], label=f"depth {depth}: {len(found)} sets")  # fmt: skip
        axis.set(xscale="log", title=NAMES[columns], xlabel="CPU seconds", ylim=(0, 102))
        axis.grid(alpha=0.3)
        axis.legend()
    axes[0].set_ylabel("treewright's certified gap, mean, %")
    figure.tight_layout()
    save(figure, out.with_name(out.name + "_gap.svg"))


def gap_at(points, time, least):
    errors = [errors for seconds, errors, _ in points if seconds <= time]
    return 1 if not errors else 0 if min(errors) == 0 else 1 - least / min(errors)


def certified_gap(points, time):
    news = [(errors, bound) for seconds, errors, bound in points if seconds <= time]
    if not news:
        return 1
    errors, bound = min(errors for errors, _ in news), max(bound for _, bound in news)
    return 0 if errors <= bound else 1 - bound / errors


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=pathlib.Path, default=pathlib.Path("data"), help="folder with NAME.csv files")
    parser.add_argument("--columns", nargs="*", choices=KINDS, default=list(KINDS))
    parser.add_argument("--sets", nargs="*")
    parser.add_argument("--depths", type=int, nargs="*", default=DEPTHS)
    parser.add_argument("--times", type=float, nargs="*", default=TIMES, help="CPU seconds")
    parser.add_argument("--programs", nargs="*", choices=PROGRAMS, help="measure these alone; without a name, make page and plots only")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("build/anytime"), help="path without ending")
    arguments = parser.parse_args()
    table = Table(arguments.out.with_suffix(".tsv.gz"), COLUMNS, KEY)
    if arguments.programs != []:
        with tempfile.TemporaryDirectory() as work:
            measure(arguments, table, pathlib.Path(work))
    page(table, arguments.out)
    plots(table, arguments.out)


if __name__ == "__main__":
    sys.exit(main())
