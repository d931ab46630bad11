"""Twelve files as users bring them, each from the raw file to a tree, its predictions, its report and its exports.

The command reads the raw file. Beside it stands what a person means by the file: a table read by pandas with everything said, or, of the
files that are made here, the values from which the text was written. All predictions must agree, row by row.
"""

from __future__ import annotations

import gzip
import io
import random
import sqlite3
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from evaluators import run_in_node

import treewright as tw

pd = pytest.importorskip("pandas")

ROOT = Path(__file__).parents[2]
COMMAND = ROOT / "build/release/treewright"
DIRTY = Path(__file__).parent / "dirty"


@dataclass
class RawFile:
    """A file, how it is trained on, and what is meant by its rows."""

    name: str
    content: bytes
    meant: pd.DataFrame
    options: list[str]
    notes: list[str] = field(default_factory=list)
    """What training must say of the file."""


def read(name: str, **how: object) -> tuple[bytes, pd.DataFrame]:
    content = (DIRTY / name).read_bytes()
    return content, pd.read_csv(io.BytesIO(content), **how)


def kept_files() -> list[RawFile]:
    """The six files of the folder."""
    files = []
    content, frame = read("iris-index.csv")
    files.append(RawFile("iris-index.csv", content, frame.iloc[:, 2:-1], ["--max-depth", "2"], ["only counts the rows"]))
    content, frame = read("heart-unknown.csv", na_values=["unknown", "-"])
    meant = frame[frame["disease"].notna()].drop(columns=["patient", "hospital", "disease"])
    options = ["--drop-unlabeled", "--missing", "unknown,-", "--drop", "patient,hospital", "--max-depth", "3"]
    files.append(RawFile("heart-unknown.csv", content, meant, options))
    content, frame = read("banknote-comma.csv", sep=";", decimal=",", encoding="utf-8-sig")
    files.append(RawFile("banknote-comma.csv", content, frame.drop(columns="class"), ["--max-depth", "3"]))
    content, frame = read("haberman-dates.csv", sep="|", parse_dates=["born", "operation"])
    files.append(RawFile("haberman-dates.csv", content, frame.drop(columns="survived"), ["--max-depth", "3"]))
    content, frame = read("wholesale-spreadsheet.tsv", sep="\t", thousands=",")
    meant = frame.drop(columns=["channel_code", "currency", "channel"])
    meant["fresh_share"] = meant["fresh_share"].str.rstrip(" %").astype(float)
    files.append(RawFile("wholesale-spreadsheet.tsv", content, meant, ["--max-depth", "3"], ["a copy of the target"]))
    content, frame = read("wine-quantity.csv", na_values=["None", "NULL"])
    meant = frame[frame["cultivar"].notna()].drop(columns="cultivar")
    options = ["--target", "cultivar", "--missing", "None,NULL", "--drop-unlabeled", "--max-depth", "2"]
    files.append(RawFile("wine-quantity.csv", content, meant, options))
    return files


def made(name: str, content: bytes, rows: list[dict[str, object]], options: list[str], notes: list[str]) -> RawFile:
    meant = pd.DataFrame(rows)
    for column in meant:
        if meant[column].map(lambda value: value is None or isinstance(value, (int, float))).all():
            meant[column] = meant[column].astype(float)
    return RawFile(name, content, meant, options, notes)


def comma(value: float) -> str:
    return str(value).replace(".", ",")


def latin_file(draw: random.Random) -> RawFile:
    """Remarks on top, Latin-1, semicolons, decimal commas, signs for missing values in several spellings."""
    lines = ["# exported 2024-05-31", "# Grüße aus der Klinik; bitte nicht ändern", "Größe;Stadt;Puls;Befund"]
    rows = []
    for _ in range(240):
        size, town, pulse = round(draw.uniform(1.4, 2.1), 2), draw.choice(["Zürich", "Genève", "Köln"]), draw.randrange(48, 120)
        sick = (size > 1.75) != (town == "Köln") if draw.random() < 0.9 else draw.random() < 0.5
        lost = draw.random() < 0.08
        rows.append({"Größe": size, "Stadt": town, "Puls": None if lost else pulse})
        lines.append(f"{comma(size)};{town};{draw.choice(['n/a', 'N/A', 'NULL', '']) if lost else pulse};{'krank' if sick else 'gesund'}")
    content = "\r\n".join(lines).encode("cp1252")
    return made("klinik.csv", content, rows, ["--max-depth", "2"], ["the first 2 lines begin with '#'", "Windows-1252"])


def codes_file(draw: random.Random) -> RawFile:
    """Identifiers in any order, postal codes with zeros in front, a category of 300 levels, as a compressed file."""
    towns = [f"town {i:03}" for i in range(300)]
    lines, rows = ["customer,zip,town,income,buys"], []
    for customer in draw.sample(range(10_000, 99_999), 3_000):
        town, zip_code, income = draw.choice(towns), draw.choice(["00501", "02108", "94105"]), draw.randrange(10, 200)
        buys = (income > 90) != (zip_code == "02108") if draw.random() < 0.95 else draw.random() < 0.5
        rows.append({"zip": zip_code, "town": town, "income": income})
        lines.append(f"{customer},{zip_code},{town},{income},{'yes' if buys else 'no'}")
    content = gzip.compress("\n".join(lines).encode(), mtime=0)
    notes = ["column 'customer' holds another whole number in each row", "column 'town' has 300 categories"]
    return made("customers.csv.gz", content, rows, ["--max-depth", "2", "--categorical", "zip"], notes)


def equal_names_file(draw: random.Random) -> RawFile:
    """Tabs, two columns of one name, a word among numbers, a weight for each row, the target in front."""
    lines, rows = ["label\trooms\tarea\tarea\tweight"], []
    for _ in range(300):
        rooms, first, second = draw.randrange(1, 9), draw.randrange(20, 200), draw.randrange(20, 200)
        many = draw.random() < 0.02
        label = "dear" if first + 3 * rooms > 120 else "cheap"
        rows.append({"rooms": None if many else rooms, "area": first, "area.1": second})
        lines.append(f"{label}\t{'many' if many else rooms}\t{first}\t{second}\t{draw.choice([1, 2, 0.5])}")
    options = ["--target", "label", "--weights", "weight", "--missing", "many", "--max-depth", "2"]
    return made("flats.tsv", "\n".join(lines).encode(), rows, options, ["several columns are called 'area'"])


def dates_file(draw: random.Random) -> RawFile:
    """Dates that begin with the day, answers in several spellings."""
    lines, rows = ["visit,paid,answer"], []
    for _ in range(260):
        day = pd.Timestamp("2023-01-01") + pd.Timedelta(days=draw.randrange(700))
        paid = draw.choice(["cash", "card", None])
        answer = "yes" if (day < pd.Timestamp("2023-09-12")) == (paid != "cash") else "no"
        rows.append({"visit": day, "paid": paid})
        lines.append(f"{day:%d.%m.%Y},{paid or 'NaN'},{answer.capitalize() if draw.random() < 0.02 else answer}")
    return made("visits.csv", "\n".join(lines).encode(), rows, ["--max-depth", "2"], ["differ in capital letters only"])


def hostile_file(draw: random.Random) -> RawFile:
    """Names and levels that are pieces of programs, quotes, separators and line ends within cells, 26 classes."""
    names = ["<script>alert(1)</script>", 'a "b", c']
    levels = ["it's", 'say ""hi""', "two\nlines", "semi;colon", "=1+1"]
    lines, rows = ['"<script>alert(1)</script>","a ""b"", c",class'], []
    for i in range(520):
        level, number = draw.choice(levels), i % 26 + draw.choice([0, 0.25, 0.5])
        rows.append({names[0]: number, names[1]: level.replace('""', '"')})
        lines.append(f'{number},"{level}",{chr(97 + i % 26)}')
    content = b"\xef\xbb\xbf" + "\r\n".join(lines).encode()
    return made("hostile.csv", content, rows, ["--max-depth", "4"], [])


def quantity_file(draw: random.Random) -> RawFile:
    """A target of numbers, in three classes of about equally many rows; separated thousands and percentages."""
    lines, rows = ["district;share;area;price"], []
    for _ in range(300):
        district, share, area = draw.choice(["north", "south", "west"]), draw.randrange(0, 101), draw.randrange(600, 4000)
        price = area * (3 if district == "west" else 2) + 10 * share + draw.randrange(50)
        rows.append({"district": district, "share": share, "area": area})
        lines.append(f"{district};{share} %;{area:,};{price}")
    return made("prices.csv", "\n".join(lines).encode(), rows, ["--bins", "3", "--decimal", ".", "--max-depth", "2"], [])


def files() -> list[RawFile]:
    draw = random.Random(4)
    makers = (latin_file, codes_file, equal_names_file, dates_file, hostile_file, quantity_file)
    return [*kept_files(), *(maker(draw) for maker in makers)]


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    done = subprocess.run([COMMAND, *arguments], cwd=folder, capture_output=True, text=True, check=False, encoding="utf-8")
    assert done.returncode == 0, done.stderr
    return done


def plain_rows(frame: pd.DataFrame) -> list[dict[str, object]]:
    """Rows as a program has them: numbers, texts, dates, None."""
    return [{name: None if pd.isna(value) else value for name, value in row.items()} for row in frame.to_dict("records")]


def by_python(text: str, rows: list[dict[str, object]]) -> list[str]:
    namespace: dict[str, object] = {}
    exec(compile(text, "tree.py", "exec"), namespace)
    return [namespace["predict"](row) for row in rows]  # type: ignore[operator]


def by_sql(text: str, rows: list[dict[str, object]]) -> list[str]:
    """SQLite keeps dates as text and has no literals for them."""
    names = ", ".join('"' + name.replace('"', '""') + '"' for name in rows[0])
    base = sqlite3.connect(":memory:")
    base.execute(f"CREATE TABLE rows ({names})")
    cells = [tuple(str(value)[:10] if isinstance(value, pd.Timestamp) else value for value in row.values()) for row in rows]
    base.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(rows[0]))})", cells)
    return [row[0] for row in base.execute(f"SELECT {text.replace('DATE ', '')} FROM rows ORDER BY rowid")]


@pytest.mark.skipif(not COMMAND.exists(), reason="the command is not built")
@pytest.mark.parametrize("raw", files(), ids=lambda raw: raw.name)
def test_from_raw_file_to_predictions(raw, tmp_path):
    (tmp_path / raw.name).write_bytes(raw.content)
    said = run(tmp_path, "fit", raw.name, *raw.options, "--out", "tree.json", "--html", "tree.html")
    for note in raw.notes:
        assert note in said.stderr
    assert run(tmp_path, "check", "tree.json", raw.name).stdout.startswith("holds: ")
    run(tmp_path, "predict", "tree.json", raw.name, "--out", "labels.csv")
    labels = pd.read_csv(tmp_path / "labels.csv", dtype=str, keep_default_na=False).iloc[:, 0].tolist()
    tree = tw.load(tmp_path / "tree.json")
    features = [feature.name for feature in tree.tree_.features]
    meant = raw.meant.reindex(columns=features)
    if len(labels) > len(meant):  # rows without a label are predicted, too
        assert "--drop-unlabeled" in raw.options
        labels = [labels[row] for row in meant.index]
    assert len(labels) == len(meant)
    assert len(set(labels)) > 1

    rows = plain_rows(meant)
    assert tree.predict(meant).astype(str).tolist() == labels
    assert by_python(tree.export("python", meant), rows) == labels
    assert by_sql(tree.export("sql", meant), rows) == labels
    written = [{name: str(value)[:10] if isinstance(value, pd.Timestamp) else value for name, value in row.items()} for row in rows]
    assert [label for label, _ in run_in_node(tree.export("javascript", meant), written, tmp_path)] == labels
    tree.export("onnx", meant)  # runs the file on the rows

    page = (tmp_path / "tree.html").read_text(encoding="utf-8")
    assert "<script>alert(1)" not in page
    assert f"recounted on the {len(meant)} rows" in page
