"""How much faster a search would be on more machines: list scheduling with the recorded times of its tasks.

    treewright fit data.csv --max-depth 5 --threads 1 --checkpoint facts
    python3 bench/speedup.py facts [--workers 16 64 256] [--overhead 0.01]

The checkpoint holds the seconds of every task. The schedule follows the search: a round of the root waits for its 32 cuts. A cut can begin
when both of its solved neighbors are known and the budget is its own. Cuts of later rounds begin early where workers are free. If the level
before took long, the cuts of the node below are the tasks (search/elsewhere/remote_ledger.cpp). Tree and bound are the same in all
schedules.

Not counted: tasks of an old budget that are begun early and given up; the driver's own work competes for no cores.
"""

from __future__ import annotations

import argparse
import bisect
import collections
import heapq
import itertools
import json
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

ROUND, DIVIDED_DEPTH, SECONDS_TO_DIVIDE, SECONDS_TO_SEND = 32, 5, 20.0, 0.05


@dataclass(eq=False)
class Task:
    """A task of the search; `neighbors` are those whose results it reads."""

    kind: str
    depth: int
    search: tuple
    budget: float | None
    seconds: float
    neighbors: list[Task] = field(default_factory=list)
    below: list[Task] = field(default_factory=list)
    state: str = "new"
    waiting: list[Callable[[], None]] = field(default_factory=list)


def read(path: str) -> list[Task]:
    """The tasks of the root in the order in which they were solved, with those below them."""
    roots: list[Task] = []
    below: dict[tuple, list[Task]] = collections.defaultdict(list)
    solved: dict[tuple, tuple[list[int], list[Task]]] = collections.defaultdict(lambda: ([], []))
    with open(path) as lines:
        next(lines)
        for line in lines:
            fact = json.loads(line[17:])
            if "task" not in fact:
                continue  # a part of the proof
            *above, (kind, depth, exact, ordering, cut, left, right, budget, _) = fact["task"]
            parents = tuple(tuple(step) for step in above)
            task = Task(kind, depth, (parents, depth, ordering, left, right), budget, fact["seconds"])
            if kind == "cut":
                cuts, tasks = solved[task.search]
                at = bisect.bisect(cuts, cut)
                task.neighbors = tasks[max(0, at - 1) : at + 1]
                cuts.insert(at, cut)
                tasks.insert(at, task)
            if parents:
                below[parents[0][:-1]].append(task)
                continue
            task.below = below.pop((kind, depth, exact, ordering, cut, left, right, budget), [])
            roots.append(task)
    return roots


class Cluster:
    """So many workers, which take the tasks that somebody waits for before those begun early."""

    def __init__(self, workers: int, overhead: float) -> None:
        self.free, self.overhead, self.now = workers, overhead, 0.0
        self.numbers = itertools.count()
        self.queue: list[tuple[int, int, Task]] = []
        self.events: list[tuple[float, int, Callable[[], None]]] = []

    def at(self, time: float, event: Callable[[], None]) -> None:
        heapq.heappush(self.events, (time, next(self.numbers), event))

    def begin(self, task: Task, wanted: bool) -> None:
        if task.state == "new":
            task.state = "queued"
            heapq.heappush(self.queue, (0 if wanted else 1, next(self.numbers), task))

    def end(self, task: Task) -> None:
        task.state = "done"
        for resume in task.waiting:
            resume()

    def follow(self, steps: Generator[Task | float], after: Callable[[], None]) -> None:
        """Runs a process that yields tasks to wait for, and seconds of its own."""

        def go_on() -> None:
            for step in steps:
                if isinstance(step, float):
                    return self.at(self.now + step, go_on)
                if step.state != "done":
                    return step.waiting.append(go_on)
            after()

        go_on()

    def run(self) -> float:
        while True:
            while self.free and self.queue:
                task = heapq.heappop(self.queue)[2]
                self.free -= 1

                def ended(task: Task = task) -> None:
                    self.free += 1
                    self.end(task)

                self.at(self.now + task.seconds + self.overhead, ended)
            if not self.events:
                return self.now
            self.now, _, event = heapq.heappop(self.events)
            event()


def ready(task: Task) -> bool:
    return all(neighbor.state == "done" for neighbor in task.neighbors)


def node(cluster: Cluster, root: Task) -> Generator[Task | float]:
    """A cut of the root whose node is searched here: one ordering after the other, the cuts of each side by side, and the first cuts of
    later orderings early."""
    own = max(0.0, root.seconds - sum(task.seconds for task in root.below)) / (len(root.below) + 1)
    yield own
    orderings = [list(group) for _, group in itertools.groupby(root.below, key=lambda task: task.search)]
    for i, open_cuts in enumerate(orderings):
        first_cuts = [later[0] for later in orderings[i + 1 :] if later[0].search[:2] == open_cuts[0].search[:2]]
        while open_cuts:
            yield own
            for task in [*open_cuts, *first_cuts]:
                if ready(task) and task.budget == open_cuts[0].budget:
                    cluster.begin(task, wanted=task is open_cuts[0])
            yield open_cuts.pop(0)


def level(cluster: Cluster, tasks: list[Task], early: bool, divided: bool) -> Generator[Task | float]:
    """A level of the root in rounds."""
    while tasks:
        budget = tasks[0].budget
        count = next((i for i, task in enumerate(tasks[:ROUND]) if task.budget != budget or not ready(task)), min(ROUND, len(tasks)))
        this, tasks = tasks[: max(1, count)], tasks[max(1, count) :]
        for task in this:
            if divided and task.below:
                cluster.follow(node(cluster, task), lambda task=task: cluster.end(task))
            else:
                cluster.begin(task, wanted=True)
        for task in tasks if early and not divided else []:
            if task.budget == budget and ready(task):
                cluster.begin(task, wanted=False)
        yield from this


def search(cluster: Cluster, roots: list[Task], early: bool) -> Generator[Task | float]:
    """The whole search: trials between the rounds are taken before their level."""
    before = 0.0
    for depth in sorted({task.depth for task in roots}):
        at_depth = [task for task in roots if task.depth == depth]
        trials, cuts = [task for task in at_depth if task.kind != "cut"], [task for task in at_depth if task.kind == "cut"]
        for task in trials:
            cluster.begin(task, wanted=True)
        yield from trials
        if depth > 2 and before < SECONDS_TO_SEND:
            yield sum(task.seconds for task in cuts)
        else:
            yield from level(cluster, cuts, early, early and depth >= DIVIDED_DEPTH and before >= SECONDS_TO_DIVIDE)
        before = sum(task.seconds for task in (cuts or trials))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("checkpoint")
    parser.add_argument("--workers", type=int, nargs="+", default=[2, 16, 64, 256])
    parser.add_argument("--overhead", type=float, default=0.01, help="seconds that dask needs for a task")
    arguments = parser.parse_args()
    alone = sum(task.seconds for task in read(arguments.checkpoint))
    print(f"one thread: {alone:.1f} s")
    for workers in arguments.workers:
        times = []
        for early in (False, True):
            cluster = Cluster(workers, arguments.overhead)
            cluster.follow(search(cluster, read(arguments.checkpoint), early), lambda: None)
            times.append(cluster.run())
        print(f"{workers:4} workers: {alone / times[1]:6.1f} times as fast; in rounds only {alone / times[0]:6.1f}")


if __name__ == "__main__":
    main()
