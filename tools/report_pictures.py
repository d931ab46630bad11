"""Makes the pictures of reports and of the page in a browser in docs/images again: .venv/bin/python tools/report_pictures.py

The reports are those of docs/report.md and docs/numbers.md, trained by build/release/treewright, and the page is
build/web/treewright.html. Needs playwright, chromium and Pillow.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Locator, Page, expect, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
IMAGES = ROOT / "docs/images"
COMMAND = ROOT / "build/release/treewright"
DATA = ROOT / "data/breast-cancer.csv"
WEB = ROOT / "build/web/treewright.html"
COLORS = 128
# Of docs/numbers.md: the loss, and how the tree is limited.
NUMBERS = {
    "houses": "--max-depth 3 --test-share 0.25",
    "insurance": "--loss poisson --exposure holders --ordered age=<25,25-29,30-35,>35 --ordered engine=<1l,1-1.5l,1.5-2l,>2l "
    "--max-depth 2 --test-share 0.25",
    "pbc": "--loss survival --event died --max-depth 2 --min-leaf 20 --test-share 0.3",
}


def save(shown: Page | Locator, name: str) -> None:
    path = IMAGES / name
    shown.screenshot(path=path)
    Image.open(path).convert("RGB").quantize(COLORS).save(path, optimize=True)


def hand_in_the_tree(browser: Browser) -> None:
    """A split is taken on the right of the root, on a wide and on a narrow page."""
    for name, width, colors in (("hand.png", 1280, "light"), ("hand-narrow.png", 500, "dark")):
        page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=colors)
        page.goto(WEB.as_uri())
        page.get_by_role("button", name=DATA.stem).click()
        page.select_option("#share", "0")
        page.get_by_role("button", name="Train").click()
        card = page.locator("#change")
        for _ in range(2):
            card.locator('[data-path="r"] > .label').click(timeout=120_000)
            expect(card.locator("#hand-node [role=status]")).to_contain_text("proved", timeout=120_000)
            if not card.locator(".fixed").count():
                card.locator(".take", has_text="worst_concave_points").click()
                expect(card.locator(".fixed")).to_have_count(2, timeout=120_000)
        page.mouse.move(0, 0)
        save(card, name)


def numbers(browser: Browser, scratch: Path) -> None:
    """From the headline to what is predicted and seen."""
    for name, limits in NUMBERS.items():
        report = scratch / f"{name}.html"
        fit = [COMMAND, "fit", ROOT / f"data/{name}.csv", *limits.split(), "--quiet", "--html", report]
        subprocess.run([*fit, "--out", scratch / f"{name}.json"], check=True, stdout=subprocess.DEVNULL)
        page = browser.new_page(viewport={"width": 1280, "height": 940})
        page.goto(report.as_uri())
        seen = page.locator("section", has_text="Predicted and seen").bounding_box()
        assert seen is not None
        page.set_viewport_size({"width": 1280, "height": round(seen["y"] + seen["height"] + 15)})
        save(page, f"{name}.png")


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
        numbers(browser, Path(scratch))
        hand_in_the_tree(browser)
        browser.close()


if __name__ == "__main__":
    main()
