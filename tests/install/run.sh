#!/usr/bin/env bash
# Installs the built library into an empty folder, then builds and runs the project in this folder against it.
#   run.sh CMAKE BUILD_DIR CXX
set -eu
cmake=$1
build=$2
cxx=$3
here=$(cd "$(dirname "$0")" && pwd)
work=$build/install-test
rm -rf "$work"
"$cmake" --install "$build" --prefix "$work/prefix"
# The program of the README.
awk '/^```/ { inside = $0 == "```cpp"; next } inside' "$here/../../README.md" > "$work/readme.cpp"
# Nothing of the source tree may be needed: only the prefix is given.
"$cmake" -S "$here" -B "$work/build" -DREADME="$work/readme.cpp" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$cxx"
"$cmake" --build "$work/build"
(cd "$here/../../data" && "$work/build/readme")
"$work/build/uses_treewright"
"$work/build/uses_treewright_c"
"$work/prefix/bin/treewright" --version
# What is installed: the public headers and no other.
diff <(cd "$here/../../include" && find . -type f | sort) <(cd "$work/prefix/include" && find . -type f | sort)
