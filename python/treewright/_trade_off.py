"""An optimal tree for every ratio of two kinds of errors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._analyses import ErrorTradeOff
from ._dataset import Dataset
from ._generic import classifier

Array = NDArray[Any]


def _undominated(points: Array) -> Array:
    """The points that no other is as good as in both, fewest false positives first."""
    ordered = points[np.lexsort((points[:, 1], points[:, 0]))]
    least = np.minimum.accumulate(ordered[:, 1])
    return ordered[np.concatenate([[True], ordered[1:, 1] < least[:-1]])]


def _logistic_curve(X: Any, positive: Array, weights: Array) -> Array | None:
    from sklearn.linear_model import LogisticRegression

    try:
        numbers = np.asarray(X, dtype=np.float64)
    except (TypeError, ValueError):
        return None
    known = np.isfinite(numbers)
    mean = np.divide(np.where(known, numbers, 0).sum(axis=0), np.maximum(known.sum(axis=0), 1))
    filled = np.where(known, numbers, mean)
    scale = filled.std(axis=0)
    standard = (filled - mean) / np.where(scale > 0, scale, 1)
    scores = LogisticRegression(max_iter=1000).fit(standard, positive, weights).decision_function(standard)
    # Every threshold: rows of the largest scores are called positive.
    order = np.argsort(-scores, kind="stable")
    false, true = (np.concatenate([[0.0], np.cumsum(np.where(of, weights, 0)[order])]) for of in (~positive, positive))
    ends = np.concatenate([[True], scores[order][1:] != scores[order][:-1], [True]])
    return _undominated(np.column_stack([false, weights[positive].sum() - true])[ends])


def _cart_curve(X: Any, positive: Array, weights: Array, max_depth: int, ratios: list[float]) -> Array:
    points = []
    for ratio in ratios:
        tree = classifier("cart", max_depth=max_depth, class_weight={True: float(ratio), False: 1.0})
        predicted = tree.fit(X, positive, weights).predict(X)
        points.append([weights[predicted & ~positive].sum(), weights[~predicted & positive].sum()])
    return _undominated(np.array(points))


class TradeOff:
    """Of two classes, an optimal tree for every ratio of the prices of false positives and false negatives, each proved.

    Attributes
    ----------
    false_positives, false_negatives : ndarray of shape (n_corners,)
        Weight of the training rows; false positives ascend, false negatives descend.
    ratio_low, ratio_high : ndarray of shape (n_corners,)
        What a false negative costs, in false positives, where the corner's tree is the best; the last ``ratio_high`` is infinite.
    estimators : list of fitted estimators
        The tree of each corner, with class weights for which it is optimal.
    positive : object
        The class whose rows are found or missed.
    status : str
        "optimal" when every corner is proved and none is missing.
    """

    def __init__(self, found: ErrorTradeOff, data: Dataset, positive: Any, estimators: list[Any]) -> None:
        self._found, self._data = found, data
        self.positive, self.status, self.estimators = positive, found.status, estimators
        self.false_positives: Array = np.array([corner.false_positives for corner in found.corners])
        self.false_negatives: Array = np.array([corner.false_negatives for corner in found.corners])
        self.ratio_low: Array = np.array([corner.ratio_low for corner in found.corners])
        self.ratio_high: Array = np.array([corner.ratio_high for corner in found.corners])

    def __len__(self) -> int:
        return len(self.estimators)

    def at_most_missed(self, limit: float) -> int:
        """The corner of the fewest false positives among those of at most ``limit`` false negatives.

        Raises
        ------
        ValueError
            When no corner misses so few.
        """
        within = np.flatnonzero(self.false_negatives <= limit)
        if len(within) == 0:
            raise ValueError(f"limit: every tree misses more than {limit} (use a number of at least 0)")
        return int(within[0])

    def least_false_positives(self, limit: float) -> float:
        """No tree of at most ``limit`` false negatives has fewer false positives, also none that is optimal for no ratio.

        Raises
        ------
        ValueError
            When ``limit`` is negative.
        """
        if not limit >= 0:
            raise ValueError(f"limit: {limit} is no number of at least 0")
        return self._found.least_false_positives(float(limit))

    def to_svg(self) -> str:
        """The corners, the trees of CART, and shaded what no tree within the limits reaches, as an SVG picture."""
        return self._found.svg(self._data)

    _repr_svg_ = to_svg

    def compare(self, X: Any, y: Any, sample_weight: Any = None, *, max_depth: int | None = None) -> dict[str, Array]:
        """The errors of other models on the same rows, to compare with: needs scikit-learn.

        Parameters
        ----------
        X, y, sample_weight
            The rows of the trade-off. Logistic regression takes numbers only, standardized and with missing values filled by the mean; it
            is left out where X holds anything else.
        max_depth : int or None, default=None
            Of CART's trees; by default that of the deepest tree of the trade-off.

        Returns
        -------
        dict
            "logistic regression" and "CART": arrays of shape (n_points, 2), false positives and false negatives. The first are those of all
            thresholds of one model, the others of trees grown with the class weights of the corners. Points that another one is
            as good as in both are left out.
        """
        labels = np.asarray(y) == self.positive
        weights = np.ones(len(labels)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        depth = max(tree.tree_.max_depth for tree in self.estimators) if max_depth is None else max_depth
        ratios = [positive / other for other, positive in (tree.class_weight.values() for tree in self.estimators)]
        curves = {"CART": _cart_curve(X, labels, weights, depth, ratios)}
        logistic = _logistic_curve(X, labels, weights)
        return curves if logistic is None else {"logistic regression": logistic, **curves}

    def plot(self, ax: Any = None, beside: dict[str, Array] | None = None) -> Any:
        """Draws the corners, and shaded below them what no tree reaches if all is proved.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; the current axes by default.
        beside : dict, optional
            Curves of other models, from :meth:`compare`: name -> false positives and false negatives.

        Returns
        -------
        matplotlib Axes
        """
        import matplotlib.pyplot as plt

        ax = plt.gca() if ax is None else ax
        if self.status == "optimal":
            ax.fill_between(self.false_positives, self.false_negatives, color="#b3420b", alpha=0.13, label="no tree gets below this line")
        ax.plot(self.false_positives, self.false_negatives, "o-", color="#0b62a8", label="trees optimal for some ratio")
        for (name, curve), style in zip((beside or {}).items(), ["--", ":", "-."] * len(beside or {}), strict=False):
            ax.plot(curve[:, 0], curve[:, 1], style, marker=".", label=name)
        ax.set_xlabel("false positives")
        ax.set_ylabel(f"false negatives ({self.positive} missed)", parse_math=False)
        ax.set_xlim(left=0)
        ax.set_ylim(bottom=0)
        ax.legend()
        return ax
