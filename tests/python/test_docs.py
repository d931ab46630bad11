"""The pages: their code blocks run (tools/doc_blocks.py says how), their links lead somewhere, the version is the same everywhere."""

import doctest
import importlib
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("sklearn")
pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).parents[2]
PAGES = sorted(
    [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "python/README.md", ROOT / "data/README.md", ROOT / "experiments/lab.md"]
)

sys.path.insert(0, str(ROOT / "tools"))

from doc_blocks import blocks_of, run_page


def name(path):
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("page", [page for page in PAGES if blocks_of(page.read_text())], ids=name)
def test_code_blocks(page, tmp_path):
    if not (ROOT / "build/release/treewright").exists():
        pytest.skip("the command is not built")
    assert not run_page(page, tmp_path).problems


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_code_hides_in_an_indented_block(page):
    text = re.sub(r"^```.*?^```$", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    assert not re.findall(r"\n\n    \S.*", re.sub(r"(?m)^[-*\d].*(\n+ .*)*", "", text))


def anchors(page):
    """What a link to the page may name after #: its headings as the usual sites write them."""
    headings = re.findall(r"^#+ (.*)$", page.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_links(page):
    text = re.sub(r"^```.*?^```$|`[^`\n]*`", "", page.read_text(), flags=re.MULTILINE | re.DOTALL)
    for link in re.findall(r"\]\(([^)\s]+)\)", text):
        if "://" in link:
            continue
        target, _, anchor = link.partition("#")
        path = (page.parent / target).resolve() if target else page
        assert path.exists(), f"{name(page)} links to {link}"
        assert not anchor or anchor in anchors(path), f"{name(page)} links to {link}"


@pytest.mark.parametrize("page", [*(ROOT / "docs").glob("*.md"), ROOT / "HACKING.md"], ids=name)
def test_files_of_the_source_exist(page):
    source = ROOT / "src/treewright"
    folders = "|".join(folder.name for folder in source.iterdir() if folder.is_dir())
    for file in re.findall(rf"`(?:src/treewright/)?((?:{folders})/[\w/]+\.(?:cpp|h|def))`", page.read_text()):
        assert (source / file).exists(), f"{name(page)} names {file}"


def test_examples_of_command_and_python(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    script = [ROOT / "examples/command/train_tree.sh", ROOT / "data/iris.csv", tmp_path]
    assert "holds: " in subprocess.run(script, capture_output=True, text=True, check=True).stdout
    assert (tmp_path / "tree.sql").read_text().rstrip().endswith("END")
    program = [sys.executable, ROOT / "examples/python/train_tree.py"]
    assert "optimal: " in subprocess.run(program, capture_output=True, text=True, check=True).stdout


@pytest.mark.skipif(not (ROOT / "build/release/treewright").exists(), reason="the command is not built")
def test_the_readme_puts_the_command_on_the_path():
    setting = re.search(r"`(export PATH=[^`]+)`", (ROOT / "README.md").read_text())[1]
    script = f"{setting}; command -v treewright; treewright --version"
    said = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    assert said[0] == str(ROOT / "build/release/treewright")
    assert re.fullmatch(r"treewright [\d.]+.*", said[1])


def test_one_version():
    version = re.search(r"project\(treewright VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]
    assert re.search(r"^## ([\d.]+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)[1] == version
    assert re.search(r"^version: (.*)$", (ROOT / "CITATION.cff").read_text(), re.MULTILINE)[1] == version


@pytest.mark.parametrize("module", ["treewright._estimator", "treewright.export"])
def test_docstrings(module):
    failed, tried = doctest.testmod(importlib.import_module(module))
    assert tried > 0
    assert failed == 0
