"""Checks figures in the text of pages against the tables of docs/results: figures.py [--update] PAGE...

Each page with such figures has a list of them, docs/figures/PAGE.tsv. A line has a snippet of the page, with {} for each figure in it,
and the cell of each figure, separated by tabs:

    MARGOT's mean accuracy is {}    dgmp23 / Table 5 / mean / margot: accuracy

The parts of a cell are the page of docs/results, the first words of a heading, the first cells of a row, and the column, or the words of an
item before its colon and `list`; a last part `paper` asks for the figure in brackets. The snippet must stand in the page exactly once
(spaces and line breaks are the same), and the figure must be the cell's, rounded to the digits shown. In a paragraph, list item or table
row with such a figure, or with a link to a page of results, every number with a decimal point must be listed. Numbers in code, such as
`0.5`, need not be.

--update writes the true figures into the pages. The exit status is 1 if a figure is wrong.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FIGURE = r"[-+]?\d+(?:,\d{3})*(?:\.\d+)?"
CHECKED = "\0"  # stands for a checked figure in the text of a page
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


def find(snippet: str, text: str) -> re.Match[str]:
    """The place of a snippet, with a group for each figure. Raises LookupError unless there is exactly one."""
    pieces = [r"\s+".join(re.escape(word) for word in piece.split(" ")) for piece in snippet.split("{}")]
    found = list(re.finditer(r"(?<![\w.])" + f"({FIGURE})".join(pieces) + r"(?!\w|\.\d)", text))
    if len(found) != 1:
        raise LookupError(f"'{snippet}' stands in the page {len(found)} times, but should once")
    return found[0]


def check(text: str, lines: list[str]) -> tuple[list[str], str]:
    """What is wrong in a page with this list, and its text with the true figures."""
    problems: list[str] = []
    spans: dict[tuple[int, int], str] = {}
    for line in lines:
        snippet, *cells = line.split("\t")
        try:
            if not cells or snippet.count("{}") != len(cells):
                raise LookupError(f"'{snippet}' has {snippet.count('{}')} figures for {len(cells)} cells")
            match = find(snippet, text)
        except LookupError as error:
            problems.append(str(error))
            continue
        for number, cell in enumerate(cells, 1):
            shown = match[number]
            spans[match.span(number)] = shown
            try:
                right = rounded(cell_of(cell), shown)
            except (LookupError, ValueError) as error:
                problems.append(f"{shown}: {error}")
                continue
            if right != shown:
                problems.append(f"{shown} is {right} in {cell}")
                spans[match.span(number)] = right
    updated, checked = text, text
    for (begin, end), right in sorted(spans.items(), reverse=True):
        updated = updated[:begin] + right + updated[end:]
        checked = checked[:begin] + CHECKED + checked[end:]
    for block in blocks_of(checked):
        unlisted = re.findall(r"(?<![\w.])(?<!sec\. )(?<!Section )\d+\.\d+(?!\w|\.\d)", block)
        if unlisted and (CHECKED in block or re.search(r"\]\((?:docs/)?results/[\w-]+\.md\)", block)):
            problems.append(f"no cell is named for {', '.join(unlisted)} in '{block.strip().replace(CHECKED, '{}')[:60]}...'")
    return problems, updated


def list_of(page: Path) -> Path:
    return ROOT / "docs/figures" / f"{page.stem}.tsv"


def check_page(page: Path) -> tuple[list[str], str]:
    path = list_of(page)
    return check(page.read_text(), path.read_text().splitlines() if path.is_file() else [])


def main(arguments: list[str]) -> int:
    failed = False
    for name in arguments:
        if name == "--update":
            continue
        page = Path(name)
        problems, updated = check_page(page)
        for problem in problems:
            print(f"{page.name}: {problem}", file=sys.stderr)
        failed = failed or bool(problems)
        if "--update" in arguments and updated != page.read_text():
            page.write_text(updated)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
