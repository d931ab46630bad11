"""An adversary who writes tree files and headers of proofs: grafts of honest ones, with one value or a whole part from somewhere else.

`treewright check TREE DATA --proof FILE` may refuse whatever it likes. What it says is verified must be true: no tree within the limits
of the sentence costs less than its bound, and a tree that is called optimal is no worse than the best one within the limits of its own
file. An enumeration of the rows finds these optima, from the data and not from the forged files.
"""

import copy
import csv
import json
import math
import random
import re
import subprocess
from fractions import Fraction
from pathlib import Path

import forge
from forge import coarse

from treewright import check_proof as plain

ROOT = Path(__file__).parents[2]
COMMAND = ROOT / "build/release/treewright"
ACTIONS = ["act0", "act1"]
# How rows are read, and what is counted.
READINGS = {
    "errors": ["--drop", "w,act0,act1"],
    "weights": ["--drop", "act0,act1", "--weights", "w"],
    "against the rest": ["--drop", "w,act0,act1", "--against-rest", "b"],
    "costs of rows": ["--drop", "w,y", "--cost-columns", "act0,act1"],
    "costs of classes": ["--drop", "w,act0,act1", "--costs", "costs.csv"],
}
LIMITS = [["--max-depth", "1"], ["--max-depth", "2"], ["--max-depth", "2", "--max-splits", "2"], ["--max-depth", "2", "--min-leaf", "3"]]
PRICES = ["0", "0.5"]
REPAIRS = 8
RECOUNTED = [
    (r"errors are (\S+) by recount", "errors"),
    (r"the cost is (\S+) by recount", "cost"),
    (r"the objective is (\S+) by recount", "objective"),
    (r"the data have (\d+) rows", "n"),
    (r"the total weight is (\S+), but", "total_weight"),
]
SENTENCE = re.compile("verified: " + forge.CLAIM)
# Given splits, as the option `top` names them.
TOPS = [
    {"column": "x", "below": 3, "left": "...", "right": "leaf"},
    {"column": "x", "below": 2.5, "left": "...", "right": "..."},
    {
        "column": "c",
        "levels": ["g"],
        "left": "leaf",
        "right": {"column": "h", "below": 2, "missing": "left", "left": "leaf", "right": "..."},
    },
]


def run(folder, *words):
    return subprocess.run([COMMAND, *map(str, words)], capture_output=True, text=True, errors="replace", cwd=folder)


class Ground:
    """Rows, and an honest tree with its proof for each way to read them and each limit."""

    def __init__(self, draw, folder):
        self.draw, self.folder, self.truths = draw, folder, {}
        paid = draw.choice([(0, 1, 2), (0, 2)])  # two numbers: what is counted by rows differs by a factor alone
        draws = ["012345", "rgb", ["", *"0123"], paid, paid, "123", "aabbc"]
        rows = [[draw.choice(of_column) for of_column in draws] for _ in range(14)]
        for row, label in zip(rows, "abc"):
            row[-1] = label
        self.write("data.csv", [["x", "c", "h", *ACTIONS, "w", "y"], *rows])
        self.write("costs.csv", [["true", *"abc"], ["a", 0, 1, 4], ["b", 2, 0, 1], ["c", 1, 1, 0]])
        self.made = []
        for reading in READINGS:
            for limits in LIMITS:
                self.fit(reading, [*limits, "--alpha", draw.choice(PRICES), "--alpha-scale", "errors"])
            for top in draw.sample(TOPS, 2):
                limits = draw.choice([LIMITS[1], LIMITS[3]])
                self.fit(reading, [*limits, "--alpha", draw.choice(PRICES), "--alpha-scale", "errors", "--top", json.dumps(top)])

    def write(self, name, rows):
        with (self.folder / name).open("w", newline="") as file:
            csv.writer(file).writerows(rows)

    def fit(self, reading, options):
        tree, proof = self.folder / "tree.json", self.folder / "tree.proof"
        made = run(self.folder, "fit", "data.csv", *READINGS[reading], *options, "--quiet", "--out", tree, "--proof", proof)
        if "--top" in options and "leaves a place" in made.stderr:  # with too few rows
            return
        assert made.returncode == 0, made.stderr
        self.made.append((reading, json.loads(tree.read_text()), proof.read_bytes()))

    def optimum(self, reading, depth, splits, rows, price, top=None):
        """The least loss, and `price` for each split, of the trees within the limits. `top`: of given splits what a table makes of them."""
        if reading not in self.truths:
            told = run(self.folder, "table", "data.csv", *READINGS[reading], "--out", "truth.tw")
            assert told.returncode == 0, told.stderr
            read = plain.read_table((self.folder / "truth.tw").read_bytes())
            self.truths[reading] = read, forge.truth_of(read)
        read, truth = self.truths[reading]
        least = truth(depth, splits, rows, Fraction(price), top(read) if top else "...")
        return math.inf if least is None else float(least)

    def judge(self, reading, tree, proof):
        """What is wrong with the verdict on these files, or "", and whether they were accepted."""
        (self.folder / "forged.proof").write_bytes(proof)
        words = [word for word in READINGS[reading] if word not in ("--costs", "costs.csv")]
        for _ in range(REPAIRS):
            (self.folder / "forged.json").write_text(json.dumps(tree))
            said = run(self.folder, "check", "forged.json", "data.csv", *words, "--proof", "forged.proof")
            if said.returncode != 1 or not repair(tree, said.stdout, self.draw, self.made):
                break
        if said.returncode not in (0, 1, 2, 3):
            return f"exit code {said.returncode}: {said.stderr}", False
        if said.returncode != 0:
            return "", False
        sentence = SENTENCE.search(said.stdout)
        if sentence is None:
            return f"no sentence: {said.stdout}", True
        limits = int(sentence["depth"]), sentence["splits"] and int(sentence["splits"]), int(sentence["rows"] or 1)
        begins = sentence["top"] and (lambda read: forge.top_in(sentence["top"], read))
        optimum = self.optimum(reading, *limits, float(sentence["price"] or 0), begins)
        if float(sentence["bound"]) > optimum + 1e-9 * max(1, abs(optimum)):
            return f"the optimum is {optimum}: {said.stdout}", True
        if "so this tree is optimal" not in said.stdout:
            return "", True
        result, objective = tree["result"], tree["objective"]
        scale = objective["error_scale"]
        limits = result["max_depth"], None if result["max_splits"] < 0 else result["max_splits"], result["min_leaf_rows"]
        asked = dict(result["options"]).get("top")
        begins = asked and (lambda read: top_of(json.loads(asked), read))
        if asked and not begins_so(tree["tree"]["nodes"], 0, json.loads(asked)):
            return f"the tree does not begin with {asked}: {said.stdout}", True
        optimum = self.optimum(reading, *limits, objective["alpha"] * scale, begins)
        if result["objective"] * scale > optimum + 1e-9 * max(1, abs(optimum)):
            return f"the optimum is {optimum}, and the tree's objective {result['objective'] * scale}: {said.stdout}", True
        return "", True


def top_of(option, read):
    """The option `top` as truth_by takes it. The categories here have levels that are spelled as they are."""
    if isinstance(option, str):
        return option
    column = next(column for column in read.columns if column.name == option["column"])
    of_level = {
        code: level in option["levels"] if "levels" in option else level < option["below"] for code, level in enumerate(column.distinct)
    }
    goes_left = of_level | {-1: option.get("missing") == "left"}
    rows = frozenset(row for row, code in enumerate(column.codes.tolist()) if goes_left[code])
    return rows, top_of(option["left"], read), top_of(option["right"], read)


def begins_so(nodes, at, option):
    """Whether the tree has splits where the option has some, and leaves where it has "leaf"."""
    if isinstance(option, str):
        return option == "..." or "split" not in nodes[at]
    return "split" in nodes[at] and all(begins_so(nodes, nodes[at][side], option[side]) for side in ("left", "right"))


def repair(tree, said, draw, made):
    """Puts right what the command says is wrong: an adversary tries until his numbers fit. Whether there was anything that he can mend."""
    result, mended = tree.get("result"), False
    if not isinstance(result, dict):
        return False
    for pattern, key in RECOUNTED:
        if found := re.search(pattern, said):
            result[key], mended = int(found[1]) if found[1].isdigit() else float(found[1]), True
    if "lies above the objective" in said or "but the gap is" in said:
        result["bound"], mended = result.get("objective"), True
    if "are not both there" in said:
        mended = result.pop("cost", None) is not None or bool(result.setdefault("cost", 0) == 0)
    if re.search("which is not a scale|not the one that the options ask for", said) and isinstance(tree.get("objective"), dict):
        other = draw.choice(made)[1]["objective"]
        tree["objective"] |= {key: other[key] for key in draw.choice([["error_scale"], ["alpha"], ["error_scale", "alpha"]])}
        mended = True
    if "the options say" in said:
        result["options"], mended = copy.deepcopy(draw.choice(made)[1]["result"]["options"]), True
    return mended


def places(value, place=()):
    """Of all values inside lists and objects."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inside:
        yield (*place, key)
        yield from places(entry, (*place, key))


def value_at(value, place):
    for key in place:
        if not (isinstance(value, dict) and key in value) and not (isinstance(value, list) and isinstance(key, int) and key < len(value)):
            return None
        value = value[key]
    return value


def changed(draw, value, others):
    """One value of a JSON document, somewhere in it, is another one: that of another document, or an odd one, or gone."""
    value = copy.deepcopy(value)
    place = draw.choice(list(places(value)))
    inside, key = value_at(value, place[:-1]), place[-1]
    old, kind = inside[key], draw.random()
    if kind < 0.5:
        inside[key] = copy.deepcopy(value_at(draw.choice(others), place))
    elif kind < 0.6:
        del inside[key]
    elif isinstance(old, (int, float)) and not isinstance(old, bool):
        inside[key] = draw.choice([old + 1, old - 1, -old, 0, 0.5, 2 * old, old / 2, -1, 10**6, 1e308, 5e-324, True, None, "1"])
    else:
        inside[key] = draw.choice([None, True, 0, -1, "", "x", "a", "\u202e", "costs", "errors", [], [old], {}, {"x": old}])
    return value


def grafts(ground, count):
    """Readings with forged trees and proofs."""
    draw, trees = ground.draw, [tree for _, tree, _ in ground.made]
    for _ in range(count):
        reading, tree, proof = draw.choice(ground.made)
        kin = [made for made in ground.made if made[0] == reading]
        tree = {key: copy.deepcopy(part) for key, part in tree.items() if key != "checksum"}
        if draw.random() < 0.4:  # of the same claims about something else that is counted
            alike = [made for made in ground.made if made[1]["objective"]["alpha"] == tree["objective"]["alpha"]]
            tree["objective"] = copy.deepcopy(draw.choice(alike)[1]["objective"])
            tree["tree"] = copy.deepcopy(draw.choice(kin)[1]["tree"])
        for _ in range(draw.choice([0, 1, 1, 2])):
            part = draw.choice(["objective", "result", "tree"])
            tree[part] = copy.deepcopy(draw.choice(draw.choice([kin, ground.made]))[1][part])
        if draw.random() < 0.15:  # of one leaf
            leaves = [node for node in tree["tree"]["nodes"] if "split" not in node]
            draw.choice(leaves)["label"] = draw.randrange(len(leaves[0]["class_weight"]))
        if draw.random() < 0.2:  # asked for other splits
            tops = [entry for made in kin for entry in made[1]["result"]["options"] if entry[0] == "top"]
            rest = [entry for entry in tree["result"]["options"] if entry[0] != "top"]
            tree["result"]["options"] = rest + copy.deepcopy(draw.sample(tops, min(1, len(tops))))
        for _ in range(draw.choice([0, 0, 1, 2])):
            tree = changed(draw, tree, trees)
        if draw.random() < 0.4:  # the claims of a tree that knows its numbers
            bound = draw.choice(trees)["result"].get("bound", 0)
            tree.setdefault("result", {})
            if isinstance(tree["result"], dict):
                tree["result"] |= {"bound": draw.choice([bound, 0, tree["result"].get("objective")]), "status": "optimal", "verified": True}
        proof = draw.choice(draw.choice([[(reading, tree, proof)], kin, ground.made]))[2]
        kind = draw.random()
        if kind < 0.1:
            proof = coarse(proof, draw.choice([1, 3, 12]))
        elif kind < 0.6:
            proof = of_another_header(draw, proof, [made[2] for made in ground.made])
        yield reading, tree, proof


def of_another_header(draw, proof, others):
    """The proof with values of its header from elsewhere, and a right checksum."""
    first, text, rest = proof.split(b"\n", 2)
    header, body = json.loads(text), rest[:-16]
    for _ in range(draw.choice([1, 1, 2])):
        header = changed(draw, header, [json.loads(other.split(b"\n", 2)[1]) for other in others])
    if draw.random() < 0.8:
        header["bytes"] = len(body)
    content = first + b"\n" + json.dumps(header, separators=(",", ":")).encode() + b"\n" + body
    return content + plain.fnv1a(content).encode()


def judge_grafts(seed, folder, count):
    """Numbers of files, and of those that were accepted. Raises AssertionError at the first wrong verdict."""
    ground, accepted = Ground(random.Random(seed), folder), 0
    for reading, tree, proof in ground.made:
        problem, holds = ground.judge(reading, tree, proof)
        assert holds and not problem, f"seed {seed}, {reading}: an honest proof: {problem}"
    for i, (reading, tree, proof) in enumerate(grafts(ground, count)):
        problem, holds = ground.judge(reading, tree, proof)
        assert not problem, f"seed {seed}, graft {i}, {reading}: {problem}"
        accepted += holds
    return count, accepted
