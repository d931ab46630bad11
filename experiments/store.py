"""Jobs and their results: a JSON line each, added when the job ends.

A job is a flat dict; its text with sorted keys is its name. A line is {"job": ..., "records": [...], "seconds": ..., "made_by": ...}. A
study that has run is one compressed file of columns, NAME.json.xz. A run adds its lines to NAME.jsonl, and packs them into the other file
when it ends; each of the two files, or both, make a valid store. A process that is killed while it writes leaves at most one torn line at
the end: it is cut off before the next line is written, and its job runs again.

    python experiments/store.py experiments/jobs/v23.json.xz          # the lines of a packed file
"""

from __future__ import annotations

import fcntl
import itertools
import json
import lzma
import os
import sys
from pathlib import Path
from typing import Any

Job = dict[str, Any]
Line = dict[str, Any]


def name_of(job: Job) -> str:
    return json.dumps(job, sort_keys=True)


def expand(block: dict[str, Any]) -> list[Job]:
    """Every combination of the lists in a block; what is no list holds for all."""
    lists = {key: value if isinstance(value, list) else [value] for key, value in block.items()}
    return [dict(zip(lists, values)) for values in itertools.product(*lists.values())]


class Store:
    def __init__(self, folder: Path, study: str) -> None:
        self.study = study
        self.packed = folder / f"{study}.json.xz"
        self.journal = folder / f"{study}.jsonl"
        folder.mkdir(parents=True, exist_ok=True)

    def lines(self) -> list[Line]:
        """The finished jobs, in the order in which they ended. A later line of the same job replaces the earlier one."""
        lines = _unpacked(self.packed.read_bytes()) if self.packed.exists() else []
        if self.journal.exists():
            with self.journal.open("rb") as file:
                lines += [json.loads(line) for line in file if line.endswith(b"\n")]
        return list({name_of(line["job"]): line for line in lines}.values())

    def finished(self) -> set[str]:
        return {name_of(line["job"]) for line in self.lines()}

    def append(self, line: Line) -> None:
        """Adds a line behind the last whole one; it is on the disk when this returns."""
        with self.journal.open("a+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            file.truncate(_end_of_last_line(file))
            file.write(_written(line))
            file.flush()
            os.fsync(file.fileno())

    def pack(self) -> None:
        """Moves the lines of the journal into the packed file. A process that is killed here leaves lines in both, which is no harm. The
        journal stays, empty, since another run may have it open."""
        if not self.journal.exists() or not self.journal.stat().st_size:
            return
        with self.journal.open("r+b") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            whole = self.packed.with_name(f"{self.packed.name}.new")
            whole.write_bytes(_packed(self.lines()))
            whole.replace(self.packed)
            file.truncate(0)


def _written(line: Line) -> bytes:
    return json.dumps(line, sort_keys=True).encode() + b"\n"


def _packed(lines: list[Line]) -> bytes:
    """Three tables: lines, which have the number of their records in place of them, jobs and records."""
    tables = {
        "lines": [{key: value for key, value in line.items() if key != "job"} | {"records": len(line["records"])} for line in lines],
        "jobs": [line["job"] for line in lines],
        "records": [record for line in lines for record in line["records"]],
    }
    columns = {name: _columns(rows) for name, rows in tables.items()}
    return lzma.compress(json.dumps(columns, separators=(",", ":")).encode(), preset=6 | lzma.PRESET_EXTREME)


def _unpacked(packed: bytes) -> list[Line]:
    lines, jobs, records = (_rows(columns) for columns in json.loads(lzma.decompress(packed)).values())
    rest = iter(records)
    return [{**line, "job": job, "records": list(itertools.islice(rest, line["records"]))} for line, job in zip(lines, jobs)]


def _columns(rows: list[dict[str, Any]]) -> dict[str, Any]:
    """`shape` tells which keys a row has; a column has a value of each row with its key."""
    shapes = {shape: number for number, shape in enumerate(dict.fromkeys(tuple(sorted(row)) for row in rows))}
    keys = sorted({key for shape in shapes for key in shape})
    columns = {key: [row[key] for row in rows if key in row] for key in keys}
    return {"shapes": list(shapes), "shape": [shapes[tuple(sorted(row))] for row in rows], "columns": columns}


def _rows(table: dict[str, Any]) -> list[dict[str, Any]]:
    columns = {key: iter(column) for key, column in table["columns"].items()}
    return [{key: next(columns[key]) for key in table["shapes"][shape]} for shape in table["shape"]]


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


if __name__ == "__main__":
    for line in _unpacked(Path(sys.argv[1]).read_bytes()):
        sys.stdout.buffer.write(_written(line))
