"""An adversary's tree files and headers of proofs: what `treewright check --proof` says of them is true."""

import os

import pytest

pytest.importorskip("numpy")

import forge_trees

GROUNDS = int(os.environ.get("TREEWRIGHT_FORGED_GROUNDS", "3"))
GRAFTS = int(os.environ.get("TREEWRIGHT_FORGED_GRAFTS", "150"))  # of each


@pytest.mark.skipif(not forge_trees.COMMAND.exists(), reason="build the command first")
def test_no_graft_is_called_better_than_it_is(tmp_path):
    accepted = 0
    for seed in range(GROUNDS):
        folder = tmp_path / str(seed)
        folder.mkdir()
        accepted += forge_trees.judge_grafts(seed, folder, GRAFTS)[1]
    assert accepted > 5 * GROUNDS, "an adversary whose files are all refused shows nothing"
