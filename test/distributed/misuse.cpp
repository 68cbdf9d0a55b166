// None of these calls must compile, and each is told why in one line, in the order in which they stand here.
#include <mgpu/distributed.h>
#include <mgpu/merge.h>

namespace {

struct copies_itself {
  int key;
  __host__ __device__ explicit copies_itself(int k) : key(k) {}
  __host__ __device__ copies_itself(copies_itself const& other) : key(other.key) {}
  __host__ __device__ copies_itself& operator=(copies_itself const& other) {
    key = other.key;
    return *this;
  }
  __host__ __device__ friend bool operator<(copies_itself const& a, copies_itself const& b) { return a.key < b.key; }
};

}  // namespace

void merges(ncclComm_t comm, int* items) {
  mgpu::merge(mgpu::par.over(comm), items, items + 2, items + 2, items + 4, items + 4);
}
void scans_with_total(ncclComm_t comm, int* items) {
  mgpu::inclusive_scan_with_total(mgpu::par_nosync.with_scratch(nullptr, 0).over(comm), items, items + 2, items,
                                  items + 2);
}
void sorts_indices(ncclComm_t comm, int* items) { mgpu::argsort(mgpu::par.over(comm), items, items + 2, items + 2); }
void sorts_what_copies_itself(ncclComm_t comm, copies_itself* items) {
  mgpu::sort(mgpu::par.over(comm), items, items + 2);
}
void attaches_memory_to_a_team(mgpu::team& team, int* items) {
  mgpu::sort(mgpu::par.with_scratch(nullptr, 0).over(team), items, items + 2);
}
void takes_a_team_that_ends(ncclComm_t comm, int* items) {
  mgpu::sort(mgpu::par.over(mgpu::team(comm, 0)), items, items + 2);
}
void takes_a_constant_team_that_ends(mgpu::team const& (*made)(), int* items) {
  mgpu::sort(mgpu::par.over(static_cast<mgpu::team const&&>(made())), items, items + 2);
}
