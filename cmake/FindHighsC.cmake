# The C interface of HiGHS: HighsC::HighsC. Looks for the header and the library in CMAKE_PREFIX_PATH and the usual places.
# HiGHS installs a CMake package of its own, but that of the wheel which tools/setup uses names a folder the wheel
# has not and asks for a BLAS the library does not need.
find_path(HIGHS_C_INCLUDE_DIR interfaces/highs_c_api.h PATH_SUFFIXES highs)
find_library(HIGHS_C_LIBRARY highs)
mark_as_advanced(HIGHS_C_INCLUDE_DIR HIGHS_C_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(HighsC REQUIRED_VARS HIGHS_C_LIBRARY HIGHS_C_INCLUDE_DIR)
if(HighsC_FOUND AND NOT TARGET HighsC::HighsC)
  add_library(HighsC::HighsC UNKNOWN IMPORTED)
  set_target_properties(HighsC::HighsC PROPERTIES IMPORTED_LOCATION ${HIGHS_C_LIBRARY}
    INTERFACE_INCLUDE_DIRECTORIES ${HIGHS_C_INCLUDE_DIR})
endif()
