import os
import shutil
from pathlib import Path

# Array types of other libraries are part of scikit-learn's checks only when scipy is told so before it is imported.
os.environ.setdefault("SCIPY_ARRAY_API", "1")
os.environ.setdefault("MPLBACKEND", "Agg")

import numpy as np
import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture(scope="module")
def running():
    """A dask cluster of two processes, and its client."""
    dask = pytest.importorskip("dask")
    distributed = pytest.importorskip("dask.distributed")
    # Otherwise the scheduler takes back what it regards as spare copies of scattered data.
    with (
        dask.config.set({"distributed.scheduler.active-memory-manager.start": False}),
        distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None) as local,
        distributed.Client(local) as client,
    ):
        yield local, client


@pytest.fixture
def noise():
    """Labels that no small tree explains: 300 rows, 10 features."""
    random = np.random.RandomState(0)
    return random.rand(300, 10), random.randint(0, 2, 300)


@pytest.fixture(scope="module")
def browser():
    """A real browser, for pages that are opened from files."""
    if CHROMIUM is None:
        pytest.skip("no chromium (tools/setup installs it)")
    with pytest.importorskip("playwright.sync_api").sync_playwright() as playwright:
        # A sandbox needs rights that containers seldom grant; the page is our own.
        yield playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])


class Opened:
    """A page with all it complained about and asked for."""

    def __init__(self, browser, path, **options):
        self.context = browser.new_context(viewport={"width": 1400, "height": 1000}, **options)
        self.page = self.context.new_page()
        self.complaints, self.requests = [], []
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append("dialog: " + dialog.message), dialog.dismiss()))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.url = Path(path).as_uri()
        self.page.goto(self.url)

    def close(self):
        self.context.close()
        assert self.complaints == []
        # Saving the tree file makes a blob of the page's own.
        assert {url for url in self.requests if not url.startswith("blob:")} == {self.url}


@pytest.fixture
def opened(browser):
    pages = []

    def open_page(path, **options):
        pages.append(Opened(browser, path, **options))
        return pages[-1].page

    yield open_page
    for one in pages:
        one.close()
