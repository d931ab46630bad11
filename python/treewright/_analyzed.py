"""What is asked beside the optimal tree: trade-offs, the worth of columns, near trees."""

from __future__ import annotations

from typing import Any, TypeVar

import numpy as np

from ._column_worth import ColumnSplits, ColumnWorth
from ._core import column_splits, column_worth, near_trees, trade_off
from ._dataset import Dataset
from ._near_trees import NearTrees
from ._options import asked_top
from ._path import PathClassifier
from ._result import Result
from ._trade_off import TradeOff

Self = TypeVar("Self", bound="AnalyzedClassifier")


class AnalyzedClassifier(PathClassifier):
    """An estimator, without its keywords, whose search answers more than one question about the same rows."""

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None, costs: Any = None, top: Any = None) -> Self:
        """Trains the tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            NaN = missing. DataFrame columns of categories or text are split by sets of categories, those of ordered ones between two of
            them. Texts such as "2021-05-03" are dates.
        y : array-like of shape (n_samples,)
            Class labels: numbers or text, at least two different ones. May be left out where there are costs: then each column of them is
            an action, and the tree is a policy.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row, >= 0. A row of weight 0 counts as no row.
        costs : array-like or DataFrame of shape (n_samples, n_labels), optional
            What each label costs each row, in the order of ``classes_`` or by name; negative numbers are rewards. The tree of least total
            cost is found, in place of the least errors.
        top : dict, optional
            Splits that the tree begins with, by method oct: ``{"column": "age", "below": 40, "left": ..., "right": "leaf"}``. A side is
            another such split, ``...`` where others may follow, or "leaf" where none may. A category has ``"levels": [...]``, those
            that go left, in place of "below"; a column with missing values needs ``"missing": "left"`` or "right".

        Returns
        -------
        self
            The fitted estimator.

        Raises
        ------
        ValueError, TypeError
            When an argument or a parameter cannot be used, or is of the wrong type; the message names the place and the fix.

        Warns
        -----
        OptimalityWarning
            When a limit or Ctrl-C ended the search before the tree was proved optimal.
        DataWarning
            When the data look wrong: names or row numbers among the features, a quantity as y, a class of very few rows.
        """
        self._train(X, y, sample_weight, costs=costs, **asked_top(top))
        return self

    def _asked(self, X: Any, y: Any, sample_weight: Any, costs: Any = None) -> tuple[Any, Dataset]:
        """A copy that is not fitted, and the rows as it reads them."""
        fresh = type(self)(**self.get_params())
        return fresh, fresh._dataset(*fresh._training_data(X, y, sample_weight, costs))[0]

    def trade_off(self, X: Any, y: Any, positive: Any = None, sample_weight: Any = None) -> TradeOff:
        """An optimal tree for every ratio of the prices of false positives and false negatives, each proved.

        The estimator's parameters hold; ``class_weight``, ``cost_matrix``, ``ccp_alpha`` and
        ``min_weight_fraction_leaf`` must be at their defaults. ``time_limit`` is for all trees together.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
            Class labels. Of more than two classes, ``positive`` is taken against the rest, and the estimators predict booleans.
        positive : class label, optional
            The class whose rows are found or missed; by default the second of two.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row, >= 0.

        Returns
        -------
        TradeOff
            Arrays ``false_positives``, ``false_negatives``, ``ratio_low``, ``ratio_high``; ``estimators``; ``status``; ``plot()``.

        Raises
        ------
        ValueError
            When X, y, positive, sample_weight or a parameter cannot be used.

        Warns
        -----
        OptimalityWarning
            When a limit or Ctrl-C ended the search, so that corners may be missing.
        """
        if self.class_weight is not None:
            raise ValueError("class_weight: the trade-off goes through all ratios of class weights (use None)")
        labels = np.asarray(y)
        classes = np.unique(labels)
        if positive is None and len(classes) > 2:
            raise ValueError(f"positive: y has {len(classes)} classes (name the one to take against the rest)")
        if positive is not None and positive not in classes.tolist():
            raise ValueError(f"positive: no row is of class {positive!r} (the classes are {', '.join(map(str, classes))})")
        if len(classes) > 2:
            labels, named = labels == positive, True
        else:
            named = classes[-1] if positive is None else next(label for label in classes.tolist() if label == positive)
        fresh, data = self._asked(X, labels, sample_weight)
        found = self._watched(
            lambda watchers: trade_off(data, fresh._options(), str(named), watchers), "the trade-off was complete; trees may be missing"
        )
        other = next(label for label in fresh.classes_.tolist() if label != named)
        estimators = []
        for corner in found.corners:
            weights = {other: corner.negative_weight, named: corner.positive_weight}
            estimators.append(fresh._with_result(corner.result, class_weight=weights))
        return TradeOff(found, data, classes[-1] if positive is None else positive, estimators)

    def column_worth(
        self, X: Any, y: Any = None, sample_weight: Any = None, most_more: float = np.inf, costs: Any = None, top: Any = None
    ) -> ColumnWorth | ColumnSplits:
        """What each column is worth: the least errors of a tree that asks it first, and of one that never asks it, each proved.

        The estimator's parameters hold; ``first_column``, ``never_columns`` and ``min_weight_fraction_leaf``
        must be at their defaults. ``time_limit`` is for all columns together.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row, >= 0.
        most_more : float, default=inf
            Of trees that make more than so many errors more than the best tree, only this is found out.
        costs : array-like or DataFrame of shape (n_samples, n_labels), optional
            As in ``fit``. With these or ``cost_matrix`` the figures are costs in place of errors.
        top : dict, optional
            Splits that the tree begins with, as in ``fit``, in which ``"?"`` marks one place: the best split on each column there is
            found, and the least errors of a tree that has it, which may be put in that place of ``top`` for ``fit``.

        Returns
        -------
        ColumnWorth
            Arrays ``first``, ``never``, ``worth`` and bounds, by ``columns``; the trees as estimators; ``status``. With ``top`` a
            ColumnSplits: ``columns``, ``splits``, ``errors`` and ``bound``, ``best`` and ``leaf``; ``status``.

        Raises
        ------
        ValueError
            When X, y, sample_weight or a parameter cannot be used.

        Warns
        -----
        OptimalityWarning
            When a limit or Ctrl-C ended the search, so that some figures are intervals.
        """
        if not most_more >= 0:
            raise ValueError(f"most_more: {most_more} is no number of at least 0")
        if top is not None and most_more != np.inf:
            raise ValueError("most_more: every column is found out with a top (leave most_more out)")
        fresh, data = self._asked(X, y, sample_weight, costs)
        if top is not None:
            options = fresh._options(**asked_top(top))
            return ColumnSplits(
                self._watched(lambda watchers: column_splits(data, options, watchers), "every column was known; some figures are intervals")
            )
        found = self._watched(
            lambda watchers: column_worth(data, fresh._options(), float(most_more), watchers),
            "every column was known; some figures are intervals",
        )

        def estimator(result: Result | None, **asked: str) -> Any:
            return None if result is None else fresh._with_result(result, **asked)

        firsts = [estimator(column.first_result, first_column=column.name) for column in found.columns]
        nevers = [estimator(column.never_result, **({"never_columns": column.name} if column.used else {})) for column in found.columns]
        return ColumnWorth(found, firsts, nevers)

    def near_trees(
        self,
        X: Any,
        y: Any = None,
        sample_weight: Any = None,
        *,
        within: float = 0.0,
        count: int = 1000,
        only_sets: bool = False,
        costs: Any = None,
    ) -> NearTrees:
        """The trees that make at most ``within`` more errors than the best one: which other trees are as good?

        Two trees are the same if they ask the same columns and part the rows in the same way, but for rows of equal values that
        together cost the same under every label. A tree that has a useless split is left out.
        The estimator's parameters hold as for ``column_worth``; ``time_limit`` is for the whole list.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row, >= 0.
        within : float, default=0
            So many more errors, by weight, or cost so much more where labels have costs; where splits have a price, that is added.
        count : int, default=1000
            Of more trees only so many, the best.
        only_sets : bool, default=False
            Of the trees that ask the same columns the best one only, so that more sets of columns are seen.
        costs : array-like or DataFrame of shape (n_samples, n_labels), optional
            As in ``fit``.

        Returns
        -------
        NearTrees
            The trees as ``estimators``, their ``errors`` and ``columns``, and whether the list is ``complete``.

        Raises
        ------
        ValueError
            When X, y, sample_weight or a parameter cannot be used.

        Warns
        -----
        OptimalityWarning
            When a limit or Ctrl-C ended the search, so that trees may be missing.
        """
        if not within >= 0:
            raise ValueError(f"within: {within} is no number of at least 0")
        if not count >= 1:
            raise ValueError(f"count: {count} is no number of at least 1")
        fresh, data = self._asked(X, y, sample_weight, costs)
        found = self._watched(
            lambda watchers: near_trees(data, fresh._options(), float(within), int(count), bool(only_sets), watchers),
            "the list was complete; trees may be missing",
        )
        return NearTrees(found, within, [fresh._with_result(result) for result in found.results], fresh._names())
