"""Writes a wheel anew for the system it was built for: wheel_file.py WHEEL TAG FOLDER.

The tag in its name and in its WHEEL file becomes TAG ("a.b" is two tags). On Windows pip makes the program `treewright` of an entry point;
elsewhere it is a script. The same content makes the same bytes: members are sorted, and
their time is SOURCE_DATE_EPOCH.
"""

import base64
import csv
import hashlib
import io
import os
import sys
import time
import zipfile
from pathlib import Path


def retagged(text: str, tags: list[str]) -> str:
    kept = [line for line in text.splitlines() if line and not line.startswith("Tag: ")]
    return "\n".join(kept + [f"Tag: py3-none-{tag}" for tag in tags]) + "\n"


def record(content: dict[str, bytes], name: str) -> bytes:
    text = io.StringIO()
    rows = csv.writer(text, lineterminator="\n")
    for member, data in content.items():
        digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
        rows.writerow([member, f"sha256={digest}", len(data)])
    rows.writerow([name, "", ""])
    return text.getvalue().encode()


ENTRY_POINTS = "[console_scripts]\ntreewright = treewright._command:main\n"


def main() -> None:
    wheel, tag, folder = Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3])
    with zipfile.ZipFile(wheel) as old:
        # The description of the package stands at the end of the file, as its format recommends.
        members = sorted((m for m in old.infolist() if not m.is_dir()), key=lambda m: (".dist-info/" in m.filename, m.filename))
        content = {m.filename: old.read(m) for m in members if not m.filename.endswith(".dist-info/RECORD")}
        runs = {m.filename for m in members if m.external_attr >> 16 & 0o100}
    info = next(name.split("/")[0] for name in content if name.endswith(".dist-info/WHEEL"))
    if tag.startswith("win"):
        del content[f"{info.removesuffix('.dist-info')}.data/scripts/treewright"]
        content[f"{info}/entry_points.txt"] = ENTRY_POINTS.encode()
    content[f"{info}/WHEEL"] = retagged(content[f"{info}/WHEEL"].decode(), tag.split(".")).encode()
    content[f"{info}/RECORD"] = record(content, f"{info}/RECORD")

    made = folder / f"{info.removesuffix('.dist-info')}-py3-none-{tag}.whl"
    date = time.gmtime(int(os.environ["SOURCE_DATE_EPOCH"]))[:6]
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new:
        for name, data in content.items():
            member = zipfile.ZipInfo(name, date)
            member.compress_type = zipfile.ZIP_DEFLATED
            member.external_attr = (0o100755 if name in runs else 0o100644) << 16
            new.writestr(member, data, compresslevel=9)
    print(f"{made}: {made.stat().st_size / 1e6:.1f} MB, sha256 {hashlib.sha256(made.read_bytes()).hexdigest()}")


main()
