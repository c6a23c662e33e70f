"""The scenarios of oracle.py: for each one a slurm.conf, its accounts, and a list of commands with their times.

A list is drawn from a seed, so that it can be drawn again. Its lines read `SECONDS USER COMMAND`; `@7` stands for the
id of the job that the seventh line submitted.
"""

import dataclasses
import math
import random
import re
from typing import Callable

# Accounts with their shares, and their users with shares and how often each submits.
ACCOUNTS = {
    "physics": (4, {"ana": (2, 6), "ben": (1, 3), "carl": (1, 1)}),
    "biology": (2, {"dora": (1, 4), "emil": (1, 2)}),
    "history": (1, {"fay": (1, 2), "gus": (1, 1)}),
}
USERS = {user: weight for _, users in ACCOUNTS.values() for user, (_, weight) in users.items()}

# What stands for the id of a job: `--switches=1@2` names none.
REFERENCE = re.compile(r"(?<=[ :,=])@(\d+)")

# The jobs are submitted within this time, in seconds.
SPAN = 1200
# Parts of the span, and the work submitted in each one, as a multiple of what the machine can do in that part.
PHASES = [(2 / 3, 1.5), (1 / 3, 0.5)]

COMMON = """\
ClusterName=oracle
SlurmctldHost=oracle(127.0.0.1)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
CredType=cred/munge
StateSaveLocation=/var/lib/slurm/slurmctld
SlurmdSpoolDir=/var/lib/slurm/slurmd/%n
SlurmctldPidFile=/run/slurmctld.pid
SlurmdPidFile=/run/slurmd-%n.pid
SlurmctldLogFile=/var/log/slurm/slurmctld.log
SlurmdLogFile=/var/log/slurm/slurmd-%n.log
SlurmSchedLogFile=/var/log/slurm/sched.log
SlurmSchedLogLevel=1
DebugFlags=Backfill
SlurmdParameters=config_overrides
AccountingStorageType=accounting_storage/slurmdbd
AccountingStorageHost=localhost
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
MpiDefault=none
ReturnToService=2
MailProg=/bin/true
"""


@dataclasses.dataclass
class Job:
    """What one line submits: options of sbatch, a shell command, and its work (cores or nodes, times seconds)."""

    options: str
    script: str
    work: float


@dataclasses.dataclass
class Scenario:
    """What is run: see the table at the end."""

    about: str
    nodes: int
    # The lines of slurm.conf beside COMMON and the names of the nodes.
    conf: str
    seed: int
    draw: Callable[[random.Random, int], Job]
    # What one node is worth in units of Job.work.
    node_work: int = 8
    # The processors of a node.
    processors: str = "CPUs=8 Sockets=1 CoresPerSocket=8 ThreadsPerCore=1"
    # One entry for each group of nodes: its names, and what it has. By default all nodes are alike.
    groups: tuple = ()
    gres: str = ""
    topology: str = ""
    sacctmgr: tuple = ()
    # Commands of root with their times.
    events: tuple = ()
    # Draws what happens to a job after its submission: seconds after it, whether root does it, and a command with {job}.
    changes: Callable[[random.Random], list] | None = None
    span: int = SPAN

    def slurm_conf(self):
        """Returns the text of slurm.conf."""
        groups = self.groups or ((f"n[1-{self.nodes}]", 1, self.nodes, ""),)
        lines = [
            f"NodeName={names} NodeHostname=oracle NodeAddr=127.0.0.1 Port=[{17000 + first}-{17000 + last}] "
            f"{self.processors} RealMemory=16000 {rest}".rstrip()
            for names, first, last, rest in groups
        ]
        common = COMMON.replace("DebugFlags=Backfill\n", "") if "DebugFlags=" in self.conf else COMMON
        return common + self.conf.strip() + "\n" + "\n".join(lines) + "\n" + ("GresTypes=gpu\n" if self.gres else "")

    def accounts(self):
        """Returns the commands that make the accounts and users."""
        lines = []
        for account, (shares, users) in ACCOUNTS.items():
            lines.append(f"add account {account} Fairshare={shares}")
            lines += [f"add user {user} Account={account} Fairshare={own}" for user, (own, _) in users.items()]
        return lines + list(self.sacctmgr)

    def commands(self):
        """Returns the list: tuples of a time in seconds, a user and a command, in order of time."""
        rng = random.Random(self.seed)
        drawn = []
        begin = 0.0
        for share, load in PHASES:
            length = share * self.span
            work = load * length * self.nodes * self.node_work
            jobs = []
            while sum(job.work for job in jobs) < work:
                jobs.append(self.draw(rng, len(drawn) + len(jobs) + 1))
            times = sorted(begin + rng.random() * length for _ in jobs)
            for i in range(1, len(times)):
                # A fifth of the jobs are submitted together with another one.
                if rng.random() < 0.2:
                    times[i] = times[i - 1] + 0.2
            drawn += zip(times, jobs)
            begin += length
        users = rng.choices(list(USERS), list(USERS.values()), k=len(drawn))
        lines = []
        cancelled = []
        for line, ((at, job), user) in enumerate(zip(drawn, users), 1):
            lines.append((round(at, 1), user, f"sbatch {job.options} --wrap='{job.script}'"))
            if rng.random() < 0.03 and "--array" not in job.options:
                cancelled.append((round(at + rng.uniform(30, 300), 1), user, f"scancel @{line}"))
        others = cancelled + [(at, "root", command) for at, command in self.events]
        for line, (at, user, _) in enumerate(lines, 1):
            for after, by_root, command in self.changes(rng) if self.changes else ():
                others.append((round(at + after, 1), "root" if by_root else user, command.format(job=f"@{line}")))
        return numbered(lines, others)


def numbered(submissions, others):
    """Merges two lists by time. References to lines of the first one become references to lines of the result."""
    merged = sorted(
        [(at, 0, n, user, command) for n, (at, user, command) in enumerate(submissions, 1)]
        + [(at, 1, n, user, command) for n, (at, user, command) in enumerate(others, 1)]
    )
    place = {n: line for line, (_, kind, n, _, _) in enumerate(merged, 1) if kind == 0}

    def renumber(command):
        return REFERENCE.sub(lambda reference: f"@{place[int(reference[1])]}", command)

    return [(at, user, renumber(command)) for at, _, _, user, command in merged]


def run_time(rng, longest=400):
    """Draws seconds between 5 and `longest`, evenly on a logarithmic scale; one job in fifty runs up to 600 s."""
    if rng.random() < 0.02:
        return rng.randint(longest, 600)
    return round(math.exp(rng.uniform(math.log(5), math.log(longest))))


def limit(rng, run):
    """Draws a limit in minutes: 2 to 10 times the run time, often rounded up as people do; one in 25 is too short."""
    if run > 70 and rng.random() < 0.04:
        return run // 60
    minutes = math.ceil(run * math.exp(rng.uniform(math.log(2), math.log(10))) / 60)
    if rng.random() < 0.6:
        minutes = next(m for m in (1, 2, 5, 10, 15, 20, 30, 45, 60, 90, 120) if m >= minutes)
    return minutes


def script(rng, run):
    """Returns a job that sleeps; one in 20 fails at its end."""
    return f"sleep {run}; exit 1" if rng.random() < 0.05 else f"sleep {run}"


def width(rng, largest):
    """Draws a number of nodes or cores: mostly powers of two, mostly small."""
    if rng.random() < 0.15:
        return rng.randint(1, largest // 2)
    powers = [2**k for k in range(int(math.log2(largest)) + 1)]
    return rng.choices(powers, [0.62**k for k in range(len(powers))])[0]


def nodes_job(extra=lambda rng, run, minutes: "", largest=16):
    """Returns a function that draws jobs of whole nodes; `extra` adds options."""

    def draw(rng, _line):
        run, nodes = run_time(rng, 250), width(rng, largest)
        minutes = limit(rng, run)
        options = f"--nodes={nodes} --time={minutes} {extra(rng, run, minutes)}".rstrip()
        return Job(options, script(rng, run), nodes * run)

    return draw


def cores_job(extra=lambda rng, run, minutes: "", largest=64, memory=False):
    """Returns a function that draws jobs of cores, some with several cores for each task; `extra` adds options."""

    def draw(rng, _line):
        run, cores = run_time(rng), width(rng, largest)
        minutes = limit(rng, run)
        shape, together = f"--ntasks={cores}", 1
        if cores in (4, 8, 16, 32) and rng.random() < 0.4:
            together = rng.choice([c for c in (2, 4, 8) if c <= cores])
            shape = f"--ntasks={cores // together} --cpus-per-task={together}"
        if cores in (16, 32, 64) and rng.random() < 0.3:
            shape += f" --nodes={cores // 8}"
            together = 8
        work = cores * run
        if memory:
            # A node has 2,000 MiB for each core, and 16,000 MiB for those that must be together.
            mib = rng.choice([mib for mib in (250, 500, 1000, 2000, 4000) if mib * together <= 16000])
            shape += f" --mem-per-cpu={mib}"
            work *= max(1, mib / 2000)
        options = f"{shape} --time={minutes} {extra(rng, run, minutes)}".rstrip()
        return Job(options, script(rng, run), work)

    return draw


def short_or_long(rng, _run, minutes):
    return "--partition=short" if minutes <= 10 and rng.random() < 0.6 else "--partition=long"


def shares_and_quality(rng, run, minutes):
    options = short_or_long(rng, run, minutes)
    qos = rng.choices(["normal", "high", "low"], [6, 2, 2])[0]
    if qos != "normal":
        options += f" --qos={qos}"
    if rng.random() < 0.1:
        options += f" --nice={rng.choice([100, 500])}"
    return options


def debug_or_main(rng, _run, minutes):
    return "--partition=debug" if minutes <= 5 and rng.random() < 0.3 else "--partition=main"


def small_on_debug(rng, line):
    """Draws jobs of whole nodes in two partitions; the jobs of the smaller partition fit it."""
    job = nodes_job(debug_or_main)(rng, line)
    while "debug" in job.options and int(job.options.split()[0].split("=")[1]) > 4:
        job = nodes_job(debug_or_main)(rng, line)
    if "main" in job.options and rng.random() < 0.2:
        job.options = job.options.replace("--nodes=", "--exclusive --ntasks-per-node=2 --nodes=")
    return job


def arrays_and_dependencies(rng, line):
    """Draws single jobs, arrays with and without a throttle, and jobs that wait for others or for their namesakes."""
    kind = rng.random()
    job = cores_job(largest=32)(rng, line)
    if kind < 0.2:
        tasks, low, step = rng.randint(4, 24), rng.randint(5, 30), rng.randint(1, 9)
        cores = rng.choice([1, 1, 2, 4])
        longest = low + step * (tasks - 1)
        throttle = f"%{rng.randint(1, 6)}" if rng.random() < 0.6 else ""
        options = f"--array=0-{tasks - 1}{throttle} --ntasks={cores} --time={limit(rng, longest)}"
        work = cores * sum(low + step * task for task in range(tasks))
        return Job(options, f"sleep $(({low} + {step} * SLURM_ARRAY_TASK_ID))", work)
    if line > 5 and kind < 0.55:
        other = rng.randint(max(1, line - 25), line - 1)
        condition = rng.choices(["afterok", "afterany", "afternotok", "after"], [4, 4, 1, 2])[0]
        job.options += f" --dependency={condition}:@{other}"
        if rng.random() < 0.2:
            job.options += f":@{rng.randint(max(1, line - 25), line - 1)}"
        if condition != "afterany":
            job.options += " --kill-on-invalid-dep=yes"
    elif kind < 0.7:
        job.options += f" --job-name=chain{rng.randint(1, 4)} --dependency=singleton"
    return job


def of_the_course(rng, _run, minutes):
    return "--reservation=course" if minutes <= 5 and rng.random() < 0.35 else ""


def reserved(rng, line):
    """Draws jobs of whole nodes; those of the reservation fit its nodes, and are submitted before or during it."""
    while True:
        job = nodes_job(of_the_course)(rng, line)
        if "course" not in job.options or line <= 100 and int(job.options.split()[0].split("=")[1]) <= 8:
            return job


def in_tiers(rng, _run, minutes):
    """Draws a partition: short jobs are urgent now and then, and some jobs may be swept away."""
    if minutes <= 10 and rng.random() < 0.15:
        return "--partition=urgent"
    return "--partition=scavenger" if rng.random() < 0.4 else "--partition=normal"


def constraint(rng, _run, _minutes):
    asked = rng.choices(["", "new", "old", "ib&new", "old|big", "[rack1|rack2|rack3]", "big"], [5, 2, 2, 2, 2, 2, 1])[0]
    return f"--constraint='{asked}'" if asked else ""


def of_features(rng, line):
    """Draws jobs of whole nodes with constraints that some nodes can meet."""
    at_most = {"'big'": 4, "'ib&new'": 12, "'old'": 16, "'new'": 16, "'old|big'": 16, "'[rack1|rack2|rack3]'": 8}
    while True:
        job = nodes_job(constraint)(rng, line)
        nodes = int(job.options.split()[0].split("=")[1])
        if all(nodes <= most or f"--constraint={asked}" not in job.options for asked, most in at_most.items()):
            # The script may hold no quotation marks beside those of --wrap; constraints keep theirs.
            return job


def graphics(rng, _run, _minutes):
    kind = rng.random()
    if kind < 0.25:
        return f"--gres=gpu:{rng.choice([1, 1, 2])}"
    if kind < 0.4:
        return f"--gres=gpu:{rng.choice(['a100', 'v100'])}:{rng.choice([1, 2])}"
    if kind < 0.6:
        return f"--licenses=solver:{rng.choice([1, 2, 4])}"
    return ""


def in_tree(rng, _line):
    """Draws jobs of whole nodes and of parts of nodes, with as many tasks on each node; a few ask for one switch."""
    run, nodes = run_time(rng, 250), width(rng, 16)
    tasks = rng.choices([1, 2, 4, 8], [2, 2, 2, 1])[0]
    if rng.random() < 0.35:
        shape, cores = f"--exclusive --nodes={nodes}", 8 * nodes
    elif rng.random() < 0.8:
        shape, cores = f"--nodes={nodes} --ntasks-per-node={tasks}", tasks * nodes
    else:
        cores = nodes * tasks
        shape = f"--ntasks={cores}"
    options = f"{shape} --time={limit(rng, run)}"
    if 2 <= nodes <= 4 and rng.random() < 0.3:
        options += f" --switches=1@{rng.choice([1, 2, 4])}"
    return Job(options, script(rng, run), cores * run)


def of_quality(rng, _run, minutes):
    """Draws a QOS: short jobs are urgent now and then, and some jobs may be swept away."""
    if minutes <= 10 and rng.random() < 0.15:
        return "--qos=high"
    return "--qos=low" if rng.random() < 0.4 else "--qos=normal"


def spread_or_packed(rng, _run, _minutes):
    return f"--partition={rng.choices(['spread', 'packed', 'private'], [3, 3, 2])[0]}"


def spread_out(rng, line):
    """Draws jobs of processors in three partitions; those of the smallest one fit it."""
    while True:
        job = cores_job(spread_or_packed, largest=32, memory=True)(rng, line)
        if "private" not in job.options or job.work <= 2000:
            return job


def paused(rng, line):
    """Draws jobs in tiers that count seconds: a stopped `sleep` does not last longer, and they do."""
    job = cores_job(in_tiers, largest=32)(rng, line)
    if rng.random() < 0.3:
        job.options += f" --mem-per-cpu={rng.choice([250, 1000])}"
    seconds, *rest = job.script.removeprefix("sleep ").split(";", 1)
    job.script = ";".join([f"for i in $(seq {seconds}); do sleep 1; done", *rest])
    return job


def on_gpus(rng, _run, minutes):
    """Draws a partition with a QOS of its own, and GPUs for half of the jobs of one."""
    if rng.random() < 0.45:
        return "--partition=accel" + (f" --gres=gpu:{rng.choice([1, 1, 2])}" if rng.random() < 0.7 else "")
    return "--partition=express" if minutes <= 5 and rng.random() < 0.5 else "--partition=main"


def with_gpus(rng, line):
    """Draws jobs of cores and GPUs that the QOS of their partitions admit, and their nodes hold."""
    while True:
        job = cores_job(on_gpus, largest=32)(rng, line)
        cores = math.prod(int(n) for n in re.findall(r"--(?:ntasks|cpus-per-task)=(\d+)", job.options))
        most = {"accel": 16, "express": 16, "main": 32}[re.search(r"--partition=(\w+)", job.options)[1]]
        if cores <= most and not ("gpu" in job.options and "--nodes" in job.options):
            return job


def threaded(rng, run, minutes):
    options = short_or_long(rng, run, minutes)
    return options + (" --hint=nomultithread" if rng.random() < 0.15 else "")


def in_two_partitions(rng, _run, minutes):
    """Draws one partition or a list of two; the small one and the fast one admit short jobs only."""
    lists = ["main", "main,spare", "spare,main", "spare"] + (["fast,main", "main,fast", "fast"] if minutes <= 5 else [])
    return f"--partition={rng.choices(lists, [3, 3, 1, 1, 4, 2, 1][:len(lists)])[0]}"


def of_two_partitions(rng, line):
    """Draws jobs of cores; each fits the smallest of its partitions."""
    while True:
        job = cores_job(in_two_partitions, largest=32)(rng, line)
        cores = math.prod(int(n) for n in re.findall(r"--(?:ntasks|cpus-per-task)=(\d+)", job.options))
        if cores <= (16 if "fast" in job.options else 32):
            return job


def mixed(rng, line):
    """Draws jobs of a site with a class of service that some others sweep away, and with a partition of whole nodes."""
    if rng.random() < 0.3:
        job = nodes_job(largest=8)(rng, line)
        job.work *= 8
        job.options += " --partition=whole"
    else:
        job = cores_job(largest=32, memory=True)(rng, line)
        job.options += " --partition=cores"
    minutes = int(re.search(r"--time=(\d+)", job.options)[1])
    qos = ["scavenger", "normal", "high" if minutes <= 10 else "long"]
    job.options += f" --qos={rng.choices(qos, [3, 5, 3])[0]}"
    return job


def of_the_lab(rng, line):
    """Draws jobs of cores and of whole nodes, some with features, in partitions of three tiers; each fits its partition's nodes."""
    if rng.random() < 0.3:
        job = nodes_job(largest=8)(rng, line)
        job.options = job.options.replace("--nodes=", "--exclusive --nodes=")
        job.work *= 8
        nodes = int(re.search(r"--nodes=(\d+)", job.options)[1])
    else:
        job = cores_job(largest=32)(rng, line)
        nodes = 4
    minutes = int(re.search(r"--time=(\d+)", job.options)[1])
    partitions = ["main", "idle"] + (["debug"] if minutes <= 5 and nodes <= 4 else [])
    job.options += f" --partition={rng.choices(partitions, [5, 2, 3][:len(partitions)])[0]}"
    if "=debug" not in job.options and nodes <= 4 and rng.random() < 0.25:
        job.options += f" --constraint={rng.choice(['fast', 'old', 'big'])}"
    return job


def changed(rng):
    """Draws what users and root do to a waiting job of the lab; most jobs are left alone."""
    after = round(rng.uniform(15, 240), 1)
    update = "scontrol update JobId={job} "
    kind = rng.random()
    if kind < 0.05:
        return [(after, True, update + f"Nice={rng.choice([-500, 300, 1000])}")]
    if kind < 0.10:
        return [(after, False, update + f"Nice={rng.choice([200, 800])}")]
    if kind < 0.16:
        return [(after, True, update + f"TimeLimit={rng.choice([2, 5, 10, 20, 30])}")]
    if kind < 0.19:
        return [(after, False, update + f"TimeLimit={rng.choice([1, 2, 5])}")]
    if kind < 0.23:
        return [(after, True, update + f"Priority={rng.choice([10, 2500, 20000])}")]
    if kind < 0.32:
        by_root = rng.random() < 0.4
        return [(after / 4, by_root, "scontrol hold {job}"),
            (after / 4 + rng.randint(30, 300), by_root, "scontrol release {job}")]
    if kind < 0.35:
        return [(after, False, update + f"Partition={rng.choice(['main', 'idle'])}")]
    if kind < 0.37:
        return [(after, False, update + f"StartTime=now+{rng.choice([60, 200])}")]
    return []


LINEAR = """
SelectType=select/linear
PriorityType=priority/basic
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""

MULTIFACTOR = """
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageEnforce=associations,limits,qos
PriorityType=priority/multifactor
PriorityDecayHalfLife=00:05:00
PriorityCalcPeriod=00:01:00
PriorityMaxAge=00:30:00
PriorityWeightAge=1000
PriorityWeightFairshare=10000
PriorityWeightJobSize=1000
PriorityWeightPartition=1000
PriorityWeightQOS=2000
PartitionName=short Nodes=ALL MaxTime=00:10:00 PriorityJobFactor=2 State=UP
PartitionName=long Nodes=ALL Default=YES MaxTime=INFINITE PriorityJobFactor=1 State=UP
"""

# What multifactor says of each factor of each job at each of its passes is logged, too.
PRIORITIES = "DebugFlags=Backfill,Priority\n"

QUALITIES = (
    "modify qos normal set Priority=50",
    "add qos high Priority=100 MaxJobsPerUser=6",
    "add qos low Priority=10 UsageFactor=0.5",
    "modify account root set QOS=normal,high,low",
)

MEMORY = """
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
PriorityType=priority/basic
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""


TIERS = MEMORY.replace("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n", """\
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=scavenger Nodes=ALL PriorityTier=1 PreemptMode=CANCEL GraceTime=20 State=UP
PartitionName=normal Nodes=ALL Default=YES PriorityTier=2 State=UP
PartitionName=urgent Nodes=ALL PriorityTier=3 MaxTime=00:10:00 PreemptMode=OFF State=UP
""")


SUSPENDED = """
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DebugFlags=Backfill,Gang
DefMemPerCPU=500
PriorityType=priority/basic
PreemptType=preempt/partition_prio
PreemptMode=SUSPEND,GANG
PartitionName=scavenger Nodes=ALL PriorityTier=1 OverSubscribe=FORCE:1 State=UP
PartitionName=normal Nodes=ALL Default=YES PriorityTier=2 OverSubscribe=FORCE:1 State=UP
PartitionName=urgent Nodes=ALL PriorityTier=3 MaxTime=00:10:00 OverSubscribe=FORCE:1 State=UP
"""


WITHOUT_LIMITS = MULTIFACTOR.replace("associations,limits,qos", "associations,qos")


def backfill(seed):
    return Scenario(
        "sched/backfill with its defaults, select/linear, priority/basic",
        32, "SchedulerType=sched/backfill" + LINEAR, seed, nodes_job(), node_work=1)


def multifactor(seed):
    return Scenario(
        "backfill and priority/multifactor: Fair Tree, three QOS, two partitions; cores",
        16, MULTIFACTOR, seed, cores_job(shares_and_quality), sacctmgr=QUALITIES)


def memory(seed):
    return Scenario("backfill; cores and memory (CR_Core_Memory)", 16, MEMORY, seed, cores_job(memory=True))


SCENARIOS = {
    "builtin": Scenario(
        "sched/builtin: first come, first served; select/linear, priority/basic",
        32, "SchedulerType=sched/builtin" + LINEAR, 1, nodes_job(largest=8), node_work=1),
    "backfill": backfill(2),
    "backfill-b": backfill(3),
    "multifactor": multifactor(4),
    "multifactor-b": multifactor(5),
    "limits": Scenario(
        "backfill and the classic fair share with limits of associations and QOS, weights of TRES; cores",
        16, MULTIFACTOR + "PriorityFlags=NO_FAIR_TREE,ACCRUE_ALWAYS\nPriorityWeightTRES=CPU=2000,Mem=0\n",
        6, cores_job(shares_and_quality, largest=32),
        sacctmgr=QUALITIES + (
            "modify account physics set GrpTRES=cpu=72",
            "modify user ana set MaxJobs=8",
            "modify account history set GrpTRESRunMins=cpu=1200",
            "modify qos low set GrpTRES=cpu=32",
            "modify qos high set MaxTRESPerUser=cpu=24",
        )),
    "whole-nodes": Scenario(
        "backfill; whole nodes of cons_tres (OverSubscribe=EXCLUSIVE), two partitions that share nodes, PriorityTier",
        32, """
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/multifactor
PriorityWeightAge=1000
PriorityMaxAge=00:30:00
PriorityWeightJobSize=1000
PriorityCalcPeriod=00:01:00
PartitionName=debug Nodes=n[1-4] MaxTime=00:05:00 PriorityTier=10 OverSubscribe=EXCLUSIVE State=UP
PartitionName=main Nodes=ALL Default=YES MaxTime=02:00:00 PriorityTier=1 OverSubscribe=EXCLUSIVE State=UP
""",
        7, small_on_debug, node_work=1),
    "memory": memory(8),
    "memory-b": memory(9),
    "arrays": Scenario(
        "backfill; arrays with throttles; dependencies afterok, afterany, afternotok, after, singleton; cores",
        16, """
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
PriorityType=priority/basic
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""",
        10, arrays_and_dependencies),
    "reservation": Scenario(
        "backfill; a reservation for accounts (8 nodes for 10 minutes) and a maintenance of all nodes (4 minutes)",
        32, "SchedulerType=sched/backfill" + LINEAR, 11, reserved, node_work=1,
        events=(
            (0, "scontrol create ReservationName=course Accounts=physics,biology,history StartTime=now+300 "
                "Duration=10 Nodes=n[9-16]"),
            (0, "scontrol create ReservationName=repair Users=root StartTime=now+1080 Duration=4 Nodes=ALL "
                "Flags=MAINT,IGNORE_JOBS"),
        )),
    "features": Scenario(
        "backfill; constraints (one feature, and, or, one of several groups); select/linear",
        32, "SchedulerType=sched/backfill" + LINEAR, 12, of_features, node_work=1,
        groups=(
            ("n[1-8]", 1, 8, "Feature=old,rack1"),
            ("n[9-16]", 9, 16, "Feature=old,ib,rack2"),
            ("n[17-28]", 17, 28, "Feature=new,ib,rack3"),
            ("n[29-32]", 29, 32, "Feature=new,big,rack3"),
        )),
    "preempt": Scenario(
        "backfill; three partitions in tiers: jobs of the lowest are cancelled, with grace, of the middle one requeued",
        16, TIERS, 15, cores_job(in_tiers, largest=32)),
    "quality-preempt": Scenario(
        "backfill; three QOS with lists of those they preempt: jobs of the lowest are cancelled, of the middle one requeued",
        16, MEMORY.replace("PriorityType=priority/basic", """\
AccountingStorageEnforce=associations,limits,qos
PreemptType=preempt/qos
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityWeightQOS=10000
PriorityWeightAge=1000
PriorityMaxAge=00:30:00
PriorityCalcPeriod=00:01:00"""),
        16, cores_job(of_quality, largest=32),
        sacctmgr=(
            "modify qos normal set Priority=50",
            "add qos low Priority=10 PreemptMode=cancel",
            "modify qos normal set Preempt=low",
            "add qos high Priority=100 Preempt=normal,low",
            "modify account root set QOS=normal,high,low",
        )),
    "topology": Scenario(
        "backfill; a tree of switches (topology/tree), some jobs ask for one switch; whole nodes and cores",
        16, """
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
TopologyPlugin=topology/tree
PriorityType=priority/basic
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""",
        17, in_tree,
        topology="SwitchName=leaf1 Nodes=n[1-3]\nSwitchName=leaf2 Nodes=n[4-8]\nSwitchName=leaf3 Nodes=n[9-12]\n"
            "SwitchName=leaf4 Nodes=n[13-16]\nSwitchName=west Switches=leaf[1-2]\nSwitchName=east Switches=leaf[3-4]\n"
            "SwitchName=root Switches=west,east\n"),
    "least-loaded": Scenario(
        "backfill; a partition that takes the least loaded nodes (LLN), one that does not, one with ExclusiveUser; cores, memory",
        16, MEMORY.replace("PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP\n", """\
PartitionName=spread Nodes=n[1-10] LLN=YES State=UP
PartitionName=packed Nodes=n[1-10] Default=YES State=UP
PartitionName=private Nodes=n[11-16] ExclusiveUser=YES State=UP
"""),
        18, spread_out),
    "suspend": Scenario(
        "backfill; three partitions in tiers: jobs of the lower ones are suspended (SUSPEND,GANG); cores, memory",
        16, SUSPENDED, 19, paused),
    "tuned": Scenario(
        "backfill with other settings than the defaults of both loops; multifactor without fair share; cores",
        16, MULTIFACTOR.replace("PriorityWeightFairshare=10000", "PriorityWeightFairshare=0") + """
SchedulerParameters=bf_interval=15,bf_resolution=120,bf_window=40,bf_max_job_user=5,bf_max_job_test=25,\
bf_min_age_reserve=60,bf_continue,batch_sched_delay=0,sched_interval=20,default_queue_depth=10,partition_job_depth=8
PriorityFavorSmall=YES
""",
        14, cores_job(shares_and_quality), sacctmgr=QUALITIES),
    "gres": Scenario(
        "backfill; GPUs of two types, and licences; cores",
        16, """
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageTRES=gres/gpu,gres/gpu:a100,gres/gpu:v100,license/solver
Licenses=solver:6
PriorityType=priority/basic
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""",
        13, cores_job(graphics, largest=32),
        groups=(
            ("n[1-8]", 1, 8, ""),
            ("n[9-12]", 9, 12, "Gres=gpu:v100:2"),
            ("n[13-16]", 13, 16, "Gres=gpu:a100:4"),
        ),
        gres="NodeName=n[9-12] Name=gpu Type=v100 File=/run/gpu[0-1]\n"
            "NodeName=n[13-16] Name=gpu Type=a100 File=/run/gpu[0-3]\n"),
    "no-limits": Scenario(
        "backfill and Fair Tree, without enforced limits: usage of running jobs is charged once a period; cores",
        16, WITHOUT_LIMITS.replace("PriorityCalcPeriod=00:01:00", "PriorityCalcPeriod=00:02:00") + PRIORITIES,
        20, cores_job(shares_and_quality), sacctmgr=QUALITIES),
    "classic": Scenario(
        "backfill and the classic fair share (NO_FAIR_TREE) with a dampening factor, without enforced limits; cores",
        16, WITHOUT_LIMITS + "PriorityFlags=NO_FAIR_TREE\nFairShareDampeningFactor=3\n" + PRIORITIES,
        21, cores_job(shares_and_quality), sacctmgr=QUALITIES),
    "partition-qos": Scenario(
        "backfill; QOS of partitions, limits on GPUs of accounts and QOS; multifactor; cores",
        16, """
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageTRES=gres/gpu
AccountingStorageEnforce=associations,limits,qos
PriorityType=priority/multifactor
PriorityDecayHalfLife=00:05:00
PriorityCalcPeriod=00:01:00
PriorityMaxAge=00:30:00
PriorityWeightAge=1000
PriorityWeightFairshare=5000
PriorityWeightPartition=1000
PriorityWeightTRES=CPU=500,GRES/gpu=2000
SchedulerParameters=bf_continue,bf_max_job_part=50,bf_resolution=60
PartitionName=main Nodes=n[1-12] Default=YES MaxTime=INFINITE PriorityJobFactor=1 State=UP
PartitionName=express Nodes=n[1-14] MaxTime=00:05:00 PriorityJobFactor=4 QOS=express State=UP
PartitionName=accel Nodes=n[9-16] MaxTime=INFINITE PriorityJobFactor=2 QOS=accel State=UP
""",
        22, with_gpus,
        groups=(
            ("n[1-8]", 1, 8, ""),
            ("n[9-12]", 9, 12, "Gres=gpu:2"),
            ("n[13-16]", 13, 16, "Gres=gpu:4"),
        ),
        gres="NodeName=n[9-12] Name=gpu File=/run/gpu[0-1]\nNodeName=n[13-16] Name=gpu File=/run/gpu[0-3]\n",
        sacctmgr=(
            "add qos express GrpTRES=cpu=40 MaxTRESPerUser=cpu=16",
            "add qos accel MaxJobsPerUser=6",
            "modify qos accel set MaxTRESPerUser=gres/gpu=5",
            "modify account physics set GrpTRES=gres/gpu=8",
            "modify account history set GrpTRES=gres/gpu=3,cpu=40",
            "modify user dora set MaxTRES=cpu=24",
        )),
    "threads": Scenario(
        "backfill; two threads a core, of which no job has one alone; multifactor; cores, memory",
        10, MULTIFACTOR.replace("CR_Core", "CR_Core_Memory").replace("PriorityWeightFairshare=10000", "PriorityWeightFairshare=2000")
            + "DefMemPerCPU=500\nSchedulerParameters=bf_interval=20\n",
        23, cores_job(threaded, largest=64), node_work=12,
        processors="CPUs=16 Sockets=1 CoresPerSocket=8 ThreadsPerCore=2"),
    "maintenance": Scenario(
        "backfill; a maintenance that is announced, moved and ended early, nodes that are drained, resumed and lost; cores",
        16, """
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=bf_continue,bf_interval=20
PriorityType=priority/basic
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
""",
        24, cores_job(largest=32),
        events=(
            (150, "scontrol update NodeName=n[13-14] State=DRAIN Reason=fans"),
            (200, "scontrol create ReservationName=repair Users=root StartTime=now+400 Duration=6 Nodes=n[1-8] "
                "Flags=MAINT,IGNORE_JOBS"),
            (320, "scontrol create ReservationName=course Accounts=physics StartTime=now+60 Duration=5 Nodes=n[9-10]"),
            (400, "scontrol update ReservationName=repair StartTime=now+330"),
            (430, "scontrol update NodeName=n[13-14] State=RESUME"),
            (560, "scontrol delete ReservationName=course"),
            (620, "scontrol update NodeName=n16 State=DOWN Reason=disk"),
            (800, "scontrol update NodeName=n16 State=RESUME"),
            (880, "scontrol delete ReservationName=repair"),
        )),
    "two-partitions": Scenario(
        "backfill; jobs that name two partitions, tiers, bf_one_resv_per_job, CompleteWait; multifactor; cores",
        16, MULTIFACTOR[:MULTIFACTOR.index("PartitionName")].replace("PriorityWeightFairshare=10000", "PriorityWeightFairshare=1000")
            + """CompleteWait=4
SchedulerParameters=bf_one_resv_per_job,bf_max_job_user=20
PartitionName=fast Nodes=n[1-4] MaxTime=00:05:00 PriorityTier=10 PriorityJobFactor=4 State=UP
PartitionName=main Nodes=n[1-12] Default=YES MaxTime=INFINITE PriorityTier=5 PriorityJobFactor=2 State=UP
PartitionName=spare Nodes=n[9-16] MaxTime=INFINITE PriorityTier=5 PriorityJobFactor=1 State=UP
""",
        25, of_two_partitions, sacctmgr=QUALITIES),
    "scavenger": Scenario(
        "backfill and Fair Tree; two of four QOS sweep one away, a third of higher priority does not; a partition of whole nodes; "
        "cores, memory",
        16, """
SchedulerType=sched/backfill
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
DefMemPerCPU=1000
AccountingStorageEnforce=associations,limits,qos
PreemptType=preempt/qos
PreemptMode=REQUEUE
PriorityType=priority/multifactor
PriorityDecayHalfLife=00:05:00
PriorityCalcPeriod=00:01:00
PriorityMaxAge=00:30:00
PriorityWeightAge=1000
PriorityWeightFairshare=6000
PriorityWeightJobSize=500
PriorityWeightQOS=3000
PartitionName=cores Nodes=n[1-12] Default=YES MaxTime=INFINITE State=UP
PartitionName=whole Nodes=n[9-16] OverSubscribe=EXCLUSIVE MaxTime=INFINITE State=UP
""",
        26, mixed,
        sacctmgr=(
            "add qos scavenger Priority=5 PreemptMode=requeue GraceTime=10 UsageFactor=0.1",
            "modify qos normal set Priority=40 Preempt=scavenger",
            "add qos high Priority=100 Preempt=scavenger MaxTRESPerUser=cpu=64",
            "add qos long Priority=70",
            "modify account root set QOS=normal,high,long,scavenger",
        )),
    "lab": Scenario(
        "backfill and Fair Tree; jobs are changed, held and released; nodes are drained and resumed; features, tiers, whole nodes; cores",
        16, MULTIFACTOR[:MULTIFACTOR.index("PartitionName")].replace("PriorityWeightFairshare=10000", "PriorityWeightFairshare=3000")
            + """SchedulerParameters=bf_continue,bf_interval=20
PartitionName=debug Nodes=n[1-4] MaxTime=00:05:00 PriorityTier=10 State=UP
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE PriorityTier=5 PriorityJobFactor=2 State=UP
PartitionName=idle Nodes=n[5-16] MaxTime=INFINITE PriorityTier=1 PriorityJobFactor=1 State=UP
""",
        27, of_the_lab,
        groups=(
            ("n[1-8]", 1, 8, "Feature=old"),
            ("n[9-12]", 9, 12, "Feature=fast"),
            ("n[13-16]", 13, 16, "Feature=fast,big"),
        ),
        events=(
            (120, "scontrol update NodeName=n[6-7] State=DRAIN Reason=cables"),
            (260, "scontrol update NodeName=n15 State=DRAIN Reason=memory"),
            (330, "scontrol update NodeName=n6 State=RESUME"),
            (450, "scontrol update NodeName=n7 State=RESUME"),
            (520, "scontrol update NodeName=n[1-2] State=DRAIN Reason=kernel"),
            (600, "scontrol update NodeName=n15 State=RESUME"),
            (660, "scontrol update NodeName=n1 State=RESUME"),
            (700, "scontrol update NodeName=n10 State=DRAIN Reason=fan"),
            (720, "scontrol update NodeName=n10 State=RESUME"),
            (840, "scontrol update NodeName=n2 State=RESUME"),
            (900, "scontrol update NodeName=n12 State=DOWN Reason=power"),
            (1010, "scontrol update NodeName=n12 State=RESUME"),
        ),
        changes=changed),
}


def listed(commands):
    """Returns the list as text."""
    return "".join(f"{at:.1f} {user} {command}\n" for at, user, command in commands)
