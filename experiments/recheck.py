"""Runs stored jobs again and compares their records: `run.py --recheck N --seed S`.

Jobs that met a time limit, then or now, are left out, and those that took long: their figures depend on the machine, or their repetition
takes hours. All other figures must be the same on every machine, to the digits that they have; times are not compared.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import train
from store import Line, Store, name_of


def _limited(line: Line) -> bool:
    """Whether a fit met its time limit. A record tells only of the last fit of its job, so a job that took longer than the limit of one fit
    counts as well."""
    told = any(value == "time_limit" for record in line["records"] for value in record.values())
    return told or line["seconds"] > line["job"].get("time_limit", math.inf)


def _comparable(line: Line, most_seconds: float) -> bool:
    return not _limited(line) and line["cpu_seconds"] <= most_seconds and line["seconds"] <= 4 * most_seconds


# The objectives of support vector machines, and what is made of them, have about seven digits.
_DIGITS = 1e-7


def _same(stored: Any, found: Any) -> bool:
    if isinstance(stored, float) and isinstance(found, float | int):
        return math.isclose(stored, found, rel_tol=_DIGITS, abs_tol=1e-12) or (math.isnan(stored) and math.isnan(found))
    return bool(stored == found)


def differences(stored: list[Line], found: list[Line]) -> Iterator[str]:
    """What differs between the records of a job, times apart. Measures that are newer than the stored line do not count."""
    if len(stored) != len(found):
        yield f"{len(stored)} records, now {len(found)}"
    for number, (before, now) in enumerate(zip(stored, found)):
        for key, value in before.items():
            if "seconds" not in key and not _same(value, now.get(key)):
                yield f"record {number}, {key}: {value}, now {now.get(key)}"


def recheck(stores: list[Store], where: dict[str, str], count: int, seed: int, most_seconds: float) -> bool:
    """Whether `count` jobs, picked by the seed, give what their lines say. Prints a line for each."""
    lines = [(store.study, line) for store in stores for line in store.lines() if _comparable(line, most_seconds)]
    picked = random.Random(seed).sample(lines, min(count, len(lines)))
    agree, absent, limited = 0, 0, 0
    for study, line in picked:
        job = line["job"]
        try:
            now = train.run(job, where)
        except FileNotFoundError as error:
            absent += 1
            print(f"{study}: no file {Path(str(error.filename)).name}: {name_of(job)}", flush=True)
            continue
        except ModuleNotFoundError as error:  # of another program that a study compares with
            absent += 1
            print(f"{study}: no package {error.name}: {name_of(job)}", flush=True)
            continue
        if _limited(now):
            limited += 1
            print(f"{study}: met its time limit on this machine: {name_of(job)}", flush=True)
            continue
        found = list(differences(line["records"], now["records"]))
        agree += not found
        print(f"{study}: {'; '.join(found) or 'agrees'}: {name_of(job)}", flush=True)
    left_out = f"{absent} need data or packages that are not here, {limited} met a limit now"
    print(f"{agree} of {len(picked)} stored jobs agree (seed {seed}), {left_out}")
    return agree + absent + limited == len(picked)
