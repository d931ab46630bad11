"""DataFrames with categories, as numbers: each level becomes its code."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np


def is_frame(X: Any) -> bool:
    """Whether X is a pandas DataFrame (pandas is imported already if it is)."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def _levels(series: Any) -> tuple[Any, list[str]] | None:
    """Codes (NaN = missing) and levels of a column of categories or text; None for a column of numbers."""
    import pandas as pd

    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        category = series.cat
    elif pd.api.types.is_object_dtype(dtype) or pd.api.types.is_string_dtype(dtype):
        kind = pd.api.types.infer_dtype(series, skipna=True)
        if kind not in ("string", "categorical"):
            return None  # numbers in an object column, or something that the conversion to float will name
        category = series.astype("category").cat
    else:
        return None
    levels = [str(level) for level in category.categories]
    if len(set(levels)) < len(levels):
        raise ValueError(f"column {series.name!r}: two of its categories have the same text (rename one of them)")
    codes = category.codes.to_numpy().astype(np.float64)
    codes[codes < 0] = np.nan
    return codes, levels


def encode(X: Any) -> tuple[Any, dict[int, list[str]]]:
    """X with numbers only, and the levels of each column that held categories or text (by position)."""
    if not is_frame(X):
        return X, {}
    import pandas as pd

    levels: dict[int, list[str]] = {}
    columns = []
    for position in range(X.shape[1]):
        series = X.iloc[:, position]
        found = _levels(series)
        if found is not None:
            levels[position] = found[1]
            series = pd.Series(found[0], index=X.index, name=series.name)
        columns.append(series)
    if not levels:
        return X, {}
    encoded = pd.concat(columns, axis=1)
    encoded.columns = X.columns
    return encoded, levels
