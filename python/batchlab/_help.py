"""The options of functions in their help."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, TypeVar

from batchlab import _batchlab
from batchlab._errors import argument

Function = TypeVar("Function", bound=Callable[..., Any])

#: What placeholders of values stand for.
_VALUES = (
    "Values are texts, numbers, paths, or lists of these. A TIME is a number of seconds, or a text with a unit: '90s', '15min',"
    " '2h', '3d', '1w'. A SHARE is a text such as '5%'. N, T, S and F are numbers."
)

#: Characters of a line.
_WIDTH = 100


def lists_options(verb: str) -> Callable[[Function], Function]:
    """Add the options of a verb to the help of a function: a decorator."""

    def listed(function: Function) -> Function:
        lines = [*_dedented((function.__doc__ or "").rstrip()), "", "Options:", ""]
        for name, value, text, default in _batchlab.options(verb):
            known = f" [default: {default}]" if default is not None else ""
            lines.append(f"    {argument(name)}={value or 'False'}")
            lines.extend(_wrapped(f"{text}{known}.", 8))
        function.__doc__ = "\n".join([*lines, "", *_wrapped(_VALUES, 4), ""])
        return function

    return listed


def _dedented(text: str) -> Iterator[str]:
    """Return the lines of a docstring at the margin."""
    first, *others = text.splitlines() or [""]
    margin = min((len(line) - len(line.lstrip()) for line in others if line.strip()), default=0)
    yield first
    yield from (line[margin:] for line in others)


def _wrapped(text: str, indent: int) -> Iterator[str]:
    """Break a text into lines; the standard library would do it with more imports."""
    line = " " * (indent - 1)
    for word in text.split():
        if len(line) + len(word) >= _WIDTH and line.strip():
            yield line
            line = " " * (indent - 1)
        line += f" {word}"
    yield line
