"""
To SQL, ONNX and C
==================

``export`` writes a tree for other programs, and tests what it wrote on every row that it is given.
"""

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
