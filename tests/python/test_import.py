"""Importing the package is quick: scikit-learn comes with the first estimator."""

import pickle
import subprocess
import sys

import pytest

import treewright


def test_scikit_learn_is_imported_with_the_first_estimator():
    program = """
import sys
import treewright
assert "sklearn" not in sys.modules and "treewright._compat" not in sys.modules, "imported before it is needed"
assert treewright.METHODS and treewright.__version__
from treewright import OptimalTreeClassifier
assert "treewright._compat" in sys.modules
assert OptimalTreeClassifier is treewright.OptimalTreeClassifier
"""
    subprocess.run([sys.executable, "-c", program], check=True)


def test_a_pickle_is_read_before_any_estimator_is_imported():
    tree = treewright.OptimalTreeClassifier(max_depth=1).fit([[0], [1], [0], [1]], ["a", "b", "a", "b"])
    program = "import pickle, sys; print(pickle.load(sys.stdin.buffer).predict([[1]])[0])"
    done = subprocess.run([sys.executable, "-c", program], input=pickle.dumps(tree), capture_output=True, check=True)
    assert done.stdout.strip() == b"b"


def test_every_public_name_is_there_and_listed():
    listed = dir(treewright)
    for name in treewright.__all__:
        assert getattr(treewright, name) is not None
        assert name in listed
    assert treewright.export.export_text is treewright.export_text
    with pytest.raises(AttributeError, match="no attribute 'OptimalTree'"):
        treewright.OptimalTree  # noqa: B018
