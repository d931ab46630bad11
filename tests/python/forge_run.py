"""A long run of the adversaries of forge.py and forge_trees.py: forged files that must be refused, and honest ones that must be accepted.

    python tests/python/forge_run.py [--minutes 10] [--seed 1] [--jobs 1]

Each seed is a round. Forged proofs for one table go to the fast checker and to the plain one, and every twentieth to the one that Coq has
verified (`make verified` builds it). Proofs that `treewright fit` writes for some odd tables go to all three. Trees and headers that are
grafts of honest ones go to the command. Proofs of trees that predict numbers, forged ones and those of the command, go to the first two,
and those of the command and every twentieth forged one to the verified one. Those of given splits, rates and hazards go to the fast one,
and the others must refuse them. All are compared with the least loss of any tree in exact fractions. The run ends at the first wrong answer
and keeps that file in build/forge; else it ends with one line of counts. Needs Python with numpy and the release build.

--honest 10000: so many honest proofs, and nothing else.
"""

import argparse
import contextlib
import csv
import datetime
import itertools
import json
import random
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import types
from concurrent.futures import ProcessPoolExecutor
from fractions import Fraction
from pathlib import Path

ROOT = Path(__file__).parents[2]
# The plain checker of these sources: it needs nothing of the library, so the package is not loaded.
package = types.ModuleType("treewright")
package.__path__ = [str(ROOT / "python/treewright")]
sys.modules["treewright"] = package

import forge
import forge_events
import forge_tops
from broken_rules import broken_rules
from broken_tables import broken_tables, proof_of_nothing, sound_tables
from forge_numbers import SENTENCE, NumberForger, both_of, draw_fit, is_true, truth_of
from forge_tops import REFUSALS, Wrong, judge_files
from forge_trees import judge_grafts
from judges import judged, plainly, verified, written

from treewright import check_proof as plain

COMMAND = ROOT / "build/release/treewright"
ACTIONS = ["act0", "act1", "act2"]
# In each round.
FILES = 60  # forged for the table, besides those that break one rule each
VERIFY = 20  # every such file goes to the verified checker too
HONEST = 40
GRAFTS = 20
NUMBERS = 10  # tables, and files of the command
FORGED_ALONE = 4  # tables, one for each kind of adversary
WORDS = [" u", "u", 'a "b"', "x;y, z", "\u00e9", "\u202er", "two\nlines", "1e5x", "tab\there"]
PRICES = ["0", "0", "0", "0.01", "0.3", "1", "2.5", "0.001"]
CLASS_WEIGHTS = ["--class-weight", "balanced", "c0=2,c1=0.7"]


def run(*words):
    return subprocess.run(words, capture_output=True, text=True)


def keep(problem, files):
    """The end of a run that has found something."""
    kept = ROOT / "build/forge"
    kept.mkdir(parents=True, exist_ok=True)
    for file in files:
        shutil.copy(file, kept)
    raise RuntimeError(f"{problem}\nkept in {kept}: {', '.join(file.name for file in files)}")


def tables():
    """Has all checkers judge tables that break one rule each, which all refuse, and unusual ones. The number of both."""
    with tempfile.TemporaryDirectory() as folder:
        table, proof = Path(folder) / "table.tw", Path(folder) / "table.proof"
        cases = [(*case, True) for case in sound_tables()] + [(*case, False) for case in broken_tables()]
        for name, content, sound in cases:
            table.write_bytes(content.encode())
            proof.write_bytes(proof_of_nothing(content.encode()))
            said = [*judged([(table, proof)]), plainly(table, proof), verified(table, proof)]
            if {bound is not None for bound, _ in said} != {sound}:
                keep(f"{name}: {' | '.join(words for _, words in said)}", [table, proof])
    return len(cases)


def forged_for(seed):
    """Has all files for one table judged. Numbers of files, of false ones, and of those that the verified checker has seen."""
    with tempfile.TemporaryDirectory() as folder:
        adversary = forge.Forger(random.Random(seed), Path(folder))
        rules = dict(broken_rules(adversary))
        claims = list(adversary.false_claims(FILES))
        names = [*rules, *["a false claim"] * len(claims)]
        is_false = [True] * len(rules) + [wrong for _, wrong in claims]
        pairs = written(adversary, [*rules.values(), *(content for content, _ in claims)], Path(folder), "forged")
        seen = 0
        (own,) = written(adversary, [adversary.honest()], Path(folder), "own")
        said = [*judged([own]), plainly(*own), verified(*own)]
        truth = forge.true_bound(adversary)
        if any(bound is None or abs(bound - truth) > 1e-9 * max(1, abs(truth)) for bound, _ in said) or said[1] != said[2]:
            keep(f"the true proof of table {seed}, {truth}: {' | '.join(words for _, words in said)}", own)
        for i, ((data, proof), fast) in enumerate(zip(pairs, judged(pairs))):
            said = [fast, plainly(data, proof)]
            if i % VERIFY == 0:
                seen += 1
                said.append(verified(data, proof))
            refused = {bound is None for bound, _ in said}
            if len(refused) > 1 or (is_false[i] and refused == {False}):
                keep(f"{names[i]} of table {seed}: {' | '.join(words for _, words in said)}", [data, proof])
        seen += near_for(seed, Path(folder))
    return len(pairs), sum(is_false), seen


def near_for(seed, folder):
    """The best claim in a unit that may hide differences of weights, costs or shares: never above the optimum. The number of files."""
    try:
        adversary = forge.Forger(random.Random(seed), folder, near=True)
    except plain.Refused:  # sums would not be exact in this unit
        return 0
    (own,) = written(adversary, [adversary.honest()], folder, "near")
    said, truth = [*judged([own]), plainly(*own), verified(*own)], float(forge.exact_optimum(adversary))
    bounds = [bound for bound, _ in said if bound is not None]
    if len(bounds) not in (0, len(said)) or any(bound > truth + abs(truth) / 10**11 for bound in bounds):
        keep(f"the claim of a unit for table {seed}, {truth}: {' | '.join(words for _, words in said)}", own)
    return 1


def honest_table(draw):
    """Names, rows, and the options of `fit` that they need."""
    rows, classes = draw.randrange(4, 60), draw.choice([2, 2, 2, 3, 5, 9])
    kinds = [draw.choice(["number", "number", "real", "category", "code", "date", "words"]) for _ in range(draw.randrange(1, 6))]
    day = draw.choice([datetime.datetime(1900, 8, 25, 7, 40), datetime.datetime(2024, 2, 28)])
    if draw.random() < 0.15:
        kinds = ["wide", *kinds[:1]]
    if draw.random() < 0.1:
        kinds.append("name")  # the command leaves it out by itself
    holes, weigh = draw.choice([0, 0, 0.15]), draw.choice([None, None, "few digits", "real", "zeros"])
    values, bias = draw.randrange(2, 9), draw.choice([0, 0, 0.6])
    table = []
    for i in range(rows):
        cells = []
        for kind in kinds:
            value = draw.randrange(values)
            text = {
                "name": f"n{i:02}",
                "number": str(value),
                "real": f"{draw.gauss(0, 3):.{value}f}",
                "category": "abcdefghi"[value],
                "code": str(value * 7),
                "date": str(day + datetime.timedelta(days=value, hours=value * (day.hour > 0))).removesuffix(" 00:00:00"),
                "words": WORDS[value],
            }
            cells.append("" if draw.random() < holes else text.get(kind, f"level {draw.randrange(14):02}"))
        weight = {"few digits": draw.choice(["1", "2", "0.5", "1.3"]), "real": repr(draw.uniform(0, 3)), "zeros": draw.choice("0012")}
        of_first = sum(map(ord, cells[0])) % classes
        label = i if i < 2 else of_first if draw.random() < bias else draw.randrange(classes)
        costs = [f"{draw.gauss(0, 2):.{draw.choice([0, 1, 1, 2])}f}" for _ in ACTIONS]
        table.append([*cells, *costs, weight.get(weigh, "1"), f"c{label}"])
    if weigh == "zeros":
        table[0][-2] = table[1][-2] = "3"
    options = ["--weights", "w"] if weigh else ["--drop", "w"]
    policy = draw.random() < 0.2
    apart = ["y"] if policy else ACTIONS
    options += ["--cost-columns", ",".join(ACTIONS)] if policy else []
    options += ["--drop", ",".join(apart)]
    if not policy and draw.random() < 0.15:
        options += ["--against-rest", draw.choice(["c0", "c1"])]
    codes = [f"x{i}" for i, kind in enumerate(kinds) if kind == "code"]
    if codes and draw.random() < 0.5 and any(row[int(codes[0][1:])] for row in table):
        options += ["--categorical", codes[0]]
    if not policy and "--against-rest" not in options and draw.random() < 0.15:
        options += [CLASS_WEIGHTS[0], draw.choice(CLASS_WEIGHTS[1:])]
    return [*(f"{'wide' if kind == 'wide' else 'x'}{i}" for i, kind in enumerate(kinds)), *ACTIONS, "w", "y"], table, options


def write_oddly(draw, path, names, rows, weigh):
    """The table in one of the notations of the world."""
    comma, nothing = draw.random() < 0.2 and not weigh, draw.choice(["", "", "NA", "?"])
    separator = ";" if comma else draw.choice(",,,;\t")

    def cell(text):
        return nothing if text == "" else re.sub(r"^(-?\d+)\.(\d+)$", r"\1,\2", text) if comma else text

    quoting = draw.choice([csv.QUOTE_MINIMAL, csv.QUOTE_MINIMAL, csv.QUOTE_ALL])
    with path.open("w", newline="", encoding=draw.choice(["utf-8", "utf-8", "utf-8-sig"])) as file:
        out = csv.writer(file, delimiter=separator, lineterminator=draw.choice(["\n", "\r\n"]), quoting=quoting)
        out.writerows([names, *([cell(text) for text in row] for row in rows)])


def cost_matrix(draw, rows):
    """A file of costs for the classes that occur."""
    classes = sorted({row[-1] for row in rows})
    lines = [
        [y, *("0" if a == y and draw.random() < 0.8 else draw.choice(["1", "1", "2.5", "-1", "0.1", "10"]) for a in classes)]
        for y in classes
    ]
    return [["true", *classes], *lines]


def judge_worse_tree(folder, data, tree, proof, fitted, reading):
    """Has a worse tree that claims to be optimal judged by the honest proof and by proofs of coarse units. Returns how many there were."""
    leaf = Path(folder) / "leaf.json"
    limits = [word for i, word in enumerate(fitted) if "--max-splits" not in fitted[max(0, i - 1) : i + 1]]
    run(COMMAND, "fit", data, *limits, "--max-depth", "0", "--quiet", "--out", leaf)
    best, other = (json.loads(path.read_text()) for path in (tree, leaf))
    objectives = [file["result"]["objective"] for file in (best, other)]
    if best["result"]["status"] != "optimal" or objectives[1] <= objectives[0] + 1e-6 * max(1, *map(abs, objectives)):
        return 0
    worse, forged = Path(folder) / "worse.json", Path(folder) / "coarse.proof"
    worse.write_text(json.dumps(forge.falsely_optimal(best, other)))
    contents = [proof.read_bytes(), *(forge.coarse(proof.read_bytes(), doublings) for doublings in (1, 3, 6, 12, 40))]
    for content in contents:
        forged.write_bytes(content)
        said = run(COMMAND, "check", worse, data, *reading, "--proof", forged)
        if said.returncode == 0:
            keep(f"a worse tree is accepted: {said.stdout}{said.stderr}", [data, worse, forged])
        # The shares of a wide column's levels are others in a coarse unit.
        why = "wrong|less than the tree claims|splits that the proof does not speak of|too coarse for the shares"
        if not re.search(why, said.stdout + said.stderr):
            keep(f"a worse tree is refused for another reason: {said.stdout}{said.stderr}", [data, worse, forged])
    return len(contents)


def honest(round_, worse_too=True):
    """Has a proof that the command writes for a random table checked by all, and a worse tree judged by it.

    Returns whether the table's weights have fractions, and how many proofs there were for the worse tree; None where there can be no tree.
    """
    draw = random.Random(round_)
    names, rows, options = honest_table(draw)
    with tempfile.TemporaryDirectory() as folder:
        data, tree, proof = (Path(folder) / name for name in (f"honest{round_}.csv", f"{round_}.json", f"{round_}.proof"))
        write_oddly(draw, data, names, rows, "--weights" in options)
        kept = list(options)
        if not {"--cost-columns", "--against-rest"} & set(options) and draw.random() < 0.25:
            with (Path(folder) / "costs.csv").open("w", newline="") as file:
                csv.writer(file).writerows(cost_matrix(draw, rows))
            options += ["--costs", Path(folder) / "costs.csv"]
        # The plain checker is slow, most of all with each set of up to twelve levels.
        wide = names[0].startswith("wide")
        deepest = 1 if wide and len({row[0] for row in rows}) <= 13 else 2 if len(rows) > 20 or wide else 3 if len(rows) > 10 else 4
        fit = ["--max-depth", str(min(deepest, draw.choice([0, 1, 2, 2, 3, 3, 4]))), "--alpha", draw.choice(PRICES)]
        fit += ["--max-splits", str(draw.randrange(9))] if draw.random() < 0.25 else []
        fit += ["--min-leaf", str(draw.randrange(2, 5))] if len(rows) > 4 and draw.random() < 0.4 else []
        made = run(COMMAND, "fit", data, *options, *fit, "--quiet", "--out", tree, "--proof", proof)
        if made.returncode != 0 and "no column is left" in made.stderr:  # each row has its own value
            return None
        if made.returncode != 0 or not proof.exists():
            keep(f"honest table {round_} {options + fit}: {made.stdout}{made.stderr}", [data])
        reading = [word for word in kept if word not in CLASS_WEIGHTS]
        command = run(COMMAND, "check", tree, data, *reading, "--proof", proof)
        table, alone = (Path(folder) / f"{name}.tw" for name in (round_, "alone"))
        run(COMMAND, "table", data, "--tree", tree, "--out", table)
        run(COMMAND, "table", data, *options, "--out", alone)
        said = [*judged([(table, proof)]), plainly(table, proof), verified(table, proof)]
        bounds = [bound for bound, _ in said]
        near = None not in bounds and max(bounds) - min(bounds) <= 1e-9 * max(1, *map(abs, bounds)) and said[1] == said[2]
        near = near and table.read_bytes() == alone.read_bytes()
        if command.returncode != 0 or not near:
            words = " | ".join(words for _, words in said)
            keep(f"honest table {round_} {options + fit}: {command.stdout}{command.stderr} | {words}", [data, tree, proof])
        worse = judge_worse_tree(folder, data, tree, proof, [*options, *fit[2:]], reading) if worse_too else 0
    return any("." in row[-2] for row in rows), worse


def grafts_for(seed):
    """Forged trees and headers, and how many of them are true after all."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return judge_grafts(seed, Path(folder), GRAFTS)
        except AssertionError as problem:
            keep(str(problem), sorted(Path(folder).glob("*.*")))


def forged_numbers(seed):
    """Has files for one table of numbers judged, on grids that fit and on others. Numbers of files, and of false ones."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            adversary = NumberForger(random.Random(seed), Path(folder), coarse=seed % 3 == 0)
        except plain.Refused:  # its weights or numbers are on no grid
            return 0, 0
        files = [(adversary.honest(), False)]
        files += [(content, True) for _, content in broken_rules(adversary)] + list(adversary.false_claims(FILES))
        for claim, numbers in adversary.one_lie(5):
            files.append((adversary.file(adversary.header(claim), numbers), claim > adversary.optimum))
        with contextlib.suppress(plain.Refused):
            for _ in range(3):
                adversary.settle()
                files.append((adversary.honest(), False))
        pairs = written(adversary, [content for content, _ in files], Path(folder), f"numbers{seed}-")
        truth = truth_of(adversary.read)
        for i, (pair, (_, is_false), (fast, more)) in enumerate(zip(pairs, files, judged(pairs))):
            bound, words = plainly(*pair)
            alike = bound == fast and (bound is None or more.removeprefix("accepted ") == words.removeprefix("verified: "))
            holds = bound is None or (not is_false and is_true(words, truth))
            if i % VERIFY == 0:  # Its bound may differ: it counts in exact fractions. It refuses categories of more than 12 levels.
                surely, sure = verified(*pair)
                alike = alike and (surely is None) == (bound is None or adversary.wide)
                holds = holds and (surely is None or is_true(sure, truth))
                more += f" | {sure}"
            if not alike or not holds or (i == 0 and bound is None):
                keep(f"file {i} for table {seed} of numbers: {words} | {more}", pair)
    return len(files), sum(is_false for _, is_false in files)


def forged_alone(seed):
    """Has files that one checker reads judged. Numbers of files, and of those that were accepted."""
    with tempfile.TemporaryDirectory() as folder:
        try:
            return judge_files(seed, Path(folder), FILES, VERIFY)
        except Wrong as found:
            keep(str(found), found.files)


def honest_alone(number):
    """Has a proof of the command that the other checkers refuse judged: of given splits, of events, or both. Whether there could be one."""
    draw = random.Random(number)
    with tempfile.TemporaryDirectory() as folder:
        data, tree, proof, table = (Path(folder) / name for name in ("data.csv", "tree.json", "bound.proof", "table.tw"))
        kind = ["labels", "labels", "numbers", "events"][number % 4]
        if kind == "labels":
            names, rows, reading = honest_table(draw)
            write_oddly(draw, data, names, rows[:20], "--weights" in reading)
            limits = ["--max-depth", str(draw.choice([1, 2, 2, 3])), "--alpha", draw.choice(PRICES), "--alpha-scale", "errors"]
            limits += ["--min-leaf", draw.choice("23")] if len(rows) > 4 and draw.random() < 0.3 else []
        else:
            reading, limits = (draw_fit if kind == "numbers" else forge_events.draw_fit)(draw, Path(folder))
        splits = [i for i, word in enumerate(limits) if word == "--max-splits"]
        limits = [word for i, word in enumerate(limits) if i not in splits and i - 1 not in splits]
        option = dict(zip(limits[::2], limits[1::2]))
        if run(COMMAND, "table", data, *reading, "--out", table).returncode != 0:
            return False
        read, exposures = forge_events.read_events(table.read_bytes()) if kind == "events" else (plain.read_table(table.read_bytes()), [])
        depth, least_rows, given = int(option["--max-depth"]), int(option.get("--min-leaf", 1)), ("...", "...")
        if kind != "events" or draw.random() < 0.5:
            given = forge_tops.draw_option(draw, read, range(len(read.weights)), min(depth, 2), least_rows)
            limits += ["--top", json.dumps(given[0])]
        made = run(COMMAND, "fit", data, *reading, *limits, "--quiet", "--out", tree, "--proof", proof)
        if made.returncode != 0 and re.search("too large|differ|are equal|only one class|no split of|all of them are 0", made.stderr):
            return False
        words = [word for word in reading[6 if kind == "events" else 4 if kind == "numbers" else 0 :] if word not in CLASS_WEIGHTS]
        checked = run(COMMAND, "check", tree, data, *words, "--proof", proof)
        run(COMMAND, "table", data, "--tree", tree, "--out", table)
        alone = proof.exists() and [*judged([(table, proof)]), plainly(table, proof), verified(table, proof)]
        said = alone and alone[0][1].replace("accepted", "verified:", 1)
        if alone and alone[0][0] is not None and f"\n{said}; so this tree is optimal" in checked.stdout:
            of_labels = kind == "labels"
            truth = forge_events.truth_of(read, exposures) if exposures else forge.truth_of(read) if of_labels else truth_of(read)
            bound, least = both_of(said, truth, read)
            size = abs(truth(0, 0, 1, Fraction(0))) + sum(abs(w * line[0]) for w, line in zip(read.weights, read.lines) if exposures)
            near = least - Fraction(max(1, size) if of_labels else size) / 10**9 <= bound <= least
            named = SENTENCE.fullmatch(said)["top"]
            same = forge_tops.alike(forge.top_in(named, read) if named else "...", given[1], frozenset(range(len(read.weights))))
            if near and same and alone[1][1] in (REFUSALS if named or exposures else []) and alone[2][0] is None:
                return True
        told = " | ".join(words for _, words in alone or [])
        keep(f"alone {number} {reading + limits}: {told} | {made.stderr}{checked.stdout}{checked.stderr}", [data, tree, proof])


def honest_numbers(number):
    """Has a proof of numbers that the command writes judged. Whether the command could write one."""
    with tempfile.TemporaryDirectory() as folder:
        data, tree, proof, table = (Path(folder) / name for name in ("data.csv", "tree.json", "bound.proof", "table.tw"))
        reading, limits = draw_fit(random.Random(number), Path(folder))
        made = run(COMMAND, "fit", data, *reading, *limits, "--quiet", "--out", tree, "--proof", proof)
        if made.returncode != 0 and re.search("too large|differ|are equal", made.stderr):
            return False
        checked = run(COMMAND, "check", tree, data, *reading[4:], "--proof", proof)
        run(COMMAND, "table", data, "--tree", tree, "--out", table)
        said = plainly(table, proof) if proof.exists() else (None, made.stderr)
        if said[0] is not None and f"\n{said[1]}; so this tree is optimal" in checked.stdout:
            read = plain.read_table(table.read_bytes())
            truth, wide = truth_of(read), any(column.is_wide() for column in read.columns)
            bound, least = both_of(said[1], truth)
            surely, sure = verified(table, proof)
            alike = surely is None if wide else surely is not None and is_true(sure, truth)
            if alike and least - truth(0, 0, 1, 0) / 10**9 <= bound <= least:
                return True
        keep(f"numbers {number} {reading + limits}: {said[1]} | {checked.stdout}{checked.stderr}", [data, tree, proof])


def round_of(seed):
    """Counts of all that was judged, and the megabytes that this process holds afterwards."""
    told = [*filter(None, map(honest, range(seed * HONEST, (seed + 1) * HONEST)))]
    real, worse = sum(is_real for is_real, _ in told), sum(count for _, count in told)
    numbers = range(seed * NUMBERS, (seed + 1) * NUMBERS)
    forged = [sum(counts) for counts in zip(*map(forged_numbers, numbers))]
    written_numbers, written_alone = sum(map(honest_numbers, numbers)), sum(map(honest_alone, numbers))
    alone = [sum(counts) for counts in zip(*map(forged_alone, range(seed * FORGED_ALONE, (seed + 1) * FORGED_ALONE)))]
    pages = int(Path("/proc/self/statm").read_text().split()[1]) if Path("/proc/self/statm").exists() else 0
    counts = [*forged_for(seed), *grafts_for(seed), len(told), real, worse, *forged, written_numbers, *alone, written_alone]
    return counts, pages * resource.getpagesize() / 1e6


def honest_round(seed):
    """Counts of honest proofs of labels, of those with fractional weights, of numbers, and of those that one checker reads."""
    told = [of_one for number in range(seed * HONEST, (seed + 1) * HONEST) if (of_one := honest(number, worse_too=False))]
    numbers = range(seed * NUMBERS, (seed + 1) * NUMBERS)
    return [len(told), sum(is_real for is_real, _ in told), sum(map(honest_numbers, numbers)), sum(map(honest_alone, numbers))]


def honest_only(arguments):
    """Rounds of honest proofs and nothing else, until there are as many as asked for."""
    totals, seed = [0] * 4, arguments.seed
    with ProcessPoolExecutor(arguments.jobs) as pool:
        while totals[0] + totals[2] + totals[3] < arguments.honest:
            print(f"from seed {seed}, after {totals[0] + totals[2] + totals[3]:,}", flush=True)
            for counts in pool.map(honest_round, range(seed, seed + 2 * arguments.jobs)):
                totals = [a + b for a, b in zip(totals, counts)]
            seed += 2 * arguments.jobs
    labels, real, numbers, alone = totals
    print(
        f"seeds {arguments.seed} to {seed - 1}: {labels + numbers + alone:,} honest proofs, none refused by a checker that reads it: "
        f"{labels:,} of labels, {real:,} of them with fractional weights; {numbers:,} of numbers; {alone:,} of given splits or events"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=10)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--honest", type=int, help="so many honest proofs, and nothing else")
    arguments = parser.parse_args()
    if arguments.honest:
        return honest_only(arguments)
    start, totals, held = time.monotonic(), [0] * 14, []
    judged_tables = tables()
    with ProcessPoolExecutor(arguments.jobs) as pool:
        for seed in itertools.count(arguments.seed, arguments.jobs):
            if time.monotonic() - start > 60 * arguments.minutes:
                break
            for counts, megabytes in pool.map(round_of, range(seed, seed + arguments.jobs)):
                totals = [a + b for a, b in zip(totals, counts)]
                held.append(megabytes)
    files, false, seen, grafts, true, honest_proofs, real, worse, number_files, number_false, number_proofs, *of_one = totals
    early, late = max(held[: max(1, len(held) // 4)]), max(held[-max(1, len(held) // 4) :])
    print(
        f"{(time.monotonic() - start) / 60:.0f} minutes, seeds {arguments.seed} to {arguments.seed + len(held) - 1}: "
        f"{files:,} forged files judged by two checkers, {seen:,} of them by the verified one too: none of the {false:,} false ones "
        f"accepted; {honest_proofs:,} honest proofs, {real:,} of them with fractional weights, accepted by all three; "
        f"{worse:,} proofs for worse trees that claim to be optimal: none accepted; "
        f"{grafts:,} grafts of trees and headers, {true:,} of them accepted, and true; "
        f"of trees that predict numbers, {number_files:,} files judged alike by two checkers and every {VERIFY}th by the verified one, "
        f"none of the {number_false:,} false ones accepted, and {number_proofs:,} proofs of the command accepted; "
        f"of given splits, rates and hazards, {of_one[0]:,} files judged by the one checker that reads them, {of_one[1]:,} of them "
        f"accepted, and true, and {of_one[2]:,} proofs of the command accepted; "
        f"{judged_tables} unusual and malformed tables judged alike; memory of a process {early:.0f} MB early and {late:.0f} MB late"
    )


if __name__ == "__main__":
    main()
