"""Verifies a proof file of ``treewright fit --proof`` by plain recounting. Needs Python and numpy, nothing of treewright.
It stays one file, which a stranger can copy, read from top to bottom and run alone.

    python check_proof.py TABLE.tw FILE.proof

``treewright table`` writes the table, the one text of the data that a proof speaks of. This program says what no tree can do on it, or
where the proof fails, and exits with 0 or 1. Both formats and what follows from what: docs/proof-format.md.
"""

from __future__ import annotations

import argparse
import itertools
import json
import math
import re
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import numpy as np

FIRST_LINE = b"treewright proof 1\n"
FIRST_LINE_OF_TABLE = b"treewright table 1\n"
TOKEN = re.compile(r'"[^"]*"|[^ "]+')
TEXT = re.compile(r'"((?:[ !#-\[\]-~]|\\x[0-9a-f]{2})*)"')
NUMBER = re.compile(r"-?[0-9.]+(e-?[0-9]+)?")
COUNT = re.compile(r"[1-9][0-9]{0,14}")
LARGEST = sys.float_info.max / 2
MAX_SUBSET_LEVELS = 12  # categories of more levels are split one against the rest, or by the share of a label or the mean of a number
MOST_ORDERINGS = 462  # of a category of so few levels
RARE = 1000  # of more, a level in which no label has one part in so many of what it gains in all rows is not split from the rest
FEW_CUTS = 3  # of an ordering, which may be named at once
MOST = 2**53 - 1
MOST_SPLITS = 1023  # of a limit on splits
MOST_CELLS = 10**8  # of this checker: rows times labels and orderings
HEADER = ["made_by", "table", "unit", "grid", "depth", "max_splits", "min_rows", "price", "bound", "orderings", "bytes"]
HEADER_OF_NUMBERS = [*HEADER[:3], "center", "digits", *HEADER[3:]]
MOST_ROWS_OF_NUMBERS = 2**31


class Refused(Exception):
    """The proof does not hold, or the table is none."""


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
    saves_reach = True  # an item that is left out saves a tree at most its reach

    def most_gained(self, sums: np.ndarray) -> int:
        """What a leaf gains whose items have these sums of gains."""
        return int(sums.max())

    def most_of_two(self, left: np.ndarray, right: np.ndarray) -> int:
        """The most that two leaves gain: each line of sums is one way to have two."""
        return int((left.max(axis=1) + right.max(axis=1)).max())

    def trivial_bound(self, part: np.ndarray, leaves: int, price: int) -> int:
        """A tree with j leaves pays for j - 1 splits and has at most j labels."""
        gains = np.sort(self.gain[part].sum(axis=0))[::-1]
        rest = np.maximum(self.reach[part].sum() - np.cumsum(gains), 0)
        leaves = min(leaves, len(rest))
        return min(int(cost) + price * j for j, cost in enumerate(rest[:leaves]))


def exact_gain(weight: int, amount: int, grid: int) -> Fraction:
    """What rows with these sums gain in one leaf: 2^grid amount^2 / weight."""
    return Fraction(amount**2 << max(grid, 0), weight << max(-grid, 0)) if weight > 0 else Fraction(0)


def gained(weight: int, amount: int, grid: int) -> int:
    return math.ceil(exact_gain(weight, amount, grid))


@dataclass
class NumberItems(Items):
    """Items of a table of numbers. ``gain`` has two columns, whole weights and whole amounts; ``reach`` is what an item loses by itself."""

    grid: int
    saves_reach = False

    def most_gained(self, sums: np.ndarray) -> int:
        return gained(int(sums[0]), int(sums[1]), self.grid)

    def most_of_two(self, left: np.ndarray, right: np.ndarray) -> int:
        """Doubles tell which may be the best ones, and whole numbers which of these is.

        Each gain is rounded up by less than 1, and the doubles are wrong by less than 2^-50 of themselves.
        """
        nearly = sum(np.ldexp(side[:, 1].astype(float) ** 2 / np.maximum(side[:, 0], 1), self.grid) for side in (left, right))
        good = nearly >= nearly.max() * (1 - 2.0**-48) - 4
        sums = set(map(tuple, np.hstack([left, right])[good].tolist()))
        return max(gained(a, b, self.grid) + gained(c, d, self.grid) for a, b, c, d in sums)

    def trivial_bound(self, part: np.ndarray, leaves: int, price: int) -> int:
        return int(self.reach[part].sum()) - self.most_gained(self.gain[part].sum(axis=0)) if leaves == 1 else 0


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
    table: str
    unit: list[int]
    grid: int
    depth: int
    max_splits: int | None
    min_rows: int
    price: int
    bound: int
    orderings: list[dict]
    body: bytes
    center: list[int] | None = None  # these two only where a tree predicts numbers
    digits: int = 0
    at: int = 0

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


def binary(pair: Any, what: str, least: int = 1, largest: float = sys.float_info.max) -> Fraction:
    """[a, e] as a * 2^e."""
    demand(isinstance(pair, list) and len(pair) == 2, f"{what} is no pair")
    a, e = whole(pair[0], least, MOST, what), whole(pair[1], -1074, 1023, what)
    demand(a % 2 == 1 or (a == 0 and e == 0), f"{what} is not written with an odd number")
    demand(abs(a) * Fraction(2) ** e <= Fraction(largest), f"{what} is too large")
    return Fraction(a) * Fraction(2) ** e


def check_header(header: Any) -> None:
    keys = list(header) if isinstance(header, dict) else []
    demand("exposure" not in keys, "it is of rates or hazards, and these are checked by 'treewright check --proof' alone")
    demand("top" not in keys, "it is of trees that begin with given splits, and these are checked by 'treewright check --proof' alone")
    demand(keys in (HEADER, HEADER_OF_NUMBERS), f"the header's keys are not {', '.join(HEADER)}, or they and 'center' and 'digits'")
    of_numbers = keys == HEADER_OF_NUMBERS
    for key, least, most in [
        *([("digits", -500, 500), ("grid", -74, 20)] if of_numbers else [("grid", 0, 52)]),
        ("depth", 0, 60),
        ("min_rows", 1, MOST),
        ("price", 0, MOST),
        ("bound", 0, MOST),
        ("bytes", 0, MOST),
    ]:
        whole(header[key], least, most, f"'{key}'")
    if header["max_splits"] is not None:
        whole(header["max_splits"], 0, MOST_SPLITS, "'max_splits'")
    for key in ("made_by", "table"):
        demand(isinstance(header[key], str), f"'{key}' is no text")
    unit = binary(header["unit"], "'unit'")
    if of_numbers:
        binary(header["center"], "'center'", -MOST, LARGEST)
        for value, most in [(unit, 500), (unit / Fraction(4) ** header["digits"], 880)]:
            demand(
                Fraction(2) ** -most <= value <= Fraction(2) ** most,
                "'unit' and 'digits' are not within 2^-500 to 2^500, or 2^-880 to 2^880",
            )
    demand(isinstance(header["orderings"], list), "'orderings' is no list")
    for ordering in header["orderings"]:
        keys = list(ordering) if isinstance(ordering, dict) else []
        demand(keys[:1] == ["column"] and keys[1:] in ([], ["missing"], ["levels"], ["level"]), "an ordering has other keys")
        whole(ordering["column"], 0, MOST, "the column of an ordering")


def read_proof(path: Path) -> Proof:
    content = path.read_bytes()
    demand(content.startswith(FIRST_LINE), "this is no proof of format 1")
    start = content.find(b"\n", len(FIRST_LINE)) + 1
    demand(start > 0 and len(content) >= start + 16, "the file was cut off")
    demand(content[-16:] == fnv1a(content[:-16]).encode(), "the file is damaged: its checksum does not match")
    demand(not re.search(rb"[^ -~]", content[len(FIRST_LINE) : start - 1]), "the header has bytes beyond printable ASCII")
    text = content[len(FIRST_LINE) : start - 1].decode()
    try:
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
    """A feature: the places of its values among the distinct ones, -1 = missing; the levels of a category as they are spelled."""

    name: str
    codes: np.ndarray
    distinct: list
    category: bool

    def present(self) -> list:
        return ([None] if (self.codes < 0).any() else []) + self.distinct

    def is_wide(self) -> bool:
        return self.category and len(self.present()) > MAX_SUBSET_LEVELS


def spelled(value: float) -> str:
    """The fewest digits that give the double, in the one way that tables have."""
    mantissa, _, exponent = repr(value).partition("e")
    return mantissa.removesuffix(".0") + (f"e{int(exponent)}" if exponent else "")


class Lines:
    """The lines of a table, each cut into its tokens."""

    def __init__(self, content: bytes) -> None:
        demand(content.startswith(FIRST_LINE_OF_TABLE) and content.endswith(b"\n"), "this is no table")
        demand(not re.search(rb"[^\n -~]", content), "the table has bytes beyond printable ASCII")
        self.lines, self.at = content.decode().split("\n")[:-1], 1

    def fail(self, problem: str) -> NoReturn:
        raise Refused(f"line {self.at + 1} of the table: {problem}")

    def tokens(self) -> list[str]:
        """Those of the next line. It stays the next one."""
        line = self.lines[self.at] if self.at < len(self.lines) else ""
        tokens = TOKEN.findall(line)
        if not tokens or " ".join(tokens) != line:
            self.fail("it is not made of tokens with one blank between them")
        return tokens

    def take(self, *keywords: str) -> Iterator[list[str]]:
        """The next lines that begin with one of these words."""
        while (tokens := self.tokens())[0] in keywords:
            yield tokens
            self.at += 1

    def text(self, token: str) -> str:
        match = TEXT.fullmatch(token)
        if match is None:
            self.fail(f"{token} is no text")
        # What may stand for itself is never escaped.
        for code in re.findall(r"\\x(..)", match[1]):
            if 0x20 <= int(code, 16) <= 0x7E and int(code, 16) not in b'"\\':
                self.fail(f"{token} escapes what stands for itself")
        return match[1]

    def number(self, token: str) -> float:
        try:
            value = float(token) if NUMBER.fullmatch(token) and len(token) <= 40 else math.nan
        except ValueError:
            value = math.nan
        if math.isnan(value) or spelled(value) != token or token == "-0":
            self.fail(f"{token} is no number in its one spelling")
        if abs(value) > LARGEST:
            self.fail(f"{token} is too large")
        return value

    def one_text(self, tokens: list[str]) -> str:
        if len(tokens) != 2:
            self.fail(f"'{tokens[0]}' has no name, or more than one")
        return self.text(tokens[1])


@dataclass
class Head:
    """What stands above the rows of a table."""

    labels: list[str]
    matrix: list[list[float]] | None  # what labels cost, by class
    features: list[tuple[str, bool]]  # names, and whether they are categories
    weights: str | None
    target: str | None  # the column of the classes or numbers, or none: the labels are columns of costs
    predicts_numbers: bool  # there are no labels
    rows: int


def read_head(lines: Lines) -> Head:
    labels = [[lines.text(token) for token in line[1:]] for line in lines.take("labels")]
    if len(labels) > 1 or [] in labels or any(len(set(line)) != len(line) for line in labels):
        lines.fail("before it there must be one line of labels that differ")
    names = labels[0] if labels else []
    matrix = [[lines.number(token) for token in line[1:]] for line in lines.take("costs")]
    if matrix and {len(matrix), *map(len, matrix)} != {len(names)}:
        lines.fail("before it 'costs' has not a line and a number for each label")
    features = [(lines.one_text(line), line[0] == "level") for line in lines.take("number", "level")]
    if len({name for name, _ in features}) != len(features):
        lines.fail("before it two features have one name")
    weights = [lines.one_text(line) for line in lines.take("weight")]
    target = [lines.one_text(line) for line in lines.take("class")]
    costs = [lines.one_text(line) for line in lines.take("cost")]
    numbers = [lines.one_text(line) for line in lines.take("target")]
    if len(weights) > 1 or len(target) > 1 or (costs if target else matrix or costs != names):
        lines.fail("before it there must be at most one 'weight', and one 'class' or a 'cost' for each label")
    if len(numbers) != (0 if labels else 1) or (numbers and target):
        lines.fail("before it there must be either labels or one 'target'")
    if target and names != sorted(names):
        lines.fail("the labels do not ascend")
    tokens = lines.tokens()
    if tokens[0] != "rows" or len(tokens) != 2 or not COUNT.fullmatch(tokens[1]):
        lines.fail("it should tell the number of rows")
    lines.at += 1
    rows = int(tokens[1])
    if len(lines.lines) - lines.at != rows:
        lines.fail(f"{rows} rows should follow, and nothing behind them")
    demand(rows * (len(names) + len(features)) <= MOST_CELLS, "the table is too large for this checker")
    demand(not numbers or rows <= MOST_ROWS_OF_NUMBERS, "a table of numbers has too many rows")
    called = [*target, *numbers]
    return Head(names, matrix or None, features, weights[0] if weights else None, called[0] if called else None, bool(numbers), rows)


@dataclass
class Data:
    """A table as it stands in its file: ``lines`` of costs that the rows look at, and their weights.

    Where numbers are predicted, such a line holds the row's number alone.
    """

    head: Head
    columns: list[Column]
    lines: list[list[float]]
    weights: list[float]
    fingerprint: str


def make_column(name: str, cells: list, category: bool) -> Column:
    """``cells``: numbers or texts; None = missing."""
    distinct = sorted({cell for cell in cells if cell is not None})
    place = {value: i for i, value in enumerate(distinct)}
    return Column(name, np.array([-1 if cell is None else place[cell] for cell in cells]), distinct, category)


def read_table(content: bytes) -> Data:
    lines = Lines(content)
    head = read_head(lines)
    places = {name: i for i, name in enumerate(head.labels)}
    count = 1 if head.predicts_numbers else len(head.labels)
    of_classes = head.target is not None and not head.predicts_numbers
    matrix = head.matrix or [[float(a != y) for a in range(count)] for y in range(count)]
    cells: list[list] = [[] for _ in head.features]
    costs, weights, seen = [], [], set()
    while lines.at < len(lines.lines):
        tokens = lines.tokens()
        if len(tokens) != len(cells) + (head.weights is not None) + (1 if of_classes else count):
            lines.fail("it has more or fewer cells than there are columns")
        for (_, category), column, token in zip(head.features, cells, tokens):
            column.append(None if token == "-" else lines.text(token) if category else lines.number(token))
        weights.append(lines.number(tokens[len(cells)]) if head.weights is not None else 1.0)
        if weights[-1] < 0:
            lines.fail("a weight is negative")
        if not of_classes:
            costs.append([lines.number(token) for token in tokens[-count:]])
        elif (label := lines.text(tokens[-1])) in places:
            costs.append(matrix[places[label]])
            seen.add(label)
        else:
            lines.fail(f'"{label}" is none of the labels')
        lines.at += 1
    unseen = [name for name in head.labels if name not in seen]
    demand(not of_classes or head.matrix is not None or not unseen, "a label of the table has no rows")
    columns = [make_column(name, column, category) for (name, category), column in zip(head.features, cells)]
    return Data(head, columns, costs, weights, fnv1a(content))


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


@dataclass
class Table:
    """``costs``: the whole costs of each label, by row; ``least``: what the rows cost if each had its cheapest label; ``tell_shares``:
    whether the unit is fine enough for shares of gains; ``numbers``: instead of all these, weights and targets where these are numbers."""

    columns: list[Column]
    labels: list[str]
    costs: list[list[int]]
    least: Fraction
    rounding: Fraction
    tell_shares: bool
    numbers: list[tuple[float, float]] | None = None


def make_table(data: Data, unit: Fraction) -> Table:
    keys = [(tuple(line), weight) for line, weight in zip(data.lines, data.weights)]
    known = {key: whole_costs(list(key[0]), key[1], unit) for key in set(keys)}
    counted = [known[key] for key in keys]
    demand(sum(max(row.costs) for row in counted) <= MOST, "the unit makes sums inexact")
    return Table(
        data.columns,
        data.head.labels,
        [row.costs for row in counted],
        sum((row.least for row in counted), Fraction(0)),
        sum((row.rounding for row in counted), Fraction(0)),
        all(row.to_last_digits for row in counted) or unit * 2**49 <= sum((row.gains for row in counted), Fraction(0)),
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
        demand(column.is_wide(), f"column '{name}' has few levels, and an ordering of one against the rest")
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


def shares_of(levels: list, table: Table) -> tuple[list, list[list[list]]]:
    """The levels that are not rare; and for each label all levels, those of equal share in a group, by ascending share. The share of a
    label in a level is what it gains over the dearest one of each row, of all that labels gain there; 0 in a level without gains."""
    labels = range(len(table.labels))
    of_label: dict = defaultdict(lambda: [0] * len(labels))
    for level, costs in zip(levels, table.costs):
        for label, cost in enumerate(costs):
            of_label[level][label] += max(costs) - cost
    gains = [sum(gained[k] for gained in of_label.values()) for k in labels]
    frequent = [level for level, gained in of_label.items() if any(0 < gains[k] <= gained[k] * RARE for k in labels)]
    groups = []
    for k in labels:
        share = {level: Fraction(gained[k], max(sum(gained), 1)) for level, gained in of_label.items()}
        groups.append([list(group) for _, group in itertools.groupby(sorted(share, key=share.__getitem__), key=share.__getitem__)])
    return frequent, groups


def rounded_down(number: Fraction) -> float:
    """The largest double that is not above a number of at least 0."""
    double = float(min(number, Fraction(sys.float_info.max)))
    return math.nextafter(double, 0.0) if Fraction(double) > number else double


def means_of(levels: list, numbers: list[tuple[float, float]]) -> tuple[list, list[list]]:
    """The levels that are not rare; and all levels by ascending mean, those that no split by means parts in a group."""
    least = Fraction(min((target for weight, target in numbers if weight > 0), default=0.0))
    weights: dict = defaultdict(Fraction)
    amounts: dict = defaultdict(Fraction)
    for level, (weight, target) in zip(levels, numbers):
        weights[level] += Fraction(weight)
        amounts[level] += Fraction(weight) * (Fraction(target) - least)
    total = sum(weights.values(), Fraction(0))

    def mean(amount: Fraction, weight: Fraction) -> float:
        low = rounded_down(weight)
        return rounded_down(amount) / low if low > 0 else 0.0

    of_all = mean(sum(amounts.values(), Fraction(0)), total)
    means = {level: mean(amounts[level], weight) if weight > 0 else of_all for level, weight in weights.items()}
    order = sorted(means, key=means.__getitem__)
    near = 2.0**-40 * means[order[-1]]
    groups = [order[:1]]
    for before, level in zip(order, order[1:]):
        if means[level] - means[before] > near:
            groups.append([])
        groups[-1].append(level)
    return [level for level, weight in weights.items() if 0 < total <= weight * RARE], groups


def splits_of_wide(column: Column, table: Table) -> tuple[list, list[list[list]]]:
    """The levels that are not rare; and the orders of all levels, in groups that no split parts: one for each label, or one of means."""
    levels = [None if code < 0 else column.distinct[code] for code in column.codes]
    if table.numbers is None:
        return shares_of(levels, table)
    frequent, means = means_of(levels, table.numbers)
    return frequent, [means]


def is_by_share(groups: list[list], rank: dict) -> bool:
    """Whether levels of a smaller share have smaller ranks."""
    return all(max(rank[level] for level in a) < min(rank[level] for level in b) for a, b in zip(groups, groups[1:]))


def check_narrow(column: Column, by_level: list[dict]) -> None:
    """Every set of levels, or its complement, must be a beginning of some ordering."""
    present, held = column.present(), set()
    for rank_of in by_level:
        for rank in range(1, max(rank_of[level] for level in present) + 1):
            held.add(frozenset(level for level in present if rank_of[level] < rank))
    for size in range(1, len(present)):
        for subset in map(frozenset, itertools.combinations(present, size)):
            demand(subset in held or frozenset(present) - subset in held, f"the proof lacks splits by column '{column.name}'")


def check_wide(column: Column, by_level: list[dict], frequent: list, shares: list[list[list]]) -> None:
    """Levels that are not rare must be split from the rest, and for each label those of the larger shares, or those of larger means."""
    present, alone = column.present(), set()
    for rank_of in by_level:
        for end in (0, max(rank_of[level] for level in present)):
            here = [level for level in present if rank_of[level] == end]
            alone |= set(here) if len(here) == 1 else set()
    demand(set(frequent) <= alone, f"the proof lacks splits by column '{column.name}'")
    for groups in shares:
        # Of equal shares there is no split.
        found = len(groups) == 1 or any(is_by_share(groups, rank) or is_by_share(groups[::-1], rank) for rank in by_level)
        demand(found, f"the proof lacks splits by column '{column.name}'")


def column_ranks(column: Column, orderings: list[dict], table: Table) -> list[np.ndarray]:
    """The rank of each code in each ordering of a column. They must hold every split by this column, each once."""
    name, present = column.name, column.present()
    if len(present) <= 1:
        demand(not orderings, f"column '{name}' has no split, and an ordering")
        return []
    frequent: list = []
    shares: list[list[list]] = []
    most = MOST_ORDERINGS if column.category else 2 if None in present else 1
    if column.is_wide():
        demand(table.tell_shares, f"column '{name}' has many levels, and the unit is too coarse for the shares of labels")
        frequent, shares = splits_of_wide(column, table)
        most = len(frequent) + len(shares)
    demand(len(orderings) <= most, f"column '{name}' has more orderings than splits need")
    ranks = [ranks_of(ordering, column) for ordering in orderings]
    demand(len({tuple(rank) for rank in ranks}) == len(ranks), f"column '{name}' has an ordering twice")
    by_level = [dict(zip([*column.distinct, None], rank.tolist())) for rank in ranks]
    if not column.category:
        demand(len(ranks) == most, f"column '{name}' has {len(ranks)} orderings, and its splits need {most}")
        demand(most == 1 or ranks[0][-1] > 0, f"column '{name}' has missing values first, and then last")
    elif column.is_wide():
        check_wide(column, by_level, frequent, shares)
    else:
        check_narrow(column, by_level)
    return ranks


def all_ranks(proof: Proof, table: Table) -> list[np.ndarray]:
    """The rank of each row in each ordering."""
    places = [ordering["column"] for ordering in proof.orderings]
    demand(places == sorted(places), "the orderings are not in the order of the columns")
    demand(not places or places[-1] < len(table.columns), "an ordering is one of a column that the table lacks")
    demand(len(places) * len(table.costs) <= MOST_CELLS, "the proof has too many orderings for this checker")
    mine: dict[int, list] = defaultdict(list)
    for ordering in proof.orderings:
        mine[ordering["column"]].append(ordering)
    return [rank[column.codes] for i, column in enumerate(table.columns) for rank in column_ranks(column, mine[i], table)]


def groups_of(columns: list[Column], rows: int) -> list[list[int]]:
    """The rows that have equal values in all columns."""
    groups: dict = defaultdict(list)
    for row in range(rows):
        groups[tuple(column.codes[row] for column in columns)].append(row)
    return list(groups.values())


def item_ranks(ranks: list[np.ndarray], first: list[int]) -> np.ndarray:
    """Those of the items, whose first rows these are, without orderings that sort the items as an earlier one, or in reverse."""
    kept: list[np.ndarray] = []
    known: set[bytes] = set()
    for rank in ranks:
        distinct, dense = np.unique(rank[first], return_inverse=True)
        if len(distinct) > 1 and dense.tobytes() not in known:
            known |= {dense.tobytes(), (len(distinct) - 1 - dense).tobytes()}
            kept.append(rank[first])
    return np.array(kept).reshape(len(kept), len(first))


def make_items(proof: Proof, table: Table) -> Items:
    first, gains, counts, lost, step = [], [], [], 0, 2**proof.grid
    for rows in groups_of(table.columns, len(table.costs)):
        costs = [sum(of_label) for of_label in zip(*(table.costs[row] for row in rows))]
        lost += min(costs)
        # Where leaves must hold rows, a group that costs nothing helps them to.
        if max(costs) > min(costs) or proof.min_rows > 1:
            first.append(rows[0])
            counts.append(len(rows))
            gains.append([(max(costs) - cost) * step for cost in costs])
    demand(2 * sum(map(max, gains)) + proof.price <= MOST, "the sums would not be exact on this grid")
    gain = np.array(gains, dtype=np.int64).reshape(len(first), len(table.labels))
    rank = item_ranks(all_ranks(proof, table), first)
    return Items(rank, gain, gain.max(axis=1, initial=0), np.array(counts, dtype=np.int64), lost)


def shares(depth: int, splits: int) -> list[tuple[int, int]]:
    """Limits on the splits of both sides of a cut. Each tree of ``depth`` levels with ``splits`` splits keeps to one of them."""
    most, below = 2 ** (depth - 1) - 1, splits - 1
    if below >= 2 * most:
        return [(most, most)]
    return [(left, below - left) for left in range(max(0, below - most), min(most, below) + 1)]


class Checker:
    def __init__(self, proof: Proof, items: Items) -> None:
        self.proof, self.items = proof, items

    def leaf(self, part: np.ndarray) -> int:
        return int(self.items.reach[part].sum()) - self.items.most_gained(self.items.gain[part].sum(axis=0))

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
                least = min(least, self.proof.price + reach - self.items.most_of_two(before, gains - before))
        return least

    def named_cuts(self, part: np.ndarray, ordering: np.ndarray, recounted: bool, limited: bool) -> list[Cut]:
        distinct, rows = np.unique(ordering[part]), self.items.rows[part]
        possible = set(distinct.tolist())
        if limited:
            possible = {rank for rank in possible if self.fits(rows[ordering[part] < rank].sum(), rows.sum())}
        count = self.proof.number()
        if count == 0:
            demand(recounted, "cuts without bounds")
            all_cuts = [Cut(int(rank)) for rank in distinct[1:] if int(rank) in possible]
            demand(len(all_cuts) <= FEW_CUTS, f"more than {FEW_CUTS} cuts are named at once")
            return all_cuts
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
            left, right = np.full_like(between, a.left_of_all), np.full_like(between, b.right_of_all)
            if self.items.saves_reach:
                left = np.maximum(left, b.left - (b.reach - between))
                right = np.maximum(right, a.right - (between - a.reach))
            if (self.proof.price + left + right < claim).any():
                raise Refused(f"a cut between two named ones may cost less than {claim}")
        if any(self.proof.price + cut.left + cut.right < claim for cut in cuts):
            raise Refused(f"a named cut costs less than {claim}")

    def part(self, part: np.ndarray, depth: int, splits: int, claim: int, limited: bool) -> None:
        """No tree of ``depth`` levels and ``splits`` splits on the items ``part`` costs less than ``claim``.

        ``limited``: of those trees whose leaves hold enough rows.
        """
        splits = min(splits, 2**depth - 1)
        if self.items.trivial_bound(part, splits + 1, self.proof.price) >= claim:
            return
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


def decimal(number: Fraction, up: bool = False) -> str:
    """With twelve decimals at most, rounded down or up: what is said of a bound must not be more than was shown."""
    scaled = math.ceil(number * 10**12) if up else math.floor(number * 10**12)
    digits = f"{abs(scaled):013}"
    return ("-" if scaled < 0 else "") + f"{digits[:-12]}.{digits[-12:]}".rstrip("0").rstrip(".")


def sentence(proof: Proof, data: Data, price: str, bound: str) -> str:
    """All that it says was compared with the proof or stands in the table. Texts are printable as they are spelled."""
    head = data.head
    limits = [] if proof.max_splits is None else [f"at most {proof.max_splits} splits"]
    limits += [f"at least {proof.min_rows} rows in each leaf"] if proof.min_rows > 1 else []
    labels = ", ".join(f'"{name}"' for name in head.labels)
    said = f"no tree of axis and category splits of depth at most {proof.depth}{' with ' if limits else ''}{' and '.join(limits)} for "
    said += f"the labels {labels}" if head.target is None else f'"{head.target}"'
    loss = "squared error" if head.predicts_numbers else "errors" if head.target is not None and head.matrix is None else "costs"
    said += f" on these {head.rows} rows has {loss}" + ("" if head.weights is None else f' weighted by "{head.weights}"')
    said += (f" + {price} * splits" if proof.price > 0 else "") + f" below {bound}"
    if head.matrix is not None:
        lines = (f'"{name}" ' + " ".join(map(spelled, line)) for name, line in zip(head.labels, head.matrix))
        said += f"; costs of the labels {labels} by class: " + ", ".join(lines)
    if wide := ", ".join(f'"{column.name}"' for column in data.columns if column.is_wide()):
        said += f"; categories of more than {MAX_SUBSET_LEVELS} levels ({wide}) are split by single levels that are not rare"
        said += " and by their mean targets" if head.predicts_numbers else " and by shares of labels"
    return said


def check_body(proof: Proof, items: Items) -> None:
    splits = 2**proof.depth - 1 if proof.max_splits is None else proof.max_splits
    Checker(proof, items).part(np.arange(len(items.reach)), proof.depth, splits, proof.bound, proof.min_rows > 1)
    demand(proof.at == len(proof.body), "something follows the end of the body")


def verify_labels(proof: Proof, data: Data) -> str:
    """What the proof shows of trees that say a label."""
    unit = binary(proof.unit, "'unit'")
    table = make_table(data, unit)
    items = make_items(proof, table)
    check_body(proof, items)
    shown = (Fraction(proof.bound, 2**proof.grid) + items.lost) * unit - table.rounding
    # No row costs less than its cheapest label.
    bound = table.least + max(Fraction(0), shown)
    return sentence(proof, data, decimal(Fraction(proof.price, 2**proof.grid) * unit, up=True), decimal(bound))


class NumberRow(NamedTuple):
    """A row that has a number: its whole weight, its whole amount, and the double that was rounded to it."""

    weight: int
    amount: int
    near: float


def make_number_rows(proof: Proof, data: Data) -> list[NumberRow]:
    unit, center = binary(proof.unit, "'unit'"), float(binary(proof.center, "'center'", -MOST))
    weights = [math.floor(Fraction(weight) / unit + Fraction(1, 2)) for weight in data.weights]
    demand(sum(weights) <= MOST, "the unit makes sums of weights inexact")
    near = [weight * (number - center) * 2.0**proof.digits for weight, (number,) in zip(weights, data.lines)]
    demand(all(abs(double) <= MOST for double in near), "an amount is too large")
    sizes = [math.floor(Fraction(abs(double)) + Fraction(1, 2)) for double in near]
    demand(sum(sizes) <= MOST, "the digits make sums of amounts inexact")
    return [NumberRow(weight, -size if double < 0 else size, double) for weight, size, double in zip(weights, sizes, near)]


def make_number_table(data: Data) -> Table:
    """What tells how columns are split."""
    numbers = [(weight, number) for weight, (number,) in zip(data.weights, data.lines)]
    return Table(data.columns, [], [[] for _ in numbers], Fraction(0), Fraction(0), True, numbers)


def make_number_items(proof: Proof, data: Data, rows: list[NumberRow]) -> NumberItems:
    grid = proof.grid
    demand(sum(gained(row.weight, row.amount, grid) for row in rows) <= MOST, "the sums would not be exact on this grid")
    groups = groups_of(data.columns, len(rows))
    sums = [(sum(rows[i].weight for i in group), sum(rows[i].amount for i in group)) for group in groups]
    alone = [gained(weight, amount, grid) for weight, amount in sums]
    lost = sum(math.floor(exact_gain(row.weight, row.amount, grid)) for row in rows) - sum(alone)
    rank = item_ranks(all_ranks(proof, make_number_table(data)), [group[0] for group in groups])
    gain, reach, counts = (np.array(of_items, dtype=np.int64) for of_items in (sums, alone, list(map(len, groups))))
    return NumberItems(rank, gain, reach, counts, lost, grid)


def number_bound(proof: Proof, data: Data, rows: list[NumberRow], lost: int) -> float:
    """What trees lose at least with the numbers and weights of the table, where they lose ``bound + lost`` steps with the whole ones.

    Each operation is rounded to the nearest double, in this order: all checkers get the same bytes. (``sum`` would be more exact.)
    """
    unit = binary(proof.unit, "'unit'")
    steps = proof.bound + lost
    counted = [(row, weight, number) for row, weight, (number,) in zip(rows, data.weights, data.lines) if row.weight > 0]
    if steps <= 0 or not counted:
        return 0.0
    far = heavier = 0.0
    for row, weight, _ in counted:
        off = (abs(row.near - row.amount) + 2.0**-51 * abs(row.near)) + 2.0**-100
        far += (off / row.weight) * off
        heavier += max(0.0, float(row.weight * unit - Fraction(weight)))
    moved = math.sqrt(far) * (1 + 2.0**-20)
    numbers = [number for _, _, number in counted]
    width = (max(numbers) - min(numbers)) * 2.0**proof.digits
    weighed = ((heavier / float(unit)) * (width * width)) * (1 + 2.0**-20)
    shown = float(steps) * 2.0**-proof.grid
    less = (2 * moved) * math.sqrt(shown) + weighed
    rest = (shown - less) - 2.0**-48 * (shown + less)
    return rest * float(unit / Fraction(4) ** proof.digits) if rest > 0 else 0.0


def verify_numbers(proof: Proof, data: Data) -> str:
    """What the proof shows of trees that predict numbers."""
    rows = make_number_rows(proof, data)
    items = make_number_items(proof, data, rows)
    check_body(proof, items)
    exact = proof.price * binary(proof.unit, "'unit'") / Fraction(4) ** proof.digits / Fraction(2) ** proof.grid
    price = float(exact)
    if Fraction(price) < exact:
        price = float(np.nextafter(price, math.inf))
    return sentence(proof, data, spelled(price), spelled(number_bound(proof, data, rows, items.lost)))


def verify(table_path: Path, path: Path) -> str:
    """What the proof shows."""
    proof = read_proof(path)
    data = read_table(table_path.read_bytes())
    demand(data.fingerprint == proof.table, "the proof speaks of another table")
    demand(data.head.predicts_numbers == (proof.center is not None), "either the table or the header is one of numbers")
    return f"verified: {verify_numbers(proof, data) if data.head.predicts_numbers else verify_labels(proof, data)}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("table", type=Path)
    parser.add_argument("proof", type=Path)
    arguments = parser.parse_args()
    try:
        print(verify(arguments.table, arguments.proof))
    except Refused as problem:
        sys.exit(f"FAILS: {problem}")


if __name__ == "__main__":
    main()
