"""Depth and complexity tuned together, on the exact complexity path."""

from __future__ import annotations

import inspect
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._compat import HAVE_SKLEARN, OptimalityWarning
from ._core import PathPoint, ScoredTree, choose
from ._estimator import _STOPPED, OptimalTreeClassifier, _TreeClassifier
from ._options import with_keywords

Array = NDArray[Any]


def _with_result(template: OptimalTreeClassifier, point: PathPoint) -> OptimalTreeClassifier:
    model = OptimalTreeClassifier(**template.get_params())
    model.__dict__.update(template.__dict__)
    model._result = point.result
    return model


# Tasks get their data as tuples. joblib's dask backend would lay an array of its own on one worker and send the tasks only a reference, and
# the work would be lost with that worker.
_Data = tuple[Any, Any, Any]


def _fold(
    parameters: dict[str, Any], data: _Data, split: tuple[Array, Array], scorer: Any, setting: int, fold: int
) -> tuple[list[ScoredTree], str]:
    """One task: the path on the training rows of a fold, scored on its other rows."""
    from sklearn.utils import _safe_indexing

    (X, y, weights), (train, test) = data, split
    model = OptimalTreeClassifier(**parameters)
    training = model._training_data(_safe_indexing(X, train), _safe_indexing(y, train), None if weights is None else weights[train])
    with warnings.catch_warnings():
        # A limit is told once, by the estimator that runs the tasks.
        warnings.simplefilter("ignore", OptimalityWarning)
        path = model._path(*training)
    extra = {}
    if weights is not None:
        test = test[weights[test] != 0]
        if _takes_weights(scorer):
            extra["sample_weight"] = weights[test]
    rows, labels = _safe_indexing(X, test), _safe_indexing(y, test)
    scored = []
    for point in path:
        score = float(scorer(_with_result(model, point), rows, labels, **extra))
        scored.append(ScoredTree(setting, fold, point.alpha_low, point.alpha_high, score, len(point.result.tree.features_used())))
    return scored, path.status


def _takes_weights(scorer: Any) -> bool:
    parameters = inspect.signature(scorer).parameters
    return "sample_weight" in parameters or any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())


_JOBS = """n_jobs : int or None, default=None
        Paths (of one depth on one fold) to compute at a time, through joblib: a ``joblib.parallel_config`` (or ``parallel_backend``) around
        ``fit`` moves them to another engine, such as dask. Each path runs on one thread."""


@with_keywords(
    skip=("max_depth", "ccp_alpha", "max_splits", "n_jobs"),
    max_depths=(1, 2, 3),
    cv=5,
    scoring=None,
    rule="best",
    n_jobs=None,
    verbose=False,
)
class OptimalTreeClassifierCV(_TreeClassifier):
    """An optimal classification tree whose depth and complexity are chosen by cross-validation.

    For each depth and fold the exact complexity path is computed once: it holds the optimal tree of every ``ccp_alpha``, so that no grid of
    alphas is needed. The mean score is then a step function of alpha; the middle of its best step is taken (Bertsimas & Dunn,
    "Optimal classification trees", Machine Learning 106, 2017, sec. 3), and the tree for it is trained on all rows. Among
    depths of equal score the smallest wins. The command ``treewright tune`` chooses in the same way. Needs scikit-learn.

    Parameters
    ----------
    %OPTIONS%
    max_depths : sequence of int, default=(1, 2, 3)
        Depths to try.
    cv : int, cross-validation splitter or iterable of (train, test) indices, default=5
        Folds, as in scikit-learn; an int means stratified folds.
    scoring : str, callable or None, default=None
        What to maximise, as in scikit-learn; None = accuracy. Rows left out count with their ``sample_weight`` where the scorer takes one.
    rule : "best" or "sparse", default="best"
        "best" takes the highest mean score, "sparse" the fewest features among the steps of at least 0.975 of the highest mean score
        (D'Onofrio et al. 2023, sec. 6.2.3).
    %JOBS%
    verbose : bool, default=False
        Print a line for each new tree or bound.

    Attributes
    ----------
    best_params_ : dict
        ``max_depth`` and ``ccp_alpha``: an :class:`OptimalTreeClassifier` with these finds the same tree.
    best_reason_ : str
        Why these were chosen.
    path_status_ : str
        "optimal" when every path was proved to its end, "heuristic" where the method proves nothing, else the limit that was reached.
    best_score_ : float
        Mean score over the folds.
    cv_results_ : dict of ndarray of shape (n_steps,)
        ``max_depth``, ``alpha_low``, ``alpha_high``, ``mean_test_score``, ``mean_features``: the steps of the mean score.
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

        depths = [int(depth) for depth in self.max_depths]
        if not depths:
            raise ValueError("max_depths: there is no depth to try (give at least one)")
        self._training_data(X, y, sample_weight)
        X, y = (item if hasattr(item, "iloc") else np.asarray(item) for item in (X, y))
        # Class weights, and what to do with rows of weight 0, are each fold's own business.
        weights = None if sample_weight is None else np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), len(X))
        common = {name: value for name, value in self.get_params().items() if name not in ("max_depths", "cv", "scoring", "rule", "n_jobs")}
        scorer = check_scoring(OptimalTreeClassifier(), scoring=self.scoring)
        splits = list(check_cv(self.cv, y, classifier=True).split(X, y))

        settings = [{**common, "max_depth": depth, "n_jobs": 1} for depth in sorted(depths)]
        tasks = [
            delayed(_fold)(parameters, (X, y, weights), split, scorer, setting, fold)
            for setting, parameters in enumerate(settings)
            for fold, split in enumerate(splits)
        ]
        done = Parallel(n_jobs=self.n_jobs)(tasks)
        statuses = {status for _, status in done}
        stopped = sorted(statuses & _STOPPED.keys())
        self.path_status_ = (stopped or sorted(statuses))[0]
        for status in stopped:
            warnings.warn(f"{_STOPPED[status]} before a path was complete; trees may be missing", OptimalityWarning, stacklevel=2)

        choice = choose([tree for trees, _ in done for tree in trees], self.rule)
        self.best_score_ = choice.step.score
        self.best_params_ = {"max_depth": settings[choice.step.setting]["max_depth"], "ccp_alpha": choice.alpha}
        self.best_reason_ = choice.why
        self.cv_results_ = {
            "max_depth": np.array([settings[step.setting]["max_depth"] for step in choice.curve]),
            "alpha_low": np.array([step.alpha_low for step in choice.curve]),
            "alpha_high": np.array([step.alpha_high for step in choice.curve]),
            "mean_test_score": np.array([step.score for step in choice.curve]),
            "mean_features": np.array([step.features for step in choice.curve]),
        }
        final = OptimalTreeClassifier(**{**common, **self.best_params_}, n_jobs=self.n_jobs or 1)
        self._result = final.fit(X, y, weights)._result
        return self


OptimalTreeClassifierCV.__doc__ = (OptimalTreeClassifierCV.__doc__ or "").replace("%JOBS%", _JOBS)
