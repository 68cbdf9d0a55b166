# cmake -D HEADERS=<folders> -D FUNCTIONS=<test/support/functions.h> -D OUTPUT=<header> -P write_greedy_names.cmake
#
# Writes a macro GREEDY_INTERNAL with GREEDY(name) for each function of the library that stands in a namespace: a line
# that begins with a type and has a name before its first parenthesis.
cmake_minimum_required(VERSION 3.25)

set(function "^[a-zA-Z_][^;=#(]*[ *&]([a-z][a-z0-9_]*)\\(")
set(names)
foreach(folder IN LISTS HEADERS)
  file(GLOB_RECURSE headers "${folder}/*.h" "${folder}/*.cuh")
  foreach(header IN LISTS headers)
    file(STRINGS "${header}" lines REGEX "${function}")
    foreach(line IN LISTS lines)
      if(line MATCHES "${function}")
        list(APPEND names "${CMAKE_MATCH_1}")
      endif()
    endforeach()
  endforeach()
endforeach()
list(REMOVE_DUPLICATES names)
list(SORT names)
# Names are left out that are in the list of functions, as the public ones are, that are no functions, and the two
# that look-up must find with the user.
list(FILTER names EXCLUDE REGEX "^(alignas|decltype|get_temporary_buffer|return_temporary_buffer)$")
file(READ "${FUNCTIONS}" list)
string(REGEX MATCHALL "  f\\([a-z_0-9]+, \\(" lines "${list}")
foreach(line IN LISTS lines)
  string(REGEX REPLACE "  f\\(([a-z_0-9]+), .*" "\\1" public "${line}")
  list(REMOVE_ITEM names "${public}")
endforeach()
if(NOT "dispatch_sort" IN_LIST names OR NOT "warp_reduce" IN_LIST names)
  message(FATAL_ERROR "the functions of ${HEADERS} were not found")
endif()

list(TRANSFORM names REPLACE "(.+)" "  GREEDY(\\1)")
list(JOIN names " \\\n" names)
file(WRITE "${OUTPUT}" "#pragma once\n#define GREEDY_INTERNAL \\\n${names}\n")
