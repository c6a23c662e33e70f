#!/usr/bin/env python3
"""First fit that looks ahead: a job starts if it fits now, and will not be in the way of what is known to go out of service."""

from batchlab_policy import Policy, run


class Ahead(Policy):
    summary = "starts every job that fits now and at each known change of the capacity before its expected end"
    needs = ["pool", "foresight"]

    def begin(self):
        self.queue = []
        self.running = {}  # job: its expected end

    def decide(self, turn):
        for job in turn.released + turn.finished + turn.displaced:
            self.running.pop(job, None)
        ended = set(turn.finished)
        self.queue = [job for job in self.queue if job not in ended]
        self.queue = sorted(self.queue + turn.submitted + turn.displaced, key=lambda job: job.job)
        for job in list(self.queue):
            if turn.fits(job) and self.fits_later(turn, job, turn.now + job.estimate):
                turn.start(job)
                self.queue.remove(job)
                self.running[job] = turn.now + job.estimate

    def fits_later(self, turn, job, end):
        """Whether enough stays in service for a job until an instant, beside the jobs that run until then."""
        for begins, _, _, _ in turn.foreseen:
            if not turn.now < begins < end:
                continue
            out = [amounts for since, until, _, amounts in turn.foreseen if turn.now < since <= begins < until]
            others = [other for other, ends in self.running.items() if ends > begins]
            for kind, need in enumerate(job.demand):
                held = sum(other.demand[kind] for other in others)
                if turn.in_service[0][kind] - sum(amounts[kind] for amounts in out) - held < need:
                    return False
        return True


run(Ahead)
