# Toolchain for the page that trains in a browser (make web): Debian's emscripten.
include(/usr/share/emscripten/cmake/Modules/Platform/Emscripten.cmake)
# Exceptions and vectors as every browser since 2023 has them.
foreach(language C CXX)
  set(CMAKE_${language}_FLAGS_INIT "-fwasm-exceptions -msimd128")
endforeach()
set(CMAKE_C_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "")
set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG" CACHE STRING "")
