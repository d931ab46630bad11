"""The experiment runner: the small version of every description, and runs that are killed."""

import os
import random
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytest.importorskip("sklearn")
pytest.importorskip("matplotlib")
pytest.importorskip("tomllib", reason="the runner reads its descriptions with Python 3.11 or newer")

ROOT = Path(__file__).parents[2]
EXPERIMENTS = ROOT / "experiments"
COMMAND = ROOT / "build/release/treewright"
DATA = Path(os.environ.get("TREEWRIGHT_DATA_DIR") or "no-such-folder")
sys.path.insert(0, str(EXPERIMENTS))

from store import Store

DESCRIPTIONS = sorted(EXPERIMENTS.glob("*.toml"))


def needed(description):
    """Synthetic data need the command, all others the real data."""
    if "synthetic" in description.stem:
        return COMMAND.exists(), f"{COMMAND} is not built"
    if '"mm-svm"' in description.read_text() and not list(ROOT.glob(".venv-highs/lib/*/site-packages/pyscipopt")):
        return False, ".venv-highs holds no SCIP"
    if '"c5.0"' in description.read_text() and not shutil.which("c5.0"):
        return False, "no c5.0 on the PATH"
    return (DATA / "iris.csv").exists(), "TREEWRIGHT_DATA_DIR holds no iris.csv"


def arguments(description, out):
    base = [sys.executable, EXPERIMENTS / "run.py", description, "--out", out, "--data-dir", DATA, "--command", COMMAND]
    return [str(item) for item in [*base, "--smoke", "--processes", "1"]]


def page_of(description):
    import tomllib

    return f"{tomllib.loads(description.read_text()).get('page', description.stem)}.md"


def figures(page):
    """The page without what depends on the machine's speed."""
    return [line for line in page.read_text().splitlines() if "s of CPU time" not in line]


@pytest.mark.parametrize("description", DESCRIPTIONS, ids=lambda path: path.stem)
def test_smoke(description, tmp_path):
    there, why = needed(description)
    if not there:
        pytest.skip(why)
    subprocess.run(arguments(description, tmp_path), check=True)
    page = (tmp_path / page_of(description)).read_text()
    assert "\n## " in page
    packed = tmp_path / "jobs" / f"{description.stem}.json.xz"
    first = packed.read_bytes()
    lines = Store(tmp_path / "jobs", description.stem).lines()
    assert all(line["made_by"].keys() == {"version", "commit", "machine"} for line in lines)
    # A second run finds everything done.
    subprocess.run(arguments(description, tmp_path), check=True)
    assert packed.read_bytes() == first


def test_the_pages_are_those_of_the_stored_lines(tmp_path):
    data_dir = DATA if DATA.is_dir() else tmp_path
    everything = [sys.executable, EXPERIMENTS / "run.py", *DESCRIPTIONS, "--out", tmp_path, "--jobs", EXPERIMENTS / "jobs"]
    subprocess.run([str(item) for item in [*everything, "--data-dir", data_dir, "--report-only"]], check=True)
    for page in map(page_of, DESCRIPTIONS):
        assert (tmp_path / page).read_text() == (ROOT / "docs/results" / page).read_text(), page


def test_recheck_tells_which_stored_lines_differ():
    from recheck import differences

    stored = [{"test": 95.0, "status": "optimal", "train_seconds": 1.0, "gap": 0.0}]
    assert not list(differences(stored, [{"test": 95.0 + 1e-12, "status": "optimal", "train_seconds": 2.0, "gap": 0.0, "new": 1}]))
    assert list(differences(stored, [{**stored[0], "test": 94.0}])) == ["record 0, test: 95.0, now 94.0"]
    assert list(differences(stored, [{"status": "optimal", "gap": 0.0}])) == ["record 0, test: 95.0, now None"]
    assert list(differences(stored, [])) == ["1 records, now 0"]


def test_recheck_where_the_package_of_another_program_is_missing(tmp_path, monkeypatch, capsys):
    import recheck
    import train

    def lacking(job, where):
        raise ModuleNotFoundError("No module named 'stree'", name="stree")

    monkeypatch.setattr(train, "run", lacking)
    store = Store(tmp_path, "study")
    store.append({"job": {"method": "stree"}, "records": [{"test": 90.0}], "seconds": 1.0, "cpu_seconds": 1.0})
    assert recheck.recheck([store], {}, 1, 1, 5)
    assert "no package stree" in capsys.readouterr().out


def test_recheck_of_stored_lines(tmp_path):
    there, why = needed(EXPERIMENTS / "v23.toml")
    if not there:
        pytest.skip(why)
    (tmp_path / "jobs").mkdir()
    command = [sys.executable, EXPERIMENTS / "store.py", EXPERIMENTS / "jobs/v23.json.xz"]
    stored = subprocess.run(command, capture_output=True, text=True, check=True).stdout

    def run(lines):
        (tmp_path / "jobs/v23.jsonl").write_text(lines)
        command = [*arguments(EXPERIMENTS / "v23.toml", tmp_path), "--recheck", "3", "--at-most", "0.1"]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    good = run(stored)
    assert good.returncode == 0, good.stdout
    assert "3 of 3 stored jobs agree" in good.stdout
    bad = run(stored.replace('"errors": ', '"errors": 7'))
    assert bad.returncode == 1
    assert "errors: " in bad.stdout


def test_a_killed_run_loses_no_finished_job_and_gives_the_same_page(tmp_path):
    description = EXPERIMENTS / "bd17_synthetic.toml"
    there, why = needed(description)
    if not there:
        pytest.skip(why)
    whole, torn = tmp_path / "whole", tmp_path / "torn"
    subprocess.run(arguments(description, whole), check=True)
    store = Store(torn / "jobs", description.stem)
    kept, moments = [], random.Random(10)
    for _ in range(10):
        run = subprocess.Popen(arguments(description, torn), stdout=subprocess.DEVNULL)
        # A random number of further jobs, then a random moment of the next.
        more = len(kept) + moments.randrange(3)
        while run.poll() is None and len(store.finished()) < more:
            time.sleep(0.005)
        time.sleep(0.05 * moments.random())
        run.send_signal(signal.SIGKILL)
        run.wait()
        found = store.lines()
        assert found[: len(kept)] == kept
        kept = found
        with store.journal.open("ab") as file:
            file.write(b'{"job": {"torn')
    subprocess.run(arguments(description, torn), check=True)
    assert store.lines()[: len(kept)] == kept
    assert store.finished() == Store(whole / "jobs", description.stem).finished()
    assert figures(torn / "bd17_synthetic.md") == figures(whole / "bd17_synthetic.md")


def test_processes_give_the_same_figures(tmp_path):
    description = EXPERIMENTS / "bd17_synthetic.toml"
    there, why = needed(description)
    if not there:
        pytest.skip(why)
    one, two = tmp_path / "one", tmp_path / "two"
    subprocess.run(arguments(description, one), check=True)
    subprocess.run([*arguments(description, two)[:-1], "2"], check=True)
    assert sorted(figures(one / "bd17_synthetic.md")) == sorted(figures(two / "bd17_synthetic.md"))


def test_a_cluster_gives_the_same_figures(tmp_path):
    pytest.importorskip("distributed")
    from distributed import LocalCluster

    description = EXPERIMENTS / "bd17_synthetic.toml"
    there, why = needed(description)
    if not there:
        pytest.skip(why)
    one, cluster = tmp_path / "one", tmp_path / "cluster"
    subprocess.run(arguments(description, one), check=True)
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as scheduler:
        subprocess.run([*arguments(description, cluster), "--dask", scheduler.scheduler_address], check=True)
    assert sorted(figures(one / "bd17_synthetic.md")) == sorted(figures(cluster / "bd17_synthetic.md"))


def test_the_store_cuts_a_torn_line(tmp_path):
    store = Store(tmp_path, "study")
    store.append({"job": {"a": 1}, "records": []})
    with store.journal.open("ab") as file:
        file.write(b'{"job": {"a"')
    assert store.finished() == {'{"a": 1}'}
    store.append({"job": {"a": 2}, "records": []})
    assert [line["job"]["a"] for line in store.lines()] == [1, 2]


def test_the_store_packs_its_lines(tmp_path):
    store = Store(tmp_path, "study")
    for a in (1, 2):
        store.append({"job": {"a": a}, "records": [{"test": 0.5}, {"b": None, "used": [[a]]}] * a, "made_by": {"machine": "m"}})
    lines = store.lines()
    left_in_both = store.journal.read_bytes()
    store.pack()
    assert not store.journal.read_bytes()
    assert store.lines() == lines
    # A process that was killed between the two steps of packing, and a job that was run again.
    store.journal.write_bytes(left_in_both)
    store.append({"job": {"a": 3}, "records": []})
    store.append({"job": {"a": 1}, "records": [{"test": 1.0}]})
    for _ in range(2):
        assert store.lines() == [{"job": {"a": 1}, "records": [{"test": 1.0}]}, lines[1], {"job": {"a": 3}, "records": []}]
        store.pack()
    assert {path.name for path in tmp_path.iterdir()} == {"study.jsonl", "study.json.xz"}


def test_published_figures_are_numbers_and_named_once():
    from records import published

    rows = list(published())
    names = [(row["paper"], row["table"], row["row"], row["measure"]) for row in rows]
    assert len(names) == len(set(names))
    assert all(float(row["value"]) >= -100 for row in rows)
    # The paper's own improvement is the difference of its two accuracies, to the last digit printed.
    by_name = dict(zip(names, (float(row["value"]) for row in rows)))
    checked = 0
    for (paper, table, row, measure), value in by_name.items():
        if measure == "improvement" and table in ("Table 7", "Table 15", "Table 16"):
            difference = by_name[paper, table, row, "oct"] - by_name[paper, table, row, "cart"]
            assert abs(difference - value) < 0.11, (table, row)
            checked += 1
    assert checked == 162
