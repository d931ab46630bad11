import os

# Array types of other libraries are part of scikit-learn's checks only when scipy is told so before it is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

import numpy as np
import pytest


@pytest.fixture(scope="module")
def running():
    """A dask cluster of two processes, and its client."""
    dask = pytest.importorskip("dask")
    distributed = pytest.importorskip("dask.distributed")
    # Otherwise the scheduler takes back what it regards as spare copies of scattered data.
    with (
        dask.config.set({"distributed.scheduler.active-memory-manager.start": False}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local,
        distributed.Client(local) as client,
    ):
        yield local, client


@pytest.fixture
def noise():
    """Labels that no small tree explains: 300 rows, 10 features."""
    random = np.random.RandomState(0)
    return random.rand(300, 10), random.randint(0, 2, 300)
