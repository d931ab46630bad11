"""Draws the hyperplanes and margins of a tree on two features: plot_margins.py DATA.csv OUT.svg COSTS DEPTH [SECONDS]

Trains --method margot. Draws each split in the region of its rows: the line h = 0 and, dashed, h = -1 and h = 1. Colors the rows by class.
"""

import sys
import warnings

import matplotlib
import matplotlib.pyplot as plt
import numpy as np

from treewright import MargotClassifier

matplotlib.use("svg")
matplotlib.rcParams["svg.hashsalt"] = "treewright"

source, out, costs, depth = sys.argv[1:5]
warnings.simplefilter("ignore")
with open(source) as file:
    names = file.readline().strip().split(",")
table = np.genfromtxt(source, delimiter=",", skip_header=1, dtype=str)
X, y = table[:, :2].astype(float), table[:, -1]
seconds = float(sys.argv[5]) if len(sys.argv) > 5 else 60.0
model = MargotClassifier(max_depth=int(depth), level_costs=costs, time_limit=seconds, node_limit=None, n_jobs=1).fit(X, y)
tree = model.tree_

low, high = X.min(axis=0), X.max(axis=0)
edge = 0.03 * (high - low)
grid = [np.linspace(a - e, b + e, 161) for a, b, e in zip(low, high, edge)]
x, z = np.meshgrid(*grid)
points = np.column_stack([x.ravel(), z.ravel()])
begin, visited = model.decision_path(points).indptr, model.decision_path(points).indices

figure, axes = plt.subplots(figsize=(5, 4.2))
labels = model.predict(points).reshape(x.shape) == model.classes_[1]
axes.contourf(x, z, labels, levels=[-0.5, 0.5, 1.5], colors=["#e3ecf7", "#fbe9df"])
colors = ["#222222", "#1b7f5a", "#8a3fa0", "#b8860b", "#c23b5a", "#2a78b8", "#6b6b00"]
here = np.zeros((len(points), len(tree.kind)), bool)
here[np.repeat(np.arange(len(points)), np.diff(begin)), visited] = True
for number, node in enumerate(np.flatnonzero(tree.kind != 0)):
    h = sum(term.weight * points[:, term.feature] for term in tree.terms(int(node))) - tree.threshold[node]
    h = np.where(here[:, node], h, np.nan).reshape(x.shape)
    color = colors[number % len(colors)]
    axes.contour(x, z, h, levels=[0], colors=[color], linewidths=1.6)
    axes.contour(x, z, h, levels=[-1, 1], colors=[color], linewidths=0.9, linestyles="dashed")
for label, color, marker in zip(model.classes_, ("#1f5fa8", "#c8501e"), "o^"):
    rows = y == label
    axes.scatter(X[rows, 0], X[rows, 1], s=9, color=color, marker=marker, label=label)
claims = model.result_
axes.set(xlabel=names[0], ylabel=names[1], title=f"accuracy {100 * claims.accuracy:.1f} %, gap {100 * claims.gap:.1f} %")
axes.legend(loc="upper right", fontsize=8)
figure.tight_layout()
figure.savefig(out, metadata={"Date": None, "Creator": "treewright"})
print(claims.status, claims.objective, claims.gap, claims.accuracy, claims.seconds)
