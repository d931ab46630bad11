#!/usr/bin/env python3
"""treewright beside its peers: same rows, same depth, equal optimum demanded.

Every solver runs in a process of its own, one thread. Figures:
  seconds   user CPU seconds of fit(), by the process's own clock
  MB        peak resident memory of the process minus what it had held before the fit
  errors    misclassified rows of the tree, recounted on the raw rows
scikit-learn's greedy tree is there for scale: it proves nothing, and its errors show what optimality is worth.
ConTree (pycontree) solves the same problem on continuous features. STreeD (pystreed) solves it on binary features: it gets one
for each threshold, and is left out where that makes more than --binary-limit of them.
"""

import argparse
import json
import math
import pathlib
import resource
import subprocess
import sys
import tempfile

SETS = ("iris wine parkinsons ionosphere breast-cancer-diagnostic blood-transfusion balance-scale banknote raisin wilt page-blocks "
        "shill-bidding htru2 eeg-eye-state-contree magic04 occupancy avila+avila-test").split()


def load(paths):
    import pandas as pd
    frame = pd.concat([pd.read_csv(path) for path in paths], ignore_index=True)
    return frame.iloc[:, :-1].astype(float), pd.Series(pd.factorize(frame.iloc[:, -1], sort=True)[0])


def usage():
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime, used.ru_maxrss / 1024


def one_peer(arguments):
    """Runs one peer on one file in this process and prints a JSON line."""
    features, labels = load([arguments.data])
    depth, limit = arguments.depth, arguments.time_limit
    proved = True
    if arguments.solver == "treewright":
        from treewright import OptimalTreeClassifier
        model = OptimalTreeClassifier(max_depth=depth, n_jobs=1, time_limit=limit)
    elif arguments.solver == "contree":
        from pycontree import ConTree
        model = ConTree(max_depth=depth, time_limit=limit)
    elif arguments.solver == "sklearn":
        from sklearn.tree import DecisionTreeClassifier
        model, proved = DecisionTreeClassifier(max_depth=depth, random_state=0), False
    else:
        from pystreed import STreeDClassifier
        import numpy as np
        columns = [(features[c].to_numpy()[:, None] <= np.unique(features[c])[None, :-1]) for c in features]
        binary = np.concatenate(columns, axis=1).astype(int)
        if binary.shape[1] > arguments.binary_limit:
            print(json.dumps({"skipped": f"{binary.shape[1]} binary features"}))
            return
        features = binary
        model = STreeDClassifier("accuracy", max_depth=depth, time_limit=limit)
    seconds_before, memory_before = usage()
    model.fit(features, labels)
    seconds, memory = usage()
    errors = int((model.predict(features) != labels).sum())
    if arguments.solver == "treewright":
        proved = model.status_ == "optimal"
    elif proved:
        proved = seconds - seconds_before < limit  # the peers do not say
    print(json.dumps({"seconds": seconds - seconds_before, "mb": memory - memory_before, "errors": errors, "proved": proved}))


def run_peer(solver, path, depth, arguments):
    command = [sys.executable, __file__, "--one", solver, "--data", path, "--depth", str(depth), "--time-limit", str(arguments.time_limit),
               "--binary-limit", str(arguments.binary_limit)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * arguments.time_limit + 60)
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (subprocess.TimeoutExpired, IndexError, json.JSONDecodeError):
        return {"skipped": "failed or out of time"}


def joined(name, data_dir, work):
    """The file of a set, or of several sets joined by '+': same columns, rows one after the other."""
    paths = [data_dir / f"{part}.csv" for part in name.split("+")]
    if len(paths) == 1:
        return str(paths[0])
    target = work / f"{name}.csv"
    with target.open("w") as out:
        for i, path in enumerate(paths):
            lines = path.read_text().splitlines(keepends=True)
            out.writelines(lines if i == 0 else lines[1:])
    return str(target)


def figure(result, key, digits):
    if "skipped" in result:
        return "-"
    text = f"{result[key]:.{digits}f}"
    return text if result["proved"] or key != "seconds" else f">{text}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--one", dest="solver", help=argparse.SUPPRESS)
    parser.add_argument("--data", help=argparse.SUPPRESS)
    parser.add_argument("--depth", type=int, help=argparse.SUPPRESS)
    parser.add_argument("--data-dir", type=pathlib.Path, default=pathlib.Path("data"), help="folder with NAME.csv files")
    parser.add_argument("--sets", nargs="*", default=SETS, help="names of sets; 'a+b' joins two files")
    parser.add_argument("--depths", type=int, nargs="*", default=[2, 3])
    parser.add_argument("--time-limit", type=float, default=300, help="seconds for one fit")
    parser.add_argument("--binary-limit", type=int, default=1500)
    parser.add_argument("--out", type=pathlib.Path, help="also write the rows to this TSV file, line by line")
    arguments = parser.parse_args()
    if arguments.solver:
        return one_peer(arguments)

    rows, disagreements = [], 0
    peers = ("contree", "streed", "sklearn")
    header = ["set", "depth", "n", "p", "K", "optimum", "treewright s", "MB", "ConTree s", "MB", "ratio", "STreeD s", "MB", "greedy s", "greedy errors"]
    print("| " + " | ".join(header) + " |\n|" + "---|" * len(header), flush=True)
    with tempfile.TemporaryDirectory() as work:
        for depth in arguments.depths:
            for name in arguments.sets:
                try:
                    path = joined(name, arguments.data_dir, pathlib.Path(work))
                    features, labels = load([path])
                except FileNotFoundError:
                    print(f"{name}: not in {arguments.data_dir}, left out", file=sys.stderr)
                    continue
                theirs = {peer: run_peer(peer, path, depth, arguments) for peer in ("treewright", *peers)}
                ours = theirs.pop("treewright")
                for peer in ("contree", "streed"):
                    if ours["proved"] and theirs[peer].get("proved") and theirs[peer]["errors"] != ours["errors"]:
                        disagreements += 1
                        print(f"DISAGREE on {name} depth {depth}: treewright {ours['errors']}, {peer} {theirs[peer]['errors']}", file=sys.stderr)
                contree = theirs["contree"]
                ratio = contree["seconds"] / max(ours["seconds"], 1e-3) if "seconds" in contree else None
                row = [name, depth, len(labels), features.shape[1], labels.nunique(), ours["errors"], figure(ours, "seconds", 3), f"{ours['mb']:.0f}",
                       figure(contree, "seconds", 3), figure(contree, "mb", 0), "-" if ratio is None else f"{ratio:.1f}",
                       figure(theirs["streed"], "seconds", 3), figure(theirs["streed"], "mb", 0), f"{theirs['sklearn']['seconds']:.3f}",
                       theirs["sklearn"]["errors"]]
                print("| " + " | ".join(map(str, row)) + " |", flush=True)
                if arguments.out:
                    with arguments.out.open("a") as out:
                        out.write("\t".join(map(str, row)) + "\n")
                rows.append((depth, len(labels), labels.nunique(), ratio))

    def mean(ratios):
        ratios = [r for r in ratios if r]
        return f"{math.exp(sum(map(math.log, ratios)) / len(ratios)):.1f} ({len(ratios)} sets, least {min(ratios):.1f})" if ratios else "-"

    for depth in arguments.depths:
        print(f"\ndepth {depth}: geometric mean of ConTree's seconds / ours: {mean([r for d, n, k, r in rows if d == depth])} over all sets, "
              f"{mean([r for d, n, k, r in rows if d == depth and k == 2 and n >= 5000])} over two-class sets with n >= 5,000")
    print(f"{disagreements} disagreements on the optimum")
    return 1 if disagreements else 0


if __name__ == "__main__":
    sys.exit(main())
