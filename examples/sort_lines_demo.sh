#!/usr/bin/env bash
# Shows sort_lines at work on a real text, and checks every byte of its output against GNU sort on all cores.
#
#   sort_lines_demo.sh BINARY [MEGABYTES [FOLDER]]
#
# The text is all headers under the folder, once and then in other orders until it has that size. Without a folder, they
# are those of the CUDA toolkit; without a size it is 10 MB, or where there is a GPU 1,500 MB or what a fifth of the free
# disk and of the free memory hold. Beside BINARY may stand BINARY_by_thrust, which sorts with Thrust's functions; where
# there is a GPU it is timed, too. Ends with an error where outputs differ.
set -euo pipefail
export LC_ALL=C

if [[ $# -lt 1 || $# -gt 3 || ! -x $1 || ! ${2-1} =~ ^[1-9][0-9]{0,5}$ ]]; then
  echo "usage: ${0##*/} BINARY [MEGABYTES [FOLDER]]" >&2
  exit 2
fi
binary=$(realpath "$1")
by_thrust=${binary}_by_thrust
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT

has_gpu=false
if "$binary" --device=gpu /dev/null >/dev/null 2>&1; then has_gpu=true; fi

# Prints how many bytes of text are to be sorted.
default_bytes() {
  if ! $has_gpu; then
    echo 10000000
    return
  fi
  {
    echo 1500000000
    df --output=avail -B 1 "$dir" | awk 'NR == 2 { print int($1 / 5) }'
    awk '/^MemAvailable:/ { print int($2 * 1024 / 5) }' /proc/meminfo
  } | sort -n | head -n 1
}
if [[ $# -gt 1 ]]; then bytes=$(($2 * 1000000)); else bytes=$(default_bytes); fi
if ((bytes < 1000000)); then
  echo "too little memory, or room in $dir, is free for a demo" >&2
  exit 1
fi

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
  find -L "$1" -type f \( -name '*.h' -o -name '*.hpp' -o -name '*.cuh' -o -name '*.inl' \) | sort >"$dir/headers"
  if [[ ! -s $dir/headers ]]; then
    echo "no headers under $1" >&2
    exit 1
  fi
  tr '\n' '\0' <"$dir/headers" | xargs -0 cat >"$dir/text"
  local size times seed
  size=$(wc -c <"$dir/text")
  if ((size < bytes / 1000)); then
    echo "only $size bytes of headers under $1, too few for a text of $bytes bytes" >&2
    exit 1
  fi
  times=$(((bytes + size - 1) / size))
  for ((seed = 2; seed <= times; ++seed)); do
    shuf --random-source=<(yes "$seed") "$dir/headers" | tr '\n' '\0' | xargs -0 cat >>"$dir/text"
  done
}

# Makes a table as large as the text is to be, but of 50 MB at most, repeated up to a fifth of the text: column 2 of
# fractions, few enough different ones that many lines are equal by them, and column 3 of large integers.
make_table() {
  local once=$((bytes > 50000000 ? 50000000 : bytes))
  awk -v bytes="$once" 'BEGIN {
    srand(1)
    for (n = 0; n < bytes; n += length(line) + 1) {
      line = sprintf("event%d %.2f %.0f", ++events, rand() * 200 - 100, (rand() - 0.5) * 2^53)
      print line
    }
  }' >"$dir/once"
  : >"$dir/table"
  until [[ -s $dir/table ]] && (($(wc -c <"$dir/table") >= bytes / 5)); do cat "$dir/once" >>"$dir/table"; done
}

# timed COMMAND...: runs it, and puts the seconds it took into `took`
timed() {
  local start=$EPOCHREALTIME
  "$@" || return
  took=$(awk -v start="$start" -v now="$EPOCHREALTIME" 'BEGIN { printf "%.2f", now - start }')
}

# check FILE OPTIONS: ends all of this unless the file is what GNU sort made with these options
check() {
  if ! cmp "$1" "$dir/gnu"; then
    echo "  DIFFERS from sort -s $2" >&2
    exit 1
  fi
  rm "$1"
}

# compare TITLE FILE [sort_lines option...] -- [sort option...]
compare() {
  local title=$1 file=$2 ours=() took
  shift 2
  while [[ $1 != -- ]]; do
    ours+=("$1")
    shift
  done
  shift

  echo "$title"
  timed sort -s --parallel="$(nproc)" -S "$memory" "$@" -o "$dir/gnu" "$file"
  local gnu_took=$took thrust_took=''
  if $has_gpu && [[ -x $by_thrust ]]; then
    timed "$by_thrust" "${ours[@]}" --output="$dir/thrusts" "$file" 2>"$dir/report" || { cat "$dir/report" >&2 && exit 1; }
    thrust_took=", by Thrust $took s"
    check "$dir/thrusts" "$*"
  fi
  timed "$binary" "${ours[@]}" --output="$dir/ours" "$file"
  echo "  from file to file $took s$thrust_took, GNU sort with $(nproc) cores $gnu_took s"
  check "$dir/ours" "$*"
  echo "  every byte as from sort -s $*"
}

folder=${3:-$(header_folder)}
make_text "$folder"
make_table
# GNU sort may have as much memory as it wants to need no temporary files, but not more than there is.
memory=$(awk '/^MemAvailable:/ { print int($2 * 3 / 4) "K" }' /proc/meminfo)
echo "text: $(wc -c <"$dir/text") bytes of the headers under $folder"
compare 'lines' "$dir/text" --
compare 'lines, reversed' "$dir/text" --reverse -- -r
compare 'numbers in column 2' "$dir/table" --key=2 -- -n -k 2,2
compare 'numbers in column 3, reversed' "$dir/table" --key=3 --reverse -- -r -n -k 3,3
