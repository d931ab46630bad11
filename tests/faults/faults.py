#!/usr/bin/env python3
"""Random faults for every command that writes a file, and what must hold after each.

One seed is one fault: a command, a fault and its moment. The fault is a signal, a full disk, a folder that cannot be written or that
disappears, little memory, a slow pipe as input, or a second process that writes the same files. Afterwards each output is whole, as it
was before, or absent; the input is unchanged; only kill -9 leaves a temporary file; the exit code is a documented one; a message is the
command's own; nothing hangs. A run that says 0 has written everything. A checkpoint goes on after every fault, to the result of an
undisturbed run.

    tests/faults/faults.py --count 100 --seed 1       # make faults COUNT=100 SEED=1
    tests/faults/faults.py --count 1 --seed 37        # one fault again
"""

import argparse
import collections
import contextlib
import os
import pathlib
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

from workshop import CASES, FOREIGN_WORDS, HUNGRY, NOBODY, OLD, STOPS, WITH_DATA, Workshop


class Fault:
    """One fault. `begin` returns how the run ended; the other members say what is allowed afterwards."""

    codes = (0,)
    leaves_temporary = False
    cases = CASES
    needs_root = False

    def __init__(self, shop, case, draw, folder):
        self.shop, self.case, self.draw, self.folder = shop, case, draw, folder

    def start(self, prepare=None, **names):
        return self.shop.start(self.case, self.folder, prepare, **names)

    def moment(self):
        """Some time of the run, or a little later."""
        return self.draw.random() * 1.2 * self.shop.seconds[self.case.name]

    def run(self):
        return self.shop.finish(self.start())


class Undisturbed(Fault):
    pass


class Kill(Fault):
    codes = (0, -signal.SIGKILL)
    leaves_temporary = True

    def run(self):
        process = self.start()
        time.sleep(self.moment())
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        return self.shop.finish(process)


class Stop(Fault):
    """Once, or twice in a row: the second is for those who do not want to wait."""

    codes = (0, *(128 + number for number in STOPS), *(-number for number in STOPS))

    def run(self):
        process = self.start()
        time.sleep(self.moment())
        for _ in range(self.draw.choice((1, 1, 2))):
            process.send_signal(self.draw.choice(STOPS))
            time.sleep(self.draw.random() * 0.02)
        begin = time.monotonic()
        ended = self.shop.finish(process)
        ended.hung = ended.hung or time.monotonic() - begin > 10
        return ended


class Pause(Fault):
    """Stopped and continued some times: system calls are interrupted, and nothing else may happen."""

    def run(self):
        process = self.start()
        for _ in range(self.draw.randint(1, 8)):
            time.sleep(self.draw.random() * 0.05)
            process.send_signal(signal.SIGSTOP)
            time.sleep(self.draw.random() * 0.02)
            process.send_signal(signal.SIGCONT)
        return self.shop.finish(process)


class FullDisk(Fault):
    """A small file system in memory."""

    codes = (0, 3)
    needs_root = True

    def run(self):
        size = 4096 * self.draw.randint(1, 16)
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", self.folder], check=True)
        return super().run()


class LongFile(Fault):
    """No file may grow beyond some size: what a quota or RLIMIT_FSIZE does."""

    codes = (0, 3)

    def run(self):
        size = int(2 ** (self.draw.random() * 17))
        return self.shop.finish(self.start(lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))))


class FullDevice(Fault):
    codes = (3,)

    def run(self):
        for file in self.case.outputs:
            (self.folder / file).unlink(missing_ok=True)
            (self.folder / file).symlink_to("/dev/full")
        return super().run()


class ReadOnly(Fault):
    codes = (3,)
    needs_root = True

    def run(self):
        self.folder.chmod(0o555)
        return self.shop.finish(self.start(lambda: os.setuid(NOBODY)))


class NoPermission(Fault):
    """The data may not be read."""

    codes = (3,)
    needs_root = True
    cases = WITH_DATA

    def run(self):
        self.folder.chmod(0o777)
        copy = pathlib.Path(shutil.copy(self.shop.names["data"], self.shop.root / "secret.csv"))
        copy.chmod(0)
        return self.shop.finish(self.start(lambda: os.setuid(NOBODY), data=str(copy)))


class FolderGone(Fault):
    codes = (0, 3)

    def run(self):
        process = self.start()
        time.sleep(self.moment())
        shutil.rmtree(self.folder, ignore_errors=True)
        return self.shop.finish(process)


class LittleMemory(Fault):
    """From 50 MB of address space up. Below what the loader and the run-time library need it is theirs to say so."""

    codes = (0, 3, 127)
    cases = HUNGRY * 2 + CASES

    def run(self):
        size = int(50e6 * 2 ** (self.draw.random() * 5))
        ended = self.shop.finish(self.start(lambda: resource.setrlimit(resource.RLIMIT_AS, (size, size))))
        if ended.code == 127 and "shared librar" not in ended.err:
            ended.code = 1
        return ended


class SlowPipe(Fault):
    """The data come through a pipe, in small pieces."""

    cases = WITH_DATA

    def run(self):
        pipe = self.shop.root / "pipe.csv"
        pipe.unlink(missing_ok=True)
        os.mkfifo(pipe)
        content = pathlib.Path(self.shop.names["data"]).read_bytes()

        def feed():
            with contextlib.suppress(BrokenPipeError), pipe.open("wb", buffering=0) as out:
                at = 0
                while at < len(content):
                    size = self.draw.randint(1, 20000)
                    out.write(content[at : at + size])
                    at += size
                    time.sleep(self.draw.random() * 0.02)

        feeder = threading.Thread(target=feed)
        feeder.start()
        ended = self.shop.finish(self.start(data=str(pipe)))
        os.close(os.open(pipe, os.O_RDONLY | os.O_NONBLOCK))  # for a feeder whose pipe was never opened
        feeder.join()
        return ended


class TwoAtOnce(Fault):
    """A second process writes the same files. One checkpoint serves one of them."""

    codes = (0,)

    def run(self):
        first, second = self.start(), self.start()
        ends = [self.shop.finish(first), self.shop.finish(second)]
        if self.case.checkpoint:
            ends = [end for end in ends if not (end.code == 3 and "in use by another run" in end.err)] or ends
        return max(ends, key=lambda end: abs(end.code) + 1000 * end.hung)


# With the weight that each has in the draw.
FAULTS = {Undisturbed: 1, Kill: 6, Stop: 6, Pause: 2, FullDisk: 3, LongFile: 3, FullDevice: 1, ReadOnly: 1, NoPermission: 1, FolderGone: 2,
          LittleMemory: 5, SlowPipe: 1, TwoAtOnce: 2}  # fmt: skip


def outputs_after(fault, had_old):
    """What is wrong with the files, and whether all were written."""
    case, shop, folder = fault.case, fault.shop, fault.folder
    wrong, written = [], True
    for file in case.outputs:
        path = folder / file
        if path.is_symlink():
            continue
        content = path.read_bytes() if path.exists() else None
        new = content is not None and content != OLD and shop.is_whole(case, file, content)
        written = written and new
        if content is None and had_old and not isinstance(fault, FolderGone):
            wrong.append(f"{file} was there before and is gone")
        if content not in (None, OLD) and not new:
            wrong.append(f"{file} is not whole ({len(content)} bytes)")
    known = set(case.outputs) | {"solves"}
    there = {path.name for path in folder.iterdir()} if folder.exists() else set()
    wrong += [f"{name} was left behind" for name in there - known if not (fault.leaves_temporary and ".tmp" in name)]
    return wrong, written


def judge(fault, ended, had_old):
    """What does not hold after the fault."""
    wrong, written = outputs_after(fault, had_old)
    if ended.hung:
        wrong.append("hung")
    if ended.code not in fault.codes:
        wrong.append(f"exit code {ended.code}")
    if ended.code in (0, *(128 + number for number in STOPS)) and not written and not isinstance(fault, (FullDevice, FolderGone)):
        wrong.append(f"exit code {ended.code}, but not everything was written")
    wrong += [f"a message with '{word}'" for word in FOREIGN_WORDS if word in ended.err]
    if ended.code == 3 and "treewright: " not in ended.err:
        wrong.append("no message")
    if fault.shop.fingerprints() != fault.shop.inputs:
        wrong.append("an input was changed")
    return wrong


def inject(shop, seed):
    """Runs the fault of this seed. Returns its name and what does not hold."""
    draw = random.Random(seed)
    kinds = [kind for kind in FAULTS if not kind.needs_root or os.geteuid() == 0]
    kind = draw.choices(kinds, [FAULTS[kind] for kind in kinds])[0]
    case = draw.choice(kind.cases)
    folder = shop.root / "out"
    folder.mkdir(mode=0o777)
    had_old = draw.random() < 0.5 and kind is not FullDisk
    for file in case.outputs if had_old else ():
        (folder / file).write_bytes(OLD)
    fault = kind(shop, case, draw, folder)
    try:
        ended = fault.run()
        wrong = judge(fault, ended, had_old)
        again = case.checkpoint and kind in (Kill, Stop, Pause, LongFile, TwoAtOnce) and draw.random() < 0.5
        if again and not shop.goes_on(case, folder):
            wrong.append("the checkpoint does not go on to the same result")
    finally:
        if os.path.ismount(folder):
            subprocess.run(["umount", "-l", folder], check=True)
        shutil.rmtree(folder, ignore_errors=True)
        (shop.root / "secret.csv").unlink(missing_ok=True)
    return f"{kind.__name__}, {case.name}", [f"{what} [{ended.code}] {ended.err.strip()[-300:]}" for what in wrong]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--command", default="build/release/treewright")
    parser.add_argument("--seed", type=int, default=1, help="of the first fault; the others follow")
    parser.add_argument("--verbose", action="store_true", help="name each fault after it")
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--count", type=int, help="number of faults")
    limit.add_argument("--minutes", type=float, help="instead of a number")
    arguments = parser.parse_args()
    count = arguments.count or (100 if arguments.minutes is None else sys.maxsize)
    end = time.monotonic() + 60 * arguments.minutes if arguments.minutes else float("inf")
    tally, failures = collections.Counter(), 0
    with tempfile.TemporaryDirectory(prefix="faults-") as root:
        shop = Workshop(arguments.command, pathlib.Path(root))
        for seed in range(arguments.seed, arguments.seed + count):
            if time.monotonic() > end:
                break
            name, wrong = inject(shop, seed)
            tally[name.split(",")[0]] += 1
            if arguments.verbose:
                print(f"seed {seed}: {name}", flush=True)
            for what in wrong:
                print(f"seed {seed}: {name}: {what}", flush=True)
            failures += bool(wrong)
    done = sum(tally.values())
    print(
        f"{done} faults from seed {arguments.seed} on, {failures} failed: " + ", ".join(f"{kind} {n}" for kind, n in sorted(tally.items()))
    )
    sys.exit(failures > 0)


if __name__ == "__main__":
    main()
