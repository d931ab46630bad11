"""A start for the model of oct-h from logistic regressions, which BD17 sec. 4.2 names and leaves untested.

    python examples/start_from_logistic_nodes.py data/iris.csv start.json [DEPTH]
    treewright fit data/iris.csv --method oct-h --solver mip --max-depth 2 --alpha 0.01 --warm-start start.json

From the root down: each class against the rest, by logistic regression. The node takes the hyperplane of smallest Gini impurity. All
columns must be numeric, the last one is the class.
"""

import json
import sys

import numpy as np
import pandas as pd
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from treewright import OptimalTreeClassifier


def impurity(y):
    return len(y) - (np.unique(y, return_counts=True)[1] ** 2).sum() / len(y) if len(y) else 0


def best_split(X, y):
    """Weights and threshold in raw units; a row goes left if weights @ x < threshold."""
    found = []
    for name in np.unique(y):
        scale, regression = make_pipeline(StandardScaler(), LogisticRegression(max_iter=2000)).fit(X, y == name)
        weights = regression.coef_[0] / scale.scale_
        threshold = weights @ scale.mean_ - regression.intercept_[0]
        left = X @ weights < threshold
        found.append((impurity(y[left]) + impurity(y[~left]), weights, threshold, left))
    return min(found, key=lambda split: split[0])


def grow(X, y, classes, depth, nodes):
    """Appends the nodes of the subtree for these rows and returns the place of its root."""
    counts = [int((y == name).sum()) for name in classes]
    node = {"label": int(np.argmax(counts)), "rows": len(y), "class_weight": counts}
    place = len(nodes)
    nodes.append(node)
    if depth == 0 or max(counts) == len(y):
        return place
    _, weights, threshold, left = best_split(X, y)
    if left.all() or not left.any():
        return place
    terms = [{"feature": j, "weight": weight, "if_missing": X[:, j].mean()} for j, weight in enumerate(weights) if weight != 0]
    node["split"] = {"kind": "hyperplane", "terms": terms, "threshold": threshold, "missing_left": True}
    node["left"] = grow(X[left], y[left], classes, depth - 1, nodes)
    node["right"] = grow(X[~left], y[~left], classes, depth - 1, nodes)
    return place


table = pd.read_csv(sys.argv[1])
X, y = table.iloc[:, :-1], table.iloc[:, -1].astype(str)
# The file of a single leaf, with other nodes: treewright counts rows and errors of a start itself.
start = json.loads(OptimalTreeClassifier(max_depth=0).fit(X, y).to_json())
start["tree"]["nodes"] = []
grow(X.to_numpy(), y.to_numpy(), start["tree"]["classes"], int(sys.argv[3]) if len(sys.argv) > 3 else 2, start["tree"]["nodes"])
with open(sys.argv[2], "w", encoding="utf-8") as file:
    json.dump(start, file)
