"""The adversary of forge.py for trees that begin with given splits: proofs of all kinds with the key `top`.

`treewright check` alone reads these; the other checkers refuse them.
"""

import copy
import itertools
import json
import random

import forge
import forge_events
from broken_rules import broken_rules
from forge import top_in
from forge_numbers import SENTENCE, NumberForger, is_true
from judges import judged, plainly, verified, written

from treewright import check_proof as plain

# What the plain checker says of honest proofs.
REFUSALS = [
    forge_events.REFUSED,
    "it is of trees that begin with given splits, and these are checked by 'treewright check --proof' alone",
]


def listed(top):
    """Given splits as a header lists them. A split is its ordering, its rank and what is given on its two sides."""
    return [top] if isinstance(top, str) else [[top[0], top[1]], *listed(top[2]), *listed(top[3])]


def in_header(content, read):
    """The given splits of a proof that is accepted, as truth_by takes them."""
    header = json.loads(content.split(b"\n", 2)[1])
    rest = iter(header.get("top", ["..."]))

    def begun():
        place = next(rest)
        if isinstance(place, str):
            return place
        ordering = header["orderings"][place[0]]
        column = read.columns[ordering["column"]]
        rank = plain.ranks_of(ordering, column)
        rows = frozenset(row for row, code in enumerate(column.codes) if rank[code] < place[1])
        on_left = begun()
        return rows, on_left, begun()

    return begun()


class Topped:
    """Of a forger, one whose trees begin with splits of the header's orderings."""

    top, row_ranks = "...", None

    def count_items(self):
        if self.row_ranks is None:
            self.max_splits = None
            columns = self.read.columns
            ranks = [(plain.ranks_of(o, columns[o["column"]]), columns[o["column"]]) for o in self.orderings]
            self.row_ranks = [[int(rank[code]) for code in column.codes] for rank, column in ranks]
            self.top = self.draw_top(range(len(self.read.weights)), min(self.depth, 3))
        super().count_items()
        groups = plain.groups_of(self.read.columns, len(self.read.weights))
        first = [group[0] for group in groups if self.is_item(group)]
        assert len(first) == len(self.rows)
        self.item_ranks = [[ranks[row] for row in first] for ranks in self.row_ranks]
        self.optimum = self.cost_of(self.top)

    def is_item(self, group):
        costs = [sum(of) for of in zip(*(self.table.costs[row] for row in group))]
        return max(costs) > min(costs) or self.min_rows > 1

    def draw_top(self, rows, levels):
        draw = self.draw
        cuts = [(o, rank) for o, ranks in enumerate(self.row_ranks) for rank in sorted({ranks[row] for row in rows})[1:]]
        if levels == 0 or not cuts or draw.random() < (0.1 if len(rows) == len(self.read.weights) else 0.4):
            return draw.choice(["...", "...", "leaf"])
        apart = [
            (o, rank) for o, rank in cuts if rank == {"first": 1, "last": max(self.row_ranks[o])}.get(self.orderings[o].get("missing"))
        ]
        o, rank = draw.choice(apart if apart and draw.random() < 0.3 else cuts)  # missing values against all others
        halves = [[row for row in rows if (self.row_ranks[o][row] < rank) == left] for left in (True, False)]
        return (o, rank, *(self.draw_top(half, levels - 1) for half in halves))

    def places(self, top, part, levels):
        """The leaves and open places, the items that reach each, and the levels that are left."""
        if isinstance(top, str):
            return [(top, part, levels)]
        o, rank, left, right = top
        below = frozenset(i for i in part if self.item_ranks[o][i] < rank)
        return self.places(left, below, levels - 1) + self.places(right, part - below, levels - 1)

    def least_in(self, part, levels):
        return self.best(part, levels, 2**levels - 1, self.min_rows > 1)

    def cost_of(self, top):
        places = self.places(top, self.everything, self.depth)
        costs = [self.leaf(part) if kind == "leaf" else self.least_in(part, levels) for kind, part, levels in places]
        return self.price * (len(places) - 1) + sum(costs)

    def header(self, bound):
        header = {}
        for key, value in super().header(bound).items():
            header |= {"top": listed(self.top)} if key == "price" else {}
            header[key] = value
        return header

    def segments(self, claim, lie=0.0):
        """The numbers of each open place. What is claimed beyond the optimum is claimed of one of them, or of none."""
        open_places = [(part, levels) for kind, part, levels in self.places(self.top, self.everything, self.depth) if kind == "..."]
        least = [self.least_in(*place) for place in open_places]
        if least and claim > self.optimum and self.draw.random() < 0.7:
            least[self.draw.randrange(len(least))] += claim - self.optimum
        told = [self.told(bound, lie) for bound in least]
        bodies = [self.body(part, levels, 2**levels - 1, bound, lie, self.min_rows > 1) for (part, levels), bound in zip(open_places, told)]
        return [[bound, *body] for bound, body in zip(told, bodies)]

    def proved(self, claim, lie=0.0, lie_at=0, lie_by=1, names_light=False):
        self.tellings, self.lie_at, self.lie_by, self.names_light = 0, lie_at, lie_by, names_light
        return [*itertools.chain(*self.segments(claim, lie))]

    def one_lie(self, count):
        """The first ones claim more than the numbers of the places add up to."""
        for more in (1, self.price, 2**40):
            yield self.optimum + more, self.proved(self.optimum)
        yield from super().one_lie(count)

    def change_header(self, header):
        if self.draw.random() < 0.5:
            header["top"] = listed(self.other_top())
        else:
            super().change_header(header)

    def other_top(self):
        """The same splits with one difference, or others."""
        draw = self.draw

        def changed(top):
            if isinstance(top, str):
                return {"leaf": "...", "...": "leaf"}[top]
            o, rank, left, right = top
            kind = draw.randrange(6)
            if kind < 2:
                return (o, rank, changed(left), right) if kind == 0 else (o, rank, left, changed(right))
            return draw.choice(
                [
                    (o, rank, right, left),
                    (o, max(1, rank + draw.choice([-1, 1])), left, right),
                    (draw.randrange(len(self.orderings)), rank, left, right),
                    draw.choice([left, right]),
                    (o, rank, top, right),
                ]
            )

        return changed(self.top) if draw.random() < 0.7 else self.draw_top(range(len(self.read.weights)), min(self.depth, 3))

    def grafts(self, count):
        """Files with the top, or the numbers of the places, of another proof of these rows; each may be true."""
        draw, own = self.draw, self.top
        for _ in range(count):
            claim = self.optimum + draw.choice([0, 0, 1])
            header, segments = self.header(claim), self.segments(claim)
            what = draw.randrange(5)
            if what == 0:
                draw.shuffle(segments)
            elif what == 1 and segments:
                del segments[draw.randrange(len(segments))]
            elif what == 2 and segments:
                segments.append(copy.copy(draw.choice(segments)))
            elif what > 2:
                self.top = self.other_top()
                if what == 3:
                    header["top"] = listed(self.top)
                elif self.fits_rows(self.top, range(len(self.read.weights)), self.depth):
                    header["bound"] = self.cost_of(self.top)
                    header["top"] = listed(draw.choice([own, self.top]))
                    segments = self.segments(header["bound"])
                self.top = own
            header["max_splits"] = draw.choice([None] * 9 + [3])
            header["depth"] += draw.choice([0] * 9 + [-1, 1])
            header["min_rows"] += draw.choice([0] * 9 + [-1, 1])
            yield self.file(header, [*itertools.chain(*segments)])

    def fits_rows(self, top, rows, levels):
        """Whether each split has rows on both sides."""
        if isinstance(top, str):
            return True
        halves = [[row for row in rows if (self.row_ranks[top[0]][row] < top[1]) == left] for left in (True, False)]
        return levels > 0 and all(halves) and all(self.fits_rows(below, half, levels - 1) for below, half in zip(top[2:], halves))

    def broken_tops(self):
        """Names and files whose splits break a rule."""
        header, body = self.header(self.optimum), self.proved(self.optimum)
        top = header["top"]
        tops = [[], None, "...", {}, 1, top * 2, [*top, "leaf"], [top], [*top[:-1], top[-1] + " "], [*top[:-1], None], [*top[:-1], "open"]]
        splits = [
            [0, 0],
            [0, -1],
            [-1, 1],
            [len(self.orderings), 1],
            [0, 2**53],
            [2**53, 1],
            [0],
            [0, 1, 1],
            [True, 1],
            [0, True],
            [0.5, 1],
        ]
        tops += [[split, *top, "leaf"] for split in [*splits, [0, 10**6], ["0", 1], [0, None], [], {}]]
        tops += [top[:-1], [[0, 1], "leaf"], [*top[:-1], "LEAF"]]
        for other in tops:
            yield f"the top {other}", self.file({**header, "top": other}, body)
        if any(isinstance(place, list) for place in top):
            yield "no level for the top", self.file({**header, "depth": 0}, body)
        yield "a limit on all splits", self.file({**header, "max_splits": 3}, body)
        yield "a top at another place", self.file({**{key: value for key, value in header.items() if key != "top"}, "top": top}, body)
        text = json.dumps({**header, "bytes": 0}, separators=(",", ":"))
        yield "two tops", self.signed(text.replace('"price"', '"top":["..."],"price"'), b"")


class TopForger(Topped, forge.Forger):
    def truth(self):
        return forge.truth_of(self.read)


class TopNumberForger(Topped, NumberForger):
    def is_item(self, group):
        return True


class TopEventForger(Topped, forge_events.EventForger):
    def is_item(self, group):
        return True


KINDS = [TopForger, TopNumberForger, forge_events.EventForger, TopEventForger]


class Wrong(AssertionError):
    """A wrong verdict on `files`."""

    def __init__(self, problem, files):
        super().__init__(problem)
        self.files = files


def judge_files(seed, folder, count, every):
    """Has files that one checker reads judged, `count` of a kind. The plain one refuses them, and the verified one each `every`th, 0: none.

    Returns how many there were, and how many of them were accepted.
    """
    draw, kind = random.Random(seed), KINDS[seed % len(KINDS)]
    special = {"coarse" if issubclass(kind, NumberForger) else "limited": seed // len(KINDS) % 3 == 0}
    try:
        adversary = kind(draw, folder, **special)
    except plain.Refused:  # its weights or numbers are on no grid
        return 0, 0
    files = [("honest", adversary.honest()), *broken_rules(adversary)]
    files += [("a false claim", content) for content, _ in adversary.false_claims(count)]
    files += [("a lie", adversary.file(adversary.header(claim), numbers)) for claim, numbers in adversary.one_lie(5)]
    if isinstance(adversary, Topped):
        files += [*adversary.broken_tops(), *(("a graft", content) for content in adversary.grafts(count))]
    pairs = written(adversary, [content for _, content in files], folder, f"alone{seed}-")
    truth, accepted = adversary.truth(), 0
    for i, ((name, content), pair, (fast, words)) in enumerate(zip(files, pairs, judged(pairs))):
        others = [plainly(*pair)] + ([verified(*pair)] if every and i % every == 0 else [])
        may_hold = name in {"honest", "a false claim", "a lie", "a graft", "no top"}
        said = words.replace("accepted", "verified:", 1)
        holds = fast is None or (may_hold and is_true(said, truth, adversary.read))
        named = holds and fast is not None and SENTENCE.fullmatch(said)["top"]
        holds = holds and (not named or top_in(named, adversary.read) == in_header(content, adversary.read))
        if name == "no top" and not isinstance(adversary, forge_events.EventForger):  # all of them read it
            refused = all((bound is None) == (fast is None) for bound, _ in others)
        else:
            refused = all(bound is None for bound, _ in others) and (i > 0 or others[0][1] in REFUSALS)
        if not holds or not refused or (i == 0 and fast is None):
            raise Wrong(f"{name}, file {i} for {kind.__name__} {seed}: {words} | {' | '.join(more for _, more in others)}", pair)
        accepted += fast is not None
    return len(files), accepted


def draw_option(draw, read, rows, levels, least_rows):
    """Given splits of these rows as the option `top`, and as truth_by takes them."""
    splits = []
    for column in read.columns:
        codes, present = column.codes.tolist(), column.present()
        for left in forge.left_sides(column, [{code} for code in range(len(column.distinct))]):
            size = sum(codes[row] in left for row in rows)
            if column.category and None in present and draw.random() < 0.5:
                left = set(codes) - left
            if least_rows <= size <= len(rows) - least_rows:
                splits.append((column, left))
    if levels == 0 or not splits or draw.random() < (0.1 if len(rows) == len(read.weights) else 0.4):
        place = draw.choice(["...", "...", "leaf"])
        return place, place
    column, left = draw.choice(splits)
    split = {"column": column.name}
    if column.category:
        split["levels"] = [
            level.encode().decode("unicode_escape").encode("latin-1").decode() for code, level in enumerate(column.distinct) if code in left
        ]
    else:
        last = max(left)
        values = [*column.distinct, column.distinct[-1] + 2]
        low, high = (values[last], values[last + 1]) if last >= 0 else (column.distinct[0] - 2, column.distinct[0])
        split["below"] = high if draw.random() < 0.5 or not low < (low + high) / 2 < high else (low + high) / 2
    if None in column.present():
        split["missing"] = "left" if -1 in left else "right"
    halves = [[row for row in rows if (column.codes[row] in left) == side] for side in (True, False)]
    (split["left"], on_left), (split["right"], on_right) = (draw_option(draw, read, half, levels - 1, least_rows) for half in halves)
    return split, (frozenset(row for row, code in enumerate(column.codes.tolist()) if code in left), on_left, on_right)


def alike(top, other, rows):
    """Whether two tops send these rows to the same places, on whichever side."""
    if isinstance(top, str) or isinstance(other, str):
        return top == other
    halves, others = [[(rows & of[0], of[1]), (rows - of[0], of[2])] for of in (top, other)]
    if halves[0][0] != others[0][0]:
        others.reverse()
    return all(a == c and alike(b, d, a) for (a, b), (c, d) in zip(halves, others))
