// cuda::std::addressof, from as few headers of libcu++ as possible.
#pragma once
#if __has_include(<cuda/std/__memory/addressof.h>)
#include <cuda/std/__memory/addressof.h>
#else
#include <cuda/std/memory>
#endif
