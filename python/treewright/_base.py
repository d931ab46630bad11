"""What all estimators share, with scikit-learn's contract and names: data in, and a fitted tree out."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, ClassVar, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._compat import BaseEstimator, ClassifierMixin, as_plain, as_vector, check_is_fitted, check_training, check_weights, rows_that_count
from ._core import fit
from ._costs import costs_by_class, costs_by_row, in_order_of
from ._dataset import DataNote, Dataset
from ._fitted import FittedMethods
from ._frame import Columns, encode
from ._generic import enter
from ._options import OPTIONS_OF, OptionSet, options_of_run, unknown_method
from ._page import write_page
from ._progress import watching
from ._running import Elsewhere, Progress
from ._warnings import OF_NAMES, warn_of_data, warn_of_few_leaves, warn_of_large_numbers, warn_unless_proved

Array = NDArray[Any]
Self = TypeVar("Self", bound="TreeClassifier")


class TreeClassifier(FittedMethods, ClassifierMixin, BaseEstimator):
    """An estimator without its keywords: data in, and a fitted tree out."""

    # The methods it may train by, its usual one first; set by each estimator.
    _methods: ClassVar[tuple[str, ...]]
    # The keys that `run` may have, with their defaults; set by each estimator.
    _run: ClassVar[dict[str, Any]] = {}
    _solver: ClassVar[str] = ""  # of the methods that have several, where it is not theirs
    class_weight: Any
    verbose: bool | int
    callback: Callable[[Progress], Any] | None
    # Of estimators that have no such keyword too:
    cost_matrix: Any = None
    run: Mapping[str, Any] | None = None

    def __init_subclass__(cls, **more: Any) -> None:
        super().__init_subclass__(**more)
        if "_methods" in vars(cls):
            enter(cls, tunes="_single" in vars(cls))

    # --- training ---

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None, costs: Any = None) -> Self:
        """Trains the tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            NaN = missing. DataFrame columns of categories or text are split by sets of categories, those of ordered ones between two of
            them. Texts such as "2021-05-03", "03.05.2021" or "3 May 2021" are dates.
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
        ValueError, TypeError
            When X, y, sample_weight or a parameter cannot be used, or is of the wrong type; the message names the place and the fix.

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
        with self._fitting():
            data, notes = self._dataset(*self._training_data(X, y, sample_weight, costs))
            options = self._options(**more)
            warn_of_large_numbers(data)
            warn_of_data(notes)
            if costs is None:
                warn_of_few_leaves(more.get("max_depth", getattr(self, "max_depth", None)), len(self.classes_))
            with watching(self.verbose, self.callback) as watchers:
                self._result = fit(data, options, watchers, elsewhere)
        warn_unless_proved(self._result.claims)

    def _options(self, **more: Any) -> OptionSet:
        """The library's options from the parameters, with some of them replaced."""
        _check_shrinkage(self.shrinkage)
        method = self._method()
        by = {"solver": self._solver} if self._solver and "solver" in OPTIONS_OF.get(method, ()) else {}
        return OptionSet(self.get_params() | options_of_run(self.run, self._run) | {"method": method} | by | more)

    def _method(self) -> Any:
        """What it trains by, also of an estimator of one method, which has no such parameter."""
        method = getattr(self, "method", self._methods[0])
        if isinstance(method, str) and method not in self._methods:
            raise unknown_method(type(self).__name__, method, self._methods)
        return method

    # --- data ---

    def _training_data(
        self, X: Any, y: Any, sample_weight: Any, costs: Any = None
    ) -> tuple[Array, Array, Array | None, Columns, Array | None]:
        """Checked X, codes of y into classes_, row weights with the class weights, what X held, costs by row. Rows of weight 0 are left
        out."""
        encoded, held = encode(X)
        y = as_plain(y)
        labels = np.asarray(y)
        unlabeled = [row for row, label in enumerate(labels) if label is None] if labels.dtype == object and labels.ndim == 1 else []
        if unlabeled:
            raise ValueError(f"y: row {unlabeled[0]} has no label (leave such rows out)")
        row_costs, names = (None, None) if costs is None else costs_by_row(costs)
        if row_costs is not None and y is None:
            matrix, codes = check_training(self, encoded, row_costs.argmin(axis=1))
            self.classes_ = np.arange(row_costs.shape[1]) if names is None else _as_they_are(names)
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
        matrix, codes, weights, row_costs = rows_that_count(weights, matrix, codes, weights, row_costs)
        return matrix, codes, weights, held, row_costs

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
        if not isinstance(given, Mapping):
            raise TypeError(f"class_weight: {given!r} is none (use None, 'balanced' or a dict)")
        unknown = [label for label in given if label not in self.classes_]
        if unknown and not all(label in given for label in self.classes_.tolist()):  # rows of a part of the data may lack a class
            raise ValueError(f"class_weight: no row is of class {unknown[0]!r} (the classes are {', '.join(map(str, self.classes_))})")
        factors = np.array([float(given.get(label, 1.0)) for label in self.classes_.tolist()])
        wrong = np.flatnonzero(~((factors >= 0) & np.isfinite(factors)))
        if len(wrong):
            raise ValueError(f"class_weight: class {self.classes_[wrong[0]]} has the weight {factors[wrong[0]]:g} (use weights >= 0)")
        return factors

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
            if note.kind == "large_numbers" and self._names().index(note.names[0]) in held.whole:
                continue  # pandas has not rounded them
            columns = {self._names().index(name) for name in note.names} & guessed if note.leave_out else set()
            unwanted |= columns
            notes.append(replace(note, leave_out=bool(columns)))
        of_names = {self._names().index(name) for note in notes if note.kind in OF_NAMES for name in note.names}
        if len(unwanted) == self.n_features_in_ and not unwanted & of_names:
            # What only may mislead is better than nothing.
            return data, [replace(note, leave_out=False) for note in notes]
        for column in sorted(unwanted):
            data.leave_out(column)
        return data, notes

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

    def proof_table(self, X: Any, y: Any = None, sample_weight: Any = None, costs: Any = None) -> str:
        """The canonical table of the training data: the text that a proof speaks of, and all that its checkers read.

        Parameters
        ----------
        X, y, sample_weight, costs
            What ``fit`` is given.

        Returns
        -------
        str
            The table, for a file: ``Path("bound.tw").write_text(tree.proof_table(X, y))``.
        """
        fresh = type(self)(**self.get_params())
        data, _ = fresh._dataset(*fresh._training_data(X, y, sample_weight, costs))
        return data.table()

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
        names: Any = None,
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
            Add the trees of all sizes (trains them; for estimators that have ``cost_complexity_pruning_path``).
        with_rows : bool, default=False
            Embed the training rows in the page, so that a reader can pick one.
        title, author : str, optional
            The headline; who is responsible for the tree, shown with today's date.
        names : dict, str or path-like, optional
            What people call columns: from a column to its name, or to that and a unit: ``{"bp": ("blood pressure", "mmHg")}``. Or a CSV
            file with a line ``column,name,unit`` for each.

        Returns
        -------
        str
            The page.
        """
        check_is_fitted(self)
        if X_test is not None and y_test is None and costs_test is None:
            raise ValueError("report: X_test needs y_test, or costs_test where labels have costs by row")
        if complexity_path and (X is None or not hasattr(self, "_path")):
            raise ValueError("report: complexity_path needs X and y, and an estimator that has a cost_complexity_pruning_path")
        train = test = corners = None
        if X is not None:
            fresh = type(self)(**self.get_params())
            parts = fresh._training_data(X, y, sample_weight, costs)
            train, _ = fresh._dataset(*parts)
            if complexity_path:
                corners = fresh._path(*parts)
        if X_test is not None:
            test = self._new_rows(X_test)
            self._label(test, y_test, costs_test)
        return write_page(self, path, train, test, corners, with_rows, title=title, author=author, names=names)

    def _label(self, test: Dataset, y: Any, costs: Any) -> None:
        """Gives rows to test on their classes and what each label costs them; where there are no classes, the cheapest label is taken."""
        classes = self._classes_of_tree()
        row_costs = None if costs is None else in_order_of(classes, *costs_by_row(costs))
        if row_costs is not None and len(row_costs) != test.rows:
            raise ValueError(f"costs_test: there are {len(row_costs)} rows of them, and {test.rows} of X_test (give one for each row)")
        codes = {label: code for code, label in enumerate(classes.tolist())}
        if y is None and row_costs is not None:
            labels = row_costs.argmin(axis=1)
        else:
            given = as_vector(y).tolist()
            if len(given) != test.rows:
                raise ValueError(f"report: y_test has {len(given)} labels, and X_test {test.rows} rows (give one for each row)")
            unknown = [label for label in given if label not in codes]
            if unknown:
                raise ValueError(f"report: y_test holds {unknown[0]!r}, which is none of the tree's classes")
            labels = np.array([codes[label] for label in given])
        test.set_labels(labels, [str(label) for label in codes])
        if row_costs is not None:
            test.set_row_costs(row_costs)


def _check_shrinkage(shrinkage: Any) -> None:
    if shrinkage is None:
        return
    if isinstance(shrinkage, bool) or not isinstance(shrinkage, numbers.Real):
        raise TypeError(f"shrinkage: {shrinkage!r} is no number (use a number of at least 0, or None)")
    if not 0 <= float(shrinkage) < np.inf:
        raise ValueError(f"shrinkage: {shrinkage!r} is no number of at least 0")


def _as_they_are(names: list[Any]) -> Array:
    """Names of columns as an array in which each keeps its type: numpy would make text of a number beside text."""
    array = np.array(names)
    return array if array.ndim == 1 and array.tolist() == names else np.array(names, dtype=object)
