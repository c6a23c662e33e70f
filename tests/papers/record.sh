#!/usr/bin/env bash
# Copies the page and the figures of recorded runs: record.sh FOLDER [PAPERS], the --out of `batchlab paper` and the folder of the
# papers, by default that of this script.
set -euo pipefail
results=$1
here=${2:-$(cd "$(dirname "$0")" && pwd)}
for page in "$results"/*/README.md; do
    from=$(dirname "$page")
    to=$here/$(basename "$from")
    # The results themselves are not kept.
    sed '/^\[The results of this experiment\]/,+1d' "$page" > "$to/README.md"
    # Figures of experiments that are gone, or that have other figures now.
    rm -rf "$to"/*/plots
    for plots in "$from"/*/plots; do
        experiment=$(basename "$(dirname "$plots")")
        mkdir -p "$to/$experiment/plots"
        cp "$plots"/*.svg "$to/$experiment/plots/"
        rm -f "$to/$experiment/plots/verdict.svg"
        rmdir --ignore-fail-on-non-empty "$to/$experiment/plots" "$to/$experiment" 2> /dev/null || true
    done
    find "$to" -mindepth 1 -type d -empty -delete
done
