#!/usr/bin/env bash
# A benchmark program must fail where a result is wrong.
#   test_wrong_result.sh PROGRAM      any bench_* with mgpu's rows; exits 77 where there are too few GPUs
set -u
program=$1
output=$(mktemp)
trap 'rm -f "$output" "$output.json"' EXIT

fail() {
  cat "$output"
  echo "test_wrong_result: $*" >&2
  exit 1
}

row=$("$program" --list | grep -m 1 /mgpu/) || fail "no row"

"$program" --benchmark_filter="^$row\$" >"$output" 2>&1
status=$?
[[ $status -ne 77 ]] || { cat "$output"; exit 77; }
[[ $status -eq 0 ]] || fail "the right row: exit status $status"
if grep -q "'skipped: " "$output"; then cat "$output"; exit 77; fi  # it takes more GPUs

"$program" --inject_wrong_result --benchmark_filter="^$row\$" --benchmark_out="$output.json" >"$output" 2>&1
status=$?
[[ $status -eq 1 ]] || fail "the wrong row: exit status $status, not 1"
grep -q 'WRONG RESULT' "$output" || fail "the wrong row is not marked"
grep -q '"error_message": "WRONG RESULT' "$output.json" || fail "the wrong row is not marked in the JSON"
echo "a wrong result fails: $row"
