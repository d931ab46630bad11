"""What users hand over in unusual ways: views, columns of labels, names of classes that a part of the data lacks, durations."""

import copy
import json
import re

import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")

from sklearn.datasets import load_iris
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold, KFold, LeaveOneOut, cross_val_score

import treewright
from treewright import (
    FairTreeClassifier,
    HyperplaneTreeClassifierCV,
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    PartitionTreeClassifier,
)

X, y = load_iris(return_X_y=True)


@pytest.mark.parametrize("beside", ["i4", "i1", "f8"])
@pytest.mark.parametrize("packed", [True, False])
def test_a_view_of_records_is_read_as_it_is(beside, packed):
    records = np.zeros(len(X), np.dtype([("label", beside), ("x", "f8", (4,))], align=not packed))
    records["x"] = X
    plain = OptimalTreeClassifier(max_depth=2).fit(X, y)
    model = OptimalTreeClassifier(max_depth=2).fit(records["x"], y)
    assert model.objective_ == plain.objective_
    assert (plain.predict(records["x"]) == plain.predict(X)).all()


def test_views_of_other_orders_are_read_as_they_are():
    plain = OptimalTreeClassifier(max_depth=2).fit(X, y)
    for view in (np.asfortranarray(X), X[::-1][::-1], np.repeat(X, 2, axis=0)[::2], X.astype(">f8"), X.astype(np.float32)):
        assert OptimalTreeClassifier(max_depth=2).fit(view, y).objective_ == plain.objective_


def test_scores_that_are_no_numbers_are_an_error():
    two = y[:100]
    model = OptimalTreeClassifierCV(max_depths=(1,), cv=LeaveOneOut(), scoring=lambda tree, rows, labels: float("nan"))
    with pytest.raises(ValueError, match="scoring: the score on fold 0 is no number"):
        model.fit(X[:100:10], two[::10])


def test_the_library_refuses_scores_that_are_no_numbers():
    from treewright._core import ScoredTree, choose

    for scores in ([np.nan], [0.5, np.nan]):
        trees = [ScoredTree(setting, 0, 0.0, np.inf, score, 1) for setting, score in enumerate(scores)]
        with pytest.raises(ValueError, match="score"):
            choose(trees, "best")


def test_few_features_at_costs_that_are_little_more():
    from treewright._core import ScoredTree, choose

    trees = [ScoredTree(0, 0, 0.0, 0.5, -0.100, 5), ScoredTree(0, 0, 0.5, np.inf, -0.101, 1)]
    assert choose(trees, "sparse-cost").step.features == 1
    assert choose(trees, "sparse").step.features == 5
    assert "least mean cost (0.1)" in choose(trees, "best-cost").why


@pytest.mark.parametrize("labels, problem", [(y[:3], "3 labels"), (np.append(y, 0), "151 labels"), (["no"] * 150, "'no'")])
def test_labels_of_test_rows_are_one_each(labels, problem):
    model = OptimalTreeClassifier(max_depth=1).fit(X, y)
    with pytest.raises(ValueError, match=problem):
        model.report(None, X, y, X_test=X, y_test=labels)


def test_labels_of_test_rows_may_be_a_column():
    model = OptimalTreeClassifier(max_depth=1).fit(X, y)
    assert model.report(None, X, y, X_test=X, y_test=y) == model.report(None, X, y, X_test=X, y_test=y.reshape(-1, 1))


def test_hyperplane_methods_without_a_cost_are_tuned():
    tuned = HyperplaneTreeClassifierCV(method="local", max_depths=(1,), cv=2).fit(X, y)
    assert "svm_cost" not in tuned.best_params_
    assert HyperplaneTreeClassifierCV(method="tao", max_depths=(1,), cv=2).fit(X, y).best_params_["svm_cost"] == 1


def test_best_parameters_give_the_same_tree():
    for method in ("oct-h", "tao"):
        tuned = HyperplaneTreeClassifierCV(method=method, max_depths=(1, 2), cv=2).fit(X, y)
        alone = tuned._single(method=method, **tuned.best_params_).fit(X, y)
        assert (alone.predict(X) == tuned.predict(X)).all()


def test_classes_of_a_file_are_sorted(tmp_path):
    two, labels = X[:100], np.array(["yes", "no"])[y[:100]]
    model = OptimalTreeClassifier(max_depth=2).fit(two, labels)
    # As R writes factors whose levels are not sorted.
    whole = json.loads(model.to_json())
    whole.pop("checksum", None)
    whole["tree"]["classes"] = ["yes", "no"]
    for node in whole["tree"]["nodes"]:
        node["label"] = 1 - node["label"]
        node["class_weight"].reverse()
    file = tmp_path / "tree.json"
    file.write_text(json.dumps(whole))
    read = treewright.load(file)
    assert list(read.classes_) == ["no", "yes"]
    assert (read.predict(two) == labels).all()
    assert np.allclose(read.predict_proba(two), model.predict_proba(two))
    assert roc_auc_score(labels, read.predict_proba(two)[:, 1]) == 1
    values, average = read.shapley_values(two[:5])
    expected = model.shapley_values(two[:5])
    assert np.allclose(values, expected[0]) and np.allclose(average, expected[1])
    assert read.counterfactual(two).label == model.counterfactual(two).label
    assert (treewright.to_sklearn(read, two).predict_proba(two) == treewright.to_sklearn(model, two).predict_proba(two)).all()
    assert (copy.deepcopy(read).predict(two) == labels).all()


def test_the_tree_beside_the_report_keeps_the_limit_on_leaves():
    rows = np.random.default_rng(0).normal(size=(80, 4))
    labels = (rows[:, 0] * rows[:, 1] > 0).astype(int)
    for leaves in (2, 3, None):
        page = OptimalTreeClassifier(max_depth=2, max_leaf_nodes=leaves).fit(rows, labels).report(None, rows, labels)
        table = re.sub("<[^>]*>", " ", page.partition("Compared with")[2])
        assert re.search(r"splits\s+(\d+)\s+(\d+)\s+0\s", table).groups() == (str((leaves or 4) - 1),) * 2


def test_a_column_of_labels_can_be_tuned():
    column = y.reshape(-1, 1)
    for more in ({"class_weight": "balanced"}, {"cost_matrix": 1 - np.eye(3)}):
        with pytest.warns(Warning, match="column-vector"):
            model = OptimalTreeClassifierCV(max_depths=(1,), cv=2, **more).fit(X, column)
        assert model.predict(X).shape == (150,)


def test_classes_that_a_part_lacks_may_be_named():
    weights = {0: 1, 1: 2, 2: 1}
    assert np.isfinite(cross_val_score(OptimalTreeClassifier(max_depth=1, class_weight=weights), X, y, cv=KFold(3))).all()
    prices = {truth: {label: float(truth != label) for label in range(3)} for truth in range(3)}
    assert np.isfinite(cross_val_score(OptimalTreeClassifier(max_depth=1, cost_matrix=prices), X, y, cv=KFold(3))).all()
    OptimalTreeClassifierCV(max_depths=(1,), class_weight={2: 3}, cv=KFold(3)).fit(X, y)
    with pytest.raises(ValueError, match="class_weight: no row is of class 7"):
        OptimalTreeClassifier(class_weight={7: 2}).fit(X, y)
    with pytest.raises(TypeError, match="class_weight"):
        OptimalTreeClassifier(class_weight=[1, 2, 3]).fit(X, y)


def test_trade_offs_take_equal_labels_and_the_usual_depth():
    two = (y[50:] == 2).astype(float)
    found = OptimalTreeClassifier(max_depth=1).trade_off(X[50:], two, positive=1)
    assert found.status == "optimal"
    with pytest.raises(TypeError, match="keep its estimators"):
        copy.deepcopy(found)
    assert len(copy.deepcopy(found.estimators)) == len(found)
    assert "CART" in OptimalTreeClassifier().trade_off(X[50:], two).compare(X[50:], two)


def test_splits_may_be_lists_or_masks():
    rows = np.arange(150)
    weights = np.ones(150)
    lists = [(rows[rows % 2 == part].tolist(), rows[rows % 2 != part].tolist()) for part in (0, 1)]
    masks = [(rows % 2 == part, rows % 2 != part) for part in (0, 1)]
    scores = {OptimalTreeClassifierCV(max_depths=(1, 2), cv=cv).fit(X, y, weights).best_score_ for cv in (lists, masks)}
    assert len(scores) == 1


def test_a_fold_without_weight_is_named():
    weights = np.ones(150)
    weights[:50] = 0
    with pytest.raises(ValueError, match="cv: all rows that fold 0 keeps aside"):
        OptimalTreeClassifierCV(max_depths=(1,), cv=KFold(3)).fit(X, y, weights)


@pytest.mark.parametrize("depths", [(1.7,), "12", (-1,), (True,)])
def test_depths_are_whole_numbers(depths):
    with pytest.raises(ValueError, match="max_depths"):
        OptimalTreeClassifierCV(max_depths=depths).fit(X, y)


def test_groups_are_told_to_be_missing():
    with pytest.raises(ValueError, match="groups"):
        OptimalTreeClassifierCV(max_depths=(1,), cv=GroupKFold(2)).fit(X, y)


@pytest.mark.parametrize("shrinkage, problem", [(-1, ValueError), (float("nan"), ValueError), ("a", TypeError)])
def test_shrinkage_is_checked_by_fit(shrinkage, problem):
    with pytest.raises(problem, match="shrinkage"):
        OptimalTreeClassifier(shrinkage=shrinkage).fit(X, y)


def test_warnings_say_what_is_so(recwarn):
    groups = np.column_stack([X[50:], np.arange(100) % 2])
    try:
        FairTreeClassifier(max_depth=1, protected_column="x4", fairness=0.1).fit(groups, y[50:])
    except ValueError as refused:
        assert "has no HiGHS" in str(refused)
        pytest.skip("this build has no HiGHS")
    assert not [warning for warning in recwarn if issubclass(warning.category, treewright.OptimalityWarning)]
    assert PartitionTreeClassifier(max_depth=1).fit(X, y).result_.gap == 0


@pytest.mark.parametrize("bad", ["a\0b", "a\ud800"])
def test_names_of_columns_and_categories_are_whole(bad):
    pd = pytest.importorskip("pandas")
    with pytest.raises(ValueError, match=r"the name of column|surrogates"):
        OptimalTreeClassifier().fit(pd.DataFrame({bad: [1.0, 2.0, 3.0, 4.0]}), [0, 1, 0, 1])
    with pytest.raises(ValueError, match=r"the category|surrogates"):
        OptimalTreeClassifier().fit(pd.DataFrame({"x": pd.Categorical([bad, "b", bad, "b"])}), [0, 1, 0, 1])


def test_durations_are_days():
    pd = pytest.importorskip("pandas")
    days = np.arange(1.0, 21.0)
    labels = (days > 8.5).astype(int)
    table = pd.DataFrame({"d": pd.to_timedelta(days, unit="D")})
    model = OptimalTreeClassifier(max_depth=1).fit(table, labels)
    assert model.tree_.threshold[0] == pytest.approx(8.5)
    assert model.score(table.astype("timedelta64[s]"), labels) == 1
    array = (days * 86400).astype("timedelta64[s]").reshape(-1, 1)
    assert OptimalTreeClassifier(max_depth=1).fit(array, labels).tree_.threshold[0] == pytest.approx(8.5)


def test_actions_keep_their_types():
    pd = pytest.importorskip("pandas")
    costs = pd.DataFrame([[0.0, 1.0], [1.0, 0.0]] * 10, columns=["b", 1])
    model = OptimalTreeClassifier(max_depth=1).fit(np.arange(20.0).reshape(-1, 1) % 2, costs=costs)
    assert set(model.predict([[0.0], [1.0]])) == {"b", 1}
