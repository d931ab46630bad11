"""
Proof and gap
=============

A run that is stopped early returns the best tree so far and a bound that no tree can beat. The more work is allowed, the smaller the gap.
"""

import json
import warnings

import matplotlib.pyplot as plt
from sklearn.datasets import load_wine

from treewright import MargotClassifier, OptimalityWarning, OptimalTreeClassifier

X, y = load_wine(return_X_y=True, as_frame=True)
tree = OptimalTreeClassifier(max_depth=3, min_samples_leaf=5, ccp_alpha=0.01).fit(X, y)
print(tree.status_, "objective", tree.objective_, "bound", tree.bound_)

# %%
# ``node_limit`` stops after the same work on every machine. ``fit`` warns when nothing final was proved, and ``gap_`` says what is open.

with warnings.catch_warnings():
    warnings.simplefilter("ignore", OptimalityWarning)
    hasty = OptimalTreeClassifier(max_depth=3, min_samples_leaf=5, ccp_alpha=0.01, run={"node_limit": 2}).fit(X, y)
print(hasty.status_, "objective", hasty.objective_, "bound", hasty.bound_, "gap", hasty.gap_)

# %%
# The history of a longer proof: the best tree so far from above, the bound from below. Here for a tree of support vector machines.

margot = MargotClassifier(feature_selection="hard", max_depth=2, level_costs=10, feature_budgets=2, run={"node_limit": None}).fit(X, y)
history = [step for step in json.loads(margot.to_json())["result"]["history"] if step[1] is not None and step[2] is not None]
seconds, best, bound = ([step[i] for step in history] for i in range(3))

figure, axes = plt.subplots(figsize=(7, 3.5))
axes.step(seconds, best, where="post", label="best tree so far")
axes.step(seconds, bound, where="post", label="bound")
axes.set(xlabel="seconds", ylabel="objective", xscale="log", yscale="log")
axes.legend()
figure.tight_layout()
