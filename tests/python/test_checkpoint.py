"""Training with a checkpoint, which a later fit goes on with."""

import numpy as np
import pytest

from treewright import OptimalTreeClassifier, TreewrightError, export_text


@pytest.fixture(scope="module")
def rows():
    draw = np.random.default_rng(4)
    return draw.normal(size=(3000, 4)), draw.integers(0, 2, 3000)


def test_a_stopped_fit_goes_on(rows, tmp_path):
    undisturbed = OptimalTreeClassifier(max_depth=3).fit(*rows)
    facts = tmp_path / "facts"
    stopped = OptimalTreeClassifier(max_depth=3, run={"checkpoint": facts, "node_limit": 300}).fit(*rows)
    assert stopped.status_ == "node_limit"
    size = facts.stat().st_size
    resumed = OptimalTreeClassifier(max_depth=3, run={"checkpoint": facts, "on_existing": "resume"}).fit(*rows)
    assert (resumed.status_, resumed.bound_) == ("optimal", undisturbed.bound_)
    assert export_text(resumed) == export_text(undisturbed)
    assert facts.stat().st_size >= size


def test_the_file_is_of_one_run(rows, tmp_path):
    facts = tmp_path / "facts"
    tree = OptimalTreeClassifier(max_depth=2, run={"checkpoint": facts}).fit(*rows)
    with pytest.raises(TreewrightError, match=r"exists already .*on_existing='resume'"):
        tree.fit(*rows)
    tree.set_params(run={"checkpoint": facts, "on_existing": "resume"})
    with pytest.raises(TreewrightError, match="other data"):
        tree.fit(rows[0], 1 - rows[1])
    with pytest.raises(TreewrightError, match="other max_depth"):
        tree.set_params(max_depth=3).fit(*rows)
    with pytest.raises(TreewrightError, match="no checkpoint"):
        tree.set_params(run={"on_existing": "resume"}).fit(*rows)
    anew = OptimalTreeClassifier(max_depth=2, run={"checkpoint": facts, "on_existing": "overwrite"})
    assert export_text(anew.fit(rows[0], 1 - rows[1])) != export_text(anew.fit(*rows))
    with pytest.raises(TreewrightError, match="one tree"):
        anew.cost_complexity_pruning_path(*rows)
