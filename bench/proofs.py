#!/usr/bin/env python3
"""Writes proofs and has them checked: a Markdown table of processor seconds and sizes.

Each row: the search alone, what the proof takes besides, the file, the checker of the command and, on small sets, the one in plain Python
and the one that Coq has verified (`make verified` builds it).
"""

import argparse
import os
import pathlib
import re
import subprocess
import sys
import tempfile

SETS = [
    ("iris", 3), ("wine", 2), ("hepatitis", 3), ("haberman", 3), ("blood-transfusion", 3), ("balance-scale", 3), ("tic-tac-toe", 3),
    ("car-evaluation", 3), ("banknote", 3), ("kr-vs-kp", 3), ("raisin", 3), ("ionosphere", 3), ("parkinsons", 3),
    ("pima-diabetes", 3),
    ("breast-cancer-wisconsin", 3), ("breast-cancer-diagnostic", 3), ("spambase", 3), ("page-blocks", 3), ("wilt", 3), ("htru2", 3),
    ("magic04", 2), ("magic04", 3), ("blood-transfusion", 4), ("raisin", 4), ("wilt", 4), ("page-blocks", 4),
]  # fmt: skip
# At depth 3 the checkers in Python and Coq take many minutes on these.
LARGE = {"spambase", "htru2", "magic04"}


def run(*command):
    """Processor seconds and standard output."""
    with tempfile.TemporaryFile("w+") as out:
        process = subprocess.Popen([str(part) for part in command], stdout=out)
        _, status, usage = os.wait4(process.pid, 0)
        out.seek(0)
        if status != 0:
            sys.exit(f"{' '.join(map(str, command))}: exit status {os.waitstatus_to_exitcode(status)}\n{out.read()}")
        return usage.ru_utime + usage.ru_stime, out.read()


def row(arguments, name, depth, folder):
    data, tree, proof = arguments.data_dir / f"{name}.csv", folder / "tree.json", folder / "bound.proof"
    fit = (arguments.command, "fit", data, "--max-depth", depth, "--n-jobs", 1, "--no-verify", "--quiet", "--out", tree)
    search, _ = run(*fit)
    with_proof, _ = run(*fit, "--proof", proof)
    check, said = run(arguments.command, "check", tree, data, "--proof", proof)
    claims, stumps = re.search(r"(\d+) claims and recounted (\d+) best splits", said).groups()
    table = folder / "bound.tw"
    run(arguments.command, "table", data, "--tree", tree, "--out", table)
    python = verified = "-"
    if depth < 3 or (name not in LARGE and depth == 3):
        script = pathlib.Path(__file__).resolve().parent.parent / "python/treewright/check_proof.py"
        python = f"{run(arguments.python, script, table, proof)[0]:.1f}"
        verified = f"{run(arguments.verify, table, proof)[0]:.1f}"
    size = proof.stat().st_size / 1000
    cells = (
        name,
        depth,
        f"{search:.2f}",
        f"{with_proof - search:.2f}",
        f"{size:,.1f}",
        f"{int(claims):,}",
        f"{int(stumps):,}",
        f"{check:.2f}",
    )
    print(f"| {' | '.join(map(str, cells))} | {python} | {verified} |", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/release/treewright")
    parser.add_argument("--python", default=".venv/bin/python", help="a Python with numpy")
    parser.add_argument("--verify", default="verified/build/treewright-verify", help="the verified checker")
    parser.add_argument("--data-dir", type=pathlib.Path, required=True)
    parser.add_argument("--sets", nargs="*", default=[f"{name}:{depth}" for name, depth in SETS], help="NAME:DEPTH ...")
    arguments = parser.parse_args()
    print("| set | depth | search s | proof s | kB | claims | best splits | check s | Python s | verified s |")
    print("|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for name, depth in (part.split(":") for part in arguments.sets):
            row(arguments, name, int(depth), pathlib.Path(folder))


if __name__ == "__main__":
    main()
