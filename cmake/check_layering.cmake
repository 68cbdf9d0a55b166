# cmake -D ROOT=<repository> -P cmake/check_layering.cmake
#
# Checks what the folders promise; test/lint/layering shows that each rule fires.
#   1  no header includes a higher layer; device code never includes runtime/, and that only core/ and simt/launch.h
#   2  no backend includes another
#   3  __global__ only in *_kernel.cuh; launches only in runtime/launch; no runtime call's result dropped
#   4  CUDA's device vocabulary only in simt/
#   5  no CUB, no Boost; Thrust only in runtime/ and the API; NCCL only in runtime/distributed_*, and for no header but
#      <mgpu/distributed.h>; no std functions in device code
#   6  no file over 350 lines
cmake_minimum_required(VERSION 3.25)

set(layers core simt thread warp block grid backend dispatch api)  # low to high; a file sees its own layer and below
set(device_layers core simt thread warp block grid)
set(max_lines 350)

# These whole identifiers stand for instructions or special registers. `volatile` is here because data between threads
# goes through atomics.
string(CONCAT device_words
  "threadIdx|blockIdx|blockDim|gridDim|warpSize|clock64|volatile|asm|__asm__|__asm|__shared__|atomic_ref|"
  "atomic(Add|Sub|Exch|Min|Max|Inc|Dec|CAS|And|Or|Xor)(_block|_system)?|"
  "__(syncthreads|syncwarp|shfl|ballot|all_sync|any_sync|match|vote|reduce_[a-z]+_sync|activemask|threadfence|"
  "dp4a|dp2a|nanosleep|ld(g|cg|ca|cs|lu|cv)|st(wb|cg|cs|wt)|popc|clz|ffs|brev|byte_perm|funnelshift|trap|cvta)[A-Za-z0-9_]*")
set(device_headers "cuda/atomic|cuda/std/atomic|cuda/barrier|cuda/pipeline|cuda/ptx|cooperative_groups.*")
set(std_headers_with_functions algorithm array atomic cmath functional iterator limits numeric optional tuple utility)

# Gets the layer of a path below either root; what lies outside detail/ is the API.
function(layer_of path out)
  if(path MATCHES "^mgpu/detail/([a-z_]+)/")
    set(${out} "${CMAKE_MATCH_1}" PARENT_SCOPE)
  else()
    set(${out} api PARENT_SCOPE)
  endif()
endfunction()

# Gets the text without comments (for the includes), and without string literals too (for the words). Brackets and
# semicolons would confuse CMake's lists; the end of a statement is kept as @.
function(strip_text text out_code out_words)
  string(REPLACE ";" "@" text "${text}")
  string(REGEX REPLACE "[][]" " " text "${text}")
  set(comment "//[^\n]*|/\\*([^*]|\\*+[^*/])*\\*+/")
  set(literal "\"([^\"\\\n]|\\\\.)*\"")
  string(REGEX REPLACE "${comment}" "" code "${text}")
  # This is one expression, so that whichever begins first wins: "https://" is no comment.
  string(REGEX REPLACE "${literal}|${comment}" "" words "${text}")
  set(${out_code} "${code}" PARENT_SCOPE)
  set(${out_words} "${words}" PARENT_SCOPE)
endfunction()

macro(violation rule)
  message(SEND_ERROR "rule ${rule}: ${at}: ${ARGN}")
endmacro()

function(check_include at file line)
  layer_of("${file}" from)
  set(is_device OFF)
  if(from IN_LIST device_layers OR file MATCHES "(_kernel\\.cuh|/tuning\\.h)$")
    set(is_device ON)
  endif()

  string(REGEX REPLACE "^.*[<\"]" "" name "${line}")
  if(name MATCHES "^emulator/")
    if(NOT from STREQUAL "simt")
      violation(4 "only simt/ may name the emulator (<${name}>)")
    endif()
    return()
  elseif(line MATCHES "\"")
    violation(1 "quoted include \"${name}\", where <mgpu/...> is the one spelling")
    return()
  elseif(name MATCHES "^cub/" OR name MATCHES "^boost/")
    violation(5 "the library does not use <${name}>")
    return()
  elseif(name STREQUAL "nccl.h")
    if(NOT file MATCHES "^mgpu/detail/runtime/distributed_")
      violation(5 "NCCL belongs in runtime/distributed_*")
    endif()
    return()
  elseif(name MATCHES "distributed" AND NOT name STREQUAL "mgpu/detail/dispatch/distributed_calls.h"
         AND NOT file MATCHES "distributed")
    violation(5 "<mgpu/distributed.h> alone brings NCCL (<${name}>)")
    return()
  elseif(name MATCHES "^thrust/")
    if(NOT from STREQUAL "runtime" AND NOT from STREQUAL "api")
      violation(5 "Thrust belongs in runtime/ and the API (<${name}>)")
    endif()
    return()
  elseif(name MATCHES "^(${device_headers})$")
    if(NOT from STREQUAL "simt")
      violation(4 "<${name}> belongs in simt/")
    endif()
    return()
  elseif(is_device AND name IN_LIST std_headers_with_functions
         AND NOT file MATCHES "^mgpu/detail/core/(pair_tuple|iterator)\\.h$")
    violation(5 "device code uses cuda::std (<cuda/std/${name}>), not <${name}>")
    return()
  elseif(NOT name MATCHES "^mgpu/")
    return()
  endif()

  layer_of("${name}" to)
  if(to STREQUAL "runtime")
    if(is_device)
      violation(1 "device code must not include runtime/ (<${name}>)")
    endif()
  elseif(from STREQUAL "runtime")
    if(NOT to STREQUAL "core" AND NOT name STREQUAL "mgpu/detail/simt/launch.h")
      violation(1 "runtime/ includes only core/ and simt/launch.h (<${name}>)")
    endif()
  else()
    list(FIND layers "${from}" mine)
    list(FIND layers "${to}" theirs)
    if(mine EQUAL -1 OR theirs EQUAL -1)
      violation(1 "a folder that is no layer: ${from}/ or ${to}/ (<${name}>)")
    elseif(theirs GREATER mine)
      violation(1 "${from}/ must not include ${to}/ (<${name}>)")
    elseif(from STREQUAL "backend" AND to STREQUAL "backend")
      string(REGEX MATCH "/backend/[a-z0-9_]+/" my_backend "${file}")
      string(REGEX MATCH "/backend/[a-z0-9_]+/" their_backend "${name}")
      if(NOT my_backend STREQUAL their_backend)
        violation(2 "a backend must not include another (<${name}>)")
      endif()
    endif()
  endif()
endfunction()

function(check_header root file)
  set(at "${root}/${file}")
  layer_of("${file}" layer)
  file(READ "${ROOT}/${at}" text)
  strip_text("${text}" code words)

  string(REGEX MATCHALL "#[ \t]*include[ \t]*[<\"][^>\"\n]+" includes "${code}")
  foreach(line IN LISTS includes)
    check_include("${at}" "${file}" "${line}")
  endforeach()

  if(words MATCHES "__global__" AND NOT file MATCHES "_kernel\\.cuh$")
    violation(3 "__global__ outside *_kernel.cuh")
  endif()
  if(NOT file MATCHES "^mgpu/detail/runtime/launch\\.(h|cuh)$")
    if(words MATCHES "<<<")
      violation(3 "a launch outside runtime/launch")
    elseif(NOT layer STREQUAL "simt" AND words MATCHES "(^|[^A-Za-z0-9_])(enqueue|cudaLaunch[A-Za-z]+)[ \t\n]*\\(")
      violation(3 "a launch (${CMAKE_MATCH_2}) outside runtime/launch")
    endif()
  endif()
  if(words MATCHES "([@{}])[ \t\n]*(cuda[A-Z][A-Za-z0-9]*)[ \t]*\\(")
    violation(3 "the result of ${CMAKE_MATCH_2} is dropped")
  endif()
  # The includes are judged above, and <cuda/barrier> is no use of a word.
  string(REGEX REPLACE "#[ \t]*include[^\n]*" "" words "${words}")
  if(NOT layer STREQUAL "simt" AND words MATCHES "(^|[^A-Za-z0-9_])(${device_words})([^A-Za-z0-9_]|$)")
    violation(4 "${CMAKE_MATCH_2} belongs in simt/")
  endif()
endfunction()

cmake_path(ABSOLUTE_PATH ROOT)
foreach(root include detail)
  file(GLOB_RECURSE headers RELATIVE "${ROOT}/${root}" "${ROOT}/${root}/*")
  foreach(file IN LISTS headers)
    if(file MATCHES "\\.(h|cuh)$")
      check_header("${root}" "${file}")
    elseif(NOT file STREQUAL "README.md")
      message(SEND_ERROR "rule 1: ${root}/${file}: a header ends in .h or .cuh; this file would not be installed")
    endif()
  endforeach()
endforeach()

foreach(root include detail examples test perf cmake)
  file(GLOB_RECURSE files RELATIVE "${ROOT}" "${ROOT}/${root}/*")
  foreach(at IN LISTS files)
    if(at MATCHES "\\.(h|cuh|cu|cpp|cmake|sh|py)$|/CMakeLists\\.txt$|/run$")
      file(READ "${ROOT}/${at}" text)
      string(REGEX REPLACE "[^\n]" "" newlines "${text}")
      string(LENGTH "${newlines}" lines)
      if(lines GREATER max_lines)
        violation(6 "${lines} lines, the limit is ${max_lines}")
      endif()
    endif()
  endforeach()
endforeach()
