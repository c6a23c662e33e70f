#!/usr/bin/env python3
"""First come, first served: the first job that does not fit blocks all behind it."""

from collections import deque

from batchlab_policy import Policy, run


class Fcfs(Policy):
    summary = "starts jobs in the order of submission; the first that does not fit blocks all behind it"
    needs = ["pool"]

    def begin(self):
        self.queue = deque()

    def decide(self, turn):
        for job in turn.killed:  # it may have left the queue
            if job in self.queue:
                self.queue.remove(job)
        self.queue.extend(turn.submitted)
        while self.queue and turn.fits(self.queue[0]):
            turn.start(self.queue.popleft())


run(Fcfs)
