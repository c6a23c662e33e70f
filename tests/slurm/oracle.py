#!/usr/bin/env python3
"""Runs lists of jobs on real Slurm clusters on this machine, and keeps what Slurm did.

Each cluster has namespaces of its own (network, processes, mounts, host name), with slurmctld, one slurmd for each
node, slurmdbd, mariadb and munge; the jobs sleep. Clusters run side by side. What is kept in DIR/NAME-N is listed in
runs/README.md. The scenarios are those of scenarios.py. Exits with 77 if this needs something that is missing here:
Linux, root, Slurm with slurmdbd, munge, mariadb.
"""

import argparse
import csv
import datetime
import gzip
import json
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import time

from scenarios import REFERENCE, SCENARIOS, SPAN, USERS, listed

PROGRAMS = (
    "unshare mount ip hostname munged mariadbd mariadb-install-db slurmctld slurmd slurmdbd sbatch sacctmgr sacct"
).split()
NAMESPACES = ["--mount", "--uts", "--net", "--pid", "--fork", "--kill-child", "--mount-proc"]
FIRST_UID = 2001
DATABASE = pathlib.Path("/var/lib/mysql")
LOGS = pathlib.Path("/var/log/slurm")
# The seconds between samples of the queue, and from the first submission to the snapshots of everything.
SAMPLE, SNAPSHOTS = 30, {300: "instants/t0300", 500: "instants/t0500", 700: "snapshot", 900: "instants/t0900"}
SACCT = (
    "JobID,JobIDRaw,JobName,User,Account,Partition,QOS,State,ExitCode,Submit,Eligible,Start,End,ElapsedRaw,Suspended,"
    "Timelimit,TimelimitRaw,Priority,Flags,Reason,ReqNodes,NNodes,ReqCPUS,NCPUS,ReqMem,ReqTRES,AllocTRES,NodeList,"
    "Constraints,Reservation,Cluster,SubmitLine"
)
SQUEUE = {
    "JobID": "%i", "State": "%T", "Reason": "%r", "Priority": "%Q", "Start": "%S", "SchedNodes": "%Y", "NodeList": "%N",
}
SPRIO = {
    "JobID": "%i", "Partition": "%r", "Priority": "%Y", "Age": "%A", "Fairshare": "%F", "JobSize": "%J",
    "PartitionFactor": "%P", "QOSFactor": "%Q", "Nice": "%N", "TRES": "%T",
}
# The lines of the controller's log about changes of reservations, nodes and jobs.
CHANGE = re.compile(
    r"sched: (Created|Updated) reservation=|_slurm_rpc_delete_reservation complete for |update_node: node \S+ state set to |"
    r"_update_job: |_slurm_rpc_update_job: complete |_(hold|release)_job(_rec)?: |_slurm_rpc_requeue: |_slurm_rpc_suspend"
)
SSHARE = ["Account", "User", "RawShares", "NormShares", "RawUsage", "EffectvUsage", "LevelFS", "FairShare"]


def missing():
    """Returns why no cluster can be started here, or nothing."""
    if not sys.platform.startswith("linux") or os.geteuid() != 0:
        return "the clusters need Linux, and root for their namespaces"
    absent = [program for program in PROGRAMS if not shutil.which(program)]
    if absent:
        return f"not installed: {' '.join(absent)}"
    if subprocess.run(["unshare", *NAMESPACES, "true"], capture_output=True).returncode:
        return "namespaces cannot be made here"
    return None


def launch(name, folder, arguments):
    """Starts a cluster in namespaces of its own; all its processes end with it."""
    inside = [sys.executable, str(pathlib.Path(__file__).resolve()), "--inside", str(folder), *arguments, name]
    # Compilers and the like do not slow down Slurm's daemons. A shell is process 1: it collects the orphans.
    command = ["nice", "-n", "-15", "unshare", *NAMESPACES, "sh", "-c", '"$@"; exit $?', "sh", *inside]
    return subprocess.Popen(command, stdin=subprocess.DEVNULL)


def output(*command, check=True, **options):
    """Returns what a program prints; raises an exception with its errors if it fails and `check` is set."""
    done = subprocess.run(command, capture_output=True, text=True, **options)
    if check and done.returncode:
        raise RuntimeError(f"{' '.join(command)}: {done.stderr.strip() or done.stdout.strip()}")
    return done.stdout


def wait_until(what, condition, seconds=60):
    """Waits for a condition; raises an exception after `seconds`."""
    end = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > end:
            raise RuntimeError(f"{what}: not within {seconds} s")
        time.sleep(0.2)


class Cluster:
    """A running Slurm cluster in the namespaces of this process."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.daemons = []
        os.environ["TZ"] = "UTC"
        for name in [name for name in os.environ if name not in ("PATH", "TZ")]:
            del os.environ[name]
        self.prepare()
        self.start_database()
        self.start_slurm()

    def prepare(self):
        """Gives the cluster its own host name, network, folders and users."""
        output("hostname", "oracle")
        output("ip", "link", "set", "lo", "up")
        # Without an address beside the loopback's own, names are not resolved (AI_ADDRCONFIG).
        output("ip", "address", "add", "10.0.0.1/8", "dev", "lo")
        for folder in ("/etc/slurm", "/run", "/tmp", "/var/lib/mysql", "/var/lib/slurm", "/var/log", "/home"):
            os.makedirs(folder, exist_ok=True)
            output("mount", "-t", "tmpfs", "-o", "mode=1777" if folder == "/tmp" else "mode=755", "tmpfs", folder)
        files = {
            "passwd": "root:x:0:0:root:/root:/bin/sh\nnobody:x:65534:65534::/:/bin/sh\n"
            + "".join(f"{user}:x:{uid}:100::/tmp:/bin/sh\n" for uid, user in enumerate(USERS, FIRST_UID)),
            "group": "root:x:0:\nusers:x:100:\nnogroup:x:65534:\n",
            "hosts": "127.0.0.1 localhost oracle\n",
        }
        for name, text in files.items():
            pathlib.Path(f"/run/{name}").write_text(text)
            output("mount", "--bind", f"/run/{name}", f"/etc/{name}")
        for folder in ("/run/munge", "/run/mysqld", "/var/lib/slurm/slurmctld", "/var/lib/slurm/slurmd", LOGS):
            os.makedirs(folder)
        for device in range(4):
            # What gres.conf names as devices: nothing opens them.
            pathlib.Path(f"/run/gpu{device}").touch()
        for node in range(1, self.scenario.nodes + 1):
            os.mkdir(f"/var/lib/slurm/slurmd/n{node}")

    def start(self, *command):
        """Starts a daemon in the foreground."""
        with open(LOGS / f"{command[0]}.err", "ab") as errors:
            self.daemons.append(subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=errors, stderr=errors))

    def start_database(self):
        """Starts munge, mariadb and slurmdbd, and adds the accounts."""
        key = pathlib.Path("/run/munge/key")
        key.write_bytes(os.urandom(1024))
        key.chmod(0o600)
        self.start(
            "munged", "--foreground", "--force", f"--key-file={key}", "--pid-file=/run/munge/pid",
            "--log-file=/var/log/slurm/munged.log", "--seed-file=/run/munge/seed",
        )
        output("mariadb-install-db", "--no-defaults", "--user=root", f"--datadir={DATABASE}", "--skip-test-db")
        self.start(
            "mariadbd", "--no-defaults", "--user=root", f"--datadir={DATABASE}", "--skip-networking",
            "--socket=/run/mysqld/mysqld.sock", "--innodb-buffer-pool-size=64M", "--innodb-log-file-size=16M",
            "--innodb-flush-log-at-trx-commit=0", "--innodb-lock-wait-timeout=900",
        )
        wait_until("mariadb's socket", pathlib.Path("/run/mysqld/mysqld.sock").is_socket)
        configuration = pathlib.Path("/etc/slurm/slurmdbd.conf")
        configuration.write_text(
            "DbdHost=localhost\nSlurmUser=root\nAuthType=auth/munge\nPidFile=/run/slurmdbd.pid\n"
            "LogFile=/var/log/slurm/slurmdbd.log\nStorageType=accounting_storage/mysql\nStorageUser=root\n"
        )
        configuration.chmod(0o600)
        pathlib.Path("/etc/slurm/slurm.conf").write_text(self.scenario.slurm_conf())
        if self.scenario.gres:
            pathlib.Path("/etc/slurm/gres.conf").write_text(self.scenario.gres)
        if self.scenario.topology:
            pathlib.Path("/etc/slurm/topology.conf").write_text(self.scenario.topology)
        self.start("slurmdbd", "-D")
        wait_until("slurmdbd", lambda: "Cluster" in output("sacctmgr", "show", "cluster", "-P", check=False))
        for command in ["add cluster oracle", *(c for c in self.scenario.accounts() if "gres/" not in c)]:
            output("sacctmgr", "-i", *command.split())

    def start_slurm(self):
        """Starts the controller and the nodes."""
        self.start("slurmctld", "-D")
        wait_until("slurmctld", lambda: "UP" in output("scontrol", "ping", check=False))
        # The database learns of GPUs from the controller.
        for command in [c for c in self.scenario.accounts() if "gres/" in c]:
            wait_until("GPUs in the database", lambda: "gpu" in output("sacctmgr", "-nP", "show", "tres", check=False))
            output("sacctmgr", "-i", *command.split())
        for node in range(1, self.scenario.nodes + 1):
            self.start("slurmd", "-D", "-N", f"n{node}")
        idle = lambda: output("sinfo", "-h", "-N", "-o", "%t", check=False).split()
        wait_until("the nodes", lambda: set(idle()) == {"idle"})

    def stop(self):
        """Stops all daemons, the database last."""
        for daemon in reversed(self.daemons):
            daemon.terminate()
        for daemon in self.daemons:
            daemon.wait(timeout=60)


class Sampler:
    """Tables of what Slurm shows of its queue, one set of rows for each instant."""

    def __init__(self, folder, reservations, multifactor):
        self.began = time.monotonic()
        self.next = 0.0
        self.tables = {
            "squeue": ["squeue", "-h", "-a", "-r", "-o", "|".join(SQUEUE.values())],
        }
        columns = {"squeue": SQUEUE}
        if reservations:
            self.tables["reservations"] = ["scontrol", "-o", "show", "reservation"]
            columns["reservations"] = ["Reservation"]
        if multifactor:
            self.tables["sprio"] = ["sprio", "-h", "-o", "|".join(SPRIO.values())]
            self.tables["sshare"] = ["sshare", "-h", "-a", "-P", "-o", ",".join(SSHARE)]
            columns |= {"sprio": SPRIO, "sshare": SSHARE}
        self.files = {name: gzip.open(folder / f"{name}.psv.gz", "wt") for name in self.tables}
        for name, file in self.files.items():
            print("Time", *columns[name], sep="|", file=file)

    def sample(self):
        """Adds rows if it is time to."""
        if time.monotonic() - self.began < self.next:
            return
        self.next += SAMPLE
        for name, command in self.tables.items():
            now = stamp()
            for line in output(*command, check=False).splitlines():
                if line.strip() and line != "No reservations in the system":
                    print(now, line.strip(), sep="|", file=self.files[name])

    def close(self):
        for file in self.files.values():
            file.close()


def stamp():
    """Returns the time in milliseconds, in UTC."""
    return datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.%f")[:-3]


def snapshot(folder, multifactor):
    """Keeps what a user can ask for at one instant."""
    folder.mkdir(parents=True)
    questions = {
        "squeue.txt": ["squeue"],
        "scontrol-job.txt": ["scontrol", "show", "job"],
        "sinfo.txt": ["sinfo"],
        "sinfo-nodes.txt": ["sinfo", "-N", "-l"],
        "sacct.txt": ["sacct", "-a", "-X", "-D", "-P", "-S", "2000-01-01", "-o", SACCT],
        "squeue.json": ["squeue", "-a", "--json"],
        "scontrol-job-details.txt": ["scontrol", "-d", "show", "job"],
        "scontrol-node.txt": ["scontrol", "show", "node"],
        "scontrol-reservation.txt": ["scontrol", "show", "reservation"],
    }
    if multifactor:
        questions |= {"sprio.txt": ["sprio", "-l"], "sshare.txt": ["sshare", "-a", "-l", "-P"]}
    (folder / "time.txt").write_text(stamp() + "\n")
    for name, command in questions.items():
        keep(folder / name, output(*command))


def keep(path, text):
    """Writes a file, compressed if it is large."""
    if len(text) < 10000:
        path.write_text(text)
    else:
        path.with_name(path.name + ".gz").write_bytes(gzip.compress(text.encode(), mtime=0))


def submit(commands, folder, sampler, multifactor):
    """Runs the commands at their times; keeps when each returned, and what it said."""
    ids = {}
    began = time.monotonic()
    snapshots = dict(SNAPSHOTS)
    with open(folder / "submitted.csv", "w", newline="") as file:
        rows = csv.writer(file, lineterminator="\n")
        rows.writerow(["line", "called", "returned", "job", "error"])
        for line, (at, user, command) in enumerate(commands, 1):
            command = REFERENCE.sub(lambda reference: ids.get(int(reference[1]), reference[0]), command)
            while (rest := began + at - time.monotonic()) > 0:
                sampler.sample()
                for at in [at for at in snapshots if time.monotonic() - began >= at]:
                    snapshot(folder / snapshots.pop(at), multifactor)
                time.sleep(max(0.0, min(rest, 0.2)))
            called = stamp()
            if user == "root":
                account = {}
            else:
                account = {"user": FIRST_UID + list(USERS).index(user), "group": 100, "extra_groups": []}
            done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd="/tmp", **account)
            words = done.stdout.split()
            if command.startswith("sbatch") and done.returncode == 0:
                ids[line] = words[-1]
            said = "" if done.returncode == 0 else done.stderr.strip().replace("\n", "; ")
            rows.writerow([line, called, stamp(), ids.get(line, ""), said])
            file.flush()


def drain(sampler):
    """Waits until all jobs have ended. Cancels jobs that wait although none has run for long: they can never start."""
    busy = time.monotonic()
    while states := set(output("squeue", "-h", "-a", "-t", "PD,R,CG,S", "-o", "%T").split()):
        if states != {"PENDING"}:
            busy = time.monotonic()
        elif time.monotonic() - busy > 400:
            for user in USERS:
                output("scancel", "--state=PENDING", f"--user={user}")
        sampler.sample()
        time.sleep(1)


def inside(name, folder, span):
    """Runs a scenario in this process's namespaces, and keeps the results in `folder`."""
    # The folder may lie below one of the folders that are hidden: it is reached through its descriptor.
    folder = pathlib.Path(f"/proc/self/fd/{os.open(folder, os.O_DIRECTORY)}")
    scenario = SCENARIOS[name]
    scenario.span = span
    commands = scenario.commands()
    began = time.time()
    cluster = Cluster(scenario)
    began_jobs = time.time()
    (folder / "jobs.txt").write_text(listed(commands))
    conf = pathlib.Path("/etc/slurm/slurm.conf").read_text()
    (folder / "slurm.conf").write_text(conf)
    if scenario.gres:
        (folder / "gres.conf").write_text(scenario.gres)
    if scenario.topology:
        (folder / "topology.conf").write_text(scenario.topology)
    describe(folder)
    multifactor = "priority/multifactor" in conf
    sampler = Sampler(folder, bool(scenario.events), multifactor)
    submit(commands, folder, sampler, multifactor)
    drain(sampler)
    sampler.close()
    ended_jobs = time.time()
    accounting = ["sacct", "-a", "-X", "-D", "-P", "-S", "2000-01-01", "-o", SACCT]
    wait_until("slurmdbd's record of all jobs", lambda: not {"PENDING", "RUNNING", "SUSPENDED"} & set(
        output(*accounting[:-1], "State").split()))
    keep(folder / "sacct.txt", output(*accounting))
    if scenario.events:
        keep(folder / "events.txt", output("sacctmgr", "-P", "show", "event", "Start=2000-01-01"))
        keep(folder / "reservations.txt", output("sacctmgr", "-P", "show", "reservation", "Start=2000-01-01",
            "format=Cluster,Name,TRES,TimeStart,TimeEnd,UnusedWall,NodeNames,Flags"))
    version = output("slurmctld", "-V").split()[-1]
    about = {
        "scenario": name,
        "about": scenario.about,
        "slurm": version,
        "seed": scenario.seed,
        "span_seconds": span,
        "date": datetime.datetime.fromtimestamp(began, datetime.timezone.utc).strftime("%Y-%m-%d"),
        "time_zone": "UTC",
        "submissions": sum("sbatch" in command for _, _, command in commands),
        "start_up_seconds": round(began_jobs - began),
        "duration_seconds": round(ended_jobs - began_jobs),
    }
    (folder / "run.json").write_text(json.dumps(about, indent=2) + "\n")
    cluster.stop()
    # Of gang scheduling only what it pauses and resumes: the lists of jobs behind it are long.
    controller = (LOGS / "slurmctld.log").read_text().splitlines(True)
    is_kept = lambda line: "gang:" not in line or "suspending" in line or "resuming" in line
    keep(folder / "slurmctld.log", "".join(line for line in controller if is_kept(line)))
    if scenario.events:
        keep(folder / "changes.txt", "".join(line for line in controller if CHANGE.search(line)))
    # Each pass says of each waiting job that it waits behind another one: this follows from the order.
    passes = (LOGS / "sched.log").read_text().splitlines(True)
    keep(folder / "sched.log", "".join(line for line in passes if "unable to schedule" not in line))


def describe(folder):
    """Keeps the configuration as Slurm's own commands show it."""
    shows = {
        "scontrol-config.txt": "scontrol show config",
        "scontrol-partition.txt": "scontrol show partition",
        "scontrol-node.txt": "scontrol show node",
        "assoc.psv": "sacctmgr -P show assoc",
        "qos.psv": "sacctmgr -P show qos",
    }
    for name, command in shows.items():
        text = output(*command.split())
        if name == "scontrol-node.txt":
            # What these lines show is of the machine below.
            text = "".join(line for line in text.splitlines(True) if not line.strip().startswith(("OS=", "BootTime=")))
        keep(folder / name, text)
    output("sacctmgr", "dump", "oracle", "file=/tmp/dump")
    (folder / "dump.cfg").write_text(pathlib.Path("/tmp/dump").read_text())


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="scenarios:\n" + "".join(f"  {name:15} {s.about}\n" for name, s in SCENARIOS.items()))
    parser.add_argument("names", nargs="+", metavar="NAME", choices=list(SCENARIOS),
        help="a scenario; repeat it to run it again")
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path(__file__).parent / "runs", metavar="DIR",
        help="keep each run in DIR/NAME-N, with the first N that is free (default: runs beside this script)")
    parser.add_argument("--span", type=float, default=SPAN, metavar="SECONDS",
        help="submit the jobs within this time (default: %(default)s); other spans give other lists")
    parser.add_argument("--slurm", type=pathlib.Path, metavar="PREFIX",
        help="another Slurm than the installed one: the --prefix it was built with, beside --sysconfdir=/etc/slurm; "
            "its version becomes part of the folders' names")
    parser.add_argument("--list", action="store_true", help="print the lists of jobs, and run nothing")
    parser.add_argument("--inside", type=pathlib.Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    os.environ["PATH"] += ":/usr/sbin:/sbin"
    if options.slurm:
        os.environ["PATH"] = f"{options.slurm.resolve()}/bin:{options.slurm.resolve()}/sbin:{os.environ['PATH']}"
    if options.inside:
        try:
            return inside(options.names[0], options.inside, options.span)
        except Exception as error:
            print(f"{options.names[0]}: {error}", file=sys.stderr)
            for log in sorted(LOGS.glob("*")):
                if log.stat().st_size and not log.name.startswith("slurmd-n"):
                    print(f"== {log.name}", *log.read_text().splitlines()[-10:], sep="\n", file=sys.stderr)
            return 1
    if options.list:
        for name in options.names:
            SCENARIOS[name].span = options.span
            print(listed(SCENARIOS[name].commands()), end="")
        return 0
    if reason := missing():
        print(f"no cluster can be started here: {reason}", file=sys.stderr)
        return 77

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    runs = {}
    try:
        version = output("slurmctld", "-V").split()[-1].rpartition(".")[0]
        for name in options.names:
            base = f"{name}-{version}" if options.slurm else name
            number = next(n for n in range(1, 1000) if not (options.out / f"{base}-{n}").exists())
            folder = options.out / f"{base}-{number}"
            folder.mkdir(parents=True)
            runs[folder] = launch(name, folder.resolve(), ["--span", str(options.span)])
            # The clusters start one after another: this takes processor time that their jobs would have to wait for.
            time.sleep(8)
        failed = [folder for folder, run in runs.items() if run.wait()]
    finally:
        for run in runs.values():
            run.kill()
    for folder in runs:
        if folder in failed:
            print(f"{folder}: failed; what it has kept is incomplete", file=sys.stderr)
        else:
            print(f"{folder}: {json.loads((folder / 'run.json').read_text())['duration_seconds']} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
