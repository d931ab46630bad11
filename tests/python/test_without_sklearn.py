"""The package needs only numpy: everything else is hidden from a fresh interpreter."""

import subprocess
import sys

PROGRAM = r"""
import importlib.abc, sys, warnings

class Hidden(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("sklearn", "pandas", "scipy", "matplotlib", "joblib"):
            raise ModuleNotFoundError(name)
        return None

import importlib.util
real = importlib.util.find_spec
importlib.util.find_spec = lambda name, *rest: None if name == "sklearn" else real(name, *rest)
sys.meta_path.insert(0, Hidden())

import pickle
import numpy as np
import treewright as tw
from treewright import OptimalTreeClassifier, OptimalTreeClassifierCV

assert not {"sklearn", "pandas", "scipy"} & set(sys.modules)
X = np.vstack([[[0, 0], [0, 1], [1, 0], [1, 1]]] * 3).astype(float)
y = np.array(["no", "yes", "yes", "no"] * 3)
tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
assert tree.score(X, y) == 1 and tree.status_ == "optimal"
assert tree.score(X, y, sample_weight=np.ones(12)) == 1
assert tree.decision_path(X[:1]).sum() == 3
assert tree.get_params()["max_depth"] == 2
assert tree.set_params(max_depth=1).fit(X, y).get_depth() <= 1
assert repr(tree) == "OptimalTreeClassifier(max_depth=1)", repr(tree)
assert pickle.loads(pickle.dumps(tree)).predict(X).tolist() == tree.predict(X).tolist()
assert len(tw.export_text(tree).splitlines()) == tree.tree_.node_count
assert tree.fit(X, y, sample_weight=np.arange(12)).result_.total_weight == 66
assert tree.cost_complexity_pruning_path(X, y).splits[-1] == 0

def fails(error, text, action, *arguments):
    try:
        action(*arguments)
    except error as problem:
        assert text in str(problem), problem
    else:
        raise AssertionError(text)

fails(ValueError, "Reshape", tree.predict, X[0])
fails(ValueError, "expecting 2 features", tree.predict, X[:, :1])
fails(ValueError, "infinity", tree.fit, np.where(X == 0, np.inf, X), y)
fails(ValueError, "y is None", tree.fit, X, None)
fails(ValueError, "inconsistent", tree.fit, X, y[:3])
fails(ValueError, "Unknown label type", tree.fit, X, X[:, 0] + 0.5)
fails(ValueError, "Invalid parameter", lambda: tree.set_params(depth=1))
fails(ValueError, "not fitted", OptimalTreeClassifier().predict, X)
fails(ImportError, "scikit-learn", OptimalTreeClassifierCV().fit, X, y)
fails(ImportError, "scikit-learn", tree.to_sklearn, X)
print("fine")
"""


def test_only_numpy():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300, check=False)
    assert done.stdout == "fine\n", done.stderr
