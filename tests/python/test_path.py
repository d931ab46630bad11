"""The complexity path, and cross-validation on it."""

import pickle
import warnings

import numpy as np
import pytest

from treewright import (
    CARTClassifier,
    HyperplaneTreeClassifier,
    HyperplaneTreeClassifierCV,
    OptimalityWarning,
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
)

pytest.importorskip("sklearn")

from sklearn.datasets import load_iris
from sklearn.metrics import accuracy_score
from sklearn.model_selection import RepeatedStratifiedKFold, StratifiedKFold

X, Y = load_iris(return_X_y=True)


def test_path_is_the_hull_of_all_budgets():
    path = OptimalTreeClassifier(max_depth=3).cost_complexity_pruning_path(X, Y)
    assert path.status == "optimal"
    limits = [{"max_depth": 0}, *({"max_depth": 3, "max_leaf_nodes": leaves} for leaves in range(2, 9))]
    errors = [OptimalTreeClassifier(**limit).fit(X, Y).result_.errors for limit in limits]
    for alpha, splits, wrong in zip(path.ccp_alphas, path.splits, path.errors):
        assert errors[splits] == wrong
        # No budget is cheaper at this price.
        assert wrong / 100 + alpha * splits <= min(e / 100 + alpha * k for k, e in enumerate(errors)) + 1e-12
    assert (np.diff(path.ccp_alphas) > 0).all()
    assert (np.diff(path.splits) < 0).all()
    assert path.splits[-1] == 0
    assert np.allclose(path["impurities"], path.errors / 150)


def test_path_trees_come_out_of_fit():
    path = OptimalTreeClassifier(max_depth=2).cost_complexity_pruning_path(X, Y)
    highs = [*path.ccp_alphas[1:], path.ccp_alphas[-1] + 1]
    for low, high, splits in zip(path.ccp_alphas, highs, path.splits):
        tree = OptimalTreeClassifier(max_depth=2, ccp_alpha=(low + high) / 2).fit(X, Y)
        assert tree.get_n_leaves() == splits + 1


def test_path_of_cart_is_scikit_learns():
    from sklearn.tree import DecisionTreeClassifier

    ours = CARTClassifier(max_depth=10).cost_complexity_pruning_path(X, Y)
    theirs = DecisionTreeClassifier(random_state=0, max_depth=10).fit(X, Y).cost_complexity_pruning_path(X, Y)
    assert ours.status == "heuristic"
    assert ours.ccp_alphas[-1] == pytest.approx(theirs.ccp_alphas[-1])


def test_path_leaves_the_estimator_alone():
    tree = OptimalTreeClassifier(max_depth=1)
    tree.cost_complexity_pruning_path(X, Y)
    assert not hasattr(tree, "classes_")


def test_path_tells_a_limit():
    with pytest.warns(OptimalityWarning, match="node limit"):
        path = OptimalTreeClassifier(max_depth=3, run={"node_limit": 3}).cost_complexity_pruning_path(X, Y)
    assert path.status == "node_limit"


@pytest.fixture(scope="module")
def tuned():
    return OptimalTreeClassifierCV(max_depths=(1, 2, 3), cv=StratifiedKFold(4)).fit(X, Y)


def test_cv_scores_are_those_of_refitting(tuned):
    results = tuned.cv_results_
    for depth, low, high, score in zip(*(results[name] for name in ("max_depth", "alpha_low", "alpha_high", "mean_test_score"))):
        alpha = (low + high) / 2 if np.isfinite(high) else low + 1
        scores = []
        for train, test in StratifiedKFold(4).split(X, Y):
            tree = OptimalTreeClassifier(max_depth=depth, ccp_alpha=alpha).fit(X[train], Y[train])
            # Trees of equal objective may label new rows differently: only the size and the errors are unique.
            scores.append(accuracy_score(Y[test], tree.predict(X[test])))
        assert score == pytest.approx(np.mean(scores), abs=0.03)
    assert tuned.best_score_ == results["mean_test_score"].max()


def test_cv_keeps_the_tree_of_all_rows(tuned):
    again = OptimalTreeClassifier(**tuned.best_params_).fit(X, Y)
    assert tuned.get_n_leaves() == again.get_n_leaves()
    assert tuned.result_.errors == again.result_.errors
    assert tuned.status_ == "optimal"
    assert tuned.check(X, Y) == []
    assert np.array_equal(pickle.loads(pickle.dumps(tuned)).predict(X), tuned.predict(X))


def test_cv_in_processes_is_the_same(tuned):
    other = OptimalTreeClassifierCV(max_depths=(1, 2, 3), cv=StratifiedKFold(4), n_jobs=2).fit(X, Y)
    assert other.best_params_ == tuned.best_params_
    assert np.array_equal(other.cv_results_["mean_test_score"], tuned.cv_results_["mean_test_score"])
    assert np.array_equal(other.tree_.threshold, tuned.tree_.threshold)


def test_cv_with_weights_scoring_and_frames():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame(X, columns=list("abcd")).assign(kind=pd.Categorical(np.where(X[:, 0] > 5.5, "long", "short")))
    weights = np.where(Y == 0, 0.0, 1.0)
    model = OptimalTreeClassifierCV(max_depths=(1,), cv=3, scoring="balanced_accuracy").fit(frame, Y, sample_weight=weights)
    assert model.result_.total_weight == 100
    assert model.best_params_["max_depth"] == 1
    assert model.classes_.tolist() == [0, 1, 2]
    assert model.check(frame, Y, sample_weight=weights) == []


def test_cv_repeated(capsys):
    folds = RepeatedStratifiedKFold(n_splits=3, n_repeats=2)  # unseeded: all depths must get one and the same draw
    model = OptimalTreeClassifierCV(max_depths=(1, 2), cv=folds, verbose=True).fit(X, Y)
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    for depth in (1, 2):
        assert {int(line[0]) for line in lines if line[-1] == f"max_depth={depth}"} == set(range(1, 7))
    # The tree of one leaf is in both paths, and has one score on a fold.
    leaf = {depth: [line for line in lines if line[1] == "0" and line[-1] == f"max_depth={depth}"] for depth in (1, 2)}
    assert [line[4:6] for line in leaf[1]] == [line[4:6] for line in leaf[2]]
    assert model.check(X, Y) == []


def test_cv_prints_the_table_of_the_command(capsys):
    OptimalTreeClassifierCV(max_depths=(2, 1), cv=2, verbose=True).fit(X, Y)
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["fold", "splits", "errors", "alpha", "score", "features", "status", "setting"]
    told = [(line.split()[-1], int(line.split()[0])) for line in lines]
    assert set(told) == {("max_depth=1", 1), ("max_depth=1", 2), ("max_depth=2", 1), ("max_depth=2", 2)}
    assert told == sorted(told)


def test_cv_of_a_method_without_a_path_chooses_the_depth_alone():
    model = HyperplaneTreeClassifierCV(method="cart-h", max_depths=(0, 1), cv=3).fit(X, Y)
    assert model.best_params_ == {"max_depth": 1, "svm_cost": 1}
    assert model.path_status_ == "heuristic"
    assert model.result_.alpha == 0


def test_cv_tries_the_depth_that_many_classes_need():
    X = np.repeat(np.arange(10.0), 6).reshape(-1, 1)
    with warnings.catch_warnings(record=True):
        tuned = OptimalTreeClassifierCV(cv=3).fit(X, X[:, 0])
    assert tuned.best_params_["max_depth"] == "auto" and tuned.best_score_ == 1 and set(tuned.cv_results_["max_depth"]) == {1, 2, 3, 5}
    few = OptimalTreeClassifierCV(cv=3).fit(X, X[:, 0] > 4)
    assert few.best_params_["max_depth"] == 1 and set(few.cv_results_["max_depth"]) == {1, 2, 3}


def test_cv_needs_a_depth():
    with pytest.raises(ValueError, match="max_depths"):
        OptimalTreeClassifierCV(max_depths=()).fit(X, Y)


def test_grid_search_and_cross_validation_run():
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV, cross_val_score

    grid = GridSearchCV(OptimalTreeClassifier(), {"max_depth": [1, 2], "ccp_alpha": [0, 0.1]}, cv=3, n_jobs=2).fit(X, Y)
    assert grid.best_params_["max_depth"] == 2
    assert cross_val_score(clone(grid.best_estimator_), X, Y, cv=3).mean() > 0.9


def test_cv_scores_count_the_weights_of_classes():
    """As in training: without them the rare class, which no plain tree finds, would not matter."""
    random = np.random.default_rng(9)
    rows = random.normal(size=(300, 3))
    rare = (rows[:, 0] + random.normal(size=300) > 2).astype(int)
    balanced = OptimalTreeClassifierCV(max_depths=(1, 2), class_weight="balanced").fit(rows, rare)
    share = np.mean(rare)
    weights = np.where(rare == 1, 0.5 / share, 0.5 / (1 - share))
    by_rows = OptimalTreeClassifierCV(max_depths=(1, 2)).fit(rows, rare, sample_weight=weights)
    assert balanced.best_score_ == pytest.approx(by_rows.best_score_, abs=0.02)  # the folds weigh classes by their own rows
    assert balanced.result_.splits > 0
    given = OptimalTreeClassifierCV(max_depths=(1, 2), class_weight={0: 1, 1: 7}).fit(rows, rare)
    same = OptimalTreeClassifierCV(max_depths=(1, 2)).fit(rows, rare, sample_weight=np.where(rare == 1, 7.0, 1.0))
    assert given.best_score_ == same.best_score_
    assert given.best_params_ == same.best_params_


def test_cv_of_hyperplanes_trains_the_last_tree_as_those_of_the_folds():
    for cost in ({}, {"svm_cost": None}):
        model = HyperplaneTreeClassifierCV(method="tao", max_depths=(1,), restarts=0, **cost).fit(X, Y)
        same = HyperplaneTreeClassifier(method="tao", max_depth=1, restarts=0, svm_cost=1).fit(X, Y)
        assert np.array_equal(model.tree_.threshold, same.tree_.threshold)
        assert model.result_.selection == ""
