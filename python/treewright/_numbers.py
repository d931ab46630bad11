"""What all estimators share whose trees predict numbers."""

from __future__ import annotations

import math
from typing import Any

from numpy.typing import NDArray

from ._compat import check_is_fitted
from ._dataset import Dataset
from ._fitted import Counterfactual, FittedEstimator

Array = NDArray[Any]


class NumberEstimator(FittedEstimator):
    """A fitted estimator whose tree predicts numbers."""

    def shapley_values(self, X: Any) -> tuple[Array, float]:
        """How much each feature moves the prediction of each row away from the average.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        values : ndarray of shape (n_samples, n_features)
            Exact, path-dependent. For each row they add up to the prediction less the average.
        average : float
        """
        check_is_fitted(self)
        values, average = self._result.shapley_values(self._rows(X))
        return values[:, :, 0], float(average[0])

    def counterfactual(
        self, X: Any, row: int = 0, X_train: Any = None, *, below: float | None = None, above: float | None = None
    ) -> Counterfactual | None:
        """The smallest change to a row after which the tree predicts a number as wanted: exact.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        row : int, default=0
            Position of the row in X. Its missing values stay missing.
        X_train : array-like or DataFrame of shape (n_rows, n_features), optional
            Training rows: distances are in standard deviations of their columns, and a column of whole numbers or categories
            changes to one that occurs. In raw units if not given.
        below, above : float, optional
            The number is to be smaller than ``below`` and larger than ``above``. Neither = any other number.

        Returns
        -------
        Counterfactual or None
            None if no change of the known values makes it so.
        """
        train = None if X_train is None else self._rows(X_train)
        limits = (math.inf if below is None else float(below), -math.inf if above is None else float(above))
        found = self._result.change_to(*self._row_of(X, row), train, *limits)
        return None if found is None else Counterfactual(found["value"], found["distance"], self._changes(found))

    def _test_rows(self, X_test: Any, y_test: Any) -> Dataset:
        """Rows beside those of the training, whose target is still to be set."""
        if y_test is None:
            raise ValueError("report: X_test needs y_test")
        test = self._new_rows(X_test)
        if len(y_test) != test.rows:
            raise ValueError(f"report: y_test has {len(y_test)} numbers, and X_test {test.rows} rows (give one for each row)")
        return test
