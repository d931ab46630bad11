"""What all estimators share, with scikit-learn's contract and names."""

from __future__ import annotations

import copy
import datetime
import os
import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._compat import (
    HAVE_SKLEARN,
    BaseEstimator,
    ClassifierMixin,
    DataWarning,
    OptimalityWarning,
    check_is_fitted,
    check_rows,
    check_training,
    check_weights,
)
from ._core import DataNote, Dataset, Elsewhere, FitResult, Progress, Result, Tree, fit
from ._costs import costs_by_class, costs_by_row, in_order_of
from ._frame import Columns, encode, is_frame
from ._generic import enter
from ._options import METHODS, OptionSet, of_today, unknown_method
from ._progress import watching
from .export import check_onnx, check_python, to_sklearn

Array = NDArray[Any]
Self = TypeVar("Self", bound="TreeClassifier")

# Why a search ended early, by its status.
STOPPED = {
    "time_limit": "the time limit was reached",
    "node_limit": "the node limit was reached",
    "interrupted": "it was interrupted",
}


_EXACT = frozenset(method.name for method in METHODS if method.exact)


def _warn_unless_proved(claims: FitResult) -> None:
    gap = f"the gap is {100 * claims.gap:.3g} %. The best tree found is kept"
    if claims.status in STOPPED:
        message = f"{STOPPED[claims.status]} before the tree was proved optimal; {gap} (give it more time, or accept the gap: see result_)"
    elif claims.status == "heuristic" and claims.method in _EXACT:
        message = f"the tree was not proved optimal; {gap} (relax the limits on leaves, or accept the gap: see result_)"
    else:
        return
    warnings.warn(message, OptimalityWarning, stacklevel=4)


def _warn_of_few_leaves(max_depth: Any, classes: int) -> None:
    """Where a chosen depth leaves fewer leaves than there are classes. Depth 0 is wanted as it is."""
    if isinstance(max_depth, (int, np.integer)) and 0 < max_depth < 60 and 2**max_depth < classes:
        message = f"{2**max_depth} leaves cannot hold {classes} classes, so some are never predicted; max_depth allows more"
        warnings.warn(message, DataWarning, stacklevel=4)


# Notes on texts that are no categories at all.
_OF_NAMES = ("near_unique", "stray_cells")

# What to do about a note on the data, by its kind. Columns of one value harm nothing.
_REMEDIES = {
    "near_unique": "it is left out (read dates such as 03/04/2020 with pd.to_datetime, or make it a pandas category to keep it)",
    "stray_cells": "it is left out (use pd.to_numeric or pd.to_datetime with errors='coerce', or make it a pandas category to keep it)",
    "row_numbers": "new rows will have other numbers: it is left out (make it float to keep it)",
    "copies_target": "it is left out as a copy of the target (make it float or a pandas category to keep it)",
    "many_classes": "trees of treewright predict classes, not quantities: group the values into a few classes",
    "many_labels": "a class of one or two rows is never learned: is this the column that you mean?",
    "rare_class": "a tree may never predict it: use class_weight='balanced', or merge it with another class",
    "many_levels": "a split may take any set of them, so a tree learns single rows by heart: group rare ones, or leave the column out",
    "mixed_cells": "convert it with pd.to_numeric(..., errors='coerce') if the others stand for missing values",
    "spelling": "write them alike if they mean the same",
}
# The same where the column is kept, because the user's program has made its type.
_REMEDIES_OF_KEPT = {
    "row_numbers": "new rows will have other numbers: leave the column out",
    "copies_target": "if it is not known before the class, leave the column out",
}


def _warn_of_data(notes: list[DataNote]) -> None:
    for note in notes:
        remedies = _REMEDIES if note.leave_out else _REMEDIES | _REMEDIES_OF_KEPT
        if note.kind in remedies:
            warnings.warn(f"{note.problem}; {remedies[note.kind]}", DataWarning, stacklevel=4)


@dataclass(frozen=True)
class Change:
    """A value of a row that has to change.

    Attributes
    ----------
    feature : str
        Name of the column.
    old, new : float or str
        Number (of dates: days since 1970-01-01) or category.
    below : float or None
        If given, the new value is anything below this number, and ``new`` is the nearest double.
    """

    feature: str
    old: float | str
    new: float | str
    below: float | None


@dataclass(frozen=True)
class Counterfactual:
    """The nearest row of another class.

    Attributes
    ----------
    label
        The class that the tree predicts after the changes, a member of ``classes_``.
    distance : float
        sqrt(sum of ((new - old) / scale)^2 + number of categories changed).
    changes : list of Change
    """

    label: Any
    distance: float
    changes: list[Change]


class TreeClassifier(ClassifierMixin, BaseEstimator):
    """An estimator without its keywords: data in, and a fitted tree out."""

    # The methods it may train by, its usual one first; set by each estimator.
    _methods: ClassVar[tuple[str, ...]]
    class_weight: Any
    verbose: bool | int
    callback: Callable[[Progress], Any] | None
    shrinkage: float | None = None  # also of estimators pickled before they had the parameter
    cost_matrix: Any = None  # of estimators that have no such keyword too

    _is_read = False  # whether the tree comes from a file

    # Set by fit. The tree lives in _result alone, so that a pickle holds its JSON and nothing twice.
    _result: Result
    classes_: Array
    n_features_in_: int

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "_methods" in vars(cls):
            enter(cls, tunes="_single" in vars(cls))

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"allow_nan": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def set_params(self, **params: Any) -> Any:
        """As scikit-learn's, and names of earlier versions are understood."""
        return super().set_params(**of_today(params))

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_result")

    # --- training ---

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None, costs: Any = None) -> Self:
        """Trains the tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            NaN = missing. DataFrame columns of categories or text are split by sets of categories. Texts such as "2021-05-03", "03.05.2021"
            or "3 May 2021" are dates.
        y : array-like of shape (n_samples,)
            Class labels: numbers or text, at least two different ones.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row, >= 0. A row of weight 0 counts as no row.
        costs : array-like or DataFrame of shape (n_samples, n_labels), optional
            What each label costs each row; negative numbers are rewards. The tree of least total cost is found, in place of the least
            errors, by methods that can. With y the columns are the classes, in the order of ``classes_`` or by name. Without y the
            labels need not be classes: each column is an action, ``classes_`` are the DataFrame's columns (0, 1, ... of an array), and
            the tree is a policy.

        Returns
        -------
        self
            The fitted estimator.

        Raises
        ------
        ValueError
            When X, y, sample_weight or a parameter cannot be used; the message names the place and the fix.

        Warns
        -----
        OptimalityWarning
            When a limit or Ctrl-C ended the search before the tree was proved optimal.
        DataWarning
            When the data look wrong: names or row numbers among the features, a quantity as y, a class of very few rows.
        """
        self._train(X, y, sample_weight, costs=costs)
        return self

    def _train(self, X: Any, y: Any, sample_weight: Any, elsewhere: Elsewhere | None = None, *, costs: Any = None, **more: Any) -> None:
        """`fit`, with some parameters replaced and with the help of other machines."""
        self._forget()
        try:
            data, notes = self._dataset(*self._training_data(X, y, sample_weight, costs))
            options = self._options(**more)
            _warn_of_data(notes)
            if costs is None:
                _warn_of_few_leaves(more.get("max_depth", getattr(self, "max_depth", None)), len(self.classes_))
            with watching(self.verbose, self.callback) as watchers:
                self._result = fit(data, options, watchers, elsewhere)
        except BaseException:
            self._forget()
            raise
        _warn_unless_proved(self._result.claims)

    def _forget(self) -> None:
        """Drops what a fit has set, so that a fit that fails leaves the estimator unfitted."""
        for name in [name for name in vars(self) if name in ("_result", "_is_read") or name.endswith("_")]:
            delattr(self, name)

    def _options(self, **more: Any) -> OptionSet:
        """The library's options from the parameters, with some of them replaced."""
        values = self.get_params() | more
        method = values.setdefault("method", self._methods[0])
        if isinstance(method, str) and method not in self._methods:
            raise unknown_method(type(self).__name__, method, self._methods)
        return OptionSet(values)

    # --- data ---

    def _names(self) -> list[str]:
        names = getattr(self, "feature_names_in_", None)
        return [f"x{i}" for i in range(self.n_features_in_)] if names is None else [str(name) for name in names]

    def _training_data(
        self, X: Any, y: Any, sample_weight: Any, costs: Any = None
    ) -> tuple[Array, Array, Array | None, Columns, Array | None]:
        """Checked X, codes of y into classes_, row weights with the class weights, what X held, costs by row. Rows of weight 0 are left
        out."""
        encoded, held = encode(X)
        row_costs, names = (None, None) if costs is None else costs_by_row(costs)
        if row_costs is not None and y is None:
            matrix, codes = check_training(self, encoded, row_costs.argmin(axis=1))
            self.classes_ = np.arange(row_costs.shape[1]) if names is None else np.array(names)
        else:
            matrix, y = check_training(self, encoded, y)
            self.classes_, codes = np.unique(y, return_inverse=True)
            if row_costs is not None:
                row_costs = in_order_of(self.classes_, row_costs, names)
        if row_costs is not None and len(row_costs) != len(matrix):
            raise ValueError(f"costs: there are {len(row_costs)} rows of them, and {len(matrix)} of X (give one for each row)")
        if row_costs is not None and (self.cost_matrix is not None or self.class_weight is not None):
            raise ValueError("costs: cannot be used with cost_matrix or class_weight (put these into the costs)")
        codes = codes.astype(np.int32)
        weights = None if sample_weight is None else check_weights(sample_weight, matrix)
        class_weight = self._class_weights(codes, weights)
        if class_weight is not None:
            weights = class_weight[codes] * (1.0 if weights is None else weights)
        if weights is not None and (weights == 0).any():
            # As scikit-learn's trees: a row without weight is no row, neither for thresholds nor for min_samples_leaf.
            kept = weights != 0
            matrix, codes, weights = matrix[kept], codes[kept], weights[kept]
            row_costs = None if row_costs is None else row_costs[kept]
        return matrix, codes, weights, held, row_costs

    def _with_result(self, result: Result, **parameters: Any) -> Any:
        """An estimator that has seen the same data, with this tree and with some parameters replaced."""
        made = copy.copy(self).set_params(**parameters)
        made._result = result
        return made

    def _class_weights(self, codes: Array, weights: Array | None) -> Array | None:
        given = self.class_weight
        if given is None:
            return None
        if isinstance(given, str):
            if given != "balanced":
                raise ValueError(f"class_weight: {given!r} is not known (use None, 'balanced' or a dict)")
            totals = np.bincount(codes, weights, minlength=len(self.classes_))
            occurs = totals > 0
            return np.divide(totals.sum(), occurs.sum() * totals, out=np.ones(len(totals)), where=occurs)
        unknown = [label for label in given if label not in self.classes_]
        if unknown:
            raise ValueError(f"class_weight: no row is of class {unknown[0]!r} (the classes are {', '.join(map(str, self.classes_))})")
        return np.array([float(given.get(label, 1.0)) for label in self.classes_.tolist()])

    def _dataset(
        self, matrix: Array, codes: Array, weights: Array | None, held: Columns, row_costs: Array | None = None
    ) -> tuple[Dataset, list[DataNote]]:
        """Training rows without the columns that training does better without, and what a user should know of them."""
        data = Dataset(matrix, self._names(), held)
        data.set_labels(codes, [str(label) for label in self.classes_.tolist()])
        if weights is not None:
            data.set_weights(weights)
        if self.cost_matrix is not None:
            data.set_costs(costs_by_class(self.cost_matrix, self.classes_.tolist()))
        if row_costs is not None:
            data.set_row_costs(row_costs)
        # As the command does, columns are left out whose type nobody has chosen: text and whole numbers of DataFrames. An array, a float or
        # a category is as the user's program has made it.
        guessed = held.text | held.whole
        notes, unwanted = [], set()
        for note in data.notes():
            columns = {self._names().index(name) for name in note.names} & guessed if note.leave_out else set()
            unwanted |= columns
            notes.append(replace(note, leave_out=bool(columns)))
        of_names = {self._names().index(name) for note in notes if note.kind in _OF_NAMES for name in note.names}
        if len(unwanted) == self.n_features_in_ and not unwanted & of_names:
            # What only may mislead is better than nothing.
            return data, [replace(note, leave_out=False) for note in notes]
        for column in sorted(unwanted):
            data.leave_out(column)
        return data, notes

    def _encoded(self, X: Any) -> tuple[Array, Columns]:
        """New rows as numbers, columns in the tree's order, and what they held."""
        check_is_fitted(self)
        if self._is_read and is_frame(X) and X.columns.is_unique and set(self._names()) <= set(X.columns):
            # As the command: the columns that training left out may be there.
            X = X[self._names()]
        encoded, held = encode(X, {i for i, feature in enumerate(self._result.tree.features) if feature.date})
        return check_rows(self, encoded), held

    def _rows(self, X: Any) -> Dataset:
        matrix, held = self._encoded(X)
        return Dataset(matrix, self._names(), held)

    def _rows_with(self, X: Any, row: int) -> Dataset:
        data = self._rows(X)
        if not 0 <= row < data.rows:
            raise ValueError(f"row: {row} is none of the {data.rows} rows (count from 0)")
        self._warn_of_rows(data, stacklevel=4)
        return data

    # --- prediction ---

    def _warn_of_rows(self, data: Dataset, stacklevel: int) -> None:
        for name, texts in data.unread_dates:
            some = ", ".join(map(repr, texts[:3])) + (", ..." if len(texts) > 3 else "")
            warnings.warn(f"column {name!r}: {some} is no date, and counts as missing", DataWarning, stacklevel=stacklevel)
        for note in self._result.row_notes(data):
            warnings.warn(f"{note.problem}; {note.remedy}", DataWarning, stacklevel=stacklevel)

    def predict(self, X: Any) -> Array:
        """Class of each row.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            In the units of the training data. NaN = missing; a category that training did not see counts as missing.

        Returns
        -------
        ndarray of shape (n_samples,)
            Members of ``classes_``.

        Warns
        -----
        DataWarning
            When a column that the tree asks about holds categories that training did not see in more than 5 % of the rows, one value in all
            rows, or none.
        """
        codes = self._core_predict(X)
        return np.asarray(self.classes_[codes])

    def _smoothed(self) -> Result:
        """The result with ``shrinkage`` as it is set now."""
        if self.shrinkage is None or float(self.shrinkage) == self._result.shrinkage:
            return self._result
        other = Result.from_json(self._result.write("json"))
        other.shrinkage = float(self.shrinkage)
        return other

    def _core_predict(self, X: Any) -> Array:
        data = self._rows(X)
        self._warn_of_rows(data, stacklevel=4)
        return self._result.predict(data)

    def predict_proba(self, X: Any) -> Array:
        """Probability of each class, ndarray of shape (n_samples, n_classes), ordered as ``classes_``.

        The shares of the classes in the leaf that a row reaches, pulled towards those of the nodes above by ``shrinkage``. ``predict``
        does not follow them: it returns the majority of the leaf or, with a cost matrix, its cheapest label. The majority may be another
        class than the most probable one where few training rows reach the leaf.
        """
        data = self._rows(X)
        self._warn_of_rows(data, stacklevel=3)
        return self._result.predict_proba(data, self.shrinkage)

    def predict_log_proba(self, X: Any) -> Array:
        """Natural logarithm of ``predict_proba``; ``-inf`` where a share is 0."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(shares))

    def apply(self, X: Any) -> Array:
        """Index (into the arrays of ``tree_``) of the leaf that each row reaches, ndarray of shape (n_samples,), int64."""
        data = self._rows(X)
        self._warn_of_rows(data, stacklevel=3)
        return self._result.apply(data)

    def decision_path(self, X: Any) -> Any:
        """Which nodes each row visits: a 0/1 matrix of shape (n_samples, node_count), in scipy's CSR format where scipy is installed."""
        data = self._rows(X)
        begin, visited = self._result.decision_path(data)
        shape = (len(begin) - 1, self.tree_.node_count)
        try:
            from scipy.sparse import csr_matrix
        except ImportError:
            dense = np.zeros(shape, np.int64)
            dense[np.repeat(np.arange(shape[0]), np.diff(begin)), visited] = 1
            return dense
        return csr_matrix((np.ones(len(visited), np.int64), visited, begin), shape=shape)

    # --- the fitted tree ---

    @property
    def tree_(self) -> Tree:
        """The tree as arrays."""
        check_is_fitted(self)
        return self._result.tree

    @property
    def result_(self) -> FitResult:
        """What is claimed of the tree."""
        check_is_fitted(self)
        return self._result.claims

    @property
    def objective_(self) -> float:
        """errors / error_scale + alpha * terms of the tree; ``margot``, ``mm-svm`` and ``svm1`` have objectives of their own."""
        return self.result_.objective

    @property
    def bound_(self) -> float:
        """No tree within the limits has an objective below this; 0 when nothing was proved."""
        return self.result_.bound

    @property
    def gap_(self) -> float:
        """(objective_ - bound_) / max(|objective_|, 1e-10); 0 = proved optimal."""
        return self.result_.gap

    @property
    def status_(self) -> str:
        """ "optimal", "time_limit", "node_limit", "interrupted" or "heuristic"."""
        return self.result_.status

    @property
    def verified_(self) -> bool:
        """Whether a checker that knows nothing of the search has gone through a proof of ``bound_``."""
        return self.result_.verified

    @property
    def seconds_(self) -> float:
        """Duration of the training of this tree in seconds."""
        return self.result_.seconds

    @property
    def feature_importances_(self) -> Array:
        """Share of the Gini impurity that the splits on each feature remove, ndarray of shape (n_features_in_,); see scikit-learn."""
        return self.tree_.feature_importances()

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    @property
    def max_features_(self) -> int:
        """Number of features that a split may choose from: all."""
        return self.n_features_in_

    def explain(self, X: Any, row: int = 0) -> str:
        """Why the tree predicts its class for a row: its path, the nearest change of the class, Shapley values.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        row : int, default=0
            Position of the row in X.

        Returns
        -------
        str
        """
        return self._smoothed().explain(self._rows_with(X, row), row)

    def counterfactual(self, X: Any, row: int = 0, X_train: Any = None) -> Counterfactual | None:
        """The smallest change to a row after which the tree predicts another class: exact for every kind of split.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        row : int, default=0
            Position of the row in X. Its missing values stay missing.
        X_train : array-like or DataFrame of shape (n_rows, n_features), optional
            Training rows: distances are in standard deviations of their columns. In raw units if not given.

        Returns
        -------
        Counterfactual or None
            None if no change of the known values alters the class.
        """
        found = self._result.counterfactual(self._rows_with(X, row), row, None if X_train is None else self._rows(X_train))
        if found is None:
            return None
        features = self.tree_.features

        def value(feature: int, number: float) -> Any:
            levels = features[feature].levels
            return number if levels is None else levels[int(number)]

        changes = [
            Change(features[f].name, value(f, one["from"]), value(f, one["to"]), one["below"])
            for one in found["changes"]
            for f in [one["feature"]]
        ]
        return Counterfactual(self.classes_[found["label"]], found["distance"], changes)

    def shapley_values(self, X: Any) -> tuple[Array, Array]:
        """How much each feature moves the class probabilities of each row away from their average.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)

        Returns
        -------
        values : ndarray of shape (n_samples, n_features, n_classes)
            Exact, path-dependent. For each row and class they add up to the probability less the average.
        average : ndarray of shape (n_classes,)

        Raises
        ------
        ValueError
            When the tree has hyperplanes, which belong to no single feature.
        """
        check_is_fitted(self)
        return self._smoothed().shapley_values(self._rows(X))

    def get_depth(self) -> int:
        """Splits on the longest path from the root to a leaf."""
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        return self.tree_.n_leaves

    def check(self, X: Any, y: Any = None, sample_weight: Any = None, costs: Any = None) -> list[str]:
        """Recounts every claim of ``result_`` on the training data: errors, objective, depth, splits, rows in each leaf.

        Parameters
        ----------
        X, y, sample_weight, costs
            What ``fit`` was given.

        Returns
        -------
        list of str
            One sentence for each claim that does not hold; empty when all hold.
        """
        check_is_fitted(self)
        fresh = type(self)(**self.get_params())
        data, _ = fresh._dataset(*fresh._training_data(X, y, sample_weight, costs))
        return self._result.check(data)

    def to_json(self) -> str:
        """The tree with its claims in treewright's own format, which the command ``treewright`` reads as well."""
        check_is_fitted(self)
        return self._smoothed().write("json")

    def export(self, format: str, X: Any = None) -> str | bytes:
        """The tree as a picture, a program or a model of another library.

        Parameters
        ----------
        format : str
            One of "rules", "text", "dot", "svg", "latex" (for people), "json", "c", "cpp", "python", "javascript", "sql",
            "sql-probabilities", "excel", "pmml", "onnx".
        X : array-like or DataFrame of shape (n_samples, n_features), optional
            The training rows: pictures and texts get as many digits as these rows need to keep their leaves, programs are checked on each.
            A Python program is also run on them, and an ONNX file where onnxruntime is installed.

        Returns
        -------
        str, or bytes for "onnx"

        Raises
        ------
        ValueError
            When a row would reach another leaf in the exported tree, when the format is unknown, or when it cannot express the tree.
        """
        check_is_fitted(self)
        rows = None if X is None else self._rows(X)
        smoothed = self._smoothed()
        written = smoothed.write_bytes(format, rows) if format == "onnx" else smoothed.write(format, rows)
        if rows is not None and format in ("onnx", "python"):
            encoded, held = self._encoded(X)
            run: Callable[..., None] = check_onnx if format == "onnx" else check_python
            run(written, self._result, rows, encoded, held.levels)
        return written

    def report(
        self,
        path: Any = None,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        X_test: Any = None,
        y_test: Any = None,
        costs: Any = None,
        costs_test: Any = None,
        complexity_path: bool = False,
        with_rows: bool = False,
        title: str | None = None,
        author: str | None = None,
    ) -> str:
        """The tree as one self-contained HTML page: drawing, certificate, charts, rules, a row of the reader's own.

        Parameters
        ----------
        path : str or path-like, optional
            Where to write the page.
        X, y, sample_weight : optional
            What ``fit`` was given: adds histograms, tables, and the greedy tree beside this one.
        X_test, y_test : optional
            Other rows, shown side by side with the training rows.
        costs, costs_test : optional
            What each label costs each row of X, as ``fit`` was given it, and each row of X_test.
        complexity_path : bool, default=False
            Add the optimal trees of all sizes (trains them; for OptimalTreeClassifier).
        with_rows : bool, default=False
            Embed the training rows in the page, so that a reader can pick one.
        title, author : str, optional
            The headline; who is responsible for the tree, shown with today's date.

        Returns
        -------
        str
            The page.
        """
        check_is_fitted(self)
        if X_test is not None and y_test is None and costs_test is None:
            raise ValueError("report: X_test needs y_test, or costs_test where labels have costs by row")
        if complexity_path and (X is None or not hasattr(self, "_path")):
            raise ValueError("report: complexity_path needs X and y, and an OptimalTreeClassifier")
        train = test = beside = corners = None
        if X is not None:
            parameters = self.get_params()
            fresh = type(self)(**parameters)
            parts = fresh._training_data(X, y, sample_weight, costs)
            train, _ = fresh._dataset(*parts)
            if self.result_.method != "cart":
                limits = {
                    name: parameters[name] for name in ("min_samples_leaf", "min_weight_fraction_leaf", "max_splits") if name in parameters
                }
                beside = fit(train, OptionSet({"max_depth": self.tree_.max_depth, **limits, "method": "cart"}))
            if complexity_path:
                corners = fresh._path(*parts)
        if X_test is not None:
            test = self._rows(X_test)
            self._warn_of_rows(test, stacklevel=3)
            self._label(test, y_test, costs_test)
        page = self._smoothed().report(
            train, test, beside, corners, with_rows, title=title, author=author, date=datetime.date.today().isoformat()
        )
        if path is not None:
            _write_whole(path, page)
        return page

    def _label(self, test: Dataset, y: Any, costs: Any) -> None:
        """Gives rows to test on their classes and what each label costs them; where there are no classes, the cheapest label is taken."""
        row_costs = None if costs is None else in_order_of(self.classes_, *costs_by_row(costs))
        if row_costs is not None and len(row_costs) != test.rows:
            raise ValueError(f"costs_test: there are {len(row_costs)} rows of them, and {test.rows} of X_test (give one for each row)")
        codes = {label: code for code, label in enumerate(self.classes_.tolist())}
        if y is None and row_costs is not None:
            labels = row_costs.argmin(axis=1)
        else:
            unknown = [label for label in np.asarray(y).tolist() if label not in codes]
            if unknown:
                raise ValueError(f"report: y_test holds {unknown[0]!r}, which is none of the tree's classes")
            labels = np.array([codes[label] for label in np.asarray(y).tolist()])
        test.set_labels(labels, [str(label) for label in codes])
        if row_costs is not None:
            test.set_row_costs(row_costs)

    def to_sklearn(self, X: Any) -> Any:
        """The tree as a scikit-learn DecisionTreeClassifier; see :func:`treewright.to_sklearn`."""
        return to_sklearn(self, X)

    def _repr_html_(self) -> str:
        return self._smoothed().report(notebook=True) if hasattr(self, "_result") else f"<pre>{_escape(repr(self))}</pre>"

    def _repr_mimebundle_(self, **_kwargs: Any) -> dict[str, str]:
        # scikit-learn's own bundle would hide the tree behind the diagram of the parameters.
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


def _write_whole(path: Any, text: str) -> None:
    """Writes the file whole or not at all, through a link if it is one."""
    goal = os.path.realpath(path)
    unfinished = f"{goal}.{os.getpid()}.tmp"
    try:
        with open(unfinished, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(unfinished, goal)
    except BaseException:
        if os.path.exists(unfinished):
            os.remove(unfinished)
        raise


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


if not HAVE_SKLEARN:
    del TreeClassifier.__sklearn_tags__
