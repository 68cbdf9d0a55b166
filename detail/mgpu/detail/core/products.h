// Pairs and tuples, of std and of libcu++ (which are Thrust's too): declared, so that they can be recognised. Who has
// one has included what defines it.
#pragma once
#if __has_include(<cuda/std/__fwd/pair.h>) && __has_include(<cuda/std/__fwd/tuple.h>)
#include <cuda/std/__fwd/pair.h>
#include <cuda/std/__fwd/tuple.h>
#else
#include <cuda/std/tuple>
#include <cuda/std/utility>
#endif
#include <utility>
