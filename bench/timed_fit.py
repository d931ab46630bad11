#!/usr/bin/env python3
"""One solver on one file in this process, one thread: prints a JSON line. peers.py and scaling.py call it.

seconds   CPU seconds of fit(), all its threads, user and system: the least of several fits when one takes less than a tenth of
          a second, after a fit on other, tiny data that pays for what every first call loads
mb        peak resident memory of the process minus what it held before the fit
errors    misclassified rows of the tree, recounted on the raw rows
proved    whether the solver has proved its optimum
"""

import json
import resource
import subprocess
import sys
import time

import numpy as np
import pandas as pd

BINARY = ("streed", "dl85")  # solvers that get one binary feature for each threshold
BINARY_LIMIT = 1500  # and are left out where that makes more


def load(path):
    frame = pd.read_csv(path)
    return frame.iloc[:, :-1].astype(float), pd.Series(pd.factorize(frame.iloc[:, -1], sort=True)[0])


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def make_model(solver, depth, limit):
    if solver == "treewright":
        from treewright import OptimalTreeClassifier

        return OptimalTreeClassifier(max_depth=depth, n_jobs=1, time_limit=limit)
    if solver == "contree":
        from pycontree import ConTree

        return ConTree(max_depth=depth, time_limit=limit)
    if solver == "streed":
        from pystreed import STreeDClassifier

        return STreeDClassifier("accuracy", max_depth=depth, time_limit=limit)
    if solver == "dl85":
        from pytrees import DL85Classifier

        return DL85Classifier(max_depth=depth, max_time=limit)
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=depth, random_state=0)


def run(solver, path, depth, limit):
    features, labels = load(path)
    tiny = pd.DataFrame({"a": np.arange(20.0), "b": np.arange(20.0) % 3})
    if solver in BINARY:
        columns = [(features[c].to_numpy()[:, None] <= np.unique(features[c])[None, :-1]) for c in features]
        features = np.concatenate(columns, axis=1).astype(int)
        if features.shape[1] > BINARY_LIMIT:
            return {"skipped": f"{features.shape[1]} binary features"}
        tiny = np.stack([np.arange(20) % 2, np.arange(20) % 3 % 2], axis=1)
    make_model(solver, 2, limit).fit(tiny, pd.Series(np.arange(20) // 7 % 2))
    all_seconds, memory_before, started = [], peak_memory(), time.monotonic()
    while not all_seconds or (all_seconds[0] < 0.1 and len(all_seconds) < 7):
        model = make_model(solver, depth, limit)
        before = time.process_time()
        model.fit(features, labels)
        all_seconds.append(time.process_time() - before)
    seconds, in_time = min(all_seconds), time.monotonic() - started < len(all_seconds) * limit
    # The peers do not say, and count wall time.
    proved = model.status_ == "optimal" if solver == "treewright" else solver != "sklearn" and in_time
    return {
        "seconds": seconds,
        "mb": peak_memory() - memory_before,
        "errors": int((model.predict(features) != labels).sum()),
        "proved": proved,
    }


def timed_fit(solver, path, depth, limit):
    """The same in a process of its own. {"skipped": why} when there is no figure."""
    command = [sys.executable, __file__, solver, str(path), str(depth), str(limit)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * limit + 60)
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (subprocess.TimeoutExpired, IndexError, json.JSONDecodeError):
        return {"skipped": "failed or out of time"}


if __name__ == "__main__":
    print(json.dumps(run(sys.argv[1], sys.argv[2], int(sys.argv[3]), float(sys.argv[4]))))
