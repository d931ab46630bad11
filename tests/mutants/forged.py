"""Writes honest and forged proofs for mutants.py into a folder, and "list" with lines "DATA<tab>PROOF" for treewright_proof_files."""

import random
import sys
import types
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TABLES, FILES = 40, 40  # FILES: for each table, besides those that break one rule each

# The checker in Python needs nothing of the package, so nothing has to be installed.
package = types.ModuleType("treewright")
package.__path__ = [str(ROOT / "python/treewright")]
sys.modules["treewright"] = package
sys.path.insert(0, str(ROOT / "tests/python"))

import forge  # noqa: E402
from broken_rules import broken_rules  # noqa: E402


def main() -> None:
    folder = Path(sys.argv[1])
    lines = []
    for seed in range(TABLES):
        table = folder / str(seed)
        table.mkdir()
        forger = forge.Forger(random.Random(seed), table)
        contents = [forger.honest(), *(content for _, content in broken_rules(forger))]
        contents += [content for content, _ in forger.false_claims(FILES)]
        for i, content in enumerate(contents):
            (table / str(i)).write_bytes(content)
            lines.append(f"{forger.data}\t{table / str(i)}\n")
    (folder / "list").write_text("".join(lines))


main()
