"""Levels in other forms than training had them: numbers written otherwise, and truth values."""

import json
import math
import warnings

import numpy as np
import pytest
from evaluators import run_in_node
from export_cases import leaf

import treewright as tw
from treewright import OptimalTreeClassifier

pd = pytest.importorskip("pandas")

NUMBERS = [
    "1",
    "2",
    "3.5",
    "10",
    "01",
    "007",
    "1e3",
    "+4",
    "-5",
    "9007199254740992",
    "9007199254740993",
    "1e20",
    "0.00001",
    "x",
    "nan",
    "inf",
    "0x10",
]
TEXTS = [
    *NUMBERS,
    "2.0",
    " 2",
    "2 ",
    "2_0",
    "1_0",
    "10.",
    "1.0",
    "1e0",
    "7",
    "7.0",
    "1000",
    "4",
    "+4.0",
    "-5.0",
    "--5",
    "1e-5",
    "1e-05",
    "Infinity",
    "NaN",
    "16",
]
TEXTS += ["9007199254740994", "9.007199254740992e15", "100000000000000000000", "1e2000", "", ".", "e5", "true", "True", "\u0663"]
FLOATS = [1.0, 2.0, 3.5, 10.0, 7.0, 1000.0, 4.0, -5.0, 16.0, 9007199254740992.0, 1e20, 1e-5, 0.0, -0.0, 5.0, math.nan]


def tree_of_levels(levels, folder):
    """A tree that names the level of its only column, or "none"."""
    document = json.loads(OptimalTreeClassifier(max_depth=1).fit([[1.0], [2.0]], [0, 1]).to_json())
    classes = [*(f"level {level}" for level in levels), "none"]
    unit = np.eye(len(classes))
    nodes = []
    for code in range(len(levels)):
        split = {"kind": "categories", "feature": 0, "left_levels": [code], "missing_left": False}
        nodes += [{**leaf(unit[-1]), "split": split, "left": len(nodes) + 1, "right": len(nodes) + 2}, leaf(unit[code])]
    nodes.append(leaf(unit[-1]))
    features = [{"name": "c", "kind": "categorical", "levels": levels, "has_missing": True}]
    document["tree"] = {**document["tree"], "classes": classes, "features": features, "nodes": nodes, "target": "class"}
    path = folder / "tree.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    return tw.load(path)


def labels_of(tree, frame):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", tw.DataWarning)  # of levels that training did not see
        return tree.predict(frame).tolist()


@pytest.mark.parametrize("levels", [NUMBERS, ["1", "01", "2"], ["1.0", "01"], ["1e16", "10000000000000000"], ["a", "b"]])
def test_numbers_are_looked_up_by_value(levels, tmp_path):
    tree = tree_of_levels(levels, tmp_path)
    texts = labels_of(tree, pd.DataFrame({"c": pd.Categorical(TEXTS)}))
    numbers = labels_of(tree, pd.DataFrame({"c": FLOATS}))
    namespace = {}
    exec(compile(tree.export("python"), "tree.py", "exec"), namespace)
    assert [namespace["predict"]({"c": text}) for text in TEXTS] == texts
    for form in (float, np.float64):
        assert [namespace["predict"]({"c": form(number)}) for number in FLOATS] == numbers
    script = tree.export("javascript")
    assert [label for label, _ in run_in_node(script, [{"c": text} for text in TEXTS], tmp_path)] == texts
    cells = [{"c": None if math.isnan(number) else number} for number in FLOATS]
    assert [label for label, _ in run_in_node(script, cells, tmp_path)] == numbers
    whole = [1, 2, 7, 4, 9007199254740993, 9007199254740992, 9007199254740994, 10**16]
    assert [namespace["predict"]({"c": number}) for number in whole] == labels_of(tree, pd.DataFrame({"c": whole}))


def test_exports_are_checked_on_columns_of_numbers(tmp_path):
    tree = tree_of_levels(["1", "2", "3", "10"], tmp_path)
    for column in ([1.0, 2.0, 3.0, 10.0, np.nan], pd.Categorical(["1.0", "2.0", "3", "10", None])):
        frame = pd.DataFrame({"c": column})
        assert tree.predict(frame).tolist() == ["level 1", "level 2", "level 3", "level 10", "none"]
        assert "level 10" in tree.export("python", frame)
        assert isinstance(tree.export("onnx", frame), bytes)


TRUTHS = [
    (["True", "False"], "True", "False"),
    (["true", "false"], "true", "false"),
    (["FALSE", "TRUE"], "TRUE", "FALSE"),
    (["0", "1"], "1", "0"),
]


@pytest.mark.parametrize(("levels", "yes", "no"), [*TRUTHS, (["true", "True", "a"], "True", None)])
def test_truth_values_are_the_levels_that_say_so(levels, yes, no, tmp_path):
    tree = tree_of_levels(levels, tmp_path)
    expected = [f"level {yes}", f"level {no}" if no else "none"]
    columns = [
        pd.Series([True, False]),
        pd.Series([True, False], dtype="boolean"),
        pd.Series([True, False], dtype=object),
        pd.Series(pd.Categorical([True, False])),
    ]
    for column in columns:
        frame = pd.DataFrame({"c": column})
        assert labels_of(tree, frame) == expected
    lacking = pd.DataFrame({"c": [True, None, False]})
    assert labels_of(tree, lacking) == [expected[0], "none", expected[1]]
    namespace = {}
    exec(compile(tree.export("python"), "tree.py", "exec"), namespace)
    for form in (bool, np.bool_):
        assert [namespace["predict"]({"c": form(value)}) for value in (True, False)] == expected
    assert [label for label, _ in run_in_node(tree.export("javascript"), [{"c": True}, {"c": False}], tmp_path)] == expected
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"c": [True, None, False]})
    assert labels_of(tree, frame) == [expected[0], "none", expected[1]]


def test_truth_values_of_training_keep_their_names():
    frame = pd.DataFrame({"c": pd.Categorical([True, False] * 4)})
    tree = OptimalTreeClassifier(max_depth=1).fit(frame, ["y", "n"] * 4)
    assert tree.tree_.features[0].levels == ("False", "True")
    assert tree.predict(pd.DataFrame({"c": [True, False]})).tolist() == ["y", "n"]
