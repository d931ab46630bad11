#!/usr/bin/env python3
"""Plants small defects in the search and in the checker of proofs, one at a time, and asks whether the tests notice.

A test system is judged by what it would miss. Each mutant changes one place of the source: a comparison is turned, a one is dropped or
added, min becomes max, a sum a difference, a condition or a term goes (plant.py). The places are found by patterns in all files, and a seed
picks the mutants, so nobody chooses them. The build has asserts and the audit of the search (search/node/audit.h). These run until one
fails: proofs of a forger, a few cases of the fuzzer, the unit tests that execute the mutant, and more cases of the fuzzer.
A mutant is killed if one fails within two minutes of CPU time.

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
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import plant
from plant import ROOT, Mutant

WORK = ROOT / "build/mutants"
TREE = WORK / "tree"
BUILD = "build/release"
TARGETS = ["treewright_fuzz", "treewright_mutant_tests", "treewright_proof_files"]
SECONDS = 120  # at most; CPU seconds for a mutant, its compilation aside
MEMORY = 6 << 30  # bytes; a mutant that takes more has failed
FUZZ = [f"{BUILD}/tests/fuzz/treewright_fuzz", "--method", "oct", "--failures", "0", "--seconds", "600"]  # the audit takes long
CASES = 40  # of one run of the fuzzer
MORE_RUNS = 10  # before the unit tests, which take longer
UNIT_SECONDS = 4  # unit tests that take more CPU seconds are left out
TESTS = f"{BUILD}/tests/treewright_mutant_tests"
JUDGE = f"{BUILD}/tests/treewright_proof_files"

# The files with mutants have asserts, those of the standard library too, and the audit, and see the headers with mutants. All others are
# compiled as for users, from the headers as they are, so a cache of compilations has them.
AUDITED = """
file(GLOB_RECURSE MUTATED src/treewright/search/*.cpp src/treewright/proof/*.cpp)
list(APPEND MUTATED src/treewright/data/costs/price_grid.cpp src/treewright/data/costs/whole_weights.cpp)
set_source_files_properties(${MUTATED} PROPERTIES COMPILE_OPTIONS
  "-UNDEBUG;-D_GLIBCXX_ASSERTIONS;-DTREEWRIGHT_AUDIT;-DHWY_COMPILE_ONLY_STATIC;-O1;-w;-iquote;${PROJECT_SOURCE_DIR}/switched")
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
    for stale in (TREE / "switched").rglob("*.h"):  # of another choice of mutants
        if f"src/{stale.relative_to(TREE / 'switched')}" not in mutated:
            stale.unlink()
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
    cpu = int(seconds) + 1
    limits = ["prlimit", f"--cpu={cpu}:{cpu + 1}", f"--as={MEMORY}", "--core=0", "nice", "-n", "5"]
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as said:
        given.write(stdin.encode())
        given.seek(0)
        process = subprocess.Popen(
            limits + command,
            cwd=TREE,
            stdin=given,
            stdout=said,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
            env={**os.environ, **environment},
        )
        clock = threading.Timer(40 * seconds + 60, os.killpg, (process.pid, signal.SIGKILL))  # a wait without end takes no CPU time
        clock.start()
        _, status, used = os.wait4(process.pid, 0)  # of this process and those that it waited for
        clock.cancel()
        process.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        return process.returncode, used.ru_utime + used.ru_stime, said.read().decode(errors="replace")


class Tests:
    """What is run on each mutant, and which mutants each of its parts executes."""

    def __init__(self, seconds: float, jobs: int) -> None:
        self.seconds, self.jobs = seconds, jobs
        self.forged = forged_files()
        code, _, self.verdicts = run_limited([JUDGE], SECONDS, self.forged)
        if code != 0:
            sys.exit("mutants.py: the original judges no proofs")
        self.reached: dict[str, set[int]] = {}
        self.cost: dict[str, float] = {}
        self.unit: list[str] = []
        self.runs_of_original: dict[int, float | None] = {}
        self.lock = threading.Lock()
        self.measure("fuzz", self.fuzz(1))
        self.measure("more cases", self.fuzz(1 + CASES, MORE_RUNS * CASES))
        self.measure("forged proofs", [JUDGE], self.forged)

    @staticmethod
    def fuzz(seed: int, cases: int = CASES) -> list[str]:
        return [*FUZZ, "--seed", str(seed), "--cases", str(cases)]

    def measure_unit_tests(self) -> None:
        """Each of them alone. Only mutants that survive the rest need it."""
        names, suite = [], ""
        for line in run_limited([TESTS, "--gtest_list_tests"], SECONDS)[2].splitlines():
            if line and not line.startswith(" "):
                suite = line.split()[0]
            elif line and "eavy" not in suite + line:
                names.append(suite + line.split()[0])
        with ThreadPoolExecutor(self.jobs) as pool:
            list(pool.map(lambda name: self.measure(name, [TESTS, f"--gtest_filter={name}"], limit=UNIT_SECONDS), names))
        self.unit = sorted((name for name in names if name in self.reached), key=lambda name: self.cost[name])

    def measure(self, name: str, command: list[str], stdin: str = "", limit: float = 10 * SECONDS) -> None:
        file = WORK / f"reached-{threading.get_ident()}"
        file.unlink(missing_ok=True)
        code, cost, _ = run_limited(command, limit, stdin, TREEWRIGHT_REACHED=str(file))
        if code < 0 and cost > limit:
            return
        if code != 0:
            sys.exit(f"mutants.py: the original fails: {name}")
        self.cost[name] = cost
        self.reached[name] = {i for i, byte in enumerate(file.read_bytes()) if byte}
        file.unlink()

    def fails(self, number: int | None, command: list[str], cost: float, stdin: str = "", said: str = "") -> tuple[bool, float]:
        """Whether a command fails, and its CPU seconds. One that takes far longer than the original has failed, too."""
        environment = {} if number is None else {"TREEWRIGHT_MUTANT": str(number)}
        code, seconds, out = run_limited(command, 5 + 5 * cost, stdin, **environment)
        return code != 0 or (said != "" and out != said), seconds

    def runs(self, name: str, number: int | None) -> bool:
        return number is None or number in self.reached[name]

    def first_killer(self, number: int | None) -> tuple[str, float]:
        """The first of the cheap tests that fails, or "", and the CPU seconds until then. No number: the mutant has a build of its own."""
        spent = 0.0
        if self.runs("forged proofs", number):
            failed, spent = self.fails(number, [JUDGE], self.cost["forged proofs"], self.forged, self.verdicts)
            if failed:
                return "forged proofs", spent
        if self.runs("fuzz", number):
            failed, seconds = self.fails(number, self.fuzz(1), self.cost["fuzz"])
            return "fuzz" if failed else "", spent + seconds
        return "", spent

    def cost_of_run(self, run: int) -> float | None:
        """CPU seconds of the original; None if a run of the fuzzer takes it so long that no mutant can be told from it in time."""
        with self.lock:
            if run not in self.runs_of_original:
                code, seconds, _ = run_limited(self.fuzz(1 + run * CASES), SECONDS / 4)
                if code != 0:
                    print(f"run {run} of the fuzzer is left out: the original does not end it in {SECONDS / 4:.0f} s", flush=True)
                self.runs_of_original[run] = seconds if code == 0 else None
            return self.runs_of_original[run]

    def more_cases(self, number: int | None, spent: float, first: int, runs: int) -> tuple[str, float]:
        """The same with further runs of the fuzzer, while there is time."""
        for run in range(first, first + runs):
            if spent >= self.seconds or not (self.runs("fuzz", number) or self.runs("more cases", number)):
                break
            cost = self.cost_of_run(run)
            if cost is None:
                continue
            failed, seconds = self.fails(number, self.fuzz(1 + run * CASES), cost)
            spent += seconds
            if failed:
                return "fuzz, longer", spent
        return "", spent

    def late_killer(self, number: int | None, spent: float) -> tuple[str, float]:
        """The same with the unit tests, and cases until the time is up. "not executed": no test executes the mutant."""
        if not any(self.runs(name, number) for name in self.reached):
            return "not executed", spent
        unit = [name for name in self.unit if self.runs(name, number)]
        if unit:
            command = [TESTS, "--gtest_brief=1", "--gtest_fail_fast", f"--gtest_filter={':'.join(unit)}"]
            failed, seconds = self.fails(number, command, sum(self.cost[name] for name in unit))
            spent += seconds
            if failed:
                return "unit tests", spent
        return self.more_cases(number, spent, 1 + MORE_RUNS, 1 << 30)


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


def run_alone(mutant: Mutant, tests: Tests) -> list[str]:
    path = place_of(mutant.file)
    switched = path.read_bytes()
    lines = path.read_text().splitlines()
    lines[mutant.line] = mutant.after  # the file with switches has one line more
    try:
        path.write_text("\n".join(lines) + "\n")
        built, _ = build()
        if not built:
            return ["does not compile", "", "0"]
        by, spent = tests.first_killer(None)
        if by == "":
            by, spent = tests.more_cases(None, spent, 1, MORE_RUNS)
        return verdict_of(*(tests.late_killer(None, spent) if by == "" else (by, spent)))
    finally:
        path.write_bytes(switched)


def verdict_of(by: str, spent: float) -> list[str]:
    return ["survives" if by in ("", "not executed") else "killed", by, f"{spent:.1f}"]


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
    parser.add_argument("--jobs", type=int, default=1, help="mutants of the shared build that are judged at the same time")
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
        judge(mutants, log, arguments.seconds, arguments.again, arguments.jobs)
    report(mutants, read_results(log))


def judge(mutants: dict[int, Mutant], log: Path, seconds: float, again: bool, jobs: int) -> None:
    known = read_results(log)
    alone = prepare(mutants)
    tests = Tests(seconds, jobs)
    todo = [number for number, mutant in mutants.items() if mutant.row not in known or (again and known[mutant.row][5] == "survives")]

    def note(number: int, verdict: list[str]) -> None:
        mutant = mutants[number]
        with log.open("a", newline="") as file:
            csv.writer(file, delimiter="\t").writerow([*mutant.row, *verdict])
        place = f"{mutant.file}:{mutant.line}"
        print(f"{verdict[0]:17} {verdict[1]:13} {verdict[2]:>5} s  {place}  {mutant.kind}: {mutant.after.strip()}", flush=True)

    survivors: list[tuple[int, float]] = []

    def first(number: int) -> None:
        by, spent = tests.first_killer(number)
        note(number, verdict_of(by, spent)) if by else survivors.append((number, spent))

    def more(survivor: tuple[int, float]) -> None:
        by, spent = tests.more_cases(*survivor, 1, MORE_RUNS)
        if by:
            survivors.remove(survivor)
            note(survivor[0], verdict_of(by, spent))

    def late(survivor: tuple[int, float]) -> None:
        note(survivor[0], verdict_of(*tests.late_killer(*survivor)))

    with ThreadPoolExecutor(jobs) as pool:
        list(pool.map(first, [number for number in todo if number not in alone]))
        print(f"{len(survivors)} mutants live on after the first tests", flush=True)
        list(pool.map(more, list(survivors)))
        print(f"{len(survivors)} mutants live on after more cases", flush=True)
        tests.measure_unit_tests()
        list(pool.map(late, survivors))
    for number in todo:
        if number in alone:
            note(number, run_alone(mutants[number], tests))


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
