"""What each column is worth."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._analyses import ColumnWorths

Array = NDArray[Any]


class ColumnWorth:
    """For each column the least errors of a tree that asks it first, and of one that never asks it, each proved.

    Errors count by the weight of the rows; where splits have a price, that is added. The columns that are worth most come first.

    Attributes
    ----------
    columns : list of str
    used : ndarray of bool, shape (n_columns,)
        Whether the best tree asks the column.
    first, never : ndarray of shape (n_columns,)
        The errors of the best tree found that asks the column first, or never; infinite where there is none.
    first_bound, never_bound : ndarray of shape (n_columns,)
        No such tree has fewer errors. Equal to ``first`` and ``never`` where these are proved; infinite where there is no such tree.
    worth : ndarray of shape (n_columns,)
        How many more errors every tree makes at least that never asks the column.
    best : float
        The errors of the best tree.
    first_estimators, never_estimators : list of fitted estimators or None
        The trees; None where none was trained.
    status : str
        "optimal" when every question is answered.
    """

    def __init__(self, found: ColumnWorths, first_estimators: list[Any], never_estimators: list[Any]) -> None:
        self.columns = [column.name for column in found.columns]
        self.status, self.best = found.status, found.best.cost
        self.first_estimators, self.never_estimators = first_estimators, never_estimators
        self.used: Array = np.array([column.used for column in found.columns], dtype=bool)
        self.first: Array = np.array([column.first.cost for column in found.columns])
        self.first_bound: Array = np.array([column.first.bound for column in found.columns])
        self.never: Array = np.array([column.never.cost for column in found.columns])
        self.never_bound: Array = np.array([column.never.bound for column in found.columns])
        least = min([self.best, *self.first, *self.never])
        self.worth: Array = np.maximum(0.0, self.never_bound - least)

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        rows = [f"{'column':<24}{'first':>12}{'never':>12}{'worth':>12}"]
        for name, first, never, worth in zip(self.columns, self.first, self.never, self.worth, strict=True):
            rows.append(f"{name[:23]:<24}{first:>12.6g}{never:>12.6g}{worth:>12.6g}")
        return "\n".join(rows)
