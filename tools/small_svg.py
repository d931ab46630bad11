"""Makes the pictures of matplotlib small, without a change that can be seen: small_svg.py FILE.svg ...

Text stays text, coordinates have two decimals, and what no browser reads is left out.
"""

from __future__ import annotations

import re
import sys
from collections import Counter
from pathlib import Path
from typing import Any


def pyplot() -> Any:
    """matplotlib.pyplot, set up so that the same picture is the same file."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "treewright"
    matplotlib.rcParams["svg.fonttype"] = "none"
    import matplotlib.pyplot

    return matplotlib.pyplot


def save(figure: Any, path: Path, **options: Any) -> None:
    import matplotlib.pyplot

    figure.savefig(path, metadata={"Date": None}, **options)
    matplotlib.pyplot.close(figure)
    path.write_text(smaller(path.read_text()))


def smaller(svg: str) -> str:
    svg = re.sub(r"(?s)<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>", "", svg)
    svg = re.sub(r"\d+\.\d{3,}", lambda number: f"{float(number[0]):.2f}".rstrip("0").rstrip("."), svg)
    svg = re.sub(r"font-family: [^;\"]*", "font-family: 'DejaVu Sans', sans-serif", svg)
    svg = re.sub(r'(?<= d=")[^"]*', lambda path: " ".join(path[0].split()), svg)
    svg = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", svg)
    # Groups: names, which nothing refers to, then those of one element or of none.
    svg = re.sub(r"\n\s*", "\n", re.sub(r'<g id="[\w.]+"(/?)>', r"<g\1>", svg)).lstrip().replace("<g/>\n", "")
    while (shorter := re.sub(r"<g>\n(<[^\n]*>\n)?</g>\n", r"\1", svg)) != svg:
        svg = shorter
    # A style that is often used gets a name.
    styles = Counter(re.findall(r' style="([^"]*)"', svg))
    names = {style: f"s{number}" for number, (style, uses) in enumerate(styles.most_common()) if uses > 1}
    svg = re.sub(r' style="([^"]*)"', lambda style: f' class="{names[style[1]]}"' if style[1] in names else style[0], svg)
    return svg.replace("</style>", "".join(f"\n.{name}{{{style}}}" for style, name in names.items()) + "</style>", 1)


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(smaller(path.read_text()))
