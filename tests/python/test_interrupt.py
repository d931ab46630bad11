"""Ctrl-C while a method trains: every one of them ends soon, with its best tree."""

import os
import signal
import threading
import time
import warnings

import numpy as np
import pytest
from treewright._running import _Keys

import treewright as tw

# They end by themselves: one pass from the root to the leaves.
GREEDY = {"cart", "cart-h", "logistic-h"}
NEEDS = {
    "fair": {"fairness": 1, "protected_column": "x0"},
    **{name: {"restarts": 1000000} for name in ("tao", "local", "oct-h", "svm1", "auto")},
}
BY_MIP = {"solver": "mip"}
SLOW = [tw.classifier(method.name, **NEEDS.get(method.name, {})) for method in tw.METHODS if method.name not in GREEDY] + [
    tw.MIPTreeClassifier(),
    tw.HyperplaneTreeClassifier(**BY_MIP),
    tw.SVM1TreeClassifier(restarts=1000000, **BY_MIP),
    *(
        tw.MargotClassifier(feature_selection=how, run={"mip_solver": "sleep 100000 # {lp} {solution}"}, **BY_MIP)
        for how in ("none", "hard", "soft")
    ),
]


@pytest.fixture
def keyboard():
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # a job in the background is started with the signal ignored
    _Keys._last = float("-inf")  # the test before pressed them
    yield
    signal.signal(signal.SIGINT, before)


@pytest.mark.parametrize("estimator", SLOW, ids=repr)
def test_every_method_returns_its_best_tree_soon_after_ctrl_c(estimator, keyboard):
    # Undisturbed, each of these takes minutes to days. The house rule is one second; a busy machine gets more.
    random = np.random.RandomState(0)
    X, y = random.rand(2500, 20), random.randint(0, 2, 2500)
    estimator.set_params(max_depth=4, time_limit=None)
    sent = []

    def press():
        sent.append(time.monotonic())
        os.kill(os.getpid(), signal.SIGINT)

    alarm = threading.Timer(1, press)
    alarm.start()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            estimator.fit(X, y)
    except tw.TreewrightError as refused:
        alarm.cancel()
        if "has no HiGHS" in str(refused):
            pytest.skip("this build has no HiGHS")
        assert "memory" in str(refused)
        return
    ended = time.monotonic()
    alarm.join()
    print(f"{estimator}: {ended - sent[0]:.2f} s after Ctrl-C, {estimator.status_}")
    assert estimator.status_ == "interrupted"
    assert ended - sent[0] < 10
    assert len(estimator.predict(X)) == len(X)


def test_a_second_ctrl_c_ends_a_loop_of_fits(keyboard):
    random = np.random.RandomState(0)
    X, y = random.rand(2500, 20), random.randint(0, 2, 2500)
    fitted, sent = [], []

    def press(_progress):
        if len(sent) == len(fitted):
            sent.append(1)
            os.kill(os.getpid(), signal.SIGINT)

    with warnings.catch_warnings(), pytest.raises(KeyboardInterrupt):
        warnings.simplefilter("ignore")
        for _ in range(5):
            fitted.append(tw.OptimalTreeClassifier(max_depth=4, callback=press).fit(X, y).status_)
    assert fitted == ["interrupted"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_an_impatient_ctrl_c_leaves_no_run_behind(keyboard, monkeypatch):
    random = np.random.RandomState(0)
    X, y = random.rand(2500, 20), random.randint(0, 2, 2500)

    class Pressed(threading.Thread):
        def start(self):
            super().start()
            for _ in range(3):
                os.kill(os.getpid(), signal.SIGINT)

    monkeypatch.setattr(threading, "Thread", Pressed)
    with warnings.catch_warnings(), pytest.raises(KeyboardInterrupt):
        warnings.simplefilter("ignore")
        tw.OptimalTreeClassifier(max_depth=4).fit(X, y)
    assert "treewright" not in [thread.name for thread in threading.enumerate()], "it reads the caller's arrays"


def test_ctrl_c_ends_a_cross_validation_and_not_one_of_its_folds(keyboard):
    random = np.random.RandomState(0)
    X, y = random.rand(2500, 20), random.randint(0, 2, 2500)
    alarm = threading.Timer(1, lambda: os.kill(os.getpid(), signal.SIGINT))
    begin = time.monotonic()
    alarm.start()
    with pytest.raises(KeyboardInterrupt):
        tw.OptimalTreeClassifierCV(max_depths=(4,), cv=5).fit(X, y)
    alarm.join()
    assert time.monotonic() - begin < 11
