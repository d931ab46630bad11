"""The documentation's code runs: each page from top to bottom, in one namespace."""

import doctest
import importlib
import re
from pathlib import Path

import pytest

pytest.importorskip("sklearn")
pytest.importorskip("pandas")
pytest.importorskip("matplotlib")

ROOT = Path(__file__).parents[2]


def blocks(page):
    return re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), re.DOTALL)


@pytest.mark.parametrize("page", ["docs/python.md", "python/README.md", "README.md"])
def test_page(page, tmp_path, monkeypatch, capsys):
    if not (ROOT / page).exists():
        pytest.skip(f"{page} is not there")
    monkeypatch.chdir(tmp_path)
    namespace = {"__name__": "page"}
    for code in blocks(page):
        capsys.readouterr()
        exec(compile(code, page, "exec"), namespace)
        printed = capsys.readouterr().out.splitlines()
        # "print(...)  # text" promises that text.
        promised = re.findall(r"^print\(.*\)  # (.*)$", code, re.MULTILINE)
        for text in promised:
            assert text in printed


@pytest.mark.parametrize("module", ["treewright._estimator", "treewright.export"])
def test_docstrings(module):
    failed, tried = doctest.testmod(importlib.import_module(module))
    assert tried > 0
    assert failed == 0
