# Sourced by tools/python, tools/wheel, tools/wheels, tools/web and tools/root.

# made FILE CONTENT: whether the file says that what lies beside it was made from this content.
made() { [ -f "$1" ] && [ "$(cat "$1")" = "$2" ]; }

# environment NAME REQUIREMENTS: a virtual environment with these packages; remade when the list or the Python changes.
environment() {
  local stamp="$1/made-for" wanted
  wanted=$(python3 --version; cat "$2")
  made "$stamp" "$wanted" && return
  echo "making $1"
  rm -rf "$1"
  python3 -m venv "$1"
  "$1/bin/python" -m pip install --quiet --upgrade pip
  "$1/bin/python" -m pip install --quiet -r "$2"
  echo "$wanted" > "$stamp"
}

# pack ENVIRONMENT PACKAGE FOLDER: the wheel of a library that is built already, into FOLDER. PACKAGE is where
# `cmake --install --component python` put the library.
pack() {
  rm -rf "$3"
  "$1/bin/python" -m pip wheel --quiet --no-build-isolation --no-deps --wheel-dir "$3" -C cmake.source-dir=python/wheel \
    -C build-dir=build/wheel-files -C cmake.define.TREEWRIGHT_PACKAGE="$2" .
}

# debian_source FOLDER [OPTION] NAME...: sources of packages as this machine's Debian has them, from the archive that it is set up for. apt checks
# the signatures.
debian_source() {
  local folder=$1 apt=$1/apt list options
  shift
  rm -rf "$folder"
  mkdir -p "$apt"/{lists,archives}/partial "$apt/parts"
  for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.{list,sources}; do
    [ -f "$list" ] && sed -e 's/^Types: deb$/Types: deb-src/' -e 's/^deb /deb-src /' "$list" > "$apt/parts/$(basename "$list" | sed 's/^sources\.list$/main.list/')"
  done
  apt=$(realpath "$apt")
  options=(-qq -o Dir::Etc::SourceList=/dev/null -o "Dir::Etc::SourceParts=$apt/parts" -o "Dir::State::Lists=$apt/lists"
    -o "Dir::Cache::Archives=$apt/archives" -o Dir::Cache::pkgcache= -o Dir::Cache::srcpkgcache= -o APT::Sandbox::User=root)
  apt-get "${options[@]}" update
  (cd "$folder" && apt-get "${options[@]}" source "$@" > apt.log)
  rm -rf "$apt"
}

# debian_sources FOLDER: the libraries' sources as Debian 12 has them, with its patches. On any other system CMake downloads them
# (cmake/dependencies.cmake).
debian_sources() {
  local sources=$1
  [ ! -f "$sources/complete" ] || return 0
  command -v dpkg-source > /dev/null && grep -q '^VERSION_ID="12"' /etc/os-release || return 0
  debian_source "$sources" fmtlib highway nlohmann-json3 cli11 zlib
  mv "$sources"/fmtlib-*/ "$sources/fmt"
  mv "$sources"/highway-*/ "$sources/hwy"
  mv "$sources"/nlohmann-json3-*/ "$sources/nlohmann_json"
  mv "$sources"/cli11-*/ "$sources/cli11"
  mv "$sources"/zlib-*/ "$sources/zlib"
  touch "$sources/complete"
}
