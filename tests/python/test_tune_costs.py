"""Costs of labels where many trees are compared: the path, tuning by cross-validation, and auto."""

import numpy as np
import pytest

from treewright import AutoTreeClassifier, OptimalTreeClassifier, OptimalTreeClassifierCV

pytest.importorskip("sklearn")


@pytest.fixture
def rows():
    random = np.random.default_rng(5)
    X = random.integers(0, 6, (90, 3)).astype(float)
    y = np.array(["calm", "loud", "wild"])[(X[:, 0] > 2).astype(int) + (X[:, 1] > 3) * (random.random(90) < 0.8)]
    return X, y


MATRIX = {"calm": {"loud": 1, "wild": 2}, "loud": {"calm": 4, "wild": 1}, "wild": {"calm": 9, "loud": 3}}


def costs_of_rows(y):
    return np.array([[MATRIX[truth].get(label, 0.0) for label in ("calm", "loud", "wild")] for truth in y])


def mean_cost(model, X, costs):
    labels = ["calm", "loud", "wild"]
    return np.mean([line[labels.index(label)] for line, label in zip(costs, model.predict(X), strict=True)])


def splits_of(y):
    from sklearn.model_selection import StratifiedKFold

    return list(StratifiedKFold(3).split(np.zeros(len(y)), y))


def test_the_score_is_minus_the_mean_cost_on_rows_kept_aside(rows):
    X, y = rows
    costs, folds = costs_of_rows(y), splits_of(y)
    model = OptimalTreeClassifierCV(max_depths=(1, 2), cv=folds, cost_matrix=MATRIX).fit(X, y)
    assert model.best_score_ == max(model.cv_results_["mean_test_score"]) < 0
    chosen = model.best_params_
    means = [
        -mean_cost(OptimalTreeClassifier(cost_matrix=MATRIX, **chosen).fit(X[train], y[train]), X[test], costs[test])
        for train, test in folds
    ]
    assert model.best_score_ == pytest.approx(np.mean(means), abs=0.15)  # another tree of the same cost may have been found
    assert model.result_.cost == pytest.approx(mean_cost(model, X, costs) * len(y))
    assert model.check(X, y) == []


def test_costs_by_row_score_as_the_matrix_does(rows):
    X, y = rows
    costs, folds = costs_of_rows(y), splits_of(y)
    by_matrix = OptimalTreeClassifierCV(max_depths=(1, 2), cv=folds, cost_matrix=MATRIX).fit(X, y)
    by_row = OptimalTreeClassifierCV(max_depths=(1, 2), cv=folds).fit(X, y, costs=costs)
    policy = OptimalTreeClassifierCV(max_depths=(1, 2), cv=folds).fit(X, costs=costs)
    assert by_row.best_params_ == by_matrix.best_params_ == policy.best_params_
    assert by_row.best_score_ == pytest.approx(by_matrix.best_score_) == pytest.approx(policy.best_score_)
    assert (by_row.predict(X) == by_matrix.predict(X)).all()
    assert (by_row.classes_[policy.predict(X)] == by_row.predict(X)).all()


def test_another_scoring_may_be_asked_for(rows, capsys):
    X, y = rows
    model = OptimalTreeClassifierCV(max_depths=(1,), cv=3, cost_matrix=MATRIX, scoring="accuracy", verbose=True).fit(X, y)
    assert 0 < model.best_score_ <= 1
    assert " cost " in capsys.readouterr().out.split("\n")[0]
    with pytest.raises(ValueError, match="the labels have none"):
        OptimalTreeClassifierCV(scoring="cost").fit(X, y)
    with pytest.raises(ValueError, match="there is no y"):
        OptimalTreeClassifierCV(scoring="accuracy").fit(X, costs=costs_of_rows(y))


def test_a_fold_may_lack_a_class(rows):
    X, y = rows
    y = np.where(np.arange(len(y)) < len(y) - 1, np.where(y == "wild", "loud", y), "wild")
    folds = [(np.arange(45), np.arange(45, 90)), (np.arange(45, 90), np.arange(45))]
    for fit in (lambda m: m(cost_matrix=MATRIX).fit(X, y), lambda m: m().fit(X, y, costs=costs_of_rows(y))):
        model = fit(lambda **more: OptimalTreeClassifierCV(max_depths=(1,), cv=folds, **more))
        assert model.best_score_ < 0


def test_the_path_falls_in_cost(rows):
    X, y = rows
    path = OptimalTreeClassifier(max_depth=2, cost_matrix=MATRIX).cost_complexity_pruning_path(X, y)
    by_row = OptimalTreeClassifier(max_depth=2).cost_complexity_pruning_path(X, y, costs=costs_of_rows(y))
    assert (np.diff(path.costs) > 0).all() and len(path.costs) >= 3  # from the largest tree to the root
    assert path.costs.tolist() == by_row.costs.tolist()
    assert path.status == "optimal"


def test_auto_races_by_cost(rows):
    X, y = rows
    model = AutoTreeClassifier(max_depth=2, cost_matrix=MATRIX).fit(X, y)
    results = model.cv_results_
    tried = results["n_parts"] > 0
    assert (results["mean_test_score"][tried] <= 0).all()
    assert model.result_.cost == pytest.approx(mean_cost(model, X, costs_of_rows(y)) * len(y))
    assert AutoTreeClassifier(max_depth=1).fit(X, costs=costs_of_rows(y)).result_.cost is not None


def test_the_worth_of_columns_is_a_cost(rows):
    X, y = rows
    found = OptimalTreeClassifier(max_depth=1, cost_matrix=MATRIX).column_worth(X, y)
    same = OptimalTreeClassifier(max_depth=1).column_worth(X, y, costs=costs_of_rows(y))
    assert found.never.tolist() == same.never.tolist()
    for column, never in zip(found.columns, found.never, strict=True):
        rest = np.delete(X, int(column[1:]), axis=1)
        assert OptimalTreeClassifier(max_depth=1, cost_matrix=MATRIX).fit(rest, y).result_.cost == pytest.approx(never)


def test_limits_on_leaves(rows):
    X, y = rows
    model = OptimalTreeClassifier(max_depth=2, cost_matrix=MATRIX, min_samples_leaf=20, max_leaf_nodes=3).fit(X, y)
    assert model.result_.status == "optimal"
    assert np.bincount(model.apply(X)).max() >= 20 and min(c for c in np.bincount(model.apply(X)) if c) >= 20
