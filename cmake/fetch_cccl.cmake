# cmake -D FOLDER=<folder> -P cmake/fetch_cccl.cmake
#
# Puts the headers of the newest CCCL in the registry of Python wheels into FOLDER, for the tests in test/versions. What
# is there stays: remove the folder for a newer one. Without pip or network it says so and does nothing.
cmake_minimum_required(VERSION 3.25)

if(EXISTS "${FOLDER}/cuda")
  return()
endif()
set(unpacked "${FOLDER}.wheel")
file(REMOVE_RECURSE "${unpacked}")
execute_process(
  COMMAND python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary=:all:
          --timeout 20 --retries 1 --dest "${unpacked}" nvidia-cuda-cccl
  TIMEOUT 120 RESULT_VARIABLE failed OUTPUT_VARIABLE said ERROR_VARIABLE said)
file(GLOB wheel "${unpacked}/*.whl")
if(failed OR NOT wheel)
  string(STRIP "${said}" said)
  message(NOTICE "no newer CCCL to test with: pip cannot download nvidia-cuda-cccl\n${said}")
  return()
endif()
file(ARCHIVE_EXTRACT INPUT "${wheel}" DESTINATION "${unpacked}")
file(GLOB_RECURSE version "${unpacked}/version.h")
list(FILTER version INCLUDE REGEX "/cuda/std/__cccl/version\\.h$")
if(NOT version)
  message(NOTICE "no newer CCCL to test with: ${wheel} has another layout")
  return()
endif()
cmake_path(SET headers NORMALIZE "${version}/../../../..")
file(RENAME "${headers}" "${FOLDER}")
file(REMOVE_RECURSE "${unpacked}")
