#!/usr/bin/env bash
# @what@. Written by @tool@.
#
# Run it in the folder in which it was written. Run it again to submit what is missing: @parts@ that are complete are
# left alone, and those that were cut short go on where they were. BATCHLAB names the program where it is not on the PATH.
set -euo pipefail

experiment=@experiment@
out=@out@
shards=@shards@
options=(
@options@
)

if [ ! -f "$experiment" ]; then
    echo "$experiment is not here; run this script in the folder in which it was written" >&2
    exit 2
fi
mkdir -p "$out/@parts@/logs"

# Two tasks must not work on one @part@: what was submitted before may still be waiting or running.
jobs="$out/@parts@/jobs-of-$shards"
if [ -s "$jobs" ] && [ -n "$(squeue --noheader --jobs="$(cat "$jobs")" 2>/dev/null || true)" ]; then
    echo "jobs $(cat "$jobs") are still in the queue; wait for them, or scancel them" >&2
    exit 1
fi

@complete@

missing=()
for ((shard = 1; shard <= shards; shard++)); do
    is_complete "$out/@parts@/$shard@of@" || missing+=("$shard")
done

if [ ${#missing[@]} -gt 0 ]; then
    list=$(IFS=, && echo "${missing[*]}")
    array=$(
        sbatch --parsable "${options[@]}" --cpus-per-task=@cpus@ --array="$list" \
            --output="${out//%/%%}/@parts@/logs/%A-%a.log" <<'TASK'
#!/usr/bin/env bash
set -euo pipefail
exec "${BATCHLAB:-batchlab}" @task@
TASK
    )
    array=${array%%;*}
    echo "$array" >"$jobs"
    echo "array job $array: ${#missing[@]} of $shards @parts@"
    # Where a task fails, the @end@ goes away with it.
    options+=(--dependency="afterok:$array" --kill-on-invalid-dep=yes)
fi

merge=$(
    sbatch --parsable "${options[@]}" --output="${out//%/%%}/@parts@/logs/@end@-%j.log" <<'MERGE'
#!/usr/bin/env bash
set -euo pipefail
exec "${BATCHLAB:-batchlab}" @final@
MERGE
)
merge=${merge%%;*}
echo "${array:+$array,}$merge" >"$jobs"
echo "@end@ job $merge: into $out"
