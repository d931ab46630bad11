"""Checks figures in the text of pages against the tables of docs/results: figures.py [--update] PAGE...

A comment behind a figure names the cell that it comes from:

    MARGOT's mean accuracy is 89.1<!-- dgmp23 / Table 5 / mean / margot: accuracy -->.

The parts are the page of docs/results, the first words of a heading, the first cells of a row, and the column, or the words of an item
before its colon and `list`; a last part `paper` asks for the figure in brackets. A unit (" %", " s") may stand between figure and comment.
The figure must be the cell's, rounded to the digits shown. In a paragraph, list item or table row with such a comment, or with a link to a
page of results, every number with a decimal point needs one.

--update writes the true figures into the pages. The exit status is 1 if a figure is wrong.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIGURE = re.compile(r"(?P<figure>[-+]?\d[\d,]*(?:\.\d+)?)(?P<unit> ?[%a-z]*)<!-- (?P<cell>[\w-]+ / [^<>]+) -->")
NUMBER = re.compile(r"[-+]?\d[\d,]*(?:\.\d+)?(?:e[-+]?\d+)?")


def tables_of(page: str) -> Iterator[tuple[str, list[str], list[list[str]]]]:
    """Heading (above the first, the page's title), head and rows of each table of a page; a list is a table with the head `item | list`."""
    for section in page.removeprefix("# ").split("\n## "):
        heading, _, rest = section.partition("\n")
        for block in re.findall(r"(?:^\|.*\n)+", rest, re.MULTILINE):
            head, _, *rows = [[cell.strip() for cell in line.strip("|\n ").split(" | ")] for line in block.splitlines()]
            yield heading, head, rows
        yield heading, ["item", "list"], [list(item) for item in re.findall(r"^- (.*?): (.*)$", rest, re.MULTILINE)]


def cell_of(name: str) -> str:
    """The text of a cell, without what marks means. Raises LookupError where there is none."""
    page, heading, row, column, *rest = [part.strip() for part in name.split(" / ")]
    path = ROOT / "docs/results" / f"{page}.md"
    if not path.is_file():
        raise LookupError(f"there is no {path.relative_to(ROOT)}")
    for title, head, rows in tables_of(path.read_text()):
        if not title.startswith(heading) or column not in head:
            continue
        for cells in rows:
            plain = [cell.replace("*", "") for cell in cells]
            if any(" ".join(plain[:count]) == row for count in range(1, len(plain))):
                ours, _, theirs = plain[head.index(column)].partition(" (")
                return theirs.rstrip(")").partition(";")[0] if rest == ["paper"] else ours
    raise LookupError(f"no table of {page} has the cell '{name}'")


def rounded(cell: str, like: str) -> str:
    """The number in a cell with as many digits behind the point as the other, and a plus sign if that has one."""
    found = NUMBER.search(cell)
    if found is None:
        raise LookupError(f"'{cell}' is no number")
    digits = len(like.partition(".")[2])
    value = float(found[0].replace(",", ""))
    shown_digits = len(found[0].partition(".")[2])
    # A cell is rounded already: where it ends in 5, either neighbor may be meant.
    if digits < shown_digits and abs(value - float(like.replace(",", ""))) <= 0.5 * 10**-digits + 1e-9:
        return like
    return f"{value:{'+' if like.startswith('+') else ''}{',' if ',' in like else ''}.{digits}f}"


def blocks_of(text: str) -> list[str]:
    """Paragraphs, list items and rows of tables, without code."""
    text = re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.split(r"\n\s*\n|\n(?=[|]|[-*] )", re.sub(r"`[^`\n]*`", "", text))


def check(path: Path) -> tuple[list[str], str]:
    """What is wrong in a page, and its text with the true figures."""
    problems: list[str] = []

    def true_figure(match: re.Match[str]) -> str:
        try:
            right = rounded(cell_of(match["cell"]), match["figure"])
        except (LookupError, ValueError) as error:
            problems.append(f"{path.name}: {match['figure']}: {error}")
            return match[0]
        if right != match["figure"]:
            problems.append(f"{path.name}: {match['figure']} is {right} in {match['cell']}")
        return right + match[0][len(match["figure"]) :]

    text = path.read_text()
    updated = FIGURE.sub(true_figure, text)
    for block in blocks_of(text):
        marked = FIGURE.search(block) or re.search(r"\]\((?:docs/)?results/[\w-]+\.md\)", block)
        unmarked = re.findall(
            r"(?<![\w.])(?<!sec\. )(?<!Section )\d+\.\d+(?!\w|\.\d)", re.sub(r"<!--.*?-->", "", FIGURE.sub("", block), flags=re.DOTALL)
        )
        if marked and unmarked:
            problems.append(f"{path.name}: no cell is named for {', '.join(unmarked)} in '{block.strip()[:60]}...'")
    return problems, updated


def main(arguments: list[str]) -> int:
    failed = False
    for name in arguments:
        if name == "--update":
            continue
        path = Path(name).resolve()
        problems, updated = check(path)
        for problem in problems:
            print(problem, file=sys.stderr)
        failed = failed or bool(problems)
        if "--update" in arguments and updated != path.read_text():
            path.write_text(updated)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
