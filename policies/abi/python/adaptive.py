#!/usr/bin/env python3
"""EASY backfilling that changes the order of its queue by what it measured: a new period begins with the order under which jobs had
the lowest mean bounded slowdown when it was last tried. It knows the past only.

Every eighth period tries the order that was not used for longest. Lelong, Reis and Trystram (JSSPP 2017) choose the order from a
part of the log; this is the same choice made while jobs come.
"""

from batchlab_policy import Policy, run, ticks

SECOND = ticks(1)
ORDERS = {
    "fcfs": lambda job: job.submit,
    "spf": lambda job: job.estimate,
    "saf": lambda job: job.estimate * job.procs,
}


class Adaptive(Policy):
    summary = "EASY whose queue order is, in each period, the one that measured best so far"
    cite = "after Lelong, Reis, Trystram, JSSPP 2017"
    needs = ["pool"]
    params = [{"name": "period", "kind": "duration", "default": "7d", "help": "how long an order is kept"}]

    def begin(self):
        self.queue, self.running = [], {}  # waiting jobs; when each running job has begun
        self.order, self.until, self.periods = "fcfs", None, 0
        self.period = float("inf") if self.given["period"] == "none" else self.given["period"]
        self.measured = {}  # of each order: its mean bounded slowdown in the period in which it was last used
        self.used = dict.fromkeys(ORDERS, -1)
        self.slowdowns = []

    def decide(self, turn):
        if turn.killed:  # jobs may have left the queue
            self.queue = [job for job in self.queue if job not in turn.ended]
        self.queue += turn.submitted
        for job in turn.finished:
            begun = self.running.pop(job, None)
            if begun is not None:
                end = turn.ended[job]
                self.slowdowns.append(max(1, (end - job.submit) / max(end - begun, 10)))
        for job in turn.released:
            self.running.pop(job, None)
        self.choose(turn.now)
        self.queue.sort(key=lambda job: (ORDERS[self.order](job), job.job))
        self.schedule(turn)

    def choose(self, now):
        if self.until is None:
            self.until = now + self.period
        if now < self.until or not self.slowdowns:
            return
        self.measured[self.order] = sum(self.slowdowns) / len(self.slowdowns)
        self.used[self.order] = self.periods
        self.slowdowns, self.until, self.periods = [], now + self.period, self.periods + 1
        untried = [order for order in ORDERS if order not in self.measured]
        if untried or self.periods % 8 == 0:
            self.order = untried[0] if untried else min(ORDERS, key=self.used.get)
        else:
            self.order = min(ORDERS, key=self.measured.get)

    def start(self, turn, job):
        turn.start(job)
        self.running[job] = turn.now
        self.queue.remove(job)

    def schedule(self, turn):
        while self.queue and turn.fits(self.queue[0]):
            self.start(turn, self.queue[0])
        if len(self.queue) < 2 or turn.free[0][0] == 0:
            return
        head, now = self.queue[0], ticks(turn.now)
        ends = sorted((self.expected(job, now), job.procs) for job in self.running)
        free, at = turn.free[0][0], now
        for end, procs in ends:
            if free >= head.procs and end > at:
                break
            free, at = free + procs, end
        extra = free - head.procs
        for job in self.queue[1:]:
            in_time = now + max(ticks(job.estimate), SECOND) <= at
            if turn.fits(job) and (in_time or job.procs <= extra):
                extra -= 0 if in_time else job.procs
                self.start(turn, job)

    def expected(self, job, now):
        """Returns when a job is expected to end; one beyond its estimate within a second."""
        end = ticks(self.running[job]) + max(ticks(job.estimate), SECOND)
        return end if end > now else now + SECOND


run(Adaptive)
