"""Hazards, curves, medians, deviance, concordance and the least deviance of all trees, computed anew: plainly, in fractions, by other code.

Rows are drawn with ties between times, between events and censoring, and between columns; weights are multiples of a half.
"""

import json
import math
import subprocess
from fractions import Fraction
from itertools import product
from pathlib import Path

import numpy as np
import pytest

from treewright import OptimalSurvivalTree, load

COMMAND = Path(__file__).parents[2] / "build/release/treewright"


class Rows:
    """Times, whether the event was seen, and weights, as fractions."""

    def __init__(self, y, weights=None):
        self.times = [Fraction(float(time)) for time in y["time"]]
        self.events = [bool(event) for event in y["event"]]
        self.weights = [Fraction(1)] * len(y) if weights is None else [Fraction(float(weight)) for weight in weights]

    def at(self, rows, time):
        """Weight of these rows that are observed at a time, and of the events that they have then."""
        observed = sum(self.weights[row] for row in rows if self.times[row] >= time)
        return observed, sum(self.weights[row] for row in rows if self.times[row] == time and self.events[row])

    def event_times(self, rows):
        return sorted({self.times[row] for row in rows if self.events[row]})

    def hazard(self, time):
        """Nelson and Aalen, of all rows."""
        everyone = range(len(self.times))
        steps = [self.at(everyone, step) for step in self.event_times(everyone) if step <= time]
        return sum((events / observed for observed, events in steps), Fraction(0))

    def curve(self, rows):
        """Kaplan and Meier."""
        share, steps = Fraction(1), []
        for time in self.event_times(rows):
            observed, events = self.at(rows, time)
            share *= 1 - events / observed
            steps.append((time, share))
        return steps

    def sums(self, rows):
        """What these rows expect if they are like all, and their events."""
        return (
            sum((self.weights[row] * self.expected[row] for row in rows), Fraction(0)),
            sum((self.weights[row] for row in rows if self.events[row]), Fraction(0)),
        )

    @property
    def expected(self):
        if not hasattr(self, "_expected"):
            self._expected = [self.hazard(time) for time in self.times]
        return self._expected

    def relative_hazard(self, rows):
        expected, events = self.sums(rows)
        return events / expected if expected > 0 else Fraction(0)

    def half_deviance(self, rows, predicted):
        """Of rows that all get this hazard."""
        total = 0.0
        for row in rows:
            mean = float(self.expected[row] * predicted)
            total += float(self.weights[row]) * ((-math.log(mean) - 1 if self.events[row] else 0.0) + mean)
        return total

    def lost(self, rows):
        """By a leaf of these rows."""
        return self.half_deviance(rows, self.relative_hazard(rows))

    def concordance(self, risks):
        """Over all pairs of which one is known to have had the event first: a censored row outlasts the events of its time."""
        pairs = right = Fraction(0)
        for one, other in product(range(len(risks)), repeat=2):
            later = self.times[other] > self.times[one] or (self.times[other] == self.times[one] and not self.events[other])
            if self.events[one] and later:
                weight = self.weights[one] * self.weights[other]
                pairs += weight
                right += weight * (2 if risks[one] > risks[other] else 1 if risks[one] == risks[other] else 0) / 2
        return right / pairs

    def least(self, X, rows, depth, fewest):
        """Loss of the best tree, by trying all of them."""
        best = self.lost(rows)
        if depth == 0:
            return best
        for column in range(X.shape[1]):
            for threshold in sorted(set(X[rows, column]))[1:]:
                sides = [row for row in rows if X[row, column] < threshold], [row for row in rows if X[row, column] >= threshold]
                if min(map(len, sides)) >= fewest:
                    best = min(best, sum(self.least(X, side, depth - 1, fewest) for side in sides))
        return best


def drawn(seed):
    random = np.random.default_rng(seed)
    rows = int(random.integers(8, 20))
    X = random.integers(0, 4, (rows, 2)).astype(float)
    y = np.empty(rows, dtype=[("event", bool), ("time", float)])
    y["time"] = 1 + random.integers(0, 6, rows) + 2 * (X[:, 0] > 1)
    y["event"] = random.uniform(size=rows) < random.choice([0.3, 0.6, 0.9])
    y["event"][0] = True
    weights = random.integers(1, 5, rows) / 2 if seed % 2 else None
    return X, y, weights


@pytest.mark.parametrize("seed", range(24))
def test_every_figure_of_a_tree(seed):
    X, y, weights = drawn(seed)
    depth, fewest = 1 + seed % 2, 1 + seed % 3
    tree = OptimalSurvivalTree(max_depth=depth, min_samples_leaf=fewest).fit(X, y, sample_weight=weights)
    rows = Rows(y, weights)
    everyone = list(range(len(y)))
    assert tree.status_ == "optimal"

    none = rows.lost(everyone)
    least = rows.least(X, everyone, depth, fewest)
    if none > 0:
        assert tree.objective_ == pytest.approx(least / none, abs=2e-9)

    leaves, risks = tree.apply(X), tree.predict(X)
    curves = tree.predict_survival_function(X)
    nodes = json.loads(tree.to_json())["tree"]["nodes"]
    lost = 0.0
    for leaf in set(leaves):
        inside = [row for row in everyone if leaves[row] == leaf]
        expected, events = rows.sums(inside)
        node = nodes[leaf]
        assert risks[inside] == pytest.approx(float(rows.relative_hazard(inside)), rel=1e-12)
        assert node["exposure"] == pytest.approx(float(expected), rel=1e-12)
        assert node["exposure"] * node["value"] == pytest.approx(float(events), rel=1e-12)
        steps = rows.curve(inside)
        assert node.get("survival", []) == [[float(time), pytest.approx(float(share), abs=1e-12)] for time, share in steps]
        # Between and beyond the steps, too.
        for time in np.arange(0, 11, 0.5):
            share = next((share for step, share in reversed(steps) if step <= time), Fraction(1))
            assert curves[inside[0]](time) == pytest.approx(float(share), abs=1e-12)
        lost += rows.lost(inside)
    assert lost == pytest.approx(least, abs=2e-9 * max(none, 1))
    assert tree.result_.loss == pytest.approx(lost, rel=1e-9, abs=1e-12)
    assert tree.score(X, y, sample_weight=weights) == pytest.approx(float(rows.concordance(risks)), rel=1e-12)


def test_events_of_all_rows_are_as_many_as_they_expect():
    for seed in range(24):
        _, y, weights = drawn(seed)
        rows = Rows(y, weights)
        assert rows.relative_hazard(range(len(y))) == 1


@pytest.mark.skipif(not COMMAND.exists(), reason="no command in build/release")
@pytest.mark.parametrize("seed", [1, 3, 5, 8])
def test_the_command_scores_rows_by_their_own_hazard(seed, tmp_path):
    def run(name, *arguments):
        X, y, _ = drawn(seed + (0 if name == "train" else 100))
        lines = [f"{a},{b},{int(event)},{time}" for (a, b), (event, time) in zip(X, y)]
        (tmp_path / f"{name}.csv").write_text("\n".join(["x0,x1,event,time", *lines]) + "\n")
        told = subprocess.run([COMMAND, *arguments], cwd=tmp_path, check=True, capture_output=True, text=True)
        return X, y, told.stdout

    depth = ["--max-depth", "1", "--min-samples-leaf", "4"]
    run("train", "fit", "train.csv", "--loss", "survival", "--event", "event", *depth, "--out", "tree.json")
    X, y, told = run("test", "score", "tree.json", "test.csv", "--json")
    scores = json.loads(told)
    tree = load(tmp_path / "tree.json")
    rows, risks = Rows(y), tree.predict(X)
    deviance = sum(rows.half_deviance([row], Fraction(float(risk))) for row, risk in enumerate(risks) if risk > 0 or not y["event"][row])
    if all(risk > 0 for risk, event in zip(risks, y["event"]) if event):
        assert scores["mean_deviance"] == pytest.approx(2 * deviance / len(y), rel=1e-9)
        assert scores["explained"] == pytest.approx(1 - deviance / rows.lost(range(len(y))), abs=1e-9)
    assert scores["concordance"] == pytest.approx(float(rows.concordance(risks)), rel=1e-12)
