"""
Beside a greedy tree and a forest
=================================

Errors on new rows, two times five folds. An optimal tree of few leaves is often as good as a greedy one of many, and mostly below a
forest, which nobody can read.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import RepeatedStratifiedKFold, cross_val_score
from sklearn.tree import DecisionTreeClassifier

from treewright import HyperplaneTreeClassifier, OptimalTreeClassifier

X, y = load_breast_cancer(return_X_y=True)
folds = RepeatedStratifiedKFold(n_splits=5, n_repeats=2, random_state=0)
models = {
    "greedy, depth 2": DecisionTreeClassifier(max_depth=2, random_state=0),
    "optimal, depth 2": OptimalTreeClassifier(max_depth=2),
    "greedy, any depth": DecisionTreeClassifier(random_state=0),
    "one hyperplane (tao)": HyperplaneTreeClassifier(method="tao", max_depth=1, svm_cost=0.1, restarts=0),
    "forest of 100 trees": RandomForestClassifier(random_state=0),
}
scores = {name: cross_val_score(model, X, y, cv=folds) for name, model in models.items()}
for name, score in scores.items():
    print(f"{name:22} {100 * score.mean():.1f} % right, from {100 * score.min():.1f} to {100 * score.max():.1f}")

# %%
figure, axes = plt.subplots(figsize=(7, 3))
axes.boxplot([100 * score for score in scores.values()], orientation="horizontal", tick_labels=list(scores))
axes.invert_yaxis()
axes.set(xlabel="% of new rows right")
figure.tight_layout()
