// One source, two libraries: `algo` is Thrust, or mgpu where DROPIN_MGPU is defined. A code base that moves to mgpu
// needs no more than this header does.
#pragma once
#if defined(DROPIN_MGPU)
#include <mgpu/mgpu.h>
namespace algo = mgpu;
#else
#include <thrust/merge.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>
#include <thrust/transform_scan.h>
namespace algo = thrust;
#endif
