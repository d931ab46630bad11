"""Training with the C interface: from data and options to trees."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from . import _library as c
from ._analyses import ColumnWorths, ErrorTradeOff, NearbyTrees, SplitsOfColumns
from ._dataset import Dataset
from ._library import LIB, owned_text, take_text
from ._options import OptionSet
from ._result import Path, Result
from ._running import Elsewhere, Watcher, run


def fit(data: Dataset, options: OptionSet, watchers: Sequence[Watcher] = (), elsewhere: Elsewhere | None = None) -> Result:
    """Trains one tree; the watchers are told of its progress, and other machines help if there are any."""
    handle = ctypes.c_void_p()
    function = LIB.tw_fit if elsewhere is None else LIB.tw_fit_elsewhere
    run(function, (data.handle, options.handle), ctypes.byref(handle), watchers, elsewhere)
    return Result(handle)


def complexity_path(data: Dataset, options: OptionSet, watchers: Sequence[Watcher] = ()) -> Path:
    """Trains all trees that are optimal for some alpha."""
    handle = ctypes.c_void_p()
    run(LIB.tw_complexity_path, (data.handle, options.handle), ctypes.byref(handle), watchers)
    return Path(handle)


def trade_off(data: Dataset, options: OptionSet, positive: str, watchers: Sequence[Watcher] = ()) -> ErrorTradeOff:
    """Trains an optimal tree of two classes for every ratio of the prices of both kinds of errors."""
    handle = ctypes.c_void_p()
    run(LIB.tw_trade_off_find, (data.handle, options.handle, positive.encode()), ctypes.byref(handle), watchers)
    return ErrorTradeOff(handle)


def column_worth(data: Dataset, options: OptionSet, most_more: float, watchers: Sequence[Watcher] = ()) -> ColumnWorths:
    """Finds what each column is worth; see tw_column_worth_find in the C header."""
    handle = ctypes.c_void_p()
    run(LIB.tw_column_worth_find, (data.handle, options.handle, most_more), ctypes.byref(handle), watchers)
    return ColumnWorths(handle)


def column_splits(data: Dataset, options: OptionSet, watchers: Sequence[Watcher] = ()) -> SplitsOfColumns:
    """Finds the best split on each column in a place of a tree; see tw_column_splits in the C header."""
    text = ctypes.c_void_p()
    run(LIB.tw_column_splits, (data.handle, options.handle), ctypes.byref(text), watchers)
    return SplitsOfColumns(json.loads(owned_text(text)))


def near_trees(
    data: Dataset, options: OptionSet, within: float, count: int, only_sets: bool, watchers: Sequence[Watcher] = ()
) -> NearbyTrees:
    """Lists the trees near the best one; see tw_near_trees_find in the C header."""
    handle = ctypes.c_void_p()
    run(LIB.tw_near_trees_find, (data.handle, options.handle, within, count, int(only_sets)), ctypes.byref(handle), watchers)
    return NearbyTrees(handle)


def fold_paths(data: Dataset, settings: Sequence[OptionSet], time_limit: float) -> list[Path]:
    """The paths of several settings on the training rows of a fold, in so many seconds together; see tw_fold_paths in the C header."""
    handles = (ctypes.c_void_p * len(settings))()
    given = (ctypes.c_void_p * len(settings))(*(options.handle for options in settings))
    run(LIB.tw_fold_paths, (data.handle, given, len(settings), time_limit), handles, stopped="the cross-validation ends without a tree")
    return [Path(ctypes.c_void_p(handle)) for handle in handles]


TUNE_TABLE_HEAD: str = LIB.tw_tune_table_head().decode()


class ScoredTree(NamedTuple):
    """A tree of one fold under one setting: where on alpha it is to be taken, its score on the rows left out, the features it uses."""

    setting: int
    fold: int
    alpha_low: float
    alpha_high: float
    score: float
    features: float
    splits: float = 0


class CurveStep(NamedTuple):
    """An interval of alpha on which no fold changes its tree: means over the folds."""

    setting: int
    alpha_low: float
    alpha_high: float
    score: float
    features: float
    splits: float
    standard_error: float


@dataclass(frozen=True)
class Choice:
    """The chosen step, the alpha in its middle, and the reason; with the whole curve it was chosen on."""

    step: CurveStep
    alpha: float
    why: str
    curve: list[CurveStep]


def choose(trees: Sequence[ScoredTree], rule: str) -> Choice:
    """The setting and alpha of the best mean score; see tw_choose in the C header."""
    given = (c.ScoredTree * len(trees))(*(c.ScoredTree(*tree) for tree in trees))
    steps, chosen = (c.CurveStep * len(trees))(*(c.CurveStep() for _ in trees)), c.CurveStep()
    count, alpha = ctypes.c_int64(), ctypes.c_double()
    why = take_text(LIB.tw_choose, given, len(trees), rule.encode(), steps, ctypes.byref(count), ctypes.byref(chosen), ctypes.byref(alpha))

    def step(of: Any) -> CurveStep:
        return CurveStep(*(getattr(of, name) for name in CurveStep._fields))

    return Choice(step(chosen), alpha.value, why, [step(one) for one in steps[: count.value]])
