"""What labels cost, as users give it: by true class and label, or by row and label."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]


def _numbers(given: Any, keyword: str) -> Array:
    try:
        costs = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError) as problem:
        raise ValueError(f"{keyword}: holds something that is no number ({problem})") from None
    if not np.isfinite(costs).all():
        raise ValueError(f"{keyword}: a cost is not finite (use finite numbers)")
    return costs


def costs_by_class(given: Any, classes: list[Any]) -> Array:
    """``cost_matrix`` as an array of shape (n_classes, n_classes): lines are true classes, columns labels, in the order of ``classes``."""
    if hasattr(given, "to_dict"):  # a DataFrame: true classes by labels
        given = given.to_dict(orient="index")
    if isinstance(given, Mapping):
        given = _by_name(given, classes)
    costs = _numbers(given, "cost_matrix")
    if costs.shape != (len(classes), len(classes)):
        raise ValueError(
            f"cost_matrix: its shape is {costs.shape}, and there are {len(classes)} classes "
            f"(give a line for each true class and a column for each label, in the order {', '.join(map(str, classes))})"
        )
    return costs


def _by_name(given: Mapping[Any, Any], classes: list[Any]) -> list[list[Any]]:
    names = f"(the classes are {', '.join(map(str, classes))})"
    whole = all(truth in given for truth in classes)  # then the rest is of classes that a part of the data may lack
    for truth, labels in () if whole else given.items():
        for name in (truth, *(labels if isinstance(labels, Mapping) else ())):
            if name not in classes:
                raise ValueError(f"cost_matrix: no row is of class {name!r} {names}")
    costs = []
    for truth in classes:
        if not isinstance(given.get(truth), Mapping):
            raise ValueError(f"cost_matrix: has no costs of rows of class {truth!r} (give a dict: label -> cost)")
        for label in classes:
            if label not in given[truth] and label != truth:
                raise ValueError(f"cost_matrix: does not say what label {label!r} costs rows of class {truth!r} {names}")
        costs.append([given[truth].get(label, 0.0) for label in classes])
    return costs


def costs_by_row(given: Any) -> tuple[Array, list[Any] | None]:
    """``costs`` of ``fit`` as an array of shape (n_samples, n_labels), and the names of its columns where it is a DataFrame."""
    names = list(given.columns) if hasattr(given, "columns") else None
    costs = _numbers(given, "costs")
    if costs.ndim != 2 or costs.shape[1] < 2:
        raise ValueError(f"costs: the shape is {costs.shape} (give a line for each row of X and a column for each of two labels or more)")
    if names is not None and len(set(names)) < len(names):
        raise ValueError("costs: two columns have the same name (rename one: the names are the labels)")
    return costs, names


def in_order_of(classes: Array, costs: Array, names: list[Any] | None) -> Array:
    """The columns of costs by row in the order of the classes that y has."""
    if names is not None and set(names) == set(classes.tolist()):
        return costs[:, [names.index(label) for label in classes.tolist()]]
    if names is None and costs.shape[1] == len(classes):
        return costs
    raise ValueError(
        f"costs: the columns are not the classes of y, {', '.join(map(str, classes.tolist()))} "
        "(give one column for each class, or leave y out where the labels are other actions)"
    )
