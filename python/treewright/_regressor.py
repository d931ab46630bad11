"""Trees that predict numbers, with scikit-learn's contract and names."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._compat import BaseEstimator, RegressorMixin, check_is_fitted, check_number_training, check_weights, rows_that_count
from ._core import complexity_path
from ._dataset import Dataset
from ._frame import Columns, encode
from ._numbers import NumberEstimator
from ._options import asked_top, understanding
from ._page import write_page
from ._path import PruningPath, Watching
from ._result import Path
from ._running import Progress

Array = NDArray[Any]
Self = TypeVar("Self", bound="TreeRegressor")
CRITERIA = ("squared_error", "poisson")


def _exposure_of(y: Array, exposure: Any, criterion: str) -> Array:
    if criterion != "poisson":
        raise ValueError("exposure: only criterion='poisson' reads it (leave it out)")
    exposure = np.asarray(exposure, dtype=np.float64)
    if exposure.shape != y.shape or not np.all((exposure > 0) & np.isfinite(exposure)):
        raise ValueError("exposure: give a finite number above 0 for each row of y")
    return exposure


class TreeRegressor(NumberEstimator, RegressorMixin, BaseEstimator):
    """An estimator of numbers without its keywords."""

    criterion: str

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None, exposure: Any = None) -> Self:
        """Trains the tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            NaN = missing. DataFrame columns of categories or text are split by sets of categories, those of ordered ones between two of
            them.
        y : array-like of shape (n_samples,)
            The numbers to predict; with ``criterion="poisson"`` numbers of events.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row, >= 0. A row of weight 0 counts as no row.
        exposure : array-like of shape (n_samples,), optional
            With ``criterion="poisson"``: the time or amount at risk of each row, > 0. 1 if not given.

        Returns
        -------
        self
            The fitted estimator.

        Raises
        ------
        ValueError, TypeError
            When X, y, a weight or a parameter cannot be used; the message names the place and the fix.

        Warns
        -----
        OptimalityWarning
            When a limit or Ctrl-C ended the search before the tree was proved optimal.
        """
        return self._train(X, y, sample_weight, exposure=exposure)

    def _training_set(self, X: Any, y: Any, sample_weight: Any, exposure: Any = None) -> Dataset:
        return self._dataset(*self._training_data(X, y, sample_weight, exposure))

    def _training_data(self, X: Any, y: Any, sample_weight: Any, exposure: Any) -> tuple[Array, Array, Array | None, Array | None, Columns]:
        """Checked X and y, weights, exposure, and what X held. Rows of weight 0 are left out."""
        if self.criterion not in CRITERIA:
            raise ValueError(f"criterion: {self.criterion!r} is not known (use {' or '.join(map(repr, CRITERIA))})")
        encoded, held = encode(X)
        matrix, y = check_number_training(self, encoded, y)
        weights = None if sample_weight is None else check_weights(sample_weight, matrix)
        if exposure is not None:
            exposure = _exposure_of(y, exposure, self.criterion)
        matrix, y, weights, exposure = rows_that_count(weights, matrix, y, weights, exposure)
        return matrix, y, weights, exposure, held

    def _dataset(self, matrix: Array, y: Array, weights: Array | None, exposure: Array | None, held: Columns) -> Dataset:
        data = Dataset(matrix, self._names(), held)
        data.set_numbers(self.criterion, y, exposure)
        if weights is not None:
            data.set_weights(weights)
        return data

    def predict(self, X: Any) -> Array:
        """Number of each row: the mean of its leaf or, with ``criterion="poisson"``, the leaf's events for each unit of exposure.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            In the units of the training data. NaN = missing; a category that training did not see counts as missing. A DataFrame may
            lack columns that no split asks.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        data = self._new_rows(X)
        return self._result.predict_values(data)

    def score(self, X: Any, y: Any, sample_weight: Any = None, exposure: Any = None) -> float:
        """R2 of the predictions, as scikit-learn's regressors have it.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : array-like of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional
        exposure : array-like of shape (n_samples,), optional
            With ``criterion="poisson"``: y are numbers of events, whose rates y / exposure are compared, weighted by the exposure.

        Returns
        -------
        float
            1 at best.

        Raises
        ------
        ValueError
            When an exposure is not above 0, or another criterion reads none.
        """
        if exposure is not None:
            y = np.asarray(y, dtype=np.float64)
            exposure = _exposure_of(y, exposure, self.criterion)
            y, sample_weight = y / exposure, exposure if sample_weight is None else np.asarray(sample_weight) * exposure
        return float(super().score(X, y, sample_weight))

    def report(
        self,
        path: Any = None,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        exposure: Any = None,
        X_test: Any = None,
        y_test: Any = None,
        exposure_test: Any = None,
        complexity_path: bool = False,
        with_rows: bool = False,
        title: str | None = None,
        author: str | None = None,
        names: Any = None,
    ) -> str:
        """The tree as one self-contained HTML page: drawing, predicted against seen, certificate, rules, a row of the reader's own.

        Parameters
        ----------
        path : str or path-like, optional
            Where to write the page.
        X, y, sample_weight, exposure : optional
            What ``fit`` was given: adds pictures, scores with intervals, and the greedy tree beside this one.
        X_test, y_test, exposure_test : optional
            Other rows, shown side by side with the training rows.
        complexity_path : bool, default=False
            Add the trees of all sizes (trains them).
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
        if complexity_path and (X is None or not isinstance(self, PathRegressor)):
            raise ValueError("report: complexity_path needs X and y, and an estimator that has a cost_complexity_pruning_path")
        train = test = corners = None
        if X is not None:
            fresh = type(self)(**self.get_params())
            train = fresh._training_set(X, y, sample_weight, exposure)
            if complexity_path and isinstance(fresh, PathRegressor):
                corners = fresh._path(train)
        if X_test is not None:
            test = self._test_rows(X_test, y_test)
            seen = np.asarray(y_test, dtype=np.float64).ravel()
            test.set_numbers(self.criterion, seen, None if exposure_test is None else np.asarray(exposure_test, dtype=np.float64))
        return write_page(self, path, train, test, corners, with_rows, title=title, author=author, names=names)

    def check(self, X: Any, y: Any, sample_weight: Any = None, exposure: Any = None) -> list[str]:
        """Recounts every claim of ``result_`` on the training data: loss, objective, depth, splits, rows in each leaf.

        Parameters
        ----------
        X, y, sample_weight, exposure
            What ``fit`` was given.

        Returns
        -------
        list of str
            One sentence for each claim that does not hold; empty when all hold.
        """
        check_is_fitted(self)
        fresh = type(self)(**self.get_params())
        return self._result.check(fresh._training_set(X, y, sample_weight, exposure))


class PathRegressor(Watching, TreeRegressor):
    """An estimator of numbers, without its keywords, that has a complexity path."""

    time_limit: float | None = None

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None, exposure: Any = None) -> PruningPath:
        """All trees that are optimal for some ``ccp_alpha``: the corners of the convex hull of (splits, loss), found exactly.

        Parameters as in ``fit``; the estimator's parameters hold except ``ccp_alpha``. Those of :class:`CARTRegressor` are the prunings of
        its tree.

        Returns
        -------
        PruningPath
            Arrays ``ccp_alphas``, ``splits``, ``explained``, ``impurities``, and ``status``.
        """
        fresh = type(self)(**self.get_params())
        path = fresh._path(fresh._training_set(X, y, sample_weight, exposure))
        corners = path[::-1]
        claims = [point.result.claims for point in corners]
        return PruningPath(
            ccp_alphas=np.array([point.alpha_low for point in corners]),
            splits=np.array([point.splits for point in corners]),
            explained=np.array([one.explained for one in claims]),
            impurities=np.array([one.loss for one in claims], dtype=np.float64) / claims[0].total_weight,
            status=path.status,
        )

    def _path(self, data: Dataset) -> Path:
        return self._watched(
            lambda watchers: complexity_path(data, self._options(), watchers), "the path was complete; trees may be missing from it"
        )


class OptimalTreeRegressor(PathRegressor):
    """A tree of thresholds and sets of categories that predicts means or rates, with proof: no tree within the limits has a higher R2.

    It minimizes 1 - R2 on the training rows plus ``ccp_alpha`` for each split. Stopped early, it is the best tree so far with a bound.

    Parameters
    ----------
    criterion : {'squared_error', 'poisson'}, default='squared_error'
        'squared_error': leaves predict means. 'poisson': y are numbers of events, leaves predict events for each unit of exposure, and the
        share of the deviance takes the place of R2.
    max_depth : int or 'auto', default='auto'
        Most questions on a path from the root to a leaf. 'auto' = 3.
    min_samples_leaf : float, default=1
        Every leaf holds at least this many training rows, or this share of them if below 1.
    ccp_alpha : float, default=0.0
        Price of a split: by how much R2 has to rise for it.
    max_leaf_nodes : int or None, default=None
        The tree has at most this many leaves.
    time_limit : float or None, default=None
        Stop after so many seconds and return the best tree so far with its bound.
    n_jobs : int or None, default=None
        Threads. None = 1, -1 = all cores.
    random_state : int, numpy.random.RandomState, numpy.random.Generator or None, default=None
        Not read: nothing is random.
    run : dict or None, default=None
        ``stall_limit``: stop when no better tree has been found for so many seconds; ``node_limit``: stop after so many subproblems;
        ``checkpoint``: file that keeps what the search has solved, and ``on_existing``: 'error', 'resume' or 'overwrite' where it exists;
        ``disable``: pruning rules to switch off; ``proof``: file to write a proof of the bound to, of which ``proof_table`` writes the
        rows; ``verify``: True = have a proof checked before the tree is called optimal, 'auto' = where that is cheap.
    verbose : bool or int, default=False
        Show the progress.
    callback : callable or None, default=None
        Called with a :class:`Progress` for each new tree or bound.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only when X had column names that are all text.
    tree_ : Tree
        The tree as arrays.
    result_ : FitResult
        What is claimed of it: ``explained`` is R2 on the training rows, and ``objective``, ``bound``, ``gap`` and ``status`` say what is
        proved. These are also attributes of the estimator: ``objective_``, ``bound_``, ``gap_``, ``status_``.
    feature_importances_ : ndarray of shape (n_features_in_,)

    Examples
    --------
    >>> from treewright import OptimalTreeRegressor
    >>> tree = OptimalTreeRegressor(max_depth=1).fit([[1], [2], [3], [4]], [10.0, 14.0, 40.0, 46.0])
    >>> tree.status_, tree.predict([[1.5], [9]]).tolist()
    ('optimal', [12.0, 43.0])
    """

    _method = "oct"
    _run: ClassVar[dict[str, Any]] = {
        "stall_limit": None,
        "node_limit": None,
        "checkpoint": None,
        "on_existing": "error",
        "disable": None,
        "proof": None,
        "verify": "auto",
    }

    @understanding
    def __init__(
        self,
        *,
        criterion: Literal["squared_error", "poisson"] = "squared_error",
        max_depth: int | Literal["auto"] = "auto",
        min_samples_leaf: float = 1,
        ccp_alpha: float = 0.0,
        max_leaf_nodes: int | None = None,
        time_limit: float | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
        run: Mapping[str, Any] | None = None,
        verbose: bool | int = False,
        callback: Callable[[Progress], Any] | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.ccp_alpha = ccp_alpha
        self.max_leaf_nodes = max_leaf_nodes
        self.time_limit = time_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.run = run
        self.verbose = verbose
        self.callback = callback

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None, exposure: Any = None, top: Any = None) -> Self:
        """Trains the tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            NaN = missing. DataFrame columns of categories or text are split by sets of categories, those of ordered ones between two of
            them.
        y : array-like of shape (n_samples,)
            The numbers to predict; with ``criterion="poisson"`` numbers of events.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row, >= 0. A row of weight 0 counts as no row.
        exposure : array-like of shape (n_samples,), optional
            With ``criterion="poisson"``: the time or amount at risk of each row, > 0. 1 if not given.
        top : dict, optional
            Splits that the tree begins with, as for :class:`OptimalTreeClassifier`: what is proved is proved of such trees.

        Returns
        -------
        self
            The fitted estimator.

        Raises
        ------
        ValueError, TypeError
            When X, y, a weight, the top or a parameter cannot be used; the message names the place and the fix.

        Warns
        -----
        OptimalityWarning
            When a limit or Ctrl-C ended the search before the tree was proved optimal.
        """
        return self._train(X, y, sample_weight, exposure=exposure, **asked_top(top))

    def proof_table(self, X: Any, y: Any, sample_weight: Any = None, exposure: Any = None) -> str:
        """The canonical table of the training data: the text that a proof speaks of, and all that its checkers read.

        Parameters
        ----------
        X, y, sample_weight, exposure
            What ``fit`` is given.

        Returns
        -------
        str
            The table, for a file: ``Path("bound.tw").write_text(tree.proof_table(X, y))``.
        """
        return self._training_set(X, y, sample_weight, exposure).table()


class CARTRegressor(PathRegressor):
    """The greedy tree of Breiman et al. (1984) for numbers, with cost-complexity pruning.

    It minimizes nothing: each split is the best one by itself. ``status_`` is "heuristic", and nothing is proved.

    Parameters
    ----------
    criterion : {'squared_error', 'poisson'}, default='squared_error'
        'squared_error': leaves predict means. 'poisson': y are numbers of events, and leaves predict events for each unit of exposure.
    max_depth : int, 'auto' or None, default=None
        Most questions on a path from the root to a leaf. None = no limit, 'auto' = 3.
    min_samples_split : int, default=2
        A node with fewer training rows is not split.
    min_samples_leaf : float, default=1
        Every leaf holds at least this many training rows, or this share of them if below 1.
    min_weight_fraction_leaf : float, default=0.0
        Every leaf holds at least this share of the total weight.
    min_impurity_decrease : float, default=0.0
        A split takes at least this share of what the tree without splits loses.
    ccp_alpha : float, default=0.0
        Price of a split in cost-complexity pruning, a share of what the tree without splits loses: rpart's ``cp``. Divide scikit-learn's
        ``ccp_alpha`` by the variance of y.
    max_leaf_nodes : int or None, default=None
        The tree has at most this many leaves: splits that gain least are taken back.
    verbose : bool or int, default=False
        Show the progress.
    callback : callable or None, default=None
        Called with a :class:`Progress` for each new tree.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only when X had column names that are all text.
    tree_ : Tree
        The tree as arrays.
    result_ : FitResult
        What is claimed of it: ``explained`` is R2 on the training rows.
    feature_importances_ : ndarray of shape (n_features_in_,)

    Examples
    --------
    >>> from treewright import CARTRegressor
    >>> tree = CARTRegressor(max_depth=1).fit([[1], [2], [3], [4]], [10.0, 14.0, 40.0, 46.0])
    >>> tree.predict([[1.5], [9]]).tolist()
    [12.0, 43.0]
    """

    _method = "cart"

    @understanding
    def __init__(
        self,
        *,
        criterion: Literal["squared_error", "poisson"] = "squared_error",
        max_depth: int | Literal["auto"] | None = None,
        min_samples_split: int = 2,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        max_leaf_nodes: int | None = None,
        verbose: bool | int = False,
        callback: Callable[[Progress], Any] | None = None,
    ) -> None:
        self.criterion = criterion
        self.max_depth = max_depth
        self.min_samples_split = min_samples_split
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.max_leaf_nodes = max_leaf_nodes
        self.verbose = verbose
        self.callback = callback


def regressor(method: str, **parameters: Any) -> TreeRegressor:
    """An estimator of numbers that trains by a method."""
    made: dict[str, type[TreeRegressor]] = {kind._method: kind for kind in (OptimalTreeRegressor, CARTRegressor)}
    return made[method](**parameters)
