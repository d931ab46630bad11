#!/usr/bin/env python3
"""One program on one file in this process, one thread: prints a JSON line. The other scripts of this folder call it.

seconds   CPU seconds of fit(), all its threads, user and system: the least of several fits when one takes less than a tenth of
          a second, after a fit on other, tiny data that pays for what every first call loads
mb        peak resident memory of the process minus what it held before the fit
errors    misclassified rows of the tree, recounted on the raw rows
proved    whether the program says that it has proved its optimum
bound     what treewright has proved that no tree has fewer errors than
trace     seconds, errors and bound whenever the program tells of a better tree or bound, and at the end (traced_fits() alone, which
          fits once for each time limit)

Time limits are in CPU seconds, because cpu_clock.c answers whoever asks for the time.
"""

import contextlib
import functools
import json
import os
import resource
import subprocess
import sys
import time
import typing
import warnings

import cpu_clock
import numpy as np
import pandas as pd

BINARY_LIMIT = 1500  # programs for binary features are left out where one for each threshold makes more


def treewright(depth, limit, rows):
    from treewright import OptimalTreeClassifier

    # No other program writes a proof and checks it.
    return OptimalTreeClassifier(max_depth=depth, n_jobs=1, time_limit=limit, run={"verify": False})


def contree(depth, limit, rows):
    from pycontree import ConTree

    return ConTree(max_depth=depth, time_limit=limit)


def contree_rs(depth, limit, rows):
    from pytrees import ConTreeClassifier

    return ConTreeClassifier(max_depth=depth, max_time=limit)


def ca_contree(depth, limit, rows):
    from pytrees import ConTreeClassifier

    # With the default order of cuts its trees are far worse.
    return ConTreeClassifier(max_depth=depth, max_time=limit, use_lds=True, sort_by_heuristic=True, split_selection="first")


def streed(depth, limit, rows):
    from pystreed import STreeDClassifier

    return STreeDClassifier("accuracy", max_depth=depth, time_limit=limit)


def dl85(depth, limit, rows):
    from pytrees import DL85Classifier

    return DL85Classifier(max_depth=depth, max_time=limit)


def lds_dl85(depth, limit, rows):
    from pytrees import DL85Classifier
    from pytrees.rules import DiscrepancyRule

    return DL85Classifier(max_depth=depth, max_time=limit, heuristic="information_gain", always_sort=True, discrepancy=DiscrepancyRule())


def gosdt(depth, limit, rows):
    from gosdt import GOSDTClassifier

    # All leaves together cost half an error, so the optimum has the fewest errors. Limits are whole seconds.
    price = 0.5 / (rows * 2**depth)
    return GOSDTClassifier(regularization=price, allow_small_reg=True, depth_budget=depth, time_limit=max(1, round(limit)))


def licketysplit(depth, limit, rows, lookahead=1):
    from licketysplit import LicketySPLITClassifier

    return LicketySPLITClassifier(lambda_leaf=0.5 / (rows * 2**depth), depth_budget=depth, lookahead_k=lookahead)


def greedy(depth, limit, rows):
    from sklearn.tree import DecisionTreeClassifier

    return DecisionTreeClassifier(max_depth=depth, random_state=0)


class Program(typing.NamedTuple):
    title: str
    package: str
    binary: bool  # it gets one binary feature for each threshold
    make: typing.Callable
    proved: typing.Callable = lambda model: False


def _says_optimal(model):
    return model.status_ == "optimal"


PROGRAMS = {
    "treewright": Program("treewright", "treewright", False, treewright, _says_optimal),
    "contree": Program("ConTree", "pycontree", False, contree, lambda model: model._config.is_within_time_limit()),
    "contree-rs": Program("ConTree (pytrees)", "pytrees-rs", False, contree_rs, _says_optimal),
    "ca-contree": Program("CA-ConTree", "pytrees-rs", False, ca_contree, _says_optimal),
    "streed": Program("STreeD", "pystreed", True, streed, lambda model: model.fit_result.is_optimal()),
    "dl85": Program("DL8.5", "pytrees-rs", True, dl85, _says_optimal),
    "lds-dl85": Program("LDS-DL8.5", "pytrees-rs", True, lds_dl85, _says_optimal),
    "gosdt": Program("GOSDT", "gosdt", True, gosdt, lambda model: model.result_.status.name == "CONVERGED"),
    "lickety": Program("LicketySPLIT", "licketysplit", True, licketysplit),
    "lickety-2": Program("LicketySPLIT, look-ahead 2", "licketysplit", True, functools.partial(licketysplit, lookahead=2)),
    "greedy": Program("greedy", "scikit-learn", False, greedy),
}


def load(path):
    frame = pd.read_csv(path)
    return frame.iloc[:, :-1].astype(float), pd.Series(pd.factorize(frame.iloc[:, -1], sort=True)[0])


def one_per_threshold(features):
    columns = [(features[c].to_numpy()[:, None] <= np.unique(features[c])[None, :-1]) for c in features]
    return np.concatenate(columns, axis=1).astype(int)


def peak_memory():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def fit(model, features, labels, trace):
    """CPU seconds; adds seconds, errors and bound to the trace where the program tells of its progress."""
    before = time.process_time()

    def news(errors, bound=0):
        trace.append((time.process_time() - before, errors, bound))

    if hasattr(model, "fit_anytime") and getattr(model, "use_lds", True):
        model.fit_anytime(features, labels, callback=lambda errors, *_: news(errors))
    elif type(model).__module__.startswith("treewright"):
        scale = len(labels) - labels.value_counts().max()  # its objective is a share of the errors of a single leaf
        model.set_params(callback=lambda told: news(told.incumbent * scale, told.bound * scale)).fit(features, labels)
    else:
        model.fit(features, labels)
    return time.process_time() - before


def predictions(model, features):
    # GOSDT's own predict calls scikit-learn in a way that current versions refuse.
    return (model.trees_[0] if hasattr(model, "trees_") else model).predict(features)


def prepared(program, path):
    """Features (None where they would be too many) and labels as a program wants them, after it has fitted other, tiny data."""
    features, labels = load(path)
    tiny = pd.DataFrame({"a": np.arange(20.0), "b": np.arange(20.0) % 3})
    if program.binary:
        features, tiny = one_per_threshold(features), np.stack([np.arange(20) % 2, np.arange(20) % 3 % 2], axis=1)
        if features.shape[1] > BINARY_LIMIT:
            return None, labels
    program.make(2, 60, 20).fit(tiny, pd.Series(np.arange(20) // 7 % 2))
    return features, labels


def result_of(program, model, features, labels, seconds):
    errors, proved = int((predictions(model, features) != labels).sum()), bool(program.proved(model))
    bound = errors if proved else 0
    if program.package == "treewright" and not proved and model.objective_ > 0:
        bound = errors * model.bound_ / model.objective_
    return {"seconds": seconds, "errors": errors, "proved": proved, "bound": bound}


def run(name, path, depth, limit):
    program = PROGRAMS[name]
    features, labels = prepared(program, path)
    if features is None:
        return {"skipped": "too many binary features"}
    all_seconds, memory_before = [], peak_memory()
    while not all_seconds or (all_seconds[0] < 0.1 and len(all_seconds) < 7):
        model = program.make(depth, limit, len(labels))
        before = time.process_time()
        model.fit(features, labels)
        all_seconds.append(time.process_time() - before)
    return result_of(program, model, features, labels, min(all_seconds)) | {"mb": peak_memory() - memory_before}


def run_traced(name, path, optimum_of, limits):
    """For each depth, a fit for each limit until one of them has as few errors as the optimum or is proved."""
    program = PROGRAMS[name]
    features, labels = prepared(program, path)
    results = []
    for depth, optimum in optimum_of.items() if features is not None else ():
        for limit in limits:
            model, trace = program.make(int(depth), limit, len(labels)), []
            seconds = fit(model, features, labels, trace)
            result = result_of(program, model, features, labels, seconds)
            last = (result["seconds"], result["errors"], result["bound"])
            results.append(result | {"depth": int(depth), "limit": limit, "trace": [*trace, last]})
            if result["proved"] or result["errors"] == optimum:
                break
    return results


def in_process(seconds, *arguments):
    """What a process of its own prints as JSON; None where it fails or takes several times these seconds."""
    environment = os.environ | {"LD_PRELOAD": str(cpu_clock.library())}
    try:  # A limit of the kernel on CPU time would make it count CPU time in ticks.
        command = [sys.executable, __file__, *map(str, arguments)]
        done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=10 * seconds + 120)
        return json.loads(done.stdout.strip().splitlines()[-1])
    except (subprocess.TimeoutExpired, IndexError, json.JSONDecodeError):
        return None


def timed_fit(name, path, depth, limit):
    """One fit in a process of its own. {"skipped": why} when there is no figure."""
    return in_process(limit, name, path, depth, limit) or {"skipped": "failed or out of time"}


def traced_fits(name, path, optimum_of, limits):
    """A list of fits in one process, for each depth and limit; those of a depth end with the first that has as few errors as the optimum.

    optimum_of: depth -> errors of the optimum, -1 if unknown.
    """
    return in_process(len(optimum_of) * sum(limits), "traced", name, path, json.dumps(optimum_of), *limits) or []


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    with contextlib.redirect_stdout(sys.stderr):  # GOSDT prints
        if sys.argv[1] == "traced":
            found = run_traced(sys.argv[2], sys.argv[3], json.loads(sys.argv[4]), list(map(float, sys.argv[5:])))
        else:
            name, path, depth, limit = sys.argv[1:]
            found = run(name, path, int(depth), float(limit))
    print(json.dumps(found))
