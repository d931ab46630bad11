"""
One hyperplane instead of many questions
========================================

A split may ask about a weighted sum of columns. On slanted data one such question does what a staircase of plain questions cannot.
"""

import matplotlib.pyplot as plt
import numpy as np

from treewright import HyperplaneTreeClassifier, OptimalTreeClassifier

random = np.random.RandomState(1)
X = random.rand(300, 2)
y = (X[:, 0] + 0.7 * X[:, 1] + 0.04 * random.randn(300) > 0.9).astype(int)

axis = OptimalTreeClassifier(max_depth=3).fit(X, y)
slanted = HyperplaneTreeClassifier(method="tao", max_depth=1).fit(X, y)
for name, tree in (("axis tree", axis), ("hyperplane tree", slanted)):
    print(f"{name}: {tree.get_n_leaves()} leaves, {tree.result_.errors:.0f} errors, {tree.status_}")

# %%
grid = np.stack(np.meshgrid(np.linspace(0, 1, 200), np.linspace(0, 1, 200)), axis=-1)
figure, panes = plt.subplots(1, 2, figsize=(8, 3.8), sharey=True)
for pane, tree, title in ((panes[0], axis, "optimal axis tree, depth 3"), (panes[1], slanted, "one hyperplane")):
    labels = tree.predict(grid.reshape(-1, 2)).reshape(200, 200)
    pane.contourf(grid[..., 0], grid[..., 1], labels, levels=[-0.5, 0.5, 1.5], colors=["#dcebf7", "#fbe7cf"])
    pane.scatter(X[:, 0], X[:, 1], c=np.where(y, "#c98a00", "#0b5c9e"), s=10)
    pane.set(title=title, aspect="equal")
figure.tight_layout()
