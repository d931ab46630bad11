"""Columns of ordered levels, durations, and dates with and without a zone: from pandas to the tree, its file, its exports and back."""

import datetime
import json
import sqlite3
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest
from evaluators import Pmml, Sheet, run_in_node

import treewright as tw
from treewright import OptimalTreeClassifier, export_text

pd = pytest.importorskip("pandas")

DOSES = ["1", "3", "10", "25", "80"]
# What questionnaires and tables have: names with blanks, numbers, signs, other letters.
SCALES = [
    ["low", "mid", "high"],
    DOSES,
    ["never", "once a week", "2-3 times, or more", "daily"],
    ["<5", "5-10", ">10"],
    ["0", "0.5", "1", "1.0e1"],
    ["S", "M", "L", "XL", "XXL"],
    ["sehr schlecht", "mäßig", "gut"],
    ["it's bad", 'say "so-so"', "back\\slash", "good"],
    ["A-", "A", "A+"],
    ["I", "II", "III", "IV"],
]


def doses(codes):
    return pd.DataFrame({"dose": pd.Categorical.from_codes(codes, DOSES, ordered=True)})


def test_an_ordered_categorical_is_cut_between_two_levels(tmp_path):
    codes = np.repeat(np.arange(5), 6)
    y = np.where(codes < 3, "no", "yes")
    tree = OptimalTreeClassifier(max_depth=1).fit(doses(codes), y)
    assert export_text(tree).startswith("dose <= 10?")
    assert export_text(tree, precision=3).startswith("dose <= 10?")
    assert tree.result_.errors == 0
    feature = tree.tree_.features[0]
    assert feature.ordered and feature.levels == tuple(DOSES)
    # Found by name: another order, text, numbers, and the tree of the file.
    (tmp_path / "tree.json").write_text(tree.to_json())
    kept = tw.load(tmp_path / "tree.json")
    values = doses(codes)["dose"]
    for rows in (
        values.cat.reorder_categories(DOSES[::-1]),
        values.cat.as_unordered(),
        values.astype(str),
        values.astype(str).astype(float),
    ):
        for model in (tree, kept):
            assert (model.predict(pd.DataFrame({"dose": rows})) == y).all()
    with pytest.warns(tw.DataWarning, match="training did not see: '81'"):
        tree.predict(pd.DataFrame({"dose": pd.Categorical(["81"] * 3 + ["25"] * 3, [*DOSES, "81"], ordered=True)}))
    change = tree.counterfactual(doses([0]), 0).changes[0]
    assert (change.feature, change.old, change.new, change.below) == ("dose", "1", "25", None)
    assert "dose <= 10" in tree.explain(doses([0]))
    assert "dose &lt;= 10" in tree.report(X=doses(codes), y=y)


def test_an_order_of_many_levels_beats_their_sets():
    """Few splits by order, where sets of 20 levels would learn the rows by heart."""
    random = np.random.RandomState(1)
    codes = random.randint(20, size=400)
    frame = pd.DataFrame({"step": pd.Categorical.from_codes(codes, [f"step {i}" for i in range(20)], ordered=True)})
    y = np.where(codes < 12, "a", "b")
    y[random.rand(400) < 0.2] = "a"
    tree = OptimalTreeClassifier(max_depth=1).fit(frame, y)
    assert export_text(tree).startswith("step <= step 11?")


@pytest.mark.parametrize("seed", range(6))
def test_round_trips(seed, tmp_path):
    """Frame -> tree -> every export -> prediction."""
    random = np.random.RandomState(seed)
    rows, columns = 240, {}
    for index, levels in enumerate([*SCALES[seed::3], SCALES[seed]]):
        codes = random.randint(len(levels), size=rows)
        codes[random.rand(rows) < 0.08] = -1
        columns[f"q{index}" + " */" * (index % 2)] = pd.Categorical.from_codes(codes, levels, ordered=True)
    columns["x"] = np.round(random.randn(rows), 2)
    X = pd.DataFrame(columns)
    score = sum(X[name].cat.codes * random.randn() for name in list(X)[:-1]) + X["x"]
    y = np.where(score < np.median(score), "low", "high")
    names, method = list(X), ["oct", "cart", "oct-h"][seed % 3]
    tree = tw.classifier(method, max_depth=3, **({"time_limit": 20} if method == "oct-h" else {})).fit(X, y)
    expected = tree.predict(X).tolist()

    def cells(row):
        values = X.iloc[row]
        return {name: None if pd.isna(values[name]) else values[name] if name != "x" else float(values["x"]) for name in names}

    table = [cells(row) for row in range(rows)]
    program = {}
    exec(compile(tree.export("python", X), "tree.py", "exec"), program)
    assert [program["predict"](row) for row in table] == expected
    assert [label for label, _ in run_in_node(tree.export("javascript", X), table, tmp_path)] == expected
    sheet = Sheet(tree.export("excel").rstrip("\n"))
    assert [sheet.predict([row[name] for name in names]) for row in table] == expected
    model = Pmml(tree.export("pmml", X))
    assert [model.predict(dict(row))[0] for row in table] == expected
    assert 'optype="ordinal"' in tree.export("pmml", X)
    if pytest.importorskip("onnxruntime"):
        tree.export("onnx", X)  # runs it on the rows
    base = sqlite3.connect(":memory:")
    quoted = ['"' + name + '"' for name in names]
    base.execute(f"CREATE TABLE rows ({', '.join(name + (' REAL' if name == chr(34) + 'x' + chr(34) else ' TEXT') for name in quoted)})")
    base.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(names))})", [[row[name] for name in names] for row in table])
    assert [row[0] for row in base.execute(f"SELECT {tree.export('sql', X)} FROM rows ORDER BY rowid")] == expected
    # The command: the file of the tree, and the rows as text.
    (tmp_path / "tree.json").write_text(tree.to_json(), encoding="utf-8")
    X.to_csv(tmp_path / "rows.csv", index=False)
    done = command("predict", tmp_path / "tree.json", tmp_path / "rows.csv")
    assert done.stdout.splitlines()[1:] == expected


def test_durations_are_days_and_say_so():
    hours = pd.to_timedelta(np.arange(1, 41), unit="h")
    y = np.where(np.arange(1, 41) <= 24, "short", "long")
    tree = OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"wait": hours}), y)
    assert export_text(tree).startswith("wait < 1.0") and " days?" in export_text(tree)
    assert json.loads(tree.to_json())["tree"]["features"][0]["days"] is True
    assert (tree.predict(pd.DataFrame({"wait": hours.astype("timedelta64[s]")})) == y).all()
    with pytest.raises(ValueError, match="holds numbers, but the tree was trained on durations"):
        tree.predict(pd.DataFrame({"wait": np.arange(1.0, 41.0)}))
    assert "(in days)" in tree.export("c")


def test_dates_beyond_nanoseconds():
    y = ["x", "z"] * 20
    forever = [datetime.date(2024, 1, 1), datetime.date(9999, 12, 31)] * 20
    moments = [datetime.datetime(2024, 1, 1, 12), datetime.datetime(9999, 12, 31, 12)] * 20
    arrays = [np.array(["2024-01-01", "9999-12-31"] * 20, dtype=f"datetime64[{unit}]") for unit in ("s", "ms", "us")]
    old = [datetime.date(1066, 10, 14), None] * 20
    for values in (forever, moments, ["2024-01-01", "9999-12-31"] * 20, *arrays, old, pd.Series(forever, dtype=object)):
        frame = pd.DataFrame({"valid_to": values})
        tree = OptimalTreeClassifier(max_depth=1).fit(frame, y)
        assert tree.result_.errors == 0
        assert tree.tree_.features[0].date
        assert tree.predict(frame).tolist() == y
    assert export_text(OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"t": arrays[0]}), y)).startswith("t < ")


def test_whole_numbers_with_pandas_na():
    y = ["x", "z"] * 20
    for values in ([1, 2, pd.NA, 4] * 10, [1.5, pd.NA, 3, None] * 10, [True, pd.NA, False, True] * 10):
        frame = pd.DataFrame({"v": pd.Series(values, dtype=object)})
        tree = OptimalTreeClassifier(max_depth=2).fit(frame, y)
        known = frame["v"].astype("Float64") if not isinstance(values[0], bool) else frame["v"].astype("boolean").astype("Float64")
        assert (
            tree.predict(frame).tolist() == OptimalTreeClassifier(max_depth=2).fit(known.to_frame(), y).predict(known.to_frame()).tolist()
        )


def command(*arguments):
    return subprocess.run([Path(sys.executable).parent / "treewright", *map(str, arguments)], capture_output=True, text=True)


HOURS = pd.DataFrame({"t": pd.date_range("2024-03-30 20:00", periods=48, freq="h", tz="Europe/Berlin")})
NAIVE = HOURS.assign(t=HOURS.t.dt.tz_localize(None))
OF_HOURS = np.where(np.arange(48) < 20, "x", "z")


def polars_of(frame):
    return pytest.importorskip("polars").from_pandas(frame)


# The same rows as each front end has them.
WITH_ZONE = {
    "pandas": lambda: HOURS,
    "elsewhere": lambda: HOURS.assign(t=HOURS.t.dt.tz_convert("Asia/Tokyo")),
    "text": lambda: HOURS.astype(str),
    "polars": lambda: polars_of(HOURS),
}
WITHOUT_ZONE = {"pandas": lambda: NAIVE, "text": lambda: NAIVE.astype(str), "polars": lambda: polars_of(NAIVE)}


@pytest.mark.parametrize("zoned", [True, False])
def test_a_zone_is_not_dropped_without_a_word(zoned, tmp_path):
    """Trees of every front end, on rows of every other."""
    own, others = (WITH_ZONE, WITHOUT_ZONE) if zoned else (WITHOUT_ZONE, WITH_ZONE)
    refused = "times without a zone, but the tree was trained on times with one" if zoned else "times with a zone, but the tree was trained"
    file, other_file = tmp_path / "rows.csv", tmp_path / "others.csv"
    (HOURS if zoned else NAIVE).assign(y=OF_HOURS).to_csv(file, index=False)
    (NAIVE if zoned else HOURS).to_csv(other_file, index=False)
    assert command("fit", file, "--max-depth", 1, "--out", tmp_path / "csv.json").returncode == 0
    trees = {"csv": tw.load(tmp_path / "csv.json")}
    for name, rows in own.items():
        trees[name] = OptimalTreeClassifier(max_depth=1).fit(rows(), OF_HOURS)
    for name, tree in trees.items():
        assert tree.tree_.features[0].zoned == zoned, name
        assert (" UTC?" in export_text(tree)) == zoned
        for rows in own.values():
            assert (tree.predict(rows()) == OF_HOURS).all()
        for rows in others.values():
            with pytest.raises(ValueError, match=refused):
                tree.predict(rows())
        (tmp_path / "tree.json").write_text(tree.to_json())
        done = command("predict", tmp_path / "tree.json", file)
        assert done.stdout.split()[1:] == OF_HOURS.tolist(), done.stderr
        done = command("predict", tmp_path / "tree.json", other_file)
        assert done.returncode == 3 and refused in done.stderr


def test_texts_with_and_without_a_zone_are_no_dates_together():
    mixed = pd.DataFrame({"t": ["2024-03-30 20:00Z", "2024-03-31 20:00"] * 12})
    assert OptimalTreeClassifier(max_depth=1).fit(mixed, ["x", "z"] * 12).tree_.features[0].levels is not None


def test_sql_of_times_with_a_zone():
    """DuckDB has a type for them: the zone of its session does not count."""
    duckdb = pytest.importorskip("duckdb")
    tree = OptimalTreeClassifier(max_depth=1).fit(HOURS, OF_HOURS)
    query = tree.export("sql", HOURS)
    assert "TIMESTAMP WITH TIME ZONE '2024-03-31 14:30:00+00:00'" in query
    for zone in ("Asia/Tokyo", "UTC"):
        base = duckdb.connect()
        base.execute(f"SET TimeZone = '{zone}'")
        base.execute('CREATE TABLE rows (place INTEGER, "t" TIMESTAMP WITH TIME ZONE)')
        base.executemany("INSERT INTO rows VALUES (?, ?)", [[i, moment] for i, moment in enumerate(HOURS.t.astype(str))])
        assert [row[0] for row in base.execute(f"SELECT {query} FROM rows ORDER BY place").fetchall()] == OF_HOURS.tolist()
    with pytest.raises(ValueError, match="different literals for times with a zone"):
        tree.export("sql", backquotes=True)


def test_numbers_and_dates_as_text_are_told():
    kids = np.random.RandomState(0).randint(0, 12, 120)
    y = np.where(kids > 4, "p", "q")
    with pytest.warns(tw.DataWarning, match="column 'kids' holds numbers as text.*pd.to_numeric"):
        OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"kids": kids.astype(str)}), y)
    with pytest.warns(tw.DataWarning, match="holds dates as text.*pd.to_datetime"):
        OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"day": [f"0{1 + k % 9}/0{1 + k % 3}/2020" for k in kids]}), y)
    for chosen in (kids, kids.astype(str).astype(object)):
        frame = pd.DataFrame({"kids": pd.Categorical(chosen)})
        with warnings.catch_warnings():
            warnings.simplefilter("error", tw.DataWarning)
            OptimalTreeClassifier(max_depth=1).fit(frame, y)
    with pytest.raises(ValueError, match=r"column 1 of X holds text \('a'\).*not df.values"):
        OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"n": [1, 2, 3, 4], "s": list("abab")}).values, list("xyxy"))


def test_one_value_is_told_once_after_a_fit():
    X = pd.DataFrame({"a": np.arange(200.0), "b": np.arange(200.0) % 7})
    y = np.where((X.a < 90) ^ (X.b < 3), "p", "q")
    tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        for value in range(30):
            tree.predict_proba(X.assign(a=float(value)))
        state = dict(vars(tree))
        tree.predict(X.assign(a=1.0))
        assert vars(tree) == state
    assert sum("in all 200 rows" in str(one.message) for one in told) == 1
    tree.fit(X, y)
    with pytest.warns(tw.DataWarning, match="in all 200 rows"):
        tree.predict(X.assign(a=1.0))
