"""The HTML page of a fitted estimator, whatever its tree predicts."""

from __future__ import annotations

import datetime
import os
from typing import Any

from ._core import fit
from ._dataset import Dataset
from ._draw import names_table
from ._options import OptionSet
from ._result import Path

# Limits that the tree beside this one keeps to, where the estimator has them.
_LIMITS = ("min_samples_leaf", "min_weight_fraction_leaf", "max_leaf_nodes")


def write_page(
    estimator: Any,
    path: Any,
    train: Dataset | None,
    test: Dataset | None,
    corners: Path | None,
    with_rows: bool,
    *,
    title: str | None,
    author: str | None,
    names: Any,
) -> str:
    """The page, which is also written to `path` where that is given. With training rows the greedy tree stands beside this one."""
    beside = None
    if train is not None and estimator.result_.method != "cart":
        limits = {name: value for name, value in estimator.get_params().items() if name in _LIMITS}
        beside = fit(train, OptionSet({"max_depth": estimator.tree_.max_depth, **limits, "method": "cart"}))
    texts = {"title": title, "author": author, "date": datetime.date.today().isoformat(), "names": names_table(estimator.tree_, names)}
    page: str = estimator._smoothed().report(train, test, beside, corners, with_rows, False, **texts)
    if path is not None:
        _write_whole(path, page)
    return page


def _write_whole(path: Any, text: str) -> None:
    """Writes the file whole or not at all, through a link if it is one."""
    goal = os.path.realpath(path)
    unfinished = f"{goal}.{os.getpid()}.tmp"
    try:
        with open(unfinished, "w", encoding="utf-8") as file:
            file.write(text)
        os.replace(unfinished, goal)
    except BaseException as problem:
        if os.path.exists(unfinished):
            os.remove(unfinished)
        if isinstance(problem, OSError):
            problem.filename = os.fspath(path)
        raise
