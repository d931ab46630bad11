"""What all estimators share whose trees predict numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, TypeVar

from numpy.typing import NDArray

from ._compat import check_is_fitted
from ._core import fit
from ._dataset import Dataset
from ._fitted import Counterfactual, FittedEstimator
from ._options import OptionSet, options_of_run
from ._progress import watching
from ._running import Elsewhere, Progress
from ._warnings import warn_of_large_numbers, warn_unless_proved

Array = NDArray[Any]
Self = TypeVar("Self", bound="NumberEstimator")


class NumberEstimator(FittedEstimator):
    """An estimator whose tree predicts numbers. `_training_set` makes checked rows of what `fit` gets."""

    _method: ClassVar[str]
    _run: ClassVar[dict[str, Any]] = {}
    verbose: bool | int
    callback: Callable[[Progress], Any] | None
    run: Mapping[str, Any] | None = None

    def _train(
        self: Self, X: Any, y: Any, sample_weight: Any, elsewhere: Elsewhere | None = None, *, exposure: Any = None, **more: Any
    ) -> Self:
        """`fit`, with some of the options replaced and with the help of other machines."""
        at_risk = {} if exposure is None else {"exposure": exposure}
        with self._fitting():
            data: Dataset = self._training_set(X, y, sample_weight, **at_risk)  # type: ignore[attr-defined]
            options = self._options(**more)
            warn_of_large_numbers(data)
            with watching(self.verbose, self.callback) as watchers:
                self._result = fit(data, options, watchers, elsewhere)
        warn_unless_proved(self._result.claims)
        return self

    def _options(self, **more: Any) -> OptionSet:
        """The library's options from the parameters, with some of them replaced; a criterion is the loss of the data."""
        values = {name: value for name, value in self.get_params().items() if name != "criterion"}  # type: ignore[attr-defined]
        return OptionSet(values | options_of_run(self.run, self._run) | {"method": self._method} | more)

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
