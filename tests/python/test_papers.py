"""docs/papers.md calls a table what its legend says: the words of its status against how the jobs of the table ran."""

import re
import sys
from pathlib import Path

import pytest

tomllib = pytest.importorskip("tomllib", reason="the studies' descriptions are read with Python 3.11 or newer")

ROOT = Path(__file__).parents[2]
EXPERIMENTS = ROOT / "experiments"
sys.path.insert(0, str(EXPERIMENTS))

from records import fits, records_of
from store import Store

PAPERS = (ROOT / "docs/papers.md").read_text()

# What the papers ran as it is run here, or data themselves: of these no status has to tell a way.
AS_PRINTED = {"cart", "cart-trimmed", "cart-depth", "random-forest", "c5.0", "c5.0-training", "local-svm", "measures", "describe", "truth"}
SOLVERS = {"HiGHS": r"HiGHS|^binoct$", "SCIP": r"SCIP|^mm-svm$"}
WORDS = {"search": r"\bsearch(es)?\b", "heuristic": r"\bheuristics?\b", "HiGHS": r"\bHiGHS\b", "SCIP": r"\bSCIP\b"}


def ways_of(records):
    """How the trees of the records were found. A method that proves some of its trees is a search, and so is what solves the rounds of
    a partition; one that proves none is a heuristic."""
    ways = set()
    for method in {record["method"] for record in records} - AS_PRINTED:
        solvers = {name for name, pattern in SOLVERS.items() if re.search(pattern, method)}
        proved = "+" in method or any(record.get("status") == "optimal" for record in records if record["method"] == method)
        ways |= solvers or {"search" if proved else "heuristic"}
    return ways


def named(text):
    """Tables 4 to 6, 8, Figure 7 -> {(table, 4), ...}. Sections keep their full number."""
    text = re.sub(r" ?\([^)]*\)", "", text).replace("Fig.", "Figure").replace("sec.", "Section")
    found = {("section", number) for number in re.findall(r"Section (\d+(?:\.\d+)*)", text)}
    number = r"\d+(?: to \d+)?"
    for kind, numbers in re.findall(rf"(Table|Figure)s? ({number}(?:(?:, | and |, and ){number})*)", text):
        for first, last in re.findall(r"(\d+)(?: to (\d+))?", numbers):
            found |= {(kind.lower(), str(one)) for one in range(int(first), int(last or first) + 1)}
    return found


class Page:
    """A page of docs/results: its tables and pictures by what they show, and the records that each is made of."""

    def __init__(self, name):
        self.text = (ROOT / "docs/results" / f"{name}.md").read_text()
        self.shown = []
        for path in sorted(EXPERIMENTS.glob("*.toml")):
            study = tomllib.loads(path.read_text())
            if study.get("page", path.stem) != name:
                continue
            stores = [Store(EXPERIMENTS / "jobs", one) for one in [path.stem, *study.get("also", [])]]
            records = records_of(line for store in stores for line in store.lines())
            for spec in [*study["tables"], *({"kind": "wins", **plot} for plot in study.get("plots", []))]:
                names = named(spec["title"]) or named(spec.get("published", ""))
                self.shown.append((f"{study['title']} {spec['title']}", names, self.records_of(spec, records)))

    @staticmethod
    def records_of(spec, records):
        panes = spec.get("panes", [])
        drawn = {name for names in panes.values() for name in names} if isinstance(panes, dict) else set()
        places = [one["where"] for one in [*panes, *spec.get("columns", [])] if "where" in one] or [spec.get("where", {})]
        places = [place for one in places for place in (one if isinstance(one, list) else [one])]
        keys = spec.get("by", ["budget"] if spec["kind"] == "true_gaps" else [])
        keys = [keys] if isinstance(keys, str) else keys
        methods = [*spec.get("methods", []), *drawn, *(spec[key] for key in ("first", "second") if key in spec)]
        methods = {name[0] if isinstance(name, list) else name for name in methods}
        return [
            record
            for record in records
            if any(fits(record, place) for place in places)
            and all(key in record for key in keys)
            and (not methods or record["method"] in methods)
            and (spec["kind"] != "methods" or record[spec["by"]] in spec.get("only", [record[spec["by"]]]))
        ]

    def ways(self, names, quoted):
        """Of the tables that a line of papers.md names or quotes; of all tables where it does neither."""
        chosen = [
            records
            for title, shows, records in self.shown
            if (shows & names or any(text in title for text in quoted)) or not (names or quoted)
        ]
        return ways_of([record for records in chosen for record in records])


PAGES = {}


def lines_of(text):
    """What, where and status of each line that leads to a page of results, and how its tables were made."""
    for line in text.splitlines():
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        pages = re.findall(r"\(results/(\w+)\.md", cells[1]) if len(cells) == 3 else []
        if not pages:
            continue
        names, quoted = named(cells[0]), re.findall(r'"([^"]+)"', cells[1])
        ways, missing = set(), set(names)
        for name in pages:
            page = PAGES.get(name) or PAGES.setdefault(name, Page(name))
            ways |= page.ways(names, quoted)
            missing -= named(page.text)
        yield *cells, ways, missing


def contradictions(text):
    for what, _, status, ways, missing in lines_of(text):
        word = re.match(r"\w+", status)[0]
        told = {way for way, pattern in WORDS.items() if re.search(pattern, status)}
        if word == "yes" and ways & {"search", "heuristic"} and not what.startswith("wish"):
            yield f"{what}: yes, and by {ways}"
        if word in ("same", "part") and ways - told:
            yield f"{what}: does not tell of {ways - told}"
        if told - ways:
            yield f"{what}: tells of {told - ways}, which made nothing there"
        if word in ("yes", "same") and {name for name in missing if name[0] == "table"}:
            yield f"{what}: no {sorted(missing)} on the page"
    for status in re.findall(r"\| (yes\b[^|]*) \|$", text, re.MULTILINE):
        if re.search(r"\bby (the|our) (exact )?(search(es)?|heuristics?)\b", status):
            yield f"as printed, and not: {status}"


def test_no_status_contradicts_the_legend():
    legend = set(re.findall(r"^- \*\*(\w+)\*\*: ", PAPERS, re.MULTILINE))
    tables = PAPERS.split("| what | where | status |\n|---|---|---|\n")[1:]
    statuses = [line.rsplit(" | ", 1)[1] for table in tables for line in table.split("\n\n")[0].splitlines()]
    assert len(tables) == 5
    assert {re.match(r"\w*", status)[0] for status in statuses} == legend == {"yes", "same", "part"}
    assert list(contradictions(PAPERS)) == []


def test_planted_contradictions_are_found():
    checked = 0
    for what, where, status, ways, _ in list(lines_of(PAPERS)):
        if what.startswith("wish"):
            continue
        line = f"| {what} | {where} | {status} |"
        assert line in PAPERS
        if ways & {"search", "heuristic"}:
            assert list(contradictions(line)) == []
            assert list(contradictions(f"| {what} | {where} | yes |"))
            assert list(contradictions(f"| {what} | {where} | same |"))
            checked += 1
        assert "SCIP" in ways or list(contradictions(f"| {what} | {where} | same, by SCIP |"))
    assert checked > 15
    assert list(contradictions("| Tables 1 to 90 | [z20](results/z20.md) | yes |"))


def test_named_tables():
    assert named("Tables 1, 2, 17, Fig. 4 (of Table 5): OCT") == {("table", "1"), ("table", "2"), ("table", "17"), ("figure", "4")}
    assert named("Tables 9 to 11 and 13, sec. 6.2") == {("table", str(n)) for n in (9, 10, 11, 13)} | {("section", "6.2")}
