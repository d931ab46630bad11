"""From a job to its records.

A job names a `protocol` (below: what is trained on what), a `method` (methods.py) and the options that the method is given; what it
returns is a list of records, flat dicts of measures. Keys that are no option of a method: study, protocol, method, data, split, cell,
paper, part, those that describe synthetic data, `cuts` (depths to cut a tree at), `grid` (values of options to choose from), `folds`,
`tune_limit` and `tune_nodes` (cross-validation on the grid), `budgets` and `shares` (AHL24's numbers of splits and of clusters to choose
from), `shrinkages` of the probabilities, and `clusters` (which clusters to train on).
"""

from __future__ import annotations

import functools
import json
import math
import os
import platform
import re
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import numpy as np
from methods import CHOICES, FEW_FEATURES, METHODS, ROOT, quietly, read_by, train_cart, train_oct
from others import Record, Rows, both

import data
import treewright
from treewright import OPTIONS, classifier

_OPTION_NAMES = {option.name for option in OPTIONS}


# What a protocol or a table reads of a job.
_OTHER_NAMES = set(
    "protocol data method split paper part study folds rule tune_limit tune_nodes shares clusters budgets cuts grid shrinkages choices "
    "table tree true_depth samples features rows rows_per_label label_noise feature_noise".split()
)


def _options(job: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in job.items() if key in (*_OPTION_NAMES, "budgets", "cuts", "grid") and key != "method"}


def _holdout(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """Half of the rows to train, a quarter to validate, a quarter to test (BD17 sec. 6)."""
    X, y = data.load(job["data"], where["data"], job.get("paper", "bd17"))
    train, valid, test = ((X[part], y[part]) for part in data.holdout(y, job["split"]))
    return METHODS[job["method"]](train, valid, test, _options(job))


def _holdout_by_folds(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """The rows of `_holdout`, but a method with a `grid` chooses by `folds` folds of the training and validation rows together."""
    X, y = data.load(job["data"], where["data"], job.get("paper", "bd17"))
    train, valid, test = ((X[part], y[part]) for part in data.holdout(y, job["split"]))
    return METHODS[job["method"]](both(train, valid), None, test, _options(job) | {"folds": job["folds"]})


def _holdout_grid(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """A record for every setting of `grid`: its tree of the training and validation rows together, on the test rows, and its mean accuracy
    over `folds` folds of those rows with the standard error of that mean; without `folds` the tree alone."""
    from sklearn.model_selection import ParameterGrid, StratifiedKFold, cross_val_score

    X, y = data.load(job["data"], where["data"], job.get("paper", "bd17"))
    train, valid, test = ((X[part], y[part]) for part in data.holdout(y, job["split"]))
    rows = both(train, valid)
    records = []
    for setting in ParameterGrid(job["grid"]):
        model = classifier(**read_by({**_options(job), "method": job["method"], **setting}))
        told: Record = {}
        if job.get("folds"):
            folds = StratifiedKFold(job["folds"], shuffle=True, random_state=0)
            scores = 100 * quietly(lambda model=model, folds=folds: cross_val_score(model, *rows, cv=folds))
            told = {"validation": float(scores.mean()), "validation_error": float(scores.std(ddof=1) / math.sqrt(job["folds"]))}
        fitted = quietly(lambda model=model: model.fit(*rows))
        told |= {"in_sample": 100 * fitted.result_.accuracy, "terms": fitted.result_.terms, "test": 100 * fitted.score(*test)}
        records.append({**setting, **told})
    return records


def _probabilities(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """A tree of three quarters of the rows, and how its probabilities score on the others, with each of `shrinkages`; "laplace" among them
    stands for (weight of the class in the leaf + 1) / (weight of the leaf + classes), "own" for what `fit` has chosen."""
    from sklearn.metrics import log_loss

    X, y = data.load(job["data"], where["data"])
    train, valid, test = ((X[part], y[part]) for part in data.holdout(y, job["split"]))
    model = quietly(lambda: classifier(**read_by({**_options(job), "method": job["method"]})).fit(*both(train, valid)))
    truth = test[1][:, np.newaxis] == model.classes_
    records = []
    for shrinkage in job["shrinkages"]:
        if shrinkage == "laplace":
            weights = model.tree_.class_weight[model.apply(test[0])] + 1
            shares = weights / weights.sum(axis=1, keepdims=True)
        else:
            shares = model.set_params(shrinkage=None if shrinkage == "own" else shrinkage).predict_proba(test[0])
        loss = 100 * float(log_loss(test[1], shares, labels=model.classes_))
        brier = 100 * float(np.mean(np.sum((shares - truth) ** 2, axis=1))) / (2 if len(model.classes_) == 2 else 1)
        records.append({"shrinkage": shrinkage, "log_loss": loss, "brier": brier, "test": 100 * model.score(*test)})
    return records


def _published_parts(job: dict[str, Any], where: dict[str, str]) -> list[Any]:
    """Training, validation and test rows; None for a part that the partition does not have."""
    X, y = data.load(job["data"], where["data"], job["paper"])
    parts = data.published_parts(job["data"], where["data"], where["splits"], job["paper"], job["part"])
    return [(X[rows], y[rows]) if len(rows) else None for rows in parts.values()]


def _published(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """A partition that a paper has published: `part` names its column."""
    train, valid, test = _published_parts(job, where)
    if "folds" in job:
        return _by_folds(train, test, job, where["command"])
    if "shares" not in job:
        return METHODS[job["method"]](train, valid, test, _options(job))
    share = _best_share(train, job["shares"], where["command"])
    records = METHODS[job["method"]](train, valid, test, _options(job) | {"cluster_share": share})
    return [{**record, "cluster_share": share} for record in records]


def _by_folds(train: Rows, test: Rows, job: dict[str, Any], command: str) -> list[Record]:
    """The tree for the values of `grid` that `treewright tune` chooses by cross-validation with `folds` folds on the training rows, by
    `rule` if the job has one. That takes `tune_limit` seconds at most, and each of its trees `tune_nodes` nodes of the search."""
    limits = {"max-depth": job["max_depth"], "n-jobs": job["n_jobs"], "time-limit": job["tune_limit"], "node-limit": job["tune_nodes"]}
    method = FEW_FEATURES.get(job["method"], {"method": job["method"]})
    flags = [text for name, value in {**method, **limits}.items() for text in (f"--{name.replace('_', '-')}", str(value))]
    flags += [text for option, values in job["grid"].items() for text in ("--try", f"{option}={';'.join(values)}")]
    flags += ["--rule", job["rule"]] if "rule" in job else []
    tuned = json.loads(data.run_on(*train, command, "tune", *flags, "--folds", str(job["folds"]), "--json"))
    chosen: dict[str, Any] = dict(pair.split("=") for pair in tuned["setting"].split())
    if "ccp_alpha" in chosen:
        chosen["ccp_alpha"] = float(chosen["ccp_alpha"])
    costs = chosen["level_costs"].split(",")
    costs = costs * job["max_depth"] if len(costs) == 1 else costs
    told = {
        "tune_seconds": tuned["seconds"],
        "tuned_trees": len(tuned["trees"]),
        "tuned_proved": sum(tree["status"] == "optimal" for tree in tuned["trees"]),
        "validation": 100 * tuned["validation_accuracy"],
        **{f"log_cost_{level}": math.log10(float(cost)) for level, cost in enumerate(costs)},
        **{f"budget_{level}": int(budget) for level, budget in enumerate(chosen.get("feature_budgets", "").split(",")) if budget},
    }
    options = {key: value for key, value in _options(job).items() if key != "grid"} | chosen
    return [{**record, **chosen, **told} for record in METHODS[job["method"]](train, None, test, options)]


def _best_share(train: Rows, shares: list[float], command: str) -> float:
    """AHL24 sec. 5.2: rho of gp, of `shares`, for which the optimal tree (DP) of depth 4 with 15 splits errs on the fewest training rows.
    Of equals the smallest."""

    def errors(share: float) -> float:
        X, y, weights = data.representatives(command, *train, "gp", share)
        limits = {"max_depth": 4, "max_leaf_nodes": 16, "alpha_scale": "errors", "ccp_alpha": 1 / 16}
        model = quietly(lambda: classifier(**limits, time_limit=5, n_jobs=1).fit(X, y, weights))
        return 1 - float(model.score(*train))

    return min(shares, key=errors)


def _published_training(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """The training rows of such a partition, to train and to count (AHL24 sec. 5.1).

    Method `measures` trains nothing and measures first clusters."""
    train, _, _ = _published_parts(job, where)
    if job["method"] != "measures":
        return METHODS[job["method"]](train, None, train, _options(job))
    return data.measures_of_clusters(where["command"], *train, ("gp", "igp", "crm"), job["cluster_share"])


def _published_clusters(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """A hyperplane tree trained on the means of the clusters of training and validation rows, each with the weight of its rows (AHL24 sec.
    6). `clusters`: none for the rows themselves."""
    train, valid, test = _published_parts(job, where)
    rows = both(train, valid)
    X, y, weights = (*rows, None) if job["clusters"] == "none" else data.representatives(where["command"], *rows, job["clusters"])
    model = quietly(lambda: classifier(**read_by({**_options(job), "method": job["method"]})).fit(X, y, weights))
    told = {"in_sample": 100 * model.score(*rows), "test": 100 * model.score(*test), "train_seconds": model.result_.seconds}
    return [{**told, "share": 100 * len(y) / len(rows[1]), "splits": model.result_.splits}]


def _in_sample(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """All rows to train, and the same to count (V23)."""
    X, y = (
        data.synthetic(where["command"], job["data"])
        if job["data"].endswith("-partitions")
        else data.load(job["data"], where["data"], job.get("paper", "bd17"))
    )
    return METHODS[job["method"]]((X, y), None, (X, y), _options(job))


def _synthetic(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """Data from a random tree (BD17 sec. 5): without noise all rows train and alpha is 0, with noise a tenth chooses alpha (with `choices`
    in other ways too)."""
    depth = job["true_depth"]
    drawn = {key: job[key] for key in ("features", "rows", "rows_per_label", "label_noise", "feature_noise") if job.get(key)}
    noisy = bool(job.get("label_noise") or job.get("feature_noise"))
    methods = {
        "cart-depth": (train_cart, {"max_depth": depth}),
        "cart": (train_cart, {"max_depth": 60}),
        "oct": (train_oct, {"max_depth": depth, "n_jobs": 1}),
    }
    if job.get("choices"):
        methods = {"oct": methods["oct"], **{name: (choice, methods["oct"][1]) for name, choice in CHOICES.items()}}
    records = []
    for sample in range(job["samples"]):

        def drawn_part(part: str, sample: int = sample, **options: Any) -> Rows:
            return data.synthetic(where["command"], f"bd17-{part}", seed=job["tree"], sample=sample, depth=depth, **options)

        train, test = drawn_part("train", **drawn), drawn_part("test", **drawn)
        valid = None
        of_truth = _of_truth(train, drawn_part, drawn) if noisy else 100.0
        if noisy:
            some = np.random.default_rng(sample).permutation(len(train[1]))
            cut = len(some) // 10
            valid, train = tuple(part[some[:cut]] for part in train), tuple(part[some[cut:]] for part in train)
        for method, (train_it, options) in methods.items():
            for record in train_it(train, valid, test, dict(options)):
                told = {key: value for key, value in record.items() if key not in job}  # a job's features are those of the data
                records.append({**told, "method": method, "sample": sample})
        # All leaves of the truth are reached, so that each has the full depth.
        measures = dict.fromkeys(("depth", "average_depth", "expected_depth"), float(depth))
        truth = {"method": "truth", "test": 100.0, "in_sample": of_truth, "leaves": 2**depth}
        records.append({**truth, **measures, "sample": sample})
    return records


def _of_truth(train: Rows, drawn_part: Any, drawn: dict[str, Any]) -> float:
    """The ground truth's accuracy on noisy training rows. With noise in labels, by the labels without it. With noise in features, by the
    optimal tree of 20,000 rows without noise, which differs from the truth near its thresholds only."""
    quiet = {key: value for key, value in drawn.items() if not key.endswith("noise")}
    if "feature_noise" not in drawn:
        return 100 * float(np.mean(drawn_part("train", **quiet)[1] == train[1]))
    X, y = drawn_part("train", features=quiet["features"], rows=20000)
    return 100 * classifier(max_depth=2, ccp_alpha=0, n_jobs=1).fit(X, y).score(*train)


PROTOCOLS = {
    "holdout": _holdout,
    "holdout-by-folds": _holdout_by_folds,
    "holdout-grid": _holdout_grid,
    "probabilities": _probabilities,
    "published": _published,
    "published-training": _published_training,
    "published-clusters": _published_clusters,
    "in-sample": _in_sample,
    "synthetic": _synthetic,
}


@functools.cache
def _made_by() -> dict[str, str]:
    """Version, commit and machine of this process. The commit is empty where there is no checkout or no git."""
    describe = ["git", "-C", str(ROOT), "describe", "--always", "--dirty"]
    commit = subprocess.run(describe, capture_output=True, text=True, check=False).stdout.strip() if shutil.which("git") else ""
    cpus = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*: (.*)$", cpus.read_text(), re.MULTILINE) if cpus.exists() else []
    return {"version": treewright.__version__, "commit": commit, "machine": f"{[*names, platform.machine()][0]}, {os.cpu_count()} cores"}


def _cpu_seconds() -> float:
    """Of this process and of those that it started and that have ended: a solver, or `treewright tune`."""
    return sum(os.times()[:4])


def run(job: dict[str, Any], where: dict[str, str]) -> dict[str, Any]:
    """The line that goes to the store. `where`: the folder of the real data, and the command that generates synthetic ones."""
    if unread := job.keys() - _OPTION_NAMES - _OTHER_NAMES:
        raise ValueError(f"job: nothing reads {', '.join(sorted(unread))} (docs/options.md has the options' names)")
    begin, cpu = time.perf_counter(), _cpu_seconds()
    records = PROTOCOLS[job["protocol"]](job, where)
    if job["protocol"] != "published":  # only DGMP23's trees are drawn
        records = [{key: value for key, value in record.items() if key not in ("used", "reached")} for record in records]
    return {
        "job": job,
        "records": records,
        "seconds": round(time.perf_counter() - begin, 3),
        "cpu_seconds": round(_cpu_seconds() - cpu, 3),
        "made_by": _made_by(),
    }
