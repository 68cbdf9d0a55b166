# cmake -D CXX=<compiler> -D SOURCE=<misuse.cpp> -D INCLUDES=<folders> [-D NVCC=<nvcc>] -P check_compile_fails.cmake
#
# Misused, the library must not compile, and must say why in its own words, before the compiler says anything else.
# With NVCC, what only nvcc can see is checked instead.
cmake_minimum_required(VERSION 3.25)

list(TRANSFORM INCLUDES PREPEND "-I")
set(host "${CXX}" -std=c++17 -fmax-errors=1)
set(device ${host} -DMGPU_EMULATED=90)
set(nvcc_for_both "${NVCC}" -x cu -std=c++17 --extended-lambda -arch=compute_90
         -o "${CMAKE_CURRENT_BINARY_DIR}/misuse.out")
# Of calls that are compiled together one may have a hundred errors, at which nvcc would end.
set(nvcc ${nvcc_for_both} -ptx -Xcudafe --error_limit=1000)

# The headers are the same for all misuses, so they are compiled once for each compiler.
function(precompile_headers compiler)
  set(folder "${CMAKE_CURRENT_BINARY_DIR}/misuse_${compiler}")
  file(STRINGS "${SOURCE}" includes REGEX "^#include")
  list(JOIN includes "\n" includes)
  file(CONFIGURE OUTPUT "${folder}/all.h" CONTENT "${includes}\n" @ONLY)
  execute_process(COMMAND ${${compiler}} ${INCLUDES} -x c++-header "${folder}/all.h" -o "${folder}/all.h.gch"
                  COMMAND_ERROR_IS_FATAL ANY)
  set(${compiler} ${${compiler}} -fsyntax-only -include "${folder}/all.h" PARENT_SCOPE)
endfunction()

# Compiles the calls of a misuse (NONE and what begins so: those that are right) by `compiler`, one of those above; `message` must be in
# the first error.
function(check compiler misuse message)
  execute_process(COMMAND ${${compiler}} -DMISUSE_${misuse} ${INCLUDES} "${SOURCE}"
                  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(REGEX MATCH "error:[^\n]*" first "${output}")
  string(FIND "${first}" "${message}" found)
  if(misuse MATCHES "^NONE")
    if(NOT status EQUAL 0)
      message(SEND_ERROR "right calls do not compile (${compiler}):\n${output}")
    endif()
  elseif(status EQUAL 0)
    message(SEND_ERROR "${misuse} compiles (${compiler})")
  elseif(found EQUAL -1)
    message(SEND_ERROR "${misuse} is not told \"${message}\" first (${compiler}):\n${output}")
  endif()
endfunction()

# check_all(MESSAGE message FOR misuse... [DEVICE_ONLY]) checks all of them on the device, and the first one on the
# host, too.
function(check_all)
  cmake_parse_arguments(PARSE_ARGV 0 arg "DEVICE_ONLY" "MESSAGE" "FOR")
  foreach(misuse IN LISTS arg_FOR)
    check(device ${misuse} "mgpu: ${arg_MESSAGE}")
  endforeach()
  if(NOT arg_DEVICE_ONLY)
    list(GET arg_FOR 0 misuse)
    check(host ${misuse} "mgpu: ${arg_MESSAGE}")
  endif()
endfunction()

# check_together(<compiler> <misuses> <message>...): all messages must be among the errors of calls that are compiled together.
# Each such call alone is told the same first to C++ compilers, if it has a message of ours.
function(check_together compiler misuses)
  execute_process(COMMAND ${${compiler}} -DMISUSE_${misuses} ${INCLUDES} "${SOURCE}"
                  OUTPUT_VARIABLE output ERROR_VARIABLE output)
  foreach(message IN LISTS ARGN)
    string(FIND "${output}" "${message}" found)
    if(found EQUAL -1)
      message(SEND_ERROR "${misuses} is not told \"${message}\" (${compiler}):\n${output}")
      return()
    endif()
    string(LENGTH "${message}" length)  # a message that is given twice must be there twice
    math(EXPR behind "${found} + ${length}")
    string(SUBSTRING "${output}" 0 ${found} before)
    string(SUBSTRING "${output}" ${behind} -1 after)
    set(output "${before}${after}")
  endforeach()
endfunction()

if(NVCC)
  # In C++ nothing can be told of a lambda without __device__, but nvcc itself names it, and where it is.
  check_together(nvcc TOLD_BY_NVCC
    "error: The closure type for a lambda (\"lambda [](int, int)->__nv_bool\", defined at ${SOURCE}:"
    "mgpu: on the device there is no long double"
    "mgpu: on the device, keys must be trivially copyable, or have a copy constructor and"
    "mgpu: the output is read-only"
    "mgpu: the comparator (less, if none is given) must be callable")
  check_together(nvcc COPIES_BY_HOST
    "error: calling a __host__ function(\"copied_by_host::copied_by_host(const copied_by_host&)\")"
    "error: calling a __host__ function(\"assigned_by_host::operator =(const assigned_by_host&)\")")
  list(APPEND nvcc_for_both -c)  # the device's half alone has nothing to say of these
  set(unknown "mgpu: what the unary function returns is not known to host code")
  check_together(nvcc_for_both DEDUCED_NO_INIT "${unknown}" "${unknown}")
  set(nvcc_rdc ${nvcc_for_both} -rdc=true)
  check(nvcc_rdc NONE_LINKED_LATER "")
  return()
endif()

precompile_headers(host)
precompile_headers(device)
check(host NONE "")
check(device NONE "")
check(host DEVICE_POLICY "mgpu: a device policy needs nvcc")
check(host DEVICE_ITERATORS "mgpu: a device policy needs nvcc")
check_all(MESSAGE "on the device, keys must be trivially copyable" FOR STRING_KEYS STRING_MERGE DEVICE_ONLY)
check_all(MESSAGE "on the device, values must be trivially copyable" FOR STRING_VALUES DEVICE_ONLY)
check_all(MESSAGE "on the device, items must be trivially copyable" FOR STRING_ITEMS DEVICE_ONLY)
check_all(MESSAGE "on the device, the type of init must be trivially copyable" FOR STRING_INIT DEVICE_ONLY)
check_all(MESSAGE "on the device, what is accumulated must be trivially copyable" FOR STRING_SCAN DEVICE_ONLY)
check_all(MESSAGE "on the device there is no long double"
          FOR LONG_KEYS LONG_VALUES LONG_IN_PAIRS LONG_COMPLEX LONG_OUTPUT LONG_MERGE LONG_INIT LONG_ITEMS LONG_RESULT
              LONG_SCAN LONG_TOTAL DEVICE_ONLY)
check_all(MESSAGE "radix_key<T>::of must return a number" FOR LONG_DECLARED)
check_all(MESSAGE "with_tuning: this call does not go by a tuning of that type"
          FOR TUNING_OF_ONE_BLOCK TUNING_OF_DIGITS TUNING_OF_LARGE_KEYS MERGE_BY_TUNING_OF_SORT SCAN_BY_TUNING_OF_SORT
              REDUCE_BY_TUNING_OF_SORT RESULT_BY_TUNING_OF_SORT DEVICE_ONLY)
check_all(MESSAGE "with_tuning: blocks have whole warps"
          FOR TUNING_OF_SHORT_LAUNCHES TUNING_OF_NO_ITEMS TUNING_OF_HALF_A_WARP TUNING_OF_WIDE_THREADS
              TUNING_OF_LESS_THAN_NO_TILE DEVICE_ONLY)
check_all(MESSAGE "with_tuning: keys with values are sorted by" FOR TUNING_OF_WIDE_BUCKETS DEVICE_ONLY)
check_all(MESSAGE "with_tuning: a scan has" FOR TUNING_OF_MANY_GROUPS TUNING_OF_A_CLUSTERED_PIPELINE
          TUNING_OF_NO_LOOK_BACK DEVICE_ONLY)
check_all(MESSAGE "with_tuning: a reduction's blocks" FOR TUNING_OF_NO_ROWS DEVICE_ONLY)
check_all(MESSAGE "ranges are given by random-access iterators"
          FOR LIST_SORT LIST_NO_POLICY LIST_OUTPUT LIST_MERGE LIST_REDUCE LIST_SCAN LIST_VALUES)
check(device ENDS_OF_TWO_KINDS "no matching function for call to")  # the compiler's own words, with both types
check_all(MESSAGE "the output is read-only"
          FOR CONST_POINTER CONST_VECTOR CONST_VALUES CONST_IN_ZIP CONST_MERGE CONST_SCAN CONST_TOTAL CONST_RESULT
              COUNTING_SORT COUNTING_IN_ZIP COUNTING_INDICES TRANSFORMED_SORT CONSTANT_OUTPUT)
check_all(MESSAGE "the comparator (less, if none is given) must be callable with two const keys"
          FOR NO_ORDER COMPARATOR_OF_ONE COMPARATOR_OF_MUTABLE)
check_all(MESSAGE "the comparator must return bool" FOR COMPARATOR_RETURNS_POINT)
check_all(MESSAGE "the operator (plus, if none is given) must be callable" FOR NO_SUM OPERATOR_OF_ONE)
check_all(MESSAGE "what the operator returns does not convert" FOR OPERATOR_RETURNS_POINT)
check_all(MESSAGE "the unary function must be callable" FOR UNARY_OF_OTHER UNARY_OF_OTHER_NO_INIT)
check_all(MESSAGE "the items, or what the unary function makes of them, do not convert"
          FOR INIT_OF_OTHER UNARY_TO_OTHER)
check_all(MESSAGE "the results do not convert to the items of the output"
          FOR OUTPUT_OF_OTHER SCAN_TO_OTHER RESULT_OF_OTHER)
check_all(MESSAGE "indices are integers, which do not convert" FOR INDICES_OF_OTHER SORT_INDICES_OF_OTHER)
check_all(MESSAGE "the items of the second range do not convert" FOR MERGE_OF_OTHER)
file(REMOVE_RECURSE "${CMAKE_CURRENT_BINARY_DIR}/misuse_host" "${CMAKE_CURRENT_BINARY_DIR}/misuse_device")
