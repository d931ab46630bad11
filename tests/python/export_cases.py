"""Trees with all kinds of splits and with unusual names, and rows for them: what every export is run on."""

import json
import math

import numpy as np
import pytest
from treewright._dataset import Dataset
from treewright._frame import Columns
from treewright._result import Result

from treewright import OptimalTreeClassifier, classifier

LEVELS = ["red", "it's", 'say "hi"', "back\\slash", "<b>&amp;", "été"]
ORDERED = ["low", "it's mid", 'say "high"', "10", "*/ ?>"]
COLUMNS = ["x", "a \"b\" 'c'", "colour ?", "<script>", "class", "how */ much?"]
CLASSES = ["no", 'it\'s "so"', "*/ ?>"]


class Case:
    """A tree with rows: some of them lack values. `levels`: by column; `ordered`: the columns whose levels ascend."""

    def __init__(self, name, result, matrix, columns, levels, ordered=()):
        self.name, self.result, self.matrix, self.columns, self.levels = name, result, matrix, columns, levels
        self.data = Dataset(matrix, columns, Columns(levels, ordered=set(ordered)))
        self.expected = [result.tree.class_names[code] for code in result.predict(self.data)]

    def write(self, format, **how):
        return self.result.write(format, self.data, **how)

    def cell(self, row, column):
        """The value as a Python object: a number, the name of a level, or None."""
        value = self.matrix[row, column]
        if math.isnan(value):
            return None
        return self.levels[column][int(value)] if column in self.levels else float(value)


def leaf(weights):
    return {"label": int(np.argmax(weights)), "rows": int(sum(weights)), "class_weight": list(map(float, weights))}


def random_tree(random, matrix, labels, columns, levels, splits, ordered=()):
    """A tree of all kinds of splits, as a tree file."""
    nodes, rows = [None], [np.arange(len(matrix))]
    open_leaves = [0]
    for _ in range(splits):
        at = open_leaves.pop(random.randint(len(open_leaves)))
        column = random.randint(len(columns))
        known = matrix[~np.isnan(matrix[:, column]), column]
        missing_left = bool(random.randint(2))
        if column in ordered and random.randint(3) > 0:
            threshold = random.randint(len(levels[column]) - 1) + 0.5
            split = {"kind": "axis", "feature": column, "threshold": threshold}
            left, lacking = matrix[:, column] < threshold, np.isnan(matrix[:, column])
        elif column in levels and column not in ordered:
            chosen = [code for code in range(len(levels[column])) if random.randint(2)]
            split = {"kind": "categories", "feature": column, "left_levels": chosen}
            left = np.isin(matrix[:, column], chosen)
            lacking = np.isnan(matrix[:, column])
        elif column in ordered or random.randint(2):
            terms, total = [], np.zeros(len(matrix))
            for c in range(len(columns)):
                term, value = {"feature": c, "weight": float(random.randn())}, matrix[:, c]
                if c in levels and c not in ordered:
                    term["level"] = int(random.randint(len(levels[c])))
                    value = np.where(np.isnan(value), np.nan, value == term["level"])
                if random.randint(2):
                    term["if_missing"] = float(random.randn())
                    value = np.where(np.isnan(value), term["if_missing"], value)
                terms.append(term)
                total = total + term["weight"] * value
            threshold = float(np.nanmedian(total)) + 0.01 * random.rand()
            split = {"kind": "hyperplane", "terms": terms, "threshold": threshold}
            left, lacking = total < threshold, np.isnan(total)
        else:
            threshold = float(random.choice(known)) + 0.3 * random.rand()
            split = {"kind": "axis", "feature": column, "threshold": threshold}
            left, lacking = matrix[:, column] < threshold, np.isnan(matrix[:, column])
        goes_left = np.where(lacking, missing_left, left)[rows[at]]
        nodes[at] = {"split": {**split, "missing_left": missing_left}, "left": len(nodes), "right": len(nodes) + 1}
        open_leaves += [len(nodes), len(nodes) + 1]
        nodes += [None, None]
        rows += [rows[at][goes_left], rows[at][~goes_left]]
    for i, node in enumerate(nodes):
        nodes[i] = {**(node or {}), **leaf(np.bincount(labels[rows[i]], minlength=len(CLASSES)))}
    features = [
        {"name": name, "kind": "ordered" if c in ordered else "categorical", "levels": levels[c], "has_missing": True}
        if c in levels
        else {"name": name, "kind": "numeric", "has_missing": True}
        for c, name in enumerate(columns)
    ]
    template = json.loads(OptimalTreeClassifier(max_depth=1).fit([[1.0], [2.0]], [0, 1]).to_json())
    template["tree"] = {**template["tree"], "classes": CLASSES, "features": features, "nodes": nodes, "target": "class"}
    return Result.from_json(json.dumps(template))


def binary_case(random, names, weights):
    """Two classes whose leaves hold both, equal shares too; at times the label is not the larger share."""
    columns = ["a", "b", "c"]
    matrix = np.round(random.randn(300, len(columns)), 1)
    matrix[random.rand(*matrix.shape) < 0.1] = np.nan
    labels = (random.rand(300) < 0.3 + 0.4 * (matrix[:, 0] > 0)).astype(int)
    drawn = Case("", random_tree(random, matrix, labels, columns, {}, len(weights) - 1), matrix, columns, {})
    document = json.loads(drawn.write("json"))
    document["tree"]["classes"] = names
    for node in document["tree"]["nodes"]:
        node["class_weight"] = node["class_weight"][: len(names)]
    leaves = [node for node in document["tree"]["nodes"] if "split" not in node]
    for node, (first, second, label) in zip(leaves, weights, strict=True):
        node.update(class_weight=[first, second], label=label)
    return Case(f"binary_{names[0]}", Result.from_json(json.dumps(document)), matrix, columns, {})


def cases():
    random = np.random.RandomState(5)
    for index, splits in enumerate([0, 1, 4, 9, 14]):
        matrix = np.round(random.randn(400, len(COLUMNS)), 2)
        matrix[:, 2] = random.randint(len(LEVELS), size=400)
        matrix[:, 5] = random.randint(len(ORDERED), size=400)
        matrix[random.rand(*matrix.shape) < 0.1] = np.nan
        labels = random.randint(len(CLASSES), size=400)
        levels = {2: LEVELS, 5: ORDERED}
        tree = random_tree(random, matrix, labels, COLUMNS, levels, splits, ordered=(5,))
        yield Case(f"random{index}", tree, matrix, COLUMNS, levels, ordered=(5,))
    sklearn = pytest.importorskip("sklearn.datasets")
    for load, depth, method in ((sklearn.load_iris, 2, "oct"), (sklearn.load_breast_cancer, 6, "cart")):
        X, y = load(return_X_y=True)
        tree = classifier(method, max_depth=depth).fit(X, y)
        yield Case(load.__name__, tree._result, X, [f"x{i}" for i in range(X.shape[1])], {})
    impure = [(3, 1, 0), (2, 2, 0), (0.25, 0.75, 1), (5, 5, 1), (1, 0, 0), (1e-9, 1, 1), (1, 1 + 1e-12, 1)]
    yield binary_case(random, ["no", "yes"], impure)
    yield binary_case(random, ["0", "1"], impure[::-1])


HOSTILE = [
    "'; DROP TABLE rows; --",
    '"); DROP TABLE rows; --',
    '"""\n__import__("os").abort()\n"""',
    "*/ abort(); /*",
    "??/\n\\",
    "a\nb\r\n\tc\\",
    "%s%n{0}${HOME}`id`$(id)",
    "]]></svg><script>alert(1)</script>",
    "#{x} \\input{/etc/passwd} & ~ ^ _",
    "=cmd|' /C calc'!A0",
    "\u202eevil\u2028line",
]


def hostile():
    """Columns, levels and classes whose names are pieces of programs."""
    random = np.random.RandomState(6)
    columns = [*HOSTILE[:4], "colors", "steps"]
    matrix = np.round(random.randn(200, len(columns)), 2)
    matrix[:, 4] = random.randint(len(HOSTILE), size=200)
    matrix[:, 5] = random.randint(len(HOSTILE), size=200)
    matrix[random.rand(*matrix.shape) < 0.1] = np.nan
    labels = random.randint(len(CLASSES), size=200)
    levels = {4: HOSTILE, 5: HOSTILE[::-1]}
    result = random_tree(random, matrix, labels, columns, levels, 14, ordered=(5,))
    file = json.loads(result.write("json"))
    file["tree"]["classes"] = HOSTILE[4:7]
    file["tree"]["target"] = HOSTILE[9]
    for index, feature in enumerate(file["tree"]["features"][:4]):
        feature["name"] = columns[index] = HOSTILE[index] + HOSTILE[-index - 1]
    return Case("hostile", Result.from_json(json.dumps(file)), matrix, columns, levels, ordered=(5,))


# Names as files have them, beside words of the languages that are written, digits first, and names that one cleaning makes equal.
ODD = [
    *"Größe (cm)|größe_cm|size [m²]|a b|a_b|a-b|a.b|1st|2024|-1|1e5|NaN|null|true|TRUE|  padded |class|int|return|lambda|None".split("|"),
    *"var|function|this|SELECT|order by|Group|__proto__|constructor|toString|predict|classes|x|row|treewright|std|µ|名前|имя|🙂".split("|"),
    *"e\u0301|é|% of total|cost ($)|a,b;c\td|'|\"|`|<script>|&amp;|\\|\\n|//|--|#|?|[0]|A1|=SUM(A1)".split("|"),
    "x" * 100,
]


def odd_names(seed):
    """Columns, levels and classes of drawn names."""
    random = np.random.RandomState(seed)
    columns, classes = [list(random.choice(ODD, size, replace=False)) for size in (7, len(CLASSES))]
    levels = {column: list(map(str, random.choice(ODD, 6, replace=False))) for column in (5, 6)}
    matrix = np.round(random.randn(200, len(columns)), 2)
    for column in levels:
        matrix[:, column] = random.randint(6, size=200)
    matrix[random.rand(*matrix.shape) < 0.1] = np.nan
    tree = random_tree(random, matrix, random.randint(len(CLASSES), size=200), list(map(str, columns)), levels, 8, ordered=(6,))
    file = json.loads(tree.write("json"))
    file["tree"]["classes"] = list(map(str, classes))
    return Case(f"odd_names{seed}", Result.from_json(json.dumps(file)), matrix, list(map(str, columns)), levels, ordered=(6,))


ALL = [*cases(), hostile(), *map(odd_names, range(4))]
