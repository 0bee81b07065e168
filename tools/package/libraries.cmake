# The libraries that come without a CMake package of their own, each as a target plenum_external::NAME. Read by the build and, installed, by
# whoever links plenum::plenum: so what is exported names no file of the machine that built it.
foreach(name nauty xxhash zstd)
  if(NOT TARGET plenum_external::${name})
    string(TOUPPER ${name} variable)
    find_library(${variable}_LIBRARY ${name} REQUIRED)
    add_library(plenum_external::${name} UNKNOWN IMPORTED)
    set_target_properties(plenum_external::${name} PROPERTIES IMPORTED_LOCATION "${${variable}_LIBRARY}")
  endif()
endforeach()
