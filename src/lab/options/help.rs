//! The long helps of options, which describe a file.

pub const MACHINE: [&str; 2] = [
    "A description of the machine, node by node (TOML); or a platform of SimGrid (XML), a system of AccaSim (JSON), machines of Alea",
    "\
A machine file:

  task_procs = 8              processors of a task, as --layout tasks:8
  [[resource]]                a resource beside the processors
  name = \"memory\"
  unit = \"KB\"                 what jobs count it in
  sharing = \"space\"           held while a job is there; or time: used as it runs
  [[nodes]]                   equal nodes, numbered on from 0
  count = 128
  procs = 8
  memory = \"16GB\"             on each node; a resource without a line is absent
  [[nodes]]
  procs = 16
  memory = \"64GB\"
  partitions = [2, \"large\"]   numbers of the log's field 16, or names of its header;
                              nodes without partitions take every job
  features = [\"v100\", \"ib\"]   what the constraints of jobs may ask for
  names = \"gpu[1-16]\"         one for each node, for constraints that name nodes",
];

pub const LIMITS: [&str; 2] = [
    "Limits on what users, groups, accounts, partitions, queues and service classes may use (TOML)",
    "\
A limit file; every policy is replayed within its limits:

  [[limit]]
  partition = \"gpu\"          # of the jobs of this partition: a number, a name, or a list of them
  user = \"*\"                 # each user separately; without a key, all users together
  running_jobs = 4           # at most 4 jobs run,
  procs = 256                # on at most 256 processors,
  node_hours = 1000          # with at most this much left of their requests (on a pool, a processor is a node)
  wall_time = \"24h\"          # a job that requests more is dropped
  count = \"running\"          # see below

The keys of jobs are partition, queue, user, group, account and qos. With count = \"running\", the default, a
job that would exceed a limit is skipped, as batch systems do: it holds no reservation, and is considered
again, in the order of priority, when there is room. With count = \"eligible\" the waiting jobs that the policy
sees count too; the other jobs wait outside its queue and are admitted in the order of submission. A job that
alone exceeds a limit could never start; it is dropped with a finding.",
];

pub const PRIORITIES: [&str; 2] = [
    "Tiers of jobs, and which jobs take processors from running ones (TOML)",
    "\
A file of priorities:

  [[class]]
  partition = \"urgent\"       # or queue, user, group, account, qos: a number, a name, or a list of them
  priority = 10              # tier: jobs of a higher tier are served before those of a lower one; 0 without it
  preempts = true            # takes processors from running jobs of lower tiers; or 5: of tiers below 5
  [[class]]
  qos = \"scavenger\"
  priority = -10
  preempted = \"requeue\"      # what becomes of its running jobs: requeue (they lose their work), cancel, or suspend
                             # (they go on later, where they are); without it they are never preempted
  grace = \"5m\"               # time for which they continue to run after the decision
  exempt = \"10m\"             # run time before which they cannot be preempted

A job of several classes has the keys of all of them. The first waiting jobs in the order of the queue that may
preempt, and for which too little is free, get victims: running jobs of lower tiers, the lowest tier first, then the
latest start; only as many as needed, and none if all of them do not suffice: behind such a job, jobs that the policy
would backfill still preempt. What the victims leave is kept for the
jobs that asked for it.

A suspended job gives back its processors and devices to jobs that may preempt it, and to no others; it keeps the rest,
such as memory and licences, and resumes when no such job has or awaits what it gave back. Before the classes,
releases = [\"procs\", \"memory\"] names what suspended jobs give back instead.

Gang scheduling, schemes that sort arrivals and plug-ins that decide take no priorities.",
];

pub const CALENDAR: [&str; 2] = [
    "When parts of the machine are out of service: outages, drains, maintenance, caps (TOML), or a failure log",
    "\
A calendar of capacity:

  [[event]]
  kind = \"maintenance\"         # outage, drain, maintenance, reservation or capacity
  from = \"2026-12-01 08:00\"    # on the site's clock, or seconds from the log's zero
  to = \"2026-12-01 16:00\"      # without it: for good
  nodes = \"0-63\"               # or, on a pool, procs = 64, or resource = \"licences\" with amount = 20;
                               # without any of them: the whole machine
  every = \"7d\"                 # again and again, until = \"2027-06-01\" or the last submission
  known = \"2d\"                 # announced so long before; true: from the beginning; false: not at all
  jobs = \"requeue\"             # what becomes of running jobs: requeue (they lose their work), kill, or drain
                               # (they run on, and nothing new starts there)

A reservation keeps nodes (on a pool, processors) for the jobs of a user, group, account, partition, queue or qos
(account = \"course\", as in a limit file): such a job starts there if it is expected to end by the end of the
reservation, in the order of submission; and anywhere else as the policy decides.

Jobs are requeued by an outage and by maintenance, and drained by other events. Maintenance, reservations and
capacity are known from the beginning, an outage and a drain not at all. On a pool, the jobs that were started
last make room. A job for which too little is in service is not considered: it holds no reservation and blocks no
other job. The start of a requeued job is its last start.

FILE may also be a failure log, packed or not: the outages beside SWF (Chapin et al. 1999), failure data of Los Alamos,
event_trace.tab of the Failure Trace Archive, or `sacctmgr show event -P` of Slurm. docs/MACHINES.md has their columns.",
];

pub const SLURM: [&str; 2] = [
    "A file of a Slurm installation (slurm.conf, topology.conf, the output of scontrol or sacctmgr), or a folder or tar archive of \
     them, as slurm-collect makes. May be given several times",
    "\
The machine, its partitions and the parameters of the policy `slurm` are those of the installation; without
--policy, the policy is slurm. The kind of each file is told by its content:

  slurm.conf                          nodes, partitions, scheduler, priority, selection
  topology.conf                       the switches, for TopologyPlugin=topology/tree (also scontrol show topology)
  scontrol show config                the settings in force, and the version, whose defaults hold
  scontrol show partition             the partitions in force
  scontrol show reservation           advance reservations
  sacctmgr -P show reservation        reservations with the times that they came to have, those of the past, too
  sacctmgr show event                 when nodes were down or drained
  sacctmgr -P show assoc              shares, usage, limits (sacctmgr -P show assoc tree has the tree)
  sacctmgr -P show qos                service classes
  sacctmgr dump CLUSTER               the tree of accounts and users

Later files win over earlier ones. A file that slurm.conf includes is looked for by its name among the files given,
then beside slurm.conf; links are not followed. Of a folder or an archive, files that are not of this list are left out:
logs of jobs are given as for other verbs. What is unknown, misspelt or not followed is a finding with what it
would change.",
];
