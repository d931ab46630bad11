"""What the estimator does, apart from what scikit-learn's checks ask."""

import copy
import json
import os
import pickle
import re
import signal
import threading
import warnings
from html import unescape

import numpy as np
import pytest

import treewright as tw
from treewright import AutoTreeClassifier, CARTClassifier, OptimalityWarning, OptimalTreeClassifier, OptimalTreeClassifierCV

XOR = np.array([[0, 0], [0, 1], [1, 0], [1, 1]], dtype=float)


def brute_force_depth_1(X, y, weights):
    """Least weight of errors of one split, by trying every threshold."""

    def leaf(rows):
        return weights[rows].sum() - max((weights[rows & (y == c)].sum() for c in np.unique(y)), default=0)

    best = leaf(np.ones(len(y), bool))
    for j in range(X.shape[1]):
        for t in X[:, j]:
            left = X[:, j] < t
            best = min(best, leaf(left) + leaf(~left))
    return best


def test_weighted_optimum_against_brute_force():
    random = np.random.RandomState(1)
    for _ in range(20):
        X, y, weights = random.rand(25, 3).round(1), random.randint(0, 3, 25), random.rand(25)
        tree = OptimalTreeClassifier(max_depth=1, alpha_scale="errors").fit(X, y, sample_weight=weights)
        assert tree.status_ == "optimal"
        assert tree.result_.errors == pytest.approx(brute_force_depth_1(X, y, weights))
        assert tree.check(X, y, sample_weight=weights) == []


def test_check_finds_other_data():
    X, y = XOR, np.array([0, 1, 1, 0])
    tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    assert tree.check(X, y) == []
    assert tree.check(X, 1 - y) != []


def test_xor_is_learned_where_greed_fails():
    y = np.array(["no", "yes", "yes", "no"])
    X = np.vstack([XOR] * 5)
    y = np.tile(y, 5)
    tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    assert tree.predict(XOR).tolist() == ["no", "yes", "yes", "no"]
    assert tree.classes_.tolist() == ["no", "yes"]
    assert tree.get_depth() == 2
    assert tree.get_n_leaves() == 4
    assert tree.gap_ == 0
    assert tree.seconds_ >= 0
    assert tree.predict_proba(XOR)[0] == pytest.approx([3 / 4, 1 / 4])  # ten rows above the leaf, half of each class
    tree.set_params(shrinkage=0)
    assert tree.predict_proba(XOR).tolist() == [[1, 0], [0, 1], [0, 1], [1, 0]]
    assert tree.predict_log_proba(XOR)[0].tolist() == [0, -np.inf]


def test_shrinkage_changes_probabilities_alone(noise):
    X, y = noise
    tree = OptimalTreeClassifier(max_depth=3, shrinkage=0).fit(X, y)
    labels, shares, text = tree.predict(X), tree.predict_proba(X), tree.to_json()
    tree.set_params(shrinkage=10)
    arrays = tree.tree_
    expected = arrays.value[:, 0].copy()
    for node in range(arrays.node_count):
        for child in (arrays.children_left[node], arrays.children_right[node]):
            if child >= 0:
                step = arrays.value[child, 0] - arrays.value[node, 0]
                expected[child] = expected[node] + step / (1 + 10 / arrays.weighted_n_node_samples[node])
    shrunk = tree.predict_proba(X)
    assert np.allclose(shrunk, expected[tree.apply(X)])
    assert not np.allclose(shrunk, shares)
    assert np.array_equal(tree.predict(X), labels)
    assert tree.set_params(shrinkage=0).to_json() == text
    tree.set_params(shrinkage=None)
    assert np.array_equal(tree.predict_proba(X), shrunk), "10 is the default"
    assert np.array_equal(tw._result.Result.from_json(tree.to_json()).predict_proba(tree._rows(X)), shrunk), "and the file has it"
    assert np.array_equal(OptimalTreeClassifier(max_depth=3, shrinkage=10).fit(X, y).predict_proba(X), shrunk)
    assert np.array_equal(tree.set_params(shrinkage=0).predict_proba(X), shares)
    for wrong in (-1, float("nan")):
        with pytest.raises(ValueError, match="shrinkage"):
            tree.set_params(shrinkage=wrong).predict_proba(X)


def test_shrinkage_is_chosen_by_log_loss(noise):
    model_selection = pytest.importorskip("sklearn.model_selection")
    X, y = noise
    tried = {"shrinkage": [0, 1, 100]}
    grid = model_selection.GridSearchCV(OptimalTreeClassifier(max_depth=3), tried, scoring="neg_log_loss", cv=3).fit(X, y)
    assert grid.best_params_["shrinkage"] > 0


def test_tree_arrays_route_as_predict_does(noise):
    X, y = noise
    X = X.copy()
    X[::7, 0] = np.nan
    tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    t = tree.tree_
    for row, leaf in zip(X, tree.apply(X)):
        node = 0
        while t.children_left[node] >= 0:
            value = row[t.feature[node]]
            left = t.missing_go_to_left[node] if np.isnan(value) else value < t.threshold[node]
            node = (t.children_left if left else t.children_right)[node]
        assert node == leaf
    assert t.n_node_samples[0] == len(X)
    assert np.allclose(t.class_weight[0], np.bincount(y))
    assert np.allclose(t.value.sum(axis=2), 1)
    assert t.n_leaves == (t.children_left < 0).sum()
    assert t.depths().max() == t.max_depth == 2


def test_decision_path_ends_in_the_leaf(noise):
    X, y = noise
    tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    path = tree.decision_path(X)
    path = np.asarray(path.todense() if hasattr(path, "todense") else path)
    assert path.shape == (len(X), tree.tree_.node_count)
    assert (path[:, 0] == 1).all()
    assert (path[np.arange(len(X)), tree.apply(X)] == 1).all()
    assert (path.sum(axis=1) == tree.tree_.depths()[tree.apply(X)] + 1).all()


def test_importances_name_the_feature_that_matters():
    random = np.random.RandomState(0)
    X = random.rand(100, 4)
    tree = OptimalTreeClassifier(max_depth=1).fit(X, X[:, 2] > 0.4)
    assert tree.feature_importances_.tolist() == [0, 0, 1, 0]
    flat = OptimalTreeClassifier(max_depth=0).fit(X, X[:, 2] > 0.4)
    assert flat.feature_importances_.tolist() == [0, 0, 0, 0]


def test_missing_values_go_the_better_way():
    X = np.array([[1.0], [2.0], [np.nan], [8.0], [9.0], [np.nan]])
    y = [0, 0, 1, 1, 1, 1]
    tree = OptimalTreeClassifier(max_depth=1).fit(X, y)
    assert tree.score(X, y) == 1
    assert tree.predict([[np.nan]]).tolist() == [1]


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.int64, bool])
@pytest.mark.parametrize("order", ["C", "F"])
def test_memory_layouts_give_one_tree(dtype, order, noise):
    X, y = noise
    whole = (X * 10).astype(dtype)
    expected = OptimalTreeClassifier(max_depth=2).fit(whole.astype(float), y)
    given = np.asarray(whole, order=order)
    tree = OptimalTreeClassifier(max_depth=2).fit(given, y)
    assert np.array_equal(tree.tree_.threshold, expected.tree_.threshold)
    assert np.array_equal(tree.predict(given[::2, :]), expected.predict(whole[::2].astype(float)))


def test_views_with_strides(noise):
    X, y = noise
    wide = np.repeat(X, 2, axis=1)
    tree = OptimalTreeClassifier(max_depth=2).fit(wide[:, ::2], y)
    reverse = OptimalTreeClassifier(max_depth=2).fit(X[::-1], y[::-1])
    plain = OptimalTreeClassifier(max_depth=2).fit(X, y)
    assert tree.objective_ == plain.objective_ == reverse.objective_


def test_zero_weight_is_no_row():
    X = np.array([[1.0], [2.0], [3.0], [4.0]])
    with_row = OptimalTreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1], sample_weight=[1, 0, 1, 1])
    without = OptimalTreeClassifier(max_depth=1).fit(X[[0, 2, 3]], [0, 1, 1])
    assert with_row.tree_.threshold[0] == without.tree_.threshold[0] == 2


def test_pickle_is_the_json(noise):
    X, y = noise
    tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    state = pickle.dumps(tree)
    assert tree.to_json().encode()[:60] in state
    for again in (pickle.loads(state), copy.deepcopy(tree)):
        assert again.to_json() == tree.to_json()
        assert np.array_equal(again.predict_proba(X), tree.predict_proba(X))
        assert again.get_params() == tree.get_params()
    assert json.loads(tree.to_json())["format"] == "treewright"


def test_a_limit_warns_and_still_gives_a_tree(noise):
    with pytest.warns(OptimalityWarning, match="node limit"):
        tree = OptimalTreeClassifier(max_depth=4, run={"node_limit": 10}).fit(*noise)
    assert tree.status_ == "node_limit"
    assert tree.gap_ > 0
    assert tree.bound_ < tree.objective_
    assert len(tree.predict(noise[0])) == 300


def test_warnings_are_of_the_line_that_called(noise):
    X, y = noise
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        OptimalTreeClassifier(max_depth=4, run={"node_limit": 10}).fit(X, y)
        OptimalTreeClassifierCV(max_depths=(4,), run={"node_limit": 10}, cv=2).fit(X, y)
        OptimalTreeClassifier(max_depth=3, run={"node_limit": 10}).cost_complexity_pruning_path(X, y)
        OptimalTreeClassifier(max_depth=1).fit(np.arange(len(y)).reshape(-1, 1) % 7, np.arange(len(y)) % 40)
    assert len(caught) >= 5
    assert {one.filename for one in caught} == {__file__}


def test_no_warning_when_proved_or_greedy(noise):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        OptimalTreeClassifier(max_depth=1).fit(*noise)
        CARTClassifier().fit(*noise)


def test_an_open_bracket_of_leaf_weights_warns():
    X = np.arange(8.0)[:, None]
    with pytest.warns(OptimalityWarning, match="not proved"):
        tree = OptimalTreeClassifier(max_depth=2, min_weight_fraction_leaf=0.2).fit(
            X, [0, 1, 0, 0, 1, 1, 0, 1], sample_weight=[1, 9, 1, 1, 9, 1, 1, 9]
        )
    assert tree.tree_.weighted_n_node_samples.min() >= 0.2 * 32


def test_ctrl_c_returns_the_incumbent(noise):
    # Unlimited, this search would take hours. The alarm rings only if the interpreter's lock is free meanwhile.
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is started with the signal ignored
    X, y = noise
    alarm = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    alarm.start()
    with pytest.warns(OptimalityWarning, match="interrupted"):
        tree = OptimalTreeClassifier(max_depth=6).fit(X, y)
    alarm.join()
    assert tree.status_ == "interrupted"
    assert tree.score(X, y) > 0.5


def test_verbose_prints_a_log(noise, capsys):
    OptimalTreeClassifier(max_depth=2, verbose=True).fit(*noise)
    out = capsys.readouterr().out.splitlines()
    assert out[0].split()[:4] == ["seconds", "incumbent", "bound", "gap"]
    assert "C = a greedy tree" in out[0]
    assert out[1].startswith("C ")
    OptimalTreeClassifier(max_depth=2).fit(*noise)
    assert capsys.readouterr().out == ""


def test_html_shows_the_tree_and_escapes_names():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"<b>": [1.0, 2.0, 3.0]})
    tree = OptimalTreeClassifier(max_depth=1)
    assert "OptimalTreeClassifier" in tree._repr_html_()
    html = tree.fit(frame, ["a&b", "a&b", "c"])._repr_html_()
    page = unescape(re.fullmatch(r"<iframe [^>]*srcdoc=\"([^\"]*)\"></iframe>", html)[1])
    assert "<svg" in page
    assert "&lt;b&gt; &lt; 2.5" in page
    assert "a&amp;b" in page
    assert "<b>&" not in page
    assert "Proven optimal" in page
    assert tree._repr_mimebundle_()["text/html"] == html


def test_not_fitted():
    with pytest.raises(ValueError, match="fitted"):
        OptimalTreeClassifier().predict(XOR)
    assert not hasattr(OptimalTreeClassifier(), "tree_") or pytest.fail("tree_ before fit")


def test_one_class_is_an_error():
    with pytest.raises(tw.TreewrightError, match="only one class"):
        OptimalTreeClassifier().fit(XOR, [1, 1, 1, 1])


def test_methods_are_listed():
    assert {"oct", "cart"} <= {method.name for method in tw.METHODS}
    assert {method.name: method.exact for method in tw.METHODS}["oct"]


def test_auto_tells_what_it_chose_and_why():
    X = np.random.default_rng(1).uniform(-1, 1, (80, 2))
    y = X[:, 0] > 0.1
    claims = AutoTreeClassifier(max_depth=2, restarts=0).fit(X, y).result_
    assert claims.method == "oct"
    assert "oct depth 1" in claims.selection


def test_auto_has_the_scores_of_its_candidates():
    X = np.random.default_rng(0).uniform(-1, 1, (80, 2))
    y = X[:, 0] > 0.1
    tree = tw.AutoTreeClassifier(max_depth=2).fit(X, y)
    found = tree.cv_results_
    n = len(found["params"])
    assert n > 20 and {len(values) for values in found.values()} == {n}
    chosen = found["reason"].index("chosen")
    assert found["params"][chosen]["method"] == tree.result_.method
    assert found["behind"][0] == 0 and found["mean_test_score"][chosen] > 0.9
    assert {type(params["max_depth"]) for params in found["params"]} == {int}
    assert pickle.loads(pickle.dumps(tree)).cv_results_["reason"] == found["reason"]
    assert not hasattr(OptimalTreeClassifier(max_depth=1).fit(X, y), "cv_results_")


def test_only_auto_tells_of_a_choice():
    X = np.random.default_rng(0).uniform(-1, 1, (80, 2))
    y = X[:, 0] > 0.1
    assert OptimalTreeClassifier(max_depth=1).fit(X, y).result_.selection == ""


def test_a_failed_refit_leaves_no_mixture_of_old_and_new(noise):
    X, y = noise
    wrong = (X[:, :3], np.full(len(X), "one"), None), (X[:, :3], y, -np.ones(len(X))), (X[:5], y, None)
    for data, target, weights in wrong:
        tree = OptimalTreeClassifier(max_depth=1).fit(X, np.where(y == 0, "no", "yes"))
        with pytest.raises((ValueError, tw.TreewrightError)):
            tree.fit(data, target, weights)
        for use in (tree.predict, tree.predict_proba, tree.apply):
            with pytest.raises(ValueError, match="fitted"):
                use(X)
        assert tree.fit(X, y).predict(X).shape == y.shape


THREE = np.array([[0], [1], [2], [3], [4], [5]], dtype=float)
SIZES = np.array(["small", "small", "middle", "middle", "large", "large"])


def test_cost_matrix_by_name_and_by_order():
    by_name = {
        "small": {"middle": 3, "large": 4},
        "middle": {"small": 5, "middle": 0, "large": 1},
        "large": {"small": 9, "middle": 5},
    }
    by_order = [[0, 5, 9], [1, 0, 5], [4, 3, 0]]  # of large, middle, small
    for costs in (by_name, by_order, np.array(by_order)):
        tree = OptimalTreeClassifier(max_depth=1, cost_matrix=costs).fit(THREE, SIZES)
        assert tree.result_.cost == 2
        assert tree.status_ == "optimal"
        assert tree.predict(THREE).tolist() == ["small"] * 2 + ["large"] * 4
        assert tree.set_params(shrinkage=0).predict_proba(THREE)[2].tolist() == [0.5, 0.5, 0]
        assert tree.check(THREE, SIZES) == []
        assert pickle.loads(pickle.dumps(tree)).result_.cost == 2
    assert OptimalTreeClassifier(max_depth=1).fit(THREE, SIZES).result_.cost is None


def test_cost_matrix_as_data_frame():
    pandas = pytest.importorskip("pandas")
    names = ["small", "middle", "large"]
    costs = pandas.DataFrame([[0, 3, 4], [5, 0, 1], [9, 5, 0]], index=names, columns=names)
    assert OptimalTreeClassifier(max_depth=1, cost_matrix=costs).fit(THREE, SIZES).result_.cost == 2


def test_costs_of_one_are_errors_and_weights_multiply_costs():
    random = np.random.RandomState(5)
    for _ in range(10):
        X, y, weights = random.rand(25, 3).round(1), random.randint(0, 3, 25), random.randint(1, 4, 25).astype(float)
        plain = OptimalTreeClassifier(max_depth=2).fit(X, y, sample_weight=weights)
        ones = OptimalTreeClassifier(max_depth=2, cost_matrix=1 - np.eye(3)).fit(X, y, sample_weight=weights)
        assert ones.objective_ == plain.objective_ and ones.bound_ == plain.bound_
        assert ones.result_.cost == plain.result_.errors
        assert (ones.predict(X) == plain.predict(X)).all()
        costs = random.randint(0, 9, (3, 3)).astype(float)
        tree = OptimalTreeClassifier(max_depth=2, cost_matrix=costs).fit(X, y, sample_weight=weights)
        assert tree.result_.cost == pytest.approx((weights * costs[y, tree.predict(X)]).sum())


@pytest.mark.parametrize(
    ("costs", "part"),
    [
        ({"small": {"middle": 1, "large": 2}}, "no costs of rows of class"),
        ({"small": {"middle": 1}, "middle": {}, "large": {}}, "does not say what label"),
        ({"small": {}, "middle": {}, "huge": {}}, "no row is of class 'huge'"),
        ({"small": {"hug": 3}}, "no row is of class 'hug'"),
        ([[0, 1], [1, 0]], r"shape is \(2, 2\), and there are 3 classes"),
        ([[0, 1, 2], [1, 0]], "cost_matrix"),
        (7, "shape"),
        ([[0, 1, np.inf], [1, 0, 1], [1, 1, 0]], "not finite"),
        ([["a", 1, 1], [1, 0, 1], [1, 1, 0]], "no number"),
    ],
)
def test_wrong_cost_matrices(costs, part):
    tree = OptimalTreeClassifier(max_depth=1, cost_matrix=costs)
    with pytest.raises(ValueError, match=part):
        tree.fit(THREE, SIZES)
    assert not hasattr(tree, "classes_")


def test_costs_are_refused_where_they_cannot_be_used():
    costs = 1 - np.eye(3)
    with pytest.raises(ValueError, match="counts rows"):
        OptimalTreeClassifier(cost_matrix=costs, alpha_scale="baseline-correct").fit(THREE, SIZES)
    with pytest.raises(ValueError, match="trade-off cannot use them"):
        OptimalTreeClassifier(cost_matrix=1 - np.eye(2)).trade_off(THREE[:4], np.array(SIZES[:4]) == SIZES[0])


def test_scikit_learn_cannot_have_the_cheapest_label():
    pytest.importorskip("sklearn")
    costs = {"small": {"middle": 3, "large": 4}, "middle": {"small": 5, "large": 1}, "large": {"small": 9, "middle": 5}}
    X, y = np.vstack([THREE, [[3.5]]]), np.append(SIZES, "middle")
    tree = OptimalTreeClassifier(max_depth=1, cost_matrix=costs).fit(X, y)
    assert tree.predict([[3.0]]).tolist() == ["large"]
    with pytest.raises(ValueError, match="not the label of its majority"):
        tw.to_sklearn(tree, X)
    same = OptimalTreeClassifier(max_depth=2, cost_matrix=costs).fit(X, y)
    assert (tw.to_sklearn(same, X).predict(X) == same.predict(X)).all()
