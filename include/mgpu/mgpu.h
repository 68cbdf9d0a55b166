// All of mgpu.
#pragma once
#include <mgpu/execution_policy.h>
#include <mgpu/merge.h>
#include <mgpu/reduce.h>
#include <mgpu/scan.h>
#include <mgpu/sort.h>
