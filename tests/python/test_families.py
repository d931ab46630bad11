"""An estimator for each family of methods: each does what a classifier of scikit-learn does, and knows its own keywords."""

import ast
import functools
import inspect
import pickle
import re
import shutil
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import numpy as np
import pytest
from treewright._options import OF_FIT, OF_RUN

import treewright as tw

pytest.importorskip("sklearn")

from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

ROOT = Path(__file__).parents[2]
SOURCES = ROOT / "python" / "treewright"
FAMILIES = {
    "axis": tw.OptimalTreeClassifier(max_depth=2),
    "greedy": tw.CARTClassifier(max_depth=2),
    "hyperplane": tw.HyperplaneTreeClassifier(max_depth=1, restarts=0),
    "margot": tw.MargotClassifier(max_depth=1, level_costs=100),
    "svm1": tw.SVM1TreeClassifier(max_depth=1, restarts=0),
    "partition": tw.PartitionTreeClassifier(max_depth=2),
    "mip": tw.MIPTreeClassifier(max_depth=1),
    "fair": tw.FairTreeClassifier(max_depth=1),
    "auto": tw.AutoTreeClassifier(max_depth=1, restarts=0),
}
PLAIN = [type(estimator) for estimator in FAMILIES.values()]
METHODS = {method.name: method for method in tw.METHODS}


@functools.cache
def has_solver():
    try:
        tw.MIPTreeClassifier(max_depth=0).fit([[0.0], [1.0]], [0, 1])
    except tw.TreewrightError as refused:
        assert "has no HiGHS" in str(refused)
        return False
    return True


@pytest.fixture(params=FAMILIES.values(), ids=lambda estimator: type(estimator).__name__)
def estimator(request):
    if isinstance(request.param, (tw.MIPTreeClassifier, tw.FairTreeClassifier)) and not has_solver():
        pytest.skip("this build has no HiGHS")
    return clone(request.param)


@pytest.fixture(scope="module")
def rows():
    """Two classes of text on either side of a plane that no method finds hard."""
    X = np.random.RandomState(0).rand(60, 3)
    X = X[np.abs(X[:, 0] - 0.5) > 0.05]
    return X, np.where(X[:, 0] < 0.5, "low", "high")


def test_each_family_has_an_estimator():
    assert {method.family for method in tw.METHODS} == set(FAMILIES)


def test_it_is_a_classifier(estimator, rows):
    X, y = rows
    assert estimator.fit(X, y) is estimator
    assert estimator.classes_.tolist() == ["high", "low"]
    assert estimator.score(X, y) == 1
    shares = estimator.predict_proba(X)
    assert np.array_equal(estimator.classes_[shares.argmax(axis=1)], estimator.predict(X))
    assert np.allclose(shares.sum(axis=1), 1)
    assert estimator.check(X, y) == []
    assert estimator.result_.method in METHODS


def test_clones_and_pickles_are_equal(estimator, rows):
    X, y = rows
    again = pickle.loads(pickle.dumps(estimator.fit(X, y)))
    assert again.to_json() == estimator.to_json()
    copy = clone(again)
    assert copy.get_params() == estimator.get_params()
    assert not hasattr(copy, "classes_")
    assert np.array_equal(copy.fit(X, y).predict(X), estimator.predict(X))


def test_grid_search_and_pipeline(estimator, rows):
    grid = GridSearchCV(make_pipeline(StandardScaler(), estimator), {f"{type(estimator).__name__.lower()}__max_depth": [0, 1]}, cv=3)
    assert next(iter(grid.fit(*rows).best_params_.values())) == 1


def test_categories_and_missing_values(estimator):
    pd = pytest.importorskip("pandas")
    random = np.random.RandomState(1)
    colour = random.choice(["red", "green", "blue"], 60)
    frame = pd.DataFrame({"colour": pd.Categorical(colour), "size": random.rand(60)})
    y = colour == "red"
    frame.loc[::7, "size"] = np.nan
    assert estimator.fit(frame, y).score(frame, y) == 1
    frame.loc[0, "colour"] = None
    assert estimator.predict(frame).shape == (60,)
    assert estimator.tree_.features[0].levels == ("blue", "green", "red")


# Of a method with several solvers each estimator has what belongs to its own.
LEFT_OUT = {
    "axis": {"solver", "mip_model", "mip_start", "mip_solver", "write_model"},
    "greedy": {"alpha_scale"},
    "mip": {"solver", "first_column", "never_columns", "max_columns", "column_costs", "checkpoint", "on_existing", "proof", "verify"},
}


def test_keywords_are_what_the_methods_read():
    for family, estimator in FAMILIES.items():
        names, methods = set(inspect.signature(type(estimator)).parameters), estimator._methods
        read = set().union(*(METHODS[name].options for name in methods)) - LEFT_OUT.get(family, set())
        assert set(estimator._run) == read & OF_RUN
        keywords = {{"max_splits": "max_leaf_nodes"}.get(name, name) for name in read - OF_FIT - OF_RUN - {"method"}}
        costs = {"cost_matrix"} if family in ("axis", "greedy", "hyperplane", "auto") else set()
        own = {"verbose", "callback", "shrinkage", "n_jobs", "random_state"} | costs
        assert names == keywords | own | ({"method"} if len(methods) > 1 else set()) | ({"run"} if read & OF_RUN else set())


@pytest.mark.parametrize("cls", [*PLAIN, tw.OptimalTreeClassifierCV, tw.HyperplaneTreeClassifierCV])
def test_the_documentation_speaks_of_python_and_of_its_own_methods(cls):
    """No flag of the command, no number that stands for None, and no method of another estimator among the parameters."""
    parameters = inspect.getdoc(cls).partition("\nParameters\n")[2].partition("\nAttributes\n")[0]
    assert not re.search(r"--[a-z]|Range|-1\b(?! = all cores)|comma-separated|%s", parameters)
    others = [name for name in METHODS if name not in cls._methods and name not in ("fair", "auto", "cart", "partition", "oct")]
    assert not [name for name in others if re.search(rf"(?<![\w-]){name}(?![\w-])", parameters)]


@pytest.mark.parametrize("cls", [*PLAIN, tw.OptimalTreeClassifierCV, tw.HyperplaneTreeClassifierCV])
def test_every_keyword_is_documented(cls):
    documented = re.findall(r"^    (\w+) : ", inspect.getdoc(cls).replace("\n", "\n    "), re.MULTILINE)
    keywords = list(inspect.signature(cls).parameters)
    assert documented[: len(keywords)] == keywords


def test_a_wrong_keyword_is_told_who_has_it():
    with pytest.raises(TypeError, match=r"HyperplaneTreeClassifier has no parameter 'level_costs' \(MargotClassifier has it\)"):
        tw.HyperplaneTreeClassifier(level_costs=10)
    with pytest.raises(TypeError, match="did you mean 'max_depth'"):
        tw.MargotClassifier(max_depht=2)
    with pytest.raises(TypeError, match=r"it has max_depth, .*, verbose"):
        tw.PartitionTreeClassifier(banana=1)


def test_a_method_of_another_family_is_refused(rows):
    with pytest.raises(tw.TreewrightError, match=r"'margot' is no method of HyperplaneTreeClassifier \(use one of oct-h, tao"):
        tw.HyperplaneTreeClassifier(method="margot").fit(*rows)


@pytest.mark.parametrize(
    ("estimator", "option"),
    [
        (tw.HyperplaneTreeClassifier(method="tao", split_kind="axis"), "split_kind"),
        (tw.MargotClassifier(feature_budgets=2), "feature_budgets"),
        (tw.SVM1TreeClassifier(run={"mip_start": "none"}), "mip_start"),
        (tw.HyperplaneTreeClassifier(method="logistic-h", criterion="entropy"), "criterion"),
    ],
    ids=str,
)
def test_an_option_that_the_method_does_not_read_is_refused(estimator, option, rows):
    with pytest.raises(tw.TreewrightError, match=f"{option}.*leave it out"):
        estimator.fit(*rows)


def test_the_method_chooses_within_the_family(rows):
    X, y = rows
    assert tw.HyperplaneTreeClassifier(restarts=0).fit(X, y).result_.method == "oct-h"
    assert tw.HyperplaneTreeClassifier(method="cart-h").fit(X, y).result_.method == "cart-h"
    assert tw.MargotClassifier(feature_selection="hard", max_depth=1, feature_budgets=[1]).fit(X, y).result_.terms == 1


def test_any_method_by_its_name(rows):
    for method in tw.METHODS:
        estimator = tw.classifier(method.name, max_depth=1)
        assert estimator.max_depth == 1
        assert getattr(estimator, "method", method.name) == method.name
    with pytest.raises(tw.TreewrightError, match=r"'margo' is no method of treewright \(use one of oct, "):
        tw.classifier("margo")
    with pytest.raises(TypeError, match="PartitionTreeClassifier has no parameter 'svm_cost'"):
        tw.classifier("partition", svm_cost=1)
    assert tw.classifier("cart").fit(*rows).result_.method == "cart"


def test_methods_of_other_families_are_refused(rows):
    with pytest.raises(tw.TreewrightError, match=r"no method of MIPTreeClassifier .* treewright.classifier\('margot'\)"):
        tw.MIPTreeClassifier(method="margot").fit(*rows)
    with pytest.raises(tw.TreewrightError, match=r"no method of HyperplaneTreeClassifierCV .* treewright.classifier\('partition'\)"):
        tw.HyperplaneTreeClassifierCV(method="partition").fit(*rows)


def test_set_params_refuses_unknown_names():
    with pytest.raises(ValueError, match="max_depht"):
        tw.PartitionTreeClassifier().set_params(max_depht=0.5)


def test_the_module_is_up_to_date(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    import estimators

    assert estimators.TARGET == SOURCES / "_estimator.py"
    assert estimators.TARGET.read_text() == estimators.module(), "python/treewright/_estimator.py is out of date: run 'make docs'"


def imports_of(path):
    """The package's modules that a module imports, wherever the import stands."""
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1:
            yield from [node.module] if node.module else [alias.name for alias in node.names]


def test_no_circle_of_modules():
    graph = {path.stem: set(imports_of(path)) for path in SOURCES.glob("*.py")}
    assert graph["_base"] >= {"_core", "_fitted"}
    TopologicalSorter(graph).prepare()  # raises CycleError, which names the circle


USER_CODE = """\
from treewright import HyperplaneTreeClassifier, MargotClassifier, OptimalTreeClassifier, OptimalTreeClassifierCV

HyperplaneTreeClassifier(max_depth=2, method="tao", svm_cost=0.1, random_state=1).fit([[0.0], [1.0]], [0, 1]).get_depth()
MargotClassifier(level_costs=[1, 10], class_weight={"a": 2.0}, time_limit=10)
OptimalTreeClassifier(run={"node_limit": 3}, verbose=True)
OptimalTreeClassifierCV(max_depths=range(3))
OptimalTreeClassifier(max_depht=2)
HyperplaneTreeClassifier(level_costs=1)
MargotClassifier(method="oct")
"""


def test_mypy_finds_a_misspelled_keyword(tmp_path):
    mypy = shutil.which("mypy", path=str(ROOT / ".venv-checks" / "bin")) or shutil.which("mypy")
    if mypy is None:
        pytest.skip("mypy is not installed")
    code = tmp_path / "user.py"
    code.write_text(USER_CODE)
    command = [mypy, "--python-executable", sys.executable, "--cache-dir", str(tmp_path / "cache"), str(code)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, cwd=tmp_path)
    errors = dict(re.findall(r"user.py:(\d+): error: (.*)", done.stdout))
    assert list(errors) == ["7", "8", "9"], done.stdout + done.stderr
    assert '"max_depht"' in errors["7"]
    assert '"level_costs"' in errors["8"]
    assert '"method"' in errors["9"]


def test_a_tree_that_breaks_the_promise_of_the_folds_is_trained_again():
    random = np.random.RandomState(226)
    n, p = random.choice([40, 80, 150]), random.randint(1, 5)
    X, w = random.randn(n, p), random.randn(p, 2)
    y = ((X @ w[:, 0] > 0) ^ (X @ w[:, 1] > 0)).astype(int)
    y = np.where(random.rand(n) < 0.1, 1 - y, y)
    tree = tw.AutoTreeClassifier(max_depth=random.randint(1, 4), random_state=0, restarts=0).fit(X, y)
    told = re.search(r"right on ([\d.]+) % of its training rows, less than ([\d.]+) % .* 1 other seed tried", tree.result_.selection)
    assert float(told[1]) < float(told[2]) <= 100 * tree.score(X, y)
    assert tree.check(X, y) == []
    assert tree.result_.seed == 1


@pytest.mark.parametrize("estimator", [tw.MIPTreeClassifier, tw.FairTreeClassifier])
def test_solvers_start_from_the_tree_that_the_search_finds(estimator):
    """Or from CART's, where that is asked for."""
    random = np.random.default_rng(3)
    X = random.integers(0, 9, (60, 4)).astype(float)
    y = random.integers(0, 3, 60)
    try:
        stopped = estimator(run={"node_limit": 0}).fit(X, y)
    except ValueError as refused:
        pytest.skip(str(refused))
    best = tw.OptimalTreeClassifier(max_depth=2).fit(X, y)
    assert stopped.result_.errors == best.result_.errors < estimator(run={"node_limit": 0, "mip_start": "cart"}).fit(X, y).result_.errors
    assert stopped.check(X, y) == []
    limited = {"min_samples_leaf": 7, "max_leaf_nodes": 3}
    best = tw.OptimalTreeClassifier(max_depth=2, **limited).fit(X, y)
    assert estimator(**limited).fit(X, y).result_.errors == best.result_.errors


def test_auto_compares_by_the_score_that_is_asked_for():
    random = np.random.default_rng(5)
    X = random.normal(size=(200, 2))
    y = (X[:, 0] + random.normal(size=200) > 1.6).astype(int)
    by = {scoring: tw.AutoTreeClassifier(max_depth=1, restarts=0, scoring=scoring).fit(X, y) for scoring in ("accuracy", "auc", "log-loss")}
    assert ", AUC 0." in by["auc"].result_.selection
    assert 0.5 < by["auc"].cv_results_["mean_test_score"][0] < 1
    assert by["log-loss"].cv_results_["mean_test_score"][0] < 0
    assert by["accuracy"].cv_results_["mean_test_score"][0] > by["log-loss"].cv_results_["mean_test_score"][0]
    with pytest.raises(ValueError, match="scoring"):
        tw.AutoTreeClassifier(scoring="roc_auc").fit(X, y)


def test_the_usual_depth_has_leaves_for_all_classes():
    X = np.arange(90)[:, None] % 9 * 1.0
    y = np.arange(90) % 9
    for estimator in (tw.OptimalTreeClassifier(), tw.HyperplaneTreeClassifier(restarts=0)):
        assert estimator.max_depth == "auto"
        assert estimator.fit(X, y).score(X, y) == 1
    with pytest.raises(TypeError, match="max_depth: 'deep' is no number"):
        tw.OptimalTreeClassifier(max_depth="deep").fit(X, y)


def test_a_hyperplane_tree_chooses_its_cost():
    random = np.random.default_rng(6)
    X = random.normal(size=(150, 3))
    y = (X @ [1, 1, -1] + 0.5 * random.normal(size=150) > 0).astype(int)
    tree = tw.HyperplaneTreeClassifier(method="tao", max_depth=1, restarts=0).fit(X, y)
    cost = float(re.match(r"the cost ([\d.]+) is chosen by 4 folds", tree.result_.selection)[1])
    same = tw.HyperplaneTreeClassifier(method="tao", max_depth=1, restarts=0, svm_cost=cost).fit(X, y)
    assert same.result_.selection == ""
    assert np.array_equal(same.set_params(shrinkage=5).predict_proba(X), tree.set_params(shrinkage=5).predict_proba(X))
    assert tree.check(X, y) == []
