"""Costs of each row and label: policies, and classes with amounts."""

import itertools

import numpy as np
import pytest

from treewright import CARTClassifier, HyperplaneTreeClassifier, OptimalTreeClassifier, SVM1TreeClassifier


def least_cost(X, costs, depth):
    """Of all trees of thresholds, by trying each."""
    leaf = costs.sum(axis=0).min()
    if depth == 0:
        return leaf
    best = leaf
    for column in X.T:
        for low, high in itertools.pairwise(np.unique(column)):
            left = column < (low + high) / 2
            best = min(best, least_cost(X[left], costs[left], depth - 1) + least_cost(X[~left], costs[~left], depth - 1))
    return best


def drawn(seed, rows=14, labels=3):
    random = np.random.default_rng(seed)
    return random.integers(0, 4, (rows, 3)).astype(float), random.normal(size=(rows, labels)).round(2)


@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("depth", [0, 1, 2])
def test_a_policy_costs_least(seed, depth):
    X, costs = drawn(seed)
    model = OptimalTreeClassifier(max_depth=depth).fit(X, costs=costs)
    chosen = model.predict(X)
    assert costs[np.arange(len(X)), chosen].sum() == pytest.approx(least_cost(X, costs, depth), abs=1e-9)
    assert model.result_.cost == pytest.approx(least_cost(X, costs, depth), abs=1e-9)
    assert model.result_.status == "optimal"
    assert model.check(X, costs=costs) == []
    assert model.check(X, costs=costs + 1) != []


def test_columns_of_a_frame_name_the_labels():
    pd = pytest.importorskip("pandas")
    X, costs = drawn(3)
    frame = pd.DataFrame(costs, columns=["call", "letter", "nothing"])
    model = OptimalTreeClassifier(max_depth=2).fit(X, costs=frame)
    assert model.classes_.tolist() == ["call", "letter", "nothing"]
    assert set(model.predict(X)) <= {"call", "letter", "nothing"}
    again = OptimalTreeClassifier(max_depth=2).fit(X, costs=costs)
    assert (model.classes_[again.predict(X)] == model.predict(X)).all()


def test_with_y_the_columns_are_its_classes():
    pd = pytest.importorskip("pandas")
    X, costs = drawn(4)
    y = np.array(["b", "a", "c"])[np.arange(len(X)) % 3]
    by_place = OptimalTreeClassifier(max_depth=2).fit(X, y, costs=costs)
    by_name = OptimalTreeClassifier(max_depth=2).fit(X, y, costs=pd.DataFrame(costs, columns=["a", "b", "c"])[["c", "a", "b"]])
    assert by_place.result_.cost == by_name.result_.cost == pytest.approx(least_cost(X, costs, 2), abs=1e-9)
    assert (by_place.predict(X) == by_name.predict(X)).all()
    # The errors are those of the classes that y has.
    assert by_place.result_.errors == (by_place.predict(X) != y).sum()


def test_a_row_of_weight_two_is_two_rows():
    X, costs = drawn(5)
    weight = np.arange(len(X)) % 3
    weighted = OptimalTreeClassifier(max_depth=2).fit(X, sample_weight=weight, costs=costs)
    repeated = OptimalTreeClassifier(max_depth=2).fit(np.repeat(X, weight, axis=0), costs=np.repeat(costs, weight, axis=0))
    assert weighted.result_.cost == pytest.approx(repeated.result_.cost, abs=1e-9)


def test_heuristics_take_them_too():
    X, costs = drawn(6, rows=60)
    exact = OptimalTreeClassifier(max_depth=2).fit(X, costs=costs).result_.cost
    greedy = CARTClassifier(max_depth=2).fit(X, costs=costs).result_.cost
    planes = HyperplaneTreeClassifier(max_depth=2).fit(X, costs=costs)
    assert exact <= greedy <= costs.sum(axis=0).min()
    assert planes.result_.cost == pytest.approx(costs[np.arange(len(X)), planes.predict(X)].sum())


def test_wrong_ones_are_refused():
    X, costs = drawn(7)
    y = np.arange(len(X)) % 3
    model = OptimalTreeClassifier(max_depth=1)
    for given, said in [
        (costs[:-1], "inconsistent numbers of samples|y has shape"),
        (costs[:, :1], "two labels or more"),
        (np.where(costs > 2, np.nan, costs) * np.nan, "not finite"),
        ([["a", "b"]] * 14, "no number"),
    ]:
        with pytest.raises(ValueError, match=said):
            model.fit(X, costs=given)
    with pytest.raises(ValueError, match="13 rows of them, and 14 of X"):
        model.fit(X, y, costs=costs[:-1])
    with pytest.raises(ValueError, match="not the classes of y"):
        model.fit(X, y, costs=costs[:, :2])
    with pytest.raises(ValueError, match="requires y"):
        model.fit(X)
    with pytest.raises(ValueError, match="class_weight"):
        OptimalTreeClassifier(class_weight="balanced").fit(X, y, costs=costs)
    with pytest.raises(ValueError, match="cannot minimize costs"):
        SVM1TreeClassifier().fit(X, y, costs=costs)
    assert not hasattr(model, "classes_")


def test_the_report_of_a_policy():
    pd = pytest.importorskip("pandas")
    X, costs = drawn(3, rows=40)
    frame = pd.DataFrame(costs, columns=["call", "letter", "nothing"])
    model = OptimalTreeClassifier(max_depth=2).fit(X[:30], costs=frame[:30])
    page = model.report(X=X[:30], costs=frame[:30], X_test=X[30:], costs_test=frame[30:])
    assert "On the training rows: " in page and "On the test rows: " in page
    # The columns are found by their names; without a frame they stand in the order of classes_.
    assert page == model.report(X=X[:30], costs=frame[:30], X_test=X[30:], costs_test=frame[30:][["nothing", "call", "letter"]])
    assert page == model.report(X=X[:30], costs=frame[:30], X_test=X[30:], costs_test=costs[30:])
    with pytest.raises(ValueError, match="costs_test: there are 9 rows of them, and 10 of X_test"):
        model.report(X_test=X[30:], costs_test=costs[31:])
    with pytest.raises(ValueError, match="X_test needs y_test, or costs_test"):
        model.report(X_test=X[30:])
