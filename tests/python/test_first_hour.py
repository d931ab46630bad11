"""What a new user meets: warnings about data, dates, trees from files, explanations, pictures."""

import re
import warnings

import numpy as np
import pytest
from treewright._draw import PALETTE

import treewright
from treewright import (
    CARTClassifier,
    DataWarning,
    HyperplaneTreeClassifier,
    OptimalTreeClassifier,
    OptimalTreeClassifierCV,
    export_text,
    plot_tree,
)

pd = pytest.importorskip("pandas")

ROWS = 120


@pytest.fixture
def frame():
    n = np.arange(ROWS)
    return pd.DataFrame(
        {
            "x": n * 37 % 11,
            "since": pd.to_datetime("2020-01-01") + pd.to_timedelta(n * 7 % ROWS, unit="D"),
            "town": np.where(n % 3 == 0, "Basel, Stadt", "Lugano"),
        }
    )


@pytest.fixture
def early(frame):
    return np.where(frame["since"] < "2020-03-01", "early", "late")


def fit_silently(X, y, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        return OptimalTreeClassifier(max_depth=1, **options).fit(X, y)


def test_names_are_left_out_with_a_warning(frame, early):
    frame["name"] = [f"person {i}" for i in range(ROWS)]
    with pytest.warns(DataWarning, match="column 'name' has 120 categories in 120 rows; it is left out"):
        tree = OptimalTreeClassifier(max_depth=2).fit(frame[["name", "x"]], early)
    assert 0 not in tree.tree_.features_used()
    assert tree.check(frame[["name", "x"]], early) == []
    frame["name"] = frame["name"].astype("category")
    assert fit_silently(frame[["name"]], early).tree_.features_used() == {0}


def test_other_warnings_about_data(frame, early):
    with pytest.warns(DataWarning, match="column 'id' only counts the rows"):
        OptimalTreeClassifier(max_depth=1).fit(frame.assign(id=range(ROWS))[["id", "x"]], early)
    with pytest.warns(DataWarning, match="has one value for each class"):
        OptimalTreeClassifier(max_depth=1).fit(frame.assign(copy=early)[["copy", "x"]], early)
    with pytest.warns(DataWarning, match=r"column 'id' holds another whole number in each row; .* left out \(make it float to keep it\)"):
        tree = OptimalTreeClassifier(max_depth=1).fit(frame.assign(id=(np.arange(ROWS) * 77 + 31) % 997)[["id", "x"]], early)
    assert 0 not in tree.tree_.features_used()
    numbers = frame.assign(id=range(ROWS)).astype({"id": float})[["id", "x"]]
    with pytest.warns(DataWarning, match="only counts the rows; new rows will have other numbers: leave the column out"):
        assert OptimalTreeClassifier(max_depth=1).fit(numbers, early).tree_.features_used() == {0}
    with pytest.warns(DataWarning, match="only counts the rows; new rows will have other numbers: leave the column out"):
        assert OptimalTreeClassifier(max_depth=1).fit(np.arange(ROWS)[:, None], early).tree_.features_used() == {0}
    with pytest.warns(DataWarning, match="column 'city' has 55 categories in 120 rows; a split may take any set"):
        OptimalTreeClassifier(max_depth=1).fit(frame.assign(city=[f"city {i * 7 % 55}" for i in range(ROWS)])[["city", "x"]], early)
    with pytest.warns(DataWarning, match="the categories 'No' and 'no' differ in capital letters only; write them alike"):
        OptimalTreeClassifier(max_depth=1).fit(frame.assign(s=["no", "No", "yes"] * 40)[["s", "x"]], early)
    with pytest.warns(DataWarning, match="120 different numbers in 120 rows; OptimalTreeRegressor predicts numbers"):
        OptimalTreeClassifier(max_depth=1).fit(frame[["x"]], np.arange(ROWS))
    with pytest.warns(DataWarning, match="2 leaves cannot hold 3 classes, so some are never predicted"):
        OptimalTreeClassifier(max_depth=1).fit(frame[["x"]], frame["x"] % 3)
    rare = early.copy()
    rare[0] = "odd"
    with pytest.warns(DataWarning, match="very few rows are of class 'odd'"):
        OptimalTreeClassifier(max_depth=1).fit(frame[["x", "since"]], rare)


@pytest.mark.parametrize("unit", ["s", "ms", "us", "ns"])
def test_dates_of_any_unit_become_dates_in_the_tree(frame, early, unit):
    tree = fit_silently(frame, early)
    assert tree.score(frame, early) == 1
    assert "since < 2020-03-01?" in export_text(tree)
    other = frame.assign(since=frame["since"].astype(f"datetime64[{unit}]"))
    assert tree.predict(other).tolist() == early.tolist()
    assert "since < 2020-03-01" in export_text(fit_silently(other, early))
    array = frame["since"].to_numpy().astype(f"datetime64[{unit}]")[:, None]
    assert "x0 < 2020-03-01" in export_text(fit_silently(array, early))
    with pytest.raises(ValueError, match="trained on dates"):
        tree.predict(frame.assign(since=1.0))


TEXTS = {"iso": "%Y-%m-%d", "moment": "%Y-%m-%dT%H:%M:%S", "dotted": "%d.%m.%Y", "named": "%d %b %Y"}


@pytest.mark.parametrize("library", ["pandas", "polars"])
@pytest.mark.parametrize("style", TEXTS)
def test_texts_that_are_dates_are_read_as_the_command_reads_them(frame, early, style, library, tmp_path):
    texts = frame[["x"]].assign(since=frame["since"].dt.strftime(TEXTS[style]))
    texts.loc[3, "since"] = None
    table = pytest.importorskip("polars").from_pandas(texts) if library == "polars" else texts
    tree = fit_silently(table, early)
    assert "since < 2020-03-01 or missing?" in export_text(tree)
    assert tree.check(table, early) == []
    assert tree.predict(table).tolist() == early.tolist()
    assert tree.predict(frame[["x", "since"]]).tolist()[4:] == early.tolist()[4:], "dates and their texts are the same"
    for format in ("python", "onnx", "sql", "javascript"):
        assert tree.export(format, table)
    assert "2020-03-01" in tree.explain(table, 0)
    (tmp_path / "tree.json").write_text(tree.to_json())
    assert treewright.load(tmp_path / "tree.json").predict(table).tolist() == early.tolist()


def test_new_texts_that_are_no_dates(frame, early):
    texts = frame[["x"]].assign(since=frame["since"].dt.strftime("%Y-%m-%d"))
    tree = fit_silently(texts, early)
    odd = texts.copy()
    odd.loc[[5, 9], "since"] = ["unknown", "2020-02-30"]
    with pytest.warns(DataWarning, match="column 'since': '2020-02-30', 'unknown' is no date, and counts as missing") as caught:
        found = tree.predict(odd)
    assert [one.filename for one in caught if one.category is DataWarning] == [__file__]
    odd.loc[[5, 9], "since"] = None
    assert tree.predict(odd).tolist() == found.tolist()
    with pytest.raises(ValueError, match="column 'since': it held dates in training, and 'spring' is none"):
        tree.predict(texts.assign(since="spring"))
    with pytest.warns(DataWarning, match="column 'since' has no value in any of 120 rows"):
        tree.predict(texts.assign(since=None))


def test_texts_that_are_categories_stay_categories(frame, early):
    """Texts of which the first rows are dates, dates whose order is open, and what the user has made a category."""
    days = frame["since"].dt.strftime("%Y-%m-%d")
    assert fit_silently(pd.DataFrame({"since": days.astype("category")}), early).tree_.features[0].levels is not None
    month = np.array(["01/02/2020", "03/04/2020", "05/06/2020"])[frame.index % 3]
    with pytest.warns(DataWarning, match="column 'month' holds dates as text.*pd.to_datetime"):
        assert (
            OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"month": month}), month == "01/02/2020").tree_.features[0].levels
            is not None
        )
    with pytest.warns(DataWarning, match="column 'since' holds dates and 1 other cell"):
        OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"since": days.where(frame.index != 7, "unknown"), "x": frame["x"]}), early)


def test_missing_dates_and_time_zones(frame, early):
    frame.loc[3, "since"] = pd.NaT
    tree = fit_silently(frame, early)
    assert tree.tree_.features[1].has_missing
    zoned = frame.assign(since=frame["since"].dt.tz_localize("UTC").dt.tz_convert("Asia/Tokyo"))
    elsewhere = zoned.assign(since=zoned["since"].dt.tz_convert("Europe/Berlin"))
    assert fit_silently(zoned, early).predict(elsewhere).tolist() == tree.predict(frame).tolist()


def test_a_column_of_text_and_numbers_is_named(frame, early):
    with pytest.raises(ValueError, match=r"column 'age' holds values of different kinds .*pd.to_numeric"):
        OptimalTreeClassifier().fit(frame.assign(age=[1, "x", 2.5] * (ROWS // 3)), early)


def test_thresholds_have_the_digits_that_keep_rows_apart():
    tree = fit_silently(pd.DataFrame({"ts": [1700000000.0, 1700000001.0, 1700000003.0]}), [0, 1, 1])
    assert "ts < 1700000000.5?" in export_text(tree)
    assert "ts < 1.7e+09?" in export_text(tree, precision=2)


def test_levels_with_commas_are_quoted():
    town = np.array(["Basel, Stadt", "Bern, Land", "Genf, Stadt"])[np.arange(ROWS) % 3]
    text = export_text(fit_silently(pd.DataFrame({"town": town}), town == "Bern, Land"))
    assert "town in {'Bern, Land'}?" in text or "town in {'Basel, Stadt', 'Genf, Stadt'}?" in text


def test_load(frame, early, tmp_path):
    tree = fit_silently(frame, early)
    path = tmp_path / "tree.json"
    path.write_text(tree.to_json())
    loaded = treewright.load(path)
    assert type(loaded) is OptimalTreeClassifier
    assert loaded.classes_.tolist() == ["early", "late"]
    assert loaded.predict(frame).tolist() == early.tolist()
    numbers = OptimalTreeClassifier(max_depth=1).fit([[0.0], [1.0]], [7, 9])
    path.write_text(numbers.to_json())
    assert treewright.load(path).predict([[1.0]]).tolist() == [9]
    oblique = HyperplaneTreeClassifier(max_depth=1, method="tao").fit([[0, 0], [1, 1], [0, 1], [1, 2]], [0, 0, 1, 1])
    path.write_text(oblique.to_json())
    assert type(treewright.load(path)) is HyperplaneTreeClassifier
    path.write_text("{}")
    with pytest.raises(ValueError, match="tree"):
        treewright.load(path)


def test_explain_and_shapley_values(frame, early):
    tree = fit_silently(frame, early)
    text = tree.explain(frame, 5)
    assert "nearest change of label" in text
    assert "since" in text
    values, average = tree.shapley_values(frame)
    assert values.shape == (ROWS, 3, 2)
    np.testing.assert_allclose(values.sum(axis=1) + average, tree.predict_proba(frame))
    with pytest.raises(ValueError, match="row"):
        tree.explain(frame, ROWS)


@pytest.mark.filterwarnings("ignore:column 'x' has one value for each class")
def test_what_scikit_learn_users_look_for(frame, early):
    tree = fit_silently(frame, early)
    assert (tree.n_classes_, tree.max_features_) == (2, 3)
    tree.set_params(max_depth=-2)
    with pytest.raises(ValueError):
        tree.fit(frame, early)
    assert not tree.__sklearn_is_fitted__()
    with pytest.raises(ValueError, match="max_depth"):
        OptimalTreeClassifier(max_depth=None).fit(frame, early)
    deep = CARTClassifier(max_depth=None).fit(frame[["x"]], frame["x"].astype(str))
    assert deep.get_n_leaves() == 11


@pytest.mark.filterwarnings("ignore:column 'x' has one value for each class")
def test_limits_by_scikit_learns_names(frame, early):
    X, y = frame[["x"]], frame["x"].astype(str)
    assert OptimalTreeClassifier(max_depth=4, max_leaf_nodes=5).fit(X, y).get_n_leaves() <= 5
    assert CARTClassifier(max_leaf_nodes=3, max_depth=None).fit(X, y).get_n_leaves() == 3
    tree = CARTClassifier(min_samples_split=40, max_depth=None).fit(X, y).tree_
    assert all(tree.n_node_samples[tree.children_left >= 0] >= 40)
    assert CARTClassifier(min_impurity_decrease=0.5, max_depth=None).fit(X, y).get_n_leaves() == 1
    for wrong in (1, 2.5, True):
        with pytest.raises(ValueError, match="max_leaf_nodes"):
            OptimalTreeClassifier(max_leaf_nodes=wrong).fit(X, y)
    with pytest.raises(TypeError, match=r"min_samples_split.*CARTClassifier has it"):
        OptimalTreeClassifier(min_samples_split=5)


def test_sparse_input_is_made_dense(frame, early):
    sparse = pytest.importorskip("scipy.sparse")
    OneHotEncoder = pytest.importorskip("sklearn.preprocessing").OneHotEncoder
    table = frame.astype({"x": str})[["x", "town"]].assign(early=early)
    given = OneHotEncoder().fit_transform(table)
    assert sparse.issparse(given)
    plain = OptimalTreeClassifier(max_depth=2).fit(given.toarray(), early)
    assert plain.result_.errors == 0
    for form in ("csr", "csc", "coo", "lil"):
        rows = given.asformat(form)
        tree = OptimalTreeClassifier(max_depth=2).fit(rows, early)
        assert (tree.predict(rows) == early).all() and (plain.predict(rows) == early).all()
        assert tree.score(rows, early) == 1 and "early" in tree.explain(rows, 0)
    array = sparse.csr_array(given.astype(np.int8))
    assert (plain.predict(array) == early).all()
    tuned = OptimalTreeClassifierCV(max_depths=[1], cv=2).fit(given, early)
    assert tuned.score(given.tocoo(), early) == 1
    columns = pd.DataFrame.sparse.from_spmatrix(given, columns=[f"c{i}" for i in range(given.shape[1])]).assign(town=frame["town"])
    assert (OptimalTreeClassifier(max_depth=2).fit(columns, early).predict(columns) == early).all()
    dummies = pd.get_dummies(table, sparse=True)
    assert (OptimalTreeClassifier(max_depth=2).fit(dummies, early).predict(pd.get_dummies(table)) == early).all()


def test_a_sparse_matrix_that_is_too_large_says_so():
    sparse = pytest.importorskip("scipy.sparse")
    wide = sparse.csr_matrix((100_000, 1_000_000_000))
    with pytest.raises(MemoryError, match=r"100000 x 1000000000 values take 800,000 GB as a dense matrix.*give the column of categories"):
        OptimalTreeClassifier().fit(wide, [0, 1] * 50_000)
    rows = wide[:2, :1_000]
    with pytest.raises(MemoryError, match="as a dense matrix"):
        OptimalTreeClassifier().fit(rows, [0, 1]).predict(wide)


def test_only_columns_that_the_tree_asks_are_needed(frame, early, tmp_path):
    tree = fit_silently(frame, early)
    assert tree.tree_.features_used() == {1}
    (tmp_path / "tree.json").write_text(tree.to_json())
    kept = treewright.load(tmp_path / "tree.json")
    since = frame[["since"]]
    for model in (tree, kept):
        for rows in (since, frame[["since", "town"]], frame[["x", "since"]]):
            assert (model.predict(rows) == early).all() and model.score(rows, early) == 1
            assert model.predict_proba(rows).shape == (ROWS, 2)
            assert model.explain(rows, 3) == model.explain(frame, 3) or "missing" in model.explain(rows, 3)
        for rows in (frame[["x"]], frame[["x", "town"]]):
            with pytest.raises(ValueError, match=r"yet now missing:(.|\n)*The tree asks for 'since'; only columns that it does not ask"):
                model.predict(rows)
        # A bare array has no names: all columns must be there.
        with pytest.raises(ValueError, match="has 1 features, but OptimalTreeClassifier is expecting 3"):
            model.predict(since.to_numpy().astype(float))
    # A tree from a file takes its columns from others, as the command does; scikit-learn's contract is stricter.
    others = frame.assign(new=1)[["new", "since"]]
    assert (kept.predict(others) == early).all()
    with pytest.raises(ValueError, match="unseen at fit time"):
        tree.predict(others)
    with pytest.raises(ValueError, match="same order"):
        tree.predict(frame[["town", "since", "x"]])
    polars = pytest.importorskip("polars")
    assert (tree.predict(polars.from_pandas(since)) == early).all()


def test_a_tree_of_one_leaf_needs_no_column_but_rows(frame):
    tree = OptimalTreeClassifier(max_depth=0).fit(frame, ["a", "b", "b"] * (ROWS // 3))
    assert tree.predict(frame[["town"]]).tolist() == ["b"] * ROWS


def test_a_failed_fit_leaves_nothing(frame, early):
    tree = fit_silently(frame, early)
    for wrong in ({"max_depth": -2}, {"callback": 5}, {"max_leaf_nodes": 0}):
        tree.set_params(**wrong)
        with pytest.raises((ValueError, TypeError)):
            tree.fit(frame, early)
        assert not [name for name in vars(tree) if name.endswith("_")]
        with pytest.raises(ValueError, match="not fitted"):
            tree.predict(frame)
        tree = fit_silently(frame, early)
    tuned = treewright.OptimalTreeClassifierCV(max_depths=(1,)).fit(frame[["x"]], early)
    with pytest.raises(ValueError):
        tuned.set_params(max_depths=()).fit(frame[["x"]], early)
    assert not [name for name in vars(tuned) if name.endswith("_")]


def test_counterfactuals_are_data(frame, early):
    tree = fit_silently(frame, early)
    row = int(np.flatnonzero(early == "early")[0])
    found = tree.counterfactual(frame, row)
    assert found.label == "late"
    (change,) = found.changes
    assert change.feature == "since"
    moved = frame.iloc[[row]].assign(since=pd.to_datetime("1970-01-01") + pd.to_timedelta(change.new, unit="D"))
    assert tree.predict(moved).tolist() == ["late"]
    assert found.distance == pytest.approx(change.new - change.old)
    scaled = tree.counterfactual(frame, row, X_train=frame)
    assert scaled.distance < found.distance
    with pytest.warns(DataWarning, match="one value for each class"):
        town = OptimalTreeClassifier(max_depth=1).fit(frame[["town"]], frame["town"] == "Lugano").counterfactual(frame[["town"]], 0)
    assert (town.changes[0].old, town.changes[0].new, town.distance) == ("Basel, Stadt", "Lugano", 1)
    one_class = OptimalTreeClassifier(max_depth=0).fit(frame[["x"]], early)
    assert one_class.counterfactual(frame[["x"]]) is None
    with pytest.raises(ValueError, match="row"):
        tree.counterfactual(frame, ROWS)


def test_polars_frames(frame, early):
    pl = pytest.importorskip("polars")
    frame["size"] = pd.Categorical(np.where(np.arange(ROWS) % 2, "big", "small"))
    plain = fit_silently(frame, early)
    columns = {"x": frame["x"].to_numpy(), "since": frame["since"].to_numpy(), "town": frame["town"].tolist()}
    polars = pl.DataFrame(columns).with_columns(pl.Series("size", frame["size"].tolist(), dtype=pl.Categorical))
    tree = fit_silently(polars, early)
    assert export_text(tree) == export_text(plain)
    assert tree.feature_names_in_.tolist() == ["x", "since", "town", "size"]
    assert [feature.levels for feature in tree.tree_.features] == [feature.levels for feature in plain.tree_.features]
    assert tree.predict(polars).tolist() == plain.predict(frame).tolist()
    days = polars.with_columns(pl.col("since").cast(pl.Date), pl.col("size").cast(pl.Enum(["small", "big"])))
    assert tree.predict(days).tolist() == early.tolist()
    holes = polars.with_columns(pl.when(pl.col("x") > 3).then(pl.col("x")).alias("x"), pl.lit(None, dtype=pl.String).alias("town"))
    assert fit_silently(holes.drop("since"), early).tree_.features[0].has_missing
    with pytest.warns(DataWarning, match="column 'name' has 120 categories"):
        OptimalTreeClassifier(max_depth=1).fit(polars.with_columns(pl.Series("name", [f"n{i}" for i in range(ROWS)])), early)
    with pytest.raises(ValueError, match=r"column 'list' holds List.*convert it"):
        OptimalTreeClassifier().fit(polars.with_columns(pl.Series("list", [[1]] * ROWS)), early)


def test_the_callback_hears_of_progress(early):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(ROWS, 5))
    news = []
    tree = OptimalTreeClassifier(max_depth=3, callback=news.append).fit(X, early)
    assert news[-1].incumbent == pytest.approx(tree.objective_)
    assert news[0].text.lstrip().startswith("seconds")
    assert news[-1].subproblems > 0
    assert all(0 <= one.done <= 1 for one in news)

    def refuse(_progress):
        raise KeyError("enough")

    with pytest.raises(KeyError, match="enough"):
        OptimalTreeClassifier(max_depth=3, callback=refuse).fit(X, early)
    assert OptimalTreeClassifier(callback=refuse).get_params()["callback"] is refuse


def test_notebooks_show_a_table_that_changes(monkeypatch, early):
    rich = pytest.importorskip("rich")
    console = pytest.importorskip("rich.console")
    import io
    import sys
    import types

    class ZMQInteractiveShell:
        pass

    shown = io.StringIO()
    monkeypatch.setitem(sys.modules, "IPython", types.SimpleNamespace(get_ipython=ZMQInteractiveShell))
    monkeypatch.setattr(rich, "_console", console.Console(file=shown, width=140, force_terminal=True))
    OptimalTreeClassifier(max_depth=3, verbose=1).fit(np.random.default_rng(1).normal(size=(ROWS, 5)), early)
    assert "best tree by" in shown.getvalue()
    assert "exact search" in shown.getvalue() or "a greedy tree" in shown.getvalue()


def test_export_text_has_scikit_learns_options():
    X, y = np.array([[1.23456], [2.34567], [4.5], [5.5]]), ["a", "a", "b", "c"]
    tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    text = export_text(tree, decimals=1, show_weights=True, spacing=4)
    assert text.splitlines() == [
        "x0 < 3.4?  [4 rows]",
        "|--- yes: a  (2 rows, 2 correct)  weights: [2, 0, 0]",
        "`--- no:  x0 < 5.0?  [2 rows]",
        "     |--- yes: b  (1 row, 1 correct)  weights: [0, 1, 0]",
        "     `--- no:  c  (1 row, 1 correct)  weights: [0, 0, 1]",
    ]
    with pytest.raises(ValueError, match="one of them"):
        export_text(tree, decimals=1, precision=2)
    with pytest.raises(ValueError, match="spacing"):
        export_text(tree, spacing=0)


def test_plot_tree_boxes_do_not_overlap_at_the_default_size():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.text import Text

    rng = np.random.default_rng(3)
    X = rng.normal(size=(400, 4))
    y = (X[:, 0] * X[:, 1] > 0).astype(int) + (X[:, 2] > 1)
    tree = CARTClassifier(max_depth=4).fit(X, y)
    figure, ax = plt.subplots()
    artists = plot_tree(tree, ax=ax, filled=True)
    renderer = figure.canvas.get_renderer()
    boxes = [Text.get_window_extent(artist, renderer) for artist in artists]
    assert not any(a.overlaps(b) for i, a in enumerate(boxes) for b in boxes[:i])
    assert len({artist.get_bbox_patch().get_facecolor() for artist in artists}) > 2
    plt.close(figure)


def test_plot_tree_of_depth_four_can_be_read_and_hyperplanes_have_a_legend():
    plt = pytest.importorskip("matplotlib.pyplot")
    X, y = pytest.importorskip("sklearn.datasets").load_breast_cancer(return_X_y=True, as_frame=True)
    figure = plt.figure()
    artists = plot_tree(CARTClassifier(max_depth=4).fit(X, y.map({0: "malignant", 1: "benign"})))
    assert artists[0].get_fontsize() >= 6
    assert figure.axes[0].get_position().width > 0.95, "no empty margins"
    plt.close(figure)
    figure = plt.figure()
    planes = HyperplaneTreeClassifier(method="tao", max_depth=1).fit(X, y)
    assert plot_tree(planes)[0].get_text().startswith("H1\n< ")
    legend = figure.axes[0].texts[-1].get_text()
    assert legend.startswith("H1: ") and len(legend) < 140
    plt.close(figure)


def test_plot_tree_has_the_colors_and_bars_of_the_picture():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("Agg")
    import matplotlib.pyplot as plt
    from matplotlib.colors import to_hex

    X = np.arange(40.0)[:, None]
    tree = OptimalTreeClassifier(max_depth=1).fit(X, [0] * 25 + [1] * 15)
    svg = tree.export("svg")
    assert [re.search(rf"\.c{k} \{{ fill: (#\w+)", svg)[1] for k in range(len(PALETTE))] == list(PALETTE)
    figure, ax = plt.subplots()
    artists = plot_tree(tree, ax=ax)
    figure.canvas.draw()
    patch = artists[0].get_bbox_patch().get_window_extent()
    image = np.asarray(figure.canvas.buffer_rgba())[::-1]
    row = image[int(patch.y0) : int(patch.y1), int(patch.x0) : int(patch.x1)].reshape(-1, 4)
    seen = {to_hex(pixel / 255): int((row == pixel).all(axis=1).sum()) for pixel in np.unique(row, axis=0)}
    assert seen[PALETTE[0]] / seen[PALETTE[1]] == pytest.approx(25 / 15, rel=0.1)
    widths = [artist.arrow_patch.get_linewidth() for artist in artists[1:]]
    assert widths[0] > widths[1], "more rows go left"
    plt.close(figure)


def test_the_frame_of_a_notebook_is_as_tall_as_the_tree():
    random = np.random.RandomState(2)
    X = random.rand(500, 3)
    y = (X * 4).astype(int).sum(axis=1) % 2
    heights = []
    for depth in (1, 3, 6, 8):
        page = CARTClassifier(max_depth=depth).fit(X, y)._repr_html_()
        heights.append(int(re.search(r"height:(\d+)px", page)[1]))
    assert heights[0] == 560
    assert heights[0] < heights[1] < heights[2] < heights[3] <= 1400


def test_rows_that_are_written_otherwise():
    pd = pytest.importorskip("pandas")
    frame = pd.DataFrame({"sex": ["male", "female"] * 60, "age": [i % 50 for i in range(120)]})
    tree = OptimalTreeClassifier(max_depth=1).fit(frame, ["no", "yes"] * 59 + ["yes", "no"])
    with warnings.catch_warnings():
        warnings.simplefilter("error", DataWarning)
        tree.predict(frame)
        tree.predict_proba(frame[:3])
    coded = frame.assign(sex=frame["sex"].str[0].str.upper())
    for predict in (tree.predict, tree.predict_proba):
        with pytest.warns(DataWarning, match=r"120 of 120 rows hold a level that training did not see: 'F' \(60\), 'M' \(60\)") as caught:
            predict(coded)
        assert [one.filename for one in caught if one.category is DataWarning] == [__file__]
    with pytest.warns(DataWarning, match="column 'sex' is 'male' in all 120 rows"):
        tree.predict(frame.assign(sex="male"))
    with pytest.warns(DataWarning, match="column 'sex' has no value in any of 120 rows"):
        tree.predict(frame.assign(sex=pd.Series([None] * 120, dtype="category")))


def test_a_tree_from_a_file_finds_its_columns(tmp_path):
    """Beside those that training left out, and in any order, as the command does."""
    frame = pd.DataFrame({"id": [f"n{i}" for i in range(30)], "x": [i % 7 for i in range(30)], "z": [i % 5 / 2 for i in range(30)]})
    tree = OptimalTreeClassifier(max_depth=2).fit(frame[["x", "z"]], frame["x"] > 3)
    (tmp_path / "tree.json").write_text(tree.to_json())
    again = treewright.load(tmp_path / "tree.json")
    assert again.predict(frame[["z", "id", "x"]]).tolist() == [str(label) for label in tree.predict(frame[["x", "z"]])]
    with pytest.raises(ValueError, match="x"):
        again.predict(frame[["z", "id"]])
    with pytest.raises(ValueError, match="id"):
        tree.predict(frame)


@pytest.mark.parametrize(
    "spoil, words",
    [
        (lambda X: X.set_axis(["a", "a"], axis=1), r"several columns are called 'a'"),
        (lambda X: X[[]], r"0 feature\(s\)"),
        (lambda X: X.assign(p=pd.period_range("2020-01", periods=len(X), freq="M")), r"column 'p' holds period"),
        (lambda X: X.assign(c=1j), r"column 'c' holds complex128"),
    ],
)
def test_frames_that_cannot_be_read_name_the_column(spoil, words):
    X = pd.DataFrame({"a": range(20), "b": range(20)})
    with pytest.raises(ValueError, match=words):
        treewright.OptimalTreeClassifier(max_depth=1).fit(spoil(X), [0, 1] * 10)


def test_labels_and_class_weights_that_cannot_be_are_named():
    X = np.arange(20.0).reshape(-1, 1)
    with pytest.raises(ValueError, match="y: row 1 has no label"):
        treewright.OptimalTreeClassifier(max_depth=1).fit(X, ["x", None] * 10)
    with pytest.raises(ValueError, match="class_weight: class 0 has the weight -2"):
        treewright.OptimalTreeClassifier(max_depth=1, class_weight={0: -2, 1: 1}).fit(X, [0, 1] * 10)
