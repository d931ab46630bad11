"""Estimators of numbers."""

import pickle

import numpy as np
import pytest

import treewright
from treewright import CARTRegressor, OptimalTreeRegressor, TreewrightError, check_proof, export_text, load

X = np.array([[1.0], [2.0], [3.0], [4.0]])
Y = np.array([10.0, 14.0, 40.0, 46.0])


def houses(**parameters):
    return CARTRegressor(max_depth=1, **parameters).fit(X, Y)


def test_leaves_predict_means():
    tree = houses()
    assert tree.predict(X).tolist() == [12, 12, 43, 43]
    assert tree.score(X, Y) == pytest.approx(1 - 26 / 987)
    assert tree.result_.explained == pytest.approx(tree.score(X, Y))
    assert tree.result_.loss == pytest.approx(26)
    assert np.isnan(tree.result_.errors)
    assert tree.objective_ == pytest.approx(26 / 987)
    assert tree.status_ == "heuristic"
    assert tree.check(X, Y) == []
    assert tree.check(X, [10, 14, 40, 47]) != []


def test_arrays_have_scikit_learns_meaning():
    tree = houses().tree_
    assert tree.value.tolist() == [[[27.5]], [[12]], [[43]]]
    assert tree.impurity.tolist() == [987 / 4, 4, 9]
    assert tree.weighted_n_node_samples.tolist() == [4, 2, 2]
    assert tree.class_names == () and tree.loss == "squared_error"
    assert houses().feature_importances_.tolist() == [1]


def test_texts_and_files(tmp_path):
    tree = houses()
    assert export_text(tree) == "x0 < 2.5?  [4 rows]\n|- yes: 12  (2 rows, sd 2)\n`- no:  43  (2 rows, sd 3)"
    assert "R2" in tree.explain(X, 0)
    (tmp_path / "tree.json").write_text(tree.to_json())
    again = load(tmp_path / "tree.json")
    assert isinstance(again, CARTRegressor) and again.predict(X).tolist() == tree.predict(X).tolist()
    assert pickle.loads(pickle.dumps(tree)).predict(X).tolist() == tree.predict(X).tolist()


def test_pictures():
    pytest.importorskip("matplotlib").use("Agg")
    assert [box.get_text().split("\n")[0] for box in treewright.plot_tree(houses(), filled=True)] == ["x0", "12", "43"]


def test_rates():
    tree = CARTRegressor(criterion="poisson", max_depth=1).fit(X, [1, 2, 0, 9], exposure=[2, 4, 1, 3])
    assert tree.predict(X).tolist() == pytest.approx([3 / 7, 3 / 7, 3 / 7, 3])
    assert export_text(tree).endswith("3  (1 row, 9 events in 3)")
    with pytest.raises(ValueError, match="only criterion='poisson' reads it"):
        CARTRegressor().fit(X, Y, exposure=[1, 1, 1, 1])
    with pytest.raises(TreewrightError, match="fewer than 0 events"):
        CARTRegressor(criterion="poisson").fit(X, -Y)
    with pytest.raises(ValueError, match="criterion: 'gini' is not known"):
        CARTRegressor(criterion="gini").fit(X, Y)


def test_rates_are_scored_by_their_exposure():
    X, events, years = np.array([[1.0], [2.0], [3.0], [4.0]]), np.array([2, 4, 1, 9]), np.array([2.0, 4.0, 1.0, 3.0])
    tree = CARTRegressor(criterion="poisson", max_depth=1).fit(X, events, exposure=years)
    rates, predicted = events / years, tree.predict(X)
    mean = np.average(rates, weights=years)
    expected = 1 - np.average((rates - predicted) ** 2, weights=years) / np.average((rates - mean) ** 2, weights=years)
    assert tree.score(X, events, exposure=years) == pytest.approx(expected, abs=1e-12)
    assert tree.score(X, events, [1, 1, 1, 1], years) == tree.score(X, events, exposure=years)
    with pytest.raises(ValueError, match="above 0"):
        tree.score(X, events, exposure=[1, 1, 0, 1])
    with pytest.raises(ValueError, match="only criterion='poisson' reads it"):
        CARTRegressor().fit(X, events).score(X, events, exposure=years)


def test_shapley_values_add_up():
    tree = CARTRegressor(max_depth=3).fit(np.c_[X, X[::-1] ** 2], Y)
    values, average = tree.shapley_values(np.c_[X, X[::-1] ** 2])
    assert values.sum(axis=1) + average == pytest.approx(tree.predict(np.c_[X, X[::-1] ** 2]))


def test_weights_are_repeated_rows():
    random = np.random.default_rng(3)
    x, y, w = random.normal(size=(60, 3)), random.normal(size=60), random.integers(0, 4, 60)
    weighted = CARTRegressor(max_depth=3).fit(x, y, sample_weight=w)
    repeated = CARTRegressor(max_depth=3).fit(np.repeat(x, w, axis=0), np.repeat(y, w))
    assert weighted.predict(x) == pytest.approx(repeated.predict(x))


def test_as_scikit_learn():
    tree = pytest.importorskip("sklearn.tree")
    random = np.random.default_rng(4)
    x = random.normal(size=(300, 4)).astype(np.float32).astype(float)
    y = x[:, 0] ** 2 + np.sin(3 * x[:, 1]) + 0.1 * random.normal(size=300)
    for depth in (1, 3, 6):
        theirs = tree.DecisionTreeRegressor(max_depth=depth, min_samples_leaf=3).fit(x, y)
        assert CARTRegressor(max_depth=depth, min_samples_leaf=3).fit(x, y).score(x, y) == pytest.approx(theirs.score(x, y))
    pruned = tree.DecisionTreeRegressor(ccp_alpha=0.01 * y.var()).fit(x, y)
    assert CARTRegressor(ccp_alpha=0.01).fit(x, y).get_n_leaves() == pruned.get_n_leaves()


def test_what_is_about_classes_is_refused():
    tree = houses()
    with pytest.raises(ValueError, match="to_sklearn: the tree predicts numbers"):
        treewright.to_sklearn(tree, X)
    with pytest.raises(TreewrightError, match="sql-probabilities writes trees that predict classes"):
        tree.export("sql-probabilities")
    with pytest.raises(TreewrightError, match="all its numbers are equal"):
        CARTRegressor().fit(X, [1.0, 1.0, 1.0, 1.0])
    with pytest.raises(ValueError, match="NaN"):
        CARTRegressor().fit(X, [1.0, np.nan, 1.0, 2.0])


def test_optimal_trees_are_proved():
    random = np.random.default_rng(5)
    x = random.normal(size=(120, 3)).round(2)
    y = np.sign(x[:, 0] * x[:, 1]) + 0.2 * random.normal(size=120)  # the first split gains nothing: CART is lost
    tree = OptimalTreeRegressor(max_depth=2, n_jobs=2).fit(x, y)
    assert tree.status_ == "optimal" and tree.gap_ < 1e-8
    assert tree.score(x, y) > 0.9 > CARTRegressor(max_depth=2).fit(x, y).score(x, y)
    assert tree.check(x, y) == []
    assert OptimalTreeRegressor(max_depth=2, ccp_alpha=0.9).fit(x, y).get_n_leaves() == 1
    assert OptimalTreeRegressor(max_depth=2, max_leaf_nodes=3).fit(x, y).get_n_leaves() <= 3
    rates = OptimalTreeRegressor(criterion="poisson", max_depth=2).fit(x, random.poisson(np.exp(y)), exposure=1 + x[:, 2] ** 2)
    assert rates.status_ == "optimal" and rates.result_.explained > 0


def test_trees_begin_with_given_splits():
    top = {"column": "x0", "below": 3.5, "left": ..., "right": "leaf"}
    tree = OptimalTreeRegressor(max_depth=2).fit(X, Y, top=top)
    assert export_text(tree).startswith("x0 < 3.5?  [4 rows]\n|- yes: x0 < 2.5?") and tree.status_ == "optimal"
    assert tree.result_.loss == pytest.approx(8.0)
    with pytest.raises(TypeError, match="top"):
        OptimalTreeRegressor().fit(X, Y, top={"column": "x0", "below": 3.5, "left": object(), "right": "leaf"})


@pytest.mark.parametrize("unit", ["datetime64[ns]", "timedelta64[D]"])
def test_dates_are_no_numbers(unit):
    moments = np.array([1, 2, "NaT", 4], dtype=unit)
    with pytest.raises(ValueError, match="dates and durations are no numbers"):
        OptimalTreeRegressor().fit(X, moments)
    with pytest.raises(ValueError, match="NaT"):
        treewright.OptimalTreeClassifier().fit(X, moments)


def test_squared_error_has_proofs(tmp_path):
    rows = np.random.default_rng(5).normal(size=(60, 3))
    y = rows[:, 0].round() + 0.1 * rows[:, 1]
    tree = OptimalTreeRegressor(max_depth=2, run={"proof": tmp_path / "y.proof", "verify": True}).fit(rows, y)
    assert tree.result_.verified
    assert (tmp_path / "y.proof").read_bytes().startswith(b"treewright proof 1\n")
    table = tree.proof_table(rows, y)
    assert table.startswith("treewright table 1\nnumber ")
    assert '\ntarget "' in table


def test_rates_have_proofs_that_the_program_checks(tmp_path):
    rows, counts = np.random.default_rng(5).normal(size=(60, 3)), np.arange(60)
    tree = OptimalTreeRegressor(max_depth=2, criterion="poisson", run={"proof": tmp_path / "y.proof", "verify": True}).fit(rows, counts)
    assert tree.result_.verified
    table = tree.proof_table(rows, counts)
    assert '\npoisson "' in table
    (tmp_path / "y.tw").write_text(table)
    with pytest.raises(check_proof.Refused, match="checked by 'treewright check --proof' alone"):
        check_proof.verify(tmp_path / "y.tw", tmp_path / "y.proof")


def test_the_table_of_rates_has_their_exposure(tmp_path):
    rows, counts, years = np.random.default_rng(5).normal(size=(60, 3)), np.arange(60), np.arange(1, 61) / 2
    tree = OptimalTreeRegressor(max_depth=1, criterion="poisson", run={"proof": tmp_path / "y.proof"}).fit(rows, counts, exposure=years)
    table = tree.proof_table(rows, counts, exposure=years)
    assert table.splitlines()[-1].endswith(" 30 59")
    header = (tmp_path / "y.proof").read_text(encoding="latin-1").split("\n")[1]
    assert f'"table":"{check_proof.fnv1a(table.encode())}"' in header


def test_the_target_is_called_y():
    """The library's word for a target without a name is that of a class."""
    X, y = np.arange(12.0).reshape(-1, 1), np.repeat([0.0, 1.0], 6)
    with pytest.raises(TreewrightError, match=r"^y: holds 1e\+200") as refused:
        OptimalTreeRegressor(max_depth=1).fit(X, 1e200 * y)
    assert refused.value.where == "y"
    assert "Predicting number" in OptimalTreeRegressor(max_depth=1).fit(X, y).report(X=X, y=y)


def test_runs_keep_checkpoints(tmp_path):
    random = np.random.default_rng(3)
    rows, path = random.uniform(size=(150, 4)), tmp_path / "run.jsonl"
    y = rows[:, 0] * rows[:, 1] + random.uniform(size=150)
    whole = OptimalTreeRegressor(max_depth=4).fit(rows, y)
    kept = OptimalTreeRegressor(max_depth=4, run={"checkpoint": path}).fit(rows, y)
    with pytest.raises(TreewrightError, match="exists"):
        OptimalTreeRegressor(max_depth=4, run={"checkpoint": path}).fit(rows, y)
    again = OptimalTreeRegressor(max_depth=4, run={"checkpoint": path, "on_existing": "resume"}).fit(rows, y)
    assert export_text(kept) == export_text(again) == export_text(whole)
    assert kept.objective_ == again.objective_ == whole.objective_
