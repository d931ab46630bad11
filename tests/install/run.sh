#!/usr/bin/env bash
# Installs the built library into an empty folder, then builds and runs against it the project in this folder and the examples for C++ and C.
#   run.sh CMAKE BUILD_DIR CXX
set -eu
cmake=$1
build=$2
cxx=$3
here=$(cd "$(dirname "$0")" && pwd)
examples=$(cd "$here/../../examples" && pwd)
work=$build/install-test
rm -rf "$work"
"$cmake" --install "$build" --prefix "$work/prefix"
# Nothing of the source tree may be needed: only the prefix is given.
"$cmake" -S "$here" -B "$work/build" -DEXAMPLES="$examples" -DCMAKE_PREFIX_PATH="$work/prefix" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$cxx"
"$cmake" --build "$work/build"
"$work/build/uses_treewright"
"$work/build/cpp/train_tree" "$here/../../data/iris.csv" | diff "$examples/cpp/output.txt" -
"$work/build/c/train_tree_c" | diff "$examples/c/output.txt" -
"$work/prefix/bin/treewright" --version
# What is installed: the public headers and no other.
diff <(cd "$here/../../include" && find . -type f | sort) <(cd "$work/prefix/include" && find . -type f | sort)
