"""Replay a log under EASY of AccaSim 1.1.3 on eight nodes with a core each: python run_accasim.py LOG.swf.

The schedule is printed in AccaSim's own columns. pip install accasim==1.1.3
"""

import collections.abc
import json
import pathlib
import sys
import tempfile

# AccaSim was written for a Python whose collections had the abstract classes, too.
for name in collections.abc.__all__:
    if not hasattr(collections, name):
        setattr(collections, name, getattr(collections.abc, name))

from accasim.base.allocator_class import FirstFit
from accasim.base.scheduler_class import EASYBackfilling
from accasim.base.simulator_class import Simulator

SYSTEM = {
    "system_name": "pool",
    "start_time": 0,
    "groups": {"g0": {"core": 1}},
    "resources": {"g0": 8},
    "equivalence": {"processor": {"core": 1}},
}

with tempfile.TemporaryDirectory() as folder:
    system = pathlib.Path(folder, "system.json")
    system.write_text(json.dumps(SYSTEM))
    policy = EASYBackfilling(FirstFit())
    options = {"statistics_output": False, "show_statistics": False, "RESULTS_FOLDER_PATH": folder}
    Simulator(sys.argv[1], str(system), policy, **options).start_simulation()
    for schedule in pathlib.Path(folder).rglob("sched-*"):
        print(schedule.read_text(), end="")
