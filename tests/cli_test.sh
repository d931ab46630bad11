#!/usr/bin/env bash
# Runs the built command as a user would: exit codes, output, files, interruption.
#   cli_test.sh COMMAND SOURCE_DIR
# Its parts stand in the folder cli. They share one folder of files, and a part uses what an earlier one has written.
set -u
treewright=$1
source=$2
iris=$source/data/iris.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

fail() { echo "FAILED: $*"; sed 's/^/    out: /' out; sed 's/^/    err: /' err; failures=$((failures + 1)); }

# expect CODE ARGUMENT...: runs the command and compares its exit code; leaves its output in the files out and err.
expect() {
  local wanted=$1; shift
  "$treewright" "$@" > out 2> err < /dev/null
  local code=$?
  [ "$code" -eq "$wanted" ] || fail "exit code $code instead of $wanted: treewright $*"
}
without_tags() { sed -i 's/<[^>]*>//g' out; }
out_has() { grep -qF -- "$1" out || fail "the output lacks: $1"; }
err_has() { grep -qF -- "$1" err || fail "the messages lack: $1"; }
silent() { [ ! -s err ] || fail "standard error should be empty"; }
keys() { sed -n 's/^ *"\([a-z_]*\)":.*/\1/p' "$1" | tr '\n' ' '; }
value() { sed -n "s/^ *\"$1\": *\(.*[^,]\),*\$/\1/p" out; }
# A tree file without its checksum.
unsigned() { grep -v '"checksum"' "$1" | tr -d '\n' | sed 's/, *}$/}/'; }
same() { [ "$1" = "$2" ] || fail "'$1' is not '$2' ($3)"; }

for part in itself fit trees many data numbers ends; do
  # shellcheck disable=SC1090
  . "$source/tests/cli/$part.sh"
done

[ "$failures" -eq 0 ] && echo "all passed"
exit $((failures > 0))
