"""Beyond one process: dask workers, one of which dies in the middle of its work."""

import itertools
import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("dask.distributed")
pytest.importorskip("sklearn")

from joblib import parallel_backend
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import GridSearchCV, StratifiedKFold

from treewright import OptimalTreeClassifier, OptimalTreeClassifierCV

X, Y = load_breast_cancer(return_X_y=True)
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def cluster(running):
    """Two live workers: with one, joblib would not ask dask at all. A killed one is replaced after a moment."""
    local, client = running
    client.wait_for_workers(2, timeout=120)
    return local


def deadly(marker):
    """A scorer that kills the worker it runs on, once for each marker file."""

    tester = os.getpid()

    def score(estimator, rows, labels):
        assert os.getpid() != tester, "the work was not given to the cluster"
        try:
            os.close(os.open(marker, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            return float(np.mean(estimator.predict(rows) == labels))
        os.kill(os.getpid(), signal.SIGKILL)
        raise AssertionError("not reached")

    return score


def pids(cluster):
    return {nanny.pid for nanny in cluster.workers.values()}


def test_cv_survives_a_worker(cluster, tmp_path):
    marker, before = tmp_path / "killed", pids(cluster)
    with parallel_backend("dask"):
        spread = OptimalTreeClassifierCV(max_depths=(1, 2), cv=4, scoring=deadly(str(marker))).fit(X, Y)
    assert marker.exists()
    assert pids(cluster) != before, "no worker died"
    alone = OptimalTreeClassifierCV(max_depths=(1, 2), cv=4).fit(X, Y)
    assert spread.best_params_ == alone.best_params_
    for name, column in alone.cv_results_.items():
        assert np.array_equal(spread.cv_results_[name], column), name
    assert np.array_equal(spread.tree_.threshold, alone.tree_.threshold)
    assert np.array_equal(spread.predict(X), alone.predict(X))


def test_grid_search_survives_a_worker(cluster, tmp_path):
    marker = tmp_path / "killed"
    grid = {"max_depth": [1, 2], "min_samples_leaf": [1, 5]}
    # Whatever joblib would lay on one worker alone must lie on all of them: data and indices die with their only worker.
    folds = list(StratifiedKFold(3).split(X, Y))
    with parallel_backend("dask", scatter=[X, Y, *itertools.chain(*folds)]):
        spread = GridSearchCV(OptimalTreeClassifier(), grid, cv=folds, scoring=deadly(str(marker)), refit=False).fit(X, Y)
    assert marker.exists()
    alone = GridSearchCV(OptimalTreeClassifier(), grid, cv=folds, refit=False).fit(X, Y)
    assert np.array_equal(spread.cv_results_["mean_test_score"], alone.cv_results_["mean_test_score"])


def test_example_runs():
    example = Path(__file__).parents[2] / "examples" / "dask_cluster.py"
    done = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, timeout=300, check=False)
    assert "accuracy over the folds 0." in done.stdout, done.stderr
