"""Makes the pictures of matplotlib small, without a change that can be seen: small_svg.py FILE.svg ...

Text stays text, coordinates have one decimal, lines in a row that look alike are one path, and what no browser reads is left out.
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
    svg = re.sub(r"font-family: [^;}\"]*", "font-family: 'DejaVu Sans', sans-serif", svg)
    svg = re.sub(r"(?<![\w-])(x|y|d)=\"([^\"]*)\"", lambda found: f'{found[1]}="{_short(found[2])}"', svg)
    svg = re.sub(r' transform="rotate\(-0 [^)]*\)"', "", svg)
    # Names of groups, which nothing refers to.
    svg = re.sub(r"\n\s*", "\n", re.sub(r'<g id="[\w.]+"(/?)>', r"<g\1>", svg)).lstrip().replace("<g/>\n", "")
    # A style that is often used gets a name.
    styles = Counter(re.findall(r' style="([^"]*)"', svg))
    names = {style: f"s{number}" for number, (style, uses) in enumerate(styles.most_common()) if uses > 1}
    svg = re.sub(r' style="([^"]*)"', lambda style: f' class="{names[style[1]]}"' if style[1] in names else style[0], svg)
    svg = svg.replace("</style>", "".join(f"\n.{name}{{{style}}}" for style, name in names.items()) + "</style>", 1)
    while (shorter := re.sub(r"<g>\n(<[^\n]*>\n)?</g>\n", r"\1", _joined(svg))) != svg:
        svg = shorter
    # Short names of clip paths and marks.
    for number, name in enumerate(dict.fromkeys(re.findall(r'<(?:clipPath|path) id="(\w+)"', svg))):
        svg = re.sub(rf'(?<=[#"]){name}(?=[)"])', f"p{number}", svg)
    return re.sub(r'(<image [^>]*) id="\w+"', r"\1", svg)


def _short(coordinates: str) -> str:
    """Numbers with one decimal. Corners of a path of lines are told by their distance from the one before. What is
    short already stays."""
    if re.search(r"[a-zA-Z]\S", coordinates):
        return coordinates
    words = [word if word.isalpha() else f"{float(word):.1f}".removesuffix(".0") for word in coordinates.split()]
    if "L" not in words or not {word for word in words if word.isalpha()} <= {"M", "L", "z"}:
        return " ".join(words)
    path, at = "", (0, 0)
    rest = iter(words)
    for command in rest:
        if command == "z":
            path += "z"
            continue
        x, y = (round(10 * float(next(rest))) for _ in range(2))
        right, down = x - at[0], y - at[1]
        path += f"M{x / 10:g} {y / 10:g}" if command == "M" else f"h{right / 10:g}" if down == 0 else f"l{right / 10:g} {down / 10:g}"
        at = x, y
    return path


def _joined(svg: str) -> str:
    """Lines behind one another that have the same style are one path."""
    line = re.compile(r'<path d="(M[^"z]*)"( clip-path="[^"]*")? class="(s\d+)"/>')
    unfilled = set(re.findall(r"\.(s\d+){fill: none(?!.*opacity)", svg))
    joined: list[str] = []
    for text in svg.splitlines():
        now, before = line.fullmatch(text), line.fullmatch(joined[-1]) if joined else None
        if now and before and now[3] in unfilled and now.groups()[1:] == before.groups()[1:]:
            joined[-1] = before[0].replace(before[1], before[1] + now[1], 1)
        else:
            joined.append(text)
    return "\n".join(joined) + "\n"


if __name__ == "__main__":
    for path in map(Path, sys.argv[1:]):
        path.write_text(smaller(path.read_text()))
