"""Tests treewright-verify: what the theorem assumes, honest proofs, forged ones.

    python3 test.py TREEWRIGHT      (the command that writes the proofs)

Honest proofs: of random tables, of the bundled data and, if TREEWRIGHT_DATA_DIR is set, of the sets below. Forged ones: each honest proof
of a random table says the optimum. The same file with a bound that is one step higher is false, and no change of its body or orderings may
make it hold. Of trees that predict numbers the claim is raised by more than the grid is coarse, and the bound is compared with that of
the fast checker.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
VERIFY = HERE / "build" / "treewright-verify"
SETS = (
    "hepatitis",
    "haberman",
    "blood-transfusion",
    "balance-scale",
    "tic-tac-toe",
    "car-evaluation",
    "banknote",
    "parkinsons",
    "raisin",
    "wilt",
)
FORGED = 40  # of each random table
FORGED_NUMBERS = 12  # of each random table of numbers


def run(*words: object) -> subprocess.CompletedProcess:
    return subprocess.run([str(word) for word in words], capture_output=True, text=True)


def fnv1a(content: bytes) -> bytes:
    total = 14695981039346656037
    for byte in content:
        total = (total ^ byte) * 1099511628211 % 2**64
    return f"{total:016x}".encode()


class File:
    """A proof file taken apart; `write` signs it again."""

    def __init__(self, path: Path) -> None:
        first, second, rest = path.read_bytes().split(b"\n", 2)
        self.first, self.header, self.body = first, json.loads(second), rest[:-16]

    def write(self, path: Path) -> None:
        self.header["bytes"] = len(self.body)
        header = json.dumps(self.header, ensure_ascii=False, separators=(",", ":")).encode()
        content = self.first + b"\n" + header + b"\n" + self.body
        path.write_bytes(content + fnv1a(content))


def random_table(rng: random.Random) -> str:
    columns = rng.randint(1, 4)
    kinds = [rng.choice(["number", "number", "gaps", "letters"]) for _ in range(columns)]
    weighted = rng.random() < 0.4
    lines = [",".join([f"x{j}" for j in range(columns)] + ["w"] * weighted + ["y"])]
    classes, values = rng.randint(2, 4), rng.randint(2, 9)
    for row in range(rng.randint(4, 24)):
        cells = []
        for kind in kinds:
            if kind != "number" and rng.random() < 0.2:
                cells.append("")
            else:
                v = rng.randrange(values)
                cells.append("abcdefghi"[v] if kind == "letters" else str(v / 2))
        cells += [str(rng.randint(0, 7) / 4)] * weighted
        lines.append(",".join([*cells, f"c{row if row < 2 else rng.randrange(classes)}"]))
    return "\n".join(lines) + "\n"


def random_numbers(rng: random.Random) -> str:
    """The same table with a number to predict in place of the class."""
    lines = [line.split(",")[:-1] for line in random_table(rng).splitlines()]
    kind = rng.choice(["few", "digits", "far", "small"])
    for row, line in enumerate(lines):
        number = {
            "few": rng.randrange(4) / 2,
            "digits": round(rng.gauss(0, 5), rng.randrange(6)),
            "far": 1e6 + rng.randrange(50) / 8,
            "small": rng.gauss(0, 1) * 1e-9,
        }[kind]
        line.append("y" if row == 0 else repr(number if row > 2 else 7.0 * row))
    return "\n".join(",".join(line) for line in lines) + "\n"


def random_costs(rng: random.Random, table: str) -> str:
    classes = sorted({line.split(",")[-1] for line in table.splitlines()[1:]})
    lines = [[y, *("0" if a == y else str(rng.randint(-2, 9) / 2) for a in classes)] for y in classes]
    return "\n".join(",".join(line) for line in [["true", *classes], *lines]) + "\n"


def forge(file: File, rng: random.Random) -> None:
    """One dishonest change."""
    body = bytearray(file.body)
    at = rng.randrange(len(body) + 1)
    kind = rng.choice(["insert", "delete", "change", "change", "repeat", "ordering"])
    if kind == "insert":
        body[at:at] = bytes(rng.randrange(12) for _ in range(rng.randint(1, 3)))
    elif kind == "delete":
        del body[at : at + rng.randint(1, 3)]
    elif kind == "change" and at < len(body):
        body[at] = rng.randrange(16)
    elif kind == "repeat":
        body += body[at:]
    elif kind == "ordering" and file.header["orderings"]:
        orderings = file.header["orderings"]
        if rng.random() < 0.5:
            del orderings[rng.randrange(len(orderings))]
        else:
            orderings.append(rng.choice(orderings))
    file.body = bytes(body)


def written(treewright: str, data: Path, proof: Path, *options: object) -> Path:
    """Has a proof written. Its table."""
    tree, table = proof.with_suffix(".json"), proof.with_suffix(".tw")
    made = run(treewright, "fit", data, *options, "--quiet", "--out", tree, "--proof", proof)
    assert made.returncode == 0, made.stderr
    made = run(treewright, "table", data, "--tree", tree, "--out", table)
    assert made.returncode == 0, made.stderr
    return table


def honest(treewright: str, data: Path, proof: Path, *options: object) -> Path:
    """Has a proof written and accepted. Its table."""
    table = written(treewright, data, proof, *options)
    checked = run(VERIFY, table, proof)
    assert checked.returncode == 0 and checked.stdout.startswith("verified: "), f"{data.name}: {checked.stderr}"
    return table


def refused(table: Path, proof: Path) -> None:
    checked = run(VERIFY, table, proof)
    assert checked.returncode == 1 and checked.stderr.startswith("refused: "), f"{proof}: {checked.stdout}{checked.stderr}"


def test_assumptions() -> None:
    printed = run("coqc", "-Q", HERE / "build", "Treewright", "-o", HERE / "build" / "Assumptions.vo", HERE / "Assumptions.v").stdout
    assert printed.endswith("Closed under the global context\n"), printed
    theorem = (HERE / "theorem.txt").read_text()
    assert " ".join(printed.split()) == " ".join(theorem.split()), printed
    for source in HERE.glob("*.v"):
        for word in ("Admitted", "admit", "Axiom", "Parameter", "Conjecture"):
            assert word not in source.read_text(), f"{source.name}: {word}"


def test_random(treewright: str, folder: Path) -> None:
    rng = random.Random(1)
    data, proof, forged = folder / "t.csv", folder / "t.proof", folder / "f.proof"
    false = limited = 0
    for _ in range(60):
        text = random_table(rng)
        data.write_text(text)
        options: list[object] = ["--max-depth", rng.randint(1, 3)]
        if ",w," in text.split("\n")[0] + ",":
            options += ["--weights", "w"]
        if rng.random() < 0.3:
            options += ["--max-splits", rng.randrange(6)]
        if rng.random() < 0.3:
            options += ["--alpha", rng.choice([0.01, 0.3, 1, 2.5])]
        if rng.random() < 0.3:
            (folder / "costs.csv").write_text(random_costs(rng, text))
            options += ["--costs", folder / "costs.csv"]
        if rng.random() < 0.4:
            options += ["--min-leaf", rng.randint(2, 4)]
            limited += 1
        table = honest(treewright, data, proof, *options)
        for _ in range(FORGED):
            file = File(proof)
            file.header["bound"] += 1
            for _ in range(rng.randrange(3)):
                forge(file, rng)
            file.write(forged)
            refused(table, forged)
            false += 1
    print(f"random tables: 60 honest proofs accepted, {limited} of them with rows in leaves; {false} false ones refused")


def numbers_in(sentence: str) -> tuple[str, float, float]:
    """The sentence of a checker without its price and its bound, and these."""
    start, rest = sentence.removeprefix("verified: ").split(" below ")
    start, _, price = start.partition(" + ")
    return start, float(price.split(" ")[0] or 0), float(rest.split(";")[0])


def spread(text: str, weighted: bool) -> float:
    """What the tree without splits loses."""
    rows = [line.split(",") for line in text.splitlines()[1:]]
    pairs = [(float(row[-2]) if weighted else 1.0, float(row[-1])) for row in rows]
    middle = sum(w * y for w, y in pairs) / sum(w for w, _ in pairs)
    return sum(w * (y - middle) ** 2 for w, y in pairs)


def test_numbers(treewright: str, folder: Path) -> None:
    rng = random.Random(2)
    data, proof, forged = folder / "n.csv", folder / "n.proof", folder / "f.proof"
    false = weaker = 0
    for _ in range(30):
        text = random_numbers(rng)
        data.write_text(text)
        weighted = ",w," in text.split("\n")[0] + ","
        reading: list[object] = ["--weights", "w"] if weighted else []
        options: list[object] = ["--loss", "squared", *reading, "--max-depth", rng.randint(1, 3)]
        if rng.random() < 0.3:
            options += ["--max-splits", rng.randrange(6)]
        if rng.random() < 0.3:
            options += ["--alpha", rng.choice([0.001, 0.01, 0.1])]
        if rng.random() < 0.4:
            options += ["--min-leaf", rng.randint(2, 4)]
        table = honest(treewright, data, proof, *options)
        fast = run(treewright, "check", proof.with_suffix(".json"), data, *reading, "--proof", proof).stdout
        fast = next(line for line in fast.splitlines() if line.startswith("verified: "))
        told, least = [numbers_in(said) for said in (run(VERIFY, table, proof).stdout, fast)], 1e-9 * spread(text, weighted)
        assert told[0][0] == told[1][0], f"{told} {text}"
        for mine, other in zip(told[0][1:], told[1][1:]):
            assert abs(mine - other) <= max(least, 1e-9 * other), f"{told} {text}"
        for _ in range(FORGED_NUMBERS):
            file = File(proof)
            file.header["bound"] += 1 + file.header["bound"] // 10**6
            for _ in range(rng.randrange(3)):
                forge(file, rng)
            file.write(forged)
            refused(table, forged)
            false += 1
        # On another grid a true proof may hold. Then it says no more.
        for key, value in [
            ("center", [1, 0]), ("center", [-3, 4]), ("digits", File(proof).header["digits"] + rng.choice([-2, -1, 1, 2])),
            ("grid", File(proof).header["grid"] + rng.choice([-1, 1])), ("unit", [1, rng.randrange(-4, 5)]),
        ]:  # fmt: skip
            file = File(proof)
            file.header[key] = value
            file.write(forged)
            said = run(VERIFY, table, forged)
            assert said.returncode == 1 or numbers_in(said.stdout)[2] <= told[0][2] + least, f"{key} {value}: {said.stdout} {text}"
            weaker += said.returncode == 0
    print(f"random tables of numbers: 30 honest proofs accepted; {false} false ones refused, {weaker} on other grids say no more")


def test_faults_of_numbers(treewright: str, folder: Path) -> None:
    data, proof, forged = folder / "faults.csv", folder / "faults.proof", folder / "f.proof"
    data.write_text("x0,y\n12,1.5\n10,2\n5,1\n1,7\n1,3\n5,2\n7,8\n2,0.5\n")
    table = honest(treewright, data, proof, "--loss", "squared", "--max-depth", 2)
    for key, value in [
        ("center", [2, 0]), ("center", [0, 1]), ("center", [1, 1024]), ("center", [1]), ("center", None), ("center", [1, 1023]),
        ("digits", 501), ("digits", -501), ("digits", None), ("grid", -75), ("grid", 21), ("unit", [1, -501]), ("unit", [1, 501]),
        ("digits", 500), ("table", "0" * 16), ("bound", 2**53 - 1), ("min_rows", 0), ("orderings", []),
    ]:  # fmt: skip
        file = File(proof)
        file.header[key] = value
        file.write(forged)
        refused(table, forged)
    for key in ("center", "digits"):
        file = File(proof)
        del file.header[key]
        file.write(forged)
        refused(table, forged)
    # Another table: another number, or one that is no target.
    text = table.read_text()
    other = folder / "other.tw"
    for broken in (text.replace("12 1.5", "12 2.5"), text.replace("12 1.5", "12 1.50"), text.replace("12 1.5", "12 -"),
                   text.replace("12 1.5", "12 1.5 1"), text.replace('target "y"\n', 'target "y"\ntarget "z"\n'),
                   text.replace('target "y"\n', 'target "y"\nclass "z"\n'), text.replace("\ntarget", '\nlabels "a"\ntarget'),
                   text.replace("\ntarget", "\ncosts 1\ntarget"), text.replace('target "y"', "target y")):  # fmt: skip
        assert broken != text
        other.write_text(broken)
        refused(other, proof)
        file = File(proof)
        file.header["table"] = fnv1a(broken.encode()).decode()
        if broken.count("12 2.5") == 0:
            file.header["bound"], file.body = 0, b""
        else:
            file.header["bound"] *= 2
        file.write(forged)
        refused(other, forged)
    # A proof of labels for a table of numbers, and the other way round.
    data.write_text("x0,y\n12,a\n10,b\n5,a\n1,b\n")
    labels = honest(treewright, data, folder / "labels.proof", "--max-depth", 1)
    for one, of in ((folder / "labels.proof", table), (proof, labels)):
        file = File(one)
        file.header["table"] = fnv1a(of.read_bytes()).decode()
        file.write(forged)
        refused(of, forged)
    print("named faults of numbers: refused")


def test_named_faults(treewright: str, folder: Path) -> None:
    """Changes that break one rule of the format each."""
    data, proof, forged = folder / "faults.csv", folder / "faults.proof", folder / "f.proof"
    data.write_text("x0,y\n12,a\n10,b\n5,a\n1,b\n1,b\n5,b\n7,a\n2,a\n")
    table = honest(treewright, data, proof, "--max-depth", 2)

    def change(key: str, value: object) -> None:
        file = File(proof)
        file.header[key] = value
        file.write(forged)
        refused(table, forged)

    for key, value in [
        ("table", "0" * 16), ("unit", [2, 0]), ("unit", [0, 0]), ("unit", [1, 2000]), ("unit", [-1, 0]),
        ("grid", 53), ("grid", -1),
        ("depth", 61), ("depth", 3.0), ("max_splits", 1024), ("max_splits", -1),
        ("price", -1), ("price", 2**53), ("bound", -1), ("orderings", []), ("more", 1),
    ]:  # fmt: skip
        change(key, value)
    file = File(proof)
    file.header["bound"], file.body = 1, bytes([5, 1, 1, 1, 2])  # cuts on ranks that no item has
    file.write(forged)
    refused(table, forged)
    for body in (File(proof).body + b"\0", b"\x80\0" + File(proof).body):
        file = File(proof)
        file.body = body
        file.write(forged)
        refused(table, forged)
    # With leaves of three rows the least number of errors is three, with leaves of two rows it is two, and else none.
    table = honest(treewright, data, proof, "--max-depth", 3, "--min-leaf", 3)
    for least in (2, 1, 0, -3, None, 2**53):
        change("min_rows", least)
    file = File(proof)
    del file.header["min_rows"]
    file.write(forged)
    refused(table, forged)
    other = folder / "other.tw"
    other.write_text(table.read_text().replace('12 "a"', '12 "b"'))
    refused(other, proof)
    for broken in (b"", b"\n", table.read_bytes() + b"\n", table.read_bytes()[:-1], table.read_bytes().replace(b"12 ", b"12.0 ")):
        other.write_bytes(broken)
        file = File(proof)
        file.header |= {"table": fnv1a(broken).decode(), "bound": 0}
        file.body = b""
        file.write(forged)
        refused(other, forged)
    print("named faults: refused")


def test_large(treewright: str, folder: Path) -> None:
    """Two thousand levels, and more rows than a small stack has room for."""
    rng = random.Random(1)
    data, proof = folder / "large.csv", folder / "large.proof"
    levels = [f"t{i // 2},{'ab'[rng.random() < 0.3]}" for i in range(4000)]
    data.write_text("\n".join(["town,y", *levels]) + "\n")
    honest(treewright, data, proof, "--max-depth", 1, "--categorical", "town")
    rows = [f"{a},{'ab'[(a > 40) ^ (rng.random() < 0.2)]}" for a in (rng.randrange(100) for _ in range(30000))]
    data.write_text("\n".join(["x,y", *rows]) + "\n")
    table = honest(treewright, data, proof, "--max-depth", 1)
    small = subprocess.run(["sh", "-c", 'ulimit -S -s 256; exec "$0" "$@"', VERIFY, table, proof], capture_output=True, text=True)
    assert small.returncode == 0 and small.stdout == run(VERIFY, table, proof).stdout, small.stderr
    print("large: 2,000 levels; 30,000 rows from a stack of 256 kB")


def test_sets(treewright: str, folder: Path) -> None:
    files = [path for path in sorted((HERE.parent / "data").glob("*.csv"))]
    where = os.environ.get("TREEWRIGHT_DATA_DIR")
    files += [Path(where) / f"{name}.csv" for name in SETS] if where else []
    of_numbers = 0
    for data in files:
        proof = folder / "set.proof"
        for options in (("--max-depth", 2), ("--max-depth", 3), ("--max-depth", 3, "--min-leaf", 5)):
            table = honest(treewright, data, proof, *options)
        of_numbers += "\ntarget " in table.read_text()
    assert of_numbers > 0
    print(f"sets: proofs of {len(files)} at depth 2 and 3 accepted, and with 5 rows in each leaf; {of_numbers} of them with numbers")


def main() -> None:
    treewright = sys.argv[1]
    test_assumptions()
    print("theorem: closed under the global context")
    with tempfile.TemporaryDirectory() as folder:
        test_random(treewright, Path(folder))
        test_numbers(treewright, Path(folder))
        test_faults_of_numbers(treewright, Path(folder))
        test_named_faults(treewright, Path(folder))
        test_large(treewright, Path(folder))
        test_sets(treewright, Path(folder))


if __name__ == "__main__":
    main()
