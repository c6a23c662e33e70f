"""Policies of your own, in this process."""

from __future__ import annotations

import json
import os
import runpy
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

import batchlab_policy
from batchlab_policy import Order, Policy

from batchlab import _batchlab

if TYPE_CHECKING:
    import numpy

    Column = numpy.ndarray[Any, numpy.dtype[numpy.float64]]

Class = TypeVar("Class", bound=type[Any])
Score = TypeVar("Score", bound=Callable[[Any], Any])


class Columns(Mapping[str, "Column"]):
    """The jobs to rank, by column: ``jobs["estimate"]`` or ``jobs.estimate``, read-only arrays of float64.

    An array shows the values where they are. One that is kept stays as it is.
    """

    __slots__ = ("_arrays", "_names")

    def __init__(self, names: tuple[str, ...], arrays: tuple[Column, ...]) -> None:
        self._names, self._arrays = names, arrays

    def __getitem__(self, name: str) -> Column:
        try:
            return self._arrays[self._names.index(name)]
        except ValueError:
            raise KeyError(f"{name!r} is not among the columns {', '.join(self._names)}") from None

    def __getattr__(self, name: str) -> Column:
        try:
            return self[name]
        except KeyError as error:
            raise AttributeError(error.args[0]) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


@overload
def policy(cls: Class, /) -> Class: ...
@overload
def policy(*, name: str) -> Callable[[Class], Class]: ...


def policy(cls: Class | None = None, /, *, name: str | None = None) -> Class | Callable[[Class], Class]:
    """Register a class as a policy or an order: a decorator.

    A class with ``decide(turn)`` decides, as a :class:`Policy` does. A class with ``columns`` and ``score(jobs)`` ranks:
    ``score`` gets the :class:`Columns` of the jobs and returns an array, the lowest is served first. An :class:`Order`
    gets the values of one job at a time, or whole columns if it has ``scores``.

    The class is named in specs by ``name``, by its attribute ``name``, or by its own name in lower case. Each replay has a
    value of its own. The same class serves in a child process: ``batchlab_policy.run(Mine)``.
    """
    if cls is None:
        return lambda given: _registered(given, name)
    return _registered(cls, name)


def _registered(cls: Class, name: str | None) -> Class:
    if not isinstance(cls, type):
        raise TypeError(f"a class is registered, not {type(cls).__name__}; batchlab.order registers a function")
    serving: Any = cls
    if not issubclass(cls, (Policy, Order)):
        serving = _completed(cls)
    about = serving._about()
    about["name"] = name or about["name"]
    if not about.get("summary") and cls.__doc__:
        about["summary"] = cls.__doc__.strip().splitlines()[0]
    by_column = issubclass(serving, Order) and serving.scores is not Order.scores
    _batchlab.register(json.dumps([about]), serving, by_column)
    return cls


def _completed(cls: type[Any]) -> type[Any]:
    """Return a class with what it lacks of a policy or an order."""
    members: dict[str, Any] = {"__module__": cls.__module__, "__doc__": cls.__doc__}
    if callable(getattr(cls, "decide", None)):
        return type(cls.__name__, (cls, Policy), members)
    if callable(getattr(cls, "score", None)):
        columns = _names(getattr(cls, "columns", ()), cls.__name__)

        def scores(self: Any, *arrays: Column) -> Any:
            return self.score(Columns(columns, arrays))

        return type(cls.__name__, (cls, Order), {**members, "columns": columns, "scores": scores})
    raise TypeError(f"{cls.__name__} has neither decide(turn) nor score(jobs)")


def order(*columns: str, name: str | None = None, changes: bool = False) -> Callable[[Score], Score]:
    """Register a function of the waiting jobs as an order: a decorator.

    >>> @batchlab.order("estimate", "procs")
    ... def area(jobs):
    ...     return jobs.estimate * jobs.procs
    >>> batchlab.replay(trace, "easy:order=area")

    Columns are what the function reads of each job, each an expression as in ``expr(…)``. The function returns a number for
    each job; the lowest is served first. Jobs are scored once, at their submission; at each decision if a column reads
    ``wait``, or with ``changes``.
    """
    read = _names(columns, "order")

    def registered(function: Score) -> Score:
        if isinstance(function, type) or not callable(function):
            raise TypeError("a function is registered as an order; batchlab.policy registers a class")

        def scores(self: object, *arrays: Column) -> Any:
            return function(Columns(read, arrays))

        called = name or str(getattr(function, "__name__", "order"))
        members = {"columns": read, "changes": changes, "scores": scores, "__doc__": function.__doc__}
        _registered(type(called, (Order,), members), called)
        return function

    return registered


def load(path: str | os.PathLike[str], *, name: str | None = None) -> type[Any]:
    """Register the policy of a file for child processes, which ends with ``run(Mine)``, and return its class."""
    ran: list[Any] = []
    module: Any = batchlab_policy
    kept, module.run = module.run, ran.append
    try:
        runpy.run_path(os.fsdecode(path), run_name="__main__")
    finally:
        module.run = kept
    if not ran:
        raise ValueError(f"{os.fsdecode(path)} runs no policy: run(Mine) is its last line")
    serving = ran[0]
    cls: type[Any] = serving if isinstance(serving, type) else type(serving)
    return _registered(cls, name)


def _names(columns: Any, whose: str) -> tuple[str, ...]:
    names = (columns,) if isinstance(columns, str) else tuple(columns)
    if not names or not all(isinstance(column, str) for column in names):
        raise TypeError(f'{whose} reads columns, which are texts, as in order("estimate", "procs")')
    return names


def conform(policy: str, **options: Any) -> bool:
    """Check whether a policy keeps to the rules, as ``batchlab conform`` does, and print what was found.

    Options are those of the command line: ``like="easy"``, ``cases=100``, ``seed=1``. Returns whether all checks hold.
    """
    words = ["batchlab", "conform", policy]
    for name, value in options.items():
        if value is not None and value is not False:
            option = "--" + name.rstrip("_").replace("_", "-")
            words += [option] if value is True else [option, str(value)]
    sys.stdout.flush()
    code = _batchlab.main(words, False)
    if code > 1:
        raise ValueError(f"the policy could not be checked: see the message above (exit code {code})")
    return code == 0
