#!/usr/bin/env python3
"""treewright beside its peers: same rows, same depth, equal optimum demanded. timed_fit.py says what the figures are.

ConTree (pycontree, and pytrees-rs's own) and CA-ConTree (pytrees-rs) solve the same problem on continuous features, STreeD (pystreed),
DL8.5 (pytrees-rs) and GOSDT on binary ones. LicketySPLIT and scikit-learn's greedy tree prove nothing: their errors show what optimality is
worth. With --binary all of them get the same binary features.

OUT.tsv has a line for each fit, and OUT.md is a page made from it. Only what is asked for is measured; the other lines stay. So, for
treewright alone: peers.py --binary --depths 3 4 5 --programs treewright --out docs/results/peers_binary
"""

import argparse
import gzip
import importlib.metadata
import math
import pathlib
import sys
import tempfile

import pandas as pd
from timed_fit import PROGRAMS, load, timed_fit

SETS = (
    "iris wine parkinsons ionosphere breast-cancer-diagnostic blood-transfusion balance-scale banknote raisin wilt page-blocks "
    "shill-bidding htru2 eeg-eye-state-contree magic04 occupancy avila+avila-test"
).split()

BINARY_SETS = (
    "kr-vs-kp tic-tac-toe car-evaluation balance-scale congressional-voting monks-1 monks-2 monks-3 spect soybean-small german-credit "
    "breast-cancer-diagnostic spambase"
).split()
QUANTILES = 7  # cuts of a numeric column

COLUMNS = ("set", "depth", "n", "p", "K", "program", "version", "limit", "seconds", "mb", "errors", "proved")

# What is compared: the programs; those whose ratio of seconds is shown, from how many seconds on a ratio counts; the words of the page.
NUMERIC = {
    "sets": SETS,
    "programs": ("treewright", "contree", "contree-rs", "ca-contree", "streed", "greedy"),
    "rivals": ("contree",),
    "from": 0.05,
    "title": "Comparison with ConTree and STreeD",
    "words": """\
The columns are the sets' own numbers. ConTree (pytrees) and CA-ConTree are the two searches of pytrees-rs, complete and anytime. STreeD
gets one binary feature for each threshold.
""",
}
BINARY = {
    "sets": BINARY_SETS,
    "programs": ("treewright", "streed", "dl85", "gosdt", "lickety", "lickety-2", "greedy"),
    "rivals": ("streed", "dl85"),
    "from": 0.02,
    "title": "Comparison on 0/1 columns",
    "words": """\
All programs get the same 0/1 columns: one for each level of a category (a single one for two levels), and seven quantile cuts of each
numeric column. GOSDT minimizes the errors plus a price for each leaf. The price is so small that all leaves of a full tree cost half an
error, so its optimum has the fewest errors too. Its `predict` fails with scikit-learn 1.9, so its tree is asked directly. LicketySPLIT gets
the same price; it proves nothing, and its errors stand in brackets.
""",
}
WORDS = """\
Times are CPU seconds of one thread (for short fits the least of several, after a first fit on other data), and so are time limits: `>`
stands before the seconds of a program that ran out of time. MB are megabytes beyond what the process held before the fit. A ratio is the
other program's seconds divided by treewright's. A dash: the program was not run. It is not run where it would need more than 1,500 binary
features, or ran out of time at a smaller depth. treewright fits without writing and checking a proof (`verify` is no), which the others
do not do either.
"""


def joined(name, data_dir, work):
    """The file of a set, or of several sets joined by '+': same columns, rows one after the other."""
    paths = [data_dir / f"{part}.csv" for part in name.split("+")]
    if len(paths) == 1:
        return paths[0]
    target = work / f"{name}.csv"
    with target.open("w") as out:
        for i, path in enumerate(paths):
            lines = path.read_text().splitlines(keepends=True)
            out.writelines(lines if i == 0 else lines[1:])
    return target


def binarised(path, work):
    """A file with the same rows and labels in 0/1 columns: one for each level of a category (of two levels, for the first), and quantile
    cuts of each numeric column."""
    frame = pd.read_csv(path, dtype={pd.read_csv(path, nrows=0).columns[-1]: str})
    columns = {}
    for name in frame.columns[:-1]:
        values = frame[name]
        if pd.api.types.is_numeric_dtype(values) and values.nunique() > 2:
            cuts = values.quantile([(i + 1) / (QUANTILES + 1) for i in range(QUANTILES)], interpolation="lower").unique()
            columns |= {f"{name}<={cut}": values <= cut for cut in cuts}
        else:
            values = values.astype(object).where(values.notna(), "missing").astype(str)
            levels = sorted(values.unique())
            columns |= {f"{name}={level}": values == level for level in (levels if len(levels) > 2 else levels[:1])}
    target = work / f"binary-{path.name}"
    (pd.DataFrame(columns).astype(int).assign(label=frame.iloc[:, -1])).to_csv(target, index=False)
    return target


def file_of(name, data_dir, work, binary):
    """None where the set is missing."""
    try:
        path = joined(name, data_dir, work)
        return binarised(path, work) if binary else path if path.exists() else None
    except FileNotFoundError:
        return None


def size_of(path):
    features, labels = load(path)
    return {"n": len(labels), "p": features.shape[1], "K": labels.nunique()}


class Table:
    """The lines of a TSV file, each with a key; a new line takes the place of the old one of its key, and the file is written anew.
    A name that ends in .gz is packed."""

    def __init__(self, path, columns, key):
        self.path, self.columns, self.key, self.lines = path, columns, key, {}
        self.packed = path.suffix == ".gz"
        if path.exists():
            written = gzip.decompress(path.read_bytes()) if self.packed else path.read_bytes()
            head, *lines = [line.split("\t") for line in written.decode().splitlines()]
            for line in lines:
                self.keep(dict(zip(head, line)))

    def keep(self, line):
        line = {column: str(line.get(column, "")) for column in self.columns}
        self.lines[tuple(line[column] for column in self.key)] = line

    def add(self, line):
        self.keep(line)
        text = ["\t".join(self.columns)] + ["\t".join(line.values()) for line in self.lines.values()]
        fresh = self.path.with_suffix(".new")
        written = ("\n".join(text) + "\n").encode()
        fresh.write_bytes(gzip.compress(written, mtime=0) if self.packed else written)
        fresh.replace(self.path)
        print(" ".join(f"{value:.20}" for value in self.lines[tuple(str(line[column]) for column in self.key)].values()), flush=True)

    def get(self, *key):
        return self.lines.get(tuple(map(str, key)))

    def ordered(self, column, order):
        """The different values of a column, known ones first and in this order."""
        found = dict.fromkeys(line[column] for line in self.lines.values())
        return [value for value in order if value in found] + [value for value in found if value not in order]


def version(program):
    try:
        return importlib.metadata.version(PROGRAMS[program].package)
    except importlib.metadata.PackageNotFoundError:
        return None


def versions(table, programs):
    """A sentence on what the lines of a table were measured with."""
    used = {(PROGRAMS[line["program"]].package, line["version"]) for line in table.lines.values() if line["program"] in programs}
    return "Versions: " + ", ".join(f"{package} {number}" for package, number in sorted(used) if number) + "."


def seconds_of(line):
    if line is None:
        return "-"
    late = line["proved"] != "True" and exact(line["program"])
    return f"{'>' if late else ''}{float(line['seconds']):.4f}"


def exact(program):
    return program not in ("lickety", "lickety-2", "greedy")


def ratio_of(ours, theirs):
    """Their seconds over ours, with what it is a bound of; None where there is none."""
    if ours is None or theirs is None or (ours["proved"] != "True" and theirs["proved"] != "True"):
        return None
    sign = ">" if theirs["proved"] != "True" else "<" if ours["proved"] != "True" else ""
    return sign, float(theirs["seconds"]) / max(float(ours["seconds"]), 1e-4)


def mean(ratios):
    return math.exp(sum(math.log(ratio) for ratio, *_ in ratios) / len(ratios))


def page(table, kind):
    """The table in Markdown, and the means below it."""
    programs = [program for program in kind["programs"] if any(line["program"] == program for line in table.lines.values())]
    head = ["set", "depth", "n", "p", "K", "optimum"]
    for program in programs:
        title = PROGRAMS[program].title
        head += [f"{title} s"] + (["MB"] if exact(program) else ["greedy errors"] if program == "greedy" else [])
        head += ["ratio" if len(kind["rivals"]) == 1 else f"{title} ratio"] * (program in kind["rivals"])
    rows, ratios = [], {}
    for depth in sorted({int(line["depth"]) for line in table.lines.values()}):
        for name in table.ordered("set", kind["sets"]):
            lines = {program: table.get(name, depth, program) for program in programs}
            if not any(lines.values()):
                continue
            some = next(line for line in lines.values() if line)
            proved = {line["errors"] for line in lines.values() if line and line["proved"] == "True"}
            best = min((int(line["errors"]) for line in lines.values() if line), default=0)
            row = [name, str(depth), some["n"], some["p"], some["K"], proved.pop() if proved else f"at most {best}"]
            for program in programs:
                line = lines[program]
                row.append(seconds_of(line))
                if exact(program):
                    row.append(f"{float(line['mb']):.0f}" if line else "-")
                elif program == "greedy":
                    row.append(line["errors"] if line else "-")
                elif line:
                    row[-1] += f" ({line['errors']})"
                if program in kind["rivals"]:
                    ratio = ratio_of(lines["treewright"], line)
                    row.append("-" if ratio is None else f"{ratio[0]}{ratio[1]:.1f}")
                    if ratio is not None:
                        slow = float(line["seconds"]) > kind["from"]
                        ratios.setdefault((depth, program), []).append((ratio[1], name, slow))
            rows.append(row)
    text = [f"# {kind['title']}", "", kind["words"]]
    command = f"bench/peers.py{' --binary' if kind is BINARY else ''}"
    text += [WORDS, versions(table, programs), f"The command is `{command}`; the fits are in [the table]({table.path.name}).", ""]
    text += [f"| {' | '.join(row)} |" for row in [head, ["---"] * len(head), *rows]]
    text += ["", "## Means", "", "| depth | beside | geometric mean of the ratios | least | sets | mean over all sets | all sets |"]
    text += ["|---|---|---|---|---|---|---|"]
    for (depth, program), every in sorted(ratios.items()):
        found = [ratio for ratio in every if ratio[2]]
        if found:
            least = f"{min(found)[0]:.1f} ({min(found)[1]}) | {len(found)}"
            text.append(f"| {depth} | {PROGRAMS[program].title} | {mean(found):.1f} | {least} | {mean(every):.1f} | {len(every)} |")
    words = f"The first mean and the least ratio are over the sets that take the other program more than {1000 * kind['from']:.0f} ms."
    text += ["", f"{words} The second mean is over all sets that have a ratio."]
    return "\n".join(text) + "\n"


def disagreements(table):
    first_of, found = {}, 0
    for line in table.lines.values():
        if line["proved"] == "True":
            first = first_of.setdefault((line["set"], line["depth"]), line)
            if first["errors"] != line["errors"]:
                found += 1
                told = ", ".join(f"{x['program']} {x['errors']}" for x in (first, line))
                print(f"DISAGREE on {line['set']} depth {line['depth']}: {told}", file=sys.stderr)
    return found


def out_of_time_before(table, name, depth, program, limit):
    """Whether a program did not end within the same limit at a smaller depth."""
    return exact(program) and any(
        line["proved"] == "False" and int(line["depth"]) < depth and float(line["limit"]) >= limit
        for line in table.lines.values()
        if (line["set"], line["program"]) == (name, program)
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=pathlib.Path, default=pathlib.Path("data"), help="folder with NAME.csv files")
    parser.add_argument("--sets", nargs="*", help="names of sets; 'a+b' joins two files")
    parser.add_argument("--binary", action="store_true", help="0/1 columns instead of the sets' own")
    parser.add_argument("--depths", type=int, nargs="*", default=[2, 3])
    parser.add_argument("--programs", nargs="*", choices=PROGRAMS, help="measure these alone")
    parser.add_argument("--time-limit", type=float, default=300, help="CPU seconds for one fit")
    parser.add_argument(
        "--out", type=pathlib.Path, default=pathlib.Path("build/peers"), help="path without ending: .tsv and .md are written"
    )
    arguments = parser.parse_args()

    kind = BINARY if arguments.binary else NUMERIC
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    table = Table(arguments.out.with_suffix(".tsv"), COLUMNS, ("set", "depth", "program"))
    programs = arguments.programs or kind["programs"]
    missing = [program for program in programs if version(program) is None]
    if missing:
        print(f"not installed, left out: {', '.join(missing)}", file=sys.stderr)
    with tempfile.TemporaryDirectory() as work:
        for depth in arguments.depths:
            for name in arguments.sets or kind["sets"]:
                path = file_of(name, arguments.data_dir, pathlib.Path(work), arguments.binary)
                if path is None:
                    print(f"{name}: not in {arguments.data_dir}, left out", file=sys.stderr)
                    continue
                size = size_of(path)
                for program in programs:
                    if program in missing or out_of_time_before(table, name, depth, program, arguments.time_limit):
                        continue
                    found = timed_fit(program, path, depth, arguments.time_limit)
                    if "skipped" in found:
                        print(f"{name} depth {depth}, {program}: {found['skipped']}", file=sys.stderr)
                        continue
                    found = found | {"seconds": f"{found['seconds']:.4f}", "mb": f"{found['mb']:.1f}", "limit": f"{arguments.time_limit:g}"}
                    table.add({"set": name, "depth": depth, **size, "program": program, "version": version(program), **found})
    arguments.out.with_suffix(".md").write_text(page(table, kind))
    wrong = disagreements(table)
    print(f"{wrong} disagreements on the optimum")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
