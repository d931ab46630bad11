"""Hyperplanes of few columns."""

import numpy as np
import pandas as pd
import pytest

from treewright import METHODS, AutoTreeClassifier, HyperplaneTreeClassifier


@pytest.fixture
def rows():
    random = np.random.default_rng(3)
    X = pd.DataFrame(random.normal(size=(120, 5)).round(2), columns=list("abcde"))
    X["kind"] = random.choice(["p", "q", "r", "s"], size=120)
    X.loc[random.choice(120, size=12, replace=False), "b"] = np.nan
    score = X["a"] + X["b"].fillna(0) - X["c"] + 0.5 * X["d"] + X["kind"].isin(["p", "r"]) + 0.5 * random.normal(size=120)
    return X, np.where(score > 0.5, "yes", "no")


def columns_of_splits(estimator):
    """How many columns each split asks about."""
    tree = estimator.tree_
    inner = np.flatnonzero(tree.children_left >= 0)
    return [max(1, len({term.feature for term in tree.terms(node)})) for node in inner]


@pytest.mark.parametrize("method", ["oct-h", "tao", "local", "logistic-h", "cart-h"])
@pytest.mark.parametrize("most", [1, 2, 3])
def test_no_split_asks_more(rows, method, most):
    X, y = rows
    fewer = {} if method in ("logistic-h", "cart-h") else {"restarts": 1}
    tree = HyperplaneTreeClassifier(method=method, max_depth=2, max_terms=most, **fewer).fit(X, y)
    assert tree.get_depth() > 0 and max(columns_of_splits(tree)) <= most


def test_auto(rows):
    X, y = rows
    tree = AutoTreeClassifier(max_depth=1, max_terms=2, restarts=0).fit(X, y)
    assert tree.get_depth() == 1 and max(columns_of_splits(tree)) <= 2


def test_no_limit_is_the_default(rows):
    X, y = rows
    tree = HyperplaneTreeClassifier(method="tao", max_depth=1, svm_cost=1)
    assert tree.max_terms is None and max(columns_of_splits(tree.fit(X, y))) == 6
    assert max(columns_of_splits(tree.set_params(max_terms=6).fit(X, y))) == 6


def test_who_reads_it():
    readers = {method.name for method in METHODS if "max_terms" in method.options}
    assert readers == {"auto", "oct-h", "tao", "local", "logistic-h", "cart-h"}


def test_one_column_is_the_least(rows):
    assert "Unit: columns. At least 1." in HyperplaneTreeClassifier.__doc__
    with pytest.raises(ValueError, match="max_terms"):
        HyperplaneTreeClassifier(max_terms=0).fit(*rows)
