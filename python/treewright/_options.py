"""Estimator parameters from the library's option table.

The table is the only place where an option is named, typed and explained: the keywords of the estimators, their defaults
and the parameter section of their docstrings are made from it when the package is imported.
"""

from __future__ import annotations

import ctypes
import inspect
import math
import numbers
import operator
import os
import textwrap
import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from ._library import LIB, MethodInfo, OptionInfo, TreewrightError, call, create


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
    old_name: str


@dataclass(frozen=True)
class Method:
    """One training method and the options it reads; ``exact`` methods prove their result, given time."""

    name: str
    description: str
    exact: bool
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
        lines.append(Method(info.name.decode(), info.description.decode(), bool(info.exact), frozenset(info.options.decode().split(","))))
    return tuple(lines)


OPTIONS = _read_options()
METHODS = _read_methods()

_OLD_NAMES = {option.old_name: option.name for option in OPTIONS if option.old_name}
_READ_BY = {method.name: method.options for method in METHODS}
# Meta-estimators set these on every estimator that has them, whatever its method: a method that reads neither is not told.
_OF_EVERY_ESTIMATOR = ("n_jobs", "random_state")

# scikit-learn's conventions for these differ from the table's: see `_n_jobs`, `_random_state` and the estimator's class weights.
_SPECIAL = {
    "class_weight": "None, 'balanced', or a dict {class: weight}. 'balanced' gives every class the same total weight",
    "n_jobs": "threads of one fit. None = 1, -1 = all cores, -2 = all but one (as scikit-learn); nothing to methods that do not read it",
    "random_state": "None, an int, or a numpy.random.RandomState to draw a seed from. Same seed, same data: same tree. Nothing to methods that do not read it",
}


def default_of(option: Option) -> Any:
    """The keyword's default: the table's, with None for "no limit", "no text" and scikit-learn's own conventions."""
    if option.name in _SPECIAL or option.default in ("", "inf"):
        return None
    if option.type == "integer":
        return None if option.default == "-1" else int(option.default)
    if option.type == "real":
        value = float(option.default)
        # "1" rows or levels are written as an int, as scikit-learn does; a price stays a float.
        return int(value) if value == 1 else value
    return option.default


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
    if option.type in ("integer", "real"):
        if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
            raise TypeError(f"{option.name}: {value!r} is no number ({option.help})")
        if option.type == "integer":
            if not isinstance(value, numbers.Integral):
                raise TypeError(f"{option.name}: {value!r} is no whole number ({option.help})")
            return str(int(value))
        number = float(value)
        return "inf" if math.isinf(number) and number > 0 else repr(number)
    if isinstance(value, str):
        return value
    if option.type == "text" and isinstance(value, Iterable):
        return ",".join(str(item) for item in value)
    raise TypeError(f"{option.name}: {value!r} is no text ({option.help})")


def of_today(parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters by the names of today; a FutureWarning tells of names of earlier versions."""
    renamed = {}
    for name, value in parameters.items():
        if name in _OLD_NAMES:
            warnings.warn(f"{name} is now called {_OLD_NAMES[name]}", FutureWarning, stacklevel=3)
        renamed[_OLD_NAMES.get(name, name)] = value
    return renamed


class OptionSet:
    """The library's options, set from keyword values. ``class_weight`` is left out: the estimator puts it into the row weights."""

    def __init__(self, values: Mapping[str, Any]) -> None:
        self.handle = create(LIB.tw_options_create)
        method = values.get("method", "oct")
        read = _READ_BY.get(method, frozenset()) if isinstance(method, str) else frozenset()
        for option in OPTIONS:
            if option.name == "class_weight" or option.name not in values:
                continue
            if option.name in _OF_EVERY_ESTIMATOR and option.name not in read:
                to_text(option, values[option.name])  # a mistake is one all the same
                continue
            text = to_text(option, values[option.name])
            if text is not None:
                call(LIB.tw_options_set, self.handle, option.name.encode(), text.encode())

    def __del__(self) -> None:
        if hasattr(self, "handle"):
            LIB.tw_options_free(self.handle)


def _parameter_text(option: Option) -> str:
    kind = {"integer": "int", "real": "float", "choice": "str", "text": "str"}[option.type]
    if option.type == "choice":
        kind = "{" + ", ".join(repr(choice) for choice in option.range.split("|")) + "}"
    default = default_of(option)
    head = f"{option.name} : {kind}{' or None' if default is None else ''}, default={default!r}"
    details = _SPECIAL.get(option.name, option.help)
    if default is None and option.name not in _SPECIAL:
        details = details.replace("-1 = no limit", "None = no limit").replace("empty = ", "None = ")
    notes = []
    if option.unit:
        notes.append(f"Unit: {option.unit}.")
    if option.type in ("integer", "real") and option.range and option.name not in _SPECIAL:
        notes.append(f"Range: {option.range}.")
    if option.methods != "all":
        notes.append(f"Read by: {option.methods}.")
    if option.source:
        notes.append(f"Source: {option.source}.")
    body = f"{details[0].upper()}{details[1:]}." + "".join(" " + note for note in notes)
    return head + "\n" + textwrap.fill(body, 100, initial_indent="    ", subsequent_indent="    ")


def parameters_text(skip: tuple[str, ...] = ()) -> str:
    """The docstring section of all options, indented for a class."""
    return textwrap.indent("\n".join(_parameter_text(option) for option in OPTIONS if option.name not in skip), "    ").lstrip()


def with_keywords(skip: tuple[str, ...] = (), **own: Any) -> Callable[[type], type]:
    """Class decorator: ``__init__`` with one keyword for each option and each of ``own``, and nothing but storing them."""
    defaults = {option.name: default_of(option) for option in OPTIONS if option.name not in skip} | own

    def decorate(cls: type) -> type:
        signature = inspect.Signature(
            [inspect.Parameter("self", inspect.Parameter.POSITIONAL_OR_KEYWORD)]
            + [inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default) for name, default in defaults.items()]
        )

        def __init__(self: Any, **parameters: Any) -> None:
            parameters = of_today(parameters)
            for unknown in parameters.keys() - defaults.keys():
                raise TypeError(f"{cls.__name__} has no parameter {unknown!r}; it has {', '.join(defaults)}")
            for name, default in defaults.items():
                setattr(self, name, parameters.get(name, default))

        __init__.__signature__ = signature  # type: ignore[attr-defined]
        __init__.__qualname__ = f"{cls.__qualname__}.__init__"
        cls.__init__ = __init__  # type: ignore[misc]
        if cls.__doc__:
            cls.__doc__ = cls.__doc__.replace("%OPTIONS%", parameters_text(skip))
        return cls

    return decorate
