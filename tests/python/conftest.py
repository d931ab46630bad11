import os

# Array types of other libraries are part of scikit-learn's checks only when scipy is told so before it is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

import numpy as np
import pytest


@pytest.fixture
def noise():
    """Labels that no small tree explains: 300 rows, 10 features."""
    random = np.random.RandomState(0)
    return random.rand(300, 10), random.randint(0, 2, 300)
