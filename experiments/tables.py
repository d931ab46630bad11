"""Kinds of tables: settings, methods beside one another, and those of single papers."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import Any

import numpy as np
from records import Record, fits, markdown, mean_and_error, mean_ranks, means_of_sets, used_of, with_error

import data


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
    return markdown(head, rows) + f"\n{proved} of {len(chosen)} settings proved, {total:.2f} s together.\n"


def solvers(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """One line for each setting, with what each solver needs for it with and without a start (V23 Table 2), in CPU seconds, those of a
    solver that is a process of its own included."""
    ways = [
        (f"{title}{words}", {"method": method, "disable": disable, "mip_start": start}, theirs if title == "HiGHS" else "")
        for title, method, disable in (
            ("HiGHS", "oct by HiGHS", "split_bounds"),
            ("SCIP", "oct by SCIP", "split_bounds"),
            ("HiGHS with `split_bounds`", "oct by HiGHS", ""),
            ("HiGHS, the model as printed", "oct by HiGHS", "all"),
            ("alone", "oct-h by HiGHS", "some_rows"),
            ("rounds of rows", "oct-h by HiGHS", ""),
        )
        for start, words, theirs in (("none", "", "seconds"), ("cart", " from a start", "seconds_warm"), ("auto", " from a start", ""))
    ]
    chosen = [record for record in records if all(key in record for key in spec["by"]) and fits(record, spec.get("where", {}))]
    ways = [way for way in ways if any(fits(record, way[1]) for record in chosen)]
    rows = []
    for setting in dict.fromkeys(tuple(record[key] for key in spec["by"]) for record in chosen):
        row = [f"{value:g}" for value in setting]
        for _, way, measure in ways:
            found = [r for r in chosen if tuple(r[key] for key in spec["by"]) == setting and fits(r, way)]
            theirs = published.get((spec["published"], " ".join(row[: len(setting)]), measure))
            beside = f" ({theirs[0]:.1f})" if theirs else ""
            row.append((_proved_after(found[0]) if found else "-") + beside)
        rows.append(row)
    return markdown([*(name.replace("_", " ") for name in spec["by"]), *(title for title, _, _ in ways)], rows) if rows else ""


def _proved_after(record: Record) -> str:
    seconds = f"{record['job_cpu_seconds']:.1f}"
    return seconds if record["status"] == "optimal" else f"{record['bound']:.3g} of {record['objective']:.3g} after {seconds}"


# The papers measure wall time where a table has CPU seconds.
_PUBLISHED = {"job_cpu_seconds": "job_seconds"}


def methods(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """One line for each value of `by`, the mean of each measure for each method, and their mean over the lines. `beside` maps a method to
    the name that the published figures have for it; `only` lists the values of `by` that the table is about; `mean = false` leaves out
    the last line, `without` adds the mean over the other lines than those it lists."""
    chosen = [
        record for record in records if fits(record, spec.get("where", {})) and record[spec["by"]] in spec.get("only", [record[spec["by"]]])
    ]
    values = list(dict.fromkeys(record[spec["by"]] for record in chosen))
    if not values:
        return ""  # jobs that have not been run
    names = [(method, measure) for method in spec["methods"] for measure in spec["measures"]]
    rows: list[list[str]] = []
    columns, published_columns = ({name: {} for name in names} for _ in range(2))
    for value in values:
        row = [str(value)]
        for method, measure in names:
            found = [r[measure] for r in chosen if r[spec["by"]] == value and r["method"] == method and measure in r]
            if found:
                columns[method, measure][value] = float(np.mean(found))
            theirs = published.get(
                (
                    spec.get("published"),
                    data.catalogue().get(value, {}).get("title", value),
                    f"{spec.get('beside', {}).get(method)} {_PUBLISHED.get(measure, measure)}",
                )
            )
            if theirs:
                published_columns[method, measure][value] = theirs[0]
            row.append((f"{np.mean(found):.2f}" if found else "-") + (f" ({theirs[0]:g})" if theirs else ""))
        rows.append(row)

    def mean(name: tuple[str, str], among: list[Any]) -> str:
        if not all(value in columns[name] for value in among):
            return "-"
        theirs = published_columns[name]
        beside = f" ({np.mean([theirs[value] for value in among]):.2f})" if all(value in theirs for value in among) else ""
        return f"**{np.mean([columns[name][value] for value in among]):.2f}**{beside}"

    means = {"**mean**": values} if spec.get("mean", True) else {}
    if rest := _others(values, spec):
        means |= {_mean_of_others(spec): rest}
    rows += [[title, *(mean(name, among) for name in names)] for title, among in means.items()]
    return markdown([spec["by"], *(f"{method}: {_SHORT.get(measure, measure)}" for method, measure in names)], rows)


def _others(names: list[Any], spec: dict[str, Any]) -> list[Any]:
    """The names that a table has a second mean of; none unless it has those that this mean is without."""
    without = spec.get("without", [])
    return [name for name in names if name not in without] if set(without) & set(names) else []


def _mean_of_others(spec: dict[str, Any]) -> str:
    return f"**mean without {' and '.join(spec['without'])}**"


def relative_gaps(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Accuracy on new rows, and by how many percent it is below the best of its line, in the mean over each of `groups` of sets and over
    all (AHL24 Table 7). `columns`: a column's records fit one of `where`; `beside` is the name that the published figures have. A column
    without records is the paper's alone: the figures of the groups are compared with it too, those of all sets are not, as in the paper."""
    columns, own = spec["columns"], [at for at, column in enumerate(spec["columns"]) if "where" in column]
    accuracies = {}
    for name in (name for group in spec["groups"] for name in group):
        title = data.catalogue()[name]["title"]
        theirs = [published.get((spec["published"], title, f"{column['beside']} test"), [math.nan])[0] for column in columns]
        ours = list(theirs)
        for at in own:
            found = [r["test"] for r in records if r["data"] == name and any(fits(r, where) for where in columns[at]["where"])]
            ours[at] = float(np.mean(found)) if found else math.nan
        accuracies[name] = np.array([ours, theirs])

    def gaps(names: list[str], among: list[int]) -> Any:
        best = {name: np.nanmax(accuracies[name][:, among], axis=1, keepdims=True) for name in names}
        of_names = [100 * (best[name] - accuracies[name]) / best[name] for name in names]
        # A set that one column lacks is left out of its mean.
        return [[np.nanmean(column) if np.isfinite(column).any() else math.nan for column in side] for side in np.stack(of_names, axis=-1)]

    def row(title: str, ours: Any, theirs: Any) -> list[str]:
        mine = [f"{value:.1f}" if at in own and math.isfinite(value) else "-" for at, value in enumerate(ours)]
        return [title, *(cell + ("" if math.isnan(value) else f" ({value:.1f})") for cell, value in zip(mine, theirs))]

    rows = []
    for names in spec["groups"]:
        rows += [row(name, *accuracies[name]) for name in names]
        rows.append(row(f"**mean gap of these {len(names)}**", *gaps(names, list(range(len(columns))))))
    total = [[value if at in own else math.nan for at, value in enumerate(side)] for side in gaps(list(accuracies), own)]
    rows.append(row(f"**mean gap of all {len(accuracies)}**", *total))
    return markdown(["data", *(column.get("title", column["beside"]) for column in columns)], rows)


def features_of_splits(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """How many features the root, its left and its right child use (DGMP23 Tables 9 and 10); with `numbers` which, from 0 (Fig. 8)."""
    chosen = [record for record in records if fits(record, spec["where"])]
    rows = []

    def cell(features: list[int] | None) -> str:
        return " ".join(map(str, sorted(features or ()))) or "-" if spec.get("numbers") else str(len(features or ()))

    for name in spec.get("only", list(dict.fromkeys(record["data"] for record in chosen))):
        found = [used_of(chosen, method, name) for method in spec["methods"]]
        rows.append([name, *(", ".join(map(cell, used)) if used else "not stored" for used in found)])
    return markdown(["data", *spec["methods"]], rows) if rows else ""


def objectives(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """Errors / L^ + alpha * features of BD17 (28) beside the value of the paper's trees: their errors from the printed accuracy on the
    training rows (`accuracy`: the table of each method), so to a row, and their printed number of features (DGMP23)."""
    found = {(record["data"], record["method"]): record for record in records if _has_objective(record, spec)}
    rows, at_most, beside = [], 0, 0
    for name in dict.fromkeys(place for place, _ in found):
        cells = [name]
        for method, accuracy in zip(spec["methods"], spec["accuracy"]):
            ours = found[name, method]
            title = data.catalogue()[name]["title"]
            right = published[accuracy, title, f"{method} in_sample"][0]
            errors, features = round((1 - right / 100) * ours["rows"]), published[spec["features"], title, f"{method} features"][0]
            theirs = errors / ours["baseline_errors"] + ours["ccp_alpha"] * features
            at_most, beside = at_most + (ours["objective"] <= theirs + 1e-9), beside + 1
            cells += [f"{ours['errors']:g} ({errors})", f"{ours['features']} ({features:g})", f"{ours['objective']:.4f} ({theirs:.4f})"]
        rows.append(cells)
    head = ["data", *(f"{method}: {what}" for method in spec["methods"] for what in ("errors", "features", "objective"))]
    return markdown(head, rows) + f"\nAt most the paper's objective: {at_most} of {beside} trees.\n" if rows else ""


def _has_objective(record: Record, spec: dict[str, Any]) -> bool:
    return fits(record, spec["where"]) and record["method"] in spec["methods"] and "baseline_errors" in record


def beside(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """The first of `methods` beside each other one, over the data sets that all of them have: mean accuracy, mean rank, the difference with
    its standard error over data sets, wins, the p-value of Wilcoxon's signed-rank test, the set on which it loses most, and CPU seconds.
    With `by`, `methods` are values of that key instead."""
    from scipy.stats import wilcoxon

    names, table = means_of_sets(spec, records, "test")
    if not names:
        return ""
    ranks = mean_ranks(table)
    seconds = means_of_sets(spec, records, "job_cpu_seconds")[1].mean(axis=0)
    rows = []
    for i, method in enumerate(spec["methods"]):
        gains = table[:, 0] - table[:, i]
        row = [str(method), f"{table[:, i].mean():.2f}", f"{ranks[i]:.2f}"]
        shown = [""] * 4
        if i:
            wins = f"{(gains > 0.05).sum()}-{(gains < -0.05).sum()}"
            chance = f"{wilcoxon(np.round(gains, 6)).pvalue:.1g}" if gains.any() else "1"
            shown = [with_error(mean_and_error(list(gains)), 2), wins, chance, f"{names[int(gains.argmin())]} ({gains.min():+.1f})"]
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
    return markdown(head, rows) + f"\n{len(names)} data sets.\n"


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
        figures = [*np.mean(pairs, axis=0), *mean_and_error(gains)]
        cells = [name, data.catalogue()[name]["n"], *(f"{figure:.2f}" for figure in figures)]
        rows.append((float(np.mean(gains)), [*cells, f"{leaves} of {len(splits)}"]))
    head = ["data", "rows", *spec["methods"], "difference", "standard error", f"{first}: single leaves"]
    return markdown(head, [row for _, row in sorted(rows)[: spec["count"]]])


def across(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """One line for each value of `by`, one column for each data set: the mean of one measure (AHL24 Tables 3 and 4)."""
    chosen = [r for r in records if fits(r, spec.get("where", {})) and spec["by"] in r and spec["measure"] in r]
    names = list(dict.fromkeys(record["data"] for record in chosen))
    rows = []
    for value in dict.fromkeys(record[spec["by"]] for record in chosen):
        row = [str(value)]
        for name in names:
            found = [record[spec["measure"]] for record in chosen if record[spec["by"]] == value and record["data"] == name]
            theirs = published.get((spec.get("published"), f"{value} {data.catalogue()[name]['title']}", spec["measure"]))
            row.append((f"{np.mean(found):.{spec['digits']}f}" if found else "-") + (f" ({theirs[0]:g})" if theirs else ""))
        rows.append(row)
    return markdown([spec["by"], *names], rows)


def choices(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """One line for each data set of jobs that tried every setting of a grid: accuracy on new rows with the best mean over the folds, with
    the fewest features within a standard error of it, and with the setting that is best on the new rows themselves, one for all splits or
    one for each. A last column says where the paper's figure is above all of these."""
    settings: dict[str, dict[int, dict[tuple[Any, ...], Record]]] = defaultdict(lambda: defaultdict(dict))
    for record in records:
        if fits(record, spec["where"]):
            settings[record["data"]][record["split"]][tuple(record[key] for key in spec["keys"])] = record
    names = [name for name in spec["only"] if name in settings]
    if not names:
        return ""

    def figures(name: str) -> list[float]:
        splits = [list(tried.values()) for tried in settings[name].values()]
        shared = set.intersection(*(set(tried) for tried in settings[name].values()))
        of_set = max(float(np.mean([tried[key]["test"] for tried in settings[name].values()])) for key in shared)
        of_split = float(np.mean([max(record["test"] for record in tried) for tried in splits]))
        chosen: list[list[Record]] = [[], []]
        for tried in splits:
            folds = [record for record in tried if "validation" in record]
            if folds:
                best = max(folds, key=lambda record: record["validation"])
                near = [record for record in folds if record["validation"] >= best["validation"] - best["validation_error"]]
                chosen[0].append(best)
                chosen[1].append(min(near, key=lambda record: (record["terms"], -record["validation"])))
        honest = [float(np.mean([record[key] for record in one])) if one else math.nan for key in ("test", "terms") for one in chosen]
        theirs = published[spec["published"], data.catalogue()[name]["title"], spec["beside"]][0]
        return [*honest[:2], of_set, of_split, theirs, *honest[2:]]

    table = np.array([figures(name) for name in names])
    shown = [["-" if math.isnan(figure) else f"{figure:.2f}" for figure in line] for line in table]
    rows = [[name, *cells, "yes" if line[4] > line[3] else ""] for name, cells, line in zip(names, shown, table)]
    several = np.flatnonzero(~np.isnan(table).any(axis=1))
    if len(several):
        means = {f"**mean of {len(several)}**": several}
        if rest := [at for at in several if names[at] in _others(names, spec)]:
            means |= {_mean_of_others(spec): np.array(rest)}
        rows += [[title, *(f"**{figure:.2f}**" for figure in table[among].mean(axis=0)), ""] for title, among in means.items()]
    if len(several) < len(names):
        rows.append([f"**mean of {len(names)}**", "-", "-", *(f"**{figure:.2f}**" for figure in table[:, 2:5].mean(axis=0)), "-", "-", ""])
    head = ["data", "by folds", "within a standard error", "best setting", "best setting of each split", "paper"]
    return markdown([*head, "by folds: features", "within a standard error: features", "paper above all"], rows)


def true_gaps(spec: dict[str, Any], records: list[Record], published: Any) -> str:
    """How far the trees of AHL24 Table 4 are from the optimum, over the instances (partition, depth, gamma) whose optimum some method
    proved, and from the best tree of any method over the others. Runs of a study have no lines of their own, but what they found counts."""

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

    rows, chosen = [], [record for record in chosen if "study" not in record]
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
    return markdown([*head, "mean seconds", "most seconds"], rows)


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
    "selected": "rows selected (%)",
    "once_in_sample": "selected once, in-sample accuracy",
    "anew_in_sample": "anew, in-sample accuracy",
    "fewer_errors": "anew is better (% of the splits)",
    "once_test": "selected once, accuracy",
    "anew_test": "anew, accuracy",
    "better_test": "the better of both, accuracy",
    "cluster_share": "rho",
    "share": "rows or clusters in % of the rows",
    "job_seconds": "seconds",
    "job_cpu_seconds": "CPU seconds",
    "train_seconds": "seconds",
    "log_cost_0": "log C0",
    "log_cost_1": "log C1",
    "budget_0": "B0",
    "budget_1": "B1",
    "tuned_proved": "proved",
    "tune_seconds": "seconds of the choice",
}
