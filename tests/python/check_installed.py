"""A wheel in an environment of its own: check_installed.py WHEEL|FOLDER. Of a folder pip takes the wheel for this system.

Makes an environment with numpy alone, installs the wheel, and runs check_wheel.py there with nothing else on the path.
"""

import os
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

SOURCE = Path(__file__).parents[2]


def run(wheel: Path) -> str:
    """What check_wheel.py prints; an AssertionError has what went wrong."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder, with_pip=True)
        programs = Path(folder, "Scripts" if os.name == "nt" else "bin")
        python = programs / ("python.exe" if os.name == "nt" else "python")
        chosen = ["--no-index", "--no-deps", "--find-links", wheel, "treewright"] if wheel.is_dir() else [wheel]
        output(python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", "numpy")
        output(python, "-m", "pip", "install", "--quiet", "--only-binary", ":all:", *chosen)
        environment = {"PATH": str(programs), **{name: os.environ[name] for name in ("SYSTEMROOT", "TEMP") if name in os.environ}}
        return output(python, "-I", SOURCE / "tests/python/check_wheel.py", SOURCE / "data/wine.csv", env=environment).strip()


def output(*words: object, **more: object) -> str:
    done = subprocess.run([str(word) for word in words], capture_output=True, text=True, **more)
    assert done.returncode == 0, (words, done.stdout, done.stderr)
    return done.stdout


if __name__ == "__main__":
    print(run(Path(sys.argv[1])))
