#!/bin/sh
# Collects what Slurm says of its installation, its jobs and its nodes, for batchlab.
# Written by `batchlab slurm-collect` (@VERSION@). Commands that only read; nothing is written but one new folder.
#
#   sh collect.sh [--since DAYS|YYYY-MM-DD] [--tar] [FOLDER]
#
# It wants a host where sacct shows the jobs of all users: an operator's account. Slurm 20.11 to 25.x.
# What cannot be had is in FOLDER/missing.txt: file, command and error of each.

set -u
LC_ALL=C
export LC_ALL
umask 077
# Settings of the user's shell change what the commands print, and which jobs they show.
unset SLURM_TIME_FORMAT SACCT_FORMAT SACCT_FEDERATION SACCT_LOCAL SINFO_FORMAT SINFO_PARTITION SINFO_SORT SPRIO_FORMAT
unset SQUEUE_FORMAT SQUEUE_FORMAT2 SQUEUE_ACCOUNT SQUEUE_LICENSES SQUEUE_NAMES SQUEUE_PARTITION SQUEUE_QOS SQUEUE_SORT
unset SQUEUE_STATES SQUEUE_USERS SLURM_CLUSTERS SLURM_JSON SLURM_YAML
# Lists of waiting tasks of arrays are not cut off.
SLURM_BITSTR_LEN=0
export SLURM_BITSTR_LEN

since=@SINCE@
folder=@FOLDER@
pack=@TAR@

usage() {
    printf 'usage: %s [--since DAYS|YYYY-MM-DD] [--tar] [FOLDER]\n' "$0" >&2
    exit 2
}

while [ $# -gt 0 ]; do
    case $1 in
        --since)
            [ $# -gt 1 ] || usage
            since=$2
            shift
            ;;
        --since=*) since=${1#--since=} ;;
        --tar) pack=yes ;;
        -*) usage ;;
        '') usage ;;
        *) folder=$1 ;;
    esac
    shift
done
case $since in
    '') usage ;;
    [0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]) start=$since ;;
    *[!0-9]*) usage ;;
    *) start=now-${since}days ;;
esac
[ -n "$folder" ] || folder=slurm-$(date +%Y%m%d-%H%M%S)
case $folder in
    /*) ;;
    *) folder=./$folder ;;
esac

if ! command -v scontrol >/dev/null 2>&1; then
    printf '%s\n' "scontrol is not found: run this on a host of the cluster" >&2
    exit 3
fi
# Slashes at the end are no part of the name.
while [ "${folder%/}" != "$folder" ] && [ "$folder" != / ]; do
    folder=${folder%/}
done
archive=$folder.tar.gz
# A folder or an archive that is there already stays as it is, and so does a link: what slurmdbd has purged since cannot be collected
# again.
is_taken() {
    [ -e "$archive" ] || [ -L "$archive" ]
}
if [ "$pack" = yes ] && is_taken; then
    printf '%s is there already: name another folder, or move it away\n' "$archive" >&2
    exit 3
fi
mkdir -- "$folder" || exit 3
missing=$folder/missing.txt
printf '%s\n' '@MISSING@' >"$missing"

# Notes that a command could not be had: file, command, error (its first line).
note() {
    error=$(tr '\t' ' ' <"$folder/.error" | sed -n '/[^ ]/{p;q;}')
    printf '%s\t%s\t%s\n' "$1" "$2" "${error:-no output}" >>"$missing"
}

# Runs a command and keeps its output in a file; without output, or if it fails, notes that, and returns 1.
get() {
    file=$1
    shift
    printf '%s\n' "$*" >&2
    "$@" >"$folder/$file" 2>"$folder/.error" </dev/null
    status=$?
    if [ "$status" -eq 0 ] && [ -s "$folder/$file" ]; then
        return 0
    fi
    [ -s "$folder/.error" ] || printf 'exit code %s\n' "$status" >"$folder/.error"
    note "$file" "$*"
    rm -f -- "$folder/$file"
    return 1
}

# As get, with instants in seconds since 1970, which no change of clocks and no zone makes ambiguous.
get_stamped() {
    SLURM_TIME_FORMAT=%s
    export SLURM_TIME_FORMAT
    get "$@"
    status=$?
    unset SLURM_TIME_FORMAT
    return "$status"
}

# Copies a file if it can be read. It keeps its name: files include others by name.
copy() {
    name=${1##*/}
    [ -e "$folder/$name" ] && return 0
    printf 'copy %s\n' "$1" >&2
    if cat -- "$1" >"$folder/$name" 2>"$folder/.error"; then
        return 0
    fi
    note "$name" "cat $1"
    rm -f -- "$folder/$name"
    return 1
}

# Copies a file of settings and what it includes. Paths without a slash lie beside slurm.conf.
copy_conf() {
    copy "$1" || return 0
    sed -n 's/^[[:space:]]*[Ii][Nn][Cc][Ll][Uu][Dd][Ee][[:space:]][[:space:]]*\([^#[:space:]]*\).*$/\1/p' "$folder/${1##*/}" |
        while IFS= read -r included; do
            case $included in
                '') ;;
                *%*)
                    printf 'its name has a pattern\n' >"$folder/.error"
                    note "${included##*/}" "cat $included"
                    ;;
                /*) copy_once "$included" ;;
                *) copy_once "$confdir/$included" ;;
            esac
        done
}

# As copy_conf, once for each name, so that files which include each other end.
copy_once() {
    [ -e "$folder/${1##*/}" ] || copy_conf "$1"
}

# Prints a setting in force.
setting() {
    sed -n "s/^$1[[:space:]]*=[[:space:]]*//p" "$folder/scontrol-config.txt" 2>/dev/null | sed -n 1p
}

# The settings and the state in force.
get scontrol-config.txt scontrol show config
get scontrol-partition.txt scontrol -a show partition
get scontrol-node.txt scontrol -a show node
get_stamped scontrol-reservation.txt scontrol -a show reservation
case $(setting TopologyPlugin) in
    topology/default | topology/flat | topology/none) ;;
    *) get scontrol-topology.txt scontrol show topology ;;
esac
get scontrol-job.txt scontrol -a -d show job

# slurm.conf with what it includes, as far as they can be read here.
conf=$(setting SLURM_CONF)
[ -n "$conf" ] || conf=${SLURM_CONF:-/etc/slurm/slurm.conf}
confdir=${conf%/*}
copy_conf "$conf"
for name in topology.conf topology.yaml gres.conf; do
    [ -e "$confdir/$name" ] && copy "$confdir/$name"
done

# Accounts, service classes, and what happened to nodes and reservations.
cluster=$(setting ClusterName)
get assoc.psv sacctmgr -P show assoc ${cluster:+"cluster=$cluster"}
get qos.psv sacctmgr -P show qos
get_stamped events.psv sacctmgr -P show event ${cluster:+"cluster=$cluster"} "start=$start" \
    format=Cluster,NodeName,TimeStart,TimeEnd,State,Reason,User
get_stamped reservations.psv sacctmgr -P show reservation ${cluster:+"cluster=$cluster"} "start=$start" \
    format=Cluster,Name,TRES,TimeStart,TimeEnd,UnusedWall,NodeNames,Flags,ID,Associations
get sshare.psv sshare -a -l -P

# When reservations were made, moved and removed, when nodes began to drain, and how jobs were changed: slurmctld's log alone has that.
log=$(setting SlurmctldLogFile)
case $log in
    /*)
        if [ -r "$log" ]; then
            printf 'grep %s\n' "$log" >&2
            grep -e 'sched: Created reservation=' -e 'sched: Updated reservation=' \
                -e '_slurm_rpc_delete_reservation complete for ' -e 'update_node: node [^ ]* state set to ' \
                -e '_update_job: set priority to .*JobId=' -e '_update_job: setting time_limit to .*JobId=' \
                -e '_update_job: setting QOS to .*JobId=' -e '_update_job: setting partition to .*JobId=' \
                -e '_update_job: nice changed from .*JobId=' \
                -e '_hold_job_rec: hold on JobId=' -e '_release_job_rec: release hold on JobId=' \
                "$log" >"$folder/changes.txt" 2>/dev/null
            [ -s "$folder/changes.txt" ] || rm -f -- "$folder/changes.txt"
        else
            printf 'it cannot be read here; on the host of slurmctld it can\n' >"$folder/.error"
            note changes.txt "grep reservation $log"
        fi
        ;;
esac

# The queue now.
get squeue.json squeue -a --json
get squeue.txt squeue -a -O '@SQUEUE@'
get squeue-start.txt squeue -a --start
case $(setting PriorityType) in
    priority/basic) ;;
    *) get sprio.txt sprio -l ;;
esac
get sinfo.txt sinfo -a -N -l
get sdiag.txt sdiag

# The jobs of the past, in all columns of the list that this version has.
wanted='@COLUMNS@'
later='@LATER@'
if sacct --helpformat >"$folder/.known" 2>"$folder/.error" </dev/null; then
    known=$(tr -s '[:space:]' ' ' <"$folder/.known")
    columns=
    while [ -n "$wanted" ]; do
        column=${wanted%%,*}
        wanted=${wanted#"$column"}
        wanted=${wanted#,}
        case " $known " in
            *" $column "*) columns=${columns:+$columns,}$column ;;
            *)
                case ,$later, in
                    *,"$column",*) ;;
                    *)
                        printf 'sacct of this version has no such column\n' >"$folder/.error"
                        note sacct.txt "sacct -o $column"
                        ;;
                esac
                ;;
        esac
    done
    get_stamped sacct.txt sacct -a -P -D -S "$start" -E now --noconvert -o "$columns"
else
    note sacct.txt "sacct --helpformat"
fi

rm -f -- "$folder/.error" "$folder/.known"
failed=$(($(wc -l <"$missing") - 1))
if [ "$failed" -eq 0 ]; then
    rm -f -- "$missing"
else
    printf '%s of the commands failed: %s says which\n' "$failed" "$missing" >&2
fi
if [ "$pack" = yes ]; then
    parent=${folder%/*}
    # With -C the shell creates a file only if its name is free, and follows no link.
    if ! (set -C && : >"$archive") 2>/dev/null; then
        printf '%s cannot be created, or is there by now: the folder stays\n' "$archive" >&2
    elif tar -C "${parent:-/}" -czf "$archive" -- "${folder##*/}"; then
        rm -rf -- "$folder"
        printf '%s\n' "$archive"
        printf 'where batchlab is: --slurm %s takes it as it is, and tar -xzf %s unpacks its logs of jobs\n' \
            "${archive##*/}" "${archive##*/}" >&2
        exit 0
    else
        rm -f -- "$archive"
        printf 'tar failed: the folder stays\n' >&2
    fi
fi
printf '%s\n' "$folder"
printf 'batchlab slurm-check "%s"\n' "$folder" >&2
is_taken || printf 'to take it elsewhere in one file: tar -czf "%s.tar.gz" -- "%s"\n' "$folder" "$folder" >&2
