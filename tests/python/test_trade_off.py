"""The trade-off between two kinds of errors."""

import numpy as np
import pytest

from treewright import OptimalityWarning, OptimalTreeClassifier, TradeOff


@pytest.fixture
def rows():
    random = np.random.default_rng(3)
    X = random.normal(size=(120, 4))
    return X, np.where(X[:, 0] + X[:, 1] + random.normal(size=120) > 0.5, "sick", "healthy")


def counts(y, predicted, positive):
    return ((y != positive) & (predicted == positive)).sum(), ((y == positive) & (predicted != positive)).sum()


def test_every_corner_is_what_it_says(rows):
    X, y = rows
    found = OptimalTreeClassifier(max_depth=2).trade_off(X, y)
    assert isinstance(found, TradeOff)
    assert found.status == "optimal" and found.positive == "sick"
    assert len(found) == len(found.estimators) >= 3
    assert (np.diff(found.false_positives) > 0).all() and (np.diff(found.false_negatives) < 0).all()
    assert found.ratio_low[0] == 0 and found.ratio_high[-1] == np.inf
    assert (found.ratio_low[1:] == found.ratio_high[:-1]).all()
    for i, estimator in enumerate(found.estimators):
        assert counts(y, estimator.predict(X), "sick") == (found.false_positives[i], found.false_negatives[i])
        again = OptimalTreeClassifier(max_depth=2, class_weight=estimator.class_weight).fit(X, y)
        assert counts(y, again.predict(X), "sick") == (found.false_positives[i], found.false_negatives[i])


def test_limit_and_pictures(rows):
    X, y = rows
    found = OptimalTreeClassifier(max_depth=1).trade_off(X, y, positive="healthy")
    corner = found.at_most_missed(10)
    assert found.false_negatives[corner] <= 10
    assert found.least_false_positives(10) <= found.false_positives[corner]
    assert found.to_svg().startswith("<?xml")
    plt = pytest.importorskip("matplotlib.pyplot")
    assert found.plot(plt.figure().gca()).get_xlabel() == "false positives"
    with pytest.raises(ValueError, match="limit"):
        found.at_most_missed(-1)
    with pytest.raises(ValueError, match="limit"):
        found.least_false_positives(float("nan"))


def test_other_models_stand_beside_it(rows):
    pytest.importorskip("sklearn")
    X, y = rows
    found = OptimalTreeClassifier(max_depth=2).trade_off(X, y)
    curves = found.compare(X, y)
    assert list(curves) == ["logistic regression", "CART"]
    for name, curve in curves.items():
        assert (np.diff(curve[:, 0]) > 0).all() and (np.diff(curve[:, 1]) < 0).all()
        # No tree of the same depth comes below the certified line.
        for false_positives, missed in curve if name == "CART" else []:
            assert false_positives >= found.least_false_positives(missed)
    # The ends of the thresholds: no row is called positive, and as many as it takes to miss none.
    assert tuple(curves["logistic regression"][0]) == (0, pytest.approx(curves["logistic regression"][:, 1].max()))
    assert curves["logistic regression"][-1, 1] == 0
    plt = pytest.importorskip("matplotlib.pyplot")
    names = [text.get_text() for text in found.plot(plt.figure().gca(), beside=curves).get_legend().get_texts()]
    assert "logistic regression" in names and "CART" in names
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"color": np.where(X[:, 0] > 0, "red", "blue")})
    assert list(OptimalTreeClassifier(max_depth=1).trade_off(frame, y).compare(frame, y)) == ["CART"]


def test_one_class_against_the_rest(rows):
    X, _ = rows
    y = np.arange(120) % 3
    found = OptimalTreeClassifier(max_depth=1).trade_off(X, y, positive=1)
    assert found.positive == 1
    assert counts(y == 1, found.estimators[0].predict(X), True) == (found.false_positives[0], found.false_negatives[0])


def test_what_cannot_be_used(rows):
    X, y = rows
    for parameters, more, words in [
        ({"class_weight": "balanced"}, {}, "class_weight"),
        ({"ccp_alpha": 0.1}, {}, "ccp_alpha"),
        ({}, {"positive": "ill"}, "positive: no row"),
    ]:
        with pytest.raises(ValueError, match=words):
            OptimalTreeClassifier(**parameters).trade_off(X, y, **more)
    with pytest.raises(ValueError, match="3 classes"):
        OptimalTreeClassifier().trade_off(X, np.arange(120) % 3)
    with pytest.warns(OptimalityWarning, match="trade-off"):
        OptimalTreeClassifier(time_limit=0).trade_off(X, y)


@pytest.mark.parametrize(("heavy", "status", "corners"), [(4500, "optimal", 3), (450000000000, "heuristic", 2)])
def test_heavy_rows_hide_no_corner(heavy, status, corners):
    X = np.array([[0, 0], [1, 0], [0, 0], [0, 1], [0, 1]])
    weights = [heavy + 0.123, heavy + 0.777, 2.5, 2.25, 3.125]
    found = OptimalTreeClassifier(max_depth=2, max_leaf_nodes=3).trade_off(X, np.array(["n", "p", "p", "p", "n"]), "p", weights)
    assert (found.status, len(found)) == (status, corners)
