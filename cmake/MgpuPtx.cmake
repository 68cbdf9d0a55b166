# Without a GPU nothing would run what nvcc makes, and the host's half of that takes more time than the device's. So
# with MGPU_TEST_WITHOUT_GPU most programs end as PTX, which shows that they compile for a GPU.

# mgpu_add_ptx(<target> <source>...): compiles sources that use the library to PTX and no further.
function(mgpu_add_ptx target)
  add_library(${target} OBJECT ${ARGN})
  target_link_libraries(${target} PRIVATE mgpu::mgpu)
  set_target_properties(${target} PROPERTIES CUDA_PTX_COMPILATION ON)
  target_compile_options(${target} PRIVATE -c)  # a compiler cache takes the call for that of a linker else
endfunction()

# mgpu_add_ptx_test(<test> <target of mgpu_add_ptx> [<label>...]): registers the test as skipped. What its command names
# is compiled by `cmake/run test PATTERN`.
function(mgpu_add_ptx_test test target)
  add_test(NAME ${test} COMMAND "${CMAKE_COMMAND}" -E echo
    "is skipped because there is no GPU to run" "$<TARGET_PROPERTY:${target},BINARY_DIR>/${target}")
  set_tests_properties(${test} PROPERTIES SKIP_REGULAR_EXPRESSION "^is skipped" LABELS "${ARGN}")
endfunction()
