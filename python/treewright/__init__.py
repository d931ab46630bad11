"""treewright trains classification trees to proven optimality.

>>> from treewright import OptimalTreeClassifier
>>> tree = OptimalTreeClassifier(max_depth=2)
"""

from ._compat import OptimalityWarning
from ._core import Feature, FitResult, Tree
from ._cv import OptimalTreeClassifierCV
from ._estimator import OptimalTreeClassifier, PruningPath
from ._library import VERSION as __version__
from ._library import TreewrightError
from ._options import METHODS, OPTIONS, Method, Option
from .export import export_graphviz, export_text, plot_tree, to_sklearn

__all__ = [
    "METHODS",
    "OPTIONS",
    "Feature",
    "FitResult",
    "Method",
    "OptimalTreeClassifier",
    "OptimalTreeClassifierCV",
    "OptimalityWarning",
    "Option",
    "PruningPath",
    "Tree",
    "TreewrightError",
    "__version__",
    "export_graphviz",
    "export_text",
    "plot_tree",
    "to_sklearn",
]
