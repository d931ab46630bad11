"""An estimator that compares settings before it trains: what they scored."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._base import TreeClassifier
from ._compat import check_is_fitted

Array = NDArray[Any]

# Of an option's text: what it stands for.
_TYPES = {"max_depth": int, "restarts": int}


class ComparedClassifier(TreeClassifier):
    """The estimator, without its keywords, that chooses among methods and their options."""

    @property
    def cv_results_(self) -> dict[str, Any]:
        """The candidates, best first, and what they scored: see the class."""
        check_is_fitted(self)
        candidates = self._result.candidates()
        return {
            "params": [
                {"method": one["method"], **{name: _TYPES.get(name, float)(value) for name, value in one["options"]}} for one in candidates
            ],
            "mean_test_score": np.array([-one["cost"] if "cost" in one else one.get("score", one["accuracy"]) for one in candidates]),
            "behind": np.array([one["behind"] for one in candidates]),
            "standard_error": np.array([one["standard_error"] for one in candidates]),
            "mean_splits": np.array([one["splits"] for one in candidates]),
            "mean_features": np.array([one["features"] for one in candidates]),
            "n_parts": np.array([one["parts"] for one in candidates]),
            "fit_seconds": np.array([one["seconds"] for one in candidates]),
            "reason": [one["reason"] for one in candidates],
        }
