"""A run of the library: its progress, its end by Ctrl-C, and the tasks that other machines solve for it."""

from __future__ import annotations

import ctypes
import signal
import sys
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from . import _library as c
from ._library import LIB, call, create, take_text

AGAIN = 2  # seconds: Ctrl-C so soon after the last one is meant for what calls `fit` in a loop, too


@dataclass(frozen=True)
class Progress:
    """News of a run.

    Attributes
    ----------
    seconds : float
        Since the start of the run.
    incumbent, bound : float
        Objective of the best tree so far, and what no tree within the limits is below. Infinite and minus infinite while nothing is known.
    source : str
        What found the tree: "C" a greedy tree, "H" a heuristic, "L" look-ahead, "S" exact search, "P" a round on clusters, "M" the MIP
        solver; " " where no better tree was found.
    subproblems : int
        Solved so far.
    done : float
        Of an exact search, which solves one depth after the other: bound / incumbent, as a mean over the depths; otherwise 0.
    closed : float
        Of an exact search: share of the root's cuts that need no more work, at the last depth; otherwise 0.
    seconds_left : float
        Estimated; infinite where nothing is known.
    facts : int
        What the checkpoint holds.
    written : float
        Share of the parts of the proof that are written; 0 before the search has ended.
    text : str
        The line that ``verbose=True`` prints, after the head of the table where it is the first; empty where a line follows another too
        soon to be of use.
    """

    seconds: float
    incumbent: float
    bound: float
    source: str
    subproblems: int
    done: float
    closed: float
    seconds_left: float
    facts: int
    written: float
    text: str


Watcher = Callable[[Progress], Any]


def _listener_of(watchers: Sequence[Watcher], stop: ctypes.c_void_p, problems: list[BaseException]) -> Any:
    """A C function that tells the watchers. What one of them raises ends the run and is raised after it."""

    def listen(address: int, _context: int) -> None:
        told = c.Progress.from_address(address)
        source = told.source.decode("ascii")
        news = Progress(
            told.seconds,
            told.incumbent,
            told.bound,
            source,
            told.subproblems,
            told.done,
            told.closed,
            told.seconds_left,
            told.facts,
            told.written,
            (told.text or b"").decode(),
        )
        try:
            for watcher in () if problems else watchers:
                watcher(news)
        except BaseException as problem:  # raised again in the caller's thread
            problems.append(problem)
            LIB.tw_stop_request(stop)

    return c.Listener(listen) if watchers else c.Listener()


@dataclass(frozen=True)
class SearchTask:
    """A task of the exact search that another machine can solve; see tw_search_task in the C header.

    ``problem()`` copies the bytes that are the same for all tasks of a search.
    """

    name: str
    problem: Callable[[], bytes]
    task: str
    seconds: float


# Begins a task on another machine, waits at most its seconds, and returns the answer, or "" if it is not there yet.
Elsewhere = Callable[[SearchTask], str]


def _elsewhere_of(elsewhere: Elsewhere, stop: ctypes.c_void_p, problems: list[BaseException]) -> Any:
    """A C function that has tasks solved. What `elsewhere` raises ends the run and is raised after it."""

    def ask(address: int, answer: int, _context: int) -> None:
        task = c.SearchTask.from_address(address)

        def problem() -> bytes:
            return ctypes.string_at(task.problem, task.problem_size)

        try:
            text = "" if problems else elsewhere(SearchTask(task.name.decode(), problem, task.task.decode(), task.seconds))
            if text:
                call(LIB.tw_answer_set, answer, text.encode())
        except BaseException as error:  # raised again in the caller's thread
            problems.append(error)
            LIB.tw_stop_request(stop)

    return c.Elsewhere(ask)


class Stop:
    """Breaks off a task."""

    def __init__(self) -> None:
        self.handle = create(LIB.tw_stop_create)

    def request(self) -> None:
        """May be called from any thread."""
        LIB.tw_stop_request(self.handle)

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_stop_free(self.handle)


class TaskSolver:
    """Solves tasks of a search that runs on another machine.

    Parameters
    ----------
    problem : bytes
        What ``SearchTask.problem`` has returned there.

    Raises
    ------
    TreewrightError
        When the bytes come from another version of treewright.
    """

    def __init__(self, problem: bytes) -> None:
        self.handle = create(LIB.tw_solver_create, problem, len(problem))

    def solve(self, task: str, stop: Stop) -> str:
        """The answer, or "" when it was stopped. May be called from several threads at once."""
        return take_text(LIB.tw_solver_solve, self.handle, task.encode(), stop.handle)

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_solver_free(self.handle)


class _Keys:
    """Ctrl-C in the main thread, heard for the length of a `with`: the first one stops the run. A second one, or one soon after that of the
    run before, is raised when the run has ended, not in the middle of it: its threads read the caller's arrays."""

    _last = float("-inf")  # when a run was stopped last

    def __init__(self, stop: ctypes.c_void_p, stopped: str) -> None:
        self.stop = stop
        self.stopped = stopped
        self.pressed = self.is_meant_for_the_caller = False
        # Another handler than Python's is somebody's. Where that raises KeyboardInterrupt, `run` calls `press`.
        self.is_usual = signal.getsignal(signal.SIGINT) is signal.default_int_handler

    def __enter__(self) -> _Keys:
        if self.is_usual:
            signal.signal(signal.SIGINT, self.press)
        return self

    def press(self, *_signal: Any) -> None:
        LIB.tw_stop_request(self.stop)
        now = time.monotonic()
        if self.pressed or now - _Keys._last < AGAIN:
            self.is_meant_for_the_caller = True
        else:
            print(f"treewright: stopping; {self.stopped}", file=sys.stderr)
        self.pressed, _Keys._last = True, now

    def __exit__(self, *_raised: object) -> None:
        if self.is_usual:
            signal.signal(signal.SIGINT, signal.default_int_handler)


def run(
    function: Any,
    arguments: tuple[Any, ...],
    output: Any,
    watchers: Sequence[Watcher] = (),
    elsewhere: Elsewhere | None = None,
    stopped: str = "the best tree so far is returned; Ctrl-C again raises KeyboardInterrupt",
) -> None:
    """Runs a training function so that Ctrl-C stops it and it returns what it has; a second Ctrl-C is raised. `stopped` says what the
    caller does then."""
    problems: list[BaseException] = []
    stop = create(LIB.tw_stop_create)
    if elsewhere is not None:
        arguments = (*arguments, _elsewhere_of(elsewhere, stop, problems), None)
    listener = _listener_of(watchers, stop, problems)
    try:
        # Signals reach only the main thread, and only between its Python instructions: there it waits, and another thread works.
        if threading.current_thread() is not threading.main_thread():
            call(function, *arguments, listener, None, stop, output)
            if problems:
                raise problems[0]
            return
        finished = threading.Event()

        def work() -> None:
            try:
                call(function, *arguments, listener, None, stop, output)
            except BaseException as problem:  # raised again below, in the caller's thread
                problems.append(problem)
            finally:
                finished.set()

        with _Keys(stop, stopped) as keys:
            # Not Thread.join: interrupted once, it takes a running thread for a finished one (Python 3.11).
            threading.Thread(target=work, name="treewright").start()
            while not finished.is_set():
                try:
                    # Not without a timeout: a signal that another thread takes does not wake this one.
                    finished.wait(0.1)
                except KeyboardInterrupt:
                    keys.press()
        if problems:
            raise problems[0]
        if keys.is_meant_for_the_caller:
            raise KeyboardInterrupt
    finally:
        LIB.tw_stop_free(stop)
