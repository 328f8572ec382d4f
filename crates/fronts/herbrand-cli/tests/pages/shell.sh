#!/usr/bin/env bash
# Runs the command of this script's name, where the words `<`, `>`, `|` and `|&` mean what they mean in a shell. The status of
# a pipe is that of its last command that failed, and empty lines at the end of the output are dropped.
herbrand() { "$HERBRAND" "$@"; }
set -o pipefail
line=${0##*/} at=0
for word; do
  ((at += 1))
  case $word in
    '<' | '>' | '|' | '|&') line="$line $word" ;;
    *) line="$line \"\${$at}\"" ;;
  esac
done
output=$(eval "$line" 2>&1)
status=$?
printf %s "$output"
exit $status
