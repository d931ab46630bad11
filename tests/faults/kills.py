#!/usr/bin/env python3
"""Kills training with a checkpoint at random moments, resumes it, and counts what the kills cost.

Each trial is one run of `treewright fit --checkpoint` that ends by kill -9 at a random moment, or at several, and is then resumed to its
end. Its tree file must be that of an undisturbed run, but for the seconds. Work is CPU time of the process. The extra work of a trial is
that of all its processes together, less that of an undisturbed run with a checkpoint.

    tests/faults/kills.py raisin.csv --count 50 -- --max-depth 4 --threads 1
"""

import argparse
import json
import os
import pathlib
import random
import signal
import statistics
import subprocess
import sys
import tempfile
import time


def run(command, kill_after=None):
    """Runs it, or kills it after some seconds. Returns its exit code, CPU seconds and seconds."""
    begin = time.monotonic()
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    if kill_after is not None:
        time.sleep(kill_after)
        os.kill(process.pid, signal.SIGKILL)  # send_signal would first reap one that has ended
    message = process.stderr.read().decode()
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, -signal.SIGKILL):
        sys.exit(f"{' '.join(map(str, command))}\nended with {process.returncode}: {message}")
    return process.returncode, used.ru_utime + used.ru_stime, time.monotonic() - begin


def without_seconds(path):
    tree = json.loads(path.read_text())
    tree.pop("checksum", None)

    def drop(value):
        if isinstance(value, dict):
            return {key: drop(item) for key, item in value.items() if key not in ("seconds", "history")}
        return [drop(item) for item in value] if isinstance(value, list) else value

    return drop(tree)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data")
    parser.add_argument("--command", default="build/release/treewright")
    parser.add_argument("--count", type=int, default=50, help="trials")
    parser.add_argument("--kills", type=int, default=1, help="of each trial")
    parser.add_argument("--seed", type=int, default=1)
    parser.epilog = "What follows -- are options of fit."
    words = sys.argv[1:]
    end = words.index("--") if "--" in words else len(words)
    arguments, options = parser.parse_args(words[:end]), words[end + 1 :]
    draw = random.Random(arguments.seed)
    wrong, extra, killed = 0, [], 0
    with tempfile.TemporaryDirectory(prefix="kills-") as root:
        facts, tree = pathlib.Path(root) / "facts", pathlib.Path(root) / "tree.json"
        fit = [arguments.command, "fit", arguments.data, *options, "--quiet", "--out", tree]
        plain = min(run(fit)[1] for _ in range(3))
        reference = without_seconds(tree)
        undisturbed, seconds = [], []
        for _ in range(3):
            facts.unlink(missing_ok=True)
            _, cpu, real = run([*fit, "--checkpoint", facts])
            undisturbed.append(cpu)
            seconds.append(real)
            wrong += without_seconds(tree) != reference
        whole = min(undisturbed)
        print(f"undisturbed: {plain:.2f} s of CPU without a checkpoint, {whole:.2f} s with one ({facts.stat().st_size / 1000:.0f} kB)")
        for trial in range(arguments.count):
            facts.unlink(missing_ok=True)
            tree.unlink(missing_ok=True)
            cpu = 0.0
            for _ in range(arguments.kills):
                code, used, _ = run([*fit, "--checkpoint", facts, "--on-existing", "resume"], draw.random() * min(seconds))
                cpu += used
                killed += code != 0
            cpu += run([*fit, "--checkpoint", facts, "--on-existing", "resume"])[1]
            extra.append(cpu / whole - 1)
            if without_seconds(tree) != reference:
                wrong += 1
                print(f"trial {trial}: another result")
    print(
        f"{arguments.count} trials, {killed} kills, {wrong} wrong; extra work: mean {100 * statistics.mean(extra):.1f} %, "
        f"largest {100 * max(extra):.1f} %"
    )
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
