"""The exact search on a dask cluster of two processes: the same tree and bound as on one machine, whatever happens to the workers."""

import copy
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("dask.distributed")

import treewright
from treewright import OptimalityWarning, OptimalSurvivalTree, OptimalTreeClassifier, OptimalTreeRegressor, TreewrightError, export_text
from treewright import distributed as cluster_search


@pytest.fixture
def client(running):
    """Of two live workers. A killed one is replaced after a moment."""
    _, client = running
    client.wait_for_workers(2, timeout=120)
    return client


@pytest.fixture
def sent(monkeypatch):
    """The names of the tasks that were sent, as they are begun."""
    names = []
    begin = cluster_search.Cluster._begin

    def noted(self, task):
        names.append(task.name)
        return begin(self, task)

    monkeypatch.setattr(cluster_search.Cluster, "_begin", noted)
    return names


def rows(count, features, values, classes=2):
    draw = np.random.default_rng(4)
    return draw.integers(0, values, size=(count, features)).astype(float), draw.integers(0, classes, count)


# Data and parameters, and whether some tasks take long enough to be sent.
RUNS = [
    (rows(2500, 6, 500), {"max_depth": 3}, False),
    (rows(2000, 3, 150), {"max_depth": 4}, True),
    (rows(500, 5, 100, classes=3), {"max_depth": 4, "min_samples_leaf": 5, "ccp_alpha": 0.002}, False),
    (rows(200, 3, 100), {"max_depth": 5, "class_weight": {0: 1, 1: 2}}, True),
]
LONG, LONG_PARAMETERS = rows(300, 3, 100), {"max_depth": 5}


def same(tree, other):
    assert export_text(tree) == export_text(other)
    assert (tree.status_, tree.objective_, tree.bound_) == (other.status_, other.objective_, other.bound_)


@pytest.mark.parametrize("number", range(len(RUNS)))
def test_same_tree_and_bound_as_alone(client, sent, number):
    data, parameters, long = RUNS[number]
    spread = cluster_search.fit(*data, client=client, **parameters)
    assert isinstance(spread, OptimalTreeClassifier)
    assert spread.get_params() == OptimalTreeClassifier(**parameters).get_params()
    same(spread, OptimalTreeClassifier(**parameters).fit(*data))
    assert spread.result_.threads == 2
    if long:
        assert any(name.startswith("cut-f") for name in sent)


def numbers():
    X, _ = rows(250, 4, 40)
    draw = np.random.default_rng(9)
    y = np.round(X[:, 0] * X[:, 1] / 40 + 8 * draw.normal(size=len(X)), 1)
    time = np.round(draw.exponential(1 + X[:, 0]), 2) + 0.01
    censored = np.array(list(zip(draw.random(len(X)) < 0.7, time, strict=True)), dtype=[("event", bool), ("time", float)])
    return [
        (OptimalTreeRegressor(max_depth=4), (X, y), {}),
        (OptimalTreeRegressor(max_depth=3, criterion="poisson"), (X, draw.poisson(1 + X[:, 0] / 8)), {"exposure": draw.random(250) + 0.1}),
        (OptimalSurvivalTree(max_depth=3), (X, censored), {}),
    ]


@pytest.mark.parametrize("which", range(3))
def test_numbers_rates_and_times_are_those_of_one_machine(client, sent, which):
    estimator, data, more = numbers()[which]
    alone = copy.deepcopy(estimator).fit(*data, **more)
    spread = cluster_search.fit(*data, client=client, estimator=estimator, **more)
    assert not hasattr(estimator, "result_") and isinstance(spread, type(estimator))
    same(spread, alone)
    if estimator.max_depth == 4:
        assert any(name.startswith("cut-f") for name in sent)


def test_takes_frames_dask_collections_and_the_current_client(client):
    frame = pytest.importorskip("pandas").DataFrame(RUNS[0][0][0][:300], columns=list("abcdef"))
    y = np.where(frame["a"] > 250, "yes", "no")
    weights = np.linspace(1, 2, 300)
    alone = OptimalTreeClassifier(max_depth=2).fit(frame, y, weights)
    same(cluster_search.fit(frame, y, weights, max_depth=2), alone)
    array = pytest.importorskip("dask.array")
    same(
        cluster_search.fit(array.from_array(frame.to_numpy(), chunks=100), array.from_array(y), weights, max_depth=2),
        OptimalTreeClassifier(max_depth=2).fit(frame.to_numpy(), y, weights),
    )


def test_a_killed_worker_loses_nothing(running, client, sent):
    data, parameters = LONG, LONG_PARAMETERS
    alone = OptimalTreeClassifier(**parameters).fit(*data)
    local, _ = running
    killed = []

    def kill():
        while len(sent) < 10:
            time.sleep(0.01)
        worker = next(iter(local.workers.values()))
        killed.append(worker.pid)
        os.kill(worker.pid, signal.SIGKILL)

    killer = threading.Thread(target=kill)
    killer.start()
    spread = cluster_search.fit(*data, client=client, **parameters)
    killer.join(timeout=60)
    assert killed
    same(spread, alone)


def test_checkpoints_serve_both(client, sent, tmp_path):
    data, parameters = LONG, LONG_PARAMETERS
    undisturbed = OptimalTreeClassifier(**parameters).fit(*data)
    here, there = {"checkpoint": tmp_path / "here"}, {"checkpoint": tmp_path / "there"}
    limit, go_on = {"node_limit": undisturbed_work(data, parameters) // 2}, {"on_existing": "resume"}
    with pytest.warns(OptimalityWarning):
        cluster_search.fit(*data, client=client, **parameters, run=there | limit)
        OptimalTreeClassifier(**parameters, run=here | limit).fit(*data)
    size = (tmp_path / "there").stat().st_size
    same(OptimalTreeClassifier(**parameters, run=there | go_on).fit(*data), undisturbed)
    assert (tmp_path / "there").stat().st_size > size
    sent.clear()
    same(cluster_search.fit(*data, client=client, **parameters, run=here | go_on), undisturbed)
    again = len(sent)
    assert again > 0
    sent.clear()
    same(cluster_search.fit(*data, client=client, **parameters, run=here | go_on), undisturbed)
    # Tasks of less than two milliseconds are not kept.
    assert len(sent) < again / 2


def undisturbed_work(data, parameters):
    work = []
    OptimalTreeClassifier(**parameters, callback=lambda news: work.append(news.subproblems)).fit(*data)
    return max(work)


def test_a_limit_stops_it_and_the_workers(client, sent):
    start = time.monotonic()
    with pytest.warns(OptimalityWarning, match="limit on time"):
        tree = cluster_search.fit(*rows(1000, 3, 200), client=client, max_depth=5, time_limit=6)
    assert time.monotonic() - start < 20
    assert tree.bound_ <= tree.objective_
    assert sent
    # The workers are free again.
    assert client.submit(sum, [1, 2], pure=False).result(timeout=20) == 3
    assert not client.run(lambda dask_worker: [name for name in dask_worker.plugins if name.startswith("treewright")], wait=True)[
        next(iter(client.nthreads()))
    ]


def test_errors_say_what_to_do(client, monkeypatch):
    data = RUNS[1][0]
    with pytest.raises(TypeError, match="depth"):
        cluster_search.fit(*data, client=client, depth=3)
    # A task that is none: the error comes from the worker.
    monkeypatch.setattr(cluster_search, "_solve", lambda *_: treewright._running.TaskSolver(b"?"))
    with pytest.raises(TreewrightError, match="cluster: the problem is damaged"):
        cluster_search.fit(*data, client=client, max_depth=4)
    monkeypatch.setattr(cluster_search, "VERSION", "99.0.0")
    with pytest.raises(TreewrightError, match=r"has treewright .*, and this program 99.0.0 \(install the same version"):
        cluster_search.fit(*data, client=client, max_depth=4)


def command(*arguments, python=sys.executable):
    file = Path(treewright.__file__).with_name("treewright")
    if not file.exists():
        pytest.skip("the package holds no command")
    environment = {**os.environ, "TREEWRIGHT_PYTHON": python}
    return subprocess.run([file, "fit", *arguments], capture_output=True, text=True, timeout=300, check=False, env=environment)


def test_command(running, client, tmp_path):
    data = tmp_path / "data.csv"
    X, y = LONG
    np.savetxt(data, np.column_stack([X, y]), "%d", ",", header="a,b,c,class", comments="")
    local, _ = running
    depth = ("--max-depth", str(LONG_PARAMETERS["max_depth"]))
    spread = command(data, *depth, "--out", tmp_path / "tree.json", "--dask", local.scheduler_address)
    assert "status    optimal" in spread.stdout, spread.stderr
    alone = command(data, *depth)
    assert spread.stdout.partition("seconds")[0] == alone.stdout.partition("seconds")[0]
    assert "(2 threads)" in spread.stdout
    greedy = command(data, "--method", "cart", "--dask", local.scheduler_address)
    assert greedy.returncode == 2 and "cart does not run on several machines" in greedy.stderr
    nowhere = command(data, "--dask", "tcp://127.0.0.1:1")
    assert nowhere.returncode == 3 and "no scheduler answers at tcp://127.0.0.1:1 (give the address" in nowhere.stderr
    for python in ("/no/such/python", "/bin/false"):
        missing = command(data, "--dask", local.scheduler_address, python=python)
        assert missing.returncode == 2 and "does not run (pip install 'treewright[dask]'" in missing.stderr


def test_without_a_client_or_dask():
    def run(code):
        return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=False).stderr

    assert "pip install 'treewright[dask]'" in run("import sys; sys.modules['dask.distributed'] = None; import treewright.distributed")
    told = run("from treewright.distributed import fit; fit([[0], [1]], [0, 1])")
    assert "client: there is none (give one: client=dask.distributed.Client(" in told
