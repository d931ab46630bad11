"""The fast checker of proofs and the plain one, for the tests of an adversary's files."""

import subprocess
from pathlib import Path

from treewright import check_proof

JUDGE = Path(__file__).parents[2] / "build/release/tests/treewright_proof_files"


def judged(files):
    """What the fast checker says of pairs of a table and a proof: the bound, or None for a refusal; and its words."""
    lines = "".join(f"{data}\t{proof}\n" for data, proof in files)
    said = subprocess.run([JUDGE], input=lines, capture_output=True, text=True, check=True).stdout.splitlines()
    assert len(said) == len(files)
    return [(float(line.split()[1]) if line.startswith("accepted") else None, line) for line in said]


def plainly(data, proof):
    """The same of the plain checker and one proof."""
    try:
        said = check_proof.verify(data, proof)
        return float(said.split(" below ")[1].split()[0]), said
    except check_proof.Refused as problem:
        return None, str(problem)


def written(forger, contents, folder, name):
    """Writes the files; pairs of the forger's table and each."""
    files = []
    for i, content in enumerate(contents):
        path = folder / f"{name}{i}"
        path.write_bytes(content)
        files.append((forger.data, path))
    return files
