"""Trees that are nearly as good as the best one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._analyses import NearbyTrees


class NearTrees:
    """The trees whose errors are nearly as few as those of the best one, the best first.

    Errors count by the weight of the rows. Where labels have costs, these stand in their place. Where splits have a price, that is added.

    Attributes
    ----------
    estimators : list of fitted estimators
    errors : ndarray of shape (n_trees,)
    columns : list of tuple of str
        The columns that each tree asks.
    best : float
        The errors of the best tree.
    complete : bool
        Whether these are all trees that were asked for.
    complete_within : float
        No other tree makes so many errors more than the best one, or fewer; negative when not even all trees as good as it are there.
    status : str
        "optimal" when the best tree is proved and the list was not stopped.
    """

    def __init__(self, found: NearbyTrees, within: float, estimators: list[Any], names: list[str]) -> None:
        self.estimators = estimators
        self.best, self.complete_within, self.status = found.best, found.complete_within, found.status
        self.complete = found.complete_within >= within
        claims = [result.claims for result in found.results]
        self.errors: NDArray[Any] = np.array([claim.objective * claim.error_scale for claim in claims])
        self.columns = [tuple(names[f] for f in sorted(result.tree.features_used())) for result in found.results]

    def __len__(self) -> int:
        return len(self.estimators)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.estimators)

    def __repr__(self) -> str:
        rows = [f"{'errors':>12}  {'trees':>6}  columns"]
        for columns in dict.fromkeys(self.columns):
            same = [error for error, of in zip(self.errors, self.columns, strict=True) if of == columns]
            rows.append(f"{same[0]:>12.6g}  {len(same):>6}  {', '.join(columns) or '(none)'}")
        return "\n".join(rows)
