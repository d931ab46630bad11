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


def write(path, names, rows):
    with path.open("w", newline="") as file:
        csv.writer(file).writerows([names, *rows])


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
    tree = treewright.OptimalTreeClassifier(max_depth=2 + seed % 2, ccp_alpha=0.01 * (seed % 3), proof=str(tmp_path / "proof"))
    tree.fit(X, y, sample_weight=w if weighted else None)
    assert "proof in proof" in tree.result_.proved
    write(tmp_path / "data.csv", ["x", "k", "color", "town", "class", "weight"], rows)
    # A table in memory has no names of weights and of columns left out.
    table = {"weights": "weight"} if weighted else {"left_out": ["weight"]}
    said = check_proof.verify(tmp_path / "data.csv", tmp_path / "proof", **table)
    assert said.startswith("verified: no tree of depth at most")
    assert ("rows weighed by column 'weight'" if weighted else "columns left out: 'weight'") in said
    with pytest.raises(check_proof.Refused, match="another table"):
        check_proof.verify(tmp_path / "data.csv", tmp_path / "proof")


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
    treewright.OptimalTreeClassifier(max_depth=2, proof=str(tmp_path / "proof")).fit(X, [row[-1] for row in rows])
    write(tmp_path / "data.csv", [f"x{i}" for i in range(4)] + ["class"], rows)
    content = (tmp_path / "proof").read_bytes()
    assert b'"bound":6,' in content
    draw = random.Random(1)
    refused = 0
    for _ in range(200):
        (tmp_path / "changed").write_bytes(changed(content, draw))
        try:
            assert " below 6 " in check_proof.verify(tmp_path / "data.csv", tmp_path / "changed")
        except check_proof.Refused:
            refused += 1
    assert refused > 50
    raised = content[:-16].replace(b'"bound":6,', b'"bound":7,')
    (tmp_path / "raised").write_bytes(raised + check_proof.fnv1a(raised).encode())
    with pytest.raises(check_proof.Refused):
        check_proof.verify(tmp_path / "data.csv", tmp_path / "raised")
    (tmp_path / "damaged").write_bytes(content[:-1])
    command = [sys.executable, "-m", "treewright.check_proof", tmp_path / "data.csv"]
    assert subprocess.run([*command, tmp_path / "proof"], check=False).returncode == 0
    assert subprocess.run([*command, tmp_path / "damaged"], check=False).returncode == 1


def test_splits_by_the_share_of_a_class_must_not_be_missing(tmp_path):
    rows = mixed_rows(2)
    X, y, _ = columns(rows)
    treewright.OptimalTreeClassifier(max_depth=1, proof=str(tmp_path / "proof")).fit(X, y)
    write(tmp_path / "data.csv", ["x", "k", "color", "town", "class", "weight"], rows)
    first, header, body = (tmp_path / "proof").read_bytes()[:-16].split(b"\n", 2)
    proof = json.loads(header)
    by_share = [ordering for ordering in proof["orderings"] if ordering["name"] == "town" and "levels" in ordering]
    assert len(by_share) == 1
    proof["orderings"].remove(by_share[0])
    content = b"\n".join([first, json.dumps(proof, separators=(",", ":")).encode(), body])
    (tmp_path / "less").write_bytes(content + check_proof.fnv1a(content).encode())
    with pytest.raises(check_proof.Refused, match="splits by column 'town'"):
        check_proof.verify(tmp_path / "data.csv", tmp_path / "less", left_out=["weight"])


def test_limits_on_leaves_are_proved(tmp_path):
    pandas = pytest.importorskip("pandas")
    x, y = np.arange(40.0), [0, 1] * 20
    pandas.DataFrame({"x": x, "class": y}).to_csv(tmp_path / "data.csv", index=False)
    tree = treewright.OptimalTreeClassifier(max_depth=2, min_samples_leaf=5, proof=str(tmp_path / "proof"))
    tree.fit(pandas.DataFrame({"x": x}), y)
    assert "at least 5 rows in each leaf" in check_proof.verify(tmp_path / "data.csv", tmp_path / "proof")


def test_proofs_of_costs_are_verified(tmp_path):
    pandas = pytest.importorskip("pandas")
    rows = [row[:2] + row[4:5] for row in mixed_rows(4)]
    draw = random.Random(1)
    costs = [[draw.choice([-1, 0, 0.5, 2]) for _ in "ab"] for _ in rows]
    write(tmp_path / "data.csv", ["x", "k", "class", "call", "wait"], [row + cost for row, cost in zip(rows, costs)])
    X = pandas.DataFrame([[math.nan if row[0] == "" else row[0], row[1]] for row in rows], columns=["x", "k"])
    y = [row[2] for row in rows]
    matrix = {"c0": {"c1": 1}, "c1": {"c0": 7.5}}
    tree = treewright.OptimalTreeClassifier(max_depth=2, cost_matrix=matrix, max_splits=2, proof=str(tmp_path / "matrix")).fit(X, y)
    said = check_proof.verify(tmp_path / "data.csv", tmp_path / "matrix", left_out=["call", "wait"])
    least = sum(0 if a == b else 1 if b == "c0" else 7.5 for a, b in zip(tree.predict(X), y))
    assert f"at most 2 splits for 'class' has costs below {least:g} (" in said
    assert "costs of the labels 'c0', 'c1' by class: 'c0' 0 1, 'c1' 7.5 0" in said
    policy = treewright.OptimalTreeClassifier(max_depth=2, proof=str(tmp_path / "policy"))
    policy.fit(X, costs=pandas.DataFrame(costs, columns=["call", "wait"]))
    said = check_proof.verify(tmp_path / "data.csv", tmp_path / "policy", left_out=["class"])
    least = sum(cost[label == "wait"] for cost, label in zip(costs, policy.predict(X)))
    assert f"has costs below {least:g} (" in said


def test_levels_that_are_not_rare_must_be_split_alone(tmp_path):
    """Of more than twelve levels: those of at least a thousandth of the weight. A proof may also speak of rarer ones."""
    towns = [*(f"t{row % 15}" for row in range(1997)), "often", "often", "rare"]
    rows = [[town, "yes" if town in ("t3", "t7") or row % 5 == 0 else "no"] for row, town in enumerate(towns)]
    pandas = pytest.importorskip("pandas")
    frame = pandas.DataFrame({"town": pandas.Categorical(towns)})
    treewright.OptimalTreeClassifier(max_depth=1, proof=str(tmp_path / "proof")).fit(frame, [row[1] for row in rows])
    write(tmp_path / "data.csv", ["town", "class"], rows)
    content = (tmp_path / "proof").read_bytes()
    often, rare = (b'{"column":0,"name":"town","level":"%s"},' % level for level in (b"often", b"rare"))
    assert content.count(often) == 1
    assert rare not in content

    def verify(orderings):
        body = content[:-16].replace(often, orderings)
        (tmp_path / "changed").write_bytes(body + check_proof.fnv1a(body).encode())
        return check_proof.verify(tmp_path / "data.csv", tmp_path / "changed")

    assert verify(often + rare).startswith("verified")
    with pytest.raises(check_proof.Refused, match="lacks splits by column 'town'"):
        verify(b"")
