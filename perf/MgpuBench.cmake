# mgpu_add_bench(<family> LIBRARIES <library>... KEYS <key>...)
#
# The program bench_<family> from bench_<family>.cu and, so that they compile side by side, a small translation unit
# for each library and key type, which includes <family>/<library>.cuh and calls register_<library><key>(). KEYS are
# names of types in harness/types.h. A family with data sets of its own brings them likewise, as a library `data`.
# Everything that does not depend on the family is compiled once.

# Nothing of this is built unless asked for: by the target perf, or by the tests what they need.

# The functions below are also called from other folders, so these are no plain variables.
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

# --- What every translation unit is compiled with
add_library(perf_common INTERFACE)
target_include_directories(perf_common INTERFACE "${MGPU_PERF_DIR}" "${MGPU_PERF_GENERATED}")
target_compile_options(perf_common INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra>
  $<$<COMPILE_LANGUAGE:CUDA>:-Xcompiler=-Wall,-Wextra>)
target_link_libraries(perf_common INTERFACE mgpu::mgpu)

function(mgpu_perf_library name kind)
  add_library(${name} ${kind} ${ARGN})
  target_link_libraries(${name} PUBLIC perf_common)
  set_target_properties(${name} PROPERTIES CUDA_ARCHITECTURES "${MGPU_PERF_ARCHITECTURES}" EXCLUDE_FROM_ALL ON)
endfunction()

# How a translation unit registers what it has, before main begins.
set(perf_register "[[maybe_unused]] static bool const registered =" CACHE INTERNAL "")

# --- The harness
mgpu_perf_library(perf_harness OBJECT harness/main.cpp harness/measure.cpp harness/context.cu)
target_link_libraries(perf_harness PUBLIC benchmark::benchmark ${CMAKE_DL_LIBS})
add_dependencies(perf_harness perf_commit)

# --- Data sets for sorting and merging: those of a key type in one translation unit
set(values_of_u32 none u32 u64 b32 b200)
set(values_of_u64 none u32 u64)
set(values_of_f32 none u32)
set(values_of_s16 none u32)
set(datasets)
foreach(key u8 u16 u32 u64 f32 f64 s16)
  if(NOT values_of_${key})
    set(values_of_${key} none)
  endif()
  list(TRANSFORM values_of_${key} PREPEND "perf::" OUTPUT_VARIABLE types)
  list(PREPEND types "perf::${key}")
  list(JOIN types ", " types)
  set(source "${MGPU_PERF_GENERATED}/dataset_${key}.cu")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
    "#include <harness/sort_dataset.cuh>\n@perf_register@ perf::register_datasets<perf::sort_dataset, @types@>();\n")
  list(APPEND datasets "${source}")
endforeach()
mgpu_perf_library(perf_datasets OBJECT ${datasets})

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

add_custom_target(perf)

# A program of the harness: mgpu_add_perf_program(<name> <source>...)
function(mgpu_add_perf_program name)
  add_executable(${name} ${ARGN})
  target_link_libraries(${name} PRIVATE perf_harness perf_datasets)
  target_link_options(${name} PRIVATE -s)
  set_target_properties(${name} PROPERTIES
    CUDA_ARCHITECTURES "${MGPU_PERF_ARCHITECTURES}"
    RUNTIME_OUTPUT_DIRECTORY "${MGPU_BENCH_DIR}"
    BUILD_WITH_INSTALL_RPATH ON INSTALL_RPATH "$ORIGIN"
    EXCLUDE_FROM_ALL ON)
  add_dependencies(${name} perf_carried)
endfunction()

# mgpu_add_bench_program(<program> <family> LIBRARIES <library>... KEYS <key>...)
function(mgpu_add_bench_program program family)
  cmake_parse_arguments(PARSE_ARGV 2 arg "" "" "LIBRARIES;KEYS")
  set(sources "${MGPU_PERF_DIR}/bench_${family}.cu")
  foreach(library IN LISTS arg_LIBRARIES)
    foreach(key IN LISTS arg_KEYS)
      set(source "${MGPU_PERF_GENERATED}/${family}_${library}_${key}.cu")
      file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT
        "#include <@family@/@library@.cuh>\n@perf_register@ perf::register_@library@<perf::@key@>();\n")
      list(APPEND sources "${source}")
    endforeach()
  endforeach()
  mgpu_add_perf_program(${program} ${sources})
endfunction()

function(mgpu_add_bench family)
  mgpu_add_bench_program(bench_${family} ${family} ${ARGN})
  add_dependencies(perf bench_${family})
endfunction()
