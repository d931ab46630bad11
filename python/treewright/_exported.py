"""Runs what was exported, and compares what it says of rows with the tree."""

from __future__ import annotations

import importlib.util
import json
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._dataset import Dataset
from ._levels import Levels
from ._result import Result
from ._warn import warn

Array = NDArray[Any]


def check_onnx(written: bytes, result: Result, rows: Dataset, matrix: Array, levels: Mapping[int, Sequence[str]]) -> None:
    """Runs an ONNX file on rows and compares its labels with the tree's, where onnxruntime is installed.

    Parameters
    ----------
    written : bytes
        The file.
    result : Result
        The tree.
    rows, matrix, levels
        The same rows for both; ``levels`` has the names of the codes of the categorical columns of ``matrix``.

    Raises
    ------
    ValueError
        When a label differs.
    """
    if importlib.util.find_spec("onnxruntime") is None:
        warn("onnxruntime is not installed: the ONNX file was tested by its thresholds, and not run", UserWarning)
        return
    import onnxruntime

    inputs = np.array(matrix, dtype=np.float64)
    known = [feature.get("levels", []) for feature in json.loads(result.write("json"))["tree"]["features"]]
    for column, names in enumerate(known):
        if not names:
            continue
        tree_levels, values = Levels(names), inputs[:, column]
        present = ~np.isnan(values)
        distinct, position = np.unique(values[present], return_inverse=True)
        codes = [tree_levels.of_text(levels[column][int(one)]) if column in levels else tree_levels.of_number(one) for one in distinct]
        inputs[present, column] = np.array([np.nan if code is None else code for code in codes], dtype=np.float64)[position]
    output = "value" if result.tree.loss else "label"
    labels = onnxruntime.InferenceSession(written, providers=["CPUExecutionProvider"]).run([output], {"X": inputs})[0].ravel()
    _compare(f"the ONNX file, run by onnxruntime {onnxruntime.__version__},", labels, result, rows)


def check_python(written: str, result: Result, rows: Dataset, matrix: Array, levels: Mapping[int, Sequence[str]]) -> None:
    """The same for a Python program. Dates are given as numbers of days."""
    names = [feature.name for feature in result.tree.features]
    program: dict[str, Any] = {}
    exec(compile(written, "exported tree", "exec"), program)
    labels = []
    for row in np.asarray(matrix, dtype=np.float64):
        cells = {
            name: None if np.isnan(value) else levels[column][int(value)] if column in levels else float(value)
            for column, (name, value) in enumerate(zip(names, row))
        }
        labels.append(program["predict"](cells))
    _compare("the Python program", np.array(labels, dtype=object), result, rows)


def _compare(what: str, labels: Array, result: Result, rows: Dataset) -> None:
    names = np.array(result.tree.class_names, dtype=object)
    expected = result.predict_values(rows) if result.tree.loss else names[result.predict(rows)]
    differing = np.flatnonzero(labels != expected)
    if len(differing) > 0:
        row = differing[0]
        raise ValueError(
            f"{what} says {labels[row]!r} of row {row}, the tree {expected[row]!r}, "
            f"and {len(differing)} of {len(labels)} labels differ (please report this, and export another format)"
        )
