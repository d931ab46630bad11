"""The checkers of proofs, for the tests of an adversary's files."""

import subprocess
from pathlib import Path

from treewright import check_proof

JUDGE = Path(__file__).parents[2] / "build/release/tests/treewright_proof_files"
VERIFY = Path(__file__).parents[2] / "verified/build/treewright-verify"


def judged(files):
    """What the fast checker says of pairs of a table and a proof: the bound, or None for a refusal; and its words."""
    lines = "".join(f"{table}\t{proof}\n" for table, proof in files)
    said = subprocess.run([JUDGE], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(said) == len(files)
    return [(bound_in(line) if line.startswith("accepted") else None, line) for line in said]


def bound_in(sentence):
    return float(sentence.split(" below ")[1].split(";")[0])


def plainly(table, proof):
    """The same of the plain checker and one proof."""
    try:
        said = check_proof.verify(table, proof)
        return bound_in(said), said
    except check_proof.Refused as problem:
        return None, str(problem)


def verified(table, proof):
    """The same of the verified checker."""
    said = subprocess.run([VERIFY, table, proof], capture_output=True, text=True)
    if said.returncode == 0:
        return bound_in(said.stdout), said.stdout.removesuffix("\n")
    assert said.returncode == 1 and said.stderr.startswith("refused: "), f"{proof}: exit {said.returncode}, {said.stderr}"
    return None, said.stderr


def written(forger, contents, folder, name):
    """Writes the files; pairs of the forger's table and each."""
    files = []
    for i, content in enumerate(contents):
        path = folder / f"{name}{i}"
        path.write_bytes(content)
        files.append((forger.data, path))
    return files
