
from batchlab_policy import Policy, run

class Shaped(Policy):
    needs = ["layout", "devices"]

    def begin(self):
        self.queue = []

    def decide(self, turn):
        gone = set(turn.killed)
        self.queue = [job for job in self.queue if job not in gone] + turn.submitted
        while self.queue:
            shares = self.shares(turn, self.queue[0])
            if shares is None:
                return
            turn.place(self.queue.pop(0), shares)

    def shares(self, turn, job):
        """Returns the nodes of a job: whole tasks first, each on the first node with room."""
        small = job.smaller_tasks or (1 if job.smaller_procs else 0)
        left = [(job.procs - small * (job.smaller_procs or 0)) // job.task_procs, small]
        shares = []
        for node, free in enumerate(turn.free):
            sites = job.sites if job.sites is not None else [[0, len(turn.free) - 1]]
            if not any(first <= node <= last for first, last in sites):
                continue
            if job.exclusive and free != self.machine.nodes[node]:
                continue
            procs, tasks = 0, 0
            for kind, size in enumerate([job.task_procs, job.smaller_procs or 0]):
                while left[kind] and tasks < (job.tasks_per_node or left[kind] + tasks) and self.holds(turn, node, job, procs + size):
                    procs, tasks, left[kind] = procs + size, tasks + 1, left[kind] - 1
            if procs:
                shares.append((node, procs))
        return None if any(left) else shares

    def holds(self, turn, node, job, procs):
        kind = self.machine.devices[0] if self.machine.devices else None
        if kind is not None and turn.devices(node, job.held(kind, procs)) is None:
            return False
        return all(job.held(kind, procs) <= free for kind, free in enumerate(turn.free[node]))

run(Shaped)
