#!/usr/bin/env bash
# Runs a program, or all, of two executables and compares what they print.
#   test/dropin/compare.sh equal A B [PROGRAM]    line by line
#   test/dropin/compare.sh within A B [PROGRAM]   every line of B is one of A's; lines that begin with "-- " are headings
# Exits with 77 if either executable says, by that status, that it lacks a GPU.
set -u
how=$1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

a=$2 b=$3
shift 3
for which in a b; do
  "${!which}" "$@" >"$folder/$which"
  status=$?
  if [ $status -ne 0 ]; then
    echo "${!which}:"
    tail -n 3 "$folder/$which"
    exit $status
  fi
done
for which in a b; do
  [ "$(tail -n 1 "$folder/$which")" = end ] || { echo "${!which} has not come to its end" && exit 1; }
done
echo "$(wc -l <"$folder/b") lines"
case $how in
  equal) diff "$folder/a" "$folder/b" ;;
  within) ! grep -v '^-- ' "$folder/b" | grep -vxFf "$folder/a" ;;
  *) exit 2 ;;
esac
