"""The methods of a job: training rows, validation rows and test rows to records, flat dicts of measures."""

from __future__ import annotations

import shlex
import tempfile
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import others
from others import Record, Rows, balanced, both
from treewright._cv import TunedClassifier
from treewright._options import OF_RUN

import treewright
from treewright import CARTClassifier, MIPTreeClassifier, OptimalityWarning, OptimalTreeClassifierCV, classifier

ROOT = Path(__file__).absolute().parents[1]


def quietly(fit: Callable[[], Any]) -> Any:
    # A limit is told by the status in the record.
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", OptimalityWarning)
        return fit()


def claims_of(model: Any) -> Record:
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


def read_by(options: dict[str, Any]) -> dict[str, Any]:
    """The estimator's parameters from the library's options: what the method reads of options that several methods share."""
    method = options.get("method", "oct")
    read = next(one.options for one in treewright.METHODS if one.name == method)
    # The estimator of MARGOT has a limit of its own, for people who wait; jobs of oct-h and tao that name no cost have the former one.
    by_mip = options.get("solver") == "mip"
    usual = {"node_limit": None} if method == "margot" else {"svm_cost": 1} if method in ("oct-h", "tao") and not by_mip else {}
    known = usual | {name: value for name, value in options.items() if name in read or name == "method"}
    if method == "cart":
        known.pop("alpha_scale", None)  # of its objective, which nobody reads
    run = {name: known.pop(name) for name in OF_RUN if name in known}
    splits = known.pop("max_splits", None)
    limit = {} if splits is None else {"max_leaf_nodes": splits + 1} if splits > 0 else {"max_depth": 0}
    return known | limit | ({"run": run} if run else {})


# DGMP23's methods for few features, as the library's options.
FEW_FEATURES = {f"margot {selection}": {"method": "margot", "feature_selection": selection} for selection in ("hard", "soft")}


class _TunedCART(TunedClassifier):
    """CART whose price of a split is chosen by cross-validation."""

    _methods, _single = ("cart",), CARTClassifier
    class_weight = shrinkage = scoring = n_jobs = None
    rule, verbose = "best", False

    def __init__(self, *, max_depths: tuple[int, ...] = (), cv: Any = 5, min_samples_leaf: float = 1) -> None:
        self.max_depths, self.cv, self.min_samples_leaf = max_depths, cv, min_samples_leaf


def _one_fold(train: Rows, valid: Rows) -> list[tuple[np.ndarray, np.ndarray]]:
    """Training and validation rows as a splitter of `both`."""
    rows = np.arange(len(train[1]) + len(valid[1]))
    return [(rows[: len(train[1])], rows[len(train[1]) :])]


def _tune(train: Rows, valid: Rows, options: dict[str, Any]) -> TunedClassifier:
    """BD17 sec. 3: the path on the training rows, alpha by the validation rows, the tree for it on both. They choose among several depths
    too."""
    depths = options.pop("max_depth")
    known = read_by(options)
    tuned = _TunedCART if known.pop("method", "oct") == "cart" else OptimalTreeClassifierCV
    model = tuned(max_depths=depths if isinstance(depths, list) else (depths,), cv=_one_fold(train, valid), **known)
    return quietly(lambda: model.fit(*both(train, valid)))


def train_oct(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    if valid is not None:
        model = _tune(train, valid, options)
        extra = {"path_status": model.path_status_, "validation": 100 * model.best_score_}
    else:
        model = quietly(lambda: classifier(**read_by(options)).fit(*train))
        extra = {}
    told = {
        **claims_of(model),
        **extra,
        **_depths(model, test[0]),
        "gap_percent": 100 * model.gap_,
        "test": 100 * model.score(*test),
        "balanced": balanced(model, test),
    }
    alone = {} if valid is not None else {"balanced_in_sample": balanced(model, train), **_upper_levels(model, train[0])}
    return [{**told, **alone, "distinct": len(set(model.tree_.feature[model.tree_.kind != 0])), "features": model.result_.terms}]


def _searched(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """`grid` holds the values to try for each option, the ones to prefer among equals first: by the validation rows, or by
    `folds` folds, four unless the job says."""
    from sklearn.model_selection import GridSearchCV, StratifiedKFold

    X, y = both(train, valid)
    model = classifier(**read_by(options))
    if grid := options.get("grid"):
        folds = StratifiedKFold(options.get("folds", 4), shuffle=True, random_state=0) if valid is None else _one_fold(train, valid)
        search = GridSearchCV(model, grid, cv=folds)
        model = quietly(lambda: search.fit(X, y)).best_estimator_
    else:
        model = quietly(lambda: model.fit(X, y))
    chosen = {key: model.get_params()[key] for key in grid or ()}
    alone = {} if grid else {"balanced_in_sample": balanced(model, train), **_upper_levels(model, X)}
    if not grid and options["method"] == "oct-h":
        most = max(np.unique(y, return_counts=True)[1])
        alone |= {"objective": model.objective_, "rows": len(y), "baseline_errors": int(len(y) - most)}
    told = {**claims_of(model), **chosen, **_depths(model, test[0]), **alone}
    if "row_selection" in options:
        told |= {"selected": _share_of_selected(model, X, y)}
    return [{**told, "test": 100 * model.score(*test), "balanced": balanced(model, test)}]


def _anew_below_root(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """SVM1-ODT with selection, and the same root with rows selected anew for each child, in a training of its own (Z20 sec. 5, untested
    there). The second tree counts if it makes fewer errors on the training rows."""
    X, y = both(train, valid)

    def trained(rows: Rows, depth: int) -> Any:
        return quietly(lambda: classifier(**read_by({**options, "method": "svm1", "max_depth": depth})).fit(*rows))

    whole = trained((X, y), options["max_depth"])

    def left(rows: np.ndarray) -> np.ndarray:
        tree, leaves = whole.tree_, whole.apply(rows)
        # Children come after their parent: a node is below the root's left child if its parent is.
        below = np.arange(tree.node_count) == tree.children_left[0]
        for node in range(tree.node_count):
            for child in (tree.children_left[node], tree.children_right[node]):
                if child >= 0:
                    below[child] |= below[node]
        return below[leaves]

    labels, new_labels = whole.predict(X), whole.predict(test[0])
    joined, new_joined = labels.copy(), new_labels.copy()
    if whole.tree_.kind[0] != 0:
        of_rows, of_new_rows = left(X), left(test[0])
        for side, new_side in ((of_rows, of_new_rows), (~of_rows, ~of_new_rows)):
            if len(np.unique(y[side])) == 1:
                joined[side] = new_joined[new_side] = y[side][0]
                continue
            child = trained((X[side], y[side]), options["max_depth"] - 1)
            joined[side] = child.predict(X[side])
            if new_side.any():
                new_joined[new_side] = child.predict(test[0][new_side])
    fewer = bool((joined != y).sum() < (labels != y).sum())
    ways = {"once": (labels, new_labels), "anew": (joined, new_joined), "better": (joined, new_joined) if fewer else (labels, new_labels)}
    told = {}
    for name, (trained_on, new) in ways.items():
        told |= {f"{name}_in_sample": 100 * float(np.mean(trained_on == y)), f"{name}_test": 100 * float(np.mean(new == test[1]))}
    return [{**told, "fewer_errors": 100.0 * fewer}]


def _keep_splits(train: Rows, valid: Rows, test: Rows, options: dict[str, Any]) -> list[Record]:
    """The most splits whose tree is within one standard error of the best on the validation rows, and the tree of all rows for them."""
    choices = range(2 ** options["max_depth"])

    def trained(rows: Rows, splits: int) -> Any:
        return classifier(**read_by({**options, "max_splits": splits, "ccp_alpha": 0})).fit(*rows)

    scores = [trained(train, splits).score(*valid) for splits in choices]
    best = max(scores)
    least = best - np.sqrt(best * (1 - best) / len(valid[1]))
    model = trained(both(train, valid), max(splits for splits in choices if scores[splits] >= least))
    return [{**claims_of(model), **_depths(model, test[0]), "test": 100 * model.score(*test)}]


def _four_folds(train: Rows, valid: Rows, test: Rows, options: dict[str, Any]) -> list[Record]:
    """Alpha by four folds of training and validation rows together."""
    from sklearn.model_selection import KFold

    model = OptimalTreeClassifierCV(max_depths=(options["max_depth"],), cv=KFold(4, shuffle=True, random_state=0), n_jobs=1)
    model = quietly(lambda: model.fit(*both(train, valid)))
    return [{**claims_of(model), **_depths(model, test[0]), "test": 100 * model.score(*test)}]


def _all_splits(train: Rows, valid: Rows, test: Rows, options: dict[str, Any]) -> list[Record]:
    return train_oct(both(train, valid), None, test, {**options, "ccp_alpha": 0})


# Other ways to choose alpha on BD17's synthetic data.
CHOICES = {"oct, one standard error": _keep_splits, "oct, four folds": _four_folds, "oct, alpha 0": _all_splits}


def _share_of_selected(model: Any, X: np.ndarray, y: np.ndarray) -> float:
    """In percent, the rows that `row_selection` leaves to train on (Z20 Tables 6 to 8). The same selection once more, hardly trained on."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "rows.csv"
        options = {name: value for name, value in model.get_params().items() if value is not None}
        run = options.pop("run", {}) | {"write_rows": file}
        quietly(lambda: type(model)(**{**options, "restarts": 0, "run": run}).fit(X, y))
        return 100 * (len(file.read_text().splitlines()) - 1) / len(y)


def _by_budget(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """AHL24 sec. 2.1 and 5.2: the number of splits gamma, of `budgets`, whose tree on the training rows is best on the validation rows (of
    equals the least), and its tree on both; without validation rows, a record for each pair (depth, gamma) of `budgets`. The objective is
    errors + splits / (gamma + 1)."""
    budgets = options.pop("budgets")

    def trained(rows: Rows, budget: int, **more: Any) -> Any:
        price = {} if options["method"] == "partition" else {"ccp_alpha": 1 / (budget + 1), "alpha_scale": "errors"}
        return quietly(lambda: classifier(**read_by({**options, **more, "max_splits": budget, **price})).fit(*rows))

    if valid is None:
        models = [(depth, budget, trained(train, budget, max_depth=depth)) for depth, budget in budgets]
        return [{**claims_of(model), "max_depth": depth, "budget": budget, "bound": model.result_.bound} for depth, budget, model in models]
    scores = {budget: trained(train, budget).score(*valid) for budget in budgets}
    best = max(budgets, key=scores.__getitem__)
    model = trained(both(train, valid), best)
    return [
        {**claims_of(model), **_depths(model, test[0]), "budget": best, "validation": 100 * scores[best], "test": 100 * model.score(*test)}
    ]


def _upper_levels(model: Any, X: np.ndarray) -> Record:
    """The two upper levels of splits. `used`: the features of root, left and right child; None where there is no split. Those of a
    hyperplane have weights of 5e-4 or more on columns scaled to [0, 1], as DGMP23 counts them. `reached`: the training rows of each class
    in these nodes and in their children, level by level."""
    tree, spread = model.tree_, np.ptp(X, axis=0)

    def features_of(node: int) -> list[int] | None:
        if node < 0 or tree.kind[node] == 0:
            return None
        terms = tree.terms(node)
        return [term.feature for term in terms if abs(term.weight) * spread[term.feature] >= 5e-4] if terms else [int(tree.feature[node])]

    places = [0]
    for place in range(3):
        places += [int(child[places[place]]) if places[place] >= 0 else -1 for child in (tree.children_left, tree.children_right)]
    used = [features_of(node) for node in places[:3]]
    reached = [[int(weight) for weight in tree.class_weight[node]] if node >= 0 else None for node in places]
    several = [features for features in used if features is not None]
    distinct, features = len(set().union(*several)), sum(map(len, several))
    return {"used": used, "reached": reached, "distinct": distinct, "features": features}


def _margins(train: Rows, test: Rows, options: dict[str, Any]) -> Record:
    model = quietly(lambda: classifier(**read_by(options)).fit(*train))
    told = {**claims_of(model), "objective": model.objective_, **_upper_levels(model, train[0])}
    both_classes = {"balanced": balanced(model, test), "balanced_in_sample": balanced(model, train)}
    return {**told, **both_classes, "gap_percent": 100 * model.gap_, "test": 100 * model.score(*test)}


def _margot(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    if "grid" in options:
        return _searched(train, valid, test, options)
    start = quietly(lambda: classifier(**read_by({**options, "node_limit": 0})).fit(*train))
    return [{**_margins(train, test, options), "start": start.objective_}]


def _local_svm(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """DGMP23 Algorithm 1: without time, MARGOT's search ends with its first tree as it is before local search."""
    told = _margins(train, test, {**options, "method": "margot", "time_limit": 0})
    return [{**told, "start": told["objective"]}]


# SCIP, which tools/setup installs, in place of HiGHS.
_SCIP = {
    "mip_solver": shlex.join([str(ROOT / ".venv-highs/bin/python"), str(ROOT / "examples/solve_with_scip.py")])
    + " {lp} {solution} {time} {start}"
}


def _mm_svm(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    return [_margins(train, test, {**options, "method": "mm-svm", **_SCIP})]


def _by_model(estimator: Any, train: Rows) -> list[Record]:
    """BD17's models, with the objective of the best tree and the solver's bound."""
    model = quietly(lambda: estimator.fit(*train))
    return [{**claims_of(model), "objective": model.objective_, "bound": model.bound_}]


def _oct_h_then_mip(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """OCT-H by HiGHS, from the tree of our heuristic."""
    start = quietly(lambda: classifier(**read_by({**options, "method": "oct-h"})).fit(*train))
    options.pop("restarts", None)
    with tempfile.TemporaryDirectory() as folder:
        name = Path(folder) / "start.json"
        name.write_text(start.to_json())
        told = _margins(train, test, {**options, "method": "oct-h", "solver": "mip", "mip_start": str(name)})
    return [{**told, "start": start.objective_}]


def _describe(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """The rows themselves: how many, columns, and the share of each class in the order of their names (DGMP23 Table 4)."""
    share = 100 * np.unique(train[1], return_counts=True)[1] / len(train[1])
    return [{"rows": train[0].shape[0], "columns": train[0].shape[1], "first_class": share[0], "second_class": share[1]}]


def train_cart(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    return train_oct(train, valid, test, {**options, "method": "cart"})


def _cart_trimmed(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """BD17 sec. 6: CART is grown and tuned without a limit on its depth and cut at each depth afterwards; max_depth None is the whole."""
    cuts = options.pop("cuts")
    model = _tune(train, valid, {**options, "method": "cart", "max_depth": 60})
    tree = model.tree_
    levels = tree.depths()
    told = claims_of(model)
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


def _depths(model: Any, X: np.ndarray) -> Record:
    """Mean depth of the leaves, and of the leaves that the rows reach (Murthy & Salzberg 1995)."""
    levels = model.tree_.depths()
    leaves = model.tree_.kind == 0
    return {"average_depth": float(levels[leaves].mean()), "expected_depth": float(levels[model.apply(X)].mean())}


METHODS: dict[str, Callable[[Rows, Any, Rows, dict[str, Any]], list[Record]]] = {
    "oct": train_oct,
    "margot": lambda *rows: _margot(*rows[:3], {**rows[3], "method": "margot"}),
    **{name: lambda *rows, chosen=chosen: _margot(*rows[:3], {**rows[3], **chosen}) for name, chosen in FEW_FEATURES.items()},
    "local-svm": _local_svm,
    "mm-svm": _mm_svm,
    "oct-h, then HiGHS": _oct_h_then_mip,
    "oct by HiGHS": lambda *rows: _by_model(MIPTreeClassifier(**read_by(rows[3])), rows[0]),
    "oct by SCIP": lambda *rows: _by_model(MIPTreeClassifier(**read_by({**rows[3], **_SCIP})), rows[0]),
    "oct-h by HiGHS": lambda *rows: _by_model(classifier(**read_by({**rows[3], "method": "oct-h", "solver": "mip"})), rows[0]),
    # OCT-H with the alpha that DGMP23 chose for few features.
    "oct-h*": lambda *rows: _searched(*rows[:3], {**rows[3], "method": "oct-h"}),
    "describe": _describe,
    "cart": train_cart,
    "cart-trimmed": _cart_trimmed,
    "random-forest": others.forest,
    # The tree with the fewest errors of its depth.
    "fewest-errors": lambda *rows: _searched(*rows[:3], {**rows[3], "method": "oct", "ccp_alpha": 0}),
    "svm1-anew": _anew_below_root,
    "oct-budget": lambda *rows: _by_budget(*rows[:3], {**rows[3], "method": "oct"}),
    **{
        f"{first}+{refine}": lambda *rows, first=first, refine=refine: _by_budget(
            *rows[:3], {**rows[3], "method": "partition", "partition": first, "partition_algorithm": refine}
        )
        for first in ("gp", "igp", "crm")
        for refine in ("hiia", "eiia", "hia", "eia")
    },
    "rbf-svm": others.kernel_machine,
    "logistic": others.logistic,
    "linear-svm": others.linear_machine,
    "pruned-cart": others.pruned_cart,
    "gradient-boosting": others.boosting,
    "stree": others.stree,
    "obliquetree": others.obliquetree,
    "c5.0": others.c50,
    "c5.0-training": lambda train, valid, test, options: others.c50(train, None, test, options),
    **{
        name: lambda *rows, name=name: _searched(*rows[:3], {**rows[3], "method": name})
        for name in ("oct-h", "tao", "local", "cart-h", "auto", "svm1", "binoct")
    },
}
