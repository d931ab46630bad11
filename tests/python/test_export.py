"""Trees as text, DOT, pictures and scikit-learn trees."""

import re

import numpy as np
import pytest

import treewright as tw
from treewright import OptimalTreeClassifier

sklearn = pytest.importorskip("sklearn")

from sklearn.datasets import load_breast_cancer, load_iris


@pytest.fixture(scope="module")
def iris():
    X, y = load_iris(return_X_y=True)
    return OptimalTreeClassifier(max_depth=2).fit(X, y), X, y


def test_text(iris):
    tree, _, _ = iris
    text = tw.export_text(tree, feature_names=["sl", "sw", "pl", "pw"], class_names=["setosa", "versicolor", "virginica"], precision=3)
    assert len(text.splitlines()) == tree.tree_.node_count
    assert re.search(r"p[lw] < [0-9.]+\?  \[150 rows\]", text.splitlines()[0])
    assert "setosa  (50 rows, 50 correct)" in text
    assert "..." in tw.export_text(tree, max_depth=1)
    # The library writes the same text.
    assert tw.export_text(tree) + "\n" == tree.export("rules")


def test_wrong_number_of_names(iris):
    with pytest.raises(ValueError, match="feature_names"):
        tw.export_text(iris[0], feature_names=["a"])
    with pytest.raises(ValueError, match="class_names"):
        tw.export_graphviz(iris[0], class_names=["a"])


def test_names_from_a_file(iris, tmp_path):
    """As the command's --names reads it."""
    tree, _, _ = iris
    file = tmp_path / "names.csv"
    file.write_text('column,name,unit\nx3,"width, whole",cm\nx2,,mm\n\n', encoding="utf-8-sig")
    shown = {"x3": ("width, whole", "cm"), "x2": ("", "mm")}
    text = tw.export_text(tree, feature_names=file)
    assert text == tw.export_text(tree, feature_names=shown) == tw.export_text(tree, feature_names=str(file))
    assert re.search(r"width, whole < [0-9.]+ cm\?|x2 < [0-9.]+ mm\?", text.splitlines()[0])
    assert tree.report(names=file) == tree.report(names=shown)
    file.write_text("x3,width\nclass,kind\n")
    assert "width <" in tw.export_text(tree, feature_names=file), "others, such as the target, are left alone"
    for text, words in (("x3\n", "line 1: has 1 cells"), ("x3,a\nx3,b\n", "line 2: column 'x3' is named twice")):
        file.write_text(text)
        with pytest.raises(ValueError, match=words):
            tree.report(names=file)


def test_graphviz(iris):
    tree, _, _ = iris
    dot = tw.export_graphviz(tree, feature_names=['a"b', "c\\d", 'e"f', "g\\h"])
    assert dot.startswith("digraph")
    assert len(re.findall(r"^  n\d+ \[", dot, re.MULTILINE)) == tree.tree_.node_count
    assert dot.count("->") == tree.tree_.node_count - 1
    assert re.search(r'e\\"f|g\\\\h', dot)


def test_plot(iris):
    plt = pytest.importorskip("matplotlib.pyplot")
    tree, _, _ = iris
    figure, ax = plt.subplots()
    artists = tw.plot_tree(tree, ax=ax, fontsize=8)
    assert len(artists) == tree.tree_.node_count
    figure.canvas.draw()
    assert "150 rows" in artists[0].get_text()
    plt.close(figure)


def test_plot_takes_names_as_they_are():
    """Two dollars would begin a formula, and half a formula is an error."""
    plt = pytest.importorskip("matplotlib.pyplot")
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"price in $ (\\bad$ ^": np.arange(20.0)})
    tree = tw.OptimalTreeClassifier(max_depth=1).fit(X, np.where(np.arange(20) < 10, "$\\x$", "b$_"))
    figure, ax = plt.subplots()
    artists = tw.plot_tree(tree, ax=ax)
    figure.canvas.draw()
    assert "$ (\\bad$ ^" in artists[0].get_text()
    assert any("$\\x$" in artist.get_text() for artist in artists)
    plt.close(figure)


@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
@pytest.mark.parametrize("depth", [0, 1, 2, 3])
def test_scikit_learn_tree_routes_alike(load, depth):
    X, y = load(return_X_y=True)
    tree = tw.classifier("oct" if depth < 3 else "cart", max_depth=depth).fit(X, y)
    other = tree.to_sklearn(X)
    assert np.array_equal(other.apply(X), tree.apply(X))
    assert np.array_equal(other.predict(X), tree.predict(X))
    assert np.allclose(other.predict_proba(X), tree.set_params(shrinkage=0).predict_proba(X))
    assert other.get_depth() == tree.get_depth()
    assert other.get_n_leaves() == tree.get_n_leaves()
    assert np.allclose(other.feature_importances_, tree.feature_importances_)
    sklearn.tree.export_text(other)


def test_scikit_learn_tree_where_float32_rounds_across():
    # 1 + 2^-26 and 1 + 3 * 2^-24 are apart in float32, but the middle between them rounds onto one of them.
    low, high = 1 + 2**-26, 1 + 3 * 2**-24
    X = np.array([[low], [low], [high], [high]])
    tree = OptimalTreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1])
    assert tree.to_sklearn(X).predict(X).tolist() == [0, 0, 1, 1]
    same = np.array([[1.0], [1.0], [1 + 2**-40], [1 + 2**-40]])
    tree = OptimalTreeClassifier(max_depth=1).fit(same, [0, 0, 1, 1])
    assert tree.score(same, [0, 0, 1, 1]) == 1
    with pytest.raises(ValueError, match="same number in float32"):
        tree.to_sklearn(same)


def test_scikit_learn_tree_with_missing_values():
    X = np.array([[1.0], [2.0], [np.nan], [8.0], [9.0]])
    tree = OptimalTreeClassifier(max_depth=1).fit(X, [0, 0, 1, 1, 1])
    if tuple(map(int, sklearn.__version__.split(".")[:2])) < (1, 3):
        with pytest.raises(ValueError, match="missing values"):
            tree.to_sklearn(X)
    else:
        assert tree.to_sklearn(X).predict(X).tolist() == [0, 0, 1, 1, 1]


def test_categories_have_no_scikit_learn_tree():
    pd = pytest.importorskip("pandas")
    X = pd.DataFrame({"a": pd.Categorical(["x", "y", "x", "y"])})
    with pytest.raises(ValueError, match="categories"):
        OptimalTreeClassifier(max_depth=1).fit(X, [0, 1, 0, 1]).to_sklearn(X)
