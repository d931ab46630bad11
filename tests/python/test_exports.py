"""Every export is run: it must name the class that the tree names, on every row."""

import ctypes
import json
import re
import shutil
import sqlite3
import subprocess
import xml.etree.ElementTree as ElementTree
from datetime import date, datetime, timedelta
from pathlib import Path

import numpy as np
import pytest
from evaluators import Pmml, Sheet, run_in_node
from export_cases import ALL, COLUMNS, LEVELS, leaf
from treewright._dataset import Dataset
from treewright._frame import Columns, encode
from treewright._result import Result

import treewright as tw
from treewright import HyperplaneTreeClassifier, OptimalTreeClassifier, _exported

ROOT = Path(__file__).parents[2]


@pytest.fixture(params=ALL, ids=[case.name for case in ALL])
def case(request):
    return request.param


@pytest.mark.parametrize("language", ["c", "cpp"])
def test_c_and_cpp(case, language, tmp_path):
    compiler = shutil.which("cc" if language == "c" else "c++")
    if compiler is None:
        pytest.skip(f"no compiler of {language}")
    (tmp_path / f"tree.{language}").write_text(case.write(language, name="treewright"))
    source = tmp_path / f"tree.{language}"
    if language == "cpp":
        (tmp_path / "tree.h").write_text(case.write("cpp", name="treewright_model"))
        source = tmp_path / "main.cpp"
        source.write_text(
            '#include "tree.h"\nextern "C" int treewright_predict(const double* x) { return treewright_model::predict(x); }\n'
            'extern "C" const char* name(int k) { return treewright_model::classes[k].data(); }\n'
            'extern "C" void treewright_predict_proba(const double* x, double* p) {\n'
            "  for (const double share : treewright_model::predict_proba(x)) *p++ = share;\n}\n"
        )
    library = tmp_path / "tree.so"
    standard = "-std=c99" if language == "c" else "-std=c++17"
    subprocess.run([compiler, standard, "-Wall", "-Wextra", "-Werror", "-O1", "-shared", "-fPIC", source, "-o", library], check=True)
    loaded = ctypes.CDLL(str(library))
    loaded.treewright_predict.argtypes = [ctypes.c_void_p]
    rows = np.ascontiguousarray(case.matrix)
    named = [loaded.treewright_predict(rows[row : row + 1].ctypes.data) for row in range(len(rows))]
    if language == "c":
        names = (ctypes.c_char_p * len(case.result.tree.class_names)).in_dll(loaded, "treewright_classes")
        texts = [names[code].decode() for code in named]
    else:
        loaded.name.restype = ctypes.c_char_p
        texts = [loaded.name(code).decode() for code in named]
    assert texts == case.expected
    classes = len(case.result.tree.class_names)
    loaded.treewright_predict_proba.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
    loaded.treewright_predict_proba.restype = None
    shares = np.empty((len(rows), classes))
    for row in range(len(rows)):
        loaded.treewright_predict_proba(rows[row : row + 1].ctypes.data, shares[row : row + 1].ctypes.data)
    assert_equal_shares(shares, case)


def assert_equal_shares(shares, case):
    """To the last bit where leaves have them; those by distance are sums in another order."""
    has_model = any("logits" in node for node in json.loads(case.result.write("json"))["tree"]["nodes"])
    assert np.allclose(shares, case.result.predict_proba(case.data), rtol=1e-12 if has_model else 0, atol=0)


def shares_of_leaves(case):
    """As SQL and PMML have them, whatever the distances to hyperplanes."""
    return case.result.predict_proba(case.data, case.result.shrinkage)


def two_trees():
    """Two trees of one column that part its values at 1.5 and at 3.5."""
    return [OptimalTreeClassifier(max_depth=1).fit([[1.0], [2.0], [3.0], [4.0]], y) for y in (["a", "b", "b", "b"], ["a", "a", "a", "b"])]


@pytest.mark.parametrize("names", [("", ""), ("first", "second")])
@pytest.mark.parametrize("language", ["c", "cpp", "javascript"])
def test_two_programs_stand_beside_each_other(language, names, tmp_path):
    values = [1.0, 2.0, 3.0, 4.0]
    programs = [tree.export(language, name=name) for tree, name in zip(two_trees(), names)]
    pattern = {"c": r"int (\w+)_predict\(", "cpp": r"namespace (\w+) {", "javascript": r"const (\w+) = "}[language]
    found = [re.search(pattern, program).group(1) for program in programs]
    assert list(names) == found if names[0] else all(re.fullmatch("treewright_[0-9a-f]{8}", name) for name in found)
    assert found[0] != found[1]
    expected = [[list(tree.classes_).index(label) for label in tree.predict([[value] for value in values])] for tree in two_trees()]
    if language == "javascript":
        node = shutil.which("node")
        if node is None:
            pytest.skip("no node to run JavaScript")
        calls = ", ".join(f"{values}.map((x) => {name}.classes.indexOf({name}.predict({{ x0: x }})))" for name in found)
        (tmp_path / "both.js").write_text("\n".join([*programs, f"console.log(JSON.stringify([{calls}]));"]))
        assert json.loads(subprocess.run([node, tmp_path / "both.js"], capture_output=True, check=True).stdout) == expected
        return
    compiler = shutil.which("cc" if language == "c" else "c++")
    if compiler is None:
        pytest.skip(f"no compiler of {language}")
    # Each in a file of its own, which the linker joins, and both beside each other in a third one.
    ending = "c" if language == "c" else "cpp"
    sources = []
    for index, (program, name) in enumerate(zip(programs, found)):
        call = f"{name}_predict" if language == "c" else f"{name}::predict"
        sources.append(tmp_path / f"tree{index}.{ending}")
        body = program.replace("#pragma once", "")
        sources[-1].write_text(f"{body}\nint tree{index}(double x) {{ return {call}(&x); }}\n")
    joined = tmp_path / f"both.{ending}"
    joined.write_text("".join(source.read_text() for source in sources))
    lines = ["#include <stdio.h>", *(f"int tree{index}(double);" for index in range(2)), "int main(void) {"]
    lines += [f'  printf("%d ", tree{index}({value}));' for index in range(2) for value in values]
    main = tmp_path / f"main.{ending}"
    main.write_text("\n".join([*lines, "  return 0;", "}", ""]))
    for parts in (sources, [joined]):
        subprocess.run([compiler, "-Wall", "-Werror", main, *parts, "-o", tmp_path / "both"], check=True)
        said = subprocess.run([tmp_path / "both"], capture_output=True, text=True, check=True).stdout.split()
        assert list(map(int, said)) == expected[0] + expected[1]


def test_names_are_names():
    tree = two_trees()[0]
    assert tree.export("c") == tree.export("c")
    assert tree.export("c", name="risk") != tree.export("c")
    for name in ("two words", "1st", "a-b", "a;b", "ä"):
        with pytest.raises(ValueError, match="is no name in a program"):
            tree.export("c", name=name)
    for name in ("class", "int", "std", "new", "var", "undefined"):
        for language in ("c", "cpp", "javascript"):
            with pytest.raises(ValueError, match=f"'{name}' is a word of C.. or JavaScript"):
                tree.export(language, name=name)
    with pytest.raises(ValueError, match="sql gives nothing a name"):
        tree.export("sql", name="risk")
    with pytest.raises(ValueError, match="svg is no SQL"):
        tree.export("svg", backquotes=True)


def test_python(case):
    namespace = {}
    exec(compile(case.write("python"), "tree.py", "exec"), namespace)
    rows = [{name: case.cell(row, column) for column, name in enumerate(case.columns)} for row in range(len(case.matrix))]
    assert [namespace["predict"](row) for row in rows] == case.expected
    known = [{name: value for name, value in row.items() if value is not None} for row in rows]
    assert [namespace["predict"](row) for row in known] == case.expected
    shares = [namespace["predict_proba"](row) for row in rows]
    assert {tuple(row) for row in shares} == {tuple(case.result.tree.class_names)}
    assert_equal_shares([list(row.values()) for row in shares], case)


def test_javascript(case, tmp_path):
    script = case.write("javascript")
    assert "<" + "/script" not in script
    rows = [{name: case.cell(row, column) for column, name in enumerate(case.columns)} for row in range(len(case.matrix))]
    said = run_in_node(script, rows, tmp_path)
    assert [label for label, _ in said] == case.expected
    assert_equal_shares([shares for _, shares in said], case)
    known = [{name: value for name, value in row.items() if value is not None} for row in rows]
    assert [label for label, _ in run_in_node(script, known, tmp_path)] == case.expected


def test_excel(case):
    sheet = Sheet(case.write("excel").rstrip("\n"))
    rows = [[case.cell(row, column) for column in range(len(case.columns))] for row in range(len(case.matrix))]
    assert [sheet.predict(row) for row in rows] == case.expected


def test_sql(case):
    def quoted(name):
        return '"' + name.replace('"', '""') + '"'

    base = sqlite3.connect(":memory:")
    kinds = ["TEXT" if column in case.levels else "REAL" for column in range(len(case.columns))]
    names = ", ".join(f"{quoted(name)} {kind}" for name, kind in zip(case.columns, kinds))
    base.execute(f"CREATE TABLE rows ({names})")
    values = [[case.cell(row, column) for column in range(len(case.columns))] for row in range(len(case.matrix))]
    base.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(case.columns))})", values)
    named = base.execute(f"SELECT {case.write('sql')} FROM rows ORDER BY rowid").fetchall()
    assert [row[0] for row in named] == case.expected
    found = base.execute(f"SELECT {case.write('sql-probabilities')} FROM rows ORDER BY rowid")
    assert [column[0] for column in found.description] == [f"probability of {name}" for name in case.result.tree.class_names]
    assert np.array_equal(found.fetchall(), shares_of_leaves(case))
    # SQLite reads backquotes too, but knows no backslashes.
    if case.name not in ("hostile",) and not any("'" in text or "\\" in text for text in written_texts(case)):
        named = base.execute(f"SELECT {case.write('sql', backquotes=True)} FROM rows ORDER BY rowid").fetchall()
        assert [row[0] for row in named] == case.expected


def written_texts(case):
    return [*case.result.tree.class_names, *(level for levels in case.levels.values() for level in levels)]


def test_sql_in_backquotes():
    X = {"a`b": ["it's", "back\\slash", "c"] * 3, "big": [1.0, 2.0**60, 2.0**61] * 3}
    pandas = pytest.importorskip("pandas")
    tree = OptimalTreeClassifier(max_depth=1).fit(pandas.DataFrame(X).astype({"a`b": "category"})[["a`b"]], ["it's", "no", "no"] * 3)
    written = tree.export("sql", backquotes=True)
    assert "`a``b` IN (" in written and "'it\\'s'" in written and '"' not in written and "it''s" not in written
    tree = OptimalTreeClassifier(max_depth=1).fit(pandas.DataFrame(X)[["big"]], ["a", "a", "b"] * 3)
    assert "(`big` + 0e0) < " in tree.export("sql", backquotes=True)
    assert "`probability of a`" in tree.export("sql-probabilities", backquotes=True)


def visits(pd):
    """Rows with days and moments, and their classes."""
    random = np.random.RandomState(7)
    days = pd.Timestamp("2021-01-01") + pd.to_timedelta(random.randint(500, size=300), unit="D")
    moments = pd.Timestamp("1969-12-30") + pd.to_timedelta(random.randint(4 * 86400, size=300), unit="s")
    frame = pd.DataFrame({"signup": days, "seen at": moments, "amount": random.rand(300)})
    frame.loc[::9, "signup"] = pd.NaT
    frame.loc[::7, "seen at"] = pd.NaT
    y = np.where((frame["signup"] < "2021-09-22") ^ (frame["seen at"] < "1970-01-01 05:00:17"), "go", "stay")
    y[random.rand(300) < 0.1] = "go"
    return frame, y


def test_dates(tmp_path):
    """Dates as Python, JavaScript, spreadsheets and SQL have them: days, and moments of a day."""
    pd = pytest.importorskip("pandas")
    frame, y = visits(pd)
    trees = [OptimalTreeClassifier(max_depth=3), HyperplaneTreeClassifier(max_depth=2, time_limit=1)]
    for tree in trees:
        expected = tree.fit(frame, y).predict(frame).tolist()
        namespace = {}
        exec(compile(tree.export("python", frame), "tree.py", "exec"), namespace)
        plain = [{name: None if pd.isna(value) else value for name, value in row.items()} for row in frame.to_dict("records")]
        written = [{name: str(value) if name != "amount" and value is not None else value for name, value in row.items()} for row in plain]
        iso = [{name: value.replace(" ", "T") if isinstance(value, str) else value for name, value in row.items()} for row in written]
        local = [{**row, "seen at": row["seen at"] and row["seen at"].tz_localize("UTC").tz_convert("Asia/Tokyo")} for row in plain]
        raw = [{name: frame[name].to_numpy()[i] for name in frame} for i in range(len(frame))]
        from_csv = [{name: "" if value is None else str(value) for name, value in row.items()} for row in plain]  # as csv.DictReader
        for rows in (plain, written, iso, local, raw, from_csv):
            assert [namespace["predict"](row) for row in rows] == expected
        with pytest.raises(ValueError, match="isoformat"):
            namespace["predict"]({**written[1], "signup": "22.09.2021", "seen at": "22.09.2021"})
        said = run_in_node(tree.export("javascript", frame), [*written, *iso, *from_csv], tmp_path)
        assert [label for label, _ in said] == expected * 3
        sheet = Sheet(tree.export("excel", frame).rstrip("\n"))
        zero = pd.Timestamp("1899-12-30")
        serial = [
            [
                None if value is None else value if isinstance(value, float) else (value - zero).days + (value - zero).seconds / 86400
                for value in row.values()
            ]
            for row in plain
        ]
        assert [sheet.predict(row) for row in serial] == expected
    # SQLite keeps dates as text and has no literals for them.
    query = trees[0].export("sql", frame)
    assert "DATE '" in query
    assert "TIMESTAMP '" in query
    base = sqlite3.connect(":memory:")
    base.execute('CREATE TABLE rows ("signup" TEXT, "seen at" TEXT, "amount" REAL)')
    base.executemany("INSERT INTO rows VALUES (?, ?, ?)", [tuple(row.values()) for row in written])
    named = base.execute(f"SELECT {query.replace('DATE ', '').replace('TIMESTAMP ', '')} FROM rows ORDER BY rowid").fetchall()
    assert [row[0] for row in named] == trees[0].predict(frame).tolist()


def test_what_is_no_date_is_refused(tmp_path):
    """Half of a text would be another moment, and no error."""
    pd = pytest.importorskip("pandas")
    days = pd.to_datetime(["2021-05-03 02:00", "2021-05-03 10:00", "2021-05-03 13:00", "2021-05-03 20:00"])
    frame = pd.DataFrame({"t": days})
    tree = OptimalTreeClassifier(max_depth=1).fit(frame, ["am", "am", "pm", "pm"])
    read = {
        "2021-05-03": "am",
        "2021-05-03 11:00": "am",
        "2021-05-03 9:59": "am",
        " 2021-05-03T13:00:00Z ": "pm",
        "2021-05-03 13:30:59.5": "pm",
        "2021-02-28 23:59:59": "am",
        "2024-02-29": "pm",
    }
    refused = ["2021-02-30 13:00:00", "2021-02-29", "2021-13-01", "20210503x", "2021-05-0"]
    hours = ["01:30 PM", "noon", "13:30:00 UTC", "13:30:00+02:00", "10:30:00-05:00", "24:00", "12:60", "12:30:60", "12:30:00:07", "nan:00"]
    refused += [f"2021-05-03 {hour}" for hour in hours]
    namespace = {}
    exec(compile(tree.export("python"), "tree.py", "exec"), namespace)
    for text, label in read.items():
        assert namespace["predict"]({"t": text}) == label, text
    for text in refused:
        with pytest.raises(ValueError, match=r"not a date|isoformat|day is out of range|month must be"):
            namespace["predict"]({"t": text})
    script = tree.export("javascript")
    assert [label for label, _ in run_in_node(script, [{"t": text} for text in read], tmp_path)] == list(read.values())
    loud = script.replace(
        "const predict = (row) => classes",
        "const predict = (row) => { try { return named(row); } catch (e) { return e.message; } };\n  const named = (row) => classes",
    ).replace("shares[leaf(row)].slice()", "[]")
    said = [message for message, _ in run_in_node(loud, [{"t": text} for text in refused], tmp_path)]
    assert said == [f"not a date such as 2020-03-01: {text}" for text in refused]


def test_sql_of_a_database_with_dates():
    """DuckDB has DATE and TIMESTAMP, and says of days since 1970 what the tree's sums need."""
    duckdb, pd = pytest.importorskip("duckdb"), pytest.importorskip("pandas")
    frame, y = visits(pd)
    for tree in (OptimalTreeClassifier(max_depth=3), HyperplaneTreeClassifier(max_depth=2, time_limit=1)):
        expected = tree.fit(frame, y).predict(frame).tolist()
        base = duckdb.connect()
        base.execute('CREATE TABLE visits (place INTEGER, "signup" DATE, "seen at" TIMESTAMP, "amount" DOUBLE)')
        rows = [[i, *(None if pd.isna(value) else value for value in row)] for i, row in enumerate(frame.itertuples(index=False))]
        base.executemany("INSERT INTO visits VALUES (?, ?, ?, ?)", rows)
        named = base.execute(f"SELECT {tree.export('sql', frame)} FROM visits ORDER BY place").fetchall()
        assert [row[0] for row in named] == expected
        shares = base.execute(f"SELECT {tree.export('sql-probabilities', frame)} FROM visits ORDER BY place").fetchall()
        assert np.allclose(np.array(shares, dtype=float), tree.predict_proba(frame), rtol=1e-15)


def test_moments_within_a_second(tmp_path):
    pd, duckdb = pytest.importorskip("pandas"), pytest.importorskip("duckdb")
    random = np.random.RandomState(3)
    frame = pd.DataFrame({"t": pd.Timestamp("2023-05-01 10:00:00") + pd.to_timedelta(random.randint(3000, size=200), unit="ms")})
    y = np.where(frame["t"].dt.microsecond // 1000 < 502, "early", "late")
    tree = OptimalTreeClassifier(max_depth=3).fit(frame, y)
    expected = tree.predict(frame).tolist()
    asked = re.findall(r"t < (2023-05-01 \S+)\?", tree.export("rules", frame))
    assert len(set(asked)) == tree.get_n_leaves() - 1, "each question has its own moment"
    assert all("." in moment or moment.endswith(":01") or moment.endswith(":02") for moment in asked)
    base = duckdb.connect()
    base.execute("CREATE TABLE rows (place INTEGER, t TIMESTAMP)")
    base.executemany("INSERT INTO rows VALUES (?, ?)", [[i, value] for i, value in enumerate(frame["t"].tolist())])
    named = base.execute(f"SELECT {tree.export('sql', frame)} FROM rows ORDER BY place").fetchall()
    assert [row[0] for row in named] == expected
    said = run_in_node(tree.export("javascript", frame), [{"t": str(value)} for value in frame["t"]], tmp_path)
    assert [label for label, _ in said] == expected


@pytest.mark.parametrize("seed", range(12))
def test_the_printed_moment_is_the_threshold_in_every_year(seed, tmp_path):
    """A row at the moment that is printed, and those a second before and after it: all programs send them where the tree does."""
    pd, duckdb = pytest.importorskip("pandas"), pytest.importorskip("duckdb")
    random = np.random.RandomState(seed)
    first = datetime(1, 1, 2) + timedelta(days=int(random.randint(3652000)), seconds=int(random.randint(86400)))
    if seed % 2:
        first = datetime(1902, 1, 1) + timedelta(days=int(random.randint(25000)), seconds=int(random.randint(86400)))
    later = first + timedelta(seconds=int(random.choice([1, 2, 7, 3600, 29040, 86399])))
    frame = pd.DataFrame({"when": [moment.isoformat(" ") for moment in (first, first, later, later)]})
    tree = OptimalTreeClassifier(max_depth=1).fit(frame, ["no", "no", "yes", "yes"])
    printed = datetime.fromisoformat(re.search(r"when < (.+)\?", tree.export("rules", frame))[1])
    assert first < printed <= later
    moments = [printed + timedelta(seconds=second) for second in (-1, 0, 1)]
    asked = [{"when": moment.isoformat(" ")} for moment in moments]
    assert tree.predict(pd.DataFrame(asked)).tolist() == ["no", "yes", "yes"]
    if 1678 < printed.year < 2261:
        for unit in ("s", "ms", "us", "ns"):
            assert tree.predict(pd.DataFrame({"when": pd.Series(moments).astype(f"datetime64[{unit}]")})).tolist() == ["no", "yes", "yes"]
    namespace = {}
    exec(compile(tree.export("python", frame), "tree.py", "exec"), namespace)
    assert [namespace["predict"](row) for row in [*asked, *({"when": moment} for moment in moments)]] == ["no", "yes", "yes"] * 2
    said = run_in_node(tree.export("javascript", frame), asked, tmp_path)
    assert [label for label, _ in said] == ["no", "yes", "yes"]
    base = duckdb.connect()
    base.execute('CREATE TABLE rows (place INTEGER, "when" TIMESTAMP)')
    base.executemany("INSERT INTO rows VALUES (?, ?)", list(enumerate(moments)))
    named = base.execute(f"SELECT {tree.export('sql', frame)} FROM rows ORDER BY place").fetchall()
    assert [row[0] for row in named] == ["no", "yes", "yes"]
    sheet = Sheet(tree.export("excel", frame).rstrip("\n"))
    since = [moment - datetime(1899, 12, 30) for moment in moments]
    assert [sheet.predict([gap.days + gap.seconds / 86400]) for gap in since] == ["no", "yes", "yes"]


def test_pmml(case):
    model = Pmml(case.write("pmml"))
    rows = [{name: case.cell(row, column) for column, name in enumerate(case.columns)} for row in range(len(case.matrix))]
    assert [model.predict(row)[0] for row in rows] == case.expected
    for row, share in zip(rows, shares_of_leaves(case)):
        assert np.allclose(list(model.predict(row)[1].values()), share)
    if 2 in case.levels:
        # A level that training did not see is a missing value.
        strange = [{**row, case.columns[2]: "never seen"} for row in rows]
        lacking = [{**row, case.columns[2]: None} for row in rows]
        assert [model.predict(row)[0] for row in strange] == [model.predict(row)[0] for row in lacking]


def test_onnx(case):
    onnxruntime = pytest.importorskip("onnxruntime")
    onnx = pytest.importorskip("onnx")
    written = case.result.write_bytes("onnx", case.data)
    onnx.checker.check_model(onnx.load_from_string(written), full_check=True)
    session = onnxruntime.InferenceSession(written, providers=["CPUExecutionProvider"])
    label, shares = session.run(None, {"X": case.matrix.astype(np.float64)})
    assert label.tolist() == case.expected
    assert np.allclose(shares, case.result.predict_proba(case.data), atol=1e-6)


def test_onnx_is_run_on_the_rows_that_export_is_given():
    pytest.importorskip("onnxruntime")
    frame = pytest.importorskip("pandas").DataFrame({"a": [1.0, 2, 3, 4, None, 6], "b": ["u", "v", "u", None, "w", "w"]})
    y = ["n", "y", "n", "n", "y", "y"]
    tree = OptimalTreeClassifier(max_depth=2).fit(frame, y)
    written = tree.export("onnx", frame[::-1])
    damaged = written.replace(b"\x01y", b"\x01z")
    assert damaged != written
    with pytest.raises(ValueError, match=r"the ONNX file, run by onnxruntime .*, says 'z'"):
        rows = tree._rows(frame)
        _exported.check_onnx(damaged, tree._result, rows, *codes_of(frame))


def codes_of(frame):
    encoded, held = encode(frame)
    return encoded, held.levels


def closed(schema):
    """The schema, and no key besides those that it names."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    parts = {key: closed(part) for key, part in schema.items()}
    if parts.get("type") == "object" and "properties" in parts:
        parts.setdefault("unevaluatedProperties", False)
    return parts


def test_json_follows_the_published_schema(case):
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads((ROOT / "docs" / "tree.schema.json").read_text())
    jsonschema.Draft202012Validator.check_schema(schema)
    known = closed(schema)  # what the schema does not name is no part of the format
    validator = jsonschema.Draft202012Validator(known)
    written = json.loads(case.write("json"))
    assert list(validator.iter_errors(written)) == []
    assert Result.from_json(json.dumps(written)).predict(case.data).tolist() == case.result.predict(case.data).tolist()
    # The schema is no blank cheque: every key that is asked for is missed.
    for path in (["format"], ["result", "bound"], ["result", "history"], ["tree", "nodes"], ["tree", "comparator"]):
        damaged = json.loads(json.dumps(written))
        part = damaged
        for key in path[:-1]:
            part = part[key]
        del part[path[-1]]
        assert list(validator.iter_errors(damaged)), path


def test_text_follows_the_rows(case):
    """Reads the lines back, as a person would."""
    lines = case.write("text").splitlines()
    if case.name == "hostile" or any(
        node["split"]["kind"] != "axis" for node in json.loads(case.write("json"))["tree"]["nodes"] if "split" in node
    ):
        assert sum("class: " in line for line in lines) == case.result.tree.n_leaves
        return

    def predict(row):
        at = 0
        while True:
            depth, text = lines[at].count("|"), lines[at].split("--- ", 1)[1]
            if text.startswith("class: "):
                return text[len("class: ") :]
            name, sign, bound = text.split(" ")[:3]
            value = case.cell(row, case.columns.index(name))
            if (value < float(bound)) == (sign == "<"):
                at += 1
            else:
                at = next(k for k in range(at + 1, len(lines)) if lines[k].count("|") == depth)

    assert [predict(row) for row in range(len(case.matrix))] == case.expected


def test_pictures_are_well_formed(case, tmp_path):
    svg = ElementTree.fromstring(case.write("svg"))
    nodes = [group for group in svg.iter("{http://www.w3.org/2000/svg}g") if group.get("class", "").split()[:1] == ["node"]]
    assert len(nodes) == case.result.tree.node_count
    latex = case.write("latex")
    assert latex.count("rows}") == case.result.tree.node_count
    depth = 0
    for at, letter in enumerate(latex):
        if letter in "{}" and latex[at - 1] != "\\":
            depth += 1 if letter == "{" else -1
        assert depth >= 0
    assert depth == 0
    dot = shutil.which("dot")
    if dot:
        drawn = subprocess.run([dot, "-Tplain"], input=case.write("dot"), capture_output=True, text=True, check=True).stdout
        assert sum(line.startswith("node ") for line in drawn.splitlines()) == case.result.tree.node_count


def latex_trouble(folder, text):
    """What pdflatex complains about; empty = nothing."""
    (folder / "tree.tex").write_text(text)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "tree.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, check=False)
    return "" if done.returncode == 0 else done.stdout.decode("utf-8", "replace")[-1500:]


def test_latex_compiles(case, tmp_path):
    if shutil.which("pdflatex") is None:
        pytest.skip("no pdflatex")
    smallest = r"\documentclass{article}\usepackage{forest,graphicx}\begin{document}\begin{forest} [a[b][c]] \end{forest}\end{document}"
    if latex_trouble(tmp_path, smallest):
        pytest.skip("this LaTeX has no working package forest")
    assert latex_trouble(tmp_path, case.write("latex")) == ""


def test_digits_follow_the_rows():
    close = np.array([[1.0], [1.00000001], [1.00000002], [1.00000003]])
    tree = OptimalTreeClassifier(max_depth=1).fit(close, [0, 0, 1, 1])
    assert "x0 < 1.000000015\n" in tree.export("text", close)
    assert "x0 < 1.000000015\n" in tree.export("text")  # the tree knows how close its training rows are


def test_a_row_on_a_hyperplane_is_refused():
    case = next(case for case in ALL if 1 in case.result.tree.kind or 2 in case.result.tree.kind)
    written = json.loads(case.write("json"))
    features = written["tree"]["features"]
    terms = [{"feature": 0, "weight": 0.1}, {"feature": 1, "weight": 0.2}]
    split = {"kind": "hyperplane", "terms": terms, "threshold": 0.1 * 0.7 + 0.2 * 0.3, "missing_left": False}
    written["tree"]["nodes"] = [{**leaf([1, 1, 0]), "split": split, "left": 1, "right": 2}, leaf([1, 0, 0]), leaf([0, 1, 0])]
    assert len(features) == len(COLUMNS)
    matrix = np.full((2, len(COLUMNS)), 0.0)
    matrix[1, :2] = 0.7, 0.3
    result = Result.from_json(json.dumps(written))
    with pytest.raises(tw.TreewrightError, match="row 1: lies almost exactly on the hyperplane of node 0"):
        result.write("c", Dataset(matrix, COLUMNS, Columns({2: LEVELS})))


def test_wrong_calls():
    tree = OptimalTreeClassifier(max_depth=1).fit([[1.0], [2.0]], [0, 1])
    with pytest.raises(tw.TreewrightError, match="the formats are rules, text"):
        tree.export("xml")
    with pytest.raises(ValueError, match="fitted"):
        OptimalTreeClassifier().export("c")
    assert isinstance(tree.export("onnx"), bytes)


def test_report(tmp_path):
    X, y = pytest.importorskip("sklearn.datasets").load_iris(return_X_y=True)
    tree = OptimalTreeClassifier(max_depth=2).fit(X[::2], y[::2])
    test = {"X_test": X[1::2], "y_test": y[1::2]}
    page = tree.report(tmp_path / "r.html", X[::2], y[::2], **test, complexity_path=True, with_rows=True, title="A & B", author="C <D>")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == page
    for words in ("A &amp; B", "C &lt;D&gt;", date.today().isoformat()):
        assert words in page
    for words in ("Proven optimal", "a proof that no tree is better was checked after the training", "Every optimal size"):
        assert words in page
    assert "Compared with" in page and "no split" in page
    assert "accuracy on test rows" in page
    assert len(tree.report()) < len(page)
    (tmp_path / "link.html").symlink_to(tmp_path / "r.html")
    shorter = tree.report(tmp_path / "link.html")
    assert (tmp_path / "r.html").read_text(encoding="utf-8") == shorter and (tmp_path / "link.html").is_symlink()
    with pytest.raises(IsADirectoryError):
        tree.report(tmp_path)
    with pytest.raises(FileNotFoundError, match=r"none/r\.html'$"):
        tree.report(tmp_path / "none" / "r.html")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link.html", "r.html"]
    with pytest.raises(ValueError, match="y_test"):
        tree.report(X_test=X)
    with pytest.raises(ValueError, match="none of the tree's classes"):
        tree.report(X_test=X, y_test=["rose"] * len(X))
    with pytest.raises(ValueError, match="complexity_path"):
        tree.report(complexity_path=True)
