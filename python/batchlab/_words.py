"""Arguments as words of the command line."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any


def words(options: Mapping[str, Any]) -> list[tuple[str, list[str]]]:
    """Return options as names with their values; ``None`` is an option that is not given."""
    given = []
    for name, value in options.items():
        if value is not None:
            values = value if isinstance(value, (list, tuple)) else [value]
            given.append((name.rstrip("_"), [word(name, value) for value in values]))
    return given


def word(name: str, value: Any) -> str:
    """Return a value as it is typed."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (str, int, float)):
        return str(value)
    if isinstance(value, os.PathLike):
        return os.fsdecode(value)
    # A number of NumPy.
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        return word(name, value.item())
    raise TypeError(f"`{name}` takes a text, a number, a path, or a list of these, not {type(value).__name__}")
