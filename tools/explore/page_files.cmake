# The files of the explorer's page, taken into the program as they are: page_files.cpp names them, and the assembler reads them.

set(page_folder ${CMAKE_CURRENT_SOURCE_DIR}/explore/page)
file(GLOB page_sources CONFIGURE_DEPENDS ${page_folder}/*.html ${page_folder}/*.css ${page_folder}/*.js ${page_folder}/*.svg)
set(types_html "text/html; charset=utf-8")
set(types_css "text/css; charset=utf-8")
set(types_js "text/javascript; charset=utf-8")
set(types_svg "image/svg+xml")
set(types_md "text/plain; charset=utf-8")
set(page_language ${PROJECT_SOURCE_DIR}/data/language.md)  # what the editor's reader looks up
set(page_data "")
set(page_table "")
set(number 0)
foreach(file IN LISTS page_sources page_language)
  get_filename_component(name ${file} NAME)
  string(REGEX REPLACE ".*\\." "" ending ${name})
  set(path /${name})
  if(name STREQUAL "index.html")
    set(path /)
  endif()
  string(APPEND page_data
         "asm(R\"(.section .rodata\nplenum_page_${number}: .incbin \"${file}\"\nplenum_page_${number}_end: .byte 0\n.previous)\");\n"
         "extern \"C\" const char plenum_page_${number}[];\n"
         "extern \"C\" const char plenum_page_${number}_end[];\n")
  string(APPEND page_table
         "      {\"${path}\", \"${types_${ending}}\", {plenum_page_${number}, plenum_page_${number}_end}},\n")
  math(EXPR number "${number} + 1")
endforeach()
configure_file(${CMAKE_CURRENT_SOURCE_DIR}/explore/page_files.cpp.in page_files.cpp @ONLY)
target_sources(plenum_tools PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/page_files.cpp)
set_source_files_properties(${CMAKE_CURRENT_BINARY_DIR}/page_files.cpp PROPERTIES
                            OBJECT_DEPENDS "${page_sources};${page_language}" SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
