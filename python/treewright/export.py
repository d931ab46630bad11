"""Trees for people and for other programs: text, Graphviz, matplotlib, scikit-learn."""

from __future__ import annotations

import re
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ._compat import HAVE_SKLEARN, check_is_fitted
from ._draw import PALETTE, Box, layout, leaf_lines, question, shown_names, spread, value_text
from ._tree import AXIS, HYPERPLANE, LEAF, Tree

Array = NDArray[Any]


class FittedTree(Protocol):
    """What an estimator must have to be shown or converted."""

    classes_: Any
    n_features_in_: int

    @property
    def tree_(self) -> Tree:
        """The tree as arrays."""

    def _encoded(self, X: Any) -> tuple[Array, Any]:
        """New rows as numbers, and what they held."""

    def _sorted(self, by_class: Array) -> Array:
        """The last axis in the order of ``classes_``."""

    def apply(self, X: Any) -> Any:
        """Index of the leaf that each row reaches."""

    def decision_path(self, X: Any) -> Any:
        """Which nodes each row visits."""


def _tree_of(estimator: FittedTree, feature_names: Any, class_names: Any) -> Tree:
    check_is_fitted(estimator)
    tree = estimator.tree_
    shown_names(tree, feature_names, "feature_names")
    known = len(tree.class_names)
    if class_names is not None and len(class_names) != known:
        raise ValueError(f"class_names: {len(class_names)} names where the tree has {known} (give one for each, in the order of training)")
    return tree


def export_text(
    estimator: FittedTree,
    *,
    feature_names: Any = None,
    class_names: Any = None,
    max_depth: int | None = None,
    precision: int | None = None,
    decimals: int | None = None,
    show_weights: bool = False,
    spacing: int = 2,
) -> str:
    """The tree as indented rules, one line for each node.

    Parameters
    ----------
    estimator : fitted estimator
    feature_names, class_names : sequence of str, optional
        Names to show instead of those of the training data. ``feature_names`` may also be a dict of some columns, from their name to
        another one, or to that and a unit: ``{"bp": ("blood pressure", "mmHg")}``, or a CSV file with a line ``column,name,unit`` for each.
    max_depth : int, optional
        Nodes below this depth are summed up in one line.
    precision : int, optional
        Significant digits of thresholds; as many as keep the training rows apart if not given.
    decimals : int, optional
        Digits behind the decimal point, as in scikit-learn; instead of ``precision``.
    show_weights : bool, default=False
        Also show the weight of each class in the leaves, in the order of ``classes_``.
    spacing : int, default=2
        Blanks by which each level is set in.

    Returns
    -------
    str

    Examples
    --------
    >>> from treewright import OptimalTreeClassifier, export_text
    >>> tree = OptimalTreeClassifier(max_depth=1).fit([[1.0], [2.0], [4.0]], ["a", "a", "b"])
    >>> print(export_text(tree))
    x0 < 3?  [3 rows]
    |- yes: a  (2 rows, 2 correct)
    `- no:  b  (1 row, 1 correct)
    """
    tree = _tree_of(estimator, feature_names, class_names)
    names = tree.class_names if class_names is None else class_names
    if precision is not None and decimals is not None:
        raise ValueError("export_text: precision and decimals both say how to round (give one of them)")
    if spacing < 1:
        raise ValueError(f"export_text: spacing must be 1 or more, and is {spacing}")
    dash, blank = "-" * (spacing - 1), " " * spacing

    def lines(node: int, depth: int) -> list[str]:
        rows = int(tree.n_node_samples[node])
        counted = f"{rows} row{'' if rows == 1 else 's'}"
        if tree.kind[node] == LEAF and tree.loss:
            weight = tree.weighted_n_node_samples[node]
            of = "" if weight == rows else f" of weight {weight:.6g}"
            return [f"{value_text(tree, node)}  ({counted}{of}, {spread(tree, node)})"]
        if tree.kind[node] == LEAF:
            weights, label = tree.class_weight[node], int(tree.label[node])
            # With row or class weights the counts are sums of weights, and say so.
            of = "" if weights.sum() == rows else f" of weight {weights.sum():.6g}"
            shown = f"  weights: [{', '.join(f'{weight:.6g}' for weight in weights)}]" if show_weights else ""
            return [f"{names[label]}  ({counted}, {weights[label]:.6g}{of} correct){shown}"]
        if max_depth is not None and depth >= max_depth:
            return [f"...  ({counted})"]
        yes = lines(int(tree.children_left[node]), depth + 1)
        no = lines(int(tree.children_right[node]), depth + 1)
        return [
            f"{question(tree, node, precision, feature_names, decimals)}  [{rows} rows]",
            f"|{dash} yes: {yes[0]}",
            *(f"|{blank}{line}" for line in yes[1:]),
            f"`{dash} no:  {no[0]}",
            *(f" {blank}{line}" for line in no[1:]),
        ]

    return "\n".join(lines(0, 0))


def export_graphviz(estimator: FittedTree, *, feature_names: Any = None, class_names: Any = None, precision: int | None = None) -> str:
    """The tree in Graphviz's DOT language.

    Parameters as in :func:`export_text`.

    Returns
    -------
    str
        A ``digraph``; render it with ``dot -Tsvg`` or ``graphviz.Source``.
    """
    tree = _tree_of(estimator, feature_names, class_names)

    def quoted(lines: list[str]) -> str:
        return '"' + "\\n".join(line.replace("\\", "\\\\").replace('"', '\\"') for line in lines) + '"'

    out = ["digraph tree {", '  node [shape=box, fontname="Helvetica"];', '  edge [fontname="Helvetica"];']
    for node in range(tree.node_count):
        if tree.kind[node] == LEAF:
            label = quoted(leaf_lines(tree, node, class_names))
            out.append(f'  n{node} [label={label}, style="rounded,filled", fillcolor="#e8eef7"];')
            continue
        label = quoted([question(tree, node, precision, feature_names), f"{tree.n_node_samples[node]} rows"])
        out.append(f"  n{node} [label={label}];")
        out.append(f'  n{node} -> n{tree.children_left[node]} [label="yes"];')
        out.append(f'  n{node} -> n{tree.children_right[node]} [label="no"];')
    return "\n".join([*out, "}"]) + "\n"


def plot_tree(
    estimator: FittedTree,
    *,
    feature_names: Any = None,
    class_names: Any = None,
    precision: int | None = None,
    filled: bool = False,
    fontsize: float | None = None,
    ax: Any = None,
) -> list[Any]:
    """Draws the tree with matplotlib.

    Each box has a bar of the classes of its rows; lines are the thicker, the more rows follow them.

    Parameters
    ----------
    estimator : fitted estimator
    feature_names, class_names, precision
        As in :func:`export_text`.
    filled : bool, default=False
        Color each node by its majority class, the stronger the purer it is; else leaves only, faintly.
    fontsize : float, optional
        In points. If not given, the largest up to 10 with which neighboring boxes do not overlap.
    ax : matplotlib Axes, optional
        Where to draw; the current axes if not given.

    Returns
    -------
    list of matplotlib Annotation
        One for each node, in the order of the tree's arrays.
    """
    import matplotlib.pyplot as plt

    tree = _tree_of(estimator, feature_names, class_names)
    if ax is None:
        ax = plt.gca()
        if len(ax.figure.axes) == 1:
            ax.set_position((0.01, 0.01, 0.98, 0.98))
    ax.set_axis_off()
    boxes = layout(tree)
    asked = {node: question(tree, node, precision, feature_names) for node in range(tree.node_count) if tree.kind[node] != LEAF}
    planes = [node for node in asked if tree.kind[node] == HYPERPLANE and len(asked[node]) > _LONGEST_QUESTION]
    legend = [f"H{number}: {_cut(asked[node].rsplit(' < ', 1)[0])}" for number, node in enumerate(planes, 1)]
    foot = min(0.4, 0.05 * len(legend))
    artists: list[Any] = []
    sides: list[Any] = []
    place: dict[str, Any] = {
        "ha": "center",
        "va": "center",
        "xycoords": "axes fraction",
        "textcoords": "axes fraction",
        "xytext": (0, 0),
    }
    for box in boxes:
        leaf = tree.kind[box.node] == LEAF
        if leaf:
            lines = leaf_lines(tree, box.node, class_names)
        else:
            name, *rule = re.split(r" (?=< [^<]*$|in \{)", asked[box.node], maxsplit=1)
            name = f"H{planes.index(box.node) + 1}" if box.node in planes else name
            lines = [name, *rule, f"{tree.n_node_samples[box.node]} rows"]
        text = "\n".join([*lines, ""])  # the last line is the place of the bar
        color = _node_color(tree, box.node) if filled else _mixed(_class_color(tree, box.node), 0.15) if leaf else "white"
        style = {"boxstyle": "round" if leaf else "square", "facecolor": color, "edgecolor": "#9aa1ad"}
        # Parents lie above their children's lines, which start in the middle of the parent's box.
        common: dict[str, Any] = {
            **place,
            "bbox": style,
            "fontsize": fontsize,
            "zorder": 3 - box.y / (tree.max_depth + 1),
            "parse_math": False,
        }
        if box.parent >= 0:
            width = 0.8 + 7 * tree.n_node_samples[box.node] / max(1, tree.n_node_samples[0])
            common["arrowprops"] = {"arrowstyle": "-", "color": "#c3c7cf", "linewidth": width, "shrinkA": 0, "shrinkB": 0}
            side = "yes" if tree.children_left[box.parent] == box.node else "no"
            plate = {"boxstyle": "square,pad=0.1", "facecolor": "white", "edgecolor": "none", "alpha": 0.8}
            sides.append(ax.annotate(side, (0, 0), color="#5d6470", fontsize=fontsize, bbox=plate, zorder=2.9, **place))
        artists.append(ax.annotate(text, (0, 0), **common))
    if legend:
        ax.text(0, 0, "\n".join(legend), transform=ax.transAxes, va="bottom", fontsize=fontsize or 6, parse_math=False)

    def arrange(drop: float) -> None:
        _arrange(boxes, artists, sides, tree, foot, drop)

    # Where leaves side by side leave room for small letters only, every second one stands lower.
    sizes: dict[float, float] = {}
    for drop in (0, 0.6):
        arrange(drop)
        sizes[drop] = _largest_font(ax, artists) if fontsize is None else fontsize
    arrange(max(sizes, key=lambda drop: (sizes[drop], -drop)))
    for artist in artists + sides:
        artist.set_fontsize(max(sizes.values()))
    if not tree.loss:
        ax.add_artist(_class_bars(tree, [(box.node, artist) for box, artist in zip(boxes, artists)]))
    return artists


_LONGEST_QUESTION = 30


def _cut(text: str, most: int = 130) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _arrange(boxes: list[Box], artists: list[Any], sides: list[Any], tree: Tree, foot: float, drop: float) -> None:
    """Puts boxes, their lines and the words beside these in their places; every second leaf stands `drop` of a level lower."""
    level = (1 - foot) / (tree.max_depth + 1 + drop)
    at = {}
    for box in boxes:
        lower = drop if tree.kind[box.node] == LEAF and round(box.x) % 2 == 1 else 0
        at[box.node] = (box.x + 0.5) / tree.n_leaves, 1 - (box.y + 0.5 + lower) * level
    words = iter(sides)
    for box, artist in zip(boxes, artists):
        artist.set_position(at[box.node])
        if box.parent < 0:
            continue
        artist.xy = at[box.parent]
        (px, py), (x, y) = at[box.parent], at[box.node]
        next(words).set_position(((px + x) / 2, (py + y) / 2))


def _class_bars(tree: Tree, boxes: list[tuple[int, Any]]) -> Any:
    """An artist that draws the shares of the classes at the foot of each box, wherever the box is when it is drawn."""
    from matplotlib.artist import Artist
    from matplotlib.patches import Rectangle

    class ClassBars(Artist):
        def draw(self, renderer: Any) -> None:
            for node, artist in boxes:
                patch = artist.get_bbox_patch()
                artist.update_bbox_position_size(renderer)
                extent = patch.get_window_extent(renderer)
                height = 0.45 * artist.get_fontsize() * renderer.points_to_pixels(1)
                left, wide = extent.x0 + 0.08 * extent.width, 0.84 * extent.width
                for label, share in enumerate(tree.value[node, 0]):
                    part = Rectangle(
                        (left, extent.y0 + 0.8 * height), wide * share, height, color=PALETTE[label % len(PALETTE)], linewidth=0
                    )
                    part.set_figure(artist.figure)
                    part.draw(renderer)
                    left += wide * share

    bars = ClassBars()
    bars.set_zorder(4)
    return bars


_LARGEST_FONT, _SMALLEST_FONT = 10, 3


def _class_color(tree: Tree, node: int) -> tuple[float, ...]:
    from matplotlib.colors import to_rgb

    if tree.loss:
        return to_rgb(PALETTE[0])
    return to_rgb(PALETTE[int(tree.label[node]) % len(PALETTE)])


def _mixed(color: tuple[float, ...], strength: float) -> tuple[float, ...]:
    """The color on white."""
    return tuple(1 - strength * (1 - channel) for channel in color)


def _node_color(tree: Tree, node: int) -> tuple[float, ...]:
    """A color for each class, mixed with white by how impure the node is; of numbers one color, the stronger the larger they are."""
    if tree.loss:
        low, high = tree.value.min(), tree.value.max()
        return _mixed(_class_color(tree, node), 0.75 * float((tree.value[node, 0, 0] - low) / (high - low) if high > low else 0))
    classes = len(tree.class_names)
    share = float(tree.value[node, 0, int(tree.label[node])])
    return _mixed(_class_color(tree, node), 0.75 * max(0.0, (share - 1 / classes) / (1 - 1 / classes)))


def _largest_font(ax: Any, artists: list[Any]) -> int:
    """The largest font with which no two boxes overlap, and none sticks out."""
    from matplotlib.text import Text

    renderer = ax.figure.canvas.get_renderer()
    frame = ax.get_window_extent(renderer)
    for size in range(_LARGEST_FONT, _SMALLEST_FONT, -1):
        padding = 0.4 * size * ax.figure.dpi / 72
        for artist in artists:
            artist.set_fontsize(size)
            artist.update_positions(renderer)
        extents = sorted((Text.get_window_extent(artist, renderer).padded(padding) for artist in artists), key=lambda extent: extent.x0)
        inside = all(frame.x0 - padding <= extent.x0 and extent.x1 <= frame.x1 + padding for extent in extents)
        if inside and not any(_overlaps(extents, i) for i in range(len(extents))):
            return size
    return _SMALLEST_FONT


def _overlaps(extents: list[Any], i: int) -> bool:
    """Whether the i-th of the boxes, which are sorted by their left sides, overlaps a later one."""
    for other in extents[i + 1 :]:
        if other.x0 > extents[i].x1:
            return False
        if other.overlaps(extents[i]):
            return True
    return False


def to_sklearn(estimator: FittedTree, X: Any) -> Any:
    """The tree as a real scikit-learn ``DecisionTreeClassifier``, for the tools that read those (dtreeviz, skl2onnx, treelite, shap).

    scikit-learn rounds features to float32 and goes left where ``x <= threshold``, treewright compares doubles with ``x < threshold``.
    Each threshold is moved, if need be, to where float32 separates the training rows as the tree does; then every training row is
    routed through both trees.

    Parameters
    ----------
    estimator : fitted estimator
        Its tree may split at thresholds only: no hyperplanes, no sets of categories.
    X : array-like of shape (n_samples, n_features)
        The training rows.

    Returns
    -------
    sklearn.tree.DecisionTreeClassifier
        Fitted; ``apply`` gives the same leaf as the estimator's for every row of X. Its probabilities are the shares in the leaf, as with
        ``shrinkage=0``: it predicts the class of the largest.

    Raises
    ------
    ValueError
        When the tree splits otherwise, or separates two training values that are the same number in float32; or when a cost matrix gave a
        leaf another label than that of its majority.
    """
    if not HAVE_SKLEARN:
        raise ImportError("to_sklearn needs scikit-learn (install it)")
    from sklearn.tree import DecisionTreeClassifier
    from sklearn.tree._tree import Tree as SklearnTree

    tree = _tree_of(estimator, None, None)
    if tree.loss:
        raise ValueError("to_sklearn: the tree predicts numbers, and only trees that predict classes are converted")
    if any(kind not in (LEAF, AXIS) for kind in tree.kind) or any(feature.levels is not None for feature in tree.features):
        raise ValueError(
            "to_sklearn: the tree uses hyperplanes or categories, which scikit-learn's trees cannot express (encode categories as numbers)"
        )
    leaves = np.flatnonzero(tree.kind == LEAF)
    if (tree.value[leaves, 0, tree.label[leaves]] < tree.value[leaves, 0].max(axis=1) - 1e-12).any():
        raise ValueError(
            "to_sklearn: a leaf has not the label of its majority, as scikit-learn's trees predict it (train without cost_matrix)"
        )
    rows = estimator._encoded(X)[0]
    path = estimator.decision_path(X)
    thresholds = _float32_thresholds(tree, rows, np.asarray(path.toarray() if hasattr(path, "toarray") else path, dtype=bool))

    # A tiny fitted tree tells the layout of nodes in the installed scikit-learn.
    model = DecisionTreeClassifier(max_depth=max(1, tree.max_depth)).fit([[0.0], [1.0]], [0, 1])
    layout_of = model.tree_.__getstate__()["nodes"].dtype
    if "missing_go_to_left" not in (layout_of.names or ()) and any(feature.has_missing for feature in tree.features):
        raise ValueError("to_sklearn: the installed scikit-learn has no trees for missing values (use 1.3 or newer)")
    nodes = np.zeros(tree.node_count, dtype=layout_of)
    fields = {
        "left_child": tree.children_left,
        "right_child": tree.children_right,
        "feature": tree.feature,
        "threshold": thresholds,
        "impurity": tree.impurity,
        "n_node_samples": tree.n_node_samples,
        "weighted_n_node_samples": tree.weighted_n_node_samples,
        "missing_go_to_left": tree.missing_go_to_left,
    }
    for name in layout_of.names or ():
        if name in fields:
            nodes[name] = fields[name]
    converted = SklearnTree(tree.n_features, np.array([len(tree.class_names)], dtype=np.intp), 1)
    converted.__setstate__(
        {
            "max_depth": tree.max_depth,
            "node_count": tree.node_count,
            "nodes": nodes,
            "values": np.ascontiguousarray(estimator._sorted(tree.value)),
        }
    )
    model.tree_ = converted
    model.classes_ = estimator.classes_
    model.n_classes_ = np.int64(len(estimator.classes_))
    model.n_features_in_ = model.max_features_ = estimator.n_features_in_
    if hasattr(estimator, "feature_names_in_"):
        model.feature_names_in_ = estimator.feature_names_in_
    different = np.flatnonzero(converted.apply(rows.astype(np.float32)) != estimator.apply(X))
    if len(different):
        raise RuntimeError(f"to_sklearn: row {different[0]} reaches another leaf: this is a bug of treewright, please report it")
    return model


def _float32_thresholds(tree: Tree, rows: Array, visits: Array) -> Array:
    thresholds = tree.threshold.copy()
    for node in np.flatnonzero(tree.kind == AXIS):
        values = rows[visits[:, node], tree.feature[node]]
        values = values[~np.isnan(values)]
        left = values < tree.threshold[node]
        rounded = values.astype(np.float32).astype(np.float64)
        below, above = rounded[left].max(initial=-np.inf), rounded[~left].min(initial=np.inf)
        if below >= above:
            raise ValueError(
                f"to_sklearn: node {node} separates values of {tree.features[tree.feature[node]].name!r} around "
                f"{tree.threshold[node]!r} that are the same number in float32 (shift or scale the feature before training)"
            )
        # "x < t" in doubles is "x <= the double below t"; it stays unless float32 moved a value across it.
        candidate = np.nextafter(tree.threshold[node], -np.inf)
        thresholds[node] = candidate if below <= candidate < above else below + (above - below) / 2
    return thresholds
