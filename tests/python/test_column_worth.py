"""What each column is worth."""

import json
import subprocess
from pathlib import Path

import numpy as np
import pytest

from treewright import ColumnSplits, ColumnWorth, OptimalityWarning, OptimalTreeClassifier

COMMAND = Path(__file__).parents[2] / "build/release/treewright"


@pytest.fixture
def rows():
    random = np.random.default_rng(5)
    X = random.normal(size=(120, 4))
    return X, np.where(X[:, 0] + X[:, 1] + random.normal(size=120) > 0.5, "sick", "healthy")


def wrong(y, predicted):
    return (y != predicted).sum()


def test_every_figure_is_that_of_a_fit(rows):
    X, y = rows
    found = OptimalTreeClassifier(max_depth=2).column_worth(X, y)
    assert isinstance(found, ColumnWorth)
    assert found.status == "optimal" and len(found) == 4 and sorted(found.columns) == ["x0", "x1", "x2", "x3"]
    assert found.best == wrong(y, OptimalTreeClassifier(max_depth=2).fit(X, y).predict(X))
    assert (found.worth == found.never - found.best).all() and (np.diff(found.worth) <= 0).all() and found.worth[0] > 0
    assert (found.first == found.first_bound).all() and (found.never == found.never_bound).all()
    for i, name in enumerate(found.columns):
        first = OptimalTreeClassifier(max_depth=2, first_column=name).fit(X, y)
        never = OptimalTreeClassifier(max_depth=2, never_columns=name).fit(X, y)
        assert wrong(y, first.predict(X)) == found.first[i] == wrong(y, found.first_estimators[i].predict(X))
        assert wrong(y, never.predict(X)) == found.never[i] == wrong(y, found.never_estimators[i].predict(X))
        without = OptimalTreeClassifier(max_depth=2).fit(np.delete(X, int(name[1:]), axis=1), y)
        assert without.result_.errors == found.never[i]
        assert found.used[i] or found.worth[i] == 0
        assert name in repr(found)


def test_limits(rows):
    X, y = rows
    cut = OptimalTreeClassifier(max_depth=2).column_worth(X, y, most_more=0)
    whole = OptimalTreeClassifier(max_depth=2).column_worth(X, y)
    assert cut.status == "optimal"
    by_name = dict(zip(whole.columns, whole.first, strict=True))
    for name, bound, cost in zip(cut.columns, cut.first_bound, cut.first, strict=True):
        assert (bound > whole.best) == (by_name[name] > whole.best) and cost >= by_name[name] >= bound
    with pytest.warns(OptimalityWarning, match="intervals"):
        OptimalTreeClassifier(time_limit=0).column_worth(X, y)


def test_what_cannot_be_used(rows):
    X, y = rows
    for parameters, more, words in [
        ({"first_column": "x0"}, {}, "first_column"),
        ({"never_columns": "x0"}, {}, "never_columns"),
        ({}, {"most_more": -1}, "most_more"),
    ]:
        with pytest.raises(ValueError, match=words):
            OptimalTreeClassifier(**parameters).column_worth(X, y, **more)
    with pytest.raises(ValueError, match="there is no column 'age'"):
        OptimalTreeClassifier(first_column="age").fit(X, y)


def test_the_best_split_on_each_column_in_a_place_is_that_of_the_command(rows, tmp_path):
    X, y = rows
    top = {"column": "x0", "below": 0.25, "left": "?", "right": ...}
    found = OptimalTreeClassifier(max_depth=2).column_worth(X, y, top=top)
    assert isinstance(found, ColumnSplits) and found.status == "optimal" and len(found) == 4 and found.left_out == []
    assert (found.errors == found.bound).all() and (np.diff(found.errors) >= 0).all() and found.best == min(found.errors[0], found.leaf)
    for split, errors, text in zip(found.splits, found.errors, found.texts, strict=True):
        tree = OptimalTreeClassifier(max_depth=2).fit(X, y, top={**top, "left": {**split, "left": ..., "right": ...}})
        assert wrong(y, tree.predict(X)) == errors and text.startswith(f"{split['column']} < ") and text in repr(found)
    with pytest.raises(ValueError, match="most_more"):
        OptimalTreeClassifier(max_depth=2).column_worth(X, y, most_more=3, top=top)
    with pytest.raises(ValueError, match="top"):
        OptimalTreeClassifier(max_depth=2).column_worth(X, y, top={**top, "left": ...})
    with pytest.warns(OptimalityWarning, match="intervals"):
        OptimalTreeClassifier(time_limit=0).column_worth(X, y, top=top)
    if not COMMAND.exists():
        pytest.skip("no command in build/release")
    lines = ["x0,x1,x2,x3,class", *(",".join([*map(repr, map(float, row)), label]) for row, label in zip(X, y, strict=True))]
    (tmp_path / "rows.csv").write_text("\n".join(lines) + "\n")
    arguments = ["column-worth", "rows.csv", "--max-depth", "2", "--json", "--top", json.dumps({**top, "right": "..."})]
    said = json.loads(subprocess.run([COMMAND, *arguments], cwd=tmp_path, check=True, capture_output=True).stdout)
    assert found.columns == [column["name"] for column in said["columns"]]
    assert found.splits == [column["split"] for column in said["columns"]]
    assert found.errors.tolist() == [column["cost"] for column in said["columns"]]
    assert (found.best, found.leaf) == (said["best"]["cost"], said["leaf"]["cost"])
