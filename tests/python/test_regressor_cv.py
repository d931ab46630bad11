"""Depth and complexity of trees of numbers chosen by cross-validation, their paths, pages and nearest changes."""

import numpy as np
import pytest

from treewright import CARTRegressor, OptimalTreeClassifierCV, OptimalTreeRegressor, OptimalTreeRegressorCV

pytest.importorskip("sklearn")

from sklearn.metrics import mean_absolute_error, mean_poisson_deviance, r2_score
from sklearn.model_selection import KFold
from sklearn.tree import DecisionTreeRegressor


@pytest.fixture(scope="module")
def houses():
    random = np.random.default_rng(3)
    X = random.integers(0, 8, (120, 3)).astype(float)
    return X, 10 * (X[:, 0] > 3) + 4 * (X[:, 1] > 5) + random.normal(size=120)


@pytest.fixture(scope="module")
def claims():
    random = np.random.default_rng(4)
    X = random.integers(0, 8, (150, 2)).astype(float)
    years = random.uniform(0.5, 3, 150)
    return X, random.poisson(years * np.where(X[:, 0] > 3, 4.0, 1.0)).astype(float), years


def test_the_path_holds_the_best_tree_of_every_price(houses):
    X, y = houses
    path = OptimalTreeRegressor(max_depth=2).cost_complexity_pruning_path(X, y)
    assert path.status == "optimal" and path.splits[-1] == 0 and (np.diff(path.splits) < 0).all()
    for i, low in enumerate(path.ccp_alphas):
        high = path.ccp_alphas[i + 1] if i + 1 < len(path.ccp_alphas) else low + 1
        tree = OptimalTreeRegressor(max_depth=2, ccp_alpha=(low + high) / 2).fit(X, y)
        assert tree.result_.explained == pytest.approx(path.explained[i])
        assert path.impurities[i] == pytest.approx(np.mean((y - tree.predict(X)) ** 2))


def test_greedy_paths_are_those_of_scikit_learn(houses):
    X, y = houses
    ours = CARTRegressor(max_depth=3, min_samples_leaf=10).cost_complexity_pruning_path(X, y)
    theirs = DecisionTreeRegressor(max_depth=3, min_samples_leaf=10).cost_complexity_pruning_path(X, y)
    alphas = theirs.ccp_alphas / y.var()
    distinct = np.append(True, np.diff(alphas) > 1e-12)
    assert ours.ccp_alphas == pytest.approx(alphas[distinct], abs=1e-12)


@pytest.mark.parametrize(
    ("scoring", "score"),
    [(None, r2_score), ("r2", r2_score), ("neg_mean_absolute_error", lambda y, p: -mean_absolute_error(y, p))],
)
def test_the_score_is_the_mean_over_the_folds(houses, scoring, score):
    X, y = houses
    folds = list(KFold(3, shuffle=True, random_state=0).split(X))
    model = OptimalTreeRegressorCV(max_depths=(1, 2), cv=folds, scoring=scoring).fit(X, y)
    single = OptimalTreeRegressor(**model.best_params_)
    means = [score(y[test], single.fit(X[train], y[train]).predict(X[test])) for train, test in folds]
    assert model.best_score_ == pytest.approx(np.mean(means))
    assert model.best_score_ == max(model.cv_results_["mean_test_score"])
    assert model.predict(X).tolist() == OptimalTreeRegressor(**model.best_params_).fit(X, y).predict(X).tolist()
    assert model.path_status_ == "optimal" and model.score(X, y) > 0.8
    assert set(model.cv_results_) == {
        "max_depth", "alpha_low", "alpha_high", "mean_test_score", "standard_error", "mean_features", "mean_splits"
    }  # fmt: skip


def test_one_standard_error_takes_a_smaller_tree(houses):
    X, y = houses
    folds = list(KFold(4, shuffle=True, random_state=1).split(X))
    best = OptimalTreeRegressorCV(cv=folds).fit(X, y)
    small = OptimalTreeRegressorCV(cv=folds, rule="one-se").fit(X, y)
    results = small.cv_results_
    top = np.argmax(results["mean_test_score"])
    enough = results["mean_test_score"][top] - results["standard_error"][top]
    assert small.best_score_ >= enough and small.get_n_leaves() <= best.get_n_leaves()
    assert "within one standard error" in small.best_reason_
    with pytest.raises(ValueError, match="two folds or more"):
        OptimalTreeRegressorCV(cv=folds[:1], rule="one-se").fit(X, y)


def test_classes_have_the_same_rule(houses):
    X, y = houses
    model = OptimalTreeClassifierCV(rule="one-se", cv=3).fit(X, y > 5)
    assert "within one standard error" in model.best_reason_


def test_rates_are_compared_by_their_deviance(claims):
    X, y, years = claims
    folds = list(KFold(3).split(X))
    parameters = {"criterion": "poisson", "min_samples_leaf": 20}
    model = OptimalTreeRegressorCV(max_depths=(1, 2), cv=folds, **parameters).fit(X, y, exposure=years)
    single = OptimalTreeRegressor(**parameters, **model.best_params_)
    means = [
        -mean_poisson_deviance(y[test], years[test] * single.fit(X[train], y[train], exposure=years[train]).predict(X[test]))
        for train, test in folds
    ]
    assert model.best_score_ == pytest.approx(np.mean(means))
    assert model.best_reason_.startswith("the least mean deviance")
    # scikit-learn's scorers compare rates, weighted by exposure.
    scored = OptimalTreeRegressorCV(max_depths=(1,), cv=folds, scoring="neg_mean_poisson_deviance", **parameters)
    scored.fit(X, y, exposure=years)
    single = OptimalTreeRegressor(**parameters, **scored.best_params_)
    means = [
        -mean_poisson_deviance(
            y[test] / years[test], single.fit(X[train], y[train], exposure=years[train]).predict(X[test]), sample_weight=years[test]
        )
        for train, test in folds
    ]
    assert scored.best_score_ == pytest.approx(np.mean(means))


def test_weights_count_rows(houses):
    X, y = houses
    weights = np.random.default_rng(5).integers(0, 3, len(y))
    rows = np.repeat(np.arange(len(y)), weights)
    fold = np.arange(len(y)) % 3
    by_weight = [(np.flatnonzero(fold != k), np.flatnonzero(fold == k)) for k in range(3)]
    by_row = [(np.flatnonzero(fold[rows] != k), np.flatnonzero(fold[rows] == k)) for k in range(3)]
    one = OptimalTreeRegressorCV(max_depths=(2,), cv=by_weight).fit(X, y, sample_weight=weights)
    two = OptimalTreeRegressorCV(max_depths=(2,), cv=by_row).fit(X[rows], y[rows])
    assert one.best_score_ == pytest.approx(two.best_score_)
    assert one.predict(X) == pytest.approx(two.predict(X))


def test_the_table_names_its_columns(houses, capsys):
    X, y = houses
    OptimalTreeRegressorCV(max_depths=(1,), cv=2, verbose=True).fit(X, y)
    assert capsys.readouterr().out.split()[:3] == ["fold", "splits", "explained"]


def test_pages(houses, claims, tmp_path):
    X, y = houses
    tree = OptimalTreeRegressor(max_depth=2).fit(X, y)
    page = tree.report(tmp_path / "page.html", X[:90], y[:90], X_test=X[90:], y_test=y[90:], complexity_path=True, title="Houses")
    assert (tmp_path / "page.html").read_text() == page
    for text in ("<title>Houses</title>", "R2 on test rows", "RMSE on training rows", "CART", "The claims of this tree do not hold"):
        assert text in page
    assert "Proven optimal" in tree.report(None, X, y)
    X, y, years = claims
    rates = OptimalTreeRegressor(criterion="poisson", max_depth=1).fit(X, y, exposure=years)
    page = rates.report(None, X, y, exposure=years, X_test=X, y_test=y, exposure_test=years)
    assert "of the deviance explained on test rows" in page and "Proven optimal" in page
    assert "<iframe" in rates._repr_html_()
    with pytest.raises(ValueError, match="needs y_test"):
        rates.report(None, X_test=X)


def test_the_nearest_change(houses):
    X, y = houses
    tree = OptimalTreeRegressor(max_depth=2).fit(X, y)
    row = np.flatnonzero(tree.predict(X) > 9)[:1]
    found = tree.counterfactual(X[row], below=8)
    assert found.label < 8 and found.distance > 0
    changed = X[row].copy()
    for change in found.changes:
        changed[0, int(change.feature[1:])] = change.new
    assert tree.predict(changed)[0] == found.label
    assert tree.counterfactual(X[row], above=1e6) is None
    assert tree.counterfactual(X[row]).label != tree.predict(X[row])[0]
    assert "nearest change to a lower number" in tree.explain(X[row])
