"""A trained tree as arrays, with scikit-learn's names where it has them."""

from __future__ import annotations

import ctypes
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from . import _library as c
from ._library import LIB, borrowed_text, call, take_text

Array = NDArray[Any]


@dataclass(frozen=True)
class Feature:
    """What a tree knows of one column. ``levels`` is None for a numeric one; of ``ordered`` levels a node compares the places 0, 1, ..."""

    name: str
    levels: tuple[str, ...] | None
    has_missing: bool
    date: bool = False  # days since 1970-01-01
    days: bool = False  # durations in days
    ordered: bool = False
    zoned: bool = False  # dates that had a time zone; the days are those of UTC


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

    - ``kind[i] == AXIS``: ``x[feature[i]] < threshold[i]`` (scikit-learn compares with ``<=``); of an ordered level x is its place;
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
        ``class_weight`` as shares, as in scikit-learn (1.3 and newer). Of numbers the prediction, shape (node_count, 1, 1).
    impurity : ndarray of shape (node_count,), float64
        Gini impurity; of numbers the mean loss of the node's rows.
    exposure : ndarray of shape (node_count,), float64
        Of numbers: sum of weight times exposure over the node's rows.
    features : tuple of Feature
    class_names : tuple of str
        Empty where the tree predicts numbers.
    loss : str or None
        "squared_error", "poisson" or "survival" where the tree predicts numbers.
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
        self.loss: str | None = next((name for name, kind in c.LOSSES.items() if kind == summary.loss_kind), None)
        self._number = np.empty(nodes, np.float64)
        self._weight = np.empty(nodes, np.float64)
        self.exposure = np.empty(nodes, np.float64)
        self._lost = np.empty(nodes, np.float64)
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
            "value": self._number,
            "weight": self._weight,
            "exposure": self.exposure,
            "loss": self._lost,
        }.items():
            setattr(arrays, name, ctypes.cast(array.ctypes.data, pointers[name]))
        call(LIB.tw_result_nodes, handle, ctypes.byref(arrays))
        self.missing_go_to_left = missing.astype(bool)
        self.features = tuple(_feature(handle, index) for index in range(summary.features))
        self.class_names = tuple(borrowed_text(LIB.tw_result_class, handle, index) for index in range(classes))
        self.n_features: int = summary.features
        self._threshold_texts = {
            node: take_text(LIB.tw_result_number_text, handle, int(self.feature[node]), float(self.threshold[node]))
            for node in map(int, np.flatnonzero(self.kind == AXIS))
        }

    def threshold_text(self, node: int) -> str:
        """The threshold of an axis split for people: a date, a number with as many digits as keep the training rows apart, or the last of
        the ordered levels on the left."""
        return self._threshold_texts[node]

    @property
    def weighted_n_node_samples(self) -> Array:
        return self._weight if self.loss else np.asarray(self.class_weight.sum(axis=1))

    @property
    def value(self) -> Array:
        if self.loss:
            return self._number[:, None, None]
        total = self.weighted_n_node_samples[:, None]
        shares = np.divide(self.class_weight, total, out=np.zeros_like(self.class_weight), where=total > 0)
        # A node whose rows all weigh nothing still predicts its label.
        empty = total[:, 0] == 0
        shares[empty, self.label[empty]] = 1
        return shares[:, None, :]

    @property
    def impurity(self) -> Array:
        if self.loss:
            return np.divide(self._lost, self._weight, out=np.zeros_like(self._lost), where=self._weight > 0)
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
        """Share of the Gini impurity, or of the loss, that the splits on each feature remove, ndarray of shape (n_features,); sums to 1, or
        to 0 when the tree does not split. A hyperplane's share is divided by the size of its weights."""
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


def _feature(handle: ctypes.c_void_p, index: int) -> Feature:
    info = c.FeatureInfo()
    call(LIB.tw_result_feature, handle, index, ctypes.byref(info))
    levels = None
    if info.levels > 0:
        levels = tuple(borrowed_text(LIB.tw_result_level, handle, index, level) for level in range(info.levels))
    return Feature(
        info.name.decode("utf-8", "replace"),
        levels,
        *map(bool, (info.has_missing, info.is_date, info.is_days, info.is_ordered, info.is_zoned)),
    )
