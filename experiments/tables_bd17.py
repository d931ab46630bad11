"""Kinds of tables of Bertsimas & Dunn 2017: synthetic data by cell, and two methods on many data sets."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
from records import Record, by_split, fits, markdown, mean_and_error, pairs_of, with_error

import data

_MEASURES = {
    "in_sample": "In-sample accuracy",
    "test": "Out-of-sample accuracy",
    "leaves": "Tree size",
    "depth": "Maximum depth",
    "average_depth": "Average depth",
    "expected_depth": "Expected depth",
}


def cells(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """All six measures for each value of `by` and each method (BD17 Tables 1 to 5)."""
    groups: dict[tuple[Any, str], list[Record]] = defaultdict(list)
    for record in records:
        if fits(record, spec["where"]):
            groups[record[spec["by"]], record["method"]].append(record)
    rows, near, beside = [], 0, 0
    for (value, method), group in groups.items():
        shown = f"{100 * value:g}" if isinstance(value, float) else str(value)
        row = [shown, method]
        for measure in _MEASURES:
            digits = 2 if measure in ("in_sample", "test") else 1
            values = [record[measure] for record in group if record.get(measure) is not None]
            ours = mean_and_error(values) if values else None
            theirs = published.get((spec["published"], f"{shown} {method}", measure))
            cell = with_error(ours, digits) if ours else "-"
            if theirs:
                cell += f" ({with_error(theirs, digits)})"
            if theirs and ours and method != "truth":
                beside += 1
                near += abs(ours[0] - theirs[0]) <= 2 * math.hypot(0 if math.isnan(ours[1]) else ours[1], theirs[1]) + 0.5 * 10**-digits
            row.append(cell)
        rows.append(row)
    note = "\nWithin two standard errors of the difference to the paper's figure, and half a unit of its last printed digit: "
    note += f"{near} of {beside} cells of the three methods.\n"
    return markdown([spec["by"].replace("_", " "), "method", *_MEASURES.values()], rows) + note


def by_leaves(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """For each value of `by`: how many trees of `method` have `leaves` leaves, and the accuracy on new rows of these and of the others."""
    rows = []
    chosen = [record for record in records if fits(record, spec["where"] | {"method": spec["method"]})]
    for value in dict.fromkeys(record[spec["by"]] for record in chosen):
        whole, others = [], []
        for record in chosen:
            if record[spec["by"]] == value:
                (whole if record["leaves"] == spec["leaves"] else others).append(record["test"])
        accuracies = [with_error(mean_and_error(group), 2) if group else "-" for group in (whole, others)]
        rows.append([f"{100 * value:g}", str(len(whole)), accuracies[0], str(len(others)), accuracies[1]])
    head = [spec["by"].replace("_", " "), f"{spec['leaves']} leaves: trees", "accuracy", "fewer: trees", "accuracy of those"]
    return markdown(head, rows)


def by_data(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Both methods on each data set at one depth (BD17 Tables 7, 11, 15 to 19), and how many final trees are proved, or, of a method that
    proves nothing, the seconds of a tuned fit."""
    rows = []
    chosen = [r for r in records if r["method"] == spec["second"] and r.get("max_depth") == spec["depth"]]
    proves = any(record["status"] == "optimal" for record in chosen)
    last = defaultdict(list)
    for record in chosen:
        last[record["data"]].append(record["status"] == "optimal" if proves else record["job_seconds"])
    for name, (first, second, gains) in pairs_of(records, spec["depth"], spec).items():
        entry = data.catalogue()[name]
        theirs = [published.get((spec["published"], entry["title"], m)) for m in ("cart", spec["second"], "improvement")]
        if theirs[1] is None:  # a table of another method beside CART
            theirs[2] = None
        shown = [f"{first:.1f}", f"{second:.1f}", ("+" if np.mean(gains) > 0 else "") + with_error(mean_and_error(gains), 2)]
        cells = [
            ours + (f" ({with_error(figure, 2 if i == 2 else 1)})" if figure else "") for i, (ours, figure) in enumerate(zip(shown, theirs))
        ]
        rows.append(
            [
                entry["title"],
                entry["n"],
                entry["p"],
                entry["K"],
                *cells,
                f"{sum(last[name])}/{len(last[name])}" if proves else f"{np.mean(last[name]):.2f}",
            ]
        )
    return markdown(["data set", "n", "p", "K", spec["first"], spec["second"], "improvement", "proved" if proves else "seconds"], rows)


def summary(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Mean accuracy over all data sets by depth (BD17 Table 6), with proofs, or the median size and time of a tuned fit, and time."""
    rows = []
    proves = any(record["status"] == "optimal" for record in records if record["method"] == spec["second"])
    for depth in spec["depths"]:
        pairs = pairs_of(records, depth, spec)
        if not pairs:
            continue
        of_depth = [r for r in records if r["method"] == spec["second"] and r.get("max_depth") == depth]
        row = [str(depth), str(len(pairs))]
        for at, measure in ((0, spec.get("first_measure", "cart")), (1, spec["second"])):
            theirs = published.get((spec["published"], str(depth), measure))
            # The paper's own figures on the same sets, from the table of that depth.
            keys = [(spec["by_data"][depth - 1], data.catalogue()[name]["title"], measure) for name in pairs]
            same = [published[key][0] for key in keys if key in published]
            beside = ([f"{theirs[0]}"] if theirs else []) + ([f"{np.mean(same):.1f}"] if len(same) == len(pairs) else ["-"])
            row.append(f"{np.mean([pair[at] for pair in pairs.values()]):.1f} ({'; '.join(beside)})")
        seconds = list({(r["data"], r["split"]): r["job_seconds"] for r in of_depth}.values())
        if proves:
            final = [r["status"] == "optimal" for r in of_depth]
            whole = [r["status"] == r.get("path_status") == "optimal" for r in of_depth]
            row += [f"{100 * np.mean(final):.1f} %", f"{100 * np.mean(whole):.1f} %"]
        else:
            row += [f"{np.median([r['terms'] for r in of_depth]):g}", f"{np.median(seconds):.2f}"]
        rows.append([*row, f"{sum(seconds):.0f}"])
    middle = (
        ["final tree proved", "final tree and whole path proved"] if proves else ["features used, median", "seconds of a tuned fit, median"]
    )
    head = ["max. depth", "data sets", spec["first"], spec["second"], *middle, "seconds"]
    others = []
    for method, depth, text in (
        ("cart-trimmed", None, "CART without a limit on depth"),
        ("random-forest", None, "random forest, 100 trees"),
    ):
        means = [np.mean(list(splits.values())) for splits in by_split(records, method, depth).values()]
        if means:
            others.append(f"- {text}: {np.mean(means):.1f} on {len(means)} data sets")
    if ("Table 6", "any", "cart") in published and others:
        others[0] += f" (the paper: {published['Table 6', 'any', 'cart'][0]})"
    note = "In brackets: the paper's Table 6, and the mean of the paper's figures for the same data sets, which differs.\n\n"
    return markdown(head, rows) + "\n" + note + "\n".join(others) + "\n"


def _row_of_wins(pairs: Iterable[tuple[float, float, list[float]]]) -> dict[str, float]:
    gains = [second - first for first, second, _ in pairs]
    # As the paper's tables show them: accuracies that agree to a tenth are ties.
    return {
        "cart_wins": sum(gain < -0.05 for gain in gains),
        "oct_wins": sum(gain > 0.05 for gain in gains),
        "ties": sum(abs(gain) <= 0.05 for gain in gains),
        "improvement": float(np.mean(gains)) if gains else float("nan"),
    }


def _cells_of_wins(found: dict[str, float], key: str, table: str, published: Any) -> list[str]:
    cells = []
    for measure, value in found.items():
        theirs = published.get((table, key, measure))
        digits = 2 if measure == "improvement" else 0
        cells.append(f"{value:.{digits}f}" + (f" ({theirs[0]:.{digits}f})" if theirs else ""))
    return cells


def wins(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Wins, ties, mean improvement and paired t-tests by depth (BD17 Tables 8 and 12)."""
    from scipy.stats import ttest_1samp

    rows = []
    for depth in spec["depths"]:
        pairs = pairs_of(records, depth, spec)
        if not pairs:
            continue
        by_split = [gain for _, _, gains in pairs.values() for gain in gains]
        by_set = [np.mean(gains) for _, _, gains in pairs.values()]
        theirs = published.get((spec["published"], str(depth), "p"))
        p = [float(ttest_1samp(gains, 0).pvalue) if len(gains) > 1 and np.std(gains) > 0 else float("nan") for gains in (by_split, by_set)]
        cells = _cells_of_wins(_row_of_wins(pairs.values()), str(depth), spec["published"], published)
        rows.append([str(depth), *cells, f"{p[0]:.2g}" + (f" ({theirs[0]:.2g})" if theirs else ""), f"{p[1]:.2g}"])
    head = ["max. depth", f"{spec['first']} wins", f"{spec['second']} wins", "ties", "improvement", "p (over splits)", "p (over data sets)"]
    return markdown(head, rows) + "\nPaired t-tests, two-sided. The paper does not say over which samples its test runs.\n"


_BANDS = [(0, 60), (60, 70), (70, 80), (80, 90), (90, 100.01)]


def bands(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Wins by the accuracy of CART (BD17 Tables 9 and 13)."""
    rows = []
    for depth in spec["depths"]:
        pairs = pairs_of(records, depth, spec)
        for low, high in _BANDS if pairs else []:
            inside = [pair for pair in pairs.values() if low <= pair[0] < high]
            name = f"{low}-{high:.0f}"
            rows.append([str(depth), name, *_cells_of_wins(_row_of_wins(inside), f"{depth} {name}", spec["published"], published)])
    return markdown(["max. depth", "CART accuracy", f"{spec['first']} wins", f"{spec['second']} wins", "ties", "improvement"], rows)


def region(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Wins inside and outside the region where optimal trees are expected to win: CART accuracy >= 80 and n / p >= 10 for axis splits (BD17
    Table 10), CART accuracy <= 70 or p <= 10 for hyperplanes (Table 14)."""
    rows = []
    for depth in spec["depths"]:
        pairs = pairs_of(records, depth, spec)

        def is_inside(name: str, pairs: Any = pairs) -> bool:
            entry = data.catalogue()[name]
            if spec["second"] == "oct":
                return pairs[name][0] >= 80 and int(entry["n"]) / int(entry["p"]) >= 10
            return pairs[name][0] <= 70 or int(entry["p"]) <= 10

        for place in ("inside", "outside") if pairs else ():
            chosen = [pairs[name] for name in pairs if is_inside(name) == (place == "inside")]
            rows.append([str(depth), place, *_cells_of_wins(_row_of_wins(chosen), f"{depth} {place}", spec["published"], published)])
    return markdown(["max. depth", "region", f"{spec['first']} wins", f"{spec['second']} wins", "ties", "improvement"], rows)


def regime(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Mean accuracy of `methods`, each as [method, depth or 0 for none], on all data sets, and on those of few classes and features (BD17
    sec. 6.4)."""
    entries = data.catalogue()
    found = {(method, depth): by_split(records, method, depth or None) for method, depth in spec["methods"]}
    common = [name for name in entries if all(name in by_data for by_data in found.values())]
    few = [name for name in common if int(entries[name]["K"]) <= spec["classes"] and int(entries[name]["p"]) <= spec["features"]]
    if not few:
        return ""
    rows = []
    for (method, depth), by_data in found.items():
        row = [method, str(depth) if depth else "-"]
        for place, names in (("all", common), ("few", few)):
            theirs = published.get((spec["published"], f"{method} {depth}", place))
            mean = float(np.mean([np.mean(list(by_data[name].values())) for name in names]))
            row.append(f"{mean:.1f}" + (f" ({theirs[0]:.1f})" if theirs else ""))
        rows.append(row)
    here = f"{len(few)} data sets with at most {spec['classes']} classes and {spec['features']} features"
    return markdown(["method", "max. depth", f"{len(common)} data sets", here], rows)
