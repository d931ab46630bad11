"""Methods of other packages that the studies compare with: scikit-learn's, STree, obliquetree, C5.0."""

from __future__ import annotations

import re
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import numpy as np

Record = dict[str, Any]
Rows = tuple[np.ndarray, np.ndarray]


def both(train: Rows, valid: Rows | None) -> Rows:
    return train if valid is None else (np.concatenate((train[0], valid[0])), np.concatenate((train[1], valid[1])))


def balanced(model: Any, test: Rows) -> float:
    from sklearn.metrics import balanced_accuracy_score

    return 100 * float(balanced_accuracy_score(test[1], model.predict(test[0])))


def forest(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    from sklearn.ensemble import RandomForestClassifier

    return scored(RandomForestClassifier(n_estimators=100, random_state=0), both(train, valid), test)


def kernel_machine(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """scikit-learn's support vector machine with a Gaussian kernel, no tree at all: what these data allow."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler
    from sklearn.svm import SVC

    grid = {"svc__C": [0.1, 1, 10, 100], "svc__gamma": ["scale", 0.01, 0.1]}
    return scored(GridSearchCV(make_pipeline(StandardScaler(), SVC()), grid, cv=4), both(train, valid), test)


def logistic(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """scikit-learn's logistic regression, its cost chosen by five folds."""
    from sklearn.linear_model import LogisticRegression

    return scored(_with_cost(LogisticRegression(max_iter=2000), list(np.logspace(-4, 4, 9))), both(train, valid), test)


def linear_machine(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """scikit-learn's linear support vector machine, its cost chosen by five folds."""
    from sklearn.svm import LinearSVC

    return scored(_with_cost(LinearSVC(dual=False), list(np.logspace(-4, 1, 6))), both(train, valid), test)


def _with_cost(model: Any, costs: list[float]) -> Any:
    """The model on standardized columns, its option C one of `costs`, chosen by five folds."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    steps = make_pipeline(StandardScaler(), model)
    return GridSearchCV(steps, {f"{steps.steps[-1][0]}__C": costs}, cv=_five_folds())


def pruned_cart(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """scikit-learn's CART of any depth, its pruning chosen by five folds."""
    from sklearn.model_selection import GridSearchCV
    from sklearn.tree import DecisionTreeClassifier

    X, y = both(train, valid)
    alphas = DecisionTreeClassifier(random_state=0).cost_complexity_pruning_path(X, y).ccp_alphas
    grid = {"ccp_alpha": sorted({0.0, *np.quantile(alphas.clip(0), np.linspace(0, 1, 21))})}
    return scored(GridSearchCV(DecisionTreeClassifier(random_state=0), grid, cv=_five_folds()), (X, y), test)


def boosting(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    from sklearn.ensemble import HistGradientBoostingClassifier

    return scored(HistGradientBoostingClassifier(random_state=0), both(train, valid), test)


def stree(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """STree (Montanana et al. 2021): support vector machines, grown greedily; four levels of splits, its cost chosen by five folds."""
    from stree import Stree

    return scored(_with_cost(Stree(random_state=0, max_depth=5), [0.01, 0.1, 1, 10, 100]), both(train, valid), test)


def obliquetree(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """The greedy tree of package obliquetree, its depth up to four chosen by five folds."""
    from obliquetree import Classifier

    X, y = both(train, valid)
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


def scored(model: Any, rows: Rows, test: Rows) -> list[Record]:
    """A model of scikit-learn's, trained and counted."""
    model.fit(*rows)
    return [{"test": 100 * model.score(*test), "balanced": balanced(model, test), "in_sample": 100 * model.score(*rows)}]


def c50(train: Rows, valid: Rows | None, test: Rows, options: dict[str, Any]) -> list[Record]:
    """Quinlan's C5.0 with its usual options: the program `c5.0` of the GPL edition, on the PATH. It counts its errors on the test rows
    itself."""
    rows = both(train, valid)
    classes = np.unique(np.concatenate((rows[1], test[1])))
    with tempfile.TemporaryDirectory() as folder:
        stem = Path(folder) / "rows"
        columns = "".join(f"x{column}: continuous.\n" for column in range(rows[0].shape[1]))
        stem.with_suffix(".names").write_text(f"class.\n{columns}class: {', '.join(f'c{k}' for k in range(len(classes)))}.\n")
        for ending, (X, y) in ((".data", rows), (".test", test)):
            lines = ([*("?" if np.isnan(x) else repr(float(x)) for x in row), f"c{np.searchsorted(classes, k)}"] for row, k in zip(X, y))
            stem.with_suffix(ending).write_text("".join(",".join(line) + "\n" for line in lines))
        told = subprocess.run(["c5.0", "-f", str(stem)], check=True, capture_output=True, text=True).stdout
    (leaves, errors), (_, test_errors) = re.findall(r"^\s+(\d+)\s+(\d+)\(\s*[\d.]+%\)\s+<<", told, re.MULTILINE)
    return [
        {
            "status": "heuristic",
            "leaves": int(leaves),
            "in_sample": 100 * (1 - int(errors) / len(rows[1])),
            "test": 100 * (1 - int(test_errors) / len(test[1])),
        }
    ]
