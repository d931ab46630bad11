"""Trees that are nearly as good as the best one."""

import itertools

import numpy as np
import pandas as pd
import pytest

from treewright import NearTrees, OptimalityWarning, OptimalTreeClassifier


@pytest.fixture
def rows():
    random = np.random.default_rng(11)
    X = pd.DataFrame(random.integers(0, 2, size=(60, 5)), columns=["a", "b", "c", "d", "e"])
    return X, (X["a"] + X["b"] + X["c"] + random.integers(0, 2, 60) > 1).astype(int).to_numpy()


def errors_of(parts, y):
    return sum(len(part) - np.bincount(y[list(part)]).max() for part in parts)


def all_trees(X, y, depth, rows=None):
    """Every tree of 0/1 columns, as (columns, parts of the rows): a split of two leaves must lower the errors."""
    rows = frozenset(range(len(X))) if rows is None else rows
    trees = {(frozenset(), frozenset([rows]))}
    for column in X.columns if depth > 0 else []:
        left = frozenset(row for row in rows if X[column][row] == 0)
        if not left or left == rows:
            continue
        sides = (all_trees(X, y, depth - 1, side) for side in (left, rows - left))
        for (f, p), (g, q) in itertools.product(*sides):
            if len(p) + len(q) > 2 or errors_of(p | q, y) < errors_of([rows], y):
                trees.add((f | g | {column}, p | q))
    return trees


def test_the_list_is_that_of_all_trees(rows):
    X, y = rows
    distinct = X.drop_duplicates().index  # rows of equal columns and another class cancel, and count for no part
    X, y = X.loc[distinct].reset_index(drop=True), y[distinct]
    model = OptimalTreeClassifier(max_depth=2)
    costs = {tree: errors_of(tree[1], y) for tree in all_trees(X, y, 2)}
    best = min(costs.values())
    for within in (0, 1, 2):
        near = model.near_trees(X, y, within=within)
        wanted = {tree: cost for tree, cost in costs.items() if cost <= best + within}
        assert isinstance(near, NearTrees) and near.complete and near.status == "optimal" and near.best == best
        assert len(near) == len(wanted) and sorted(near.errors) == sorted(wanted.values())
        assert {frozenset(columns) for columns in near.columns} == {columns for columns, _ in wanted}
        for tree, errors in zip(near, near.errors, strict=True):
            assert (tree.predict(X) != y).sum() == errors == tree.result_.errors
        sets = model.near_trees(X, y, within=within, only_sets=True)
        assert len(sets) == len({columns for columns, _ in wanted}) == len(set(sets.columns))
        assert "trees" in repr(sets)
    few = model.near_trees(X, y, within=2, count=3)
    assert len(few) == 3 and not few.complete and few.complete_within < 2


def test_trees_of_costs_by_row():
    random = np.random.default_rng(5)
    X, costs = random.normal(size=(40, 3)), random.normal(size=(40, 3)).round(2)
    model = OptimalTreeClassifier(max_depth=2)
    near = model.near_trees(X, within=1.5, costs=costs)
    best = model.fit(X, costs=costs).result_.cost
    assert near.complete and len(near) > 1 and near.best == pytest.approx(best)
    for tree, cost in zip(near, near.errors, strict=True):
        assert costs[np.arange(40), tree.predict(X)].sum() == pytest.approx(cost)
        assert cost <= best + 1.5 + 1e-9
        assert tree.check(X, costs=costs) == []


def test_what_cannot_be_used(rows):
    X, y = rows
    for parameters, more, words in [
        ({"never_columns": "a"}, {}, "never_columns"),
        ({"max_columns": 2}, {}, "max_columns"),
        ({"run": {"node_limit": 5}}, {}, "node_limit"),
        ({}, {"within": -1}, "within"),
        ({}, {"count": 0}, "count"),
    ]:
        with pytest.raises(ValueError, match=words):
            OptimalTreeClassifier(**parameters).near_trees(X, y, **{"within": 1, **more})
    with pytest.warns(OptimalityWarning, match="trees may be missing"):
        OptimalTreeClassifier(time_limit=0).near_trees(X, y, within=1)


def test_a_worse_tree_beside_heavy_rows_is_not_optimal():
    X, y = pd.DataFrame({"p": [0, 1, 0, 1], "q": [0, 1, 1, 0]}), np.array(["a", "b", "b", "b"])
    near = OptimalTreeClassifier(max_depth=1, alpha_scale="errors").near_trees(X, y, [4.5e11, 4.5e11, 1.08, 1.0], within=0.5)
    best, other = (tree.result_ for tree in near.estimators)
    assert (best.status, best.objective) == ("optimal", 1.0)
    assert (other.status, other.objective) == ("heuristic", 1.08)
    assert other.bound <= 1.0


def test_a_tree_is_listed_once_with_a_least_number_of_rows():
    X, y = pd.DataFrame({"c": [0, 0, 1, 1, 2, 2]}), np.array(["a", "a", "a", "b", "b", "b"])
    assert len(OptimalTreeClassifier(max_depth=1, min_samples_leaf=2).near_trees(X, y).estimators) == 1
