#!/usr/bin/env python3
"""Compares `treewright fit --method cart` with scikit-learn's DecisionTreeClassifier on CSV files.

For each data set, criterion and limit (depths 1-6, fully grown, fully grown with 5 rows in every leaf):
  1. every split of our tree is checked against the best cut of its node, found here by brute force;
  2. the two trees are followed from the root while their splits part the rows alike; where they do not, both splits must be
     equally good (scikit-learn breaks ties by chance: of --seeds trees the one that agrees longest is taken);
  3. where the trees coincide, impurity and errors must be equal;
  4. where the full trees coincide, our tree pruned just below and just above each alpha of scikit-learn's path must have the
     leaves' impurity of that path.
Exits with 1 if anything fails. scikit-learn casts features to float32 and takes values within 1e-7 for equal, so both get
values rounded to float32.

  python bench/cart_vs_sklearn.py --command build/release/treewright --data DIR [NAME ...]

DIR holds NAME.csv with a header and the class in the last column. Without names: all files there that have only numbers, no
missing values, and at most --max-cells cells. Needs numpy, pandas and scikit-learn.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
import pandas as pd
from sklearn.tree import DecisionTreeClassifier

FULL = 60  # the command's largest depth
LIMITS = [(depth, 1) for depth in (1, 2, 3, 4, 5, 6, FULL)] + [(FULL, 5)]  # (depth, rows in every leaf)
EQUAL = 1e-9  # relative to the weight of the node


def impurity(counts, criterion):
    """Impurity of each row of class counts, shape (..., classes)."""
    shares = counts / np.maximum(counts.sum(axis=-1, keepdims=True), 1)
    if criterion == "gini":
        return 1 - (shares**2).sum(axis=-1)
    logs = np.log2(np.where(shares > 0, shares, 1))
    return -(shares * logs).sum(axis=-1)


def burden(counts, criterion):
    return counts.sum(axis=-1) * impurity(counts, criterion)


def best_decrease(x, onehot, criterion, min_leaf):
    """Largest decrease of rows * impurity by any cut with min_leaf rows on both sides; None without a cut."""
    total = onehot.sum(axis=0)
    best = None
    for column in x.T:
        order = np.argsort(column, kind="stable")
        values = column[order]
        gaps = np.flatnonzero(values[1:] != values[:-1])
        gaps = gaps[(gaps + 1 >= min_leaf) & (len(values) - gaps - 1 >= min_leaf)]
        if len(gaps) == 0:
            continue
        left = np.cumsum(onehot[order], axis=0)[gaps]
        decrease = burden(total, criterion) - (burden(left, criterion) + burden(total - left, criterion)).min()
        best = decrease if best is None else max(best, decrease)
    return best


class Data:
    def __init__(self, path):
        table = pd.read_csv(path)
        self.name = path.stem
        self.x = self.y = None
        features = table.iloc[:, :-1]
        numeric = all(pd.api.types.is_numeric_dtype(kind) for kind in features.dtypes)
        self.usable = numeric and not table.isna().any(axis=None)
        if not self.usable:
            return
        self.x = features.to_numpy(np.float32).astype(float)
        self.classes, self.y = np.unique(table.iloc[:, -1].astype(str).to_numpy(dtype=str), return_inverse=True)
        self.onehot = np.eye(len(self.classes))[self.y]

    def write(self, path):
        table = pd.DataFrame(self.x, columns=[f"x{i}" for i in range(self.x.shape[1])])
        # A letter in front, lest classes 1, 2, ... be taken for numbers.
        table["class"] = ["c" + self.classes[k] for k in self.y]
        table.to_csv(path, index=False, float_format="%.17g")


class OurTree:
    def __init__(self, command, csv, **options):
        with tempfile.NamedTemporaryFile(suffix=".json") as out:
            call = [command, "fit", str(csv), "--method", "cart", "--out", out.name]
            for name, value in options.items():
                call += ["--" + name.replace("_", "-"), str(value)]
            subprocess.run(call, check=True, stdout=subprocess.DEVNULL)
            self.nodes = json.loads(pathlib.Path(out.name).read_text())["tree"]["nodes"]

    def is_leaf(self, node):
        return "split" not in self.nodes[node]

    def left(self, node, x):
        split = self.nodes[node]["split"]
        return x[:, split["feature"]] < split["threshold"]

    def children(self, node):
        return self.nodes[node]["left"], self.nodes[node]["right"]


class TheirTree:
    def __init__(self, model):
        self.tree = model.tree_

    def is_leaf(self, node):
        return self.tree.children_left[node] < 0

    def left(self, node, x):
        return x[:, self.tree.feature[node]] <= self.tree.threshold[node]

    def children(self, node):
        return self.tree.children_left[node], self.tree.children_right[node]


def leaf_counts(tree, data):
    """Class counts of each leaf, by routing the rows here."""
    leaves, stack = [], [(0, np.arange(len(data.y)))]
    while stack:
        node, rows = stack.pop()
        if tree.is_leaf(node):
            leaves.append(data.onehot[rows].sum(axis=0))
            continue
        left = tree.left(node, data.x[rows])
        stack += [(tree.children(node)[0], rows[left]), (tree.children(node)[1], rows[~left])]
    return np.array(leaves)


def quality(tree, data, criterion):
    counts = leaf_counts(tree, data)
    return burden(counts, criterion).sum() / len(data.y), counts.sum() - counts.max(axis=1).sum()


def check_splits(tree, data, criterion, max_depth, min_leaf, known):
    """Claim 1. `known` keeps the brute-force results by set of rows, which the depths share. Returns (splits, failures)."""
    splits, failures, stack = 0, [], [(0, np.arange(len(data.y)), 0)]
    while stack:
        node, rows, depth = stack.pop()
        key = min_leaf, rows.tobytes()
        if key not in known:
            known[key] = best_decrease(data.x[rows], data.onehot[rows], criterion, min_leaf)
        best, own = known[key], data.onehot[rows].sum(axis=0)
        if tree.nodes[node]["class_weight"] != own.tolist():
            failures.append(f"node {node} holds {own.tolist()}, not {tree.nodes[node]['class_weight']}")
        if tree.is_leaf(node):
            if depth < max_depth and best is not None and impurity(own, criterion) > 1e-12:
                failures.append(f"leaf {node} could be split")
            continue
        splits += 1
        left = tree.left(node, data.x[rows])
        gain = burden(own, criterion) - sum(burden(data.onehot[part].sum(axis=0), criterion) for part in (rows[left], rows[~left]))
        if not min_leaf <= left.sum() <= len(rows) - min_leaf or abs(gain - best) > EQUAL * len(rows):
            failures.append(f"node {node} gains {gain}, the best cut {best}")
        stack += [(tree.children(node)[0], rows[left], depth + 1), (tree.children(node)[1], rows[~left], depth + 1)]
    return splits, failures


def divergences(ours, theirs, data, criterion):
    """Claim 2. Returns (nodes where the trees part, failures)."""
    ties, failures, stack = 0, [], [(0, 0, np.arange(len(data.y)))]
    while stack:
        a, b, rows = stack.pop()
        if ours.is_leaf(a) or theirs.is_leaf(b):
            if ours.is_leaf(a) != theirs.is_leaf(b):
                failures.append(f"node {a} is a leaf in one tree only")
            continue
        left_a, left_b = ours.left(a, data.x[rows]), theirs.left(b, data.x[rows])
        if (left_a == left_b).all() or (left_a != left_b).all():
            below_b = theirs.children(b) if left_a[0] == left_b[0] else theirs.children(b)[::-1]
            stack += [(ours.children(a)[0], below_b[0], rows[left_a]), (ours.children(a)[1], below_b[1], rows[~left_a])]
            continue
        ties += 1
        after = [sum(burden(data.onehot[part].sum(axis=0), criterion) for part in (rows[left], rows[~left])) for left in (left_a, left_b)]
        if abs(after[0] - after[1]) > EQUAL * len(rows):
            failures.append(f"node {a}: our split leaves {after[0]}, theirs {after[1]}")
    return ties, failures


def check_path(command, csv, data, criterion, min_leaf, model, limit):
    """Claim 4. Returns (alphas tried, failures)."""
    path = model.cost_complexity_pruning_path(data.x, data.y)
    alphas, impurities = path.ccp_alphas, path.impurities
    # The last entry of a run of equal alphas is the tree after all of its collapses.
    ends = [i for i in range(1, len(alphas)) if i + 1 == len(alphas) or alphas[i + 1] > alphas[i] * (1 + 1e-8) + 1e-15]
    picked = ends[:: max(1, len(ends) // limit)]
    failures = []
    for i in picked:
        before = max(j for j in [0, *ends] if j < i)
        for factor, entry in ((1 - 1e-9, before), (1 + 1e-9, i)):
            alpha = repr(float(alphas[i] * factor))
            pruned = OurTree(command, csv, criterion=criterion, max_depth=FULL, min_leaf=min_leaf, alpha=alpha)
            found = quality(pruned, data, criterion)[0]
            if abs(found - impurities[entry]) > 1e-9:
                failures.append(f"alpha {alphas[i]} * {factor}: impurity {found}, theirs {impurities[entry]}")
    return len(picked), failures


def compare(data, arguments, csv):
    failures = 0
    for criterion in ("gini", "entropy"):
        known = {}
        for depth, min_leaf in LIMITS:
            ours = OurTree(arguments.command, csv, criterion=criterion, max_depth=depth, min_leaf=min_leaf)
            splits, wrong = check_splits(ours, data, criterion, depth, min_leaf, known)
            models = [
                DecisionTreeClassifier(criterion=criterion, max_depth=depth, min_samples_leaf=min_leaf, random_state=seed).fit(
                    data.x, data.y
                )
                for seed in range(arguments.seeds)
            ]
            parted = [divergences(ours, TheirTree(model), data, criterion) for model in models]
            closest = min(range(len(models)), key=lambda i: parted[i][0])
            for _, more in parted:
                wrong += more
            own, their = quality(ours, data, criterion), quality(TheirTree(models[closest]), data, criterion)
            verdict = f"{parted[closest][0]} ties"
            if parted[closest][0] == 0:
                verdict = "same tree"
                if abs(own[0] - their[0]) > 1e-12 or own[1] != their[1]:
                    wrong.append(f"impurity and errors {own}, theirs {their}")
                if depth == FULL:
                    tried, more = check_path(arguments.command, csv, data, criterion, min_leaf, models[closest], arguments.alphas)
                    wrong += more
                    verdict += f", {tried} alphas agree" if not more else ", alphas differ"
            name = ("full" if depth == FULL else str(depth)) + (f", leaves of {min_leaf}" if min_leaf > 1 else "")
            print(
                f"{data.name:26} {criterion:8} depth {name:17}  {splits:5} splits best  impurity {own[0]:.6f} / {their[0]:.6f}  "
                f"errors {own[1]:5.0f} / {their[1]:5.0f}  {verdict}",
                flush=True,
            )
            for line in wrong[:5]:
                print("    FAILED", line)
            failures += len(wrong)
    return failures


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", required=True, help="the treewright executable")
    parser.add_argument("--data", required=True, type=pathlib.Path, help="folder of CSV files")
    parser.add_argument("--seeds", type=int, default=10, help="trees of scikit-learn to compare with")
    parser.add_argument("--alphas", type=int, default=10, help="alphas of the pruning path to try")
    parser.add_argument("--max-cells", type=int, default=150_000, help="skip larger files unless named")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    failures = compared = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(arguments.data.glob("*.csv")):
            if arguments.names and path.stem not in arguments.names:
                continue
            data = Data(path)
            if not data.usable or (not arguments.names and data.x.size > arguments.max_cells):
                continue
            csv = pathlib.Path(folder) / path.name
            data.write(csv)
            failures += compare(data, arguments, csv)
            compared += 1
    print(f"{compared} data sets, {failures} failures")
    return 1 if failures or not compared else 0


if __name__ == "__main__":
    sys.exit(main())
