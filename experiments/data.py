"""Data of the experiments: real sets as the papers used them, their splits, and synthetic ones.

A real set is NAME.csv in the data folder: header, columns as in the source, the last one `class`, missing values empty. `datasets.tsv`
says for each which papers use it, and what Bertsimas & Dunn 2017 did with it: which columns they coded as 0/1 columns (one for each level
but the first), which they left out, and how many rows, columns and classes came of it. Rows that lack a value are left out, as there. The
other papers leave out no column, and Ales, Hure & Lambert 2024 (ahl24) take the codes of a category as numbers.
"""

from __future__ import annotations

import csv
import functools
import hashlib
import io
import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np

HERE = Path(__file__).parent


@functools.cache
def catalogue() -> dict[str, dict[str, str]]:
    with (HERE / "datasets.tsv").open(newline="") as file:
        return {row["name"]: row for row in csv.DictReader(file, delimiter="\t")}


def names(group: str) -> list[str]:
    """The data sets of a paper, or `all`, those of few cells first."""
    found = [name for name, entry in catalogue().items() if group in ("all", *entry["papers"].split(","))]
    if not found:
        raise ValueError(f"data group '@{group}' is not known (use @all, @bd17, @dgmp23, @z20 or @ahl24)")
    return sorted(found, key=lambda name: int(catalogue()[name]["n"]) * int(catalogue()[name]["p"]))


def _number(cells: list[str]) -> np.ndarray | None:
    try:
        return np.array(cells, dtype=np.float64)
    except ValueError:
        return None


def _codes(cells: list[str], names: bool) -> np.ndarray:
    """Levels in order of their numbers, or of their names."""
    levels = sorted(set(cells), key=lambda text: text if names else float(text))
    return np.array([levels.index(cell) for cell in cells])


@functools.lru_cache(maxsize=4)
def load(name: str, folder: str, paper: str = "bd17") -> tuple[np.ndarray, np.ndarray]:
    """X of shape (rows, columns) and y of shape (rows,), text, as a paper codes them. Raises ValueError when the set is not what the
    catalogue says."""
    entry = catalogue()[name]
    path = Path(folder) / f"{name}.csv"
    raw = path.read_bytes()
    header, *rows = csv.reader(io.StringIO(raw.decode()))
    dropped = set(filter(None, entry["drop"].split(","))) if paper == "bd17" else set()
    kept = [i for i, column in enumerate(header[:-1]) if column not in dropped]
    rows = [row for row in rows if all(row)]
    coded = set(filter(None, entry["onehot"].split(",")))
    columns = []
    for i in kept:
        cells = [row[i] for row in rows]
        if header[i] in coded:
            values = _number(cells)
            codes = _codes(cells, names=values is None)
            columns += (
                [codes.astype(float)] if paper == "ahl24" else [(codes == level).astype(float) for level in range(1, codes.max() + 1)]
            )
        else:
            columns.append(np.asarray(_number(cells)))
    X, y = np.column_stack(columns), np.array([row[-1] for row in rows])
    found, wanted = (*X.shape, len(set(y))), tuple(int(entry[key]) for key in "npK")
    if paper == "bd17" and found != wanted:
        raise ValueError(f"{path}: {found} rows, columns and classes where the paper has {wanted} (fetch the set again)")
    return X, y


_SPLITS = {"ahl24": "ales2024", "dgmp23": "donofrio2023"}  # where the papers' partitions lie


def published_parts(name: str, folder: str, splits: str, paper: str, column: str) -> dict[str, np.ndarray]:
    """The rows of `load` that a published partition calls train, valid and test. Its file NAME.tsv in the folder of the splits has a
    line for each row of the data: its number from 0, then the part it belongs to in each partition."""
    with (Path(folder) / f"{name}.csv").open(newline="") as file:
        complete = [all(row) for row in list(csv.reader(file))[1:]]
    number = np.cumsum(complete) - 1
    # The two codings of this set have the same rows.
    with (Path(splits) / _SPLITS[paper] / f"{'car-evaluation' if name == 'car-evaluation-binoct' else name}.tsv").open(newline="") as file:
        lines = list(csv.DictReader(file, delimiter="\t"))
    parts = ("train", "valid", "test")
    return {
        part: np.array([number[int(line["row"])] for line in lines if line[column] == part and complete[int(line["row"])]], int)
        for part in parts
    }


def checksum_holds(name: str, folder: str) -> bool:
    return hashlib.sha256((Path(folder) / f"{name}.csv").read_bytes()).hexdigest() == catalogue()[name]["sha256"]


def holdout(y: np.ndarray, seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Training, validation and test rows: 50, 25 and 25 %, each class in proportion."""
    from sklearn.model_selection import train_test_split

    rows = np.arange(len(y))
    rest, test = train_test_split(rows, test_size=0.25, stratify=y, random_state=seed)
    train, valid = train_test_split(rest, test_size=1 / 3, stratify=_if_possible(y[rest]), random_state=seed)
    return np.sort(train), np.sort(valid), np.sort(test)


def _if_possible(y: np.ndarray) -> np.ndarray | None:
    return y if min(np.unique(y, return_counts=True)[1]) >= 2 else None


def run_on(X: np.ndarray, y: np.ndarray, command: str, name: str, *arguments: str) -> str:
    """What `treewright NAME` prints about these rows."""
    lines = [",".join([*(f"x{j}" for j in range(X.shape[1])), "class"])]
    lines += [",".join([*map(repr, map(float, row)), label]) for row, label in zip(X, y)]
    whole = [command, name, "-", "--format", "csv", "--header", "yes", *arguments]
    return subprocess.run(whole, input="\n".join(lines), capture_output=True, text=True, check=True).stdout


def measures_of_clusters(command: str, X: np.ndarray, y: np.ndarray, algorithms: tuple[str, ...], rho: float) -> list[dict[str, object]]:
    """What `treewright partition` says of the clusters that each algorithm makes of the rows."""
    said = {name: run_on(X, y, command, "partition", "--partition", name, "--cluster-share", str(rho), "--json") for name in algorithms}
    return [{"algorithm": name, **json.loads(text)} for name, text in said.items()]


def representatives(
    command: str, X: np.ndarray, y: np.ndarray, algorithm: str, rho: float = 0.25
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The means of the clusters that an algorithm makes of the rows: X, y and weights."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "representatives.csv"
        run_on(X, y, command, "partition", "--partition", algorithm, "--cluster-share", str(rho), "--representatives", str(file))
        with file.open(newline="") as opened:
            _, *rows = csv.reader(opened)
    return np.array([row[:-2] for row in rows], float), np.array([row[-1] for row in rows]), np.array([row[-2] for row in rows], float)


def synthetic(command: str, part: str, **options: object) -> tuple[np.ndarray, np.ndarray]:
    """A data set of `treewright generate`: X, y."""
    flags = []
    for name, value in options.items():
        flags += [f"--{name.replace('_', '-')}"] + ([] if value is True else [str(value)])
    done = subprocess.run([command, "generate", part, *flags], capture_output=True, text=True, check=True)
    _, *rows = csv.reader(io.StringIO(done.stdout))
    return np.array([row[:-1] for row in rows], float), np.array([row[-1] for row in rows])
