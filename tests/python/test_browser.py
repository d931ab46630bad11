"""The report in a real browser: opened from a file, it must work and ask nothing of any network."""

import os
import shutil
import subprocess
import time
from pathlib import Path

import numpy as np
import pytest

from treewright import CARTClassifier, HyperplaneTreeClassifier, OptimalTreeClassifier

pytest.importorskip("playwright.sync_api")
datasets = pytest.importorskip("sklearn.datasets")
pd = pytest.importorskip("pandas")

COMMAND = Path(__file__).parents[2] / "build/release/treewright"


def written(folder, tree, *arguments, **options):
    path = folder / "report.html"
    tree.report(path, *arguments, **options)
    return path


@pytest.fixture(scope="module")
def iris():
    X, y = datasets.load_iris(return_X_y=True, as_frame=True)
    return OptimalTreeClassifier(max_depth=2).fit(X, y), X, y


@pytest.fixture(scope="module")
def deep():
    """Depth 6, as many nodes as there may be."""
    random = np.random.RandomState(0)
    X = random.rand(3000, 6)
    y = ((X * 7).astype(int).sum(axis=1) + (random.rand(3000) < 0.1)) % 2
    tree = CARTClassifier(max_depth=6).fit(X, y)
    assert tree.tree_.node_count > 60
    return tree, X, y


def visible(page, selector):
    return page.locator(selector).evaluate_all("all => all.filter(one => one.getClientRects().length > 0).length")


def test_a_row_lights_its_path(iris, tmp_path, opened):
    tree, X, y = iris
    page = opened(written(tmp_path, tree, X, y, with_rows=True))
    for row in (0, 60, 149):
        page.fill("#pick", str(row))
        path = tree.decision_path(X.iloc[[row]])
        nodes = {f"n{node}" for node in np.flatnonzero(np.asarray(path.todense() if hasattr(path, "todense") else path))}
        assert set(page.locator("#tree .node.lit").evaluate_all("all => all.map(one => one.id)")) == nodes
        assert page.locator("#answer b").inner_text() == str(tree.predict(X.iloc[[row]])[0])
    # A typed value counts as well, and the nearest change is told.
    page.get_by_label("petal length (cm)").first.fill("1")
    assert page.locator("#answer b").inner_text() == "0"
    assert "petal length (cm) 1 → 2.45" in page.locator("#change").inner_text()
    page.get_by_label("petal length (cm)").first.fill("")
    assert page.locator("#answer b").count() == 1
    page.get_by_role("button", name="Clear").click()
    assert page.locator("#tree.path").count() == 0


def test_dates_are_read_and_typed_as_dates(tmp_path, opened):
    days = pd.date_range("2021-01-01", periods=301)
    tree = OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"visit": days}), days >= "2021-06-15")
    page = opened(written(tmp_path, tree, pd.DataFrame({"visit": days}), days >= "2021-06-15", with_rows=True))
    ticks = page.locator("#inspector .chart .tick").all_text_contents()
    assert ticks and all(tick.startswith("2021-") for tick in ticks)
    field = page.get_by_label("visit").first
    assert field.input_value() == "2021-05-31"
    for day, answer in (("2021-06-14", "False"), ("2021-06-15", "True")):
        field.fill(day)
        assert page.locator("#answer b").inner_text() == answer
    assert "visit 2021-06-15 → 2021-06-14" in page.locator("#change").inner_text()
    page.fill("#pick", "0")
    assert field.input_value() == "2021-01-01"


@pytest.mark.parametrize(("step", "rows"), [("1s", 300), ("7ms", 300)])
def test_a_picked_row_is_routed_by_its_own_time(step, rows, tmp_path, opened):
    times = pd.DataFrame({"t": pd.date_range("2023-05-01 10:00:00", periods=rows, freq=step)})
    late = np.arange(rows) >= 155
    tree = OptimalTreeClassifier(max_depth=1).fit(times, late)
    page = opened(written(tmp_path, tree, times, late, with_rows=True))
    for row in range(150, 160):
        page.fill("#pick", str(row))
        assert page.locator("#answer b").inner_text() == str(late[row]), row


def changed(text, row):
    """The row with the changes that the report tells. Below a threshold is as little below as the row's scale allows."""
    row = row.copy()
    for part in text.removeprefix("Nearest change of label: ").split(" makes it ")[0].split(", "):
        name, change = part.split(" → ")[0].rsplit(" ", 1)[0], part.split(" → ")[1]
        below = change.startswith("below ")
        number = float(change.removeprefix("below "))
        row[name] = np.nextafter(number, -np.inf) if below else number
    return row


@pytest.mark.parametrize("method", ["oct", "tao"])
def test_the_nearest_change_alters_the_label_as_it_is_printed(method, tmp_path, opened):
    X, y = datasets.load_wine(return_X_y=True, as_frame=True)
    tree = (HyperplaneTreeClassifier if method == "tao" else OptimalTreeClassifier)(max_depth=2).fit(X, y)
    page = opened(written(tmp_path, tree, X, y, with_rows=True))
    for row in range(0, len(X), 10):
        page.fill("#pick", str(row))
        text = page.locator("#change").inner_text()
        new = tree.predict(changed(text, X.iloc[row]).to_frame().T)[0]
        assert f"makes it “{new}”" in text and new != tree.predict(X.iloc[[row]])[0], text


def test_having_a_value_is_no_threshold(tmp_path, opened):
    x = np.where(np.arange(60) % 2 == 0, np.nan, np.linspace(0, 1, 60))
    tree = OptimalTreeClassifier(max_depth=1).fit(pd.DataFrame({"x": x}), np.isnan(x))
    page = opened(written(tmp_path, tree, pd.DataFrame({"x": x}), np.isnan(x), with_rows=True))
    page.fill("#pick", "1")
    assert page.locator("#change").inner_text() == "No change of these values was found that alters the label."


def on_paper(page):
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")


def test_paper_has_the_whole_tree(deep, iris, tmp_path, opened):
    tree, X, y = deep
    page = opened(written(tmp_path, tree, X, y))
    assert visible(page, "#paper") == 0
    on_paper(page)
    text = page.locator("#paper pre").inner_text()
    assert text.count("yes:") == text.count("no:") == tree.tree_.node_count - tree.tree_.n_leaves
    assert visible(page, "#tree") == 0, "the drawing would be too small to read"
    assert 3 <= visible(page, "#picture .printed .node") < tree.tree_.node_count, "of a drawing that has no room the upper levels"
    assert visible(page, "#rules tr") > tree.tree_.n_leaves, "rules under a fold"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#rules details[open]").count() == 0
    tree, X, y = iris
    small = opened(written(tmp_path, tree, X, y))
    on_paper(small)
    assert visible(small, "#picture .printed .node") == tree.tree_.node_count


def test_classes_have_colors_of_their_own(tmp_path, opened):
    random = np.random.RandomState(1)
    X = random.rand(2600, 1)
    tree = CARTClassifier(max_depth=5).fit(X, (X[:, 0] * 26).astype(int))
    page = opened(written(tmp_path, tree))
    fills = page.locator(".legend rect").evaluate_all("all => all.map(one => getComputedStyle(one).fill)")
    assert len(fills) == len(set(fills)) == 26


def test_long_hyperplanes_are_read_without_a_mouse(tmp_path, opened):
    X, y = datasets.load_breast_cancer(return_X_y=True, as_frame=True)
    tree = HyperplaneTreeClassifier(max_depth=1, run={"node_limit": 200}).fit(X, y)
    page = opened(written(tmp_path, tree, X, y))
    assert page.locator("#planes .long").evaluate_all("all => all.every(one => one.scrollHeight <= one.clientHeight)")


def test_the_first_sentence(iris, tmp_path, opened):
    tree, X, y = iris
    page = opened(written(tmp_path, tree, X, y))
    said = page.locator(".verdict").inner_text()
    assert "No tree with at most 2 questions on a path, each about one column, makes fewer than 6 errors on the 150 training rows" in said
    assert "missing value" not in page.content().replace("Missing values", "")


def test_folding(deep, tmp_path, opened):
    tree, X, y = deep
    page = opened(written(tmp_path, tree, X, y))
    few = visible(page, "#tree .node")
    assert few <= 15, "a large tree opens folded"
    page.get_by_role("button", name="Unfold").click()
    assert visible(page, "#tree .node") == tree.tree_.node_count
    boxes = page.locator("#tree .node .box").evaluate_all(
        "all => all.map(one => { const r = one.getBoundingClientRect(); return [r.x, r.y, r.width, r.height]; })"
    )
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            assert a[0] + a[2] <= b[0] or b[0] + b[2] <= a[0] or a[1] + a[3] <= b[1] or b[1] + b[3] <= a[1], "two boxes overlap"
    page.locator("#n0 .knob").click()
    assert visible(page, "#tree .node") == 1
    page.locator("#n0 .knob").click()
    assert visible(page, "#tree .node") == tree.tree_.node_count
    page.get_by_role("button", name="Fold", exact=True).click()
    assert visible(page, "#tree .node") == few


def test_hyperplanes_route_as_in_the_library(tmp_path, opened):
    """Levels of categories, missing values and what stands in for them: the page names the library's class for every row."""
    random = np.random.RandomState(1)
    X = pd.DataFrame(random.rand(150, 3), columns=["a", "b", "c"])
    X["colour"] = pd.Categorical(random.choice(["red", "green", "blue"], 150))
    y = (X["a"] + X["b"] + (X["colour"] == "red") > 1.3).astype(int)
    X = X.mask(random.rand(*X.shape) < 0.1)
    tree = HyperplaneTreeClassifier(max_depth=2, run={"node_limit": 20}).fit(X, y)
    assert (tree.tree_.kind == 2).any(), "no hyperplane to test"
    page = opened(written(tmp_path, tree, X, y, with_rows=True))
    named = page.evaluate(
        """() => { const pick = document.getElementById('pick'); return Array.from({ length: 150 }, (_, row) => {
            pick.value = row; pick.dispatchEvent(new Event('input')); return document.querySelector('#answer b').textContent; }); }"""
    )
    assert named == [str(label) for label in tree.predict(X)]


def test_keyboard(iris, tmp_path, opened):
    tree, X, y = iris
    page = opened(written(tmp_path, tree, X, y))
    page.locator("#n0").focus()
    left, right = (int(child[0]) for child in (tree.tree_.children_left, tree.tree_.children_right))
    for key, chosen in (("ArrowDown", left), ("ArrowRight", right), ("ArrowLeft", left), ("ArrowUp", 0)):
        page.keyboard.press(key)
        assert page.locator("#tree .node.chosen").get_attribute("id") == f"n{chosen}"
    page.keyboard.press("Enter")
    assert visible(page, "#tree .node") == 1
    assert page.locator("#inspector h3").inner_text().endswith("?")
    assert page.locator("#inspector .chart").count() == 1


def test_tools(iris, tmp_path, opened):
    tree, X, y = iris
    page = opened(written(tmp_path, tree, X, y))
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_role("button", name="Light/dark").click()
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    wide = page.locator("#tree").bounding_box()["width"]
    page.get_by_role("button", name="Larger").click()
    assert page.locator("#tree").bounding_box()["width"] > wide
    page.get_by_role("button", name="Outline").click()
    assert visible(page, "#outline li") == tree.tree_.node_count
    with page.expect_download() as download:
        page.get_by_role("button", name="Tree file").click()
    download.value.save_as(tmp_path / "tree.json")
    assert '"format": "treewright"' in (tmp_path / "tree.json").read_text()


def test_readable_without_scripts(iris, tmp_path, opened):
    tree, X, y = iris
    page = opened(written(tmp_path, tree, X, y), java_script_enabled=False)
    text = page.locator("body").inner_text()
    for words in ("Proven optimal", "Certificate", "The tree as rules", "Every node", "petal length (cm) < 2.45"):
        assert words in text
    page.locator("#d0 summary").click()
    assert page.locator("#d0 .chart").is_visible()


def test_names_stay_names(tmp_path, opened):
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"
    X = pd.DataFrame({evil: [1.0, 2.0, 3.0, 4.0] * 5, "c" + evil: pd.Categorical([evil, "b", None, "d"] * 5)})
    y = np.array([evil + "1", evil + "2", "<b>", "&amp;"] * 5)
    tree = OptimalTreeClassifier(max_depth=2).fit(X, y)
    page = opened(written(tmp_path, tree, X, y, with_rows=True, title=evil))
    page.fill("#pick", "1")
    assert page.locator("#answer b").inner_text() == str(tree.predict(X.iloc[[1]])[0])
    assert page.locator("img").count() == 0
    assert page.title() == evil


def test_notebook_form(iris, tmp_path, opened):
    path = tmp_path / "notebook.html"
    path.write_text("<!doctype html><meta charset=utf-8><h1>cell</h1>" + iris[0]._repr_html_(), encoding="utf-8")
    frame = opened(path).frame_locator("iframe")
    assert frame.locator("#tree .node").count() == iris[0].tree_.node_count
    frame.locator("#n1").click()
    assert frame.locator("#inspector h3").inner_text() == "class 0"


def test_fitted_when_it_gets_its_width(iris, tmp_path, opened):
    # As in a notebook that lays out a cell after its script ran: the window never changes its size.
    path = tmp_path / "late.html"
    page = iris[0]._repr_html_().replace("<html", "<html style='width: 0'", 1)
    path.write_text("<!doctype html><meta charset=utf-8>" + page, encoding="utf-8")
    frame = opened(path).frame_locator("iframe")
    drawing = frame.locator("#tree")
    assert drawing.evaluate("tree => tree.clientWidth") < 40
    drawing.evaluate("tree => { tree.ownerDocument.documentElement.style.width = ''; }")
    frame.locator("#n1").click()
    assert drawing.evaluate("tree => tree.clientWidth") > 200
    assert frame.locator("#inspector h3").inner_text() == "class 0"


def test_narrow_and_printed(deep, tmp_path, opened):
    tree, X, y = deep
    page = opened(written(tmp_path, tree, X, y))
    page.set_viewport_size({"width": 400, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") <= 400, "nothing sticks out of a small screen"
    assert page.locator("#tree").is_visible()
    assert page.pdf(format="A4").startswith(b"%PDF")


@pytest.mark.skipif(shutil.which("pdftotext") is None, reason="no pdftotext")
def test_the_first_sheet_of_paper_has_the_drawing_and_all_sheets_the_whole_tree(deep, tmp_path, opened):
    """A small tree does not fill a sheet of its own, and a policy is printed like any other tree."""
    random = np.random.default_rng(44)
    X = pd.DataFrame({"temp": random.integers(360, 400, 300) / 10, "ward": random.choice(["ICU", "north", "south"], 300)})
    y = np.where((X["ward"] == "ICU") | (X["temp"] > 38.2) & (X["temp"] < 39.1), "stay", "home")
    costs = pd.DataFrame(random.normal(size=(300, 3)), columns=["call", "letter", "nothing"])
    reports = {
        "small": (OptimalTreeClassifier(max_depth=3).fit(X, y), {"X": X, "y": y}),
        "policy": (OptimalTreeClassifier(max_depth=2).fit(X, costs=costs), {"X": X, "costs": costs}),
        "deep": (deep[0], {"X": deep[1], "y": deep[2]}),
    }
    for name, (tree, rows) in reports.items():
        page = opened(written(tmp_path, tree, **rows))
        page.set_viewport_size({"width": 390, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, "nothing sticks out of a phone"
        page.pdf(path=tmp_path / "report.pdf", format="A4")
        text = subprocess.run(["pdftotext", "-layout", tmp_path / "report.pdf", "-"], capture_output=True, text=True, check=True).stdout
        assert text.count("yes:") == text.count("no:") == tree.tree_.node_count - tree.tree_.n_leaves, name
        if name != "deep":
            root = tree.tree_.features[tree.tree_.feature[0]].name
            assert f"{root} " in text.split("\f")[0].split("\n", 8)[-1], f"{name}: the drawing is not on the first sheet"


# The size in pixels of every text that is seen.
LETTERS = """() => [...document.querySelectorAll('body *')].filter((one) => one.getClientRects().length > 0 && one.tagName !== 'title' &&
    !['SCRIPT', 'STYLE', 'OPTION'].includes(one.tagName) &&
    [...one.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim()))
  .map((one) => [parseFloat(getComputedStyle(one).fontSize) * (one.closest('svg') ? Math.abs(one.getScreenCTM().d) : 1),
    one.textContent])"""


def on_a_sheet(page):
    """The page as a sheet of A4 has it between its margins."""
    page.set_viewport_size({"width": 703, "height": 1032})
    on_paper(page)


@pytest.mark.parametrize("which", ["iris", "deep", "sixty", "wide", "planes"])
def test_no_letter_on_paper_is_below_seven_and_a_half_points(which, iris, deep, large, tmp_path, opened):
    tree, X, y = {"iris": iris, "deep": deep}.get(which) or large[which]
    page = opened(written(tmp_path, tree, X, y, X_test=X, y_test=y))
    on_a_sheet(page)
    assert min(page.evaluate(LETTERS))[0] >= 9.99
    assert page.evaluate("document.documentElement.scrollWidth") <= 703, "wider pages are printed smaller"
    drawing = page.locator("#picture .printed").first
    assert drawing.bounding_box()["height"] < 1032 and drawing.locator(".node").count() >= 3
    beyond = drawing.evaluate("""all => [...all.querySelectorAll('text')].filter((one) => {
        const [a, b] = [one.getBoundingClientRect(), all.getBoundingClientRect()];
        return a.left < b.left - 1 || a.right > b.right + 1 || a.bottom > b.bottom + 2; }).map((one) => one.textContent)""")
    assert beyond == []
    whole = drawing.locator(".node").count() == tree.tree_.node_count
    assert ("All of them stand under “The whole tree”" in page.locator("#picture").inner_text()) == (not whole)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".printed").count() == 0


def test_cards_go_on_over_the_edge_of_a_sheet(deep, tmp_path, opened):
    tree, X, y = deep
    page = opened(written(tmp_path, tree, X, y, X_test=X, y_test=y))
    sheets = page.pdf(format="A4").count(b"/Type /Page\n")
    on_a_sheet(page)
    height = page.evaluate("document.documentElement.scrollHeight")
    assert 0 < sheets <= 1 + height / 1032 / 0.75
    breaks = page.locator("section.card:not(#picture)").evaluate_all("all => all.map((one) => getComputedStyle(one).breakInside)")
    assert set(breaks) == {"auto"}
    assert set(page.locator("h2").evaluate_all("all => all.map((one) => getComputedStyle(one).breakAfter)")) == {"avoid"}


def test_columns_that_are_not_used_are_named(iris, large, tmp_path, opened):
    tree, X, y = iris
    page = opened(written(tmp_path, tree, X, y))
    used = {X.columns[i] for i in tree.tree_.feature if i >= 0}
    assert page.locator("#unused").inner_text() == f"Not used: {', '.join(name for name in X.columns if name not in used)}."
    tree, X, y = large["wide"]
    page = opened(written(tmp_path, tree, X, y))
    unused = X.shape[1] - len({i for i in tree.tree_.feature if i >= 0})
    assert page.locator("#unused summary").inner_text() == f"Not used: {unused} columns"


def test_a_change_into_a_leaf_that_test_rows_contradict_says_so(iris, tmp_path, opened):
    tree, X, y = iris
    for y_test, contradicts in ((y, False), (np.where(y == 0, 2, y), True)):
        page = opened(written(tmp_path, tree, X, y, X_test=X, y_test=y_test, with_rows=True))
        page.fill("#pick", "60")
        change = page.locator("#change").inner_text()
        assert "makes it “0”" in change
        assert (", which test rows contradict: rows of that leaf turned out otherwise" in change) == contradicts


# By how many pixels the first line of a node is wider than its box.
BEYOND = """() => [...document.querySelectorAll('#tree .node')].map((node) =>
  node.querySelector('.head').getBoundingClientRect().width - node.querySelector('.box').getBoundingClientRect().width)"""


@pytest.fixture(scope="module")
def large():
    """Trees that are large in one way or another: deep, of 60 classes, of 200 columns, by hyperplanes of 30 features."""
    random = np.random.RandomState(0)
    centers = random.normal(size=(60, 8)) * 2
    species = random.randint(0, 60, 3000)
    names = np.array([f"species of the kind {k:02d}" for k in range(60)])
    X = pd.DataFrame(random.normal(size=(3000, 8)) + centers[species], columns=[f"measure {i}" for i in range(8)])
    sixty = CARTClassifier(max_depth=7).fit(X, names[species]), X, names[species]
    X = pd.DataFrame(random.normal(size=(400, 200)), columns=[f"temperature of sensor {i}" for i in range(200)])
    y = np.where((X.iloc[:, 3] > 0) ^ (X.iloc[:, 50] > 0.5), "good", "bad")
    wide = CARTClassifier(max_depth=4).fit(X, y), X, y
    X, y = datasets.load_breast_cancer(return_X_y=True, as_frame=True)
    planes = HyperplaneTreeClassifier(method="tao", max_depth=2).fit(X, y), X, y
    return {"sixty": sixty, "wide": wide, "planes": planes}


@pytest.mark.parametrize("width", [375, 1280, 1920])
@pytest.mark.parametrize("which", ["deep", "sixty", "wide", "planes"])
def test_texts_can_be_read_and_nothing_is_cut_off(which, width, deep, large, tmp_path, opened):
    tree, X, y = deep if which == "deep" else large[which]
    path = written(tmp_path, tree, X, y, X_test=X, y_test=y)
    assert str(tmp_path) not in path.read_text(encoding="utf-8")
    page = opened(path)
    page.set_viewport_size({"width": width, "height": 800})
    page.reload()
    for tool in (None, "Unfold", "Fit", "Fold"):
        if tool is not None:
            page.get_by_role("button", name=tool, exact=True).click()
        assert min(page.evaluate(LETTERS))[0] >= 9
        assert max(page.evaluate(BEYOND)) <= 1
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.get_by_role("button", name="Fit", exact=True).click()
    drawing, canvas = page.locator("#tree").bounding_box(), page.locator("#picture .canvas").bounding_box()
    assert drawing["width"] <= canvas["width"] + 1
    assert drawing["height"] <= canvas["height"] + 1


NARROW = (500, 768, 1280)


def test_narrow_pages_stack_the_lines_of_tables(iris, tmp_path, opened):
    tree, X, y = iris
    names = np.array(["setosa", "versicolor of a long name", "virginica"])[y]
    tree = OptimalTreeClassifier(max_depth=2).fit(X, names)
    page = opened(written(tmp_path, tree, X, names, X_test=X, y_test=names))
    for width in NARROW:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        cut = page.evaluate(
            """() => [...document.querySelectorAll('.card')].filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1)
              .map((one) => one.id)"""
        )
        assert cut == [], f"sticks out of its card at {width}"
    page.set_viewport_size({"width": 500, "height": 900})
    line = page.locator("#confusion .measures tr").nth(2)
    assert "lift" in line.evaluate("one => getComputedStyle(one.lastElementChild, '::before').content")
    broken = page.evaluate(
        """() => [...document.querySelectorAll('.measures th[scope=row]')].filter((one) => {
          const range = document.createRange(); range.selectNodeContents(one);
          return range.getClientRects().length > 1; }).length"""
    )
    assert broken == 0, "a name is broken"


def test_nothing_is_shown_by_hovering_alone():
    style = (Path(__file__).parents[2] / "src/treewright/report/report.css").read_text()
    assert "line-clamp" not in style


def test_cards_stand_in_the_order_in_which_they_are_read(iris, tmp_path, opened):
    tree, X, y = iris
    page = opened(written(tmp_path, tree, X, y, X_test=X, y_test=y))
    ids = page.locator("section.card").evaluate_all("all => all.map((one) => one.id)")
    assert ids.index("picture") + 1 == ids.index("confusion") < ids.index("try") < ids.index("rules") < ids.index("certificate")
    assert ids[-2:] == ["certificate", "progress"] or ids[-1] == "certificate"
    assert page.locator("#confusion p").first.inner_text().startswith("On the test rows")
    tops = page.locator("#confusion .sides > div").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert tops[0] == tops[1], "train beside test"


def test_a_tree_for_those_who_do_not_see_it(iris, tmp_path, opened):
    tree, X, y = iris
    page = opened(written(tmp_path, tree, X, y))
    items = page.locator("[role=treeitem]").evaluate_all(
        "all => all.map((one) => [one.classList.contains('leaf'), one.getAttribute('aria-expanded'), Number(one.ariaLevel)])"
    )
    assert all((expanded is None) == leaf for leaf, expanded, _ in items)
    assert [level for _, _, level in items][:2] == [1, 2]
    page.locator("#n1").click()
    assert page.locator("[aria-selected=true]").evaluate_all("all => all.map((one) => one.id)") == ["n1"]
    for name in ("Smaller", "Larger"):
        assert page.get_by_role("button", name=name).count() == 1


def test_one_question_after_the_other(iris, tmp_path, opened):
    tree, X, y = iris
    page = opened(written(tmp_path, tree, X, y))
    page.get_by_role("button", name="Ask me one by one").click()
    assert page.locator("#said .answer").inner_text() == "petal length (cm) < 2.45?"
    page.get_by_role("button", name="No", exact=True).click()
    page.get_by_role("button", name="Yes", exact=True).click()
    assert page.locator("#answer").inner_text().startswith("1: 49 of 54 training rows in its leaf (90.7 %); probability 0.")
    assert page.locator("#said li").all_inner_texts() == ["petal length (cm) < 2.45? no", "petal width (cm) < 1.75? yes"]
    page.get_by_role("button", name="Back").click()
    assert page.locator("#said .answer").inner_text() == "petal width (cm) < 1.75?"


def test_whole_numbers_change_to_one_that_occurs_and_strange_entries_are_named(tmp_path, opened):
    vessels = np.repeat([0, 1, 2, 5], 20)
    X = pd.DataFrame({"vessels": vessels.astype(float)})
    tree = OptimalTreeClassifier(max_depth=1).fit(X, vessels > 1)
    page = opened(written(tmp_path, tree, X, vessels > 1))
    field, said = page.get_by_label("vessels").first, page.locator("#said")
    field.fill("0")
    assert "vessels 0 → 2 makes it" in said.inner_text()
    field.fill("5")
    assert "vessels 5 → 1 makes it" in said.inner_text()
    assert "Unlike" not in said.inner_text()
    field.fill("9999")
    assert "Unlike the training rows: vessels is 0 to 5 in the training rows" in said.inner_text()
    field.fill("")
    assert "no training row lacks vessels" in said.inner_text()
    change = tree.counterfactual(X, 0, X_train=X).changes[0]
    assert (change.old, change.new, change.below) == (0, 2, None)


def test_a_category_changes_to_one_that_a_training_row_has(tmp_path, opened):
    y = np.repeat([0, 1], 20)
    for names in (["a", "b", "c"], ["b", "a", "c"], ["b", "c", "a"]):
        X = pd.DataFrame({"letter": pd.Categorical(np.repeat(["b", "c"], 20), categories=names)})
        tree = OptimalTreeClassifier(max_depth=1).fit(X, y)
        page = opened(written(tmp_path, tree, X, y))
        for old, new in ("bc", "cb"):
            page.get_by_label("letter").first.select_option(label=old)
            assert f"letter {old} → {new} makes it" in page.locator("#change").inner_text()
        page.get_by_label("letter").first.select_option(label="a")
        assert "no training row has this letter" in page.locator("#said").inner_text()


def test_a_policy_speaks_of_gains(tmp_path, opened):
    random = np.random.default_rng(7)
    X = pd.DataFrame({"age": random.integers(18, 78, 300)})
    costs = pd.DataFrame({"call": random.normal(size=300), "letter": np.where(X["age"] > 50, -2.0, 1.0), "nothing": np.zeros(300)})
    tree = OptimalTreeClassifier(max_depth=1).fit(X, costs=costs)
    page = opened(written(tmp_path, tree, X=X, costs=costs))
    assert "gains more than" in page.locator(".verdict").inner_text()
    assert any(text.startswith("gains") for text in page.locator("#tree .leaf .tail").all_text_contents())
    page.locator("#tree .leaf").first.click()
    assert page.locator("#inspector .list tr").all_inner_texts()[0].split() == ["label", "mean", "cost"]
    fills = page.locator(".legend rect").evaluate_all("all => all.map((one) => getComputedStyle(one).fill)")
    for theme in ("light", "dark"):
        page.emulate_media(color_scheme=theme)
        bars = page.locator("#tree .tint").evaluate_all("all => all.map((one) => getComputedStyle(one).fill)")
        assert set(bars) <= set(fills) and len(set(fills)) == 3


def test_paper_has_no_empty_card_and_no_fold(deep, tmp_path, opened):
    tree, X, y = deep
    page = opened(written(tmp_path, tree, X, y))
    on_paper(page)
    empty = page.locator(".card").evaluate_all(
        "all => all.filter((one) => one.checkVisibility() && one.innerText.trim().split('\\n').length < 2).map((one) => one.id)"
    )
    assert empty == []
    assert visible(page, "details.long > summary") == 0


# Of each node that is drawn: the texts of its box, whether they lie inside it, and the box.
BOXES = """() => [...document.querySelectorAll('#tree .node')].filter((one) => one.checkVisibility()).map((one) => {
  const texts = [...one.querySelectorAll('.head, .tail')].filter((text) => text.checkVisibility());
  const { top, bottom, left, right } = one.querySelector('.box').getBoundingClientRect();
  const places = texts.map((text) => text.getBoundingClientRect());
  const inside = places.every((at) => at.left >= left && at.right <= right && at.bottom <= bottom);
  return { texts: texts.map((text) => text.textContent), top, bottom, left, right, level: one.ariaLevel, inside };
})"""


@pytest.mark.parametrize("depth", [3, 4])
@pytest.mark.parametrize("width", [390, 500, 768, 1280])
def test_the_whole_tree_can_be_read_on_a_narrow_page(width, depth, tmp_path, opened):
    """Each box has its whole text, the leaves too; levels are beside each other where there is room, else lines below each other."""
    X, y = datasets.load_breast_cancer(return_X_y=True, as_frame=True)
    tree = CARTClassifier(max_depth=depth).fit(X, np.where(y == 0, "malignant", "benign"))
    path = written(tmp_path, tree, X, np.where(y == 0, "malignant", "benign"))
    page = opened(path)
    whole = page.locator("#tree .head").all_text_contents()
    page.set_viewport_size({"width": width, "height": 844})
    page.reload()
    boxes = page.evaluate(BOXES)
    listed = page.locator(".listed").count() == 1
    assert listed if width < 500 else not listed if width == 1280 else True
    assert min(page.evaluate(LETTERS))[0] >= 9
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#picture .canvas").evaluate("one => one.scrollWidth <= one.clientWidth")
    assert all(box["inside"] and len(box["texts"]) >= 2 for box in boxes)
    if width < 1280:
        assert [box["texts"][0] for box in boxes] == whole, "nothing is folded or cut"
    if listed:
        lines = sorted(boxes, key=lambda box: box["top"])
        assert all(one["bottom"] < other["top"] for one, other in zip(lines, lines[1:]))
        first = min(box["left"] for box in boxes)
        assert all((int(box["level"]) - 1) * 20 <= box["left"] - first <= (int(box["level"]) - 1) * 32 + 1 for box in boxes)


def test_on_a_phone_the_card_of_a_node_opens_below_its_box(deep, tmp_path, opened):
    tree, X, y = deep
    page = opened(written(tmp_path, tree, X, y))
    page.set_viewport_size({"width": 375, "height": 800})
    page.reload()
    card, third = page.locator("#inspector"), page.locator("#tree .node").nth(3)
    assert not card.is_visible()
    assert not page.locator("#outline").is_visible(), "the drawing is a list already"
    for name in (third.locator(".head"), page.locator("#tree .node").nth(2).locator(".head")):
        name.click()
        at, boxes = card.bounding_box(), page.evaluate(BOXES)
        assert not any(box["top"] < at["y"] + at["height"] and box["bottom"] > at["y"] for box in boxes)
        above = max((box for box in boxes if box["bottom"] <= at["y"]), key=lambda box: box["bottom"])
        assert above["texts"][0] == name.text_content()
    name.click()
    assert not card.is_visible()
    for key in ("Home", "ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    assert page.locator("#tree .node.chosen").get_attribute("aria-level") == "2"
    assert page.locator("#tree .node.chosen").get_attribute("id") != "n1"
    on_paper(page)
    assert page.locator(".listed").count() == 0
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator(".listed").count() == 1


def test_many_classes_show_the_most_confused_pairs(large, tmp_path, opened):
    tree, X, y = large["sixty"]
    page = opened(written(tmp_path, tree, X, y))
    assert page.locator("#confusion .list:not(.measures) tr").count() == 16
    assert not page.locator("#confusion .matrix").is_visible()
    assert page.evaluate("document.documentElement.scrollHeight") < 4000


def test_long_hyperplanes_have_names(large, tmp_path, opened):
    tree, X, y = large["planes"]
    page = opened(written(tmp_path, tree, X, y))
    assert page.locator("#n0 .head").text_content().startswith("H1 < ")
    assert "H1 < " in page.locator("#rules td").nth(1).inner_text()
    assert "*" in page.locator("#planes td").first.inner_text()
    bars = page.locator("#inspector .weights").first
    assert bars.locator("tr").count() == 8
    widths = bars.locator("rect").evaluate_all("all => all.map((one) => Number(one.getAttribute('width')))")
    assert widths == sorted(widths, reverse=True), "weight times standard deviation, the largest first"
    scaled = [abs(term.weight) * X.iloc[:, term.feature].std(ddof=0) for term in tree.tree_.terms(0)]
    assert widths[1] / widths[0] == pytest.approx(sorted(scaled)[-2] / max(scaled), abs=0.01)
    assert "22 more features" in page.locator("#inspector").inner_text()


def test_a_mouse_drags_the_drawing(deep, tmp_path, opened):
    tree, X, y = deep
    page = opened(written(tmp_path, tree, X, y))
    for _ in range(6):
        page.get_by_role("button", name="Larger").click()
    canvas = page.locator("#picture .canvas")
    before, box = canvas.evaluate("one => one.scrollLeft"), canvas.bounding_box()
    page.mouse.move(box["x"] + 300, box["y"] + 5)
    page.mouse.down()
    page.mouse.move(box["x"] + 200, box["y"] + 5)
    page.mouse.up()
    assert canvas.evaluate("one => one.scrollLeft") == pytest.approx(before + 100, abs=1)


def test_a_large_report_is_small_and_quick(tmp_path, opened):
    """Depth 6 on 19020 rows: under 500 kB."""
    folder = os.environ.get("TREEWRIGHT_DATA_DIR", "")
    if not folder or not (Path(folder) / "magic04.csv").exists():
        pytest.skip("TREEWRIGHT_DATA_DIR has no magic04.csv")
    data = pd.read_csv(Path(folder) / "magic04.csv")
    X, y = data.iloc[:, :-1], data.iloc[:, -1]
    tree = CARTClassifier(max_depth=6).fit(X, y)
    path = written(tmp_path, tree, X, y, X_test=X, y_test=y)
    assert path.stat().st_size < 500_000
    start = time.perf_counter()
    page = opened(path)
    print(f"{path.stat().st_size} bytes, {time.perf_counter() - start:.2f} seconds")  # told, not judged
    assert page.locator("#tree .node").count() == tree.tree_.node_count


def test_a_reader_moves_along_the_trade_off(tmp_path, opened):
    if not COMMAND.exists():
        pytest.skip("no command in build/release")
    random = np.random.default_rng(4)
    evil = "<script>alert(1)</script>"
    rows = pd.DataFrame(random.normal(size=(150, 3)).round(2), columns=["a", evil, "c"])
    rows["class"] = np.where(rows["a"] + rows[evil] + random.normal(size=150) > 0, "<b>sick</b>", "well")
    rows.to_csv(tmp_path / "rows.csv", index=False)

    def run(*arguments):
        subprocess.run([COMMAND, *arguments], cwd=tmp_path, check=True, capture_output=True)

    run("fit", "rows.csv", "--max-depth", "2", "--out", "tree.json")
    parts = ["--trade-off", "--positive", "<b>sick</b>", "--column-worth", "--path", "--near-trees", "3"]
    run("report", "tree.json", "rows.csv", *parts, "--out", "page.html")
    page = opened(tmp_path / "page.html")
    lines = page.locator("#trade-off tr[data-choice]")
    corners = lines.count()
    assert corners >= 3
    for panel in ("#trade-off", "#near"):
        together = page.locator(panel).get_by_role("button", name="Side by side")
        if together.get_attribute("aria-pressed") == "true":
            together.click()
        assert visible(page, f"{panel} details") == 1
    slider = page.locator("#trade-off .mover input")
    for corner in (0, corners - 1, 1):
        slider.evaluate("(one, value) => { one.value = value; one.dispatchEvent(new Event('input')); }", str(corner))
        assert page.locator("#trade-off details:not(.gone)").get_attribute("data-choice") == str(corner)
        assert page.locator("#trade-off tr.chosen").get_attribute("data-choice") == str(corner)
    lines.nth(2).click()
    assert slider.input_value() == "2"
    assert evil in page.locator("#worth").inner_text()
    others = page.locator("#near tr[data-choice]")
    assert others.count() > 1
    others.last.click()
    assert page.locator("#near details:not(.gone)").get_attribute("data-choice") == str(others.count() - 1)
    assert evil in page.locator("#near").inner_text()
    assert page.locator("#trade-off tr.chosen").get_attribute("data-choice") == "2"
    for width in NARROW:
        page.set_viewport_size({"width": width, "height": 900})
        assert min(page.evaluate(LETTERS))[0] >= 9
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        cut = page.locator(".list").evaluate_all(
            "all => all.filter((one) => one.checkVisibility() && one.scrollWidth > one.clientWidth + 1).length"
        )
        assert cut == 0, f"tables at {width}"


def test_few_trees_stand_side_by_side_where_there_is_room(iris, tmp_path, opened):
    if not COMMAND.exists():
        pytest.skip("no command in build/release")
    _, X, y = iris
    X.assign(species=y).to_csv(tmp_path / "rows.csv", index=False)
    fit, report = ["fit", "rows.csv", "--max-depth", "2"], ["report", "tree.json", "rows.csv", "--near-trees", "2"]
    for arguments in ([*fit, "--out", "tree.json"], [*report, "--out", "page.html"]):
        subprocess.run([COMMAND, *arguments], cwd=tmp_path, check=True, capture_output=True)
    page = opened(tmp_path / "page.html")
    trees = page.locator("#near details").count()
    assert 2 < trees <= 6
    assert visible(page, "#near details") == trees
    tops = page.locator("#near details").evaluate_all("all => all.map((one) => one.getBoundingClientRect().top)")
    assert tops[0] == tops[1] < tops[-1], "several in a line"
    assert page.evaluate("document.documentElement.scrollWidth") <= 1400
    page.locator("#near tr[data-choice]").nth(2).click()
    assert page.locator("#near details.chosen").get_attribute("data-choice") == "2"
    page.set_viewport_size({"width": 500, "height": 900})
    page.reload()
    assert visible(page, "#near details") == 1
    page.locator("#near").get_by_role("button", name="Side by side").click()
    assert visible(page, "#near details") == trees
    assert page.evaluate("document.documentElement.scrollWidth") <= 500


def test_splits_show_the_values_that_they_see(iris, deep, tmp_path, opened):
    tree, X, y = iris
    page = opened(written(tmp_path, tree, X, y))
    splits = tree.tree_.node_count - tree.tree_.n_leaves
    assert page.locator("#tree .seen").count() == splits
    inside = page.locator("#tree .node:not(.leaf)").evaluate_all(
        """all => all.every((one) => { const [a, b] = ['.seen', '.box'].map((part) => one.querySelector(part).getBoundingClientRect());
          return a.top > one.querySelector('.tail').getBoundingClientRect().bottom - 2 && a.bottom < b.bottom && a.left > b.left; })"""
    )
    assert inside
    tree, X, y = deep
    assert opened(written(tmp_path, tree, X, y)).locator("#tree .seen").count() == 0, "no room"


def test_columns_have_the_names_that_people_use(iris, tmp_path, opened):
    tree, X, y = iris
    names = {"petal length (cm)": ("length of the petal", "cm"), "petal width (cm)": "width, <b>cm</b>"}
    page = opened(written(tmp_path, tree, X, y, names=names))
    assert page.locator("#n0 .head").text_content() == "length of the petal < 2.45 cm"
    assert page.get_by_label("length of the petal (cm)").count() > 0
    page.get_by_label("length of the petal (cm)").first.fill("1")
    assert "length of the petal 1 → 2.45" in page.locator("#change").inner_text()
    for card in ("#importance", "#rules"):
        assert "width, <b>cm</b>" in page.locator(card).inner_text()
        assert "petal width" not in page.locator(card).inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Tree file").click()
    assert '"petal length (cm)"' in download.value.path().read_text(), "the file keeps the names of the data"
    with pytest.raises(ValueError, match="no column 'petal'"):
        tree.report(names={"petal": "x"})


def test_numbers_of_classes_are_no_names(tmp_path, opened):
    X = np.arange(40.0).reshape(-1, 1)
    y = (X[:, 0] > 25).astype(int)
    page = opened(written(tmp_path, OptimalTreeClassifier(max_depth=1).fit(X, y), X, y))
    assert "0:\u00a026, 1:\u00a014" in page.locator("#inspector .counts").inner_text()
    assert page.locator("#tree .leaf .head").all_text_contents() == ["class 0", "class 1"]


def test_what_a_heuristic_and_a_policy_say(large, tmp_path, opened):
    tree, X, y = large["planes"]
    text = opened(written(tmp_path, tree, X, y)).locator("main").inner_text()
    assert "Progress of the proof" not in text
    assert "CART: by a heuristic on the same rows" in text
    X = pd.DataFrame({"age": np.arange(60)})
    costs = pd.DataFrame({"call": np.where(X["age"] > 30, -2.0, 1.0), "nothing": np.zeros(60)})
    page = opened(written(tmp_path, OptimalTreeClassifier(max_depth=1).fit(X, costs=costs), X=X, costs=costs))
    assert "bars: for how many rows each label is the cheapest" in page.locator(".legend").inner_text()
    assert page.locator("#rules th").all_inner_texts()[:2] == ["label", "if"]
    assert "cheapest label" in page.locator("#inspector .counts").inner_text()
    assert "objective" not in page.locator("#certificate").inner_text()


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_a_leaf_says_where_test_rows_contradict_it(tmp_path, opened, width):
    x = np.repeat([1.0, 2.0, 3.0], [9, 30, 30])[:, None]
    y = np.where(np.arange(69) < 9, 1, np.where(np.arange(69) < 39, 0, np.arange(69) % 10 != 0))
    tree = OptimalTreeClassifier(max_depth=2).fit(x, y)
    page = opened(written(tmp_path, tree, x, y, X_test=np.ones((6, 1)), y_test=np.zeros(6, int)))
    page.set_viewport_size({"width": width, "height": 900})
    page.reload()
    said = "Test rows contradict its probability: 0 of 6 (0 %) are “1”."
    leaf = int(tree.apply([[1.0]])[0])
    page.locator(f"#n{leaf}").click()
    assert [line.inner_text() for line in page.locator("#inspector .few").all()] == [said]
    assert [line.inner_text() for line in page.locator("#rules .few").all()] == [said]
    assert page.evaluate("document.documentElement.scrollWidth") == width


# Whether each edge of a drawing does.
ENDS_AT_BOXES = """holder => [...holder.querySelectorAll('.edge')].every((edge) => {
  const box = holder.querySelector('#' + edge.id.replace(/e(\\d+)$/, 'n$1') + ' .box').getBoundingClientRect();
  const line = edge.firstElementChild, end = line.getPointAtLength(line.getTotalLength()).matrixTransform(line.getScreenCTM());
  return end.x > box.left - 2 && end.x < box.right + 2 && end.y > box.top - 2 && end.y < box.bottom + 2;
})"""


@pytest.mark.parametrize("width", [390, 768, 1280])
def test_other_drawings_are_lines_where_there_is_no_room(tmp_path, opened, width):
    if not COMMAND.exists():
        pytest.skip("no command in build/release")
    rows = Path(__file__).parents[2] / "data/breast-cancer.csv"
    fit, report = ["fit", rows, "--max-depth", "3"], ["report", "tree.json", rows, "--near-trees", "0"]
    for arguments in ([*fit, "--out", "tree.json"], [*report, "--out", "page.html"]):
        subprocess.run([COMMAND, *arguments], cwd=tmp_path, check=True, capture_output=True)
    page = opened(tmp_path / "page.html")
    page.set_viewport_size({"width": width, "height": 900})
    page.reload()
    page.locator("#beside summary").click()
    for panel in ("#near details[open]", "#beside details"):
        holder = page.locator(f"{panel} .canvas").first
        beyond, room = holder.evaluate("one => [one.scrollWidth - one.clientWidth, one.clientWidth]")
        assert beyond <= 0 or room >= 820, "it does not scroll sideways"
        listed = holder.evaluate("one => one.parentElement.classList.contains('listed')")
        assert listed or width > 390
        boxes = holder.locator(".node .box").evaluate_all("all => all.map(one => one.getBoundingClientRect().toJSON())")
        apart = all(a["bottom"] <= b["top"] or b["bottom"] <= a["top"] for k, a in enumerate(boxes) for b in boxes[:k])
        assert len(boxes) == 15 and apart == listed
        assert holder.evaluate(ENDS_AT_BOXES)
    if width > 390:
        return
    sizes = "() => [...document.querySelectorAll('#beside .tree')].map(one => one.getAttribute('viewBox'))"
    before = page.evaluate(sizes)
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert float(page.evaluate(sizes)[1].split()[2]) > 500, "on paper it has levels"
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.evaluate(sizes) == before
