#!/usr/bin/env bash
# Copies the recorded part of a folder of results: its page, tables, plots and findings.
set -euo pipefail
results=$1
here=$(cd "$(dirname "$0")" && pwd)/backfilling
rm -rf "$here"
mkdir -p "$here/tables" "$here/plots"
cp "$results/README.md" "$results/findings.txt" "$here/"
cp "$results"/tables/*.md "$here/tables/"
cp "$results"/plots/*.svg "$here/plots/"
