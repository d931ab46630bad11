"""The trees that are optimal for some ratio of two kinds of errors."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._core import Dataset, ErrorTradeOff

Array = NDArray[Any]


class TradeOff:
    """All trees of two classes that are optimal for some ratio of false positives and false negatives, each proved.

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

    def plot(self, ax: Any = None) -> Any:
        """Draws the corners, and shaded below them what no tree reaches if all is proved.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; the current axes by default.

        Returns
        -------
        matplotlib Axes
        """
        import matplotlib.pyplot as plt

        ax = plt.gca() if ax is None else ax
        if self.status == "optimal":
            ax.fill_between(self.false_positives, self.false_negatives, color="#b3420b", alpha=0.13, label="no tree gets below this line")
        ax.plot(self.false_positives, self.false_negatives, "o-", color="#0b62a8", label="trees optimal for some ratio")
        ax.set_xlabel("false positives")
        ax.set_ylabel(f"false negatives ({self.positive} missed)")
        ax.set_xlim(left=0)
        ax.set_ylim(bottom=0)
        ax.legend()
        return ax
