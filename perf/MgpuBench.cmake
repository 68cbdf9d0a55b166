# mgpu_add_bench(<program> <source> <parts> [ONLY_FIRST] [<definition>...])
#
# A program of the harness from one benchmark file, whose problems are split over so many translation units, so that
# they compile side by side. ONLY_FIRST leaves out all but the first of these.

# The function is also called from other folders, so these are no plain variables.
set(MGPU_PERF_DIR "${CMAKE_CURRENT_LIST_DIR}" CACHE INTERNAL "")
set(MGPU_BENCH_DIR "${PROJECT_BINARY_DIR}/perf/bench" CACHE INTERNAL "")
set(MGPU_PERF_GENERATED "${PROJECT_BINARY_DIR}/perf/generated" CACHE INTERNAL "")

# Machine code only, for a fixed GPU: there is nothing to measure in what a driver would compile.
list(TRANSFORM CMAKE_CUDA_ARCHITECTURES REPLACE "^([0-9]+[af]?)$" "\\1-real" OUTPUT_VARIABLE architectures)
set(MGPU_PERF_ARCHITECTURES "${architectures}" CACHE INTERNAL "")

# --- The version and commit, for the JSON
add_custom_target(perf_commit BYPRODUCTS "${MGPU_PERF_GENERATED}/perf_commit.h"
  COMMAND "${CMAKE_COMMAND}" -D "OUTPUT=${MGPU_PERF_GENERATED}/perf_commit.h" -D "VERSION=${PROJECT_VERSION}"
          -D "ROOT=${PROJECT_SOURCE_DIR}" -P "${CMAKE_CURRENT_LIST_DIR}/write_commit.cmake")

# --- The harness
add_library(perf_harness OBJECT EXCLUDE_FROM_ALL
  harness/main.cpp harness/cuda.cu harness/copy.cu)
target_include_directories(perf_harness PUBLIC
  "${MGPU_PERF_DIR}" "${MGPU_PERF_DIR}/../examples" "${MGPU_PERF_GENERATED}")
target_compile_options(perf_harness PUBLIC
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra --extended-lambda>)
target_link_libraries(perf_harness PUBLIC mgpu::mgpu benchmark::benchmark)
set_target_properties(perf_harness PROPERTIES CUDA_ARCHITECTURES "${MGPU_PERF_ARCHITECTURES}")
add_dependencies(perf_harness perf_commit)

# --- What a program needs where it is carried to, beside itself; its runtime path says so
set(carried_libraries)
foreach(library libstdc++.so.6 libgcc_s.so.1)
  execute_process(COMMAND "${CMAKE_CXX_COMPILER}" "-print-file-name=${library}"
                  OUTPUT_VARIABLE file OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  list(APPEND carried_libraries "${file}")
endforeach()
add_custom_target(perf_carried
  COMMAND "${CMAKE_COMMAND}" -E make_directory "${MGPU_BENCH_DIR}"
  COMMAND "${CMAKE_COMMAND}" -E copy_if_different "$<TARGET_FILE:benchmark::benchmark>"
          "${MGPU_BENCH_DIR}/$<TARGET_SONAME_FILE_NAME:benchmark::benchmark>"
  COMMAND "${CMAKE_COMMAND}" -E copy_if_different ${carried_libraries} "${MGPU_BENCH_DIR}"
  COMMENT "Putting shared libraries beside the benchmarks" VERBATIM)

function(mgpu_add_bench program source parts)
  cmake_parse_arguments(PARSE_ARGV 3 arg "ONLY_FIRST" "" "")
  math(EXPR last "${parts} - 1")
  if(arg_ONLY_FIRST)
    set(last 0)
  endif()
  set(units)
  foreach(part RANGE ${last})
    set(unit "${MGPU_PERF_GENERATED}/${program}_${part}.cu")
    file(CONFIGURE OUTPUT "${unit}" @ONLY CONTENT
      "#define PERF_PART @part@\n#define PERF_PARTS @parts@\n#include <@source@>\n")
    list(APPEND units "${unit}")
  endforeach()
  add_executable(${program} EXCLUDE_FROM_ALL ${units})
  target_link_libraries(${program} PRIVATE perf_harness)
  target_link_options(${program} PRIVATE -s)
  target_compile_definitions(${program} PRIVATE ${arg_UNPARSED_ARGUMENTS})
  set_target_properties(${program} PROPERTIES
    CUDA_ARCHITECTURES "${MGPU_PERF_ARCHITECTURES}"
    RUNTIME_OUTPUT_DIRECTORY "${MGPU_BENCH_DIR}"
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN")
  add_dependencies(${program} perf_carried)
endfunction()
