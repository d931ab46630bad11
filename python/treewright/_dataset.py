"""Rows in the library's memory."""

from __future__ import annotations

import ctypes
import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from . import _library as c
from ._frame import Columns
from ._library import LIB, call, create, names_array, take_text

Array = NDArray[Any]

_NUMBER_TYPES = {np.dtype(np.float64): 0, np.dtype(np.float32): 1}


@dataclass(frozen=True)
class DataNote:
    """Something in the data that can spoil a tree; see ``tw_dataset_notes`` in the C interface."""

    kind: str
    names: list[str]
    problem: str
    leave_out: bool


# The library would end the text at NUL, and UTF-8 has no surrogates: the tree would name another column, category or class.
_BROKEN = re.compile("[\0\ud800-\udfff]")


def _need_whole(names: Sequence[str], what: str) -> None:
    for name in names:
        if _BROKEN.search(name):
            raise ValueError(f"{what} {name!r} holds {'NUL' if chr(0) in name else 'half of a character'}: give it another name")


class Dataset:
    """Rows in the library's memory.

    Parameters
    ----------
    matrix : ndarray of shape (n_samples, n_features), float64 or float32
        NaN = missing; a categorical column holds codes into its levels.
    names : sequence of n_features str
    held : what the columns held before they became numbers
    """

    def __init__(self, matrix: Array, names: Sequence[str], held: Columns) -> None:
        self.rows, columns = matrix.shape
        levels = held.levels
        _need_whole(names, "the name of column")
        for column, known in levels.items():
            _need_whole(known, f"column {names[column]!r}: the category")
        self.large = [(names[column], number, column in levels) for column, number in held.large.items()]
        self.unread_dates = [(names[column], texts) for column, texts in held.unread.items()]
        self.handle = create(LIB.tw_dataset_create, self.rows)
        kind = _NUMBER_TYPES[matrix.dtype]
        size = matrix.dtype.itemsize
        if any(stride % size for stride in matrix.strides) or not matrix.flags.aligned:
            matrix = np.ascontiguousarray(matrix)  # a view of records: the library steps by whole numbers
        row_stride, column_stride = (stride // size for stride in matrix.strides)
        encoded = names_array(names)
        begin = 0
        for end in [*sorted(levels), columns]:
            if end > begin:
                some = (ctypes.c_char_p * (end - begin))(*encoded[begin:end])
                first = matrix[:, begin:].ctypes.data
                call(LIB.tw_dataset_add_matrix, self.handle, first, kind, end - begin, row_stride, column_stride, some)
            if end < columns:
                codes = np.where(np.isnan(matrix[:, end]), -1, matrix[:, end]).astype(np.int32)
                known = names_array(levels[end])
                call(LIB.tw_dataset_add_categories, self.handle, encoded[end], codes.ctypes.data, len(levels[end]), known)
            begin = end + 1
        facts = ((held.dates, c.DATES), (held.zoned, c.ZONED), (held.durations, c.DAYS), (held.text, c.TEXTS), (held.ordered, c.ORDERED))
        for marked, fact in facts:
            for column in marked:
                call(LIB.tw_dataset_mark, self.handle, column, fact)

    def leave_out(self, column: int) -> None:
        """Forgets the values of a column: all are missing."""
        call(LIB.tw_dataset_mark, self.handle, column, c.LEFT_OUT)

    def notes(self) -> list[DataNote]:
        """What a user should know of labeled data before training."""
        return [DataNote(**note) for note in json.loads(take_text(LIB.tw_dataset_notes, self.handle))]

    def table(self) -> str:
        """The canonical table of labeled data."""
        return take_text(LIB.tw_dataset_table, self.handle)

    def set_labels(self, codes: Array, class_names: Sequence[str]) -> None:
        _need_whole(class_names, "label")
        codes = np.ascontiguousarray(codes, dtype=np.int32)
        call(LIB.tw_dataset_set_labels, self.handle, codes.ctypes.data, len(class_names), names_array(class_names))

    def set_numbers(self, loss: str, values: Array, exposure: Array | None = None) -> None:
        """Numbers to predict in place of labels, with one of LOSSES."""
        values = np.ascontiguousarray(values, dtype=np.float64)
        exposure = None if exposure is None else np.ascontiguousarray(exposure, dtype=np.float64)
        call(
            LIB.tw_dataset_set_numbers,
            self.handle,
            c.LOSSES[loss],
            values.ctypes.data,
            None if exposure is None else exposure.ctypes.data,
        )

    def set_weights(self, weights: Array) -> None:
        weights = np.ascontiguousarray(weights, dtype=np.float64)
        call(LIB.tw_dataset_set_weights, self.handle, weights.ctypes.data)

    def set_costs(self, costs: Array) -> None:
        """What each label costs, by true class and label, an array of shape (n_classes, n_classes); after the labels."""
        costs = np.ascontiguousarray(costs, dtype=np.float64)
        call(LIB.tw_dataset_set_costs, self.handle, costs.ctypes.data)

    def set_row_costs(self, costs: Array) -> None:
        """What each label costs each row, an array of shape (n_samples, n_classes); after the labels."""
        costs = np.ascontiguousarray(costs, dtype=np.float64)
        call(LIB.tw_dataset_set_row_costs, self.handle, costs.ctypes.data)

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_dataset_free(self.handle)
