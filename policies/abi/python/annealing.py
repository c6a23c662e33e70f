#!/usr/bin/env python3
"""A plan of the first waiting jobs, improved by simulated annealing at each decision; what the plan starts now is started.

The plan puts jobs one after the other at their earliest start beside running jobs and the plan so far. The order of the jobs is what
annealing changes, and the sum of the squared waits is what it lowers: plan-based scheduling as of Zheng et al. (CLUSTER 2016) and
Kopanski and Rzadca (Euro-Par 2021). Random numbers have a fixed seed, so that the same log gives the same schedule.
"""

import math
import random

from batchlab_policy import Policy, run, ticks

SECOND = ticks(1)


class Annealing(Policy):
    summary = "plans the first waiting jobs in an order that annealing improves, and starts those that the plan starts now"
    cite = "after Zheng, Zhou, Yang, Lan, Wang, CLUSTER 2016"
    needs = ["pool"]
    params = [
        {"name": "jobs", "kind": "count", "default": "16", "least": 1, "help": "how many waiting jobs are planned"},
        {"name": "steps", "kind": "count", "default": "40", "help": "how many exchanges are tried at a decision"},
    ]

    def begin(self):
        self.queue, self.running = [], {}  # waiting jobs in the order of the last plan; expected ends
        self.random = random.Random(1)

    def decide(self, turn):
        if turn.killed:  # jobs may have left the queue
            self.queue = [job for job in self.queue if job not in turn.ended]
        self.queue += turn.submitted
        for job in turn.released + turn.finished:
            self.running.pop(job, None)
        now = ticks(turn.now)
        # The oldest jobs are planned, in the order of the last plan.
        oldest = set(sorted(self.queue, key=lambda job: job.job)[: self.given["jobs"]])
        jobs = [job for job in self.queue if job in oldest]
        if not any(turn.fits(job) for job in jobs):
            return
        begun = self.profile(turn, now)
        orders = [jobs, sorted(jobs, key=lambda job: job.job), sorted(jobs, key=lambda job: job.estimate * job.procs)]
        order, starts = self.anneal(now, begun, orders)
        for job, start in zip(order, starts):
            if start <= now and turn.fits(job):
                turn.start(job)
                self.running[job] = now + length(job)
        self.queue = [job for job in order + [job for job in self.queue if job not in oldest] if job not in self.running]

    def profile(self, turn, now):
        """Returns the free processors from each instant on, by the expected ends of running jobs."""
        free, steps = turn.free[0][0], [(now, turn.free[0][0])]
        # A job beyond its expected end is expected to end within a second.
        for end, procs in sorted((end if end > now else now + SECOND, job.procs) for job, end in self.running.items()):
            free += procs
            steps.append((end, free))
        return steps

    def anneal(self, now, begun, orders):
        """Returns the best order that was found, with the starts of its jobs."""
        planned = [(*self.plan(begun, order), order) for order in orders]
        cost, starts, order = best = min(planned, key=lambda one: one[0])
        heat = 0.1 * cost
        for _ in range(self.given["steps"] if len(order) > 1 else 0):
            one, other = self.random.sample(range(len(order)), 2)
            tried = list(order)
            tried[one], tried[other] = tried[other], tried[one]
            new_cost, new_starts = self.plan(begun, tried)
            worse = new_cost - cost
            if worse <= 0 or (heat > 0 and self.random.random() < math.exp(-worse / heat)):
                cost, starts, order = new_cost, new_starts, tried
                best = min(best, (cost, starts, order), key=lambda one: one[0])
            heat *= 0.9
        return best[2], best[1]

    def plan(self, begun, order):
        """Returns the sum of the squared waits, in hours, and the start of each job in this order."""
        steps, starts, cost = list(begun), [], 0.0
        for job in order:
            at = earliest(steps, job.procs, length(job))
            take(steps, at, at + length(job), job.procs)
            starts.append(at)
            cost += ((at - ticks(job.submit)) / (3600 * SECOND)) ** 2
        return cost, starts


def length(job):
    return max(ticks(job.estimate), SECOND)


def earliest(steps, procs, length):
    """Returns the first instant from which enough processors are free for a length of time."""
    start = None
    for at, free in steps:
        if start is not None and at >= start + length:
            break
        if free < procs:
            start = None
        elif start is None:
            start = at
    return start


def take(steps, begin, end, procs):
    """Takes processors out of a profile, from a beginning to an end."""
    for instant in (begin, end):
        at = max(at for at, (step, _) in enumerate(steps) if step <= instant)
        if steps[at][0] < instant:
            steps.insert(at + 1, (instant, steps[at][1]))
    for at, (step, free) in enumerate(steps):
        if begin <= step < end:
            steps[at] = (step, free - procs)


run(Annealing)
