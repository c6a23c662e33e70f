"""Exceptions and warnings. Their texts are those of the program, with options as Python has them."""

from __future__ import annotations

import keyword
import os
import re
import traceback
import warnings
from collections.abc import Iterable
from functools import cache

from batchlab import _batchlab


class BatchlabError(Exception):
    """Something failed; the subclasses follow the exit codes of the program."""


class CheckFailed(BatchlabError):
    """A check did not hold, such as an expectation of cleaning rules (exit code 1)."""


class UsageError(BatchlabError, ValueError):
    """An argument is wrong: an unknown policy, option or metric, a value out of range (exit code 2)."""


class InputError(BatchlabError, ValueError):
    """The input cannot be used: a log, a schedule, a frame (exit code 3)."""


class PolicyError(BatchlabError, RuntimeError):
    """A policy or a plug-in misbehaved (exit code 4)."""


class Interrupted(BatchlabError):
    """The work was abandoned; Ctrl-C raises ``KeyboardInterrupt`` instead."""


_BY_CODE: dict[int, type[BatchlabError]] = {
    1: CheckFailed,
    2: UsageError,
    3: InputError,
    4: PolicyError,
    130: Interrupted,
}


def of_code(code: int, text: str) -> BatchlabError:
    """Return the exception for an exit code of the program."""
    return _BY_CODE.get(code, BatchlabError)(in_python(text))


#: A piece of code in a message, or an option with the placeholder of its value.
_PIECE = re.compile(r"`[^`]*`|'--[^']*'|--[a-z][a-z-]*(?: <[^>]+>)?")

#: An option by itself, with the placeholder of its value or a value.
_OPTION = re.compile(r"--([a-z][a-z-]*)(?:[ =](.*))?")


def in_python(text: str) -> str:
    """Return a message of the program with options as arguments: ``load``, not ``--load <F>``. Commands stay as they are."""
    return _PIECE.sub(_as_argument, text.strip())


def _as_argument(piece: re.Match[str]) -> str:
    option = _OPTION.fullmatch(piece[0].strip("`'"))
    if option is None or option[1].replace("-", "_") not in _options():
        return piece[0]
    name, value = argument(option[1]), option[2]
    return f"`{name}={value}`" if value and not value.startswith("<") else f"`{name}`"


def argument(option: str) -> str:
    """Return an option as the name of an argument: ``from_`` for ``--from``, since ``from`` is a word of Python."""
    name = option.replace("-", "_")
    return name + "_" if keyword.iskeyword(name) else name


@cache
def _options() -> frozenset[str]:
    verbs = ("read", "shape", "replay", "compare", "run")
    return frozenset(name for verb in verbs for name, *_ in _batchlab.options(verb))


def of_policy(error: BaseException) -> str:
    """Return what a policy in Python raised, on one line, with the place."""
    text = " ".join(f"{type(error).__name__}: {error}".split())
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    text = text if len(text) <= 400 else text[:400] + "…"
    frames = traceback.extract_tb(error.__traceback__)
    place = f" ({os.path.basename(frames[-1].filename)}, line {frames[-1].lineno})" if frames else ""
    return text + place


class Held(BaseException):
    """Holds the thread in which it is raised, for a policy that catches ``KeyboardInterrupt`` and goes on."""

    def __new__(cls) -> Held:
        _batchlab.hold()
        return super().__new__(cls)


def interrupt(thread: int) -> None:
    """Raise ``KeyboardInterrupt`` in another thread, where a policy decides."""
    _raise(thread, KeyboardInterrupt)


def hold(thread: int) -> None:
    """Hold another thread, where a policy decides, until the process ends."""
    _raise(thread, Held)


def look() -> None:
    """Do nothing: Python raises here what other threads have set for this one."""


def _raise(thread: int, exception: type[BaseException]) -> None:
    import ctypes

    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(exception))


class FindingWarning(UserWarning):
    """A finding: something odd about the input, and what was done about it."""


class NoteWarning(FindingWarning):
    """A finding worth knowing; nothing was dropped, mended or guessed."""


class PitfallWarning(UserWarning):
    """Something that may mislead in a result."""


#: A finding as the native part returns it: its level, its code, its text.
Told = tuple[str, str, str]


def warn(told: Iterable[Told], stacklevel: int, known: Iterable[Told] = ()) -> None:
    """Warn of the findings that are not known yet."""
    heard = set(known)
    for finding in told:
        if finding not in heard:
            level, _, text = finding
            category = NoteWarning if level == "note" else FindingWarning
            warnings.warn(in_python(text), category, stacklevel=stacklevel + 1)


def warn_of_pitfalls(told: Iterable[Told], stacklevel: int) -> None:
    """Warn of pitfalls."""
    for _, _, text in told:
        warnings.warn(text, PitfallWarning, stacklevel=stacklevel + 1)
