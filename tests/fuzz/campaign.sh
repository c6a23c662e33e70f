#!/usr/bin/env bash
# campaign.sh SECONDS TARGET...: fuzz each target for SECONDS on one core, and print its row of RECORDED.md.
#
# Seeds are the samples of the formats (parsers/tests/samples) and the stored corpus, both unchanged and repeated to
# about 40 kB, to get long inputs. FUZZ_BIN may name a folder of built targets. Inputs that fail
# are kept in FUZZ_OUT (a new folder under /tmp if not given).
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
samples=$here/../../parsers/tests/samples
out=${FUZZ_OUT:-$(mktemp -d)}
seconds=$1
shift

formats() {
  case $1 in
    slurm) echo sacct-json slurm-jobcomp ;;
    queues) echo squeue squeue-json slurm-show-job ;;
    sge) echo sge uge ;;
    archive) echo nas sdsc-joblog sdsc-blue ;;
    tables) echo gwf maui cerit cerit-walltime metacentrum slurmsim-swf openb ;;
    detected) ls "$samples" ;;
    *) echo "$1" ;;
  esac
}

# repeated FILE: prints the file, then its lines without the first one repeatedly, up to about 40 kB.
repeated() {
  cat "$1"
  local length rounds
  length=$(wc -c <"$1")
  rounds=$((40000 / (length + 1)))
  for ((round = 0; round < rounds; round++)); do
    if [[ $1 == *.json ]]; then cat "$1"; else tail -n +2 "$1"; fi
  done
}

cd "$here"
for target in "$@"; do
  folder=$out/$target
  mkdir -p "$folder/seeds" "$folder/corpus" "$folder/found"
  for format in $(formats "$target"); do
    [ -d "$samples/$format" ] || continue
    for file in "$samples/$format"/*; do
      case $file in *expected* | *.toml) continue ;; esac
      name=$format-$(basename "$file")
      if [ "$target" = mapping ]; then
        [ -f "${file%.*}.toml" ] || continue
        { cat "${file%.*}.toml"; printf '\n%%%%\n'; repeated "$file"; } >"$folder/seeds/$name"
      else
        # For targets of several formats, the first line of the input names the format.
        first=
        case $target in slurm | queues | archive | tables) first=$format$'\n' ;; esac
        { printf '%s' "$first"; cat "$file"; } >"$folder/seeds/$name"
        { printf '%s' "$first"; repeated "$file"; } | head -c 65536 >"$folder/seeds/long-$name"
      fi
    done
  done
  if [ -n "${FUZZ_BIN:-}" ]; then run=("$FUZZ_BIN/$target"); else run=(cargo fuzz run -s none --fuzz-dir . "$target"); fi
  more=()
  [ -n "${FUZZ_BIN:-}" ] || more=(--)
  FUZZ_COUNT=$folder/count "${run[@]}" "$folder/corpus" "$folder/seeds" "corpus/$target" "${more[@]}" -max_len=65536 -len_control=0 -reduce_inputs=0 -timeout=20 -rss_limit_mb=2048 \
    -max_total_time="$seconds" -print_final_stats=1 -artifact_prefix="$folder/found/" >"$folder/log" 2>&1 || true
  read -r executions bytes <"$folder/count" || true
  coverage=$(grep -o 'cov: [0-9]* ft: [0-9]*' "$folder/log" | tail -1)
  rss=$(grep -o 'peak_rss_mb: *[0-9]*' "$folder/log" | grep -o '[0-9]*$' || echo '?')
  echo "| $target | ${executions:-0} | ${bytes:-0} | $coverage | $rss | $(find "$folder/found" -type f | wc -l) |"
done
echo "found and corpora: $out"
