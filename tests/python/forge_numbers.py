"""The adversary of forge.py for trees that predict numbers: proofs of squared error, true ones and false ones.

`truth_of` is the truth about a table: the least loss of any tree within limits, in fractions of the very doubles of the table, without
unit, center or grid. `draw_fit` has the command write a proof of a random data file.
"""

import copy
import itertools
import math
import re
from fractions import Fraction
from typing import ClassVar

import forge
from forge import LEVELS, orderings_of

from treewright import check_proof as plain

WIDE = ["", *(f"t{i:02}" for i in range(13))]  # levels of a category of more than twelve
SENTENCE = re.compile(
    f"verified: {forge.CLAIM}"
    r"(?:; costs of the labels [^;]*)?(?:; categories of more than 12 levels \([^()]*\) are split by single levels that are not rare and "
    r"by (?:shares of labels|their mean targets|their rates))?"
)


def draw_numbers(draw, n):
    """Targets of many sizes, of few or many digits."""
    kind = draw.choice([0, 1, 1, 4, 6, *range(9)])
    if kind == 0:
        return [draw.choice([0.0, 1.0, 2.0, 5.0]) for _ in range(n)]
    if kind == 1:
        return [round(draw.gauss(0, 3), draw.randrange(4)) for _ in range(n)]
    if kind == 2:
        return [draw.gauss(0, 1) * 10.0 ** draw.choice([-300, 300, -160, 150, 9, -9]) for _ in range(n)]
    if kind == 3:
        return [draw.choice([1e300, -1e300, 1e-300, 0.0, 1.0]) for _ in range(n)]
    if kind == 4:  # near to each other, far from 0
        return [1e9 + draw.randrange(8) * draw.choice([2.0**-20, 1.0]) for _ in range(n)]
    if kind == 5:
        return [draw.choice([7.25, -1e-5, 1e300])] * n
    if kind == 6:  # on the edges of a grid
        return [draw.randrange(-9, 9) / 2 + draw.choice([0, 0, 2.0**-40, -(2.0**-40)]) for _ in range(n)]
    if kind == 7:
        return [draw.choice([5e-324, 1e-323, 2.5e-308, 0.0, -5e-324]) for _ in range(n)]
    return [draw.choice([8.9e307, -8.9e307, 1e307, 4e307]) for _ in range(n)]


def draw_weights(draw, n):
    kind = draw.randrange(6)
    some = [
        ["1"],
        ["1", "2", "0.5", "1.5"],
        ["0.1", "0.3", "1", "7"],
        ["1e-12", "1000000000000", "1"],
        ["0", "1", "0.5"],
        ["1e-140", "1e140"],
    ]
    return [float(draw.choice(some[kind])) for _ in range(n)]


def pair_of(value):
    """A double as a header writes it."""
    return forge.binary(repr(value)) if value != 0 else [0, 0]


def power_of(value):
    """Of 2, the power about which a fraction is."""
    return value.numerator.bit_length() - value.denominator.bit_length()


def table_of(columns, kinds, weights, weighted, word, numbers):
    """`word`: what is predicted; `numbers`: those that each row ends with."""
    lines = ["treewright table 1"]
    lines += [f'{"level" if kind in ("category", "wide") else "number"} "x{i}"' for i, kind in enumerate(kinds)]
    lines += ['weight "w"'] if weighted else []
    lines += [f'{word} "y"', f"rows {len(numbers)}"]
    for i, of_row in enumerate(numbers):
        cells = [column[i] for column in columns] + ([plain.spelled(weights[i])] if weighted else [])
        lines.append(" ".join([*cells, *(plain.spelled(number + 0.0) for number in of_row)]))
    return "".join(line + "\n" for line in lines).encode()


class NumberForger(forge.Forger):
    """A table of numbers, whole numbers of its rows on some grid with their optimum, and proofs about it."""

    wrong_values: ClassVar = {
        "grid": [-75, 21, True, math.nan, 0.5],
        "digits": [-501, 501, True, None, 0.5],
        "unit": [[0, 0], [2, 0], [-1, 0], [1, -501], [1, 501], [2**53 + 1, 0], [1, 0, 0], 1.0, [True, 0]],
        "center": [[0, 1], [2, 0], [-2, 0], [2**53 + 1, 0], [1, 1024], [1, -1075], [1, 1023], [-1, 1023], [1, 0, 0], None, 0, [False, 0]],
    }

    def __init__(self, draw, folder, coarse=False):
        self.coarse = coarse  # the unit and the digits hide much of small numbers
        self.draw, self.data = draw, folder / f"{draw.randrange(10**12)}.tw"
        n = draw.choice([1, 2, *range(4, 10), *range(6, 11)])
        kinds = [draw.choice(["number", "number", "category", "copy"]) for _ in range(draw.randrange(1, 4))]
        holes = draw.choice([0, 0, 0.2])
        self.wide = draw.random() < 0.2
        if self.wide:  # a category of more than twelve levels, and missing values in half of these
            n, kinds, holes = draw.choice([13, 14, 15]), ["wide", *kinds[:1]], 0
        levels = [*(f'"{name}"' for name in WIDE[1:]), draw.choice(["-", '"t13"'])]
        values = {
            "wide": lambda i: levels[i] if i < len(levels) else draw.choice(levels),
            "number": lambda i: str(draw.randrange(draw.choice([2, 4, 6]))),
            "category": lambda i: f'"{draw.choice(LEVELS)}"',
            "copy": lambda i: str(i % 3),
        }
        columns = [["-" if draw.random() < holes else values[kind](i) for i in range(n)] for kind in kinds]
        self.weighted = draw.random() < 0.6
        self.text = table_of(columns, kinds, *self.draw_predicted(n))
        self.data.write_bytes(self.text)
        self.read_text()
        splits = self.splits_table()
        self.orderings = [o for i, column in enumerate(self.read.columns) for o in orderings_of(column, i, splits)]
        self.depth = draw.choice([0, 1, 1, 2, 2, 2 if self.wide else 3])
        self.max_splits = draw.choice([None, None, draw.randrange(9)])
        self.min_rows = draw.choice([1, 1, 1, 2, 3])
        self.settle()

    def draw_predicted(self, n):
        """What table_of writes behind the columns."""
        draw = self.draw
        targets, weights = draw_numbers(draw, n), draw_weights(draw, n) if self.weighted else [1.0] * n
        if self.coarse:
            targets = [draw.choice([draw.gauss(0, 1), draw.randrange(-4, 5) / 2, 0.0, 1.0]) for _ in range(n)]
            weights = [draw.choice([1.0, 0.5, 1.5, 0.25, 2.5, draw.random()]) for _ in range(n)] if self.weighted else weights
        return weights, self.weighted, "target", [[target] for target in targets]

    def read_text(self):
        self.read = plain.read_table(self.text)

    def splits_table(self):
        """What tells how columns are split."""
        return plain.make_number_table(self.read)

    def truth(self):
        return truth_of(self.read)

    def is_on_the_page(self):
        """Raises plain.Refused where the header's numbers are none that the page allows."""
        plain.check_header({key: value for key, value in self.header(0).items() if key != "top"})

    def settle(self):
        """Some scale on which the sums of the table are exact, and what is true there. Raises plain.Refused if there seems to be none."""
        for attempt in range(99):
            self.price = 0
            self.draw_scale()
            try:
                self.is_on_the_page()
                self.count_items()
                break
            except plain.Refused:
                if attempt == 98:
                    raise
        total = sum(self.reach)
        self.price = self.draw.choice([0, 0, 1, total // 20, total // 5])
        self.count_items()

    def draw_scale(self):
        """Units of weights, a center, digits and a grid: fine ones, coarse ones, odd ones."""
        draw = self.draw
        weights = [weight for weight in self.read.weights if weight > 0] or [1.0]
        targets = [line[0] for line in self.read.lines]
        about = draw.choice([min(weights), max(weights), draw.choice(weights)])
        power = math.frexp(about)[1] - (0 if self.coarse else draw.choice([0, 0, 1, 3, 10, 20, 30]))
        power -= draw.choice([0, 1, 2]) if self.coarse else 0
        self.unit = pair_of(math.ldexp(draw.choice([1.0, 3.0, 1.5, 0.7]), min(max(power, -499), 498)))
        middle = sum(target / len(targets) for target in targets)
        self.center = pair_of(draw.choice([0.0, middle, middle, min(targets), max(targets), draw.choice(targets), 1.0, middle * 1.5 + 1]))
        center, unit = plain.binary(self.center, "", -plain.MOST), plain.binary(self.unit, "")
        heaviest = Fraction(max(weights)) / unit
        bits = power_of(max(abs(Fraction(target) - center) for target in targets) * heaviest)
        power = power_of(unit)
        most_bits = draw.choice([2, 4, 6] if self.coarse else [1, 3, 8, 16, 20, 25, 30, 40])
        self.digits = min(max(most_bits - bits, (power - 878) // 2, -500), (power + 878) // 2, 500)
        fine = draw.choice([3, 10, 30, 30, 45]) - 2 * (self.digits + bits) + power_of(heaviest)
        self.grid = min(max(fine, -74), 20) if draw.random() < 0.8 else draw.randrange(-74, 21)

    def items_of(self, proof):
        self.whole = plain.make_number_rows(proof, self.read)
        return plain.make_number_items(proof, self.read, self.whole)

    def header(self, bound):
        return {
            "made_by": "forger", "table": self.read.fingerprint, "unit": list(self.unit), "center": list(self.center),
            "digits": self.digits, "grid": self.grid, "depth": self.depth, "max_splits": self.max_splits, "min_rows": self.min_rows,
            "price": self.price, "bound": bound, "orderings": copy.deepcopy(self.orderings), "bytes": 0,
        }  # fmt: skip

    def leaf(self, part):
        sums = [sum(self.gain[i][k] for i in part) for k in range(2)]
        gained = Fraction(sums[1] ** 2, sums[0]) * Fraction(2) ** self.grid if sums[0] else 0
        return sum(self.reach[i] for i in part) - math.ceil(gained)

    def trivial(self, part, leaves):
        return self.leaf(part) if leaves == 1 else 0

    def named(self, part, depth, f, share, claim, lie, limited):
        """Of a true claim, the honest writer leaves out what the named cuts beside it show."""
        named = super().named(part, depth, f, share, claim, lie, limited)
        if lie > 0 or self.lie_at > 0 or claim > self.best(part, depth, self.splits, limited) or self.draw.random() < 0.3:
            return named
        shown = {None: (0, 0)}
        for rank in self.cuts(part, f):
            shown[rank] = tuple(self.best(half, depth - 1, n, False) for half, n in zip(self.side(part, f, rank), share))
        for rank in named[:]:
            rest = [None, *(other for other in named if other != rank), None]
            pairs = [
                (a, b, t)
                for a, b in itertools.pairwise(rest)
                for t in self.cuts(part, f)
                if (a is None or a < t) and (b is None or t < b) and (not limited or self.fits(*self.side(part, f, t)))
            ]
            if all(self.price + shown[a][0] + shown[b][1] >= claim for a, b, _ in pairs):
                named.remove(rank)
        return named

    def change_header(self, header):
        draw = self.draw
        if draw.random() < 0.4:
            super().change_header(header)
        elif draw.random() < 0.5:
            key = draw.choice(["digits", "grid"])
            header[key] = draw.choice([header[key] + 1, header[key] - 1, 0, 20, -74, 21, -75, 500, -500, 501, 52, None, 0.5, "1"])
        else:
            odd = [[0, 0], [0, 1], [2, 0], [-1, 0], [1, 0], [1, 1023], [1, -1074], [2**53 - 1, 900], [1, 1024], None, [1], 0]
            header[draw.choice(["center", "unit"])] = draw.choice([*odd, [header["unit"][0], header["unit"][1] + 1]])


def order_by_mean(codes, rows):
    """Of the levels of a wide category: those with a thousandth of the weight, and all levels in groups of ascending means, in exact
    fractions. `rows`: weights and amounts."""

    def sums(chosen):
        weight = sum(rows[i][0] for i in chosen)
        return weight, Fraction(sum(rows[i][1] for i in chosen)) / weight if weight else None

    everything, of_all = sums(range(len(rows)))
    of_level = {code: sums([i for i, other in enumerate(codes) if other == code]) for code in set(codes)}
    means = {code: (of_all or 0) if mean is None else mean for code, (_, mean) in of_level.items()}
    order = sorted(means, key=means.get)
    groups = [order[:1]]
    for before, code in itertools.pairwise(order):
        if (means[code] - means[before]) * 2**40 > means[order[-1]]:
            groups.append([])
        groups[-1].append(code)
    return [code for code, (weight, _) in of_level.items() if 0 < everything <= 1000 * weight], groups


def sides_by_mean(codes, rows):
    """The levels of single levels that are not rare, and those below a gap of means."""
    frequent, groups = order_by_mean(codes, rows)
    return [*({code} for code in frequent), *(set(itertools.chain(*groups[:i])) for i in range(1, len(groups)))]


def truth_of(read):
    """The truth about a table of numbers (forge.truth_by)."""
    rows = [(Fraction(weight), Fraction(line[0])) for weight, line in zip(read.weights, read.lines)]
    least = min((target for weight, target in rows if weight), default=0)
    amounts = [(weight, weight * (target - least)) for weight, target in rows]

    def leaf(part):
        weight = sum(rows[i][0] for i in part)
        middle = sum(rows[i][0] * rows[i][1] for i in part) / weight if weight else 0
        return sum(rows[i][0] * (rows[i][1] - middle) ** 2 for i in part)

    return forge.truth_by(leaf, read.columns, lambda column: sides_by_mean(column.codes.tolist(), amounts))


def both_of(said, truth, read=None):
    """The bound that a checker prints, and the least that any tree within the printed limits costs at the printed price, None if there is
    no such tree. `read`: the table, where splits are given."""
    found = SENTENCE.fullmatch(said)
    limits = int(found["depth"]), found["splits"] and int(found["splits"]), int(found["rows"] or 1), Fraction(found["price"] or 0)
    return Fraction(found["bound"]), truth(*limits, forge.top_in(found["top"], read) if found["top"] else "...")


def is_true(said, truth, read=None):
    """Whether what a checker prints is so."""
    bound, least = both_of(said, truth, read)
    return least is None or bound <= least


def draw_fit(draw, folder):
    """Writes data.csv; the options that read it, and limits of trees."""
    n = draw.choice([*range(4, 11)])
    kinds = [draw.choice(["number", "real", "category"]) for _ in range(draw.randrange(1, 4))]
    depth = draw.choice([0, 1, 1, 2, 2, 3])
    if draw.random() < 0.1:
        n, kinds, depth = 14, ["levels", "number"], 1  # the plain checker is slow with each set of twelve levels
    elif draw.random() < 0.2:
        n, kinds, depth = 15, ["wide", "number"], min(depth, 2)
    holes = draw.choice([0, 0, 0.2])
    values = {
        "number": lambda i: str(draw.randrange(5)),
        "real": lambda i: f"{draw.gauss(0, 2):.2f}",
        "category": lambda i: draw.choice("rgb"),
        "levels": lambda i: f"t{i % 12:02}",
        "wide": lambda i: WIDE[i % 14],
    }
    columns = [["" if draw.random() < holes and kind not in ("levels", "wide") else values[kind](i) for i in range(n)] for kind in kinds]
    columns += [list(map(repr, draw_weights(draw, n))), list(map(repr, draw_numbers(draw, n)))]
    names = [*(f"x{i}" for i in range(len(kinds))), "w", "y"]
    lines = [names, *zip(*columns)]
    (folder / "data.csv").write_text("".join(",".join(line) + "\n" for line in lines))
    reading = ["--loss", "squared", "--target", "y", *draw.choice([["--weights", "w"], ["--drop", "w"]])]
    limits = ["--max-depth", str(depth)]
    limits += ["--alpha", draw.choice(["0.001", "0.01", "0.1", "0.3"])] if draw.random() < 0.5 else []
    limits += ["--max-splits", str(draw.randrange(6))] if draw.random() < 0.3 else []
    limits += ["--min-leaf", draw.choice("223")] if draw.random() < 0.3 else []
    return reading, limits
