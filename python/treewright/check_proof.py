"""Verifies a proof file of ``treewright fit --proof`` by plain recounting. Needs Python and numpy, nothing of treewright.
It stays one file, which a stranger can copy, read from top to bottom and run alone.

    python check_proof.py DATA.csv FILE.proof [--weights COLUMN] [--missing TEXT ...] [--drop COLUMN ...]

It says what no tree can do, or where the proof fails, and exits with 0 or 1. The format and what follows from what: docs/proof-format.md.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

FIRST_LINE = b"treewright proof 3\n"
FIRST_LINE_OF_LEAVES = b"treewright proof 4\n"  # of trees whose leaves hold some rows
OLD_FIRST_LINES = (b"treewright proof 1\n", b"treewright proof 2\n")
MAX_SUBSET_LEVELS = 12  # categories of more levels are split one against the rest or by the share of a class
RARE = 1000  # of those, a level in which no label has one part in so many of what it gains in all rows is not split from the rest
MOST = 2**53 - 1
MOST_SPLITS = 1023  # of a limit on splits
USUAL_MISSING = ["?", "N/A", "N/a", "NA", "NULL", "NaN", "n/A", "n/a", "nan", "null"]
NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)", re.ASCII | re.IGNORECASE)
HEADER = ["made_by", "reader", "rows", "table", "unit", "grid", "depth", "max_splits", "price", "bound", "orderings", "bytes"]
HEADER_OF_LEAVES = [*HEADER[:8], "min_rows", *HEADER[8:]]
READER = [
    "target",
    "against_rest",
    "cost_matrix",
    "cost_columns",
    "weights",
    "class_weights",
    "missing",
    "categories",
    "written",
    "left_out",
]


class Refused(Exception):
    """The proof does not hold."""


def demand(holds: bool, problem: str) -> None:
    if not holds:
        raise Refused(problem)


@dataclass
class Items:
    """Rows of equal values are one item; what every tree must lose among them is taken off.

    rank: shape (orderings, items); gain (of each label over the dearest one, in steps of the grid): shape (items, labels);
    reach (the largest gain of an item) and rows: shape (items). A leaf costs an item its reach less the gain of the leaf's label.
    """

    rank: np.ndarray
    gain: np.ndarray
    reach: np.ndarray
    rows: np.ndarray
    lost: int


@dataclass
class Cut:
    """Items of a rank below ``rank`` go left. ``left`` and ``right`` bound the trees on either side."""

    rank: int
    left: int = 0
    right: int = 0
    left_of_all: int = 0  # whatever the leaves of the trees hold
    right_of_all: int = 0
    reach: int = 0  # left of the cut


@dataclass
class Proof:
    """The header's values; ``number`` reads the body."""

    made_by: str
    reader: dict[str, Any]
    rows: int
    table: str
    unit: list[int]
    grid: int
    depth: int
    max_splits: int | None
    price: int
    bound: int
    orderings: list[dict]
    body: bytes
    min_rows: int = 1
    at: int = 0
    counts: dict[str, int] = field(default_factory=lambda: {"claims": 0, "stumps": 0})

    def number(self) -> int:
        value, shift = 0, 0
        while True:
            demand(self.at < len(self.body), "the body ends too early")
            byte = self.body[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            demand(value <= MOST and shift < 56, "a number of the body is too large")
            if byte < 128:
                demand(byte > 0 or shift == 0, "a number of the body has more bytes than it needs")
                return value
            shift += 7


def fnv1a(content: bytes) -> str:
    total = 14695981039346656037
    for byte in content:
        total = (total ^ byte) * 1099511628211 % 2**64
    return f"{total:016x}"


def whole(value: Any, least: int, most: int, what: str) -> int:
    demand(type(value) is int and least <= value <= most, f"{what} is {value!r}, no whole number from {least} to {most}")
    return value


def binary(pair: Any, what: str, least: int = 0) -> Fraction:
    """[a, e] as a * 2^e."""
    demand(isinstance(pair, list) and len(pair) == 2, f"{what} is no pair")
    a, e = whole(pair[0], least, MOST, what), whole(pair[1], -1074, 1023, what)
    demand(a % 2 == 1 or (a, e) == (0, 0), f"{what} is not written with an odd number")
    demand(abs(a) * Fraction(2) ** e <= Fraction(sys.float_info.max), f"{what} is infinite")
    return Fraction(a) * Fraction(2) ** e


def check_names(names: Any, ascending: bool, what: str) -> list[str]:
    demand(isinstance(names, list) and all(isinstance(name, str) for name in names), f"{what} is no list of texts")
    demand(len(set(names)) == len(names), f"{what} has an entry twice")
    if ascending:
        demand(names == sorted(names, key=str.encode), f"{what} is not in order")
    return names


def check_pairs(pairs: Any, ascending: bool, what: str) -> list[str]:
    """The first texts of a list of pairs."""
    demand(isinstance(pairs, list) and all(isinstance(pair, list) and len(pair) == 2 for pair in pairs), f"{what} is no list of pairs")
    return check_names([pair[0] for pair in pairs], ascending, what)


def check_labels(reader: dict[str, Any]) -> list[str]:
    """Labels are the classes of a target, or columns of costs. Returns the columns that are named."""
    target, matrix, columns = reader["target"], reader["cost_matrix"], reader["cost_columns"]
    for key in ("target", "against_rest", "weights"):
        demand(reader[key] is None or isinstance(reader[key], str), f"'{key}' is no text")
    demand((target is None) != (columns is None), "there must be a target or columns of costs, and not both")
    if columns is not None:
        demand(len(check_names(columns, False, "'cost_columns'")) >= 2, "'cost_columns' has less than two labels")
        none = all(reader[key] is None for key in ("against_rest", "cost_matrix", "class_weights"))
        demand(none, "there is no target, and something is said of its classes")
    if matrix is not None:
        square = isinstance(matrix, list) and matrix and all(isinstance(line, list) and len(line) == len(matrix) for line in matrix)
        demand(bool(square), "'cost_matrix' has not a line and a column for each class")
        for pair in itertools.chain(*matrix):
            binary(pair, "a cost", -MOST)
    return [*([] if target is None else [target]), *(columns or []), *([] if reader["weights"] is None else [reader["weights"]])]


def check_header(header: Any, keys: list[str]) -> None:
    demand(isinstance(header, dict) and list(header) == keys, f"the header's keys are not {', '.join(keys)}")
    if "min_rows" in header:
        whole(header["min_rows"], 2, MOST, "'min_rows'")
    for key, least, most in [
        ("rows", 0, MOST),
        ("grid", 0, 52),
        ("depth", 0, 60),
        ("price", 0, MOST),
        ("bound", 0, MOST),
        ("bytes", 0, MOST),
    ]:
        whole(header[key], least, most, f"'{key}'")
    if header["max_splits"] is not None:
        whole(header["max_splits"], 0, MOST_SPLITS, "'max_splits'")
    for key in ("made_by", "table"):
        demand(isinstance(header[key], str), f"'{key}' is no text")
    demand(binary(header["unit"], "'unit'") > 0, "'unit' is 0")
    reader = header["reader"]
    demand(isinstance(reader, dict) and list(reader) == READER, f"the reader's keys are not {', '.join(READER)}")
    named = check_labels(reader)
    if reader["class_weights"] is not None:
        check_pairs(reader["class_weights"], True, "'class_weights'")
        for _, pair in reader["class_weights"]:
            binary(pair, "a class weight")
    check_names(reader["missing"], True, "'missing'")
    demand("" not in reader["missing"], "'missing' lists the empty text")
    demand(
        all(isinstance(pair, list) and len(pair) == 2 and isinstance(pair[1], str) for pair in reader["written"])
        if isinstance(reader["written"], list)
        else False,
        "'written' is no list of pairs of texts",
    )
    named += check_names(reader["categories"], False, "'categories'") + check_pairs(reader["written"], False, "'written'")
    named += check_names(reader["left_out"], False, "'left_out'")
    demand(len(set(named)) == len(named), "a column has two places among the reader's options")
    demand(isinstance(header["orderings"], list), "'orderings' is no list")
    for ordering in header["orderings"]:
        demand(isinstance(ordering, dict) and list(ordering)[:2] == ["column", "name"], "an ordering has other keys")
        demand(list(ordering)[2:] in ([], ["missing"], ["levels"], ["level"]), "an ordering has other keys")
        whole(ordering["column"], 0, MOST, "the column of an ordering")


def read_proof(path: Path) -> Proof:
    content = path.read_bytes()
    demand(not content.startswith(OLD_FIRST_LINES), "this is a proof of an old format: write it anew")
    of_leaves = content.startswith(FIRST_LINE_OF_LEAVES)
    demand(of_leaves or content.startswith(FIRST_LINE), "this is no proof")
    start = content.find(b"\n", len(FIRST_LINE)) + 1
    demand(start > 0 and len(content) >= start + 16, "the file was cut off")
    demand(content[-16:] == fnv1a(content[:-16]).encode(), "the file is damaged: its checksum does not match")
    try:
        text = content[len(FIRST_LINE) : start - 1].decode()
        header = json.loads(text)
        canonical = json.dumps(header, ensure_ascii=False, separators=(",", ":")) == text
    except (ValueError, RecursionError) as problem:
        raise Refused("the header is no JSON") from problem
    demand(canonical, "the header is not written in the one way that the format has")
    check_header(header, HEADER_OF_LEAVES if of_leaves else HEADER)
    body = content[start:-16]
    demand(len(body) == header.pop("bytes"), "the body has another size than 'bytes' says")
    return Proof(**header, body=body)


@dataclass
class Column:
    """A feature: the places of its values among the distinct ones, -1 = missing; the levels of a category."""

    name: str
    codes: np.ndarray
    distinct: list
    category: bool

    def present(self) -> list:
        return ([None] if (self.codes < 0).any() else []) + self.distinct


@dataclass
class Table:
    """``costs``: the whole costs of each label, by row; ``least``: what the rows cost if each had its cheapest label; ``tell_shares``:
    whether the unit is fine enough for shares of gains."""

    columns: list[Column]
    labels: list[str]
    costs: list[list[int]]
    least: Fraction
    rounding: Fraction
    tell_shares: bool
    left_out_rows: int

    def fingerprint(self) -> str:
        lines = []
        for row, costs in enumerate(self.costs):
            codes = [str(column.codes[row]) if column.codes[row] >= 0 else "-" for column in self.columns]
            lines.append(" ".join([*codes, *map(str, costs)]) + "\n")
        return fnv1a("".join(lines).encode())


def read_cells(path: Path) -> dict[str, list[str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        lines = [[cell.strip(" \t") for cell in row] for row in csv.reader(file, skipinitialspace=True)]
    lines = [row for row in lines if row and row != [""]]
    demand(len(lines) > 0, "the data have no lines")
    names, *rows = lines
    demand(all(len(row) == len(names) for row in rows), "a line of the data has more or fewer cells than the first")
    names = [name or f"x{i}" for i, name in enumerate(names)]
    demand(len(set(names)) == len(names), "two columns of the data have one name")
    return {name: [row[i] for row in rows] for i, name in enumerate(names)}


def plain_number(cell: str) -> float:
    value = float(cell)
    demand(math.isnan(value) or abs(value) <= sys.float_info.max / 2, f"the data have an infinite value '{cell}'")
    return value


def written_number(cell: str, reading: str, name: str) -> float:
    """The value of a cell that is no plain number. The fingerprint tells whether it was read as the writer did."""
    cell = cell.rstrip("% ") if reading in ("comma", "point") else cell
    styles = {"date": ["%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%d %b %Y"], "day first": ["%d/%m/%Y"], "month first": ["%m/%d/%Y"]}
    if reading == "comma":
        cell = re.sub(r"[. ']", "", cell).replace(",", ".")
    elif reading == "point":
        cell = re.sub(r"[, ']", "", cell)
    for style in styles.get(reading, []):
        try:
            return float(datetime.strptime(cell, style).toordinal())
        except ValueError:
            continue
    demand(
        NUMBER.fullmatch(cell) is not None,
        f"column '{name}' holds '{cell}', which this checker does not read as {reading}: give it plain numbers",
    )
    return plain_number(cell)


def make_column(name: str, cells: list[str | None], reader: dict[str, Any]) -> Column:
    reading = dict(reader["written"]).get(name)
    looks = all(cell is None or NUMBER.fullmatch(cell) for cell in cells)
    demand(looks or name not in reader["categories"], f"column '{name}' need not be named as a category")
    if (not looks and reading is None) or name in reader["categories"]:
        levels = sorted({cell for cell in cells if cell is not None}, key=str.encode)
        place = {level: i for i, level in enumerate(levels)}
        return Column(name, np.array([-1 if cell is None else place[cell] for cell in cells]), levels, True)
    read = plain_number if reading is None else lambda cell: written_number(cell, reading, name)
    values = np.array([math.nan if cell is None else read(cell) for cell in cells])
    same = looks and all(cell is None or plain_number(cell) == value for cell, value in zip(cells, values))
    demand(reading is None or not same, f"column '{name}' holds plain numbers, and 'written' lists it")
    distinct = np.unique(values[~np.isnan(values)])
    codes = np.where(np.isnan(values), -1, np.searchsorted(distinct, values))
    return Column(name, codes, list(range(len(distinct))), False)


def row_weights(cells: list[str] | None, classes: list[str], rows: int, reader: dict[str, Any]) -> list[float]:
    weights = [1.0] * rows
    if cells is not None:
        demand(all(NUMBER.fullmatch(cell) and 0 <= float(cell) < math.inf for cell in cells), "a row has no weight")
        weights = [float(cell) for cell in cells]
    if reader["class_weights"] is None:
        return weights
    factors = {name: float(binary(pair, "a class weight")) for name, pair in reader["class_weights"]}
    demand(set(factors) == set(classes), "the class weights are those of other classes")
    return [weight * factors[name] for weight, name in zip(weights, classes)]


class WholeCosts(NamedTuple):
    """Of a row: what each label costs above the cheapest one, in units; what the row costs at least; what was rounded; what its labels gain
    together; and whether the units give each gain to its last digits."""

    costs: list[int]
    least: Fraction
    rounding: Fraction
    gains: Fraction
    to_last_digits: bool


def whole_costs(line: list[float], weight: float, unit: Fraction) -> WholeCosts:
    """The whole costs of a row.

    This is the only place that knows what is counted: ``line`` is 1 for each wrong label where that is errors.
    """
    dearest, cheapest = max(line), min(line)
    last_digits = math.ldexp(max(abs(dearest), abs(cheapest)), -50)
    gains = [weight * (dearest - cost) if dearest - cost > last_digits else 0.0 for cost in line]
    whole = [math.floor(Fraction(gain) / unit + Fraction(1, 2)) for gain in gains]
    to_last_digits = all(abs(number * unit - Fraction(gain)) * 2**49 <= gain for number, gain in zip(whole, gains))
    costs = [max(whole) - gain for gain in whole]
    above = [Fraction(weight) * (Fraction(cost) - Fraction(cheapest)) for cost in line]
    off = max(abs(true - cost * unit) for true, cost in zip(above, costs))
    return WholeCosts(costs, Fraction(weight) * Fraction(cheapest), off, sum(map(Fraction, gains), Fraction(0)), to_last_digits)


def cost_lines(
    cells: dict[str, list[str | None]], kept: list[int], reader: dict[str, Any]
) -> tuple[list[str], list[str], list[list[float]]]:
    """The labels, the class of each row (nothing where labels are columns), and the line of costs that each row looks at."""
    if reader["cost_columns"] is not None:
        names = reader["cost_columns"]
        for name in names:
            demand(all(cell is not None and NUMBER.fullmatch(cell) for cell in cells[name]), f"a cost in column '{name}' is no number")
        lines = [[plain_number(cells[name][row] or "") for name in names] for row in kept]
        demand(not any(math.isnan(cost) for line in lines for cost in line), "a cost is missing")
        return names, [], lines
    classes, one = [cells[reader["target"]][row] or "" for row in kept], reader["against_rest"]
    if one is not None:
        demand(one in classes, f"no row has the class '{one}'")
        classes = [name if name == one else f"not {one}" for name in classes]
    labels = sorted(set(classes), key=str.encode)
    matrix = reader["cost_matrix"]
    demand(matrix is None or len(matrix) == len(labels), "the costs are those of other classes")
    if matrix is None:
        costs = [[float(a != y) for a in range(len(labels))] for y in range(len(labels))]
    else:
        costs = [[float(binary(pair, "a cost", -MOST)) for pair in line] for line in matrix]
    place = {name: i for i, name in enumerate(labels)}
    return labels, classes, [costs[place[name]] for name in classes]


def make_table(cells: dict[str, list[str]], reader: dict[str, Any], unit: Fraction) -> Table:
    weights, missing = reader["weights"], {"", *reader["missing"]}
    chosen = [name for name in (reader["target"], weights) if name is not None] + (reader["cost_columns"] or [])
    for name in [*chosen, *reader["left_out"], *reader["categories"], *dict(reader["written"])]:
        demand(name in cells, f"the data have no column '{name}'")
    features = [name for name in cells if name not in {*chosen, *reader["left_out"]}]
    for key, names in [("left_out", list(cells)), ("categories", features), ("written", features)]:
        named = list(dict(reader[key])) if key == "written" else reader[key]
        demand(named == [name for name in names if name in set(named)], f"'{key}' is not in the order of the columns")
    marked: dict[str, list[str | None]] = {name: [None if cell in missing else cell for cell in column] for name, column in cells.items()}
    rows = range(len(next(iter(cells.values()))))
    kept = [row for row in rows if reader["target"] is None or marked[reader["target"]][row] is not None]
    demand(len(kept) > 0, "the data have no rows")
    labels, classes, lines = cost_lines(marked, kept, reader)
    columns = [make_column(name, [marked[name][row] for row in kept], reader) for name in features]
    real = row_weights([marked[weights][row] or "" for row in kept] if weights else None, classes, len(kept), reader)
    known = {key: whole_costs(list(key[0]), key[1], unit) for key in {(tuple(line), weight) for line, weight in zip(lines, real)}}
    counted = [known[tuple(line), weight] for line, weight in zip(lines, real)]
    demand(sum(max(row.costs) for row in counted) <= MOST, "the unit makes sums inexact")
    return Table(
        columns,
        labels,
        [row.costs for row in counted],
        sum((row.least for row in counted), Fraction(0)),
        sum((row.rounding for row in counted), Fraction(0)),
        all(row.to_last_digits for row in counted) or unit * 2**49 <= sum((row.gains for row in counted), Fraction(0)),
        len(rows) - len(kept),
    )


def ranks_of(ordering: dict, column: Column) -> np.ndarray:
    """The rank of each code; the last one is that of missing values."""
    name, present, count = column.name, column.present(), len(column.distinct)
    if not column.category:
        demand("levels" not in ordering and "level" not in ordering, f"column '{name}' holds numbers, and an ordering has levels")
        side = ordering.get("missing")
        demand(
            side in ("last", "first") if None in present else side is None, f"column '{name}' has an ordering that does not belong there"
        )
        return np.array([*range(1, count + 1), 0] if side == "first" else range(count + 1))
    demand("levels" in ordering or "level" in ordering, f"column '{name}' is a category, and an ordering has no levels")
    if "level" in ordering:
        demand(len(present) > MAX_SUBSET_LEVELS, f"column '{name}' has few levels, and an ordering of one against the rest")
        demand(
            type(ordering["level"]) in (str, type(None)) and ordering["level"] in present, f"column '{name}' lacks a level of an ordering"
        )
        return np.array([int(level != ordering["level"]) for level in [*column.distinct, None]])
    groups = ordering["levels"]
    demand(
        isinstance(groups, list) and len(groups) >= 2 and all(isinstance(group, list) and group for group in groups),
        f"column '{name}' has an ordering without two groups of levels",
    )
    place: dict = {}
    for rank, group in enumerate(groups):
        demand(all(type(level) in (str, type(None)) for level in group), "a level is no text")
        demand(
            group == sorted(set(group), key=lambda level: (level is not None, (level or "").encode())),
            "the levels of a group do not ascend",
        )
        demand(not set(group) & set(place), f"column '{name}' has a level twice in an ordering")
        place.update(dict.fromkeys(group, rank))
    demand(set(place) == set(present), f"column '{name}' has an ordering of other levels than its own")
    return np.array([place.get(level, 0) for level in [*column.distinct, None]])


def family_sets(present: list, frequent: list) -> Iterator[frozenset]:
    """The sets of levels that split a category, but those by share. ``frequent``: the levels that are not rare, of many."""
    if len(present) <= MAX_SUBSET_LEVELS:
        for size in range(1, len(present)):
            yield from (frozenset(subset) for subset in itertools.combinations(present, size))
        return
    yield from (frozenset([level]) for level in frequent)


def shares_of(levels: list, table: Table) -> tuple[list, list[dict]]:
    """The levels that are not rare, and the exact share of each label in what all labels gain in each level over the dearest one of each
    row; 0 in a level without gains."""
    total: dict = defaultdict(int)
    of_label: dict = defaultdict(int)
    for level, costs in zip(levels, table.costs):
        for label, cost in enumerate(costs):
            total[level] += max(costs) - cost
            of_label[level, label] += max(costs) - cost
    labels = range(len(table.labels))
    gains = [sum(of_label[level, k] for level in total) for k in labels]
    frequent = [level for level in total if any(0 < gains[k] <= of_label[level, k] * RARE for k in labels)]
    return frequent, [{level: Fraction(of_label[level, k], max(total[level], 1)) for level in total} for k in labels]


def is_by_share(share: dict, rank: dict) -> bool:
    """Whether levels of a smaller share have smaller ranks."""
    groups = [[rank[level] for level in share if share[level] == value] for value in sorted(set(share.values()))]
    return all(max(a) < min(b) for a, b in zip(groups, groups[1:]))


def check_family(column: Column, ranks: list[np.ndarray], table: Table) -> None:
    """The orderings must hold every split by this column, each once."""
    present = column.present()
    demand(len(present) > 1 or not ranks, f"column '{column.name}' has no split, and an ordering")
    demand(len({tuple(rank) for rank in ranks}) == len(ranks), f"column '{column.name}' has an ordering twice")
    if len(present) <= 1:
        return
    if not column.category:
        expected = 2 if None in present else 1
        demand(len(ranks) == expected, f"column '{column.name}' has {len(ranks)} orderings, and its splits need {expected}")
        demand(expected == 1 or ranks[0][-1] > 0, f"column '{column.name}' has missing values first, and then last")
        return
    narrow = len(present) <= MAX_SUBSET_LEVELS
    demand(
        len(ranks) <= (462 if narrow else len(present) + len(table.labels)), f"column '{column.name}' has more orderings than splits need"
    )
    by_level = [dict(zip([*column.distinct, None], rank)) for rank in ranks]
    prefixes = set()
    for rank_of in by_level:
        for rank in range(1, max(rank_of[level] for level in present) + 1):
            prefixes.add(frozenset(level for level in present if rank_of[level] < rank))
    demand(narrow or table.tell_shares, f"column '{column.name}' has many levels, and the unit is too coarse for the shares of labels")
    frequent, shares = ([], []) if narrow else shares_of([None if code < 0 else column.distinct[code] for code in column.codes], table)
    for subset in family_sets(present, frequent):
        demand(subset in prefixes or frozenset(present) - subset in prefixes, f"the proof lacks splits by column '{column.name}'")
    for share in shares:
        found = any(is_by_share(share, rank) or is_by_share(share, {level: -r for level, r in rank.items()}) for rank in by_level)
        demand(found, f"the proof lacks splits by column '{column.name}'")


def all_ranks(proof: Proof, table: Table) -> list[np.ndarray]:
    """The rank of each row in each ordering."""
    places = [ordering["column"] for ordering in proof.orderings]
    demand(places == sorted(places), "the orderings are not in the order of the columns")
    demand(not places or places[-1] < len(table.columns), "an ordering is one of a column that the data lack")
    result = []
    for i, column in enumerate(table.columns):
        mine = [ordering for ordering in proof.orderings if ordering["column"] == i]
        demand(all(ordering["name"] == column.name for ordering in mine), f"column {i} is not called '{column.name}' in an ordering")
        ranks = [ranks_of(ordering, column) for ordering in mine]
        check_family(column, ranks, table)
        result += [rank[column.codes] for rank in ranks]
    return result


def make_items(proof: Proof, table: Table) -> Items:
    groups: dict = defaultdict(list)
    for row in range(len(table.costs)):
        groups[tuple(column.codes[row] for column in table.columns)].append(row)
    first, gains, counts, lost, step = [], [], [], 0, 2**proof.grid
    for rows in groups.values():
        costs = [sum(of_label) for of_label in zip(*(table.costs[row] for row in rows))]
        lost += min(costs)
        # Where leaves must hold rows, a group that costs nothing helps them to.
        if max(costs) > min(costs) or proof.min_rows > 1:
            first.append(rows[0])
            counts.append(len(rows))
            gains.append([(max(costs) - cost) * step for cost in costs])
    demand(2 * sum(map(max, gains)) + proof.price <= MOST, "the sums would not be exact on this grid")
    ranks: list[np.ndarray] = []
    known: set[bytes] = set()
    for rank in all_ranks(proof, table):
        distinct, dense = np.unique(rank[first], return_inverse=True)
        # Orderings that sort the items as an earlier one, or in reverse, are left out.
        if len(distinct) > 1 and dense.tobytes() not in known:
            known |= {dense.tobytes(), (len(distinct) - 1 - dense).tobytes()}
            ranks.append(rank[first])
    gain = np.array(gains, dtype=np.int64).reshape(len(first), len(table.labels))
    return Items(np.array(ranks).reshape(len(ranks), len(first)), gain, gain.max(axis=1, initial=0), np.array(counts, dtype=np.int64), lost)


def shares(depth: int, splits: int) -> list[tuple[int, int]]:
    """Limits on the splits of both sides of a cut. Each tree of ``depth`` levels with ``splits`` splits keeps to one of them."""
    most, below = 2 ** (depth - 1) - 1, splits - 1
    if below >= 2 * most:
        return [(most, most)]
    return [(left, below - left) for left in range(max(0, below - most), min(most, below) + 1)]


class Checker:
    def __init__(self, proof: Proof, items: Items) -> None:
        self.proof, self.items = proof, items

    def trivial_bound(self, part: np.ndarray, leaves: int) -> int:
        """A tree with j leaves pays for j - 1 splits and has at most j labels."""
        gains = np.sort(self.items.gain[part].sum(axis=0))[::-1]
        rest = np.maximum(self.items.reach[part].sum() - np.cumsum(gains), 0)
        leaves = min(leaves, len(rest))
        return min(int(cost) + self.proof.price * j for j, cost in enumerate(rest[:leaves]))

    def leaf(self, part: np.ndarray) -> int:
        return int(self.items.reach[part].sum() - self.items.gain[part].sum(axis=0).max())

    def fits(self, rows_left: np.ndarray, rows: int) -> np.ndarray:
        """Whether cuts leave enough rows on both sides."""
        return (rows_left >= self.proof.min_rows) & (rows - rows_left >= self.proof.min_rows)

    def best_stump(self, part: np.ndarray, limited: bool) -> int:
        """The least cost of a tree with at most one split: every split of every ordering is counted."""
        least, reach, gains = self.leaf(part), int(self.items.reach[part].sum()), self.items.gain[part].sum(axis=0)
        for ordering in self.items.rank:
            distinct, rank = np.unique(ordering[part], return_inverse=True)
            before = np.zeros((len(distinct), len(gains)), dtype=np.int64)
            np.add.at(before, rank, self.items.gain[part])
            before = np.cumsum(before, axis=0)[:-1]
            if limited:
                of_rank = np.bincount(rank, self.items.rows[part]).astype(np.int64)
                before = before[self.fits(np.cumsum(of_rank)[:-1], int(of_rank.sum()))]
            if len(before) > 0:
                gained = before.max(axis=1) + (gains - before).max(axis=1)
                least = min(least, self.proof.price + reach - int(gained.max()))
        self.proof.counts["stumps"] += 1
        return least

    def named_cuts(self, part: np.ndarray, ordering: np.ndarray, recounted: bool, limited: bool) -> list[Cut]:
        distinct, rows = np.unique(ordering[part]), self.items.rows[part]
        possible = set(distinct.tolist())
        if limited:
            possible = {rank for rank in possible if self.fits(rows[ordering[part] < rank].sum(), rows.sum())}
        count = self.proof.number()
        if count == 0:
            demand(recounted, "cuts without bounds")
            return [Cut(int(rank)) for rank in distinct[1:] if int(rank) in possible]
        cuts, rank = [], int(distinct[0])
        for _ in range(count - 1):
            step = self.proof.number()
            rank += step
            demand(step > 0, "a cut is named twice, or leaves no item on its left side")
            demand(rank <= distinct[-1], "a cut leaves no item on its right side")
            demand(rank in distinct, "a cut is named at a rank that no item of its part has")
            demand(rank in possible, "a cut is named that leaves fewer rows on a side than a leaf must hold")
            bounds = [0, 0] if recounted else [self.proof.number() for _ in range(2)]
            of_all = [self.proof.number() for _ in range(2)] if limited and not recounted else bounds
            demand(of_all[0] <= bounds[0] and of_all[1] <= bounds[1], "more is claimed of all trees than of those within the limit")
            cuts.append(Cut(rank, *bounds, *of_all))
        return cuts

    def check_ordering(self, part: np.ndarray, ordering: np.ndarray, cuts: list[Cut], shallow: int, claim: int, limited: bool) -> None:
        """Every cut, named or between two named ones, must cost at least the claim."""
        rank, reach = ordering[part], self.items.reach[part]
        for cut in cuts:
            cut.reach = int(reach[rank < cut.rank].sum())
        ends = [Cut(-1, 0, shallow), *cuts, Cut(sys.maxsize, shallow, 0, reach=int(reach.sum()))]
        distinct, inverse = np.unique(rank, return_inverse=True)
        of_rank = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(of_rank, inverse, reach)
        before = np.cumsum(of_rank)  # of the cut at the next distinct rank
        exists = np.ones(len(distinct) - 1, dtype=bool)
        if limited:
            rows = np.bincount(inverse, self.items.rows[part]).astype(np.int64)
            exists = self.fits(np.cumsum(rows)[:-1], int(rows.sum()))
        for a, b in zip(ends, ends[1:]):
            between = before[:-1][exists & (distinct[1:] > a.rank) & (distinct[1:] < b.rank)]
            # A tree within the limit on few rows is so on more of them, but not the other way around.
            left = np.maximum(a.left_of_all, b.left - (b.reach - between))
            right = np.maximum(b.right_of_all, a.right - (between - a.reach))
            if (self.proof.price + left + right < claim).any():
                raise Refused(f"a cut between two named ones may cost less than {claim}")
        if any(self.proof.price + cut.left + cut.right < claim for cut in cuts):
            raise Refused(f"a named cut costs less than {claim}")

    def part(self, part: np.ndarray, depth: int, splits: int, claim: int, limited: bool) -> None:
        """No tree of ``depth`` levels and ``splits`` splits on the items ``part`` costs less than ``claim``.

        ``limited``: of those trees whose leaves hold enough rows.
        """
        splits = min(splits, 2**depth - 1)
        if self.trivial_bound(part, splits + 1) >= claim:
            return
        self.proof.counts["claims"] += 1
        demand(self.leaf(part) >= claim and splits > 0, f"a leaf costs less than {claim}")
        # No side of a cut has two levels and two splits: their least costs are recounted.
        recounted = depth <= 2 or splits <= 2
        if recounted:
            shallow = self.best_stump(part, limited)
        else:
            shallow = self.proof.number()
            self.part(part, depth - 1, splits - 1, shallow, limited)
        if splits == 1:
            demand(shallow >= claim, f"a single split costs less than {claim}")
            return
        orderings = [ordering for ordering in self.items.rank if len(np.unique(ordering[part])) > 1]
        named = [
            (ordering, share, self.named_cuts(part, ordering, recounted, limited))
            for ordering in orderings
            for share in shares(depth, splits)
        ]
        for ordering, share, cuts in named:
            for cut in cuts if recounted else []:
                left, right = part[ordering[part] < cut.rank], part[ordering[part] >= cut.rank]
                sides = list(zip((left, right), share))
                of_all = [self.best_stump(side, False) if most > 0 else self.leaf(side) for side, most in sides]
                within = [self.best_stump(side, True) if most > 0 else self.leaf(side) for side, most in sides] if limited else of_all
                (cut.left_of_all, cut.right_of_all), (cut.left, cut.right) = of_all, within
            self.check_ordering(part, ordering, cuts, shallow, claim, limited)
        for ordering, share, cuts in named:
            for cut in [] if recounted else cuts:
                left, right = part[ordering[part] < cut.rank], part[ordering[part] >= cut.rank]
                for side, most, claimed, claimed_of_all in [
                    (left, share[0], cut.left, cut.left_of_all),
                    (right, share[1], cut.right, cut.right_of_all),
                ]:
                    if limited and claimed > claimed_of_all:
                        self.part(side, depth - 1, most, claimed, True)
                    self.part(side, depth - 1, most, claimed_of_all, False)


def printable(text: str) -> str:
    """Names come from the file, so control characters are not printed as such."""
    return "".join(" " if ord(c) < 32 or ord(c) == 127 else c for c in text)


def describe(proof: Proof, table: Table) -> str:
    """What the reader's options demand."""
    reader, said = proof.reader, ""
    if reader["against_rest"] is not None:
        said += f"; class '{reader['against_rest']}' against the rest"
    labels = ", ".join(f"'{name}'" for name in table.labels)
    if reader["cost_matrix"] is not None:
        lines = (" ".join(f"{float(binary(pair, '', -MOST)):.12g}" for pair in line) for line in reader["cost_matrix"])
        said += f"; costs of the labels {labels} by class: " + ", ".join(f"'{name}' {line}" for name, line in zip(table.labels, lines))
    if reader["cost_columns"] is not None:
        said += f"; costs of the labels in the columns {labels}"
    if reader["weights"] is not None:
        said += f"; rows weighed by column '{reader['weights']}'"
    if reader["class_weights"] is not None:
        weights = " ".join(f"{name}={float(binary(pair, '')):.12g}" for name, pair in reader["class_weights"])
        said += f"; class weights {weights}"
    for key, words in [("categories", "numbers read as categories"), ("left_out", "columns left out")]:
        if reader[key]:
            said += f"; {words}: " + ", ".join(f"'{name}'" for name in reader[key])
    said += "".join(f"; '{name}' read as {reading}" for name, reading in reader["written"])
    if reader["missing"] != USUAL_MISSING:
        said += "; read as missing: " + (", ".join(f"'{text}'" for text in reader["missing"]) or "empty cells only")
    if table.left_out_rows:
        said += f"; {table.left_out_rows} rows without a class left out"
    if any(column.category and len(column.present()) > MAX_SUBSET_LEVELS for column in table.columns):
        said += f"; columns of more than {MAX_SUBSET_LEVELS} categories are split by single frequent ones and by shares of classes"
    return said


def verify(data: Path, path: Path, weights: str | None = None, missing: set[str] | None = None, left_out: list[str] | None = None) -> str:
    """What the proof shows. ``weights``, ``missing`` and ``left_out``: instead of what the proof says of the reading; None = as it says."""
    proof = read_proof(path)
    cells = read_cells(data)
    if weights is not None:
        proof.reader["weights"] = weights
    if missing is not None:
        proof.reader["missing"] = sorted(missing - {""}, key=str.encode)
    if left_out is not None:
        proof.reader["left_out"] = [name for name in cells if name in set(left_out)]
    unit = binary(proof.unit, "'unit'")
    table = make_table(cells, proof.reader, unit)
    demand(len(table.costs) == proof.rows, f"the proof speaks of {proof.rows} rows, and the data have {len(table.costs)}")
    demand(
        table.fingerprint() == proof.table,
        "the proof speaks of another table, of its rows in another order, or of one that was read otherwise (--weights, --missing, --drop)",
    )
    items = make_items(proof, table)
    checker = Checker(proof, items)
    full = 2**proof.depth - 1
    checker.part(
        np.arange(len(items.reach)), proof.depth, full if proof.max_splits is None else proof.max_splits, proof.bound, proof.min_rows > 1
    )
    demand(proof.at == len(proof.body), "something follows the end of the body")
    step = Fraction(1, 2**proof.grid)
    price = f" + {float(proof.price * step * unit):.12g} * splits" if proof.price > 0 else ""
    counts = "{claims} claims, {stumps} best splits recounted".format(**proof.counts)
    # No row costs less than its cheapest label.
    bound = float(table.least + max(Fraction(0), (proof.bound * step + items.lost) * unit - table.rounding))
    target = "" if proof.reader["target"] is None else f" for '{proof.reader['target']}'"
    loss = "errors" if proof.reader["cost_matrix"] is None and proof.reader["cost_columns"] is None else "costs"
    few = "" if proof.max_splits is None else f" and at most {proof.max_splits} splits"
    few += "" if proof.min_rows == 1 else f" and at least {proof.min_rows} rows in each leaf"
    said = f"verified: no tree of depth at most {proof.depth}{few}{target} has {loss}{price} below {bound:.12g} ({counts})"
    return printable(said + describe(proof, table))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("proof", type=Path)
    parser.add_argument("--weights", help="column of row weights, instead of the one that the proof names")
    parser.add_argument("--missing", nargs="*", help="cells that stand for a missing value, instead of those that the proof names")
    parser.add_argument("--drop", nargs="*", help="columns that are no features, instead of those that the proof names")
    arguments = parser.parse_args()
    try:
        missing = None if arguments.missing is None else set(arguments.missing)
        print(verify(arguments.data, arguments.proof, arguments.weights, missing, arguments.drop))
    except Refused as problem:
        sys.exit(f"FAILS: {printable(str(problem))}")


if __name__ == "__main__":
    main()
