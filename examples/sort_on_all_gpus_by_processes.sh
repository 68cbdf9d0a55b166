#!/usr/bin/env bash
# Runs sort_on_all_gpus with a process for each GPU of this machine, as torchrun or mpirun starts them.
#
#   sort_on_all_gpus_by_processes.sh BINARY
#
# Ends with an error if one of them does, and with 77 where there are not two GPUs.
set -euo pipefail

if [[ $# -ne 1 || ! -x $1 ]]; then
  echo "usage: ${0##*/} BINARY" >&2
  exit 2
fi
gpus=0
if command -v nvidia-smi > /dev/null; then gpus=$(nvidia-smi --list-gpus 2> /dev/null | grep -c '^GPU') || true; fi
if [[ -n ${CUDA_VISIBLE_DEVICES+set} ]]; then gpus=$(tr , '\n' <<< "$CUDA_VISIBLE_DEVICES" | grep -c .) || true; fi
if [[ $gpus -lt 2 ]]; then
  echo "Skipped: there are not two GPUs"
  exit 77
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
export CUDA_MODULE_LOADING=EAGER WORLD_SIZE=$gpus
processes=()
for ((rank = 0; rank < gpus; ++rank)); do
  RANK=$rank LOCAL_RANK=$rank timeout 120 "$1" "$dir/id" &
  processes+=($!)
done
for process in "${processes[@]}"; do wait "$process"; done
