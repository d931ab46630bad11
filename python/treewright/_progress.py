"""What a run shows of its progress: lines on standard output, or a table that changes in a notebook."""

from __future__ import annotations

import contextlib
import math
import sys
from collections.abc import Iterator
from typing import Any

from ._running import Progress, Watcher

_NAMES = {"C": "a greedy tree", "H": "a heuristic", "L": "look-ahead", "S": "exact search", "P": "a round on clusters", "M": "MIP solver"}


def _in_notebook() -> bool:
    ipython = sys.modules.get("IPython")
    shell = ipython.get_ipython() if ipython is not None else None
    return shell is not None and type(shell).__name__ == "ZMQInteractiveShell"


def _print_line(progress: Progress) -> None:
    if progress.text:
        print(progress.text, end="", flush=True)


class _Panel:
    """A rich table of the latest news, renewed in place."""

    def __init__(self, live: Any) -> None:
        self.live = live
        self.source = " "

    def __call__(self, progress: Progress) -> None:
        from rich.table import Table

        if progress.source != " ":
            self.source = progress.source
        if math.isinf(progress.incumbent):  # no tree yet
            return
        gap = (progress.incumbent - progress.bound) / max(abs(progress.incumbent), 1e-10)
        rate = progress.subproblems / progress.seconds if progress.seconds > 0 else 0.0
        table = Table("seconds", "objective", "bound", "gap", "done", "subproblems a second", "best tree by")
        table.add_row(
            f"{progress.seconds:.1f}",
            f"{progress.incumbent:.6g}",
            f"{progress.bound:.6g}",
            f"{100 * gap:.3g} %",
            f"{100 * progress.done:.0f} %",
            f"{rate:,.0f}",
            _NAMES.get(self.source, ""),
        )
        self.live.update(table)


@contextlib.contextmanager
def watching(verbose: Any, callback: Any) -> Iterator[list[Watcher]]:
    """The watchers of a run: what shows its progress if wanted, and the user's callback if there is one."""
    if callback is not None and not callable(callback):
        raise TypeError(f"callback: {callback!r} cannot be called (give a function of one argument, or None)")
    with contextlib.ExitStack() as stack:
        watchers: list[Watcher] = []
        if verbose:
            live = None
            if _in_notebook():
                with contextlib.suppress(ImportError):
                    from rich.live import Live

                    live = stack.enter_context(Live(refresh_per_second=4))
            watchers.append(_print_line if live is None else _Panel(live))
        if callback is not None:
            watchers.append(callback)
        yield watchers
