"""Puts the page together: bundle.py BUILD OUT. One file that needs nothing else."""

import base64
import gzip
import json
import re
import sys
from pathlib import Path

build, out = Path(sys.argv[1]), Path(sys.argv[2])
here = Path(__file__).resolve().parent
root = here.parent


def script(text):
    """Text that stands between the tags of a script."""
    return text.replace("</script", "<\\/script").replace("<!--", "<\\!--")


engine = gzip.compress((build / "web/treewright_web.wasm").read_bytes(), 9, mtime=0)
kept = ("iris.csv", "wine.csv", "breast-cancer.csv", "houses.csv", "insurance.csv", "pbc.csv")
examples = {name: (root / "data" / name).read_text(encoding="utf-8") for name in kept}
parts = {
    "REPORT_CSS": (root / "src/treewright/report/report.css").read_text(encoding="utf-8"),
    "PAGE_CSS": (here / "page.css").read_text(encoding="utf-8"),
    "PAGE_JS": script("".join((here / name).read_text(encoding="utf-8") for name in ("hand.js", "page.js"))),
    "WORKER": script((here / "worker.js").read_text(encoding="utf-8") + (build / "web/treewright_web.js").read_text(encoding="utf-8")),
    "ENGINE": base64.b64encode(engine).decode(),
    "EXAMPLES": script(json.dumps(examples)),
    "VERSION": re.search(r"project\(treewright VERSION ([0-9.]+)", (root / "CMakeLists.txt").read_text(encoding="utf-8")).group(1),
}
page = re.sub(r"@([A-Z_]+)@", lambda found: parts[found.group(1)], (here / "page.html").read_text(encoding="utf-8"))
out.write_text(page, encoding="utf-8")
print(f"{out}: {out.stat().st_size / 1e6:.1f} MB")
