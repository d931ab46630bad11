"""The library of cpu_clock.c: preloaded into a process, it turns time limits into limits on CPU seconds."""

import functools
import os
import pathlib
import subprocess
import sys
import tempfile


@functools.cache
def _built():
    folder = tempfile.TemporaryDirectory()
    library = pathlib.Path(folder.name) / "cpu_clock.so"
    source = pathlib.Path(__file__).with_suffix(".c")
    subprocess.run([os.environ.get("CC", "cc"), "-O2", "-shared", "-fPIC", "-o", library, source, "-ldl"], check=True)
    return folder, library


def library():
    """Its path. The folder goes when this process ends."""
    return _built()[1]


def run_preloaded():
    """Runs this program again with the library, unless it is preloaded already. Does not return where it has."""
    if "LD_PRELOAD" not in os.environ:
        environment = os.environ | {"LD_PRELOAD": str(library())}
        sys.exit(subprocess.run([sys.executable, *sys.argv], env=environment).returncode)
