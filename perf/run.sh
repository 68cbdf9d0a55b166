#!/usr/bin/env bash
# Runs the benchmarks that are in a folder, and reports.
#   perf/run.sh DIR OUT [--random_sizes] [OPTION...]
#
# DIR is <build>/perf/bench, or wherever it was carried: it needs no more than a driver. Writes
# OUT/<chip>-<date>-<bench>.json and, where python3 has matplotlib, OUT/report.md and plots of all JSON in OUT of that
# chip and date. --random_sizes also runs the curve over random sizes; other options go to the
# benchmarks (--filter=REGEX, --all). Exit status: 1 if a row failed, 77 without a GPU.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
usage() {
  sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
}
[[ $# -ge 2 && -d $1 ]] || usage
mkdir -p "$2" || exit 2
dir=$(cd "$1" && pwd)
out=$(cd "$2" && pwd)
shift 2

random_sizes=0 options=()
for option in "$@"; do
  case $option in
    --random_sizes) random_sizes=1 ;;
    *) options+=("$option") ;;
  esac
done

failed=0 stem=

# From the JSON's own head; a file that was not finished has none.
head_of() { sed -n "s/^ *\"$1\": \"\([^\"]*\)\".*/\1/p" "$2" | head -n 1; }

# bench <program> <name> [option...]
bench() {
  local program=$1 name=$2 json status chip date
  shift 2
  json=$(mktemp "$out/.running-XXXXXX") || exit 2
  # From its own folder, so that the JSON tells no paths; nor shall it tell the machine's name.
  (cd "$dir" && "./$program" --out="$json" "$@")
  status=$?
  if [[ $status -eq 77 ]]; then
    rm -f "$json"
    exit 77
  fi
  if [[ $status -eq 3 ]]; then  # the filter chose none of this program's rows
    rm -f "$json"
    return
  elif [[ $status -ne 0 ]]; then
    echo "$program: exit status $status" >&2
    failed=1
  fi
  sed -i '/"host_name":/d; /"executable":/d' "$json"
  chip=$(head_of gpu "$json" | tr '[:upper:] ' '[:lower:]-')
  date=$(head_of date "$json" | cut -c 1-10)
  if [[ -z $chip || -z $date ]]; then
    rm -f "$json"
    return
  fi
  stem=$chip-$date
  chmod 644 "$json"
  mv "$json" "$out/$stem-$name.json"
}

for program in "$dir"/bench_*; do
  [[ -x $program ]] || usage
  program=${program##*/}
  bench "$program" "${program#bench_}" "${options[@]}"
done
if [[ $random_sizes -eq 1 ]]; then bench bench_sort random-sizes --random_sizes "${options[@]}"; fi

[[ -n $stem ]] || exit $((failed ? 1 : 3))
report=
for python in python3 /usr/bin/python3; do
  if "$python" -c 'import matplotlib' 2>/dev/null; then report=$python && break; fi
done
if [[ -n $report ]]; then
  "$report" "$here/report.py" "$out/$stem"-*.json --out "$out" || failed=1
else
  echo "no report: python3 has no matplotlib; elsewhere: perf/report.py $stem-*.json --out DIR" >&2
fi
exit "$failed"
