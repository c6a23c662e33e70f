#!/usr/bin/env bash
# Experiment @name@ on Slurm: @replays@ in @tasks@, then a merge. Written by @tool@.
#
# Run it in the folder in which it was written. Run it again to submit what is missing: shards that are complete are
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
mkdir -p "$out/shards/logs"

# Two tasks must not work on one shard: what was submitted before may still be waiting or running.
jobs="$out/shards/jobs-of-$shards"
if [ -s "$jobs" ] && [ -n "$(squeue --noheader --jobs="$(cat "$jobs")" 2>/dev/null || true)" ]; then
    echo "jobs $(cat "$jobs") are still in the queue; wait for them, or scancel them" >&2
    exit 1
fi

# A shard is complete when it is of this very experiment, its results are written and no run is left half done.
is_complete() {
    [ -f "$1/results.csv" ] && [ ! -e "$1/journal.jsonl" ] && cmp -s "$experiment" "$1/experiment.toml"
}

missing=()
for ((shard = 1; shard <= shards; shard++)); do
    is_complete "$out/shards/$shard-of-$shards" || missing+=("$shard")
done

if [ ${#missing[@]} -gt 0 ]; then
    list=$(IFS=, && echo "${missing[*]}")
    array=$(
        sbatch --parsable "${options[@]}" --cpus-per-task=@cpus@ --array="$list" \
            --output="${out//%/%%}/shards/logs/%A-%a.log" <<'TASK'
#!/usr/bin/env bash
set -euo pipefail
exec "${BATCHLAB:-batchlab}" run @experiment@ --shard "$SLURM_ARRAY_TASK_ID/@shards@" \
    --out @out@"/shards/$SLURM_ARRAY_TASK_ID-of-@shards@" --resume --quiet --threads @cpus@@further@
TASK
    )
    array=${array%%;*}
    echo "$array" >"$jobs"
    echo "array job $array: ${#missing[@]} of $shards shards"
    # Where a task fails, the merge goes away with it.
    options+=(--dependency="afterok:$array" --kill-on-invalid-dep=yes)
fi

merge=$(
    sbatch --parsable "${options[@]}" --output="${out//%/%%}/shards/logs/merge-%j.log" <<'MERGE'
#!/usr/bin/env bash
set -euo pipefail
exec "${BATCHLAB:-batchlab}" merge @out@/shards/*-of-@shards@/ -o @out@ --quiet
MERGE
)
merge=${merge%%;*}
echo "${array:+$array,}$merge" >"$jobs"
echo "merge job $merge: into $out"
