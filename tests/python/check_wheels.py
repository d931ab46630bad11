"""The wheels of tools/wheels: check_wheels.py FOLDER COMMAND.

Every wheel is inspected: its members, their checksums, what its libraries ask of the system and what they offer. Those that run here
are run. COMMAND is treewright as this system's own compiler built it: on the text cases, the command of a wheel must give the same trees
and the same bits of every figure. What cannot be inspected or run here is named.
"""

import base64
import csv
import hashlib
import json
import os
import re
import shutil
import struct
import subprocess
import sys
import tempfile
import venv
import zipfile
from collections.abc import Iterator
from pathlib import Path

import check_installed
import check_wine
from check_installed import output

SOURCE = Path(__file__).parents[2]
# Roots that tools/root makes, by the tag of the wheel that is installed there.
ROOTS = {"manylinux_2_17_x86_64": ["bookworm", "bullseye"], "manylinux_2_17_aarch64": ["arm64"], "musllinux_1_2_x86_64": ["musl"]}
ARM_ROOT = SOURCE / "build/root-arm64"
CASES = ["iris_splits", "v23", "known_optima", "known_bounds", "many_classes", "fuzz_found"]
FIGURES = ["status", "objective", "bound", "gap", "errors", "splits", "leaves", "depth", "terms", "accuracy"]
LARGEST = 10e6
GLIBCS = [17, 27, 28]  # of wheels of numpy that pip may choose: 2.17 and so on


# --- what is in a wheel ---------------------------------------------------------------------------


def check_members(wheel: Path) -> None:
    assert wheel.stat().st_size <= LARGEST, f"{wheel.name} is larger than {LARGEST / 1e6:.0f} MB"
    with zipfile.ZipFile(wheel) as file:
        names = file.namelist()
        info = next(name.split("/")[0] for name in names if name.endswith(".dist-info/RECORD"))
        recorded = {row[0]: row[1] for row in csv.reader(file.read(f"{info}/RECORD").decode().splitlines())}
        assert sorted(recorded) == sorted(names), "RECORD names other members"
        for name in names:
            digest = base64.urlsafe_b64encode(hashlib.sha256(file.read(name)).digest()).rstrip(b"=").decode()
            assert name.endswith("/RECORD") or recorded[name] == f"sha256={digest}", name
        assert len({member.date_time for member in file.infolist()}) == 1, "members of different times"
        tags = re.findall(r"^Tag: py3-none-(.*)$", file.read(f"{info}/WHEEL").decode(), re.M)
        assert wheel.name.endswith(f"-py3-none-{'.'.join(tags)}.whl"), tags
        script = f"{info.replace('.dist-info', '.data')}/scripts/treewright"
        if "-win_" in wheel.name:
            assert script not in names and "treewright/treewright.exe" in names, names
            assert "treewright = treewright._command:main" in file.read(f"{info}/entry_points.txt").decode()
            return
        for name in ("treewright/treewright", script):
            assert file.getinfo(name).external_attr >> 16 & 0o111 == 0o111, f"{name} is not executable"


def unpack(wheel: Path, folder: Path) -> Path:
    with zipfile.ZipFile(wheel) as file:
        file.extractall(folder)
    for command in (folder / "treewright").glob("treewright*"):
        command.chmod(0o755)
    return folder / "treewright"


def foreign_paths(file: Path) -> set[str]:
    """Names of this checkout or of its user's folders inside a file that others get."""
    return {found.decode() for found in re.findall(rb"(?:%s|/home/|/root/)[\x20-\x7e]*" % str(SOURCE).encode(), file.read_bytes())}


def check_elf(wheel: Path, package: Path) -> str:
    if shutil.which("readelf") is None:
        return "not inspected (no readelf)"
    for name in ("treewright", "libtreewright_c.so"):
        dynamic = output("readelf", "-dW", package / name)
        paths = re.findall(r"Library (?:run|r)path: \[(.*)\]", dynamic)
        assert all(path == "$ORIGIN" for path in paths), (name, paths)
        symbols = output("readelf", "--dyn-syms", "-W", package / name).splitlines()
        defined = {line.split()[7] for line in symbols if re.search(r" (GLOBAL|WEAK) +DEFAULT +\d+ ", line)}
        # A library of C++ inside HiGHS's process would otherwise be taken in place of its own.
        assert all(symbol.startswith("tw_") for symbol in defined), (name, sorted(defined)[:10])
        assert foreign_paths(package / name) == set(), (name, foreign_paths(package / name))
    auditwheel = SOURCE / ".venv-wheels/bin/auditwheel"
    wanted = wheel.name.split("-py3-none-")[1].split(".")[0]
    if not auditwheel.exists() or "musl" in wanted:
        return "inspected, but not by auditwheel"
    said = re.sub(r"\s+", " ", output(auditwheel, "show", wheel))
    assert f'constrains the platform tag to "{wanted}"' in said or f'consistent with the following platform tag: "{wanted}"' in said, said
    return "inspected, auditwheel agrees"


def check_signature(file: Path, headers: str) -> None:
    """A Mac with ARM runs nothing without a signature: here it names nobody (ad hoc), and holds the hash of every page of the file."""
    found = re.search(r"cmd LC_CODE_SIGNATURE\n.*\n +dataoff (\d+)", headers)
    assert found is not None, f"{file.name} is not signed"
    data = file.read_bytes()
    blobs = int(found.group(1))
    magic, _, count = struct.unpack_from(">3I", data, blobs)
    assert magic == 0xFADE0CC0, hex(magic)
    offsets = dict(struct.unpack_from(">2I", data, blobs + 12 + 8 * i) for i in range(count))
    directory = blobs + offsets[0]
    magic, _, _, flags, hashes, _, _, pages, limit = struct.unpack_from(">9I", data, directory)
    size, kind, _, page = struct.unpack_from(">4B", data, directory + 36)
    assert (magic, flags & 2, size, kind) == (0xFADE0C02, 2, 32, 2), (hex(magic), hex(flags), size, kind)
    for i in range(pages):
        expected = data[directory + hashes + size * i : directory + hashes + size * (i + 1)]
        covered = data[i << page : min((i + 1) << page, limit)]
        assert hashlib.sha256(covered).digest() == expected, f"{file.name}: the signature is not that of page {i}"


def check_mach_o(wheel: Path, package: Path) -> str:
    tool = shutil.which("llvm-objdump")
    if tool is None:
        return "not inspected (no llvm-objdump)"
    wanted = re.search(r"macosx_(\d+)_(\d+)_(\w+)\.whl", wheel.name).groups()
    for name in ("treewright", "libtreewright_c.dylib", "libhighs.dylib"):
        said = output(tool, "--macho", "--private-headers", package / name)
        oldest = re.search(r"(?:minos|LC_VERSION_MIN_MACOSX\s+cmdsize 16\s+version) ([\d.]+)", said).group(1)
        assert [int(part) for part in oldest.split(".")] <= [int(wanted[0]), int(wanted[1])], (name, oldest)
        assert re.search(r"^ *MH_MAGIC_64 +(\w+)", said, re.M).group(1) == {"arm64": "ARM64", "x86_64": "X86_64"}[wanted[2]]
        needed = re.findall(r"cmd LC_(?:LOAD|ID)_DYLIB\n.*\n +name (\S+)", said)
        assert all(path.startswith(("@rpath/", "/usr/lib/")) for path in needed), (name, needed)
        assert set(re.findall(r"cmd LC_RPATH\n.*\n +path (\S+)", said)) <= {"@loader_path"}, name
        offered = re.findall(r"^0x\w+ +(\S+)", output(tool, "--macho", "--exports-trie", package / name), re.M)
        # Every program of C++ offers its operators new and delete; the system takes one of each, and all are malloc and free. The linker
        # adds where a file begins.
        usual = re.compile(r"_tw_|__Z(nw|na|dl|da)|_main$|___dso_handle$|__mh_(execute|dylib)_header$")
        own = [symbol for symbol in offered if not usual.match(symbol)]
        assert name == "libhighs.dylib" or own == [], (name, own[:10])
        if wanted[2] == "arm64":
            check_signature(package / name, said)
        assert name == "libhighs.dylib" or foreign_paths(package / name) == set(), (name, foreign_paths(package / name))
    return "inspected"


def check_pe(wheel: Path, package: Path) -> str:
    tool = shutil.which("llvm-objdump") or shutil.which("objdump")
    if tool is None:
        return "not inspected (no objdump)"
    for name in ("treewright.exe", "treewright_c.dll"):
        said = output(tool, "-p", package / name)
        needed = {found.lower() for found in re.findall(r"DLL Name: (\S+)", said)}
        # What every Windows 10 has; the C run time is Microsoft's universal one.
        own = {found for found in needed if not found.startswith("api-ms-win-crt-")} - {
            "kernel32.dll",
            "shell32.dll",
            "advapi32.dll",
            "ntdll.dll",
        }
        assert own == set(), (name, own)
        offered = (
            re.findall(r"^\s+\[?\s*\d+\]?\s+(?:\+base\S+\s+\S+\s+|0x\w+\s+)(\S+)$", said.split("Export Table")[-1], re.M)
            if ".dll" in name
            else []
        )
        assert all(symbol.startswith("tw_") for symbol in offered), (name, offered[:10])
        assert ".dll" not in name or len(offered) > 50, (name, offered)
        assert foreign_paths(package / name) == set(), (name, foreign_paths(package / name))
    return "inspected"


# --- what it does ---------------------------------------------------------------------------------


def runs(key_values: list[tuple[str, str]], folder: Path) -> Iterator[list[str]]:
    """The runs of one text case as words for `treewright fit`; none where the case needs what only the C++ tests have."""
    keys = [key for key, _ in key_values]
    flags: list[str] = []
    data = None
    for key, value in key_values[: keys.index("table")] if "table" in keys else key_values:
        if key == "data" and value == "inline":
            data = folder / "rows.csv"
            data.write_text("".join(f"{row}\n" for k, row in key_values if k == "row"))
        elif key == "data":
            data = SOURCE / f"data/{value}.csv"
        elif key == "onehot" or (key, value) == ("categorical", "all"):
            return
        elif key not in ("row", "also", "compare") and not key.startswith("expect_"):
            flags += [f"--{key.replace('_', '-')}", value]
    if data is None or not data.exists():
        return
    if "table" not in keys:
        yield [str(data), *flags]
        return
    columns = key_values[keys.index("table")][1].split()
    for first, rest in key_values[keys.index("table") + 1 :]:
        cells = zip(columns, [first, *rest.split()], strict=True)
        chosen = [(key, cell) for key, cell in cells if cell != "-" and not key.startswith("expect_")]
        yield [str(data), *flags, *(word for key, cell in chosen for word in (f"--{key.replace('_', '-')}", cell))]


def all_runs(folder: Path) -> Iterator[list[str]]:
    for name in CASES:
        text = (SOURCE / f"tests/cases/{name}.case").read_text()
        for case in re.split(r"\n\s*\n", re.sub(r"^#.*\n", "", text, flags=re.M)):
            lines = [line.split(maxsplit=1) for line in case.splitlines() if line.strip()]
            yield from runs([(line[0], line[1].strip() if len(line) > 1 else "") for line in lines], folder)
    # Methods that compute with real numbers; and many distinct values, for the kernels.
    for method in ("cart", "cart-h", "logistic-h", "oct-h", "tao", "local", "margot", "svm1", "partition"):
        yield [str(SOURCE / "data/iris.csv"), "--method", method, "--max-depth", "2"]
    yield [str(SOURCE / "data/breast-cancer.csv"), "--max-depth", "3"]


def trained(command: list[str], words: list[str], folder: Path) -> object:
    tree = folder / "tree.json"
    tree.unlink(missing_ok=True)
    done = subprocess.run([*command, "fit", *words, "--out", str(tree)], capture_output=True, text=True)
    if done.returncode != 0:
        return [done.returncode, done.stderr]
    content = json.loads(tree.read_text())
    return [content["tree"], content["objective"], [content["result"].get(figure) for figure in FIGURES]]


def compare(command: list[str], reference: str) -> str:
    count, refused, before = 0, 0, os.times()
    with tempfile.TemporaryDirectory() as folder:
        for words in all_runs(Path(folder)):
            found = trained(command, words, Path(folder))
            if isinstance(found, list) and found[0] == 2 and "this build of treewright has no HiGHS" in found[1]:
                refused += 1
                continue
            expected = trained([reference], words, Path(folder))
            assert found == expected, (words, found, expected)
            count += 1
    without = f", {refused} refused without HiGHS" if refused else ""
    seconds = os.times().children_user - before.children_user
    return f"{count} fits of text cases as {reference} has them{without} ({seconds:.0f} CPU s with both)"


def run_on_musl(package: Path) -> str:
    """The test of the C interface with the library of the wheel."""
    compiler, loader = SOURCE / "build/wheels/x86_64-linux-musl/zig/cc", Path("/lib/ld-musl-x86_64.so.1")
    if not compiler.exists() or not loader.exists():
        return f"the library was not run: needs {loader} (Debian's package musl-tools) and what tools/wheels left in build/wheels"
    program = package / "api_test"
    output(compiler, "-O1", "-I", SOURCE / "include", SOURCE / "tests/api_test.c", package / "libtreewright_c.so", "-o", program)
    output(loader, program, env={"LD_LIBRARY_PATH": str(package)})
    return "the test of the C interface passes with musl's loader"


def run_in_root(wheel: Path, name: str) -> str:
    """`pip install`, `treewright fit` and check_wheel.py in a root with Python alone, which sees this checkout and no network."""
    root, proot, emulator = SOURCE / f"build/root-{name}", shutil.which("proot"), shutil.which("qemu-aarch64")
    if not root.exists() or proot is None or (emulator is None and name == "arm64"):
        return f"not installed in {name}: needs what `tools/root {name}` makes, and the programs of `tools/setup wheels`"
    (python,) = (f"/usr/bin/{path.name}" for path in (root / "usr/bin").iterdir() if re.fullmatch(r"python3\.\d+", path.name))
    within = [proot, "-r", root, "-w", SOURCE, *(word for path in (SOURCE, "/dev", "/proc") for word in ("-b", path))]
    within += ["-q", emulator] if name == "arm64" else []
    with tempfile.TemporaryDirectory(dir=SOURCE / "build") as folder:
        tags = re.search(r"py3-none-(.*)\.whl", wheel.name).group(1).split(".")
        machine = tags[0].split("_", 3)[3]
        tags += [f"manylinux_2_{glibc}_{machine}" for glibc in GLIBCS] if "manylinux" in tags[0] else [f"musllinux_1_1_{machine}"]
        # Later ones for musl have libraries with relative relocations in a table of their own (DT_RELR), which musl reads from 1.2.4 on.
        numpy = "numpy<2" if name == "musl" else "numpy"
        chosen = ["--only-binary", ":all:", "--python-version", python.partition("python")[2]]
        chosen += [word for tag in tags for word in ("--platform", tag)]
        with tempfile.TemporaryDirectory() as tools:
            venv.create(tools, with_pip=True)
            output(f"{tools}/bin/python", "-m", "pip", "download", "--quiet", "--dest", f"{folder}/wheels", *chosen, numpy)
        copy = shutil.copy(wheel, f"{folder}/wheels")
        programs = f"{folder}/venv/bin"
        environment = {"PATH": programs, "LC_ALL": "C.UTF-8"}
        output(*within, python, "-m", "venv", f"{folder}/venv", env=environment)
        output(*within, f"{programs}/pip", "install", "--quiet", "--no-index", "--find-links", f"{folder}/wheels", copy, env=environment)
        fitted = output(*within, f"{programs}/treewright", "fit", "data/wine.csv", "--max-depth", "2", env=environment)
        assert "optimal (verified)" in fitted, fitted
        tested = output(*within, f"{programs}/python", "-I", "tests/python/check_wheel.py", "data/wine.csv", env=environment).strip()
    return f"{name}, a root with Python alone: pip install, treewright fit; {tested}"


def check(wheel: Path, reference: str) -> Iterator[str]:
    check_members(wheel)
    with tempfile.TemporaryDirectory() as folder:
        package = unpack(wheel, Path(folder))
        command = [str(package / "treewright")]
        if "-win_" in wheel.name:
            yield check_pe(wheel, package)
            loader = check_wine.wine()
            compiler = SOURCE / "build/wheels/x86_64-windows-gnu/zig/cc"
            yield check_wine.test(package, reference, str(compiler) if compiler.exists() else None)
            if loader is not None:
                yield "under wine: " + compare([loader, str(package / "treewright.exe")], reference)
            return
        yield check_mach_o(wheel, package) if "macosx" in wheel.name else check_elf(wheel, package)
        machine = os.uname().machine
        if "macosx" in wheel.name:
            yield "not run: no such system here"
        elif machine in wheel.name:
            compared = compare(command, reference)
            assert ("without HiGHS" in compared) == ("musl" in wheel.name), compared
            yield compared
            yield check_installed.run(wheel) if "manylinux" in wheel.name else run_on_musl(package)
        elif "aarch64" in wheel.name and shutil.which("qemu-aarch64") and ARM_ROOT.exists():
            yield "in emulation: " + compare(["qemu-aarch64", "-L", str(ARM_ROOT), *command], reference)
        else:
            yield "not run: needs qemu-user and what `tools/root arm64` makes"
        for name in next((roots for tag, roots in ROOTS.items() if tag in wheel.name), []):
            yield run_in_root(wheel, name)


def main() -> None:
    wheels = sorted(Path(sys.argv[1]).glob("*.whl"))
    assert wheels, f"no wheels in {sys.argv[1]}"
    for wheel in wheels:
        print(f"{wheel.name}, {wheel.stat().st_size / 1e6:.1f} MB")
        for line in check(wheel, str(Path(sys.argv[2]).absolute())):
            print(f"  {line}", flush=True)
    print(f"{len(wheels)} wheels pass")


main()
