"""Trees of the fuzzer's random cases predict in Python what they predict in C++."""

import csv
import subprocess
from pathlib import Path

import numpy as np
import pytest
from treewright._dataset import Dataset
from treewright._frame import Columns
from treewright._result import Result

FUZZ = Path(__file__).parents[2] / "build/release/tests/fuzz/treewright_fuzz"


def matrix_of(rows, features):
    """Numbers, and levels as codes; an empty cell is a missing value."""
    matrix = np.full((len(rows), len(features)), np.nan)
    for column, feature in enumerate(features):
        for i, row in enumerate(rows):
            cell = row[column]
            if cell:
                matrix[i, column] = float(cell) if feature.levels is None else feature.levels.index(cell)
    return matrix


@pytest.mark.skipif(not FUZZ.exists(), reason="treewright_fuzz is not built")
def test_predictions_equal_those_of_the_library(tmp_path):
    subprocess.run([FUZZ, "--emit", "300", "--out", tmp_path], check=True)
    trees = sorted(tmp_path.glob("*.json"))
    assert len(trees) == 300
    splits = 0
    for path in trees:
        result = Result.from_json(path.read_text())
        features = result.tree.features
        with path.with_suffix(".csv").open(newline="") as file:
            rows = list(csv.reader(file))[1:]
        levels = {i: feature.levels for i, feature in enumerate(features) if feature.levels is not None}
        data = Dataset(matrix_of(rows, features), [feature.name for feature in features], Columns(levels))
        predicted = [result.tree.class_names[code] for code in result.predict(data)]
        assert predicted == path.with_suffix(".txt").read_text().split(), path.stem
        splits += result.claims.splits
    assert splits > 300  # not mostly single leaves
