"""The source distribution holds what a build needs."""

import subprocess
import sys
import tarfile
from pathlib import Path

import pytest

pytest.importorskip("build")
pytest.importorskip("scikit_build_core")

ROOT = Path(__file__).parents[2]


def test_sdist_is_complete(tmp_path):
    command = [sys.executable, "-m", "build", "--sdist", "--no-isolation", "--outdir", str(tmp_path), str(ROOT)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 0, done.stderr
    (archive,) = tmp_path.glob("treewright-*.tar.gz")
    with tarfile.open(archive) as content:
        held = {name.split("/", 1)[1] for name in content.getnames() if "/" in name}
    needed = [ROOT / name for name in ("CMakeLists.txt", "pyproject.toml", "LICENSE", "python/README.md")]
    for folder, pattern in (("src", "*.*"), ("include", "*.h"), ("cmake", "*.in"), ("python", "*.py")):
        found = list((ROOT / folder).rglob(pattern))
        assert found
        needed += found
    missing = {str(path.relative_to(ROOT)) for path in needed if path.suffix != ".so"} - held
    missing = {name for name in missing if "__pycache__" not in name}
    assert not missing
    assert not any(name.endswith((".so", ".csv")) for name in held)
