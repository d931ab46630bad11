"""Depth and complexity tuned together, on the exact complexity path.

The procedure is the library's (src/treewright/select): the paths of a fold, the mean score as a step function of alpha, and the choice on
it. Folds, scores and the engine that hands out the folds are scikit-learn's.
"""

from __future__ import annotations

import inspect
import math
import numbers
from collections.abc import Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._base import TreeClassifier
from ._compat import HAVE_SKLEARN, OptimalityWarning, as_vector
from ._core import TUNE_TABLE_HEAD, ScoredTree, choose, fold_paths
from ._costs import costs_by_class, costs_by_row, in_order_of
from ._frame import dense
from ._options import METHODS, OptionSet, options_of_run
from ._path import PathClassifier
from ._result import Path
from ._warn import warn
from ._warnings import STOPPED

Array = NDArray[Any]


# Tasks get their data as tuples. joblib's dask backend would lay an array of its own on one worker and send the tasks only a reference, and
# the work would be lost with that worker. X, y, the weights of rows, Costs, and the weights of rows in scores, which may be None but for X.
_Data = tuple[Any, Any, Any, Any, Any]


class Costs(NamedTuple):
    """What each label costs each row."""

    labels: Array  # the names of the columns
    of_rows: Array  # (n_samples, n_labels)
    matrix: Array | None  # where they are by true class: (n_labels, n_labels)

    @classmethod
    def of(cls, cost_matrix: Any, costs: Any, y: Any) -> Costs | None:
        """From the parameter and from the argument of ``fit``, which the estimator has checked; None without either."""
        if cost_matrix is None and costs is None:
            return None
        if costs is not None:
            of_rows, names = costs_by_row(costs)
            if y is None:
                return cls(np.arange(of_rows.shape[1]), of_rows, None)
            labels = np.unique(y)
            return cls(labels, in_order_of(labels, of_rows, names), None)
        labels, codes = np.unique(y, return_inverse=True)
        matrix = costs_by_class(cost_matrix, labels.tolist())
        return cls(labels, matrix[codes], matrix)

    def for_training(self, rows: Array, y: Any) -> tuple[Array | None, Array | None]:
        """The cost matrix, or the costs by row, of these rows: a fold may lack a class."""
        if y is None:
            return None, self.of_rows[rows]
        occurs = np.flatnonzero(np.isin(self.labels, np.unique(y)))
        if self.matrix is not None:
            return self.matrix[np.ix_(occurs, occurs)], None
        return None, self.of_rows[np.ix_(rows, occurs)]

    def score(self, predicted: Array, rows: Array, weights: Array | None) -> float:
        """Minus the mean cost of the labels that these rows get."""
        columns = np.searchsorted(self.labels, predicted)
        return -float(np.average(self.of_rows[rows, columns], weights=weights))


def _fold(
    template: PathClassifier, tried: list[int | str], depths: list[int], data: _Data, split: tuple[Array, Array], scorer: Any, fold: int
) -> tuple[list[tuple[ScoredTree, str]], set[str]]:
    """One task: the paths of all depths on the training rows of a fold, scored on its other rows. Trees with their lines in the table, and
    how the paths ended."""
    from sklearn.utils import _safe_indexing

    (X, y, weights, costs, counted), (train, test) = data, tuple(_as_rows(part) for part in split)
    model = type(template)(**template.get_params())
    y_train = None if y is None else _safe_indexing(y, train)
    if isinstance(model.class_weight, Mapping) and y_train is not None:
        occurs = np.unique(y_train)
        model.class_weight = {label: weight for label, weight in model.class_weight.items() if label in occurs}
    by_row = None
    if costs is not None:
        model.cost_matrix, by_row = costs.for_training(train, y_train)
    training = model._training_data(_safe_indexing(X, train), y_train, None if weights is None else weights[train], by_row)
    settings = [model._options(max_depth=depth) for depth in tried]
    limit = math.inf if model.time_limit is None else model.time_limit * len(tried)
    paths = fold_paths(model._dataset(*training)[0], settings, limit)
    # The user wants all folds to end, not this one.
    if any(path.status == "interrupted" for path in paths):
        raise KeyboardInterrupt
    extra = {}
    if weights is not None:
        test = test[weights[test] != 0]
        if len(test) == 0:
            raise ValueError(f"cv: all rows that fold {fold} keeps aside have the weight 0 (use other folds)")
    if counted is not None and scorer is not None and _takes_weights(scorer):
        extra["sample_weight"] = counted[test]
    rows, labels = _safe_indexing(X, test), None if y is None else _safe_indexing(y, test)

    def scored(setting: int, path: Path, index: int) -> tuple[ScoredTree, str]:
        point = path[index]
        tree = model._with_result(point.result)
        if scorer is None:
            score = costs.score(tree.predict(rows), test, None if weights is None else weights[test])
        else:
            score = float(scorer(tree, rows, labels, **extra))
        if math.isnan(score):
            raise ValueError(f"scoring: the score on fold {fold} is no number (use folds that hold every class, or another score)")
        features = len(point.result.tree.features_used())
        line = path.table_line(index, f"max_depth={depths[setting]}", fold, score)
        return ScoredTree(setting, fold, point.alpha_low, point.alpha_high, score, features), line

    trees = [scored(setting, path, index) for setting, path in enumerate(paths) for index in range(len(path))]
    return trees, {path.status for path in paths}


def _as_rows(part: Any) -> Array:
    """Numbers of rows, from what a splitter gives: numbers in any list, or a mask."""
    part = np.asarray(part)
    return np.flatnonzero(part) if part.dtype == bool else part


def _as_depth(depth: Any) -> int:
    if isinstance(depth, bool) or not isinstance(depth, numbers.Integral) or depth < 0:
        raise ValueError(f"max_depths: {depth!r} is no depth (give whole numbers of at least 0)")
    return int(depth)


def _tried(max_depths: Any, usual: int) -> tuple[list[int | str], list[int]]:
    """The values of max_depth to try, and the depths that they stand for. ``usual``: the depth where nobody chooses one."""
    if not (isinstance(max_depths, str) and max_depths == "auto"):
        depths = sorted(_as_depth(depth) for depth in max_depths)
        if not depths:
            raise ValueError("max_depths: there is no depth to try (give at least one)")
        return list(depths), depths
    # Many classes need more levels; "auto" has the limit on work that fit has there.
    return ([1, 2, 3, "auto"], [1, 2, 3, usual]) if usual > 3 else ([1, 2, 3], [1, 2, 3])


def _takes_weights(scorer: Any) -> bool:
    parameters = inspect.signature(scorer).parameters
    return "sample_weight" in parameters or any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())


class TunedClassifier(TreeClassifier):
    """The estimator, without its keywords, that chooses depth and complexity by cross-validation."""

    # What is trained with the chosen parameters.
    _single: ClassVar[type[PathClassifier]]
    max_depths: Any
    cv: Any
    scoring: Any
    rule: Any
    n_jobs: Any

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, costs: Any = None) -> TunedClassifier:
        """Chooses depth and alpha, and keeps the tree of all rows for them.

        Parameters, errors and warnings as in :meth:`OptimalTreeClassifier.fit`. With ``cost_matrix`` or ``costs`` the default score is
        minus the mean cost of the labels on the rows kept aside.

        Returns
        -------
        self
            The fitted estimator.

        Raises
        ------
        KeyboardInterrupt
            On Ctrl-C, as of any cross-validation: there is no tree before all folds are scored.
        """
        if not HAVE_SKLEARN:
            raise ImportError(f"{type(self).__name__} needs scikit-learn (install it)")
        self._forget()
        try:
            self._tune(X, y, sample_weight, costs)
        except BaseException:
            self._forget()
            raise
        return self

    def _tune(self, X: Any, y: Any, sample_weight: Any, costs: Any) -> None:
        from sklearn.metrics import check_scoring
        from sklearn.model_selection import check_cv

        try:
            from sklearn.utils.parallel import Parallel, delayed
        except ImportError:  # before 1.3
            from joblib import Parallel, delayed

        self._method()
        options_of_run(self.run, self._run)
        self._training_data(X, y, sample_weight, costs)
        tried, depths = _tried(self.max_depths, OptionSet({"method": self._method()}).depth(len(self.classes_)))
        X = dense(X)
        X, y = (item if item is None or hasattr(item, "iloc") else np.asarray(item) for item in (X, y))
        if y is not None and y.ndim == 2:
            y = as_vector(y)
        prices = Costs.of(self.cost_matrix, costs, y)
        if prices is None and self.scoring == "cost":
            raise ValueError("scoring: is 'cost', and the labels have none (give cost_matrix or costs, or another score)")
        # Class weights, and what to do with rows of weight 0, are each fold's own business.
        weights = None if sample_weight is None else np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), len(X))
        own = ("max_depths", "cv", "scoring", "rule", "n_jobs", "verbose")
        common = {name: value for name, value in self.get_params().items() if name not in own}
        self._one_cost(common)
        template = self._single(**common, n_jobs=1)
        by_cost = prices is not None and (self.scoring is None or self.scoring == "cost")
        if y is None and not by_cost:
            raise ValueError("scoring: compares labels with true classes, and there is no y (use None or 'cost')")
        scorer = None if by_cost else check_scoring(template, scoring=self.scoring)
        truth = prices.of_rows.argmin(axis=1) if y is None and prices is not None else y
        splits = check_cv(self.cv, truth, classifier=True).split(X, truth)

        data = (X, y, weights, prices, self._counted(y, weights))
        tasks = [delayed(_fold)(template, tried, depths, data, split, scorer, fold) for fold, split in enumerate(splits)]
        done = Parallel(n_jobs=self.n_jobs)(tasks)
        self._note_statuses(set().union(*(statuses for _, statuses in done)))
        # Setting after setting, as the command prints them.
        trees = sorted((tree for fold, _ in done for tree in fold), key=lambda tree: tree[0].setting)
        if self.verbose:
            head = TUNE_TABLE_HEAD if prices is None else TUNE_TABLE_HEAD.replace("errors", "  cost")
            print(head + "".join(line for _, line in trees), end="", flush=True)
        self._choose([tree for tree, _ in trees], tried, depths, by_cost)
        if common.get("svm_cost") is not None:
            self.best_params_["svm_cost"] = common["svm_cost"]
        final = self._single(**{**common, **self.best_params_}, n_jobs=self.n_jobs or 1)
        self._result = final.fit(X, y, weights, costs)._result

    def _one_cost(self, parameters: dict[str, Any]) -> None:
        """The price of a row inside the margin, for folds and final tree alike: nobody chooses it on paths."""
        if "svm_cost" not in parameters:
            return
        read = any("svm_cost" in method.options for method in METHODS if method.name == self._method())
        if read and parameters["svm_cost"] is None:
            parameters["svm_cost"] = 1
        if not read and parameters["svm_cost"] == 1:  # the default
            parameters["svm_cost"] = None

    def _counted(self, y: Any, weights: Array | None) -> Array | None:
        """The weights of rows in scores: those of their classes too, as in training. Of all rows, so that folds agree."""
        if y is None or self.class_weight is None:
            return weights
        codes = np.searchsorted(self.classes_, np.asarray(y))
        of_classes = self._class_weights(codes, weights)
        return weights if of_classes is None else of_classes[codes] * (1.0 if weights is None else weights)

    def _note_statuses(self, statuses: set[str]) -> None:
        stopped = sorted(statuses & STOPPED.keys())
        self.path_status_ = (stopped or sorted(statuses))[0]
        for status in stopped:
            warn(f"{STOPPED[status]} before a path was complete; trees may be missing", OptimalityWarning)

    def _choose(self, trees: list[ScoredTree], tried: list[int | str], depths: list[int], by_cost: bool) -> None:
        choice = choose(trees, f"{self.rule}-cost" if by_cost else self.rule)
        self.best_score_ = choice.step.score
        self.best_params_: dict[str, Any] = {"max_depth": tried[choice.step.setting]}
        if any(method.has_path for method in METHODS if method.name == self._method()):
            self.best_params_["ccp_alpha"] = choice.alpha
        self.best_reason_ = choice.why
        self.cv_results_ = {
            "max_depth": np.array([depths[step.setting] for step in choice.curve]),
            "alpha_low": np.array([step.alpha_low for step in choice.curve]),
            "alpha_high": np.array([step.alpha_high for step in choice.curve]),
            "mean_test_score": np.array([step.score for step in choice.curve]),
            "mean_features": np.array([step.features for step in choice.curve]),
        }
