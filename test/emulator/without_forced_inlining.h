// Comes before all else in an emulated build. To inline everything, as kernels ask for, has a C++ compiler that does
// not optimise, or that instruments each access, emit each function at each of its calls: twice the time and code.
#pragma once
#include <cuda_runtime_api.h>

#undef __forceinline__
#define __forceinline__ inline
