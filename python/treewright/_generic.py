"""Any method by its name, for programs that compare methods."""

from __future__ import annotations

from typing import Any

from ._options import unknown_method

# Estimators by method, and those that tune: each enters when its class is made, and the first one of a method stays.
_SINGLE: dict[str, Any] = {}
_TUNED: dict[str, Any] = {}


def enter(estimator: Any, tunes: bool) -> None:
    """Makes an estimator known by its methods."""
    for method in estimator._methods:
        (_TUNED if tunes else _SINGLE).setdefault(method, estimator)


def classifier(method: str = "oct", **parameters: Any) -> Any:
    """An estimator that trains by a method of any family.

    Parameters
    ----------
    method : str, default='oct'
        A name of ``treewright.METHODS``.
    **parameters
        Keywords of the estimator that has the method. A keyword that it does not have is a TypeError.

    Returns
    -------
    estimator
        Not fitted. For ``method="tao"`` it is ``HyperplaneTreeClassifier(method="tao", ...)``.

    Raises
    ------
    ValueError
        When there is no such method.

    Examples
    --------
    >>> from treewright import classifier
    >>> classifier("tao", max_depth=1)
    HyperplaneTreeClassifier(max_depth=1, method='tao')
    """
    if method not in _SINGLE:
        raise unknown_method("treewright", method, tuple(_SINGLE))
    estimator = _SINGLE[method]
    return estimator(method=method, **parameters) if len(estimator._methods) > 1 else estimator(**parameters)
