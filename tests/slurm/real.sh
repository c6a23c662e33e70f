#!/usr/bin/env bash
# Runs small.toml of this folder on a temporary Slurm installation on this machine, with a task that fails once.
#
# real.sh BATCHLAB: the program's path. Exits with 77 if Slurm cannot be started: this needs root, and munge.
set -euo pipefail
PATH=$PATH:/usr/sbin
batchlab=$(realpath "$1")
work=$(pwd)
slurm=$(mktemp -d)
began=$SECONDS

daemons=()
stop() {
    for daemon in "${daemons[@]:+${daemons[@]}}"; do kill "$daemon" 2>/dev/null || true; done
    for daemon in "${daemons[@]:+${daemons[@]}}"; do wait "$daemon" 2>/dev/null || true; done
    rm -rf "$slurm"
}
trap stop EXIT

skip() {
    echo "$1" >&2
    exit 77
}

give_up() {
    echo "$1" >&2
    for log in "$slurm"/*.log "$work"/results/shards/logs/*.log; do
        [ -f "$log" ] && echo "== $log" >&2 && tail -n 40 "$log" >&2
    done
    exit 1
}

[ "$(id -u)" = 0 ] || skip "Slurm's daemons are started as root here"

# Waits up to two minutes for a condition.
await() {
    for ((try = 0; try < 600; try++)); do
        if "$@"; then return; fi
        sleep 0.2
    done
    return 1
}
socket_is_there() { [ -S "$slurm/munge.socket" ]; }
node_is_up() { [ "$(sinfo --noheader --format=%t 2>/dev/null)" = idle ]; }
queue_is_empty() { [ -z "$(squeue --noheader)" ]; }

# Unused ports: a connection to them fails.
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 20000))
        (exec 3<>"/dev/tcp/127.0.0.1/$port") 2>/dev/null || break
    done
    echo "$port"
}

chmod 755 "$slurm"
mkdir "$slurm/state" "$slurm/spool"
head -c 1024 /dev/urandom >"$slurm/munge.key"
chmod 600 "$slurm/munge.key"
node=$(uname -n)
export SLURM_CONF=$slurm/slurm.conf
cat >"$SLURM_CONF" <<CONF
ClusterName=test
SlurmctldHost=$node(127.0.0.1)
SlurmctldPort=$(free_port)
SlurmdPort=$(free_port)
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket=$slurm/munge.socket
CredType=cred/munge
StateSaveLocation=$slurm/state
SlurmdSpoolDir=$slurm/spool
SlurmctldPidFile=$slurm/slurmctld.pid
SlurmdPidFile=$slurm/slurmd.pid
SlurmctldLogFile=$slurm/slurmctld.log
SlurmdLogFile=$slurm/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
MpiDefault=none
ReturnToService=2
MailProg=/bin/true
NodeName=$node NodeAddr=127.0.0.1 CPUs=2 State=UNKNOWN
PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE State=UP
CONF

munged --foreground --force --key-file="$slurm/munge.key" --socket="$slurm/munge.socket" \
    --pid-file="$slurm/munged.pid" --log-file="$slurm/munged.log" --seed-file="$slurm/munged.seed" \
    >/dev/null 2>"$slurm/munged.err.log" &
daemons+=($!)
await socket_is_there || give_up "munged does not start"
slurmctld -D >/dev/null 2>"$slurm/slurmctld.err.log" &
daemons+=($!)
slurmd -D >/dev/null 2>"$slurm/slurmd.err.log" &
daemons+=($!)
await node_is_up || give_up "the node does not come up: $(sinfo --noheader --format='%t %E')"
echo "Slurm $(sinfo --version | cut -d' ' -f2) is up after $((SECONDS - began)) s"

# Fails once for one shard, and otherwise runs batchlab.
cat >"$work/failing" <<PROGRAM
#!/usr/bin/env bash
if [[ " \$* " == *" --shard 2/3 "* ]] && [ ! -e failed-once ]; then
    touch failed-once
    echo "a node was lost" >&2
    exit 1
fi
exec "$batchlab" "\$@"
PROGRAM
chmod 755 "$work/failing"
export BATCHLAB=$work/failing

wait_for_queue() {
    await queue_is_empty || give_up "jobs are still in the queue: $(squeue)"
}
expect() {
    [ "$2" = "$3" ] || give_up "$1: '$2' instead of '$3'"
}

"$batchlab" run small.toml --out whole --quiet
"$batchlab" slurm small.toml --tasks 3 --out results --output submit.sh --quiet

bash submit.sh >first
wait_for_queue
expect "the first submission" "$(cut -d: -f2 first)" "$(printf ' 3 of 3 shards\n into results')"
[ -e failed-once ] || give_up "no task has failed"
[ ! -e results/results.csv ] || give_up "the merge ran although a task had failed"
for shard in 1 3; do
    [ -f "results/shards/$shard-of-3/results.csv" ] || give_up "shard $shard is missing"
done
shard=$(stat --format=%Y%Z%i results/shards/1-of-3/results.csv)
grep --quiet "a node was lost" results/shards/logs/*-2.log || give_up "the log of the failed task is missing"

bash submit.sh >second
wait_for_queue
expect "the second submission" "$(cut -d: -f2 second)" "$(printf ' 1 of 3 shards\n into results')"
expect "the first shard" "$(stat --format=%Y%Z%i results/shards/1-of-3/results.csv)" "$shard"
cmp results/results.csv whole/results.csv || give_up "the results differ from those of one run"
diff -r --exclude=shards results whole || give_up "the folder differs from that of one run"

bash submit.sh >third
wait_for_queue
expect "the third submission" "$(cut -d: -f2 third)" " into results"
diff -r --exclude=shards results whole || give_up "the second merge has changed something"
echo "three submissions, one failed task, the same results: $((SECONDS - began)) s in all"
