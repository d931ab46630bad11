"""Jobs and their results: one JSON line each, appended when the job ends and never changed.

A job is a flat dict; its text with sorted keys is its name. A line is {"job": ..., "records": [...], "seconds": ..., "made_by": ...}. A
process that is killed while it writes leaves at most one torn line at the end: it is cut off before the next line is written, and its job
runs again.
"""

from __future__ import annotations

import fcntl
import itertools
import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Job = dict[str, Any]


def name_of(job: Job) -> str:
    return json.dumps(job, sort_keys=True)


def expand(block: dict[str, Any]) -> list[Job]:
    """Every combination of the lists in a block; what is no list holds for all."""
    lists = {key: value if isinstance(value, list) else [value] for key, value in block.items()}
    return [dict(zip(lists, values)) for values in itertools.product(*lists.values())]


class Store:
    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)

    def lines(self) -> Iterator[dict[str, Any]]:
        """The finished jobs. A torn last line is no line."""
        if not self.path.exists():
            return
        with self.path.open("rb") as file:
            for line in file:
                if line.endswith(b"\n"):
                    yield json.loads(line)

    def finished(self) -> set[str]:
        return {name_of(line["job"]) for line in self.lines()}

    def append(self, line: dict[str, Any]) -> None:
        """Adds a line behind the last whole one; it is on the disk when this returns."""
        with self.path.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.truncate(_end_of_last_line(file))
            file.write(json.dumps(line, sort_keys=True).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())


def _end_of_last_line(file: Any) -> int:
    end = file.seek(0, os.SEEK_END)
    while end > 0:
        begin = max(0, end - 65536)
        file.seek(begin)
        found = file.read(end - begin).rfind(b"\n")
        if found >= 0:
            return begin + found + 1
        end = begin
    return 0
