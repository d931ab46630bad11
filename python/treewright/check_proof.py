"""Verifies a proof file of ``treewright fit --proof`` by plain recounting. Needs Python and numpy, nothing of treewright.

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
from typing import Any

import numpy as np

FIRST_LINE, OLD_FIRST_LINE = b"treewright proof 2\n", b"treewright proof 1\n"
MAX_SUBSET_LEVELS = 12  # categories of more levels are split one against the rest or by the share of a class
MOST = 2**53 - 1
USUAL_MISSING = ["?", "N/A", "N/a", "NA", "NULL", "NaN", "n/A", "n/a", "nan", "null"]
NUMBER = re.compile(r"[+-]?((\d+\.?\d*|\.\d+)(e[+-]?\d+)?|inf|infinity|nan)", re.ASCII | re.IGNORECASE)
HEADER = ["made_by", "reader", "rows", "table", "unit", "grid", "depth", "price", "bound", "orderings", "bytes"]
READER = ["target", "weights", "class_weights", "missing", "categories", "written", "left_out"]


class Refused(Exception):
    """The proof does not hold."""


def demand(holds: bool, problem: str) -> None:
    if not holds:
        raise Refused(problem)


@dataclass
class Items:
    """Rows of equal values and class are one item; what every tree must lose among rows of equal values is taken off.

    rank: shape (orderings, items); label, weight (in steps of the grid): shape (items).
    """

    rank: np.ndarray
    label: np.ndarray
    weight: np.ndarray
    lost: int


@dataclass
class Cut:
    """Items of a rank below ``rank`` go left. ``left`` and ``right`` bound the trees on either side."""

    rank: int
    left: int = 0
    right: int = 0
    weight: int = 0  # left of the cut


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
    price: int
    bound: int
    orderings: list[dict]
    body: bytes
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


def binary(pair: Any, what: str) -> Fraction:
    """[a, e] as a * 2^e."""
    demand(isinstance(pair, list) and len(pair) == 2, f"{what} is no pair")
    a, e = whole(pair[0], 0, MOST, what), whole(pair[1], -1074, 1023, what)
    demand(a % 2 == 1 or (a, e) == (0, 0), f"{what} is not written with an odd number")
    demand(Fraction(a) * Fraction(2) ** e <= Fraction(sys.float_info.max), f"{what} is infinite")
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


def check_header(header: Any) -> None:
    demand(isinstance(header, dict) and list(header) == HEADER, f"the header's keys are not {', '.join(HEADER)}")
    for key, least, most in [
        ("rows", 0, MOST),
        ("grid", 0, 52),
        ("depth", 0, 60),
        ("price", 0, MOST),
        ("bound", 0, MOST),
        ("bytes", 0, MOST),
    ]:
        whole(header[key], least, most, f"'{key}'")
    for key in ("made_by", "table"):
        demand(isinstance(header[key], str), f"'{key}' is no text")
    demand(binary(header["unit"], "'unit'") > 0, "'unit' is 0")
    reader = header["reader"]
    demand(isinstance(reader, dict) and list(reader) == READER, f"the reader's keys are not {', '.join(READER)}")
    demand(isinstance(reader["target"], str), "'target' is no text")
    demand(reader["weights"] is None or isinstance(reader["weights"], str), "'weights' is no text")
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
    named = [reader["target"], *([] if reader["weights"] is None else [reader["weights"]])]
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
    demand(not content.startswith(OLD_FIRST_LINE), "this is a proof of format 1, which could be forged: write it anew")
    demand(content.startswith(FIRST_LINE), "this is no proof")
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
    check_header(header)
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
    columns: list[Column]
    classes: list[str]
    label: np.ndarray
    weight: list[int]
    rounding: Fraction
    left_out_rows: int

    def fingerprint(self) -> str:
        lines = []
        for row, (label, weight) in enumerate(zip(self.label, self.weight)):
            codes = [str(column.codes[row]) if column.codes[row] >= 0 else "-" for column in self.columns]
            lines.append(" ".join([*codes, str(label), str(weight)]) + "\n")
        return fnv1a("".join(lines).encode())


def read_cells(path: Path) -> dict[str, list[str]]:
    with path.open(newline="", encoding="utf-8-sig") as file:
        lines = [[cell.strip(" \t") for cell in row] for row in csv.reader(file, skipinitialspace=True)]
    names, *rows = [row for row in lines if row and row != [""]]
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


def row_weights(cells: list[str] | None, labels: list[str], reader: dict[str, Any]) -> list[float]:
    weights = [1.0] * len(labels)
    if cells is not None:
        demand(all(NUMBER.fullmatch(cell) and 0 <= float(cell) < math.inf for cell in cells), "a row has no weight")
        weights = [float(cell) for cell in cells]
    if reader["class_weights"] is None:
        return weights
    factors = {name: float(binary(pair, "a class weight")) for name, pair in reader["class_weights"]}
    demand(set(factors) == set(labels), "the class weights are those of other classes")
    return [weight * factors[label] for weight, label in zip(weights, labels)]


def make_table(cells: dict[str, list[str]], reader: dict[str, Any], unit: Fraction) -> Table:
    target, weights, missing = reader["target"], reader["weights"], {"", *reader["missing"]}
    for name in [target, *([weights] if weights else []), *reader["left_out"], *reader["categories"], *dict(reader["written"])]:
        demand(name in cells, f"the data have no column '{name}'")
    features = [name for name in cells if name not in {target, weights, *reader["left_out"]}]
    for key, names in [("left_out", list(cells)), ("categories", features), ("written", features)]:
        named = list(dict(reader[key])) if key == "written" else reader[key]
        demand(named == [name for name in names if name in set(named)], f"'{key}' is not in the order of the columns")
    kept = [row for row, cell in enumerate(cells[target]) if cell not in missing]
    labels = [cells[target][row] for row in kept]
    classes = sorted(set(labels), key=str.encode)
    columns = [make_column(name, [None if cells[name][row] in missing else cells[name][row] for row in kept], reader) for name in features]
    real = row_weights([cells[weights][row] for row in kept] if weights else None, labels, reader)
    demand(unit == 1 or any(weight != 1 for weight in real), "the unit of weight is not 1, and every row weighs 1")
    whole_weight = {weight: math.floor(Fraction(weight) / unit + Fraction(1, 2)) for weight in set(real)}
    off = {weight: abs(Fraction(weight) - whole_weight[weight] * unit) for weight in whole_weight}
    rounding = sum((off[weight] for weight in real if off[weight] > Fraction(weight) / 2**50), Fraction(0))
    place = {name: i for i, name in enumerate(classes)}
    table = Table(
        columns, classes, np.array([place[label] for label in labels], dtype=int), [whole_weight[weight] for weight in real], rounding, 0
    )
    table.left_out_rows = len(cells[target]) - len(kept)
    demand(sum(table.weight) <= MOST, "the unit of weight makes sums inexact")
    return table


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


def family_sets(present: list, shares: list[dict]) -> Iterator[frozenset]:
    """The sets of levels that split a category. ``shares``: of each class in each level."""
    if len(present) <= MAX_SUBSET_LEVELS:
        for size in range(1, len(present)):
            yield from (frozenset(subset) for subset in itertools.combinations(present, size))
        return
    yield from (frozenset([level]) for level in present)


def shares_of(levels: list, table: Table) -> list[dict]:
    """The exact share of each class in the whole weight of each level; 0 in a level without weight."""
    total: dict = defaultdict(int)
    of_class: dict = defaultdict(int)
    for level, label, weight in zip(levels, table.label, table.weight):
        total[level] += weight
        of_class[level, label] += weight
    return [{level: Fraction(of_class[level, k], max(total[level], 1)) for level in total} for k in range(len(table.classes))]


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
        len(ranks) <= (462 if narrow else len(present) + len(table.classes)), f"column '{column.name}' has more orderings than splits need"
    )
    by_level = [dict(zip([*column.distinct, None], rank)) for rank in ranks]
    prefixes = set()
    for rank_of in by_level:
        for rank in range(1, max(rank_of[level] for level in present) + 1):
            prefixes.add(frozenset(level for level in present if rank_of[level] < rank))
    shares = [] if narrow else shares_of([None if code < 0 else column.distinct[code] for code in column.codes], table)
    for subset in family_sets(present, shares):
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
    for row in range(len(table.label)):
        groups[tuple(column.codes[row] for column in table.columns)].append(row)
    items, lost, classes = [], 0, len(table.classes)
    for rows in groups.values():
        of_class = [0] * classes
        for row in rows:
            of_class[table.label[row]] += table.weight[row]
        lightest = min(of_class)
        lost += lightest * (classes - 1)
        items += [(rows[0], k, weight - lightest) for k, weight in enumerate(of_class) if weight > lightest]
    total = sum(weight for _, _, weight in items)
    demand(2 * total * 2**proof.grid + proof.price <= MOST, "the sums would not be exact on this grid")
    ranks: list[np.ndarray] = []
    known: set[bytes] = set()
    first = [row for row, _, _ in items]
    for rank in all_ranks(proof, table):
        distinct, dense = np.unique(rank[first], return_inverse=True)
        # Orderings that sort the items as an earlier one, or in reverse, are left out.
        if len(distinct) > 1 and dense.tobytes() not in known:
            known |= {dense.tobytes(), (len(distinct) - 1 - dense).tobytes()}
            ranks.append(rank[first])
    weight = np.array([w * 2**proof.grid for _, _, w in items], dtype=np.int64)
    return Items(np.array(ranks).reshape(len(ranks), len(items)), np.array([k for _, k, _ in items], dtype=int), weight, lost)


class Checker:
    def __init__(self, proof: Proof, items: Items, classes: int) -> None:
        self.proof, self.items, self.classes = proof, items, classes

    def class_weights(self, part: np.ndarray) -> np.ndarray:
        weights = np.zeros(self.classes, dtype=np.int64)
        np.add.at(weights, self.items.label[part], self.items.weight[part])
        return weights

    def trivial_bound(self, weights: np.ndarray, depth: int) -> int:
        """A tree with j leaves pays for j - 1 splits and errs on all classes but j."""
        rest = weights.sum() - np.cumsum(np.sort(weights)[::-1])
        leaves = min(2**depth, len(rest))
        return min(int(errors) + self.proof.price * j for j, errors in enumerate(rest[:leaves]))

    def best_stump(self, part: np.ndarray) -> int:
        """The least cost of a tree with at most one split: every split of every ordering is counted."""
        weights = self.class_weights(part)
        least = int(weights.sum() - weights.max())
        for ordering in self.items.rank:
            distinct, rank = np.unique(ordering[part], return_inverse=True)
            before = np.zeros((len(distinct), self.classes), dtype=np.int64)
            np.add.at(before, (rank, self.items.label[part]), self.items.weight[part])
            before = np.cumsum(before, axis=0)[:-1]
            if len(before) > 0:
                right = before.max(axis=1) + (weights - before).max(axis=1)
                least = min(least, self.proof.price + int(weights.sum() - right.max()))
        self.proof.counts["stumps"] += 1
        return least

    def named_cuts(self, part: np.ndarray, ordering: np.ndarray, depth: int) -> list[Cut]:
        distinct = np.unique(ordering[part])
        if len(distinct) == 1:
            return []
        count = self.proof.number()
        if count == 0:
            if depth > 2:
                raise Refused("cuts without bounds")
            return [Cut(int(rank)) for rank in distinct[1:]]
        cuts, rank = [], int(distinct[0])
        for _ in range(count - 1):
            step = self.proof.number()
            rank += step
            demand(step > 0, "a cut is named twice, or leaves no item on its left side")
            demand(rank <= distinct[-1], "a cut leaves no item on its right side")
            demand(rank in distinct, "a cut is named at a rank that no item of its part has")
            bounds = [self.proof.number() for _ in range(2)] if depth > 2 else [0, 0]
            cuts.append(Cut(rank, *bounds))
        return cuts

    def check_ordering(self, part: np.ndarray, ordering: np.ndarray, cuts: list[Cut], shallow: int, claim: int) -> None:
        """Every cut, named or between two named ones, must cost at least the claim."""
        rank, weight = ordering[part], self.items.weight[part]
        for cut in cuts:
            cut.weight = int(weight[rank < cut.rank].sum())
        ends = [Cut(-1, 0, shallow, 0), *cuts, Cut(sys.maxsize, shallow, 0, int(weight.sum()))]
        distinct, inverse = np.unique(rank, return_inverse=True)
        of_rank = np.zeros(len(distinct), dtype=np.int64)
        np.add.at(of_rank, inverse, weight)
        before = np.cumsum(of_rank)  # of the cut at the next distinct rank
        for a, b in zip(ends, ends[1:]):
            between = before[:-1][(distinct[1:] > a.rank) & (distinct[1:] < b.rank)]
            left = np.maximum(a.left, b.left - (b.weight - between))
            right = np.maximum(b.right, a.right - (between - a.weight))
            if (self.proof.price + left + right < claim).any():
                raise Refused(f"a cut between two named ones may cost less than {claim}")
        if any(self.proof.price + cut.left + cut.right < claim for cut in cuts):
            raise Refused(f"a named cut costs less than {claim}")

    def part(self, part: np.ndarray, depth: int, claim: int) -> None:
        """No tree of ``depth`` levels on the items ``part`` costs less than ``claim``."""
        weights = self.class_weights(part)
        if self.trivial_bound(weights, depth) >= claim:
            return
        self.proof.counts["claims"] += 1
        if weights.sum() - weights.max() < claim:
            raise Refused(f"a leaf costs less than {claim}")
        if depth <= 2:
            shallow = self.best_stump(part)
            if depth == 1 and shallow < claim:
                raise Refused(f"a single split costs less than {claim}")
        else:
            shallow = self.proof.number()
            self.part(part, depth - 1, shallow)
        if depth == 1:
            return
        named = [self.named_cuts(part, ordering, depth) for ordering in self.items.rank]
        for ordering, cuts in zip(self.items.rank, named):
            if len(np.unique(ordering[part])) == 1:
                continue
            for cut in cuts if depth == 2 else []:
                cut.left = self.best_stump(part[ordering[part] < cut.rank])
                cut.right = self.best_stump(part[ordering[part] >= cut.rank])
            self.check_ordering(part, ordering, cuts, shallow, claim)
        for ordering, cuts in zip(self.items.rank, named):
            for cut in cuts if depth > 2 else []:
                self.part(part[ordering[part] < cut.rank], depth - 1, cut.left)
                self.part(part[ordering[part] >= cut.rank], depth - 1, cut.right)


def describe(proof: Proof, table: Table) -> str:
    """What the reader's options demand."""
    reader, said = proof.reader, ""
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
        said += f"; columns of more than {MAX_SUBSET_LEVELS} categories are split by single ones and by shares of classes"
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
    demand(len(table.label) == proof.rows, f"the proof speaks of {proof.rows} rows, and the data have {len(table.label)}")
    demand(
        table.fingerprint() == proof.table,
        "the proof speaks of another table, or of one that was read otherwise (--weights, --missing, --drop)",
    )
    items = make_items(proof, table)
    checker = Checker(proof, items, len(table.classes))
    checker.part(np.arange(len(items.label)), proof.depth, proof.bound)
    demand(proof.at == len(proof.body), "something follows the end of the body")
    step = Fraction(1, 2**proof.grid)
    price = f" + {float(proof.price * step * unit):.12g} * splits" if proof.price > 0 else ""
    counts = "{claims} claims, {stumps} best splits recounted".format(**proof.counts)
    bound = max(0.0, float((proof.bound * step + items.lost) * unit - table.rounding))  # no tree costs less than nothing
    said = (
        f"verified: no tree of depth at most {proof.depth} for '{proof.reader['target']}' has errors{price} below {bound:.12g} ({counts})"
    )
    return said + describe(proof, table)


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
        sys.exit(f"FAILS: {problem}")


if __name__ == "__main__":
    main()
