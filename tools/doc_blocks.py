"""Runs the code blocks of the pages: doc_blocks.py [--update] PAGE...

Every code block is fenced and names its language. The line before the fence may hold a marker, which readers of the page do not see.

console     Lines "$ command" are run by bash, in one scratch folder for the page, with copies of data/ and examples/. The lines below a
            command are its output, compared but for times ("..." stands for any lines). Without output, success is enough.
python      Blocks of a page run in one namespace. "print(...)  # text" promises that text. A block `text` right after it is all it prints.
c, cpp, r, bash, cmake
            Need a marker `<!-- file: PATH -->`: the block is the file, or a part of it. Tests run these files.
text, json, csv, sql
            No programs: shown only, unless they have such a marker.
any         `<!-- not run: REASON -->` shows the block without running it.

--update writes what was printed into the pages. The exit status is 1 if something did not hold.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SHOWN = {"text", "json", "csv", "sql"}
FILES = {"c", "cpp", "r", "bash", "cmake"}
MARKER = r"(?:<!-- (?P<marker>file|not run): (?P<argument>[^\n]*?) -->\n)?"
BLOCK = re.compile(rf"^{MARKER}```(?P<language>[^\n]*)\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)
TIMES = [
    (r"(?m)^seconds .*$", "seconds T"),
    (r"\b\d+(\.\d+)? (s|ms|seconds)\b", "T s"),
    (r"(?m)^( +\d+ .* )\d+\.\d\d$", r"\1T"),  # the last column of a table of rounds
]


@dataclass
class Block:
    """A code block and where its body lies in the page."""

    language: str
    body: str
    marker: str
    argument: str
    begin: int
    line: int


def blocks_of(text: str) -> list[Block]:
    return [
        Block(m["language"], m["body"], m["marker"] or "", m["argument"] or "", m.start("body"), text.count("\n", 0, m.start("body")))
        for m in BLOCK.finditer(text)
    ]


def plain(output: str) -> str:
    """Output without what differs between runs."""
    for pattern, word in TIMES:
        output = re.sub(pattern, word, output)
    return "\n".join(line.rstrip() for line in output.strip("\n").split("\n"))


def agrees(shown: str, printed: str) -> bool:
    pieces = [re.escape(piece) for piece in plain(shown).split("\n...")]
    return re.fullmatch("(\n.*)?".join(pieces), plain(printed), re.DOTALL) is not None


def commands_of(body: str) -> list[tuple[str, str]]:
    """(command with its "$ " and comment, shown output) in order. A command goes on after a backslash."""
    found: list[tuple[str, str]] = []
    more = False
    for line in body.splitlines(keepends=True):
        if line.startswith("$ ") or more:
            found.append((found.pop()[0] + line, "") if more else (line, ""))
            more = line.rstrip().endswith("\\")
        elif found:
            found.append((found[-1][0], found.pop()[1] + line))
        else:
            raise ValueError("a console block begins with '$ '")
    return found


class Page:
    """One page: runs its blocks in order and collects what does not hold, and the text with the true output."""

    def __init__(self, path: Path, folder: Path) -> None:
        self.path, self.folder = path, folder
        self.text = path.read_text()
        self.updated = self.text
        self.problems: list[str] = []
        self.namespace: dict[str, object] = {"__name__": "page"}
        self.shift = 0

    def problem(self, block: Block, what: str) -> None:
        self.problems.append(f"{self.path}:{block.line}: {what}")

    def replace(self, block: Block, body: str) -> None:
        begin = block.begin + self.shift
        self.updated = self.updated[:begin] + body + self.updated[begin + len(block.body) :]
        self.shift += len(body) - len(block.body)

    def run(self) -> None:
        printed: str | None = None
        before: Block | None = None
        for block in blocks_of(self.text):
            if block.marker == "not run":
                pass
            elif block.marker == "file" or block.language in FILES:
                self.compare_file(block)
            elif block.language == "console":
                self.run_console(block)
            elif block.language == "python":
                printed = self.run_python(block)
            elif block.language == "text" and printed is not None and self.follows(before, block):
                if not agrees(block.body, printed):
                    self.problem(block, f"the block above prints\n{printed}")
                    self.replace(block, printed)
            elif block.language not in SHOWN and not block.language.startswith("{"):
                self.problem(block, f"a block of language '{block.language}' needs a marker, see tools/doc_blocks.py")
            before = block

    def follows(self, before: Block | None, block: Block) -> bool:
        """Whether the block stands right below a python block."""
        if before is None or before.language != "python":
            return False
        return self.text[before.begin + len(before.body) : block.begin].split() == ["```", "```text"]

    def compare_file(self, block: Block) -> None:
        if block.marker != "file" or not (ROOT / block.argument).is_file():
            self.problem(block, f"a block of language '{block.language}' names its file: <!-- file: PATH -->")
        elif block.body not in (ROOT / block.argument).read_text():
            self.problem(block, f"differs from {block.argument}")

    def run_console(self, block: Block) -> None:
        body = ""
        for command, shown in commands_of(block.body):
            done = subprocess.run(
                ["bash", "-c", command[2:]],
                cwd=self.folder,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                stdin=subprocess.DEVNULL,
                text=True,
                timeout=120,
                check=False,
            )
            if shown.strip():
                if not agrees(shown, done.stdout):
                    self.problem(block, f"{command.strip()} prints\n{done.stdout}")
                    shown = done.stdout.rstrip("\n") + shown[len(shown.rstrip("\n")) :]
            elif done.returncode != 0:
                self.problem(block, f"{command.strip()} ends with status {done.returncode}\n{done.stdout}")
            body += command + shown
        if body != block.body:
            self.replace(block, body)

    def run_python(self, block: Block) -> str:
        output = io.StringIO()
        try:
            with contextlib.redirect_stdout(output):
                exec(compile(block.body, f"{self.path.name}:{block.line}", "exec"), self.namespace)
        except Exception:
            self.problem(block, traceback.format_exc(limit=-1))
            return output.getvalue()
        lines = output.getvalue().splitlines()
        for promised in re.findall(r"^print\(.*\)  # (.*)$", block.body, re.MULTILINE):
            if promised not in lines:
                self.problem(block, f"nothing prints '{promised}', but\n{output.getvalue()}")
        return output.getvalue()


def run_page(path: Path, folder: Path) -> Page:
    """Runs the blocks of a page inside an empty folder. The commands of the environment that runs this come first on the path."""
    for name in ("data", "examples"):
        shutil.copytree(ROOT / name, folder / name)
    page = Page(path, folder)
    kept_folder, kept_path = Path.cwd(), os.environ["PATH"]
    os.environ["PATH"] = os.pathsep.join([str(Path(sys.executable).parent), str(ROOT / "build/release"), kept_path])
    os.chdir(folder)
    try:
        page.run()
    finally:
        os.chdir(kept_folder)
        os.environ["PATH"] = kept_path
    return page


def main(arguments: list[str]) -> int:
    update = "--update" in arguments
    failed = False
    for name in arguments:
        if name == "--update":
            continue
        with tempfile.TemporaryDirectory() as folder:
            page = run_page(Path(name).resolve(), Path(folder))
        for problem in page.problems:
            print(problem, file=sys.stderr)
        failed = failed or bool(page.problems)
        if update and page.updated != page.text:
            page.path.write_text(page.updated)
    return int(failed)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
