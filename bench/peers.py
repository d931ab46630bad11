#!/usr/bin/env python3
"""treewright beside its peers: same rows, same depth, equal optimum demanded. timed_fit.py says what the figures are.

scikit-learn's greedy tree is there for scale: it proves nothing, and its errors show what optimality is worth.
ConTree (pycontree) solves the same problem on continuous features, STreeD (pystreed) and DL8.5 (pytrees-rs) on binary ones.
With --binary all of them get the same binary features, and DL8.5 takes ConTree's place.
"""

import argparse
import math
import pathlib
import sys
import tempfile

import pandas as pd
from timed_fit import load, timed_fit

SETS = (
    "iris wine parkinsons ionosphere breast-cancer-diagnostic blood-transfusion balance-scale banknote raisin wilt page-blocks "
    "shill-bidding htru2 eeg-eye-state-contree magic04 occupancy avila+avila-test"
).split()

BINARY_SETS = (
    "kr-vs-kp tic-tac-toe car-evaluation balance-scale congressional-voting monks-1 monks-2 monks-3 spect soybean-small german-credit "
    "breast-cancer-diagnostic spambase"
).split()
QUANTILES = 7  # cuts of a numeric column


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
    """A file with the same rows and labels in 0/1 columns: one for each level of a category, and quantile cuts of each numeric column."""
    frame = pd.read_csv(path, dtype={pd.read_csv(path, nrows=0).columns[-1]: str})
    columns = {}
    for name in frame.columns[:-1]:
        values = frame[name]
        if pd.api.types.is_numeric_dtype(values) and values.nunique() > 2:
            cuts = values.quantile([(i + 1) / (QUANTILES + 1) for i in range(QUANTILES)], interpolation="lower").unique()
            columns |= {f"{name}<={cut}": values <= cut for cut in cuts}
        else:
            values = values.astype(object).where(values.notna(), "missing").astype(str)
            columns |= {f"{name}={level}": values == level for level in sorted(values.unique())}
    target = work / f"binary-{path.name}"
    (pd.DataFrame(columns).astype(int).assign(label=frame.iloc[:, -1])).to_csv(target, index=False)
    return target


def figure(result, key, digits):
    if "skipped" in result:
        return "-"
    text = f"{result[key]:.{digits}f}"
    return text if result["proved"] or key != "seconds" else f">{text}"


def mean(ratios):
    ratios = [r for r in ratios if r]
    return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.1f} ({len(ratios)} sets, least {min(ratios):.1f})" if ratios else "-"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data-dir", type=pathlib.Path, default=pathlib.Path("data"), help="folder with NAME.csv files")
    parser.add_argument("--sets", nargs="*", help="names of sets; 'a+b' joins two files")
    parser.add_argument("--binary", action="store_true", help="0/1 columns instead of the sets' own")
    parser.add_argument("--depths", type=int, nargs="*", default=[2, 3])
    parser.add_argument("--time-limit", type=float, default=300, help="seconds for one fit")
    parser.add_argument("--out", type=pathlib.Path, help="also write the rows to this TSV file, line by line")
    arguments = parser.parse_args()

    rows, disagreements = [], 0
    first, second = ("streed", "dl85") if arguments.binary else ("contree", "streed")
    title = {"contree": "ConTree", "streed": "STreeD", "dl85": "DL8.5"}
    header = [
        "set",
        "depth",
        "n",
        "p",
        "K",
        "optimum",
        "treewright s",
        "MB",
        f"{title[first]} s",
        "MB",
        "ratio",
        f"{title[second]} s",
        "MB",
        "greedy s",
        "greedy errors",
    ]
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header), flush=True)
    if arguments.out:
        arguments.out.write_text("\t".join(header) + "\n")
    with tempfile.TemporaryDirectory() as work:
        for depth in arguments.depths:
            for name in arguments.sets or (BINARY_SETS if arguments.binary else SETS):
                try:
                    path = joined(name, arguments.data_dir, pathlib.Path(work))
                    if arguments.binary:
                        path = binarised(path, pathlib.Path(work))
                    features, labels = load(path)
                except FileNotFoundError:
                    print(f"{name}: not in {arguments.data_dir}, left out", file=sys.stderr)
                    continue
                theirs = {peer: timed_fit(peer, path, depth, arguments.time_limit) for peer in ("treewright", first, second, "sklearn")}
                ours = theirs.pop("treewright")
                for peer in (first, second):
                    if ours["proved"] and theirs[peer].get("proved") and theirs[peer]["errors"] != ours["errors"]:
                        disagreements += 1
                        print(
                            f"DISAGREE on {name} depth {depth}: treewright {ours['errors']}, {peer} {theirs[peer]['errors']}",
                            file=sys.stderr,
                        )
                rival = theirs[first]
                ratio = rival["seconds"] / max(ours["seconds"], 1e-4) if "seconds" in rival else None
                row = [
                    name,
                    depth,
                    len(labels),
                    features.shape[1],
                    labels.nunique(),
                    ours["errors"],
                    figure(ours, "seconds", 4),
                    f"{ours['mb']:.0f}",
                    figure(rival, "seconds", 4),
                    figure(rival, "mb", 0),
                    "-" if ratio is None else f"{ratio:.1f}",
                    figure(theirs[second], "seconds", 4),
                    figure(theirs[second], "mb", 0),
                    f"{theirs['sklearn']['seconds']:.4f}",
                    theirs["sklearn"]["errors"],
                ]
                print("| " + " | ".join(map(str, row)) + " |", flush=True)
                if arguments.out:
                    with arguments.out.open("a") as out:
                        out.write("\t".join(map(str, row)) + "\n")
                rows.append((depth, len(labels), labels.nunique(), ratio))

    for depth in arguments.depths:
        every = mean([r for d, n, k, r in rows if d == depth])
        large = mean([r for d, n, k, r in rows if d == depth and k == 2 and n >= 5000])
        print(
            f"\ndepth {depth}: geometric mean of {title[first]}'s seconds / ours: {every} over all sets, "
            f"{large} over two-class sets with n >= 5,000"
        )
    print(f"{disagreements} disagreements on the optimum")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
