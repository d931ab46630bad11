"""pandas DataFrames: names, categories, text, missing values."""

import contextlib
import datetime
import pickle

import numpy as np
import pytest

pd = pytest.importorskip("pandas")

from treewright import DataWarning, OptimalTreeClassifier, OptimalTreeRegressor, export_text, load


@pytest.fixture
def frame():
    return pd.DataFrame(
        {
            "size": [1.0, 2.0, np.nan, 4.0, 5.0, 6.0, 7.0, 8.0],
            "colour": pd.Categorical(["red", "blue", "green", "red", "blue", "green", "red", None]),
            "word": ["u", "v", "u", "v", "u", "v", "u", "v"],
            "flag": [True, False] * 4,
        }
    )


def test_categories_split_by_sets(frame):
    y = np.where(frame["colour"].isin(["red", "green"]), "in", "out")
    tree = OptimalTreeClassifier(max_depth=1).fit(frame, y)
    assert tree.score(frame, y) == 1
    assert tree.feature_names_in_.tolist() == ["size", "colour", "word", "flag"]
    t = tree.tree_
    assert t.kind[0] == 3
    assert t.feature[0] == 1
    assert {frozenset(t.left_levels(0))} <= {frozenset({"red", "green"}), frozenset({"blue"})}
    assert t.features[1].levels == ("blue", "green", "red")
    assert t.features[1].has_missing
    assert t.features[0].levels is None


def test_text_columns_are_categories(frame):
    y = (frame["word"] == "v").to_numpy()
    tree = OptimalTreeClassifier(max_depth=1).fit(frame[["size", "word"]], y)
    assert tree.score(frame[["size", "word"]], y) == 1
    assert tree.predict(pd.DataFrame({"size": [1.0], "word": ["v"]})).tolist() == [True]


def test_prediction_finds_levels_by_name(frame):
    y = np.where(frame["colour"] == "red", 1, 0)
    tree = OptimalTreeClassifier(max_depth=1).fit(frame, y)
    few = frame.iloc[[0, 1]].copy()
    few["colour"] = pd.Categorical(["red", "blue"], categories=["yellow", "red", "blue"])
    assert tree.predict(few).tolist() == [1, 0]
    # A level that training did not see is a missing value.
    unseen, missing = few.copy(), few.copy()
    unseen["colour"] = pd.Categorical(["yellow", "yellow"])
    missing["colour"] = pd.Categorical([None, None], categories=["red"])
    assert tree.predict(unseen).tolist() == tree.predict(missing).tolist()


def test_whole_numbers_and_flags_are_the_categories_of_training():
    identifiers = [2**53 + i for i in range(4)] * 5  # as doubles, two and two are equal
    y = np.array(["u", "v", "u", "v"] * 5)
    tree = OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"id": pd.Categorical(identifiers)}), y)
    assert tree.score(pd.DataFrame({"id": identifiers}), y) == 1
    flags = [True, False] * 10
    y = np.where(flags, "yes", "no")
    tree = OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"flag": pd.Categorical(flags)}), y)
    assert tree.score(pd.DataFrame({"flag": flags}), y) == 1


def test_pickle_keeps_levels(frame):
    y = np.where(frame["colour"] == "red", 1, 0)
    tree = pickle.loads(pickle.dumps(OptimalTreeClassifier(max_depth=1).fit(frame, y)))
    assert tree.predict(frame).tolist() == y.tolist()
    assert tree.check(frame, y) == []


def test_numbers_in_object_columns_are_numbers():
    X = pd.DataFrame({"a": pd.Series([1, 2, 3.5, None], dtype=object)})
    tree = OptimalTreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1])
    assert tree.tree_.features[0].levels is None


def test_mistakes_in_frames():
    with pytest.raises(ValueError, match="same text"):
        OptimalTreeClassifier().fit(pd.DataFrame({"a": pd.Categorical([1, "1", 1, "1"])}), [0, 1, 0, 1])
    X = pd.DataFrame({"a": [1.0, 2.0]})
    tree = OptimalTreeClassifier().fit(X, [0, 1])
    with pytest.raises(ValueError, match="feature names"):
        tree.predict(X.rename(columns={"a": "b"}))
    with pytest.raises(ValueError, match="holds text"):
        tree.predict(pd.DataFrame({"a": ["x", "y"]}))


def test_parquet_and_arrow_types(frame, tmp_path):
    """A Parquet file read by pandas, with numpy's types and with Arrow's, is the table that was written."""
    pytest.importorskip("pyarrow")
    frame["day"] = pd.Timestamp("2024-02-27") + pd.to_timedelta(range(len(frame)), unit="D")
    frame.loc[3, "day"] = pd.NaT
    y = np.where(frame["size"].fillna(9) > 4, "large", "small")
    plain = OptimalTreeClassifier(max_depth=2).fit(frame, y)
    frame.to_parquet(tmp_path / "rows.parquet")
    for how in ({}, {"dtype_backend": "pyarrow"}, {"dtype_backend": "numpy_nullable"}):
        read = pd.read_parquet(tmp_path / "rows.parquet", **how)
        tree = OptimalTreeClassifier(max_depth=2).fit(read, y)
        assert str(tree) == str(plain)
        assert tree.tree_.features == plain.tree_.features
        assert tree.predict(read).tolist() == plain.predict(frame).tolist() == y.tolist()


@pytest.mark.parametrize("dtype", ["Int64", "UInt8", "boolean", "int64[pyarrow]", "bool[pyarrow]"])
def test_labels_of_pandas_own_types_keep_their_values(dtype):
    if "pyarrow" in dtype:
        pytest.importorskip("pyarrow")
    plain = [bool(i) if "bool" in dtype else i for i in (0, 0, 1, 1)]
    y = pd.Series(plain, dtype=dtype)
    tree = OptimalTreeClassifier(max_depth=1).fit([[1], [2], [3], [4]], y)
    assert tree.classes_.tolist() == plain[1:3] and tree.classes_.dtype.kind in "biu"
    assert f"'{plain[-1]}'" in tree.export("sql")
    assert tree.score([[1], [2], [3], [4]], y) == 1
    with pytest.raises(ValueError, match="y"):
        OptimalTreeClassifier().fit([[1], [2], [3], [4]], pd.Series([*plain[:3], None], dtype=dtype))


@pytest.mark.parametrize("label", ["a\0b", "half \ud83d"])
def test_labels_that_the_library_cannot_hold_are_refused(label):
    with pytest.raises(ValueError, match=r"label 'a.x00b' holds NUL|label 'half .ud83d' holds half of a character"):
        OptimalTreeClassifier(max_depth=1).fit([[1.0], [2.0]], np.array([label, "c"], dtype=object))


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_loaded_tree_takes_more_columns_than_it_knows(library, tmp_path):
    frame = pytest.importorskip(library).DataFrame({"a": [1.0, 2.0, 3.0, 4.0], "b": ["u", "v", "u", "v"]})
    tree = OptimalTreeClassifier(max_depth=1).fit(frame, [0, 1, 0, 1])
    (tmp_path / "tree.json").write_text(tree.to_json())
    wider = pytest.importorskip(library).DataFrame({"id": [7, 8, 9, 10], "b": ["u", "v", "u", "v"], "a": [1.0, 2.0, 3.0, 4.0]})
    assert load(tmp_path / "tree.json").predict(wider).tolist() == [0, 1, 0, 1]


@pytest.mark.parametrize("row", [pd.Series([1]), "a", 1.5, None, np.array([1])])
def test_a_row_is_asked_for_by_its_position(frame, row):
    tree = OptimalTreeClassifier(max_depth=1).fit(frame[["size"]], (frame["size"] > 4).to_numpy())
    for ask in (tree.explain, tree.counterfactual):
        with pytest.raises(ValueError, match=r"row: .* is no position of a row"):
            ask(frame[["size"]], row)
    assert tree.explain(frame[["size"]], np.array(1)) == tree.explain(frame[["size"]], 1)


def test_frames_without_rows_yet_are_refused():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame({"a": [1.0, 2.0, 3.0, 4.0]})
    with pytest.raises(TypeError, match=r"LazyFrame.*collect\(\)"):
        OptimalTreeClassifier(max_depth=1).fit(frame.lazy(), [0, 0, 1, 1])


def test_a_category_changes_to_one_that_a_training_row_has():
    X = pd.DataFrame({"c": pd.Categorical(list("uuww"), categories=["u", "v", "w"])})
    tree = OptimalTreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1])
    assert tree.counterfactual(X, 0, X_train=X).changes[0].new == "w"
    assert tree.counterfactual(X, 2, X_train=X).changes[0].new == "u"


def test_whole_numbers_that_doubles_do_not_tell_apart():
    """Identifiers: as numbers, 40 of them would be one or two. In DataFrames they are levels, and many of them are left out."""
    few, many = [2**60 + i for i in (0, 1, 2, 3)] * 10, [2**60 + i for i in range(40)]
    y = np.array(["u", "v"] * 20)
    makers = [lambda ids: pd.DataFrame({"id": ids}), lambda ids: pd.DataFrame({"id": pd.Series(ids, dtype=object)})]
    makers += [
        lambda ids: pd.DataFrame({"id": pd.array(ids, dtype="Int64")}),
        lambda ids: pd.DataFrame({"id": pd.array(ids, dtype="UInt64")}),
    ]
    with contextlib.suppress(ImportError):
        import pyarrow

        makers.append(lambda ids: pyarrow.table({"id": ids}))
    with contextlib.suppress(ImportError):
        import polars

        makers.append(lambda ids: polars.DataFrame({"id": ids}))
    for make in makers:
        with pytest.warns(
            DataWarning, match=r"'id' holds whole numbers above 2\^53, such as 1152921504606846979, some .* read as categories"
        ):
            tree = OptimalTreeClassifier(max_depth=1).fit(make(few), y)
        assert tree.score(make(few), y) == 1
        assert tree.tree_.features[0].levels == tuple(map(str, few[:4]))
        with pytest.warns(DataWarning, match="'id' has 40 categories in 40 rows; it is left out"):
            OptimalTreeClassifier(max_depth=1).fit(make(many), y)
    with pytest.warns(DataWarning, match="'x0' holds whole numbers above 2\\^53.*in a DataFrame they become categories"):
        OptimalTreeClassifier(max_depth=1).fit(np.array(few).reshape(-1, 1), y)
    with pytest.warns(DataWarning, match="'id' holds whole numbers above 2\\^53"):
        OptimalTreeRegressor(max_depth=1).fit(makers[0](few), np.arange(40.0))
    apart = [2**60 + 2**20 * i for i in range(40)]
    tree = OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"v": pd.Series(apart, dtype=float)}), np.arange(40) < 20)
    assert tree.tree_.features[0].levels is None


def test_times_of_day_are_hours():
    """As the command reads 12:30."""
    times = [datetime.time(i // 2, 30 * (i % 2)) for i in range(40)]
    y = np.where(np.arange(40) < 19, "early", "late")
    makers = [lambda values: pd.DataFrame({"at": pd.Series(values, dtype=object)})]
    with contextlib.suppress(ImportError):
        import pyarrow

        makers.append(lambda values: pd.DataFrame({"at": pd.Series(values, dtype=pd.ArrowDtype(pyarrow.time64("us")))}))
    with contextlib.suppress(ImportError):
        import polars

        makers.append(lambda values: polars.DataFrame({"at": values}))
    for make in makers:
        tree = OptimalTreeClassifier(max_depth=1).fit(make([None, *times[1:]]), y)
        assert export_text(tree).startswith("at < 9.25 or missing?")
        assert tree.predict(make([None, *times[1:]])).tolist() == y.tolist()


def test_objects_of_dates_and_durations():
    first, hour = datetime.datetime(2024, 3, 30), datetime.timedelta(hours=1)
    zones = [datetime.timezone(hour * (i % 3)) for i in range(40)]
    moments = [(first.replace(tzinfo=datetime.timezone.utc) + i * hour).astimezone(zone) for i, zone in enumerate(zones)]
    y = np.where(np.arange(40) < 20, "early", "late")

    def tree_of(values):
        return OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"t": pd.Series(values, dtype=object)}), y)

    assert export_text(tree_of(moments)).startswith("t < 2024-03-30 19:30:00 UTC?")
    assert export_text(tree_of([moments[0].replace(year=9999), *moments[1:]])).startswith("t < 2024-03-30 19:30:00 UTC?")
    with pytest.raises(ValueError, match="'t': some of its times have a zone and others have none"):
        tree_of([first, *moments[1:]])
    assert export_text(tree_of([i * hour for i in range(40)])).startswith("t < 0.8125 days?")
    assert export_text(tree_of([pd.NaT, pd.NA, None, *range(3, 40)])).startswith("t < 19.5 or missing?")


def test_arrays_that_are_no_matrices():
    numbers = np.arange(40.0).reshape(-1, 1)
    y = np.where(np.arange(40) < 20, "low", "high")
    masked = np.ma.masked_array(numbers, mask=numbers % 20 == 0)
    masked.data[0], masked.data[20] = 99, -99  # what stands below a mask says nothing
    assert OptimalTreeClassifier(max_depth=1).fit(masked, y).predict([[np.nan], [1], [39]]).tolist()[1:] == ["low", "high"]
    assert OptimalTreeClassifier(max_depth=1).fit(masked, y).result_.errors == 1
    records = np.array([(i, i / 2) for i in range(40)], dtype=[("a", int), ("b", float)])
    for named in (records, records.view(np.recarray), {"a": range(40)}, [{"a": i} for i in range(40)]):
        with pytest.raises(TypeError, match=r"columns with names.*pd.DataFrame\(X\)"):
            OptimalTreeClassifier(max_depth=1).fit(named, y)
    with pytest.raises(ValueError, match=r"column 1 of X holds text \('red'\)"):
        OptimalTreeClassifier(max_depth=1).fit([(i, "red") for i in range(40)], y)
