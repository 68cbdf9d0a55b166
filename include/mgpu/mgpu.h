// All of mgpu, and what of Thrust and libcu++ its signatures name.
#pragma once
#include <mgpu/execution_policy.h>
#include <mgpu/merge.h>
#include <mgpu/reduce.h>
#include <mgpu/scan.h>
#include <mgpu/sort.h>
#include <cuda/std/functional>
#include <cuda/stream_ref>
#include <thrust/pair.h>
#include <thrust/system_error.h>
