"""
To SQL, ONNX and C
==================

``export`` writes a tree for other programs, and tests what it wrote on every row that it is given.
"""

import matplotlib.pyplot as plt
import numpy as np
import onnxruntime
from sklearn.datasets import load_iris

from treewright import OptimalTreeClassifier

X, y = load_iris(return_X_y=True, as_frame=True)
tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
print(tree.export("sql", X))

# %%
print(tree.export("c", X))

# %%
# An ONNX model runs without treewright. It is true to the last digit: thresholds are doubles.

session = onnxruntime.InferenceSession(tree.export("onnx", X))
print([(value.name, value.type, value.shape) for value in session.get_inputs() + session.get_outputs()])
labels = session.run(None, {"X": X.to_numpy(np.float64)})[0]
print("rows with the same label:", (np.asarray(labels).astype(str) == tree.predict(X).astype(str)).sum(), "of", len(X))

# %%
# What the model says between the rows:

length, width = np.meshgrid(np.linspace(0.8, 7, 200), np.linspace(0, 2.6, 200))
grid = np.column_stack([np.full(length.size, 5.8), np.full(length.size, 3.0), length.ravel(), width.ravel()])
figure, axes = plt.subplots(figsize=(6, 4))
said = np.asarray(session.run(None, {"X": grid})[0]).astype(int).reshape(length.shape)
axes.contourf(length, width, said, levels=[-0.5, 0.5, 1.5, 2.5], colors=["#cfe3f1", "#fbe7cf", "#ccf3f1"])
axes.scatter(X.iloc[:, 2], X.iloc[:, 3], c=np.array(["#0072b2", "#e69f00", "#00a39d"])[y], s=12)
axes.set(xlabel=X.columns[2], ylabel=X.columns[3])
figure.tight_layout()
