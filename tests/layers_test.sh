#!/usr/bin/env bash
# Builds a house of a few headers, in which layers.sh finds nothing; then breaks one rule after the other, and layers.sh must say so.
set -u
layers=$(cd "$(dirname "$0")" && pwd)/layers.sh
work=$(mktemp -d); trap 'rm -rf "$work"' EXIT
failed=0
build() {
  rm -rf "$work/house"
  mkdir -p "$work"/house/{cli,tests,bench,include/treewright,src/treewright/{base,search/{items,node},methods/{oct,fair}}}
  cd "$work/house" || exit 1
  printf '%s\n' "base search methods" "public base/error base/options search/fit" "shared methods/oct/open.h" "rooms search items node" > src/LAYERS
  echo '#include "treewright/error.h"' > include/treewright/fit.h
  : > include/treewright/error.h; : > include/treewright/options.h
  header base/file "namespace treewright {" '#include "treewright/error.h"'
  header search/items/problem "namespace treewright::search {" '#include "treewright/base/file.h"' "struct Problem {"
  header search/items/subset "namespace treewright::search {" '#include "treewright/search/items/problem.h"'
  header search/node/solve "namespace treewright::search {" '#include "treewright/search/items/subset.h"'
  header search/exact "namespace treewright::search {" '#include "treewright/search/node/solve.h"'
  header methods/oct/open "namespace treewright::oct {" '#include "treewright/search/exact.h"'
  header methods/oct/closed "namespace treewright::oct {" '#include "treewright/methods/oct/open.h"'
  header methods/fair/method "namespace treewright::fair {" '#include "treewright/methods/oct/open.h"' "struct Method {"
}
header() { local file=src/treewright/$1.h; shift; printf '%s\n' "$@" > "$file"; }
add() { local file=$1; shift; printf '%s\n' "$@" >> "$file"; }
# WHAT LAYERS.SH MUST SAY, after `build` and a change; nothing where the house is sound.
says() {
  local out status
  out=$("$layers" "$work/house" 2>&1); status=$?
  if [ -z "$1" ]; then
    [ "$status" -eq 0 ] && [ -z "$out" ] && return
  else
    [ "$status" -ne 0 ] && grep -qE "$1" <<< "$out" && return
  fi
  failed=1
  printf 'expected: %s\nstatus %s, says: %s\n' "${1:-nothing}" "$status" "$out"
}
code=src/treewright
build; says ""
build; add $code/base/file.h '#include "treewright/search/exact.h"'; says "layer 'base' must not include 'search/exact.h'"
build; add $code/base/file.h '#include <treewright/fit.h>'; says "layer 'base' must not include 'fit.h' of 'search'"
build; mkdir $code/attic; header attic/old '#include "treewright/base/file.h"'; says "layer 'attic' must not"
build; add $code/search/items/problem.h '#include "treewright/search/node/new.h"'; says "'search/items' must not include 'search/node/new.h'"
build; add $code/search/node/solve.h '#include "treewright/search/prove.h"'; says "'search/node' must not include 'search/prove.h'"
build; mkdir $code/search/attic; says "search/attic/ is no room"
build; add $code/methods/fair/method.h '#include "treewright/methods/oct/closed.h"'; says "must not include methods/oct/closed.h of another"
build; add include/treewright/fit.h '#include "treewright/base/file.h"'; says "a public header must not include base/file.h"
build; add $code/search/items/problem.h '#include "treewright/search/items/subset.h"'; says "units include each other"
build; add include/treewright/error.h '#include "treewright/fit.h"'; says "units include each other"
build; add include/treewright/error.h '#include <treewright/fit.h>'; says "units include each other"
build; add $code/search/items/subset.h '#include "treewright/search/node/solve.h"'; says "folders include each other in a circle"
build; add $code/base/file.h '#include "error.h"'; says 'base/file.h:[0-9]+:#include "error.h"'
build; header search/items/problem "namespace treewright {"; says "problem.h: is not in namespace treewright::search"
build; add $code/base/file.h "using namespace std;"; says "a header says 'using namespace'"
build; add $code/search/exact.h "struct Problem {"; says "defined by two headers: treewright::search::Problem"
long=$(printf 'word %.0s' {1..30})
build; add cli/main.cpp "// $long"; says "comments beyond column 140"
build; add include/treewright/fit.h "int rows;  // $long"; says "comments beyond column 140"
build; mkdir web; echo 'auto find(Range&& range) {' > web/libcxx13.h
add $code/base/file.h "int a = std::ranges::find(b) + std::ranges::copy(c);"; says ""
add $code/base/file.h "int d = std::ranges::rotate(e);"; says "web/libcxx13.h lacks std::ranges::rotate"
build; add bench/clock.c " * $long"; says "comments beyond column 140"
exit $failed
