"""Figures in the text of the pages are those of docs/results (tools/figures.py says how they are listed)."""

import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", ROOT / "experiments/lab.md", *sorted((ROOT / "docs").glob("*.md"))]

sys.path.insert(0, str(ROOT / "tools"))

import figures

MARGOT, OCT_H = "dgmp23 / Table 5 / mean / margot: accuracy", "dgmp23 / Table 5 / mean / oct-h: accuracy"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_figures_in_the_text_are_those_of_the_tables(page):
    assert not figures.check_page(page)[0]


def test_every_list_belongs_to_a_page():
    assert {path.name for path in (ROOT / "docs/figures").iterdir()} <= {figures.list_of(page).name for page in PAGES}


def test_many_figures_are_listed():
    assert sum(path.read_text().count("{}") for path in (ROOT / "docs/figures").glob("*.tsv")) > 150


def test_what_is_right_passes():
    text = "It has 89.1 %,\non average; the other 86.4.\n\nNo. 7 costs `0.5`."
    assert figures.check(text, [f"It has {{}} %, on average; the other {{}}\t{MARGOT}\t{OCT_H}"]) == ([], text)


@pytest.mark.parametrize(
    ("text", "line", "problem"),
    [
        ("It has 89.2 %.", f"It has {{}} %\t{MARGOT}", "89.2 is 89.1"),
        ("It has 189.1 %.", f"It has {{}} %\t{MARGOT}", "189.1 is 89.1"),
        ("It has 89 and 85.4 %.", f"It has {{}} and {{}}\t{MARGOT}\t{OCT_H}", "85.4 is 86.4"),
        ("It had 89 %.", f"It has {{}} %\t{MARGOT}", "stands in the page 0 times"),
        ("It has no figure.", f"It has {{}}\t{MARGOT}", "stands in the page 0 times"),
        ("It has 89 %. It has 88 %.", f"It has {{}} %\t{MARGOT}", "stands in the page 2 times"),
        ("It has 89 %.", "It has {} %", "has 1 figures for 0 cells"),
        ("It has 89 and 87.", f"It has {{}} and {{}}\t{MARGOT}", "has 2 figures for 1 cells"),
        ("It has 89.1.", "It has {}\tdgmp23 / Table 5 / mean / no-such-method: accuracy", "no table of dgmp23"),
        ("It has 89.1.", "It has {}\tno-such-page / Table 5 / mean / margot: accuracy", "there is no docs/results/no-such-page.md"),
        ("It has 89.1 and 12.5.", f"It has {{}}\t{MARGOT}", "no cell is named for 12.5"),
        ("See [the page](results/dgmp23.md): 12.5.\n\nIt has 89.", f"It has {{}}\t{MARGOT}", "no cell is named for 12.5"),
    ],
)
def test_what_is_wrong_is_told(text, line, problem):
    problems, _ = figures.check(text, [line])
    assert len(problems) == 1
    assert problem in problems[0]


def test_a_page_without_a_list_is_checked_too():
    assert "no cell is named for 12.5" in figures.check("See [the page](results/dgmp23.md): 12.5.", [])[0][0]


def test_one_changed_digit_of_any_page_is_found():
    for page in PAGES:
        if not figures.list_of(page).is_file():
            continue
        text, lines = page.read_text(), figures.list_of(page).read_text().splitlines()
        begin = figures.find(lines[0].partition("\t")[0], text).start(1)
        changed = text[:begin] + str((int(text[begin]) + 1) % 10) + text[begin + 1 :]
        assert len(figures.check(changed, lines)[0]) == 1


def test_update_writes_the_true_figures(tmp_path, monkeypatch):
    page, figure_list = tmp_path / "page.md", tmp_path / "page.tsv"
    monkeypatch.setattr(figures, "list_of", lambda _: figure_list)
    page.write_text("It has 90.0 %, the paper 80.")
    figure_list.write_text(f"It has {{}} %\t{MARGOT}\nthe paper {{}}\t{OCT_H} / paper\n")
    assert figures.main(["--update", str(page)]) == 1
    assert page.read_text() == "It has 89.1 %, the paper 85."
    assert figures.main([str(page)]) == 0
