"""The laboratory for batch schedulers: replays HPC workload traces under any scheduling policy.

>>> import batchlab
>>> trace = batchlab.Trace.read("KTH-SP2-1996-2.1-cln.swf.gz")
>>> batchlab.replay(trace, "easy").jobs[["submit", "start", "wait"]].mean()
>>> batchlab.compare(trace, ["fcfs", "easy", "conservative"])

Options of functions are those of the command line, with underscores for dashes: ``help(batchlab.replay)`` lists them.
"""

import atexit as _atexit
import os as _os

from batchlab_policy import Job, Order, Policy, Turn

from batchlab import _batchlab
from batchlab._batchlab import VERSION as __version__
from batchlab._errors import (
    BatchlabError,
    CheckFailed,
    FindingWarning,
    InputError,
    Interrupted,
    NoteWarning,
    PitfallWarning,
    PolicyError,
    UsageError,
)
from batchlab._experiment import Experiment, Objective, Results, Tuned, experiment
from batchlab._plot import Plot
from batchlab._policy import Columns, conform, load, order, policy
from batchlab._replay import Comparison, Outcome, compare, replay
from batchlab._trace import Trace

# Help, tracebacks and pickles name the public module.
for _name in (
    "BatchlabError CheckFailed Columns Comparison Experiment FindingWarning InputError Interrupted NoteWarning"
    " Objective Outcome PitfallWarning Plot PolicyError Results Trace Tuned UsageError compare conform experiment load order policy replay"
).split():
    globals()[_name].__module__ = __name__
del _name

# A thread that works while the interpreter ends would abort the process.
_atexit.register(_batchlab.close)
if hasattr(_os, "register_at_fork"):
    _os.register_at_fork(after_in_child=_batchlab.forked)

__all__ = [
    "BatchlabError",
    "CheckFailed",
    "Columns",
    "Comparison",
    "Experiment",
    "FindingWarning",
    "InputError",
    "Interrupted",
    "Job",
    "NoteWarning",
    "Objective",
    "Order",
    "Outcome",
    "PitfallWarning",
    "Plot",
    "Policy",
    "PolicyError",
    "Results",
    "Trace",
    "Tuned",
    "Turn",
    "UsageError",
    "__version__",
    "compare",
    "conform",
    "experiment",
    "load",
    "order",
    "policy",
    "replay",
]
