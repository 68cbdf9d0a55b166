// This call must not compile without <mgpu/distributed.h>.
#include <mgpu/sort.h>

void sorts(void* comm, int* items) { mgpu::sort(mgpu::par.over(comm), items, items + 2); }
