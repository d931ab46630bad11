"""The estimators. Made by `make docs` from the library's tables (tools/estimators.py); a test compares them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal

import numpy as np

from ._base import TreeClassifier
from ._cv import TunedClassifier
from ._options import TextValue, understanding
from ._path import PathClassifier


class OptimalTreeClassifier(PathClassifier):
    """A classification tree with a certificate: proved optimal, or with a bound on how far from it.

    Each split compares one feature with a threshold, or asks for a set of categories. The default method finds the optimum over all
    trees within the limits, by exact search (BD17 problem (1)).

    ``method`` takes every method of treewright. Those of other families have estimators of their own, with only the keywords that they
    read: :class:`HyperplaneTreeClassifier`, :class:`MargotClassifier`, :class:`SVM1TreeClassifier`, :class:`PartitionTreeClassifier`,
    :class:`AutoTreeClassifier`.

    Parameters
    ----------
    method : str, default='oct'
        How the tree is trained.

        - ``oct``: the optimal axis tree by exact search (BD17 problem (1)): depth, rows per leaf, alpha or splits, weights, categories,
          missing values
        - ``cart``: the greedy tree of Breiman et al. 1984, with cost-complexity pruning; trimmed to depth and splits
        - ``oct-mip``: the same problem as oct, as a mixed-integer programme for HiGHS or another solver (BD17 (24) with V23's
          corrections, (P) of AHL24)
        - ``binoct``: the complete tree of least errors as a mixed-integer programme with binary thresholds (Verwer & Zhang 2019), a
          peer
        - ``fair``: errors and disparate impact on the groups of a column, as a mixed-integer programme (Aghaei et al. 2019)
        - ``oct-h``, ``tao``, ``local``, ``cart-h``, ``oct-h-mip``: see :class:`HyperplaneTreeClassifier`
        - ``margot``, ``margot-hfs``, ``margot-sfs``, ``margot-mip``, ``margot-hfs-mip``, ``margot-sfs-mip``, ``mm-svm``: see
          :class:`MargotClassifier`
        - ``svm1``, ``svm1-mip``: see :class:`SVM1TreeClassifier`
        - ``partition``: see :class:`PartitionTreeClassifier`
        - ``auto``: see :class:`AutoTreeClassifier`
    max_depth : int, default=3
        No leaf lies deeper than this. Unit: levels. Range: 0..60. Source: BD17 sec. 2.2: D.
    min_samples_leaf : float, default=1
        Every leaf holds at least this many training rows; a share is rounded up. Unit: rows, or a share of them if below 1. Range:
        0..1e9. Read by oct, cart, oct-mip, fair. Source: BD17 (11): N_min.
    min_weight_fraction_leaf : float, default=0.0
        Every leaf holds at least this share of the weight; with unequal weights the optimum may stay unproved. Unit: share of the total
        weight. Range: 0..0.5. Read by oct, cart, oct-mip, fair. Source: scikit-learn.
    ccp_alpha : float, default=0.0
        Price of one split, or of one feature in a hyperplane (for cart: scikit-learn's ccp_alpha, in units of weighted impurity). Unit:
        see alpha_scale. Range: 0..1e9. Read by oct, cart, oct-mip, fair. Source: BD17 (1): alpha.
    alpha_scale : {'majority-errors', 'baseline-correct', 'rows', 'errors'}, default='majority-errors'
        What alpha is a share of: errors of the majority class, rows it gets right, all rows; errors = alpha counts errors itself.
        Source: BD17 (23): L^.
    max_splits : int or None, default=None
        The tree has at most this many splits; None = no limit. Unit: splits. Range: -1..1000000000. Read by oct, cart, oct-mip, fair.
        Source: BD17 sec. 3: C; AHL24: gamma.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class, by label; a class that is left out has weight 1. 'balanced' gives every class the same total weight.
    criterion : {'gini', 'entropy', 'misclassification'}, default='gini'
        Impurity that a greedy split reduces. Read by cart. Source: Breiman et al. 1984.
    time_limit : float or None, default=None
        Stop after this time and return the best tree with its bound. Unit: seconds. Range: 0..inf. Read by oct, oct-mip, binoct, fair.
    node_limit : int or None, default=None
        Stop after this many sub-problems (independent of the machine's speed); None = no limit. Unit: sub-problems, or visits of a
        node. Range: -1..9000000000000000000. Read by oct, oct-mip, binoct, fair.
    n_jobs : int or None, default=None
        Threads of one fit. None = 1, -1 = all cores, -2 = all but one (as scikit-learn). Ignored by methods that do not read it.
    random_state : int, numpy.random.RandomState, numpy.random.Generator or None, default=None
        Seed of everything random; a generator is asked for one. Same seed, same data: same tree. None = 0. Ignored by methods that do
        not read it.
    disable : str or None, default=None
        Comma-separated names of pruning rules (exact search) or strengthenings (MIP models) to switch off; the optimum stays the same.
        Read by oct, oct-mip, binoct, fair.
    mip_model : {'oct', 'p'}, default='oct'
        Which mixed-integer model: oct counts the losses of leaves, p those of rows. Read by oct-mip. Source: BD17 (24), AHL24 sec. 2.1:
        (P).
    mip_start : str, default='auto'
        The solver's start: auto (a greedy tree), cart, none, or a tree file. Read by oct-mip, binoct, fair. Source: BD17 sec. 2.3, 4.2.
    mip_solver : str, default='highs'
        highs, or another solver's command with {lp} or {mps} and {solution} where its files go (see docs/mip.md). Read by oct-mip,
        binoct, fair.
    write_model : str or None, default=None
        Also write the model to this file (.mps: free MPS, otherwise LP). Read by oct-mip, binoct, fair.
    fairness : float, default=0.0
        Price of the discrimination index beside the share of errors; 0 = errors alone. Range: 0..1e9. Read by fair. Source: Aghaei et
        al. 2019: lambda.
    protected_column : str or None, default=None
        The column whose groups are to be treated alike. Read by fair. Source: Aghaei et al. 2019.
    split_kind : {'hyperplane', 'axis'}, default='hyperplane'
        Of other methods: see :class:`HyperplaneTreeClassifier`.
    svm_cost : float, default=1
        Of other methods: see :class:`HyperplaneTreeClassifier`.
    restarts : int, default=7
        Of other methods: see :class:`HyperplaneTreeClassifier`, :class:`SVM1TreeClassifier`, :class:`AutoTreeClassifier`.
    min_separation : float, default=0.005
        Of other methods: see :class:`HyperplaneTreeClassifier`.
    start_time_limit : float, default=60.0
        Of other methods: see :class:`HyperplaneTreeClassifier`.
    penalty : {'l2', 'l1'}, default='l2'
        Of other methods: see :class:`HyperplaneTreeClassifier`, :class:`AutoTreeClassifier`.
    level_costs : str, default='1'
        Of other methods: see :class:`MargotClassifier`.
    feature_budgets : str, default='1'
        Of other methods: see :class:`MargotClassifier`.
    class_codes : str or None, default=None
        Of other methods: see :class:`MargotClassifier`.
    gap_tolerance : float, default=0.0001
        Of other methods: see :class:`MargotClassifier`, :class:`SVM1TreeClassifier`.
    slack_price : float, default=1000.0
        Of other methods: see :class:`SVM1TreeClassifier`.
    weight_price : float, default=0.1
        Of other methods: see :class:`SVM1TreeClassifier`.
    margin : float, default=0.005
        Of other methods: see :class:`SVM1TreeClassifier`.
    row_selection : {'none', 'hull', 'balanced'}, default='none'
        Of other methods: see :class:`SVM1TreeClassifier`.
    selection_rounds : int, default=0
        Of other methods: see :class:`SVM1TreeClassifier`.
    hull_share : float, default=0.1
        Of other methods: see :class:`SVM1TreeClassifier`.
    support_share : float, default=0.1
        Of other methods: see :class:`SVM1TreeClassifier`.
    hull_eps : float, default=0.01
        Of other methods: see :class:`SVM1TreeClassifier`.
    write_rows : str or None, default=None
        Of other methods: see :class:`SVM1TreeClassifier`.
    partition : {'gp', 'igp', 'crm'}, default='igp'
        Of other methods: see :class:`PartitionTreeClassifier`.
    cluster_share : float, default=0.25
        Of other methods: see :class:`PartitionTreeClassifier`.
    partition_algorithm : {'hia', 'hiia', 'eia', 'eiia'}, default='eiia'
        Of other methods: see :class:`PartitionTreeClassifier`.
    partition_model : {'search', 'dp', 'dp-prime'}, default='search'
        Of other methods: see :class:`PartitionTreeClassifier`.
    verbose : bool, default=False
        Print a line for each new tree or bound.

    Attributes
    ----------
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

    Notes
    -----
    Numeric features split at thresholds, DataFrame columns of categories (or text) at sets of categories. Missing values (NaN, None) go
    to one side of each split, whichever is best.

    Ctrl-C during ``fit`` keeps the best tree so far.

    References
    ----------
    BD17: Bertsimas & Dunn, "Optimal classification trees", Machine Learning 106, 2017.
    AHL24: Ales, Hure & Lambert, "New optimization models for optimal classification trees", Computers & Operations Research 164, 2024.
    Aghaei et al. 2019: Aghaei, Azizi & Vayanos, "Learning optimal and fair decision trees", AAAI 2019.
    Breiman et al. 1984: Breiman, Friedman, Olshen & Stone, Classification and Regression Trees, 1984.
    Verwer & Zhang 2019: "Learning optimal classification trees using a binary linear program formulation", AAAI 2019.

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    >>> tree.status_, tree.score(X, y)
    ('optimal', 1.0)
    """

    _methods = (
        "oct",
        "cart",
        "oct-mip",
        "binoct",
        "fair",
        "oct-h",
        "tao",
        "local",
        "cart-h",
        "oct-h-mip",
        "margot",
        "margot-hfs",
        "margot-sfs",
        "margot-mip",
        "margot-hfs-mip",
        "margot-sfs-mip",
        "mm-svm",
        "svm1",
        "svm1-mip",
        "partition",
        "auto",
    )

    @understanding
    def __init__(
        self,
        *,
        method: Literal[
            "oct",
            "cart",
            "oct-mip",
            "binoct",
            "fair",
            "oct-h",
            "tao",
            "local",
            "cart-h",
            "oct-h-mip",
            "margot",
            "margot-hfs",
            "margot-sfs",
            "margot-mip",
            "margot-hfs-mip",
            "margot-sfs-mip",
            "mm-svm",
            "svm1",
            "svm1-mip",
            "partition",
            "auto",
        ] = "oct",
        max_depth: int = 3,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        ccp_alpha: float = 0.0,
        alpha_scale: Literal["majority-errors", "baseline-correct", "rows", "errors"] = "majority-errors",
        max_splits: int | None = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        criterion: Literal["gini", "entropy", "misclassification"] = "gini",
        time_limit: float | None = None,
        node_limit: int | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        disable: TextValue | None = None,
        mip_model: Literal["oct", "p"] = "oct",
        mip_start: TextValue = "auto",
        mip_solver: TextValue = "highs",
        write_model: TextValue | None = None,
        fairness: float = 0.0,
        protected_column: TextValue | None = None,
        split_kind: Literal["hyperplane", "axis"] = "hyperplane",
        svm_cost: float = 1,
        restarts: int = 7,
        min_separation: float = 0.005,
        start_time_limit: float = 60.0,
        penalty: Literal["l2", "l1"] = "l2",
        level_costs: TextValue = "1",
        feature_budgets: TextValue = "1",
        class_codes: TextValue | None = None,
        gap_tolerance: float = 0.0001,
        slack_price: float = 1000.0,
        weight_price: float = 0.1,
        margin: float = 0.005,
        row_selection: Literal["none", "hull", "balanced"] = "none",
        selection_rounds: int = 0,
        hull_share: float = 0.1,
        support_share: float = 0.1,
        hull_eps: float = 0.01,
        write_rows: TextValue | None = None,
        partition: Literal["gp", "igp", "crm"] = "igp",
        cluster_share: float = 0.25,
        partition_algorithm: Literal["hia", "hiia", "eia", "eiia"] = "eiia",
        partition_model: Literal["search", "dp", "dp-prime"] = "search",
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.ccp_alpha = ccp_alpha
        self.alpha_scale = alpha_scale
        self.max_splits = max_splits
        self.class_weight = class_weight
        self.criterion = criterion
        self.time_limit = time_limit
        self.node_limit = node_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.disable = disable
        self.mip_model = mip_model
        self.mip_start = mip_start
        self.mip_solver = mip_solver
        self.write_model = write_model
        self.fairness = fairness
        self.protected_column = protected_column
        self.split_kind = split_kind
        self.svm_cost = svm_cost
        self.restarts = restarts
        self.min_separation = min_separation
        self.start_time_limit = start_time_limit
        self.penalty = penalty
        self.level_costs = level_costs
        self.feature_budgets = feature_budgets
        self.class_codes = class_codes
        self.gap_tolerance = gap_tolerance
        self.slack_price = slack_price
        self.weight_price = weight_price
        self.margin = margin
        self.row_selection = row_selection
        self.selection_rounds = selection_rounds
        self.hull_share = hull_share
        self.support_share = support_share
        self.hull_eps = hull_eps
        self.write_rows = write_rows
        self.partition = partition
        self.cluster_share = cluster_share
        self.partition_algorithm = partition_algorithm
        self.partition_model = partition_model
        self.verbose = verbose


class HyperplaneTreeClassifier(TreeClassifier):
    """A classification tree whose splits are hyperplanes: weighted sums of features, compared with a threshold.

    It minimizes errors plus ``ccp_alpha`` for each feature that a split uses (BD17 problem (28)). Few levels say what an axis-parallel
    tree needs many for. The search is heuristic: ``status_`` is "heuristic", and nothing is proved. Only ``method="oct-h-mip"`` proves
    a bound, by a mixed-integer program, on small data.

    Parameters
    ----------
    method : str, default='oct-h'
        How the tree is trained.

        - ``oct-h``: a tree of hyperplanes for BD17 (28), errors and alpha * features: alternating optimization and local search in turn
        - ``tao``: tree alternating optimization (Carreira-Perpinan & Tavallali 2018) with a support vector machine in each node
        - ``local``: local search on the objective (Dunn 2018): thresholds, coefficients, subtrees; best of several starts
        - ``cart-h``: the greedy tree of hyperplanes, the top-down OCT-H of BD17 Table 6: CART with a support vector machine in each
          node
        - ``oct-h-mip``: the optimal tree of hyperplanes as a mixed-integer programme (BD17 (28)), from its greedy start
    max_depth : int, default=3
        No leaf lies deeper than this. Unit: levels. Range: 0..60. Source: BD17 sec. 2.2: D.
    min_samples_leaf : float, default=1
        Every leaf holds at least this many training rows; a share is rounded up. Unit: rows, or a share of them if below 1. Range:
        0..1e9. Source: BD17 (11): N_min.
    min_weight_fraction_leaf : float, default=0.0
        Every leaf holds at least this share of the weight; with unequal weights the optimum may stay unproved. Unit: share of the total
        weight. Range: 0..0.5. Source: scikit-learn.
    ccp_alpha : float, default=0.0
        Price of one split, or of one feature in a hyperplane (for cart: scikit-learn's ccp_alpha, in units of weighted impurity). Unit:
        see alpha_scale. Range: 0..1e9. Source: BD17 (1): alpha.
    alpha_scale : {'majority-errors', 'baseline-correct', 'rows', 'errors'}, default='majority-errors'
        What alpha is a share of: errors of the majority class, rows it gets right, all rows; errors = alpha counts errors itself.
        Source: BD17 (23): L^.
    max_splits : int or None, default=None
        The tree has at most this many splits; None = no limit. Unit: splits. Range: -1..1000000000. Source: BD17 sec. 3: C; AHL24:
        gamma.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class, by label; a class that is left out has weight 1. 'balanced' gives every class the same total weight.
    criterion : {'gini', 'entropy', 'misclassification'}, default='gini'
        Impurity that a greedy split reduces. Read by oct-h, tao, local, cart-h. Source: Breiman et al. 1984.
    time_limit : float or None, default=None
        Stop after this time and return the best tree with its bound. Unit: seconds. Range: 0..inf. Read by oct-h, tao, local, oct-h-
        mip.
    node_limit : int or None, default=None
        Stop after this many sub-problems (independent of the machine's speed); None = no limit. Unit: sub-problems, or visits of a
        node. Range: -1..9000000000000000000. Read by oct-h, tao, local, oct-h-mip.
    n_jobs : int or None, default=None
        Threads of one fit. None = 1, -1 = all cores, -2 = all but one (as scikit-learn). Ignored by methods that do not read it.
    random_state : int, numpy.random.RandomState, numpy.random.Generator or None, default=None
        Seed of everything random; a generator is asked for one. Same seed, same data: same tree. None = 0. Ignored by methods that do
        not read it.
    split_kind : {'hyperplane', 'axis'}, default='hyperplane'
        What local search may split by: hyperplanes as well, or thresholds and sets of levels only. Read by local.
    svm_cost : float, default=1
        Price of a row inside the margin of a hyperplane; small = wide margins and even weights, large = few errors. Unit: per row and
        standard deviation. Range: 1e-12..1e12. Read by oct-h, tao, cart-h. Source: DGMP23: C.
    restarts : int, default=7
        Further runs from other starts; the best tree is kept. Unit: runs. Range: 0..1000000. Read by oct-h, tao, local.
    disable : str or None, default=None
        Comma-separated names of pruning rules (exact search) or strengthenings (MIP models) to switch off; the optimum stays the same.
        Read by oct-h-mip.
    mip_start : str, default='auto'
        The solver's start: auto (a greedy tree), cart, none, or a tree file. Read by oct-h-mip. Source: BD17 sec. 2.3, 4.2.
    mip_solver : str, default='highs'
        highs, or another solver's command with {lp} or {mps} and {solution} where its files go (see docs/mip.md). Read by oct-h-mip.
    write_model : str or None, default=None
        Also write the model to this file (.mps: free MPS, otherwise LP). Read by oct-h-mip.
    min_separation : float, default=0.005
        How much room a hyperplane leaves between its sides at least. Unit: of the features' ranges. Range: 1e-9..1. Read by oct-h-mip.
        Source: BD17 sec. 4.1: mu.
    start_time_limit : float, default=60.0
        Time for the greedy start, which counts towards the time limit. Unit: seconds. Range: 0..inf. Read by oct-h-mip. Source: BD17
        sec. 5.
    penalty : {'l2', 'l1'}, default='l2'
        Norm of a hyperplane's weights that training keeps small: l2 = wide margins, l1 = few features. Read by oct-h, tao. Source:
        DGMP23 sec. 2.
    verbose : bool, default=False
        Print a line for each new tree or bound.

    Attributes
    ----------
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

    Notes
    -----
    Training works on columns of mean 0 and standard deviation 1; thresholds and weights of the fitted tree are in the units of the
    data. A category becomes one 0/1 column for each level. A missing value is replaced by the mean of its column.

    Ctrl-C during ``fit`` keeps the best tree so far.

    References
    ----------
    BD17: Bertsimas & Dunn, "Optimal classification trees", Machine Learning 106, 2017.
    AHL24: Ales, Hure & Lambert, "New optimization models for optimal classification trees", Computers & Operations Research 164, 2024.
    DGMP23: D'Onofrio, Grani, Monaci & Palagi, "Margin optimal classification trees", 2023.
    Breiman et al. 1984: Breiman, Friedman, Olshen & Stone, Classification and Regression Trees, 1984.
    Carreira-Perpinan & Tavallali 2018: "Alternating optimization of decision trees", NeurIPS 2018.
    Dunn 2018: Optimal Trees for Prediction and Prescription, PhD thesis, MIT, 2018.

    Examples
    --------
    >>> from treewright import HyperplaneTreeClassifier
    >>> X, y = [[0, 0], [1, 1], [2, 2], [0, 1], [1, 2], [2, 3]], ["below"] * 3 + ["above"] * 3
    >>> tree = HyperplaneTreeClassifier(max_depth=1).fit(X, y)
    >>> tree.score(X, y), len(tree.tree_.terms(0))
    (1.0, 2)
    """

    _methods = ("oct-h", "tao", "local", "cart-h", "oct-h-mip")

    @understanding
    def __init__(
        self,
        *,
        method: Literal["oct-h", "tao", "local", "cart-h", "oct-h-mip"] = "oct-h",
        max_depth: int = 3,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        ccp_alpha: float = 0.0,
        alpha_scale: Literal["majority-errors", "baseline-correct", "rows", "errors"] = "majority-errors",
        max_splits: int | None = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        criterion: Literal["gini", "entropy", "misclassification"] = "gini",
        time_limit: float | None = None,
        node_limit: int | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        split_kind: Literal["hyperplane", "axis"] = "hyperplane",
        svm_cost: float = 1,
        restarts: int = 7,
        disable: TextValue | None = None,
        mip_start: TextValue = "auto",
        mip_solver: TextValue = "highs",
        write_model: TextValue | None = None,
        min_separation: float = 0.005,
        start_time_limit: float = 60.0,
        penalty: Literal["l2", "l1"] = "l2",
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.ccp_alpha = ccp_alpha
        self.alpha_scale = alpha_scale
        self.max_splits = max_splits
        self.class_weight = class_weight
        self.criterion = criterion
        self.time_limit = time_limit
        self.node_limit = node_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.split_kind = split_kind
        self.svm_cost = svm_cost
        self.restarts = restarts
        self.disable = disable
        self.mip_start = mip_start
        self.mip_solver = mip_solver
        self.write_model = write_model
        self.min_separation = min_separation
        self.start_time_limit = start_time_limit
        self.penalty = penalty
        self.verbose = verbose


class MargotClassifier(TreeClassifier):
    """A classification tree of support vector machines whose margins are widest together (MARGOT).

    All nodes are trained at once, to proven optimality (DGMP23): the objective is the sum over the nodes of ``|w|^2 / 2`` and of
    ``level_costs`` times the slack of the rows that reach the node. ``margot-hfs`` limits the features of a split, ``margot-sfs``
    prices them; ``mm-svm`` maximizes the smallest margin of the tree instead (Blanco et al. 2022). With more than two classes,
    codewords tell which leaves a class may have (``class_codes``).

    Parameters
    ----------
    method : str, default='margot'
        How the tree is trained.

        - ``margot``: the tree of widest margins (DGMP23): support vector machines in all nodes at once, to proven optimality
        - ``margot-hfs``: margot with at most feature_budgets features in each split (HFS-MARGOT)
        - ``margot-sfs``: margot with a price, alpha, on each feature beyond feature_budgets in a split (SFS-MARGOT)
        - ``margot-mip``: margot as the paper's mixed-integer quadratic programme, for a solver that takes one (docs/mip.md)
        - ``margot-hfs-mip``: margot-hfs as the paper's mixed-integer quadratic programme
        - ``margot-sfs-mip``: margot-sfs as the paper's mixed-integer quadratic programme
        - ``mm-svm``: MM-SVM-OCT (Blanco et al. 2022 without relabeling): the tree whose smallest margin is widest; a solver of
          quadratic rows closes the gap
    max_depth : int, default=3
        No leaf lies deeper than this. Unit: levels. Range: 0..60. Source: BD17 sec. 2.2: D.
    ccp_alpha : float, default=0.0
        Price of one split, or of one feature in a hyperplane (for cart: scikit-learn's ccp_alpha, in units of weighted impurity). Unit:
        see alpha_scale. Range: 0..1e9. Read by margot-sfs, margot-sfs-mip, mm-svm. Source: BD17 (1): alpha.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class, by label; a class that is left out has weight 1. 'balanced' gives every class the same total weight.
    time_limit : float or None, default=None
        Stop after this time and return the best tree with its bound. Unit: seconds. Range: 0..inf.
    node_limit : int or None, default=None
        Stop after this many sub-problems (independent of the machine's speed); None = no limit. Unit: sub-problems, or visits of a
        node. Range: -1..9000000000000000000.
    n_jobs : int or None, default=None
        Threads of one fit. None = 1, -1 = all cores, -2 = all but one (as scikit-learn). Ignored by methods that do not read it.
    random_state : int, numpy.random.RandomState, numpy.random.Generator or None, default=None
        Seed of everything random; a generator is asked for one. Same seed, same data: same tree. None = 0. Ignored by methods that do
        not read it.
    mip_start : str, default='auto'
        The solver's start: auto (a greedy tree), cart, none, or a tree file. Read by margot-mip, margot-hfs-mip, margot-sfs-mip, mm-
        svm. Source: BD17 sec. 2.3, 4.2.
    mip_solver : str, default='highs'
        highs, or another solver's command with {lp} or {mps} and {solution} where its files go (see docs/mip.md). Read by margot-mip,
        margot-hfs-mip, margot-sfs-mip, mm-svm.
    write_model : str or None, default=None
        Also write the model to this file (.mps: free MPS, otherwise LP). Read by margot-mip, margot-hfs-mip, margot-sfs-mip, mm-svm.
    level_costs : str, default='1'
        Price of slack at each level of the tree, comma-separated from the root down; one value stands for every level. Unit: per unit
        of slack. Source: DGMP23: C_t; Blanco et al. 2022: c_1.
    feature_budgets : str, default='1'
        Features that a split of each level may use (hard budgets) or has free (soft budgets: the rest at alpha each), comma-separated
        from the root down. Unit: features. Read by margot-hfs, margot-sfs, margot-hfs-mip, margot-sfs-mip. Source: DGMP23: B_t.
    class_codes : str or None, default=None
        A codeword of 0 and 1 for each class, comma-separated: one bit a level from the root down, 1 = right; None = chosen. Read by
        margot, margot-hfs, margot-sfs, margot-mip, margot-hfs-mip, margot-sfs-mip.
    gap_tolerance : float, default=0.0001
        Real-valued objectives count as proved when objective and bound are this close. Unit: share of the objective. Range: 0..1.
    verbose : bool, default=False
        Print a line for each new tree or bound.

    Attributes
    ----------
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

    Notes
    -----
    Training works on columns scaled to [0, 1]; thresholds and weights of the fitted tree are in the units of the data. A category
    becomes one 0/1 column for each level. A missing value is replaced by the mean of its column. Row and class weights multiply the
    price of slack. ``level_costs``, ``feature_budgets`` and ``class_codes`` may be lists or one number.

    Ctrl-C during ``fit`` keeps the best tree so far.

    References
    ----------
    BD17: Bertsimas & Dunn, "Optimal classification trees", Machine Learning 106, 2017.
    DGMP23: D'Onofrio, Grani, Monaci & Palagi, "Margin optimal classification trees", 2023.
    Blanco et al. 2022: Blanco, Japon & Puerto, "Robust optimal classification trees under noisy labels", 2022.

    Examples
    --------
    >>> from treewright import MargotClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [3, 3], [3, 4], [4, 3]], ["low"] * 3 + ["high"] * 3
    >>> tree = MargotClassifier(max_depth=1, level_costs=10).fit(X, y)
    >>> tree.status_, tree.score(X, y)
    ('optimal', 1.0)
    """

    _methods = ("margot", "margot-hfs", "margot-sfs", "margot-mip", "margot-hfs-mip", "margot-sfs-mip", "mm-svm")

    @understanding
    def __init__(
        self,
        *,
        method: Literal["margot", "margot-hfs", "margot-sfs", "margot-mip", "margot-hfs-mip", "margot-sfs-mip", "mm-svm"] = "margot",
        max_depth: int = 3,
        ccp_alpha: float = 0.0,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        time_limit: float | None = None,
        node_limit: int | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        mip_start: TextValue = "auto",
        mip_solver: TextValue = "highs",
        write_model: TextValue | None = None,
        level_costs: TextValue = "1",
        feature_budgets: TextValue = "1",
        class_codes: TextValue | None = None,
        gap_tolerance: float = 0.0001,
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.max_depth = max_depth
        self.ccp_alpha = ccp_alpha
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.node_limit = node_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.mip_start = mip_start
        self.mip_solver = mip_solver
        self.write_model = write_model
        self.level_costs = level_costs
        self.feature_budgets = feature_budgets
        self.class_codes = class_codes
        self.gap_tolerance = gap_tolerance
        self.verbose = verbose


class SVM1TreeClassifier(TreeClassifier):
    """A classification tree of hyperplanes with 1-norm margins (SVM1-ODT), for large data too.

    It minimizes errors + ``slack_price`` * slack + ``weight_price`` * sum of ``|h|_1`` (Z20 model (1)). ``svm1`` searches and proves
    nothing; ``svm1-mip`` solves the paper's mixed-integer program from the tree of ``svm1``, and states a bound. ``row_selection``
    trains on few rows: the outer ones of each class (Z20 sec. 3).

    Parameters
    ----------
    method : str, default='svm1'
        How the tree is trained.

        - ``svm1``: SVM1-ODT (Zhu et al. 2020): hyperplanes for errors, slack and |h|_1, by a search of its own; selects rows of large
          data
        - ``svm1-mip``: SVM1-ODT as a mixed-integer programme with its cuts (Z20 model (1)), from the tree of svm1
    max_depth : int, default=3
        No leaf lies deeper than this. Unit: levels. Range: 0..60. Source: BD17 sec. 2.2: D.
    min_samples_leaf : float, default=1
        Every leaf holds at least this many training rows; a share is rounded up. Unit: rows, or a share of them if below 1. Range:
        0..1e9. Source: BD17 (11): N_min.
    min_weight_fraction_leaf : float, default=0.0
        Every leaf holds at least this share of the weight; with unequal weights the optimum may stay unproved. Unit: share of the total
        weight. Range: 0..0.5. Source: scikit-learn.
    max_splits : int or None, default=None
        The tree has at most this many splits; None = no limit. Unit: splits. Range: -1..1000000000. Read by svm1. Source: BD17 sec. 3:
        C; AHL24: gamma.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class, by label; a class that is left out has weight 1. 'balanced' gives every class the same total weight.
    time_limit : float or None, default=None
        Stop after this time and return the best tree with its bound. Unit: seconds. Range: 0..inf.
    node_limit : int or None, default=None
        Stop after this many sub-problems (independent of the machine's speed); None = no limit. Unit: sub-problems, or visits of a
        node. Range: -1..9000000000000000000.
    n_jobs : int or None, default=None
        Threads of one fit. None = 1, -1 = all cores, -2 = all but one (as scikit-learn). Ignored by methods that do not read it.
    random_state : int, numpy.random.RandomState, numpy.random.Generator or None, default=None
        Seed of everything random; a generator is asked for one. Same seed, same data: same tree. None = 0. Ignored by methods that do
        not read it.
    restarts : int, default=7
        Further runs from other starts; the best tree is kept. Unit: runs. Range: 0..1000000.
    disable : str or None, default=None
        Comma-separated names of pruning rules (exact search) or strengthenings (MIP models) to switch off; the optimum stays the same.
        Read by svm1-mip.
    mip_start : str, default='auto'
        The solver's start: auto (a greedy tree), cart, none, or a tree file. Read by svm1-mip. Source: BD17 sec. 2.3, 4.2.
    mip_solver : str, default='highs'
        highs, or another solver's command with {lp} or {mps} and {solution} where its files go (see docs/mip.md).
    write_model : str or None, default=None
        Also write the model to this file (.mps: free MPS, otherwise LP). Read by svm1-mip.
    gap_tolerance : float, default=0.0001
        Real-valued objectives count as proved when objective and bound are this close. Unit: share of the objective. Range: 0..1. Read
        by svm1-mip.
    slack_price : float, default=1000.0
        Price of slack: a row that is nearer to a hyperplane than the margin. Unit: errors per unit of slack. Range: 0..1e12. Source:
        Z20 (1a): alpha_1.
    weight_price : float, default=0.1
        Price of the sum of absolute hyperplane weights, in units of columns scaled to 0..1. Unit: errors per unit of |h|_1. Range:
        0..1e12. Source: Z20 (1a): alpha_2.
    margin : float, default=0.005
        How far from every hyperplane a row is to lie. Unit: of the features' ranges. Range: 1e-9..1. Source: Z20 (1f), (1g): epsilon.
    row_selection : {'none', 'hull', 'balanced'}, default='none'
        Rows to train on: none = all, hull = Algorithm 1, balanced = Algorithm 2. Source: Z20 sec. 3, Algorithms 1, 2.
    selection_rounds : int, default=0
        Further rounds on the selected rows and those that the last tree gets wrong. Unit: rounds. Range: 0..1000. Source: Z20 Algorithm
        3.
    hull_share : float, default=0.1
        Up to this share, rows outside the hull of others are all kept. Unit: share of a cluster. Range: 0..1. Source: Z20 Algorithm 1:
        beta_1.
    support_share : float, default=0.1
        Share kept where more than hull_share lie outside: rows whose hull supports others, then those nearest to hyperplanes. Unit:
        share of a cluster. Range: 0..1. Source: Z20 Algorithm 1: beta_2.
    hull_eps : float, default=0.01
        A row this near to the hull of others counts as inside it. Unit: of the features' ranges. Range: 0..1. Source: Z20 (7):
        epsilon'.
    write_rows : str or None, default=None
        Also write the numbers of the selected rows to this CSV file.
    verbose : bool, default=False
        Print a line for each new tree or bound.

    Attributes
    ----------
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

    Notes
    -----
    Training works on columns scaled to [0, 1]; thresholds and weights of the fitted tree are in the units of the data. A category
    splits by a set of levels. A missing value is replaced by the mean of its column.

    Ctrl-C during ``fit`` keeps the best tree so far.

    References
    ----------
    BD17: Bertsimas & Dunn, "Optimal classification trees", Machine Learning 106, 2017.
    AHL24: Ales, Hure & Lambert, "New optimization models for optimal classification trees", Computers & Operations Research 164, 2024.
    Z20: Zhu et al., "A scalable MIP-based method for learning optimal multivariate decision trees", NeurIPS 2020.

    Examples
    --------
    >>> from treewright import SVM1TreeClassifier
    >>> X, y = [[0, 0], [1, 1], [2, 2], [0, 1], [1, 2], [2, 3]], ["below"] * 3 + ["above"] * 3
    >>> SVM1TreeClassifier(max_depth=1).fit(X, y).score(X, y)
    1.0
    """

    _methods = ("svm1", "svm1-mip")

    @understanding
    def __init__(
        self,
        *,
        method: Literal["svm1", "svm1-mip"] = "svm1",
        max_depth: int = 3,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        max_splits: int | None = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        time_limit: float | None = None,
        node_limit: int | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        restarts: int = 7,
        disable: TextValue | None = None,
        mip_start: TextValue = "auto",
        mip_solver: TextValue = "highs",
        write_model: TextValue | None = None,
        gap_tolerance: float = 0.0001,
        slack_price: float = 1000.0,
        weight_price: float = 0.1,
        margin: float = 0.005,
        row_selection: Literal["none", "hull", "balanced"] = "none",
        selection_rounds: int = 0,
        hull_share: float = 0.1,
        support_share: float = 0.1,
        hull_eps: float = 0.01,
        write_rows: TextValue | None = None,
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.max_splits = max_splits
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.node_limit = node_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.restarts = restarts
        self.disable = disable
        self.mip_start = mip_start
        self.mip_solver = mip_solver
        self.write_model = write_model
        self.gap_tolerance = gap_tolerance
        self.slack_price = slack_price
        self.weight_price = weight_price
        self.margin = margin
        self.row_selection = row_selection
        self.selection_rounds = selection_rounds
        self.hull_share = hull_share
        self.support_share = support_share
        self.hull_eps = hull_eps
        self.write_rows = write_rows
        self.verbose = verbose


class PartitionTreeClassifier(TreeClassifier):
    """An optimal classification tree from clusters of rows, which are split as needed.

    Rows that will probably share a leaf form a cluster. A tree is trained on one weighted row for each cluster, the clusters that the
    tree cuts are split, and so on (AHL24 Algorithms 4 and 7). With ``partition_algorithm`` "eia" or "eiia" the last tree is proved
    optimal for all rows; with "hia" or "hiia" it is a heuristic.

    Parameters
    ----------
    max_depth : int, default=3
        No leaf lies deeper than this. Unit: levels. Range: 0..60. Source: BD17 sec. 2.2: D.
    min_samples_leaf : float, default=1
        Every leaf holds at least this many training rows; a share is rounded up. Unit: rows, or a share of them if below 1. Range:
        0..1e9. Source: BD17 (11): N_min.
    min_weight_fraction_leaf : float, default=0.0
        Every leaf holds at least this share of the weight; with unequal weights the optimum may stay unproved. Unit: share of the total
        weight. Range: 0..0.5. Source: scikit-learn.
    ccp_alpha : float, default=0.0
        Price of one split, or of one feature in a hyperplane (for cart: scikit-learn's ccp_alpha, in units of weighted impurity). Unit:
        see alpha_scale. Range: 0..1e9. Source: BD17 (1): alpha.
    alpha_scale : {'majority-errors', 'baseline-correct', 'rows', 'errors'}, default='majority-errors'
        What alpha is a share of: errors of the majority class, rows it gets right, all rows; errors = alpha counts errors itself.
        Source: BD17 (23): L^.
    max_splits : int or None, default=None
        The tree has at most this many splits; None = no limit. Unit: splits. Range: -1..1000000000. Source: BD17 sec. 3: C; AHL24:
        gamma.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class, by label; a class that is left out has weight 1. 'balanced' gives every class the same total weight.
    time_limit : float or None, default=None
        Stop after this time and return the best tree with its bound. Unit: seconds. Range: 0..inf.
    node_limit : int or None, default=None
        Stop after this many sub-problems (independent of the machine's speed); None = no limit. Unit: sub-problems, or visits of a
        node. Range: -1..9000000000000000000.
    n_jobs : int or None, default=None
        Threads of one fit. None = 1, -1 = all cores, -2 = all but one (as scikit-learn). Ignored by methods that do not read it.
    random_state : int, numpy.random.RandomState, numpy.random.Generator or None, default=None
        Seed of everything random; a generator is asked for one. Same seed, same data: same tree. None = 0. Ignored by methods that do
        not read it.
    mip_solver : str, default='highs'
        highs, or another solver's command with {lp} or {mps} and {solution} where its files go (see docs/mip.md).
    partition : {'gp', 'igp', 'crm'}, default='igp'
        How the first clusters are made: greedy, improved greedy, merging of closest representatives. Source: AHL24 sec. 3.
    cluster_share : float, default=0.25
        Gp merges rows until this share of them is left as clusters. Unit: share of the rows. Range: 0..1. Source: AHL24 Algorithm 1:
        rho.
    partition_algorithm : {'hia', 'hiia', 'eia', 'eiia'}, default='eiia'
        When clusters are split further: eia and eiia until the tree is optimal, hia and hiia while a tree cuts through one; hiia and
        eiia also move thresholds. Source: AHL24 Algorithms 4, 7.
    partition_model : {'search', 'dp', 'dp-prime'}, default='search'
        What solves a round: the exact search on weighted representatives, or a mixed-integer model. Source: AHL24 (DP), (DP').
    verbose : bool, default=False
        Print a line for each new tree or bound.

    Attributes
    ----------
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

    Notes
    -----
    With ``max_splits`` and no ``ccp_alpha``, a split costs ``1 / (max_splits + 1)`` errors, as in the paper: the tree has the least
    errors, and of these trees the fewest splits. ``result_.selection`` is a table of the rounds.

    Ctrl-C during ``fit`` keeps the best tree so far.

    References
    ----------
    BD17: Bertsimas & Dunn, "Optimal classification trees", Machine Learning 106, 2017.
    AHL24: Ales, Hure & Lambert, "New optimization models for optimal classification trees", Computers & Operations Research 164, 2024.

    Examples
    --------
    >>> from treewright import PartitionTreeClassifier
    >>> X, y = [[0, 0], [0, 1], [1, 0], [1, 1]], ["no", "yes", "yes", "no"]
    >>> tree = PartitionTreeClassifier(max_depth=2).fit(X, y)
    >>> tree.status_, tree.score(X, y)
    ('optimal', 1.0)
    """

    _methods = ("partition",)

    @understanding
    def __init__(
        self,
        *,
        max_depth: int = 3,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        ccp_alpha: float = 0.0,
        alpha_scale: Literal["majority-errors", "baseline-correct", "rows", "errors"] = "majority-errors",
        max_splits: int | None = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        time_limit: float | None = None,
        node_limit: int | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        mip_solver: TextValue = "highs",
        partition: Literal["gp", "igp", "crm"] = "igp",
        cluster_share: float = 0.25,
        partition_algorithm: Literal["hia", "hiia", "eia", "eiia"] = "eiia",
        partition_model: Literal["search", "dp", "dp-prime"] = "search",
        verbose: bool = False,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.ccp_alpha = ccp_alpha
        self.alpha_scale = alpha_scale
        self.max_splits = max_splits
        self.class_weight = class_weight
        self.time_limit = time_limit
        self.node_limit = node_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.mip_solver = mip_solver
        self.partition = partition
        self.cluster_share = cluster_share
        self.partition_algorithm = partition_algorithm
        self.partition_model = partition_model
        self.verbose = verbose


class AutoTreeClassifier(TreeClassifier):
    """A classification tree whose kind, depth and complexity are chosen by cross-validation inside the training data.

    It compares axis-parallel trees (``oct``) with trees of hyperplanes (``tao``, ``oct-h``) for depths up to ``max_depth``, and takes
    the simplest within one standard error of the best. ``result_.method`` is the method chosen, and ``result_.selection`` says why.

    Parameters
    ----------
    max_depth : int, default=3
        No leaf lies deeper than this. Unit: levels. Range: 0..60. Source: BD17 sec. 2.2: D.
    min_samples_leaf : float, default=1
        Every leaf holds at least this many training rows; a share is rounded up. Unit: rows, or a share of them if below 1. Range:
        0..1e9. Source: BD17 (11): N_min.
    min_weight_fraction_leaf : float, default=0.0
        Every leaf holds at least this share of the weight; with unequal weights the optimum may stay unproved. Unit: share of the total
        weight. Range: 0..0.5. Source: scikit-learn.
    ccp_alpha : float, default=0.0
        Price of one split, or of one feature in a hyperplane (for cart: scikit-learn's ccp_alpha, in units of weighted impurity). Unit:
        see alpha_scale. Range: 0..1e9. Source: BD17 (1): alpha.
    alpha_scale : {'majority-errors', 'baseline-correct', 'rows', 'errors'}, default='majority-errors'
        What alpha is a share of: errors of the majority class, rows it gets right, all rows; errors = alpha counts errors itself.
        Source: BD17 (23): L^.
    max_splits : int or None, default=None
        The tree has at most this many splits; None = no limit. Unit: splits. Range: -1..1000000000. Source: BD17 sec. 3: C; AHL24:
        gamma.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class, by label; a class that is left out has weight 1. 'balanced' gives every class the same total weight.
    criterion : {'gini', 'entropy', 'misclassification'}, default='gini'
        Impurity that a greedy split reduces. Source: Breiman et al. 1984.
    time_limit : float or None, default=None
        Stop after this time and return the best tree with its bound. Unit: seconds. Range: 0..inf.
    node_limit : int or None, default=None
        Stop after this many sub-problems (independent of the machine's speed); None = no limit. Unit: sub-problems, or visits of a
        node. Range: -1..9000000000000000000.
    n_jobs : int or None, default=None
        Threads of one fit. None = 1, -1 = all cores, -2 = all but one (as scikit-learn). Ignored by methods that do not read it.
    random_state : int, numpy.random.RandomState, numpy.random.Generator or None, default=None
        Seed of everything random; a generator is asked for one. Same seed, same data: same tree. None = 0. Ignored by methods that do
        not read it.
    restarts : int, default=7
        Further runs from other starts; the best tree is kept. Unit: runs. Range: 0..1000000.
    disable : str or None, default=None
        Comma-separated names of pruning rules (exact search) or strengthenings (MIP models) to switch off; the optimum stays the same.
    penalty : {'l2', 'l1'}, default='l2'
        Norm of a hyperplane's weights that training keeps small: l2 = wide margins, l1 = few features. Source: DGMP23 sec. 2.
    verbose : bool, default=False
        Print a line for each new tree or bound.

    Attributes
    ----------
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

    Notes
    -----
    What is proved holds for the chosen method and its options, not for the choice among them.

    Ctrl-C during ``fit`` keeps the best tree so far.

    References
    ----------
    BD17: Bertsimas & Dunn, "Optimal classification trees", Machine Learning 106, 2017.
    AHL24: Ales, Hure & Lambert, "New optimization models for optimal classification trees", Computers & Operations Research 164, 2024.
    DGMP23: D'Onofrio, Grani, Monaci & Palagi, "Margin optimal classification trees", 2023.
    Breiman et al. 1984: Breiman, Friedman, Olshen & Stone, Classification and Regression Trees, 1984.

    Examples
    --------
    >>> from treewright import AutoTreeClassifier
    >>> X, y = [[i, i % 3] for i in range(40)], [i < 17 for i in range(40)]
    >>> tree = AutoTreeClassifier(max_depth=2, restarts=0).fit(X, y)
    >>> tree.result_.method, tree.get_depth()
    ('oct', 1)
    """

    _methods = ("auto",)

    @understanding
    def __init__(
        self,
        *,
        max_depth: int = 3,
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        ccp_alpha: float = 0.0,
        alpha_scale: Literal["majority-errors", "baseline-correct", "rows", "errors"] = "majority-errors",
        max_splits: int | None = None,
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        criterion: Literal["gini", "entropy", "misclassification"] = "gini",
        time_limit: float | None = None,
        node_limit: int | None = None,
        n_jobs: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        restarts: int = 7,
        disable: TextValue | None = None,
        penalty: Literal["l2", "l1"] = "l2",
        verbose: bool = False,
    ) -> None:
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.ccp_alpha = ccp_alpha
        self.alpha_scale = alpha_scale
        self.max_splits = max_splits
        self.class_weight = class_weight
        self.criterion = criterion
        self.time_limit = time_limit
        self.node_limit = node_limit
        self.n_jobs = n_jobs
        self.random_state = random_state
        self.restarts = restarts
        self.disable = disable
        self.penalty = penalty
        self.verbose = verbose


class OptimalTreeClassifierCV(TunedClassifier):
    """An optimal classification tree whose depth and complexity are chosen by cross-validation.

    For each depth and fold the exact complexity path is computed once: it holds the optimal tree of every ``ccp_alpha``, so that no
    grid of alphas is needed. The mean score is then a step function of alpha; the middle of its best step is taken (BD17 sec. 3), and
    the tree for it is trained on all rows. Among depths of equal score the smallest wins. Where a method has no path
    (``treewright.METHODS`` tells), only the depth is chosen. The command ``treewright tune`` chooses in the same way. Needs scikit-
    learn.

    Parameters
    ----------
    method : str, default='oct'
        How the tree is trained.

        - ``oct``: the optimal axis tree by exact search (BD17 problem (1)): depth, rows per leaf, alpha or splits, weights, categories,
          missing values
        - ``cart``: the greedy tree of Breiman et al. 1984, with cost-complexity pruning; trimmed to depth and splits
        - ``oct-mip``: the same problem as oct, as a mixed-integer programme for HiGHS or another solver (BD17 (24) with V23's
          corrections, (P) of AHL24)
        - ``binoct``: the complete tree of least errors as a mixed-integer programme with binary thresholds (Verwer & Zhang 2019), a
          peer
        - ``fair``: errors and disparate impact on the groups of a column, as a mixed-integer programme (Aghaei et al. 2019)
        - ``oct-h``, ``tao``, ``local``, ``cart-h``, ``oct-h-mip``: see :class:`HyperplaneTreeClassifier`
        - ``margot``, ``margot-hfs``, ``margot-sfs``, ``margot-mip``, ``margot-hfs-mip``, ``margot-sfs-mip``, ``mm-svm``: see
          :class:`MargotClassifier`
        - ``svm1``, ``svm1-mip``: see :class:`SVM1TreeClassifier`
        - ``partition``: see :class:`PartitionTreeClassifier`
        - ``auto``: see :class:`AutoTreeClassifier`
    min_samples_leaf : float, default=1
        Every leaf holds at least this many training rows; a share is rounded up. Unit: rows, or a share of them if below 1. Range:
        0..1e9. Read by oct, cart, oct-mip, fair. Source: BD17 (11): N_min.
    min_weight_fraction_leaf : float, default=0.0
        Every leaf holds at least this share of the weight; with unequal weights the optimum may stay unproved. Unit: share of the total
        weight. Range: 0..0.5. Read by oct, cart, oct-mip, fair. Source: scikit-learn.
    alpha_scale : {'majority-errors', 'baseline-correct', 'rows', 'errors'}, default='majority-errors'
        What alpha is a share of: errors of the majority class, rows it gets right, all rows; errors = alpha counts errors itself.
        Source: BD17 (23): L^.
    class_weight : dict, 'balanced' or None, default=None
        Weight of each class, by label; a class that is left out has weight 1. 'balanced' gives every class the same total weight.
    criterion : {'gini', 'entropy', 'misclassification'}, default='gini'
        Impurity that a greedy split reduces. Read by cart. Source: Breiman et al. 1984.
    time_limit : float or None, default=None
        Stop after this time and return the best tree with its bound. Unit: seconds. Range: 0..inf. Read by oct, oct-mip, binoct, fair.
    node_limit : int or None, default=None
        Stop after this many sub-problems (independent of the machine's speed); None = no limit. Unit: sub-problems, or visits of a
        node. Range: -1..9000000000000000000. Read by oct, oct-mip, binoct, fair.
    random_state : int, numpy.random.RandomState, numpy.random.Generator or None, default=None
        Seed of everything random; a generator is asked for one. Same seed, same data: same tree. None = 0. Ignored by methods that do
        not read it.
    disable : str or None, default=None
        Comma-separated names of pruning rules (exact search) or strengthenings (MIP models) to switch off; the optimum stays the same.
        Read by oct, oct-mip, binoct, fair.
    mip_model : {'oct', 'p'}, default='oct'
        Which mixed-integer model: oct counts the losses of leaves, p those of rows. Read by oct-mip. Source: BD17 (24), AHL24 sec. 2.1:
        (P).
    mip_start : str, default='auto'
        The solver's start: auto (a greedy tree), cart, none, or a tree file. Read by oct-mip, binoct, fair. Source: BD17 sec. 2.3, 4.2.
    mip_solver : str, default='highs'
        highs, or another solver's command with {lp} or {mps} and {solution} where its files go (see docs/mip.md). Read by oct-mip,
        binoct, fair.
    write_model : str or None, default=None
        Also write the model to this file (.mps: free MPS, otherwise LP). Read by oct-mip, binoct, fair.
    fairness : float, default=0.0
        Price of the discrimination index beside the share of errors; 0 = errors alone. Range: 0..1e9. Read by fair. Source: Aghaei et
        al. 2019: lambda.
    protected_column : str or None, default=None
        The column whose groups are to be treated alike. Read by fair. Source: Aghaei et al. 2019.
    split_kind : {'hyperplane', 'axis'}, default='hyperplane'
        Of other methods: see :class:`HyperplaneTreeClassifier`.
    svm_cost : float, default=1
        Of other methods: see :class:`HyperplaneTreeClassifier`.
    restarts : int, default=7
        Of other methods: see :class:`HyperplaneTreeClassifier`, :class:`SVM1TreeClassifier`, :class:`AutoTreeClassifier`.
    min_separation : float, default=0.005
        Of other methods: see :class:`HyperplaneTreeClassifier`.
    start_time_limit : float, default=60.0
        Of other methods: see :class:`HyperplaneTreeClassifier`.
    penalty : {'l2', 'l1'}, default='l2'
        Of other methods: see :class:`HyperplaneTreeClassifier`, :class:`AutoTreeClassifier`.
    level_costs : str, default='1'
        Of other methods: see :class:`MargotClassifier`.
    feature_budgets : str, default='1'
        Of other methods: see :class:`MargotClassifier`.
    class_codes : str or None, default=None
        Of other methods: see :class:`MargotClassifier`.
    gap_tolerance : float, default=0.0001
        Of other methods: see :class:`MargotClassifier`, :class:`SVM1TreeClassifier`.
    slack_price : float, default=1000.0
        Of other methods: see :class:`SVM1TreeClassifier`.
    weight_price : float, default=0.1
        Of other methods: see :class:`SVM1TreeClassifier`.
    margin : float, default=0.005
        Of other methods: see :class:`SVM1TreeClassifier`.
    row_selection : {'none', 'hull', 'balanced'}, default='none'
        Of other methods: see :class:`SVM1TreeClassifier`.
    selection_rounds : int, default=0
        Of other methods: see :class:`SVM1TreeClassifier`.
    hull_share : float, default=0.1
        Of other methods: see :class:`SVM1TreeClassifier`.
    support_share : float, default=0.1
        Of other methods: see :class:`SVM1TreeClassifier`.
    hull_eps : float, default=0.01
        Of other methods: see :class:`SVM1TreeClassifier`.
    write_rows : str or None, default=None
        Of other methods: see :class:`SVM1TreeClassifier`.
    partition : {'gp', 'igp', 'crm'}, default='igp'
        Of other methods: see :class:`PartitionTreeClassifier`.
    cluster_share : float, default=0.25
        Of other methods: see :class:`PartitionTreeClassifier`.
    partition_algorithm : {'hia', 'hiia', 'eia', 'eiia'}, default='eiia'
        Of other methods: see :class:`PartitionTreeClassifier`.
    partition_model : {'search', 'dp', 'dp-prime'}, default='search'
        Of other methods: see :class:`PartitionTreeClassifier`.
    max_depths : sequence of int, default=(1, 2, 3)
        Depths to try.
    cv : int, cross-validation splitter or iterable of (train, test) indices, default=5
        Folds, as in scikit-learn; an int means stratified folds.
    scoring : str, callable or None, default=None
        What to maximize, as in scikit-learn; None = accuracy. Rows left out count with their ``sample_weight`` where the scorer takes
        one.
    rule : "best" or "sparse", default="best"
        "best" takes the highest mean score, "sparse" the fewest features among the steps of at least 0.975 of the highest mean score
        (DGMP23 sec. 6.2.3).
    n_jobs : int or None, default=None
        Folds to work on at a time, through joblib: a ``joblib.parallel_config`` (or ``parallel_backend``) around ``fit`` moves them to
        another engine, such as dask. Each fold runs on one thread.
    verbose : bool, default=False
        Print the table of all trees that enter the choice.

    Attributes
    ----------
    best_params_ : dict
        ``max_depth`` and, of a method with a path, ``ccp_alpha``: an :class:`OptimalTreeClassifier` with these finds the same tree.
    best_reason_ : str
        Why these were chosen.
    path_status_ : str
        "optimal" when every path was proved to its end, "heuristic" where the method proves nothing, else the limit that was reached.
    best_score_ : float
        Mean score over the folds.
    cv_results_ : dict of ndarray of shape (n_steps,)
        ``max_depth``, ``alpha_low``, ``alpha_high``, ``mean_test_score``, ``mean_features``: the steps of the mean score.
    classes_, n_features_in_, feature_names_in_, tree_, result_, feature_importances_
        As in :class:`OptimalTreeClassifier`.

    Notes
    -----
    ``time_limit`` bounds the mean duration of a path: those of a fold share their time. It bounds the final tree once more.

    Ctrl-C during ``fit`` keeps the best tree so far.

    References
    ----------
    BD17: Bertsimas & Dunn, "Optimal classification trees", Machine Learning 106, 2017.
    AHL24: Ales, Hure & Lambert, "New optimization models for optimal classification trees", Computers & Operations Research 164, 2024.
    DGMP23: D'Onofrio, Grani, Monaci & Palagi, "Margin optimal classification trees", 2023.
    Aghaei et al. 2019: Aghaei, Azizi & Vayanos, "Learning optimal and fair decision trees", AAAI 2019.
    Breiman et al. 1984: Breiman, Friedman, Olshen & Stone, Classification and Regression Trees, 1984.
    Verwer & Zhang 2019: "Learning optimal classification trees using a binary linear program formulation", AAAI 2019.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treewright import OptimalTreeClassifierCV
    >>> X, y = load_iris(return_X_y=True)
    >>> OptimalTreeClassifierCV(max_depths=(1, 2)).fit(X, y).best_params_["max_depth"]
    2
    """

    _methods = OptimalTreeClassifier._methods
    _single = OptimalTreeClassifier

    @understanding
    def __init__(
        self,
        *,
        method: Literal[
            "oct",
            "cart",
            "oct-mip",
            "binoct",
            "fair",
            "oct-h",
            "tao",
            "local",
            "cart-h",
            "oct-h-mip",
            "margot",
            "margot-hfs",
            "margot-sfs",
            "margot-mip",
            "margot-hfs-mip",
            "margot-sfs-mip",
            "mm-svm",
            "svm1",
            "svm1-mip",
            "partition",
            "auto",
        ] = "oct",
        min_samples_leaf: float = 1,
        min_weight_fraction_leaf: float = 0.0,
        alpha_scale: Literal["majority-errors", "baseline-correct", "rows", "errors"] = "majority-errors",
        class_weight: Mapping[Any, float] | Literal["balanced"] | None = None,
        criterion: Literal["gini", "entropy", "misclassification"] = "gini",
        time_limit: float | None = None,
        node_limit: int | None = None,
        random_state: int | np.random.RandomState | np.random.Generator | None = None,
        disable: TextValue | None = None,
        mip_model: Literal["oct", "p"] = "oct",
        mip_start: TextValue = "auto",
        mip_solver: TextValue = "highs",
        write_model: TextValue | None = None,
        fairness: float = 0.0,
        protected_column: TextValue | None = None,
        split_kind: Literal["hyperplane", "axis"] = "hyperplane",
        svm_cost: float = 1,
        restarts: int = 7,
        min_separation: float = 0.005,
        start_time_limit: float = 60.0,
        penalty: Literal["l2", "l1"] = "l2",
        level_costs: TextValue = "1",
        feature_budgets: TextValue = "1",
        class_codes: TextValue | None = None,
        gap_tolerance: float = 0.0001,
        slack_price: float = 1000.0,
        weight_price: float = 0.1,
        margin: float = 0.005,
        row_selection: Literal["none", "hull", "balanced"] = "none",
        selection_rounds: int = 0,
        hull_share: float = 0.1,
        support_share: float = 0.1,
        hull_eps: float = 0.01,
        write_rows: TextValue | None = None,
        partition: Literal["gp", "igp", "crm"] = "igp",
        cluster_share: float = 0.25,
        partition_algorithm: Literal["hia", "hiia", "eia", "eiia"] = "eiia",
        partition_model: Literal["search", "dp", "dp-prime"] = "search",
        max_depths: Iterable[int] = (1, 2, 3),
        cv: Any = 5,
        scoring: str | Callable[..., float] | None = None,
        rule: Literal["best", "sparse"] = "best",
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.method = method
        self.min_samples_leaf = min_samples_leaf
        self.min_weight_fraction_leaf = min_weight_fraction_leaf
        self.alpha_scale = alpha_scale
        self.class_weight = class_weight
        self.criterion = criterion
        self.time_limit = time_limit
        self.node_limit = node_limit
        self.random_state = random_state
        self.disable = disable
        self.mip_model = mip_model
        self.mip_start = mip_start
        self.mip_solver = mip_solver
        self.write_model = write_model
        self.fairness = fairness
        self.protected_column = protected_column
        self.split_kind = split_kind
        self.svm_cost = svm_cost
        self.restarts = restarts
        self.min_separation = min_separation
        self.start_time_limit = start_time_limit
        self.penalty = penalty
        self.level_costs = level_costs
        self.feature_budgets = feature_budgets
        self.class_codes = class_codes
        self.gap_tolerance = gap_tolerance
        self.slack_price = slack_price
        self.weight_price = weight_price
        self.margin = margin
        self.row_selection = row_selection
        self.selection_rounds = selection_rounds
        self.hull_share = hull_share
        self.support_share = support_share
        self.hull_eps = hull_eps
        self.write_rows = write_rows
        self.partition = partition
        self.cluster_share = cluster_share
        self.partition_algorithm = partition_algorithm
        self.partition_model = partition_model
        self.max_depths = max_depths
        self.cv = cv
        self.scoring = scoring
        self.rule = rule
        self.n_jobs = n_jobs
        self.verbose = verbose
