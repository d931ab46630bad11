"""Depth and complexity tuned together, on the exact complexity path."""

from __future__ import annotations

import inspect
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._compat import HAVE_SKLEARN, OptimalityWarning
from ._core import PathPoint
from ._estimator import _STOPPED, OptimalTreeClassifier, _TreeClassifier
from ._options import with_keywords

Array = NDArray[Any]


class _Corner(NamedTuple):
    """A tree of one fold: the alphas it is optimal for, and its score on the rows left out."""

    alpha_low: float
    alpha_high: float
    score: float


def _with_result(template: OptimalTreeClassifier, point: PathPoint) -> OptimalTreeClassifier:
    model = OptimalTreeClassifier(**template.get_params())
    model.__dict__.update(template.__dict__)
    model._result = point.result
    return model


def _path_of(parameters: dict[str, Any], X: Any, y: Any, weights: Any) -> tuple[OptimalTreeClassifier, list[PathPoint], str]:
    """An estimator that knows its data, the corners of its path, and the path's status."""
    model = OptimalTreeClassifier(**parameters)
    data = model._training_data(X, y, weights)
    with warnings.catch_warnings():
        # A limit is told once, by the estimator that runs the tasks.
        warnings.simplefilter("ignore", OptimalityWarning)
        path = model._path(*data)
    return model, list(path), path.status


# Tasks get their data as tuples. joblib's dask backend would lay an array of its own on one worker and send the tasks only a reference, and
# the work would be lost with that worker.
_Data = tuple[Any, Any, Any]


def _whole(parameters: dict[str, Any], data: _Data) -> tuple[OptimalTreeClassifier, list[PathPoint], str]:
    """One task: the path on all rows."""
    return _path_of(parameters, *data)


def _fold(parameters: dict[str, Any], data: _Data, fold: tuple[Array, Array], scorer: Any) -> tuple[list[_Corner], str]:
    """One task: the path on the training rows of a fold, scored on its other rows."""
    from sklearn.utils import _safe_indexing

    (X, y, weights), (train, test) = data, fold
    some = None if weights is None else weights[train]
    model, path, status = _path_of(parameters, _safe_indexing(X, train), _safe_indexing(y, train), some)
    extra = {}
    if weights is not None:
        test = test[weights[test] != 0]
        if _takes_weights(scorer):
            extra["sample_weight"] = weights[test]
    rows, labels = _safe_indexing(X, test), _safe_indexing(y, test)
    return [_Corner(p.alpha_low, p.alpha_high, float(scorer(_with_result(model, p), rows, labels, **extra))) for p in path], status


def _takes_weights(scorer: Any) -> bool:
    parameters = inspect.signature(scorer).parameters
    return "sample_weight" in parameters or any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())


def _score_at(corners: list[_Corner], alpha: float) -> float:
    """The score of the tree that is optimal at alpha."""
    return next(corner.score for corner in corners if corner.alpha_low <= alpha)


def _pieces(folds: list[list[_Corner]]) -> list[tuple[float, float, float]]:
    """Intervals of alpha on which every fold keeps its tree, ascending: (low, high, mean score)."""
    breaks = sorted({0.0, np.inf} | {corner.alpha_low for corners in folds for corner in corners})
    found = []
    for low, high in zip(breaks, breaks[1:]):
        inside = (low + high) / 2 if np.isfinite(high) else 2 * low + 1
        found.append((low, high, float(np.mean([_score_at(corners, inside) for corners in folds]))))
    return found


def _middle_of_best(pieces: list[tuple[float, float, float]]) -> tuple[float, float]:
    """The best mean score, and the middle of the widest interval that has it (neighbouring pieces of equal score are one interval)."""
    best = max(score for _, _, score in pieces)
    runs: list[list[float]] = []
    for low, high, score in pieces:
        if score < best - 1e-12:
            continue
        if runs and runs[-1][1] == low:
            runs[-1][1] = high
        else:
            runs.append([low, high])
    low, high = max(runs, key=lambda run: run[1] - run[0])
    # Beyond the last break nothing changes any more: there is no middle, and any alpha will do.
    return best, (low + high) / 2 if np.isfinite(high) else 2 * low


_JOBS = """n_jobs : int or None, default=None
        Paths (of one depth on one fold) to compute at a time, through joblib: a ``joblib.parallel_config`` (or ``parallel_backend``) around
        ``fit`` moves them to another engine, such as dask. Each path runs on one thread."""


@with_keywords(
    skip=("max_depth", "ccp_alpha", "max_splits", "n_jobs"), max_depths=(1, 2, 3), cv=5, scoring=None, n_jobs=None, verbose=False
)
class OptimalTreeClassifierCV(_TreeClassifier):
    """An optimal classification tree whose depth and complexity are chosen by cross-validation.

    For each depth and fold the exact complexity path is computed once: it holds the optimal tree of every ``ccp_alpha``, so that no grid of
    alphas is needed. The mean score is then a step function of alpha; the middle of its best step is taken (Bertsimas & Dunn,
    "Optimal classification trees", Machine Learning 106, 2017, sec. 3), and the tree for it is read off the path on all rows. Among
    depths of equal score the smallest wins. Needs scikit-learn.

    Parameters
    ----------
    %OPTIONS%
    max_depths : sequence of int, default=(1, 2, 3)
        Depths to try.
    cv : int, cross-validation splitter or iterable of (train, test) indices, default=5
        Folds, as in scikit-learn; an int means stratified folds.
    scoring : str, callable or None, default=None
        What to maximise, as in scikit-learn; None = accuracy. Rows left out count with their ``sample_weight`` where the scorer takes one.
    %JOBS%
    verbose : bool, default=False
        Print a line for each new tree or bound.

    Attributes
    ----------
    best_params_ : dict
        ``max_depth`` and ``ccp_alpha``: an :class:`OptimalTreeClassifier` with these finds an equally good tree.
    best_score_ : float
        Mean score over the folds.
    cv_results_ : dict of ndarray of shape (n_steps,)
        ``max_depth``, ``alpha_low``, ``alpha_high``, ``mean_test_score``: the steps of the mean score.
    classes_, n_features_in_, feature_names_in_, tree_, result_, feature_importances_
        As in :class:`OptimalTreeClassifier`.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import OptimalTreeClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> OptimalTreeClassifierCV(max_depths=(1, 2)).fit(X, y).best_params_["max_depth"]
    2
    """

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> OptimalTreeClassifierCV:
        """Chooses depth and alpha, and keeps the tree of all rows for them.

        Parameters, errors and warnings as in :meth:`OptimalTreeClassifier.fit`.

        Returns
        -------
        OptimalTreeClassifierCV
            The estimator itself.
        """
        if not HAVE_SKLEARN:
            raise ImportError("OptimalTreeClassifierCV needs scikit-learn (install it)")
        from sklearn.metrics import check_scoring
        from sklearn.model_selection import check_cv

        try:
            from sklearn.utils.parallel import Parallel, delayed
        except ImportError:  # before 1.3
            from joblib import Parallel, delayed

        depths = [int(depth) for depth in self.max_depths]  # type: ignore[attr-defined]
        if not depths:
            raise ValueError("max_depths: there is no depth to try (give at least one)")
        self._training_data(X, y, sample_weight)
        X, y = (item if hasattr(item, "iloc") else np.asarray(item) for item in (X, y))
        # Class weights, and what to do with rows of weight 0, are each fold's own business.
        weights = None if sample_weight is None else np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), len(X))
        common = {name: value for name, value in self.get_params().items() if name not in ("max_depths", "cv", "scoring", "n_jobs")}
        scorer = check_scoring(OptimalTreeClassifier(), scoring=self.scoring)  # type: ignore[attr-defined]
        splits = list(check_cv(self.cv, y, classifier=True).split(X, y))  # type: ignore[attr-defined]

        tasks = []
        for depth in depths:
            parameters = {**common, "max_depth": depth, "n_jobs": 1}
            tasks.append(delayed(_whole)(parameters, (X, y, weights)))
            tasks.extend(delayed(_fold)(parameters, (X, y, weights), (train, test), scorer) for train, test in splits)
        done = Parallel(n_jobs=self.n_jobs)(tasks)  # type: ignore[attr-defined]

        steps, best = [], None
        for depth, begin in zip(depths, range(0, len(done), 1 + len(splits))):
            whole, folds = done[begin], done[begin + 1 : begin + 1 + len(splits)]
            pieces = _pieces([corners for corners, _ in folds])
            steps += [(depth, *piece) for piece in pieces]
            score, alpha = _middle_of_best(pieces)
            if best is None or (score, -depth) > (best[0], -best[1]):
                best = (score, depth, alpha, whole)
            for status in {whole[2], *(status for _, status in folds)} & _STOPPED.keys():
                warnings.warn(
                    f"depth {depth}: {_STOPPED[status]} before a path was complete; trees may be missing", OptimalityWarning, stacklevel=2
                )
        assert best is not None
        self.best_score_, depth, alpha, (_, path, _) = best
        self.best_params_ = {"max_depth": depth, "ccp_alpha": alpha}
        names = ("max_depth", "alpha_low", "alpha_high", "mean_test_score")
        self.cv_results_ = {name: np.array(column) for name, column in zip(names, zip(*steps))}
        self._result = next(point.result for point in path if point.alpha_low <= alpha)
        return self


OptimalTreeClassifierCV.__doc__ = (OptimalTreeClassifierCV.__doc__ or "").replace("%JOBS%", _JOBS)
