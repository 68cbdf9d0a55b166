#!/usr/bin/env bash
# Runs GPU test programs that were built elsewhere (preset gpu-carry builds such): all of them plainly, then under the
# compute-sanitizer tools that are named.
#   test/run_on_gpu.sh DIR [memcheck|racecheck|initcheck|synccheck]...
# A program named *large* runs without the tools, which are slow. Prints a line a run, and exits non-zero if any failed.
set -u
dir=${1:?the folder of the test programs}
shift
log=$(mktemp)
trap 'rm -f "$log"' EXIT
passed=0 failed=0

try() {  # name, command...
  local name=$1 start=$SECONDS
  shift
  if "$@" >"$log" 2>&1 && ! grep -q 'is skipped because' "$log"; then
    passed=$((passed + 1))
    printf 'ok    %-60s %3d s\n' "$name" $((SECONDS - start))
  else
    failed=$((failed + 1))
    printf 'FAIL  %-60s %3d s\n' "$name" $((SECONDS - start))
    tail -n 25 "$log"
  fi
}

for program in "$dir"/*.nvcc; do
  try "${program##*/}" "$program" --log_level=test_suite --color_output=no
done
for tool in "$@"; do
  for program in "$dir"/*.nvcc; do
    case $program in *large*) continue ;; esac
    try "${program##*/} under $tool" compute-sanitizer --tool "$tool" --error-exitcode 9 "$program"
  done
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
