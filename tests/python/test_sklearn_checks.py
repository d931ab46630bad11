"""scikit-learn's own checks, all of them, on each estimator and on some with other parameters."""

import inspect

import pytest

pytest.importorskip("sklearn")

from sklearn.base import ClassifierMixin, RegressorMixin
from sklearn.utils.estimator_checks import parametrize_with_checks

import treewright
from treewright import (
    AutoTreeClassifier,
    FairTreeClassifier,
    HyperplaneTreeClassifier,
    HyperplaneTreeClassifierCV,
    MIPTreeClassifier,
    OptimalTreeClassifier,
    OptimalTreeRegressorCV,
    PartitionTreeClassifier,
)


def has_solver():
    """Whether this build has HiGHS."""
    try:
        MIPTreeClassifier(max_depth=0).fit([[0.0], [1.0]], [0, 1])
    except ValueError as refused:
        assert "has no HiGHS" in str(refused)
        return False
    return True


# Every class of the package that scikit-learn takes for a classifier.
NAMED = [getattr(treewright, name) for name in treewright.__all__]
REGRESSORS = [kind for kind in NAMED if isinstance(kind, type) and issubclass(kind, RegressorMixin)]
CLASSES = [kind for kind in NAMED if isinstance(kind, type) and issubclass(kind, ClassifierMixin)]
NEED_SOLVER = (MIPTreeClassifier, FairTreeClassifier)
# The others are as they are by default. These fit dozens of trees for one, in each of some fifty checks.
SMALLER = {
    AutoTreeClassifier: {"max_depth": 2, "restarts": 0},
    HyperplaneTreeClassifierCV: {"max_depths": (1, 2), "restarts": 0},
    OptimalTreeRegressorCV: {"max_depths": (1, 2)},
}

ESTIMATORS = [
    *(kind(**SMALLER.get(kind, {})) for kind in CLASSES + REGRESSORS if has_solver() or kind not in NEED_SOLVER),
    OptimalTreeClassifier(max_depth=2, ccp_alpha=0.02, class_weight="balanced"),
    HyperplaneTreeClassifier(method="cart-h", max_depth=2),
    HyperplaneTreeClassifier(method="logistic-h", max_depth=2),
    HyperplaneTreeClassifierCV(method="tao", max_depths=(1, 2), restarts=0),
]


def test_all_estimators_are_checked():
    assert len(CLASSES) == 11
    assert len(REGRESSORS) == 3


# These make groups of rows, clusters or folds. A row of weight 2 is one row there, two equal rows are two: of equally good trees they may
# then find another one, or choose other probabilities.
BY_ROWS = (PartitionTreeClassifier, AutoTreeClassifier, HyperplaneTreeClassifier)


def expected_failures(estimator):
    names = [f"check_sample_weight_equivalence_on_{kind}_data" for kind in ("dense", "sparse")]
    return dict.fromkeys(names, "a row of weight 2 is not trained on as two rows") if isinstance(estimator, BY_ROWS) else {}


# Earlier versions of scikit-learn neither have that check nor take such a list.
tells_failures = "expected_failed_checks" in inspect.signature(parametrize_with_checks).parameters


@parametrize_with_checks(ESTIMATORS, **({"expected_failed_checks": expected_failures} if tells_failures else {}))
@pytest.mark.filterwarnings("ignore")
def test_check(estimator, check):
    check(estimator)
