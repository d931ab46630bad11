"""DataFrames (pandas, polars) with categories, text and dates, as numbers: each level becomes its code, each date its day."""

from __future__ import annotations

import os
import sys
from collections.abc import Collection, Mapping, Sequence
from ctypes import byref, c_int32
from dataclasses import dataclass, field
from datetime import timezone
from typing import Any

import numpy as np

from ._levels import Levels
from ._library import LIB, call, names_array

# What an object column may hold besides text, by pandas' name for it: numbers, which the conversion to float takes.
_NUMBERS = ("integer", "floating", "mixed-integer-float", "decimal", "boolean", "empty")
_DATES = ("date", "datetime", "datetime64")


@dataclass
class Columns:
    """What columns held before they became numbers, by position."""

    levels: dict[int, list[str]] = field(default_factory=dict)
    """Levels of categories and text."""
    text: set[int] = field(default_factory=set)
    """Those of them that were text: nobody has said that they are categories."""
    ordered: set[int] = field(default_factory=set)
    """Those of them whose order counts."""
    dates: set[int] = field(default_factory=set)
    """Dates, as days since 1970-01-01."""
    zoned: set[int] = field(default_factory=set)
    """Those of them that had a time zone; the days are those of UTC."""
    durations: set[int] = field(default_factory=set)
    """Durations, in days."""
    unread: dict[int, list[str]] = field(default_factory=dict)
    """Texts among the dates of new rows that are no dates, and so missing values."""
    large: dict[int, int] = field(default_factory=dict)
    """Whole numbers of which some are the same double, with one of them. In DataFrames they are levels."""
    whole: set[int] = field(default_factory=set)
    """Whole numbers of a DataFrame. Those that only tell rows apart are identifiers; whoever means them as numbers makes them float."""


def is_frame(X: Any) -> bool:
    """Whether X is a pandas DataFrame (pandas is imported already if it is)."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and isinstance(X, pandas.DataFrame)


def is_polars(X: Any) -> bool:
    """Whether X is a DataFrame of polars."""
    polars = sys.modules.get("polars")
    return polars is not None and isinstance(X, polars.DataFrame)


def with_columns(X: Any, names: list[str]) -> Any:
    """These columns of a DataFrame, in this order; what it lacks is missing in all rows."""
    if is_frame(X):
        return X.reindex(columns=names)
    import polars as pl

    return X.select([pl.col(name) if name in X.columns else pl.lit(None).alias(name) for name in names])


def _need_room(rows: int, columns: int) -> None:
    """Raises MemoryError if so many dense numbers are more than the machine can hold: a system may promise them all the same."""
    size = 8 * rows * columns
    memory = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") if hasattr(os, "sysconf") else sys.maxsize
    if size > memory:
        raise MemoryError(
            f"X: its {rows} x {columns} values take {size / 1e9:,.0f} GB as a dense matrix, and the machine has {memory / 1e9:,.0f} GB "
            "(give the column of categories in place of its 0/1 columns: trees split it by sets; or take fewer rows or columns)"
        )


def dense(X: Any) -> Any:
    """A sparse matrix of scipy and an array of which some is masked as arrays, a table of Arrow as a DataFrame; all else as it is."""
    if isinstance(X, np.ma.MaskedArray) and X.dtype.kind in "biuf":
        return np.ma.filled(X.astype(np.float64), np.nan)
    arrow: Any = sys.modules.get("pyarrow")
    if isinstance(X, getattr(arrow, "Table", ())):
        import pandas as pd

        return arrow.Table.to_pandas(X, types_mapper=pd.ArrowDtype)
    sparse = sys.modules.get("scipy.sparse")
    if sparse is None or not sparse.issparse(X):
        return X
    if X.ndim == 2:
        _need_room(*X.shape)
    return X.toarray()


def _days_of_moments(moments: Any) -> Any:
    """The days since 1970-01-01 of an array of datetime64 of any unit. Whole seconds are whole numbers, as the reader of files has them."""
    since, second = moments - np.datetime64(0, "D"), np.timedelta64(1, "s")
    with np.errstate(invalid="ignore"):
        return np.where(np.isnat(moments), np.nan, (since // second + since % second / second) / 86400)


def _days(series: Any) -> Any:
    import pandas as pd

    if series.dt.tz is not None:
        series = series.dt.tz_convert("UTC").dt.tz_localize(None)
    # A Timestamp of pandas may count nanoseconds, which end in the year 2262.
    return pd.Series(_days_of_moments(series.to_numpy()), index=series.index, name=series.name)


def _as_moments(series: Any) -> Any:
    """A column of date objects as one of datetimes, in UTC if they have zones."""
    import pandas as pd

    present = series.notna().to_numpy()
    given = series[present].tolist()
    zones = sum(getattr(moment, "tzinfo", None) is not None for moment in given)
    if 0 < zones < len(given):
        raise ValueError(f"column {series.name!r}: some of its times have a zone and others have none (give all of them one, or none)")
    try:
        return pd.to_datetime(series, utc=zones > 0)
    except pd.errors.OutOfBoundsDatetime:
        moments = np.full(len(series), np.datetime64("NaT"), dtype="datetime64[us]")
        moments[present] = [moment.astimezone(timezone.utc).replace(tzinfo=None) for moment in given] if zones else given
        naive = pd.Series(moments, index=series.index, name=series.name)
        return naive.dt.tz_localize("UTC") if zones else naive


def _hours(moment: Any) -> float:
    """Of a time of day, as the command reads it."""
    return (3600 * moment.hour + 60 * moment.minute + moment.second + moment.microsecond / 1e6) / 3600


def _share_doubles(values: Any) -> bool:
    """Whether some of these whole numbers, none of them missing, are different and the same double."""
    largest = max(abs(int(values.min())), abs(int(values.max()))) if len(values) else 0
    if largest < 2**53:
        return False
    distinct = set(map(int, values))
    return largest >= 2**1023 or len(set(map(float, distinct))) < len(distinct)


def _days_of_texts(levels: list[str], column: Any, position: int, columns: Columns, dates: Collection[int] | None) -> Any:
    """The days of each text, as the command reads them; None where the column holds no dates. NaN = the text is no date."""
    if not levels or (dates is not None and position not in dates):
        return None
    days, zoned = np.empty(len(levels)), c_int32()
    call(LIB.tw_read_dates, names_array(levels), len(levels), days.ctypes.data, byref(zoned))
    unread = [level for level, day in zip(levels, days) if np.isnan(day)]
    if unread and (dates is None or len(unread) == len(levels)):
        if dates is None:
            return None
        raise ValueError(f"column {column!r}: it held dates in training, and {unread[0]!r} is none (convert it with pd.to_datetime)")
    if unread:
        columns.unread[position] = unread
    columns.dates.add(position)
    if zoned.value:
        columns.zoned.add(position)
    return days


def _of_codes(days: Any, codes: Any) -> Any:
    known = ~np.isnan(codes)
    out = np.full(len(codes), np.nan)
    out[known] = days[codes[known].astype(np.int64)]
    return out


def _levels(series: Any, category: Any, known: Levels | None = None) -> tuple[Any, list[str]]:
    """Codes (NaN = missing) and levels. Truth values have the names of `known`, the levels of the tree."""
    levels = [
        known.name_of_truth(bool(level)) if known is not None and isinstance(level, (bool, np.bool_)) else str(level)
        for level in category.categories
    ]
    if len(set(levels)) < len(levels):
        raise ValueError(f"column {series.name!r}: two of its categories have the same text (rename one of them)")
    codes = category.codes.to_numpy().astype(np.float64)
    codes[codes < 0] = np.nan
    return codes, levels


def _encode_column(series: Any, position: int, columns: Columns, dates: Collection[int] | None, categories: Mapping[int, Levels]) -> Any:
    """The column as numbers; what it held is noted in `columns`. `dates`, `categories`: see `encode`."""
    import pandas as pd

    if isinstance(series.dtype, pd.SparseDtype):
        series = series.sparse.to_dense()
    if hasattr(pd, "ArrowDtype") and isinstance(series.dtype, pd.ArrowDtype):
        import pyarrow

        # Arrow has categories, dates and whole numbers of its own; what follows knows those of pandas.
        whole = pyarrow.types.is_integer(series.dtype.pyarrow_dtype)
        series = pd.Series(pyarrow.array(series).to_pandas().array, index=series.index, name=series.name)
        if whole:
            columns.whole.add(position)
    types = pd.api.types
    if types.is_object_dtype(series.dtype):
        series = series.where(series.notna(), None)  # whatever stands for missing
    held = types.infer_dtype(series, skipna=True) if types.is_object_dtype(series.dtype) else ""
    wholes = types.is_integer_dtype(series.dtype) or held == "integer"
    if position in categories:
        if wholes or held == "boolean" or types.is_bool_dtype(series.dtype):
            series = series.astype("category")  # as doubles, whole numbers beyond 2^53 would be equal
    elif wholes and _share_doubles(series.dropna()):
        columns.large[position] = int(series.max())
        columns.text.add(position)
        series = series.astype("category")
    dtype = series.dtype
    if isinstance(dtype, pd.CategoricalDtype):
        codes, columns.levels[position] = _levels(series, series.cat, categories.get(position))
        if dtype.ordered:
            columns.ordered.add(position)
        return pd.Series(codes, index=series.index, name=series.name)
    if pd.api.types.is_object_dtype(dtype) or pd.api.types.is_string_dtype(dtype):
        kind = held or pd.api.types.infer_dtype(series, skipna=True)
        if kind in ("string", "categorical"):
            codes, levels = _levels(series, series.astype("category").cat)
            days = _days_of_texts(levels, series.name, position, columns, dates)
            if days is None:
                columns.levels[position] = levels
                columns.text.add(position)
            else:
                codes = _of_codes(days, codes)
            return pd.Series(codes, index=series.index, name=series.name)
        if kind in _DATES:
            series = _as_moments(series)
        elif kind == "timedelta":
            series = pd.to_timedelta(series)
        elif kind == "time":
            return series.map(_hours, na_action="ignore").astype(float)
        elif kind == "empty" and position in (dates or ()):
            columns.dates.add(position)
        elif kind not in _NUMBERS:
            raise ValueError(
                f"column {series.name!r} holds values of different kinds ({kind}): convert it with pd.to_numeric(..., errors='coerce') "
                "to numbers, with .astype(str) to text, or leave it out"
            )
        elif kind != "empty":
            series = series.where(series.notna(), np.nan).astype(float)  # pandas.NA is no number to numpy
    if pd.api.types.is_timedelta64_dtype(series.dtype):
        columns.durations.add(position)
        return series / pd.Timedelta(days=1)
    if pd.api.types.is_datetime64_any_dtype(series.dtype):
        columns.dates.add(position)
        if series.dt.tz is not None:
            columns.zoned.add(position)
        return _days(series)
    if types.is_integer_dtype(series.dtype):
        columns.whole.add(position)
    if types.is_complex_dtype(series.dtype) or not (types.is_numeric_dtype(series.dtype) or types.is_object_dtype(series.dtype)):
        raise ValueError(f"column {series.name!r} holds {series.dtype}: convert it to numbers, text or dates, or leave it out")
    return series


_PER_SECOND = {"ms": 10**3, "us": 10**6, "ns": 10**9}


def _encode_polars_column(
    series: Any, position: int, columns: Columns, dates: Collection[int] | None, categories: Mapping[int, Levels]
) -> Any:
    """The same for a column of a polars DataFrame."""
    import polars as pl

    if position in categories and series.dtype.is_integer():
        series = series.cast(pl.String).cast(pl.Categorical)
    elif series.dtype.is_integer() and _share_doubles(series.drop_nulls()):
        columns.large[position] = series.max()
        columns.text.add(position)
        series = series.cast(pl.String).cast(pl.Categorical)
    dtype = series.dtype
    if dtype == pl.Boolean and position in categories:
        columns.levels[position] = [categories[position].name_of_truth(value) for value in (False, True)]
    if dtype == pl.String or dtype == pl.Categorical or dtype == pl.Enum:
        texts = series.cast(pl.String)
        present = texts.drop_nulls().unique().sort().to_list()
        levels = dtype.categories.to_list() if isinstance(dtype, pl.Enum) else present
        days = _days_of_texts(levels, series.name, position, columns, dates) if dtype == pl.String else None
        if days is not None:
            day_of = dict(zip(levels, days.tolist()))
            return pl.Series(series.name, [np.nan if text is None else day_of[text] for text in texts.to_list()], dtype=pl.Float64)
        columns.levels[position] = levels
        if dtype == pl.String:
            columns.text.add(position)
        codes = {level: float(code) for code, level in enumerate(levels)}
        return pl.Series(series.name, [np.nan if text is None else codes[text] for text in texts.to_list()], dtype=pl.Float64)
    if dtype == pl.Date or dtype == pl.Datetime:
        columns.dates.add(position)
        if dtype == pl.Datetime and dtype.time_zone is not None:
            columns.zoned.add(position)
        physical = series.to_physical()  # of a time zone's moments in UTC
        if dtype == pl.Date:
            return physical.cast(pl.Float64).fill_null(np.nan)
        seconds = physical // _PER_SECOND[dtype.time_unit]
        fraction = (physical - seconds * _PER_SECOND[dtype.time_unit]) / _PER_SECOND[dtype.time_unit]
        return ((seconds + fraction) / 86400).fill_null(np.nan)
    if dtype == pl.Duration:
        columns.durations.add(position)
        return (series.to_physical().cast(pl.Float64) / (86400 * _PER_SECOND[dtype.time_unit])).fill_null(np.nan)
    if dtype == pl.Time:
        return (series.to_physical() / 1e9 / 3600).fill_null(np.nan)
    if dtype == pl.Null and position in (dates or ()):
        columns.dates.add(position)
    if dtype.is_integer():
        columns.whole.add(position)
    if dtype.is_numeric() or dtype == pl.Boolean or dtype == pl.Null:
        return series.cast(pl.Float64).fill_null(np.nan)
    raise ValueError(f"column {series.name!r} holds {dtype}: convert it to numbers, text or dates, or leave it out")


def _refuse_what_is_no_matrix(X: Any) -> None:
    """Records with names, and text: an array has one type for all of its columns, so that text among them is text everywhere, and nothing
    says what it was."""
    if isinstance(X, (list, tuple)) and X and isinstance(X[0], (list, tuple)) and any(isinstance(cell, str) for cell in X[0]):
        X = np.array([tuple(row) for row in X], dtype=object)
    if isinstance(X, Mapping) or (isinstance(X, list) and X and isinstance(X[0], Mapping)) or getattr(X, "dtype", np.dtype(int)).names:
        raise TypeError("X: these are columns with names, and no array of numbers (make a DataFrame of them: pd.DataFrame(X))")
    if not isinstance(X, np.ndarray) or X.dtype.kind not in "OU" or X.ndim != 2:
        return
    for column in range(X.shape[1]):
        for value in X[:, column]:
            try:
                float(value) if isinstance(value, str) else None
            except ValueError:
                raise ValueError(
                    f"column {column} of X holds text ({str(value)!r}): an array has no types of columns "
                    "(give the DataFrame itself, not df.values, or make one: pd.DataFrame(X).infer_objects())"
                ) from None


def encode(X: Any, dates: Collection[int] | None = None, levels: Mapping[int, Sequence[str]] | None = None) -> tuple[Any, Columns]:
    """X with numbers only (durations in days), and what its columns held. `dates`: positions of the columns that held dates in training; in
    training itself None: a column of text becomes dates if all its texts are. `levels`: those of the categories that training knew."""
    columns, X = Columns(), dense(X)
    if isinstance(X, getattr(sys.modules.get("polars"), "LazyFrame", ())):
        raise TypeError("X: a LazyFrame holds no rows yet (give X.collect())")
    categories = {position: Levels(names) for position, names in (levels or {}).items()}
    if isinstance(X, np.ndarray) and X.dtype.kind == "m":
        columns.durations.update(range(X.shape[1] if X.ndim > 1 else 1))
        return np.where(np.isnat(X), np.nan, X / np.timedelta64(1, "D")), columns
    if isinstance(X, np.ndarray) and X.dtype.kind == "M":
        columns.dates.update(range(X.shape[1] if X.ndim > 1 else 1))
        return _days_of_moments(X), columns
    if is_polars(X):
        import polars

        encoded = [_encode_polars_column(series, position, columns, dates, categories) for position, series in enumerate(X)]
        return polars.DataFrame(encoded), columns
    if not is_frame(X):
        _refuse_what_is_no_matrix(X)
        if isinstance(X, np.ndarray) and X.dtype.kind in "iu" and X.ndim == 2:
            columns.large.update((position, int(values.max())) for position, values in enumerate(X.T) if _share_doubles(values))
        return X, columns
    import pandas as pd

    if not X.columns.is_unique:
        twice = X.columns[X.columns.duplicated()][0]
        raise ValueError(f"X: several columns are called {twice!r} (trees know columns by their names: rename them)")
    if X.shape[1] == 0:
        raise ValueError(f"X: 0 feature(s) (shape={X.shape}) while a minimum of 1 is required.")  # as scikit-learn says of arrays
    _need_room(len(X), sum(isinstance(dtype, pd.SparseDtype) for dtype in X.dtypes))
    given = [X.iloc[:, position] for position in range(X.shape[1])]
    encoded = [_encode_column(series, position, columns, dates, categories) for position, series in enumerate(given)]
    if all(new is old for new, old in zip(encoded, given)):
        return X, columns
    frame = pd.concat(encoded, axis=1)
    frame.columns = X.columns
    return frame, columns
