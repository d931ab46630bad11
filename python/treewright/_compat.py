"""scikit-learn where it is installed, else the few pieces of it that an estimator needs."""

from __future__ import annotations

import importlib.util
import inspect
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[Any]

HAVE_SKLEARN = importlib.util.find_spec("sklearn") is not None


def as_vector(y: Any) -> Array:
    """Labels as a vector, also from a column."""
    y = np.asarray(y)
    return y.ravel() if y.ndim == 2 and y.shape[1] == 1 else y


def as_plain(y: Any) -> Any:
    """Whole numbers and truth values of pandas' own types as NumPy's, which scikit-learn would make floats of: classes 0.0 and 1.0."""
    kinds = {"b": np.bool_, "i": np.int64, "u": np.uint64}
    dtype = getattr(y, "dtype", None)
    kind = kinds.get(getattr(dtype, "kind", ""))
    return y if kind is None or isinstance(dtype, np.dtype) or y.isna().any() else y.to_numpy(dtype=kind)


def refuse_moments(y: Any) -> None:
    """Raises ValueError where y holds dates or durations: as numbers they would be nanoseconds, and missing ones the least of all."""
    if np.asarray(y).dtype.kind in "mM":
        raise ValueError("y: dates and durations are no numbers (give a number of days, of durations y.dt.days)")


def refuse_no_moment(y: Any) -> None:
    """Raises ValueError where y holds NaT, which is no class."""
    moments = np.asarray(y)
    if moments.dtype.kind in "mM" and np.isnat(moments).any():
        raise ValueError("Input y contains NaT.")


if HAVE_SKLEARN:
    from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
    from sklearn.exceptions import ConvergenceWarning, NotFittedError
    from sklearn.utils.multiclass import check_classification_targets
    from sklearn.utils.validation import _check_sample_weight, check_is_fitted

    try:
        from sklearn.utils.validation import validate_data
    except ImportError:  # before 1.6

        def validate_data(estimator: Any, *args: Any, ensure_all_finite: Any = True, **kwargs: Any) -> Any:
            return estimator._validate_data(*args, force_all_finite=ensure_all_finite, **kwargs)

    try:
        from sklearn.utils.validation import _check_feature_names
    except ImportError:  # before 1.6

        def _check_feature_names(estimator: Any, X: Any, *, reset: bool) -> None:
            estimator._check_feature_names(X, reset=reset)

    def check_names(estimator: Any, X: Any) -> None:
        """Raises ValueError unless X has the columns of the training data, in their order."""
        _check_feature_names(estimator, X, reset=False)

    def check_training(estimator: Any, X: Any, y: Any) -> tuple[Array, Array]:
        """X as a float matrix that may hold NaN, y as a vector of class labels; sets n_features_in_ and feature_names_in_."""
        refuse_no_moment(y)
        X, y = validate_data(estimator, X, y, dtype=[np.float64, np.float32], ensure_all_finite="allow-nan", ensure_min_samples=2)
        check_classification_targets(y)
        return X, y

    def check_number_training(estimator: Any, X: Any, y: Any) -> tuple[Array, Array]:
        """As check_training, y as a vector of numbers."""
        refuse_moments(y)
        kinds = [np.float64, np.float32]
        X, y = validate_data(estimator, X, y, dtype=kinds, ensure_all_finite="allow-nan", ensure_min_samples=2, y_numeric=True)
        return X, np.asarray(y, dtype=np.float64)

    def check_rows(estimator: Any, X: Any) -> Array:
        """X as a float matrix with the features of the training data."""
        return np.asarray(validate_data(estimator, X, dtype=[np.float64, np.float32], ensure_all_finite="allow-nan", reset=False))

    def check_weights(sample_weight: Any, X: Array) -> Array:
        """One float64 weight for each row."""
        return np.asarray(_check_sample_weight(sample_weight, X, dtype=np.float64))

else:

    class NotFittedError(ValueError, AttributeError):  # type: ignore[no-redef]
        """Raised when an estimator is used before fit."""

    class ConvergenceWarning(UserWarning):  # type: ignore[no-redef]
        """Stands in for scikit-learn's."""

    class BaseEstimator:  # type: ignore[no-redef]
        """Parameters by name, as scikit-learn's."""

        def _parameter_names(self) -> list[str]:
            return [name for name in inspect.signature(type(self).__init__).parameters if name != "self"]

        def get_params(self, deep: bool = True) -> dict[str, Any]:
            """The parameters as a dict."""
            return {name: getattr(self, name) for name in self._parameter_names()}

        def set_params(self, **params: Any) -> Any:
            """Sets parameters by name; returns self."""
            for name, value in params.items():
                if name not in self._parameter_names():
                    raise ValueError(
                        f"Invalid parameter {name!r} for estimator {type(self).__name__}. Valid parameters are: {self._parameter_names()}."
                    )
                setattr(self, name, value)
            return self

        def __repr__(self) -> str:
            defaults = inspect.signature(type(self).__init__).parameters
            changed = (f"{name}={value!r}" for name, value in self.get_params().items() if value is not defaults[name].default)
            return f"{type(self).__name__}({', '.join(changed)})"

    class ClassifierMixin:  # type: ignore[no-redef]
        """Accuracy as the score, as scikit-learn's."""

        _estimator_type = "classifier"

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
            """Share of the weight that is labeled right."""
            predicted, y = np.asarray(self.predict(X)), as_vector(y)  # type: ignore[attr-defined]
            if len(predicted) != len(y):
                raise ValueError(f"Found input variables with inconsistent numbers of samples: [{len(predicted)}, {len(y)}]")
            right = predicted == y
            return float(np.average(right, weights=sample_weight))

    class RegressorMixin:  # type: ignore[no-redef]
        """R2 as the score, as scikit-learn's."""

        _estimator_type = "regressor"

        def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
            """1 - squared error / that of the mean of y."""
            predicted, y = np.asarray(self.predict(X)), as_vector(y)  # type: ignore[attr-defined]
            if len(predicted) != len(y):
                raise ValueError(f"Found input variables with inconsistent numbers of samples: [{len(predicted)}, {len(y)}]")
            error = np.average((y - predicted) ** 2, weights=sample_weight)
            spread = np.average((y - np.average(y, weights=sample_weight)) ** 2, weights=sample_weight)
            return float(1 - error / spread) if spread > 0 else float(error == 0)

    def check_is_fitted(estimator: Any) -> None:
        """Raises NotFittedError before fit."""
        if not estimator.__sklearn_is_fitted__():
            raise NotFittedError(f"This {type(estimator).__name__} instance is not fitted yet: call 'fit' first.")

    def _matrix(X: Any) -> Array:
        X = np.asarray(X)
        if X.dtype.kind == "c":
            raise ValueError("Complex data not supported")
        if X.dtype != np.float32:
            X = X.astype(np.float64)
        if X.ndim != 2:
            raise ValueError(f"Expected 2D array, got {X.ndim}D array instead. Reshape your data, e.g. with X.reshape(-1, 1).")
        if np.isinf(X).any():
            raise ValueError("Input X contains infinity: replace it by a large number or NaN.")
        return X

    def _names_of(X: Any) -> list[str] | None:
        columns = getattr(X, "columns", None)
        return [str(name) for name in columns] if columns is not None and all(isinstance(name, str) for name in columns) else None

    def _check_both(estimator: Any, X: Any, y: Any) -> tuple[Array, Array]:
        if y is None:
            raise ValueError(f"{type(estimator).__name__} requires y to be passed, but the target y is None")
        names = _names_of(X)
        X, y = _matrix(X), np.asarray(y)
        if y.ndim == 2 and y.shape[1] == 1:
            y = y[:, 0]
        if y.ndim != 1 or len(y) != len(X):
            raise ValueError(f"Found input variables with inconsistent numbers of samples: X has shape {X.shape}, y has shape {y.shape}.")
        if len(X) < 2 or X.shape[1] < 1:
            raise ValueError(f"Found array with shape {X.shape}: at least 2 samples and 1 feature are needed.")
        estimator.n_features_in_ = X.shape[1]
        if names is not None:
            estimator.feature_names_in_ = np.asarray(names, dtype=object)
        elif hasattr(estimator, "feature_names_in_"):
            del estimator.feature_names_in_
        return X, y

    def check_training(estimator: Any, X: Any, y: Any) -> tuple[Array, Array]:
        """X as a float matrix that may hold NaN, y as a vector of class labels; sets n_features_in_ and feature_names_in_."""
        refuse_no_moment(y)
        X, y = _check_both(estimator, X, y)
        if y.dtype.kind == "f" and (not np.isfinite(y).all() or (y != np.floor(y)).any()):
            raise ValueError("Unknown label type: y holds continuous or missing values, classes are needed.")
        return X, y

    def check_number_training(estimator: Any, X: Any, y: Any) -> tuple[Array, Array]:
        """As check_training, y as a vector of numbers."""
        refuse_moments(y)
        X, y = _check_both(estimator, X, y)
        y = y.astype(np.float64)
        if not np.isfinite(y).all():
            raise ValueError("Input y contains NaN or infinity.")
        return X, y

    def check_names(estimator: Any, X: Any) -> None:
        """Raises ValueError unless X has the columns of the training data, in their order."""
        names, known = _names_of(X), getattr(estimator, "feature_names_in_", None)
        if names is not None and known is not None and list(known) != names:
            raise ValueError("The feature names should match those that were passed during fit, in the same order.\n")

    def check_rows(estimator: Any, X: Any) -> Array:
        """X as a float matrix with the features of the training data."""
        check_names(estimator, X)
        X = _matrix(X)
        if X.shape[1] != estimator.n_features_in_:
            raise ValueError(
                f"X has {X.shape[1]} features, but {type(estimator).__name__} is expecting {estimator.n_features_in_} features as input"
            )
        return X

    def check_weights(sample_weight: Any, X: Array) -> Array:
        """One float64 weight for each row."""
        weights = np.ones(len(X)) if sample_weight is None else np.asarray(sample_weight, dtype=np.float64)
        if weights.ndim == 0:
            weights = np.full(len(X), float(weights))
        if weights.shape != (len(X),):
            raise ValueError(f"sample_weight.shape == {weights.shape}, expected {(len(X),)}!")
        return weights


def rows_that_count(weights: Array | None, *columns: Any) -> tuple[Any, ...]:
    """The columns, of which some may be None, without the rows of weight 0. As in scikit-learn's trees such a row is no row, neither for
    thresholds nor for ``min_samples_leaf``."""
    if weights is None or (weights != 0).all():
        return columns
    return tuple(None if column is None else column[weights != 0] for column in columns)


class OptimalityWarning(ConvergenceWarning):
    """A limit or Ctrl-C ended the search before the tree was proved optimal."""


class DataWarning(UserWarning):
    """Something in the data can spoil the tree, or what it predicts."""
