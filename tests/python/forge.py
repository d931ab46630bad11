"""An adversary who knows the format of proofs: builds files from scratch for random tables, with the goal of a bound above the optimum.

Each file has a right checksum and, unless its attack is about that, the right fingerprint. `honest` makes a proof that
holds and `false_claims` files of a raised bound; broken_rules.py makes proofs and tables that break one rule of the format each.
"""

import copy
import itertools
import json
import math
import re
from fractions import Fraction
from functools import cache
from types import SimpleNamespace
from typing import ClassVar

from treewright import check_proof as plain

COST_COLUMNS = ["c0", "c1", "c2"]
DEAR = "1013309916158361.5"
LEVELS = ["r", "g", "\\xc3\\xa9"]  # as tables spell them
FIELDS = set(plain.Proof.__dataclass_fields__)  # of a header that the plain checker knows
COSTS = ["0", "0", "1", "1", "2", "0.5", "-1", "-0.3", "7", "1.1"]

CLAIM = (
    r"no tree of axis and category splits of depth at most (?P<depth>\d+)(?: that begins with (?P<top>.+?))?"
    r"(?: with at most (?P<splits>\d+) splits)?(?: (?:with|and) at least (?P<rows>\d+) rows in each leaf)?"
    r' for (?:"[^"]*"|the labels [^;]*?) on these \d+ rows has (?:errors|costs|squared error|half the deviance)(?: weighted by "[^"]*")?'
    r"(?: \+ (?P<price>\S+) \* splits)? below (?P<bound>[^;\s]+)"
)
QUESTION = re.compile(
    r'"(?P<name>[^"]*)" (?:< (?P<below>\S+)(?P<or> or missing)?|(?P<has>has a value)|(?P<is>is missing)|'
    r'in \{(?P<levels>(?:"[^"]*"|missing|, )*)\}) \(yes: '
)


def top_in(words, read):
    """The given splits that a sentence names, as truth_by takes them."""

    def begun(rest):
        if rest.startswith(("leaf", "...")):
            return rest[: rest.startswith("leaf") + 3], rest[rest.startswith("leaf") + 3 :]
        question = QUESTION.match(rest)
        column = next(column for column in read.columns if column.name == question["name"])
        codes = dict(enumerate(column.distinct)) | {-1: None}
        left = {code for code, value in codes.items() if goes_left(question, value)}
        on_left, rest = begun(rest[question.end() :])
        on_right, rest = begun(rest.removeprefix(", no: "))
        rows = frozenset(row for row, code in enumerate(column.codes.tolist()) if code in left)
        return (rows, on_left, on_right), rest.removeprefix(")")

    top, rest = begun(words)
    assert rest == "", words
    return top


def goes_left(question, value):
    if question["below"]:
        return value < float(question["below"]) if value is not None else question["or"] is not None
    if question["levels"]:
        return ("missing" if value is None else f'"{value}"') in re.findall('"[^"]*"|missing', question["levels"])
    return (value is None) == (question["is"] is not None)


def draw_rows(draw):
    """Names and rows: numbers, categories (few levels or many), missing values, costs of three labels, weights; two or three classes."""
    n, classes = draw.randrange(4, 15), draw.choice([2, 2, 3])
    kinds = [draw.choice(["number", "number", "category", "copy"]) for _ in range(draw.randrange(1, 4))]
    if draw.random() < 0.1:
        n, kinds = draw.randrange(26, 34), ["wide"]
    alike = kinds == ["wide"] and draw.random() < 0.4  # columns of costs tell no label from another
    holes = draw.choice([0, 0, 0.2])
    rows = []
    for i in range(n):
        cells = []
        for kind in kinds:
            value = str(draw.randrange(6)) if kind == "number" else draw.choice(LEVELS) if kind == "category" else f"t{i % 13:02}"
            if kind == "copy":
                value = str(i % 3)
            cells.append("" if draw.random() < holes else value)
        costs = [draw.choice(COSTS)] * 3 if alike else [draw.choice(COSTS) for _ in range(3)]
        rows.append([*cells, *costs, draw.choice(["1", "2", "0.5", "1.3"]), "abc"[draw.randrange(classes)]])
    rows[0][-1], rows[1][-1] = "a", "b"
    return [*(f"x{i}" for i in range(len(kinds))), *COST_COLUMNS, "w", "y"], rows


def draw_limited_rows(draw):
    """Few rows and splits, for trees that need few rows in their leaves."""
    n = draw.randrange(6, 11)
    rows = [[str(draw.randrange(n)), str(draw.randrange(2)), "0", "1", "1", "1", draw.choice("aab")] for _ in range(n)]
    rows[0][-1], rows[1][-1] = "a", "b"
    return ["x0", "x1", *COST_COLUMNS, "w", "y"], rows


def draw_near_rows(draw):
    """Weights and costs that differ by little or by much, often beside a category of many levels: what a unit can hide."""
    if draw.random() < 0.2:
        rows = [[draw.choice("rg"), str(i % 2), *draw.sample(["0", "0.125"], 2), DEAR, "1", "ab"[i % 2]] for i in range(4)]
        return ["x0", "x1", *COST_COLUMNS, "w", "y"], rows
    wide = draw.random() < 0.6
    rows, cost = [], lambda: draw.choice(["0", "0", "0.125", "1", "1.09", "3"])
    for i in range(28 if wide else draw.randrange(4, 9)):
        level, x = (f"t{i // 2:02}", i % 2) if wide else (draw.choice("rgb"), draw.randrange(2))
        label = "ab"[(x + (i < 14)) % 2] if draw.random() < 0.8 else draw.choice("ab")
        rows.append([level, str(x), cost(), cost(), cost(), draw.choice(["50", "50", "50.00000000001", "51", "49.9"]), label])
    rows[0][-1], rows[1][-1] = "a", "b"
    return ["x0", "x1", *COST_COLUMNS, "w", "y"], rows


def draw_reading(draw, dear):
    """What labels cost, and whether rows have weights. `dear`: one label costs all rows much."""
    kind = "columns" if dear else draw.choice(["errors", "errors", "errors", "one class", "matrix", "matrix", "columns", "columns"])
    labels = COST_COLUMNS[: 3 if dear else draw.choice([2, 3, 3])] if kind == "columns" else None
    return {"kind": kind, "costs": labels, "weighted": draw.random() < 0.5}


def table_of(names, rows, reading, draw):
    """The canonical table of drawn rows, with costs of the labels by class where they are asked for."""
    columns = dict(zip(names, zip(*rows)))
    features = [name for name in names if name.startswith("x")]
    categories = {name for name in features if any(cell and not cell.isdigit() for cell in columns[name])}
    target = ["a" if cell == "a" else "not a" for cell in columns["y"]] if reading["kind"] == "one class" else list(columns["y"])
    labels = reading["costs"] or sorted(set(target))
    lines = ["treewright table 1", " ".join(["labels", *(f'"{label}"' for label in labels)])]
    if reading["kind"] == "matrix":
        lines += [" ".join(["costs", *(draw.choice(COSTS) for _ in labels)]) for _ in labels]
    lines += [f'{"level" if name in categories else "number"} "{name}"' for name in features]
    lines += ['weight "w"'] if reading["weighted"] else []
    lines += [f'cost "{label}"' for label in labels] if reading["costs"] else ['class "y\\x22"']
    lines.append(f"rows {len(rows)}")
    for i, label in enumerate(target):
        cells = [(f'"{columns[name][i]}"' if name in categories else columns[name][i]) if columns[name][i] else "-" for name in features]
        cells += [columns["w"][i]] if reading["weighted"] else []
        cells += [columns[name][i] for name in reading["costs"]] if reading["costs"] else [f'"{label}"']
        lines.append(" ".join(cells))
    return "".join(line + "\n" for line in lines).encode()


def binary(text):
    """The double nearest to a number, as a header writes it."""
    a, b = float(text).as_integer_ratio()
    e = 1 - b.bit_length()
    while a % 2 == 0:
        a, e = a // 2, e + 1
    return [a, e]


def orderings_of(column, place, table):
    """All splits of a column, in the words of a header."""
    base, present = {"column": place}, column.present()
    if len(present) < 2:
        return []
    if not column.category:
        return [{**base, "missing": side} for side in ("last", "first")] if None in present else [base]
    if column.is_wide():
        frequent, shares = plain.splits_of_wide(column, table)
        singles = [{**base, "level": level} for level in frequent]
        known = {json.dumps([[level], [other for other in present if other != level]]) for level in frequent}
        for share in shares:
            groups = [[level for level in present if level in group] for group in share]
            if len(groups) > 1 and json.dumps(groups) not in known:
                known.add(json.dumps(groups))
                singles.append({**base, "levels": groups})
        return singles
    # Every order of few levels: each set of levels is at the beginning of some.
    orders = list(itertools.permutations(present)) if len(present) < 4 else [o for o in itertools.permutations(present)][:462]
    return [{**base, "levels": [[level] for level in order]} for order in orders]


def coarse(content, doublings):
    """A proof of the same table in a larger unit, in which labels cost nothing or little: it holds, and shows nothing."""
    first, header, _ = content.split(b"\n", 2)
    header = json.loads(header)
    header |= {"unit": [header["unit"][0], header["unit"][1] + doublings], "grid": 0, "price": 0, "bound": 0, "bytes": 0}
    content = first + b"\n" + json.dumps(header, separators=(",", ":")).encode() + b"\n"
    return content + plain.fnv1a(content).encode()


def falsely_optimal(best, other):
    """The tree file `best` with the tree of `other`, which claims to be optimal as well."""
    forged = copy.deepcopy({key: value for key, value in best.items() if key != "checksum"})
    forged["tree"] = other["tree"]
    claims = ["objective", "errors", "cost", "accuracy", "splits", "terms", "leaves", "depth"]
    forged["result"] |= {key: other["result"][key] for key in claims if key in other["result"]}
    forged["result"]["bound"] = forged["result"]["objective"]
    return forged


class Forger:
    """A table with its optimum, and proofs about it."""

    wrong_values: ClassVar = {}  # of the header, besides those of broken_rules.py

    def __init__(self, draw, folder, limited=False, near=False):
        self.draw, self.data = draw, folder / f"{draw.randrange(10**12)}.tw"
        names, rows = draw_limited_rows(draw) if limited else draw_near_rows(draw) if near else draw_rows(draw)
        reading = draw_reading(draw, rows[0][-3] == DEAR)
        self.text = table_of(names, rows, reading, draw)
        self.data.write_bytes(self.text)
        self.read = plain.read_table(self.text)
        whole = reading["kind"] in ("errors", "one class") and not reading["weighted"]
        self.unit = [1, 0] if whole else draw.choice([[1, -1], [1, -6], [1, -30]])
        if near:
            self.unit = binary(draw.choice(["1", "1", "50", "51", "1.09", "0.125", "0.01", repr(2**-30), repr(2**-41)]))
        table = self.table = plain.make_table(self.read, plain.binary(self.unit, ""))
        while not near and not table.tell_shares and any(column.is_wide() for column in table.columns):
            self.unit = [1, self.unit[1] - 1]
            table = self.table = plain.make_table(self.read, plain.binary(self.unit, ""))
        table.tell_shares = True  # whether that is so is for the checkers to find out
        self.depth, self.grid = draw.randrange(5), draw.choice([0, 0, 2])
        self.max_splits = draw.choice([None, None, draw.randrange(9)])
        self.price = draw.choice([0, 0, 1, 3])
        self.min_rows = draw.choice([1, 1, 2, 3])  # of a leaf
        if near:
            self.depth, self.grid, self.max_splits, self.price, self.min_rows = draw.choice([1, 2]), 0, None, 0, 1
        if limited:
            self.depth, self.grid, self.max_splits = draw.choice([2, 3, 3, 3, 4]), 0, draw.choice([None, 3, 4, 5])
            self.min_rows = draw.choice([2, 3])
        self.orderings = [o for i, column in enumerate(table.columns) for o in orderings_of(column, i, table)]
        self.count_items()

    def count_items(self):
        self.best = cache(self.least)  # of this adversary, and gone with it
        self.items = self.items_of(plain.Proof(**{key: value for key, value in self.header(0).items() if key in FIELDS}, body=b""))
        self.ranks = [[int(rank) for rank in ranks] for ranks in self.items.rank]
        self.gain, self.reach = self.items.gain.tolist(), self.items.reach.tolist()
        self.rows = self.items.rows.tolist()
        self.everything = frozenset(range(len(self.reach)))
        self.splits = 2**self.depth - 1 if self.max_splits is None else self.max_splits
        self.optimum = self.best(self.everything, self.depth, self.splits, self.min_rows > 1)

    def items_of(self, proof):
        return plain.make_items(proof, self.table)

    def header(self, bound):
        return {
            "made_by": "forger", "table": self.read.fingerprint, "unit": list(self.unit), "grid": self.grid, "depth": self.depth,
            "max_splits": self.max_splits, "min_rows": self.min_rows, "price": self.price, "bound": bound,
            "orderings": copy.deepcopy(self.orderings), "bytes": 0,
        }  # fmt: skip

    def gains(self, part):
        """Of each label, the largest first."""
        return sorted((sum(self.gain[i][k] for i in part) for k in range(len(self.table.labels))), reverse=True)

    def leaf(self, part):
        return sum(self.reach[i] for i in part) - self.gains(part)[0]

    def cuts(self, part, f):
        return sorted({self.ranks[f][i] for i in part})[1:]

    def side(self, part, f, rank):
        left = frozenset(i for i in part if self.ranks[f][i] < rank)
        return left, part - left

    def fits(self, left, right):
        return min(sum(self.rows[i] for i in half) for half in (left, right)) >= self.min_rows

    def least(self, part, depth, splits, limited):
        """The optimum by brute force, in steps; `limited`: of trees whose leaves hold enough rows."""
        least = self.leaf(part)
        if depth == 0 or splits <= 0 or least == 0:
            return least
        most = 2 ** (depth - 1) - 1
        few = min(splits - 1, 2 * most)
        for f in range(len(self.ranks)):
            for rank in self.cuts(part, f):
                left, right = self.side(part, f, rank)
                if limited and not self.fits(left, right):
                    continue
                for n in range(max(0, few - most), min(few, most) + 1):
                    least = min(least, self.price + self.best(left, depth - 1, n, limited) + self.best(right, depth - 1, few - n, limited))
        return least

    def trivial(self, part, leaves):
        gains, reach = self.gains(part), sum(self.reach[i] for i in part)
        return min(max(0, reach - sum(gains[:j])) + (j - 1) * self.price for j in range(1, min(leaves, len(gains)) + 1))

    def told(self, bound, lie):
        """What is written of a bound: the truth, or more, or less."""
        self.tellings += 1
        if self.tellings == self.lie_at:
            return max(0, bound + self.lie_by)
        return bound + (self.draw.random() < lie)

    def named(self, part, depth, f, share, claim, lie, limited):
        """The cuts to name: those that hold the claim, which are all if it is true. With `lie` some are left out, moved or made up."""
        draw, cuts = self.draw, self.cuts(part, f)
        if lie == 0:
            sides = [(rank, self.side(part, f, rank)) for rank in cuts]
            fitting = [(rank, halves) for rank, halves in sides if not limited or self.fits(*halves) or self.names_light]
            costs = [(rank, [self.best(half, depth - 1, n, limited) for half, n in zip(halves, share)]) for rank, halves in fitting]
            return [rank for rank, bounds in costs if self.price + sum(bounds) >= claim]
        light = [rank for rank in cuts if limited and not self.fits(*self.side(part, f, rank))]
        named = [rank for rank in cuts if draw.random() >= lie and (rank not in light or draw.random() < lie / 4)]
        if draw.random() < lie:
            low = min(self.ranks[f][i] for i in part)
            named = sorted(named + [low + draw.randrange(1, 8) for _ in range(draw.randrange(1, 4))])
        return named

    def body(self, part, depth, splits, claim, lie, limited):
        """The numbers that show the claim, if it holds: each cut is named."""
        draw, splits = self.draw, min(splits, 2**depth - 1)
        if self.trivial(part, splits + 1) >= claim or splits <= 1:
            return []
        numbers, sides, recounted = [], [], depth == 2 or splits == 2
        if not recounted:
            shallow = self.told(self.best(part, depth - 1, splits - 1, limited), lie)
            numbers += [shallow, *self.body(part, depth - 1, splits - 1, shallow, lie, limited)]
        is_true = claim <= self.best(part, depth, splits, limited)
        for f, share in itertools.product(range(len(self.ranks)), plain.shares(depth, splits)):
            if not self.cuts(part, f):
                continue
            fitting = [rank for rank in self.cuts(part, f) if not limited or self.fits(*self.side(part, f, rank))]
            few = len(fitting) <= plain.FEW_CUTS or draw.random() < lie / 4
            if recounted and few and (is_true or lie > 0) and draw.random() < 0.5:
                numbers.append(0)
                continue
            named, low = self.named(part, depth, f, share, claim, lie, limited), min(self.ranks[f][i] for i in part)
            numbers.append(len(named) + 1)
            for rank in named:
                numbers.append(max(0, rank - low))
                low = rank
                if recounted:
                    continue
                halves = list(zip(self.side(part, f, rank), share))
                bounds = [self.told(self.best(half, depth - 1, n, limited), lie) for half, n in halves]
                of_all = [self.told(self.best(half, depth - 1, n, False), lie) for half, n in halves] if limited else bounds
                numbers += [*bounds, *(of_all if limited else [])]
                for (half, n), bound, least in zip(halves, bounds, of_all):
                    sides += self.body(half, depth - 1, n, bound, lie, True) if half and bound > least else []
                    sides += self.body(half, depth - 1, n, least, lie, False) if half else []
        return numbers + sides

    def proved(self, claim, lie=0.0, lie_at=0, lie_by=1, names_light=False):
        self.tellings, self.lie_at, self.lie_by, self.names_light = 0, lie_at, lie_by, names_light
        return self.body(self.everything, self.depth, self.splits, claim, lie, self.min_rows > 1)

    def one_lie(self, count):
        """Claims and bodies with one number that is wrong by a step; else all is true, and no cut is named that shows it."""
        yield self.optimum + 1, self.proved(self.optimum + 1)
        yield self.optimum, self.proved(self.optimum, names_light=True)
        tellings = self.tellings
        for at in self.draw.sample(range(1, tellings + 1), min(count, tellings)):
            for more, by in [(0, 1), (0, -1), (1, 1)]:
                yield self.optimum + more, self.proved(self.optimum + more, lie_at=at, lie_by=by)

    def honest(self):
        return self.file(self.header(self.optimum), self.proved(self.optimum))

    @staticmethod
    def encoded(numbers):
        out = bytearray()
        for number in numbers:
            while number >= 128:
                out.append(number & 127 | 128)
                number >>= 7
            out.append(number)
        return bytes(out)

    def file(self, header, numbers):
        body = self.encoded(numbers) if isinstance(numbers, list) else numbers
        return self.signed(json.dumps({**header, "bytes": len(body)}, ensure_ascii=False, separators=(",", ":")), body)

    def signed(self, header, body, first=None):
        content = (first or plain.FIRST_LINE) + header.encode() + b"\n" + body
        return content + plain.fnv1a(content).encode()

    def false_claims(self, count):
        """Files that claim more than the optimum, or that claim it for other reasons than those that hold."""
        draw = self.draw
        for _ in range(count):
            claim = self.optimum + draw.choice([1, 1, 1, 2, 5, 1 << max(self.grid, 0), 2**40, plain.MOST])
            header = self.header(claim)
            numbers = self.proved(claim, draw.choice([0, 0.1, 0.3, 0.6]))
            for _ in range(draw.randrange(3)):
                self.change_numbers(numbers)
            unchanged = copy.deepcopy(header)
            if draw.random() < 0.4:
                self.change_header(header)
            body = self.encoded(numbers)
            if draw.random() < 0.1 and body:
                body = draw.choice([body[:-1], body + b"\0", body + body, body[:1] + b"\x80\0" + body[1:], b"\xff" * 9 + body])
            # Another table, price or depth may make the claim true.
            same = all(header[key] == unchanged[key] for key in header if key not in ("table", "orderings"))
            yield self.file(header, body), same

    def change_numbers(self, numbers):
        draw = self.draw
        at = draw.randrange(len(numbers)) if numbers else 0
        what = draw.randrange(5)
        if what == 0 or not numbers:
            numbers.insert(at, draw.choice([0, 1, 2, 3, plain.MOST, 2**53]))
        elif what == 1:
            del numbers[at]
        elif what == 2:
            numbers[at] = draw.choice([0, 1, numbers[at] + 1, numbers[at] + 5, max(0, numbers[at] - 1), 2**31, 2**32, plain.MOST])
        elif what == 3:
            numbers.insert(at, numbers[at])
        else:
            other = draw.randrange(len(numbers))
            numbers[at], numbers[other] = numbers[other], numbers[at]

    def change_header(self, header):
        draw = self.draw
        orderings = header["orderings"]
        what = draw.randrange(8)
        if what == 0:
            key = draw.choice(["grid", "depth", "price", "max_splits", "min_rows"])
            here = header[key] or 0
            header[key] = draw.choice([0, 1, here + 1, here - 1, 52, 53, 60, 61, plain.MOST, 2**53, 2**64, 1e999, 0.5, True, None, "1"])
        elif what == 1:
            header["unit"] = draw.choice([[1, 0], [1, 1], [1, 900], [1, -60], [0, 0], [2, 0], [-1, 0], [3, 1023], [1, -1074], 1, [1]])
        elif what == 2 and orderings:
            del orderings[draw.randrange(len(orderings))]
        elif what == 3 and orderings:
            orderings.insert(draw.randrange(len(orderings) + 1), copy.deepcopy(draw.choice(orderings)))
        elif what == 4:
            header["orderings"] = draw.choice([[], orderings[::-1], None, {}])
        elif what == 5 and orderings:
            ordering = draw.choice(orderings)
            change = [{"column": ordering["column"] + 1}, {"name": "x0"}, {"missing": "last"}, {"missing": "first"}, {"level": "r"}]
            ordering |= draw.choice([*change, {"levels": [["r"], ["g", "b"]]}, {"levels": [["0"], ["1"]]}, {"levels": [[None], ["r"]]}])
        elif what == 6 and any("levels" in ordering for ordering in orderings):
            groups = draw.choice([ordering for ordering in orderings if "levels" in ordering])["levels"]
            at = draw.randrange(len(groups))
            draw.choice(
                [
                    lambda: groups.pop(at),
                    lambda: groups.append(groups[at]),
                    lambda: groups[at].append("zz"),
                    lambda: groups.append([]),
                    lambda: groups[at].clear(),
                    lambda: groups[at].append(groups[0][0] if groups[0] else None),
                ]
            )()
        else:
            header["table"] = draw.choice(["0" * 16, "", header["table"].upper() + " "])


def left_sides(column, of_wide):
    """The codes that a split of the column sends left, -1 = missing: each split once or twice. `of_wide`: those of more than 12 levels."""
    present = sorted(set(column.codes.tolist()))
    if column.is_wide():
        return of_wide
    if column.category:
        return [set(some) for size in range(1, len(present) // 2 + 1) for some in itertools.combinations(present, size)]
    below = [set(range(code)) for code in range(len(column.distinct))]
    return [*below[1:], *([left | {-1} for left in below] if -1 in present else [])]


def sides_by_share(column, table):
    """The same of a category of many levels, by the levels that are not rare and the shares of labels."""
    codes = {level: code for code, level in enumerate(column.distinct)} | {None: -1}
    frequent, shares = plain.splits_of_wide(column, table)
    below = [list(itertools.chain(*groups[:i])) for groups in shares for i in range(1, len(groups))]
    return [{codes[level] for level in levels} for levels in [*([level] for level in frequent), *below]]


def truth_by(leaf, columns, wide_sides):
    """Of a table, a function of limits, a price and given splits: the least cost of all trees, by trying every one.

    `leaf`: the cost of rows in one leaf, never below 0. `wide_sides`: what splits of a category of many levels send left. Given splits
    are "...", where any tree may follow, "leaf", or the rows that go left with what is given on the two sides. None: there is no such tree.
    """
    rows = len(columns[0].codes)
    sides = {
        frozenset(row for row, code in enumerate(column.codes.tolist()) if code in left)
        for column in columns
        for left in left_sides(column, wide_sides(column) if column.is_wide() else [])
    }
    leaf = cache(leaf)

    @cache
    def best(part, depth, splits, least_rows, price):
        least = leaf(part)
        if depth == 0 or splits == 0 or least == 0:
            return least
        most = 2 ** (depth - 1) - 1
        few = min(splits - 1, 2 * most)
        for left in {part & side for side in sides}:
            if min(len(left), len(part) - len(left)) < max(1, least_rows):
                continue
            for n in range(max(0, few - most), min(few, most) + 1):
                halves = best(left, depth - 1, n, least_rows, price) + best(part - left, depth - 1, few - n, least_rows, price)
                least = min(least, price + halves)
        return least

    def begun(top, part, depth, splits, least_rows, price):
        if top in ("leaf", "..."):
            levels = 0 if top == "leaf" else min(depth, len(part))
            most = 2**levels - 1
            return best(part, levels, most if splits is None else min(splits, most), least_rows, price)
        assert splits is None, "given splits and a limit on all"
        left, on_left, on_right = top
        halves = [(part & left, on_left), (part - left, on_right)]
        if depth == 0 or min(len(half) for half, _ in halves) < max(1, least_rows):
            return None
        halves = [begun(below, half, depth - 1, None, least_rows, price) for half, below in halves]
        return None if None in halves else price + sum(halves)

    return lambda depth, splits, least_rows, price, top="...": begun(top, frozenset(range(rows)), depth, splits, least_rows, price)


def truth_of(read):
    """The truth about a table of labels, counted without a unit, by exact shares and fractions."""
    weights, labels = read.weights, range(len(read.head.labels))
    above = [[Fraction(w) * (Fraction(cost) - Fraction(min(line))) for cost in line] for w, line in zip(weights, read.lines)]
    cheapest = sum((Fraction(w) * Fraction(min(line)) for w, line in zip(weights, read.lines)), Fraction(0))
    scale = math.lcm(*(cost.denominator for line in above for cost in line))
    costs = [[int(cost * scale) for cost in line] for line in above]
    table = SimpleNamespace(labels=read.head.labels, costs=costs, numbers=None)

    def leaf(part):
        return min(sum(costs[row][label] for row in part) for label in labels)

    least = truth_by(leaf, read.columns, lambda column: sides_by_share(column, table))

    def truth(depth, splits, least_rows, price, top="..."):
        found = least(depth, splits, least_rows, price * scale, top)
        return None if found is None else cheapest + Fraction(found) / scale

    return truth


def exact_optimum(forger):
    """The least that any tree of the depth costs. Expects no limits but that."""
    return truth_of(forger.read)(forger.depth, None, 1, 0)


def true_bound(forger):
    """No proof may show more than this (in weight of rows)."""
    unit = plain.binary(forger.unit, "") / Fraction(2) ** forger.grid
    steps = forger.optimum + forger.items.lost * 2**forger.grid
    return float(forger.table.least + max(Fraction(0), steps * unit - forger.table.rounding))
