"""
A first tree
============

Train the best tree of two levels on iris, read it, and draw it.
"""

import matplotlib.pyplot as plt
from sklearn.datasets import load_iris

from treewright import OptimalTreeClassifier, export_text, plot_tree

iris = load_iris(as_frame=True)
tree = OptimalTreeClassifier(max_depth=2).fit(iris.data, iris.target)
print(export_text(tree, class_names=list(iris.target_names)))

# %%
# What is claimed about it, and what was proved:

print(tree.status_, "-", tree.result_.errors, "errors")
print(tree.result_.proved)

# %%
# ``check`` counts every claim again from the rows. An empty list means that all hold.

print(tree.check(iris.data, iris.target))

# %%
figure, axes = plt.subplots(figsize=(8, 4))
plot_tree(tree, class_names=list(iris.target_names), ax=axes)
figure.tight_layout()
