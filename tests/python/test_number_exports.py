"""Every export of a tree that predicts numbers is run: it must give the number that the tree gives, on every row."""

import ctypes
import json
import math
import shutil
import sqlite3
import subprocess

import numpy as np
import pytest
from evaluators import Pmml, Sheet
from treewright._draw import value_text

from treewright import CARTRegressor, export_text

pd = pytest.importorskip("pandas")

COLUMNS = ["x", "a \"b\" 'c'", "color ?"]
LEVELS = ["red", "it's", "<b>&amp;"]


def data():
    random = np.random.default_rng(11)
    n = 300
    frame = pd.DataFrame({COLUMNS[0]: random.normal(size=n), COLUMNS[1]: random.normal(size=n)})
    codes = random.integers(0, 3, n)
    frame[COLUMNS[2]] = pd.Categorical.from_codes(codes, LEVELS)
    y = np.where(codes == 1, 3.7, 0) + frame["x"].to_numpy() ** 2 + 0.1 * random.normal(size=n)
    frame.iloc[::7, 0] = np.nan
    frame.iloc[::11, 2] = np.nan
    return frame, y


@pytest.fixture(scope="module")
def case():
    frame, y = data()
    tree = CARTRegressor(max_depth=5).fit(frame, y)
    assert {1, 3} <= set(tree.tree_.kind.tolist())
    return tree, frame, tree.predict(frame)


def cells(frame):
    """Rows of numbers, texts and None."""
    return [
        [None if value is None or (isinstance(value, float) and math.isnan(value)) else value for value in row]
        for row in frame.astype(object).to_numpy().tolist()
    ]


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_c_and_cpp(case, language, tmp_path):
    tree, frame, expected = case
    compiler = shutil.which("cc" if language == "c" else "c++")
    if compiler is None:
        pytest.skip(f"no compiler of {language}")
    source = tmp_path / f"main.{language}"
    written = tree.export(language, frame, name="model")
    if language == "cpp":
        (tmp_path / "tree.h").write_text(written)
        written = '#include "tree.h"\nextern "C" double model_predict(const double* x) { return model::predict(x); }\n'
    source.write_text(written)
    standard = "-std=c99" if language == "c" else "-std=c++17"
    library = tmp_path / "tree.so"
    subprocess.run([compiler, standard, "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", source, "-o", library], check=True)
    predict = ctypes.CDLL(str(library)).model_predict
    predict.argtypes, predict.restype = [ctypes.c_void_p], ctypes.c_double
    rows = np.ascontiguousarray(tree._encoded(frame)[0])
    assert [predict(rows[i : i + 1].ctypes.data) for i in range(len(rows))] == expected.tolist()


def test_python(case):
    tree, frame, expected = case
    program = {}
    exec(tree.export("python", frame), program)
    assert [program["predict"](dict(zip(COLUMNS, row))) for row in cells(frame)] == expected.tolist()


def test_javascript(case, tmp_path):
    tree, frame, expected = case
    if shutil.which("node") is None:
        pytest.skip("no node to run JavaScript")
    (tmp_path / "tree.js").write_text(tree.export("javascript", frame), encoding="utf-8")
    rows = json.dumps([dict(zip(COLUMNS, row)) for row in cells(frame)])
    main = f"const tree = require('./tree.js');\nconsole.log(JSON.stringify({rows}.map((row) => tree.predict(row))));"
    (tmp_path / "main.js").write_text(main, encoding="utf-8")
    done = subprocess.run(["node", "main.js"], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert json.loads(done.stdout) == expected.tolist()


def test_sql(case):
    tree, frame, expected = case
    base = sqlite3.connect(":memory:")
    names = ['"' + name.replace('"', '""') + '"' for name in COLUMNS]
    base.execute(f"create table t ({names[0]} real, {names[1]} real, {names[2]} text)")
    base.executemany("insert into t values (?, ?, ?)", cells(frame))
    assert [value for (value,) in base.execute(f"select {tree.export('sql', frame)} from t order by rowid")] == expected.tolist()


def test_excel(case):
    tree, frame, expected = case
    sheet = Sheet(tree.export("excel", frame).rstrip("\n"))
    assert [sheet.predict(row) for row in cells(frame)] == pytest.approx(expected.tolist(), rel=1e-14)


def test_pmml(case):
    tree, frame, expected = case
    model = Pmml(tree.export("pmml", frame))
    assert model.model.get("functionName") == "regression"
    assert [float(model.predict(dict(zip(COLUMNS, row)))[0]) for row in cells(frame)] == expected.tolist()


def test_onnx(case):
    onnxruntime = pytest.importorskip("onnxruntime")
    tree, frame, expected = case
    session = onnxruntime.InferenceSession(tree.export("onnx", frame), providers=["CPUExecutionProvider"])
    rows = np.asarray(tree._encoded(frame)[0], dtype=np.float64)
    assert session.run(["value"], {"X": rows})[0].ravel().tolist() == expected.tolist()


def test_pictures_name_each_leaf(case):
    tree, frame, _ = case
    for format in ("dot", "svg", "latex", "text", "rules"):
        written = tree.export(format, frame)
        # Python writes them by the same rule.
        leaves = np.flatnonzero(tree.tree_.children_left < 0)
        assert all(value_text(tree.tree_, node) in written for node in leaves), format


def test_a_number_below_a_power_of_ten_has_its_digits():
    tree = CARTRegressor(max_depth=1).fit([[1.0], [1.0], [2.0], [2.0]], [9999.6, 9999.8, 1.5, 2.5])
    for said in (export_text(tree), tree.export("rules")):
        assert "9999.7" in said and "e+" not in said
