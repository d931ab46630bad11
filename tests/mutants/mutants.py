#!/usr/bin/env python3
"""Plants small defects in the search and in the checker of proofs, one at a time, and asks whether the tests notice.

A test system is judged by what it would miss. Each mutant changes one place of the source: a comparison is turned, a one is dropped or
added, min becomes max, a sum a difference, a condition or a term goes. The places are found by patterns in all files, and a seed picks the
mutants, so nobody chooses them. A mutant is built with asserts and with the audit of the search (search/node/audit.h). Then the fuzzer and
the unit tests of the search run on it, and the forged proofs where it is one of the checker. It is killed if one of them fails within two
minutes of CPU time.

    tests/mutants/mutants.py --count 100 --seed 1

Results are added to build/mutants/results.tsv, and a run that was stopped goes on. A mutant that cannot be told from the original by any
result is listed in equivalent.tsv with the reason, and set aside. The exit status is 0 unless the original fails.
"""

from __future__ import annotations

import argparse
import csv
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
WORK = ROOT / "build/mutants"
TREE = WORK / "tree"
SOURCES = [
    "src/treewright/search/**/*.cpp",
    "src/treewright/search/**/*.h",
    "src/treewright/proof/*.cpp",
    "src/treewright/proof/*.h",
    "src/treewright/data/price_grid.cpp",
    "src/treewright/data/whole_weights.cpp",
]
SECONDS = 120  # of CPU time for a mutant, its compilation aside
TARGETS = ("treewright_fuzz", "treewright_proof_files", "treewright_tests")
TESTS = ":".join(
    f"*{name}*"
    for name in (
        *("Search", "Exact", "StumpKernel", "Interval", "Primal", "Proof", "Ledger", "Split", "Problem", "Subset", "Pack", "Bit"),
        *("Set", "Core", "Coarse", "Price", "Whole", "Rank"),
    )
)

# A pattern in code, and what stands there instead.
OPERATORS = [
    ("turned comparison", r" < ", " <= "),
    ("turned comparison", r" <= ", " < "),
    ("turned comparison", r" > ", " >= "),
    ("turned comparison", r" >= ", " > "),
    ("turned equality", r" == ", " != "),
    ("turned equality", r" != ", " == "),
    ("min for max", r"\bstd::min\b", "std::max"),
    ("max for min", r"\bstd::max\b", "std::min"),
    ("one less", r" \+ 1\b", ""),
    ("one more", r" - 1\b", ""),
    ("difference for sum", r" \+ (?!1\b)", " - "),
    ("sum for difference", r" - (?!1\b)", " + "),
    ("dropped term", r" [+-] \w[\w.\->]*(?:\([\w., ]*\))?(?=[;,)])", ""),
    ("dropped condition", r" && [\w!.\->]+(?:\([\w., ]*\))?(?: [<>=!]=? [\w.\->]+)?(?=[ ;)])", ""),
    ("dropped alternative", r" \|\| [\w!.\->]+(?:\([\w., ]*\))?(?: [<>=!]=? [\w.\->]+)?(?=[ ;)])", ""),
    ("and for or", r" \|\| ", " && "),
    ("or for and", r" && ", " || "),
    ("never", r"\bif \((?!constexpr)", "if (false && "),
    ("other side", r"\bleft\b", "right"),
    ("other bound", r"\brelaxed\b", "lower"),
]

# Defects that the search once had: true bounds, used for other trees than they were proved for.
PLANTED = [
    (
        "src/treewright/search/exact.cpp",
        "joined(shallow.bound(), root_.deepest({level.depth, top.depth, top.splits}))",
        "TreeBound(std::min(shallow.lower,"
        " root_.deepest({level.depth, level.depth, level.splits}).of({level.depth, level.depth, level.splits})), top.result.trees)",
    ),
    ("src/treewright/search/exact.cpp", "if (root_.levels.front().depth > 3) shallow.drop_bounds();", ""),
    ("src/treewright/search/depth_two/depth_two.cpp", "result.include_constant_orderings(price + all.one_split);", ""),
]


@dataclass(frozen=True)
class Mutant:
    file: str
    line: int  # from 1
    kind: str
    before: str
    after: str

    @property
    def key(self) -> tuple[str, str, str]:
        return self.file, self.before.strip(), self.after.strip()


def code_of(line: str) -> str:
    """The line with texts and comments blanked out, so that patterns find code only."""
    blank = re.sub(r'"(?:\\.|[^"\\])*"', lambda match: '"' + " " * (len(match[0]) - 2) + '"', line)
    return blank.partition("//")[0]


def mutants_of(file: str, text: str) -> Iterator[Mutant]:
    for number, line in enumerate(text.splitlines(), 1):
        code = code_of(line)
        if re.match(r"\s*(#|template|static_assert|assert|RULE|using|namespace|$)", code):
            continue
        for kind, pattern, instead in OPERATORS:
            for match in re.finditer(pattern, code):
                yield Mutant(file, number, kind, line, line[: match.start()] + instead + line[match.end() :])


def all_mutants() -> list[Mutant]:
    found = {}
    for pattern in SOURCES:
        for path in sorted(ROOT.glob(pattern)):
            file = str(path.relative_to(ROOT))
            if path.stem == "audit":
                continue
            for mutant in mutants_of(file, path.read_text()):
                found.setdefault((mutant.file, mutant.line, mutant.after), mutant)
    return list(found.values())


def planted() -> list[Mutant]:
    result = []
    for file, before, after in PLANTED:
        lines = (ROOT / file).read_text().splitlines()
        number = next(i for i, line in enumerate(lines, 1) if before in line)
        result.append(Mutant(file, number, "planted", lines[number - 1], lines[number - 1].replace(before, after)))
    return result


def build(target: str) -> bool:
    command = ["cmake", "--build", "build/audit", "--target", target]
    return subprocess.run(command, cwd=TREE, capture_output=True).returncode == 0


def prepare() -> None:
    """A copy of the source with a build of its own."""
    files = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    for name in filter(None, files):
        source, copy = ROOT / name, TREE / name
        if source.is_file() and (not copy.is_file() or copy.read_bytes() != source.read_bytes()):
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(source, copy)
    if not (TREE / ".venv-highs").exists() and (ROOT / ".venv-highs").exists():
        (TREE / ".venv-highs").symlink_to(ROOT / ".venv-highs")
    settings = [f"-DCMAKE_{language}_COMPILER_LAUNCHER=ccache" for language in ("C", "CXX") if shutil.which("ccache")]
    subprocess.run(["cmake", "--preset", "audit", *settings], cwd=TREE, check=True, stdout=subprocess.DEVNULL)
    for target in TARGETS:
        if not build(target):
            sys.exit("mutants.py: the original does not build")
    # Where tests/python/test_forge.py looks for it.
    judge = TREE / "build/release/tests/treewright_proof_files"
    judge.parent.mkdir(parents=True, exist_ok=True)
    if not judge.exists():
        judge.symlink_to(TREE / "build/audit/tests/treewright_proof_files")


def commands_for(file: str) -> list[tuple[str, str, list[str]]]:
    """Names, targets and commands of the tests, the cheapest first."""
    fuzz = ["build/audit/tests/fuzz/treewright_fuzz", "--method", "oct", "--out", str(WORK), "--failures", "1"]
    tests = "build/audit/tests/treewright_tests"
    commands = [("fuzz", "treewright_fuzz", [*fuzz, "--seed", "1", "--cases", "300"])]
    if "/proof/" in file:
        forge = [str(ROOT / ".venv/bin/python"), "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", "tests/python/test_forge.py"]
        commands.append(("forged proofs", "treewright_proof_files", forge))
    commands.append(("unit tests", "treewright_tests", [tests, "--gtest_brief=1", f"--gtest_filter={TESTS}:-*eavy*"]))
    commands.append(("fuzz, longer", "treewright_fuzz", [*fuzz, "--seed", "1000", "--cases", "100000"]))
    return commands


def children_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def failing_test(file: str, seconds: float) -> str:
    """The first of the tests that fails, or "" if none does within the CPU seconds. A test that does not end in time by far has failed."""
    spent = 0.0
    for name, target, command in commands_for(file):
        if not build(target):
            return "does not compile"
        left = max(1, int(seconds - spent))
        before = children_seconds()
        if name == "fuzz, longer":
            command = [*command, "--minutes", f"{left / 60:.2f}"]
        try:
            code = subprocess.run(
                command, cwd=TREE, capture_output=True, timeout=10 * left, preexec_fn=lambda limit=left: limit_cpu(limit)
            ).returncode
        except subprocess.TimeoutExpired:
            code = 0 if name == "fuzz, longer" else -signal.SIGXCPU
        spent += children_seconds() - before
        if code == -signal.SIGXCPU and name != "fuzz, longer":
            return f"{name}: does not end"
        if code not in (0, -signal.SIGXCPU):
            return name
    return ""


def limit_cpu(seconds: int) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds + 5))


def run(mutant: Mutant) -> tuple[str, str, float]:
    """Verdict, the test that killed it, and the seconds that took."""
    path = TREE / mutant.file
    original = path.read_text()
    lines = original.splitlines(keepends=True)
    assert lines[mutant.line - 1].rstrip("\n") == mutant.before
    lines[mutant.line - 1] = mutant.after + "\n"
    try:
        path.write_text("".join(lines))
        if not build("treewright_fuzz"):
            return "does not compile", "", 0
        start = time.monotonic()
        by = failing_test(mutant.file, SECONDS)
        return ("killed" if by else "survives"), by, time.monotonic() - start
    finally:
        path.write_text(original)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--minutes", type=float, default=float("inf"))
    parser.add_argument("--list", action="store_true", help="print how many mutants there are of each kind, and end")
    arguments = parser.parse_args()
    candidates = all_mutants()
    if arguments.list:
        for kind in dict.fromkeys(kind for kind, _, _ in OPERATORS):
            print(f"{sum(mutant.kind == kind for mutant in candidates):6}  {kind}")
        return
    chosen = planted() + random.Random(arguments.seed).sample(candidates, min(arguments.count, len(candidates)))
    prepare()
    by = failing_test("src/treewright/proof/", 2 * SECONDS)
    if by:
        sys.exit(f"mutants.py: the original fails: {by}")
    log = WORK / "results.tsv"
    known = {}
    if log.is_file():
        with log.open(newline="") as file:
            known = {tuple(row[:5]): row for row in csv.reader(file, delimiter="\t")}
    end = time.monotonic() + 60 * arguments.minutes
    rows = []
    for mutant in chosen:
        name = (mutant.file, str(mutant.line), mutant.kind, mutant.before.strip(), mutant.after.strip())
        if name not in known:
            if time.monotonic() > end:
                break
            verdict, by, seconds = run(mutant)
            known[name] = [*name, verdict, by, f"{seconds:.0f}"]
            with log.open("a", newline="") as file:
                csv.writer(file, delimiter="\t").writerow(known[name])
            print(f"{verdict:17} {by:13} {seconds:4.0f} s  {mutant.file}:{mutant.line}  {mutant.kind}: {mutant.after.strip()}", flush=True)
        rows.append((mutant, known[name]))
    report(rows)


def report(rows: list[tuple[Mutant, list[str]]]) -> None:
    equivalent = set()
    listed = Path(__file__).with_name("equivalent.tsv")
    if listed.is_file():
        with listed.open(newline="") as file:
            equivalent = {(row[0], row[1], row[2]) for row in csv.reader(file, delimiter="\t") if len(row) > 3}
    compiled = [(mutant, row) for mutant, row in rows if row[5] != "does not compile"]
    aside = [mutant for mutant, row in compiled if row[5] == "survives" and mutant.key in equivalent]
    killed = sum(row[5] == "killed" for _, row in compiled)
    judged = len(compiled) - len(aside)
    share = 100 * killed / max(1, judged)
    print(f"{len(rows)} mutants, {len(compiled)} compile, {len(aside)} equivalent, {killed} of {judged} killed ({share:.1f} %)")


if __name__ == "__main__":
    main()
