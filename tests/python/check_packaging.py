"""The recipes of packaging/, filled and read as those who get them would: check_packaging.py, run by `make lint`.

rattler-build renders the recipe of conda-forge. Neither vcpkg nor conda-forge's linter is at hand: CMake runs the port with stand-ins for
vcpkg's functions, whose names and arguments are checked, and configures with the port's options.
"""

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path

SOURCE = Path(__file__).parents[2]
sys.path.insert(0, str(SOURCE / "packaging"))
import fill

ARCHIVE = b"an archive"
SYSTEMS = ["linux-64", "linux-aarch64", "osx-64", "osx-arm64"]

# What vcpkg gives a port. The configuration is run where CMake finds the libraries.
STAND_INS = """
cmake_minimum_required(VERSION 3.22)
set(VERSION @VERSION@)
set(CURRENT_PACKAGES_DIR @FOLDER@/packages)
set(FEATURES core tools)
function(vcpkg_from_github)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "OUT_SOURCE_PATH;REPO;REF;SHA512;HEAD_REF" "")
  if(given_UNPARSED_ARGUMENTS OR NOT given_REPO STREQUAL "someone/treewright" OR NOT given_REF STREQUAL "v@VERSION@")
    message(FATAL_ERROR "vcpkg_from_github: ${ARGN}")
  endif()
  string(LENGTH "${given_SHA512}" length)
  if(NOT length EQUAL 128)
    message(FATAL_ERROR "vcpkg_from_github: the checksum has ${length} digits")
  endif()
  set(${given_OUT_SOURCE_PATH} "@SOURCE@" PARENT_SCOPE)
endfunction()
function(vcpkg_check_features)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "OUT_FEATURE_OPTIONS" "FEATURES")
  list(GET given_FEATURES 1 option)
  set(${given_OUT_FEATURE_OPTIONS} -D${option}=ON PARENT_SCOPE)
endfunction()
function(vcpkg_cmake_configure)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "SOURCE_PATH" "OPTIONS")
  execute_process(COMMAND ${CMAKE_COMMAND} -S ${given_SOURCE_PATH} -B @FOLDER@/build -G Ninja -Wdev --warn-uninitialized ${given_OPTIONS}
                  OUTPUT_QUIET ERROR_VARIABLE said COMMAND_ERROR_IS_FATAL ANY)
  if(said MATCHES "Manually-specified variables")
    message(FATAL_ERROR "${said}")
  endif()
endfunction()
function(vcpkg_cmake_install)
endfunction()
function(vcpkg_cmake_config_fixup)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "PACKAGE_NAME;CONFIG_PATH" "")
  file(READ @FOLDER@/build/cmake_install.cmake rules)
  if(NOT rules MATCHES "${given_CONFIG_PATH}|lib/[^/]*/cmake/treewright")
    message(FATAL_ERROR "nothing is installed to ${given_CONFIG_PATH}")
  endif()
endfunction()
function(vcpkg_copy_pdbs)
endfunction()
function(vcpkg_copy_tools)
  cmake_parse_arguments(PARSE_ARGV 0 given "AUTO_CLEAN" "" "TOOL_NAMES")
  if(NOT given_TOOL_NAMES STREQUAL "treewright")
    message(FATAL_ERROR "vcpkg_copy_tools: ${ARGN}")
  endif()
endfunction()
function(vcpkg_install_copyright)
  cmake_parse_arguments(PARSE_ARGV 0 given "" "" "FILE_LIST")
  foreach(file IN LISTS given_FILE_LIST)
    if(NOT EXISTS "${file}")
      message(FATAL_ERROR "no ${file}")
    endif()
  endforeach()
endfunction()
include(@FOLDER@/vcpkg/portfile.cmake)
"""


def check_conda(recipe: Path) -> str:
    try:
        from rattler_build import PlatformConfig, RenderConfig, Stage0Recipe, VariantConfig
    except ImportError:
        return "conda: not read (no py-rattler-build)"
    read = Stage0Recipe.from_yaml(recipe.read_text())
    for system in SYSTEMS:
        variants = VariantConfig(
            {"python": ["3.12.* *_cpython"], "cxx_compiler": ["gxx"], "c_stdlib": ["sysroot"], "c_stdlib_version": ["2.17"]}
        )
        (rendered,) = read.render(variants, RenderConfig(platform=PlatformConfig(target_platform=system)))
        made = rendered.recipe
        assert made.package.name == "treewright" and str(made.package.version) == fill.version(), (system, made.package)
    text = recipe.read_text()
    for license_file in re.findall(r"^    - (\S*(?:LICENSE|\.md))$", text, re.M):
        assert (SOURCE / license_file).exists(), license_file
    asked = re.search(r"cmake\.define\.(\w+)", text).group(1)
    assert f"option({asked} " in (SOURCE / "CMakeLists.txt").read_text(), asked
    return f"conda: rendered for {', '.join(SYSTEMS)}"


def check_vcpkg(folder: Path) -> str:
    manifest = json.loads((folder / "vcpkg/vcpkg.json").read_text())
    assert manifest["version"] == fill.version()
    # The order that vcpkg's formatter gives.
    names = [entry if isinstance(entry, str) else entry["name"] for entry in manifest["dependencies"]]
    assert names == sorted(names), names
    script = folder / "port.cmake"
    text = STAND_INS
    for name, value in {"VERSION": fill.version(), "FOLDER": folder, "SOURCE": SOURCE}.items():
        text = text.replace(f"@{name}@", str(value))
    script.write_text(text)
    done = subprocess.run(["cmake", "-P", str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return "vcpkg: the port configures"


with tempfile.TemporaryDirectory() as folder:
    fill.fill("someone", ARCHIVE, Path(folder), "someone")
    for path in Path(folder).glob("*/*"):
        left = re.findall(r"\b(?:OWNER|MAINTAINER)\b|0\.0\.0|0{64}", path.read_text())
        assert not left or path.name == "portfile.cmake", (path, left)
    print(check_conda(Path(folder, "conda/recipe.yaml")))
    print(check_vcpkg(Path(folder)))
