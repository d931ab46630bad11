"""The page that trains in a browser (make web), opened from disk in Chromium."""

import re
import subprocess
from pathlib import Path
from random import Random

import pytest

expect = pytest.importorskip("playwright.sync_api").expect

ROOT = Path(__file__).parents[2]
PAGE, COMMAND, DATA = ROOT / "build/web/treewright.html", ROOT / "build/release/treewright", ROOT / "data"

if not PAGE.exists():
    pytest.skip("no build/web/treewright.html (make web makes it)", allow_module_level=True)


@pytest.fixture
def page(opened):
    return opened(PAGE)


def described(page):
    page.locator("#train").wait_for(timeout=30_000)
    expect(page.locator("body[aria-busy]")).to_have_count(0)


def trained(page):
    page.locator("#result").wait_for(timeout=60_000)


def errors_of_command(folder, *words):
    done = subprocess.run([COMMAND, "fit", *words, "--out", "tree.json"], cwd=folder, check=True, capture_output=True, text=True)
    return int(re.search(r"errors +(\d+) of", done.stdout).group(1))


def test_wine_from_a_file_to_the_proof(page, tmp_path):
    assert PAGE.stat().st_size < 5_000_000
    page.set_input_files("#file", DATA / "wine.csv")
    described(page)
    assert "178 rows, 13 columns" in page.locator("#size").inner_text()
    assert page.locator("#columns tbody tr").count() == 13
    page.select_option("#share", "0")
    page.fill("#depth", "2")
    page.get_by_role("button", name="Train").click()
    trained(page)
    assert page.locator("#said").inner_text().startswith("Proved: ")
    report = page.frame_locator("#report")
    assert "Proven optimal" in report.locator("header").inner_text()
    assert report.locator("#tree .node").count() == 7
    command = page.locator("#command").inner_text()
    assert command == "treewright fit wine.csv --max-depth 2"
    if COMMAND.exists():
        (tmp_path / "wine.csv").write_bytes((DATA / "wine.csv").read_bytes())
        errors = errors_of_command(tmp_path, *command.split()[2:])
        assert page.locator("#errors").inner_text() == str(errors)
        assert f"fewer than {errors} errors" in report.locator(".verdict").inner_text()
    with page.expect_download() as download:
        page.get_by_role("button", name="Tree file").click()
    assert '"format": "treewright"' in download.value.path().read_text()
    for name in page.locator("#format option").all_inner_texts():
        page.wait_for_timeout(300)  # a browser keeps back files that come too fast
        page.select_option("#format", name)
        with page.expect_download() as download:
            page.get_by_role("button", name="Download").click()
        assert download.value.path().stat().st_size > 0
    with page.expect_download() as download:
        page.set_input_files("#new-rows", DATA / "wine.csv")
    labels = download.value.path().read_text().splitlines()
    truth = [line.rsplit(",", 1)[1] for line in (DATA / "wine.csv").read_text().splitlines()]
    assert len(labels) == 179
    assert sum(a != b for a, b in zip(labels, truth, strict=True)) == int(page.locator("#errors").inner_text())


def test_a_broken_file_is_told_in_the_words_of_the_library(page):
    page.set_input_files("#file", {"name": "empty.csv", "mimeType": "text/csv", "buffer": b"a,b\n"})
    expect(page.locator("#open-problem")).to_contain_text("empty.csv", timeout=30_000)
    assert not page.locator("#train").is_visible()
    page.set_input_files("#file", {"name": "broken.csv", "mimeType": "text/csv", "buffer": b'a,class\n"1,x\n2,y\n3,x\n'})
    described(page)
    assert page.locator("#open-problem").inner_text() == ""
    assert "broken.csv, line 2: a quoted cell has no end" in page.locator("#notes").inner_text()
    page.get_by_role("button", name="Train").click()
    expect(page.locator("#problem")).to_contain_text("broken.csv, line 2: the quote that opens a cell is never closed")
    page.get_by_role("button", name="iris").click()
    described(page)
    page.get_by_role("button", name="Train").click()
    trained(page)


def test_columns_are_left_out_and_read_otherwise(page):
    rows = "\n".join(f"N{row},{row % 3},{row * 7 % 11},{'yes' if row % 3 == 1 else 'no'},{row * 5 % 17}" for row in range(60))
    page.set_input_files("#file", {"name": "rows.csv", "mimeType": "text/csv", "buffer": ("name,kind,x,answer,y\n" + rows).encode()})
    described(page)
    page.select_option("#target", "answer")
    expect(page.locator("#classes")).to_contain_text("no: ")
    assert not page.get_by_label("use name").is_checked(), "names of rows are left out"
    page.get_by_label("kind of kind").select_option("categorical")
    page.get_by_label("use y").uncheck()
    expect(page.locator("#size")).to_contain_text("2 columns")
    page.select_option("#share", "0")
    page.fill("#depth", "1")
    page.get_by_role("button", name="Train").click()
    trained(page)
    assert page.locator("#command").inner_text() == "treewright fit rows.csv --target answer --drop y --categorical kind --max-depth 1"
    assert page.locator("#errors").inner_text() == "0"


def test_stop_keeps_a_tree_and_the_proof_goes_on(page):
    random = Random(0)  # labels that no tree explains: no proof in hours
    rows = "\n".join(",".join(str(random.randrange(1000)) for _ in range(15)) + random.choice([",a", ",b"]) for _ in range(2000))
    table = ",".join(f"x{column}" for column in range(15)) + ",y\n" + rows
    page.set_input_files("#file", {"name": "noise.csv", "mimeType": "text/csv", "buffer": table.encode()})
    described(page)
    page.fill("#depth", "6")
    page.get_by_role("button", name="Train").click()
    expect(page.locator("#errors")).to_contain_text(re.compile("[0-9]"), timeout=30_000)
    page.wait_for_timeout(1000)
    page.locator("#stop").click()
    trained(page)
    assert page.locator("#said").inner_text().startswith("Stopped")
    assert page.frame_locator("#report").locator("#tree .node").count() > 3
    page.locator("#on").click()
    page.locator("#stop").wait_for()
    page.wait_for_timeout(500)
    page.locator("#stop").click()
    trained(page)


def test_where_the_worker_cannot_wait_a_run_is_cancelled(opened, tmp_path):
    can_wait = "'Suspending' in WebAssembly"
    whole = PAGE.read_text(encoding="utf-8")
    assert can_wait in whole
    (tmp_path / "page.html").write_text(whole.replace(can_wait, "false"), encoding="utf-8")
    page = opened(tmp_path / "page.html")
    page.get_by_role("button", name="breast-cancer").click()
    described(page)
    page.fill("#depth", "5")
    page.get_by_role("button", name="Train").click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#problem")).to_contain_text("cannot end a run and keep its tree")
    page.fill("#depth", "1")
    page.get_by_role("button", name="Train").click()
    trained(page)
    assert page.locator("#said").inner_text().startswith("Proved: ")


@pytest.mark.parametrize("width", [500, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_cut_at_either_width(page, width, theme):
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    page.get_by_role("button", name="iris").click()
    described(page)
    page.get_by_role("button", name="Train").click()
    trained(page)
    page.wait_for_timeout(500)
    assert page.locator("#report").bounding_box()["height"] > 600
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_too_large_a_file_is_refused_before_it_is_read(page):
    page.evaluate(
        """() => { const data = new DataTransfer(); data.items.add(new File([new Uint8Array(51e6)], 'large.csv'));
        dispatchEvent(new DragEvent('drop', { dataTransfer: data })); }"""
    )
    assert "51 MB" in page.locator("#open-problem").inner_text()
