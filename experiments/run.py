"""Runs the experiments that a description asks for.

    python experiments/run.py experiments/bd17_real.toml --out results --data-dir DIR [--processes 2 | --dask ADDRESS] [--smoke]

Each finished job is a line of the store in JOBS (--jobs, by default OUT/jobs; see store.py). A job that has its line is not run again, so
that a run may be killed at any moment and started anew. Ends with the pages of OUT (see report.py).
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import Any

import tomllib

sys.path.insert(0, str(Path(__file__).parent))
import recheck
import report
import train
from store import Job, Store, expand, name_of

import data


def jobs_of(description: dict[str, Any], smoke: bool) -> list[Job]:
    """All jobs in the order of the description; `smoke` replaces what the description's [smoke] table names, and leaves out blocks that say
    `smoke = false`, because they need packages of their own."""
    jobs = []
    for block in description["jobs"]:
        block = dict(block)
        if not block.pop("smoke", True) and smoke:
            continue
        for key in list(block):
            if isinstance(block[key], str) and block[key].startswith("@"):
                block[key] = data.names(block[key][1:])
        if smoke:
            block.update({key: value for key, value in description.get("smoke", {}).items() if key in block})
        fixed, per_data = block.pop("fixed", {}), block.pop("per_data", {})
        jobs += [{**job, **fixed, **per_data.get(job.get("data"), {})} for job in expand(block)]
    return jobs


def run_all(jobs: list[Job], store: Store, where: dict[str, str], processes: int, dask: str | None) -> None:
    finished = store.finished()
    open_jobs = [job for job in jobs if name_of(job) not in finished]
    print(f"{store.study}: {len(jobs)} jobs, {len(jobs) - len(open_jobs)} finished", flush=True)
    for done, line in enumerate(_results(open_jobs, where, processes, dask), 1):
        store.append(line)
        if done % 100 == 0 or done == len(open_jobs):
            print(f"{store.study}: {len(jobs) - len(open_jobs) + done} of {len(jobs)}", flush=True)
    store.pack()


def _on_worker(job: Job, where: dict[str, str], folder: str) -> Any:
    if folder not in sys.path:
        sys.path.insert(0, folder)
    import train

    return train.run(job, where)


def _results(jobs: list[Job], where: dict[str, str], processes: int, dask: str | None) -> Any:
    if dask:
        from dask.distributed import Client
        from dask.distributed import as_completed as dask_completed

        folder = str(Path(__file__).absolute().parent)
        with Client(dask) as client:
            yield from (future.result() for future in dask_completed(client.map(_on_worker, jobs, where=where, folder=folder, pure=False)))
    elif processes == 1:
        yield from (train.run(job, where) for job in jobs)
    else:
        with ProcessPoolExecutor(processes) as pool:
            try:
                yield from (future.result() for future in as_completed([pool.submit(train.run, job, where) for job in jobs]))
            finally:  # a job that fails ends the run at once, not when all others are done
                pool.shutdown(cancel_futures=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("descriptions", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, required=True, help="folder for the pages")
    parser.add_argument("--jobs", type=Path, help="folder of the stored jobs (default: OUT/jobs)")
    parser.add_argument("--data-dir", default=os.environ.get("TREEWRIGHT_DATA_DIR") or "data", help="folder of NAME.csv")
    parser.add_argument("--splits-dir", type=Path, help="folder of the published partitions (default: splits, beside that of the data)")
    parser.add_argument("--command", default="build/release/treewright", help="the treewright command")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--dask", metavar="ADDRESS", help="scheduler of a dask cluster that sees the same folders")
    parser.add_argument("--smoke", action="store_true", help="the small version of every description")
    parser.add_argument("--report-only", action="store_true", help="only write the pages")
    parser.add_argument("--recheck", type=int, metavar="N", help="instead: run N of the stored jobs again and compare; 1 if any differs")
    parser.add_argument("--seed", type=int, default=1, help="which jobs --recheck picks")
    parser.add_argument("--at-most", type=float, default=5, metavar="S", help="CPU seconds of the jobs that --recheck picks from")
    parser.add_argument("--cpu-limits", action="store_true", help="time limits are CPU seconds, so other work of the machine costs nothing")
    arguments = parser.parse_args()
    if arguments.cpu_limits and "LD_PRELOAD" not in os.environ:
        sys.path.insert(0, str(Path(__file__).absolute().parents[1] / "bench"))
        import cpu_clock

        environment = os.environ | {"LD_PRELOAD": str(cpu_clock.library()), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
        sys.exit(subprocess.run([sys.executable, *sys.argv], env=environment, check=False).returncode)
    folder = Path(arguments.data_dir).absolute()
    splits = (arguments.splits_dir or folder.parent / "splits").absolute()
    where = {"data": str(folder), "splits": str(splits), "command": str(Path(arguments.command).absolute())}
    jobs = arguments.jobs or arguments.out / "jobs"
    stores = [Store(jobs, path.stem) for path in arguments.descriptions]
    if arguments.recheck is not None:
        sys.exit(not recheck.recheck(stores, where, arguments.recheck, arguments.seed, arguments.at_most))
    for path, store in zip(arguments.descriptions, stores):
        if not arguments.report_only:
            run_all(jobs_of(tomllib.loads(path.read_text()), arguments.smoke), store, where, arguments.processes, arguments.dask)
        report.write(path, jobs, arguments.out)


if __name__ == "__main__":
    main()
