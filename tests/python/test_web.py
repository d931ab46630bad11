"""The page that trains in a browser (make web), opened from disk in Chromium."""

import json
import re
import shlex
import subprocess
import sys
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
    page.get_by_role("button", name="Train", exact=True).click()
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
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator("#problem")).to_contain_text("broken.csv, line 2: the quote that opens a cell is never closed")
    page.get_by_role("button", name="iris").click()
    described(page)
    page.get_by_role("button", name="Train", exact=True).click()
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
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)
    assert page.locator("#command").inner_text() == "treewright fit rows.csv --target answer --drop y --categorical kind --max-depth 1"
    assert page.locator("#errors").inner_text() == "0"


def open_noise(page):
    """Opens labels that no tree explains: no proof in hours."""
    random = Random(0)
    rows = "\n".join(",".join(str(random.randrange(1000)) for _ in range(15)) + random.choice([",a", ",b"]) for _ in range(2000))
    table = ",".join(f"x{column}" for column in range(15)) + ",y\n" + rows
    page.set_input_files("#file", {"name": "noise.csv", "mimeType": "text/csv", "buffer": table.encode()})
    described(page)


def test_stop_keeps_a_tree_and_the_proof_goes_on(page):
    open_noise(page)
    page.fill("#depth", "6")
    page.get_by_role("button", name="Train", exact=True).click()
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
    page.get_by_role("button", name="Train", exact=True).click()
    page.get_by_role("button", name="Cancel").click()
    expect(page.locator("#problem")).to_contain_text("cannot end a run and keep its tree")
    page.fill("#depth", "1")
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)
    assert page.locator("#said").inner_text().startswith("Proved: ")


@pytest.mark.parametrize("width", [500, 1280])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_nothing_is_cut_at_either_width(page, width, theme):
    page.emulate_media(color_scheme=theme)
    page.set_viewport_size({"width": width, "height": 900})
    page.get_by_role("button", name="iris").click()
    described(page)
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)
    choose(page, "")
    listed(page)
    page.wait_for_timeout(500)
    assert page.locator("#report").bounding_box()["height"] > 600
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def train_on(page, name, depth, share="0"):
    page.set_input_files("#file", DATA / name)
    described(page)
    page.select_option("#share", share)
    page.fill("#depth", str(depth))
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)


def node(page, path):
    return page.locator(f'#hand-tree [data-path="{path}"]')


def choose(page, path):
    node(page, path).locator("> .label").click()


def listed(page, said="proved:"):
    """What is listed beside the tree, as (text, errors): the splits on each column of the chosen node."""
    expect(page.locator("#hand-node [role=status]")).to_contain_text(said, timeout=60_000)
    return [tuple(row.split("\n")) for row in page.locator("#hand-node .take").all_inner_texts()]


def errors_now(page):
    return int(re.match(r"(\d+) error", page.locator("#hand-total").inner_text()).group(1))


def wished(page):
    """What is fixed so far, as the command line says."""
    words = shlex.split(page.locator("#command").inner_text())
    return json.loads(words[words.index("--top") + 1]) if "--top" in words else None


def is_solved(page, more):
    expect(page.locator("#hand-total")).to_contain_text(more, timeout=60_000)
    expect(page.locator("#hand-said")).to_have_text("", timeout=60_000)


@pytest.mark.parametrize(("name", "depth", "share"), [("iris.csv", 2, "0"), ("wine.csv", 2, "0.25"), ("breast-cancer.csv", 2, "0")])
def test_a_split_by_hand_has_the_errors_of_the_command(page, tmp_path, name, depth, share):
    train_on(page, name, depth, share)
    best = errors_now(page)
    assert page.locator("#hand-total").inner_text().endswith(": the best tree without your choices.")
    assert best == int(page.locator("#errors").inner_text())
    choose(page, "l")
    splits = listed(page)
    assert splits[0][1] == f"{best} error{'' if best == 1 else 's'}", "the tree's own split is the best one there"
    (text, errors) = splits[2]
    page.locator("#hand-node .take").nth(2).click()
    is_solved(page, errors)
    more = int(errors.split()[0]) - best
    expect(page.locator("#hand-total")).to_contain_text(f"{more} more than the best tree" if more else "as good as the best tree")
    assert f"yes: {text}?" in node(page, "l").locator("> .label").inner_text()
    assert page.locator("#hand-tree .fixed").count() == 2, "the split, and the one above it"
    top = wished(page)
    assert top["right"] == "..."
    if COMMAND.exists():
        (tmp_path / name).write_bytes((DATA / name).read_bytes())
        command = shlex.split(page.locator("#command").inner_text())
        assert errors_of_command(tmp_path, *command[2:]) == errors_now(page)
        at = command.index("--top")
        asked = json.dumps(top | {"left": "?"})
        words = [COMMAND, "column-worth", *command[2:at], "--top", asked, "--json"]
        found = json.loads(subprocess.run(words, cwd=tmp_path, check=True, capture_output=True, text=True).stdout)
        rows = {(column["text"], column["cost"]) for column in found["columns"] if "split" in column} | {("a leaf", found["leaf"]["cost"])}
        assert {(row[0], float(row[1].split()[0])) for row in splits} == rows


def test_thresholds_and_leaves_by_hand_and_back_again(page):
    train_on(page, "wine.csv", 2)
    best, first = errors_now(page), node(page, "").inner_text()
    choose(page, "")
    page.locator("#hand-node").get_by_label("Threshold").fill("1.5")
    page.get_by_role("button", name="Move").click()
    is_solved(page, "more than")
    assert "< 1.5?" in node(page, "").locator("> .label").inner_text()
    assert wished(page)["below"] == 1.5
    moved = errors_now(page)
    choose(page, "r")
    page.get_by_role("button", name="Make it a leaf").click()
    expect(node(page, "r").locator(".fixed")).to_have_count(1)
    assert wished(page)["right"] == "leaf"
    assert node(page, "rl").count() == 0
    leaf = errors_now(page)
    assert leaf >= moved > best
    page.get_by_role("button", name="Free").click()
    expect(node(page, "rl")).to_have_count(1)
    assert errors_now(page) == moved
    page.get_by_role("button", name="Undo").click()
    assert errors_now(page) == leaf
    page.get_by_role("button", name="Undo").click()
    page.get_by_role("button", name="Undo").click()
    assert errors_now(page) == best
    assert node(page, "").inner_text() == first
    assert wished(page) is None
    assert page.get_by_role("button", name="Undo").is_disabled()
    page.get_by_role("button", name="Redo").click()
    assert errors_now(page) == moved
    choose(page, "")
    page.locator("#hand-node").get_by_label("Threshold").fill("1000")
    page.get_by_role("button", name="Move").click()
    expect(page.locator("#hand-problem")).to_contain_text("leaves a place with 0 rows")
    assert errors_now(page) == moved
    with page.expect_download() as download:
        page.get_by_role("button", name="Tree file").click()
    assert json.loads(download.value.path().read_text())["result"]["errors"] == moved
    page.get_by_role("button", name="Forget all choices").click()
    assert errors_now(page) == best
    page.get_by_role("button", name="Undo").click()
    assert errors_now(page) == moved


def test_a_hand_in_the_tree_by_the_keyboard_alone(page):
    train_on(page, "iris.csv", 2)
    node(page, "").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    page.keyboard.press("End")
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Enter")
    expect(node(page, "r")).to_have_attribute("aria-selected", "true")
    splits = listed(page)
    for _ in range(20):
        if page.evaluate("document.activeElement.className") == "take":
            break
        page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    is_solved(page, splits[1][1])
    assert f"no: {splits[1][0]}?" in node(page, "r").locator("> .label").inner_text()
    assert page.evaluate("document.activeElement.dataset.path") == "r", "the node that was changed has the focus"


def test_other_trees_are_ways_into_the_hand(page, tmp_path):
    train_on(page, "wine.csv", 2, "0.25")
    best = errors_now(page)
    (tmp_path / "wine.csv").write_bytes((DATA / "wine.csv").read_bytes())
    page.get_by_role("button", name="Trees nearly as good").click()
    trees = listed(page, "The best tree of each set of columns")
    assert trees[0][1] == f"{best} error{'' if best == 1 else 's'}"
    assert all(int(errors.split()[0]) <= best + 1 for _, errors in trees)
    page.locator("#hand-node .take").last.click()
    is_solved(page, trees[-1][1])
    assert page.locator("#hand-tree .fixed").count() == page.locator("#hand-tree [role=treeitem]").count(), "every node of it"
    names = {column for column in trees[-1][0].split(", ")}
    assert {text.split(" <")[0].split(": ")[-1] for text in page.locator("#hand-tree .label").all_inner_texts() if "<" in text} == names
    page.get_by_role("button", name="What each column is worth").click()
    without = listed(page, "The best tree without a column")
    page.locator("#hand-node .take").first.click()
    is_solved(page, without[0][1])
    column = without[0][0].removeprefix("without ")
    command = shlex.split(page.locator("#command").inner_text())
    assert command[-2:] == ["--drop", column]
    assert page.locator("#hand-tree .fixed").count() == 0
    assert column not in page.locator("#hand-tree").inner_text()
    if COMMAND.exists():
        assert errors_of_command(tmp_path, *command[2:]) == errors_now(page)
    choose(page, "")
    assert not any(text.startswith(column) for text, _ in listed(page)), "what is chosen from here on is without the column too"
    page.get_by_role("button", name="Forget all choices").click()
    assert errors_now(page) == best


def test_a_node_of_the_report_leads_to_the_hand(page):
    train_on(page, "iris.csv", 2)
    report = page.frame_locator("#report")
    question = report.locator(".node:has(.knob)").last
    question.click()
    report.get_by_role("button", name="Change the tree here").click()
    chosen = page.locator("#hand-tree [aria-selected=true] > .label")
    expect(chosen).to_contain_text(report.locator("#inspector h3").inner_text())
    assert chosen.inner_text() == page.locator("#hand-node h3").inner_text()
    assert chosen.inner_text() != node(page, "").locator("> .label").inner_text()


def test_levels_dates_and_german_numbers_by_hand(page, tmp_path):
    random = Random(4)
    lines = ["farbe;tag;betrag;antwort"]
    for _ in range(120):
        color, day, amount = random.choice("rgb"), random.randrange(1, 29), random.randrange(4000) / 100
        answer = ((color == "r") != (amount > 20)) == (day < 25)
        written = f"{amount:.2f}".replace(".", ",")
        lines.append(f"{color};{day:02}.03.2024;{written};{'ja' if answer else 'nein'}")
    table = "\n".join(lines).encode()
    page.set_input_files("#file", {"name": "rows.csv", "mimeType": "text/csv", "buffer": table})
    described(page)
    page.select_option("#share", "0")
    page.fill("#depth", "3")
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)

    def take(column, *path):
        choose(page, "".join(path))
        rows = [row[0] for row in listed(page)]
        page.locator("#hand-node .take").nth(next(i for i, row in enumerate(rows) if row.startswith(column))).click()
        expect(node(page, "".join(path)).locator("> .label")).to_contain_text(re.compile(f"{column}.*fixed"))

    take("farbe")
    page.locator("#hand-node").get_by_label("g", exact=True).check()
    page.locator("#hand-node").get_by_label("r", exact=True).check()
    page.locator("#hand-node").get_by_label("b", exact=True).uncheck()
    page.get_by_role("button", name="Move").click()
    expect(node(page, "").locator("> .label")).to_contain_text("{g, r}")
    take("betrag", "l")
    page.locator("#hand-node").get_by_label("Threshold").fill("12.25")
    page.get_by_role("button", name="Move").click()
    expect(node(page, "l").locator("> .label")).to_contain_text("betrag < 12.25")
    take("tag", "r")
    page.locator("#hand-node").get_by_label("Threshold").fill("2024-03-20")
    page.get_by_role("button", name="Move").click()
    expect(node(page, "r").locator("> .label")).to_contain_text("tag < 2024-03-20")
    assert sorted(wished(page)["levels"]) == ["g", "r"]
    if COMMAND.exists():
        (tmp_path / "rows.csv").write_bytes(table)
        assert errors_of_command(tmp_path, *shlex.split(page.locator("#command").inner_text())[2:]) == errors_now(page)


def test_a_list_that_is_stopped_leaves_the_page_as_it_was(page):
    open_noise(page)
    page.fill("#depth", "6")
    page.get_by_role("button", name="Train", exact=True).click()
    page.locator("#stop").click()
    trained(page)
    choose(page, "")
    page.locator("#hand-stop").click()
    expect(page.locator("#hand-node [role=status]")).to_contain_text(re.compile("not all are proved|Stopped"), timeout=60_000)
    choose(page, "l")
    choose(page, "r")
    page.get_by_role("button", name="Make it a leaf").click()
    expect(page.locator("#hand-said")).to_contain_text("searched again")
    page.locator("#hand-stop").click()
    expect(node(page, "r").locator(".fixed")).to_have_count(1, timeout=60_000)
    assert "(stopped: there may be a better one)" in page.locator("#hand-total").inner_text()


def test_nothing_that_is_said_outlives_its_data(page):
    train_on(page, "wine.csv", 2)
    assert page.locator("#said").inner_text().startswith("Proved: ")
    choose(page, "")
    page.get_by_role("button", name="Make it a leaf").click()
    is_solved(page, "more than")
    assert not page.locator("#said").is_visible(), "it speaks of another tree"
    page.get_by_role("button", name="Undo").click()
    assert page.locator("#said").is_visible()
    page.get_by_label("use alcohol").uncheck()
    expect(page.locator("#size")).to_contain_text("12 columns")
    for part in ("#progress", "#said", "#change", "#result", "#report"):
        assert not page.locator(part).is_visible(), part


def test_paper_has_the_report_alone(page):
    train_on(page, "iris.csv", 2)
    page.emulate_media(media="print")
    assert page.locator("#on-paper").is_visible()
    assert not page.locator("main").is_visible()
    page.emulate_media(media="screen")
    page.evaluate("document.querySelector('#report').contentWindow.print = () => { window.printed = true; }")
    page.get_by_role("button", name="Print the report").click()
    assert page.evaluate("window.printed")


def test_too_large_a_file_is_refused_before_it_is_read(page):
    page.evaluate(
        """() => { const data = new DataTransfer(); data.items.add(new File([new Uint8Array(51e6)], 'large.csv'));
        dispatchEvent(new DragEvent('drop', { dataTransfer: data })); }"""
    )
    assert "51 MB" in page.locator("#open-problem").inner_text()


def test_costs_of_wrong_answers(page, tmp_path):
    page.set_input_files("#file", DATA / "breast-cancer.csv")
    described(page)
    page.select_option("#share", "0")
    page.fill("#depth", "1")
    page.locator("#costs summary").click()
    page.get_by_label("cost of benign for a row of malignant").fill("10")
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)
    assert page.locator("#command").inner_text() == "treewright fit breast-cancer.csv --max-depth 1 --costs costs.csv"
    choose(page, "")
    costs = [float(row[1].split()[0]) for row in listed(page)]
    assert costs == sorted(costs)
    with page.expect_download() as download:
        page.get_by_role("button", name="Costs").click()
    written = download.value.path().read_text()
    assert sorted(written.splitlines()) == ["benign,0,1", "class,benign,malignant", "malignant,10,0"]
    if COMMAND.exists():
        (tmp_path / "costs.csv").write_text(written)
        words = ["fit", DATA / "breast-cancer.csv", "--max-depth", "1", "--costs", "costs.csv"]
        done = subprocess.run([COMMAND, *words], cwd=tmp_path, check=True, capture_output=True, text=True)
        assert f"cost      {costs[0]:g} " in done.stdout
    page.get_by_label("cost of benign for a row of malignant").fill("")
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator("#problem")).to_contain_text("costs.csv")
    page.get_by_role("button", name="iris").click()
    described(page)
    assert page.get_by_label(re.compile("cost of")).count() == 9


def test_depth_and_price_on_folds(page, tmp_path):
    page.set_input_files("#file", DATA / "iris.csv")
    described(page)
    page.fill("#depth", "3")
    page.evaluate(
        """() => { window.said = new Set();
        const said = document.querySelector('#said');
        new MutationObserver(() => window.said.add(said.textContent)).observe(said, { childList: true }); }"""
    )
    page.get_by_role("button", name="Choose depth and price on folds").click()
    expect(page.locator("#said")).to_contain_text("Proved", timeout=60_000)
    told = "\n".join(page.evaluate("[...window.said]"))
    assert re.search(r"\b15 of 15 runs: depth \d, fold \d of 5\.", told)
    assert not page.locator("#runs").is_visible()
    expect(page.locator("#chosen")).to_contain_text("Chosen on five folds")
    command = page.locator("#command").inner_text()
    assert float(page.input_value("#price")) > 0
    rows = [row.split("\t") for row in page.locator("#depths tbody tr").all_inner_texts()]
    assert [row[0] for row in rows] == ["1", "2", "3"]
    chosen_rows = [row for row in rows if row[-1] == "chosen"]
    assert [row[0] for row in chosen_rows] == [page.input_value("#depth")]
    page.locator("#folds summary").click()
    assert page.locator("#prices tr[aria-current]").count() == 1
    if COMMAND.exists():
        words = ["tune", DATA / "iris.csv", "--try", "max_depth=1,2,3", "--test-share", "0.25", "--json", "-q"]
        words += ["--folds", "5", "--rule", "one-se"]
        chosen = json.loads(subprocess.run([COMMAND, *words], check=True, capture_output=True, text=True).stdout)
        depth = chosen["setting"].removeprefix("max_depth=")
        assert f"--max-depth {depth} --alpha {chosen['alpha']}" in command
        assert chosen["why"] in page.locator("#chosen").inner_text()
        for row, step in zip(rows, chosen["settings"], strict=True):
            assert float(row[1]) == pytest.approx(step["alpha"], rel=1e-5)
            wrong, error = (float(part.strip(" %")) for part in row[3].split("±"))
            assert wrong == pytest.approx(100 * (1 - step["validation_accuracy"]), abs=0.06)
            assert error == pytest.approx(100 * step["standard_error"], abs=0.06)
        assert page.locator("#prices tbody tr").count() == len(chosen["curve"])
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)
    assert not page.locator("#folds").is_visible(), "what was chosen before is not what was trained now"


def test_ordered_levels(page, tmp_path):
    random = Random(9)
    grades = ["low", "mid", "high", "very high, indeed"]
    lines = ["grade,size,answer"]
    for _ in range(80):
        grade = random.randrange(4)
        lines.append(f'"{grades[grade]}",{random.randrange(9)},{"yes" if grade > 1 else "no"}')
    table = "\n".join(lines).encode()
    page.set_input_files("#file", {"name": "rows.csv", "mimeType": "text/csv", "buffer": table})
    described(page)
    page.get_by_label("kind of grade").select_option("ordered")
    expect(page.get_by_label("levels of grade, the lowest first")).to_be_visible()

    def order():
        return [text.strip("\u2039\u203a ") for text in page.locator("#columns .order li").all_inner_texts()]

    assert sorted(order()) == sorted(grades)
    for place, grade in enumerate(grades):
        while order().index(grade) > place:
            before = order().index(grade)
            page.get_by_label(f"grade: {grade} lower").press("Enter")
            expect(page.locator("#columns .order li").nth(before - 1)).to_contain_text(grade)
            expect(page.locator("body[aria-busy]")).to_have_count(0)
            assert page.evaluate("document.activeElement.getAttribute('aria-label')").startswith(f"grade: {grade} "), (
                "to go on by the keyboard"
            )
    assert order() == grades
    page.select_option("#share", "0")
    page.fill("#depth", "1")
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)
    command = page.locator("#command").inner_text()
    assert "--ordered 'grade=low,mid,high,\"very high, indeed\"'" in command
    assert "grade <= mid" in node(page, "").locator("> .label").inner_text()
    assert page.locator("#errors").inner_text() == "0"
    if COMMAND.exists():
        (tmp_path / "rows.csv").write_bytes(table)
        assert errors_of_command(tmp_path, *shlex.split(command)[2:]) == 0
    choose(page, "")
    listed(page)
    page.locator("#hand-node").get_by_label("high", exact=True).check()
    page.get_by_role("button", name="Move").click()
    is_solved(page, "more than")
    assert "grade <= high" in node(page, "").locator("> .label").inner_text()


def test_what_notes_advise_can_be_given(page, tmp_path):
    rows = [
        f"{row * 7919 % 100003},{'none' if row % 9 == 0 else row * 7 % 13},{row % 12 + 1:02}/{row % 11 + 1:02}/2020,"
        + ("" if row % 20 == 4 else "uv"[row % 2])
        for row in range(80)
    ]
    table = "\n".join(["id,a,day,answer", *rows]).encode()
    page.set_input_files("#file", {"name": "rows.csv", "mimeType": "text/csv", "buffer": table})
    described(page)
    notes = page.locator("#notes")
    assert "(tick “use” to keep it)" in notes.inner_text(), "where the page has a field, the note names it"
    assert "--dates day-first or --dates month-first" in notes.inner_text()
    field = page.get_by_label("Options of the command")
    assert field.is_visible()
    for wrong, said in (("--out x", "--out is none of these options"), ("--missing", "--missing needs a value")):
        field.fill(wrong)
        field.press("Enter")
        assert page.locator("#flags-problem").inner_text() == said
    field.fill("--dates month-first  --drop-unlabeled --missing='none'")
    field.press("Enter")
    expect(notes).not_to_contain_text("--dates")
    expect(page.get_by_label("kind of day")).to_contain_text("date, as read")
    assert page.locator("#flags-problem").inner_text() == ""
    page.fill("#depth", "1")
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)
    command = shlex.split(page.locator("#command").inner_text())
    assert command[3:7] == ["--dates", "month-first", "--drop-unlabeled", "--missing=none"]
    if COMMAND.exists():
        (tmp_path / "rows.csv").write_bytes(table)
        assert errors_of_command(tmp_path, *command[2:]) == int(page.locator("#errors").inner_text())
    page.get_by_role("button", name="iris").click()
    described(page)
    assert field.input_value() == ""


def test_every_one_of_many_columns_is_found(page):
    random = Random(2)
    names = [f"x{column}" for column in range(120)]
    rows = "\n".join(",".join(str(random.randrange(9)) for _ in names) + random.choice([",a", ",b"]) for _ in range(40))
    page.set_input_files("#file", {"name": "wide.csv", "mimeType": "text/csv", "buffer": (",".join(names) + ",y\n" + rows).encode()})
    described(page)
    assert page.locator("#found").inner_text() == "120 columns: the list scrolls"
    assert page.locator("#columns tbody tr").count() == 120
    page.get_by_label("Find a column").fill("X11")
    assert page.locator("#found").inner_text() == "11 of 120 columns"
    assert page.locator("#columns tbody tr:visible").count() == 11
    page.get_by_role("button", name="Leave these out").click()
    expect(page.locator("#size")).to_contain_text("109 columns")
    page.get_by_label("use x115").check()
    expect(page.locator("#size")).to_contain_text("110 columns")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "use x115"
    page.get_by_label("Find a column").fill("none of them")
    assert page.get_by_role("button", name="Use these").is_disabled()
    page.get_by_role("button", name="iris").click()
    described(page)
    assert not page.locator("#find").is_visible()


def test_names_and_cells_are_shown_as_text(page):
    names = "<script>document.title=1</script>,<b>größe</b>,y"
    rows = "\n".join(f"{row % 7},{'<i>u</i>' if row % 3 else 'v'},{'<u>a</u>' if row % 7 > 2 else 'b'}" for row in range(60))
    file = {"name": "<img src=x>.csv", "mimeType": "text/csv", "buffer": f"{names}\n{rows}".encode("latin-1")}
    page.set_input_files("#file", file)
    described(page)
    assert "<script>document.title=1</script>" in page.locator("#columns").inner_text()
    page.get_by_label("kind of <b>größe</b>").select_option("ordered")
    expect(page.get_by_label("<b>größe</b>: <i>u</i> higher")).to_be_visible()
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)
    choose(page, "")
    assert listed(page)[0][0].startswith("<script>")
    report = page.frame_locator("#report")
    assert "<script>document.title=1</script>" in report.locator("#tree").text_content()
    for place in (page, report):
        assert place.locator("img, b:text-is('größe'), i:text-is('u'), u:text-is('a')").count() == 0
    assert page.title().startswith("treewright")


def test_twenty_runs_leave_no_memory_behind(page, browser):
    def megabytes():
        session = page.context.new_cdp_session(page)
        session.send("HeapProfiler.collectGarbage")
        processes = browser.new_browser_cdp_session().send("SystemInfo.getProcessInfo")["processInfo"]
        pages = [Path(f"/proc/{process['id']}/statm") for process in processes if process["type"] == "renderer"]
        return sum(int(file.read_text().split()[1]) * 4096 for file in pages) / 1e6

    if not Path("/proc/self/statm").exists():
        pytest.skip("no /proc")
    page.get_by_role("button", name="breast-cancer").click()
    described(page)
    before = []
    for run in range(25):
        page.get_by_role("button", name="Train", exact=True).click()
        trained(page)
        if run == 4:
            before.append(megabytes())
    # An instance of the command takes 16 MB and more.
    assert megabytes() < before[0] + 150


def test_a_proof_and_its_table_pass_the_checkers(page, tmp_path):
    train_on(page, "wine.csv", 2)
    saved = []
    page.on("download", lambda download: saved.append(download))
    page.get_by_role("button", name="Proof and its table").click()
    expect(page.locator("#used")).to_contain_text("is saved", timeout=60_000)
    page.wait_for_timeout(1000)
    assert sorted(download.suggested_filename for download in saved) == ["wine.proof", "wine.tw"]
    for download in saved:
        download.save_as(tmp_path / download.suggested_filename)
    checker = [sys.executable, ROOT / "python/treewright/check_proof.py", "wine.tw", "wine.proof"]
    done = subprocess.run(checker, cwd=tmp_path, check=True, capture_output=True, text=True)
    assert "verified" in done.stdout
    choose(page, "")
    listed(page)
    page.locator("#hand-node .take").nth(1).click()
    is_solved(page, "more than")
    with page.expect_download() as tree:
        page.get_by_role("button", name="Tree file").click()
    saved.clear()
    page.get_by_role("button", name="Proof and its table").click()
    expect(page.locator("#used")).to_contain_text("is saved", timeout=60_000)
    page.wait_for_timeout(1000)
    if COMMAND.exists():
        next(file for file in saved if file.suggested_filename == "wine.proof").save_as(tmp_path / "wine.proof")
        words = [COMMAND, "check", tree.value.path(), DATA / "wine.csv", "--proof", tmp_path / "wine.proof"]
        said = subprocess.run(words, check=True, capture_output=True, text=True).stdout
        assert "that begins with" in said
        assert "so this tree is optimal" in said


def test_rates_and_times(page):
    page.get_by_role("button", name="insurance").click()
    described(page)
    page.select_option("#loss", "poisson")
    page.select_option("#beside", "holders")
    expect(page.locator("#classes")).to_contain_text("rate")
    page.fill("#depth", "2")
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)
    assert "--loss poisson --exposure holders --max-depth 2" in page.locator("#command").inner_text()
    assert "deviance explained" in page.frame_locator("#report").locator("body").inner_text()
    page.get_by_role("button", name="pbc").click()
    described(page)
    assert not page.locator("#beside").is_visible()
    page.select_option("#loss", "survival")
    assert page.locator("#classes").inner_text() == "", "what was read before is not what will be"
    page.get_by_role("button", name="Train", exact=True).click()
    expect(page.locator("#problem")).to_contain_text("choose the column that holds 1 for these rows and 0 for the others")
    page.select_option("#beside", "died")
    expect(page.get_by_label("use died")).to_have_count(0)
    page.get_by_role("button", name="Train", exact=True).click()
    trained(page)
    assert "--loss survival --event died" in page.locator("#command").inner_text()
    assert "--" not in page.locator("#problem").inner_text() + page.locator("#notes").inner_text()
    assert "concordance" in page.frame_locator("#report").locator("body").inner_text()


def test_every_column_has_its_bars(page):
    page.get_by_role("button", name="houses").click()
    described(page)
    shapes = page.locator("#columns svg path").evaluate_all("paths => paths.map(path => path.getAttribute('d'))")
    assert [shape.count("M") for shape in shapes] == [12, 12, 12, 12, 2, 2, 2, 2, 2, 12, 2]
