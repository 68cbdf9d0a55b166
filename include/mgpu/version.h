// The version of mgpu, by semver.org: a release that adds something raises the minor number, one that removes or
// changes something the major one. Before 1.0.0 either raises the minor number.
#pragma once

#define MGPU_VERSION_MAJOR 0
#define MGPU_VERSION_MINOR 1
#define MGPU_VERSION_PATCH 0

// MGPU_VERSION is one number that grows with the version, for #if: it is 1002003 for 1.2.3.
#define MGPU_VERSION (MGPU_VERSION_MAJOR * 1000000 + MGPU_VERSION_MINOR * 1000 + MGPU_VERSION_PATCH)
