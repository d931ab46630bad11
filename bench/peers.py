#!/usr/bin/env python3
"""treewright beside its peers: same rows, same depth, equal optimum demanded. timed_fit.py says what the figures are.

scikit-learn's greedy tree is there for scale: it proves nothing, and its errors show what optimality is worth.
ConTree (pycontree) solves the same problem on continuous features, STreeD (pystreed) on binary ones.
"""

import argparse
import math
import pathlib
import sys
import tempfile

from timed_fit import load, timed_fit

SETS = (
    "iris wine parkinsons ionosphere breast-cancer-diagnostic blood-transfusion balance-scale banknote raisin wilt page-blocks "
    "shill-bidding htru2 eeg-eye-state-contree magic04 occupancy avila+avila-test"
).split()


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
    parser.add_argument("--sets", nargs="*", default=SETS, help="names of sets; 'a+b' joins two files")
    parser.add_argument("--depths", type=int, nargs="*", default=[2, 3])
    parser.add_argument("--time-limit", type=float, default=300, help="seconds for one fit")
    parser.add_argument("--out", type=pathlib.Path, help="also write the rows to this TSV file, line by line")
    arguments = parser.parse_args()

    rows, disagreements = [], 0
    peers = ("contree", "streed", "sklearn")
    header = [
        "set",
        "depth",
        "n",
        "p",
        "K",
        "optimum",
        "treewright s",
        "MB",
        "ConTree s",
        "MB",
        "ratio",
        "STreeD s",
        "MB",
        "greedy s",
        "greedy errors",
    ]
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header), flush=True)
    if arguments.out:
        arguments.out.write_text("\t".join(header) + "\n")
    with tempfile.TemporaryDirectory() as work:
        for depth in arguments.depths:
            for name in arguments.sets:
                try:
                    path = joined(name, arguments.data_dir, pathlib.Path(work))
                    features, labels = load(path)
                except FileNotFoundError:
                    print(f"{name}: not in {arguments.data_dir}, left out", file=sys.stderr)
                    continue
                theirs = {peer: timed_fit(peer, path, depth, arguments.time_limit) for peer in ("treewright", *peers)}
                ours = theirs.pop("treewright")
                for peer in ("contree", "streed"):
                    if ours["proved"] and theirs[peer].get("proved") and theirs[peer]["errors"] != ours["errors"]:
                        disagreements += 1
                        print(
                            f"DISAGREE on {name} depth {depth}: treewright {ours['errors']}, {peer} {theirs[peer]['errors']}",
                            file=sys.stderr,
                        )
                contree = theirs["contree"]
                ratio = contree["seconds"] / max(ours["seconds"], 1e-4) if "seconds" in contree else None
                row = [
                    name,
                    depth,
                    len(labels),
                    features.shape[1],
                    labels.nunique(),
                    ours["errors"],
                    figure(ours, "seconds", 4),
                    f"{ours['mb']:.0f}",
                    figure(contree, "seconds", 4),
                    figure(contree, "mb", 0),
                    "-" if ratio is None else f"{ratio:.1f}",
                    figure(theirs["streed"], "seconds", 4),
                    figure(theirs["streed"], "mb", 0),
                    f"{theirs['sklearn']['seconds']:.4f}",
                    theirs["sklearn"]["errors"],
                ]
                print("| " + " | ".join(map(str, row)) + " |", flush=True)
                if arguments.out:
                    with arguments.out.open("a") as out:
                        out.write("\t".join(map(str, row)) + "\n")
                rows.append((depth, len(labels), labels.nunique(), ratio))

    for depth in arguments.depths:
        print(
            f"\ndepth {depth}: geometric mean of ConTree's seconds / ours: {mean([r for d, n, k, r in rows if d == depth])} over all sets, "
            f"{mean([r for d, n, k, r in rows if d == depth and k == 2 and n >= 5000])} over two-class sets with n >= 5,000"
        )
    print(f"{disagreements} disagreements on the optimum")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
