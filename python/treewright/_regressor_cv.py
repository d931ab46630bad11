"""Depth and complexity of a tree of numbers chosen together, by the same engine as those of classes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._cv import Tuned, rows_as_given, takes_weights
from ._dataset import Dataset
from ._options import OptionSet, options_of_run, understanding
from ._regressor import OptimalTreeRegressor, TreeRegressor

Array = NDArray[Any]


class NumberRows(NamedTuple):
    """The rows of a cross-validation whose target is a number; weights and exposures may be None. A tuple as ClassRows is."""

    X: Any
    y: Any
    weights: Any
    exposure: Any

    def training(self, model: Any, rows: Array) -> Dataset:
        """Rows to train on, as the model takes them."""
        from sklearn.utils import _safe_indexing

        y, weights, exposure = (None if item is None else item[rows] for item in (np.asarray(self.y), self.weights, self.exposure))
        data: Dataset = model._training_set(_safe_indexing(self.X, rows), y, weights, exposure)
        return data

    def score(self, tree: Any, scorer: Any, rows: Array) -> float:
        """Of these rows; without a scorer minus the mean Poisson deviance, as the command. Scorers compare rates, weighted by exposure."""
        from sklearn.utils import _safe_indexing

        X, y = _safe_indexing(self.X, rows), np.asarray(self.y, dtype=np.float64)[rows]
        weights = None if self.weights is None else self.weights[rows]
        exposure = np.ones(len(rows)) if self.exposure is None else self.exposure[rows]
        if scorer is None:
            expected = exposure * tree.predict(X)
            with np.errstate(divide="ignore", invalid="ignore"):
                events = np.where(y > 0, y * np.log(y / expected), 0.0)
            return -2 * float(np.average(events - (y - expected), weights=weights))
        if self.exposure is not None:
            y, weights = y / exposure, exposure if weights is None else weights * exposure
        extra = {"sample_weight": weights} if weights is not None and takes_weights(scorer) else {}
        return float(scorer(tree, X, y, **extra))


class OptimalTreeRegressorCV(Tuned, TreeRegressor):
    """An optimal tree of numbers whose depth and complexity are chosen by cross-validation.

    For each depth and fold the exact complexity path is computed once: it holds the optimal tree of every ``ccp_alpha``. The mean score is
    then a step function of alpha; the middle of its best step is taken, and the tree for it is trained on all rows. Among depths of equal
    score the smallest wins. The command ``treewright tune`` chooses in the same way. Needs scikit-learn.

    Parameters
    ----------
    criterion : {'squared_error', 'poisson'}, default='squared_error'
        As in :class:`OptimalTreeRegressor`.
    min_samples_leaf : float, default=1
        Every leaf holds at least this many training rows, or this share of them if below 1.
    time_limit : float or None, default=None
        Bounds the mean duration of a path, in seconds: those of a fold share their time. It bounds the final tree once more.
    random_state : int, numpy.random.RandomState, numpy.random.Generator or None, default=None
        Not read: nothing is random but the folds, which ``cv`` makes.
    run : dict or None, default=None
        As in :class:`OptimalTreeRegressor`.
    max_depths : sequence of int or 'auto', default='auto'
        Depths to try. 'auto' = 1, 2 and 3.
    cv : int, cross-validation splitter or iterable of (train, test) indices, default=5
        Folds, as in scikit-learn; an int means folds of neighboring rows, so shuffle rows that are sorted, or give ``KFold(5,
        shuffle=True)``.
    scoring : str, callable or None, default=None
        What to maximize, as in scikit-learn: 'r2', 'neg_root_mean_squared_error', 'neg_mean_absolute_error', ... None = R2 or, with
        ``criterion="poisson"``, minus the mean Poisson deviance, which is infinite where an event is seen and the leaf's rate is 0: there
        ``min_samples_leaf`` helps. With exposures a scorer compares rates, weighted by exposure.
    rule : "best", "sparse" or "one-se", default="best"
        "best" takes the highest mean score, "sparse" the fewest features among the steps of at least 0.975 of it, "one-se" the fewest
        splits among the steps within one standard error of it (Breiman et al. 1984).
    n_jobs : int or None, default=None
        Folds to work on at a time, through joblib. Each fold runs on one thread.
    verbose : bool, default=False
        Print the table of all trees that enter the choice.

    Attributes
    ----------
    best_params_ : dict
        ``max_depth`` and ``ccp_alpha``: :class:`OptimalTreeRegressor` finds the same tree with these.
    best_reason_ : str
        Why these were chosen.
    path_status_ : str
        "optimal" when every path was proved to its end, else the limit that was reached.
    best_score_ : float
        Mean score over the folds.
    cv_results_ : dict of ndarray of shape (n_steps,)
        ``max_depth``, ``alpha_low``, ``alpha_high``, ``mean_test_score``, ``standard_error``, ``mean_features``, ``mean_splits``: the steps
        of the mean score.
    n_features_in_, feature_names_in_, tree_, result_, feature_importances_
        As in :class:`OptimalTreeRegressor`.

    Examples
    --------
    >>> import numpy as np
    >>> from treewright import OptimalTreeRegressorCV
    >>> X = np.arange(40.0).reshape(-1, 1) % 8
    >>> OptimalTreeRegressorCV(max_depths=(1, 2)).fit(X, (X[:, 0] > 3) * 10.0).best_params_["max_depth"]
    1
    """

    _method = "oct"
    _run: ClassVar[dict[str, Any]] = {"stall_limit": None, "node_limit": None, "disable": None, "proof": None, "verify": "auto"}
    _single = OptimalTreeRegressor

    @understanding
    def __init__(
        self,
        *,
        criterion: Literal["squared_error", "poisson"] = "squared_error",
        min_samples_leaf: float = 1,
        time_limit: float | None = None,
        random_state: Any = None,
        run: Mapping[str, Any] | None = None,
        max_depths: Iterable[int] | Literal["auto"] = "auto",
        cv: Any = 5,
        scoring: str | Callable[..., float] | None = None,
        rule: Literal["best", "sparse", "one-se"] = "best",
        n_jobs: int | None = None,
        verbose: bool = False,
    ) -> None:
        self.criterion = criterion
        self.min_samples_leaf = min_samples_leaf
        self.time_limit = time_limit
        self.random_state = random_state
        self.run = run
        self.max_depths = max_depths
        self.cv = cv
        self.scoring = scoring
        self.rule = rule
        self.n_jobs = n_jobs
        self.verbose = verbose

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, exposure: Any = None) -> OptimalTreeRegressorCV:
        """Chooses depth and alpha, and keeps the tree of all rows for them.

        Parameters, errors and warnings as in :meth:`OptimalTreeRegressor.fit`.

        Returns
        -------
        self
            The fitted estimator.

        Raises
        ------
        KeyboardInterrupt
            On Ctrl-C, as of any cross-validation: there is no tree before all folds are scored.
        """
        self._tuned(lambda: self._tune(X, y, sample_weight, exposure))
        return self

    def _tune(self, X: Any, y: Any, sample_weight: Any, exposure: Any) -> None:
        from sklearn.metrics import check_scoring

        options_of_run(self.run, self._run)
        self._training_data(X, y, sample_weight, exposure)
        X, y = rows_as_given(X, y)
        weights, at_risk = (
            None if item is None else np.broadcast_to(np.asarray(item, dtype=np.float64), len(y)) for item in (sample_weight, exposure)
        )
        common = self._common()
        template = self._single(**common, n_jobs=1)
        by_deviance = self.criterion == "poisson" and self.scoring is None
        scorer = None if by_deviance else check_scoring(template, scoring=self.scoring)
        usual = OptionSet({"method": self._method}).depth(2)
        data = NumberRows(X, y, weights, at_risk)
        splits = self._folds(y, X, False)
        self._cross_validate(template, usual, data, splits, scorer, "explained", "deviance" if by_deviance else "")
        final = self._single(**{**common, **self.best_params_}, n_jobs=self.n_jobs or 1)
        self._result = final.fit(X, y, weights, at_risk)._result
