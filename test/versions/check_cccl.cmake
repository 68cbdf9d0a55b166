# Compiles a test's source with another CCCL than the toolkit's, and runs it if it gets LIBRARIES to link.
#   CCCL      folder of the headers; where it is missing the test is skipped, with a message
#   COMPILER, FLAGS, INCLUDES, SOURCE, LIBRARIES, PROGRAM (to be made)
cmake_minimum_required(VERSION 3.25)

set(version_header "${CCCL}/cuda/std/__cccl/version.h")
if(NOT EXISTS "${version_header}")
  message("is skipped because there is no CCCL in ${CCCL}; cmake/run test fetches one where there is network")
  return()
endif()
file(STRINGS "${version_header}" version REGEX "^#define CCCL_VERSION [0-9]+")
string(REGEX MATCH "[0-9]+" version "${version}")

set(wrapper "${PROGRAM}.cpp")
file(WRITE "${wrapper}" "#include <cuda/std/version>\n"
     "static_assert(CCCL_VERSION == ${version}, \"another CCCL came first\");\n#include \"${SOURCE}\"\n")
list(TRANSFORM INCLUDES PREPEND "-isystem")
if(LIBRARIES)
  set(link -O0 -o "${PROGRAM}" ${LIBRARIES})
else()
  set(link -fsyntax-only)
endif()
execute_process(
  COMMAND "${COMPILER}" -std=c++17 "-I${CCCL}" ${INCLUDES} ${FLAGS} -Wno-unknown-pragmas -DBOOST_TEST_DYN_LINK
          -DBOOST_TEST_MODULE=versions "${wrapper}" ${link}
  COMMAND_ERROR_IS_FATAL ANY)
if(LIBRARIES)
  execute_process(COMMAND "${PROGRAM}" COMMAND_ERROR_IS_FATAL ANY)
endif()
message("compiles with CCCL ${version}")
