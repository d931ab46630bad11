"""scikit-learn's own checks, all of them, none excused."""

import pytest

pytest.importorskip("sklearn")

from sklearn.utils.estimator_checks import parametrize_with_checks

from treewright import OptimalTreeClassifier, OptimalTreeClassifierCV


@parametrize_with_checks(
    [
        OptimalTreeClassifier(),
        OptimalTreeClassifier(method="cart"),
        OptimalTreeClassifier(max_depth=2, ccp_alpha=0.02, class_weight="balanced"),
        OptimalTreeClassifierCV(max_depths=(1, 2), cv=3),
    ]
)
@pytest.mark.filterwarnings("ignore")
def test_check(estimator, check):
    check(estimator)
