# cmake -D NVCC=<nvcc> -D SOURCE=<file.cu> -D INCLUDES=<folders> -P check_spills.cmake
#
# Compiles a source for sm_90 and fails if the assembler reports, for any kernel, registers spilled to memory. Such
# a kernel is right and quietly slow, so nothing else would tell. Stack that holds no spills (an array indexed by a
# variable, a call) is shown, not judged. Nor are the spills in allowed_spills.txt.
cmake_minimum_required(VERSION 3.25)

file(STRINGS "${CMAKE_CURRENT_LIST_DIR}/allowed_spills.txt" allowed REGEX "^[^#]")

# This source takes longer than all others together take on many cores. With two threads the report is the same.
execute_process(COMMAND "${NVCC}" --help OUTPUT_VARIABLE help COMMAND_ERROR_IS_FATAL ANY)
set(threads)
if(help MATCHES "--split-compile ")
  set(threads --split-compile=2)
endif()

list(TRANSFORM INCLUDES PREPEND "-I")
execute_process(
  COMMAND "${NVCC}" -std=c++17 -O3 --extended-lambda -arch=sm_90 ${threads} -cubin -o /dev/null -Xptxas -v ${INCLUDES} "${SOURCE}"
  RESULT_VARIABLE status OUTPUT_VARIABLE report ERROR_VARIABLE report)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "${SOURCE} does not compile:\n${report}")
endif()

string(REGEX MATCHALL
  "Function properties for [^\n]*\n[^\n]*bytes stack frame, [0-9]+ bytes spill stores, [0-9]+ bytes spill loads"
  functions "${report}")
list(LENGTH functions num_functions)
if(num_functions EQUAL 0)
  message(FATAL_ERROR "${SOURCE}: no kernel was compiled, so this checks nothing")
endif()

foreach(function IN LISTS functions)
  string(REGEX MATCH "for ([^\n]*)\n *([0-9]+) bytes stack frame, ([0-9]+) bytes spill stores, ([0-9]+) bytes spill loads"
         match "${function}")
  set(stack ${CMAKE_MATCH_2})
  set(out ${CMAKE_MATCH_3})
  set(in ${CMAKE_MATCH_4})
  set(what "${CMAKE_MATCH_1}: ${stack} B of stack, spills ${out} B out and ${in} B in")
  if(out EQUAL 0 AND in EQUAL 0)
    if(stack GREATER 0)
      message(STATUS "stack: ${what}")
    endif()
    continue()
  endif()
  set(verdict SEND_ERROR "spilled")
  foreach(exception IN LISTS allowed)
    string(REPLACE " " ";" exception "${exception}")
    list(GET exception 0 kernel)
    list(GET exception 1 most)
    if(what MATCHES "${kernel}" AND out LESS_EQUAL most)
      set(verdict STATUS "allowed")
    endif()
  endforeach()
  list(POP_FRONT verdict level)
  message(${level} "${verdict}: ${what}")
endforeach()
message(STATUS "${num_functions} functions looked at")
