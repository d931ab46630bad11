"""Warnings that point at the user's program."""

from __future__ import annotations

import os
import sys
import warnings


def warn(message: str, category: type[Warning]) -> None:
    """Warns of the line outside of this package that led here."""
    here, frame, level = os.path.dirname(__file__), sys._getframe(), 1
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == here:
        frame, level = frame.f_back, level + 1
    warnings.warn(message, category, stacklevel=level)
