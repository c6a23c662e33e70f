"""Experiments: many replays from one file, and what their results show."""

from __future__ import annotations

import json
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from batchlab import _batchlab, _toml
from batchlab._errors import InputError, PitfallWarning
from batchlab._plot import Plot
from batchlab._help import lists_options
from batchlab._progress import Progress, shown
from batchlab._trace import Trace
from batchlab._words import words

if TYPE_CHECKING:
    import pandas
    from typing_extensions import Unpack

    from batchlab._options import RunOptions, Value, Values


def experiment(
    source: str | os.PathLike[str] | Mapping[str, Any], *, workloads: Mapping[str, Trace] | None = None
) -> Experiment:
    """Return an experiment: that of a file (TOML), of a text of several lines in TOML, or of a dict with the same keys.

    >>> batchlab.experiment(
    ...     {
    ...         "experiment": {"name": "small"},
    ...         "policy": [{"label": "FCFS", "spec": "fcfs"}, {"label": "EASY", "spec": "easy"}],
    ...         "table": [{"name": "main", "rows": ["policy"], "metrics": ["mean_wait"]}],
    ...     },
    ...     workloads={"mine": trace},
    ... ).run(out="results")

    ``workloads`` are logs in memory, by name. A workload with ``trace = "mine"`` is this log; without one in the experiment, the
    log is a workload of its own. The results keep these logs in ``logs/``. Files that a text or a dict names are relative to
    the working directory.
    """
    return Experiment(source, workloads=workloads)


#: How messages call an experiment that is no file.
_NO_FILE = "experiment"


class Experiment:
    """An experiment: workloads × parameters × policies × replications."""

    def __init__(
        self, source: str | os.PathLike[str] | Mapping[str, Any], *, workloads: Mapping[str, Trace] | None = None
    ) -> None:
        #: The file, unless the experiment is a text or a dict.
        self.path: Path | None = None
        #: The logs in memory, by name.
        self.workloads = dict(workloads or {})
        for name, trace in self.workloads.items():
            _check_workload(name, trace)
        self._text: str | None = None
        if isinstance(source, Mapping):
            self._text = _toml.text(source)
        elif isinstance(source, str) and "\n" in source:
            self._text = source
        elif isinstance(source, (str, os.PathLike)):
            self.path = Path(os.fsdecode(source))
            if not self.path.is_file():
                raise InputError(f"cannot read {self.path}: there is no such file")
        else:
            raise TypeError(f"an experiment is a path, a text in TOML or a dict, not {type(source).__name__}")

    @property
    def text(self) -> str:
        """The experiment in TOML, with a workload for each log in memory."""
        text = self.path.read_text(encoding="utf-8") if self.path else self._text or ""
        more = [name for name in self.workloads if not _names(text, name)]
        tables = [_toml.text({"workload": [{"name": name, "trace": name}]}) for name in more]
        return "\n".join([text, *tables]) if more else text

    @lists_options("run")
    def run(self, *, progress: Progress = True, **options: Unpack[RunOptions]) -> Results:
        """Run the experiment into a folder (``out``) and return its results; options are those of the command line.

        After Ctrl-C, ``resume=True`` continues where the run stopped. Replays that fail are warnings; the results are of
        the others then.
        """
        import shutil
        import tempfile

        for name in self.workloads:
            if (beside := (self.path.parent if self.path else Path()) / name).exists():
                raise ValueError(f"the workload {name!r} is a log in memory, and the file {beside} has its name: rename one")
        with tempfile.TemporaryDirectory() as logs, shown(progress, "running", "replays") as tell:
            given = words({**options, "logs": [*_listed(options.get("logs")), logs]} if self.workloads else options)
            for name, trace in self.workloads.items():
                trace.to_swf(Path(logs, name))
            text = None if self.path and not self.workloads else self.text
            folder, failures = _batchlab.experiment(str(self.path or _NO_FILE), text, given, tell)
            if self.workloads:
                shutil.copytree(logs, Path(folder, "logs"), dirs_exist_ok=True)
        for failure in failures:
            warnings.warn(failure, stacklevel=2)
        results = Results(folder)
        for pitfall in results.pitfalls:
            if pitfall["level"] != "note":
                warnings.warn(_in_words(pitfall), PitfallWarning, stacklevel=2)
        return results

    @lists_options("run")
    def tune(self, *, progress: Progress = True, **options: Unpack[RunOptions]) -> Tuned:
        """Search for the best policy as ``[tune]`` and ``[space]`` ask, judge it, and return what was found.

        The folder is ``out``; after Ctrl-C, ``resume=True`` continues the search.
        """
        self._refuse_memory()
        with shown(progress, "searching", "candidates") as tell:
            text = None if self.path else self.text
            folder, failures, page = _batchlab.tune(str(self.path or _NO_FILE), text, words(options), tell)
        for failure in failures:
            warnings.warn(failure, stacklevel=2)
        return Tuned(folder, page)

    def objective(self, **options: Unpack[RunOptions]) -> Objective:
        """Return what ``[tune]`` makes best, with its jobs loaded, for another optimiser.

        >>> objective = batchlab.experiment("tune.toml").objective()
        >>> study = optuna.create_study()
        >>> study.optimize(lambda trial: objective(a=trial.suggest_float("a", 0, 1)), n_trials=100)
        """
        self._refuse_memory()
        text = None if self.path else self.text
        return Objective(_batchlab.objective(str(self.path or _NO_FILE), text, words(options)))

    def _refuse_memory(self) -> None:
        if self.workloads:
            raise ValueError("a search reads logs from files: write these with Trace.to_swf first")

    def __repr__(self) -> str:
        return f"<Experiment {self.path or 'in memory'}>"


class Objective:
    """The ratio of a candidate to the baseline on the units that fit, below 1 if it is better: call it with a text or a number
    for each name of ``[space]``, or with a spec."""

    def __init__(self, objective: _batchlab.Objective) -> None:
        self._objective = objective

    @property
    def space(self) -> dict[str, list[str]]:
        """The names of ``[space]``, each with what the file has beside it."""
        return dict(self._objective.names())

    def spec(self, **values: object) -> str:
        """Return the spec with these values."""
        return self._objective.spec([(name, str(value)) for name, value in values.items()])

    def evaluate(self, spec: str | None = None, *, units: str = "fit", **values: object) -> tuple[list[float], float]:
        """Return the ratio of each objective, and by how much constraints are broken; ``units`` are those that ``fit`` or
        ``choose``. Nothing is replayed twice."""
        return self._objective.evaluate(spec if spec is not None else self.spec(**values), units)

    def __call__(self, spec: str | None = None, **values: object) -> float | tuple[float, ...]:
        """Return the ratio, one for each of several objectives; infinite if a constraint is broken."""
        ratios, broken = self.evaluate(spec if spec is not None else self.spec(**values))
        told = [float("inf") if broken > 0 else ratio for ratio in ratios]
        return told[0] if len(told) == 1 else tuple(told)


class Tuned:
    """What a search found."""

    def __init__(self, folder: str | os.PathLike[str], words: str) -> None:
        self.folder = Path(folder)
        #: What was found, in words (Markdown).
        self.words = words

    @property
    def candidates(self) -> pandas.DataFrame:
        """The finalists, best first, and the policies of the experiment, with their ratios to the baseline."""
        import pandas

        return pandas.read_csv(self.folder / "candidates.csv", dtype={"candidate": str})

    @property
    def results(self) -> Results | None:
        """The results on the units that judge; ``None`` if nothing was found."""
        judged = self.folder / "judged"
        return Results(judged) if judged.exists() else None

    def __repr__(self) -> str:
        return f"<Tuned {self.folder}>"


def _check_workload(name: str, trace: object) -> None:
    if not isinstance(trace, Trace):
        raise TypeError(f"the workload {name!r} is a Trace, not {type(trace).__name__}")
    if not re.fullmatch(r"[\w-][\w. +-]*", name):
        raise ValueError(f"the name of a workload has letters, digits, spaces and any of . _ + -, not {name!r}")


def _names(text: str, workload: str) -> bool:
    """Whether a text in TOML names a workload as a log."""
    return re.search(rf"""\btrace["']?\s*=\s*["']{re.escape(workload)}["']""", text) is not None


def _listed(value: Values | None) -> list[Value]:
    if value is None:
        return []
    return [value] if isinstance(value, (str, int, float, os.PathLike)) else list(value)


#: Pitfalls whose cases are findings about logs, each another one: all are told.
_IN_FULL = ("log-warnings", "log-notes")


def _in_words(pitfall: Mapping[str, Any]) -> str:
    """Return a pitfall on a line: its title, the first case, the number of further ones, and where to read more."""
    code, cases = pitfall["code"], [_case(case) for case in pitfall["cases"]]
    told = cases if code in _IN_FULL else cases[:1]
    more = f"; and {len(cases) - len(told)} more" if len(cases) > len(told) else ""
    level = "WARNING" if pitfall["level"] == "loud" else pitfall["level"]
    return f"{level}[{code}]: {pitfall['title']}: {'; '.join(told)}{more} (`batchlab list pitfalls {code}`)"


def _case(case: Mapping[str, Any]) -> str:
    about = case["about"]
    words = [about.get("workload"), *(f"{name}={value}" for name, value in about.get("point", [])), about.get("policy")]
    words.append(f"table `{about['table']}`" if "table" in about else None)
    subject = ", ".join(word for word in words if word is not None)
    return f"{subject}: {case['seen']}" if subject else str(case["seen"])


class Results:
    """A folder of results, as ``batchlab run`` makes it."""

    def __init__(self, folder: str | os.PathLike[str]) -> None:
        #: The folder.
        self.folder = Path(os.fsdecode(folder))
        if not (self.folder / "results.csv").is_file():
            raise InputError(f"{self.folder} has no results.csv: it is no folder of complete results")

    def to_pandas(self) -> pandas.DataFrame:
        """Return the results as a pandas frame: a row for each replay, with its key."""
        import pandas

        return pandas.read_csv(self.folder / "results.csv")

    @property
    def tables(self) -> Tables:
        """The tables of the report, by name, as frames."""
        return Tables(self.folder)

    @property
    def plots(self) -> dict[str, Plot]:
        """The plots of the report, by name."""
        files = sorted((self.folder / "plots").glob("*.svg"))
        return {file.stem: Plot(file.read_text(encoding="utf-8")) for file in files}

    @property
    def claims(self) -> list[dict[str, Any]]:
        """The claims of the experiment with their verdicts."""
        return self._json("claims.json")

    @property
    def pitfalls(self) -> list[dict[str, Any]]:
        """What may mislead in the results."""
        return self._json("findings.json")

    @property
    def report(self) -> str:
        """The report in Markdown: verdict, tables, plots, claims, findings."""
        return (self.folder / "README.md").read_text(encoding="utf-8")

    def _json(self, name: str) -> list[dict[str, Any]]:
        file = self.folder / name
        return json.loads(file.read_text(encoding="utf-8")) if file.is_file() else []

    def _repr_html_(self) -> str:
        return "\n".join(self.tables.text(name, "html") for name in self.tables)

    def __repr__(self) -> str:
        return f"<Results {self.folder}: tables {', '.join(self.tables) or 'none'}>"


class Tables(Mapping[str, "pandas.DataFrame"]):
    """Tables by name, as frames of full precision."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "tables"
        self._names = sorted(file.stem for file in self._folder.glob("*.csv"))

    def text(self, name: str, format: str = "txt") -> str:
        """Return a table as text, in a form by the ending of its file: ``txt``, ``md``, ``tex``, ``html``, ``csv``, ``json``."""
        file = self._folder / f"{name}.{format}"
        if name not in self._names or not file.is_file():
            raise KeyError(f"{name}.{format}")
        return file.read_text(encoding="utf-8")

    def __getitem__(self, name: str) -> pandas.DataFrame:
        if name not in self._names:
            raise KeyError(name)
        import pandas

        return pandas.read_csv(self._folder / f"{name}.csv")

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)
