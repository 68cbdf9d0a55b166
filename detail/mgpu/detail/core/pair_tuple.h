// Pairs and tuples of std and of libcu++ (which are Thrust's too) are declared here, so that they can be recognised.
// A program that uses one has included what defines it.
#pragma once
#if __has_include(<cuda/std/__fwd/pair.h>) && __has_include(<cuda/std/__fwd/tuple.h>)
#include <cuda/std/__fwd/pair.h>
#include <cuda/std/__fwd/tuple.h>
#else
#include <cuda/std/tuple>
#include <cuda/std/utility>
#endif
#include <utility>
