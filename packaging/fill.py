"""Recipes that can be sent: fill.py OWNER ARCHIVE FOLDER [MAINTAINER].

Copies the recipes of conda-forge and vcpkg to FOLDER, with the version of CMakeLists.txt, the owner of the repository, and the checksums of
ARCHIVE, the source archive of the version's tag. MAINTAINER is the owner unless given.
"""

import hashlib
import re
import sys
from pathlib import Path

HERE = Path(__file__).parent


def version() -> str:
    return re.search(r"^project\(treewright VERSION ([0-9.]+)", (HERE.parent / "CMakeLists.txt").read_text(), re.M).group(1)


def fill(owner: str, archive: bytes, folder: Path, maintainer: str) -> None:
    values = {
        "OWNER": owner,
        "MAINTAINER": maintainer,
        '"0.0.0"': f'"{version()}"',
        "0" * 64: hashlib.sha256(archive).hexdigest(),
        "SHA512 0\n": f"SHA512 {hashlib.sha512(archive).hexdigest()}\n",
    }
    for recipe in sorted(HERE.glob("*/*")):
        text = recipe.read_text()
        for placeholder, value in values.items():
            text = text.replace(placeholder, value)
        filled = folder / recipe.relative_to(HERE)
        filled.parent.mkdir(parents=True, exist_ok=True)
        filled.write_text(text)


if __name__ == "__main__":
    owner, archive, folder = sys.argv[1:4]
    fill(owner, Path(archive).read_bytes(), Path(folder), sys.argv[4] if len(sys.argv) > 4 else owner)
