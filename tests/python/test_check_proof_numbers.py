"""Proofs of trees that predict numbers: the plain checker accepts true ones, of its own and of the command, and no false ones."""

import json
import os
import random
import subprocess
from fractions import Fraction
from pathlib import Path

import pytest

pytest.importorskip("numpy")

from broken_rules import broken_rules
from broken_tables import NO_NUMBERS
from forge_numbers import NumberForger, both_of, draw_fit, is_true, truth_of
from judges import JUDGE, judged, plainly, written

from treewright import check_proof as plain

COMMAND = Path(__file__).parents[2] / "build/release/treewright"
TABLES = int(os.environ.get("TREEWRIGHT_FORGED_TABLES", "12")) * 2
FILES = int(os.environ.get("TREEWRIGHT_FORGED_FILES", "150")) // 5
STEPS = """treewright table 1
number "x"
weight "w"
target "y"
rows 6
1 1 0
2 2 3
2 1 0
3 1 6
4 1 6
- 0 100
"""


def proof_of(table, numbers=(), **changes):
    """Of steps of 1/8 in units of 1."""
    header = {"made_by": "hand", "table": plain.fnv1a(table.encode()), "unit": [1, 0], "center": [0, 0], "digits": 0, "grid": 3, "depth": 0}
    header |= {"max_splits": None, "min_rows": 1, "price": 0, "bound": 0}
    header |= {"orderings": [{"column": 0, "missing": "last"}, {"column": 0, "missing": "first"}], **changes, "bytes": len(numbers)}
    content = plain.FIRST_LINE + json.dumps(header, separators=(",", ":")).encode() + b"\n" + bytes(numbers)
    return content + plain.fnv1a(content).encode()


def judge(folder, table, proof):
    """What the checkers say, which is the same."""
    (folder / "table").write_text(table)
    (folder / "proof").write_bytes(proof)
    bound, said = plainly(folder / "table", folder / "proof")
    if JUDGE.exists():
        ((fast, words),) = judged([(folder / "table", folder / "proof")])
        assert fast == bound, words
    return bound, said


ALL_CUTS = [5, 1, 1, 1, 1]


# The rows of x = 2 lose 6 in every tree. All rows have the mean 3 and lose 9 for each weight of 4; a split behind x = 2 leaves 9 in all.
@pytest.mark.parametrize(
    ("claim", "body", "least"),
    [
        ({"depth": 0}, [], 36),
        ({"depth": 1}, [], 9),
        ({"depth": 1, "price": 80}, [], 19),
        ({"depth": 1, "price": 255}, [], 36),
        ({"depth": 3, "max_splits": 0}, [], 36),
        ({"depth": 2, "max_splits": 1}, [], 9),
        ({"depth": 1, "min_rows": 4}, [], 36),
        ({"depth": 1, "min_rows": 3}, [], 9),
        ({"depth": 2}, [], 6),
        ({"depth": 2, "price": 24}, ALL_CUTS * 2, 12),
        ({"depth": 2, "price": 24, "max_splits": 2}, ALL_CUTS * 4, 12),
        ({"depth": 1, "unit": [1, -3], "grid": 0}, [], 9),
        ({"depth": 1, "center": [3, 0]}, [], 9),
        ({"depth": 1, "digits": 4, "grid": -5}, [], 9),
    ],
)
def test_proofs_by_hand(tmp_path, claim, body, least):
    step = Fraction(2) ** (claim.get("unit", [1, 0])[1] - 2 * claim.get("digits", 0) - claim.get("grid", 3))
    truth = truth_of(plain.read_table(STEPS.encode()))
    assert truth(claim["depth"], claim.get("max_splits"), claim.get("min_rows", 1), claim.get("price", 0) * step) == least
    bound, said = judge(tmp_path, STEPS, proof_of(STEPS, body, **claim, bound=int((least - 6) / step)))
    assert bound == pytest.approx(least, abs=1e-11), said
    assert is_true(said, truth)
    limits = [f"at most {claim['max_splits']} splits"] if "max_splits" in claim else []
    limits += [f"at least {claim['min_rows']} rows in each leaf"] if "min_rows" in claim else []
    price = f" + {plain.spelled(claim['price'] / 8)} * splits" if "price" in claim else ""
    assert said == (
        f"verified: no tree of axis and category splits of depth at most {claim['depth']}{' with ' if limits else ''}{' and '.join(limits)}"
        f' for "y" on these 6 rows has squared error weighted by "w"{price} below {plain.spelled(bound)}'
    )
    assert judge(tmp_path, STEPS, proof_of(STEPS, body, **claim, bound=int((least - 6) / step) + 1))[0] is None


def test_cuts_that_are_not_named_follow_from_others(tmp_path):
    """A split behind x = 2 costs 9 and its price, 7; two of them are behind it on its left side, or before it on the right."""
    claim = {"depth": 2, "price": 56, "bound": 80}
    last, first = [3, 1, 1], [3, 2, 1]
    for body in (ALL_CUTS * 2, [*last, *first]):
        assert judge(tmp_path, STEPS, proof_of(STEPS, body, **claim))[0] == pytest.approx(16, abs=1e-11)
    for body in (
        [2, 1, *first],
        [2, 2, *first],
        [1, *first],
        [*last, 2, 2],
        [*last, 2, 3],
        [*last, 1],
        [0, *first],
        last,
        [*last, *first, 0],
    ):
        assert judge(tmp_path, STEPS, proof_of(STEPS, body, **claim))[0] is None, body


CHANGES = {
    'target "y"\n': [
        "",
        'class "y"\n',
        'cost "y"\n',
        'target "y"\ntarget "z"\n',
        "target\n",
        'target "y" "z"\n',
        'target "y"\nweight "v"\n',
    ],
    'weight "w"\n': ['target "y"\nweight "w"\n', 'weight "w"\ncost "y"\n', 'weight "w"\nclass "y"\n', 'weight "w"\ncosts 0\n'],
    "number": ['labels "a"\nnumber', "labels\nnumber", "costs 0\nnumber", 'target "x"\nnumber'],
    "2 2 3\n": [*(f"2 2 {number}\n" for number in [*NO_NUMBERS, '"a"']), "2 2\n", "2 2 3 4\n", "2 -2 3\n", "2 - 3\n"],
}


def test_a_table_of_numbers_has_one_spelling(tmp_path):
    assert judge(tmp_path, STEPS, proof_of(STEPS))[0] is not None
    for old, new in [(old, new) for old, news in CHANGES.items() for new in news]:
        table = STEPS.replace(old, new, 1)
        assert judge(tmp_path, table, proof_of(table))[0] is None, table


def test_tables_and_headers_are_of_one_kind(tmp_path):
    classes = 'treewright table 1\nlabels "a" "b"\nnumber "x"\nclass "y"\nrows 3\n1 "a"\n2 "b"\n- "a"\n'
    for table, of_numbers in ((classes, False), (STEPS, True)):
        content = proof_of(table)[:-16]
        other = content.replace(b'"center":[0,0],"digits":0,', b"")
        for changed, holds in ((content, of_numbers), (other, not of_numbers)):
            assert (judge(tmp_path, table, changed + plain.fnv1a(changed).encode())[0] is not None) == holds


# Two rows for each of 13 levels. Levels 3 and 4 have the same mean in decimals, but not in doubles.
MEANS = [1, 2, 3, 4.15, 4.15, 5, 6, 7, 8, 9, 10, 11, 12]
PAIRS = [(i, round(mean + side * (0.05 if i == 3 else 0), 2)) for i, mean in enumerate(MEANS) for side in (-1, 1)]
MANY = 'treewright table 1\nlevel "x0"\ntarget "y"\nrows 26\n' + "".join(f'"t{i:02}" {plain.spelled(y)}\n' for i, y in PAIRS)


def test_categories_of_many_levels(tmp_path):
    singles = [{"column": 0, "level": f"t{i:02}"} for i in range(13)]
    groups = [[f"t{i:02}"] for i in range(13)]
    tied = [*groups[:3], ["t03", "t04"], *groups[5:]]
    swapped = [*groups[:3], groups[4], groups[3], *groups[5:]]
    truth = truth_of(plain.read_table(MANY.encode()))
    best = truth(1, None, 1, 0)
    claim = {"depth": 1, "digits": 20, "grid": -20, "bound": int((best - Fraction(1, 100)) * 2**20)}

    def said(orderings, **changes):
        return judge(tmp_path, MANY, proof_of(MANY, **{**claim, "orderings": orderings, **changes}))

    for alone in (singles, singles[1:-1]):
        for means in (tied, tied[::-1], groups, groups[::-1], swapped):
            bound, words = said([*alone, {"column": 0, "levels": means}])
            assert bound is not None and is_true(words, truth), words
            end = '; categories of more than 12 levels ("x0") are split by single levels that are not rare and by their mean targets'
            assert words.endswith(end)
    assert said([*singles, {"column": 0, "levels": tied}], bound=claim["bound"] + 2**20)[0] is None
    for wrong in (
        singles,
        [{"column": 0, "levels": tied}],
        [*singles[1:-1], {"column": 0, "levels": [*tied[:5], [*tied[5], *tied[6]], *tied[7:]]}],
        [*singles[:6], *singles[7:], {"column": 0, "levels": tied}],
        [*singles, {"column": 0, "levels": [tied[1], tied[0], *tied[2:]]}],
        [*singles, {"column": 0, "levels": [[*tied[0], *tied[1]], *tied[2:]]}],
        [*singles, {"column": 0, "levels": tied}, {"column": 0, "levels": groups}],
    ):
        assert said(wrong)[0] is None, wrong


@pytest.mark.parametrize("seed", range(TABLES))
def test_forged_proofs_of_numbers_are_refused(tmp_path, seed):
    try:
        forger = NumberForger(random.Random(seed), tmp_path)
    except plain.Refused:  # its weights or numbers are on no grid
        return
    truth = truth_of(forger.read)
    contents = [(forger.honest(), False), *((content, True) for _, content in broken_rules(forger)), *forger.false_claims(FILES)]
    files = written(forger, [content for content, _ in contents], tmp_path, "forged")
    said = [plainly(*file) for file in files]
    assert said[0][0] is not None, said[0][1]
    for (bound, words), (_, is_false), (_, proof) in zip(said, contents, files):
        assert bound is None or (not is_false and is_true(words, truth)), f"{proof}: {words}"
    for (bound, words), (fast, others), (_, proof) in zip(said, judged(files) if JUDGE.exists() else [], files):
        assert bound == fast and (bound is None or others.removeprefix("accepted ") == words.removeprefix("verified: ")), (
            f"{proof}: {words} | {others}"
        )


def test_no_scale_makes_a_claim_too_large(tmp_path):
    """The best claims of units and digits that hide much, beside the optimum of the table's own numbers."""
    shown = 0
    for seed in range(TABLES * 2):
        forger = NumberForger(random.Random(seed), tmp_path, coarse=True)
        truth, files = truth_of(forger.read), []
        for i in range(8):
            forger.settle()
            files += written(forger, [forger.honest()], tmp_path, f"coarse{seed}-{i}-")
        said = [plainly(*file) for file in files]
        for (bound, words), (_, proof) in zip(said, files):
            assert bound is not None and is_true(words, truth), f"{proof}: {words}"
            shown += bound > 0
        assert not JUDGE.exists() or [bound for bound, _ in judged(files)] == [bound for bound, _ in said]
    assert shown > TABLES * 2


@pytest.mark.skipif(not COMMAND.exists(), reason="build the command first")
@pytest.mark.parametrize("seed", range(TABLES))
def test_proofs_of_the_command_hold(tmp_path, seed):
    reading, limits = draw_fit(random.Random(seed), tmp_path)

    def run(*words):
        return subprocess.run([COMMAND, *words], capture_output=True, text=True, cwd=tmp_path)

    fitted = run("fit", "data.csv", *reading, *limits, "--quiet", "--out", "tree.json", "--proof", "proof")
    if fitted.returncode != 0:
        assert "use " in fitted.stderr or "choose " in fitted.stderr, fitted.stderr
        return
    assert run("table", "data.csv", "--tree", "tree.json", "--out", "table").returncode == 0
    bound, said = plainly(tmp_path / "table", tmp_path / "proof")
    assert bound is not None, said
    truth = truth_of(plain.read_table((tmp_path / "table").read_bytes()))
    shown, least = both_of(said, truth)
    assert least - truth(0, 0, 1, 0) / 10**9 <= shown <= least
    checked = run("check", "tree.json", "data.csv", *reading[4:], "--proof", "proof")
    assert checked.returncode == 0 and f"\n{said}; so this tree is optimal" in checked.stdout, checked.stdout + checked.stderr
