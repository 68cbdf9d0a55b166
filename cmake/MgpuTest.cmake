# mgpu_add_test(<name> SOURCE <file> MODES <mode>... [FAMILY <family>] [LABELS <label>...] [LIBRARIES <target>...]
#               [LINKED])
#
# Builds one Boost.Test source in several ways and registers each as the ctest <name>.<mode>:
#
#   asan      kernels over the emulator in test/emulator, under ASan and UBSan
#   emulated  the same without these: for tests that use the time for more schedules, or link in ways of their own
#   tsan      the same under TSan, as a race checker for kernels
#   host      plain C++, no kernels; MGPU_TEST_HOST is defined
#   nvcc      for a GPU; suites whose precondition fails for want of one make ctest report "skipped". With
#             MGPU_TEST_WITHOUT_GPU the source is compiled to PTX and no further, but for a test that is LINKED.
#
# Every mode is a label, so `ctest -L asan` works.
#
# The sources of a family make one program for each mode, <family>.<mode>, of which each ctest runs its own source's
# suites. A source without a family makes a program of its own, whose target has the ctest's name. Compilers spend
# most of their time on headers, so the sources of a program are compiled several at a time.
# mgpu_add_test_programs() makes the programs of the families, after the last of their sources.

find_package(Boost REQUIRED COMPONENTS unit_test_framework)
find_package(rapidcheck REQUIRED CONFIG)
set_target_properties(rapidcheck PROPERTIES IMPORTED_GLOBAL TRUE)

# g++ does not know `#pragma unroll`. Uninitialised values are explained below.
add_library(mgpu_test_common INTERFACE)
target_include_directories(mgpu_test_common INTERFACE "${PROJECT_SOURCE_DIR}/test")
target_compile_options(mgpu_test_common INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Werror -Wno-unknown-pragmas>
  $<$<COMPILE_LANGUAGE:CUDA>:--extended-lambda -Xcompiler=-Wall,-Wextra,-Wno-uninitialized>)

add_library(mgpu_test_shared INTERFACE)
target_compile_definitions(mgpu_test_shared INTERFACE BOOST_TEST_DYN_LINK)
# g++ sees uninitialised bytes in the boost::function of a suite's precondition. And a kernel's registers start
# without a value, by design: what may be read of them is tested (emulator::check_fill_independence), not guessed.
target_compile_options(mgpu_test_shared INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-uninitialized -Wno-maybe-uninitialized>
  # A unit that includes test sources makes them look like headers, where anonymous namespaces are suspect.
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>
  $<$<COMPILE_LANGUAGE:CXX>:-Wno-unknown-warning-option>)  # some of these only g++ knows
target_link_libraries(mgpu_test_shared INTERFACE mgpu_test_common Boost::unit_test_framework)

# A GPU test links this. For a program that is carried elsewhere everything but libc is static; a fully static program
# cannot load the driver.
add_library(mgpu_test_gpu INTERFACE)
if(MGPU_TEST_STATIC)
  find_library(MGPU_BOOST_TEST_STATIC_LIBRARY libboost_unit_test_framework.a REQUIRED)
  target_link_libraries(mgpu_test_gpu INTERFACE mgpu_test_common Boost::headers "${MGPU_BOOST_TEST_STATIC_LIBRARY}")
  target_link_options(mgpu_test_gpu INTERFACE -static-libstdc++ -static-libgcc -s)
else()
  target_link_libraries(mgpu_test_gpu INTERFACE mgpu_test_shared)
endif()

# All programs that need a GPU go into one folder of their own, to be built and carried.
add_custom_target(gpu_tests)
set(MGPU_GPU_TEST_DIR "${PROJECT_BINARY_DIR}/gpu_tests")

# clang++ takes less than half of g++'s time for what sanitizers instrument, and two thirds for other kernels over the
# emulator. It is called in the place of the project's C++ compiler, and only where it can link programs under
# sanitizers: its runtime libraries are a package of their own.
find_program(MGPU_TEST_QUICK_COMPILER
             NAMES clang++ clang++-19 clang++-18 clang++-17 clang++-16 clang++-15 clang++-14
             DOC "C++ compiler for what runs over the emulator")
set(probe "${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/sanitizer_probe")
file(WRITE "${probe}.cpp" "#include <vector>\nint main() { return static_cast<int>(std::vector<int>(3).size()) - 3; }\n")
foreach(sanitizers IN ITEMS address,undefined thread)
  if(MGPU_TEST_QUICK_COMPILER)
    execute_process(
      COMMAND "${MGPU_TEST_QUICK_COMPILER}" -std=c++17 -fsanitize=${sanitizers} "${probe}.cpp" -o "${probe}"
      RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
    if(failed)
      message(STATUS "${MGPU_TEST_QUICK_COMPILER} cannot link under ${sanitizers}: ${CMAKE_CXX_COMPILER} is used")
      set(MGPU_TEST_QUICK_COMPILER "")  # for now: its libraries may be installed later
    endif()
  endif()
endforeach()

# What is undefined ends in a trap, of which ASan is to tell, not Boost.Test.
set(MGPU_TEST_ASAN_ENVIRONMENT "ASAN_OPTIONS=handle_sigill=2")

# mgpu_use_quick_compiler(<target>): that compiler compiles and links the target, where there is one.
function(mgpu_use_quick_compiler target)
  if(MGPU_TEST_QUICK_COMPILER)
    target_compile_options(${target} PRIVATE -std=c++17)  # CMake leaves out what is the other compiler's default
    set(swap bash "${PROJECT_SOURCE_DIR}/cmake/compile_with.sh")
    set(instead "${MGPU_TEST_QUICK_COMPILER}" --instead-of)
    set(compile ${swap} ${CMAKE_CXX_COMPILER_LAUNCHER} ${instead})
    set(link ${swap} ${instead})
    set_target_properties(${target} PROPERTIES CXX_COMPILER_LAUNCHER "${compile}" CXX_LINKER_LAUNCHER "${link}")
  endif()
endfunction()

# In a translation unit the sources of a family share their headers, and whatever they instantiate alike. The more they
# are, the more memory one takes, and the longer the developer of one of them waits.
set(MGPU_TEST_SOURCES_PER_UNIT 8 CACHE STRING "How many test sources of a family are compiled together at most")
if(NOT MGPU_TEST_SOURCES_PER_UNIT MATCHES "^[1-9][0-9]*$")
  message(FATAL_ERROR "MGPU_TEST_SOURCES_PER_UNIT must be a number from 1 on, not '${MGPU_TEST_SOURCES_PER_UNIT}'")
endif()

# mgpu_add_test_program(<program> <mode> SOURCES <file>... [LIBRARIES <target>...] [TO_PTX]): what a source registers
# with Boost.Test goes into a suite that has the file's name.
function(mgpu_add_test_program program mode)
  cmake_parse_arguments(PARSE_ARGV 2 arg "TO_PTX" "" "SOURCES;LIBRARIES")
  if(mode STREQUAL "nvcc")
    set(suffix cu)
  else()
    set(suffix cpp)
  endif()

  # There are as few units as there must be, of about one size.
  list(LENGTH arg_SOURCES num_sources)
  math(EXPR num_units "(${num_sources} + ${MGPU_TEST_SOURCES_PER_UNIT} - 1) / ${MGPU_TEST_SOURCES_PER_UNIT}")
  math(EXPR per_unit "(${num_sources} + ${num_units} - 1) / ${num_units}")

  set(text "#define BOOST_TEST_MODULE ${program}\n")  # for the first, which has main()
  set(units)
  while(arg_SOURCES)
    set(in_unit)
    foreach(place RANGE 1 ${per_unit})
      list(POP_FRONT arg_SOURCES source)
      list(APPEND in_unit ${source})
    endforeach()
    string(APPEND text "#include <support/source.h>\n")
    foreach(source IN LISTS in_unit)
      cmake_path(GET source STEM suite)
      # The name is relative, so that a compiler cache knows the file in another folder.
      cmake_path(RELATIVE_PATH source BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/test")
      string(APPEND text "MGPU_TEST_SOURCE_BEGINS(${suite})\n#include \"${source}\"\nMGPU_TEST_SOURCE_ENDS(${suite})\n")
    endforeach()
    list(LENGTH units number)
    set(unit "${CMAKE_CURRENT_BINARY_DIR}/units/${program}.${number}.${suffix}")
    file(CONFIGURE OUTPUT "${unit}" CONTENT "${text}" @ONLY)
    list(APPEND units "${unit}")
    set(text)
  endwhile()

  if(arg_TO_PTX)
    mgpu_add_ptx(${program} ${units})
    target_link_libraries(${program} PRIVATE mgpu_test_gpu ${arg_LIBRARIES})
    return()
  endif()

  add_executable(${program} ${units})
  if(mode STREQUAL "nvcc")
    target_link_libraries(${program} PRIVATE mgpu_test_gpu mgpu::mgpu)
    set_target_properties(${program} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${MGPU_GPU_TEST_DIR}")
    add_dependencies(gpu_tests ${program})
  else()
    target_link_libraries(${program} PRIVATE mgpu_test_shared)
    if(mode STREQUAL "emulated")
      target_link_libraries(${program} PRIVATE mgpu_emulator)
      mgpu_use_quick_compiler(${program})
      target_compile_options(${program} PRIVATE -O0)  # these compile for longer than they run
    elseif(mode STREQUAL "asan" OR mode STREQUAL "tsan")
      target_link_libraries(${program} PRIVATE mgpu_emulator_${mode})
      mgpu_use_quick_compiler(${program})
      # What the sanitizers add costs a compiler that optimises two thirds of its time.
      target_compile_options(${program} PRIVATE $<IF:$<STREQUAL:${mode},asan>,-O0,-O1>
                             $<$<STREQUAL:${mode},tsan>:-g1>)  # a race is told by the two lines
    elseif(mode STREQUAL "host")
      target_link_libraries(${program} PRIVATE mgpu::mgpu)
      target_compile_definitions(${program} PRIVATE MGPU_TEST_HOST)
      target_compile_options(${program} PRIVATE -O1)
    else()
      message(FATAL_ERROR "mgpu_add_test_program(${program}): no mode '${mode}'")
    endif()
  endif()
  target_link_libraries(${program} PRIVATE ${arg_LIBRARIES})
endfunction()

# mgpu_share_gpu(<test>... [large]): of these tests, which run on the GPU, four at a time may; beside them one that is
# large, which leaves the GPU idle for most of its time, as the CPU makes and checks what it sorts.
function(mgpu_share_gpu)
  cmake_parse_arguments(PARSE_ARGV 0 arg "large" "" "")
  foreach(test IN LISTS arg_UNPARSED_ARGUMENTS)
    get_property(number GLOBAL PROPERTY mgpu_num_tests_on_gpu)
    math(EXPR number "(0${number} + 1) % 4")
    set_property(GLOBAL PROPERTY mgpu_num_tests_on_gpu ${number})
    set(lock gpu_${number})
    if(arg_large)
      set(lock gpu_memory)
      set_tests_properties(${test} PROPERTIES COST 1000)  # they take longest, one after the other, so they start first
    endif()
    set_tests_properties(${test} PROPERTIES RESOURCE_LOCK ${lock})
  endforeach()
endfunction()

function(mgpu_add_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "LINKED" "SOURCE;FAMILY" "MODES;LABELS;LIBRARIES")
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCE OR NOT arg_MODES OR (arg_LINKED AND arg_FAMILY))
    message(FATAL_ERROR "mgpu_add_test(${name}): SOURCE and MODES are needed, '${arg_UNPARSED_ARGUMENTS}' is not, and "
      "LINKED is for a program of its own")
  endif()
  cmake_path(ABSOLUTE_PATH arg_SOURCE)
  cmake_path(GET arg_SOURCE STEM suite)

  foreach(mode IN LISTS arg_MODES)
    set(test "${name}.${mode}")
    set(to_ptx)
    if(mode STREQUAL "nvcc" AND MGPU_TEST_WITHOUT_GPU AND NOT arg_LINKED)
      set(to_ptx TO_PTX)
    endif()
    if(arg_FAMILY)
      set(program "${arg_FAMILY}.${mode}")
      set_property(GLOBAL APPEND PROPERTY mgpu_test_programs "${program}")
      set_property(GLOBAL APPEND PROPERTY "mgpu_sources_of_${program}" "${arg_SOURCE}")
      set_property(GLOBAL APPEND PROPERTY "mgpu_libraries_of_${program}" ${arg_LIBRARIES})
      set_property(GLOBAL PROPERTY "mgpu_to_ptx_of_${program}" ${to_ptx})
    else()
      set(program "${test}")
      mgpu_add_test_program(${program} ${mode} SOURCES "${arg_SOURCE}" LIBRARIES ${arg_LIBRARIES} ${to_ptx})
    endif()

    if(to_ptx)
      mgpu_add_ptx_test(${test} ${program} ${mode} ${arg_LABELS})
      continue()
    endif()
    add_test(NAME ${test} COMMAND ${program} --run_test=${suite} --log_level=test_suite --color_output=no)
    set_tests_properties(${test} PROPERTIES LABELS "${mode};${arg_LABELS}" TIMEOUT 600)
    if(mode STREQUAL "asan")
      set_tests_properties(${test} PROPERTIES ENVIRONMENT "${MGPU_TEST_ASAN_ENVIRONMENT}")
    elseif(mode STREQUAL "nvcc")
      # A skip counts only where nothing failed: ctest lets the expression win over the exit status. The two lines
      # go to stdout and stderr and may come in either order. What is skipped because "disabled" are the sources of the
      # program that the test does not run.
      set(skipped "is skipped because [^d]")
      set(passed "No errors detected")
      mgpu_share_gpu(${test} ${arg_LABELS})
      set_tests_properties(${test} PROPERTIES
        SKIP_REGULAR_EXPRESSION "${skipped}.*${passed};${passed}.*${skipped}")
    endif()
  endforeach()
endfunction()

function(mgpu_add_test_programs)
  get_property(programs GLOBAL PROPERTY mgpu_test_programs)
  list(REMOVE_DUPLICATES programs)
  foreach(program IN LISTS programs)
    cmake_path(GET program EXTENSION LAST_ONLY mode)
    string(REPLACE "." "" mode "${mode}")
    get_property(sources GLOBAL PROPERTY "mgpu_sources_of_${program}")
    get_property(libraries GLOBAL PROPERTY "mgpu_libraries_of_${program}")
    list(REMOVE_DUPLICATES libraries)
    get_property(to_ptx GLOBAL PROPERTY "mgpu_to_ptx_of_${program}")
    mgpu_add_test_program(${program} ${mode} SOURCES ${sources} LIBRARIES ${libraries} ${to_ptx})
  endforeach()
endfunction()

# mgpu_add_test_folders(): adds each folder below this one that has a CMakeLists.txt.
function(mgpu_add_test_folders)
  file(GLOB lists CONFIGURE_DEPENDS "*/CMakeLists.txt")
  foreach(list IN LISTS lists)
    cmake_path(GET list PARENT_PATH folder)
    add_subdirectory("${folder}")
  endforeach()
endfunction()
