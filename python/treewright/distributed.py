"""Exact search on a dask cluster: ``pip install 'treewright[dask]'``.

The search runs here and hands its long tasks, the cuts of the root and trials of the primal heuristic, to the workers. It asks for them
in the same order as on one machine, and the answers do not depend on who gives them: so tree and bound are the same. Workers may come and
go; dask runs the tasks of a lost worker again.

``python -m treewright.distributed ADDRESS`` is the command's way to a cluster (``treewright fit --dask ADDRESS``): it takes tasks from
standard input and writes answers to standard output, each a line of JSON.
"""

from __future__ import annotations

import contextlib
import copy
import itertools
import json
import sys
import threading
import uuid
from collections.abc import Callable
from typing import Any

try:
    from dask.distributed import Client, Future, Worker, WorkerPlugin, get_client, get_worker
except ImportError as problem:
    raise ImportError("treewright.distributed needs dask.distributed (pip install 'treewright[dask]')") from problem

from ._estimator import OptimalTreeClassifier
from ._library import VERSION, TreewrightError
from ._running import SearchTask, Stop, TaskSolver

__all__ = ["fit"]

_MOST_THREADS = 4096  # the table's limit on n_jobs

# dask's priorities: a task that the search waits for goes before those that it will ask for later.
_WANTED, _EXPECTED = 1, 0


def fit(
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    client: Client | None = None,
    estimator: Any = None,
    exposure: Any = None,
    **parameters: Any,
) -> Any:
    """Trains an :class:`OptimalTreeClassifier`, or another optimal tree, with the workers of a dask cluster.

    Tree, bound and checkpoint are those of one machine. The data must fit into the memory of each worker, which gets a copy.

    Parameters
    ----------
    X : array-like, DataFrame or dask collection of shape (n_samples, n_features)
        Dask collections are gathered.
    y : array-like or dask collection of shape (n_samples,)
        The target, as the estimator takes it.
    sample_weight : array-like or dask collection of shape (n_samples,), optional
    client : dask.distributed.Client, optional
        Default: the current one.
    estimator : OptimalTreeClassifier, OptimalTreeRegressor or OptimalSurvivalTree, optional
        Whose copy is trained, by its parameters and `parameters`. Default: ``OptimalTreeClassifier()``.
    exposure : array-like of shape (n_samples,), optional
        Of an :class:`OptimalTreeRegressor` of rates.
    **parameters
        Keywords of the estimator. ``n_jobs`` is not read: each worker solves as many tasks at once as it has threads.

    Returns
    -------
    estimator
        The fitted copy.

    Raises
    ------
    ValueError
        When the data or a parameter cannot be used, as `fit` of the estimator; when a worker has another version of treewright.

    Warns
    -----
    OptimalityWarning
        When a limit or Ctrl-C ended the search before the tree was proved optimal.

    Notes
    -----
    The names of the tasks on dask's dashboard tell what they are: ``treewright-cut-f3-1250`` solves both sides of a cut of the fourth
    feature, with 1250 cuts before it. A program that was killed can go on, on a cluster or without one, where
    ``run={"checkpoint": file, "on_existing": "resume"}``.

    Examples
    --------
    >>> from dask.distributed import Client
    >>> import treewright.distributed
    >>> with Client(n_workers=2) as client:  # doctest: +SKIP
    ...     tree = treewright.distributed.fit(X, y, client=client, max_depth=4)
    """
    tree = OptimalTreeClassifier(**parameters) if estimator is None else copy.deepcopy(estimator).set_params(**parameters)
    if client is None:
        client = _current_client()
    X, y, sample_weight = (item.compute() if hasattr(item, "compute") else item for item in (X, y, sample_weight))
    at_risk = {} if exposure is None else {"exposure": exposure}
    with Cluster(client) as cluster:
        tree._train(X, y, sample_weight, cluster.ask, n_jobs=cluster.threads(), **at_risk)
    return tree


def _current_client() -> Client:
    try:
        return get_client()
    except ValueError as error:
        what, fix = "there is none", "give one: client=dask.distributed.Client(address of the scheduler)"
        raise TreewrightError(f"client: {what} ({fix})", "client", what, fix) from error


class Cluster:
    """The workers of a cluster, as the search sees them.

    Parameters
    ----------
    client : dask.distributed.Client
    """

    def __init__(self, client: Client) -> None:
        if client.asynchronous:
            what, fix = "it is asynchronous", "give one that was made without asynchronous=True"
            raise TreewrightError(f"client: {what} ({fix})", "client", what, fix)
        self.client = client
        self._lock = threading.Lock()
        self._numbers = itertools.count()
        self._problem = b""
        self._name = ""  # of the problem on the workers
        self._begun: dict[str, tuple[Future, threading.Event]] = {}

    def __enter__(self) -> Cluster:
        self._check_versions()
        return self

    def __exit__(self, *_: object) -> None:
        with self._lock:
            self._forget()

    def threads(self) -> int:
        """Tasks that the workers solve at once, at least one."""
        return min(max(1, sum(self.client.nthreads().values())), _MOST_THREADS)

    def ask(self, task: SearchTask) -> str:
        """Begins the task, unless it has begun, waits at most its seconds, and returns the answer, or "" if it is not there yet."""
        if task.seconds < 0:
            self.give_up(task)
            return ""
        with self._lock:
            future, ended = self._begun.get(task.task) or self._begin(task)
        return self.answer(task, future) if task.seconds > 0 and ended.wait(task.seconds) else ""

    def begin(self, task: SearchTask, after: Callable[[SearchTask, Future], None]) -> None:
        """Begins the task; `after` is called in a thread of dask's when it has ended."""
        with self._lock:
            future, _ = self._begin(task)
        future.add_done_callback(lambda future: after(task, future))

    def give_up(self, task: SearchTask) -> None:
        """Cancels the task, if it has begun and its answer was not taken."""
        with self._lock:
            future, _ = self._begun.pop(task.task, (None, None))
        if future is not None:
            future.cancel()

    def answer(self, task: SearchTask, future: Future) -> str:
        """The answer of a task that has ended. Raises TreewrightError where it failed."""
        try:
            answer: str = future.result()
        except TreewrightError:
            raise
        except Exception as error:
            what = f"the task {task.name} failed: {type(error).__name__}: {error}"
            fix = "see the logs of the workers; a run with a checkpoint can go on from here"
            raise TreewrightError(f"cluster: {what} ({fix})", "cluster", what, fix) from error
        with self._lock:
            self._begun.pop(task.task, None)
        return answer

    def _begin(self, task: SearchTask) -> tuple[Future, threading.Event]:
        problem = task.problem()
        if problem != self._problem:
            self._forget()
            self._problem, self._name = problem, f"treewright-{uuid.uuid4().hex[:8]}"
            self.client.register_plugin(Problem(problem), name=self._name)
        ended = threading.Event()
        key = f"treewright-{task.name}-{self._name[-8:]}-{next(self._numbers)}"
        priority = _WANTED if task.seconds > 0 else _EXPECTED
        future = self.client.submit(_solve, self._name, key, task.task, key=key, pure=False, priority=priority)
        future.add_done_callback(lambda _: ended.set())
        self._begun[task.task] = future, ended
        return future, ended

    def _forget(self) -> None:
        """Ends all tasks, and takes the problem from the workers."""
        self.client.cancel([future for future, _ in self._begun.values()])
        self._begun.clear()
        if self._name:
            self.client.unregister_worker_plugin(self._name)
            self._name = ""

    def _check_versions(self) -> None:
        # A function inside a function is sent as code: the workers may not know this module.
        def version() -> str:
            try:
                import treewright
            except ImportError:
                return ""
            return treewright.__version__

        for worker, found in self.client.run(version).items():
            if found != VERSION:
                has = f"has treewright {found}" if found else "does not have treewright"
                what, fix = f"it {has}, and this program {VERSION}", "install the same version on all machines"
                raise TreewrightError(f"{worker}: {what} ({fix})", worker, what, fix)


class Problem(WorkerPlugin):
    """Rows and limits of a search on a worker. dask also gives it to workers that come later.

    Parameters
    ----------
    problem : bytes
        What ``SearchTask.problem`` has returned.
    """

    def __init__(self, problem: bytes) -> None:
        self._problem = problem

    def setup(self, worker: Worker) -> None:
        # The first task makes the solver: here it would keep the worker from its other duties.
        self._lock = threading.Lock()
        self._solver: TaskSolver | None = None
        self._running: dict[str, Stop] = {}

    def transition(self, key: Any, start: str, finish: str, **_more: Any) -> None:
        # A task that leaves this state before it has ended was cancelled; dask would let it run on.
        if start == "executing":
            self._stop(key)

    def teardown(self, worker: Worker) -> None:
        for key in list(self._running):
            self._stop(key)

    def _stop(self, key: str) -> None:
        stop = self._running.get(key)
        if stop is not None:
            stop.request()

    def solve(self, key: str, task: str) -> str:
        """The answer, or "" when the task was cancelled."""
        self._running[key] = stop = Stop()
        try:
            with self._lock:
                if self._solver is None:
                    self._solver = TaskSolver(self._problem)
            return self._solver.solve(task, stop)
        finally:
            del self._running[key]


def _solve(name: str, key: str, task: str) -> str:
    problem = get_worker().plugins[name]
    assert isinstance(problem, Problem)
    return problem.solve(key, task)


def _serve(address: str) -> None:
    """Answers the tasks on standard input; see cli/dask.cpp for the lines."""
    lock = threading.Lock()

    def say(**line: Any) -> None:
        with lock, contextlib.suppress(BrokenPipeError):
            print(json.dumps(line), flush=True)

    def say_error(error: Exception) -> None:
        if isinstance(error, TreewrightError):
            say(error=[error.where, error.what, error.fix])
        else:
            say(error=["--dask", f"{type(error).__name__}: {error}", "see the logs of the cluster"])

    def say_answer(task: SearchTask, future: Future) -> None:
        if future.cancelled():
            return
        try:
            say(task=task.task, answer=cluster.answer(task, future))
        except Exception as error:
            say_error(error)

    try:
        with Client(address, timeout="10s") as client, Cluster(client) as cluster:
            say(threads=cluster.threads())
            problem = b""
            for line in sys.stdin.buffer:
                told = json.loads(line)
                if "problem" in told:
                    problem = sys.stdin.buffer.read(told["problem"])
                    continue
                task = SearchTask(told["name"], lambda problem=problem: problem, told["task"], told["seconds"])  # type: ignore[misc]
                if task.seconds < 0:
                    cluster.give_up(task)
                else:
                    cluster.begin(task, say_answer)
    except OSError:
        say(
            error=["--dask", f"no scheduler answers at {address}", "give the address that `dask scheduler` prints, such as tcp://host:8786"]
        )
    except Exception as error:
        say_error(error)


if __name__ == "__main__":
    _serve(sys.argv[1])
