"""Splits that a tree begins with: the argument `top` of fit."""

import datetime
import io
import json
import subprocess
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import treewright as tw

X = pd.DataFrame(
    {
        "age": [20, 30, 40, 50, 60, 70, 25, 35],
        "sex": ["f", "m", "f", "m", "f", "m", "m", "f"],
        "since": pd.to_datetime([f"2020-0{i}-01" for i in range(1, 9)]),
    }
)
Y = ["a", "b", "a", "b", "b", "a", "b", "a"]


def root(tree):
    return json.loads(tree.to_json())["tree"]["nodes"][0]["split"]


def test_the_tree_begins_so_and_is_proved():
    tree = tw.OptimalTreeClassifier(max_depth=2).fit(X, Y, top={"column": "age", "below": np.float64(45), "left": ..., "right": "leaf"})
    assert tree.status_ == "optimal"
    assert root(tree)["threshold"] == 45
    assert tree.tree_.children_left[tree.tree_.children_right[0]] < 0, "the right side is a leaf"
    free = tw.OptimalTreeClassifier(max_depth=2).fit(X, Y)
    assert tree.score(X, Y) <= free.score(X, Y)
    again = tw.OptimalTreeClassifier(max_depth=2).fit(X, Y)
    assert root(again) == root(free)  # top is of one fit


def test_categories_and_dates():
    tree = tw.OptimalTreeClassifier(max_depth=2).fit(X, Y, top={"column": "sex", "levels": ["f"], "left": ..., "right": ...})
    assert root(tree)["kind"] == "categories"
    for date in ("2020-04-15", datetime.date(2020, 4, 15), pd.Timestamp("2020-04-15")):
        tree = tw.OptimalTreeClassifier(max_depth=2).fit(X, Y, top={"column": "since", "below": date, "left": "...", "right": "leaf"})
        assert root(tree)["threshold"] == (datetime.date(2020, 4, 15) - datetime.date(1970, 1, 1)).days


@pytest.mark.parametrize(
    ("top", "words"),
    [
        ({"column": "ages", "below": 45, "left": ..., "right": "leaf"}, "did you mean 'age'"),
        ({"column": "age", "below": 5, "left": ..., "right": "leaf"}, "place with 0 rows"),
        ({"column": "age", "below": 45, "left": "leaf", "right": "?"}, "neither a split"),
    ],
)
def test_what_cannot_be_is_refused(top, words):
    with pytest.raises(tw.TreewrightError, match=words):
        tw.OptimalTreeClassifier(max_depth=2).fit(X, Y, top=top)


def test_other_methods_refuse_it():
    with pytest.raises(TypeError, match="top"):
        tw.CARTClassifier().fit(X, Y, top={"column": "age", "below": 45, "left": ..., "right": "leaf"})
    with pytest.raises(TypeError, match="no part of a split"):
        tw.OptimalTreeClassifier().fit(X, Y, top={"column": "age", "below": 45, "left": {1}, "right": "leaf"})


@pytest.mark.parametrize("number", [float("nan"), np.nan, np.float32("nan"), np.inf])
def test_numbers_are_finite(number):
    with pytest.raises(ValueError, match=r"top: it holds NaN.*give finite numbers"):
        tw.OptimalTreeClassifier(max_depth=1).fit([[1.0], [2.0]], [0, 1], top={"feature": "x0", "threshold": number})


FUZZ = Path(__file__).parents[2] / "build/release/tests/fuzz/treewright_fuzz"


def drawn(seed):
    """A case of the fuzzer: rows, labels, weights, costs of each row and options."""
    shown = subprocess.run([FUZZ, "--show", str(seed), "--subject", "top"], check=True, capture_output=True, text=True).stdout
    lines = [line.split(" ", 1) for line in shown.splitlines() if not line.startswith("#")]
    options = {key: value for key, value in lines if key not in ("row", "compare")}
    rows = pd.read_csv(io.StringIO("\n".join(value for key, value in lines if key == "row")), dtype={"class": str})
    weights = rows.pop(options.pop("weights")) if "weights" in options else None
    y = rows.pop("class")
    rows = rows.astype({name: float for name in rows.select_dtypes("number")})  # whole numbers may be left out as copies of the target
    for name in options.pop("categorical", "").split(","):
        if name:
            rows[name] = rows[name].astype("category")
    costs = options.pop("row_costs", None)
    if costs:
        costs = np.array(costs.split(","), dtype=float).reshape(len(rows), -1)
    return rows, y, weights, costs, options


@pytest.mark.filterwarnings("ignore:column")
@pytest.mark.skipif(not FUZZ.exists(), reason="treewright_fuzz is not built")
def test_the_tops_of_the_fuzzer_have_the_same_results_in_python(tmp_path):
    subprocess.run([FUZZ, "--emit", "400", "--seed", "1", "--subject", "top", "--out", tmp_path], check=True)
    compared = 0
    for path in tmp_path.glob("*.json"):
        rows, y, weights, costs, options = drawn(path.stem)
        if "costs" in options or len(set(y)) < 2 or (costs is not None and costs.shape[1] != len(set(y))):
            continue
        if costs is not None:
            costs = pd.DataFrame(costs, columns=sorted(set(y), key=lambda name: int(name[1:])))
        wanted = json.loads(path.read_text())["result"]
        text = options.pop("top")
        top = json.loads(text) if text.startswith("{") else text
        run = {"node_limit": int(options.pop("node_limit"))} if "node_limit" in options else None
        numbers = {name: value if name == "alpha_scale" else json.loads(value) for name, value in options.items() if name != "data"}
        if "max_splits" in numbers:
            numbers["max_leaf_nodes"] = numbers.pop("max_splits") + 1
        tree = tw.OptimalTreeClassifier(**numbers, run=run).fit(rows, y, sample_weight=weights, costs=costs, top=top)
        # Weights of classes times those of rows, and sums of costs, are rounded in Python.
        assert tree.status_ == wanted["status"], path.stem
        assert (tree.objective_, tree.bound_) == pytest.approx((wanted["objective"], wanted["bound"]), rel=1e-9, abs=1e-12), path.stem
        compared += 1
    assert compared > 100
