
from batchlab_policy import Policy, run

class FirstFit(Policy):
    def begin(self):
        self.queue = []

    def decide(self, turn):
        self.queue += turn.submitted
        while self.queue:
            job, left, shares = self.queue[0], self.queue[0].procs, []
            for node, free in enumerate(turn.free):
                procs = 0
                while procs < left and self.holds(job, procs + job.task_procs, free):
                    procs += job.task_procs
                if procs:
                    shares.append((node, procs))
                    left -= procs
            if left:
                return
            turn.place(self.queue.pop(0), shares)

    def holds(self, job, procs, free):
        return all(-(-need * procs // job.procs) <= amount for need, amount in zip(job.demand, free))

run(FirstFit)
