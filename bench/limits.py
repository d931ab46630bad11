#!/usr/bin/env python3
"""Every method against its time limit, on data that are too large for most of them.

One process for each fit, through the command. Prints a Markdown table: seconds beyond those that reading the data takes, and peak memory
of the process; on standard error also processor seconds and how each fit ended. With --interrupt the process gets SIGINT after that many
seconds of fitting, without a time limit, and the seconds are those until it ended. Figures mean little on a busy machine.
"""

import argparse
import json
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import time

# What is run besides each method at its defaults: its flags. No free solver takes quadratic models of this size: one that never ends
# stands for them.
BY_MIP = ["--solver", "mip"]
ENDLESS = [*BY_MIP, "--mip-solver", "sleep 100000 # {lp} {solution}"]
HARD, SOFT = (["--feature-selection", selection] for selection in ("hard", "soft"))
EXTRA = {
    **{f"{name} --solver mip": BY_MIP for name in ("svm1", "oct", "oct-h")},
    "margot hard": HARD,
    "margot soft": SOFT,
    "margot --solver mip": ENDLESS,
    "margot hard --solver mip": [*HARD, *ENDLESS],
    "margot soft --solver mip": [*SOFT, *ENDLESS],
}
SETS = ("magic04", "skin", "wide", "big")


def write_random(path, rows, columns):
    """Uniform columns; the class follows two of them, with a tenth of it drawn anew."""
    draw = random.Random(1)
    with path.open("w") as out:
        out.write(",".join(f"x{c}" for c in range(columns)) + ",class\n")
        for _ in range(rows):
            x = [draw.random() for _ in range(columns)]
            label = draw.random() < 0.5 if draw.random() < 0.1 else (x[0] < 0.4) != (x[1] < 0.7)
            out.write(",".join(f"{value:.5f}" for value in x) + f",{int(label)}\n")


def file_of(name, data_dir, work):
    if name in ("wide", "big"):
        path = work / f"{name}.csv"
        if not path.exists():
            write_random(path, *((500, 3000) if name == "wide" else (1_000_000, 20)))
        return path
    return data_dir / {"skin": "skin-segmentation.csv"}.get(name, f"{name}.csv")


def methods_of(command):
    listing = subprocess.run([command, "methods"], check=True, capture_output=True, text=True).stdout
    return [line.split()[0] for line in listing.split("\n\n")[0].splitlines()[1:]]


def seconds_to_read(command, data):
    """The least of three: the figures of a fit are what it takes beyond that."""
    times = []
    for _ in range(3):
        start = time.monotonic()
        subprocess.run([command, "fit", data, "--method", "cart", "--max-depth", "0"], check=True, stdout=subprocess.DEVNULL)
        times.append(time.monotonic() - start)
    return min(times)


def run(command, method, data, reading, arguments):
    """Seconds, processor seconds, MB and the end of one fit."""
    flags = EXTRA.get(method, [])
    if method == "fair":  # a price on fairness, and a column whose groups are many
        flags = ["--fairness", "1", "--protected", data.open().readline().split(",")[0]]
    call = [command, "fit", str(data), "--json", "--quiet", "--method", method.split()[0], "--max-depth", str(arguments.depth), *flags]
    if arguments.interrupt is None:
        call += ["--time-limit", str(arguments.time_limit)]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.monotonic()
        # A shell in the background hands down an ignored SIGINT, which the command would respect.
        process = subprocess.Popen(
            call, stdout=out, stderr=err, start_new_session=True, preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)
        )
        asked = arguments.time_limit if arguments.interrupt is None else arguments.interrupt
        told, killed = None, False
        while (ended := os.wait4(process.pid, os.WNOHANG))[0] == 0:
            since = time.monotonic() - start
            if arguments.interrupt is not None and told is None and since > reading + asked:
                os.kill(process.pid, signal.SIGINT)
                told = time.monotonic()
            if since > reading + 3 * asked + 20 and not killed:
                os.kill(process.pid, signal.SIGKILL)
                killed = True
            time.sleep(0.005)
        real = time.monotonic() - start
        usage = ended[2]
        process.returncode = os.waitstatus_to_exitcode(ended[1])
        out.seek(0)
        err.seek(0)
        text, problem = out.read().decode(), err.read().decode().strip()
    if killed:
        end = "killed"
    elif process.returncode == 0:
        end = json.loads(text)["status"]
    else:
        end = f"refused: {problem.removeprefix('treewright: ')}" if process.returncode in (2, 3) else f"exit {process.returncode}"
    seconds = real - reading if arguments.interrupt is None else (time.monotonic() - told if told else 0)
    return max(0.0, seconds), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, end


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/release/treewright")
    parser.add_argument(
        "--data-dir", type=pathlib.Path, default=pathlib.Path("data"), help="folder with magic04.csv and skin-segmentation.csv"
    )
    parser.add_argument("--work", type=pathlib.Path, default=pathlib.Path(tempfile.gettempdir()) / "limits", help="folder for random data")
    parser.add_argument("--sets", nargs="*", choices=SETS, default=SETS)
    parser.add_argument("--methods", nargs="*", help="default: all")
    parser.add_argument("--depth", type=int, default=3)
    parser.add_argument("--time-limit", type=float, default=5)
    parser.add_argument("--interrupt", type=float, help="send SIGINT after so many seconds, without a time limit")
    arguments = parser.parse_args()
    arguments.work.mkdir(exist_ok=True)

    methods = arguments.methods or [*methods_of(arguments.command), *EXTRA]
    cells, notes = {}, {}
    for name in arguments.sets:
        data = file_of(name, arguments.data_dir, arguments.work)
        reading = seconds_to_read(arguments.command, data)
        for method in methods:
            seconds, cpu, memory, end = run(arguments.command, method, data, reading, arguments)
            print(f"{name} {method}: {seconds:.1f} s, {cpu:.1f} s of processor time, {memory:.0f} MB, {end}", file=sys.stderr, flush=True)
            refused = end.startswith("refused")
            cells[method, name] = "refused" if refused else f"{seconds:.1f} s, {memory:.0f} MB{', killed' if end == 'killed' else ''}"
            if refused:
                notes[f"`{method}` on {name}"] = end
    print(f"| method | {' | '.join(arguments.sets)} |\n|{'---|' * (1 + len(arguments.sets))}")
    for method in methods:
        print(f"| `{method}` | {' | '.join(cells[method, name] for name in arguments.sets)} |")
    for where, what in notes.items():
        print(f"\n{where}: {what}")


if __name__ == "__main__":
    main()
