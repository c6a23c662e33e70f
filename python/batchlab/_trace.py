"""Logs."""

from __future__ import annotations

import os
import tempfile
import warnings
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from batchlab import _batchlab, _frames
from batchlab._errors import Told, warn
from batchlab._help import lists_options
from batchlab._progress import Progress, shown
from batchlab._words import words

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars
    import pyarrow
    from typing_extensions import Self, Unpack

    from batchlab._options import ReadOptions, ShapeOptions


class Trace:
    """A log in memory: a row for each record, in the order of the file.

    It does not change; :meth:`clean` and :meth:`shape` return other traces. Findings about the log are warnings, and stay
    in :attr:`findings`.
    """

    __slots__ = ("_native",)

    def __init__(self, native: _batchlab.Trace) -> None:
        if not isinstance(native, _batchlab.Trace):
            raise TypeError("Trace.read(path) reads a log, Trace.from_dataframe(df) makes one")
        self._native = native

    @classmethod
    @lists_options("read")
    def read(
        cls, path: str | os.PathLike[str], *, progress: Progress = True, **options: Unpack[ReadOptions]
    ) -> Self:
        """Read a log, packed or not, of any format; options are those of the command line.

        ``from_`` is ``--from``, since ``from`` is a word of Python.
        """
        name = os.fsdecode(path)
        with shown(progress, f"reading {name}", "bytes") as tell:
            native = _batchlab.Trace.read(name, words(options), tell)
        warn(native.findings(), 2)
        return cls(native)

    @classmethod
    @lists_options("read")
    def read_parquet(
        cls, path: str | os.PathLike[str], *, progress: Progress = True, **options: Unpack[ReadOptions]
    ) -> Self:
        """Read a table of jobs in Parquet, through pyarrow; options are those of :meth:`read`.

        The tables PM100 and F-DATA are known, for others give ``mapping``, a mapping file. Columns of lists, maps and
        structures are left out. The table is written as CSV to a temporary file, which the program's reader reads.
        """
        import pyarrow.csv
        import pyarrow.parquet
        import pyarrow.types

        name = os.fsdecode(path)
        with pyarrow.parquet.ParquetFile(name) as table, tempfile.TemporaryDirectory() as folder:
            flat = [field.name for field in table.schema_arrow if not pyarrow.types.is_nested(field.type)]
            file = os.path.join(folder, os.path.splitext(os.path.basename(name))[0] + ".csv")
            schema = pyarrow.schema([table.schema_arrow.field(column) for column in flat])
            with pyarrow.csv.CSVWriter(file, schema) as writer:
                for batch in table.iter_batches(columns=flat):
                    writer.write_batch(batch)
            return cls.read(file, progress=progress, **options)

    @classmethod
    def from_dataframe(
        cls,
        df: Any,
        *,
        max_procs: int | None = None,
        resources: Mapping[str, str] | None = None,
        name: str = "frame",
        strict: bool = False,
    ) -> Self:
        """Make a log of a frame of jobs (pandas, Polars, or whatever has columns).

        The columns are those of :meth:`to_pandas`, or other names of them (``procs``, ``runtime``, ``submit_time``,
        ``estimate``): ``submit``, ``run`` and ``requested_procs`` are needed. ``submit`` may be instants, which
        are those of UTC unless they have a time zone, times may be time deltas; users, groups, executables, queues and partitions may be texts. ``max_procs`` is the size of the
        machine, and ``resources`` declares further columns, such as ``{"gpu": "capacity=4 scope=node"}`` (as in
        :attr:`resources`). The reader of the Standard Workload Format checks the jobs; a line is a row, after those of the
        header.
        """
        columns, header, ignored = _frames.columns_of(df, dict(resources or {}))
        if ignored:
            named = ", ".join(f"`{column}`" for column in ignored)
            warnings.warn(f"columns that no log has are left out: {named}", stacklevel=2)
        if max_procs is not None:
            header.append(("MaxProcs", str(int(max_procs))))
        options = words({"from": "swf", "strict": strict})
        native = _batchlab.Trace.of_columns(name, header, columns, options)
        warn(native.findings(), 2)
        return cls(native)

    def clean(self, rules: str | os.PathLike[str]) -> Self:
        """Return the log cleaned by rules: a file (TOML), a preset such as ``pwa:kth-sp2``, or a text of several lines.

        What each rule did is in :attr:`history`. An expectation of the rules that does not hold is an error.
        """
        native, _ = self._native.clean(os.fsdecode(rules))
        return type(self)(native)

    @lists_options("shape")
    def shape(
        self, steps: str | os.PathLike[str], *, progress: Progress = True, **options: Unpack[ShapeOptions]
    ) -> Self:
        """Return the log shaped by steps: a file (TOML), or a text of several lines. Steps that split: :meth:`split`."""
        parts = self._shaped(steps, progress, options)
        if len(parts) != 1:
            raise ValueError(f"the steps split the log into {len(parts)} logs: use split")
        return parts[0]

    @lists_options("shape")
    def split(
        self, steps: str | os.PathLike[str], *, progress: Progress = True, **options: Unpack[ShapeOptions]
    ) -> list[Self]:
        """Return the logs into which steps split the log."""
        return self._shaped(steps, progress, options)

    def _shaped(self, steps: str | os.PathLike[str], progress: Progress, options: Any) -> list[Self]:
        with shown(progress, "shaping", "jobs") as tell:
            logs, _ = self._native.shape(os.fsdecode(steps), words(options), tell)
        for _, native in logs:
            warn(native.findings(), 3, self._native.findings())
        return [type(self)(native) for _, native in logs]

    def to_pandas(self) -> pandas.DataFrame:
        """Return the records as a pandas frame; unknown values are missing. Numbers are not copied, and read-only."""
        return _frames.to_pandas(self._native.frame())

    def to_polars(self) -> polars.DataFrame:
        """Return the records as a Polars frame."""
        return _frames.to_polars(self._native.frame())

    def to_arrow(self) -> pyarrow.Table:
        """Return the records as an Arrow table. Whole numbers are not copied."""
        return _frames.to_arrow(self._native.frame())

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._native.frame().__arrow_c_stream__(requested_schema)

    def __getitem__(self, column: str) -> numpy.ndarray[Any, Any]:
        """Return a column as a NumPy array, as it is stored: unknown whole numbers are below zero."""
        return _frames.array(self._native.frame(), column)

    def __len__(self) -> int:
        return len(self._native)

    # The length is that of a column, and what would be iterated over is not obvious.
    __iter__ = None

    @property
    def columns(self) -> list[str]:
        """The names of the columns."""
        return self._native.frame().names

    @property
    def name(self) -> str:
        """The file, or whatever the log was made of."""
        return self._native.name

    @property
    def sha256(self) -> str:
        """The SHA-256 of the file as it is stored, in hexadecimal."""
        return self._native.sha256

    @property
    def max_procs(self) -> int | None:
        """The processors of the machine that the header states."""
        return self._native.max_procs

    @property
    def resources(self) -> dict[str, str]:
        """The columns beside those of the Standard Workload Format, with their declarations: unit, capacity, scope."""
        return dict(self._native.resources)

    @property
    def findings(self) -> list[Told]:
        """What is odd about the log: level, code and text of each finding."""
        return self._native.findings()

    @property
    def history(self) -> list[tuple[str, str, int]]:
        """What was done to the log: name, detail, and the number of jobs touched."""
        return self._native.steps()

    def to_swf(self, path: str | os.PathLike[str]) -> None:
        """Write the log in the Standard Workload Format; packed if the name ends with ``.gz``."""
        self._native.write(os.fsdecode(path))

    def __repr__(self) -> str:
        procs = f", {self.max_procs:,} processors" if self.max_procs else ""
        return f"<Trace {self.name}: {len(self):,} records{procs}>"

    def __reduce__(self) -> tuple[Any, ...]:
        return _unpickled, (type(self), self._native.to_bytes(), self._native.state())


def _unpickled(cls: type[Trace], text: bytes, state: Any) -> Trace:
    return cls(_batchlab.Trace.restored(text, state))
