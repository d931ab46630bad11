"""How new rows find the levels of a tree: the rule of the library (``Levels``, src/treewright/tree/levels.cpp)."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence

_NUMBER = re.compile(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?")


def _number(text: str) -> float | None:
    value = float(text) if _NUMBER.fullmatch(text) else math.inf
    return value if math.isfinite(value) else None


class Levels:
    """The levels of a feature by their texts and by their numbers; a number that several levels have belongs to none of them.

    Parameters
    ----------
    names : sequence of str
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._of_text = {name: code for code, name in enumerate(names)}
        self._of_number: dict[float, int | None] = {}
        for code, name in enumerate(names):
            number = _number(name)
            if number is not None:
                self._of_number[number] = None if number in self._of_number else code

    def of_text(self, text: str) -> int | None:
        """The code of a level; None = no level."""
        number = _number(text)
        return self._of_text.get(text, None if number is None else self._of_number.get(number))

    def of_number(self, number: float) -> int | None:
        """The same for a number; where several levels have it, the one that is written in the shortest way."""
        code = self._of_number.get(number)
        if code is not None or number not in self._of_number or abs(number) >= 2**53:
            return code
        return self._of_text.get(str(int(number)) if float(number).is_integer() else repr(float(number)))

    def name_of_truth(self, value: bool) -> str:
        """The level that stands for True or False: named so, or true, or TRUE, or the number 1."""
        text = str(bool(value))
        for name in (text, text.lower(), text.upper()):
            if name in self._of_text:
                return name
        return str(int(value)) if self.of_number(float(value)) is not None else text.lower()
