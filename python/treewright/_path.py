"""The trees that are optimal for some price of a split."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ._analyses import ColumnWorths, ErrorTradeOff, NearbyTrees, SplitsOfColumns
from ._base import TreeClassifier
from ._compat import OptimalityWarning
from ._core import complexity_path
from ._progress import watching
from ._result import Path
from ._running import Watcher
from ._warn import warn
from ._warnings import STOPPED

Array = NDArray[Any]
Found = TypeVar("Found", Path, ErrorTradeOff, ColumnWorths, SplitsOfColumns, NearbyTrees)


class PruningPath(dict):
    """The trees that are optimal for some ``ccp_alpha``, from the largest tree to the root alone. A dict whose keys are attributes too.

    Attributes
    ----------
    ccp_alphas : ndarray of shape (n_trees,)
        Least alpha of each tree's interval, ascending, as in scikit-learn: tree i is optimal from ``ccp_alphas[i]`` to
        ``ccp_alphas[i + 1]``, the last one from there on.
    splits : ndarray of shape (n_trees,)
    errors : ndarray of shape (n_trees,)
        Weight of the training rows labeled wrongly.
    impurities : ndarray of shape (n_trees,)
        ``errors`` as a share of the total weight: the misclassification impurity of the leaves.
        Of numbers: the loss for each unit of weight, as in scikit-learn.
    costs : ndarray of shape (n_trees,)
        Where labels have costs: what those of the training rows cost.
    explained : ndarray of shape (n_trees,)
        Of numbers, in place of the errors: R2 on the training rows, or the share of the deviance.
    status : str
        "optimal" when the path is proved to be complete.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class Watching:
    """What searches for many trees share."""

    time_limit: float | None
    verbose: Any
    callback: Any

    def _watched(self, search: Callable[[Sequence[Watcher]], Found], stopped: str) -> Found:
        """What the search finds, shown and told of on the way; where it ended early, a warning with what it ended before."""
        with watching(self.verbose, self.callback) as watchers:
            found = search(watchers)
        if found.status in STOPPED:
            warn(f"{STOPPED[found.status]} before {stopped}", OptimalityWarning)
        return found


class PathClassifier(Watching, TreeClassifier):
    """An estimator, without its keywords, that has a complexity path."""

    def cost_complexity_pruning_path(self, X: Any, y: Any = None, sample_weight: Any = None, costs: Any = None) -> PruningPath:
        """All trees that are optimal for some ``ccp_alpha``: the corners of the convex hull of (splits, errors), found exactly.

        Parameters as in ``fit``; the estimator's parameters hold except ``ccp_alpha``. Those of :class:`CARTClassifier` are the prunings of
        its tree. With ``method="oct-h"``, a heuristic, they are the hull of (features of all splits, errors) of the trees it found. With
        ``cost_matrix`` or ``costs``, costs take the place of errors.

        Returns
        -------
        PruningPath
            Arrays ``ccp_alphas``, ``splits``, ``errors``, ``impurities``, and ``status``; with costs also ``costs``.
        """
        fresh = type(self)(**self.get_params())
        path = fresh._path(*fresh._training_data(X, y, sample_weight, costs))
        corners = path[::-1]
        errors = np.array([point.errors for point in corners])
        priced = corners[0].result.claims.cost is not None
        return PruningPath(
            {"costs": np.array([point.result.claims.cost for point in corners])} if priced else {},
            ccp_alphas=np.array([point.alpha_low for point in corners]),
            splits=np.array([point.splits for point in corners]),
            errors=errors,
            impurities=errors / corners[0].result.claims.total_weight,
            status=path.status,
        )

    def _path(self, *training: Any) -> Path:
        return self._watched(
            lambda watchers: complexity_path(self._dataset(*training)[0], self._options(), watchers),
            "the path was complete; trees may be missing from it",
        )
