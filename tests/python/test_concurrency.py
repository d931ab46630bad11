"""Threads, forks and worker processes: the same trees as alone."""

import contextlib
import multiprocessing
import os
import pathlib
import subprocess
import sys
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import treewright as tw

SOAK = pathlib.Path(__file__).parents[1] / "soak" / "soak.py"


@pytest.fixture(scope="module")
def rows():
    random = np.random.RandomState(1)
    X = random.rand(200, 5)
    return X, ((X[:, 0] < 0.5) ^ (X[:, 1] < 0.3) ^ (random.rand(200) < 0.1)).astype(int)


def nodes_of(estimator):
    tree = estimator.tree_
    return [list(map(float, values)) for values in (tree.feature, tree.threshold, tree.children_left, tree.value.ravel())]


def fitted_nodes(depth, X, y):
    return nodes_of(tw.OptimalTreeClassifier(max_depth=depth, n_jobs=1).fit(X, y))


def in_child(work):
    """Exit code of a forked child that does the work."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Python 3.12 warns of forks beside threads, which is what is tested
        child = os.fork()
    if child == 0:
        try:
            os._exit(0 if work() else 1)
        finally:
            os._exit(2)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def test_many_threads_use_one_tree(rows):
    X, y = rows
    tree = tw.OptimalTreeClassifier(max_depth=2).fit(X, y)
    labels, shares, text = tree.predict(X), tree.predict_proba(X), tree.to_json()

    def use(_):
        return np.array_equal(tree.predict(X), labels) and np.array_equal(tree.predict_proba(X), shares) and tree.to_json() == text

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(use, range(400)))


def test_threads_that_train_at_once_get_the_trees_of_one_alone(rows):
    alone = {depth: fitted_nodes(depth, *rows) for depth in (1, 2, 3)}
    depths = [1, 2, 3] * 8
    with ThreadPoolExecutor(6) as pool:
        assert list(pool.map(lambda depth: fitted_nodes(depth, *rows), depths)) == [alone[depth] for depth in depths]


class EnoughError(Exception):
    """Ends a fit from its callback."""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_a_child_forked_while_a_thread_trains_trains_too(rows):
    expected = fitted_nodes(2, *rows)
    noise = np.random.RandomState(0).rand(300, 10), np.random.RandomState(2).randint(0, 2, 300)
    enough = threading.Event()

    def stop(_):
        if enough.is_set():
            raise EnoughError

    def train():
        with contextlib.suppress(EnoughError):
            tw.OptimalTreeClassifier(max_depth=6, time_limit=60, n_jobs=2, callback=stop).fit(*noise)

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tw.OptimalityWarning)
        busy = threading.Thread(target=train)
        busy.start()
        assert [in_child(lambda: fitted_nodes(2, *rows) == expected) for _ in range(5)] == [0] * 5
        assert busy.is_alive(), "the children were forked beside a running fit"
        enough.set()
        busy.join()


@pytest.mark.parametrize("start", ["fork", "spawn"])
def test_worker_processes_train(rows, start):
    if start not in multiprocessing.get_all_start_methods():
        pytest.skip(f"no {start} here")
    expected = fitted_nodes(2, *rows)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        with multiprocessing.get_context(start).Pool(2) as pool:
            assert pool.starmap(fitted_nodes, [(2, *rows)] * 4) == [expected] * 4


def test_joblib_workers_train_and_send_the_trees_back(rows):
    joblib = pytest.importorskip("joblib")
    X, y = rows
    alone = tw.OptimalTreeClassifier(max_depth=2, n_jobs=1).fit(X, y)
    for backend in ("loky", "threading", "multiprocessing"):
        trees = joblib.Parallel(n_jobs=2, backend=backend)(
            joblib.delayed(tw.OptimalTreeClassifier(max_depth=2, n_jobs=1).fit)(X, y) for _ in range(4)
        )
        assert all(nodes_of(tree) == nodes_of(alone) for tree in trees), backend
        assert all(np.array_equal(tree.predict(X), alone.predict(X)) for tree in trees)


def test_many_fits_from_threads_leave_nothing_behind():
    done = subprocess.run(
        [sys.executable, SOAK, "--fits", "200", "--growth", "30"], capture_output=True, text=True, check=False, timeout=600
    )
    assert done.returncode == 0, done.stdout + done.stderr
