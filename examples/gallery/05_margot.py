"""
Trees of support vector machines, with proof
============================================

``margot`` trains the support vector machines of all nodes together, so that all margins are wide at once. Solid lines: the
hyperplanes; dashed lines: their margins.
"""

import matplotlib.pyplot as plt
import numpy as np

from treewright import MargotClassifier

random = np.random.RandomState(0)
corners = np.array([[0.2, 0.2], [0.8, 0.8], [0.2, 0.8], [0.8, 0.2]])
X = np.concatenate([corner + 0.08 * random.randn(15, 2) for corner in corners])
y = np.repeat([0, 0, 1, 1], 15)

model = MargotClassifier(max_depth=2, level_costs=100, run={"node_limit": None}).fit(X, y)
print(model.status_, "gap", round(model.gap_, 6), "errors", model.result_.errors)

# %%
tree = model.tree_
grid = np.stack(np.meshgrid(np.linspace(0, 1, 200), np.linspace(0, 1, 200)), axis=-1).reshape(-1, 2)
paths = model.decision_path(grid)
figure, axes = plt.subplots(figsize=(4.6, 4.4))
for node, color in zip(np.flatnonzero(tree.kind != 0), ("#222222", "#1b7f5a", "#8a3fa0")):
    height = sum(term.weight * grid[:, term.feature] for term in tree.terms(int(node))) - tree.threshold[node]
    inside = np.asarray(paths[:, node].todense()).ravel() > 0
    height = np.where(inside, height, np.nan).reshape(200, 200)
    axes.contour(grid[:, 0].reshape(200, 200), grid[:, 1].reshape(200, 200), height, levels=[0], colors=color)
    axes.contour(grid[:, 0].reshape(200, 200), grid[:, 1].reshape(200, 200), height, levels=[-1, 1], colors=color, linestyles="dashed")
axes.scatter(X[:, 0], X[:, 1], c=np.where(y, "#c98a00", "#0b5c9e"), s=14)
axes.set(aspect="equal", xlim=(0, 1), ylim=(0, 1))
figure.tight_layout()
