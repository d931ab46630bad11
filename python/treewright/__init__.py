"""treewright trains decision trees to proven optimality.

>>> from treewright import OptimalTreeClassifier
>>> tree = OptimalTreeClassifier(max_depth=2)
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from ._library import VERSION as __version__
from ._library import TreewrightError
from ._options import METHODS, OPTIONS, Method, Option
from ._result import FitResult
from ._running import Progress
from ._tree import Feature, Tree

if TYPE_CHECKING:
    from . import export as export
    from ._compat import DataWarning, OptimalityWarning
    from ._estimator import (
        AutoTreeClassifier,
        CARTClassifier,
        FairTreeClassifier,
        HyperplaneTreeClassifier,
        HyperplaneTreeClassifierCV,
        MargotClassifier,
        MIPTreeClassifier,
        OptimalTreeClassifier,
        OptimalTreeClassifierCV,
        PartitionTreeClassifier,
        SVM1TreeClassifier,
        classifier,
    )
    from ._fitted import Change, Counterfactual
    from ._load import load
    from ._path import PruningPath
    from ._regressor import CARTRegressor, OptimalTreeRegressor
    from ._regressor_cv import OptimalTreeRegressorCV
    from ._survival import OptimalSurvivalTree
    from .export import export_graphviz, export_text, plot_tree, to_sklearn

__all__ = [
    "METHODS",
    "OPTIONS",
    "AutoTreeClassifier",
    "CARTClassifier",
    "CARTRegressor",
    "Change",
    "ColumnSplits",
    "ColumnWorth",
    "Counterfactual",
    "DataWarning",
    "FairTreeClassifier",
    "Feature",
    "FitResult",
    "HyperplaneTreeClassifier",
    "HyperplaneTreeClassifierCV",
    "MIPTreeClassifier",
    "MargotClassifier",
    "Method",
    "NearTrees",
    "OptimalSurvivalTree",
    "OptimalTreeClassifier",
    "OptimalTreeClassifierCV",
    "OptimalTreeRegressor",
    "OptimalTreeRegressorCV",
    "OptimalityWarning",
    "Option",
    "PartitionTreeClassifier",
    "Progress",
    "PruningPath",
    "SVM1TreeClassifier",
    "TradeOff",
    "Tree",
    "TreewrightError",
    "__version__",
    "classifier",
    "export_graphviz",
    "export_text",
    "load",
    "plot_tree",
    "to_sklearn",
]

# The modules of all that is built on scikit-learn, which takes a second to import: they are imported when one of their names is used.
_LATE = {
    "_column_worth": ("ColumnSplits", "ColumnWorth"),
    "_compat": ("DataWarning", "OptimalityWarning"),
    "_estimator": (
        "AutoTreeClassifier",
        "CARTClassifier",
        "FairTreeClassifier",
        "HyperplaneTreeClassifier",
        "HyperplaneTreeClassifierCV",
        "MIPTreeClassifier",
        "MargotClassifier",
        "OptimalTreeClassifier",
        "OptimalTreeClassifierCV",
        "PartitionTreeClassifier",
        "SVM1TreeClassifier",
        "classifier",
    ),
    "_fitted": ("Change", "Counterfactual"),
    "_load": ("load",),
    "_near_trees": ("NearTrees",),
    "_path": ("PruningPath",),
    "_regressor": ("CARTRegressor", "OptimalTreeRegressor"),
    "_regressor_cv": ("OptimalTreeRegressorCV",),
    "_survival": ("OptimalSurvivalTree",),
    "_trade_off": ("TradeOff",),
    "export": ("export_graphviz", "export_text", "plot_tree", "to_sklearn"),
}
_MODULE_OF = {name: module for module, names in _LATE.items() for name in names}


def __getattr__(name: str) -> Any:
    if name == "export":
        return importlib.import_module(".export", __name__)
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f".{_MODULE_OF[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__, "export"})
