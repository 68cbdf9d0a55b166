# Makes the target mgpu::distributed where NCCL is: for programs that include <mgpu/distributed.h>. It is used here,
# and by the installed package for its component `distributed`.
#
# NCCL is found by its own CMake package; as the package libnccl-dev of Debian and Ubuntu; or in the folder that
# NCCL_ROOT names, such as nvidia/nccl of the Python wheel nvidia-nccl-cu13.
find_package(NCCL CONFIG QUIET GLOBAL)  # as the target below is
if(NOT TARGET NCCL::nccl)
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS "${NCCL_ROOT}" ENV NCCL_ROOT PATH_SUFFIXES include)
  find_library(NCCL_LIBRARY NAMES nccl libnccl.so.2 HINTS "${NCCL_ROOT}" ENV NCCL_ROOT PATH_SUFFIXES lib)
  mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    add_library(NCCL::nccl UNKNOWN IMPORTED GLOBAL)
    set_target_properties(NCCL::nccl PROPERTIES
      IMPORTED_LOCATION "${NCCL_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES "${NCCL_INCLUDE_DIR}")
  endif()
endif()
if(TARGET NCCL::nccl AND NOT TARGET mgpu::distributed)
  add_library(mgpu::distributed INTERFACE IMPORTED GLOBAL)
  target_link_libraries(mgpu::distributed INTERFACE mgpu::mgpu NCCL::nccl)
endif()
