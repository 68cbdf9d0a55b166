// This comes before all else in an emulated build. A compiler that does not optimise, or that instruments each
// access, would inline everything, as kernels ask for, and emit each function at each of its calls: twice the time
// and code.
#pragma once
#include <cuda_runtime_api.h>

#undef __forceinline__
#define __forceinline__ inline
