# Makes the target mgpu_nccl_header, if nccl.h is there: NCCL's own, or the one that cmake/fetch_nccl.py has fetched. Tests
# that bring a stand-in for the library need no more.

set(MGPU_NCCL_HEADER "${PROJECT_BINARY_DIR}/nccl" CACHE PATH "Folder with an nccl.h, for tests where there is no NCCL")
if(TARGET NCCL::nccl)
  get_target_property(folders NCCL::nccl INTERFACE_INCLUDE_DIRECTORIES)
  list(GET folders 0 MGPU_NCCL_HEADER_FOLDER)
elseif(EXISTS "${MGPU_NCCL_HEADER}/nccl.h")
  set(MGPU_NCCL_HEADER_FOLDER "${MGPU_NCCL_HEADER}")
else()
  message(STATUS "nccl.h is not there, so that nothing that runs over ranks is tested")
  return()
endif()
add_library(mgpu_nccl_header INTERFACE)
target_include_directories(mgpu_nccl_header SYSTEM INTERFACE "${MGPU_NCCL_HEADER_FOLDER}")
