"""The shared library behind the package: declarations of its C interface, and its errors as exceptions.

The C header ``treewright.h`` documents every function; nothing here adds meaning.
"""

from __future__ import annotations

import ctypes
import sys
from collections.abc import Sequence
from ctypes import CFUNCTYPE, POINTER, Structure, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint8, c_void_p
from pathlib import Path
from typing import Any, ClassVar

ABI_VERSION = 7

# tw_loss
LOSSES = {"squared_error": 0, "poisson": 1, "survival": 2}
# tw_column_fact
DATES, TEXTS, LEFT_OUT, DAYS, ORDERED, ZONED = range(6)

Listener = CFUNCTYPE(None, c_void_p, c_void_p)
Elsewhere = CFUNCTYPE(None, c_void_p, c_void_p, c_void_p)


class _Struct(Structure):
    """A struct of the interface: it begins with its size in bytes."""

    _fields_: ClassVar[Sequence[tuple[str, type[Any]]]] = [("struct_size", c_size_t)]

    def __init__(self, *values: Any, **members: Any) -> None:
        super().__init__(ctypes.sizeof(type(self)), *values, **members)


class Progress(_Struct):
    _fields_ = [
        ("seconds", c_double),
        ("incumbent", c_double),
        ("bound", c_double),
        ("source", c_char),
        ("text", c_char_p),
        ("subproblems", c_int64),
        ("done", c_double),
        ("closed", c_double),
        ("seconds_left", c_double),
        ("facts", c_int64),
        ("written", c_double),
    ]


class SearchTask(_Struct):
    _fields_ = [("name", c_char_p), ("problem", c_void_p), ("problem_size", c_size_t), ("task", c_char_p), ("seconds", c_double)]


class OptionInfo(_Struct):
    _fields_ = [(name, c_char_p) for name in ("name", "type", "default_value", "range", "unit", "methods", "source", "help")]


class MethodInfo(_Struct):
    _fields_ = [(name, c_char_p) for name in ("name", "family", "description", "options")] + [("exact", c_int32), ("has_path", c_int32)]


class PathPointInfo(_Struct):
    _fields_ = [("splits", c_int64), ("errors", c_double), ("alpha_low", c_double), ("alpha_high", c_double)]


class TradeOffCornerInfo(_Struct):
    _fields_ = [
        (name, c_double) for name in ("false_positives", "false_negatives", "ratio_low", "ratio_high", "negative_weight", "positive_weight")
    ]


class LeastCostInfo(_Struct):
    _fields_ = [("bound", c_double), ("cost", c_double), ("status", c_char_p)]


class NearTreesInfo(_Struct):
    _fields_ = [("size", c_int64), ("best", c_double), ("complete_within", c_double), ("status", c_char_p)]


class ScoredTree(_Struct):
    _fields_ = [("setting", c_int64), ("fold", c_int64)] + [
        (n, c_double) for n in ("alpha_low", "alpha_high", "score", "features", "splits")
    ]


class CurveStep(_Struct):
    _fields_ = [("setting", c_int64)] + [
        (n, c_double) for n in ("alpha_low", "alpha_high", "score", "features", "splits", "standard_error")
    ]


_SUMMARY_REALS = (
    "objective",
    "bound",
    "gap",
    "errors",
    "total_weight",
    "accuracy",
    "seconds",
    "alpha",
    "error_scale",
)
_SUMMARY_COUNTS = (
    "rows",
    "features",
    "classes",
    "nodes",
    "leaves",
    "splits",
    "terms",
    "depth",
    "seed",
    "threads",
    "hyperplane_terms",
    "category_flags",
)


class Summary(_Struct):
    _fields_ = (
        [(name, c_double) for name in _SUMMARY_REALS]
        + [(name, c_int64) for name in _SUMMARY_COUNTS]
        + [(name, c_char_p) for name in ("status", "method", "proved", "selection")]
        + [("verified", c_int64), ("cost", c_double), ("loss", c_double), ("explained", c_double), ("loss_kind", c_int64)]
    )


class FeatureInfo(_Struct):
    _fields_ = [
        ("name", c_char_p),
        ("levels", c_int64),
        *((name, c_int32) for name in ("is_category", "has_missing", "is_date", "is_days", "is_ordered", "is_zoned")),
    ]


class FormatInfo(_Struct):
    _fields_ = [("name", c_char_p), ("extension", c_char_p), ("description", c_char_p)]


class Report(_Struct):
    _fields_ = [
        ("train", c_void_p),
        ("test", c_void_p),
        ("beside", c_void_p),
        ("path", c_void_p),
        ("title", c_char_p),
        ("data_name", c_char_p),
        ("with_rows", c_int32),
        ("notebook", c_int32),
        ("author", c_char_p),
        ("date", c_char_p),
        ("names", c_char_p),
    ]


class Export(_Struct):
    _fields_ = [("name", c_char_p), ("backquotes", c_int32), ("names", c_char_p)]


class Nodes(_Struct):
    _fields_ = [
        ("kind", POINTER(c_int32)),
        ("children_left", POINTER(c_int64)),
        ("children_right", POINTER(c_int64)),
        ("feature", POINTER(c_int64)),
        ("threshold", POINTER(c_double)),
        ("missing_go_to_left", POINTER(c_uint8)),
        ("label", POINTER(c_int32)),
        ("n_node_samples", POINTER(c_int64)),
        ("class_weight", POINTER(c_double)),
        ("term_begin", POINTER(c_int64)),
        ("term_feature", POINTER(c_int64)),
        ("term_weight", POINTER(c_double)),
        ("term_level", POINTER(c_int64)),
        ("term_if_missing", POINTER(c_double)),
        ("set_begin", POINTER(c_int64)),
        ("left_set", POINTER(c_uint8)),
        ("value", POINTER(c_double)),
        ("weight", POINTER(c_double)),
        ("exposure", POINTER(c_double)),
        ("loss", POINTER(c_double)),
    ]


class TreewrightError(ValueError):
    """A mistake in the data, a parameter or a saved tree.

    Attributes
    ----------
    where, what, fix : str
        The place, what is wrong there, and how to mend it.
    """

    def __init__(self, message: str, where: str = "", what: str = "", fix: str = "") -> None:
        super().__init__(message)
        self.where, self.what, self.fix = where, what, fix

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (str(self), self.where, self.what, self.fix)


_OK, _OUT_OF_MEMORY = 0, 6
_USER_MISTAKES = range(1, 5)  # an option, the data, a file, a problem too large


def _load() -> ctypes.CDLL:
    name = {"darwin": "libtreewright_c.dylib", "win32": "treewright_c.dll"}.get(sys.platform, "libtreewright_c.so")
    path = Path(__file__).parent / name
    try:
        library = ctypes.CDLL(str(path))
    except OSError as problem:
        raise ImportError(f"treewright's shared library does not load: {problem} (reinstall the package)") from problem
    found = library.tw_abi_version()
    if found != ABI_VERSION:
        raise ImportError(f"{path} has interface version {found}, the package needs {ABI_VERSION} (reinstall the package)")
    return library


def _declare(library: ctypes.CDLL) -> None:
    handle, out, text_out = c_void_p, POINTER(c_void_p), POINTER(c_void_p)
    names = POINTER(c_char_p)
    for name in ("tw_error_message", "tw_error_where", "tw_error_what", "tw_error_fix", "tw_version", "tw_tune_table_head"):
        getattr(library, name).argtypes, getattr(library, name).restype = [], c_char_p
    for name in (
        "tw_text_free",
        "tw_options_free",
        "tw_dataset_free",
        "tw_stop_free",
        "tw_stop_request",
        "tw_result_free",
        "tw_path_free",
        "tw_trade_off_free",
        "tw_column_worth_free",
        "tw_near_trees_free",
        "tw_solver_free",
    ):
        getattr(library, name).argtypes, getattr(library, name).restype = [handle], None
    for name in ("tw_option_count", "tw_method_count"):
        getattr(library, name).argtypes, getattr(library, name).restype = [], c_int32
    arguments: dict[str, list[Any]] = {
        "tw_option_at": [c_int32, POINTER(OptionInfo)],
        "tw_method_at": [c_int32, POINTER(MethodInfo)],
        "tw_options_create": [out],
        "tw_options_set": [handle, c_char_p, c_char_p],
        "tw_options_depth": [handle, c_int64, POINTER(c_int64)],
        "tw_read_dates": [names, c_int64, c_void_p, POINTER(c_int32)],
        "tw_dataset_create": [c_int64, out],
        "tw_dataset_add_matrix": [handle, c_void_p, c_int32, c_int64, c_int64, c_int64, names],
        "tw_dataset_add_categories": [handle, c_char_p, c_void_p, c_int64, names],
        "tw_dataset_mark": [handle, c_int64, c_int32],
        "tw_dataset_notes": [handle, text_out],
        "tw_dataset_table": [handle, text_out],
        "tw_dataset_set_labels": [handle, c_void_p, c_int64, names],
        "tw_dataset_set_numbers": [handle, c_int32, c_void_p, c_void_p],
        "tw_dataset_set_weights": [handle, c_void_p],
        "tw_dataset_set_costs": [handle, c_void_p],
        "tw_dataset_set_row_costs": [handle, c_void_p],
        "tw_stop_create": [out],
        "tw_fit": [handle, handle, Listener, c_void_p, handle, out],
        "tw_fit_elsewhere": [handle, handle, Elsewhere, c_void_p, Listener, c_void_p, handle, out],
        "tw_answer_set": [handle, c_char_p],
        "tw_solver_create": [c_char_p, c_size_t, out],
        "tw_solver_solve": [handle, c_char_p, handle, text_out],
        "tw_complexity_path": [handle, handle, Listener, c_void_p, handle, out],
        "tw_fold_paths": [handle, POINTER(c_void_p), c_int64, c_double, Listener, c_void_p, handle, POINTER(c_void_p)],
        "tw_tune_table_line": [handle, c_int64, c_char_p, c_int64, c_double, text_out],
        "tw_path_size": [handle, POINTER(c_int64)],
        "tw_path_status": [handle, POINTER(c_char_p)],
        "tw_path_at": [handle, c_int64, POINTER(PathPointInfo)],
        "tw_path_result": [handle, c_int64, out],
        "tw_trade_off_find": [handle, handle, c_char_p, Listener, c_void_p, handle, out],
        "tw_trade_off_size": [handle, POINTER(c_int64)],
        "tw_trade_off_status": [handle, POINTER(c_char_p)],
        "tw_trade_off_at": [handle, c_int64, POINTER(TradeOffCornerInfo)],
        "tw_trade_off_result": [handle, c_int64, out],
        "tw_trade_off_least": [handle, c_double, POINTER(c_double)],
        "tw_trade_off_svg": [handle, handle, text_out],
        "tw_column_worth_find": [handle, handle, c_double, Listener, c_void_p, handle, out],
        "tw_column_worth_size": [handle, POINTER(c_int64)],
        "tw_column_worth_status": [handle, POINTER(c_char_p)],
        "tw_column_worth_best": [handle, POINTER(LeastCostInfo)],
        "tw_column_worth_at": [handle, c_int64, POINTER(c_char_p), POINTER(c_int32), POINTER(LeastCostInfo), POINTER(LeastCostInfo)],
        "tw_column_worth_result": [handle, c_int64, c_int32, out],
        "tw_column_splits": [handle, handle, Listener, c_void_p, handle, text_out],
        "tw_near_trees_find": [handle, handle, c_double, c_int64, c_int32, Listener, c_void_p, handle, out],
        "tw_near_trees_info": [handle, POINTER(NearTreesInfo)],
        "tw_near_trees_result": [handle, c_int64, out],
        "tw_choose": [
            POINTER(ScoredTree),
            c_int64,
            c_char_p,
            POINTER(CurveStep),
            POINTER(c_int64),
            POINTER(CurveStep),
            POINTER(c_double),
            text_out,
        ],
        "tw_result_summary": [handle, POINTER(Summary)],
        "tw_result_feature": [handle, c_int64, POINTER(FeatureInfo)],
        "tw_result_number_text": [handle, c_int64, c_double, text_out],
        "tw_result_explain": [handle, handle, c_int64, handle, text_out],
        "tw_result_counterfactual": [handle, handle, c_int64, handle, text_out],
        "tw_result_change_to": [handle, handle, c_int64, handle, c_double, c_double, text_out],
        "tw_shapley_values": [handle, handle, c_void_p, c_void_p],
        "tw_result_level": [handle, c_int64, c_int64, POINTER(c_char_p)],
        "tw_result_class": [handle, c_int64, POINTER(c_char_p)],
        "tw_result_nodes": [handle, POINTER(Nodes)],
        "tw_row_notes": [handle, handle, text_out],
        "tw_predict": [handle, handle, c_void_p],
        "tw_predict_values": [handle, handle, c_void_p],
        "tw_predict_proba": [handle, handle, c_void_p],
        "tw_predict_shrunk_proba": [handle, handle, c_double, c_void_p],
        "tw_result_shrinkage": [handle, POINTER(c_double)],
        "tw_result_set_shrinkage": [handle, c_double],
        "tw_apply": [handle, handle, c_void_p],
        "tw_decision_path": [handle, handle, c_void_p, c_void_p],
        "tw_result_check": [handle, handle, text_out],
        "tw_format_at": [c_int32, POINTER(FormatInfo)],
        "tw_result_write": [handle, c_char_p, POINTER(Export), handle, text_out, POINTER(c_int64)],
        "tw_result_report": [handle, POINTER(Report), text_out],
        "tw_result_read": [c_char_p, c_size_t, out],
    }
    for name, types in arguments.items():
        getattr(library, name).argtypes, getattr(library, name).restype = types, c_int32


LIB = _load()
_declare(LIB)
VERSION: str = LIB.tw_version().decode()


_UNNAMED = "target 'class'"  # what the library calls a target that nobody has named


def call(function: Any, *arguments: Any) -> None:
    """Calls a function that returns a status; raises when it is not TW_OK."""
    status = function(*arguments)
    if status == _OK:
        return
    message, where, what, fix = (
        read().decode("utf-8", "replace") for read in (LIB.tw_error_message, LIB.tw_error_where, LIB.tw_error_what, LIB.tw_error_fix)
    )
    if status in _USER_MISTAKES:
        if where.startswith(_UNNAMED):
            message, where = (text.replace(_UNNAMED, "y", 1) for text in (message, where))
        raise TreewrightError(message, where, what, fix)
    if status == _OUT_OF_MEMORY:
        raise MemoryError(message)
    raise RuntimeError(message)


def create(function: Any, *arguments: Any) -> c_void_p:
    """Calls a function whose last argument is an output handle; returns the handle."""
    handle = c_void_p()
    call(function, *arguments, ctypes.byref(handle))
    return handle


def borrowed_text(function: Any, *arguments: Any) -> str:
    """Calls a function whose last argument is an output text that stays the library's; returns a copy."""
    text = c_char_p()
    call(function, *arguments, ctypes.byref(text))
    return (text.value or b"").decode("utf-8", "replace")


def take_text(function: Any, *arguments: Any) -> str:
    """Calls a function whose last argument is an output text; returns the text."""
    return owned_text(create(function, *arguments))


def owned_text(text: c_void_p) -> str:
    """A text that the library gave away, which is freed."""
    try:
        return ctypes.string_at(text.value or 0).decode("utf-8", "replace")
    finally:
        LIB.tw_text_free(text)


def take_bytes(function: Any, *arguments: Any) -> bytes:
    """Calls a function whose last arguments are an output text and its length; returns the bytes."""
    text, length = c_void_p(), c_int64()
    call(function, *arguments, ctypes.byref(text), ctypes.byref(length))
    try:
        return ctypes.string_at(text.value or 0, length.value)
    finally:
        LIB.tw_text_free(text)


def names_array(names: Sequence[str]) -> Any:
    """The names as a C array of UTF-8 texts."""
    return (c_char_p * len(names))(*(name.encode("utf-8", "replace") for name in names))
