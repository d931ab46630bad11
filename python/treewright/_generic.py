"""Any method by its name, for programs that compare methods."""

from __future__ import annotations

from typing import Any, ClassVar

from ._options import unknown_method
from ._warn import warn

# Estimators by method, and those that tune: each enters when its class is made.
_SINGLE: dict[str, Any] = {}
_TUNED: dict[str, Any] = {}


def enter(estimator: Any, tunes: bool) -> None:
    """Makes an estimator known by its methods."""
    for method in estimator._methods:
        (_TUNED if tunes else _SINGLE)[method] = estimator


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
    return _made(_SINGLE[method], method, parameters)


def _made(estimator: Any, method: str, parameters: dict[str, Any]) -> Any:
    return estimator(method=method, **parameters) if len(estimator._methods) > 1 else estimator(**parameters)


class OnceOfAllMethods:
    """Up to version 0.2 the estimators of axis trees took the methods of all families. For one more version that makes the estimator which
    has the method now."""

    _methods: ClassVar[tuple[str, ...]]

    def __new__(cls, *_: Any, method: Any = None, **parameters: Any) -> Any:
        known = _TUNED if cls in _TUNED.values() else _SINGLE
        instead = known.get(method) if isinstance(method, str) and method not in cls._methods else None
        if instead is None:
            return super().__new__(cls)
        warn(f"{cls.__name__}(method={method!r}) is {instead.__name__} from now on", FutureWarning)
        return _made(instead, method, parameters)
