"""Exports of trees that are deep, and of numbers that are large."""

import ctypes
import json
import shutil
import sqlite3
import subprocess

import numpy as np
import pytest
from evaluators import run_in_node
from export_cases import leaf
from treewright._dataset import Dataset
from treewright._frame import Columns
from treewright._result import Result

from treewright import OptimalTreeClassifier

CLASSES = 7
LEVELS = ["a", "b", "c"]


def result_of(nodes, features):
    document = json.loads(OptimalTreeClassifier(max_depth=1).fit([[1.0], [2.0]], [0, 1]).to_json())
    classes = [f"class {k}" for k in range(CLASSES)]
    document["tree"] = {**document["tree"], "classes": classes, "features": features, "nodes": nodes, "target": "class"}
    return Result.from_json(json.dumps(document))


def chain(depth, goes_left):
    """A tree of so many questions in a row, of all kinds; `goes_left` says on which side each goes on."""
    nodes, at = [None], 0
    for k in range(depth):
        left = bool(goes_left(k))
        border = depth - k - 0.5 if left else k + 0.5
        if k % 5 == 2:
            split = {"kind": "categories", "feature": 1, "left_levels": [0, 1] if left else [k % 2]}
        elif k % 5 == 4:
            terms = [{"feature": 0, "weight": 1.0}, {"feature": 1, "level": 0, "weight": 0.25, "if_missing": 1.0}]
            split = {"kind": "hyperplane", "terms": terms, "threshold": border}
        else:
            split = {"kind": "axis", "feature": 0, "threshold": border}
        # Rows without a number go on for a while.
        missing_left = left if k < depth - 3 else not left
        end, children = leaf(np.eye(CLASSES)[k % CLASSES]), len(nodes)
        nodes[at] = {**leaf(np.ones(CLASSES)), "split": {**split, "missing_left": missing_left}, "left": children, "right": children + 1}
        nodes += [None, end] if left else [end, None]
        at = children if left else children + 1
    nodes[at] = leaf(np.eye(CLASSES)[depth % CLASSES])
    number = {"name": "x", "kind": "numeric", "has_missing": True}
    return result_of(nodes, [number, {"name": "c", "kind": "categorical", "levels": LEVELS, "has_missing": True}])


def run_c(source, matrix, expected, folder):
    """As clang compiles it, which takes 256 brackets inside each other, or another compiler."""
    compiler = shutil.which("clang") or shutil.which("cc")
    if compiler is None:
        return
    (folder / "tree.c").write_text(source)
    subprocess.run([compiler, "-O0", "-shared", "-fPIC", folder / "tree.c", "-o", folder / "tree.so"], check=True)
    loaded = ctypes.CDLL(str(folder / "tree.so"))
    loaded.treewright_predict.argtypes = [ctypes.c_void_p]
    rows = np.ascontiguousarray(matrix)
    assert [f"class {loaded.treewright_predict(rows[row : row + 1].ctypes.data)}" for row in range(len(rows))] == expected


SHAPES = {"left": lambda k: True, "right": lambda k: False, "both": lambda k: k % 3 > 0}


@pytest.mark.parametrize("depth", [15, 30, 120, 300])
@pytest.mark.parametrize("shape", SHAPES)
def test_deep_trees_run(depth, shape, tmp_path):
    random = np.random.RandomState(depth)
    matrix = np.column_stack([random.randint(-1, depth + 2, size=400) + 0.125, random.randint(2, size=400)])
    matrix[::7, 0] = matrix[::5, 1] = np.nan
    matrix[::11, 1] = 2
    result = chain(depth, SHAPES[shape])
    data = Dataset(matrix, ["x", "c"], Columns({1: LEVELS}))
    expected = [result.tree.class_names[code] for code in result.predict(data)]
    assert len(set(expected)) > 3
    cells = [[None if np.isnan(x) else x, None if np.isnan(c) else LEVELS[int(c)]] for x, c in matrix.tolist()]
    namespace = {}
    exec(compile(result.write("python", data), "tree.py", "exec"), namespace)
    assert [namespace["predict"]({"x": x, "c": c}) for x, c in cells] == expected
    script = result.write("javascript", data)
    assert [label for label, _ in run_in_node(script, [{"x": x, "c": c} for x, c in cells], tmp_path)] == expected
    run_c(result.write("c", data, name="treewright"), matrix, expected, tmp_path)
    query, shares = result.write("sql", data), result.write("sql-probabilities", data)
    base = sqlite3.connect(":memory:")
    base.execute('CREATE TABLE rows ("x" REAL, "c" TEXT)')
    base.executemany("INSERT INTO rows VALUES (?, ?)", cells)
    assert [row[0] for row in base.execute(f"SELECT {query} FROM rows ORDER BY rowid")] == expected
    assert np.array_equal(base.execute(f"SELECT {shares} FROM rows ORDER BY rowid").fetchall(), result.predict_proba(data))
    duckdb = pytest.importorskip("duckdb")
    base = duckdb.connect()
    base.execute('CREATE TABLE rows (place INTEGER, "x" DOUBLE, "c" TEXT)')
    base.executemany("INSERT INTO rows VALUES (?, ?, ?)", [[place, *row] for place, row in enumerate(cells)])
    assert [row[0] for row in base.execute(f"SELECT {query} FROM rows ORDER BY place").fetchall()] == expected


def test_whole_numbers_beyond_doubles_are_compared_as_doubles():
    """A database compares whole numbers exactly: 2^60 - 63 is below 2^60 there, and the same double."""
    threshold = 2**60
    nodes = [{**leaf(np.ones(CLASSES)), "left": 1, "right": 2}, leaf(np.eye(CLASSES)[0]), leaf(np.eye(CLASSES)[1])]
    values = [threshold + step for step in (-300, -129, -128, -65, -64, -63, -1, 0, 1, 127, 300)] + [None]
    for missing_left in (False, True):
        nodes[0]["split"] = {"kind": "axis", "feature": 0, "threshold": float(threshold), "missing_left": missing_left}
        result = result_of(nodes, [{"name": "big", "kind": "numeric", "has_missing": True}])
        data = Dataset(np.array([[np.nan if value is None else float(value)] for value in values]), ["big"], Columns())
        expected = [result.tree.class_names[code] for code in result.predict(data)]
        query = result.write("sql", data)
        base = sqlite3.connect(":memory:")
        base.execute('CREATE TABLE rows ("big" INTEGER)')
        base.executemany("INSERT INTO rows VALUES (?)", [[value] for value in values])
        assert [row[0] for row in base.execute(f"SELECT {query} FROM rows ORDER BY rowid")] == expected
        duckdb = pytest.importorskip("duckdb")
        base = duckdb.connect()
        base.execute('CREATE TABLE rows (place INTEGER, "big" BIGINT)')
        base.executemany("INSERT INTO rows VALUES (?, ?)", list(enumerate(values)))
        assert [row[0] for row in base.execute(f"SELECT {query} FROM rows ORDER BY place").fetchall()] == expected
