#!/usr/bin/env bash
# A benchmark program must fail where a result is wrong.
#   test_wrong_result.sh PROGRAM      any bench_* with mgpu's rows; exits 77 where there is no GPU
set -u
program=$1
output=$(mktemp)
trap 'rm -f "$output"' EXIT

fail() {
  cat "$output"
  echo "test_wrong_result: $*" >&2
  exit 1
}

# Without the flag there is no such row.
if "$program" --list --all | grep spoilt; then fail "rows with wrong results are there without being asked for"; fi
spoilt=$("$program" --list --inject_wrong_result | grep /spoilt/) || fail "no row with a wrong result"

"$program" --filter="^${spoilt/spoilt/mgpu}\$" >"$output" 2>&1
status=$?
[[ $status -ne 77 ]] || { cat "$output"; exit 77; }
[[ $status -eq 0 ]] || fail "the right row: exit status $status"

"$program" --inject_wrong_result --filter="^$spoilt\$" --out="$output.json" >"$output" 2>&1
status=$?
trap 'rm -f "$output" "$output.json"' EXIT
[[ $status -eq 1 ]] || fail "the wrong row: exit status $status, not 1"
grep -q 'WRONG RESULT' "$output" || fail "the wrong row is not marked"
grep -q '"error_message": "WRONG RESULT' "$output.json" || fail "the wrong row is not marked in the JSON"
echo "a wrong result fails: $spoilt"
