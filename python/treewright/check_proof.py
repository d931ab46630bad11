"""Verifies a proof file of ``treewright fit --proof`` by plain recounting. Needs Python and numpy, nothing of treewright.

    python check_proof.py DATA.csv FILE.proof [--weights COLUMN] [--missing TEXT ...]

It says what no tree can do, or where the proof fails, and exits with 0 or 1. The format and what follows from what: docs/proof-format.md.
"""

from __future__ import annotations

import argparse
import csv
import itertools
import json
import math
import sys
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path

import numpy as np

FIRST_LINE = b"treewright proof 1\n"
MAX_SUBSET_LEVELS = 12  # categories of more levels are split one against the rest or by the share of a class


class Refused(Exception):
    """The proof does not hold."""


@dataclass
class Items:
    """Rows of equal values and class are one item; what every tree must lose among rows of equal values is taken off.

    rank: shape (orderings, items); label, weight: shape (items).
    """

    rank: np.ndarray
    label: np.ndarray
    weight: np.ndarray
    lost: float


@dataclass
class Cut:
    """Items of a rank below ``rank`` go left. ``left`` and ``right`` bound the trees on either side."""

    rank: int
    left: float = 0
    right: float = 0
    weight: float = 0  # left of the cut


@dataclass
class Proof:
    depth: int
    price: float
    grid: float
    bound: float
    unit: float
    orderings: list[dict]
    body: bytes
    rows: int
    target: str
    at: int = 0
    counts: dict[str, int] = field(default_factory=lambda: {"claims": 0, "stumps": 0})

    def number(self) -> int:
        value, shift = 0, 0
        while True:
            if self.at == len(self.body):
                raise Refused("the body ends too early")
            byte = self.body[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value


def fnv1a(content: bytes) -> str:
    total = 14695981039346656037
    for byte in content:
        total = (total ^ byte) * 1099511628211 % 2**64
    return f"{total:016x}"


def read_proof(path: Path) -> Proof:
    content = path.read_bytes()
    if not content.startswith(FIRST_LINE):
        raise Refused("this is no proof, or one of another version")
    start = content.index(b"\n", len(FIRST_LINE)) + 1
    header = json.loads(content[len(FIRST_LINE) : start])
    body, checksum = content[start:-16], content[-16:].decode()
    if len(body) != header["bytes"] or checksum != fnv1a(content[:-16]):
        raise Refused("the file is damaged")
    keys = ("depth", "price", "grid", "bound", "unit", "orderings", "rows", "target")
    return Proof(**{key: header[key] for key in keys}, body=body)


def read_columns(path: Path, missing: set[str]) -> dict[str, list[str | None]]:
    """Each column's cells; None = missing."""
    with path.open(newline="", encoding="utf-8-sig") as file:
        names, *rows = [row for row in csv.reader(file) if row]
    return {name.strip(): [None if row[i].strip() in missing else row[i].strip() for row in rows] for i, name in enumerate(names)}


def codes_of(cells: list[str | None], numeric: bool) -> tuple[np.ndarray, list]:
    """Cells as indices into their sorted distinct values; -1 = missing."""
    values = [None if cell is None else float(cell) if numeric else cell for cell in cells]
    distinct = sorted({value for value in values if value is not None})
    index = {value: i for i, value in enumerate(distinct)}
    return np.array([-1 if value is None else index[value] for value in values]), distinct


def ranks_of(ordering: dict, codes: np.ndarray, distinct: list) -> np.ndarray:
    if "levels" not in ordering:
        return codes + 1 if ordering.get("missing") == "first" else np.where(codes < 0, len(distinct), codes)
    last = len(ordering["levels"])
    place = dict.fromkeys([*distinct, None], last)
    for rank, group in reversed(list(enumerate(groups_of(ordering)))):  # where a level is first counts
        place.update(dict.fromkeys(group, rank))
    of_code = [place[level] for level in [*distinct, None]]
    return np.array(of_code)[codes]


def groups_of(ordering: dict) -> list[list]:
    """The levels of each rank; those of the last one need not be listed."""
    return [entry if isinstance(entry, list) else [entry] for entry in ordering["levels"]]


def family_sets(present: set, shares: list[dict]) -> Iterator[frozenset]:
    """The sets of levels that split a category. ``shares``: of each class in each level."""
    if len(present) <= MAX_SUBSET_LEVELS:
        for size in range(1, len(present)):
            yield from (frozenset(subset) for subset in itertools.combinations(present, size))
        return
    yield from (frozenset([level]) for level in present)
    for share in shares:
        for least in set(share.values()) - {min(share.values())}:
            yield frozenset(level for level in present if share[level] >= least)


def shares_of(levels: list, labels: np.ndarray, weights: np.ndarray) -> list[dict]:
    """The exact share of each class in the weight of each level; 0 in a level without weight."""
    total: dict = defaultdict(int)
    of_class: dict = defaultdict(int)
    for level, label, weight in zip(levels, labels, weights):
        total[level] += int(weight)
        of_class[level, label] += int(weight)
    return [{level: Fraction(of_class[level, k], max(total[level], 1)) for level in total} for k in range(max(labels) + 1)]


def check_family(name: str, orderings: list[dict], codes: np.ndarray, distinct: list, labels: np.ndarray, weights: np.ndarray) -> None:
    """The orderings must hold every split by this column."""
    levels = [None if code < 0 else distinct[code] for code in codes]
    present = set(levels)
    if len(present) <= 1:
        return
    if not any("levels" in ordering for ordering in orderings):
        sides = {ordering.get("missing") for ordering in orderings}
        if not ({"first", "last"} <= sides if None in present else orderings):
            raise Refused(f"the proof lacks splits by {name}")
        return
    prefixes = set()
    for ordering in orderings:
        before: set = set()
        for group in groups_of(ordering):
            before |= set(group)
            prefixes.add(frozenset(before & present))
    for subset in family_sets(present, shares_of(levels, labels, weights)):
        if subset not in prefixes and present - subset not in prefixes:
            raise Refused(f"the proof lacks splits by {name}")


def make_items(proof: Proof, columns: dict[str, list[str | None]], weights: np.ndarray) -> Items:
    labels, classes = codes_of(columns[proof.target], numeric=False)
    if len(labels) != proof.rows or (labels < 0).any():
        raise Refused(f"the proof speaks of {proof.rows} rows with a class")
    codes, rank = {}, []
    for name in {ordering["name"]: None for ordering in proof.orderings}:
        mine = [ordering for ordering in proof.orderings if ordering["name"] == name]
        codes[name] = codes_of(columns[name], numeric="levels" not in mine[0])
        check_family(name, mine, *codes[name], labels, weights)
    for ordering in proof.orderings:
        rank.append(ranks_of(ordering, *codes[ordering["name"]]))
    table = np.array([code for code, _ in codes.values()]).reshape(len(codes), len(labels)).T
    group = np.unique(table, axis=0, return_inverse=True)[1].reshape(-1)
    of_class = np.zeros((group.max() + 1, len(classes)))
    np.add.at(of_class, (group, labels), weights)
    lightest = of_class.min(axis=1, keepdims=True)
    row_of_group = np.unique(group, return_index=True)[1]
    where, label = np.nonzero(of_class > lightest)
    rows = row_of_group[where]
    ranks = np.array([r[rows] for r in rank]).reshape(len(rank), len(rows))
    return Items(ranks, label, (of_class - lightest)[where, label], float(lightest.sum()) * (len(classes) - 1))


class Checker:
    def __init__(self, proof: Proof, items: Items, classes: int) -> None:
        self.proof, self.items, self.classes = proof, items, classes

    def class_weights(self, part: np.ndarray) -> np.ndarray:
        return np.bincount(self.items.label[part], self.items.weight[part], self.classes)

    def trivial_bound(self, weights: np.ndarray, depth: int) -> float:
        """A tree with j leaves pays for j - 1 splits and errs on all classes but j."""
        rest = weights.sum() - np.cumsum(np.sort(weights)[::-1])
        leaves = min(2**depth, len(rest))
        return float(min(rest[:leaves] + self.proof.price * np.arange(leaves)))

    def best_stump(self, part: np.ndarray) -> float:
        """The least cost of a tree with at most one split: every split of every ordering is counted."""
        weights = self.class_weights(part)
        least = weights.sum() - weights.max()
        for ordering in self.items.rank:
            distinct, rank = np.unique(ordering[part], return_inverse=True)
            before = np.zeros((len(distinct), self.classes))
            np.add.at(before, (rank, self.items.label[part]), self.items.weight[part])
            before = np.cumsum(before, axis=0)[:-1]
            if len(before) > 0:
                right = before.max(axis=1) + (weights - before).max(axis=1)
                least = min(least, self.proof.price + weights.sum() - right.max())
        self.proof.counts["stumps"] += 1
        return float(least)

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
            if step == 0 or rank > distinct[-1]:
                raise Refused("a cut sends all rows of its part the same way")
            bounds = [self.proof.number() * self.proof.grid for _ in range(2)] if depth > 2 else [0, 0]
            cuts.append(Cut(rank, *bounds))
        return cuts

    def check_ordering(self, part: np.ndarray, ordering: np.ndarray, cuts: list[Cut], shallow: float, claim: float) -> None:
        """Every cut, named or between two named ones, must cost at least the claim."""
        rank, weight = ordering[part], self.items.weight[part]
        for cut in cuts:
            cut.weight = float(weight[rank < cut.rank].sum())
        ends = [Cut(-1, 0, shallow, 0), *cuts, Cut(sys.maxsize, shallow, 0, float(weight.sum()))]
        distinct, inverse = np.unique(rank, return_inverse=True)
        before = np.cumsum(np.bincount(inverse, weight))  # of the cut at the next distinct rank
        for a, b in zip(ends, ends[1:]):
            between = before[:-1][(distinct[1:] > a.rank) & (distinct[1:] < b.rank)]
            left = np.maximum(a.left, b.left - (b.weight - between))
            right = np.maximum(b.right, a.right - (between - a.weight))
            if (self.proof.price + left + right < claim).any():
                raise Refused(f"a cut between two named ones may cost less than {claim}")
        if any(self.proof.price + cut.left + cut.right < claim for cut in cuts):
            raise Refused(f"a named cut costs less than {claim}")

    def part(self, part: np.ndarray, depth: int, claim: float) -> None:
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
            shallow = self.proof.number() * self.proof.grid
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


def verify(data: Path, path: Path, weights_column: str | None, missing: set[str]) -> str:
    proof = read_proof(path)
    columns = read_columns(data, missing)
    rows = len(columns[proof.target])
    weights = np.ones(rows) if weights_column is None else np.array([float(cell or 0) for cell in columns[weights_column]])
    multiples = np.round(weights / proof.unit)
    if not np.allclose(multiples * proof.unit, weights, rtol=1e-12, atol=0):
        raise Refused("the weights are no whole multiples of the proof's unit")
    if math.fmod(proof.price, proof.grid) != 0 or (2 * multiples.sum() + proof.price) / proof.grid > 2**53:
        raise Refused("the sums would not be exact")
    items = make_items(proof, columns, multiples)
    checker = Checker(proof, items, len(set(columns[proof.target])))
    checker.part(np.arange(len(items.label)), proof.depth, proof.bound)
    if proof.at != len(proof.body):
        raise Refused("bytes follow the end of the body")
    price = f" + {proof.price * proof.unit:g} * splits" if proof.price > 0 else ""
    counts = "{claims} claims, {stumps} best splits recounted".format(**proof.counts)
    named = {ordering["name"] for ordering in proof.orderings} | {proof.target, weights_column}
    others = [name for name, cells in columns.items() if name not in named and len(set(cells)) > 1]
    without = f"; columns that it does not split: {', '.join(others)}" if others else ""
    bound = (proof.bound + items.lost) * proof.unit
    return f"verified: no tree of depth at most {proof.depth} has errors{price} below {bound:.12g} ({counts}){without}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=Path)
    parser.add_argument("proof", type=Path)
    parser.add_argument("--weights", help="column of row weights")
    parser.add_argument(
        "--missing", nargs="*", default=["", "?", "NA", "NaN", "nan", "null", "N/A"], help="cells that stand for a missing value"
    )
    arguments = parser.parse_args()
    try:
        print(verify(arguments.data, arguments.proof, arguments.weights, set(arguments.missing)))
    except Refused as problem:
        sys.exit(f"FAILS: {problem}")


if __name__ == "__main__":
    main()
