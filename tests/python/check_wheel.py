"""The wheel where nothing else is: check_wheel.py DATA.csv, run by tools/wheel and check_installed.py beside numpy alone."""

import os
import platform
import re
import shutil
import subprocess
import sys
import time
from pathlib import Path

started = time.perf_counter()
data = sys.argv[1]
tree_file = str(Path(sys.prefix, "tree.json"))
assert not any(shutil.which(tool) for tool in ("cc", "gcc", "g++", "clang", "cmake", "ninja")), "compilers are on the path"


def run(*arguments: str, **settings: str) -> str:
    environment = {**os.environ, **settings}
    return subprocess.run(["treewright", *arguments], capture_output=True, text=True, check=True, env=environment).stdout


# Nobody publishes HiGHS for musl: there the MIP methods ask for the command of another solver.
has_solver = sys.platform != "linux" or platform.libc_ver()[0] == "glibc"

# The command.
assert re.search(r"status +optimal", run("fit", data, "--max-depth", "2", "--out", tree_file))
assert run("check", tree_file, data).startswith("holds")
with_solver = subprocess.run(["treewright", "fit", data, "--solver", "mip", "--max-depth", "1"], capture_output=True, text=True)
assert ("as HiGHS says" in with_solver.stdout) if has_solver else ("has no HiGHS" in with_solver.stderr), with_solver

# The package.
import numpy as np

import treewright

rows = np.loadtxt(data, delimiter=",", skiprows=1, dtype=str)
X, y = rows[:, :-1].astype(float), rows[:, -1]
tree = treewright.OptimalTreeClassifier(max_depth=2).fit(X, y)
assert tree.status_ == "optimal" and tree.check(X, y) == [] and (tree.predict(X) != y).sum() == 6
if has_solver:  # in this process
    with_solver, exact = (method(max_depth=1).fit(X, y) for method in (treewright.MIPTreeClassifier, treewright.OptimalTreeClassifier))
    assert with_solver.status_ == "optimal" and (with_solver.predict(X) != y).sum() == (exact.predict(X) != y).sum()
assert run("--version").split()[-1] == treewright.__version__

# Neither takes a library of ours from the system.
package = Path(treewright.__file__).parent
if sys.platform == "linux" and has_solver:
    with open("/proc/self/maps") as maps:
        loaded = set(re.findall(r"/\S+\.so\S*", maps.read()))
    traced = subprocess.run(
        [package / "treewright"], capture_output=True, text=True, check=True, env={"LD_TRACE_LOADED_OBJECTS": "1"}
    ).stdout
    loaded |= set(re.findall(r"=> (/\S+)", traced))
    ours = {path for path in loaded if re.search(r"lib(fmt|hwy|highs|treewright)", path)}
    assert {name for path in ours for name in ("highs", "treewright") if f"lib{name}" in path} == {"highs", "treewright"}, ours
    assert all(Path(path).resolve().is_relative_to(package.parent) for path in ours), ours
solver = " and HiGHS" if has_solver else ", no HiGHS"
print(f"the wheel works without compilers: command, package{solver}, {time.perf_counter() - started:.1f} s")
