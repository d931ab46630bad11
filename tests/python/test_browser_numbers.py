"""The page of a tree that predicts numbers, in a real browser."""

import re

import numpy as np
import pytest

from treewright import OptimalSurvivalTree, OptimalTreeRegressor

pytest.importorskip("playwright.sync_api")
pd = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def houses():
    random = np.random.default_rng(1)
    X = pd.DataFrame({"area": random.integers(30, 200, 150), "age": random.integers(0, 90, 150)})
    X["district"] = pd.Categorical(random.choice(["hill", "harbor", "mill"], 150))
    y = 3.0 * X["area"] + 80 * (X["district"] == "hill") + random.normal(0, 20, 150)
    return OptimalTreeRegressor(max_depth=3, min_samples_leaf=5).fit(X, y), X, y


@pytest.fixture(scope="module")
def claims():
    random = np.random.default_rng(2)
    X = pd.DataFrame({"age": random.integers(18, 80, 200), "power": random.integers(40, 150, 200)})
    years = random.uniform(0.5, 3, 200)
    y = random.poisson(years * np.where(X["age"] < 30, 2.0, 0.3)).astype(float)
    return OptimalTreeRegressor(criterion="poisson", max_depth=2, min_samples_leaf=20).fit(X, y, exposure=years), X, y, years


def written(folder, tree, *arguments, **options):
    path = folder / "report.html"
    tree.report(path, *arguments, **options)
    return path


def test_a_row_lights_its_path_and_tells_its_number(houses, tmp_path, opened):
    tree, X, y = houses
    page = opened(written(tmp_path, tree, X, y, with_rows=True))
    for row in (0, 70, 149):
        page.fill("#pick", str(row))
        assert float(page.locator("#answer b").inner_text()) == float(f"{tree.predict(X.iloc[[row]])[0]:.4g}")
        assert f"Row {row} is" in page.locator("#said").inner_text()
        lit = page.locator("#tree .node.lit").count()
        assert lit == tree.decision_path(X.iloc[[row]]).sum()
    assert "Nearest lower number: " in page.locator("#change").inner_text()
    page.get_by_role("button", name="Ask me one by one").click()
    while page.get_by_role("button", name="Yes", exact=True).count() > 0:
        page.get_by_role("button", name="Yes", exact=True).click()
    assert page.locator("#answer b").inner_text() != ""


def test_the_nearest_change_leads_where_it_says(houses, tmp_path, opened):
    tree, X, y = houses
    page = opened(written(tmp_path, tree, X, y, with_rows=True))
    for row in (3, 40, 100):
        page.fill("#pick", str(row))
        here = tree.predict(X.iloc[[row]])[0]
        for sentence in page.locator("#change").inner_text().split(". "):
            wanted, value = sentence.split(":")[0], float(sentence.split(" makes it ")[1].split(" ")[0])
            assert (value < here) if wanted == "Nearest lower number" else (value > here)


def test_every_node_has_its_picture(houses, claims, tmp_path, opened):
    tree, X, y = houses
    page = opened(written(tmp_path, tree, X, y))
    assert page.locator("#tree .node .seen path.values").count() >= tree.tree_.node_count
    assert page.locator("#confusion .chart").count() == 2
    tree, X, y, years = claims
    page = opened(written(tmp_path, tree, X, y, exposure=years))
    assert page.locator("#tree .node .seen circle").count() == tree.tree_.node_count
    assert page.locator("#confusion .chart circle").count() == tree.tree_.n_leaves


def test_intervals_stand_beside_the_figures_of_test_rows_and_end_within_the_chart(houses, claims, patients, tmp_path, opened):
    tree, X, y, years = claims
    page = opened(written(tmp_path, tree, X, y, exposure=years, X_test=X[:80], y_test=y[:80], exposure_test=years[:80]))
    figures = page.locator(".figures").inner_text()
    assert re.search(r"of the deviance explained on test rows \(-?\d+.to.\d+.%\)", figures)
    assert "Deviance is how far events are from those predicted" in page.locator(".verdict").inner_text()
    compared = page.locator("#beside").inner_text()
    assert re.search(r"this tree less CART is -?0\.\d+, with 95 % confidence from -?0\.\d+ to -?0\.\d+", compared)
    ends = page.locator("#confusion .chart line.span").evaluate_all("all => all.map((one) => Number(one.getAttribute('y2')))")
    assert len(ends) == 2 * tree.tree_.n_leaves and min(ends) > 20, "no bar ends at the frame"
    tree, X, y = houses
    page = opened(written(tmp_path, tree, X, y, X_test=X[:80], y_test=y[:80]))
    figures = page.locator(".figures").inner_text()
    assert re.search(r"R2 on test rows \(\d\.\d\d.to.\d\.\d\d\)", figures) and re.search(r"RMSE on test rows \([\d.]+.to.[\d.]+\)", figures)
    page = opened(written(tmp_path, tree, X, y, X_test=X[:9], y_test=y[:9]))
    assert "R2 on test rows (no interval)" in page.locator(".figures").inner_text()
    tree, X, y = patients
    page = opened(written(tmp_path, tree, X, y, X_test=X[:80], y_test=y[:80]))
    assert re.search(r"concordance on test rows \(0\.\d\d.to.0\.\d\d\)", page.locator(".figures").inner_text())
    assert page.locator("h1").inner_text() == "Predicting time to the event"


@pytest.mark.parametrize("which", ["houses", "claims", "patients"])
def test_no_letter_on_paper_is_below_seven_and_a_half_points(which, houses, claims, patients, tmp_path, opened):
    tree, X, y = {"houses": houses, "claims": claims[:3], "patients": patients}[which]
    more = {"exposure": claims[3], "exposure_test": claims[3]} if which == "claims" else {}
    page = opened(written(tmp_path, tree, X, y, X_test=X, y_test=y, **more))
    page.set_viewport_size({"width": 703, "height": 1032})
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    sizes = page.locator("svg text").evaluate_all("""all => all.filter((one) => one.getClientRects().length > 0)
        .map((one) => parseFloat(getComputedStyle(one).fontSize) * Math.abs(one.getScreenCTM().d))""")
    assert min(sizes) >= 9.99
    assert page.evaluate("document.documentElement.scrollWidth") <= 703
    assert page.locator("#picture .printed .node").count() == tree.tree_.node_count


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("which", ["houses", "claims"])
def test_texts_can_be_read_and_nothing_is_cut_off(which, width, houses, claims, tmp_path, opened):
    tree, X, y = houses if which == "houses" else claims[:3]
    more = {} if which == "houses" else {"exposure": claims[3], "exposure_test": claims[3]}
    page = opened(written(tmp_path, tree, X, y, X_test=X, y_test=y, complexity_path=True, **more))
    page.set_viewport_size({"width": width, "height": 800})
    page.reload()
    sizes = page.evaluate("""() => [...document.querySelectorAll('svg.chart text')].filter((one) => one.getClientRects().length > 0)
        .map((one) => parseFloat(getComputedStyle(one).fontSize) * Math.abs(one.getScreenCTM().d))""")
    assert min(sizes) >= 8.99
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    # Texts of a chart stay within it.
    outside = page.evaluate("""() => [...document.querySelectorAll('svg.chart text')].filter((one) => {
        const [a, b] = [one.getBoundingClientRect(), one.closest('svg').getBoundingClientRect()];
        return a.width > 0 && (a.left < b.left - 2 || a.right > b.right + 2);
      }).map((one) => one.textContent)""")
    assert outside == []


@pytest.fixture(scope="module")
def patients():
    random = np.random.default_rng(3)
    X = pd.DataFrame({"age": random.integers(20, 90, 200), "dose": random.integers(0, 10, 200)})
    y = np.empty(200, dtype=[("event", bool), ("months", float)])
    y["months"] = random.exponential(np.where(X["age"] > 60, 10, 40)).round(1)
    y["event"] = random.uniform(size=200) < 0.7
    return OptimalSurvivalTree(max_depth=3, min_samples_leaf=15).fit(X, y), X, y


def test_a_row_of_times_has_a_path_and_a_curve(patients, tmp_path, opened):
    tree, X, y = patients
    page = opened(written(tmp_path, tree, X, y, X_test=X[::2], y_test=y[::2], with_rows=True))
    for row in (0, 70, 149):
        page.fill("#pick", str(row))
        assert float(page.locator("#answer b").inner_text()) == float(f"{tree.predict(X.iloc[[row]])[0]:.4g}")
        seen = "when the event was seen" if y["event"][row] else "without the event"
        assert f"Row {row} is observed until {y['months'][row]:g}, {seen}." in page.locator("#said").inner_text()
    assert "Nearest lower hazard: " in page.locator("#change").inner_text()
    # Each leaf has a line of one color in its box, in both pictures and in all tables, and no line is filled.
    for leaf in range(tree.get_n_leaves()):
        assert page.locator(f"path.curve.c{leaf}").count() == 6
    looks = page.locator("path.curve").evaluate_all("all => all.map((one) => [getComputedStyle(one).fill, getComputedStyle(one).stroke])")
    assert {fill for fill, _ in looks} == {"none"} and "none" not in {stroke for _, stroke in looks}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_curves_fit_on_every_page(patients, tmp_path, opened, scheme):
    tree, X, y = patients
    page = opened(written(tmp_path, tree, X, y, X_test=X[::2], y_test=y[::2]), color_scheme=scheme)
    for width in (1280, 500, 390):
        page.set_viewport_size({"width": width, "height": 900})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        chart = page.locator("#confusion svg.chart").first
        letters = chart.evaluate("one => Math.min(...[...one.querySelectorAll('text')].map((text) => 12 * text.getScreenCTM().d))")
        assert letters >= 9
        cut = page.locator("#confusion .list").evaluate_all("all => all.filter((one) => one.scrollWidth > one.clientWidth + 1).length")
        assert cut == 0, f"tables at {width}"
