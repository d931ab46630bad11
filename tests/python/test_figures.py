"""Figures in the text of the pages are those of docs/results (tools/figures.py says how they are marked)."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

sys.path.insert(0, str(ROOT / "tools"))

import figures


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_figures_in_the_text_are_those_of_the_tables(page):
    assert not figures.check(page)[0]


def test_many_figures_are_marked():
    assert sum(len(figures.FIGURE.findall(page.read_text())) for page in PAGES) > 150


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("It has 90.0<!-- dgmp23 / Table 5 / mean / margot: accuracy --> %.", "90.0 is 89.1"),
        ("It has 85.4 %<!-- dgmp23 / Table 5 / mean / oct-h: accuracy -->.", "85.4 is 87.0"),
        ("It has 89.1<!-- dgmp23 / Table 5 / mean / no-such-method: accuracy -->.", "no table of dgmp23"),
        ("It has 89.1<!-- no-such-page / Table 5 / mean / margot: accuracy -->.", "there is no docs/results/no-such-page.md"),
        ("It has 89.1<!-- dgmp23 / Table 5 / mean / margot: accuracy --> and 12.5.", "no cell is named for 12.5"),
        ("See [the page](results/dgmp23.md): 12.5.", "no cell is named for 12.5"),
    ],
)
def test_what_is_wrong_is_told(text, problem, tmp_path):
    page = tmp_path / "page.md"
    page.write_text(text)
    problems, _ = figures.check(page)
    assert len(problems) == 1
    assert problem in problems[0]


def test_update_writes_the_true_figures(tmp_path):
    page = tmp_path / "page.md"
    ours, theirs = "dgmp23 / Table 5 / mean / margot: accuracy", "dgmp23 / Table 5 / mean / oct-h: accuracy / paper"
    page.write_text(f"It has 90.0<!-- {ours} --> %, the paper 80<!-- {theirs} -->.")
    assert figures.main(["--update", str(page)]) == 1
    assert page.read_text().startswith("It has 89.1<!--")
    assert ", the paper 85<!--" in page.read_text()
    assert figures.main([str(page)]) == 0
