#!/usr/bin/env bash
# Shows sort_lines at work on a real text, and checks every byte of its output against GNU sort.
#
#   sort_lines_demo.sh BINARY [MEGABYTES [FOLDER]]
#
# The text is all headers under the folder, one after the other, repeated up to at least that size. Without them: 10 MB,
# and the headers of the CUDA toolkit. Ends with an error where the outputs differ.
set -euo pipefail
export LC_ALL=C
export CUDA_MODULE_LOADING=EAGER # else the first call of the sort, the one that is timed, also loads its kernels

if [[ $# -lt 1 || ! -x $1 ]]; then
  echo "usage: ${0##*/} BINARY [MEGABYTES [FOLDER]]" >&2
  exit 2
fi
binary=$(realpath "$1")
bytes=$((${2:-10} * 1000000))
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

# Prints the folder of the toolkit that nvcc belongs to, or of the system's headers where there is no toolkit.
header_folder() {
  local nvcc
  nvcc=$(command -v "${NVCC:-nvcc}" || command -v /usr/local/cuda/bin/nvcc || true)
  local toolkit=${nvcc:+$(dirname "$(dirname "$(readlink -f "$nvcc")")")}
  if [[ -n $toolkit && -f $toolkit/include/cuda_runtime.h ]]; then
    echo "$toolkit/include"
  else
    echo /usr/include
  fi
}

make_text() {
  find -L "$1" -type f \( -name '*.h' -o -name '*.hpp' -o -name '*.cuh' -o -name '*.inl' \) -print0 |
    sort -z | xargs -0 cat >"$dir/text"
  if [[ ! -s $dir/text ]]; then
    echo "no headers under $1" >&2
    exit 1
  fi
  while (($(wc -c <"$dir/text") < bytes)); do
    cp "$dir/text" "$dir/half"
    cat "$dir/half" >>"$dir/text"
  done
}

# Makes column 2 of fractions, few enough different ones that many lines are equal by them, and column 3 of large
# integers.
make_table() {
  awk -v bytes="$bytes" 'BEGIN {
    srand(1)
    for (n = 0; n < bytes; n += length(line) + 1) {
      line = sprintf("event%d %.2f %.0f", ++events, rand() * 200 - 100, (rand() - 0.5) * 2^53)
      print line
    }
  }' >"$dir/table"
}

# compare TITLE FILE [sort_lines option...] -- [sort option...]
compare() {
  local title=$1 file=$2 ours=() start
  shift 2
  while [[ $1 != -- ]]; do
    ours+=("$1")
    shift
  done
  shift

  echo "$title"
  start=$EPOCHREALTIME
  "$binary" "${ours[@]}" --output="$dir/ours" "$file" 2>"$dir/report" || { cat "$dir/report" >&2 && exit 1; }
  local ours_took
  ours_took=$(seconds_since "$start")
  start=$EPOCHREALTIME
  sort -s "$@" -o "$dir/gnu" "$file"
  local gnu_took
  gnu_took=$(seconds_since "$start")
  sed 's/^sort_lines: /  /' "$dir/report"
  echo "  from file to file $ours_took s; GNU sort $gnu_took s"
  if ! cmp "$dir/ours" "$dir/gnu"; then
    echo "  DIFFERS from sort -s $*" >&2
    exit 1
  fi
  echo "  every byte as from sort -s $*"
}

seconds_since() {
  awk -v start="$1" -v now="$EPOCHREALTIME" 'BEGIN { printf "%.2f", now - start }'
}

folder=${3:-$(header_folder)}
make_text "$folder"
make_table
echo "text: the headers under $folder"
compare 'lines' "$dir/text" --
compare 'lines, reversed' "$dir/text" --reverse -- -r
compare 'numbers in column 2' "$dir/table" --key=2 -- -n -k 2,2
compare 'numbers in column 3, reversed' "$dir/table" --key=3 --reverse -- -r -n -k 3,3
