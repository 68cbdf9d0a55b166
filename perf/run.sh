#!/usr/bin/env bash
# Runs the benchmarks that are in a folder, and reports.
#   perf/run.sh DIR OUT [--random_sizes] [OPTION...]
#
# DIR is <build>/perf/bench, or wherever it was carried: it needs no more than a driver. Writes
# OUT/<chip>-<date>-<bench>.json and, where python3 has matplotlib, OUT/report.md and plots of all JSON in OUT of that
# chip and date. --random_sizes also runs the curve over random sizes; other options go to the
# benchmarks (--benchmark_filter=REGEX, --all). Exit status: 1 if a row failed, 3 if none is chosen, 77 without a GPU.
set -uo pipefail

here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
if [[ $# -lt 2 || ! -d $1 ]] || ! mkdir -p "$2"; then
  sed -n '2,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}" >&2
  exit 2
fi
dir=$(cd "$1" && pwd) out=$(cd "$2" && pwd)
shift 2
random_sizes=no failed=0 stem=
if [[ ${1-} == --random_sizes ]]; then random_sizes=yes && shift; fi

# bench <program> <name> [option...]
bench() {
  local program=$1 name=$2 json=$out/.running.json status
  shift 2
  rm -f "$json"
  # From its own folder, so that the JSON tells no paths; nor shall it tell the machine's name.
  (cd "$dir" && "./$program" --benchmark_out="$json" "$@")
  status=$?
  case $status in
    0) ;;
    3) return ;;  # the filter chose none of this program's rows
    77) exit 77 ;;
    *) echo "$program: exit status $status" >&2 && failed=1 ;;
  esac
  [[ -s $json ]] || return
  sed -i '/"host_name":/d; /"executable":/d' "$json"
  stem=$(sed -n 's/^ *"gpu": "\(.*\)".*/\1/p' "$json" | tr '[:upper:] ' '[:lower:]-')
  stem+=-$(sed -n 's/^ *"date": "\(.\{10\}\).*/\1/p' "$json")
  mv "$json" "$out/$stem-$name.json"
}

for program in "$dir"/bench_*; do
  program=${program##*/}
  bench "$program" "${program#bench_}" "$@"
done
if [[ $random_sizes == yes ]]; then bench bench_sort random-sizes --random_sizes "$@"; fi
[[ -n $stem ]] || exit $((failed ? 1 : 3))

for python in python3 /usr/bin/python3; do
  if "$python" -c 'import matplotlib' 2>/dev/null; then
    "$python" "$here/report.py" "$out/$stem"-*.json --out "$out" || failed=1
    exit "$failed"
  fi
done
echo "no report: python3 has no matplotlib; elsewhere: perf/report.py $stem-*.json --out DIR" >&2
exit "$failed"
