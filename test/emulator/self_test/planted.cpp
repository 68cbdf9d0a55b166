// planted <defect> runs one kernel with a defect that a sanitizer must name, which then ends the program.
#include "launch.h"
#include <cstdio>
#include <cstring>
#include <limits>

int main(int argc, char** argv) {
  using namespace self_test;
  char const* const defect = argc > 1 ? argv[1] : "";
  auto const is = [&](char const* name) { return std::strcmp(defect, name) == 0; };
  // TSan remembers few accesses to each 8 bytes, and those to the flag must not push out those to the data.
  alignas(8) word data = 0;
  alignas(8) word flag = 0;
  std::vector<word> out(4);

  if (is("missing_block_barrier")) {
    reversed(reverse_kernel<false>, 1);
  } else if (is("missing_warp_barrier")) {
    reversed(reverse_warps_kernel<false>, 1);
  } else if (is("missing_block_barrier_before_write")) {
    rotated(rotate_kernel<false>);
  } else if (is("missing_warp_barrier_before_write")) {
    rotated(rotate_warps_kernel<false>);
  } else if (is("relaxed_flag")) {
    launch(4, 32, hand_over_kernel<false>, &data, &flag, out.data());
  } else if (is("relaxed_flag_one_resident")) {
    mgpu::emulator::config().resident = 1;
    launch(4, 32, hand_over_kernel<false>, &data, &flag, out.data());
  } else if (is("missing_cluster_wait")) {
    pushed(push_kernel<false>, 2, 2);
  } else if (is("words_show_what_was_before")) {
    pushed<counted_boxes_storage>(boxes_behind_words_kernel<false>, 2, 2);
  } else if (is("relaxed_cluster_barrier")) {
    pushed(push_kernel<true, false>, 2, 2);
  } else if (is("missing_block_barrier_before_release")) {
    reduced(reduce_cluster_kernel<true, false>, 2, 2);
  } else if (is("missing_cluster_barrier_before_write")) {
    relayed(relay_kernel<false>, 2, 2);
  } else if (is("block_ends_before_write")) {
    launch_in_clusters<sum_storage>(2, 2, 32, late_write_kernel, 100u);
  } else if (is("block_may_end_before_write")) {
    launch_in_clusters<sum_storage>(2, 2, 32, late_write_kernel, 0u);
  } else if (is("read_before_primary_ended")) {
    doubled_and_incremented(early_increment_kernel);
  } else if (is("read_behind_skipped_launch")) {
    read_behind_skipped_launch();
  } else if (is("dependents_before_wait")) {
    incremented_early<false>();
  } else if (is("overrun")) {
    launch<tile_storage>(1, threads, overrun_kernel);
  } else if (is("device_overrun")) {
    void* memory = nullptr;
    if (cudaMalloc(&memory, threads * sizeof(word)) != cudaSuccess) return 1;
    std::vector<word> const in = numbers(2 * threads);
    launch<tile_storage>(2, threads, reverse_kernel<>, in.data(), static_cast<word*>(memory));
  } else if (is("copy_overrun")) {
    void* memory = nullptr;
    if (cudaMalloc(&memory, threads * sizeof(word)) != cudaSuccess) return 1;
    std::vector<word> const in = numbers(threads + 1);
    if (cudaMemcpy(memory, in.data(), in.size() * sizeof(word), cudaMemcpyHostToDevice) != cudaSuccess) return 1;
  } else if (is("misaligned")) {
    launch<tile_storage>(1, 32, misaligned_kernel);
  } else if (is("signed_overflow")) {
    launch<tile_storage>(1, 32, signed_overflow_kernel, std::numeric_limits<int>::max());
  } else {
    std::printf("no defect '%s'\n", defect);
    return 1;
  }
  std::printf("nothing was found\n");
}
