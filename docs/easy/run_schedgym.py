"""Replay a log on eight processors under EasyScheduler of SchedGym: PYTHONPATH=sched-rl-gym python run_schedgym.py LOG.swf.

https://github.com/renatolfc/sched-rl-gym, commit 44b7f14; pip install intervaltree==3.0.2 parallelworkloads
"""

import sys

from schedgym.scheduler import EasyScheduler
from schedgym.workload.trace import SwfGenerator

scheduler = EasyScheduler(8, 1, ignore_memory=True)
jobs = list(SwfGenerator(sys.argv[1], 8, 1, ignore_memory=True))
for now in range(1000):
    scheduler.submit([job for job in jobs if job.submission_time == now])
    scheduler.step()
print("job_id,submit,start,end,procs")
for job in jobs:
    print(job.id, job.submission_time, job.start_time, job.finish_time, job.requested_processors, sep=",")
