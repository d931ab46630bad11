#!/usr/bin/env bash
# Installs the built library into an empty folder and moves it away from the checkout. Then builds and runs against it the project in this
# folder and the examples for C++ and C. Where this system lets a user hide folders, the checkout is hidden from what was built.
#   run.sh CMAKE BUILD_DIR CXX
set -eu
cmake=$1
build=$2
cxx=$3
here=$(cd "$(dirname "$0")" && pwd)
checkout=$(cd "$here/../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$cmake" --install "$build" --prefix "$work/first"
mv "$work/first" "$work/prefix"
prefix=$work/prefix
cp -r "$here" "$checkout/examples" "$checkout/data/iris.csv" "$work"
# What is installed: the public headers and no other, and no path of the checkout or of the first folder.
diff <(cd "$checkout/include" && find . -type f | sort) <(cd "$prefix/include" && find . -type f | sort)
for path in "$checkout" "$work/first"; do
  if named=$(grep -rlF "$path" "$prefix"); then
    echo "these installed files name $path:" $named
    exit 1
  fi
done
# hidden COMMAND...: runs it without the checkout.
hidden() {
  if unshare --user --map-root-user --mount mount -t tmpfs none "$checkout" 2> /dev/null; then
    # shellcheck disable=SC2016
    unshare --user --map-root-user --mount sh -c 'mount -t tmpfs none "$1"; shift; exec "$@"' sh "$checkout" "$@"
  else
    "$@"
  fi
}
cd "$work"
hidden "$cmake" -S install -B built -DEXAMPLES="$work/examples" -DCMAKE_PREFIX_PATH="$prefix" -DCMAKE_BUILD_TYPE=Release -DCMAKE_CXX_COMPILER="$cxx"
hidden "$cmake" --build built
hidden built/uses_treewright
hidden built/cpp/train_tree iris.csv | diff examples/cpp/output.txt -
hidden built/cpp/predict_rows iris.csv tree.json | diff examples/cpp/predicted.txt -
hidden built/c/train_tree_c | diff examples/c/output.txt -
hidden "$prefix/bin/treewright" --version
# As a part of another project the checkout is configured with the two libraries and nothing else. Compiling it is the same work again.
mkdir part
cat > part/CMakeLists.txt << END
cmake_minimum_required(VERSION 3.22)
project(has_treewright_inside LANGUAGES CXX)
add_subdirectory($checkout treewright EXCLUDE_FROM_ALL)
add_executable(train_tree $work/examples/cpp/train_tree.cpp)
target_link_libraries(train_tree PRIVATE treewright::treewright)
END
"$cmake" -S part -B part/built -G "Unix Makefiles" -DCMAKE_CXX_COMPILER="$cxx" > part/log
"$cmake" --build part/built --target help > part/targets
grep -q treewright_c part/targets
if grep -E 'treewright_cli|treewright_tests' part/targets; then
  echo "a project with treewright inside builds more than the libraries"
  exit 1
fi
# The MIP solver inside is there if the build has one.
if "$build/treewright" fit iris.csv --method oct --solver mip --max-depth 1 --out built.json > /dev/null 2>&1; then
  hidden "$prefix/bin/treewright" fit iris.csv --method oct --solver mip --max-depth 1 | grep -q optimal
fi
