"""The commands that faults.py disturbs, and what undisturbed runs of them write."""

import dataclasses
import hashlib
import json
import os
import pathlib
import shutil
import signal
import subprocess
import time

PATIENCE = 60  # seconds after which a run hangs
OLD = b"what was here before\n"
NOBODY = 65534
FOREIGN_WORDS = ("json.exception", "terminate called", "std::", "Sanitizer", "Traceback")
STOPS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@dataclasses.dataclass(frozen=True)
class Case:
    """A run: arguments with {out} for its folder, and what it writes there: a tree, a picture, a model, or always the same bytes."""

    name: str
    arguments: str
    outputs: dict
    checkpoint: bool = False


@dataclasses.dataclass
class Ended:
    code: int
    out: str
    err: str
    hung: bool = False


TUNE = (
    "tune {data} --max-depth 3 --min-leaf 0.02 --try min_samples_leaf=0.02,0.1 --folds 3 --threads 1 --json "
    "--checkpoint {out}/solves --on-existing resume --curve {out}/curve.svg --out {out}/tree.json"
)
SLEEPER = "'sleep 100 # {{lp}} {{solution}}'"  # a solver that never ends
CASES = (
    Case("fit", "fit {data} --max-depth 3 --out {out}/tree.json", {"tree.json": "tree"}),
    Case("fit deeper", "fit {data} --max-depth 4 --threads 3 --time-limit 3 --out {out}/tree.json", {"tree.json": "tree"}),
    Case("fit tao", "fit {data} --method tao --max-depth 3 --out {out}/tree.json", {"tree.json": "tree"}),
    Case("fit margot", "fit {data} --method margot --max-depth 2 --time-limit 1 --out {out}/tree.json", {"tree.json": "tree"}),
    Case("fit svm1", "fit {data} --method svm1 --max-depth 2 --write-rows {out}/rows.csv --out {out}/tree.json --time-limit 1",
         {"tree.json": "tree", "rows.csv": "table"}),
    Case("fit a model", "fit {iris} --solver mip --max-depth 2 --time-limit 1 --write-model {out}/model.lp --out {out}/tree.json",
         {"tree.json": "tree", "model.lp": "model"}),
    Case("fit by a solver", "fit {iris} --solver mip --max-depth 1 --time-limit 1 --out {out}/tree.json --mip-solver " + SLEEPER,
         {"tree.json": "tree"}),
    Case("fit with a checkpoint",
         "fit {data} --max-depth 4 --threads 2 --checkpoint {out}/solves --on-existing resume --json --out {out}/tree.json",
         {"tree.json": "tree"}, True),
    Case("tune", TUNE, {"tree.json": "tree", "curve.svg": "picture"}, True),
    Case("predict", "predict {tree} {data} --out {out}/labels.csv", {"labels.csv": "same"}),
    Case("show", "show {tree} --out {out}/rules.txt", {"rules.txt": "same"}),
    Case("report", "report {tree} {data} --with-rows --path --out {out}/page.html", {"page.html": "page"}),
    Case("partition", "partition {data} --out {out}/clusters.csv --representatives {out}/means.csv",
         {"clusters.csv": "table", "means.csv": "table"}),
    Case("generate", "generate bd17-train --rows 20000 --features 12 --depth 4 --out {out}/data.csv", {"data.csv": "same"}),
    *(Case(f"export {form}", f"export {{tree}} {{data}} --to {form} --out {{out}}/exported", {"exported": "same"})
      for form in ("json", "onnx", "svg", "pmml")),
)  # fmt: skip
# Methods that take memory of the size of the data, on more rows than the others.
HUNGRY = tuple(
    Case(
        f"fit {method} on many rows",
        f"fit {{many}} --method {method} --max-depth 2 --time-limit 2 --out {{out}}/tree.json",
        {"tree.json": "tree"},
    )
    for method in (
        "oct",
        "cart",
        "tao",
        "local",
        "svm1",
        "partition",
        "margot",
        "mm-svm",
        "auto",
        "margot --feature-selection hard",
        "oct --solver mip",
        "oct-h --solver mip",
    )
)
WITH_DATA = tuple(case for case in CASES if "{data}" in case.arguments)


class Workshop:
    """The command, its inputs, and what undisturbed runs write and take."""

    def __init__(self, command, root):
        self.root = root
        self.command = shutil.copy(command, root / "treewright")
        root.chmod(0o755)
        self.names = {name: str(root / file) for name, file in
                      (("data", "data.csv"), ("iris", "iris.csv"), ("many", "many.csv"), ("tree", "tree.json"))}  # fmt: skip
        shutil.copy(pathlib.Path(__file__).parents[2] / "data/iris.csv", self.names["iris"])
        rows = "generate bd17-train --depth 3 --classes 2 --label-noise 0.2 --seed 3 --out"
        self.must(f"{rows} {self.names['data']} --features 6 --rows 1200")
        self.must(f"{rows} {self.names['many']} --features 12 --rows 60000")
        self.must(f"fit {self.names['data']} --max-depth 3 --out {self.names['tree']}")
        self.inputs = self.fingerprints()
        self.reference, self.seconds = {}, {}
        for case in CASES + HUNGRY:
            folder = self.root / "reference" / case.name
            folder.mkdir(parents=True)
            begin = time.monotonic()
            ended = self.finish(self.start(case, folder))
            self.seconds[case.name] = time.monotonic() - begin
            if ended.code != 0:
                raise SystemExit(f"undisturbed, '{case.name}' ends with {ended.code}: {ended.err}")
            files = {file: (folder / file).read_bytes() for file in case.outputs}
            self.reference[case.name] = files | {"printed": without_seconds(ended.out) if case.checkpoint else b""}

    def must(self, text):
        subprocess.run([self.command, *text.split()], check=True, stdout=subprocess.DEVNULL)

    def fingerprints(self):
        return {name: hashlib.sha256(pathlib.Path(path).read_bytes()).hexdigest() for name, path in self.names.items()}

    def start(self, case, folder, prepare=None, **names):
        arguments = [word.format(out=folder, **{**self.names, **names}) for word in split_words(case.arguments)]

        def before():
            for number in STOPS:
                signal.signal(number, signal.SIG_DFL)
            if prepare:
                prepare()

        return subprocess.Popen([self.command, *arguments], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                start_new_session=True, preexec_fn=before)  # fmt: skip

    @staticmethod
    def finish(process):
        try:
            out, err = process.communicate(timeout=PATIENCE)
            return Ended(process.returncode, out.decode(errors="replace"), err.decode(errors="replace"))
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, err = process.communicate()
            return Ended(process.returncode, "", "", hung=True)

    def is_whole(self, case, file, content, names=None):
        """Whether this is what the command writes when it ends in order, perhaps earlier."""
        kind = case.outputs[file]
        if kind == "tree":
            path = self.root / "judged.json"
            path.write_bytes(content)
            data = next(word for word in case.arguments.split() if word.startswith("{")).strip("{}")
            return subprocess.run([self.command, "check", path, self.names[data]], capture_output=True, check=False).returncode == 0
        ends = {"picture": b"</svg>", "table": b"\n", "model": b"end", "page": b"</html>"}.get(kind)
        if ends is None:
            return content == self.reference[case.name][file]
        return content.rstrip(b"\n ").lower().endswith(ends.strip()) and len(content) > 10

    def goes_on(self, case, folder):
        """Whether the checkpoint leads to the result of an undisturbed run."""
        ended = self.finish(self.start(case, folder))
        return ended.code == 0 and without_seconds(ended.out) == self.reference[case.name]["printed"]


def split_words(text):
    """Words of a command line; one in quotes may hold blanks."""
    parts = text.split("'")
    return [word for i, part in enumerate(parts) for word in ([part] if i % 2 else part.split())]


def without_seconds(text):
    def drop(value):
        if isinstance(value, dict):
            return {key: drop(item) for key, item in value.items() if key != "seconds"}
        return [drop(item) for item in value] if isinstance(value, list) else value

    return json.dumps(drop(json.loads(text))).encode()
