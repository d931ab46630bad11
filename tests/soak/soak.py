#!/usr/bin/env python3
"""Many fits in one Python process from several threads: the same results to the end, no growth of memory, no descriptor left open.

What tests/soak/soak.cpp does, through the package: estimators of several families, predictions, pickles, runs that a limit ends, and
calls that are refused. Memory is the largest resident memory of the last fifth of the rounds against the second fifth; the first one
warms up.

    python tests/soak/soak.py --fits 10000 --threads 4        # make soak
"""

import argparse
import gc
import os
import pathlib
import pickle
import sys
import time
import warnings
from concurrent.futures import ThreadPoolExecutor

import numpy as np

import treewright as tw


def jobs():
    random = np.random.RandomState(0)
    X = random.rand(120, 4)
    y = np.where((X[:, 0] < 0.5) ^ (X[:, 1] < 0.3), "low", "high")
    noise = random.randint(0, 2, 120)
    return [
        (tw.OptimalTreeClassifier(max_depth=2, n_jobs=1), X, y),
        (tw.OptimalTreeClassifier(max_depth=3, n_jobs=2, run={"node_limit": 100}), X, noise),
        (tw.OptimalTreeClassifier(max_depth=4, run={"node_limit": 20}, n_jobs=1), X, noise),
        (tw.CARTClassifier(), X, noise),
        (tw.HyperplaneTreeClassifier(max_depth=1, restarts=0), X, y),
        (tw.SVM1TreeClassifier(max_depth=1, restarts=0), X, y),
        (tw.PartitionTreeClassifier(max_depth=2), X[:40], y[:40]),
        (tw.MargotClassifier(max_depth=1), X[:40], y[:40]),
        (tw.HyperplaneTreeClassifier(method="no such method"), X, y),
        (tw.OptimalTreeClassifier(max_depth=2), X, np.zeros(len(X))),
    ]


def outcome(job):
    """All that does not depend on the clock."""
    estimator, X, y = job
    tree = type(estimator)(**estimator.get_params())
    try:
        tree.fit(X, y)
    except (ValueError, tw.TreewrightError) as refused:
        return str(refused)
    again = pickle.loads(pickle.dumps(tree))
    return tree.status_, tree.objective_, tree.bound_, tree.export("rules"), again.predict(X).tolist()


def resident_megabytes():
    gc.collect()
    return int(pathlib.Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE") / 1e6


def descriptors():
    return len(os.listdir("/proc/self/fd"))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--fits", type=int, default=10000)
    parser.add_argument("--threads", type=int, default=4)
    parser.add_argument("--growth", type=float, default=5, help="of memory, in %%, that is still flat")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")
    every = jobs()
    expected = [outcome(job) for job in every]
    rounds = max(10, arguments.fits // (arguments.threads * len(every)) + 1)
    open_before, memory, different, begin = descriptors(), [], 0, time.monotonic()
    for first in range(rounds):
        order = [(k + first + t) % len(every) for k in range(len(every)) for t in range(arguments.threads)]
        with ThreadPoolExecutor(arguments.threads) as pool:
            different += sum(got != expected[job] for job, got in zip(order, pool.map(lambda job: outcome(every[job]), order)))
        memory.append(resident_megabytes())
    seconds = time.monotonic() - begin
    early, late = max(memory[rounds // 5 : 2 * rounds // 5]), max(memory[4 * rounds // 5 :])
    open_after = descriptors()
    fits, growth = rounds * arguments.threads * len(every), 100 * (late / early - 1)
    print(
        f"{fits} fits from {arguments.threads} threads in {seconds:.0f} s: {different} different results; resident memory {early:.1f} MB, "
        f"then {late:.1f} MB ({growth:+.1f} %); descriptors {open_before}, then {open_after}"
    )
    sys.exit(different > 0 or open_after != open_before or growth > arguments.growth)


if __name__ == "__main__":
    main()
