"""Every notation of the table in docs/command.md, in files of random columns: the tree of a file names the same class for the file as it
stands, and for the plain values in each export, in pandas, polars and Arrow, in R, and in plain CSV and ARFF files."""

import csv
import ctypes
import gzip
import io
import json
import os
import random
import re
import shutil
import sqlite3
import subprocess
import sys
import zipfile
from datetime import datetime, timedelta, timezone
from pathlib import Path

import pytest
from evaluators import Pmml, Sheet, run_in_node

import treewright as tw

pd = pytest.importorskip("pandas")

ROOT = Path(__file__).parents[2]
ROWS = 160
MONTHS = "January February March April May June July August September October November December".split()


def amounts(draw, digits=2):
    """Positive and negative, small and large: some thousands among them, and numbers without."""
    values = [round(draw.uniform(1, 9) * 10 ** draw.randint(0, 5), digits) for _ in range(24)]
    return [*values, 1234567.25, 1234, *(-value for value in values[:6])]


def whole(draw):
    return [draw.randint(1, 999) for _ in range(12)] + [draw.randint(1000, 99_999_999) for _ in range(12)]


def moments(draw, seconds=False):
    found = [datetime(draw.randint(1970, 2067), draw.randint(1, 12), draw.randint(1, 28)) for _ in range(30)]
    return [day + timedelta(minutes=draw.randint(0, 1439)) for day in found] if seconds else found


def numbers(texts, values):
    return list(zip(texts, map(float, values)))


def grouped(value, digits, thousands, point):
    return f"{value:,.{digits}f}".translate({ord(","): thousands, ord("."): point})


def in_lakhs(value):
    head, tail = str(value)[:-3], str(value)[-3:]
    return ",".join([*re.findall(r"\d{1,2}(?=(?:\d\d)*$)", head), tail])


def plain(draw):
    values = amounts(draw)
    return numbers([draw.choice([repr, "{:+.2f}".format, "{:.9e}".format])(value) for value in values], values)


def written(make):
    return lambda draw: [(make(value), float(value)) for value in amounts(draw)]


def scientific(draw):
    texts = [f"{value:.2E}" for value in amounts(draw)]
    return [(text.replace(".", ","), float(text)) for text in texts]


def written_whole(make):
    return lambda draw: [(make(value), float(value)) for value in whole(draw)]


def thousands_of(sign):
    """1.234, 2.500 and 80: some numbers end in a zero, and some are too short to be parted."""
    return lambda draw: [(f"{value:,}".replace(",", sign), float(value)) for value in [*whole(draw), 2500, 80, 7]]


def thousandths(sign, padded):
    """1.125 and 80, where the sign is the decimal mark. `padded`: 2.500 as well."""

    def make(draw):
        values = [draw.randint(1, 999) + draw.choice([0.125, 0.25, 0.375, 0.123]) for _ in range(24)]
        texts = [f"{value:.3f}" if padded or value * 100 % 1 else repr(value) for value in values]
        short = [] if padded == "all" else [("80", 80.0), ("7", 7.0)]
        return numbers([text.replace(".", sign) for text in texts], values) + short

    return make


def negative(make):
    return lambda draw: [(make(-value) if value < 0 else str(value), float(value)) for value in [*whole(draw), -5, -17, -4000]]


def thousands_short(draw):
    return numbers(["900", "3.5k", "1.2M", "17k", "40", "0.25M"], [900, 3500, 1.2e6, 17000, 40, 250000])


def blank(draw):
    sign = draw.choice([" ", "\u2009", "\u00a0", "\u202f"])
    return [(f"{value:,}".replace(",", sign), float(value)) for value in whole(draw)]


def quote(draw):
    sign = ord(draw.choice("'\u2019"))
    return [(grouped(value, 2, sign, "."), float(value)) for value in amounts(draw)]


def accounting(draw):
    """As spreadsheets show amounts of money: a dash is zero."""
    values = amounts(draw)
    texts = [f"$ {value:,.2f}" if value > 0 else f"$ ({-value:,.2f})" for value in values]
    return [*numbers(texts, values), ("$ -", 0.0), ("$ -", 0.0)]


def without_cents(mark, thousands, *dashes):
    """80.- and 12.50: no minus."""

    def make(draw):
        round_ones = [(f"{value:,}".replace(",", thousands) + mark + draw.choice(dashes), float(value)) for value in whole(draw)]
        broken = [round(abs(value), 2) for value in amounts(draw)]
        return [*round_ones, *numbers([grouped(value, 2, thousands, mark) for value in broken], broken)]

    return make


def levels(*texts):
    return lambda draw: [(text, text) for text in texts]


def dates(*makers, seconds=False):
    return lambda draw: [
        (draw.choice(makers)(moment), moment) for moment in [*moments(draw, seconds), datetime(1999, 4, 1), datetime(2020, 3, 25)]
    ]


def early_days(draw):
    """All of them fit both orders."""
    return [
        (f"{moment.day:02}/{moment.month:02}/{moment.year}", moment)
        for moment in (one.replace(day=one.day % 12 + 1) for one in moments(draw))
    ]


def afternoon(moment):
    return f"{moment.month}/{moment.day}/{moment.year} {moment.hour % 12 or 12}:{moment.minute:02} {'AP'[moment.hour > 11]}M"


def after_comma(moment):
    half = "pm" if moment.hour > 11 else "am"
    return f"{moment:%d/%m/%Y}, {moment.hour % 12 or 12}:{moment.minute:02} {half[0]}.{half[1]}."


def british(moment):
    return f"{moment.day} {'Sept' if moment.month == 9 else MONTHS[moment.month - 1][:3]} {moment.year}"


def zoned(*makers):
    return lambda draw: [(draw.choice(makers)(moment), moment.replace(tzinfo=timezone.utc)) for moment in moments(draw, True)]


def at_hours(hours):
    return lambda moment: (moment.replace(tzinfo=timezone.utc).astimezone(timezone(timedelta(hours=hours)))).isoformat()


def times(draw):
    texts = [f"{hour}:{minute:02}" for hour, minute in ((draw.randint(0, 23), draw.randint(0, 59)) for _ in range(20))]
    found = [(text, int(text.split(":")[0]) + int(text.split(":")[1]) / 60) for text in texts]
    return [*found, ("1:15 PM", 13.25), ("36:00:00", 36.0), ("9:05 AM", 9 + 5 / 60)]


POINT, COMMA, ANY = ".", ",", ""
# By the cells that the table shows: the decimal mark that such a column needs in its file, and its cells with their plain values.
NOTATIONS = {
    "`1.5`, `-2e3`, `+7`": (POINT, plain),
    "`1,5`, `-0,25`": (COMMA, written(lambda value: f"{value:.2f}".replace(".", ","))),
    "`1,22E+04`, `-8,5E-01`": (COMMA, scientific),
    "`1.234,50`, `900,25`": (COMMA, written(lambda value: grouped(value, 2, ".", ","))),
    "`1,234.50`, `900.25`": (POINT, written(lambda value: f"{value:,.2f}")),
    "`12 345`, `7` (also with thin and no-break spaces)": (ANY, blank),
    "`1'234.50`, `80.00` (also with \u2019)": (POINT, quote),
    "`12,34,567`, `5,000`": (POINT, written_whole(in_lakhs)),
    "`1,234`, `5`": (POINT, thousands_of(",")),
    "`1,234`, `5` with semicolons": (COMMA, thousandths(",", "")),
    "`1,234`, `5` beside `0,5`": (COMMA, thousandths(",", "")),
    "`1.234`, `5`": (POINT, thousandths(".", "")),
    "`1.234`, `5` beside `0.5`": (POINT, thousandths(".", "")),
    "`1.234`, `5` with semicolons": (COMMA, thousands_of(".")),
    "`1.234`, `5` beside `0,5`": (COMMA, thousands_of(".")),
    '`1.234`, `2.500`, `80` with commas, beside `"0,5"`': (COMMA, thousands_of(".")),
    "`1.234`, `2.500`, `80.000`": (POINT, thousandths(".", "all")),
    "`45 %`, `3.5%`": (POINT, written(lambda value: f"{value!r} %")),
    "`45 %`, `0.3`": (ANY, levels("45 %", "0.3", "12 %", "7")),
    "`$1,234.56`, `-$3`": (POINT, written(lambda value: f"{'-' * (value < 0)}${abs(value):,.2f}")),
    "`1.234,56 \u20ac`, `12,50 \u20ac`": (COMMA, written(lambda value: grouped(value, 2, ".", ",") + " \u20ac")),
    "`CHF 5`, `CHF 7.5`": (POINT, written(lambda value: f"CHF {value!r}")),
    "`5 \u20ac`, `$6`": (ANY, levels("5 \u20ac", "$6", "7 \u20ac", "$8")),
    "`12 \u00b0C`, `-3.5 \u00b0C`": (POINT, written(lambda value: f"{value!r} \u00b0C")),
    "`5 kg`, `200 g`": (ANY, levels("5 kg", "200 g", "1 kg")),
    "`(1,234.50)`, `3`": (POINT, written(lambda value: f"({-value:,.2f})" if value < 0 else f"{value:,.2f}")),
    "`$ 1,234.50`, `$ -`": (POINT, accounting),
    "`5-`, `3`": (ANY, negative(lambda size: f"{size}-")),
    "`1'234.\u2013`, `80.-`, `12.50`": (POINT, without_cents(".", "'", "-", "\u2013", "--")),
    "`1.234,-`, `80,--`": (COMMA, without_cents(",", ".", "-", "--")),
    "`\u22125`, `3` (the minus of typesetters)": (ANY, negative(lambda size: f"\u2212{size}")),
    "`\u20135`, `3` (a dash)": (ANY, negative(lambda size: f"\u2013{size}")),
    "`3.5k`, `900`, `1.2M`": (POINT, thousands_short),
    "`1700000000000000001`, `1700000000000000002`": (ANY, levels(*(str(1700000000000000000 + i) for i in range(8)))),
    "`2020-03-25`, `2020/3/1`, `2020.03.02`": (ANY, dates("{:%Y-%m-%d}".format, "{0.year}/{0.month}/{0.day}".format, "{:%Y.%m.%d}".format)),
    "`2020-03-25 12:30`, `2020-03-25T06:00:05`": (ANY, dates("{:%Y-%m-%d %H:%M}".format, "{:%Y-%m-%dT%H:%M:%S}".format, seconds=True)),
    "`25.03.2020`, `1.4.2020`": (ANY, dates("{:%d.%m.%Y}".format, "{0.day}.{0.month}.{0.year}".format)),
    "`25/03/2020`, `01/04/2020`": (ANY, dates("{:%d/%m/%Y}".format)),
    "`3/25/2020 1:30 PM`, `4/1/2020 9:05 AM`": (ANY, dates(afternoon, seconds=True)),
    "`03/04/2020`, `05/06/2020` beside `25/12/2020`": (ANY, early_days),
    "`25 Mar 2020`, `1-April-2020`, `25MAR2020`": (
        ANY,
        dates(
            lambda day: f"{day.day} {MONTHS[day.month - 1][:3]} {day.year}",
            lambda day: f"{day.day}-{MONTHS[day.month - 1]}-{day.year}",
            lambda day: f"{day.day:02}{MONTHS[day.month - 1][:3].upper()}{day.year}",
        ),
    ),
    "`Mar 25, 2020`, `April 1, 2020`": (ANY, dates(lambda day: f"{MONTHS[day.month - 1]} {day.day}, {day.year}")),
    "`25/03/20`, `01/04/99`": (ANY, dates("{:%d/%m/%y}".format)),
    "`25 Sept 2020`, `1 Oct 2020`": (ANY, dates(british)),
    "`25/03/2020, 13:30:00`, `01/04/2020, 9:05 p.m.`": (ANY, dates("{:%d/%m/%Y, %H:%M:%S}".format, after_comma, seconds=True)),
    "`2020-03-25 12:30:15,250`, `2020-03-26 06:00:00`": (ANY, dates("{:%Y-%m-%d %H:%M:%S}".format, "{},000".format, seconds=True)),
    "`2024-03-30T20:00:00+01:00`, `2024-03-31 02:00Z`": (ANY, zoned(at_hours(1), at_hours(-5), "{:%Y-%m-%d %H:%M}Z".format)),
    "`2024-03-30 20:00:00 UTC`, `2024-03-31 02:00:00+00`": (ANY, zoned("{} UTC".format, "{}+00".format)),
    "`2024-03-30 20:00+01:00`, `2024-03-31 02:00`": (ANY, levels("2024-03-30 20:00+01:00", "2024-03-31 02:00", "2024-04-01 02:00")),
    "`12:30`, `1:15 PM`, `36:00:00`": (ANY, times),
    "`A12`, `B7`": (ANY, levels("A12", "B7", "C", "d")),
}  # fmt: skip
# Those that decide the mark alone, by the separator of their file.
ALONE = {
    "`1.234`, `2.500`, `80` with commas": (",", thousandths(".", "some")),
    "`1.234`, `2.500`, `80` with tabs": ("\t", thousands_of(".")),
    "`1.234`, `2.500`, `80` with semicolons": (";", thousands_of(".")),
    "`1,234`, `2,500`, `80` with semicolons": (";", thousands_of(",")),
}
MONTH_FIRST, EITHER_ORDER = "`3/25/2020 1:30 PM`, `4/1/2020 9:05 AM`", "`03/04/2020`, `05/06/2020` beside `25/12/2020`"
DAY_FIRST = "`25/03/2020`, `01/04/2020`"


def test_no_row_of_the_table_is_left_out():
    page = (ROOT / "docs" / "command.md").read_text(encoding="utf-8")
    table = page.split("| cells of a column | read as | note |\n|---|---|---|\n")[1].split("\n\n")[0]
    rows = [line[2:].split(" | ")[:2] for line in table.splitlines()]
    elsewhere = [cells for cells, reading in rows if " for a tree of " in cells or reading.startswith("an error")]
    assert sorted(cells for cells, _ in rows if cells not in elsewhere) == sorted([*NOTATIONS, *ALONE])


def files(seed=7):
    """Every notation in some file, beside four others."""
    draw = random.Random(seed)
    for mark, proof in ((POINT, "`1.5`, `-2e3`, `+7`"), (COMMA, "`1,5`, `-0,25`")):
        names = [name for name, (needs, _) in NOTATIONS.items() if needs in (mark, ANY) and name not in (proof, EITHER_ORDER, MONTH_FIRST)]
        draw.shuffle(names)
        for i in range(0, len(names), 4):
            yield draw.choice(",;\t" if mark == POINT else ";\t"), [proof, *names[i : i + 4]]
    yield ",", ["`1.5`, `-2e3`, `+7`", EITHER_ORDER, DAY_FIRST]
    yield ";", ["`1.5`, `-2e3`, `+7`", MONTH_FIRST]
    for name, (separator, _) in ALONE.items():
        yield separator, [name, "`A12`, `B7`"]


def rank(value):
    return value.timestamp() if isinstance(value, datetime) else value


def packed(content, folder, draw):
    path = folder / ("rows.csv" + draw.choice(["", ".gz", ".zip"]))
    if path.suffix == ".zip":
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr("rows.csv", content)
    else:
        path.write_bytes(gzip.compress(content) if path.suffix == ".gz" else content)
    return path


class Rows:
    """A file of random rows in these notations, and their plain values: a number, a text, a datetime or None."""

    def __init__(self, folder, seed, separator, notations):
        draw = random.Random(seed)
        self.names = [draw.choice(["v{}", "gr\u00f6\u00dfe {}", 'a "b" {}']).format(i) for i in range(len(notations))]
        pools = [(ALONE if notation in ALONE else NOTATIONS)[notation][1](draw) for notation in notations]
        columns = [pool + [("", None) if draw.random() < 0.04 else draw.choice(pool) for _ in range(ROWS - len(pool))] for pool in pools]
        score = [0.0] * ROWS
        for column in columns:
            order = sorted({value for _, value in column if value is not None}, key=rank)
            place, slope = {value: i / len(order) for i, value in enumerate(order)}, draw.choice([-1, 1])
            for row, (_, value) in enumerate(column):
                score[row] += slope * place.get(value, 0.5)
        middle = sorted(score)[ROWS // 2]
        labels = ["high" if (one < middle) ^ (draw.random() < 0.04) else "low" for one in score]
        self.values = [dict(zip(self.names, (column[row][1] for column in columns))) for row in range(ROWS)]
        text = io.StringIO(newline="")
        writer = csv.writer(text, delimiter=separator, lineterminator=draw.choice(["\r\n", "\n"]))
        writer.writerow([*self.names, "label"])
        writer.writerows([*(column[row][0] for column in columns), labels[row]] for row in range(ROWS))
        self.path = packed(text.getvalue().encode(draw.choice(["utf-8", "utf-8-sig", "utf-16", "utf-16-le"])), folder, draw)

    def table(self, of_moment):
        return [{name: of_moment(value) if isinstance(value, datetime) else value for name, value in row.items()} for row in self.values]


def iso(moment):
    return moment.strftime("%Y-%m-%d %H:%M:%S") + ("+00:00" if moment.tzinfo else "")


def days(moment):
    return int((moment.replace(tzinfo=None) - datetime(1970, 1, 1)) / timedelta(seconds=1)) / 86400


def run(*arguments):
    return subprocess.run([Path(sys.executable).parent / "treewright", *map(str, arguments)], capture_output=True, text=True)


def by_c(tree, rows, folder, language):
    compiler = shutil.which("cc" if language == "c" else "c++")
    if compiler is None:
        return None
    (folder / f"tree.{'c' if language == 'c' else 'h'}").write_text(tree.export(language, name="tree"), encoding="utf-8")
    source = folder / f"main.{language}"
    if language == "c":
        source.write_text('#include "tree.c"\nint label(const double* x) { return tree_predict(x); }\n')
    else:
        source.write_text('#include "tree.h"\nextern "C" int label(const double* x) { return tree::predict(x); }\n')
    subprocess.run([compiler, "-shared", "-fPIC", source, "-o", folder / f"{language}.so"], check=True)
    label = ctypes.CDLL(str(folder / f"{language}.so")).label
    codes = [{level: float(code) for code, level in enumerate(feature.levels or ())} for feature in tree.tree_.features]
    nan = float("nan")
    found = []
    for row in rows.table(days):
        cells = [nan if value is None else codes[i][value] if isinstance(value, str) else value for i, value in enumerate(row.values())]
        found.append(tree.tree_.class_names[label((ctypes.c_double * len(cells))(*cells))])
    return found


def by_sql(tree, rows):
    query = re.sub(r"\b(DATE|TIMESTAMP( WITH TIME ZONE)?) '", "'", tree.export("sql"))
    base = sqlite3.connect(":memory:")
    quoted = ['"' + name.replace('"', '""') + '"' for name in rows.names]
    base.execute(f"CREATE TABLE rows ({', '.join(quoted)})")
    base.executemany(f"INSERT INTO rows VALUES ({', '.join('?' * len(quoted))})", [list(row.values()) for row in rows.table(iso)])
    return [row[0] for row in base.execute(f"SELECT {query} FROM rows ORDER BY rowid")]


def by_r(rows, folder):
    """By the R package where it is installed; `make r` leaves it in build/r."""
    library = ROOT / "build" / "r" / "treewright.Rcheck"
    if shutil.which("Rscript") is None or not (library / "treewright" / "DESCRIPTION").exists():
        return None
    columns = {name: [row[name] for row in rows.table(iso)] for name in rows.names}
    kinds = {name: next(value for row in rows.values if (value := row[name]) is not None) for name in rows.names}
    (folder / "r.json").write_text(json.dumps({"names": rows.names, "columns": list(columns.values())}), encoding="utf-8")
    convert = []
    for i, value in enumerate(kinds.values(), 1):
        if isinstance(value, datetime):
            convert.append(f"d[[{i}]] <- as.POSIXct(sub('[+].*', '', d[[{i}]])" + (", tz = 'UTC')" if value.tzinfo else ")"))
    script = (
        "library(treewright)\ngiven <- jsonlite::fromJSON('r.json', simplifyVector = FALSE)\n"
        "d <- lapply(given$columns, function(x) unlist(lapply(x, function(v) if (is.null(v)) NA else v)))\n"
        + "\n".join(convert)
        + "\nd <- structure(as.data.frame(d), names = unlist(given$names))\n"
        "cat(as.character(predict(read_tree('tree.json'), d)), sep = '\\n')\n"
    )
    environment = {**os.environ, "R_LIBS": str(library), "TZ": "America/New_York"}
    done = subprocess.run(["Rscript", "-e", script], cwd=folder, capture_output=True, text=True, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.split()


def by_arff(tree_file, rows, folder):
    """An ARFF file has dates without a zone only."""
    kinds = {name: next(value for row in rows.values if (value := row[name]) is not None) for name in rows.names}
    if any(isinstance(value, datetime) and value.tzinfo for value in kinds.values()):
        return None

    def quoted(text):
        return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"

    lines = ["@relation rows"]
    for name, value in kinds.items():
        levels = sorted({quoted(row[name]) for row in rows.values if row[name] is not None}) if isinstance(value, str) else []
        kind = "{" + ", ".join(levels) + "}" if levels else 'date "yyyy-MM-dd HH:mm:ss"' if isinstance(value, datetime) else "numeric"
        lines.append(f"@attribute {quoted(name)} {kind}")
    lines.append("@data")
    for row in rows.table(iso):
        lines.append(",".join("?" if value is None else quoted(value) if isinstance(value, str) else repr(value) for value in row.values()))
    (folder / "rows.arff").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return run("predict", tree_file, folder / "rows.arff").stdout.splitlines()[1:]


def by_polars(tree, rows):
    polars = pytest.importorskip("polars")
    return tree.predict(polars.DataFrame({name: [row[name] for row in rows.values] for name in rows.names})).tolist()


def by_arrow(tree, rows):
    pyarrow = pytest.importorskip("pyarrow")
    return tree.predict(pyarrow.Table.from_pandas(frame_of(rows))).tolist()


def frame_of(rows):
    frame = pd.DataFrame({name: [row[name] for row in rows.values] for name in rows.names})
    for name in rows.names:
        known = [value for value in frame[name].tolist() if isinstance(value, datetime)]
        if known:
            frame[name] = pd.to_datetime(frame[name], utc=known[0].tzinfo is not None)
    return frame


@pytest.mark.parametrize("number, file", list(enumerate(files())))
def test_from_the_file_to_each_export(number, file, tmp_path):
    separator, notations = file
    rows = Rows(tmp_path, number, separator, notations)
    method = ["cart", "oct"][number % 2]
    made = tmp_path / "tree.json"
    done = run("fit", rows.path, "--method", method, "--max-depth", 4 if method == "cart" else 3, "--time-limit", 20, "--out", made)
    assert done.returncode == 0, done.stderr
    tree = tw.load(made)
    features = tree.tree_.features
    assert [feature.name for feature in features] == rows.names, done.stderr
    for i, feature in enumerate(features):
        sample = next(row[feature.name] for row in rows.values if row[feature.name] is not None)
        assert (feature.levels is not None, feature.date) == (isinstance(sample, str), isinstance(sample, datetime)), notations[i]
        assert feature.zoned == (feature.date and sample.tzinfo is not None), notations[i]
    predicted = run("predict", made, rows.path)
    expected = predicted.stdout.splitlines()[1:]
    assert len(expected) == ROWS and set(expected) == {"low", "high"}, predicted.stderr
    found = {"pandas": tree.predict(frame_of(rows)).tolist()}
    frame_of(rows).to_csv(tmp_path / "plain.csv", index=False)
    found["plain file"] = run("predict", made, tmp_path / "plain.csv").stdout.splitlines()[1:]
    found["polars"], found["arff"], found["arrow"] = by_polars(tree, rows), by_arff(made, rows, tmp_path), by_arrow(tree, rows)
    program = {}
    exec(compile(tree.export("python"), "tree.py", "exec"), program)
    found["python"] = [program["predict"](row) for row in rows.table(lambda moment: moment)]
    naive = rows.table(lambda moment: iso(moment.replace(tzinfo=None)))
    found["javascript"] = [label for label, _ in run_in_node(tree.export("javascript"), naive, tmp_path)]
    sheet, model = Sheet(tree.export("excel").rstrip("\n")), Pmml(tree.export("pmml"))
    zero = days(datetime(1899, 12, 30))
    found["excel"] = [sheet.predict(list(row.values())) for row in rows.table(lambda moment: days(moment) - zero)]
    found["pmml"] = [model.predict(row)[0] for row in rows.table(days)]
    found["sql"] = by_sql(tree, rows)
    found["c"], found["c++"] = by_c(tree, rows, tmp_path, "c"), by_c(tree, rows, tmp_path, "cpp")
    found["r"] = by_r(rows, tmp_path)
    tree.export("onnx", frame_of(rows))  # runs it on each row, where onnxruntime is installed
    for how, labels in found.items():
        assert labels in (None, expected), (how, notations)
