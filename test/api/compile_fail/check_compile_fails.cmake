# cmake -D CXX=<compiler> -D SOURCE=<misuse.cpp> -D INCLUDES=<folders> -P check_compile_fails.cmake
#
# Misused, the library must not compile, and must say why in its own words.
cmake_minimum_required(VERSION 3.25)

list(TRANSFORM INCLUDES PREPEND "-I")

# Compiles as misuse number `misuse`, with more flags; `message` must be part of what the compiler says, or compile it
# must where there is none.
function(check misuse message)
  execute_process(COMMAND "${CXX}" -std=c++17 -fsyntax-only -DMISUSE=${misuse} ${ARGN} ${INCLUDES} "${SOURCE}"
                  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
  string(FIND "${output}" "${message}" found)
  if(message STREQUAL "")
    if(NOT status EQUAL 0)
      message(SEND_ERROR "misuse ${misuse} (${ARGN}) does not compile:\n${output}")
    endif()
  elseif(status EQUAL 0)
    message(SEND_ERROR "misuse ${misuse} (${ARGN}) compiles")
  elseif(found EQUAL -1)
    message(SEND_ERROR "misuse ${misuse} (${ARGN}) is not told \"${message}\":\n${output}")
  endif()
endfunction()

check(0 "")
check(0 "" -DMGPU_EMULATED=90)
check(1 "mgpu: on the device, keys must be trivially copyable" -DMGPU_EMULATED=90)
check(2 "mgpu: on the device, values must be trivially copyable" -DMGPU_EMULATED=90)
check(3 "mgpu: on the device, keys must be trivially copyable" -DMGPU_EMULATED=90)
check(4 "mgpu: a device policy needs nvcc")
