"""What a fitted estimator does, with scikit-learn's names: it predicts, explains, shows and converts its tree."""

from __future__ import annotations

import contextlib
import copy
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._compat import HAVE_SKLEARN, DataWarning, check_is_fitted, check_names, check_rows
from ._dataset import Dataset
from ._exported import check_onnx, check_python
from ._frame import Columns, encode, is_frame, is_polars, with_columns
from ._result import FitResult, Result
from ._tree import Tree
from ._warn import warn
from .export import to_sklearn

Array = NDArray[Any]


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
        If given, the new value is anything below this number, and ``new`` is a short number close to it.
    """

    feature: str
    old: float | str
    new: float | str
    below: float | None


@dataclass(frozen=True)
class Counterfactual:
    """The nearest row of another class, or of a wanted number.

    Attributes
    ----------
    label
        What the tree predicts after the changes: a member of ``classes_``, or a number.
    distance : float
        sqrt(sum of ((new - old) / scale)^2 + number of categories changed).
    changes : list of Change
    """

    label: Any
    distance: float
    changes: list[Change]


class FittedEstimator:
    """The half of an estimator that needs no training rows' target, whatever the tree predicts. Training is the other half."""

    _is_read = False  # whether the tree comes from a file

    # Set by fit. The tree lives in _result alone, so that a pickle holds its JSON and nothing twice.
    _result: Result
    n_features_in_: int

    def _more_tags(self) -> dict[str, Any]:  # scikit-learn before 1.6
        return {"allow_nan": True}

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()  # type: ignore[misc]
        tags.input_tags.allow_nan = tags.input_tags.sparse = True
        return tags

    def _with_result(self, result: Result, **parameters: Any) -> Any:
        """An estimator that has seen the same data, with this tree and with some parameters replaced."""
        made = copy.copy(self).set_params(**parameters)  # type: ignore[attr-defined]
        made._result = result
        return made

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "_result")

    def _forget(self) -> None:
        """Drops what a fit has set, so that a fit that fails leaves the estimator unfitted."""
        for name in [name for name in vars(self) if name in ("_result", "_is_read", "_places") or name.endswith("_")]:
            delattr(self, name)

    @contextlib.contextmanager
    def _fitting(self) -> Iterator[None]:
        """A fit: it begins unfitted, and one that fails leaves the estimator so."""
        self._forget()
        try:
            yield
        except BaseException:
            self._forget()
            raise

    # --- new rows ---

    def _names(self) -> list[str]:
        names = getattr(self, "feature_names_in_", None)
        return [f"x{i}" for i in range(self.n_features_in_)] if names is None else [str(name) for name in names]

    def _with_columns_of_training(self, X: Any) -> Any:
        """A frame may lack what no split asks. A tree from a file takes its columns from among others and in any order, as the command
        does; else names are scikit-learn's business."""
        known = hasattr(self, "feature_names_in_") and (is_polars(X) or (is_frame(X) and X.columns.is_unique))
        names = self._names()
        if not known or list(X.columns) == names:
            return X
        there = set(X.columns)
        absent = [names[feature] for feature in sorted(self.tree_.features_used()) if names[feature] not in there]
        if not absent and there and (self._is_read or list(X.columns) == [name for name in names if name in there]):
            return with_columns(X, names)
        try:
            check_names(self, X)
        except ValueError as problem:
            if not absent:
                raise
            needed = ", ".join(map(repr, absent))
            raise ValueError(f"{problem}The tree asks for {needed}; only columns that it does not ask may be missing.") from None
        return X

    def _encoded(self, X: Any) -> tuple[Array, Columns]:
        """New rows as numbers, columns in the tree's order, and what they held."""
        check_is_fitted(self)
        X = self._with_columns_of_training(X)
        features = list(enumerate(self._result.tree.features))
        dates = {i for i, f in features if f.date}
        encoded, held = encode(X, dates, {i: f.levels for i, f in features if f.levels is not None})
        return check_rows(self, encoded), held

    def _rows(self, X: Any) -> Dataset:
        matrix, held = self._encoded(X)
        return Dataset(matrix, self._names(), held)

    def _row_of(self, X: Any, row: int) -> tuple[Dataset, int]:
        """The rows, and the position of one of them."""
        data = self._rows(X)
        try:
            position = operator.index(row)
        except TypeError:
            raise ValueError(f"row: {type(row).__name__} is no position of a row (count rows from 0; pass all rows as X)") from None
        if not 0 <= position < data.rows:
            raise ValueError(f"row: {position} is none of the {data.rows} rows (count from 0)")
        self._warn_of_rows(data)
        return data, position

    # --- prediction ---

    def _warn_of_rows(self, data: Dataset) -> None:
        for name, texts in data.unread_dates:
            some = ", ".join(map(repr, texts[:3])) + (", ..." if len(texts) > 3 else "")
            warn(f"column {name!r}: {some} is no date, and counts as missing", DataWarning)
        for note in self._result.row_notes(data):
            if note.kind == "one_value":
                if note.column in self._result.told:
                    continue
                self._result.told.add(note.column)
            warn(f"{note.problem}; {note.remedy}", DataWarning)

    def _new_rows(self, X: Any) -> Dataset:
        """Rows to predict, with warnings of what is odd about them."""
        data = self._rows(X)
        self._warn_of_rows(data)
        return data

    def _smoothed(self) -> Result:
        """The result as it is to be shown."""
        return self._result

    def apply(self, X: Any) -> Array:
        """Index (into the arrays of ``tree_``) of the leaf that each row reaches, ndarray of shape (n_samples,), int64."""
        data = self._new_rows(X)
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
        """errors / error_scale + alpha * terms of the tree; ``margot``, ``mm-svm`` and ``svm1`` have objectives of their own. Where it
        predicts numbers, 1 - R2 on the training rows + alpha * splits."""
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
        """Share of the Gini impurity, or of the loss, that the splits on each feature remove, ndarray of shape (n_features_in_,); see
        scikit-learn. What a hyperplane removes is shared out by its absolute weights, so there it depends on the units of X."""
        return self.tree_.feature_importances()

    @property
    def max_features_(self) -> int:
        """Number of features that a split may choose from: all."""
        return self.n_features_in_

    def _changes(self, found: Any) -> list[Change]:
        """The changes of a counterfactual, with names and levels."""
        features = self.tree_.features

        def value(feature: int, number: float) -> Any:
            levels = features[feature].levels
            return number if levels is None else levels[int(number)]

        return [
            Change(features[f].name, value(f, one["from"]), value(f, one["to"]), one["below"])
            for one in found["changes"]
            for f in [one["feature"]]
        ]

    def explain(self, X: Any, row: int = 0) -> str:
        """Why the tree predicts its class or number for a row: its path, the nearest change of the class, Shapley values.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        row : int, default=0
            Position of the row in X.

        Returns
        -------
        str
        """
        return self._smoothed().explain(*self._row_of(X, row))

    def get_depth(self) -> int:
        """Splits on the longest path from the root to a leaf."""
        return self.tree_.max_depth

    def get_n_leaves(self) -> int:
        """Number of leaves."""
        return self.tree_.n_leaves

    def to_json(self) -> str:
        """The tree with its claims in treewright's own format, which the command ``treewright`` reads as well."""
        check_is_fitted(self)
        return self._smoothed().write("json")

    def export(self, format: str, X: Any = None, *, name: str | None = None, backquotes: bool = False) -> str | bytes:
        """The tree as a picture, a program or a model of another library.

        Parameters
        ----------
        format : str
            One of "rules", "text", "dot", "svg", "latex" (for people), "json", "c", "cpp", "python", "javascript", "sql",
            "sql-probabilities", "excel", "pmml", "onnx".
        X : array-like or DataFrame of shape (n_samples, n_features), optional
            The training rows: pictures and texts get as many digits as these rows need to keep their leaves, programs are checked on each.
            A Python program is also run on them, and an ONNX file where onnxruntime is installed.
        name : str, optional
            Of the prefix of all functions ("c"), the namespace ("cpp") or the object ("javascript"); made of a checksum if not given, so
            that programs of different trees stand beside each other.
        backquotes : bool, default=False
            "sql", "sql-probabilities": write names in backquotes, as MySQL, Spark, Hive and BigQuery read them.

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
        write: Callable[..., str | bytes] = smoothed.write_bytes if format == "onnx" else smoothed.write
        written = write(format, rows, name or "", backquotes)
        if rows is not None and format in ("onnx", "python"):
            encoded, held = self._encoded(X)
            run: Callable[..., None] = check_onnx if format == "onnx" else check_python
            run(written, self._result, rows, encoded, held.levels)
        return written

    def _repr_html_(self) -> str:
        return self._smoothed().report(notebook=True) if hasattr(self, "_result") else f"<pre>{_escape(repr(self))}</pre>"

    def _repr_mimebundle_(self, **_kwargs: Any) -> dict[str, str]:
        # scikit-learn's own bundle would hide the tree behind the diagram of the parameters.
        return {"text/plain": repr(self), "text/html": self._repr_html_()}


if not HAVE_SKLEARN:
    del FittedEstimator.__sklearn_tags__


class FittedMethods(FittedEstimator):
    """The same of trees that predict classes."""

    shrinkage: float | None

    # Of a tree from a file whose classes are not sorted: where each of classes_, which are, stands in the tree.
    _places: Array | None = None

    classes_: Array

    def _classes_of_tree(self) -> Array:
        """The classes in the tree's order."""
        return self.classes_ if self._places is None else self.classes_[np.argsort(self._places)]

    def _sorted(self, by_class: Array) -> Array:
        """The last axis in the order of ``classes_``."""
        return by_class if self._places is None else by_class[..., self._places]

    def predict(self, X: Any) -> Array:
        """Class of each row.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            In the units of the training data. NaN = missing; a category that training did not see counts as missing. A DataFrame may
            lack columns that no split asks.

        Returns
        -------
        ndarray of shape (n_samples,)
            Members of ``classes_``.

        Warns
        -----
        DataWarning
            When a column that the tree asks about holds categories that training did not see in more than 5 % of the rows, one value in all
            rows (said once after each fit), or none.
        """
        codes = self._core_predict(X)
        return np.asarray(self._classes_of_tree()[codes])

    def _smoothed(self) -> Result:
        """The result with ``shrinkage`` as it is set now."""
        if self.shrinkage is None:
            return self._result
        other = Result.from_json(self._result.write("json"))
        other.shrinkage = float(self.shrinkage)
        return other

    def _core_predict(self, X: Any) -> Array:
        data = self._new_rows(X)
        return self._result.predict(data)

    def predict_proba(self, X: Any) -> Array:
        """Probability of each class, ndarray of shape (n_samples, n_classes), ordered as ``classes_``.

        The shares of the classes in the leaf that a row reaches, pulled towards those of the nodes above; of a tree with hyperplanes
        they depend on the distances to these as well, unless ``shrinkage`` is given. ``predict`` does not follow them: it returns the
        majority of the leaf or, with a cost matrix, its cheapest label. The majority may be another class than the most probable one
        where few training rows reach the leaf.
        """
        data = self._new_rows(X)
        return self._sorted(self._result.predict_proba(data, self.shrinkage))

    def predict_log_proba(self, X: Any) -> Array:
        """Natural logarithm of ``predict_proba``; ``-inf`` where a share is 0."""
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(shares))

    @property
    def n_classes_(self) -> int:
        """Number of classes."""
        return len(self.classes_)

    def counterfactual(self, X: Any, row: int = 0, X_train: Any = None) -> Counterfactual | None:
        """The smallest change to a row after which the tree predicts another class: exact for every kind of split.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        row : int, default=0
            Position of the row in X. Its missing values stay missing.
        X_train : array-like or DataFrame of shape (n_rows, n_features), optional
            Training rows: distances are in standard deviations of their columns, and a column of whole numbers or categories
            changes to one that occurs. In raw units if not given.

        Returns
        -------
        Counterfactual or None
            None if no change of the known values alters the class.
        """
        found = self._result.counterfactual(*self._row_of(X, row), None if X_train is None else self._rows(X_train))
        if found is None:
            return None
        return Counterfactual(self._classes_of_tree()[found["label"]], found["distance"], self._changes(found))

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
        values, average = self._smoothed().shapley_values(self._rows(X))
        return self._sorted(values), self._sorted(average)

    def to_sklearn(self, X: Any) -> Any:
        """The tree as a scikit-learn DecisionTreeClassifier; see :func:`treewright.to_sklearn`."""
        return to_sklearn(self, X)


def _escape(text: str) -> str:
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
