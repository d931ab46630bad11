"""What the analyses find that train many trees: the worth of columns, the trees near the best one, the trade-off of two kinds of errors."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, NoReturn

from . import _library as c
from ._dataset import Dataset
from ._library import LIB, borrowed_text, call, create, take_text
from ._result import Result


@dataclass(frozen=True)
class LeastCost:
    """The least cost of some trees lies between ``bound`` and ``cost``, which is that of the best tree found; see tw_least_cost."""

    bound: float
    cost: float
    status: str

    @classmethod
    def of(cls, info: c.LeastCostInfo) -> LeastCost:
        return cls(info.bound, info.cost, info.status.decode())


@dataclass(frozen=True)
class WorthOfColumn:
    """The least costs of the trees that ask a column first, and of those that never ask it, with their trees."""

    name: str
    used: bool
    first: LeastCost
    never: LeastCost
    first_result: Result | None
    never_result: Result | None


class ColumnWorths:
    """The worth of all columns, the largest first."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle
        count, best = ctypes.c_int64(), c.LeastCostInfo()
        call(LIB.tw_column_worth_size, handle, ctypes.byref(count))
        call(LIB.tw_column_worth_best, handle, ctypes.byref(best))
        self.status = borrowed_text(LIB.tw_column_worth_status, handle)
        self.best = LeastCost.of(best)
        self.columns = [self._column(handle, index) for index in range(count.value)]

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_column_worth_free(self.handle)

    @staticmethod
    def _column(handle: ctypes.c_void_p, index: int) -> WorthOfColumn:
        name, used, first, never = ctypes.c_char_p(), ctypes.c_int32(), c.LeastCostInfo(), c.LeastCostInfo()
        call(LIB.tw_column_worth_at, handle, index, *(ctypes.byref(output) for output in (name, used, first, never)))
        results = []
        for asked_first in (1, 0):
            result = create(LIB.tw_column_worth_result, handle, index, asked_first)
            results.append(Result(result) if result else None)
        return WorthOfColumn(
            (name.value or b"").decode("utf-8", "replace"), bool(used.value), LeastCost.of(first), LeastCost.of(never), *results
        )


class SplitsOfColumns:
    """The best split on each column in a place of a tree, the cheapest first; see tw_column_splits."""

    def __init__(self, found: dict[str, Any]) -> None:
        self.status, self.columns, self.left_out = found["status"], found["columns"], found["left_out"]
        self.best, self.leaf = found["best"], found["leaf"]


class NearbyTrees:
    """The trees near the best one, the cheapest first; see tw_near_trees_summary."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle
        info = c.NearTreesInfo()
        call(LIB.tw_near_trees_info, handle, ctypes.byref(info))
        self.best, self.complete_within, self.status = info.best, info.complete_within, info.status.decode()
        self.results = [Result(create(LIB.tw_near_trees_result, handle, index)) for index in range(info.size)]

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_near_trees_free(self.handle)


@dataclass(frozen=True)
class ErrorCorner:
    """A tree that is optimal where a false negative costs ``ratio_low`` to ``ratio_high`` false positives."""

    false_positives: float
    false_negatives: float
    ratio_low: float
    ratio_high: float
    negative_weight: float
    positive_weight: float
    result: Result


class ErrorTradeOff:
    """The corners of the hull of (false positives, false negatives), fewest false positives first."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle
        count = ctypes.c_int64()
        call(LIB.tw_trade_off_size, handle, ctypes.byref(count))
        self.status = borrowed_text(LIB.tw_trade_off_status, handle)
        self.corners = [self._corner(handle, index) for index in range(count.value)]

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_trade_off_free(self.handle)

    def __reduce__(self) -> NoReturn:
        raise TypeError("a trade-off is held by the library and cannot be copied or pickled (keep its estimators, which can)")

    @staticmethod
    def _corner(handle: ctypes.c_void_p, index: int) -> ErrorCorner:
        info = c.TradeOffCornerInfo()
        call(LIB.tw_trade_off_at, handle, index, ctypes.byref(info))
        return ErrorCorner(
            info.false_positives,
            info.false_negatives,
            info.ratio_low,
            info.ratio_high,
            info.negative_weight,
            info.positive_weight,
            Result(create(LIB.tw_trade_off_result, handle, index)),
        )

    def least_false_positives(self, most_false_negatives: float) -> float:
        """What no tree with at most so many false negatives goes below."""
        least = ctypes.c_double()
        call(LIB.tw_trade_off_least, self.handle, most_false_negatives, ctypes.byref(least))
        return least.value

    def svg(self, data: Dataset) -> str:
        """A picture, with the greedy trees on the training rows."""
        return take_text(LIB.tw_trade_off_svg, self.handle, data.handle)
