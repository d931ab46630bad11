"""
A small tree that explains a black box
======================================

A forest of 100 trees predicts well, and nobody can read it. A small optimal tree trained on its predictions says in plain questions what it
does, and how often it says the same. The proof is about that: no tree of depth 3 agrees with the forest on more training rows.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split

from treewright import OptimalTreeClassifier, export_text

data = load_breast_cancer(as_frame=True)
X, new, y, truth = train_test_split(data.data, data.target_names[data.target], test_size=0.4, random_state=0)
forest = RandomForestClassifier(random_state=0).fit(X, y)
trees = {depth: OptimalTreeClassifier(max_depth=depth).fit(X, forest.predict(X)) for depth in (1, 2, 3)}
print(export_text(trees[2]))

# %%
# How often each tree says on new rows what the forest says, and how often it is right. Deeper need not agree more: the proof is about the
# training rows.
agree = {depth: 100 * tree.score(new, forest.predict(new)) for depth, tree in trees.items()}
right = {depth: 100 * tree.score(new, truth) for depth, tree in trees.items()}
for depth, tree in trees.items():
    print(f"depth {depth}: agrees with the forest on {agree[depth]:.1f} % of new rows, right on {right[depth]:.1f} % ({tree.status_})")
print(f"the forest: right on {100 * forest.score(new, truth):.1f} %")

# %%
figure, axes = plt.subplots(figsize=(5, 3))
axes.plot(list(agree), list(agree.values()), "o-", label="says what the forest says")
axes.plot(list(right), list(right.values()), "s-", label="right")
axes.axhline(100 * forest.score(new, truth), color="#999999", linestyle="--", label="the forest: right")
axes.set(xlabel="depth of the tree", ylabel="% of new rows", xticks=list(agree))
axes.legend()
figure.tight_layout()
