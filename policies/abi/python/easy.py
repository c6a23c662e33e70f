#!/usr/bin/env python3
"""EASY backfilling (Lifka, JSSPP 1995) on a pool of processors: one reservation, for the head of the queue.

Start for start the built-in `easy`; with --events submit-first or finish-first, where no job has an estimate of 0.
"""

from batchlab_policy import Policy, run, ticks

SECOND = ticks(1)


class Easy(Policy):
    summary = "reserves for the head; other jobs start if they end by its shadow time or use extra processors only"
    cite = "Lifka, JSSPP 1995"
    needs = ["pool"]

    def begin(self):
        self.queue = []
        self.running = {}  # job: its expected end

    def decide(self, turn):
        if turn.killed:  # jobs may have left the queue
            self.queue = [(job, length) for job, length in self.queue if job not in turn.ended]
        for job in turn.submitted:
            self.queue.append((job, max(ticks(job.estimate), SECOND)))
        for job in turn.released + turn.finished:
            self.running.pop(job, None)
        now, heads = ticks(turn.now), 0
        while heads < len(self.queue) and turn.fits(self.queue[heads][0]):
            self.start(turn, now, *self.queue[heads])
            heads += 1
        del self.queue[:heads]
        if len(self.queue) > 1 and turn.free[0][0] > 0:
            self.backfill(turn, now)

    def start(self, turn, now, job, length):
        turn.start(job)
        self.running[job] = now + length

    def shadow(self, turn, now):
        """Returns when enough is expected to be free for the head, and what is free then beyond its need."""
        # A job beyond its expected end is expected to end within a second.
        ends = sorted((end if end > now else now + SECOND, job.procs) for job, end in self.running.items())
        need, free, at = self.queue[0][0].procs, turn.free[0][0], now
        for end, procs in ends:
            if free >= need and end > at:
                break
            free, at = free + procs, end
        return at, free - need

    def backfill(self, turn, now):
        at, extra = self.shadow(turn, now)
        turn.promise(self.queue[0][0], at / SECOND)
        left = self.queue[:1]
        for job, length in self.queue[1:]:
            if not turn.fits(job) or (now + length > at and job.procs > extra):
                left.append((job, length))
                continue
            if now + length > at:
                extra -= job.procs
            self.start(turn, now, job, length)
        self.queue = left


run(Easy)
