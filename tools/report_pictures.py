"""Makes the pictures of the report in docs/images again: .venv/bin/python tools/report_pictures.py

The page is that of docs/report.md, trained by build/release/treewright. Needs playwright, chromium and Pillow.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs/images"
COMMAND = ROOT / "build/release/treewright"
DATA = ROOT / "data/breast-cancer.csv"
COLORS = 128


def save(page: Page, name: str) -> None:
    path = IMAGES / name
    page.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(COLORS).save(path, optimize=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as scratch, sync_playwright() as playwright:
        tree, proof, report = (Path(scratch) / name for name in ("tree.json", "tree.proof", "report.html"))
        title = ["--title", "Breast cancer: benign or malignant"]
        for arguments in (
            ["fit", DATA, "--max-depth", "3", "--proof", proof, "--out", tree],
            ["report", tree, DATA, "--proof", proof, *title, "--out", report],
        ):
            subprocess.run([COMMAND, *arguments], check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        for name, colors in (("report.png", "light"), ("report-row.png", "dark")):
            page = browser.new_page(viewport={"width": 1320, "height": 940}, color_scheme=colors)
            page.goto(report.as_uri())
            if colors == "dark":
                page.get_by_role("button", name="Show its path").click()
                page.evaluate("scrollTo(0, 0)")
            save(page, name)
        browser.close()


if __name__ == "__main__":
    main()
