"""The trees that are optimal for some price of a split."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._base import STOPPED, TreeClassifier
from ._compat import OptimalityWarning
from ._core import Path, complexity_path
from ._frame import Columns
from ._progress import watching

Array = NDArray[Any]


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
    status : str
        "optimal" when the path is proved to be complete.
    """

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


class PathClassifier(TreeClassifier):
    """An estimator, without its keywords, that has a complexity path."""

    time_limit: float | None

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> PruningPath:
        """All trees that are optimal for some ``ccp_alpha``: the corners of the convex hull of (splits, errors), found exactly.

        Parameters as in ``fit``; the estimator's parameters hold except ``ccp_alpha``. With ``method="cart"`` these are the prunings of the
        grown tree. With ``method="oct-h"``, a heuristic, they are the hull of (features of all splits, errors) of the trees it found.

        Returns
        -------
        PruningPath
            Arrays ``ccp_alphas``, ``splits``, ``errors``, ``impurities``, and ``status``.
        """
        fresh = type(self)(**self.get_params())
        path = fresh._path(*fresh._training_data(X, y, sample_weight))
        corners = path[::-1]
        errors = np.array([point.errors for point in corners])
        return PruningPath(
            ccp_alphas=np.array([point.alpha_low for point in corners]),
            splits=np.array([point.splits for point in corners]),
            errors=errors,
            impurities=errors / corners[0].result.claims.total_weight,
            status=path.status,
        )

    def _path(self, matrix: Array, codes: Array, weights: Array | None, held: Columns) -> Path:
        with watching(self.verbose, self.callback) as watchers:
            path = complexity_path(self._dataset(matrix, codes, weights, held)[0], self._options(), watchers)
        if path.status in STOPPED:
            warnings.warn(
                f"{STOPPED[path.status]} before the path was complete; trees may be missing from it", OptimalityWarning, stacklevel=3
            )
        return path
