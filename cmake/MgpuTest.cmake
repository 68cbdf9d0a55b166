# mgpu_add_test(<name> SOURCE <file> MODES <mode>... [LABELS <label>...] [LIBRARIES <target>...])
#
# Builds one Boost.Test source in several ways and registers each as the ctest <name>.<mode>:
#
#   asan      g++, kernels over the emulator in test/emulator, under ASan and UBSan
#   emulated  the same without these: for tests that use the time for more schedules, or link in ways of their own
#   tsan      the same under TSan, as a race checker for kernels
#   host      g++, no kernels; MGPU_TEST_HOST is defined
#   nvcc      for a GPU; suites whose precondition fails for want of one make ctest report "skipped"
#
# Several sources may share a name's folder but not its name. Every mode is a label, so `ctest -L asan` works.

find_package(Boost REQUIRED COMPONENTS unit_test_framework)
find_package(rapidcheck REQUIRED CONFIG)
set_target_properties(rapidcheck PROPERTIES IMPORTED_GLOBAL TRUE)

# Unknown pragmas: g++ does not know `#pragma unroll`. Uninitialised: as below.
add_library(mgpu_test_common INTERFACE)
target_include_directories(mgpu_test_common INTERFACE "${PROJECT_SOURCE_DIR}/test")
target_compile_options(mgpu_test_common INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Werror -Wno-unknown-pragmas>
  $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda -Xcompiler=-Wall,-Wextra,-Wno-uninitialized>)

add_library(mgpu_test_shared INTERFACE)
target_compile_definitions(mgpu_test_shared INTERFACE BOOST_TEST_DYN_LINK)
# g++ sees uninitialised bytes in the boost::function of a suite's precondition. And a kernel's registers start without a
# value, by design: what may be read of them is tested (emulator::check_fill_independence), not guessed.
target_compile_options(mgpu_test_shared INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-uninitialized -Wno-maybe-uninitialized>
  # The wrapper around a test source makes it look like a header, where anonymous namespaces are suspect.
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
target_link_libraries(mgpu_test_shared INTERFACE mgpu_test_common Boost::unit_test_framework)

# What a GPU test links. For a program that is carried elsewhere everything but libc is static; a fully static
# program cannot load the driver.
add_library(mgpu_test_gpu INTERFACE)
if(MGPU_TEST_STATIC)
  find_library(MGPU_BOOST_TEST_STATIC_LIBRARY libboost_unit_test_framework.a REQUIRED)
  target_link_libraries(mgpu_test_gpu INTERFACE mgpu_test_common Boost::headers "${MGPU_BOOST_TEST_STATIC_LIBRARY}")
  target_link_options(mgpu_test_gpu INTERFACE -static-libstdc++ -static-libgcc -s)
else()
  target_link_libraries(mgpu_test_gpu INTERFACE mgpu_test_shared)
endif()

# All programs that need a GPU, in one folder of their own: what to build and carry.
add_custom_target(gpu_tests)
set(MGPU_GPU_TEST_DIR "${PROJECT_BINARY_DIR}/gpu_tests")

function(mgpu_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "SOURCE" "MODES;LABELS;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCE OR NOT arg_MODES)
    message(FATAL_ERROR "mgpu_add_test(${name}): SOURCE and MODES are needed, '${arg_UNPARSED_ARGUMENTS}' is not")
  endif()
  cmake_path(ABSOLUTE_PATH arg_SOURCE)

  foreach(mode IN LISTS arg_MODES)
    set(test "${name}.${mode}")
    if(mode STREQUAL "nvcc")
      add_executable(${test} "${arg_SOURCE}")
      set_source_files_properties("${arg_SOURCE}" PROPERTIES LANGUAGE CUDA)
      target_link_libraries(${test} PRIVATE mgpu_test_gpu mgpu::mgpu)
      set_target_properties(${test} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${MGPU_GPU_TEST_DIR}")
      add_dependencies(gpu_tests ${test})
    else()
      # A source file has one language in a folder, and nvcc has claimed this one: g++ gets a C++ file around it.
      set(wrapper "${CMAKE_CURRENT_BINARY_DIR}/as_cpp/${test}.cpp")
      file(CONFIGURE OUTPUT "${wrapper}" CONTENT "#include \"${arg_SOURCE}\"\n" @ONLY)
      add_executable(${test} "${wrapper}")
      target_link_libraries(${test} PRIVATE mgpu_test_shared)
      if(mode STREQUAL "emulated")
        target_link_libraries(${test} PRIVATE mgpu_emulator)
        target_compile_options(${test} PRIVATE -O0)  # these compile for longer than they run
      elseif(mode STREQUAL "asan" OR mode STREQUAL "tsan")
        target_link_libraries(${test} PRIVATE mgpu_emulator_${mode})
        # What the sanitizers add costs a compiler that optimises two thirds of its time.
        target_compile_options(${test} PRIVATE $<IF:$<STREQUAL:${mode},asan>,-O0,-O1> -g1)
      elseif(mode STREQUAL "host")
        target_link_libraries(${test} PRIVATE mgpu::mgpu)
        target_compile_definitions(${test} PRIVATE MGPU_TEST_HOST)
        target_compile_options(${test} PRIVATE -O1)
      else()
        message(FATAL_ERROR "mgpu_add_test(${name}): no mode '${mode}'")
      endif()
    endif()
    target_link_libraries(${test} PRIVATE ${arg_LIBRARIES})
    target_compile_definitions(${test} PRIVATE BOOST_TEST_MODULE=${name})

    add_test(NAME ${test} COMMAND ${test} --log_level=test_suite --color_output=no)
    set_tests_properties(${test} PROPERTIES LABELS "${mode};${arg_LABELS}" TIMEOUT 600)
    if(mode STREQUAL "tsan")
      set_tests_properties(${test} PROPERTIES RUN_SERIAL ON)  # about 1 MB of shadow memory for each CUDA thread
    elseif(mode STREQUAL "nvcc")
      # A skip counts only where nothing failed: ctest lets the expression win over the exit status. The two lines
      # go to stdout and stderr and may come in either order.
      set(skipped "is skipped because")
      set(passed "No errors detected")
      set_tests_properties(${test} PROPERTIES RESOURCE_LOCK gpu
        SKIP_REGULAR_EXPRESSION "${skipped}.*${passed};${passed}.*${skipped}")
    endif()
  endforeach()
endfunction()
