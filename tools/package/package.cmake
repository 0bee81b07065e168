# What is installed, and packages of it: the program with its data, manual and completions; and the library, for programs of others.
#
#     cmake --install .build/release --prefix DIR [--component program|library|mpi]
#     cd .build/release && cpack          # plenum_*.deb and plenum-dev_*.deb
#
# What is installed can be moved as a whole: the program looks for its data from where it stands (data_folder), and so does the CMake package.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)
set(PLENUM_INSTALLED_DATA share/plenum)

# The program.
install(TARGETS plenum RUNTIME DESTINATION bin COMPONENT program)
# For several ranks, as a package of its own: the program alone needs no MPI.
if(TARGET plenum_mpi)
  install(TARGETS plenum_mpi LIBRARY DESTINATION lib/plenum COMPONENT mpi)
endif()
install(DIRECTORY data/ DESTINATION ${PLENUM_INSTALLED_DATA} COMPONENT program
        PATTERN README.md EXCLUDE PATTERN findings EXCLUDE)  # findings are tests
install(FILES README.md LICENSE DESTINATION share/doc/plenum COMPONENT program)

# Its manual and completions say themselves what they are, so they are made when they are installed, and by the program that is.
function(plenum_manual_made what file)
  install(CODE "
    file(MAKE_DIRECTORY \"${PROJECT_BINARY_DIR}/manual/${what}\")
    execute_process(COMMAND \"$<TARGET_FILE:plenum>\" manual ${what}
                    OUTPUT_FILE \"${PROJECT_BINARY_DIR}/manual/${what}/${file}\" COMMAND_ERROR_IS_FATAL ANY)"
          COMPONENT program)
endfunction()
function(plenum_manual what folder file)
  plenum_manual_made(${what} ${file})
  install(FILES ${PROJECT_BINARY_DIR}/manual/${what}/${file} DESTINATION ${folder} COMPONENT program)
endfunction()

# As Debian has manuals and changelogs: without a time in them.
function(plenum_compressed made folder file component)
  set(compressed ${PROJECT_BINARY_DIR}/manual/${component}/${file}.gz)
  install(CODE "
    file(MAKE_DIRECTORY \"${PROJECT_BINARY_DIR}/manual/${component}\")
    execute_process(COMMAND gzip -9nc \"${made}\" OUTPUT_FILE \"${compressed}\" COMMAND_ERROR_IS_FATAL ANY)"
          COMPONENT ${component})
  install(FILES ${compressed} DESTINATION ${folder} COMPONENT ${component})
endfunction()
plenum_manual_made(man plenum.1)
plenum_compressed(${PROJECT_BINARY_DIR}/manual/man/plenum.1 share/man/man1 plenum.1 program)
set(PLENUM_PACKAGES plenum plenum-dev)
set(PLENUM_COMPONENTS program library)
if(TARGET plenum_mpi)
  list(APPEND PLENUM_PACKAGES plenum-mpi)
  list(APPEND PLENUM_COMPONENTS mpi)
endif()
foreach(package component IN ZIP_LISTS PLENUM_PACKAGES PLENUM_COMPONENTS)
  plenum_compressed(${PROJECT_SOURCE_DIR}/.github/CHANGELOG.md share/doc/${package} changelog ${component})
  install(FILES tools/package/copyright DESTINATION share/doc/${package} COMPONENT ${component})
endforeach()
plenum_manual(bash share/bash-completion/completions plenum)
plenum_manual(zsh share/zsh/vendor-completions _plenum)
plenum_manual(fish share/fish/vendor_completions.d plenum.fish)

# The library: the folders below tools/, and all their headers. Includes are written as here, "solver/graph/solve.h".
add_library(plenum_library INTERFACE)
set_target_properties(plenum_library PROPERTIES EXPORT_NAME plenum)
target_link_libraries(plenum_library INTERFACE plenum_solver plenum_tables plenum_variants plenum_language)
foreach(folder language variants tables solver options)
  set_target_properties(plenum_${folder} PROPERTIES EXPORT_NAME ${folder})
endforeach()
install(TARGETS plenum_library plenum_solver plenum_tables plenum_variants plenum_language plenum_options EXPORT plenum-targets
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT library)
install(DIRECTORY variants tables solver DESTINATION include/plenum COMPONENT library
        FILES_MATCHING PATTERN "*.h" PATTERN status_macros.h EXCLUDE)  # for sources alone

set(PLENUM_WITH_ASMJIT OFF)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set(PLENUM_WITH_ASMJIT ON)
endif()
set(config ${CMAKE_INSTALL_LIBDIR}/cmake/plenum)
configure_package_config_file(tools/package/plenum-config.cmake.in ${PROJECT_BINARY_DIR}/plenum-config.cmake
                              INSTALL_DESTINATION ${config} PATH_VARS PLENUM_INSTALLED_DATA)
write_basic_package_version_file(${PROJECT_BINARY_DIR}/plenum-config-version.cmake COMPATIBILITY SameMinorVersion)
install(EXPORT plenum-targets NAMESPACE plenum:: DESTINATION ${config} COMPONENT library)
install(FILES ${PROJECT_BINARY_DIR}/plenum-config.cmake ${PROJECT_BINARY_DIR}/plenum-config-version.cmake
        DESTINATION ${config} COMPONENT library)
install(FILES tools/package/libraries.cmake RENAME plenum-libraries.cmake DESTINATION ${config} COMPONENT library)

# Debian packages: what the program depends on is read from what it is linked to.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME plenum)
set(PLENUM_MAINTAINER "the plenum developers <plenum@localhost>" CACHE STRING "who makes the packages, with an address")
set(CPACK_PACKAGE_CONTACT ${PLENUM_MAINTAINER})
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "solver for small board games described in text files")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_COMPONENTS_ALL ${PLENUM_COMPONENTS})
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_NAME plenum)
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_PROGRAM_DESCRIPTION
    "Evaluates every position of a board game that a text file describes:\nwho wins, by how much, how fast, and where play can go round.")
set(CPACK_DEBIAN_PROGRAM_PACKAGE_SUGGESTS "plenum-mpi")
set(CPACK_DEBIAN_MPI_PACKAGE_NAME plenum-mpi)
set(CPACK_DEBIAN_MPI_PACKAGE_DEPENDS "plenum, openmpi-bin")
set(CPACK_DEBIAN_MPI_PACKAGE_SHLIBDEPS ON)
set(CPACK_COMPONENT_MPI_DESCRIPTION "Several processes, on one machine or many, that solve a game together by Open MPI.")
set(CPACK_DEBIAN_LIBRARY_PACKAGE_NAME plenum-dev)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS
    "plenum, libabsl-dev, libtbb-dev, libnauty2-dev, libxxhash-dev, libzstd-dev")
if(PLENUM_WITH_ASMJIT)
  string(APPEND CPACK_DEBIAN_LIBRARY_PACKAGE_DEPENDS ", libasmjit-dev")
endif()
set(CPACK_COMPONENT_LIBRARY_DESCRIPTION "The solver as a C++ library: headers, static libraries, a CMake package.")
include(CPack)
