// The function objects of libcu++, from as few of its headers as possible: all of <cuda/std/functional> takes a
// compiler longer than this library does.
#pragma once
#if __has_include(<cuda/std/__functional/operations.h>)
#include <cuda/std/__functional/operations.h>
#else
#include <cuda/std/functional>
#endif
