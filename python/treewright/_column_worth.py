"""What each column is worth, in a tree and in one place of it."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._analyses import ColumnWorths, SplitsOfColumns

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


class ColumnSplits:
    """The best split on each column in one place of a tree, and the least errors of the trees that have it there, each proved.

    The columns of the fewest errors come first. Errors count by the weight of the rows; where splits have a price, that is added, and with
    costs of labels they are costs.

    Attributes
    ----------
    columns : list of str
    splits : list of dict or None
        The best split on each column, as ``top`` of ``fit`` takes it, without its sides; None where no split parts the rows.
    texts : list of str
        The same to be read: ``"age < 40"``.
    errors, bound : ndarray of shape (n_columns,)
        The errors of the best tree found that has the column there, and what no such tree goes below: equal where they are proved, infinite
        where there is no such tree.
    best, leaf : float
        The errors of the best tree that begins so, and of the best one whose place stays a leaf.
    left_out : list of str
        Categories of too many levels, of which nothing is found out.
    status : str
        "optimal" when every figure is proved.
    """

    def __init__(self, found: SplitsOfColumns) -> None:
        self.columns = [column["name"] for column in found.columns]
        self.splits = [column.get("split") for column in found.columns]
        self.texts = [column.get("text", column["name"]) for column in found.columns]
        self.errors: Array = np.array([float(column["cost"]) for column in found.columns])
        self.bound: Array = np.array([float(column["bound"]) for column in found.columns])
        self.best, self.leaf = float(found.best["cost"]), float(found.leaf["cost"])
        self.left_out, self.status = list(found.left_out), found.status

    def __len__(self) -> int:
        return len(self.columns)

    def __repr__(self) -> str:
        lines = [f"{text}: {errors:g}" for text, errors in zip(self.texts, self.errors, strict=True)]
        return "\n".join([f"ColumnSplits, best {self.best:g} ({self.status})", *lines, f"(a leaf): {self.leaf:g}"])
