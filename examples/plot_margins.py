"""Draws the hyperplanes of trees on two features: plot_margins.py DATA.csv OUT.png METHOD [NAME=VALUE ...] [, METHOD ...]

A pane for each method, whose options follow it:

    plot_margins.py fourclass.csv out.png margot level_costs=1e3 max_depth=4 time_limit=60 , oct-h max_depth=4

Draws each split in the region of its rows: the line h = 0 and, where the method has margins, dashed, h = -1 and h = 1. Colors the rows by
class.
"""

import sys
import warnings

import matplotlib
import matplotlib.pyplot as plt
import numpy as np
from PIL import Image

from treewright import classifier

matplotlib.use("agg")

COLORS = ["#222222", "#1b7f5a", "#8a3fa0", "#b8860b", "#c23b5a", "#2a78b8", "#6b6b00"]


def value_of(text):
    for kind in (int, float):
        try:
            return kind(text)
        except ValueError:
            pass
    return text


def draw(axes, X, y, names, method, options, several):
    model = classifier(method=method, n_jobs=1, **options).fit(X, y)
    tree, claims = model.tree_, model.result_
    low, high = X.min(axis=0), X.max(axis=0)
    edge = 0.03 * (high - low)
    x, z = np.meshgrid(*(np.linspace(a - e, b + e, 161) for a, b, e in zip(low, high, edge)))
    points = np.column_stack([x.ravel(), z.ravel()])
    path = model.decision_path(points)
    labels = model.predict(points).reshape(x.shape) == model.classes_[1]
    axes.contourf(x, z, labels, levels=[-0.5, 0.5, 1.5], colors=["#e3ecf7", "#fbe9df"])
    here = np.zeros((len(points), len(tree.kind)), bool)
    here[np.repeat(np.arange(len(points)), np.diff(path.indptr)), path.indices] = True
    for number, node in enumerate(np.flatnonzero(tree.kind != 0)):
        h = sum(term.weight * points[:, term.feature] for term in tree.terms(int(node))) - tree.threshold[node]
        h = np.where(here[:, node], h, np.nan).reshape(x.shape)
        color = COLORS[number % len(COLORS)]
        axes.contour(x, z, h, levels=[0], colors=[color], linewidths=1.6)
        if method.startswith("m"):
            axes.contour(x, z, h, levels=[-1, 1], colors=[color], linewidths=0.9, linestyles="dashed")
    for label, color, marker in zip(model.classes_, ("#1f5fa8", "#c8501e"), "o^"):
        rows = y == label
        axes.scatter(X[rows, 0], X[rows, 1], s=9, color=color, marker=marker, label=label)
    gap = f", gap {100 * claims.gap:.1f} %" if method.startswith("m") else ""
    name = "Local SVM" if (method, options.get("time_limit")) == ("margot", 0) else method
    title = f"accuracy {100 * claims.accuracy:.1f} %{gap}"
    axes.set(xlabel=names[0], ylabel=names[1], title=f"{name}: {title}" if several else title)
    axes.legend(loc="upper right", fontsize=8)
    print(method, claims.status, claims.objective, claims.gap, claims.accuracy, claims.seconds)


source, out = sys.argv[1:3]
warnings.simplefilter("ignore")
with open(source) as file:
    names = file.readline().strip().split(",")
table = np.genfromtxt(source, delimiter=",", skip_header=1, dtype=str)
panes = [[]]
for word in sys.argv[3:]:
    panes = [*panes, []] if word == "," else [*panes[:-1], [*panes[-1], word]]
figure, places = plt.subplots(1, len(panes), figsize=(5 * len(panes), 4.2), squeeze=False)
for axes, (method, *options) in zip(places[0], panes):
    values = {name: value_of(value) for name, _, value in (option.partition("=") for option in options)}
    draw(axes, table[:, :2].astype(float), table[:, -1], names, method, values, len(panes) > 1)
figure.tight_layout()
figure.savefig(out, dpi=96)
# A palette is enough for lines and points, and makes the file a fourth as large.
Image.open(out).quantize(128).save(out, optimize=True)
