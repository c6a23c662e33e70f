"""Progress of long work: a line on a terminal or in a notebook, or a function of the caller."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Union

#: Whether progress is shown, or a function that gets what is done and, if known, what there is to do.
Progress = Union[bool, Callable[[int, "int | None"], object]]

#: Seconds before a line appears.
PATIENCE = 0.5


@contextmanager
def shown(progress: Progress, what: str, unit: str) -> Iterator[Callable[[int, int | None], object] | None]:
    """Return the function that is to be called with the progress, and clear what it shows at the end."""
    if callable(progress):
        yield progress
        return
    line = _line(what, unit) if progress else None
    try:
        yield line
    finally:
        if line is not None:
            line.clear()


def _line(what: str, unit: str) -> _Line | None:
    if "IPython" in sys.modules:
        shell = sys.modules["IPython"].get_ipython()
        if type(shell).__name__ == "ZMQInteractiveShell":
            return _InNotebook(what, unit)
    return _Line(what, unit) if sys.stderr is not None and sys.stderr.isatty() else None


class _Line:
    """A line on standard error."""

    def __init__(self, what: str, unit: str) -> None:
        self._what, self._unit = what, unit
        self._began = time.monotonic()
        self._is_shown = False

    def __call__(self, done: int, total: int | None) -> None:
        if self._is_shown or time.monotonic() - self._began > PATIENCE:
            self._is_shown = True
            self._show(self._words(done, total))

    def clear(self) -> None:
        """Remove the line."""
        if self._is_shown:
            self._show("")

    def _words(self, done: int, total: int | None) -> str:
        if not total:
            return f"{self._what}: {done:,} {self._unit}"
        took = time.monotonic() - self._began
        left = f", {took / done * (total - done):.0f} s left" if 0 < done < total else ""
        filled = 30 * min(done, total) // total
        return f"{self._what} {'█' * filled}{'░' * (30 - filled)} {done:,} of {total:,} {self._unit}{left}"

    def _show(self, words: str) -> None:
        sys.stderr.write(f"\r\x1b[2K{words}")
        sys.stderr.flush()


class _InNotebook(_Line):
    """A line below a cell, which is updated in place."""

    _display: Any = None

    def _show(self, words: str) -> None:
        from IPython.display import display

        data = {"text/plain": words}
        if self._display is None:
            self._display = display(data, raw=True, display_id=True)
        else:
            self._display.update(data, raw=True)
