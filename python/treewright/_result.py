"""Trained trees with what is claimed of them, one and along a path."""

from __future__ import annotations

import ctypes
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _library as c
from ._dataset import Dataset
from ._library import LIB, borrowed_text, call, create, take_bytes, take_text
from ._tree import Tree

Array = NDArray[Any]


@dataclass(frozen=True)
class FitResult:
    """What is claimed of a trained tree.

    Errors and weights are sums of row weights. ``objective = errors / error_scale + alpha * terms``, where a hyperplane has a term for each
    feature it uses and any other split is one (``margot``, ``mm-svm`` and ``svm1`` have objectives of their own); no tree within the limits
    has an objective below ``bound`` (0 when nothing was proved); ``gap = (objective - bound) / max(|objective|, 1e-10)``. Of
    ``verified``: a checker that knows nothing of the search has gone through a proof of the bound. Of
    ``method="auto"`` ``method`` is the one that was chosen, and ``selection`` tells in words and as a table why; of ``"partition"`` it is a
    table of the rounds; otherwise it is empty. With a cost matrix ``cost`` is what the labels of the training rows cost, and takes the
    place of the errors in the objective. Where the tree predicts numbers, ``loss`` is what it loses on the training rows, weighted squared
    error or half the deviance, ``explained`` the share that it avoids of what a tree without splits loses (R2), and the objective is
    ``1 - explained + alpha * splits``; ``errors`` and ``accuracy`` are NaN.
    """

    objective: float
    bound: float
    gap: float
    errors: float
    total_weight: float
    accuracy: float
    seconds: float
    alpha: float
    error_scale: float
    rows: int
    leaves: int
    splits: int
    terms: int
    depth: int
    seed: int
    threads: int
    status: str
    method: str
    proved: str
    selection: str
    verified: bool
    cost: float | None
    loss: float | None
    explained: float | None


@dataclass(frozen=True)
class RowNote:
    """A column of new rows that is probably written otherwise than in training; see ``tw_row_notes`` in the C interface."""

    kind: str
    column: str
    problem: str
    remedy: str


class Result:
    """A trained tree with its claims. Its pickle is its JSON."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle
        self._tree: Tree | None = None
        # Columns whose one value a prediction has warned of: one plot predicts the same columns hundreds of times.
        self.told: set[str] = set()

    @classmethod
    def from_json(cls, text: str) -> Result:
        data = text.encode()
        return cls(create(LIB.tw_result_read, data, len(data)))

    def write(self, format: str, rows: Dataset | None = None, name: str = "", backquotes: bool = False) -> str:
        """The tree in one of FORMATS but "onnx", checked on the rows if there are any."""
        return self.write_bytes(format, rows, name, backquotes).decode("utf-8", "replace")

    def write_bytes(self, format: str, rows: Dataset | None = None, name: str = "", backquotes: bool = False) -> bytes:
        how = c.Export(name=name.encode("utf-8", "replace"), backquotes=backquotes)
        return take_bytes(LIB.tw_result_write, self.handle, format.encode(), ctypes.byref(how), rows.handle if rows else None)

    def report(
        self,
        train: Dataset | None = None,
        test: Dataset | None = None,
        beside: Result | None = None,
        path: Path | None = None,
        with_rows: bool = False,
        notebook: bool = False,
        **texts: str | None,
    ) -> str:
        """One self-contained HTML page; see the C interface. `texts`: its title, author, date and names of columns."""
        parts = c.Report(with_rows=with_rows, notebook=notebook)
        for name, part in {"train": train, "test": test, "beside": beside, "path": path}.items():
            if part is not None:
                setattr(parts, name, part.handle)
        for name, text in texts.items():
            if text is not None:
                setattr(parts, name, text.encode("utf-8", "replace"))
        return take_text(LIB.tw_result_report, self.handle, ctypes.byref(parts))

    def __reduce__(self) -> tuple[Any, ...]:
        return Result.from_json, (self.write("json"),)

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_result_free(self.handle)

    @property
    def claims(self) -> FitResult:
        summary = c.Summary()
        call(LIB.tw_result_summary, self.handle, ctypes.byref(summary))
        values: dict[str, Any] = {name: getattr(summary, name) for name in FitResult.__dataclass_fields__}
        for name in ("status", "method", "proved", "selection"):
            values[name] = values[name].decode("utf-8", "replace")
        values["verified"] = bool(values["verified"])
        for name in ("cost", "loss", "explained"):
            if np.isnan(values[name]):
                values[name] = None
        return FitResult(**values)

    def candidates(self) -> list[dict[str, Any]]:
        """What ``auto`` compared, as the tree file tells it; of other methods nothing."""
        found: list[dict[str, Any]] = json.loads(self.write("json"))["result"].get("candidates", [])
        return found

    @property
    def tree(self) -> Tree:
        if self._tree is None:
            self._tree = Tree(self.handle)
        return self._tree

    def row_notes(self, data: Dataset) -> list[RowNote]:
        """What a user should know of rows before believing what is predicted for them."""
        return [RowNote(**note) for note in json.loads(take_text(LIB.tw_row_notes, self.handle, data.handle))]

    def predict(self, data: Dataset) -> Array:
        classes = np.empty(data.rows, np.int32)
        call(LIB.tw_predict, self.handle, data.handle, classes.ctypes.data)
        return classes

    def predict_values(self, data: Dataset) -> Array:
        values = np.empty(data.rows, np.float64)
        call(LIB.tw_predict_values, self.handle, data.handle, values.ctypes.data)
        return values

    def predict_proba(self, data: Dataset, shrinkage: float | None = None) -> Array:
        shares = np.empty((data.rows, len(self.tree.class_names)), np.float64)
        if shrinkage is None:
            call(LIB.tw_predict_proba, self.handle, data.handle, shares.ctypes.data)
        else:
            call(LIB.tw_predict_shrunk_proba, self.handle, data.handle, float(shrinkage), shares.ctypes.data)
        return shares

    @property
    def shrinkage(self) -> float:
        value = ctypes.c_double()
        call(LIB.tw_result_shrinkage, self.handle, ctypes.byref(value))
        return value.value

    @shrinkage.setter
    def shrinkage(self, value: float) -> None:
        call(LIB.tw_result_set_shrinkage, self.handle, value)

    def explain(self, data: Dataset, row: int, train: Dataset | None = None) -> str:
        """Why the tree predicts its class for the row, in words."""
        return take_text(LIB.tw_result_explain, self.handle, data.handle, row, train.handle if train else None)

    def counterfactual(self, data: Dataset, row: int, train: Dataset | None = None) -> Any:
        """The nearest change of the row's class as a dict, or None; see the C interface."""
        return json.loads(take_text(LIB.tw_result_counterfactual, self.handle, data.handle, row, train.handle if train else None))

    def change_to(self, data: Dataset, row: int, train: Dataset | None, below: float, above: float) -> Any:
        """The smallest change that makes the number so; see tw_result_change_to in the C header."""
        rows = train.handle if train else None
        return json.loads(take_text(LIB.tw_result_change_to, self.handle, data.handle, row, rows, below, above))

    def shapley_values(self, data: Dataset) -> tuple[Array, Array]:
        """Of the class probabilities, or of the number: an array of shape (rows, features, classes or 1), and the average."""
        values = np.empty((data.rows, self.tree.n_features, max(1, len(self.tree.class_names))), np.float64)
        average = np.zeros(values.shape[2], np.float64)
        call(LIB.tw_shapley_values, self.handle, data.handle, values.ctypes.data, average.ctypes.data)
        return values, average

    def apply(self, data: Dataset) -> Array:
        leaves = np.empty(data.rows, np.int64)
        call(LIB.tw_apply, self.handle, data.handle, leaves.ctypes.data)
        return leaves

    def decision_path(self, data: Dataset) -> tuple[Array, Array]:
        """The nodes that each row visits: row r visits ``visited[begin[r]:begin[r + 1]]``."""
        begin = np.empty(data.rows + 1, np.int64)
        visited = np.empty(data.rows * (self.tree.max_depth + 1), np.int64)
        call(LIB.tw_decision_path, self.handle, data.handle, begin.ctypes.data, visited.ctypes.data)
        return begin, visited[: begin[-1]]

    def check(self, data: Dataset) -> list[str]:
        """Recounts the claims on the training rows: one sentence for each claim that does not hold."""
        return take_text(LIB.tw_result_check, self.handle, data.handle).splitlines()


@dataclass(frozen=True)
class PathPoint:
    """A tree that is optimal for every alpha from ``alpha_low`` to ``alpha_high``."""

    splits: int
    errors: float
    alpha_low: float
    alpha_high: float
    result: Result


class Path(Sequence[PathPoint]):
    """The corners of the hull of (splits, errors), fewest splits first."""

    def __init__(self, handle: ctypes.c_void_p) -> None:
        self.handle = handle
        count = ctypes.c_int64()
        call(LIB.tw_path_size, handle, ctypes.byref(count))
        self.status = borrowed_text(LIB.tw_path_status, handle)
        self._points = [self._point(handle, index) for index in range(count.value)]

    def __del__(self) -> None:
        LIB.tw_path_free(self.handle)

    @staticmethod
    def _point(handle: ctypes.c_void_p, index: int) -> PathPoint:
        info = c.PathPointInfo()
        call(LIB.tw_path_at, handle, index, ctypes.byref(info))
        return PathPoint(info.splits, info.errors, info.alpha_low, info.alpha_high, Result(create(LIB.tw_path_result, handle, index)))

    def table_line(self, index: int, setting: str, fold: int, score: float) -> str:
        """The line of a corner in the table of the trees that enter a choice."""
        return take_text(LIB.tw_tune_table_line, self.handle, index, setting.encode(), fold, score)

    def __getitem__(self, index: Any) -> Any:
        return self._points[index]

    def __len__(self) -> int:
        return len(self._points)

    def __iter__(self) -> Iterator[PathPoint]:
        return iter(self._points)
