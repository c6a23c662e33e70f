"""First fit that writes down all that it sees, and makes a mistake once."""

import json
import os

from batchlab_policy import Policy, run

JOB = (
    "job number submit estimate procs task_procs smaller_tasks tasks_per_node exclusive demand memory run user group executable queue "
    "partition smaller_procs even sites after"
).split()


class Recorder(Policy):
    told_of_refusals = True
    needs = ["devices", "layout", "dependencies", "foresight"]
    params = [
        {"name": "k", "kind": "count", "default": "3"},
        {"name": "gap", "kind": "duration", "default": "1.5"},
        {"name": "word", "kind": "text", "default": "none"},
    ]

    def begin(self):
        self.queue, self.erred = [], False
        self.seen = open(os.environ["RECORD"], "w")
        self.write(self.given, vars(self.machine))

    def end(self):
        # A process that only describes itself has not begun.
        if hasattr(self, "seen"):
            self.write("end")
            self.seen.close()

    def write(self, *seen):
        self.seen.write(json.dumps(seen) + "\n")

    def decide(self, turn):
        numbers = [[job.job for job in jobs] for jobs in (turn.finished, turn.released, turn.displaced, turn.killed)]
        for job in turn.submitted:
            held = [job.held(kind, job.procs) for kind in range(len(job.demand))]
            self.write("job", {name: getattr(job, name) for name in JOB}, job.count(), held, repr(job))
        self.write(turn.now, 0 <= turn.random < 1, numbers, turn.woke, turn.capacity_changed, list(turn.jobs))
        self.write([(job.job, at) for job, at in turn.ended.items()], list(turn.refused))
        self.write(turn.free, turn.free_devices, turn.in_service, turn.foreseen)
        if turn.refused:
            return
        self.queue = [job for job in self.queue if job not in turn.ended] + turn.submitted + turn.displaced
        for job in list(self.queue):
            for node in range(len(self.machine.nodes)):
                if turn.fits(job, node):
                    self.write("fits", job.job, node, turn.devices(node, job.demand[-1]))
                    if self.machine.is_pool:
                        turn.start(job)
                    else:
                        turn.place(job, [(node, job.procs)])
                    self.queue.remove(job)
                    break
        self.write("after", turn.free, turn.free_devices)
        if self.queue and not self.erred:
            self.erred = True
            turn.place(self.queue[0], [(0, self.queue[0].procs)])
        if turn.submitted and turn.now < 1000:
            turn.wake(turn.now + self.given["gap"])


if __name__ == "__main__":
    run(Recorder)
