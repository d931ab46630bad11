"""Pictures of the pages, as SVG that does not change from run to run."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
from records import Record, fits, mean_ranks, means_of_sets, pairs_of, published_by, used_of

import data

sys.path.insert(0, str(Path(__file__).parents[1] / "tools"))

from small_svg import pyplot, save


def _scatter(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """Who wins, by the accuracy of the first method and n / p (BD17 Fig. 4) or p (Fig. 5), and the border of the paper's region."""
    plt = pyplot()
    pairs = pairs_of(records, spec["depth"], spec)
    figure, axes = plt.subplots(figsize=(6, 4))
    gains = {name: pair[1] - pair[0] for name, pair in pairs.items()}
    kinds = (
        (f"{spec['second']} wins", "#1f5fa8", lambda g: g > 0.05),
        ("tie", "#999999", lambda g: abs(g) <= 0.05),
        (f"{spec['first']} wins", "#c8501e", lambda g: g < -0.05),
    )
    for label, color, holds in kinds:
        names = [name for name in pairs if holds(gains[name])]
        entries = [data.catalogue()[name] for name in names]
        place = [int(entry["n"]) / int(entry["p"]) if spec["across"] == "n / p" else int(entry["p"]) for entry in entries]
        axes.scatter(place, [pairs[name][0] for name in names], label=label, color=color, s=18)
    axes.set_xscale("log")
    across, accuracy = spec["border"]["across"], spec["border"]["accuracy"]
    axes.plot([across, across, axes.get_xlim()[1]], [101, accuracy, accuracy], "--", color="#555555", linewidth=1)
    axes.set(xlabel=spec["across"], ylabel=f"{spec['first']}: out-of-sample accuracy (%)", title=spec["title"])
    axes.legend()
    save(figure, path)


def _accuracy_over_depth(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """Mean accuracy on new rows over mean depth: a color for each data set, a mark for each method (AHL24 Fig. 9)."""
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7, 5))
    for color, name in enumerate(spec["data"]):
        points = []
        for mark, method in zip("osD^v", spec["methods"]):
            groups: dict[Any, list[Record]] = defaultdict(list)
            for record in records:
                if record["data"] == name and record["method"] == method and "test" in record and "study" not in record:
                    groups[record["max_depth"]].append(record)
            for group in groups.values():
                points.append([float(np.mean([record[key] for record in group])) for key in ("depth", "test")])
                axes.plot(*points[-1], mark, color=f"C{color % 10}", markersize=5)
        axes.plot(*np.transpose(sorted(points)), "-", color=f"C{color % 10}", linewidth=1.5, label=name)
    for mark, method in zip("osD^v", spec["methods"]):
        axes.plot([], [], mark, color="#555555", label=method)
    axes.set(xlabel="mean depth", ylabel="out-of-sample accuracy (%)", title=spec["title"])
    axes.legend(fontsize=7, bbox_to_anchor=(1, 1), loc="upper left")
    save(figure, path, bbox_inches="tight")


def _features(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """A pane for each method and in it for each data set a line of cells for each split: dark where it uses the feature (DGMP23 Fig. 6)."""
    plt = pyplot()
    chosen = [record for record in records if fits(record, spec["where"])]
    names = list(dict.fromkeys(record["data"] for record in chosen if "used" in record))
    figure, panes = plt.subplots(1, len(spec["methods"]), figsize=(11, 0.62 * len(names)), squeeze=False)
    for method, axes in zip(spec["methods"], panes[0]):
        axes.set_title(method, fontsize=9)
        axes.set(xticks=[], yticks=[4 * place + 1.5 for place in range(len(names))], xlim=(0, 1), ylim=(4 * len(names) - 0.5, -0.5))
        axes.set_yticklabels(names if axes is panes[0, 0] else [""] * len(names), fontsize=8)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        lines, cells = [], []
        for place, name in enumerate(names):
            used = used_of(chosen, method, name)
            if used is None:
                axes.text(0.5, 4 * place + 1.5, "not stored", ha="center", va="center", fontsize=7)
                continue
            columns = next(record["columns"] for record in records if record["data"] == name and "columns" in record)
            for split, features in enumerate(used):
                height = 4 * place + split + 0.5
                lines.append((height, 0, 1))
                ordered = np.array(sorted(features or []))
                for run in np.split(ordered, np.flatnonzero(np.diff(ordered) > 1) + 1):
                    cells += [(height, run[0] / columns, (run[-1] + 1) / columns)] if len(run) else []
        axes.hlines(*zip(*lines), color="#eef2f7", linewidth=8)
        axes.hlines(*zip(*cells), color="#1f5fa8", linewidth=8)
    save(figure, path, bbox_inches="tight")


def _boxes(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """Boxes over the data sets for each method and depth, a pane for each measure, with methods of its own (DGMP23 Fig. 9)."""
    plt = pyplot()
    figure, panes = plt.subplots(1, len(spec["panes"]), figsize=(9, 3.6))
    for (measure, methods), axes in zip(spec["panes"].items(), panes):
        found = {
            f"{method}\ndepth {depth}": [
                record[measure]
                for record in records
                if measure in record
                and (record["method"], record.get("max_depth"), record["protocol"]) == (method, depth, "published")
                and record.get("study", "") in spec["studies"]
            ]
            for method in methods
            for depth in spec["depths"]
        }
        shown = {label: values for label, values in found.items() if values}
        axes.boxplot(list(shown.values()), tick_labels=list(shown))
        axes.tick_params(axis="x", labelsize=7)
        axes.set_title({"test": "accuracy on the test rows (%)", "gap_percent": "gap (%)"}[measure], fontsize=9)
    save(figure, path, bbox_inches="tight")


def _critical_difference(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """Mean ranks on a line; a bar joins methods that differ by less than the critical difference of Nemenyi's test at 5 % (Demsar 2006)."""
    from scipy.stats import studentized_range

    names, table = means_of_sets(spec, records, "test")
    ranks, many = mean_ranks(table), len(spec["methods"])
    width = studentized_range.ppf(0.95, many, np.inf) * np.sqrt(many * (many + 1) / 12 / len(names))
    order = np.argsort(ranks)
    plt = pyplot()
    figure, axes = plt.subplots(figsize=(7.5, 0.9 + 0.28 * many))
    for level, i in enumerate(order):
        first_half = level < (many + 1) // 2
        line = level + 1 if first_half else many - level
        edge = np.floor(ranks.min()) - 0.4 if first_half else np.ceil(ranks.max()) + 0.4
        axes.plot([ranks[i], ranks[i], edge], [0, line, line], color="#555555", linewidth=0.8)
        axes.text(edge, line, f" {spec['methods'][i]} {ranks[i]:.2f} ", ha="right" if first_half else "left", va="center", fontsize=8)
    bars = 0
    reached = -1.0
    for i in order:
        last = ranks[ranks <= ranks[i] + width].max()
        if last <= reached:
            continue
        reached = last
        if last > ranks[i]:
            bars += 1
            axes.plot([ranks[i] - 0.03, last + 0.03], [0.2 * bars] * 2, color="#c8501e", linewidth=3, solid_capstyle="butt")
    left = np.floor(ranks.min())
    axes.plot([left, left + width], [-0.6, -0.6], color="#1f5fa8", linewidth=2)
    axes.text(left + width / 2, -0.75, f"critical difference {width:.2f}", ha="center", va="bottom", fontsize=8)
    ticks = np.arange(left, np.ceil(ranks.max()) + 1)
    axes.plot(ticks[[0, -1]], [0, 0], color="#000000", linewidth=0.8)
    for tick in ticks:
        axes.text(tick, -0.1, f"{tick:.0f}", ha="center", va="bottom", fontsize=8)
        axes.plot([tick, tick], [-0.06, 0], color="#000000", linewidth=0.8)
    axes.set(xlim=(left - 2.2, np.ceil(ranks.max()) + 2.2), ylim=((many + 1) // 2 + 0.6, -1.3))
    axes.axis("off")
    save(figure, path, bbox_inches="tight")


def _trees(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """A tree of depth 2 for each data set and method: in each node its training rows of each class, and the features of its split from 0
    (DGMP23 Fig. 8)."""
    plt = pyplot()
    chosen = [record for record in records if fits(record, spec["where"])]
    names = list(dict.fromkeys(record["data"] for record in chosen))
    figure, panes = plt.subplots(len(names), len(spec["methods"]), figsize=(15, 3.1 * len(names)), squeeze=False)
    places = [(4, 2), (2, 1), (6, 1), (1, 0), (3, 0), (5, 0), (7, 0)]
    for name, line in zip(names, panes):
        for method, axes in zip(spec["methods"], line):
            axes.set(xlim=(0.2, 7.8), ylim=(-0.4, 2.5))
            axes.axis("off")
            axes.set_title(f"{name}: {method}", fontsize=8)
            record = next((r for r in chosen if (r["data"], r["method"]) == (name, method)), None)
            for node, (x, y) in enumerate(places if record else []):
                rows, split = record["reached"][node], record["used"][node] if node < 3 else None
                if rows is None:
                    continue
                if node:
                    up_x, up_y = places[(node - 1) // 2]
                    axes.plot([up_x, x], [up_y - 0.25, y + 0.2], color="#999999", linewidth=0.8)
                text = f"[{rows[0]}, {rows[1]}]" + ("" if split is None else "\n" + _in_lines(split))
                color = "#1f5fa8" if split is None else "#222222"
                axes.text(x, y, text, ha="center", va="center", fontsize=6.5, color=color, linespacing=1.1)
    save(figure, path, bbox_inches="tight")


def _in_lines(features: list[int]) -> str:
    """Five to a line."""
    parts = [", ".join(map(str, sorted(features)[k : k + 5])) for k in range(0, len(features), 5)]
    return "F: " + ",\n".join(parts)


def _profiles(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """A pane for each data set: the share of the runs of each method that have ended after so many seconds (AHL24 Fig. 8)."""
    plt = pyplot()
    figure, panes = plt.subplots(1, len(spec["data"]), figsize=(9, 3.4), sharey=True)
    for name, axes in zip(spec["data"], panes):
        for number, method in enumerate(spec["methods"]):
            found = [r for r in records if r["data"] == name and r["method"] == method and fits(r, spec["where"])]
            seconds = np.sort([max(record["train_seconds"], 1e-4) for record in found])
            axes.step(seconds, 100 * np.arange(1, len(seconds) + 1) / max(len(seconds), 1), where="post", label=method, color=f"C{number}")
        axes.set(xscale="log", xlabel="seconds", title=name)
    panes[0].set_ylabel("runs that have ended (%)")
    panes[-1].legend(fontsize=8)
    save(figure, path, bbox_inches="tight")


def _bars(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """A pane for each entry of `panes`, which has a title, data sets and what its records share. A bar for each method: its mean accuracy
    on new rows (Z20 Fig. 1, 2), and a line across it for the figure that `paper` has in the table `published` of the pane."""
    plt = pyplot()
    published = published_by(spec["paper"])
    figure, panes = plt.subplots(len(spec["panes"]), 1, figsize=(11, 3.2 * len(spec["panes"])), squeeze=False)
    for pane, axes in zip(spec["panes"], panes[:, 0]):
        chosen = [record for record in records if fits(record, pane["where"]) and record["data"] in pane["data"]]
        shown = [method for method in spec["methods"] if any(record["method"] == method for record in chosen)]
        width = 0.8 / max(len(shown), 1)
        names = [name for name in pane["data"] if any(record["data"] == name for record in chosen)]
        for number, method in enumerate(shown):
            means = [[r["test"] for r in chosen if (r["data"], r["method"]) == (name, method)] for name in names]
            heights = [float(np.mean(values)) if values else 0.0 for values in means]
            places = np.arange(len(names)) + (number - (len(shown) - 1) / 2) * width
            axes.bar(places, heights, width, label=method)
            keys = [(pane["published"], data.catalogue()[name]["title"], f"{method} test") for name in names]
            theirs = [(place, published[key][0]) for place, key in zip(places, keys) if key in published]
            if theirs:
                x, y = np.transpose(theirs)
                axes.hlines(y, x - width / 2, x + width / 2, color="#000000", linewidth=1.3)
        axes.set_xticks(np.arange(len(names)), names, rotation=45, ha="right", fontsize=7)
        axes.set(ylim=(30, 101), ylabel="accuracy (%)", title=pane["title"])
        axes.legend(fontsize=7, loc="lower right")
    figure.tight_layout()
    save(figure, path, bbox_inches="tight")


PICTURES = {
    "ranks": _critical_difference,
    "wins": _scatter,
    "depth": _accuracy_over_depth,
    "features": _features,
    "boxes": _boxes,
    "trees": _trees,
    "profiles": _profiles,
    "bars": _bars,
}
