#!/usr/bin/env bash
# Without a GPU a benchmark program says so and exits with 77; it lists its rows all the same.
#   test_without_gpu.sh PROGRAM
set -u
export CUDA_VISIBLE_DEVICES=  # hides those that are there

output=$("$1" 2>&1)
status=$?
echo "$output"
[[ $status -eq 77 && $output == *"No GPU"* ]] || { echo "exit status $status" >&2; exit 1; }
[[ $("$1" --list | grep -c /mgpu/) -gt 0 ]] || { echo "no rows listed" >&2; exit 1; }
if "$1" --benchmark_filter='no such row' 2>/dev/null; then echo "a filter without a match passes" >&2; exit 1; fi
