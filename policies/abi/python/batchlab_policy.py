"""Scheduling policies for batchlab in Python 3.8 or newer, with nothing but its standard library.

A policy is a class. One that decides derives from `Policy` and starts jobs; one that only ranks derives from `Order`.
`run(Mine)` at the end of the file speaks the protocol (PROTOCOL.md) on standard input and output:

    batchlab replay log.swf.gz --policy 'exec:(python3 mine.py)' --policy easy

Whatever the policy prints goes to standard error. Times are in seconds: whole ones are `int`, others `float`. To
compare sums of times exactly, make `ticks` of them first.
"""

import json
import os
import sys
import traceback

VERSION = 1


def ticks(seconds):
    """Returns a time in whole microseconds, in which sums and comparisons are exact."""
    return round(seconds * 1_000_000)


class Job:
    """A job as known at its submission. Unknown values are None."""

    __slots__ = (
        "job", "number", "submit", "estimate", "procs", "task_procs", "smaller_tasks", "tasks_per_node", "exclusive",
        "demand", "memory", "run", "user", "group", "executable", "queue", "partition", "smaller_procs", "even", "sites", "after",
    )

    def __init__(self, told):
        get = told.get
        self.job = told["job"]  # its number in this replay, from 0
        self.number = told["number"]  # its number in the log
        self.submit = told["submit"]
        self.estimate = told["estimate"]
        self.procs = told["procs"]
        self.task_procs = get("task-procs", 1)  # on nodes, each task is whole on one node
        self.smaller_tasks = get("smaller-tasks", None)  # if several tasks have fewer processors
        self.tasks_per_node = get("tasks-per-node", None)  # the most on a node; None: any number
        self.exclusive = get("exclusive", False)  # whether it has its nodes to itself
        self.demand = get("demand") or [self.procs]  # of each resource, the processors first
        self.memory = get("memory")
        self.run = get("run")  # only for a policy that needs clairvoyance
        self.user = get("user")
        self.group = get("group")
        self.executable = get("executable")
        self.queue = get("queue")
        self.partition = get("partition")
        # Only for a policy that needs "layout": processors of each smaller task; first and last node of each range on
        # which it may be (None: anywhere). For one that needs "dependencies": pairs of "start" or "end" and the number
        # in the log of a job on which it depended.
        self.smaller_procs = get("smaller-procs")
        self.even = get("even") or []  # resources of which each of its nodes has the same part, by position
        self.sites = get("sites")
        self.after = get("after") or []

    def count(self):
        """Returns the number of its tasks, smaller ones included."""
        smaller = self.smaller_tasks or (1 if self.procs % self.task_procs else 0)
        of_each = self.smaller_procs or self.procs % self.task_procs
        return (self.procs - smaller * of_each) // self.task_procs + smaller

    def held(self, kind, procs):
        """Returns what it holds of a resource on a node with some of its processors, if it shares its nodes."""
        need = self.demand[kind]
        return -(-need // self.count()) if kind in self.even else -(-need * procs // self.procs)

    def __repr__(self):
        return f"<job {self.number}: {self.procs} processors for {self.estimate} s>"


class Machine:
    """The machine: `resources` with name, unit and sharing, and `nodes`, the capacities of each.

    For a policy that needs "devices", `devices` is the resource that comes in devices, by its position, and their size;
    None if there is none.
    """

    def __init__(self, told):
        self.resources = told["resources"]
        self.nodes = told["nodes"]
        self.partitions = told.get("partitions")
        self.overrun = told["overrun"]  # "raise", "kill" or "overdue"
        self.periodic = told["periodic"]  # whether decisions come only once in a cycle
        self.is_pool = len(self.nodes) == 1
        devices = told.get("devices")
        self.devices = devices and (devices["resource"], devices["size"])


class Turn:
    """The events since the last decision, and the verbs of this one."""

    def __init__(self, machine):
        self.machine = machine
        self.jobs = {}  # every job that has not ended, by its number in this replay
        self.free = [list(node) for node in machine.nodes]  # node by node, of each resource
        self._told = [list(node) for node in machine.nodes]
        self._touched = set()
        # For a policy that needs "devices": what is free of each device, node by node.
        kind, size = machine.devices or (0, 0)
        self.free_devices = [[size] * (node[kind] // size) if size else [] for node in machine.nodes]
        self._told_devices = [list(devices) for devices in self.free_devices]
        # For a policy that needs "capacity": what is in service. For one that needs "foresight": what is known to go out
        # of service, as beginning, end, node and amounts.
        self.in_service = [list(node) for node in machine.nodes]
        self.foreseen = []

    def _begin(self, told):
        self.now = told["now"]
        self.random = told["random"] / (1 << 53)  # from 0 to below 1, by the seed of the replay
        self.refused = told.get("refused", ())  # dictionaries with verb, job, code and reason
        self.submitted, self.finished, self.released, self.displaced = [], [], [], []
        self.killed = []  # those of `finished` that did not end by themselves, or left the queue
        self.woke = self.capacity_changed = False
        self.ended = {}  # of each job in `finished`: when it ended
        self._verbs = []
        jobs = self.jobs
        for event in told["events"]:
            kind = event[0]
            if kind == "submitted":
                job = Job(event[1])
                jobs[job.job] = job
                self.submitted.append(job)
            elif kind == "finished" or kind == "killed":
                job = jobs.pop(event[1])
                self.finished.append(job)
                self.ended[job] = event[2] if len(event) > 2 else self.now
                if kind == "killed":
                    self.killed.append(job)
            elif kind == "released":
                self.released.append(jobs[event[1]])
            elif kind == "displaced":
                self.displaced.append(jobs[event[1]])
            elif kind == "capacity":
                self.capacity_changed = True
            else:
                self.woke = True
        self.foreseen = told.get("foreseen", self.foreseen)
        served = told.get("in-service", ())
        for node, amounts in [(0, served)] if served and self.machine.is_pool else served:
            self.in_service[node] = amounts
        if self.machine.is_pool:
            self.free[0] = told["free"]
        else:
            for node, free in told["free"]:
                self._told[node] = free
                self._touched.add(node)
            for node, free in told.get("free-devices", ()):
                self._told_devices[node] = free[: len(self._told_devices[node])]
                self._touched.add(node)
            for node in self._touched:
                self.free[node] = list(self._told[node])
                self.free_devices[node] = list(self._told_devices[node])
            self._touched.clear()

    def fits(self, job, node=0):
        """Whether a job fits, in every resource, into what is free on the pool, or whole on a node.

        On a machine with devices, `needs = ["devices"]` makes it look at each device.
        """
        free = self.free[node]
        if len(free) == 1:
            return job.procs <= free[0]
        if self.machine.devices and self.devices(node, job.demand[self.machine.devices[0]]) is None:
            return False
        return all(need <= amount for need, amount in zip(job.demand, free))

    def start(self, job):
        """Starts a waiting job on the pool, and reduces the free amounts."""
        self._take(0, job, job.procs)
        self._verbs.append(("start", job.job))

    def place(self, job, shares, rate=1):
        """Puts a job on nodes: `shares` are pairs of node and processors. Reduces the free amounts."""
        shares = [(node, procs) for node, procs in shares]
        for node, procs in shares:
            self._take(node, job, procs)
        self._verbs.append(("place", job.job, shares, rate) if rate != 1 else ("place", job.job, shares))

    def rate(self, job, rate):
        """Runs a resident job at a fraction of full speed; 0 suspends it where it is."""
        self._verbs.append(("rate", job.job, rate))

    def run_only(self, jobs):
        """Runs exactly these resident jobs, at full speed, and suspends all others."""
        self._verbs.append(("run-only", [job.job for job in jobs]))

    def displace(self, job, keep=True):
        """Takes a resident job off the machine; it waits again, with its progress kept or lost."""
        self._verbs.append(("displace", job.job, bool(keep)))

    def kill(self, job):
        """Ends a job for good."""
        self._verbs.append(("kill", job.job))

    def wake(self, at):
        """Requests a decision at a later instant."""
        self._verbs.append(("wake", at))

    def expect(self, job, duration):
        """Expects a waiting job to run for a duration, instead of its estimate."""
        self._verbs.append(("expect", job.job, duration))

    def promise(self, job, at):
        """Promises a waiting job a start no later than an instant; for explanations only."""
        self._verbs.append(("promise", job.job, at))

    def devices(self, node, amount):
        """Returns what an amount takes of each device of a node; None if they have no room, nothing without devices.

        A part of a device is taken from the one with least room that is enough, whole devices from the first on.
        """
        if not self.machine.devices:
            return []
        free, size = self.free_devices[node], self.machine.devices[1]
        taken = [0] * len(free)
        if 0 < amount <= size:
            fitting = [device for device, left in enumerate(free) if left >= amount]
            if not fitting:
                return None
            taken[min(fitting, key=lambda device: free[device])] = amount
        elif amount > size:
            whole = [device for device, left in enumerate(free) if left == size][: -(-amount // size)]
            if len(whole) * size < amount:
                return None
            for device in whole:
                taken[device] = size
        return taken

    def _take(self, node, job, procs):
        free, devices = self.free[node], self.machine.devices
        for kind in range(len(job.demand)):
            alone = job.exclusive and not self.machine.is_pool
            part = free[kind] if alone else job.held(kind, procs)
            if devices and kind == devices[0]:
                taken = self.devices(node, part) or [0] * len(self.free_devices[node])
                self.free_devices[node] = [left - here for left, here in zip(self.free_devices[node], taken)]
                part = sum(taken)
            free[kind] -= part
        self._touched.add(node)


class _Described:
    """The description of a policy; `name` is required, everything else has a default."""

    name = None
    summary = ""
    cite = ""
    rule = ""
    params = ()  # dictionaries: name, kind, default, and help, least, choices as they apply
    needs = ()  # of: clairvoyance time-sharing pool memory user group partition capacity foresight layout dependencies devices

    @classmethod
    def _about(cls):
        about = {"name": cls.name or cls.__name__.lower(), "kind": cls._kind}
        for key in ("summary", "cite", "rule"):
            if getattr(cls, key):
                about[key] = getattr(cls, key)
        for key in ("params", "needs"):
            if getattr(cls, key):
                about[key] = list(getattr(cls, key))
        return about

    def begin(self):
        """Called once, before the first job; `self.machine` and `self.given`, the parameters, are set."""

    def end(self):
        """Called once, after the last job."""


class Policy(_Described):
    """A policy that decides. Derive from it, and implement `decide`."""

    told_of_refusals = False  # whether a refused verb is reported, instead of ending the replay
    _kind = "policy"

    @classmethod
    def _about(cls):
        about = super()._about()
        if cls.told_of_refusals:
            about["told-of-refusals"] = True
        return about

    def decide(self, turn):
        """Called at each decision, with its events, to start jobs."""
        raise NotImplementedError


class Order(_Described):
    """A queue order for a built-in policy. Derive from it, and implement `score`."""

    columns = ()  # what is looked at, each an expression over what is known of a waiting job
    changes = False  # whether scores change while jobs wait; a column that reads `wait` implies it
    _kind = "order"

    @classmethod
    def _about(cls):
        about = super()._about()
        about["columns"] = list(cls.columns)
        if cls.changes:
            about["changes"] = True
        return about

    def score(self, *columns):
        """Returns the score of one job from the values of its columns; the lowest is served first."""
        raise NotImplementedError

    def scores(self, *columns):
        """Returns the scores of all jobs from whole columns; `score` for each, unless overridden."""
        return list(map(self.score, *columns))


_decode = json.JSONDecoder().raw_decode
_encode = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_INFINITE = {float("inf"): "inf", float("-inf"): "-inf"}


def _to_number(value):
    return float(value) if isinstance(value, str) else value


def _from_number(score):
    if score != score:
        return "nan"
    return _INFINITE.get(score, score)


def _serve(policy, hear, say):
    """Answers every message until the last one, or until the program has ended."""
    turn = None
    for line in iter(hear.readline, b""):
        ((key, told),) = _decode(line.decode())[0].items()
        if key == "decide":
            turn._begin(told)
            policy.decide(turn)
            say({"verbs": turn._verbs})
        elif key == "order":
            columns = [list(map(_to_number, values)) for values in told["columns"].values()]
            say({"scores": [_from_number(score) for score in policy.scores(*columns)]})
        elif key == "hello":
            say({"hello": {"version": VERSION, "policies": [policy._about()]}})
        elif key == "init":
            policy.given = told["params"]
            policy.machine = Machine(told["machine"])
            turn = Turn(policy.machine)
            policy.begin()
            say({"ready": True})
        elif key == "bye":
            policy.end()
            return


def run(policy):
    """Runs the protocol for a policy, a class or a value, until the replay is over."""
    # Messages get separate streams: printed text goes to standard error, and other code cannot read the input.
    hear, out = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb", 0)
    with open(os.devnull, "rb") as nothing:
        os.dup2(nothing.fileno(), 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr

    def say(message):
        rest = memoryview((_encode(message) + "\n").encode())
        while rest:
            rest = rest[out.write(rest):]

    try:
        policy = policy() if isinstance(policy, type) else policy
        _serve(policy, hear, say)
    except BrokenPipeError:
        sys.exit(1)
    except Exception as error:
        traceback.print_exc()
        where = traceback.extract_tb(error.__traceback__)[-1]
        place = f"{os.path.basename(where.filename)}, line {where.lineno}"
        say({"error": f"{type(error).__name__}: {error} ({place})"})
        sys.exit(1)
