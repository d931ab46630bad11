"""Fetches the real data sets from the UCI repository: python experiments/fetch.py --out DIR [NAME ...]

Each set of datasets.tsv with a `uci_id` is written as NAME.csv, features in the order of the source and the target last, missing values
empty. The repository's copies differ in places from those the results in docs/results were made with (names of columns, coding of
classes, sets of several files): the checksum in datasets.tsv tells, and a set that does not match is written as NAME.csv.unchecked for you
to look at.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import data


def fetch(name: str, out: Path) -> str:
    from ucimlrepo import fetch_ucirepo

    entry = data.catalogue()[name]
    if not entry["uci_id"]:
        return "is not in the UCI repository"
    found = fetch_ucirepo(id=int(entry["uci_id"]))
    table = found.data.features.assign(**{"class": found.data.targets.iloc[:, 0]})
    path = out / f"{name}.csv"
    table.to_csv(path, index=False)
    if data.checksum_holds(name, str(out)):
        return "fetched, as used"
    path.replace(path.with_suffix(".csv.unchecked"))
    return f"fetched, but differs from the copy used here: {path}.unchecked"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help="default: all")
    parser.add_argument("--out", type=Path, required=True)
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    for name in arguments.names or data.catalogue():
        try:
            print(f"{name}: {fetch(name, arguments.out)}")
        except Exception as problem:  # one set that cannot be had must not cost the others
            print(f"{name}: {problem}")


if __name__ == "__main__":
    main()
