"""Trees that were saved as files, as fitted estimators."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from ._estimator import classifier
from ._regressor import regressor
from ._result import Result
from ._survival import OptimalSurvivalTree


def _classes(names: tuple[str, ...]) -> Any:
    """Whole numbers if all names are, else text."""
    try:
        numbers = [int(name) for name in names]
    except ValueError:
        return np.array(names, dtype=object)
    return np.array(numbers) if all(str(number) == name for number, name in zip(numbers, names)) else np.array(names, dtype=object)


def _regressor(result: Result) -> Any:
    tree = result.tree
    estimator = OptimalSurvivalTree() if tree.loss == "survival" else regressor(result.claims.method, criterion=tree.loss)
    estimator._result = result
    estimator._is_read = True
    estimator.n_features_in_ = tree.n_features
    estimator.feature_names_in_ = np.array([feature.name for feature in tree.features], dtype=object)
    return estimator


def load(path: str | os.PathLike[str]) -> Any:
    """Reads a tree that ``treewright fit --out`` or ``to_json`` has written.

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    fitted estimator
        Of the family of the method that trained the tree; where it predicts numbers, a regressor, and of survival an OptimalSurvivalTree.
        Its ``classes_`` are sorted, and whole numbers where all class names are, else text; those of ``tree_`` stand in the file's order.
        Its parameters are the defaults, not those of the training.

    Raises
    ------
    ValueError
        When the file holds no tree.
    """
    with open(path, encoding="utf-8") as file:
        result = Result.from_json(file.read())
    tree = result.tree
    if tree.loss:
        return _regressor(result)
    estimator = classifier(result.claims.method)
    estimator._result = result
    estimator._is_read = True
    classes = _classes(tree.class_names)
    places = np.argsort(classes, kind="stable")
    estimator.classes_ = classes[places]
    if (np.diff(places) < 0).any():
        estimator._places = places
    estimator.n_features_in_ = tree.n_features
    estimator.feature_names_in_ = np.array([feature.name for feature in tree.features], dtype=object)
    return estimator
