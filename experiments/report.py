"""Pages from the job lines: each table of a paper with our figures beside its own.

A description names a list of [[tables]]; each has a `kind` below, a `title`, the `published` table its figures are found under in
published.tsv, and what the kind needs. Means are over all records of a cell, with the standard error of the mean. A published figure
stands in brackets.
"""

from __future__ import annotations

import csv
import math
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import tomllib
from store import Store

import data

Record = dict[str, Any]

_MEASURES = {
    "in_sample": "In-sample accuracy",
    "test": "Out-of-sample accuracy",
    "leaves": "Tree size",
    "depth": "Maximum depth",
    "average_depth": "Average depth",
    "expected_depth": "Expected depth",
}


def _published(paper: str) -> dict[tuple[str, str, str], tuple[float, float]]:
    with (Path(__file__).parent / "published.tsv").open(newline="") as file:
        rows = csv.DictReader(file, delimiter="\t")
        return {
            (row["table"], row["row"], row["measure"]): (float(row["value"]), float(row["error"] or "nan"))
            for row in rows
            if row["paper"] == paper
        }


def records_of(lines: Iterable[dict[str, Any]]) -> list[Record]:
    return [
        {**line["job"], **record, "job_seconds": line["seconds"], "job_cpu_seconds": line["cpu_seconds"]}
        for line in lines
        for record in line["records"]
    ]


def _mean(values: list[float]) -> tuple[float, float]:
    error = float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) > 1 else float("nan")
    return float(np.mean(values)), error


def _text(value: tuple[float, float], digits: int) -> str:
    mean, error = value
    return f"{mean:.{digits}f}" + ("" if math.isnan(error) else f" ± {error:.{digits}f}")


def _table(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]) + "\n"


def _fits(record: Record, where: dict[str, Any]) -> bool:
    """A value of "" stands for records without the key."""
    return all(record.get(key, "") == value for key, value in where.items())


# --- kinds of tables --------------------------------------------------------------------------------------------------------------


def cells(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """All six measures for each value of `by` and each method (BD17 Tables 1 to 5)."""
    groups: dict[tuple[Any, str], list[Record]] = defaultdict(list)
    for record in records:
        if _fits(record, spec["where"]):
            groups[record[spec["by"]], record["method"]].append(record)
    rows, near, beside = [], 0, 0
    for (value, method), group in groups.items():
        shown = f"{100 * value:g}" if isinstance(value, float) else str(value)
        row = [shown, method]
        for measure in _MEASURES:
            digits = 2 if measure in ("in_sample", "test") else 1
            values = [record[measure] for record in group if record.get(measure) is not None]
            ours = _mean(values) if values else None
            theirs = published.get((spec["published"], f"{shown} {method}", measure))
            cell = _text(ours, digits) if ours else "-"
            if theirs:
                cell += f" ({_text(theirs, digits)})"
            if theirs and ours and method != "truth":
                beside += 1
                near += abs(ours[0] - theirs[0]) <= 2 * math.hypot(0 if math.isnan(ours[1]) else ours[1], theirs[1]) + 0.5 * 10**-digits
            row.append(cell)
        rows.append(row)
    note = f"\nWithin two standard errors of the difference to the paper's figure: {near} of {beside} cells of the three methods.\n"
    return _table([spec["by"].replace("_", " "), "method", *_MEASURES.values()], rows) + note


def by_leaves(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """For each value of `by`: how many trees of `method` have `leaves` leaves, and the accuracy on new rows of these and of the others."""
    rows = []
    chosen = [record for record in records if _fits(record, spec["where"] | {"method": spec["method"]})]
    for value in dict.fromkeys(record[spec["by"]] for record in chosen):
        whole, others = [], []
        for record in chosen:
            if record[spec["by"]] == value:
                (whole if record["leaves"] == spec["leaves"] else others).append(record["test"])
        accuracies = [_text(_mean(group), 2) if group else "-" for group in (whole, others)]
        rows.append([f"{100 * value:g}", str(len(whole)), accuracies[0], str(len(others)), accuracies[1]])
    head = [spec["by"].replace("_", " "), f"{spec['leaves']} leaves: trees", "accuracy", "fewer: trees", "accuracy of those"]
    return _table(head, rows)


def _by_data(records: list[Record], method: str, depth: int | None) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for record in records:
        if record["method"] == method and record.get("max_depth") == depth:
            found[record["data"]][record["split"]] = record["test"]
    return found


def _pairs(records: list[Record], depth: int, spec: dict[str, Any]) -> dict[str, tuple[float, float, list[float]]]:
    """For each data set that both methods have finished: the two mean accuracies, and the differences by split."""
    first, second = (_by_data(records, spec[key], depth) for key in ("first", "second"))
    pairs = {}
    for name in data.catalogue():
        splits = sorted(first[name].keys() & second[name].keys())
        if splits and len(splits) == max(len(v) for v in first.values()):
            a, b = [first[name][s] for s in splits], [second[name][s] for s in splits]
            pairs[name] = (float(np.mean(a)), float(np.mean(b)), [y - x for x, y in zip(a, b)])
    return pairs


def by_data(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Both methods on each data set at one depth (BD17 Tables 7, 11, 15 to 19), and how many final trees are proved, or, of a method that
    proves nothing, the seconds of a tuned fit."""
    rows = []
    chosen = [r for r in records if r["method"] == spec["second"] and r.get("max_depth") == spec["depth"]]
    proves = any(record["status"] == "optimal" for record in chosen)
    last = defaultdict(list)
    for record in chosen:
        last[record["data"]].append(record["status"] == "optimal" if proves else record["job_seconds"])
    for name, (first, second, gains) in _pairs(records, spec["depth"], spec).items():
        entry = data.catalogue()[name]
        theirs = [published.get((spec["published"], entry["title"], m)) for m in ("cart", spec["second"], "improvement")]
        shown = [f"{first:.1f}", f"{second:.1f}", ("+" if np.mean(gains) > 0 else "") + _text(_mean(gains), 2)]
        cells = [
            ours + (f" ({_text(figure, 2 if i == 2 else 1)})" if figure else "") for i, (ours, figure) in enumerate(zip(shown, theirs))
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
    return _table(["data set", "n", "p", "K", spec["first"], spec["second"], "improvement", "proved" if proves else "seconds"], rows)


def summary(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Mean accuracy over all data sets by depth (BD17 Table 6), with proofs, or the median size and time of a tuned fit, and time."""
    rows = []
    proves = any(record["status"] == "optimal" for record in records if record["method"] == spec["second"])
    for depth in spec["depths"]:
        pairs = _pairs(records, depth, spec)
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
        means = [np.mean(list(splits.values())) for splits in _by_data(records, method, depth).values()]
        if means:
            others.append(f"- {text}: {np.mean(means):.1f} on {len(means)} data sets")
    if ("Table 6", "any", "cart") in published and others:
        others[0] += f" (the paper: {published['Table 6', 'any', 'cart'][0]})"
    note = "In brackets: the paper's Table 6, and the mean of the paper's figures for the same data sets, which differs.\n\n"
    return _table(head, rows) + "\n" + note + "\n".join(others) + "\n"


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
        pairs = _pairs(records, depth, spec)
        if not pairs:
            continue
        by_split = [gain for _, _, gains in pairs.values() for gain in gains]
        by_set = [np.mean(gains) for _, _, gains in pairs.values()]
        theirs = published.get((spec["published"], str(depth), "p"))
        p = [float(ttest_1samp(gains, 0).pvalue) if len(gains) > 1 and np.std(gains) > 0 else float("nan") for gains in (by_split, by_set)]
        cells = _cells_of_wins(_row_of_wins(pairs.values()), str(depth), spec["published"], published)
        rows.append([str(depth), *cells, f"{p[0]:.2g}" + (f" ({theirs[0]:.2g})" if theirs else ""), f"{p[1]:.2g}"])
    head = ["max. depth", f"{spec['first']} wins", f"{spec['second']} wins", "ties", "improvement", "p (over splits)", "p (over data sets)"]
    return _table(head, rows) + "\nPaired t-tests, two-sided. The paper does not say over which samples its test runs.\n"


_BANDS = [(0, 60), (60, 70), (70, 80), (80, 90), (90, 100.01)]


def bands(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Wins by the accuracy of CART (BD17 Tables 9 and 13)."""
    rows = []
    for depth in spec["depths"]:
        pairs = _pairs(records, depth, spec)
        for low, high in _BANDS if pairs else []:
            inside = [pair for pair in pairs.values() if low <= pair[0] < high]
            name = f"{low}-{high:.0f}"
            rows.append([str(depth), name, *_cells_of_wins(_row_of_wins(inside), f"{depth} {name}", spec["published"], published)])
    return _table(["max. depth", "CART accuracy", f"{spec['first']} wins", f"{spec['second']} wins", "ties", "improvement"], rows)


def region(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Wins inside and outside the region where optimal trees are expected to win: CART accuracy >= 80 and n / p >= 10 for axis splits (BD17
    Table 10), CART accuracy <= 70 or p <= 10 for hyperplanes (Table 14)."""
    rows = []
    for depth in spec["depths"]:
        pairs = _pairs(records, depth, spec)

        def is_inside(name: str, pairs: Any = pairs) -> bool:
            entry = data.catalogue()[name]
            if spec["second"] == "oct":
                return pairs[name][0] >= 80 and int(entry["n"]) / int(entry["p"]) >= 10
            return pairs[name][0] <= 70 or int(entry["p"]) <= 10

        for place in ("inside", "outside") if pairs else ():
            chosen = [pairs[name] for name in pairs if is_inside(name) == (place == "inside")]
            rows.append([str(depth), place, *_cells_of_wins(_row_of_wins(chosen), f"{depth} {place}", spec["published"], published)])
    return _table(["max. depth", "region", f"{spec['first']} wins", f"{spec['second']} wins", "ties", "improvement"], rows)


def regime(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Mean accuracy of `methods`, each as [method, depth or 0 for none], on all data sets, and on those of few classes and features (BD17
    sec. 6.4)."""
    entries = data.catalogue()
    found = {(method, depth): _by_data(records, method, depth or None) for method, depth in spec["methods"]}
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
    return _table(["method", "max. depth", f"{len(common)} data sets", here], rows)


def settings(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """One line for each setting that was trained and counted on the same rows (V23 Tables 1 to 3). `cart`: with CART's accuracy for the
    same depth and leaf size, which knows no alpha."""
    rows, proved, total = [], 0, 0.0
    chosen = [r for r in records if r["method"] == "oct" and all(key in r for key in spec["by"])]
    for record in chosen:
        key = " ".join(f"{record[name]:g}" for name in spec["by"])
        accuracy, seconds = (published.get((spec["published"], key, measure)) for measure in ("accuracy", "seconds"))
        proved, total = proved + (record["status"] == "optimal"), total + record["train_seconds"]
        greedy = [r for r in records if r["method"] == "cart" and all(r[k] == record[k] for k in ("max_depth", "min_samples_leaf"))]
        theirs = published.get((spec["published"], key, "cart_accuracy"))
        rows.append(
            [
                *(f"{record[name]:g}" for name in spec["by"]),
                f"{record['in_sample'] / 100:.3f} ({f'{accuracy[0]:.3f}' if accuracy else 'not solved'})",
                f"{record['splits']}",
                record["status"],
                f"{record['train_seconds']:.4f} ({seconds[0]:.2f})" if seconds else f"{record['train_seconds']:.4f}",
                *([f"{greedy[0]['in_sample'] / 100:.3f} ({theirs[0]:.3f})"] if "cart" in spec and greedy and theirs else []),
            ]
        )
    head = [*(name.replace("_", " ") for name in spec["by"]), "in-sample accuracy", "splits", "status", "seconds"]
    head += ["cart: in-sample accuracy"] if "cart" in spec else []
    return _table(head, rows) + f"\n{proved} of {len(chosen)} settings proved, {total:.2f} s together.\n"


def methods(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """One line for each value of `by`, the mean of each measure for each method, and their mean over the lines. `beside` maps a method to
    the name that the published figures have for it; `only` lists the values of `by` that the table is about; `mean = false` leaves out
    the last line."""
    chosen = [
        record
        for record in records
        if _fits(record, spec.get("where", {})) and record[spec["by"]] in spec.get("only", [record[spec["by"]]])
    ]
    values = list(dict.fromkeys(record[spec["by"]] for record in chosen))
    if not values:
        return ""  # jobs that have not been run
    names = [(method, measure) for method in spec["methods"] for measure in spec["measures"]]
    rows, columns, published_columns = [], {name: [] for name in names}, {name: [] for name in names}
    for value in values:
        row = [str(value)]
        for method, measure in names:
            found = [r[measure] for r in chosen if r[spec["by"]] == value and r["method"] == method and measure in r]
            if found:
                columns[method, measure].append(float(np.mean(found)))
            theirs = published.get(
                (
                    spec.get("published"),
                    data.catalogue().get(value, {}).get("title", value),
                    f"{spec.get('beside', {}).get(method)} {measure}",
                )
            )
            if theirs:
                published_columns[method, measure].append(theirs[0])
            row.append((f"{np.mean(found):.2f}" if found else "-") + (f" ({theirs[0]:g})" if theirs else ""))
        rows.append(row)

    def mean(name: tuple[str, str]) -> str:
        if not values or len(columns[name]) < len(values):
            return "-"
        theirs = published_columns[name]
        return f"**{np.mean(columns[name]):.2f}**" + (f" ({np.mean(theirs):.2f})" if len(theirs) == len(values) else "")

    if spec.get("mean", True):
        rows.append(["**mean**", *map(mean, names)])
    return _table([spec["by"], *(f"{method}: {_SHORT.get(measure, measure)}" for method, measure in names)], rows)


def _used_of(records: list[Record], method: str, name: str) -> list[list[int] | None] | None:
    """The features of root, left and right child of the tree of a method for a data set; None where they were not stored."""
    return next((record["used"] for record in records if (record["method"], record["data"]) == (method, name) and "used" in record), None)


def features_of_splits(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """How many features the root, its left and its right child use (DGMP23 Tables 9 and 10); with `numbers` which, from 0 (Fig. 8)."""
    chosen = [record for record in records if _fits(record, spec["where"])]
    rows = []

    def cell(features: list[int] | None) -> str:
        return " ".join(map(str, sorted(features or ()))) or "-" if spec.get("numbers") else str(len(features or ()))

    for name in spec.get("only", list(dict.fromkeys(record["data"] for record in chosen))):
        found = [_used_of(chosen, method, name) for method in spec["methods"]]
        rows.append([name, *(", ".join(map(cell, used)) if used else "not stored" for used in found)])
    return _table(["data", *spec["methods"]], rows) if rows else ""


def beside(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """The first of `methods` beside each other one, over the data sets that all of them have: mean accuracy, mean rank, the difference with
    its standard error over data sets, wins, the p-value of Wilcoxon's signed-rank test, the set on which it loses most, and CPU seconds.
    With `by`, `methods` are values of that key instead."""
    from scipy.stats import wilcoxon

    names, table = _means_of_sets(spec, records, "test")
    if not names:
        return ""
    ranks = _mean_ranks(table)
    seconds = _means_of_sets(spec, records, "job_cpu_seconds")[1].mean(axis=0)
    rows = []
    for i, method in enumerate(spec["methods"]):
        gains = table[:, 0] - table[:, i]
        row = [str(method), f"{table[:, i].mean():.2f}", f"{ranks[i]:.2f}"]
        shown = [""] * 4
        if i:
            wins = f"{(gains > 0.05).sum()}-{(gains < -0.05).sum()}"
            chance = f"{wilcoxon(np.round(gains, 6)).pvalue:.1g}" if gains.any() else "1"
            shown = [_text(_mean(list(gains)), 2), wins, chance, f"{names[int(gains.argmin())]} ({gains.min():+.1f})"]
        rows.append([*row, *shown, f"{seconds[i]:.1f}"])
    first = spec["methods"][0]
    head = [
        spec.get("by", "method").replace("_", " "),
        "accuracy",
        "mean rank",
        f"{first}'s lead",
        f"{first} wins-losses",
        "p",
        f"{first}'s worst set",
        "CPU seconds",
    ]
    return _table(head, rows) + f"\n{len(names)} data sets.\n"


def furthest_behind(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """The `count` data sets on which the first of the two `methods` is furthest behind the second, with the standard error of the
    difference over splits."""
    found: dict[str, dict[str, dict[int, Record]]] = defaultdict(lambda: defaultdict(dict))
    for record in records:
        found[record["data"]][record["method"]][record["split"]] = record
    first, second = spec["methods"]
    rows = []
    for name, of_method in found.items():
        splits = sorted(of_method[first].keys() & of_method[second].keys())
        pairs = [[of_method[method][split]["test"] for method in spec["methods"]] for split in splits]
        gains = [ours - theirs for ours, theirs in pairs]
        leaves = sum(of_method[first][split]["splits"] == 0 for split in splits)
        figures = [*np.mean(pairs, axis=0), *_mean(gains)]
        cells = [name, data.catalogue()[name]["n"], *(f"{figure:.2f}" for figure in figures)]
        rows.append((float(np.mean(gains)), [*cells, f"{leaves} of {len(splits)}"]))
    head = ["data", "rows", *spec["methods"], "difference", "standard error", f"{first}: single leaves"]
    return _table(head, [row for _, row in sorted(rows)[: spec["count"]]])


def _means_of_sets(spec: dict[str, Any], records: list[Record], measure: str) -> tuple[list[str], np.ndarray]:
    """The data sets of `only` (names, or a group) that all `methods` have, and the mean of the measure over their splits, or over those of
    the list `splits`. Shape (sets, methods)."""
    only = spec.get("only")
    wanted = data.names(only[1:]) if isinstance(only, str) else only
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for record in records:
        if record["split"] in spec.get("splits", [record["split"]]):
            found[record["data"]][record[spec.get("by", "method")]].append(record[measure])
    of_set = {
        name: [float(np.mean(of_method[method])) for method in spec["methods"]]
        for name, of_method in found.items()
        if all(method in of_method for method in spec["methods"]) and (wanted is None or name in wanted)
    }
    return list(of_set), np.array(list(of_set.values()))


def _mean_ranks(table: np.ndarray) -> np.ndarray:
    """1 = the highest in its row. Shape (methods)."""
    from scipy.stats import rankdata

    return np.mean([rankdata(-np.round(row, 6)) for row in table], axis=0)


def across(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """One line for each value of `by`, one column for each data set: the mean of one measure (AHL24 Tables 3 and 4)."""
    chosen = [r for r in records if _fits(r, spec.get("where", {})) and spec["by"] in r and spec["measure"] in r]
    names = list(dict.fromkeys(record["data"] for record in chosen))
    rows = []
    for value in dict.fromkeys(record[spec["by"]] for record in chosen):
        row = [str(value)]
        for name in names:
            found = [record[spec["measure"]] for record in chosen if record[spec["by"]] == value and record["data"] == name]
            theirs = published.get((spec.get("published"), f"{value} {data.catalogue()[name]['title']}", spec["measure"]))
            row.append((f"{np.mean(found):.{spec['digits']}f}" if found else "-") + (f" ({theirs[0]:g})" if theirs else ""))
        rows.append(row)
    return _table([spec["by"], *names], rows)


def true_gaps(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """How far the trees of AHL24 Table 4 are from the optimum, over the instances (partition, depth, gamma) whose optimum some method
    proved, and from the best tree of any method over the others."""

    def instance(record: Record) -> tuple[Any, ...]:
        return record["data"], record["part"], record["max_depth"], record["budget"]

    def objective(record: Record) -> float:
        return record["errors"] + record["splits"] / (record["budget"] + 1)

    chosen = [record for record in records if "budget" in record and record["protocol"] == "published-training"]
    known = {instance(record) for record in chosen if record["status"] == "optimal"}
    best: dict[tuple[Any, ...], float] = defaultdict(lambda: math.inf)
    for record in chosen:
        best[instance(record)] = min(best[instance(record)], objective(record))

    def mean_and_most(found: list[Record]) -> list[str]:
        over = [100 * (objective(record) - best[instance(record)]) / max(objective(record), 1e-10) for record in found]
        return [f"{np.mean(over):.2f} %", f"{max(over):.2f} %"] if over else ["-", "-"]

    rows = []
    for name in dict.fromkeys(record["data"] for record in chosen):
        for method in dict.fromkeys(record["method"] for record in chosen):
            found = [record for record in chosen if (record["data"], record["method"]) == (name, method)]
            if not found:
                continue
            proved = [record for record in found if instance(record) in known]
            open_ones = [record for record in found if instance(record) not in known]
            reached = sum(objective(record) <= best[instance(record)] + 1e-6 for record in proved)
            counts = [f"{sum(record['status'] == 'optimal' for record in found)} of {len(found)}", f"{reached} of {len(proved)}"]
            seconds = [record["train_seconds"] for record in found]
            times = [f"{np.mean(seconds):.2f}", f"{max(seconds):.2f}"]
            rows.append([name, method, *counts, *mean_and_most(proved), *mean_and_most(open_ones), *times])
    head = [
        "data set",
        "method",
        "proved by itself",
        "optimal",
        "mean gap",
        "largest gap",
        "mean over the best, where none is proved",
        "largest",
    ]
    return _table([*head, "mean seconds", "most seconds"], rows)


_SHORT = {
    "log_loss": "log loss",
    "brier": "Brier score",
    "in_sample": "in-sample accuracy",
    "gap_percent": "gap",
    "balanced_in_sample": "balanced",
    "first_class": "first class",
    "second_class": "second class",
    "distinct": "features",
    "features": "of all splits",
    "test": "accuracy",
    "terms": "features used",
    "cluster_share": "rho",
    "share": "rows or clusters in % of the rows",
    "job_seconds": "seconds",
    "job_cpu_seconds": "CPU seconds",
    "train_seconds": "seconds",
    "log_cost_0": "log C0",
    "log_cost_1": "log C1",
    "tuned_proved": "proved",
    "tune_seconds": "seconds of the choice",
}

KINDS = {
    f.__name__: f
    for f in (
        cells,
        by_leaves,
        by_data,
        summary,
        wins,
        bands,
        region,
        regime,
        settings,
        methods,
        beside,
        furthest_behind,
        across,
        true_gaps,
        features_of_splits,
    )
}


# --- pages ------------------------------------------------------------------------------------------------------------------------


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "treewright"
    import matplotlib.pyplot

    return matplotlib.pyplot


def _scatter(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """Who wins, by the accuracy of the first method and n / p (BD17 Fig. 4) or p (Fig. 5), and the border of the paper's region."""
    plt = _pyplot()
    pairs = _pairs(records, spec["depth"], spec)
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
    figure.savefig(path, metadata={"Date": None, "Creator": "treewright"})
    plt.close(figure)


def _accuracy_over_depth(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """Mean accuracy on new rows over mean depth: a color for each data set, a mark for each method (AHL24 Fig. 9)."""
    plt = _pyplot()
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
    figure.savefig(path, metadata={"Date": None, "Creator": "treewright"}, bbox_inches="tight")
    plt.close(figure)


def _features(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """A panel for each data set and method, a line of cells for each split: dark where it uses the feature (DGMP23 Fig. 6)."""
    plt = _pyplot()
    chosen = [record for record in records if _fits(record, spec["where"])]
    names = list(dict.fromkeys(record["data"] for record in chosen if "used" in record))
    figure, panes = plt.subplots(len(names), len(spec["methods"]), figsize=(11, 0.55 * len(names)), squeeze=False)
    for name, line in zip(names, panes):
        columns = next(record["columns"] for record in records if record["data"] == name and "columns" in record)
        for method, axes in zip(spec["methods"], line):
            axes.set(xticks=[], yticks=[])
            if name == names[0]:
                axes.set_title(method, fontsize=9)
            if axes is line[0]:
                axes.set_ylabel(name, rotation=0, ha="right", va="center", fontsize=8)
            used = _used_of(chosen, method, name)
            if used is None:
                axes.text(0.5, 0.5, "not stored", ha="center", va="center", fontsize=7, transform=axes.transAxes)
                continue
            cells = np.zeros((3, columns))
            for split, features in enumerate(used):
                cells[split, features or []] = 1
            axes.pcolormesh(cells[::-1], cmap="Blues", vmin=0, vmax=1.2, edgecolors="#cccccc", linewidth=0.3)
    figure.savefig(path, metadata={"Date": None, "Creator": "treewright"}, bbox_inches="tight")
    plt.close(figure)


def _boxes(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """Boxes over the data sets for each method and depth, a pane for each measure (DGMP23 Fig. 9)."""
    plt = _pyplot()
    figure, panes = plt.subplots(1, len(spec["measures"]), figsize=(9, 3.6))
    for measure, axes in zip(spec["measures"], panes):
        found = {
            f"{method}\ndepth {depth}": [
                record[measure]
                for record in records
                if measure in record
                and (record["method"], record.get("max_depth"), record["protocol"]) == (method, depth, "published")
                and record.get("study", "") in spec["studies"]
            ]
            for method in spec["methods"]
            for depth in spec["depths"]
        }
        shown = {label: values for label, values in found.items() if values}
        axes.boxplot(list(shown.values()), tick_labels=list(shown))
        axes.tick_params(axis="x", labelsize=7)
        axes.set_title({"test": "accuracy on the test rows (%)", "gap_percent": "gap (%)"}[measure], fontsize=9)
    figure.savefig(path, metadata={"Date": None, "Creator": "treewright"}, bbox_inches="tight")
    plt.close(figure)


def _critical_difference(spec: dict[str, Any], records: list[Record], path: Path) -> None:
    """Mean ranks on a line; a bar joins methods that differ by less than the critical difference of Nemenyi's test at 5 % (Demsar 2006)."""
    from scipy.stats import studentized_range

    names, table = _means_of_sets(spec, records, "test")
    ranks, many = _mean_ranks(table), len(spec["methods"])
    width = studentized_range.ppf(0.95, many, np.inf) * np.sqrt(many * (many + 1) / 12 / len(names))
    order = np.argsort(ranks)
    plt = _pyplot()
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
    figure.savefig(path, metadata={"Date": None, "Creator": "treewright"}, bbox_inches="tight")
    plt.close(figure)


PICTURES = {"ranks": _critical_difference, "wins": _scatter, "depth": _accuracy_over_depth, "features": _features, "boxes": _boxes}


def _sections(study: Path, jobs: Path, out: Path) -> list[str]:
    """What a study adds to its page: text, tables, pictures, and what its jobs took. Nothing where none of its jobs is stored."""
    description = tomllib.loads(study.read_text())
    stores = [Store(jobs / f"{name}.jsonl") for name in [study.stem, *description.get("also", [])]]
    lines = list(stores[0].lines())
    if not lines:
        return []
    records = records_of([*lines, *(line for store in stores[1:] for line in store.lines())])
    published = _published(description.get("paper", ""))
    parts = [description.get("text", "").strip() + "\n"]
    if "paper" in description:
        parts.append("Figures in brackets are the paper's.\n")
    for spec in description["tables"]:
        if table := KINDS[spec["kind"]](spec, records, published):
            parts += [f"## {spec['title']}\n", table]
    for spec in description.get("plots", []):
        picture = f"{study.stem}_{spec['name']}.svg"
        PICTURES[spec.get("kind", "wins")](spec, records, out / picture)
        parts.append(f"![{spec['title']}]({picture})\n")
    if "closing" in description:
        parts.append(description["closing"].strip() + "\n")
    cpu, wall = (sum(line[key] for line in lines) for key in ("cpu_seconds", "seconds"))
    return [*parts, f"{len(lines)} jobs, {cpu:.0f} s of CPU time and {wall:.0f} s of wall time in all, one thread each.\n"]


def write(study: Path, jobs: Path, out: Path) -> None:
    """The page of a study in OUT, and its pictures. `also` names studies whose lines the tables may use as well; a study whose `page` is
    that of another stands below it, with a heading of its own."""
    page = study.with_name(f"{tomllib.loads(study.read_text()).get('page', study.stem)}.toml")
    parts = [f"# {tomllib.loads(page.read_text())['title']}\n", *_sections(page, jobs, out)]
    for other in sorted(page.parent.glob("*.toml")):
        description = tomllib.loads(other.read_text())
        if description.get("page") == page.stem and (sections := _sections(other, jobs, out)):
            parts += [f"## {description['title']}\n", *sections]
    if len(parts) > 1:
        (out / f"{page.stem}.md").write_text("\n".join(parts))
