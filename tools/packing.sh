# Sourced by tools/python, tools/wheel and tools/wheels.

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
