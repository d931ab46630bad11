"""What the library's tables do not tell of the estimators: the texts of tools/estimators.py."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False)
class Estimator:
    """What the tables do not tell of a family's estimator."""

    name: str
    family: str
    summary: str
    about: str
    notes: str
    example: str
    defaults: Mapping[str, Any] = field(default_factory=dict)  # of keywords, where the table's do not suit the family
    without: tuple[str, ...] = ()  # options that its methods read and that serve no user of it
    unread: tuple[str, ...] = ()  # what every estimator has, and only a method of another solver reads
    methods: tuple[str, ...] = ()  # where they are not those of the family
    solver: str = ""  # of the methods that have several, where it is not theirs


# Of a method by its model, which is MIPTreeClassifier's.
_OF_MODELS = ("solver", "mip_model", "mip_start", "mip_solver", "write_model")

AXIS = Estimator(
    "OptimalTreeClassifier",
    "axis",
    "A classification tree with a certificate: proved optimal, or with a bound on how far from it.",
    """
    Each split compares one feature with a threshold, or asks for a set of categories. An exact search finds the optimum over all
    trees within the limits (BD17 problem (1)).

    Methods of other families have estimators of their own: %OTHERS%. :func:`classifier` makes the one of a method.
    """,
    """
    Numeric features split at thresholds, DataFrame columns of categories (or text) at sets of categories. Missing values (NaN,
    None) go to one side of each split, whichever is best.
    """,
    """
    >>> from treewright import OptimalTreeClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    >>> tree.status_, tree.score(X, y)
    ('optimal', 1.0)
    """,
    {"max_depth": "auto"},
    _OF_MODELS,
    ("random_state",),
)

CART = Estimator(
    "CARTClassifier",
    "greedy",
    "A greedy classification tree (CART), to compare with, or deeper than a proof can go.",
    """
    It grows as scikit-learn's DecisionTreeClassifier does, and is pruned by the same ``ccp_alpha``. Unlike that one it splits categories
    by sets of levels, minimizes costs of labels, and is explained, reported and exported as all trees here.
    """,
    """
    Missing values (NaN, None) go to the side of each split that is better. The tree is cut back to the limits on its depth and leaves
    by its own pruning. Nothing is proved: ``status_`` is "heuristic".
    """,
    """
    >>> from treewright import CARTClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> tree = CARTClassifier(max_depth=2).fit(X, y)
    >>> tree.status_, tree.score(X, y)
    ('heuristic', 1.0)
    """,
    {"max_depth": "auto"},
    ("alpha_scale",),
)

HYPERPLANE = Estimator(
    "HyperplaneTreeClassifier",
    "hyperplane",
    "A classification tree whose splits are hyperplanes: weighted sums of features, compared with a threshold.",
    """
    It minimizes errors plus ``ccp_alpha`` for each feature that a split uses (BD17 problem (28)). Few levels say what an
    axis-parallel tree needs many for. The search is heuristic: ``status_`` is "heuristic", and nothing is proved. Only
    ``oct-h`` with ``solver="mip"`` proves a bound, by a mixed-integer program, on small data.
    """,
    """
    Training works on columns of mean 0 and standard deviation 1; thresholds and weights of the fitted tree are in the units of the
    data. A category becomes one 0/1 column for each level. A missing value is replaced by the mean of its column.
    """,
    """
    >>> from treewright import HyperplaneTreeClassifier
    >>> X, y = [[0, 0], [1, 1], [2, 2], [0, 1], [1, 2], [2, 3]], ["below"] * 3 + ["above"] * 3
    >>> tree = HyperplaneTreeClassifier(max_depth=1).fit(X, y)
    >>> tree.score(X, y), len(tree.tree_.terms(0))
    (1.0, 2)
    """,
    {"max_depth": "auto"},
)

MARGOT = Estimator(
    "MargotClassifier",
    "margot",
    "A classification tree of support vector machines whose margins are widest together (MARGOT).",
    """
    All nodes are trained at once, to proven optimality (DGMP23): the objective is the sum over the nodes of ``|w|^2 / 2`` and of
    ``level_costs`` times the slack of the rows that reach the node. ``feature_selection`` limits the features of a split or
    prices them; ``mm-svm`` maximizes the smallest margin of the tree instead (Blanco et al. 2022). With more than two classes,
    codewords tell which leaves a class may have (``class_codes``).
    """,
    """
    Training works on columns scaled to [0, 1]; thresholds and weights of the fitted tree are in the units of the data. A category
    becomes one 0/1 column for each level. A missing value is replaced by the mean of its column. Row and class weights multiply
    the price of slack. A proof may take days, so ``time_limit`` and the ``node_limit`` of ``run`` have defaults here; ``status_`` says
    what ended the search, and None takes a limit away. ``level_costs``, ``feature_budgets`` and ``class_codes`` may be lists or one number.
    """,
    """
    >>> from treewright import MargotClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [3, 3], [3, 4], [4, 3]], ["low"] * 3 + ["high"] * 3
    >>> tree = MargotClassifier(max_depth=1, level_costs=10).fit(X, y)
    >>> tree.status_, tree.score(X, y)
    ('optimal', 1.0)
    """,
    # A proof may take days: as it is, a fit ends soon, and its status says what ended it.
    {"max_depth": 2, "time_limit": 60.0, "node_limit": 200},
)

SVM1 = Estimator(
    "SVM1TreeClassifier",
    "svm1",
    "A classification tree of hyperplanes with 1-norm margins (SVM1-ODT), for large data too.",
    """
    It minimizes errors + ``slack_price`` * slack + ``weight_price`` * sum of ``|h|_1`` (Z20 model (1)). A local search
    finds a tree, and a search proves a bound for it: a short one, unless ``run`` limits time or nodes. ``solver="mip"`` solves the
    paper's mixed-integer program instead. ``row_selection`` trains on few rows: the outer ones of each class (Z20 sec. 3).
    """,
    """
    Training works on columns scaled to [0, 1]; thresholds and weights of the fitted tree are in the units of the data. A category
    splits by a set of levels. A missing value is replaced by the mean of its column.
    """,
    """
    >>> from treewright import SVM1TreeClassifier
    >>> X, y = [[0, 0], [1, 1], [2, 2], [0, 1], [1, 2], [2, 3]], ["below"] * 3 + ["above"] * 3
    >>> SVM1TreeClassifier(max_depth=1).fit(X, y).score(X, y)
    1.0
    """,
)

PARTITION = Estimator(
    "PartitionTreeClassifier",
    "partition",
    "An optimal classification tree from clusters of rows, which are split as needed.",
    """
    Rows that will probably share a leaf form a cluster. A tree is trained on one weighted row for each cluster, the clusters that
    the tree cuts are split, and so on (AHL24 Algorithms 4 and 7). With ``partition_algorithm`` "eia" or "eiia" the last tree is
    proved optimal for all rows; with "hia" or "hiia" it is a heuristic.
    """,
    """
    With ``max_leaf_nodes`` and no ``ccp_alpha``, a split costs ``1 / max_leaf_nodes`` errors, as in the paper: the tree has the least
    errors, and of these trees the fewest splits. ``result_.selection`` is a table of the rounds.
    """,
    """
    >>> from treewright import PartitionTreeClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> tree = PartitionTreeClassifier(max_depth=2).fit(X, y)
    >>> tree.status_, tree.score(X, y)
    ('optimal', 1.0)
    """,
)

AUTO = Estimator(
    "AutoTreeClassifier",
    "auto",
    "A classification tree whose kind, depth and complexity are chosen by cross-validation inside the training data.",
    """
    It compares axis-parallel trees (``cart``, ``oct``) with trees of hyperplanes (``tao``, ``oct-h``, ``logistic-h``) for depths up to
    ``max_depth``, and takes the simplest of the best. ``result_.method`` is the method chosen, ``result_.selection`` says why, and
    ``cv_results_`` has the scores of all candidates.
    """,
    """
    What is proved holds for the chosen method and its options, not for the choice among them.
    """,
    """
    >>> from treewright import AutoTreeClassifier
    >>> X, y = [[i % 10, i % 3] for i in range(60)], [i % 10 < 4 for i in range(60)]
    >>> tree = AutoTreeClassifier(max_depth=2, restarts=0).fit(X, y)
    >>> tree.score(X, y), tree.get_depth()
    (1.0, 1)
    """,
    {"max_depth": None},
)

MIP = Estimator(
    "MIPTreeClassifier",
    "mip",
    "An optimal classification tree by a mixed-integer program, for HiGHS or a solver of your own.",
    """
    It solves the problems of :class:`OptimalTreeClassifier` as the literature states them. The exact search of that class proves the
    same optimum far sooner; these models serve comparisons, and solvers that you have (``mip_solver`` and ``write_model`` of ``run``).
    """,
    """
    A proof may take days: ``time_limit`` has a default here, ``status_`` says what ended the run, and None takes the limit away.
    """,
    """
    >>> from treewright import MIPTreeClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> tree = MIPTreeClassifier().fit(X, y)
    >>> tree.status_, tree.score(X, y)
    ('optimal', 1.0)
    """,
    {"max_depth": 2, "time_limit": 60.0},
    (
        *("solver", "first_column", "never_columns", "max_columns", "column_costs"),
        *("checkpoint", "on_existing", "proof", "verify"),
    ),
    methods=("oct", "binoct"),
    solver="mip",
)

FAIR = Estimator(
    "FairTreeClassifier",
    "fair",
    "A classification tree for few errors and little disparate impact between the groups of a column.",
    """
    It minimizes the share of errors plus ``fairness`` times the disparate impact between the values of ``protected_column``, by a
    mixed-integer program (Aghaei et al. 2019). With ``fairness`` 0 the errors alone count.
    """,
    """
    A proof may take days: ``time_limit`` has a default here, ``status_`` says what ended the run, and None takes the limit away.
    """,
    """
    >>> import pandas as pd
    >>> from treewright import FairTreeClassifier
    >>> X = pd.DataFrame({"group": ["a", "a", "b", "b"], "income": [1, 2, 3, 4]})
    >>> tree = FairTreeClassifier(max_depth=1, protected_column="group", fairness=0.1).fit(X, ["no", "yes", "yes", "yes"])
    >>> tree.score(X, ["no", "yes", "yes", "yes"])
    1.0
    """,
    {"max_depth": 2, "time_limit": 60.0},
)

SINGLE = (AXIS, HYPERPLANE, MARGOT, SVM1, PARTITION, MIP, FAIR, AUTO, CART)

AXIS_CV = Estimator(
    "OptimalTreeClassifierCV",
    "axis",
    "An optimal classification tree whose depth and complexity are chosen by cross-validation.",
    """
    For each depth and fold the exact complexity path is computed once: it holds the optimal tree of every ``ccp_alpha``, so that no
    grid of alphas is needed. The mean score is then a step function of alpha; the middle of its best step is taken (BD17 sec. 3),
    and the tree for it is trained on all rows. Among depths of equal score the smallest wins. The command ``treewright tune`` chooses
    in the same way, among the depths that it is told. Needs scikit-learn.
    """,
    """
    ``time_limit`` bounds the mean duration of a path: those of a fold share their time. It bounds the final tree once more.
    """,
    """
    >>> from sklearn.datasets import load_iris
    >>> from treewright import OptimalTreeClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> OptimalTreeClassifierCV(max_depths=(1, 2)).fit(X, y).best_params_["max_depth"]
    2
    """,
)

HYPERPLANE_CV = Estimator(
    "HyperplaneTreeClassifierCV",
    "hyperplane",
    "A classification tree of hyperplanes whose depth and complexity are chosen by cross-validation.",
    """
    As :class:`OptimalTreeClassifierCV`, on the trees of ``oct-h`` for every price of a feature. Methods without such a path
    (``treewright.METHODS`` tells) have their depth chosen alone. Needs scikit-learn.
    """,
    """
    ``time_limit`` bounds the mean duration of a path: those of a fold share their time. It bounds the final tree once more.
    """,
    """
    >>> from sklearn.datasets import load_iris
    >>> from treewright import HyperplaneTreeClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> HyperplaneTreeClassifierCV(method="tao", max_depths=(1, 2)).fit(X, y).best_params_
    {'max_depth': 2, 'svm_cost': 1}
    """,
    {"svm_cost": 1},  # as on its paths, for which nobody chooses a cost
)

# Estimators with a complexity path, and those that choose on it.
TUNED = {AXIS: AXIS_CV, HYPERPLANE: HYPERPLANE_CV}

# What a cross-validation chooses, what speaks of one tree, and models, of which a fold would take days.
CV_REPLACES = (
    "max_depth",
    "ccp_alpha",
    "max_splits",
    "n_jobs",
    "checkpoint",
    "on_existing",
    "first_column",
    "never_columns",
    "max_columns",
    "column_costs",
    *_OF_MODELS,
    "margin",
)

# scikit-learn's conventions for these differ from the table's: type, and what they mean.
SPECIAL = {
    "class_weight": (
        'Mapping[Any, float] | Literal["balanced"] | None',
        "dict, 'balanced' or None",
        "Weight of each class, by label; a class that is left out has weight 1. 'balanced' gives every class the same total weight.",
    ),
    "column_costs": (
        "Mapping[str, float] | str | None",
        "dict or None",
        "What a column costs that the tree asks about at all, once, in errors by weight: a dict of names and prices. Columns that are left "
        "out cost nothing.",
    ),
    "n_jobs": (
        "int | None",
        "int or None",
        "Threads of one fit. None = 1, -1 = all cores, -2 = all but one (as scikit-learn).",
    ),
    "random_state": (
        "int | np.random.RandomState | np.random.Generator | None",
        "int, numpy.random.RandomState, numpy.random.Generator or None",
        "Seed of everything random; a generator is asked for one. Same seed, same data: same tree. None = 0.",
    ),
}

VERBOSE = (
    "verbose",
    "bool | int",
    False,
    "verbose : bool or int, default=False",
    "Show the progress: a line for each new tree or bound; in a notebook where rich is installed, a table that changes.",
)
CALLBACK = (
    "callback",
    "Callable[[Progress], Any] | None",
    None,
    "callback : callable or None, default=None",
    "Called with a :class:`Progress` for each new tree or bound, and twice a second where there is no news, in a thread of the library. "
    "What it raises ends the run, and ``fit`` raises it.",
)

SHRINKAGE = (
    "shrinkage",
    "float | None",
    None,
    "shrinkage : float or None, default=None",
    "Hierarchical shrinkage of the probabilities (Agarwal et al. 2022), in ``predict_proba``, explanations, reports and exports. "
    "It changes no tree and no label, so that it may be set after ``fit`` too. "
    "The difference between the shares of a node and those of the node above it is divided by 1 + ``shrinkage`` / rows of the node above "
    "(rows by weight). 0 = the shares of the leaf; None = 10, or 10 times the mean weight where that is below 1, or of a tree file what "
    "it says; of a tree with hyperplanes, probabilities that depend on the distances to them.",
)

# scikit-learn's name for a limit that stands in the table in another unit.
MAX_LEAF_NODES = (
    "max_leaf_nodes",
    "int | None",
    None,
    "max_leaf_nodes : int or None, default=None",
    "The tree has at most this many leaves: one more than splits. At least 2; None = no limit.",
)

RUN = (
    "run",
    "Mapping[str, Any] | None",
    None,
    "run : dict or None, default=None",
    "How the training is done, limited, kept and written down. A key that is left out has its default.",
)

# What an option does in words of Python, where the table speaks of the command, or of methods that an estimator does not have: by its
# name, or by name and family.
_PRICE_OF_A_SPLIT = "Price of one split in the objective. Unit: see alpha_scale."
_PRICE_OF_A_FEATURE = "Price of one feature of a split in the objective. Unit: see alpha_scale."
_SOLVER_STARTS = "Tree from which the solver starts: 'auto' (the best tree that is found quickly) or 'none'."
TEXTS: Mapping[Any, str] = {
    ("ccp_alpha", "axis"): _PRICE_OF_A_SPLIT,
    ("ccp_alpha", "hyperplane"): _PRICE_OF_A_FEATURE,
    ("ccp_alpha", "margot"): "Price of a feature of a split in the objective, where there are ``feature_budgets`` of each one beyond them.",
    ("ccp_alpha", "partition"): _PRICE_OF_A_SPLIT,
    ("ccp_alpha", "mip"): _PRICE_OF_A_SPLIT,
    ("ccp_alpha", "fair"): _PRICE_OF_A_SPLIT,
    ("ccp_alpha", "auto"): "Price of one split, or of one feature of a hyperplane, in the objective. Unit: see alpha_scale.",
    ("ccp_alpha", "greedy"): "Price of one split, by which the tree is pruned: scikit-learn's. Unit: weighted impurity.",
    ("node_limit", "axis"): "Stop after this many subproblems of the search: the same work on every machine; None = no limit.",
    ("node_limit", "mip"): "Stop after this many nodes of the solver: the same work on every machine; None = no limit.",
    ("node_limit", "fair"): "Stop after this many nodes of the solver: the same work on every machine; None = no limit.",
    "alpha_scale": "Unit of ``ccp_alpha``: majority-errors = the errors of a tree without splits, baseline-correct = the rows such a tree "
    "classifies correctly, rows = all rows, errors = one error.",
    "never_columns": "Columns that no split of the tree asks about; what is proved is proved of such trees.",
    "scoring": "What is compared on validation rows: the share that is right (the mean cost where labels have costs), the mean of that "
    "over the classes, their mean F1, the log loss of the probabilities, or the area under the ROC curve.",
    "split_kind": "hyperplane = all kinds of splits, axis = thresholds and sets of categories only.",
    "checkpoint": "File that keeps what the search has solved, so that a run that was killed or stopped can go on.",
    "on_existing": "What to do if the file of ``checkpoint`` exists: refuse it, go on with it (of a run with the same data and "
    "parameters), or begin it anew.",
    "proof": "File to write a proof of the bound to, once the search has ended. ``python -m treewright.check_proof`` verifies it on the "
    "rows of ``proof_table``, the command ``treewright check`` on the raw rows.",
    "disable": "Pruning rules and strengthenings of models to switch off, a list of names; the optimum stays the same.",
    "mip_start": f"{_SOLVER_STARTS[:-1]}, also 'cart' or a tree file.",
    ("mip_start", "svm1"): _SOLVER_STARTS,
    ("mip_start", "margot"): _SOLVER_STARTS,
    "feature_selection": "none = a split may use all features, hard = at most ``feature_budgets`` of them, soft = each feature beyond "
    "``feature_budgets`` costs ``ccp_alpha``.",
    "mip_solver": "'highs', or the shell command of another solver with placeholders such as {lp} and {solution} for its files.",
    "write_model": "File to write the model to (.mps: free MPS format; any other name: LP format).",
    ("write_model", "partition"): "File to write the model of the first round to (.mps: free MPS format; any other name: LP format).",
    "write_rows": "CSV file to write the numbers of the selected rows to.",
    "level_costs": "Price of slack (how much a row falls short of the margin) at each level of the tree, from the root down; one number is "
    "that of every level.",
    "feature_budgets": "Number of features that a split may use, or use at no cost, at each level, from the root down; one number is that "
    "of every level.",
    ("margin", "hyperplane"): "Smallest distance between the rows on the two sides of a hyperplane, on columns scaled to [0, 1].",
    ("margin", "svm1"): "Distance that every row should keep from each hyperplane on its path, on columns scaled to [0, 1].",
    ("solver", "hyperplane"): "'search' = a heuristic, 'mip' = the mixed-integer program of the paper, of ``oct-h``.",
    (
        "solver",
        "svm1",
    ): "'search' = a heuristic, and a search that proves its tree; 'mip' = the paper's mixed-integer program.",
    ("solver", "margot"): "'search' = an exact search, 'mip' = the mixed-integer program of the paper, of ``margot``.",
    "class_codes": "A codeword for each class: one bit for each level from the root down, 1 = right. None = chosen automatically.",
}

# The types of texts that are lists in Python.
SHOWN = {
    "never_columns": "str, list of str",
    "disable": "str, list of str",
    "checkpoint": "path",
    "proof": "path",
    "write_model": "path",
    "write_rows": "path",
    "level_costs": "float, list of float",
    "feature_budgets": "int, list of int",
    "class_codes": "list of str",
}

COST_MATRIX = (
    "cost_matrix",
    "Any",
    None,
    "cost_matrix : dict, DataFrame or array-like of shape (n_classes, n_classes), default=None",
    "What each label costs a row: ``cost_matrix[true][label]``, by name (a class's own label may be left out: 0), or an array in the order "
    "of ``classes_``. The cost takes the place of the errors in the objective, and each leaf gets its cheapest label. Weights of rows and "
    "classes multiply it.",
)

ATTRIBUTES = """\
classes_ : ndarray of shape (n_classes,)
    The class labels, sorted.
n_features_in_ : int
feature_names_in_ : ndarray of shape (n_features_in_,)
    Only when X had column names that are all text.
tree_ : Tree
    The tree as arrays.
result_ : FitResult
    Objective, bound, gap, status, seconds and what was proved. The first five are also attributes of the estimator:
    ``objective_``, ``bound_``, ``gap_``, ``status_``, ``seconds_``.
feature_importances_ : ndarray of shape (n_features_in_,)
"""

COMPARED_ATTRIBUTES = """\
cv_results_ : dict
    The candidates, best first, each key a list or an ndarray of shape (n_candidates,): ``params``; ``mean_test_score``, the accuracy on
    its validation folds, or what ``scoring`` asks for (large is good: minus the log loss), or where labels have costs minus their mean
    cost; ``behind``, by how much it is worse than the first one on the same folds (half of it its own, half the mean of its neighbors,
    settings one step away), and the ``standard_error`` of this difference; ``mean_splits`` and ``mean_features`` of its trees;
    ``n_parts``, how many folds it was scored on; ``fit_seconds`` of all its fits; ``reason``, "chosen" or why not.
"""

CV_PARAMETERS = (
    (
        "max_depths",
        'Iterable[int] | Literal["auto"]',
        "auto",
        "max_depths : sequence of int or 'auto', default='auto'",
        "Depths to try. 'auto' = 1, 2 and 3, and for more than four classes the ``max_depth='auto'`` of a single fit: one level more than "
        "the classes need, with a limit on work.",
    ),
    (
        "cv",
        "Any",
        5,
        "cv : int, cross-validation splitter or iterable of (train, test) indices, default=5",
        "Folds, as in scikit-learn; an int means stratified folds.",
    ),
    (
        "scoring",
        "str | Callable[..., float] | None",
        None,
        "scoring : str, callable or None, default=None",
        'What to maximize, as in scikit-learn, or "cost": minus the mean cost of the labels. None = cost where labels have costs, else '
        "accuracy. Rows left out count with their ``sample_weight`` where the scorer takes one.",
    ),
    (
        "rule",
        'Literal["best", "sparse", "one-se"]',
        "best",
        'rule : "best", "sparse" or "one-se", default="best"',
        '"best" takes the highest mean score, "sparse" the fewest features among the steps of at least 0.975 of the highest mean score '
        '(DGMP23 sec. 6.2.3), "one-se" the fewest splits among the steps within one standard error of it (Breiman et al. 1984).',
    ),
    (
        "n_jobs",
        "int | None",
        None,
        "n_jobs : int or None, default=None",
        "Folds to work on at a time, through joblib: a ``joblib.parallel_config`` (or ``parallel_backend``) around ``fit`` moves them to "
        "another engine, such as dask. Each fold runs on one thread.",
    ),
    ("verbose", "bool", False, "verbose : bool, default=False", "Print the table of all trees that enter the choice."),
)

CV_ATTRIBUTES = """\
best_params_ : dict
    ``max_depth`` and, of a method with a path, ``ccp_alpha``: an estimator without CV in its name finds the same tree with these.
best_reason_ : str
    Why these were chosen.
path_status_ : str
    "optimal" when every path was proved to its end, "heuristic" where the method proves nothing, else the limit that was reached.
best_score_ : float
    Mean score over the folds.
cv_results_ : dict of ndarray of shape (n_steps,)
    ``max_depth``, ``alpha_low``, ``alpha_high``, ``mean_test_score``, ``standard_error``, ``mean_features``, ``mean_splits``: the
    steps of the mean score.
classes_, n_features_in_, feature_names_in_, tree_, result_, feature_importances_
    As in :class:`OptimalTreeClassifier`.
"""

# What is cited, by what a text holds where it cites it.
REFERENCES = {
    "BD17": 'Bertsimas & Dunn, "Optimal classification trees", Machine Learning 106, 2017',
    "Agarwal et al. 2022": '"Hierarchical shrinkage: improving the accuracy and interpretability of tree-based models", ICML 2022',
    "AHL24": 'Ales, Hure & Lambert, "New optimization models for optimal classification trees", Computers & Operations Research 164, 2024',
    "DGMP23": 'D\'Onofrio, Grani, Monaci & Palagi, "Margin optimal classification trees", 2023',
    "Z20": 'Zhu et al., "A scalable MIP-based method for learning optimal multivariate decision trees", NeurIPS 2020',
    "Aghaei et al. 2019": 'Aghaei, Azizi & Vayanos, "Learning optimal and fair decision trees", AAAI 2019',
    "Blanco et al. 2022": 'Blanco, Japon & Puerto, "Robust optimal classification trees under noisy labels", 2022',
    "Breiman et al. 1984": "Breiman, Friedman, Olshen & Stone, Classification and Regression Trees, 1984",
    "Carreira-Perpinan & Tavallali 2018": '"Alternating optimization of decision trees", NeurIPS 2018',
    "Verwer & Zhang 2019": '"Learning optimal classification trees using a binary linear program formulation", AAAI 2019',
    "Dunn 2018": "Optimal Trees for Prediction and Prescription, PhD thesis, MIT, 2018",
}
