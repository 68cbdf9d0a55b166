#!/usr/bin/env bash
# Runs GPU test programs that were built elsewhere (preset gpu-carry builds such): all of them plainly, then under the
# compute-sanitizer tools that are named, source by source, JOBS (1 by default) at a time.
#   test/run_on_gpu.sh DIR [memcheck|racecheck|initcheck|synccheck]...
# Programs named *large*, *threads* and *graphs* run without the tools, which are slow, and so does distributed.nvcc,
# whose ranks wait for one another in kernels of NCCL's. racecheck leaves out comparators that are no order: by these two
# items may be written to one place, which the kernel finds out afterwards. Prints a line a run, and exits non-zero if any
# failed.
set -u
dir=${1:?the folder of the test programs}
shift
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
export results

# try NAME COMMAND...: one line to stdout; a failure's last words too. Skipped suites are failures here, but for want of
# a second GPU.
try() {
  local name=$1 log="$results/${1// /_}.log" start=$SECONDS verdict=ok
  shift
  if ! "$@" >"$log" 2>&1; then
    verdict=FAIL
  elif grep 'is skipped because' "$log" | grep -qv 'has not two GPUs'; then
    verdict=FAIL
  elif grep -q 'is skipped because' "$log"; then
    verdict=skip
  fi
  printf '%-5s %-60s %3d s\n' "$verdict" "$name" $((SECONDS - start))
  if [ "$verdict" = FAIL ]; then tail -n 25 "$log"; fi
  echo "$verdict" >>"$results/verdicts"
}
# Prints the suites of a program, one for each of its sources.
suites() { "$1" --list_content 2>&1 | sed -n 's/^\([a-z_0-9]*\)\*\{0,1\}$/\1/p'; }
# checked TOOL PROGRAM SUITE. Tests provoke errors of runtime calls on purpose, so those are none. A suite without kernels
# has nothing to check.
checked() {
  compute-sanitizer --tool "$1" --report-api-errors no --error-exitcode 9 "$2" --run_test="$3" || no_kernels "$@"
}
no_kernels() {
  compute-sanitizer --tool "$1" "$2" --run_test="$3" 2>&1 | grep -q 'before first instrumented API call' &&
    "$2" --run_test="$3"
}
sanitize() { try "${2##*/} $3 under $1" checked "$@"; }
export -f try checked no_kernels sanitize

for program in "$dir"/*.nvcc; do
  try "${program##*/}" "$program" --log_level=test_suite --color_output=no
done
for program in "$dir"/*.thrust; do  # a pair: the same program with the algorithms of mgpu
  [ -e "$program" ] || continue
  try "${program##*/} and .mgpu" "$(dirname "$0")/dropin/compare.sh" equal "$program" "${program%.thrust}.mgpu"
done
for tool in "$@"; do
  for program in "$dir"/*.nvcc; do
    case $program in *large* | *threads* | *graphs* | */distributed.nvcc) continue ;; esac
    for suite in $(suites "$program"); do
      if [ "$tool $suite" != 'racecheck test_merge_cluster_no_order' ]; then printf '%s\0%s\0' "$program" "$suite"; fi
    done
  done | xargs -0 -P "${JOBS:-1}" -n 2 bash -c 'sanitize "$0" "$1" "$2"' "$tool"
done
passed=$(grep -c ok "$results/verdicts")
failed=$(grep -c FAIL "$results/verdicts")
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
