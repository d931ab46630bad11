"""Writes python/treewright/_estimator.py, the estimators with their keywords, from the library's tables: `make docs` runs it.

A family of methods is an estimator: its keywords are the options that its methods read.
"""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

from estimator_texts import (
    ATTRIBUTES,
    AUTO,
    AXIS,
    CALLBACK,
    CART,
    COMPARED_ATTRIBUTES,
    COST_MATRIX,
    CV_ATTRIBUTES,
    CV_PARAMETERS,
    CV_REPLACES,
    HYPERPLANE,
    MAX_LEAF_NODES,
    REFERENCES,
    RUN,
    SHOWN,
    SHRINKAGE,
    SINGLE,
    SPECIAL,
    TEXTS,
    TUNED,
    VERBOSE,
    Estimator,
)
from treewright._options import OF_EVERY_ESTIMATOR, OF_FIT, OF_RUN

from treewright import METHODS, OPTIONS, Option

TARGET = Path(__file__).parents[1] / "python" / "treewright" / "_estimator.py"
WIDTH = 132

# What an estimator can do beside training one tree.
BASES = {AXIS.name: "AnalyzedClassifier", HYPERPLANE.name: "PathClassifier", CART.name: "PathClassifier", AUTO.name: "ComparedClassifier"}

# Of an option's type: the keyword's, and what the documentation calls it.
TYPES = {"integer": ("int", "int"), "real": ("float", "float"), "text": ("TextValue", "str")}


# A keyword: its name, type, default, and the two parts of its documentation.
Keyword = tuple[str, str, Any, str, str]


def methods_of(estimator: Estimator) -> list[str]:
    """The estimator's methods, its usual one first."""
    return list(estimator.methods) or [method.name for method in METHODS if method.family == estimator.family]


def default_of(option: Option) -> Any:
    """The keyword's default: the table's, with None for "no limit", "no text" and scikit-learn's own conventions."""
    if option.name in (*SPECIAL, "svm_cost") or option.default in ("", "inf"):
        return None
    if option.name == "max_depth":
        return 3
    if option.type == "integer":
        return None if option.default == "-1" else int(option.default)
    if option.type == "real":
        value = float(option.default)
        # "1" rows are written as an int, as scikit-learn does.
        return int(value) if value == 1 else value
    return option.default


def literal(values: Iterable[str]) -> str:
    """The type of one of these texts."""
    return f"Literal[{', '.join(quoted(value) for value in values)}]"


def quoted(value: Any) -> str:
    """A value as Python code, texts in double quotes."""
    return '"' + value + '"' if isinstance(value, str) else repr(value)


def sentence(option: Option, family: str) -> str:
    """What the option does, in words of Python. The table's help gets a capital, unless it begins with a value, and a full stop."""
    text = TEXTS.get((option.name, family)) or TEXTS.get(option.name)
    if text is not None:
        return text
    text = option.help.partition("; -1 = 3")[0]
    if default_of(option) is None:
        text = text.replace("-1 = no limit", "None = no limit").replace("empty = ", "None = ").replace("0 = chosen", "None = chosen")
    return text + "." if option.default and text.startswith(option.default) else text[0].upper() + text[1:] + "."


def range_of(option: Option) -> str:
    """The numbers that the keyword takes: its None is the table's -1, and a limit that nobody reaches is not told."""
    low, high = option.range.split("..")
    # A split asks about one column at least.
    low = low.replace("-1", "1" if option.name == "max_terms" else "0")
    return f"At least {low}." if float(high) >= 1e6 else f"{low} to {high}."


def keyword(option: Option, estimator: Estimator, methods: list[str]) -> Keyword:
    """The keyword of an option in an estimator of these methods, whose defaults may differ from the table's."""
    default = estimator.defaults.get(option.name, default_of(option))
    none = " | None" if default is None or default_of(option) is None else ""
    readers = [method.name for method in METHODS if method.name in methods and option.name in method.options]
    if option.name in SPECIAL:
        kind, shown, text = SPECIAL[option.name]
        if option.name in OF_EVERY_ESTIMATOR and (not readers or option.name in estimator.unread):
            text = "Not read; scikit-learn's meta-estimators set it."
        elif len(readers) < len(methods):
            text += f" Read by {', '.join(readers)}."
        return option.name, kind, default, f"{option.name} : {shown}, default={default!r}", text
    notes = []
    if option.name == "max_depth" and default is None:
        notes.append("None = 4, or one level more than the classes need, whichever is more.")
    if option.name == "max_depth" and default == "auto":
        notes.append("'auto' = 3, or one level more than the classes need, whichever is more.")
        if "oct" in methods:
            notes.append(
                "Deeper than 3 for that reason, without a limit of its own, the search stops after 200,000 subproblems, "
                "on tables of more than 50,000 cells sooner."
            )
    if option.is_three_way:
        kind, shown = 'bool | Literal["auto"]', "bool or 'auto'"
    elif option.type == "choice":
        kind, shown = literal(option.range.split("|")), "{" + ", ".join(repr(choice) for choice in option.range.split("|")) + "}"
    else:
        kind, shown = TYPES[option.type]
        shown = SHOWN.get(option.name, shown)
        if option.name == "max_depth" and default == "auto":
            kind, shown = f'{kind} | Literal["auto"]', f"{shown} or 'auto'"
        if option.unit and (option.name, estimator.family) not in TEXTS:
            notes.append(f"Unit: {option.unit}.")
        if option.range:
            notes.append(range_of(option))
    if len(readers) < len(methods):
        notes.append(f"Read by {', '.join(readers)}.")
    if option.source:
        notes.append(f"Source: {option.source}.")
    head = f"{option.name} : {shown}{' or None' if none else ''}, default={default!r}"
    return option.name, kind + none, default, head, " ".join([sentence(option, estimator.family), *notes])


def run_keyword(parts: list[Keyword]) -> Keyword:
    """`run`, whose keys have these names, defaults and documentation."""
    name, kind, default, head, text = RUN
    keys = [f"- ``{part}`` ({shown.partition(' : ')[2]}): {told}" for part, _, _, shown, told in parts]
    return name, kind, default, head, "\n".join([text, "", *keys])


def method_keyword(methods: list[str]) -> Keyword:
    """`method` among the family's."""
    described = {method.name: method.description for method in METHODS}
    lines = ["How the tree is trained.", "", *(f"- ``{name}``: {described[name]}" for name in methods)]
    return "method", literal(methods), methods[0], f"method : str, default={methods[0]!r}", "\n".join(lines)


def options_of(estimator: Estimator) -> list[Option]:
    """The options that the family reads, in the order of the table."""
    own = methods_of(estimator)
    read = set(OF_EVERY_ESTIMATOR).union(*(method.options for method in METHODS if method.name in own))
    return [option for option in OPTIONS if option.name in read and option.name not in estimator.without]


def run_parts(estimator: Estimator) -> list[Keyword]:
    """The keys of `run`."""
    made = []
    for option in options_of(estimator):
        if option.name in OF_RUN:
            made.append(keyword(option, estimator, methods_of(estimator)))
    return made


def keywords(estimator: Estimator) -> list[Keyword]:
    """The parameters that the family's options make, `run` last."""
    own = methods_of(estimator)
    made = [method_keyword(own)] if len(own) > 1 else []
    for option in options_of(estimator):
        if option.name == "max_splits":
            made.append(MAX_LEAF_NODES)
        elif option.name not in ("method", *OF_FIT, *OF_RUN):
            made.append(keyword(option, estimator, own))
        if option.name == "class_weight" and estimator.family in (AXIS.family, HYPERPLANE.family, CART.family, AUTO.family):
            name, kind, default, head, text = COST_MATRIX
            made.append((name, kind, default, head, text + (" Not for every method: the others refuse it." if len(own) > 1 else "")))
    parts = run_parts(estimator)
    return [*made, run_keyword(parts)] if parts else made


def filled(text: str, indent: str = "") -> str:
    """Paragraphs, which empty lines part, filled to the width; a list keeps its items."""

    def fill(item: str) -> str:
        return textwrap.fill(item, WIDTH, initial_indent=indent, subsequent_indent=indent + ("  " if item.startswith("- ") else ""))

    paragraphs = inspect.cleandoc(text).split("\n\n")
    blocks = [paragraph.split("\n") if paragraph.startswith("- ") else [" ".join(paragraph.split())] for paragraph in paragraphs]
    return "\n\n".join("\n".join(map(fill, block)) for block in blocks)


def section(title: str, body: str) -> str:
    """A titled part of a docstring."""
    return f"{title}\n{'-' * len(title)}\n{body.rstrip()}\n"


def docstring(estimator: Estimator, words: list[Keyword], attributes: str) -> str:
    """The class's docstring, without quotes or indentation."""
    others = ", ".join(f":class:`{one.name}`" for one in SINGLE if one is not AXIS)
    parts = [estimator.summary + "\n", filled(estimator.about.replace("%OTHERS%", others)) + "\n"]
    parts.append(section("Parameters", "\n".join(f"{head}\n{filled(text, '    ')}" for _, _, _, head, text in words)))
    parts.append(section("Attributes", attributes))
    if estimator.notes:
        parts.append(section("Notes", filled(f"{estimator.notes}\n\nCtrl-C during ``fit`` keeps the best tree so far.")))
    cited = {name: text for name, text in REFERENCES.items() if any(name in part for part in parts)}
    parts.append(section("References", "\n".join(f"{name}: {text}." for name, text in cited.items())))
    parts.append(section("Examples", textwrap.dedent(estimator.example).strip()))
    return "\n".join(parts).rstrip()


def annotated(name: str, kind: str, default: Any) -> str:
    """A keyword of the signature; a type that is too long for a line stands on several."""
    line = f"        {name}: {kind} = {quoted(default)},"
    if len(line) <= 140:
        return line
    values = kind[len("Literal[") : -1].split(", ")
    return f"        {name}: Literal[\n" + "".join(f"            {value},\n" for value in values) + f"        ] = {quoted(default)},"


def class_of(estimator: Estimator, base: str, words: list[Keyword], attributes: str, members: str) -> str:
    """The class as Python code."""
    doc = textwrap.indent(docstring(estimator, words, attributes), "    ").strip()
    signature = "\n".join(annotated(name, kind, default) for name, kind, default, _, _ in words)
    body = "\n".join(f"        self.{name} = {name}" for name, *_ in words)
    return f'''class {estimator.name}({base}):
    """{doc}
    """

{members}

    @understanding
    def __init__(
        self,
        *,
{signature}
    ) -> None:
{body}
'''


def methods_member(names: Iterable[str]) -> str:
    """The class attribute that lists the methods."""
    values = [quoted(name) for name in names]
    line = f"    _methods = ({', '.join(values)}{',' if len(values) == 1 else ''})"
    return line if len(line) <= 140 else "    _methods = (\n" + "".join(f"        {value},\n" for value in values) + "    )"


def run_member(parts: list[Keyword]) -> str:
    """The class attribute that lists the keys of `run` with their defaults."""
    items = [f"{quoted(name)}: {quoted(default)}" for name, _, default, _, _ in parts]
    head, line = "    _run: ClassVar[dict[str, Any]] = {", ", ".join(items)
    return f"{head}{line}}}" if len(head + line) < 140 else f"{head}\n" + "".join(f"        {item},\n" for item in items) + "    }"


def module() -> str:
    """The text of the module."""
    classes = []
    for one in SINGLE:
        words = [*keywords(one), SHRINKAGE, VERBOSE, CALLBACK]
        attributes = ATTRIBUTES + (COMPARED_ATTRIBUTES if one is AUTO else "")
        members = "\n".join([methods_member(methods_of(one)), *([run_member(parts)] if (parts := run_parts(one)) else [])])
        members += f"\n    _solver = {quoted(one.solver)}" if one.solver else ""
        classes.append(class_of(one, BASES.get(one.name, "TreeClassifier"), words, attributes, members))
    for single, tuned in TUNED.items():
        chosen = replace(tuned, without=(*single.without, *CV_REPLACES), defaults={**single.defaults, **tuned.defaults})
        members = f"    _methods = {single.name}._methods\n{run_member(run_parts(chosen))}\n    _single = {single.name}"
        classes.append(class_of(tuned, "TunedClassifier", [*keywords(chosen), SHRINKAGE, *CV_PARAMETERS], CV_ATTRIBUTES, members))
    head = '''"""The estimators. Generated by `make docs` from the library's tables (tools/estimators.py); a test compares them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar, Literal

import numpy as np

from ._analyzed import AnalyzedClassifier
from ._base import TreeClassifier
from ._compared import ComparedClassifier
from ._cv import TunedClassifier
from ._generic import classifier as classifier  # knows the classes of this module
from ._options import TextValue, understanding
from ._path import PathClassifier
from ._running import Progress


'''
    return head + "\n\n".join(classes)


if __name__ == "__main__":
    TARGET.write_text(module(), encoding="utf-8")
