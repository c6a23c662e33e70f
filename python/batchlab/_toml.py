"""Dicts as texts in TOML. Python reads the format since 3.11, and does not write it."""

from __future__ import annotations

import datetime
import json
import os
import re
from collections.abc import Mapping
from typing import Any


def text(table: Mapping[str, Any]) -> str:
    """Return a dict in TOML: keys with values first, then tables and lists of tables. ``None`` is a key that is not there."""
    lines: list[str] = []
    _table(lines, table, ())
    return "\n".join(lines) + "\n"


def _table(lines: list[str], table: Mapping[str, Any], path: tuple[str, ...]) -> None:
    inner: list[tuple[str, Any]] = []
    for key, value in table.items():
        if not isinstance(key, str):
            raise TypeError(f"the keys of an experiment are texts, not {type(key).__name__}: {key!r}")
        if isinstance(value, Mapping) or _are_tables(value):
            inner.append((key, value))
        elif value is not None:
            lines.append(f"{_key(key)} = {_value(value, (*path, key))}")
    for key, value in inner:
        at = (*path, key)
        name = ".".join(_key(part) for part in at)
        for one in [value] if isinstance(value, Mapping) else value:
            lines.extend(["", f"[{name}]" if isinstance(value, Mapping) else f"[[{name}]]"])
            _table(lines, one, at)


def _are_tables(value: Any) -> bool:
    return isinstance(value, (list, tuple)) and bool(value) and all(isinstance(one, Mapping) for one in value)


def _key(key: str) -> str:
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else _text(key)


def _text(value: str) -> str:
    # JSON escapes what TOML does, but for one letter.
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")


def _value(value: Any, path: tuple[str, ...]) -> str:
    # A number or a text of NumPy or pandas.
    if hasattr(value, "item") and getattr(value, "shape", None) == ():
        value = value.item()
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        return repr(value)
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, os.PathLike):
        return _text(os.fsdecode(value))
    if isinstance(value, (datetime.datetime, datetime.date, datetime.time)):
        return value.isoformat()
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(one, path) for one in value) + "]"
    if isinstance(value, Mapping):
        return "{ " + ", ".join(f"{_key(str(key))} = {_value(one, path)}" for key, one in value.items()) + " }"
    where = ".".join(path)
    raise TypeError(f"`{where}` takes a text, a number, a path, a list or a dict of these, not {type(value).__name__}")
