#!/usr/bin/env bash
# Tests the example sort_lines against GNU sort.
# shellcheck disable=SC2015  # "this && that || fail": fail is what is wanted when either fails
#
#   test_sort_lines.sh BINARY [host|gpu]
#
# Without a device it runs on the host and, where there is a GPU, on it, too. It exits with 77 if it is asked for the
# GPU and there is none, and otherwise with 0 or 1.
set -u
export LC_ALL=C

if [[ $# -lt 1 || ! -x $1 ]]; then
  echo "usage: ${0##*/} BINARY [host|gpu]" >&2
  exit 2
fi
binary=$(realpath "$1")
script=$(realpath "$0")
dir=$(realpath "$(mktemp -d)")
trap 'rm -rf "$dir"' EXIT
cd "$dir" || exit 1

checks=0
failures=0
fail() {
  failures=$((failures + 1))
  echo "FAILED ($device): $*" >&2
  sed 's/^/    /' err >&2
}

# same_as_sort FILE [sort_lines option...] -- [sort option...]
# The file goes through both programs, and the outputs must be the same bytes.
same_as_sort() {
  local file=$1 ours=()
  shift
  while [[ $1 != -- ]]; do
    ours+=("$1")
    shift
  done
  shift
  checks=$((checks + 1))
  sort -s "$@" "$file" >expected || { fail "sort -s $* $file did not run" && return; }
  "$binary" --device="$device" "${ours[@]}" "$file" >got 2>err || { fail "${ours[*]} $file: exit $?" && return; }
  cmp expected got >cmp_says 2>&1 || fail "${ours[*]} $file: $(cat cmp_says)"
}

# Sorts the file by its lines in every way; by_column does so by a column.
by_line() {
  same_as_sort "$1" --
  same_as_sort "$1" --reverse -- -r
}
by_column() {
  same_as_sort "$1" --key="$2" -- -n -k "$2,$2"
  same_as_sort "$1" --key="$2" --reverse -- -r -n -k "$2,$2"
}

# refuses STATUS PATTERN ARGUMENT...
# The program must end with that status, say something that matches the pattern on stderr, and print no lines.
refuses() {
  local status=$1 pattern=$2 is
  shift 2
  checks=$((checks + 1))
  "$binary" "$@" >got 2>err
  is=$?
  [[ $is == "$status" ]] || fail "$*: exit $is, not $status"
  grep -Eq -e "$pattern" err || fail "$*: does not say '$pattern'"
  [[ ! -s got ]] || fail "$*: refused, but printed"
}

# random_lines SEED LINES MAX_LENGTH ALPHABET
random_lines() {
  awk -v seed="$1" -v lines="$2" -v max="$3" -v alphabet="$4" 'BEGIN {
    srand(seed)
    for (i = 0; i < lines; ++i) {
      s = ""
      for (n = int(rand() * (max + 1)); n > 0; --n) s = s substr(alphabet, 1 + int(rand() * length(alphabet)), 1)
      print s
    }
  }'
}

make_texts() {
  : >empty
  printf '\n' >newline
  printf '\n\n\n\n\n' >newlines
  printf 'b' >one_byte
  printf 'b\na' >no_newline
  printf 'b\n\na\nb\n' >small
  printf 'b\r\na\r\n\r\na\nb\r\n' >crlf
  # There are NUL bytes, and other bytes below and above the newline, in and behind the first 7 bytes.
  printf 'a\0b\na\na\0\n\0\n\na\0\0\na\tb\na\001b\n\0\0\n' >nul
  printf '1234567\0\n1234567\n1234567\t\n1234567\001\n12345678\n123456\n123456\0\n1234567\0\0\n1234567 \n' >nul_far
  printf '\377\n\200\n\177\n\377\377\na\n\376\n1234567\377\n1234567\177\n' >high_bytes
  printf '%s\n' a aa aaa aaaaaaa aaaaaa aaaaaaaa aaaaaaaaa aaaaaaaab aaaaaaab aaaaaaa aaaaaaaaaaaaaaaa >prefixes
  # Lines of 1 MB differ in nothing, in the last byte, and in the length.
  head -c 1000000 /dev/zero | tr '\0' x >megabyte
  for end in 2 1 '' 1; do
    cat megabyte
    echo "$end"
  done >long
  cat long long newlines long >long_twice
  # The longest line of few: a sort fills the rest of a tile with it, and compares these copies.
  { printf 'b\n' && for _ in 1 2 3 4 5 6 7 8; do cat megabyte; done && printf '\na\n'; } >longer

  random_lines 1 20000 3 'ab' >many_equal
  random_lines 2 20000 12 'ab' >random_ab
  random_lines 3 20000 40 'abcdefghijklmnopqrstuvwxyz 	.-' >random_text
  random_lines 4 20000 12 'ab' | tr a '\0' >random_nul
  head -c 300000 "$binary" >binary
  # There are far more lines than one tile of a GPU sort has, many of them equal.
  for _ in 1 2 3 4 5 6 7 8 9 10; do
    cat random_text many_equal random_ab "$script"
  done >large

  # Here is what a number may look like, between bars, each once with the other column counting on.
  tr '|' '\n' <<'END' | awk '{ print $0 "\t" NR }' >numbers
0|-0|00|-00.00|.|-|-.|.5|-.5|0.5|0.50|5.|5|+5|05|-5|--5|- 5|1e3|1000|0x10|16|12kg|12|1.2.3|1.2|1.20
1.25|1,000| 7|   7|	7|7|007|nan|inf|-inf|abc|9223372036854775807|9223372036854775808
9223372036854775806|-9223372036854775808|-9223372036854775809|-9223372036854775807
18446744073709551615|18446744073709551616|18446744073709551617|1234567890123456789
1234567890123456789.0|1234567890123456789.1|1234567890123456789.01|1234567890123456789.10
12345678901234567890|12345678901234567890.5|12345678901234567891|123456789012345678.9012345
123456789012345678.90123449|123456789012345678.9012345000|123456789012345678.901234500001
-123456789012345678.901234500001|-123456789012345678.9012345|-123456789012345678.90123
10000000000000000000000000000000000|10000000000000000000000000000000001
10000000000000000000000000000000000.0|10000000000000000000000000000000000.000000001
-10000000000000000000000000000000001|-10000000000000000000000000000000000
100000000000000000000000000000000000|0.1|0.10000000000000000000000000001
0.10000000000000000000000000000|0.0000000000000000000000000000000000000000000000001
0.00000000000000000000000000000000000000000000000010
0.00000000000000000000000000000000000000000000000011
-0.0000000000000000000000000000000000000000000000001|0.3|0.30000000000000004
00000000000000000000000000000000000012|-00000000000000000000000000000000000012
000000000000000000000000000000000000.000012
END
  # The numbers stand in column 3, behind blanks of both kinds; and some lines have no such column.
  {
    printf '\n \n\t\nx\nx y\nx y \n  x\t\ty   9\n\rx y\f\v 4\n'
    awk '{ print "  x\ty-" NR % 3 " \t " $0 "\r" }' numbers
  } >columns
  # There are enough lines for many tiles, with few values, so that stability shows.
  awk 'BEGIN {
    srand(5)
    for (i = 0; i < 50000; ++i) print i, int(rand() * 100) - 50, int(rand() * 1000) / 100 - 5
  }' >table
  random_lines 6 20000 6 '01.- ' | awk '{ print $0 " " NR }' >random_numbers
  random_lines 7 20000 30 '00000001.' | awk '{ print (NR % 2 ? "" : "-") $0 " " NR }' >random_long_numbers
  for end in 2 1 .1 .01 '' .0; do
    printf 1
    head -c 5000 /dev/zero | tr '\0' 0
    echo "$end"
  done >long_number
}

test_order() {
  local text
  for text in empty newline newlines one_byte no_newline small crlf nul nul_far high_bytes prefixes long long_twice \
    longer many_equal random_ab random_text random_nul binary large numbers columns; do
    by_line "$text"
  done
  for text in empty newlines no_newline small crlf nul numbers columns random_text random_numbers \
    random_long_numbers long_number long binary; do
    by_column "$text" 1
  done
  by_column numbers 2
  by_column columns 2
  by_column columns 3
  by_column columns 4
  by_column table 2
  by_column table 3
  # In small pieces lines are cut anywhere, and there are many runs to merge.
  if [[ $device == gpu ]]; then
    for text in nul no_newline prefixes small long; do
      same_as_sort "$text" --piece="$([[ $text == long ]] && echo 70000 || echo 3)" --
    done
    for text in random_text many_equal large; do
      same_as_sort "$text" --piece=30011 --
      same_as_sort "$text" --piece=30011 --reverse -- -r
    done
    same_as_sort table --piece=10007 --key=2 -- -n -k 2,2
    same_as_sort columns --piece=1 --key=3 --reverse -- -r -n -k 3,3
  fi
  same_as_sort columns --key=18446744073709551615 -- -n -k 18446744073709551615,18446744073709551615
}

test_files() {
  refuses 1 'missing: No such file' --device="$device" missing
  mkdir -p folder
  refuses 1 'folder: Is a directory' --device="$device" folder
  if [[ $(id -u) != 0 ]]; then # root may read everything
    : >secret
    chmod 000 secret
    refuses 1 'secret: Permission denied' --device="$device" secret
  fi
  refuses 1 'nowhere/out: No such file' --device="$device" --output=nowhere/out small
  refuses 1 'folder: Is a directory' --device="$device" --output=folder small
  if [[ -c /dev/full ]]; then
    refuses 1 'full: No space left' --device="$device" --output=/dev/full small
    refuses 1 'full: No space left' --device="$device" --output=/dev/full large
    checks=$((checks + 1))
    "$binary" --device="$device" small >/dev/full 2>err && fail 'a full disk behind stdout: exit 0'
  fi
  # Without standard error the report must not go where the lines go, and without standard output they have no place.
  checks=$((checks + 2))
  "$binary" --device="$device" --output=out small 2>&- && cmp -s out <(sort -s small) || fail 'without stderr'
  "$binary" --device="$device" small >&- 2>err && fail 'without stdout: exit 0'

  # There is too little memory for the records, though enough for the text. CUDA itself wants more than such a limit
  # allows.
  if [[ $device == host ]]; then
    checks=$((checks + 1))
    head -c 40000000 /dev/zero | tr '\0' '\n' >many_newlines
    (ulimit -v 600000 && "$binary" --device=host many_newlines >got 2>err)
    [[ $? == 1 ]] || fail 'little memory: exit status is not 1'
    grep -q 'not enough memory' err || fail 'little memory: not said'
    rm -f many_newlines
  fi

  # The output may be the input, as with sort -o, and a pipe does as a file.
  checks=$((checks + 3))
  sort -s small >expected
  cp small both
  "$binary" --device="$device" --output=both both >got 2>err || fail 'output onto the input: exit not 0'
  cmp -s expected both || fail 'output onto the input: not sorted'
  [[ ! -s got ]] || fail 'output onto the input: printed too'
  sort -s random_text >expected
  "$binary" --device="$device" --piece=5000 <(cat random_text) >got 2>err && cmp -s expected got || fail 'a pipe as input'
  ln -s small link
  "$binary" --device="$device" ./link >got 2>err && cmp -s got <(sort -s small) || fail 'a link as input'
}

test_report() {
  checks=$((checks + 1))
  "$binary" --device="$device" large >got 2>err || fail 'exit not 0'
  local where='CPU'
  [[ $device == gpu ]] && where='GPU, ..*'
  grep -q "device: $where\$" err || fail 'does not say which device'
  grep -q " $(wc -l <large) lines, $(wc -c <large) bytes" err || fail 'does not say how much'
  grep -Eq 'sort [0-9.]+ ms, [0-9.]+ million lines/s, [0-9.]+ MB/s' err || fail 'does not say how fast'
}

test_options() {
  local word
  for word in --key=0 --key= --key=x --key=-1 --key=1x --key=1.5 --key=99999999999999999999 --key --device=tpu \
    --device= --device --piece=0 --piece=x --output= --output --reverse=1 --revers -r - -- -x --key=1,2; do
    refuses 2 '^usage:' "$word" small
  done
  refuses 2 '^usage:'
  refuses 2 '^usage:' --reverse
  refuses 2 '^usage:' small small
  refuses 2 '^usage:' ''
  checks=$((checks + 1))
  "$binary" --help >got 2>err && grep -q '^usage:' got || fail '--help'
  if [[ -c /dev/full ]]; then
    checks=$((checks + 1))
    "$binary" --help >/dev/full 2>err && fail '--help to a full disk: exit 0'
  fi
}

# Where there is a GPU, auto takes it; where there is none, auto says so and sorts all the same.
test_choice() {
  checks=$((checks + 1))
  "$binary" small >got 2>err || fail 'auto: exit not 0'
  cmp -s got <(sort -s small) || fail 'auto: not sorted'
  if $has_gpu; then
    grep -q 'device: GPU' err || fail 'auto: not on the GPU'
  else
    grep -q 'no GPU' err && grep -q 'device: CPU' err || fail 'auto: does not say that there is no GPU'
    refuses 1 'no GPU' --device=gpu small
  fi
}

device=none
: >err
make_texts

has_gpu=true
"$binary" --device=gpu empty >/dev/null 2>err || { grep -q 'no GPU' err && has_gpu=false; }
devices=(host)
$has_gpu && devices+=(gpu)
if [[ $# -gt 1 ]]; then
  devices=("$2")
  if [[ $2 == gpu ]] && ! $has_gpu; then
    echo "skipped: no GPU here"
    exit 77
  fi
fi

for device in "${devices[@]}"; do
  test_order
  test_files
  test_report
done
device=auto
test_options
test_choice
echo "$checks checks on ${devices[*]}, $failures failed"
[[ $failures == 0 ]]
