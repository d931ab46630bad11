"""Both checkers judge an adversary's proofs: nothing false is accepted, nothing honest refused, and they agree."""

import os
import random

import pytest

pytest.importorskip("numpy")

import forge
import forge_tops
from broken_rules import broken_rules
from broken_tables import broken_tables, proof_of_nothing, sound_tables
from judges import JUDGE, VERIFY, judged, plainly, verified, written

from treewright import check_proof as plain

TABLES = int(os.environ.get("TREEWRIGHT_FORGED_TABLES", "12"))
# Tables about which one lie is told. Each rule about the rows of leaves is the only one that refuses some file of theirs; the last two are
# rare: a named cut that leaves less on the left but costs more within the limit, and sides that are stumps of all trees.
LIARS = [*range(int(os.environ.get("TREEWRIGHT_FORGED_LIARS", "60"))), 414, 440]
FILES = int(os.environ.get("TREEWRIGHT_FORGED_FILES", "150"))  # of each table, besides those that break one rule each


@pytest.mark.skipif(not JUDGE.exists(), reason="build the tests first")
@pytest.mark.parametrize("seed", range(TABLES))
def test_forged_proofs_are_refused(tmp_path, seed):
    forger = forge.Forger(random.Random(seed), tmp_path)
    truth = forge.true_bound(forger)
    (fast,) = judged(written(forger, [forger.honest()], tmp_path, "honest"))
    assert fast[0] == pytest.approx(truth, abs=1e-9), fast[1]
    assert plainly(forger.data, tmp_path / "honest0")[0] == pytest.approx(truth, abs=1e-9)
    rules = dict(broken_rules(forger))
    claims = list(forger.false_claims(FILES))
    contents = [*rules.values(), *(content for content, _ in claims)]
    false = [True] * len(rules) + [is_false for _, is_false in claims]
    files = written(forger, contents, tmp_path, "forged")
    for i, ((data, proof), fast) in enumerate(zip(files, judged(files))):
        slow = plainly(data, proof)
        what = f"{list(rules)[i] if i < len(rules) else 'a false claim'} in {proof}: {fast[1]} | {slow[1]}"
        assert (fast[0] is None) == (slow[0] is None), what
        assert not false[i] or fast[0] is None, what
        proof.unlink() if fast[0] is None else None


@pytest.mark.skipif(not JUDGE.exists(), reason="build the tests first")
@pytest.mark.parametrize("seed", range(2 * TABLES))
def test_given_splits_rates_and_hazards(tmp_path, seed):
    """What one checker says of its proofs is true, and the others refuse them."""
    files, accepted = forge_tops.judge_files(seed, tmp_path, FILES // 3, 20 if VERIFY.exists() else 0)
    assert files == 0 or accepted > 0


@pytest.mark.skipif(not JUDGE.exists(), reason="build the tests first")
def test_a_table_has_one_spelling(tmp_path):
    cases = [(*case, True) for case in sound_tables()] + [(*case, False) for case in broken_tables()]
    files = []
    for i, (_, content, _) in enumerate(cases):
        table, proof = tmp_path / f"{i}.tw", tmp_path / f"{i}.proof"
        table.write_bytes(content.encode())
        proof.write_bytes(proof_of_nothing(content.encode()))
        files.append((table, proof))
    for (name, _, sound), file, fast in zip(cases, files, judged(files)):
        for bound, words in [fast, plainly(*file), *([verified(*file)] if VERIFY.exists() else [])]:
            assert (bound is not None) == sound, f"{name}: {words}"


@pytest.mark.skipif(not JUDGE.exists(), reason="build the tests first")
def test_one_lie_is_refused(tmp_path):
    """Proofs about small leaves with a single number that is wrong."""
    honest = refused = 0
    for seed in LIARS:
        folder = tmp_path / str(seed)
        folder.mkdir()
        forger = forge.Forger(random.Random(seed), folder, limited=True)
        claims = list(forger.one_lie(10))
        files = written(forger, [forger.file(forger.header(bound), numbers) for bound, numbers in claims], folder, "told")
        for (bound, _), (data, proof), fast in zip(claims, files, judged(files)):
            slow = plainly(data, proof)
            assert (fast[0] is None) == (slow[0] is None), f"{proof}: {fast[1]} | {slow[1]}"
            assert bound <= forger.optimum or fast[0] is None, f"{proof}: {fast[1]}"
            honest, refused = honest + (fast[0] is not None), refused + (fast[0] is None)
    assert min(honest, refused) > 100


@pytest.mark.skipif(not JUDGE.exists(), reason="build the tests first")
def test_no_unit_makes_a_claim_too_large(tmp_path):
    """The best claim of units that hide differences of weights, costs or shares, beside the optimum that is counted without a unit."""
    held = refused = 0
    for seed in range(TABLES * 10):
        try:
            forger = forge.Forger(random.Random(seed), tmp_path, near=True)
        except plain.Refused:  # sums would not be exact in this unit
            continue
        truth = float(forge.exact_optimum(forger))
        files = written(forger, [forger.honest()], tmp_path, f"near{seed}-")
        for bound, words in (*judged(files), *(plainly(*file) for file in files)):
            held, refused = held + (bound is not None), refused + (bound is None)
            assert bound is None or bound <= truth + abs(truth) / 10**11, f"{files}: {words}, and the optimum is {truth}"
    assert min(held, refused) > 10
