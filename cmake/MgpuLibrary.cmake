# The library's targets.
#   mgpu          (mgpu::mgpu)     what users link: the headers and the CUDA runtime
#   mgpu_headers  (mgpu::headers)  the headers alone, for programs that use the host policy only, and for the tests that
#                                  bring their own runtime (the emulator)
#   mgpu::distributed              mgpu and NCCL, where that is found

include(GNUInstallDirs)  # before CMAKE_INSTALL_INCLUDEDIR is used below

find_package(CUDAToolkit REQUIRED)
if(NOT TARGET CCCL::CCCL)  # a project that brings a CCCL of its own keeps it
  # mgpu is used from directories above this one, so what it links must be GLOBAL.
  find_package(CCCL REQUIRED CONFIG GLOBAL HINTS "${CUDAToolkit_LIBRARY_DIR}/cmake")
endif()

add_library(mgpu_headers INTERFACE)
add_library(mgpu::headers ALIAS mgpu_headers)
set_target_properties(mgpu_headers PROPERTIES EXPORT_NAME headers)
target_compile_features(mgpu_headers INTERFACE cxx_std_17 cuda_std_17)
target_include_directories(mgpu_headers INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include>
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/detail>
  $<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>)
# This does not link CCCL::CCCL, which chooses Thrust's systems: a Thrust target of the user's may choose others.
# These are aliases of targets in no export set; an export leaves names within $<1:...> as they are.
target_link_libraries(mgpu_headers INTERFACE $<1:Thrust::Thrust> $<1:CCCL::CUB> CUDA::toolkit)

add_library(mgpu INTERFACE)
add_library(mgpu::mgpu ALIAS mgpu)
# This is the runtime that CMake links into CUDA programs (static unless the program's own property says otherwise):
# with both kinds in one program there would be two runtimes with two states.
target_link_libraries(mgpu INTERFACE mgpu_headers
  $<IF:$<STREQUAL:$<TARGET_PROPERTY:CUDA_RUNTIME_LIBRARY>,Shared>,CUDA::cudart,CUDA::cudart_static>)

include(mgpu-distributed)
