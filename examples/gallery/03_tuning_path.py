"""
The complexity path, and tuning on it
=====================================

Only a few trees are optimal for some price of a split. The path holds all of them, so that tuning needs no grid of prices.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer

from treewright import OptimalTreeClassifier, OptimalTreeClassifierCV

X, y = load_breast_cancer(return_X_y=True, as_frame=True)
path = OptimalTreeClassifier(max_depth=3, min_samples_leaf=10).cost_complexity_pruning_path(X, y)
for alpha, splits, errors in zip(path.ccp_alphas, path.splits, path.errors):
    print(f"from alpha = {alpha:.4f} on: {splits} splits, {errors:.0f} errors")

# %%
# Cross-validation computes one path for each depth and fold, and finds the mean score for every alpha.

tuned = OptimalTreeClassifierCV(max_depths=(1, 2), cv=4, min_samples_leaf=10).fit(X, y)
print(tuned.best_params_)
print(tuned.best_reason_)

# %%
figure, axes = plt.subplots(figsize=(6, 3.5))
axes.plot(path.splits, path.errors, "o-")
axes.set(xlabel="splits", ylabel="training errors of the optimal tree")
figure.tight_layout()
