"""treewright trains classification trees to proven optimality.

>>> from treewright import OptimalTreeClassifier
>>> tree = OptimalTreeClassifier(max_depth=2)
"""

from ._base import Change, Counterfactual
from ._compat import DataWarning, OptimalityWarning
from ._core import Feature, FitResult, Progress, Tree
from ._estimator import (
    AutoTreeClassifier,
    HyperplaneTreeClassifier,
    MargotClassifier,
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    PartitionTreeClassifier,
    SVM1TreeClassifier,
)
from ._library import VERSION as __version__
from ._library import TreewrightError
from ._load import load
from ._options import METHODS, OPTIONS, Method, Option
from ._path import PruningPath
from .export import export_graphviz, export_text, plot_tree, to_sklearn

__all__ = [
    "METHODS",
    "OPTIONS",
    "AutoTreeClassifier",
    "Change",
    "Counterfactual",
    "DataWarning",
    "Feature",
    "FitResult",
    "HyperplaneTreeClassifier",
    "MargotClassifier",
    "Method",
    "OptimalTreeClassifier",
    "OptimalTreeClassifierCV",
    "OptimalityWarning",
    "Option",
    "PartitionTreeClassifier",
    "Progress",
    "PruningPath",
    "SVM1TreeClassifier",
    "Tree",
    "TreewrightError",
    "__version__",
    "export_graphviz",
    "export_text",
    "load",
    "plot_tree",
    "to_sklearn",
]
