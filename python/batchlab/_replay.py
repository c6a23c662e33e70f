"""Replays: one, or several side by side."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

from batchlab import _batchlab, _frames
from batchlab._errors import Told, warn, warn_of_pitfalls
from batchlab._plot import Plot
from batchlab._help import lists_options
from batchlab._progress import Progress, shown
from batchlab._trace import Trace
from batchlab._words import words

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow
    from typing_extensions import Unpack

    from batchlab._options import CompareOptions, ReplayOptions


@lists_options("replay")
def replay(
    trace: Trace, policy: str = "easy", *, progress: Progress = True, **options: Unpack[ReplayOptions]
) -> Outcome:
    """Replay a log under a policy, such as ``easy:order=sjf``; options are those of the command line.

    The same log, policy, options and seed give the same schedule as the program, on any machine.
    """
    return Outcome(_replays(trace, _spec(policy), dict(options), progress), 0)


@lists_options("compare")
def compare(
    trace: Trace, policies: Sequence[str], *, progress: Progress = True, **options: Unpack[CompareOptions]
) -> Comparison:
    """Replay a log under several policies, on all cores; the result shows itself as a table."""
    if isinstance(policies, str):
        policies = [policies]
    return Comparison(_replays(trace, [_spec(policy) for policy in policies], dict(options), progress))


def _spec(policy: object) -> str:
    if not isinstance(policy, str):
        raise TypeError(f"a policy is a text such as 'easy:order=sjf', not {type(policy).__name__}")
    return policy


class _Replays:
    """Replays with what they were made of, so that they can be made again."""

    def __init__(
        self,
        trace: Trace,
        policies: str | list[str],
        options: dict[str, Any],
        tell: Callable[[int, int | None], object] | None = None,
    ) -> None:
        self.trace, self.policies, self.options = trace, policies, options
        given = words(options)
        self.native = (
            _batchlab.replay(trace._native, policies, given, tell)
            if isinstance(policies, str)
            else _batchlab.compare(trace._native, policies, given, tell)
        )

    @classmethod
    def of_agent(cls, trace: Trace, native: _batchlab.Replays) -> _Replays:
        """Return what an agent has played."""
        replays = cls.__new__(cls)
        replays.trace, replays.policies, replays.options, replays.native = trace, "agent", {}, native
        return replays

    def __reduce__(self) -> tuple[Any, ...]:
        if self.policies == "agent":
            raise TypeError("the outcome of an agent cannot be pickled, since nothing plays it again; keep its frames")
        return _Replays, (self.trace, self.policies, self.options)


def _replays(
    trace: Trace, policies: str | list[str], options: dict[str, Any], progress: Progress
) -> _Replays:
    if not isinstance(trace, Trace):
        hint = "; Trace.read(path) reads a log" if isinstance(trace, (str, os.PathLike)) else ""
        raise TypeError(f"a Trace is wanted, not {type(trace).__name__}{hint}")
    with shown(progress, "replaying", "jobs") as tell:
        replays = _Replays(trace, policies, options, tell)
    warn(replays.native.findings(), 3, trace.findings)
    warn_of_pitfalls(replays.native.pitfalls(), 3)
    return replays


class Outcome:
    """The outcome of a replay: when and where each job ran, and what is measured of it."""

    def __init__(self, replays: _Replays, at: int) -> None:
        self._replays, self._at = replays, at

    @property
    def policy(self) -> str:
        """The policy, with all its parameters that are not at their defaults."""
        return self._replays.native.labels[self._at]

    @property
    def trace(self) -> Trace:
        """The log."""
        return self._replays.trace

    @cached_property
    def jobs(self) -> pandas.DataFrame:
        """The jobs in the order of the log, as a pandas frame.

        ``submit``, ``start`` and ``end`` are seconds from the log's zero, as in a schedule file; ``wait``, ``bsld`` and
        the other columns are those of ``batchlab list schedule-columns``. Values that a job does not have are missing.
        """
        return self.to_pandas()

    def to_pandas(self, columns: str | Sequence[str] | None = None) -> pandas.DataFrame:
        """Return the jobs as a pandas frame, with further columns by name or with all of them."""
        return _frames.to_pandas(self._frame(columns))

    def to_polars(self, columns: str | Sequence[str] | None = None) -> polars.DataFrame:
        """Return the jobs as a Polars frame."""
        return _frames.to_polars(self._frame(columns))

    def to_arrow(self, columns: str | Sequence[str] | None = None) -> pyarrow.Table:
        """Return the jobs as an Arrow table."""
        return _frames.to_arrow(self._frame(columns))

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._frame(None).__arrow_c_stream__(requested_schema)

    def to_csv(self, path: str | os.PathLike[str], columns: str | Sequence[str] | None = None) -> None:
        """Write the schedule as ``replay --schedule`` does; packed if the name ends with ``.gz``.

        If jobs share processors in time, their intervals are written beside it.
        """
        self._replays.native.write(self._at, os.fsdecode(path), _joined(columns))

    def _frame(self, columns: str | Sequence[str] | None) -> _batchlab.Frame:
        return self._replays.native.frame(self._at, _joined(columns))

    @cached_property
    def metrics(self) -> dict[str, float]:
        """The metrics by key: those that were asked for, else all of a summary. Undefined ones are not-a-number."""
        values = self._replays.native.metrics(self._at)
        return {key: float("nan") if value is None else value for key, value in values}

    def gantt(
        self, start: float | None = None, end: float | None = None, *, colour: str = "user"
    ) -> Plot:
        """Draw which job ran where and when, between two times in seconds after the first submission.

        Colours are by ``user``, ``width`` or ``class``, or ``none``. Of too many jobs the density is drawn.
        """
        if colour not in ("user", "width", "class", "none"):
            raise ValueError(f"colour: {colour!r} is none of user, width, class, none")
        between = None if start is None and end is None else (start or 0.0, end)
        return Plot(self._replays.native.gantt(self._at, between, colour))

    def utilization(self) -> Plot:
        """Draw utilization and queue length over time."""
        return Plot(self._replays.native.utilization([self._at]))

    def verify(self) -> list[str]:
        """Return the rules that the schedule breaks, found by a checker that shares no code with the engine: none."""
        return self._replays.native.verify(self._at)

    @property
    def decisions(self) -> int:
        """The number of decisions of the policy."""
        return self._replays.native.decisions(self._at)

    @property
    def findings(self) -> list[Told]:
        """What is odd about the log and its jobs: level, code and text of each finding."""
        return self._replays.native.findings()

    def __repr__(self) -> str:
        return f"<Outcome of {self.policy} on {self.trace.name}>"


def _joined(columns: str | Sequence[str] | None) -> str | None:
    return columns if columns is None or isinstance(columns, str) else ",".join(columns)


class Comparison(Mapping[str, Outcome]):
    """Replays of a log side by side: a mapping of policies to outcomes that shows itself as a table."""

    def __init__(self, replays: _Replays) -> None:
        self._replays = replays
        self._at = {label: at for at, label in enumerate(replays.native.labels)}

    def __getitem__(self, policy: str) -> Outcome:
        return Outcome(self._replays, self._at[policy])

    def __iter__(self) -> Iterator[str]:
        return iter(self._at)

    def __len__(self) -> int:
        return len(self._at)

    def to_pandas(self) -> pandas.DataFrame:
        """Return the table as a pandas frame: a row for each policy, in the metrics' own units (seconds, shares)."""
        import pandas

        keys, rows = self._replays.native.rows()
        values = [[float("nan") if value is None else value for value in row] for _, row in rows]
        index = pandas.Index([label for label, _ in rows], name="policy")
        return pandas.DataFrame(values, index=index, columns=keys)

    def table(self, format: str = "table") -> str:
        """Return the table as text: ``table``, ``markdown``, ``latex``, ``html``, ``csv`` or ``json``."""
        return self._replays.native.table(format)

    def utilization(self) -> Plot:
        """Draw utilization and queue length over time, with a line for each policy."""
        return Plot(self._replays.native.utilization(list(self._at.values())))

    @property
    def pitfalls(self) -> list[Told]:
        """What may mislead in the comparison: level, code and text."""
        return self._replays.native.pitfalls()

    def _repr_html_(self) -> str:
        return self.table("html")

    def __str__(self) -> str:
        return self.table()

    def __repr__(self) -> str:
        return self.table()
