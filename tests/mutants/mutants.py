#!/usr/bin/env python3
"""Plants small defects in the search and in the checker of proofs, one at a time, and asks whether the tests notice.

A test system is judged by what it would miss. Each mutant changes one place of the source: a comparison is turned, a one is dropped or
added, min becomes max, a sum a difference, a condition or a term goes (plant.py). The places are found by patterns in all files, and a seed
picks the mutants, so nobody chooses them. The build has asserts and the audit of the search (search/audit.h). On each mutant run, until one
of them fails: the first cases of the fuzzer, those unit tests that execute the mutant, proofs of a forger, and more cases of the fuzzer. A
mutant is killed if one fails within two minutes of CPU time.

    tests/mutants/mutants.py --count 300 --seed 1

Most mutants share one build, in which the environment switches one of them on (switch.h). The others are built alone. Results are added to
build/mutants/results.tsv, and a run that was stopped goes on; --again judges the survivors once more. A mutant that no result can tell from
the original is listed in equivalent.tsv with the reason, and set aside. The exit status is 0 unless the original fails.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import plant
from plant import ROOT, Mutant

WORK = ROOT / "build/mutants"
TREE = WORK / "tree"
BUILD = "build/release"
TARGETS = ["treewright_fuzz", "treewright_mutant_tests", "treewright_proof_files"]
SECONDS = 120  # at most; CPU seconds for a mutant, its compilation aside
MEMORY = 6 << 30  # bytes; a mutant that takes more has failed
FUZZ = [f"{BUILD}/tests/fuzz/treewright_fuzz", "--method", "oct", "--failures", "0"]
FIRST_CASES, MORE_CASES = 60, 2500
UNIT_SECONDS = 4  # unit tests that take more CPU seconds are left out
TESTS = f"{BUILD}/tests/treewright_mutant_tests"
JUDGE = f"{BUILD}/tests/treewright_proof_files"

# The files with mutants have asserts and the audit, and see the headers with mutants. All others are compiled as for users, from the
# headers as they are, so a cache of compilations has them.
AUDITED = """
file(GLOB_RECURSE MUTATED src/treewright/search/*.cpp src/treewright/proof/*.cpp)
list(APPEND MUTATED src/treewright/data/price_grid.cpp src/treewright/data/whole_weights.cpp)
set_source_files_properties(${MUTATED} PROPERTIES COMPILE_OPTIONS
  "-UNDEBUG;-DTREEWRIGHT_AUDIT;-DHWY_COMPILE_ONLY_STATIC;-O1;-w;-iquote;${PROJECT_SOURCE_DIR}/switched")
"""


def build(*options: str) -> tuple[bool, str]:
    command = ["nice", "-n", "5", "cmake", "--build", BUILD, "-j", "3", "--target", *TARGETS, "--", *options]
    done = subprocess.run(command, cwd=TREE, capture_output=True, text=True)
    return done.returncode == 0, done.stdout + done.stderr


def put(path: Path, text: bytes) -> None:
    """Writes a file if it differs, so that what is up to date is not built again."""
    if not path.is_file() or path.read_bytes() != text:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text)


def place_of(file: str) -> Path:
    return TREE / file.replace("src/", "switched/") if file.endswith(".h") else TREE / file


def prepare(mutants: dict[int, Mutant]) -> set[int]:
    """A copy of the source with switches for the mutants, and its build. Returns the mutants that have to be built alone."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, text=True).stdout.split("\0")
    mutated = {mutant.file for mutant in mutants.values()}
    for name in filter(None, listed):
        if (ROOT / name).is_file() and (name not in mutated or name.endswith(".h")):
            text = (ROOT / name).read_bytes()
            put(TREE / name, text + AUDITED.encode() if name == "CMakeLists.txt" else text)
            (TREE / name).chmod((ROOT / name).stat().st_mode)
    put(TREE / "src/treewright/mutant_switch.h", (ROOT / "tests/mutants/switch.h").read_bytes())
    if not (TREE / ".venv-highs").exists() and (ROOT / ".venv-highs").exists():
        (TREE / ".venv-highs").symlink_to((ROOT / ".venv-highs").resolve())
    settings = ["-DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON"]
    if shutil.which("ccache"):
        settings += ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache", "-DCMAKE_C_COMPILER_LAUNCHER=ccache"]
    alone: set[int] = set()
    known = WORK / "alone.tsv"  # so that the next run need not find them again
    if known.is_file():
        rows = {tuple(row) for row in csv.reader(known.open(newline=""), delimiter="\t")}
        alone = {number for number, mutant in mutants.items() if mutant.row in rows}
    configured = False
    while True:
        plain = {file: (ROOT / file).read_text().splitlines() for file in mutated}
        for file in mutated:
            here = {number: mutant for number, mutant in mutants.items() if mutant.file == file and number not in alone}
            lines, without = plant.switched_lines(plain[file], here)
            alone |= without
            put(place_of(file), ('#include "treewright/mutant_switch.h"  // NOLINT\n' + "\n".join(lines) + "\n").encode())
        if not configured:
            subprocess.run(["cmake", "--preset", "release", *settings], cwd=TREE, check=True, stdout=subprocess.DEVNULL)
            configured = True
        built, said = build("-k", "0")
        if built:
            break
        places = re.findall(r"(?:src|switched)/(treewright/\S+?):(\d+):\d+: (error|note|required|  required)", said)
        (WORK / "build.log").write_text(said)
        lines_of = {(mutant.file, mutant.line + 1): set() for mutant in mutants.values()}
        for number, mutant in mutants.items():
            lines_of[mutant.file, mutant.line + 1].add(number)
        found = set()
        for severity in (("error",), ("note", "required", "  required")):
            for file, line, kind in places:
                if kind in severity:
                    found |= lines_of.get(("src/" + file, int(line)), set()) - alone
            if found:
                break
        if not found:
            sys.exit(f"mutants.py: the original does not build; see {WORK / 'build.log'}")
        alone |= found
        print(f"{len(alone)} mutants are to be built alone", flush=True)
        with known.open("a", newline="") as file:
            csv.writer(file, delimiter="\t").writerows(mutants[number].row for number in sorted(found))
    return alone


def run_limited(command: list[str], seconds: float, stdin: str = "", **environment: str) -> tuple[int, float, str]:
    """Exit code, CPU seconds and output. A process that exceeds the seconds is ended by a signal."""

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_CPU, (max(1, int(seconds) + 1), max(2, int(seconds) + 2)))
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        os.nice(5)

    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    process = subprocess.Popen(
        command,
        cwd=TREE,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        errors="replace",
        preexec_fn=limit,
        start_new_session=True,
        env={**os.environ, **environment},
    )
    try:
        out, _ = process.communicate(stdin, timeout=40 * seconds + 60)  # a wait without end takes no CPU time
        code = process.returncode
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        out, _ = process.communicate()
        code = -signal.SIGXCPU
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return code, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, out


class Tests:
    """What is run on each mutant, and which mutants each of its parts executes."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.forged = forged_files()
        code, _, self.verdicts = run_limited([JUDGE], SECONDS, self.forged)
        if code != 0:
            sys.exit("mutants.py: the original judges no proofs")
        self.reached: dict[str, set[int]] = {}
        self.cost: dict[str, float] = {}
        names, suite = [], ""
        for line in run_limited([TESTS, "--gtest_list_tests"], SECONDS)[2].splitlines():
            if line and not line.startswith(" "):
                suite = line.split()[0]
            elif line and "eavy" not in suite + line:
                names.append(suite + line.split()[0])
        self.unit = names
        for name in names:
            self.measure(name, [TESTS, f"--gtest_filter={name}"], limit=UNIT_SECONDS)
        self.measure("fuzz", [*FUZZ, "--seed", "1", "--cases", str(FIRST_CASES)])
        self.measure("fuzz, longer", [*FUZZ, "--seed", "1001", "--cases", str(4 * FIRST_CASES)])
        self.measure("forged proofs", [JUDGE], self.forged)

    def measure(self, name: str, command: list[str], stdin: str = "", limit: float = 10 * SECONDS) -> None:
        file = WORK / "reached"
        file.unlink(missing_ok=True)
        code, self.cost[name], _ = run_limited(command, limit, stdin, TREEWRIGHT_REACHED=str(file))
        if code < 0 and self.cost[name] > limit:
            return
        if code != 0:
            sys.exit(f"mutants.py: the original fails: {name}")
        self.reached[name] = {i for i, byte in enumerate(file.read_bytes()) if byte}

    def killer(self, number: int, switched: bool) -> tuple[str, float, bool]:
        """The first test that fails, the CPU seconds until then, and whether any test executes the mutant."""
        environment = {"TREEWRIGHT_MUTANT": str(number)} if switched else {}
        runs = {name for name, reached in self.reached.items() if not switched or number in reached}
        left = self.seconds

        def fails(name: str, command: list[str], stdin: str = "", said: str = "") -> bool:
            nonlocal left
            if left <= 0:
                return False
            code, seconds, out = run_limited(command, left, stdin, **environment)
            left -= seconds
            if left <= 0 and name.startswith("fuzz, longer"):
                return False
            return code != 0 or (said != "" and out != said)

        spent = lambda: self.seconds - left  # noqa: E731
        if "forged proofs" in runs and fails("forged proofs", [JUDGE], self.forged, self.verdicts):
            return "forged proofs", spent(), True
        if "fuzz" in runs and fails("fuzz", [*FUZZ, "--seed", "1", "--cases", str(FIRST_CASES)]):
            return "fuzz", spent(), True
        unit = sorted((name for name in runs if name in self.unit), key=lambda name: self.cost[name])
        if unit and fails("unit tests", [TESTS, "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={':'.join(unit)}"]):
            return "unit tests", spent(), True
        seed = 1001
        while left > 0 and ("fuzz" in runs or "fuzz, longer" in runs):
            if fails("fuzz, longer", [*FUZZ, "--seed", str(seed), "--cases", str(MORE_CASES)]):
                return "fuzz, longer", spent(), True
            seed += MORE_CASES
        return "", spent(), bool(runs)


def forged_files() -> str:
    """Lines "DATA<tab>PROOF" of honest and forged proofs, made once by the forger of the Python tests."""
    folder = WORK / "forged"
    done = folder / "list"
    if not done.is_file():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        python = ROOT / ".venv/bin/python"  # has numpy
        subprocess.run([str(python if python.exists() else sys.executable), str(ROOT / "tests/mutants/forged.py"), str(folder)], check=True)
    return done.read_text()


def run_alone(mutant: Mutant, tests: Tests, number: int) -> list[str]:
    path = place_of(mutant.file)
    switched = path.read_bytes()
    lines = path.read_text().splitlines()
    plain = (ROOT / mutant.file).read_text().splitlines()
    assert plain[mutant.line - 1] == mutant.before
    lines[mutant.line] = mutant.after  # the switches begin with one line more
    try:
        path.write_text("\n".join(lines) + "\n")
        built, _ = build()
        if not built:
            return ["does not compile", "", "0"]
        by, seconds, _ = tests.killer(number, switched=False)
        return ["killed" if by else "survives", by, f"{seconds:.1f}"]
    finally:
        path.write_bytes(switched)


def read_results(log: Path) -> dict[tuple[str, ...], list[str]]:
    if not log.is_file():
        return {}
    with log.open(newline="") as file:
        return {tuple(row[:5]): row for row in csv.reader(file, delimiter="\t")}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--seconds", type=float, default=SECONDS, help="CPU seconds for a mutant; few of them find the survivors to look at"
    )
    parser.add_argument("--again", action="store_true", help="judge the survivors again")
    parser.add_argument("--report", action="store_true", help="print the share and the survivors from the stored results, and end")
    parser.add_argument("--list", action="store_true", help="print how many mutants there are of each kind, and end")
    arguments = parser.parse_args()
    candidates = plant.all_mutants()
    if arguments.list:
        for kind in dict.fromkeys(kind for kind, _, _, _ in plant.OPERATORS):
            print(f"{sum(mutant.kind == kind for mutant in candidates):6}  {kind}")
        return
    chosen = plant.planted() + random.Random(arguments.seed).sample(candidates, min(arguments.count, len(candidates)))
    mutants = dict(enumerate(chosen, 1))
    WORK.mkdir(parents=True, exist_ok=True)
    log = WORK / "results.tsv"
    if not arguments.report:
        judge(mutants, log, arguments.seconds, arguments.again)
    report(mutants, read_results(log))


def judge(mutants: dict[int, Mutant], log: Path, seconds: float, again: bool) -> None:
    known = read_results(log)
    alone = prepare(mutants)
    tests = Tests(seconds)
    for number, mutant in sorted(mutants.items(), key=lambda item: (item[0] in alone, item[0])):
        if mutant.row in known and not (again and known[mutant.row][5] == "survives"):
            continue
        if number in alone:
            verdict = run_alone(mutant, tests, number)
        else:
            by, spent, reached = tests.killer(number, switched=True)
            verdict = ["killed" if by else "survives", by if reached else "not executed", f"{spent:.1f}"]
        with log.open("a", newline="") as file:
            csv.writer(file, delimiter="\t").writerow([*mutant.row, *verdict])
        print(
            f"{verdict[0]:17} {verdict[1]:13} {verdict[2]:>5} s  {mutant.file}:{mutant.line}  {mutant.kind}: {mutant.after.strip()}",
            flush=True,
        )


def report(mutants: dict[int, Mutant], results: dict[tuple[str, ...], list[str]]) -> None:
    equivalent = set()
    listed = Path(__file__).with_name("equivalent.tsv")
    if listed.is_file():
        with listed.open(newline="") as file:
            equivalent = {(row[0], row[1], row[2]) for row in csv.reader(file, delimiter="\t") if len(row) > 3}
    rows = [(mutant, results[mutant.row]) for mutant in mutants.values() if mutant.row in results]
    compiled = [(mutant, row) for mutant, row in rows if row[5] != "does not compile"]
    survivors = [(mutant, row) for mutant, row in compiled if row[5] == "survives"]
    aside = [mutant for mutant, _ in survivors if mutant.key in equivalent]
    for mutant, row in survivors:
        if mutant.key not in equivalent:
            print(f"survives ({row[6] or 'executed'})  {mutant.file}:{mutant.line}  {mutant.kind}")
            print(f"    {mutant.before.strip()}\n    {mutant.after.strip()}")
    killed = len(compiled) - len(survivors)
    judged = len(compiled) - len(aside)
    share = 100 * killed / max(1, judged)
    print(f"{len(rows)} mutants, {len(compiled)} compile, {len(aside)} equivalent, {killed} of {judged} killed ({share:.1f} %)")


if __name__ == "__main__":
    main()
