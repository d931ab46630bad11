"""Keywords come from the option table, and every one of them reaches the library."""

import numpy as np
import pytest

import treewright as tw
from treewright import HyperplaneTreeClassifier, OptimalTreeClassifier


def test_every_option_is_a_keyword():
    keywords = set()
    for method in tw.METHODS:
        keywords |= tw.classifier(method.name).get_params().keys()
    assert keywords == {option.name for option in tw.OPTIONS} | {"verbose", "callback", "max_leaf_nodes", "shrinkage", "cost_matrix"}


def test_defaults_are_scikit_learns():
    parameters = OptimalTreeClassifier().get_params()
    expected = {"method": "oct", "max_depth": "auto", "min_samples_leaf": 1, "ccp_alpha": 0.0, "max_splits": None, "class_weight": None}
    expected |= {"time_limit": None, "n_jobs": None, "random_state": None, "verbose": False, "alpha_scale": "majority-errors"}
    assert {name: parameters[name] for name in expected} == expected


def test_unknown_keywords_are_rejected():
    with pytest.raises(TypeError, match="max_dept"):
        OptimalTreeClassifier(max_dept=3)


@pytest.mark.parametrize(
    "changed",
    [
        {"method": "cart"},
        {"max_depth": 1},
        {"min_samples_leaf": 100},
        {"min_samples_leaf": 0.3},
        {"min_weight_fraction_leaf": 0.3},
        {"ccp_alpha": 0.2},
        {"ccp_alpha": 0.02, "alpha_scale": "rows"},
        {"max_splits": 2},
        {"node_limit": 0},
        {"time_limit": 0},
        {"class_weight": {0: 1, 1: 9}},
    ],
    ids=str,
)
def test_options_change_the_result(changed, noise):
    X, y = noise
    plain = OptimalTreeClassifier(max_depth=2).fit(X[:, :4], y)
    base = {"max_depth": 2, **({"ccp_alpha": 0.02} if "alpha_scale" in changed else {})}
    with pytest.warns(tw.OptimalityWarning) if {"node_limit", "time_limit"} & changed.keys() else _nothing():
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
        ({"method": "magic"}, ValueError, "magic"),
        ({"method": 3}, TypeError, "method"),
        ({"n_jobs": 0}, ValueError, "n_jobs"),
        ({"class_weight": "unfair"}, ValueError, "unfair"),
        ({"class_weight": {"cat": 2}}, ValueError, "cat"),
        ({"disable": "everything"}, ValueError, "everything"),
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
    with pytest.raises(ValueError, match=r"proof.*leave it out.*oct"):
        OptimalTreeClassifier(method="cart", proof="proof.json").fit(*noise)


def test_disabled_rules_keep_the_optimum(noise):
    X, y = noise
    plain = OptimalTreeClassifier(max_depth=2).fit(X, y)
    for rules in ("monotone", ("monotone", "lipschitz")):
        assert OptimalTreeClassifier(max_depth=2, disable=rules).fit(X, y).objective_ == plain.objective_
