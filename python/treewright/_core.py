"""Handles of the C interface as Python objects: data, training runs, results."""

from __future__ import annotations

import ctypes
import json
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _library as c
from ._frame import Columns
from ._library import LIB, call, create, names_array, take_bytes, take_text
from ._options import OptionSet

Array = NDArray[Any]

_NUMBER_TYPES = {np.dtype(np.float64): 0, np.dtype(np.float32): 1}


def _pointer(array: Array) -> int:
    return array.ctypes.data


@dataclass(frozen=True)
class DataNote:
    """Something in the data that can spoil a tree; see ``tw_dataset_notes`` in the C interface."""

    kind: str
    names: list[str]
    problem: str
    leave_out: bool


@dataclass(frozen=True)
class RowNote:
    """A column of new rows that is probably written otherwise than in training; see ``tw_row_notes`` in the C interface."""

    column: str
    problem: str
    remedy: str


class Dataset:
    """Rows in the library's memory.

    Parameters
    ----------
    matrix : ndarray of shape (n_samples, n_features), float64 or float32
        NaN = missing; a categorical column holds codes into its levels.
    names : sequence of n_features str
    held : what the columns held before they became numbers
    """

    def __init__(self, matrix: Array, names: Sequence[str], held: Columns) -> None:
        self.rows, columns = matrix.shape
        levels = held.levels
        self.unread_dates = [(names[column], texts) for column, texts in held.unread.items()]
        self.handle = create(LIB.tw_dataset_create, self.rows)
        kind = _NUMBER_TYPES[matrix.dtype]
        size = matrix.dtype.itemsize
        row_stride, column_stride = (stride // size for stride in matrix.strides)
        encoded = names_array(names)
        begin = 0
        for end in [*sorted(levels), columns]:
            if end > begin:
                some = (ctypes.c_char_p * (end - begin))(*encoded[begin:end])
                call(
                    LIB.tw_dataset_add_matrix, self.handle, _pointer(matrix[:, begin:]), kind, end - begin, row_stride, column_stride, some
                )
            if end < columns:
                codes = np.where(np.isnan(matrix[:, end]), -1, matrix[:, end]).astype(np.int32)
                known = names_array(levels[end])
                call(LIB.tw_dataset_add_categories, self.handle, encoded[end], _pointer(codes), len(levels[end]), known)
            begin = end + 1
        for marked, fact in ((held.dates, c.DATES), (held.text, c.TEXTS)):
            for column in marked:
                call(LIB.tw_dataset_mark, self.handle, column, fact)

    def leave_out(self, column: int) -> None:
        """Forgets the values of a column: all are missing."""
        call(LIB.tw_dataset_mark, self.handle, column, c.LEFT_OUT)

    def notes(self) -> list[DataNote]:
        """What a user should know of labeled data before training."""
        return [DataNote(**note) for note in json.loads(take_text(LIB.tw_dataset_notes, self.handle))]

    def set_labels(self, codes: Array, class_names: Sequence[str]) -> None:
        codes = np.ascontiguousarray(codes, dtype=np.int32)
        call(LIB.tw_dataset_set_labels, self.handle, _pointer(codes), len(class_names), names_array(class_names))

    def set_weights(self, weights: Array) -> None:
        weights = np.ascontiguousarray(weights, dtype=np.float64)
        call(LIB.tw_dataset_set_weights, self.handle, _pointer(weights))

    def set_costs(self, costs: Array) -> None:
        """What each label costs, by true class and label, an array of shape (n_classes, n_classes); after the labels."""
        costs = np.ascontiguousarray(costs, dtype=np.float64)
        call(LIB.tw_dataset_set_costs, self.handle, _pointer(costs))

    def set_row_costs(self, costs: Array) -> None:
        """What each label costs each row, an array of shape (n_samples, n_classes); after the labels."""
        costs = np.ascontiguousarray(costs, dtype=np.float64)
        call(LIB.tw_dataset_set_row_costs, self.handle, _pointer(costs))

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_dataset_free(self.handle)


@dataclass(frozen=True)
class FitResult:
    """What is claimed of a trained tree.

    Errors and weights are sums of row weights. ``objective = errors / error_scale + alpha * terms``, where a hyperplane has a term for each
    feature it uses and any other split is one (``margot``, ``mm-svm`` and ``svm1`` have objectives of their own); no tree within the limits
    has an objective below ``bound`` (0 when nothing was proved); ``gap = (objective - bound) / max(|objective|, 1e-10)``. Of
    ``verified``: a checker that knows nothing of the search has gone through a proof of the bound. Of
    ``method="auto"`` ``method`` is the one that was chosen, and ``selection`` tells in words and as a table why; of ``"partition"`` it is a
    table of the rounds; otherwise it is empty. With a cost matrix ``cost`` is what the labels of the training rows cost, and takes the
    place of the errors in the objective.
    """

    objective: float
    bound: float
    gap: float
    errors: float
    total_weight: float
    accuracy: float
    seconds: float
    alpha: float
    error_scale: float
    rows: int
    leaves: int
    splits: int
    terms: int
    depth: int
    seed: int
    threads: int
    status: str
    method: str
    proved: str
    selection: str
    verified: bool
    cost: float | None


@dataclass(frozen=True)
class Feature:
    """What a tree knows of one column. ``levels`` is None for a numeric one."""

    name: str
    levels: tuple[str, ...] | None
    has_missing: bool
    date: bool = False  # days since 1970-01-01


class Term(NamedTuple):
    """One summand of a hyperplane: ``weight * x``. For a number x is the value; with a ``level`` x is 1 where the row has this level, else
    0. Where the value is missing x is ``if_missing``; None = such a row goes by ``missing_go_to_left``."""

    feature: int
    weight: float
    level: str | None
    if_missing: float | None


LEAF, AXIS, HYPERPLANE, CATEGORIES = range(4)


class Tree:
    """A trained tree as arrays, with scikit-learn's names where it has them. Node 0 is the root.

    A row goes left at node i iff

    - ``kind[i] == AXIS``: ``x[feature[i]] < threshold[i]`` (scikit-learn compares with ``<=``);
    - ``kind[i] == HYPERPLANE``: the sum of ``weight * x`` over ``terms(i)`` is below ``threshold[i]``;
    - ``kind[i] == CATEGORIES``: its level is one of ``left_levels(i)``;

    and where it lacks a value that the node asks for, iff ``missing_go_to_left[i]``.

    Attributes
    ----------
    node_count, n_leaves, max_depth : int
    kind : ndarray of shape (node_count,), int32
        LEAF (0), AXIS (1), HYPERPLANE (2) or CATEGORIES (3).
    children_left, children_right : ndarray of shape (node_count,), int64
        -1 for leaves. Children come after their parent.
    feature : ndarray of shape (node_count,), int64
        -2 for leaves and hyperplanes.
    threshold : ndarray of shape (node_count,), float64
        -2 for leaves and category splits. In the units of the data.
    missing_go_to_left : ndarray of shape (node_count,), bool
    n_node_samples : ndarray of shape (node_count,), int64
        Training rows that reach the node.
    class_weight : ndarray of shape (node_count, n_classes), float64
        Weight of each class among them.
    weighted_n_node_samples : ndarray of shape (node_count,), float64
    value : ndarray of shape (node_count, 1, n_classes), float64
        ``class_weight`` as shares, as in scikit-learn (1.3 and newer).
    impurity : ndarray of shape (node_count,), float64
        Gini impurity.
    features : tuple of Feature
    class_names : tuple of str
    """

    def __init__(self, handle: ctypes.c_void_p) -> None:
        summary = c.Summary()
        call(LIB.tw_result_summary, handle, ctypes.byref(summary))
        nodes, classes = summary.nodes, summary.classes
        self.node_count: int = nodes
        self.n_leaves: int = summary.leaves
        self.max_depth: int = summary.depth
        self.kind = np.empty(nodes, np.int32)
        self.children_left = np.empty(nodes, np.int64)
        self.children_right = np.empty(nodes, np.int64)
        self.feature = np.empty(nodes, np.int64)
        self.threshold = np.empty(nodes, np.float64)
        missing = np.empty(nodes, np.uint8)
        self.label = np.empty(nodes, np.int32)
        self.n_node_samples = np.empty(nodes, np.int64)
        self.class_weight = np.empty((nodes, classes), np.float64)
        self._term_begin = np.empty(nodes + 1, np.int64)
        self._term_feature = np.empty(summary.hyperplane_terms, np.int64)
        self._term_weight = np.empty(summary.hyperplane_terms, np.float64)
        self._term_level = np.empty(summary.hyperplane_terms, np.int64)
        self._term_if_missing = np.empty(summary.hyperplane_terms, np.float64)
        self._set_begin = np.empty(nodes + 1, np.int64)
        self._left_set = np.empty(summary.category_flags, np.uint8)
        arrays = c.Nodes()
        pointers: dict[str, Any] = {field[0]: field[1] for field in c.Nodes._fields_}
        for name, array in {
            "kind": self.kind,
            "children_left": self.children_left,
            "children_right": self.children_right,
            "feature": self.feature,
            "threshold": self.threshold,
            "missing_go_to_left": missing,
            "label": self.label,
            "n_node_samples": self.n_node_samples,
            "class_weight": self.class_weight,
            "term_begin": self._term_begin,
            "term_feature": self._term_feature,
            "term_weight": self._term_weight,
            "term_level": self._term_level,
            "term_if_missing": self._term_if_missing,
            "set_begin": self._set_begin,
            "left_set": self._left_set,
        }.items():
            setattr(arrays, name, ctypes.cast(array.ctypes.data, pointers[name]))
        call(LIB.tw_result_nodes, handle, ctypes.byref(arrays))
        self.missing_go_to_left = missing.astype(bool)
        self.features = tuple(_feature(handle, index) for index in range(summary.features))
        self.class_names = tuple(_name(LIB.tw_result_class, handle, index) for index in range(classes))
        self.n_features: int = summary.features
        self._threshold_texts = {
            node: take_text(LIB.tw_result_number_text, handle, int(self.feature[node]), float(self.threshold[node]))
            for node in map(int, np.flatnonzero(self.kind == AXIS))
        }

    def threshold_text(self, node: int) -> str:
        """The threshold of an axis split for people: a date, or a number with as many digits as keep the training rows apart."""
        return self._threshold_texts[node]

    @property
    def weighted_n_node_samples(self) -> Array:
        return np.asarray(self.class_weight.sum(axis=1))

    @property
    def value(self) -> Array:
        total = self.weighted_n_node_samples[:, None]
        shares = np.divide(self.class_weight, total, out=np.zeros_like(self.class_weight), where=total > 0)
        # A node whose rows all weigh nothing still predicts its label.
        empty = total[:, 0] == 0
        shares[empty, self.label[empty]] = 1
        return shares[:, None, :]

    @property
    def impurity(self) -> Array:
        return np.asarray(1 - np.square(self.value[:, 0, :]).sum(axis=1))

    def terms(self, node: int) -> list[Term]:
        """The summands of a hyperplane split, the one that moves the training rows most first; empty for other nodes."""
        terms = []
        for i in range(self._term_begin[node], self._term_begin[node + 1]):
            levels = self.features[self._term_feature[i]].levels
            level = levels[self._term_level[i]] if levels is not None and self._term_level[i] >= 0 else None
            if_missing = None if np.isnan(self._term_if_missing[i]) else float(self._term_if_missing[i])
            terms.append(Term(int(self._term_feature[i]), float(self._term_weight[i]), level, if_missing))
        return terms

    def left_levels(self, node: int) -> list[str]:
        """The levels that a category split sends left; empty for other nodes."""
        levels = self.features[self.feature[node]].levels if self.kind[node] == CATEGORIES else None
        return [level for level, left in zip(levels or (), self._left_set[self._set_begin[node] :]) if left]

    def features_used(self) -> set[int]:
        """Features that occur in a split."""
        single = set(self.feature[(self.kind == AXIS) | (self.kind == CATEGORIES)].tolist())
        return single | set(self._term_feature.tolist())

    def depths(self) -> Array:
        """Depth of each node, ndarray of shape (node_count,); the root's is 0."""
        depth = np.zeros(self.node_count, np.int64)
        for node in np.flatnonzero(self.kind != LEAF):
            depth[self.children_left[node]] = depth[self.children_right[node]] = depth[node] + 1
        return depth

    def feature_importances(self) -> Array:
        """Share of the Gini impurity that the splits on each feature remove, ndarray of shape (n_features,); sums to 1, or to 0 when the
        tree does not split. A hyperplane's share is divided by the size of its weights."""
        importance = np.zeros(self.n_features)
        mass = self.weighted_n_node_samples * self.impurity
        for node in map(int, np.flatnonzero(self.kind != LEAF)):
            removed = mass[node] - mass[self.children_left[node]] - mass[self.children_right[node]]
            terms = [(term.feature, term.weight) for term in self.terms(node)] or [(int(self.feature[node]), 1.0)]
            total = sum(abs(weight) for _, weight in terms)
            for feature, weight in terms:
                importance[feature] += removed * abs(weight) / total
        total = importance.sum()
        return np.asarray(importance / total if total > 0 else importance)


def _name(function: Any, *arguments: Any) -> str:
    text = ctypes.c_char_p()
    call(function, *arguments, ctypes.byref(text))
    return (text.value or b"").decode("utf-8", "replace")


def _feature(handle: ctypes.c_void_p, index: int) -> Feature:
    info = c.FeatureInfo()
    call(LIB.tw_result_feature, handle, index, ctypes.byref(info))
    levels = None
    if info.is_category:
        levels = tuple(_name(LIB.tw_result_level, handle, index, level) for level in range(info.levels))
    return Feature(info.name.decode("utf-8", "replace"), levels, bool(info.has_missing), bool(info.is_date))


class Result:
    """A trained tree with its claims. Its pickle is its JSON."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle
        self._tree: Tree | None = None

    @classmethod
    def from_json(cls, text: str) -> Result:
        data = text.encode()
        return cls(create(LIB.tw_result_read, data, len(data)))

    def write(self, format: str, rows: Dataset | None = None) -> str:
        """The tree in one of FORMATS but "onnx", checked on the rows if there are any."""
        return self.write_bytes(format, rows).decode("utf-8", "replace")

    def write_bytes(self, format: str, rows: Dataset | None = None) -> bytes:
        return take_bytes(LIB.tw_result_write, self.handle, format.encode(), rows.handle if rows else None)

    def report(
        self,
        train: Dataset | None = None,
        test: Dataset | None = None,
        beside: Result | None = None,
        path: Path | None = None,
        with_rows: bool = False,
        notebook: bool = False,
        **texts: str | None,
    ) -> str:
        """One self-contained HTML page; see the C interface. `texts`: its title, author and date."""
        parts = c.Report(with_rows=with_rows, notebook=notebook)
        for name, part in {"train": train, "test": test, "beside": beside, "path": path}.items():
            if part is not None:
                setattr(parts, name, part.handle)
        for name, text in texts.items():
            if text is not None:
                setattr(parts, name, text.encode("utf-8", "replace"))
        return take_text(LIB.tw_result_report, self.handle, ctypes.byref(parts))

    def __reduce__(self) -> tuple[Any, ...]:
        return Result.from_json, (self.write("json"),)

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_result_free(self.handle)

    @property
    def claims(self) -> FitResult:
        summary = c.Summary()
        call(LIB.tw_result_summary, self.handle, ctypes.byref(summary))
        values: dict[str, Any] = {name: getattr(summary, name) for name in FitResult.__dataclass_fields__}
        for name in ("status", "method", "proved", "selection"):
            values[name] = values[name].decode("utf-8", "replace")
        values["verified"] = bool(values["verified"])
        if np.isnan(values["cost"]):
            values["cost"] = None
        return FitResult(**values)

    def candidates(self) -> list[dict[str, Any]]:
        """What ``auto`` compared, as the tree file tells it; of other methods nothing."""
        found: list[dict[str, Any]] = json.loads(self.write("json"))["result"].get("candidates", [])
        return found

    @property
    def tree(self) -> Tree:
        if self._tree is None:
            self._tree = Tree(self.handle)
        return self._tree

    def row_notes(self, data: Dataset) -> list[RowNote]:
        """What a user should know of rows before believing what is predicted for them."""
        return [RowNote(**note) for note in json.loads(take_text(LIB.tw_row_notes, self.handle, data.handle))]

    def predict(self, data: Dataset) -> Array:
        classes = np.empty(data.rows, np.int32)
        call(LIB.tw_predict, self.handle, data.handle, _pointer(classes))
        return classes

    def predict_proba(self, data: Dataset, shrinkage: float | None = None) -> Array:
        shares = np.empty((data.rows, len(self.tree.class_names)), np.float64)
        if shrinkage is None:
            call(LIB.tw_predict_proba, self.handle, data.handle, _pointer(shares))
        else:
            call(LIB.tw_predict_shrunk_proba, self.handle, data.handle, float(shrinkage), _pointer(shares))
        return shares

    @property
    def shrinkage(self) -> float:
        value = ctypes.c_double()
        call(LIB.tw_result_shrinkage, self.handle, ctypes.byref(value))
        return value.value

    @shrinkage.setter
    def shrinkage(self, value: float) -> None:
        call(LIB.tw_result_set_shrinkage, self.handle, value)

    def explain(self, data: Dataset, row: int, train: Dataset | None = None) -> str:
        """Why the tree predicts its class for the row, in words."""
        return take_text(LIB.tw_result_explain, self.handle, data.handle, row, train.handle if train else None)

    def counterfactual(self, data: Dataset, row: int, train: Dataset | None = None) -> Any:
        """The nearest change of the row's class as a dict, or None; see the C interface."""
        return json.loads(take_text(LIB.tw_result_counterfactual, self.handle, data.handle, row, train.handle if train else None))

    def shapley_values(self, data: Dataset) -> tuple[Array, Array]:
        """Of the class probabilities: an array of shape (rows, features, classes), and the average probabilities."""
        values = np.empty((data.rows, self.tree.n_features, len(self.tree.class_names)), np.float64)
        average = np.zeros(values.shape[2], np.float64)
        call(LIB.tw_shapley_values, self.handle, data.handle, _pointer(values), _pointer(average))
        return values, average

    def apply(self, data: Dataset) -> Array:
        leaves = np.empty(data.rows, np.int64)
        call(LIB.tw_apply, self.handle, data.handle, _pointer(leaves))
        return leaves

    def decision_path(self, data: Dataset) -> tuple[Array, Array]:
        """The nodes that each row visits: row r visits ``visited[begin[r]:begin[r + 1]]``."""
        begin = np.empty(data.rows + 1, np.int64)
        visited = np.empty(data.rows * (self.tree.max_depth + 1), np.int64)
        call(LIB.tw_decision_path, self.handle, data.handle, _pointer(begin), _pointer(visited))
        return begin, visited[: begin[-1]]

    def check(self, data: Dataset) -> list[str]:
        """Recounts the claims on the training rows: one sentence for each claim that does not hold."""
        return take_text(LIB.tw_result_check, self.handle, data.handle).splitlines()


@dataclass(frozen=True)
class PathPoint:
    """A tree that is optimal for every alpha from ``alpha_low`` to ``alpha_high``."""

    splits: int
    errors: float
    alpha_low: float
    alpha_high: float
    result: Result


class Path(Sequence[PathPoint]):
    """The corners of the hull of (splits, errors), fewest splits first."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle
        count = ctypes.c_int64()
        call(LIB.tw_path_size, handle, ctypes.byref(count))
        self.status = _name(LIB.tw_path_status, handle)
        self._points = [self._point(handle, index) for index in range(count.value)]

    def __del__(self) -> None:
        LIB.tw_path_free(self.handle)

    @staticmethod
    def _point(handle: ctypes.c_void_p, index: int) -> PathPoint:
        info = c.PathPointInfo()
        call(LIB.tw_path_at, handle, index, ctypes.byref(info))
        return PathPoint(info.splits, info.errors, info.alpha_low, info.alpha_high, Result(create(LIB.tw_path_result, handle, index)))

    def table_line(self, index: int, setting: str, fold: int, score: float) -> str:
        """The line of a corner in the table of the trees that enter a choice."""
        return take_text(LIB.tw_tune_table_line, self.handle, index, setting.encode(), fold, score)

    def __getitem__(self, index: Any) -> Any:
        return self._points[index]

    def __len__(self) -> int:
        return len(self._points)

    def __iter__(self) -> Iterator[PathPoint]:
        return iter(self._points)


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
        self.status = _name(LIB.tw_column_worth_status, handle)
        self.best = LeastCost.of(best)
        self.columns = [self._column(handle, index) for index in range(count.value)]

    def __del__(self) -> None:
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


class NearbyTrees:
    """The trees near the best one, the cheapest first; see tw_near_trees_summary."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle
        info = c.NearTreesInfo()
        call(LIB.tw_near_trees_info, handle, ctypes.byref(info))
        self.best, self.complete_within, self.status = info.best, info.complete_within, info.status.decode()
        self.results = [Result(create(LIB.tw_near_trees_result, handle, index)) for index in range(info.size)]

    def __del__(self) -> None:
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
        self.status = _name(LIB.tw_trade_off_status, handle)
        self.corners = [self._corner(handle, index) for index in range(count.value)]

    def __del__(self) -> None:
        LIB.tw_trade_off_free(self.handle)

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


@dataclass(frozen=True)
class Progress:
    """News of a run.

    Attributes
    ----------
    seconds : float
        Since the start of the run.
    incumbent, bound : float
        Objective of the best tree so far, and what no tree within the limits is below.
    source : str
        What found the tree: "C" a greedy tree, "H" a heuristic, "L" look-ahead, "S" exact search, "P" a round on clusters, "M" the MIP
        solver; " " where no better tree was found.
    subproblems : int
        Solved so far.
    done : float
        Of an exact search, which solves one depth after the other: bound / incumbent, as a mean over the depths; otherwise 0.
    closed : float
        Of an exact search: share of the root's cuts that need no more work, at the last depth; otherwise 0.
    seconds_left : float
        Estimated; infinite where nothing is known.
    facts : int
        What the checkpoint holds.
    written : float
        Share of the parts of the proof that are written; 0 before the search has ended.
    text : str
        The line that ``verbose=True`` prints, after the head of the table where it is the first; empty where a line follows another too
        soon to be of use.
    """

    seconds: float
    incumbent: float
    bound: float
    source: str
    subproblems: int
    done: float
    closed: float
    seconds_left: float
    facts: int
    written: float
    text: str


Watcher = Callable[[Progress], Any]


def _listener_of(watchers: Sequence[Watcher], stop: ctypes.c_void_p, problems: list[BaseException]) -> Any:
    """A C function that tells the watchers. What one of them raises ends the run and is raised after it."""

    def listen(address: int, _context: int) -> None:
        told = c.Progress.from_address(address)
        source = told.source.decode("ascii")
        news = Progress(
            told.seconds,
            told.incumbent,
            told.bound,
            source,
            told.subproblems,
            told.done,
            told.closed,
            told.seconds_left,
            told.facts,
            told.written,
            (told.text or b"").decode(),
        )
        try:
            for watcher in () if problems else watchers:
                watcher(news)
        except BaseException as problem:  # raised again in the caller's thread
            problems.append(problem)
            LIB.tw_stop_request(stop)

    return c.Listener(listen) if watchers else c.Listener()


@dataclass(frozen=True)
class SearchTask:
    """A task of the exact search that another machine can solve; see tw_search_task in the C header.

    ``problem()`` copies the bytes that are the same for all tasks of a search.
    """

    name: str
    problem: Callable[[], bytes]
    task: str
    seconds: float


# Begins a task on another machine, waits at most its seconds, and returns the answer, or "" if it is not there yet.
Elsewhere = Callable[[SearchTask], str]


def _elsewhere_of(elsewhere: Elsewhere, stop: ctypes.c_void_p, problems: list[BaseException]) -> Any:
    """A C function that has tasks solved. What `elsewhere` raises ends the run and is raised after it."""

    def ask(address: int, answer: int, _context: int) -> None:
        task = c.SearchTask.from_address(address)

        def problem() -> bytes:
            return ctypes.string_at(task.problem, task.problem_size)

        try:
            text = "" if problems else elsewhere(SearchTask(task.name.decode(), problem, task.task.decode(), task.seconds))
            if text:
                call(LIB.tw_answer_set, answer, text.encode())
        except BaseException as error:  # raised again in the caller's thread
            problems.append(error)
            LIB.tw_stop_request(stop)

    return c.Elsewhere(ask)


class Stop:
    """Breaks off a task."""

    def __init__(self) -> None:
        self.handle = create(LIB.tw_stop_create)

    def request(self) -> None:
        """May be called from any thread."""
        LIB.tw_stop_request(self.handle)

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_stop_free(self.handle)


class TaskSolver:
    """Solves tasks of a search that runs on another machine.

    Parameters
    ----------
    problem : bytes
        What ``SearchTask.problem`` has returned there.

    Raises
    ------
    TreewrightError
        When the bytes come from another version of treewright.
    """

    def __init__(self, problem: bytes) -> None:
        self.handle = create(LIB.tw_solver_create, problem, len(problem))

    def solve(self, task: str, stop: Stop) -> str:
        """The answer, or "" when it was stopped. May be called from several threads at once."""
        return take_text(LIB.tw_solver_solve, self.handle, task.encode(), stop.handle)

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_solver_free(self.handle)


def _run(
    function: Any, arguments: tuple[Any, ...], output: Any, watchers: Sequence[Watcher] = (), elsewhere: Elsewhere | None = None
) -> None:
    """Runs a training function so that Ctrl-C stops it and it returns what it has; a second Ctrl-C is raised."""
    problems: list[BaseException] = []
    stop = create(LIB.tw_stop_create)
    if elsewhere is not None:
        arguments = (*arguments, _elsewhere_of(elsewhere, stop, problems), None)
    listener = _listener_of(watchers, stop, problems)
    try:
        # Signals reach only the main thread, and only between its Python instructions: there it waits, and another thread works.
        if threading.current_thread() is not threading.main_thread():
            call(function, *arguments, listener, None, stop, output)
            if problems:
                raise problems[0]
            return
        finished = threading.Event()

        def work() -> None:
            try:
                call(function, *arguments, listener, None, stop, output)
            except BaseException as problem:  # raised again below, in the caller's thread
                problems.append(problem)
            finally:
                finished.set()

        # Not Thread.join: interrupted once, it takes a running thread for a finished one (Python 3.11).
        threading.Thread(target=work, name="treewright").start()
        interrupted = False
        while not finished.is_set():
            try:
                # Not without a timeout: a signal that another thread takes does not wake this one.
                finished.wait(0.1)
            except KeyboardInterrupt:
                LIB.tw_stop_request(stop)
                if interrupted:
                    finished.wait()
                    raise
                interrupted = True
                print("treewright: stopping; the best tree so far is returned", file=sys.stderr)
        if problems:
            raise problems[0]
    finally:
        LIB.tw_stop_free(stop)


def fit(data: Dataset, options: OptionSet, watchers: Sequence[Watcher] = (), elsewhere: Elsewhere | None = None) -> Result:
    """Trains one tree; the watchers are told of its progress, and other machines help if there are any."""
    handle = ctypes.c_void_p()
    function = LIB.tw_fit if elsewhere is None else LIB.tw_fit_elsewhere
    _run(function, (data.handle, options.handle), ctypes.byref(handle), watchers, elsewhere)
    return Result(handle)


def complexity_path(data: Dataset, options: OptionSet, watchers: Sequence[Watcher] = ()) -> Path:
    """Trains all trees that are optimal for some alpha."""
    handle = ctypes.c_void_p()
    _run(LIB.tw_complexity_path, (data.handle, options.handle), ctypes.byref(handle), watchers)
    return Path(handle)


def trade_off(data: Dataset, options: OptionSet, positive: str, watchers: Sequence[Watcher] = ()) -> ErrorTradeOff:
    """Trains all trees of two classes that are optimal for some ratio of both kinds of errors."""
    handle = ctypes.c_void_p()
    _run(LIB.tw_trade_off_find, (data.handle, options.handle, positive.encode()), ctypes.byref(handle), watchers)
    return ErrorTradeOff(handle)


def column_worth(data: Dataset, options: OptionSet, most_more: float, watchers: Sequence[Watcher] = ()) -> ColumnWorths:
    """Finds what each column is worth; see tw_column_worth_find in the C header."""
    handle = ctypes.c_void_p()
    _run(LIB.tw_column_worth_find, (data.handle, options.handle, most_more), ctypes.byref(handle), watchers)
    return ColumnWorths(handle)


def near_trees(
    data: Dataset, options: OptionSet, within: float, count: int, only_sets: bool, watchers: Sequence[Watcher] = ()
) -> NearbyTrees:
    """Lists the trees near the best one; see tw_near_trees_find in the C header."""
    handle = ctypes.c_void_p()
    _run(LIB.tw_near_trees_find, (data.handle, options.handle, within, count, int(only_sets)), ctypes.byref(handle), watchers)
    return NearbyTrees(handle)


def fold_paths(data: Dataset, settings: Sequence[OptionSet], time_limit: float) -> list[Path]:
    """The paths of several settings on the training rows of a fold, in so many seconds together; see tw_fold_paths in the C header."""
    handles = (ctypes.c_void_p * len(settings))()
    given = (ctypes.c_void_p * len(settings))(*(options.handle for options in settings))
    _run(LIB.tw_fold_paths, (data.handle, given, len(settings), time_limit), handles)
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


class CurveStep(NamedTuple):
    """An interval of alpha on which no fold changes its tree: means over the folds."""

    setting: int
    alpha_low: float
    alpha_high: float
    score: float
    features: float


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
