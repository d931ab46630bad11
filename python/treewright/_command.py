"""What `treewright` starts on Windows: pip makes a program of `main` there. Elsewhere that program is python/scripts/treewright."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path


def main() -> int:
    """Hands the words and the streams to the command that the package holds, and waits: no program takes another's place there."""
    os.environ.setdefault("TREEWRIGHT_PYTHON", sys.executable)  # for --dask
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches both, and is for the command
    return subprocess.call([str(Path(__file__).parent / "treewright.exe"), *sys.argv[1:]])
