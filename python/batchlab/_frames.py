"""Frames: from the columns of the native part to NumPy, pandas, Polars and Arrow, and back."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from importlib import import_module
from typing import TYPE_CHECKING, Any

from batchlab import _batchlab
from batchlab._errors import InputError

if TYPE_CHECKING:
    import numpy
    import pandas
    import polars
    import pyarrow


def _need(package: str) -> Any:
    try:
        return import_module(package)
    except ImportError as error:
        extra = {"pyarrow": "arrow"}.get(package, package)
        message = f"this needs {package}, which is not installed: pip install 'batchlab[{extra}]'"
        raise ImportError(message, name=package) from error


def array(frame: _batchlab.Frame, name: str) -> numpy.ndarray[Any, Any]:
    """Return a column: numbers without a copy, read-only, unknown ones as they are stored; texts as objects."""
    np, column = _need("numpy"), frame.column(name)
    values: numpy.ndarray[Any, Any] = (
        np.array(column.texts(), dtype=object) if column.is_text else np.asarray(column)
    )
    return values


def to_pandas(frame: _batchlab.Frame) -> pandas.DataFrame:
    """Return a pandas frame. Numbers are not copied; whole numbers with unknown ones are nullable integers."""
    pd, np = _need("pandas"), _need("numpy")
    columns: dict[str, Any] = {}
    for name in frame.names:
        column, values = frame.column(name), array(frame, name)
        unknown = None if column.is_text else column.unknown()
        if column.is_text:
            columns[name] = pd.array(values, dtype="string")
        elif unknown is not None and values.dtype.kind == "i":
            mask = np.frombuffer(unknown, dtype=bool)
            columns[name] = pd.arrays.IntegerArray(values, mask)
        else:
            columns[name] = values
    made: pandas.DataFrame = pd.DataFrame(columns, copy=False)
    return made


def to_polars(frame: _batchlab.Frame) -> polars.DataFrame:
    """Return a Polars frame."""
    made: polars.DataFrame = _need("polars").DataFrame(frame)
    return made


def to_arrow(frame: _batchlab.Frame) -> pyarrow.Table:
    """Return an Arrow table."""
    made: pyarrow.Table = _need("pyarrow").table(frame)
    return made


#: What a frame of jobs must have.
_NEEDED = ("submit", "run", "requested_procs")

#: Columns of numbers that are names in many logs.
_NAMES = ("user", "group", "executable", "queue", "partition")

#: Names that a column may have beside those of expressions.
_OTHERS = {"procs": "requested_procs", "estimate": "requested_time", "memory": "requested_memory"}


def columns_of(
    df: Any, resources: dict[str, str]
) -> tuple[list[tuple[str, bytes]], list[tuple[str, str]], list[str]]:
    """Return the fields of a frame of jobs as bytes of float64, what the header says of them, and the other columns."""
    numpy = _need("numpy")
    if not hasattr(df, "columns") or not hasattr(df, "__getitem__"):
        raise TypeError(f"a frame of jobs is wanted, such as a pandas or a Polars frame, not {type(df).__name__}")
    if len(df.columns) == 0 or len(df[df.columns[0]]) == 0:
        raise InputError("the frame is empty: it has no jobs")
    keys = {name: name for name, _, _ in _batchlab.fields()}
    keys |= {other: name for name, others, _ in _batchlab.fields() for other in others} | _OTHERS
    found: dict[str, Any] = {}
    ignored: list[str] = []
    for column in df.columns:
        key = column if column in resources else keys.get(str(column).strip().lower())
        if key is None:
            ignored.append(str(column))
        elif key in found:
            raise InputError(f"the frame has `{key}` twice: column `{column}` is the same field as another one")
        else:
            found[key] = df[column]
    if "run" not in found and {"start", "end"} <= {str(column) for column in df.columns}:
        found["run"] = df["end"] - df["start"]
        ignored = [name for name in ignored if name not in ("start", "end")]
    missing = [name for name in (*_NEEDED, *resources) if name not in found]
    if missing == ["requested_procs"] and "allocated_procs" in found:
        missing = []
    if missing:
        had = ", ".join(f"`{column}`" for column in df.columns)
        wanted = ", ".join(f"`{name}`" for name in missing)
        raise InputError(f"the frame lacks {wanted}; it has {had or 'no columns'}. Rename columns, or add them")
    columns: list[tuple[str, bytes]] = []
    header = [("Resource", f"{at} {name} {words}") for at, (name, words) in enumerate(resources.items(), 1)]
    # Further columns are written in the order of their declarations.
    for key in [*(key for key in found if key not in resources), *resources]:
        series = found[key]
        values = _numbers(numpy, key, series, header)
        columns.append((key, numpy.ascontiguousarray(values, dtype=numpy.float64).tobytes()))
    return columns, header, ignored


def _numbers(numpy: Any, key: str, series: Any, header: list[tuple[str, str]]) -> Any:
    """Return a column as numbers; unknown values are not-a-number."""
    values = series.to_numpy() if hasattr(series, "to_numpy") else numpy.asarray(series)
    if values.dtype.kind == "O":
        values = _without_zone(numpy, key, values)
    if values.dtype.kind == "M":
        seconds = values.astype("datetime64[us]").astype(numpy.int64) / 1e6
        seconds = numpy.where(numpy.isnat(values), numpy.nan, seconds)
        if key != "submit":
            raise InputError(f"column `{key}` has instants; only `submit` may have them")
        zero = float(numpy.floor(numpy.nanmin(seconds))) if len(seconds) else 0.0
        header.append(("UnixStartTime", str(int(zero))))
        return seconds - zero
    if values.dtype.kind == "m":
        seconds = values.astype("timedelta64[us]").astype(numpy.int64) / 1e6
        return numpy.where(numpy.isnat(values), numpy.nan, seconds)
    if values.dtype.kind in "iufb":
        return values.astype(numpy.float64)
    listed = list(values)
    if key in _NAMES and any(isinstance(value, str) for value in listed):
        return _numbered(numpy, key, listed, header)
    try:
        return numpy.array([numpy.nan if _is_unknown(value) else float(value) for value in listed])
    except (TypeError, ValueError) as error:
        at, value = next((at, value) for at, value in enumerate(listed) if not _is_number(value))
        raise InputError(f"column `{key}`, row {at}: {value!r} is not a number") from error


def _without_zone(numpy: Any, key: str, values: Any) -> Any:
    """Return instants with a time zone as instants of UTC, and time deltas as NumPy's; other values as they are."""
    known = [value for value in values if not _is_unknown(value)]
    if known and all(isinstance(value, timedelta) for value in known):
        return numpy.array([None if _is_unknown(value) else value for value in values], dtype="timedelta64[us]")
    if not known or not all(isinstance(value, datetime) for value in known):
        return values
    zoned = [value.utcoffset() is not None for value in known]
    if any(zoned) != all(zoned):
        raise InputError(f"column `{key}` mixes instants with and without a time zone: give all of them one")
    utc = [None if _is_unknown(value) else _in_utc(value) for value in values]
    return numpy.array(utc, dtype="datetime64[us]")


def _in_utc(instant: datetime) -> datetime:
    moved = instant.astimezone(timezone.utc) if instant.utcoffset() is not None else instant
    return moved.replace(tzinfo=None)


def _numbered(numpy: Any, key: str, listed: list[Any], header: list[tuple[str, str]]) -> Any:
    """Number names from 1, in the order in which they occur."""
    numbers: dict[Any, int] = {}
    values = [
        numpy.nan if _is_unknown(value) else numbers.setdefault(value, len(numbers) + 1) for value in listed
    ]
    if key in ("queue", "partition"):
        header.extend((key.capitalize(), f"{number} {name}") for name, number in numbers.items())
    return numpy.array(values, dtype=numpy.float64)


def _is_unknown(value: Any) -> bool:
    return value is None or value != value or type(value).__name__ in ("NAType", "NaTType")


def _is_number(value: Any) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return _is_unknown(value)
    return True
