"""OptimalSurvivalTree."""

import pickle

import numpy as np
import pytest

import treewright
from treewright import OptimalSurvivalTree, check_proof, load

KIND = [("event", bool), ("time", float)]
X = np.array([[1.0], [2.0], [3.0], [4.0]])
Y = np.array([(True, 1), (True, 2), (True, 8), (True, 9)], dtype=KIND)


def drawn(rows=60, seed=1):
    """Times that are short above 0.5 in the first column, a third of them censored."""
    random = np.random.default_rng(seed)
    values = random.uniform(size=(rows, 3)).round(2)
    times = random.exponential(np.where(values[:, 0] > 0.5, 1, 6)).round(1)
    y = np.empty(rows, dtype=KIND)
    y["event"], y["time"] = random.uniform(size=rows) > 0.3, times
    return values, y


def concordance(risk, y):
    """By every pair."""
    pairs = right = 0.0
    for i in np.flatnonzero(y["event"]):
        for j in range(len(y)):
            if y["time"][i] < y["time"][j] or (y["time"][i] == y["time"][j] and not y["event"][j]):
                pairs += 1
                right += 1 if risk[i] > risk[j] else 0.5 if risk[i] == risk[j] else 0
    return right / pairs


def test_leaves_predict_hazards_relative_to_all_rows():
    tree = OptimalSurvivalTree(max_depth=1).fit(X, Y)
    # All rows expect 1/4, 1/4 + 1/3, ... events at their times; the left leaf has two events and expects 5/6 of one.
    assert tree.predict(X) == pytest.approx([2.4, 2.4, 12 / 19, 12 / 19])
    assert tree.status_ == "optimal" and tree.bound_ == pytest.approx(tree.objective_)
    assert tree.tree_.loss == "survival"
    assert tree.check(X, Y) == []
    assert tree.check(X, Y[::-1]) != []
    assert "2 events, 0.833 expected" in treewright.export_text(tree)


def test_trees_begin_with_given_splits():
    values, y = drawn()
    top = {"column": "x1", "below": 0.5, "left": ..., "right": ...}
    tree = OptimalSurvivalTree(max_depth=2).fit(values, y, top=top)
    free = OptimalSurvivalTree(max_depth=2).fit(values, y)
    assert treewright.export_text(tree).startswith("x1 < 0.5?") and tree.status_ == "optimal"
    assert free.result_.loss < tree.result_.loss


def test_the_table_of_a_proof_holds_what_rows_expect(tmp_path):
    tree = OptimalSurvivalTree(max_depth=1, run={"proof": tmp_path / "y.proof"}).fit(X, Y)
    table = tree.proof_table(X, Y)
    assert table.splitlines()[-4] == "1 0.25 1"
    header = (tmp_path / "y.proof").read_text(encoding="latin-1").split("\n")[1]
    assert f'"table":"{check_proof.fnv1a(table.encode())}"' in header


def test_curves_are_those_of_the_leaves():
    tree = OptimalSurvivalTree(max_depth=1).fit(X, Y)
    assert tree.unique_times_.tolist() == [1, 2, 8, 9]
    assert tree.predict_survival_function(X[[0, 3]], return_array=True).tolist() == [[0.5, 0, 0, 0], [1, 1, 0.5, 0]]
    left, right = tree.predict_survival_function(X[[0, 3]])
    assert left([0, 1, 1.5, 2]).tolist() == [1, 0.5, 0.5, 0]
    assert right(7.9) == 1 and right(8) == 0.5 and right(99) == 0


def test_score_is_the_concordance():
    values, y = drawn()
    tree = OptimalSurvivalTree(max_depth=2, min_samples_leaf=5).fit(values, y)
    assert tree.score(values, y) == pytest.approx(concordance(tree.predict(values), y))
    assert tree.score(values, y) > 0.6
    assert tree.score(values, y, sample_weight=np.full(len(y), 2.0)) == pytest.approx(tree.score(values, y))
    with pytest.raises(ValueError, match="no row is known to outlast"):
        tree.score(values[:1], y[:1])


def test_score_refuses_rows_that_do_not_fit():
    values, y = drawn()
    tree, late = OptimalSurvivalTree(max_depth=1).fit(values, y), y.copy()
    late["time"][3] = np.nan
    for rows, weights, words in [(y[:30], None, "it has 30 rows"), (late, None, "a time is missing"), (y, -np.ones(60), "below 0")]:
        with pytest.raises(ValueError, match=words):
            tree.score(values, rows, weights)


def test_a_weight_is_so_many_rows():
    values, y = drawn(20)
    weights = np.arange(20) % 3 + 1
    weighed = OptimalSurvivalTree(max_depth=2).fit(values, y, sample_weight=weights)
    repeated = OptimalSurvivalTree(max_depth=2).fit(np.repeat(values, weights, axis=0), np.repeat(y, weights))
    assert weighed.objective_ == pytest.approx(repeated.objective_)
    assert weighed.predict(values) == pytest.approx(repeated.predict(values))


def test_deeper_trees_are_no_worse_and_limits_hold():
    values, y = drawn()
    losses = [OptimalSurvivalTree(max_depth=depth).fit(values, y).objective_ for depth in (1, 2, 3)]
    assert losses == sorted(losses, reverse=True)
    assert OptimalSurvivalTree(max_depth=3, max_leaf_nodes=3).fit(values, y).get_n_leaves() <= 3
    stopped = OptimalSurvivalTree(max_depth=4, run={"node_limit": 1})
    with pytest.warns(treewright.OptimalityWarning):
        stopped.fit(values, y)
    assert stopped.bound_ <= losses[2]


def test_a_row_has_shapley_values_and_nearest_changes():
    tree = OptimalSurvivalTree(max_depth=1).fit(X, Y)
    values, average = tree.shapley_values(X[:1])
    assert values.sum() + average == pytest.approx(tree.predict(X[:1])[0])
    found = tree.counterfactual(X, 0, below=1)
    assert found.label == pytest.approx(12 / 19) and found.changes[0].new == pytest.approx(2.5)


def test_the_page_has_curves_events_and_concordance(tmp_path):
    values, y = drawn()
    tree = OptimalSurvivalTree(max_depth=2, min_samples_leaf=8).fit(values, y)
    page = tree.report(tmp_path / "page.html", values, y, X_test=values[::2], y_test=y[::2], with_rows=True, title="A <b> & c")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == page
    assert page.count('class="curve c0"') >= 4, "box, both pictures, legends"
    assert f"<td>{tree.score(values, y):.4f} <span" in page, "the concordance with its interval"
    assert "A &lt;b&gt; &amp; c" in page
    for words in ("events seen", "half by", "concordance on test rows", "when the event was seen"):
        assert words in page
    bare = tree.report()
    assert bare.count('class="curve c1"') >= 2, "the tree has its curves"
    with pytest.raises(ValueError, match="X_test needs y_test"):
        tree.report(X_test=values)
    with pytest.raises(ValueError, match="y_test has 3 numbers, and X_test 60 rows"):
        tree.report(X_test=values, y_test=y[:3])


def test_files_and_pickles(tmp_path):
    tree = OptimalSurvivalTree(max_depth=1).fit(X, Y)
    (tmp_path / "tree.json").write_text(tree.to_json())
    for again in (load(tmp_path / "tree.json"), pickle.loads(pickle.dumps(tree))):
        assert isinstance(again, OptimalSurvivalTree)
        assert again.predict(X).tolist() == tree.predict(X).tolist()
        curves, same = (one.predict_survival_function(X, return_array=True) for one in (tree, again))
        assert curves.tolist() == same.tolist()


@pytest.mark.parametrize(
    ("y", "words"),
    [
        ([1.0, 2, 3, 4], "structured array of two fields"),
        (np.array([(2, 1), (1, 2), (1, 8), (1, 9)], dtype=[("event", int), ("time", float)]), "'event', is the event"),
        (np.array([(False, 1), (False, 2), (False, 8), (False, 9)], dtype=KIND), "all rows are censored"),
        (np.array([(True, -1), (True, 2), (True, 8), (True, 9)], dtype=KIND), "the time is -1"),
        (np.array([(True, np.nan), (True, 2), (True, 8), (True, 9)], dtype=KIND), "NaN"),
        (np.array([(True, 1), (True, 2)] * 2, dtype=[("event", bool), ("time", "m8[D]")]), "durations are no numbers"),
    ],
)
def test_bad_targets_are_told(y, words):
    with pytest.raises(ValueError, match=words):
        OptimalSurvivalTree().fit(X, y)
