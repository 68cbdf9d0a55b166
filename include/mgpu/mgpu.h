// This header includes all of mgpu, and the headers of Thrust and libcu++ whose names its signatures use.
#pragma once
#include <mgpu/execution_policy.h>
#include <mgpu/merge.h>
#include <mgpu/reduce.h>
#include <mgpu/scan.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <mgpu/tuning.h>
#include <mgpu/version.h>
#include <cuda/std/functional>
#include <cuda/stream_ref>
#include <thrust/pair.h>
#include <thrust/system_error.h>
