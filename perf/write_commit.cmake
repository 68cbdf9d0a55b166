# cmake -D OUTPUT=<header> -D ROOT=<repository> -P write_commit.cmake
#
# Writes a header with the commit being built, for the JSON's head. Run at every build; the file changes, and what
# includes it is compiled again, only when the commit does.
cmake_minimum_required(VERSION 3.25)
execute_process(COMMAND git -C "${ROOT}" describe --always --dirty --abbrev=12 --exclude=*
                OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
if(NOT commit)
  set(commit "unknown")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" @ONLY CONTENT "#define MGPU_COMMIT \"@commit@\"\n")
