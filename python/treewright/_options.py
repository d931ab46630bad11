"""The library's tables of options and methods, and keyword values as its options.

The tables are the only place where an option is named, typed and explained. The estimators' keywords, their defaults and docstrings are
written from them into ``_estimator.py`` by ``make docs``.
"""

from __future__ import annotations

import ctypes
import difflib
import functools
import inspect
import json
import math
import numbers
import operator
import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, Union

import numpy as np

from ._library import LIB, MethodInfo, OptionInfo, TreewrightError, call, create

# What a text option takes: the text itself, a path, a number, or a list that is written with commas.
TextValue = Union[str, "os.PathLike[str]", float, Iterable[Any]]
Init = TypeVar("Init", bound=Callable[..., None])


@dataclass(frozen=True)
class Option:
    """One line of the option table."""

    name: str
    type: str
    default: str
    range: str
    unit: str
    methods: str
    source: str
    help: str

    @property
    def is_three_way(self) -> bool:
        """Whether its keyword is a bool or "auto"."""
        return self.range == "auto|no|yes"


@dataclass(frozen=True)
class Method:
    """One training method and the options it reads.

    Methods of a ``family`` answer the same question. ``exact`` methods prove their result, given time. Methods with a path (``has_path``)
    find the optimal trees of all values of ``ccp_alpha`` together.
    """

    name: str
    family: str
    description: str
    exact: bool
    has_path: bool
    options: frozenset[str]


def _read_options() -> tuple[Option, ...]:
    lines = []
    for index in range(LIB.tw_option_count()):
        info = OptionInfo()
        call(LIB.tw_option_at, index, ctypes.byref(info))
        lines.append(Option(*(getattr(info, field[0]).decode() for field in OptionInfo._fields_)))
    return tuple(lines)


def _read_methods() -> tuple[Method, ...]:
    lines = []
    for index in range(LIB.tw_method_count()):
        info = MethodInfo()
        call(LIB.tw_method_at, index, ctypes.byref(info))
        name, family, description, options = (text.decode() for text in (info.name, info.family, info.description, info.options))
        lines.append(Method(name, family, description, bool(info.exact), bool(info.has_path), frozenset(options.split(","))))
    return tuple(lines)


OPTIONS = _read_options()
METHODS = _read_methods()

OPTIONS_OF = {method.name: method.options for method in METHODS}
# Every estimator has these, as meta-estimators and habit want; a method that reads neither is not told.
OF_EVERY_ESTIMATOR = ("n_jobs", "random_state")


def _n_jobs(value: Any) -> str:
    if value is None:
        return "1"
    jobs = operator.index(value)
    if jobs == 0:
        raise TreewrightError("n_jobs: 0 threads cannot work (use None, a positive number, or -1 for all cores)", "n_jobs")
    return str(jobs if jobs > 0 else max(1, (os.cpu_count() or 1) + 1 + jobs))


def _random_state(value: Any) -> str:
    if value is None:
        return "0"
    if isinstance(value, np.random.RandomState):
        return str(value.randint(2**31 - 1))
    if isinstance(value, np.random.Generator):
        return str(value.integers(2**31 - 1))
    return str(operator.index(value))


def to_text(option: Option, value: Any) -> str | None:
    """The value as the library reads it; None = leave the default. Raises TypeError when it is of the wrong type."""
    if option.name == "n_jobs":
        return _n_jobs(value)
    if option.name == "random_state":
        return _random_state(value)
    if value is None:
        return None
    if option.name == "max_depth" and isinstance(value, str) and value == "auto":
        return option.default
    if option.type in ("integer", "real"):
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
            raise TypeError(f"{option.name}: {value!r} is no number ({option.help})")
        if option.type == "integer":
            if not isinstance(value, numbers.Integral):
                raise TypeError(f"{option.name}: {value!r} is no whole number ({option.help})")
            return str(int(value))
        number = float(value)
        return "inf" if math.isinf(number) and number > 0 else repr(number)
    if option.is_three_way and isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (str, os.PathLike)):
        return os.fspath(value)
    if option.type == "text" and isinstance(value, numbers.Real) and not isinstance(value, bool):
        return str(value)
    if option.type == "text" and isinstance(value, Mapping):
        return ",".join(f"{name}={float(number)!r}" for name, number in value.items())
    if option.type == "text" and isinstance(value, Iterable):
        return ",".join(str(item) for item in value)
    raise TypeError(f"{option.name}: {value!r} is no text ({option.help})")


def _unlimited_depth(option: Option, method: str) -> str:
    """``max_depth=None`` as scikit-learn means it: a greedy tree grows as deep as it can. ``auto`` has a depth of its own; other methods
    need a limit."""
    if method == "cart":
        return option.range.partition("..")[2]
    if method == "auto":
        return option.default
    what, fix = (
        "an optimal tree needs a limit on its depth",
        "give a number, such as 3; only CARTClassifier and CARTRegressor grow without one",
    )
    raise TreewrightError(f"max_depth: {what} ({fix})", "max_depth", what, fix)


def _with_splits(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """The values, with ``max_leaf_nodes`` as the library's limit on splits."""
    leaves = values.get("max_leaf_nodes")
    if leaves is None:
        return values
    if not isinstance(leaves, numbers.Integral) or isinstance(leaves, bool) or leaves < 2:
        what, fix = f"{leaves!r} is no number of leaves", "give a whole number from 2 on, or None"
        raise TreewrightError(f"max_leaf_nodes: {what} ({fix})", "max_leaf_nodes", what, fix)
    return {**values, "max_splits": int(leaves) - 1}


# Options that say how a training is done, limited, kept and written down, and not which tree it seeks: keys of ``run``.
OF_RUN = frozenset(
    "node_limit stall_limit checkpoint on_existing proof verify disable mip_model mip_start mip_solver write_model write_rows".split()
)
# What is given with the rows: arguments of ``fit``.
OF_FIT = frozenset({"top"})
ON_EXISTING = ("error", "resume", "overwrite")


def _run_error(what: str, fix: str) -> TreewrightError:
    return TreewrightError(f"run: {what} ({fix})", "run", what, fix)


def options_of_run(run: Any, known: Mapping[str, Any]) -> dict[str, Any]:
    """The library's options from an estimator's parameter ``run``, of which it knows these keys with these defaults."""
    given = {} if run is None else run
    if not isinstance(given, Mapping):
        example = next(iter(known), "node_limit")
        raise TypeError(f"run: {run!r} is no dict (give for example run={{{example!r}: ...}}, or None)")
    for name in given:
        if name not in known:
            close = difflib.get_close_matches(str(name), known, n=1)
            raise _run_error(f"it has no {name!r}", f"did you mean {close[0]!r}?" if close else f"it has {', '.join(known)}")
    values = {**known, **given}
    if "on_existing" in known:
        existing, file = values["on_existing"], values["checkpoint"]
        if existing not in ON_EXISTING:
            raise _run_error(f"{existing!r} is nothing to do on_existing", f"use one of {', '.join(map(repr, ON_EXISTING))}")
        if existing != "error" and file is None:
            raise _run_error(f"there is no checkpoint to {existing}", "name its file: checkpoint")
        if existing == "error" and isinstance(file, (str, os.PathLike)) and os.path.exists(file) and os.path.getsize(file) > 0:
            fix = "on_existing='resume' goes on with a checkpoint, 'overwrite' begins it anew; or name another file"
            raise _run_error(f"the checkpoint {os.fspath(file)!r} exists already", fix)
    return values


def text_of_top(top: Any) -> str:
    """The option ``top`` from a dict of splits, in which ``...`` may be Python's."""

    def plain(value: Any) -> Any:
        if value is ...:
            return "..."
        if hasattr(value, "isoformat"):
            return value.isoformat()
        if hasattr(value, "item"):
            return value.item()
        raise TypeError(f"top: {value!r} is no part of a split (give dicts, numbers, texts and ...)")

    if isinstance(top, str):
        return top
    try:
        return json.dumps(top, default=plain, allow_nan=False)
    except ValueError as error:
        raise ValueError("top: it holds NaN, an infinite number or itself (give finite numbers)") from error


def asked_top(top: Any) -> dict[str, Any]:
    """The options that ask for a top: none where it is None."""
    return {} if top is None else {"top": text_of_top(top)}


class OptionSet:
    """The library's options, set from keyword values. ``class_weight`` is left out: the estimator puts it into the row weights."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.handle = create(LIB.tw_options_create)
        values = _with_splits(values)
        method = values.get("method", "oct")
        read = OPTIONS_OF.get(method, frozenset()) if isinstance(method, str) else frozenset()
        for option in OPTIONS:
            if option.name == "class_weight" or option.name not in values:
                continue
            if option.name in OF_EVERY_ESTIMATOR and option.name not in read:
                to_text(option, values[option.name])  # a mistake is one all the same
                continue
            text = to_text(option, values[option.name])
            if option.name == "max_depth" and text is None:
                text = _unlimited_depth(option, str(method))
            if text is not None:
                call(LIB.tw_options_set, self.handle, option.name.encode(), text.encode())

    def depth(self, classes: int) -> int:
        """Levels that a tree may have: max_depth, or what the method takes for so many classes."""
        depth = ctypes.c_int64()
        call(LIB.tw_options_depth, self.handle, classes, ctypes.byref(depth))
        return depth.value

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_options_free(self.handle)


# The keywords of each estimator, for the message about one that it does not have.
_KEYWORDS: dict[str, tuple[str, ...]] = {}


def understanding(init: Init) -> Init:
    """For an estimator's ``__init__`` of keywords: a mistake is told with its remedy."""
    names = _KEYWORDS[init.__qualname__.split(".")[0]] = tuple(inspect.signature(init).parameters)[1:]

    @functools.wraps(init)
    def understood(self: Any, **parameters: Any) -> None:
        for unknown in parameters.keys() - set(names):
            raise TypeError(f"{type(self).__name__} has no parameter {unknown!r} ({_remedy(unknown, names, type(self))})")
        init(self, **parameters)

    return understood  # type: ignore[return-value]


def _remedy(unknown: str, names: Sequence[str], estimator: Any) -> str:
    if unknown in estimator._run:
        return f"it is a key of run: run={{{unknown!r}: ...}}"
    alike = [name for name in _KEYWORDS if ("Regressor" in name) == ("Regressor" in estimator.__name__)]
    others = [name for name in alike if unknown in _KEYWORDS[name]]
    if others:
        return f"{' and '.join(others)} {'has' if len(others) == 1 else 'have'} it"
    close = difflib.get_close_matches(unknown, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"it has {', '.join(names)}"


def unknown_method(estimator: str, method: str, known: Sequence[str]) -> TreewrightError:
    """The error about a method that the estimator does not train by."""
    where, what = "method", f"{method!r} is no method of {estimator}"
    other = f"; treewright.classifier({method!r}) makes an estimator that has it" if method in OPTIONS_OF else ""
    fix = f"use one of {', '.join(known)}" + other
    return TreewrightError(f"{where}: {what} ({fix})", where, what, fix)
