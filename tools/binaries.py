"""The command alone, for each system that tools/wheels has compiled for: binaries.py FOLDER VERSION.

An archive holds the command, HiGHS beside it where there is one, and the licenses: unpack it anywhere, and run it. SHA256SUMS names what
`sha256sum -c` checks. The same content makes the same bytes: members are sorted, and their time is SOURCE_DATE_EPOCH.
"""

import gzip
import hashlib
import io
import os
import sys
import tarfile
import time
import zipfile
from pathlib import Path

SOURCE = Path(__file__).parent.parent
LICENSES = [SOURCE / "LICENSE", SOURCE / "python/treewright/THIRD_PARTY.md"]


def members(package: Path) -> list[tuple[str, bytes, bool]]:
    """Name, bytes and whether it is a program."""
    chosen = [path for path in package.iterdir() if path.name in ("treewright", "treewright.exe") or "highs" in path.name]
    return [(path.name, path.read_bytes(), path not in LICENSES) for path in sorted([*chosen, *LICENSES], key=lambda path: path.name)]


def zipped(name: str, content: list[tuple[str, bytes, bool]], date: int) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for file, data, runs in content:
            member = zipfile.ZipInfo(f"{name}/{file}", time.gmtime(date)[:6])
            member.compress_type, member.external_attr = zipfile.ZIP_DEFLATED, (0o100755 if runs else 0o100644) << 16
            archive.writestr(member, data, compresslevel=9)
    return out.getvalue()


def tarred(name: str, content: list[tuple[str, bytes, bool]], date: int) -> bytes:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w", format=tarfile.USTAR_FORMAT) as archive:
        for file, data, runs in content:
            member = tarfile.TarInfo(f"{name}/{file}")
            member.size, member.mode, member.mtime = len(data), 0o755 if runs else 0o644, date
            archive.addfile(member, io.BytesIO(data))
    return gzip.compress(out.getvalue(), 9, mtime=0)


def main() -> None:
    folder, version = Path(sys.argv[1]), sys.argv[2]
    date = int(os.environ["SOURCE_DATE_EPOCH"])
    folder.mkdir(parents=True, exist_ok=True)
    sums = []
    for package in sorted(SOURCE.glob("build/wheels/*/package/treewright")):
        name = f"treewright-{version}-{package.parent.parent.name}"
        windows = (package / "treewright.exe").exists()
        packed = (zipped if windows else tarred)(name, members(package), date)
        made = folder / (name + (".zip" if windows else ".tar.gz"))
        made.write_bytes(packed)
        sums.append(f"{hashlib.sha256(packed).hexdigest()}  {made.name}\n")
        print(f"{made}: {len(packed) / 1e6:.1f} MB")
    (folder / "SHA256SUMS").write_text("".join(sums))


main()
