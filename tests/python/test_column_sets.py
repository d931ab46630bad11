"""Trees of few columns, and of columns that have a price."""

import itertools

import numpy as np
import pandas as pd
import pytest

from treewright import OptimalTreeClassifier


@pytest.fixture
def rows():
    random = np.random.default_rng(7)
    X = pd.DataFrame(random.normal(size=(90, 4)).round(1), columns=["age", "blood, red", "pulse", "scan"])
    return X, np.where(X["age"] + X["scan"] + 0.5 * X["pulse"] + random.normal(size=90) > 0.5, "sick", "healthy")


def least(X, y, most, prices=None):
    """Of all sets of columns: the least errors of a tree on the set, plus its price."""
    found = np.inf
    for size in range(1, most + 1):
        for names in itertools.combinations(X.columns, size):
            errors = OptimalTreeClassifier(max_depth=2).fit(X[list(names)], y).result_.errors
            found = min(found, errors + sum((prices or {}).get(name, 0) for name in names))
    return found


def test_few_columns(rows):
    X, y = rows
    for most in (1, 2, 4):
        tree = OptimalTreeClassifier(max_depth=2, max_columns=most).fit(X, y)
        assert tree.result_.status == "optimal" and tree.result_.errors == least(X, y, most)
        assert (tree.predict(X) != y).sum() == tree.result_.errors
        assert f"at most {most} column" in tree.result_.proved


def test_prices(rows):
    X, y = rows
    prices = {"age": 3, "scan": 6.5, "blood, red": 1}
    tree = OptimalTreeClassifier(max_depth=2, column_costs=prices, alpha_scale="errors").fit(X, y)
    assert tree.result_.status == "optimal"
    assert tree.result_.objective == pytest.approx(min(least(X, y, 4, prices), min(np.unique(y, return_counts=True)[1])))


def test_what_cannot_be_used(rows):
    X, y = rows
    for parameters, words in [
        ({"column_costs": {"weight": 2}}, "no column of this name"),
        ({"column_costs": {"age": -1}}, ">= 0"),
        ({"max_columns": 2, "run": {"proof": "x.proof"}}, "max_columns"),
    ]:
        with pytest.raises(ValueError, match=words):
            OptimalTreeClassifier(**parameters).fit(X, y)
