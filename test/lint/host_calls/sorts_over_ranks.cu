// Calls over ranks are compiled for their host code alone.
#include <mgpu/distributed.h>
#include <cstdint>

void sort_over_ranks(std::uint32_t* keys, std::int64_t count, ncclComm_t comm) {
  mgpu::sort(mgpu::par.over(comm), keys, keys + count);
}
void sort_by_key_over_ranks(std::uint32_t* keys, std::uint32_t* values, std::int64_t count, ncclComm_t comm) {
  mgpu::sort_by_key(mgpu::par.over(comm), keys, keys + count, values);
}
void sort_bytes_over_ranks(std::uint8_t* keys, std::int64_t count, ncclComm_t comm) {
  mgpu::sort(mgpu::par.over(comm), keys, keys + count);
}
std::uint32_t reduce_over_ranks(std::uint32_t const* items, std::int64_t count, ncclComm_t comm) {
  return mgpu::reduce(mgpu::par.over(comm), items, items + count);
}
void scan_over_ranks(std::uint32_t* items, std::int64_t count, ncclComm_t comm) {
  mgpu::inclusive_scan(mgpu::par.over(comm), items, items + count, items);
}
