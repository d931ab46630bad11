"""Words and places for the texts and pictures that can show other names than the tree's own."""

from __future__ import annotations

import csv
import io
import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._tree import AXIS, HYPERPLANE, LEAF, Tree

#: Of the classes, in their order: the same colors as in the pictures that the library writes.
PALETTE = (
    "#0072b2",
    "#e69f00",
    "#00c3bd",
    "#983d6b",
    "#9db865",
    "#c03c06",
    "#9762f8",
    "#866b4b",
    "#7a7a85",
    "#0000fc",
    "#00fc00",
    "#fc0ce4",
    "#54249c",
    "#fc0060",
    "#484800",
    "#f0d8a8",
    "#9cf078",
    "#781818",
    "#a890fc",
    "#008400",
    "#b40084",
    "#fc8478",
    "#543060",
    "#e4d8f0",
    "#00483c",
    "#fc0018",
    "#b4f000",
    "#00f0a8",
    "#fc84f0",
    "#56b4e9",
    "#008454",
    "#f0e454",
)


def _quoted(level: str) -> str:
    """A level of a set; in quotes where it would be read as two."""
    return level if level and level == level.strip() and not set(level) & set(",{}'") else f"'{level}'"


def _names_in_file(path: str | os.PathLike[str]) -> dict[str, tuple[str, str]]:
    """A CSV file with a line column,name,unit for each column, as the command reads it. It may name others, such as the target."""
    given: dict[str, tuple[str, str]] = {}
    with open(path, newline="", encoding="utf-8-sig") as file:
        reader = csv.reader(file)
        for cells in reader:
            if not cells or (not given and cells[:2] == ["column", "name"]):
                continue
            where = f"{os.fspath(path)}, line {reader.line_num}"
            if len(cells) not in (2, 3):
                raise ValueError(f"{where}: has {len(cells)} cells instead of column,name,unit (write such as: bp,blood pressure,mmHg)")
            if cells[0] in given:
                raise ValueError(f"{where}: column {cells[0]!r} is named twice (name it once)")
            given[cells[0]] = cells[1], "".join(cells[2:])
    return given


def shown_names(tree: Tree, names: Any, what: str) -> list[tuple[str, str]]:
    """What each column is called, and the unit of its numbers: of a file or a mapping from columns to a name or (name, unit), those not in
    it keep theirs; of a sequence, its names."""
    known = [feature.name for feature in tree.features]
    if names is None:
        return [(name, "") for name in known]
    if isinstance(names, (str, os.PathLike)):
        given = _names_in_file(names)
        names = {name: given[name] for name in known if name in given}
    if not isinstance(names, Mapping):
        if len(names) != len(known):
            raise ValueError(f"{what}: {len(names)} names where the tree has {len(known)} (give one for each, in the order of training)")
        return [(str(name), "") for name in names]
    given = {}
    for column, shown in names.items():
        if str(column) not in known:
            raise ValueError(f"{what}: the tree has no column {column!r} (its columns are {', '.join(known[:20])})")
        parts = (shown, "") if isinstance(shown, str) else tuple(shown)
        if len(parts) != 2:
            raise ValueError(f"{what}: {shown!r} for column {column!r} (give a name, or a name and a unit)")
        given[str(column)] = str(parts[0]), str(parts[1])
    called = ((name, given.get(name, ("", ""))) for name in known)
    return [(new or name, unit) for name, (new, unit) in called]


def names_table(tree: Tree, names: Any) -> str | None:
    """The same for the library."""
    if names is None:
        return None
    text = io.StringIO()
    csv.writer(text).writerows([feature.name, *shown] for feature, shown in zip(tree.features, shown_names(tree, names, "names")))
    return text.getvalue()


def question(tree: Tree, node: int, precision: int | None = None, feature_names: Any = None, decimals: int | None = None) -> str:
    """The split as a question in the units of the data: "petal_length < 2.45?", "colour in {blue, red}?".

    ``precision``: significant digits of thresholds; None = as many as keep the training rows apart. ``decimals``: digits behind the decimal
    point, of weights too.
    """
    names, units = zip(*shown_names(tree, feature_names, "feature_names"))
    if tree.kind[node] == HYPERPLANE:
        text = ""
        for term in tree.terms(node):
            sign = ("-" if term.weight < 0 else "") if not text else (" - " if term.weight < 0 else " + ")
            weight = f"{abs(term.weight):.4g}" if decimals is None else f"{abs(term.weight):.{decimals}f}"
            name = f"place({names[term.feature]})" if tree.features[term.feature].ordered else names[term.feature]
            text += f"{sign}{weight}*{name}" + ("" if term.level is None else f"[{term.level}]")
        threshold = tree.threshold[node]
        return f"{text} < {threshold:.{precision or 6}g}?" if decimals is None else f"{text} < {threshold:.{decimals}f}?"
    feature = int(tree.feature[node])
    # Where no training row lacked the value, the direction of missing ones is only a fallback for later rows.
    missing = " or missing" if tree.missing_go_to_left[node] and tree.features[feature].has_missing else ""
    if tree.kind[node] == AXIS:
        threshold = tree.threshold[node]
        if threshold == np.finfo(np.float64).max:
            return f"{names[feature]} has a value?"
        if threshold == np.finfo(np.float64).min:
            return f"{names[feature]} is missing?"
        if tree.features[feature].ordered:
            return f"{names[feature]} <= {tree.threshold_text(node)}{missing}?"
        shown = tree.threshold_text(node) if precision is None else f"{threshold:.{precision}g}"
        shown = shown if decimals is None else f"{threshold:.{decimals}f}"
        if tree.features[feature].days and not shown.endswith(" days"):
            shown += " days"
        if units[feature]:
            shown += f" {units[feature]}"
        return f"{names[feature]} < {shown}{missing}?"
    return f"{names[feature]} in {{{', '.join(map(_quoted, tree.left_levels(node)))}}}{missing}?"


@dataclass(frozen=True)
class Box:
    """One node on paper: x in units of leaves from the left, y in levels from the top."""

    node: int
    x: float
    y: int
    parent: int


def layout(tree: Tree) -> list[Box]:
    """Leaves side by side in their order, each split in the middle above its children."""
    boxes: dict[int, Box] = {}
    next_leaf = 0

    def place(node: int, depth: int, parent: int) -> float:
        nonlocal next_leaf
        if tree.kind[node] == LEAF:
            x = float(next_leaf)
            next_leaf += 1
        else:
            left, right = int(tree.children_left[node]), int(tree.children_right[node])
            x = (place(left, depth + 1, node) + place(right, depth + 1, node)) / 2
        boxes[node] = Box(node, x, depth, parent)
        return x

    place(0, 0, -1)
    return [boxes[node] for node in sorted(boxes)]


def spread(tree: Tree, node: int) -> str:
    """How far the training rows of a node are from its number: "sd 2.1", "7 events in 57.3", or "7 events, 5.2 expected"."""
    if tree.loss == "squared_error":
        return f"sd {np.sqrt(tree.impurity[node]):.3g}"
    events, exposure = f"{tree.value[node, 0, 0] * tree.exposure[node]:.6g}", tree.exposure[node]
    counted = f"{events} event{'' if events == '1' else 's'}"
    return f"{counted}, {exposure:.3g} expected" if tree.loss == "survival" else f"{counted} in {exposure:.6g}"


def value_text(tree: Tree, node: int) -> str:
    """The number of a node: four digits, no less than the whole number, and so many that means can be told apart (prediction.h)."""
    value = float(tree.value[node, 0, 0])
    if value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    of_all = float(np.sqrt(tree.impurity[0])) if tree.loss == "squared_error" else 0
    apart = math.ceil(math.log10(abs(value) / of_all)) + 3 if of_all > 0 else 0
    whole = math.floor(math.log10(abs(value) + 0.5)) + 1  # 9999.7 is written with five
    return f"{value:.{min(max(apart, whole, 4), 17)}g}"


def leaf_lines(tree: Tree, node: int, class_names: Any = None) -> list[str]:
    """The leaf's class, and how many of its rows are right; or its number and its rows."""
    if tree.loss:
        rows = int(tree.n_node_samples[node])
        return [value_text(tree, node), f"{rows} row{'' if rows == 1 else 's'}, {spread(tree, node)}"]
    names = tree.class_names if class_names is None else class_names
    label = int(tree.label[node])
    return [str(names[label]), f"{tree.class_weight[node, label]:.6g} of {tree.class_weight[node].sum():.6g}"]
