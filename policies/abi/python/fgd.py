#!/usr/bin/env python3
"""The rule of hosts against fragments of GPUs: a job goes to the node on which the GPUs that usual jobs cannot use grow least.

Fragmentation gradient descent of Weng et al. (USENIX ATC 2023), for jobs on one node. The usual jobs are those that were
submitted so far, each shape by its number. The device within a node is the program's choice, the one with least room that is enough.
Jobs start in the order of submission if they fit; the first that does not fit blocks no other.
"""

from collections import Counter

from batchlab_policy import Policy, run


class FragmentationDescent(Policy):
    name = "fgd"
    summary = "first fit, on the node where the GPUs that usual jobs cannot use grow least"
    cite = "Weng, Yang, Yu, Wang, Tang, Yang, Zhang, USENIX ATC 2023"
    needs = ["devices"]

    def begin(self):
        self.queue, self.shapes = [], Counter()
        if not self.machine.devices:
            raise ValueError("the machine has no devices: --machine with a resource that has `device`")
        self.kind, self.size = self.machine.devices

    def decide(self, turn):
        if turn.killed:  # jobs may have left the queue
            self.queue = [job for job in self.queue if job not in turn.ended]
        for job in turn.submitted:
            if job.procs > max(node[0] for node in turn.machine.nodes):
                raise ValueError(f"job {job.number} is not on one node")
            self.queue.append(job)
            self.shapes[tuple(job.demand)] += 1
        left = []
        for job in self.queue:
            nodes = [node for node in range(len(turn.free)) if turn.fits(job, node)]
            if nodes:
                turn.place(job, [(min(nodes, key=lambda node: (self.grows(turn, job, node), node)), job.procs)])
            else:
                left.append(job)
        self.queue = left

    def grows(self, turn, job, node):
        """Returns by how much the fragments of a node grow if the job comes to it."""
        devices = turn.devices(node, job.demand[self.kind])
        free = [left - need for left, need in zip(turn.free[node], job.demand)]
        after = [left - taken for left, taken in zip(turn.free_devices[node], devices)]
        return self.fragments(free, after) - self.fragments(turn.free[node], turn.free_devices[node])

    def fragments(self, free, devices):
        """Returns the mean, over the usual jobs, of the free GPUs that such a job cannot use."""
        total = 0
        for shape, count in self.shapes.items():
            need = shape[self.kind]
            if any(amount > left for kind, (amount, left) in enumerate(zip(shape, free)) if kind != self.kind):
                usable = 0
            elif need <= self.size:
                usable = sum(left for left in devices if left >= need) if need else 0
            else:
                whole = sum(left == self.size for left in devices)
                usable = whole * self.size if whole * self.size >= need else 0
            total += count * (sum(devices) - usable)
        return total / sum(self.shapes.values())


run(FragmentationDescent)
