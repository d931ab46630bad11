"""What tables and pictures share: records of job lines, the papers' figures, means, and a table in Markdown."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

import data

Record = dict[str, Any]


def published() -> Iterator[dict[str, str]]:
    """The figures of published.tsv. Each table begins with its paper, its name and its measures; a line has the name of a row, and for each
    measure a value and maybe its standard error. Tables are parted by an empty line."""
    for block in (Path(__file__).parent / "published.tsv").read_text().split("\n\n"):
        (paper, table, *measures), *rows = (line.split("\t") for line in block.splitlines())
        for row, *cells in rows:
            for measure, cell in zip(measures, cells):
                if cell:
                    value, _, error = cell.partition(" ")
                    yield {"paper": paper, "table": table, "row": row, "measure": measure, "value": value, "error": error}


def published_by(paper: str) -> dict[tuple[str, str, str], tuple[float, float]]:
    return {
        (row["table"], row["row"], row["measure"]): (float(row["value"]), float(row["error"] or "nan"))
        for row in published()
        if row["paper"] == paper
    }


def records_of(lines: Iterable[dict[str, Any]]) -> list[Record]:
    return [
        {**line["job"], **record, "job_seconds": line["seconds"], "job_cpu_seconds": line["cpu_seconds"]}
        for line in lines
        for record in line["records"]
    ]


def mean_and_error(values: list[float]) -> tuple[float, float]:
    error = float(np.std(values, ddof=1) / math.sqrt(len(values))) if len(values) > 1 else float("nan")
    return float(np.mean(values)), error


def with_error(value: tuple[float, float], digits: int) -> str:
    mean, error = value
    return f"{mean:.{digits}f}" + ("" if math.isnan(error) else f" ± {error:.{digits}f}")


def markdown(head: list[str], rows: list[list[str]]) -> str:
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows]) + "\n"


def fits(record: Record, where: dict[str, Any]) -> bool:
    """A value of "" stands for records without the key."""
    return all(record.get(key, "") == value for key, value in where.items())


def by_split(records: list[Record], method: str, depth: int | None) -> dict[str, dict[int, float]]:
    found: dict[str, dict[int, float]] = defaultdict(dict)
    for record in records:
        if record["method"] == method and record.get("max_depth") == depth:
            found[record["data"]][record["split"]] = record["test"]
    return found


def pairs_of(records: list[Record], depth: int, spec: dict[str, Any]) -> dict[str, tuple[float, float, list[float]]]:
    """For each data set that both methods have finished: the two mean accuracies, and the differences by split."""
    first, second = (by_split(records, spec[key], depth) for key in ("first", "second"))
    pairs = {}
    for name in data.catalogue():
        splits = sorted(first[name].keys() & second[name].keys())
        if splits and len(splits) == max(len(v) for v in first.values()):
            a, b = [first[name][s] for s in splits], [second[name][s] for s in splits]
            pairs[name] = (float(np.mean(a)), float(np.mean(b)), [y - x for x, y in zip(a, b)])
    return pairs


def used_of(records: list[Record], method: str, name: str) -> list[list[int] | None] | None:
    """The features of root, left and right child of the tree of a method for a data set; None where they were not stored."""
    return next((record["used"] for record in records if (record["method"], record["data"]) == (method, name) and "used" in record), None)


def means_of_sets(spec: dict[str, Any], records: list[Record], measure: str) -> tuple[list[str], np.ndarray]:
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


def mean_ranks(table: np.ndarray) -> np.ndarray:
    """1 = the highest in its row. Shape (methods)."""
    from scipy.stats import rankdata

    return np.mean([rankdata(-np.round(row, 6)) for row in table], axis=0)
