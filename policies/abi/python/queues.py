#!/usr/bin/env python3
"""Backfilling with several queues: jobs are put into queues by their estimate, the first job of each queue holds a reservation, and
a queue that holds less than its share of the machine goes first (after Lawson and Smirni, JSSPP 2002).

Jobs behind the first of their queue start, in the order of arrival, if they delay no reservation. So short jobs never wait behind
a queue of long ones, and processors that a queue leaves free are lent to the others.
"""

from batchlab_policy import Policy, run, ticks

SECOND = ticks(1)


class Queues(Policy):
    summary = "one queue for each range of estimates, a reservation for the first job of each, shares for the queues"
    cite = "after Lawson, Smirni, JSSPP 2002"
    needs = ["pool"]
    params = [
        {"name": "short", "kind": "duration", "default": "1h", "help": "the longest estimate of the first queue"},
        {"name": "middle", "kind": "duration", "default": "10h", "help": "that of the second; longer jobs are in the third"},
    ]

    def begin(self):
        self.waiting, self.running = [], {}  # in the order of arrival; expected ends
        limits = (self.given["short"], self.given["middle"])
        self.limits = [float("inf") if limit == "none" else limit for limit in limits]

    def queue(self, job):
        return sum(job.estimate > limit for limit in self.limits)

    def decide(self, turn):
        if turn.killed:  # jobs may have left the queue
            self.waiting = [job for job in self.waiting if job not in turn.ended]
        self.waiting += turn.submitted
        for job in turn.released + turn.finished:
            self.running.pop(job, None)
        now = ticks(turn.now)
        reserved = self.firsts(turn, now)
        for job in list(self.waiting):
            if job not in reserved and turn.fits(job) and self.leaves(turn, now, job, reserved):
                self.start(turn, now, job)

    def start(self, turn, now, job):
        turn.start(job)
        self.running[job] = now + length(job)
        self.waiting.remove(job)

    def firsts(self, turn, now):
        """Starts the first jobs of the queues while they fit; returns the reservations of those that do not."""
        reserved = {}
        while True:
            held = [0, 0, 0]
            for job in self.running:
                held[self.queue(job)] += job.procs
            firsts = {}
            for job in self.waiting:
                firsts.setdefault(self.queue(job), job)
            # The queue that holds least of the machine first: with equal shares, that which lacks most of its own.
            for job in sorted(firsts.values(), key=lambda job: (held[self.queue(job)], job.job)):
                if job in reserved:
                    continue
                if turn.fits(job) and self.leaves(turn, now, job, reserved):
                    self.start(turn, now, job)
                    break
                reserved[job] = self.earliest(turn, now, job, reserved)
            else:
                return reserved

    def uses(self, turn, now, reserved):
        """Returns running jobs and reservations as beginning, end and processors."""
        # A job beyond its expected end is expected to end within a second.
        used = [(now, end if end > now else now + SECOND, job.procs) for job, end in self.running.items()]
        return used + [(at, at + length(job), job.procs) for job, at in reserved.items()]

    def fits_at(self, turn, at, job, used):
        """Whether a job has room for its whole length from an instant on."""
        end, size = at + length(job), turn.machine.nodes[0][0]
        instants = [at] + [begin for begin, _, _ in used if at < begin < end]
        taken = (sum(procs for begin, until, procs in used if begin <= instant < until) for instant in instants)
        return all(busy + job.procs <= size for busy in taken)

    def earliest(self, turn, now, job, reserved):
        used = self.uses(turn, now, reserved)
        instants = sorted({now} | {until for _, until, _ in used})
        return next(at for at in instants if self.fits_at(turn, at, job, used))

    def leaves(self, turn, now, job, reserved):
        return self.fits_at(turn, now, job, self.uses(turn, now, reserved))


def length(job):
    return max(ticks(job.estimate), SECOND)


run(Queues)
