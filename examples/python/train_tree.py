"""Trains the optimal tree of depth 2 on the rows of one half, and counts its errors on the other half."""

from sklearn.datasets import load_wine
from sklearn.model_selection import train_test_split

from treewright import OptimalTreeClassifier, export_text

X, y = load_wine(return_X_y=True, as_frame=True)
known, new, labels, truth = train_test_split(X, y, test_size=0.5, random_state=1, stratify=y)
tree = OptimalTreeClassifier(max_depth=2).fit(known, labels)
print(export_text(tree))
wrong = sum(tree.predict(new) != truth)
print(f"{tree.status_}: {tree.result_.errors:g} errors on {len(known)} training rows, {wrong} on {len(new)} new rows")
