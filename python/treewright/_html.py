"""Where things are drawn: one layout for the notebook's picture and for matplotlib."""

from __future__ import annotations

from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

import numpy as np

from ._core import AXIS, HYPERPLANE, LEAF, Tree

if TYPE_CHECKING:
    from ._estimator import _TreeClassifier


def question(tree: Tree, node: int, precision: int = 6, feature_names: Any = None) -> str:
    """The split as a question in the units of the data: "petal_length < 2.45?", "colour in {blue, red}?"."""
    names = [feature.name for feature in tree.features] if feature_names is None else [str(name) for name in feature_names]
    if tree.kind[node] == HYPERPLANE:
        text = ""
        for term in tree.terms(node):
            sign = ("-" if term.weight < 0 else "") if not text else (" - " if term.weight < 0 else " + ")
            text += f"{sign}{abs(term.weight):.4g}*{names[term.feature]}" + ("" if term.level is None else f"[{term.level}]")
        return f"{text} < {tree.threshold[node]:.{precision}g}?"
    feature = int(tree.feature[node])
    # Where no training row lacked the value, the direction of missing ones is only a fallback for later rows.
    missing = " or missing" if tree.missing_go_to_left[node] and tree.features[feature].has_missing else ""
    if tree.kind[node] == AXIS:
        threshold = tree.threshold[node]
        if threshold == np.finfo(np.float64).max:
            return f"{names[feature]} has a value?"
        if threshold == np.finfo(np.float64).min:
            return f"{names[feature]} is missing?"
        return f"{names[feature]} < {threshold:.{precision}g}{missing}?"
    return f"{names[feature]} in {{{', '.join(tree.left_levels(node))}}}{missing}?"


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


def leaf_lines(tree: Tree, node: int, class_names: Any = None) -> list[str]:
    """The leaf's class, and how many of its rows are right."""
    names = tree.class_names if class_names is None else class_names
    label = int(tree.label[node])
    return [str(names[label]), f"{tree.class_weight[node, label]:.4g} of {tree.class_weight[node].sum():.6g}"]


_WIDTH, _HEIGHT, _BOX_HEIGHT = 150, 74, 40


def to_svg(tree: Tree) -> str:
    """The tree as an SVG picture."""
    width, height = _WIDTH * tree.n_leaves, _HEIGHT * tree.max_depth + _BOX_HEIGHT + 8
    middle = {box.node: (_WIDTH * (box.x + 0.5), 4 + _HEIGHT * box.y) for box in layout(tree)}
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
           'font-family="sans-serif" font-size="12" text-anchor="middle">']  # fmt: skip
    for box in layout(tree):
        x, y = middle[box.node]
        if box.parent >= 0:
            px, py = middle[box.parent]
            side = "yes" if tree.children_left[box.parent] == box.node else "no"
            out.append(f'<line x1="{px:g}" y1="{py + _BOX_HEIGHT:g}" x2="{x:g}" y2="{y:g}" stroke="#888"/>')
            out.append(f'<text x="{(px + x) / 2:g}" y="{(py + _BOX_HEIGHT + y) / 2 - 2:g}" fill="#666">{side}</text>')
    for box in layout(tree):
        x, y = middle[box.node]
        leaf = tree.kind[box.node] == LEAF
        lines = leaf_lines(tree, box.node) if leaf else [question(tree, box.node), f"{tree.n_node_samples[box.node]} rows"]
        left, wide, corner, fill = x - _WIDTH / 2 + 4, _WIDTH - 8, 12 if leaf else 2, "#e8eef7" if leaf else "#fff"
        out.append(f"<g><title>{escape(' / '.join(lines))}</title>")
        out.append(f'<rect x="{left:g}" y="{y:g}" width="{wide}" height="{_BOX_HEIGHT}" rx="{corner}" fill="{fill}" stroke="#456"/>')
        for i, line in enumerate(lines):
            shown = line if len(line) <= 22 else line[:21] + "…"
            out.append(f'<text x="{x:g}" y="{y + 16 + 15 * i:g}">{escape(shown)}</text>')
        out.append("</g>")
    return "".join(out) + "</svg>"


def to_html(estimator: _TreeClassifier) -> str:
    """The fitted estimator for a notebook: its claims, and the tree."""
    claims = estimator.result_
    proof = {"optimal": "proved optimal", "heuristic": "not proved optimal"}.get(
        claims.status, f"{claims.status}, gap {100 * claims.gap:.3g} %"
    )
    line = f"{claims.errors:g} of {claims.total_weight:g} wrong, {claims.splits} splits, {proof}"
    return f"<div><code>{escape(repr(estimator))}</code><br>{escape(line)}<br>{to_svg(estimator.tree_)}</div>"
