"""scikit-learn's own checks, all of them, on each estimator at its defaults and on some others: about 80 s of CPU time at the defaults."""

import inspect

import pytest

pytest.importorskip("sklearn")

from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import (
    AutoTreeClassifier,
    FairTreeClassifier,
    HyperplaneTreeClassifier,
    HyperplaneTreeClassifierCV,
    MargotClassifier,
    MIPTreeClassifier,
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    PartitionTreeClassifier,
    SVM1TreeClassifier,
)


def has_solver():
    """Whether this build has HiGHS."""
    try:
        MIPTreeClassifier(max_depth=0).fit([[0.0], [1.0]], [0, 1])
    except ValueError as refused:
        assert "has no HiGHS" in str(refused)
        return False
    return True


ESTIMATORS = [
    OptimalTreeClassifier(),
    OptimalTreeClassifier(method="cart"),
    OptimalTreeClassifier(max_depth=2, ccp_alpha=0.02, class_weight="balanced"),
    OptimalTreeClassifierCV(),
    HyperplaneTreeClassifier(),
    HyperplaneTreeClassifier(method="cart-h", max_depth=2),
    MargotClassifier(),
    SVM1TreeClassifier(),
    PartitionTreeClassifier(),
    *([MIPTreeClassifier(), FairTreeClassifier()] if has_solver() else []),
    AutoTreeClassifier(),
    HyperplaneTreeClassifierCV(method="tao", max_depths=(1, 2), restarts=0),
]

# Both make groups of rows, clusters or folds. A row of weight 2 is one row there, two equal rows are two: of equally good trees they may
# then find another one.
BY_ROWS = (PartitionTreeClassifier, AutoTreeClassifier)


def expected_failures(estimator):
    name = "check_sample_weight_equivalence_on_dense_data"
    return {name: "a row of weight 2 is not trained on as two rows"} if isinstance(estimator, BY_ROWS) else {}


# Earlier versions of scikit-learn neither have that check nor take such a list.
tells_failures = "expected_failed_checks" in inspect.signature(parametrize_with_checks).parameters


@parametrize_with_checks(ESTIMATORS, **({"expected_failed_checks": expected_failures} if tells_failures else {}))
@pytest.mark.filterwarnings("ignore")
def test_check(estimator, check):
    check(estimator)
