"""The defects that tests/mutants always plants stand where its list says, and so do the asserts that notice them."""

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parents[1] / "mutants"))

import plant


def test_each_planted_defect_has_a_place_and_an_assert(monkeypatch):
    assert [mutant.kind for mutant in plant.planted()] == ["planted"] * len(plant.PLANTED)
    before, after, _ = plant.PLANTED[0]
    monkeypatch.setattr(plant, "PLANTED", [(before, after, "assert(nothing of the kind)")])
    with pytest.raises(LookupError, match="nothing of the kind"):
        plant.planted()
