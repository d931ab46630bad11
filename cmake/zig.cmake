# Toolchain for the wheels of other systems (tools/wheels): zig's clang, which has the headers and the C library of every target inside.
# TREEWRIGHT_SYSTEM is CMake's name of the system (Linux or Darwin), TREEWRIGHT_PROCESSOR its processor; TREEWRIGHT_ZIG is the folder of
# scripts cc, c++, ar and ranlib that start zig for the target.
set(CMAKE_SYSTEM_NAME $ENV{TREEWRIGHT_SYSTEM})
set(CMAKE_SYSTEM_PROCESSOR $ENV{TREEWRIGHT_PROCESSOR})
set(CMAKE_C_COMPILER $ENV{TREEWRIGHT_ZIG}/cc)
set(CMAKE_CXX_COMPILER $ENV{TREEWRIGHT_ZIG}/c++)
set(CMAKE_AR $ENV{TREEWRIGHT_ZIG}/ar)
set(CMAKE_RANLIB $ENV{TREEWRIGHT_ZIG}/ranlib)
set(CMAKE_RC_COMPILER $ENV{TREEWRIGHT_ZIG}/rc)
# The names of files in messages do not tell where the wheel was built. Warnings are looked at elsewhere; of other projects' headers this
# clang, which is newer than any that they were written for, has many. What is linked carries no symbols but those that are exported.
get_filename_component(folder ${CMAKE_CURRENT_LIST_DIR} DIRECTORY)
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "-w -ffile-prefix-map=${folder}=.")
endforeach()
foreach(kind EXE SHARED)
  set(CMAKE_${kind}_LINKER_FLAGS_INIT "-s $ENV{TREEWRIGHT_LINK_FLAGS}")
endforeach()
# On a Mac CMake changes run-time paths when it installs, with a tool that is not here: they are right from the start.
set(CMAKE_BUILD_WITH_INSTALL_RPATH ON)
set(CMAKE_BUILD_WITH_INSTALL_NAME_DIR ON)
set(CMAKE_INSTALL_NAME_DIR @rpath)
if(CMAKE_SYSTEM_NAME STREQUAL "Darwin")
  # A Mac's loader takes a weak symbol of C++ from the first file that offers it, programs too: offered by none, each file has its own.
  foreach(language C CXX)
    set(CMAKE_${language}_VISIBILITY_PRESET hidden)
  endforeach()
  set(CMAKE_VISIBILITY_INLINES_HIDDEN ON)
  # CMake asks an SDK, which is not here, whether the system has run-time paths.
  foreach(kind EXE SHARED)
    string(APPEND CMAKE_${kind}_LINKER_FLAGS_INIT " -Wl,-rpath,@loader_path")
  endforeach()
endif()
set(CMAKE_INSTALL_NAME_TOOL ":")
# Nothing of this system's libraries.
set(CMAKE_FIND_ROOT_PATH $ENV{TREEWRIGHT_ZIG}/root)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
