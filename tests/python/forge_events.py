"""The adversary of forge.py for trees that predict rates and hazards: proofs of half the deviance, which `treewright check` alone reads.

`truth_of` is the truth about such a table, by logarithms of sixty digits.
"""

import decimal
import math
from decimal import Decimal
from fractions import Fraction
from typing import ClassVar

import forge
import numpy as np
from forge_numbers import WIDE, NumberForger, draw_weights, pair_of, power_of, sides_by_mean

from treewright import check_proof as plain

decimal.getcontext().prec = 60
REFUSED = "it is of rates or hazards, and these are checked by 'treewright check --proof' alone"


def read_events(text):
    """A table of events, read as one of numbers; and the exposures."""
    head, _, rows = text.partition(b"\nrows ")
    count, *lines = rows.decode().splitlines()
    cells = [line.split(" ") for line in lines]  # no text here has a blank
    word = b"\npoisson " if b"\npoisson " in head else b"\nsurvival "
    numbers = "".join(" ".join([*line[:-2], line[-1]]) + "\n" for line in cells)
    return plain.read_table(head.replace(word, b"\ntarget ") + f"\nrows {count}\n{numbers}".encode()), [float(line[-2]) for line in cells]


def products(read, exposures):
    """Of each row its exposure and its events, weighted, as doubles; none without exposure."""
    pairs = [(weight * time, weight * line[0]) for weight, time, line in zip(read.weights, exposures, read.lines)]
    return [(a, b if a > 0 else 0.0) for a, b in pairs]


def truth_of(read, exposures):
    """The truth about a table of events (forge.truth_by). Rows without exposure lose nothing here, and are not for trees to save."""
    weighted = [(Decimal(w) * Decimal(t), Decimal(w) * Decimal(line[0])) for w, t, line in zip(read.weights, exposures, read.lines)]
    rows = [(a, b) if a > 0 else (Decimal(0), Decimal(0)) for a, b in weighted]
    alone = [b * (b / a).ln() if b > 0 else Decimal(0) for a, b in rows]
    counted = [(Fraction(a), Fraction(b)) for a, b in products(read, exposures)]

    def leaf(part):
        exposure, events = (sum((rows[i][k] for i in part), Decimal(0)) for k in range(2))
        of_all = events * (events / exposure).ln() if events > 0 else Decimal(0)
        return max(Decimal(0), sum((alone[i] for i in part), Decimal(0)) - of_all)

    least = forge.truth_by(leaf, read.columns, lambda column: sides_by_mean(column.codes.tolist(), counted))

    def truth(depth, splits, least_rows, price, top="..."):
        found = least(depth, splits, least_rows, Decimal(price.numerator) / Decimal(price.denominator), top)
        return None if found is None else Fraction(found)

    return truth


def draw_events(draw, n, survival):
    """Exposures, and events of at least one row."""
    if survival:
        return [draw.choice([0.1, 0.25, 1.5, 0.7, draw.random()]) for _ in range(n)], [
            1.0,
            *(float(draw.randrange(2)) for _ in range(n - 1)),
        ]
    exposures = [draw.choice([[1.0], [0.25, 1.0, 2.0], [draw.random() + 0.01]][kind]) for kind in [draw.randrange(3)] for _ in range(n)]
    rates = draw.choice([[0, 0, 1, 2], [0, 1e9, 1e9 + 1], [0.5, 0.25, 0, 3], [0, 0, 0, 1e-60], [40, 50, 60]])
    return exposures, [max(rates), *(float(draw.choice(rates)) for _ in range(n - 1))]


class EventForger(NumberForger):
    """A table of events, whole numbers of its rows on some grid with a bound that a checker can show, and proofs about it."""

    wrong_values: ClassVar = {
        "grid": [-75, 101, True, math.nan, 0.5],
        "unit": [[0, 0], [2, 0], [-1, 0], [1, -881], [1, 881], [2**53 + 1, 0], [1, 0, 0], 1.0, [True, 0]],
        "exposure": [[0, 0], [2, 0], [-1, 0], [1, -881], [1, 881], [2**53 + 1, 0], [1, 0, 0], None, 0, [False, 0]],
    }

    center, digits = (0, 0), 0  # the page has none here

    def draw_predicted(self, n):
        draw = self.draw
        self.survival = draw.random() < 0.4
        self.exposures, events = draw_events(draw, n, self.survival)
        weights = draw_weights(draw, n) if self.weighted else [1.0] * n
        weights = [1.0] * n if max(weights) > 1e100 or not any(weights) else weights
        weights[0] = weights[0] or 1.0  # of the row that surely has an event
        return weights, self.weighted, "survival" if self.survival else "poisson", list(zip(self.exposures, events))

    def read_text(self):
        self.read, self.exposures = read_events(self.text)
        self.read.fingerprint = plain.fnv1a(self.text)
        self.rows_counted = products(self.read, self.exposures)

    def splits_table(self):
        rates = [(a, Fraction(b) / Fraction(a) if a > 0 else Fraction(0)) for a, b in self.rows_counted]
        return plain.Table(self.read.columns, [], [[] for _ in rates], Fraction(0), Fraction(0), True, rates)

    def truth(self):
        return truth_of(self.read, self.exposures)

    def draw_scale(self):
        draw = self.draw
        amounts = [[pair[k] for pair in self.rows_counted if pair[k] > 0] for k in range(2)]
        about = [draw.choice([min(of), max(of), draw.choice(of)]) for of in amounts]
        finer = [draw.choice([0, 0, 2, 10, 20, 30, 30, 30]) - (draw.choice([0, 1, 2]) if self.coarse else 0) for _ in range(2)]
        self.exposure, self.unit = (pair_of(math.ldexp(draw.choice([1.0, 3.0, 1.5, 0.7]) * of, -more)) for of, more in zip(about, finer))
        events = sum(map(Fraction, amounts[1])) / plain.binary(self.unit, "")
        self.grid = min(max(draw.choice([3, 10, 30, 30, 45]) - power_of(events), -74), 100)

    def is_on_the_page(self):
        for pair in (self.unit, self.exposure):
            plain.demand(Fraction(2) ** -880 <= plain.binary(pair, "") <= Fraction(2) ** 880, "a unit is too large or too small")
        numbers = [number for pair in self.rows_counted for number in pair if number > 0]
        plain.demand(all(2.0**-1000 <= number <= 2.0**900 for number in numbers), "numbers are too large or too small")

    def gained(self, exposure, events):
        """In steps."""
        if exposure == 0 or self.all_events == 0:
            return Decimal(0)
        expected = Decimal(self.all_events) * exposure / self.all_exposure
        near = events * (events / expected).ln() if events > 0 else Decimal(0)
        return max(Decimal(0), near - events + expected) * Decimal(2) ** self.grid

    def off(self, exposure, events):
        """By how many steps a checker may count a leaf for cheaper than it is."""
        expected = Decimal(self.all_events) * exposure / self.all_exposure if self.all_exposure > 0 else 0
        return 4 + math.ceil((events + expected) * Decimal(2) ** (self.grid - 40))

    def items_of(self, proof):
        exposure, unit = plain.binary(self.exposure, ""), plain.binary(self.unit, "")

        def nearest(number, of):
            return max(1, math.floor(Fraction(number) / of + Fraction(1, 2))) if number > 0 else 0

        def below(number, of):
            near = nearest(number, of)
            return near - (near > 1 and (near * of - Fraction(number)) * 2**48 > Fraction(number))

        rows = [(below(a, exposure), nearest(b, unit)) for a, b in self.rows_counted]
        self.all_exposure, self.all_events = (sum(of) for of in zip(*rows))
        plain.demand(max(self.all_exposure, self.all_events) <= plain.MOST, "the units make sums inexact")
        plain.demand(sum(math.ceil(self.gained(*row)) + self.off(*row) for row in rows) <= plain.MOST, "the sums would not be exact")
        groups = plain.groups_of(self.read.columns, len(rows))
        sums = [tuple(sum(rows[i][k] for i in group) for k in range(2)) for group in groups]
        rank = plain.item_ranks(plain.all_ranks(proof, self.splits_table()), [group[0] for group in groups])
        gain, reach, counts = (
            np.array(of, dtype=np.int64) for of in (sums, [math.ceil(self.gained(*of)) for of in sums], list(map(len, groups)))
        )
        return plain.NumberItems(rank, gain, reach, counts, 0, self.grid)

    def leaf(self, part):
        exposure, events = (sum(self.gain[i][k] for i in part) for k in range(2))
        lost = sum(self.reach[i] for i in part) - math.ceil(self.gained(exposure, events))
        return max(0, lost - self.off(exposure, events))

    def header(self, bound):
        header = {("exposure" if key == "center" else key): value for key, value in super().header(bound).items() if key != "digits"}
        return {**header, "exposure": list(self.exposure)}

    def change_header(self, header):
        draw = self.draw
        if draw.random() < 0.5:
            forge.Forger.change_header(self, header)
        elif draw.random() < 0.5:
            header["grid"] = draw.choice([header["grid"] + 1, header["grid"] - 1, 0, 100, -74, 101, -75, None, 0.5, "1"])
        else:
            odd = [[0, 0], [2, 0], [-1, 0], [1, 0], [1, 880], [1, -880], [2**53 - 1, 820], [1, 1024], None, [1], 0]
            key = draw.choice(["exposure", "unit"])
            header[key] = draw.choice([*odd, [header[key][0], header[key][1] + 1], [header[key][0], header[key][1] - 1]])


def draw_fit(draw, folder):
    """Writes data.csv, with a column for the exposure or the event; the options that read it, and limits of trees."""
    n, survival = draw.choice([*range(5, 11), 15]), draw.random() < 0.4
    kinds = ["wide", "number"] if n == 15 else [draw.choice(["number", "category"]) for _ in range(draw.randrange(1, 4))]
    columns = [
        [WIDE[i % 14] if kind == "wide" else draw.choice("rgb") if kind == "category" else str(draw.randrange(5)) for i in range(n)]
        for kind in kinds
    ]
    exposures, events = draw_events(draw, n, survival)
    weighted = draw.random() < 0.4
    columns += [
        [draw.choice(["1", "2", "0.5", "1.3"]) for _ in range(n)],
        [f"{of:.6g}" for of in exposures],
        [f"{of:.17g}" for of in events],
    ]
    if survival:  # the target is the time
        columns[-2:] = columns[-1], [str(draw.randrange(1, 9)) for _ in range(n)]
    names = [*(f"x{i}" for i in range(len(kinds))), "w", "t", "y"]
    (folder / "data.csv").write_text("".join(",".join(line) + "\n" for line in [names, *zip(*columns)]))
    reading = ["--loss", "survival" if survival else "poisson", "--event" if survival else "--exposure", "t", "--target", "y"]
    reading += ["--weights", "w"] if weighted else ["--drop", "w"]
    limits = ["--max-depth", str(draw.choice([0, 1, 2, 2] if n == 15 else [1, 2, 2, 3]))]
    limits += ["--alpha", draw.choice(["0.001", "0.05", "0.3"])] if draw.random() < 0.4 else []
    limits += ["--min-leaf", draw.choice("23")] if draw.random() < 0.3 else []
    return reading, limits
