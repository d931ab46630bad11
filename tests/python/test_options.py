"""Keywords come from the option table, and every one of them reaches the library."""

import pickle
import warnings

import numpy as np
import pytest
from treewright._options import OF_FIT, options_of_run

import treewright as tw
from treewright import HyperplaneTreeClassifier, OptimalTreeClassifier


def test_every_option_is_a_keyword():
    keywords, keys = set(), set()
    for method in tw.METHODS:
        estimator = tw.classifier(method.name)
        keywords |= estimator.get_params().keys()
        keys |= options_of_run(None, estimator._run).keys()
    own = {"verbose", "callback", "shrinkage", "cost_matrix", "run"}
    assert keywords - {"max_leaf_nodes"} | {"max_splits"} | keys == {option.name for option in tw.OPTIONS} - OF_FIT | own
    assert not keywords & keys


def test_defaults_are_scikit_learns():
    parameters = OptimalTreeClassifier().get_params()
    expected = {"max_depth": "auto", "min_samples_leaf": 1, "ccp_alpha": 0.0, "max_leaf_nodes": None, "class_weight": None, "run": None}
    expected |= {"time_limit": None, "n_jobs": None, "random_state": None, "verbose": False, "alpha_scale": "majority-errors"}
    assert {name: parameters[name] for name in expected} == expected


def test_unknown_keywords_are_rejected():
    with pytest.raises(TypeError, match="max_dept"):
        OptimalTreeClassifier(max_dept=3)


@pytest.mark.parametrize(
    "changed",
    [
        {"max_depth": 1},
        {"min_samples_leaf": 100},
        {"min_samples_leaf": 0.3},
        {"min_weight_fraction_leaf": 0.3},
        {"ccp_alpha": 0.2},
        {"ccp_alpha": 0.02, "alpha_scale": "rows"},
        {"max_leaf_nodes": 3},
        {"run": {"node_limit": 0}},
        {"time_limit": 0},
        {"class_weight": {0: 1, 1: 9}},
    ],
    ids=str,
)
def test_options_change_the_result(changed, noise):
    X, y = noise
    plain = OptimalTreeClassifier(max_depth=2).fit(X[:, :4], y)
    base = {"max_depth": 2, **({"ccp_alpha": 0.02} if "alpha_scale" in changed else {})}
    with pytest.warns(tw.OptimalityWarning) if {"run", "time_limit"} & changed.keys() else _nothing():
        other = OptimalTreeClassifier(**{**base, **changed}).fit(X[:, :4], y)
    assert (other.status_, other.get_n_leaves(), other.objective_, other.result_.errors) != (
        plain.status_,
        plain.get_n_leaves(),
        plain.objective_,
        plain.result_.errors,
    )


def _nothing():
    import contextlib

    return contextlib.nullcontext()


@pytest.mark.parametrize(
    ("parameters", "error", "message"),
    [
        ({"max_depth": -2}, ValueError, "max_depth"),
        ({"max_depth": 2.5}, TypeError, "max_depth"),
        ({"max_depth": True}, TypeError, "max_depth"),
        ({"ccp_alpha": "much"}, TypeError, "ccp_alpha"),
        ({"ccp_alpha": float("nan")}, ValueError, "ccp_alpha"),
        ({"n_jobs": 0}, ValueError, "n_jobs"),
        ({"class_weight": "unfair"}, ValueError, "unfair"),
        ({"class_weight": {"cat": 2}}, ValueError, "cat"),
        ({"run": {"disable": "everything"}}, ValueError, "everything"),
        ({"run": {"node_limits": 3}}, ValueError, r"run: it has no 'node_limits' \(did you mean 'node_limit'"),
        ({"run": {"banana": 3}}, ValueError, r"run: it has no 'banana' \(it has stall_limit, .*verify"),
        ({"run": {"write_rows": "rows.csv"}}, ValueError, "run: it has no 'write_rows'"),
        ({"run": {"node_limit": "few"}}, TypeError, "node_limit"),
        ({"run": {"on_existing": "resume"}}, ValueError, "run: there is no checkpoint to resume"),
        ({"run": {"checkpoint": "facts", "on_existing": "keep"}}, ValueError, "use one of 'error', 'resume', 'overwrite'"),
        ({"run": "checkpoint"}, TypeError, "run: 'checkpoint' is no dict"),
        ({"min_samples_leaf": 1000}, ValueError, "min_samples_leaf"),
    ],
    ids=str,
)
def test_mistakes_name_the_parameter(parameters, error, message, noise):
    with pytest.raises(error, match=message):
        OptimalTreeClassifier(**parameters).fit(*noise)


def test_errors_tell_place_and_fix(noise):
    with pytest.raises(tw.TreewrightError) as caught:
        OptimalTreeClassifier(max_depth=99).fit(*noise)
    assert "max_depth" in caught.value.where
    assert caught.value.what
    assert caught.value.fix


def test_threads_follow_scikit_learn(noise):
    import os

    X, y = noise
    cores = os.cpu_count()
    for given, threads in ((None, 1), (1, 1), (3, 3), (-1, cores), (-2, max(1, cores - 1))):
        assert OptimalTreeClassifier(max_depth=1, n_jobs=given).fit(X, y).result_.threads == threads


def test_random_state_kinds(noise):
    X, y = noise
    for given in (None, 3, np.int64(3), np.random.RandomState(3), np.random.default_rng(3)):
        assert HyperplaneTreeClassifier(method="tao", restarts=0, max_depth=1, random_state=given).fit(X, y).result_.seed >= 0
    assert HyperplaneTreeClassifier(method="tao", restarts=0, max_depth=1, random_state=3).fit(X, y).result_.seed == 3
    # Meta-estimators set a seed on whatever has the keyword.
    assert OptimalTreeClassifier(max_depth=1, random_state=3).fit(X, y).result_.seed == 0


def test_an_option_that_the_method_does_not_read_is_refused(noise):
    with pytest.raises(ValueError, match=r"random_state|node_limit.*leave it out.*tao"):
        HyperplaneTreeClassifier(method="cart-h", run={"node_limit": 5}).fit(*noise)


@pytest.mark.parametrize("method", ["magic", 3])
def test_an_unknown_method_is_refused(method, noise):
    with pytest.raises((ValueError, TypeError), match=f"{method!r} is no"):
        HyperplaneTreeClassifier(method=method).fit(*noise)


def test_keys_of_run_are_no_keywords():
    with pytest.raises(TypeError, match=r"no parameter 'checkpoint' \(it is a key of run: run=\{'checkpoint': ...\}\)"):
        OptimalTreeClassifier(checkpoint="facts")


def test_run_is_copied_shown_and_searched_over(noise):
    from sklearn.base import clone
    from sklearn.model_selection import GridSearchCV

    tree = OptimalTreeClassifier(max_depth=1, run={"node_limit": 1000})
    assert clone(tree).run == pickle.loads(pickle.dumps(tree)).run == tree.run
    assert repr(tree) == "OptimalTreeClassifier(max_depth=1, run={'node_limit': 1000})"
    X, y = noise
    runs = [{"node_limit": 0}, {"node_limit": 1000}, None]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tw.OptimalityWarning)
        search = GridSearchCV(tree, {"run": runs, "max_depth": [0, 1]}, cv=2, scoring=lambda model, *_: -model.gap_).fit(X, y)
    assert search.best_params_ in [{"run": run, "max_depth": depth} for run in runs for depth in (0, 1)]
    assert search.best_estimator_.status_ == "optimal"


def test_a_default_of_run_gives_way_to_none():
    X, y = np.array([[0.0], [1], [2], [3], [4], [5]]), [0, 1, 0, 1, 0, 1]
    assert tw.MargotClassifier(run={"node_limit": 0}).fit(X, y).status_ == "node_limit"
    assert options_of_run(None, tw.MargotClassifier._run)["node_limit"] == 200
    assert options_of_run({"node_limit": None}, tw.MargotClassifier._run)["node_limit"] is None


def test_disabled_rules_keep_the_optimum(noise):
    X, y = noise
    plain = OptimalTreeClassifier(max_depth=2).fit(X, y)
    for rules in ("monotone", ("monotone", "lipschitz")):
        assert OptimalTreeClassifier(max_depth=2, run={"disable": rules}).fit(X, y).objective_ == plain.objective_
