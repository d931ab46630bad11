"""Depth and complexity tuned together, on the exact complexity path.

The procedure is the library's (src/treewright/select): the paths of a fold, the mean score as a step function of alpha, and the choice on
it. Folds, scores and the engine that hands out the folds are scikit-learn's.
"""

from __future__ import annotations

import inspect
import math
import numbers
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._base import TreeClassifier
from ._compat import HAVE_SKLEARN, OptimalityWarning, as_vector
from ._core import TUNE_TABLE_HEAD, ScoredTree, choose, fold_paths
from ._costs import costs_by_class, costs_by_row, in_order_of
from ._dataset import Dataset
from ._frame import dense
from ._options import METHODS, OptionSet, options_of_run
from ._result import Path
from ._warn import warn
from ._warnings import STOPPED

Array = NDArray[Any]


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


class ClassRows(NamedTuple):
    """The rows of a cross-validation whose target holds classes; all may be None but X.

    Tasks get their data as tuples. joblib's dask backend would lay an array of its own on one worker and send the tasks only a reference,
    and the work would be lost with that worker.
    """

    X: Any
    y: Any
    weights: Any
    costs: Costs | None
    counted: Any  # the weights of rows in scores

    def training(self, model: Any, rows: Array) -> Dataset:
        """Rows to train on, as the model takes them."""
        from sklearn.utils import _safe_indexing

        y = None if self.y is None else _safe_indexing(self.y, rows)
        if isinstance(model.class_weight, Mapping) and y is not None:
            occurs = np.unique(y)
            model.class_weight = {label: weight for label, weight in model.class_weight.items() if label in occurs}
        by_row = None
        if self.costs is not None:
            model.cost_matrix, by_row = self.costs.for_training(rows, y)
        weights = None if self.weights is None else self.weights[rows]
        data, _ = model._dataset(*model._training_data(_safe_indexing(self.X, rows), y, weights, by_row))
        return data

    def score(self, tree: Any, scorer: Any, rows: Array) -> float:
        """Of these rows; without a scorer minus the mean cost."""
        from sklearn.utils import _safe_indexing

        X = _safe_indexing(self.X, rows)
        if scorer is None:
            assert self.costs is not None
            return self.costs.score(tree.predict(X), rows, None if self.weights is None else self.weights[rows])
        extra = {"sample_weight": self.counted[rows]} if self.counted is not None and takes_weights(scorer) else {}
        return float(scorer(tree, X, None if self.y is None else _safe_indexing(self.y, rows), **extra))


def _fold(
    template: Any, tried: list[int | str], depths: list[int], data: Any, split: tuple[Array, Array], scorer: Any, fold: int
) -> tuple[list[tuple[ScoredTree, str]], set[str]]:
    """One task: the paths of all depths on the training rows of a fold, scored on its other rows. Trees with their lines in the table, and
    how the paths ended."""
    train, test = (_as_rows(part) for part in split)
    model = type(template)(**template.get_params())
    training = data.training(model, train)
    settings = [model._options(max_depth=depth) for depth in tried]
    limit = math.inf if model.time_limit is None else model.time_limit * len(tried)
    paths = fold_paths(training, settings, limit)
    # The user wants all folds to end, not this one.
    if any(path.status == "interrupted" for path in paths):
        raise KeyboardInterrupt
    if data.weights is not None:
        test = test[data.weights[test] != 0]
        if len(test) == 0:
            raise ValueError(f"cv: all rows that fold {fold} keeps aside have the weight 0 (use other folds)")

    def scored(setting: int, path: Path, index: int) -> tuple[ScoredTree, str]:
        point = path[index]
        score = data.score(model._with_result(point.result), scorer, test)
        if math.isnan(score):
            raise ValueError(f"scoring: the score on fold {fold} is no number (use larger folds, or another score)")
        features = len(point.result.tree.features_used())
        line = path.table_line(index, f"max_depth={depths[setting]}", fold, score)
        return ScoredTree(setting, fold, point.alpha_low, point.alpha_high, score, features, point.splits), line

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


def takes_weights(scorer: Any) -> bool:
    parameters = inspect.signature(scorer).parameters
    return "sample_weight" in parameters or any(p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters.values())


class Tuned:
    """What estimators share that choose depth and complexity by cross-validation."""

    # What is trained with the chosen parameters.
    _single: ClassVar[type]
    max_depths: Any
    cv: Any
    scoring: Any
    rule: Any
    n_jobs: Any
    verbose: Any

    def _tuned(self, tune: Callable[[], None]) -> Any:
        """Runs `tune`; what fails leaves the estimator unfitted."""
        if not HAVE_SKLEARN:
            raise ImportError(f"{type(self).__name__} needs scikit-learn (install it)")
        with self._fitting():  # type: ignore[attr-defined]
            tune()
        return self

    def _common(self) -> dict[str, Any]:
        """The parameters of the trees of all folds."""
        own = ("max_depths", "cv", "scoring", "rule", "n_jobs", "verbose")
        return {name: value for name, value in self.get_params().items() if name not in own}  # type: ignore[attr-defined]

    def _folds(self, y: Any, X: Any, classifier: bool) -> Any:
        from sklearn.model_selection import check_cv

        return check_cv(self.cv, y, classifier=classifier).split(X, y)

    def _cross_validate(
        self, template: Any, usual: int, data: Any, splits: Any, scorer: Any, fitted: str = "errors", loss: str = "", has_path: bool = True
    ) -> None:
        """Chooses depth and alpha.

        `usual`: the depth where nobody chooses one. `fitted`: what the table tells of the training rows. `loss`: where there is no scorer,
        what the scores are minus the means of.
        """
        try:
            from sklearn.utils.parallel import Parallel, delayed
        except ImportError:  # before 1.3
            from joblib import Parallel, delayed

        tried, depths = _tried(self.max_depths, usual)
        tasks = [delayed(_fold)(template, tried, depths, data, split, scorer, fold) for fold, split in enumerate(splits)]
        done = Parallel(n_jobs=self.n_jobs)(tasks)
        self._note_statuses(set().union(*(statuses for _, statuses in done)))
        # Setting after setting, as the command prints them.
        trees = sorted((tree for fold, _ in done for tree in fold), key=lambda tree: tree[0].setting)
        if self.verbose:
            head = TUNE_TABLE_HEAD.replace(f"{'errors':>10}", f"{fitted:>10}")
            print(head + "".join(line for _, line in trees), end="", flush=True)
        choice = choose([tree for tree, _ in trees], f"{self.rule}-{loss}" if loss else self.rule)
        self.best_score_ = choice.step.score
        self.best_params_: dict[str, Any] = {"max_depth": tried[choice.step.setting]}
        if has_path:
            self.best_params_["ccp_alpha"] = choice.alpha
        self.best_reason_ = choice.why
        self.cv_results_ = {
            "max_depth": np.array([depths[step.setting] for step in choice.curve]),
            "alpha_low": np.array([step.alpha_low for step in choice.curve]),
            "alpha_high": np.array([step.alpha_high for step in choice.curve]),
            "mean_test_score": np.array([step.score for step in choice.curve]),
            "standard_error": np.array([step.standard_error for step in choice.curve]),
            "mean_features": np.array([step.features for step in choice.curve]),
            "mean_splits": np.array([step.splits for step in choice.curve]),
        }

    def _note_statuses(self, statuses: set[str]) -> None:
        stopped = sorted(statuses & STOPPED.keys())
        self.path_status_ = (stopped or sorted(statuses))[0]
        for status in stopped:
            warn(f"{STOPPED[status]} before a path was complete; trees may be missing", OptimalityWarning)


class TunedClassifier(Tuned, TreeClassifier):
    """The estimator, without its keywords, that chooses depth and complexity by cross-validation."""

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
        self._tuned(lambda: self._tune(X, y, sample_weight, costs))
        return self

    def _tune(self, X: Any, y: Any, sample_weight: Any, costs: Any) -> None:
        from sklearn.metrics import check_scoring

        self._method()
        options_of_run(self.run, self._run)
        self._training_data(X, y, sample_weight, costs)
        usual = OptionSet({"method": self._method()}).depth(len(self.classes_))
        X, y = rows_as_given(X, y)
        prices = Costs.of(self.cost_matrix, costs, y)
        if prices is None and self.scoring == "cost":
            raise ValueError("scoring: is 'cost', and the labels have none (give cost_matrix or costs, or another score)")
        # Class weights, and what to do with rows of weight 0, are each fold's own business.
        weights = None if sample_weight is None else np.broadcast_to(np.asarray(sample_weight, dtype=np.float64), len(X))
        common = self._common()
        self._one_cost(common)
        template = self._single(**common, n_jobs=1)
        by_cost = prices is not None and (self.scoring is None or self.scoring == "cost")
        if y is None and not by_cost:
            raise ValueError("scoring: compares labels with true classes, and there is no y (use None or 'cost')")
        scorer = None if by_cost else check_scoring(template, scoring=self.scoring)
        truth = prices.of_rows.argmin(axis=1) if y is None and prices is not None else y

        data = ClassRows(X, y, weights, prices, self._counted(y, weights))
        has_path = any(method.has_path for method in METHODS if method.name == self._method())
        fitted = "errors" if prices is None else "cost"
        self._cross_validate(template, usual, data, self._folds(truth, X, True), scorer, fitted, "cost" if by_cost else "", has_path)
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


def rows_as_given(X: Any, y: Any) -> tuple[Any, Any]:
    """Rows from which folds can be taken: frames as they are, all else as arrays."""
    X = dense(X)
    X, y = (item if item is None or hasattr(item, "iloc") else np.asarray(item) for item in (X, y))
    return X, as_vector(y) if y is not None and y.ndim == 2 else y
