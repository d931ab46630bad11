"""The command and the library for Windows, run by wine: check_wine.py PACKAGE COMMAND [ZIG_CC].

PACKAGE is a folder with treewright.exe and treewright_c.dll. COMMAND is treewright as this system's own compiler built it, from which
the files and the texts of the other must not differ. ZIG_CC compiles the test of the C interface. Without wine nothing is run, and that
is said.

wine hands a signal SIGINT to the program's handlers of Ctrl-C, as Windows does with the key.
"""

import gzip
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

SOURCE = Path(__file__).parents[2]
IRIS = SOURCE / "data/iris.csv"
SECONDS = 300  # that no run here takes


def wine() -> str | None:
    """wine's loader, made ready; none where there is none. Not Debian's script, which takes its place and speaks of 32 bits."""
    found = next(
        (path for path in ("/usr/lib/wine/wine64", shutil.which("wine64"), shutil.which("wine")) if path and Path(path).exists()), None
    )
    if found is None:
        return None
    prefix = SOURCE / "build/wine"
    os.environ.update(WINEPREFIX=str(prefix), WINEDEBUG="-all", WINEDLLOVERRIDES="mscoree,mshtml=", LC_ALL="C.UTF-8")
    if not (prefix / "system.reg").exists():
        prefix.mkdir(parents=True, exist_ok=True)
        subprocess.run([found, "wineboot", "-i"], check=True, capture_output=True, timeout=SECONDS)
    return found


class Bench:
    """A folder to work in, the command to test and the one to compare with."""

    def __init__(self, folder: Path, loader: str, package: Path, reference: str) -> None:
        self.folder, self.package = folder, package
        self.command, self.reference = [loader, str(package / "treewright.exe")], [reference]

    def start(self, *words: object, **more: object) -> subprocess.Popen:
        return subprocess.Popen([*self.command, *map(str, words)], cwd=self.folder, **more)

    def said(self, command: list[str], *words: object, code: int = 0, given: bytes = b"") -> bytes:
        done = subprocess.run([*command, *map(str, words)], cwd=self.folder, input=given, capture_output=True, timeout=SECONDS)
        assert done.returncode == code, (words, done.returncode, done.stdout, done.stderr)
        return done.stdout if code == 0 else done.stderr

    def run(self, *words: object, code: int = 0, given: bytes = b"") -> bytes:
        return self.said(self.command, *words, code=code, given=given)

    def same(self, *words: object, code: int = 0, given: bytes = b"") -> bytes:
        """Runs both commands, which must say the same."""
        found, expected = (self.said(command, *words, code=code, given=given) for command in (self.command, self.reference))
        assert steady(found) == steady(expected), (words, found, expected)
        return found


def steady(text: bytes) -> list[bytes]:
    """Lines without those that no two runs share."""
    return [line for line in text.split(b"\n") if not re.search(rb"second|\btime\b|\d s\b", line)]


# --- what is tested -------------------------------------------------------------------------------


def texts(bench: Bench) -> None:
    """What is printed and written has the same bytes as here, line ends too."""
    bench.same("--version")
    bench.same("fit", "--help-all")
    bench.same("methods", "--markdown")
    bench.same("describe", IRIS)
    bench.run("fit", IRIS, "--max-depth", "3", "--out", "tree.json")
    bench.said(bench.reference, "fit", IRIS, "--max-depth", "3", "--out", "here.json")
    there, here = (json.loads((bench.folder / name).read_text()) for name in ("tree.json", "here.json"))
    timed = ("result", "checksum")
    assert {key: there[key] for key in there if key not in timed} == {key: here[key] for key in here if key not in timed}
    bench.same("show", "tree.json")
    for command in ("check", "score", "predict"):
        bench.same(command, "tree.json", IRIS)
    bench.same("explain", "tree.json", "70", IRIS)
    for language in ("rules", "text", "svg", "json", "c", "sql", "excel", "pmml", "onnx"):
        bench.same("export", "tree.json", IRIS, "--to", language)
    bench.same("report", "tree.json", IRIS, "--out", "-")
    bench.same("fit", IRIS, "--depth", "2", code=2)
    bench.same("fit", "absent.csv", code=3)


def names_of_files(bench: Bench) -> None:
    """Blanks, letters that no code page has together, both slashes, the current folder."""
    folder = bench.folder / "Zwei Wörter, данные 数据"
    folder.mkdir()
    data = folder / "mes données ß.csv"
    shutil.copy(IRIS, data)
    within = f"{folder.name}\\{data.name}"
    for name in (data, within, within.replace("\\", "/")):
        bench.run("fit", name, "--max-depth", "2", "--out", f"{folder.name}\\Bäume 树.json")
        bench.same("check", f"{folder.name}/Bäume 树.json", data)
    assert sorted(path.name for path in folder.iterdir()) == sorted(["Bäume 树.json", data.name]), list(folder.iterdir())
    message = bench.run("fit", folder / "fehlt 无.csv", code=3).decode()
    assert "fehlt 无.csv" in message, message
    assert "would be overwritten" in bench.run("fit", within, "--out", data, code=3).decode()
    assert "is a folder" in bench.run("fit", within, "--out", folder, code=3).decode()
    bench.run("fit", within, "--max-depth", "1", "--out", "NUL")


def line_ends(bench: Bench) -> None:
    """A file with CR LF, packed or not, or by standard input, is the file with LF."""
    lines = IRIS.read_bytes()
    assert b"\r" not in lines
    crlf = lines.replace(b"\n", b"\r\n")
    (bench.folder / "crlf.csv").write_bytes(crlf)
    (bench.folder / "crlf.csv.gz").write_bytes(gzip.compress(crlf))
    trees = []
    for data, given in ((IRIS, b""), ("crlf.csv", b""), ("crlf.csv.gz", b""), ("-", crlf)):
        bench.run("fit", data, "--max-depth", "2", "--out", "tree.json", given=given)
        trees.append(json.loads((bench.folder / "tree.json").read_text())["tree"])
    assert all(tree == trees[0] for tree in trees), trees


def killed_and_resumed(bench: Bench) -> None:
    """A run that is killed at several moments and resumed ends with the undisturbed answer; two runs do not share a checkpoint."""
    bench.run(*"generate bd17-train --depth 3 --features 6 --rows 1200 --label-noise 0.2 --seed 3 --out noisy.csv".split())
    tuning = "tune noisy.csv --max-depth 3 --min-leaf 0.02 --try min_samples_leaf=0.02,0.1 --folds 3 --threads 1 --json".split()
    fit = "fit noisy.csv --max-depth 4 --threads 2 --json".split()
    for words, checkpoint in ((tuning, "solves"), (fit, "facts")):
        undisturbed = bench.same(*words)
        kills = 0
        for moment in (0.3, 0.5, 0.7, 0.9):
            run = bench.start(
                *words, "--checkpoint", checkpoint, "--on-existing", "resume", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            time.sleep(moment)
            kills += run.poll() is None
            run.kill()
            run.wait()
        assert kills > 0, "all runs were over before they were killed"
        assert steady(bench.run(*words, "--checkpoint", checkpoint, "--on-existing", "resume")) == steady(undisturbed), words
        assert b"exists already" in bench.run(*words, "--checkpoint", checkpoint, code=3)
    # What another system wrote goes on.
    bench.said(bench.reference, *fit, "--checkpoint", "facts", "--on-existing", "resume")
    longer = [*"fit noisy.csv --max-depth 6 --time-limit 60 --checkpoint".split(), "busy"]
    run = bench.start(*longer, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wait_for(lambda: (bench.folder / "busy").exists())
    time.sleep(1)
    assert b"in use by another run" in bench.run(*longer, "--on-existing", "resume", code=3)
    run.kill()
    run.wait()


def ctrl_c(bench: Bench) -> None:
    """The first Ctrl-C ends a search, whose best tree is written; the second ends the program."""
    bench.run(*"generate bd17-train --rows 1000 --features 8 --depth 4 --classes 2 --label-noise 0.4 --out long.csv".split())
    words = ["fit", "long.csv", "--max-depth", "7", "-v", "--json", "--out", "interrupted.json"]
    run = bench.start(*words, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert b"incumbent" in run.stderr.readline()
    run.send_signal(signal.SIGINT)
    said, _ = run.communicate(timeout=SECONDS)
    assert run.returncode == 130 and b'"status": "interrupted"' in said, (run.returncode, said[-300:])
    bench.same("check", "interrupted.json", "long.csv")
    assert not list(bench.folder.glob("*.tmp*"))


def other_programs(bench: Bench) -> None:
    """A solver's command goes through cmd.exe; what it ends with is told, and a time limit ends it and what it started."""
    words = ["fit", IRIS, "--solver", "mip", "--max-depth", "1", "--mip-solver"]
    message = bench.run(*words, "no-such-solver {lp} {solution}", code=2)
    assert b"ended with exit code" in message and b"no-such-solver" in message, message
    began = time.monotonic()
    bench.run(*words, "ping -n 60 127.0.0.1 & rem {lp} {solution}", "--time-limit", "2")
    assert time.monotonic() - began < 30
    assert b"--dask" in bench.run("fit", IRIS, "--dask", "tcp://127.0.0.1:1", code=2)


def solver_inside(bench: Bench) -> None:
    """HiGHS, which Microsoft's run time must be there for; wine has its own. Where it does not load, that is told."""
    words = ["fit", IRIS, "--solver", "mip", "--max-depth", "1"]
    found = bench.run(*words, "--json")
    assert b'"status": "optimal"' in found, found[:400]
    alone = bench.folder / "treewright.exe"
    shutil.copy(bench.package / "treewright.exe", alone)
    message = bench.said([bench.command[0], str(alone)], *words, code=2)
    assert b"highs.dll, the solver, is not beside this program or does not load" in message, message


def library(bench: Bench, compiler: str) -> None:
    """The test of the C interface."""
    program = bench.folder / "api_test.exe"
    for name in bench.package.glob("*.dll"):
        shutil.copy(name, bench.folder)
    words = [compiler, "-O1", "-I", SOURCE / "include", SOURCE / "tests/api_test.c", bench.folder / "treewright_c.dll", "-o", program]
    subprocess.run([str(word) for word in words], check=True, timeout=SECONDS)
    bench.said([bench.command[0], str(program)])


def wait_for(condition: Callable[[], bool]) -> None:
    end = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.05)


def test(package: Path, reference: str, compiler: str | None) -> str:
    loader = wine()
    if loader is None:
        return "not run: needs wine (Debian's package wine64)"
    parts = [texts, names_of_files, line_ends, killed_and_resumed, ctrl_c, other_programs]
    parts += [solver_inside] if (package / "highs.dll").exists() else []
    with tempfile.TemporaryDirectory() as folder:
        for part in parts:
            work = Path(folder) / part.__name__
            work.mkdir()
            part(Bench(work, loader, package, reference))
        if compiler is not None:
            library(Bench(Path(folder), loader, package, reference), compiler)
    version = subprocess.run([loader, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    names = [part.__name__.replace("_", " ") for part in parts] + ([] if compiler is None else ["library"])
    return f"under {version}: {', '.join(names)}"


if __name__ == "__main__":
    print(test(Path(sys.argv[1]).absolute(), str(Path(sys.argv[2]).absolute()), sys.argv[3] if len(sys.argv) > 3 else None))
