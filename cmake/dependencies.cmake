# The libraries that treewright uses. They are looked for on this system. With TREEWRIGHT_FETCH_MISSING those that are absent are downloaded as
# sources, built as static libraries and installed along, so that find_package(treewright) finds them too. Versions are those of Debian 12,
# but for Highway, whose first version that exports its target is 1.1. Without a network, name unpacked sources: -D FETCHCONTENT_SOURCE_DIR_FMT=..., HWY, NLOHMANN_JSON, CLI11, ZLIB.

option(TREEWRIGHT_FETCH_MISSING "Download and build Highway, fmt, nlohmann-json, CLI11 and zlib where they are not installed" OFF)

if(POLICY CMP0135)
  cmake_policy(SET CMP0135 NEW)  # unpacked files have the time of unpacking
endif()

# treewright_find(PACKAGE URL SHA256)
macro(treewright_find package url sha256)
  if(NOT TREEWRIGHT_FETCH_MISSING)
    find_package(${package} REQUIRED)
  else()
    find_package(${package} QUIET)
    if(NOT ${package}_FOUND)
      message(STATUS "${package} is not installed: building it from ${url}")
      include(FetchContent)
      FetchContent_Declare(${package} URL ${url} URL_HASH SHA256=${sha256})
      FetchContent_MakeAvailable(${package})
    endif()
  endif()
endmacro()

if(TREEWRIGHT_FETCH_MISSING)
  set(FMT_INSTALL ON CACHE BOOL "fmt: installed beside treewright")
  set(HWY_ENABLE_EXAMPLES OFF CACHE BOOL "Highway: no examples")
  set(HWY_ENABLE_CONTRIB OFF CACHE BOOL "Highway: nothing but the vectors")
  set(BUILD_TESTING OFF CACHE BOOL "No tests of the libraries; those of treewright have TREEWRIGHT_BUILD_TESTS")
  set(HWY_FORCE_STATIC_LIBS ON CACHE BOOL "Highway: a static library")
endif()

treewright_find(fmt https://github.com/fmtlib/fmt/archive/9.1.0.tar.gz
                5dea48d1fcddc3ec571ce2058e13910a0d4a6bab4cc09a809d8b1dd1c88ae6f2)
treewright_find(hwy https://github.com/google/highway/archive/refs/tags/1.2.0.tar.gz
                7e0be78b8318e8bdbf6fa545d2ecb4c90f947df03f7aadc42c1967f019e63343)
treewright_find(nlohmann_json https://github.com/nlohmann/json/releases/download/v3.11.2/json.tar.xz
                8c4b26bf4b422252e13f332bc5e388ec0ab5c3443d24399acb675e68278d341f)
if(TREEWRIGHT_BUILD_CLI)
  treewright_find(CLI11 https://github.com/CLIUtils/CLI11/archive/v2.1.2.tar.gz
                  26291377e892ba0e5b4972cdfd4a2ab3bf53af8dac1f4ea8fe0d1376b625c8cb)
endif()
# Highway's build tree has no alias.
if(NOT TARGET hwy::hwy)
  add_library(hwy::hwy ALIAS hwy)
endif()

# zlib's own build takes no target of another project and renames a header in its sources. Its files are few and need no configuration.
if(NOT TREEWRIGHT_FETCH_MISSING)
  find_package(ZLIB REQUIRED)
else()
  find_package(ZLIB QUIET)
  if(NOT ZLIB_FOUND)
    set(url https://github.com/madler/zlib/releases/download/v1.2.13/zlib-1.2.13.tar.xz)
    message(STATUS "zlib is not installed: building it from ${url}")
    enable_language(C)
    set(CMAKE_C_IMPLICIT_LINK_LIBRARIES "")  # the linker of C++ adds its own; with musl, C's would be the static C library
    include(FetchContent)
    FetchContent_Declare(zlib URL ${url} URL_HASH SHA256=d14c38e313afc35a9a8760dadf26042f51ea0f5d154b0630a31da0540107fb98
                         SOURCE_SUBDIR none)  # a folder without a CMakeLists.txt: unpacked and nothing more
    FetchContent_MakeAvailable(zlib)
    file(GLOB sources ${zlib_SOURCE_DIR}/*.c)
    add_library(treewright_zlib STATIC ${sources})
    # _LARGEFILE64_SOURCE and HAVE_UNISTD_H as its configure script finds them; fdopen, which its header otherwise removes on a Mac.
    target_compile_definitions(treewright_zlib PRIVATE _LARGEFILE64_SOURCE=1 HAVE_UNISTD_H HAVE_HIDDEN fdopen=fdopen)
    target_compile_options(treewright_zlib PRIVATE -w)
    target_include_directories(treewright_zlib SYSTEM PUBLIC $<BUILD_INTERFACE:${zlib_SOURCE_DIR}>)
    set_target_properties(treewright_zlib PROPERTIES C_VISIBILITY_PRESET hidden)
    add_library(ZLIB::ZLIB ALIAS treewright_zlib)
    set(TREEWRIGHT_OWN_ZLIB ON)
    install(TARGETS treewright_zlib EXPORT treewrightTargets ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
  endif()
endif()
