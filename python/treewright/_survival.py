"""Trees of times to an event, with scikit-survival's contract and names."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._compat import BaseEstimator, check_is_fitted, check_number_training, check_weights, refuse_moments, rows_that_count
from ._dataset import Dataset
from ._frame import encode
from ._numbers import NumberEstimator
from ._options import asked_top, understanding
from ._page import write_page
from ._running import Progress

Array = NDArray[Any]
Self = TypeVar("Self", bound="OptimalSurvivalTree")


def _events_and_times(y: Any) -> tuple[Array, Array]:
    """Of scikit-survival's structured array, or of a DataFrame of the same two columns."""
    if hasattr(y, "to_records"):
        y = y.to_records(index=False)
    y = np.asarray(y)
    names = y.dtype.names
    if names is None or len(names) != 2 or y.ndim != 1:
        raise ValueError("y: it is no structured array of two fields, the event (bool) and the time (sksurv.util.Surv makes one)")
    refuse_moments(y[names[1]])
    event, time = y[names[0]], np.asarray(y[names[1]], dtype=np.float64)
    if event.dtype != np.bool_ and not np.isin(event, (0, 1)).all():
        raise ValueError(f"y: its first field, {names[0]!r}, is the event, and holds something else than True and False")
    return event.astype(np.float64), time


def _concordance(predicted: Array, event: Array, time: Array, weights: Array) -> float:
    """Harrell's: the share of the pairs with a known order in which the earlier event has the larger number; equal numbers count half."""
    risks, place = np.unique(predicted, return_inverse=True)
    later = np.zeros(len(risks))
    pairs = concordant = 0.0
    for end in np.unique(time)[::-1]:
        here = np.flatnonzero(time == end)
        censored, seen = here[event[here] == 0], here[event[here] != 0]
        np.add.at(later, place[censored], weights[censored])
        below = np.concatenate([[0.0], np.cumsum(later)])
        pairs += float(weights[seen].sum()) * below[-1]
        concordant += float((weights[seen] * (below[place[seen]] + later[place[seen]] / 2)).sum())
        np.add.at(later, place[seen], weights[seen])
    if pairs == 0:
        raise ValueError("y: no row is known to outlast the event of another one, so no order can be right (give rows with events)")
    return concordant / pairs


class StepFunction:
    """A survival curve: 1 before its first step.

    Attributes
    ----------
    x : ndarray of shape (n_times,)
        Times of the training data at which an event was seen, ascending.
    y : ndarray of shape (n_times,)
        The share that is without the event from that time on.
    """

    def __init__(self, x: Array, y: Array) -> None:
        self.x, self.y = x, y

    def __call__(self, times: Any) -> Any:
        """The share without the event at these times."""
        share = np.concatenate([[1.0], self.y])[np.searchsorted(self.x, times, side="right")]
        return float(share) if np.ndim(times) == 0 else share


def _times_of(curves: Mapping[int, StepFunction]) -> Array:
    """Times at which any of them falls."""
    return np.unique(np.concatenate([curve.x for curve in curves.values()]))


class OptimalSurvivalTree(NumberEstimator, BaseEstimator):
    """A tree of thresholds and sets of categories for times to an event, with proof: no tree within the limits has less deviance.

    Leaves predict the hazard as a multiple of that of all training rows (LeBlanc and Crowley 1992), and hold a Kaplan-Meier curve.

    Parameters
    ----------
    max_depth : int or 'auto', default='auto'
        Most questions on a path from the root to a leaf. 'auto' = 3.
    min_samples_leaf : float, default=1
        Every leaf holds at least this many training rows, or this share of them if below 1.
    ccp_alpha : float, default=0.0
        Price of a split: the share of the deviance that it has to take away.
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
        rows, and which the command ``treewright check`` verifies; ``verify``: True = have a proof checked before the tree is called
        optimal, 'auto' = where that is cheap.
    verbose : bool or int, default=False
        Show the progress.
    callback : callable or None, default=None
        Called with a :class:`Progress` for each new tree or bound.

    Attributes
    ----------
    n_features_in_ : int
    feature_names_in_ : ndarray of shape (n_features_in_,)
        Only when X had column names that are all text.
    unique_times_ : ndarray of shape (n_times,)
        Times at which a curve of a leaf falls.
    tree_ : Tree
        The tree as arrays.
    result_ : FitResult
        What is claimed of it: ``explained`` is the share of the deviance that it takes away, and ``objective``, ``bound``, ``gap`` and
        ``status`` say what is proved. These are also attributes of the estimator: ``objective_``, ``bound_``, ``gap_``, ``status_``.
    feature_importances_ : ndarray of shape (n_features_in_,)

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import OptimalSurvivalTree
    >>> X = [[1], [2], [3], [4]]
    >>> y = np.array([(True, 1.0), (True, 2.0), (True, 8.0), (True, 9.0)], dtype=[("event", bool), ("time", float)])
    >>> tree = OptimalSurvivalTree(max_depth=1).fit(X, y)
    >>> tree.status_, tree.predict([[1.5], [9]]).round(2).tolist(), round(tree.score(X, y), 2)
    ('optimal', [2.4, 0.63], 0.83)
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

    def fit(self: Self, X: Any, y: Any = None, sample_weight: Any = None, top: Any = None) -> Self:
        """Trains the tree.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            NaN = missing. DataFrame columns of categories or text are split by sets of categories.
        y : structured array of shape (n_samples,)
            As scikit-survival's: the first field tells whether the event was seen, the second one is its time, or that at which the row was
            seen last.
        sample_weight : array-like of shape (n_samples,), optional
            Weight of each row, >= 0.
        top : dict, optional
            Splits that the tree begins with, as for :class:`OptimalTreeClassifier`: what is proved is proved of such trees.

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
        return self._train(X, y, sample_weight, **asked_top(top))

    def _training_set(self, X: Any, y: Any, sample_weight: Any) -> Dataset:
        event, time = _events_and_times(y)
        encoded, held = encode(X)
        matrix, time = check_number_training(self, encoded, time)
        weights = None if sample_weight is None else check_weights(sample_weight, matrix)
        matrix, event, time, weights = rows_that_count(weights, matrix, event, time, weights)
        data = Dataset(matrix, self._names(), held)
        data.set_numbers("survival", event, time)
        if weights is not None:
            data.set_weights(weights)
        return data

    def predict(self, X: Any) -> Array:
        """Risk of each row: the hazard of its leaf as a multiple of that of all training rows.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
            In the units of the training data. NaN = missing; a category that training did not see counts as missing.

        Returns
        -------
        ndarray of shape (n_samples,)
        """
        data = self._new_rows(X)
        return self._result.predict_values(data)

    def _curves(self) -> dict[int, StepFunction]:
        """The curve of each leaf."""
        check_is_fitted(self)
        nodes = json.loads(self._result.write("json"))["tree"]["nodes"]
        steps = {
            i: np.array(node.get("survival", []), dtype=np.float64).reshape(-1, 2) for i, node in enumerate(nodes) if "split" not in node
        }
        return {leaf: StepFunction(of_leaf[:, 0], of_leaf[:, 1]) for leaf, of_leaf in steps.items()}

    @property
    def unique_times_(self) -> Array:
        return _times_of(self._curves())

    def predict_survival_function(self, X: Any, return_array: bool = False) -> Array:
        """Kaplan-Meier curve of each row's leaf.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        return_array : bool, default=False
            Whether to return the shares at ``unique_times_`` in place of functions.

        Returns
        -------
        ndarray of shape (n_samples,) of StepFunction, or of shape (n_samples, n_times)
        """
        curves = self._curves()
        times, leaves = _times_of(curves), self.apply(X)
        shares = {leaf: curve(times) for leaf, curve in curves.items()}
        if return_array:
            return np.array([shares[leaf] for leaf in leaves])
        functions = np.empty(len(leaves), dtype=object)
        functions[:] = [StepFunction(times, shares[leaf]) for leaf in leaves]
        return functions

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Concordance (Harrell): of the rows of which one is known to have had the event first, the share of pairs in which this one has
        the larger prediction; equal predictions count half.

        Parameters
        ----------
        X : array-like or DataFrame of shape (n_samples, n_features)
        y : structured array of shape (n_samples,)
        sample_weight : array-like of shape (n_samples,), optional

        Returns
        -------
        float
        """
        event, time = _events_and_times(y)
        predicted = self.predict(X)
        if len(time) != len(predicted):
            raise ValueError(f"y: it has {len(time)} rows, and X has {len(predicted)}")
        if not ((time >= 0) & np.isfinite(time)).all():
            raise ValueError("y: a time is missing, infinite or below 0 (give a finite time, or leave the row out)")
        weights = check_weights(sample_weight, predicted)
        if not (weights >= 0).all():
            raise ValueError("sample_weight: a weight is missing or below 0")
        return _concordance(predicted, event, time, weights)

    def proof_table(self, X: Any, y: Any, sample_weight: Any = None) -> str:
        """The canonical table of the training data: the text that a proof speaks of, and all that its checkers read.

        Parameters
        ----------
        X, y, sample_weight
            What ``fit`` is given.

        Returns
        -------
        str
            The table, for a file: ``Path("bound.tw").write_text(tree.proof_table(X, y))``.
        """
        return self._training_set(X, y, sample_weight).table()

    def report(
        self,
        path: Any = None,
        X: Any = None,
        y: Any = None,
        sample_weight: Any = None,
        *,
        X_test: Any = None,
        y_test: Any = None,
        with_rows: bool = False,
        title: str | None = None,
        author: str | None = None,
        names: Any = None,
    ) -> str:
        """The tree as one self-contained HTML page: drawing, survival curves of the leaves, certificate, rules, a row of the reader's own.

        Parameters
        ----------
        path : str or path-like, optional
            Where to write the page.
        X, y, sample_weight : optional
            What ``fit`` was given: adds concordance with its interval, events seen and expected, and the greedy tree beside this one.
        X_test, y_test : optional
            Other rows, shown side by side with the training rows.
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
        train = None if X is None else type(self)(**self.get_params())._training_set(X, y, sample_weight)
        test = None
        if X_test is not None:
            test = self._test_rows(X_test, y_test)
            test.set_numbers("survival", *_events_and_times(y_test))
        return write_page(self, path, train, test, None, with_rows, title=title, author=author, names=names)

    def check(self, X: Any, y: Any, sample_weight: Any = None) -> list[str]:
        """Recounts every claim of ``result_`` on the training data: loss, objective, depth, splits, rows and curve of each leaf.

        Parameters
        ----------
        X, y, sample_weight
            What ``fit`` was given.

        Returns
        -------
        list of str
            One sentence for each claim that does not hold; empty when all hold.
        """
        check_is_fitted(self)
        return self._result.check(type(self)(**self.get_params())._training_set(X, y, sample_weight))
