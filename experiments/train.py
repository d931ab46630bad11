"""From a job to its records.

A job names a `protocol` (below: what is trained on what), a `method` (METHODS) and the options that the method is given; what it returns is
a list of records, flat dicts of measures. Keys that are no option of a method: study, protocol, method, data, split, cell, paper, part,
those that describe synthetic data, `cuts` (depths to cut a tree at), `grid` (values of options to choose from), `folds`, `tune_limit` and
`tune_nodes` (cross-validation on the grid), `budgets` and `shares` (AHL24's numbers of splits and of clusters to choose from), `shrinkages`
of the probabilities, and `clusters` (which clusters to train on).
"""

from __future__ import annotations

import functools
import json
import math
import os
import platform
import re
import shlex
import shutil
import subprocess
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import data
import treewright
from treewright import OPTIONS, OptimalityWarning, OptimalTreeClassifier, OptimalTreeClassifierCV

Record = dict[str, Any]
Rows = tuple[np.ndarray, np.ndarray]

_ROOT = Path(__file__).absolute().parents[1]
_OPTION_NAMES = {option.name for option in OPTIONS} | {option.old_name for option in OPTIONS if option.old_name}
# Jobs are kept under the names that options had when they ran.
_NAMES = {option.old_name: option.name for option in OPTIONS if option.old_name}


def _options(job: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in job.items() if key in (*_OPTION_NAMES, "budgets", "cuts", "grid") and key != "method"}


def _quietly(fit: Callable[[], Any]) -> Any:
    # A limit is told by the status in the record.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OptimalityWarning)
        return fit()


def _told(model: Any) -> Record:
    claims = model.result_
    return {
        "status": claims.status,
        "gap": claims.gap,
        "errors": claims.errors,
        "in_sample": 100 * claims.accuracy,
        "leaves": claims.leaves,
        "splits": claims.splits,
        "terms": claims.terms,
        "depth": claims.depth,
        "alpha": claims.alpha,
        "train_seconds": claims.seconds,
    }


def _read(options: dict[str, Any]) -> dict[str, Any]:
    """What the method reads of options that several methods share, by the names of today."""
    today = {_NAMES.get(name, name): value for name, value in options.items()}
    method = today.get("method", "oct")
    read = next(one.options for one in treewright.METHODS if one.name == method)
    # Jobs that name no cost had this one, before it was chosen by folds.
    usual = {"svm_cost": 1} if method in ("oct-h", "tao") else {}
    return usual | {name: value for name, value in today.items() if name in read or name == "method"}


def _both(train: Rows, valid: Rows | None) -> Rows:
    return train if valid is None else (np.concatenate((train[0], valid[0])), np.concatenate((train[1], valid[1])))


def _one_fold(train: Rows, valid: Rows) -> list[tuple[np.ndarray, np.ndarray]]:
    """Training and validation rows as a splitter of `_both`."""
    rows = np.arange(len(train[1]) + len(valid[1]))
    return [(rows[: len(train[1])], rows[len(train[1]) :])]


def _tune(train: Rows, valid: Rows, options: dict[str, Any]) -> OptimalTreeClassifierCV:
    """BD17 sec. 3: the path on the training rows, alpha by the validation rows, the tree for it on both. They choose among several depths
    too."""
    depths = options.pop("max_depth")
    model = OptimalTreeClassifierCV(
        max_depths=depths if isinstance(depths, list) else (depths,), cv=_one_fold(train, valid), **_read(options)
    )
    return _quietly(lambda: model.fit(*_both(train, valid)))


def _oct(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    if valid is not None:
        model = _tune(train, valid, options)
        extra = {"path_status": model.path_status_, "validation": 100 * model.best_score_}
    else:
        model = _quietly(lambda: OptimalTreeClassifier(**_read(options)).fit(*train))
        extra = {}
    told = {
        **_told(model),
        **extra,
        **_depths(model, test[0]),
        "gap_percent": 100 * model.gap_,
        "test": 100 * model.score(*test),
        "balanced": _balanced(model, test),
    }
    alone = {} if valid is not None else {"balanced_in_sample": _balanced(model, train), "used": _used(model, train[0])}
    return [{**told, **alone, "distinct": len(set(model.tree_.feature[model.tree_.kind != 0])), "features": model.result_.terms}]


def _searched(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """`grid` holds the values to try for each option, the ones to prefer among equals first: by the validation rows, or by four folds."""
    from sklearn.model_selection import GridSearchCV, StratifiedKFold

    X, y = _both(train, valid)
    model = OptimalTreeClassifier(**_read(options))
    if grid := options.get("grid"):
        folds = StratifiedKFold(4, shuffle=True, random_state=0) if valid is None else _one_fold(train, valid)
        search = GridSearchCV(model, {_NAMES.get(key, key): values for key, values in grid.items()}, cv=folds)
        model = _quietly(lambda: search.fit(X, y)).best_estimator_
    else:
        model = _quietly(lambda: model.fit(X, y))
    chosen = {key: model.get_params()[_NAMES.get(key, key)] for key in grid or ()}
    alone = {} if grid else {"balanced_in_sample": _balanced(model, train), "used": _used(model, X)}
    told = {**_told(model), **chosen, **_depths(model, test[0]), **alone}
    return [{**told, "test": 100 * model.score(*test), "balanced": _balanced(model, test)}]


def _by_budget(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """AHL24 sec. 2.1 and 5.2: the number of splits gamma, of `budgets`, whose tree on the training rows is best on the validation rows (of
    equals the least), and its tree on both; without validation rows, a record for each pair (depth, gamma) of `budgets`. The objective is
    errors + splits / (gamma + 1)."""
    budgets = options.pop("budgets")

    def trained(rows: Rows, budget: int, **more: Any) -> Any:
        price = {} if options["method"] == "partition" else {"ccp_alpha": 1 / (budget + 1), "alpha_scale": "errors"}
        return _quietly(lambda: OptimalTreeClassifier(**_read({**options, **more, "max_splits": budget, **price})).fit(*rows))

    if valid is None:
        models = [(depth, budget, trained(train, budget, max_depth=depth)) for depth, budget in budgets]
        return [{**_told(model), "max_depth": depth, "budget": budget, "bound": model.result_.bound} for depth, budget, model in models]
    scores = {budget: trained(train, budget).score(*valid) for budget in budgets}
    best = max(budgets, key=scores.__getitem__)
    model = trained(_both(train, valid), best)
    return [{**_told(model), **_depths(model, test[0]), "budget": best, "validation": 100 * scores[best], "test": 100 * model.score(*test)}]


def _used(model: Any, X: np.ndarray) -> list[list[int] | None]:
    """The features of the splits of the two upper levels: root, left, right; None where there is no split. Those of a hyperplane have
    weights of 5e-4 or more on columns scaled to [0, 1], as DGMP23 counts them."""
    tree, spread = model.tree_, np.ptp(X, axis=0)
    of_node: dict[int, list[int]] = {}
    for node in map(int, np.flatnonzero(tree.kind != 0)):
        terms = tree.terms(node)
        of_node[node] = (
            [term.feature for term in terms if abs(term.weight) * spread[term.feature] >= 5e-4] if terms else [int(tree.feature[node])]
        )
    places = [0, int(tree.children_left[0]), int(tree.children_right[0])]
    return [of_node.get(place) for place in places]


def _margins(train: Rows, test: Rows, options: dict[str, Any]) -> Record:
    """One tree; features as DGMP23 counts them: weights of 5e-4 or more on columns scaled to [0, 1]."""
    model = _quietly(lambda: OptimalTreeClassifier(**_read(options)).fit(*train))
    used = _used(model, train[0])
    several = [features for features in used if features is not None]
    distinct, features = len(set().union(*several)), sum(map(len, several))
    told = {**_told(model), "objective": model.objective_, "distinct": distinct, "features": features, "used": used}
    balanced = {"balanced": _balanced(model, test), "balanced_in_sample": _balanced(model, train)}
    return {**told, **balanced, "gap_percent": 100 * model.gap_, "test": 100 * model.score(*test)}


def _margot(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    if "grid" in options:
        return _searched(train, valid, test, options)
    start = _quietly(lambda: OptimalTreeClassifier(**_read({**options, "node_limit": 0})).fit(*train))
    return [{**_margins(train, test, options), "start": start.objective_}]


def _mm_svm(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """By SCIP, which tools/setup installs."""
    scip = shlex.join([str(_ROOT / ".venv-highs/bin/python"), str(_ROOT / "examples/solve_with_scip.py")])
    return [_margins(train, test, {**options, "method": "mm-svm", "mip_solver": scip + " {lp} {solution} {time} {start}"})]


def _describe(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """The rows themselves: how many, columns, and the share of each class in the order of their names (DGMP23 Table 4)."""
    share = 100 * np.unique(train[1], return_counts=True)[1] / len(train[1])
    return [{"rows": train[0].shape[0], "columns": train[0].shape[1], "first_class": share[0], "second_class": share[1]}]


def _balanced(model: Any, test: Rows) -> float:
    from sklearn.metrics import balanced_accuracy_score

    return 100 * float(balanced_accuracy_score(test[1], model.predict(test[0])))


def _cart(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    return _oct(train, valid, test, {**options, "method": "cart"})


def _cart_trimmed(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """BD17 sec. 6: CART is grown and tuned without a limit on its depth and cut at each depth afterwards; max_depth None is the whole."""
    cuts = options.pop("cuts")
    model = _tune(train, valid, {**options, "method": "cart", "max_depth": 60})
    tree = model.tree_
    levels = tree.depths()
    told = _told(model)
    records = []
    for cut in [*cuts, None]:
        label = _labels_at(model, test[0], cut)
        kept = (levels <= cut) if cut is not None else np.ones_like(levels, bool)
        inner = (tree.kind != 0) & (levels < (60 if cut is None else cut))
        records.append(
            {
                **told,
                "max_depth": cut,
                "depth": int(levels[kept].max()),
                "splits": int(inner.sum()),
                "leaves": int(inner.sum()) + 1,
                "test": 100 * float(np.mean(label == test[1])),
            }
        )
    return records


def _labels_at(model: Any, X: np.ndarray, cut: int | None) -> np.ndarray:
    """The labels that the tree gives when it is cut below that depth."""
    begin, visited = model._result.decision_path(model._rows(X))
    at = begin[1:] - 1 if cut is None else np.minimum(begin[:-1] + cut, begin[1:] - 1)
    return model.classes_[model.tree_.label[visited[at]]]


def _forest(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    from sklearn.ensemble import RandomForestClassifier

    return _scored(RandomForestClassifier(n_estimators=100, random_state=0), _both(train, valid), test)


def _kernel_machine(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """scikit-learn's support vector machine with a Gaussian kernel, no tree at all: what these data allow."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    grid = {"svc__C": [0.1, 1, 10, 100], "svc__gamma": ["scale", 0.01, 0.1]}
    return _scored(GridSearchCV(make_pipeline(StandardScaler(), SVC()), grid, cv=4), _both(train, valid), test)


def _logistic(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """scikit-learn's logistic regression, its cost chosen by five folds."""
    from sklearn.linear_model import LogisticRegression

    return _scored(_with_cost(LogisticRegression(max_iter=2000), list(np.logspace(-4, 4, 9))), _both(train, valid), test)


def _linear_machine(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """scikit-learn's linear support vector machine, its cost chosen by five folds."""
    from sklearn.svm import LinearSVC

    return _scored(_with_cost(LinearSVC(dual=False), list(np.logspace(-4, 1, 6))), _both(train, valid), test)


def _with_cost(model: Any, costs: list[float]) -> Any:
    """The model on standardized columns, its option C one of `costs`, chosen by five folds."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    steps = make_pipeline(StandardScaler(), model)
    return GridSearchCV(steps, {f"{steps.steps[-1][0]}__C": costs}, cv=_five_folds())


def _pruned_cart(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """scikit-learn's CART of any depth, its pruning chosen by five folds."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    X, y = _both(train, valid)
    alphas = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas
    grid = {"ccp_alpha": sorted({0.0, *np.quantile(alphas.clip(0), np.linspace(0, 1, 21))})}
    return _scored(GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=_five_folds()), (X, y), test)


def _boosting(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return _scored(HistGradientBoostingClassifier(random_state=0), _both(train, valid), test)


def _stree(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """STree (Montanana et al. 2021): support vector machines, grown greedily; four levels of splits, its cost chosen by five folds."""
    from stree import Stree

    return _scored(_with_cost(Stree(random_state=0, max_depth=5), [0.01, 0.1, 1, 10, 100]), _both(train, valid), test)


def _obliquetree(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """The greedy tree of package obliquetree, its depth up to four chosen by five folds."""
    from obliquetree import Classifier

    X, y = _both(train, valid)
    names, codes = np.unique(y, return_inverse=True)

    def right(depth: int, fit: np.ndarray, score: tuple[np.ndarray, np.ndarray]) -> float:
        model = Classifier(use_oblique=True, random_state=0, max_depth=depth)
        model.fit(X[fit], codes[fit])
        return float(np.mean(names[np.asarray(model.predict(score[0])).astype(int)] == score[1]))

    folds = list(_five_folds().split(X, y))
    best = max((1, 2, 3, 4), key=lambda depth: np.mean([right(depth, fit, (X[held], y[held])) for fit, held in folds]))
    return [{"test": 100 * right(best, np.arange(len(y)), test), "depth": best}]


def _five_folds() -> Any:
    from sklearn.model_selection import StratifiedKFold

    return StratifiedKFold(5, shuffle=True, random_state=0)


def _scored(model: Any, rows: Rows, test: Rows) -> list[Record]:
    """A model of scikit-learn's, trained and counted."""
    model.fit(*rows)
    return [{"test": 100 * model.score(*test), "balanced": _balanced(model, test), "in_sample": 100 * model.score(*rows)}]


# One line for each method: (training rows, validation rows or None, test rows, options) -> records.
METHODS: dict[str, Callable[[Rows, Any, Rows, dict[str, Any]], list[Record]]] = {
    "oct": _oct,
    **{name: lambda *rows, name=name: _margot(*rows[:3], {**rows[3], "method": name}) for name in ("margot", "margot-hfs", "margot-sfs")},
    "mm-svm": _mm_svm,
    "describe": _describe,
    "cart": _cart,
    "cart-trimmed": _cart_trimmed,
    "random-forest": _forest,
    "oct-budget": lambda *rows: _by_budget(*rows[:3], {**rows[3], "method": "oct"}),
    **{
        f"{first}+{refine}": lambda *rows, first=first, refine=refine: _by_budget(
            *rows[:3], {**rows[3], "method": "partition", "partition": first, "refine": refine}
        )
        for first in ("gp", "igp", "crm")
        for refine in ("hiia", "eiia", "hia", "eia")
    },
    "rbf-svm": _kernel_machine,
    "logistic": _logistic,
    "linear-svm": _linear_machine,
    "pruned-cart": _pruned_cart,
    "gradient-boosting": _boosting,
    "stree": _stree,
    "obliquetree": _obliquetree,
    **{
        name: lambda *rows, name=name: _searched(*rows[:3], {**rows[3], "method": name})
        for name in ("oct-h", "tao", "local", "cart-h", "auto", "svm1")
    },
}


def _depths(model: Any, X: np.ndarray) -> Record:
    """Mean depth of the leaves, and of the leaves that the rows reach (Murthy & Salzberg 1995)."""
    levels = model.tree_.depths()
    leaves = model.tree_.kind == 0
    return {"average_depth": float(levels[leaves].mean()), "expected_depth": float(levels[model.apply(X)].mean())}


def _holdout(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """Half of the rows to train, a quarter to validate, a quarter to test (BD17 sec. 6)."""
    X, y = data.load(job["data"], where["data"], job.get("paper", "bd17"))
    train, valid, test = ((X[part], y[part]) for part in data.holdout(y, job["split"]))
    return METHODS[job["method"]](train, valid, test, _options(job))


def _holdout_by_folds(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """The rows of `_holdout`, but a method with a `grid` chooses by four folds of the training and validation rows together."""
    X, y = data.load(job["data"], where["data"], job.get("paper", "bd17"))
    train, valid, test = ((X[part], y[part]) for part in data.holdout(y, job["split"]))
    return METHODS[job["method"]](_both(train, valid), None, test, _options(job))


def _probabilities(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """A tree of three quarters of the rows, and how its probabilities score on the others, with each of `shrinkages`; "laplace" among them
    stands for (weight of the class in the leaf + 1) / (weight of the leaf + classes)."""
    from sklearn.metrics import log_loss

    X, y = data.load(job["data"], where["data"])
    train, valid, test = ((X[part], y[part]) for part in data.holdout(y, job["split"]))
    model = _quietly(lambda: OptimalTreeClassifier(**_read({**_options(job), "method": job["method"]})).fit(*_both(train, valid)))
    truth = test[1][:, np.newaxis] == model.classes_
    records = []
    for shrinkage in job["shrinkages"]:
        if shrinkage == "laplace":
            weights = model.tree_.class_weight[model.apply(test[0])] + 1
            shares = weights / weights.sum(axis=1, keepdims=True)
        else:
            shares = model.set_params(shrinkage=shrinkage).predict_proba(test[0])
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
    return [{**record, "cluster_share": share} for record in METHODS[job["method"]](train, valid, test, _options(job) | {"rho": share})]


def _by_folds(train: Rows, test: Rows, job: dict[str, Any], command: str) -> list[Record]:
    """The tree for the values of `grid` that `treewright tune` chooses by cross-validation with `folds` folds on the training rows. That
    takes `tune_limit` seconds at most, and each of its trees `tune_nodes` nodes of the search."""
    limits = {"max-depth": job["max_depth"], "n-jobs": job["n_jobs"], "time-limit": job["tune_limit"], "node-limit": job["tune_nodes"]}
    flags = ["--method", job["method"], *(text for name, value in limits.items() for text in (f"--{name}", str(value)))]
    flags += [text for option, values in job["grid"].items() for text in ("--try", f"{option}={';'.join(values)}")]
    tuned = json.loads(data.run_on(*train, command, "tune", *flags, "--folds", str(job["folds"]), "--json"))
    chosen = dict(pair.split("=") for pair in tuned["setting"].split())
    told = {
        "tune_seconds": tuned["seconds"],
        "tuned_trees": len(tuned["trees"]),
        "tuned_proved": sum(tree["status"] == "optimal" for tree in tuned["trees"]),
        "validation": 100 * tuned["validation_accuracy"],
        **{f"log_cost_{level}": math.log10(float(cost)) for level, cost in enumerate(chosen["level_costs"].split(","))},
    }
    options = {key: value for key, value in _options(job).items() if key != "grid"} | chosen
    return [{**record, **chosen, **told} for record in METHODS[job["method"]](train, None, test, options)]


def _best_share(train: Rows, shares: list[float], command: str) -> float:
    """AHL24 sec. 5.2: rho of gp, of `shares`, for which the optimal tree (DP) of depth 4 with 15 splits errs on the fewest training rows.
    Of equals the smallest."""

    def errors(share: float) -> float:
        X, y, weights = data.representatives(command, *train, "gp", share)
        limits = {"max_depth": 4, "max_splits": 15, "alpha_scale": "errors", "ccp_alpha": 1 / 16}
        model = _quietly(lambda: OptimalTreeClassifier(**limits, time_limit=5, n_jobs=1).fit(X, y, weights))
        return 1 - float(model.score(*train))

    return min(shares, key=errors)


def _published_training(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """The training rows of such a partition, to train and to count (AHL24 sec. 5.1).

    Method `measures` trains nothing and measures first clusters."""
    train, _, _ = _published_parts(job, where)
    if job["method"] != "measures":
        return METHODS[job["method"]](train, None, train, _options(job))
    return data.measures_of_clusters(where["command"], *train, ("gp", "igp", "crm"), job["rho"])


def _published_clusters(job: dict[str, Any], where: dict[str, str]) -> list[Record]:
    """A hyperplane tree trained on the means of the clusters of training and validation rows, each with the weight of its rows (AHL24 sec.
    6). `clusters`: none for the rows themselves."""
    train, valid, test = _published_parts(job, where)
    rows = _both(train, valid)
    X, y, weights = (*rows, None) if job["clusters"] == "none" else data.representatives(where["command"], *rows, job["clusters"])
    model = _quietly(lambda: OptimalTreeClassifier(**_read({**_options(job), "method": job["method"]})).fit(X, y, weights))
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
    """Data from a random tree (BD17 sec. 5): without noise all rows train and alpha is 0, with noise a tenth chooses alpha."""
    depth = job["true_depth"]
    drawn = {key: job[key] for key in ("features", "rows", "rows_per_label", "label_noise", "feature_noise") if job.get(key)}
    noisy = bool(job.get("label_noise") or job.get("feature_noise"))
    methods = {
        "cart-depth": (_cart, {"max_depth": depth}),
        "cart": (_cart, {"max_depth": 60}),
        "oct": (_oct, {"max_depth": depth, "n_jobs": 1}),
    }
    records = []
    for sample in range(job["samples"]):
        train, test = (
            data.synthetic(where["command"], f"bd17-{part}", seed=job["tree"], sample=sample, depth=depth, **drawn)
            for part in ("train", "test")
        )
        valid = None
        if noisy:
            some = np.random.default_rng(sample).permutation(len(train[1]))
            cut = len(some) // 10
            valid, train = tuple(part[some[:cut]] for part in train), tuple(part[some[cut:]] for part in train)
        for method, (train_it, options) in methods.items():
            records += [{**record, "method": method, "sample": sample} for record in train_it(train, valid, test, dict(options))]
        # All leaves of the truth are reached, so that each has the full depth.
        measures = dict.fromkeys(("depth", "average_depth", "expected_depth"), float(depth))
        truth = {"method": "truth", "test": 100.0, "in_sample": None if noisy else 100.0, "leaves": 2**depth}
        records.append({**truth, **measures, "sample": sample})
    return records


PROTOCOLS = {
    "holdout": _holdout,
    "holdout-by-folds": _holdout_by_folds,
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
    describe = ["git", "-C", str(_ROOT), "describe", "--always", "--dirty"]
    commit = subprocess.run(describe, capture_output=True, text=True, check=False).stdout.strip() if shutil.which("git") else ""
    cpus = Path("/proc/cpuinfo")
    names = re.findall(r"^model name\s*: (.*)$", cpus.read_text(), re.MULTILINE) if cpus.exists() else []
    return {"version": treewright.__version__, "commit": commit, "machine": f"{[*names, platform.machine()][0]}, {os.cpu_count()} cores"}


def run(job: dict[str, Any], where: dict[str, str]) -> dict[str, Any]:
    """The line that goes to the store. `where`: the folder of the real data, and the command that generates synthetic ones."""
    begin, cpu = time.perf_counter(), time.process_time()
    records = PROTOCOLS[job["protocol"]](job, where)
    return {
        "job": job,
        "records": records,
        "seconds": round(time.perf_counter() - begin, 3),
        "cpu_seconds": round(time.process_time() - cpu, 3),
        "made_by": _made_by(),
    }
