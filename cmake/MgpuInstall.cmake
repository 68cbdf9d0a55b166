# cmake --install: both source roots go into one tree, with a package for find_package(mgpu).

include(CMakePackageConfigHelpers)

set(MGPU_INSTALL_PACKAGE_DIR "${CMAKE_INSTALL_LIBDIR}/cmake/mgpu")

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/mgpu" "${PROJECT_SOURCE_DIR}/detail/mgpu"
        DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" FILES_MATCHING PATTERN "*.h" PATTERN "*.cuh")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DATAROOTDIR}/licenses/mgpu")
install(TARGETS mgpu mgpu_headers EXPORT mgpu-targets)
install(EXPORT mgpu-targets NAMESPACE mgpu:: DESTINATION "${MGPU_INSTALL_PACKAGE_DIR}")

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/mgpu-config.cmake.in"
        "${PROJECT_BINARY_DIR}/mgpu-config.cmake" INSTALL_DESTINATION "${MGPU_INSTALL_PACKAGE_DIR}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/mgpu-config-version.cmake"
        COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES "${PROJECT_BINARY_DIR}/mgpu-config.cmake" "${PROJECT_BINARY_DIR}/mgpu-config-version.cmake"
              "${PROJECT_SOURCE_DIR}/cmake/mgpu-distributed.cmake"
        DESTINATION "${MGPU_INSTALL_PACKAGE_DIR}")
