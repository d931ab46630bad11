"""Proof files are verified by the plain checker, which knows nothing of the library, and changed ones are not."""

import csv
import json
import math
import random
import subprocess
import sys
from pathlib import Path

import pytest

np = pytest.importorskip("numpy")

import treewright
from treewright import check_proof

ROOT = Path(__file__).parents[2]


def mixed_rows(seed, n=60):
    """Numbers with missing values, a category of 3 levels and one of 14, two or three classes."""
    draw = random.Random(seed)
    rows = []
    for _ in range(n):
        x, color = draw.randrange(12), draw.choice("rgb")
        town = f"t{draw.randrange(14)}"
        label = (x > 5) + (color == "r" and draw.random() < 0.8) * (seed % 2)
        rows.append(
            [
                x if draw.random() > 0.2 else "",
                draw.randrange(5),
                color if draw.random() > 0.1 else "",
                town,
                f"c{label}",
                draw.choice([1, 2]),
            ]
        )
    return rows


def verified(folder, table, proof="proof"):
    (folder / "table.tw").write_text(table)
    return check_proof.verify(folder / "table.tw", folder / proof)


def columns(rows):
    """As the estimator takes them."""
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame([row[:4] for row in rows], columns=["x", "k", "color", "town"])
    frame["x"] = pandas.to_numeric(frame["x"])
    frame["color"] = pandas.Categorical([row[2] or None for row in rows])
    frame["town"] = frame["town"].astype("category")
    return frame, [row[4] for row in rows], [row[5] for row in rows]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("weighted", [False, True])
def test_proofs_of_mixed_columns_are_verified(tmp_path, seed, weighted):
    rows = mixed_rows(seed)
    X, y, w = columns(rows)
    tree = treewright.OptimalTreeClassifier(max_depth=2 + seed % 2, ccp_alpha=0.01 * (seed % 3), run={"proof": tmp_path / "proof"})
    weights = w if weighted else None
    tree.fit(X, y, sample_weight=weights)
    assert "proof in proof" in tree.result_.proved
    said = verified(tmp_path, tree.proof_table(X, y, sample_weight=weights))
    assert said.startswith("verified: no tree of axis and category splits of depth at most")
    assert (' weighted by "row weights"' in said) == weighted
    assert 'categories of more than 12 levels ("town") are split by' in said
    with pytest.raises(check_proof.Refused, match="another table"):
        verified(tmp_path, tree.proof_table(X, y[::-1], sample_weight=weights))


def changed(content, draw):
    """A proof with one byte of its body changed, and the right checksum."""
    start = content.index(b"\n", len(check_proof.FIRST_LINE)) + 1
    at = draw.randrange(start, len(content) - 16)
    body = bytearray(content[:-16])
    body[at] ^= 1 << draw.randrange(8)
    return bytes(body) + check_proof.fnv1a(bytes(body)).encode()


def test_changed_proofs_show_nothing_false(tmp_path):
    data = ROOT / "data/iris.csv"
    with data.open() as file:
        _, *rows = csv.reader(file)
    X = np.array([[float(cell) for cell in row[:-1]] for row in rows])
    y = [row[-1] for row in rows]
    tree = treewright.OptimalTreeClassifier(max_depth=2, run={"proof": tmp_path / "proof"}).fit(X, y)
    table = tree.proof_table(X, y)
    content = (tmp_path / "proof").read_bytes()
    assert b'"bound":6,' in content
    draw = random.Random(1)
    refused = 0
    for _ in range(200):
        (tmp_path / "changed").write_bytes(changed(content, draw))
        try:
            assert verified(tmp_path, table, "changed").endswith(" below 6")
        except check_proof.Refused:
            refused += 1
    assert refused > 50
    raised = content[:-16].replace(b'"bound":6,', b'"bound":7,')
    (tmp_path / "raised").write_bytes(raised + check_proof.fnv1a(raised).encode())
    with pytest.raises(check_proof.Refused):
        verified(tmp_path, table, "raised")
    (tmp_path / "damaged").write_bytes(content[:-1])
    command = [sys.executable, "-m", "treewright.check_proof", tmp_path / "table.tw"]
    assert subprocess.run([*command, tmp_path / "proof"], check=False).returncode == 0
    assert subprocess.run([*command, tmp_path / "damaged"], check=False).returncode == 1


def test_splits_by_the_share_of_a_class_must_not_be_missing(tmp_path):
    rows = mixed_rows(2)
    X, y, _ = columns(rows)
    tree = treewright.OptimalTreeClassifier(max_depth=1, run={"proof": tmp_path / "proof"}).fit(X, y)
    first, header, body = (tmp_path / "proof").read_bytes()[:-16].split(b"\n", 2)
    proof = json.loads(header)
    by_share = [ordering for ordering in proof["orderings"] if ordering["column"] == 3 and "levels" in ordering]
    assert len(by_share) == 1
    proof["orderings"].remove(by_share[0])
    content = b"\n".join([first, json.dumps(proof, separators=(",", ":")).encode(), body])
    (tmp_path / "less").write_bytes(content + check_proof.fnv1a(content).encode())
    with pytest.raises(check_proof.Refused, match="splits by column 'town'"):
        verified(tmp_path, tree.proof_table(X, y), "less")


def test_limits_on_leaves_are_proved(tmp_path):
    pandas = pytest.importorskip("pandas")
    X, y = pandas.DataFrame({"x": np.arange(40.0)}), [0, 1] * 20
    tree = treewright.OptimalTreeClassifier(max_depth=2, min_samples_leaf=5, run={"proof": tmp_path / "proof"})
    tree.fit(X, y)
    assert " with at least 5 rows in each leaf " in verified(tmp_path, tree.proof_table(X, y))


def test_proofs_of_costs_are_verified(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = [row[:2] + row[4:5] for row in mixed_rows(4)]
    draw = random.Random(1)
    costs = [[draw.choice([-1, 0, 0.5, 2]) for _ in "ab"] for _ in rows]
    X = pandas.DataFrame([[math.nan if row[0] == "" else row[0], row[1]] for row in rows], columns=["x", "k"])
    y = [row[2] for row in rows]
    matrix = {"c0": {"c1": 1}, "c1": {"c0": 7.5}}
    tree = treewright.OptimalTreeClassifier(max_depth=2, cost_matrix=matrix, max_leaf_nodes=3, run={"proof": tmp_path / "matrix"}).fit(X, y)
    said = verified(tmp_path, tree.proof_table(X, y), "matrix")
    least = sum(0 if a == b else 1 if b == "c0" else 7.5 for a, b in zip(tree.predict(X), y))
    assert f'with at most 2 splits for "class" on these 60 rows has costs below {least:g};' in said
    assert said.endswith('; costs of the labels "c0", "c1" by class: "c0" 0 1, "c1" 7.5 0')
    policy = treewright.OptimalTreeClassifier(max_depth=2, run={"proof": tmp_path / "policy"})
    costs_of = pandas.DataFrame(costs, columns=["call", "wait"])
    policy.fit(X, costs=costs_of)
    said = verified(tmp_path, policy.proof_table(X, costs=costs_of), "policy")
    least = sum(cost[label == "wait"] for cost, label in zip(costs, policy.predict(X)))
    assert said.endswith(f' for the labels "call", "wait" on these 60 rows has costs below {least:g}')


def test_levels_that_are_not_rare_must_be_split_alone(tmp_path):
    """Of more than twelve levels: those of at least a thousandth of the weight. There is no room for a rarer one."""
    towns = [*(f"t{row % 15}" for row in range(1997)), "often", "often", "rare"]
    y = ["yes" if town in ("t3", "t7") or row % 5 == 0 else "no" for row, town in enumerate(towns)]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"town": pandas.Categorical(towns)})
    tree = treewright.OptimalTreeClassifier(max_depth=1, run={"proof": tmp_path / "proof"}).fit(frame, y)
    content = (tmp_path / "proof").read_bytes()
    often, rare = (b'{"column":0,"level":"%s"},' % level for level in (b"often", b"rare"))
    assert content.count(often) == 1
    assert rare not in content

    def changed_to(orderings):
        body = content[:-16].replace(often, orderings)
        (tmp_path / "changed").write_bytes(body + check_proof.fnv1a(body).encode())
        return verified(tmp_path, tree.proof_table(frame, y), "changed")

    assert changed_to(often).startswith("verified")
    with pytest.raises(check_proof.Refused, match="lacks splits by column 'town'"):
        changed_to(rare)
    more = b"".join(b'{"column":0,"level":"t%d"},' % level for level in range(5))
    with pytest.raises(check_proof.Refused, match="more orderings than splits need"):
        changed_to(often + rare + more)


def test_proofs_of_given_splits_are_left_to_the_program(tmp_path):
    X, y = [[row % 7, row % 3] for row in range(40)], [row % 2 for row in range(40)]
    top = {"column": "x0", "below": 3, "left": ..., "right": "leaf"}
    tree = treewright.OptimalTreeClassifier(max_depth=2, run={"proof": str(tmp_path / "proof")}).fit(X, y, top=top)
    assert tree.result_.verified
    with pytest.raises(check_proof.Refused, match="begin with given splits"):
        verified(tmp_path, tree.proof_table(X, y))


def test_few_bytes_ask_for_little_work(tmp_path):
    """All cuts at once, of many: they would be recounted one after the other."""
    X, y = np.arange(400.0).reshape(200, 2) * [1, -1], np.arange(200) % 2
    tree = treewright.OptimalTreeClassifier(max_depth=2, run={"proof": tmp_path / "proof"}).fit(X, y)
    first, header, _ = (tmp_path / "proof").read_bytes().split(b"\n", 2)
    content = b"\n".join([first, json.dumps(json.loads(header) | {"bytes": 1}, separators=(",", ":")).encode(), b"\0"])
    (tmp_path / "all").write_bytes(content + check_proof.fnv1a(content).encode())
    with pytest.raises(check_proof.Refused, match="more than 3 cuts are named at once"):
        verified(tmp_path, tree.proof_table(X, y), "all")


def test_the_page_shows_the_theorem():
    assert (ROOT / "verified/theorem.txt").read_text() in (ROOT / "docs/proofs.md").read_text()
