# cmake -D CLANG_FORMAT=<program> -D STYLE=<.clang-format> -D ROOT=<folder> -P cmake/check_format.cmake
#
# Checks that clang-format would leave all C++ and CUDA files below the folder's source directories as they are. Other
# versions than that of Debian 12 format differently, so with them there is nothing to check.
cmake_minimum_required(VERSION 3.25)

execute_process(COMMAND "${CLANG_FORMAT}" --version OUTPUT_VARIABLE version ERROR_QUIET)
if(NOT version MATCHES "version 14\\.")
  message("lint.format is skipped because clang-format 14 is not there, but: ${version}")
  return()
endif()
set(files)
foreach(folder IN ITEMS include detail examples test perf)
  foreach(ending IN ITEMS h cuh cu cpp)
    file(GLOB_RECURSE found "${ROOT}/${folder}/*.${ending}")
    list(APPEND files ${found})
  endforeach()
endforeach()
if(NOT files)
  message(FATAL_ERROR "no files below ${ROOT}")
endif()
execute_process(COMMAND "${CLANG_FORMAT}" "--style=file:${STYLE}" --dry-run --Werror ${files} RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "clang-format would change what is named above")
endif()
