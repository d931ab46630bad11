"""What a user is warned of after a fit: a search that ended early, few leaves, data that look wrong."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._compat import DataWarning, OptimalityWarning
from ._dataset import DataNote, Dataset
from ._options import METHODS
from ._result import FitResult
from ._warn import warn

# Why a search ended early, by its status.
STOPPED = {
    "time_limit": "a limit on time was reached",
    "node_limit": "the node limit was reached",
    "interrupted": "it was interrupted",
}

_EXACT = frozenset(method.name for method in METHODS if method.exact)


def warn_unless_proved(claims: FitResult) -> None:
    gap = f"the gap is {100 * claims.gap:.3g} %. The best tree found is kept"
    # Some methods prove a bound only with a solver.
    proves = claims.method in _EXACT or not claims.proved.startswith("nothing")
    if claims.status in STOPPED and not proves:
        message = f"{STOPPED[claims.status]} before the method ended. The best tree found is kept (give it more time)"
    elif claims.status in STOPPED:
        message = f"{STOPPED[claims.status]} before the tree was proved optimal; {gap} (give it more time, or accept the gap: see result_)"
    elif claims.status == "heuristic" and proves and claims.method != "fair":  # its proof is of errors and fairness
        message = f"the tree was not proved optimal; {gap} (relax the limits on leaves, or accept the gap: see result_)"
    else:
        return
    warn(message, OptimalityWarning)


def warn_of_few_leaves(max_depth: Any, classes: int) -> None:
    """Where a chosen depth leaves fewer leaves than there are classes. Depth 0 is wanted as it is."""
    if isinstance(max_depth, (int, np.integer)) and 0 < max_depth < 60 and 2**max_depth < classes:
        message = f"{2**max_depth} leaves cannot hold {classes} classes, so some are never predicted; max_depth allows more"
        warn(message, DataWarning)


# Notes on texts that are no categories at all.
OF_NAMES = ("near_unique", "unread_amounts", "stray_cells")

# What to do about a note on the data, by its kind. Columns of one value harm nothing.
_REMEDIES = {
    "near_unique": "it is left out (read numbers with pd.to_numeric, dates with pd.to_datetime, or make it a pandas category to keep it)",
    "unread_amounts": "it is left out (use pd.to_numeric or pd.to_datetime, or make it a pandas category to keep it)",
    "stray_cells": "it is left out (use pd.to_numeric or pd.to_datetime with errors='coerce', or make it a pandas category to keep it)",
    "row_numbers": "new rows will have other numbers: it is left out (make it float to keep it)",
    "record_numbers": "if new rows will have other numbers, leave the column out",
    "copies_target": "it is left out as a copy of the target (make it float or a pandas category to keep it)",
    "many_classes": "OptimalTreeRegressor predicts numbers; for classes group the values into a few",
    "many_labels": "a class of one or two rows is never learned: is this the column that you mean?",
    "rare_class": "a tree may never predict it: use class_weight='balanced', or merge it with another class",
    "many_levels": "a split may take any set of them, so a tree learns single rows by heart: group rare ones, or leave the column out",
    "mixed_cells": "convert it with pd.to_numeric(..., errors='coerce') if the others stand for missing values",
    "large_numbers": "if these are identifiers, read them as text (dtype=str), or leave the column out",
    "totals": "if these are totals, leave the row out",
    "number_texts": "convert it with pd.to_numeric, or make it a pandas category if these are codes",
    "date_texts": "convert it with pd.to_datetime, which is told whether the day or the month comes first",
    "spelling": "write them alike if they mean the same",
}
# The same where the column is kept, because the user's program has made its type.
_REMEDIES_OF_KEPT = {
    "row_numbers": "new rows will have other numbers: leave the column out",
    "copies_target": "if it is not known before the class, leave the column out",
}


def warn_of_data(notes: list[DataNote]) -> None:
    for note in notes:
        remedies = _REMEDIES if note.leave_out else _REMEDIES | _REMEDIES_OF_KEPT
        if note.kind in remedies:
            warn(f"{note.problem}; {remedies[note.kind]}", DataWarning)


def warn_of_large_numbers(data: Dataset) -> None:
    for name, number, read_as_categories in data.large:
        become = "it is read as categories" if read_as_categories else "in a DataFrame they become categories"
        some = f"column {name!r} holds whole numbers above 2^53, such as {number}, some of which are one number to programs"
        warn(f"{some}; {become}", DataWarning)
