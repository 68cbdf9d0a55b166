// Without a policy the iterators decide: every overload on each kind of memory, and pointers of either kind.
#include <dropin/overloads.h>
#include <dropin/program.h>

namespace memory {

// Pointers to the same items: typed ones decide for themselves, raw ones need the policy.
void call_on_pointers() {
  std::vector<int> const numbers = dropin::drawn();
  dropin::vector<int> keys(numbers.begin(), numbers.end());
  dropin::vector<int> values(numbers.begin(), numbers.end());
  auto const typed = keys.data();
  algo::stable_sort_by_key(typed, typed + keys.size(), values.data());
  dropin::show("device_ptr keys", keys);
  dropin::show("device_ptr values", values);
  dropin::show_value("device_ptr sum", algo::reduce(typed, typed + keys.size(), 0LL));

  auto* const raw = thrust::raw_pointer_cast(keys.data());
  int const* const read_only = raw;
  int* const out = thrust::raw_pointer_cast(values.data());
  algo::inclusive_scan(dropin::policy, read_only, read_only + keys.size(), out);
  dropin::show("raw scan", values);
  algo::sort(dropin::policy, raw, raw + keys.size(), thrust::greater<int>());
  dropin::show("raw sort", keys);
  algo::merge(dropin::policy, read_only, read_only + 1000, read_only + 1000, read_only + 3000, out,
              thrust::greater<int>());
  dropin::show("raw merge", values);
  dropin::show_value("raw sum", algo::reduce(dropin::policy, read_only, read_only + keys.size()));

  // Here are the host's raw pointers, without a policy, and vectors of std.
  std::vector<int> host = numbers;
  algo::sort(host.data(), host.data() + host.size());
  algo::exclusive_scan(host.begin(), host.end(), host.begin());
  dropin::show_value("host scan", host.back());
  dropin::show_value("host sum", algo::reduce(host.cbegin(), host.cend(), 1LL));
}

DROPIN_PROGRAM(memory) {
  dropin::call_every<dropin::vector<int>>("vector");
  dropin::call_every<dropin::universal_vector<int>>("universal_vector");
  dropin::call_every<thrust::host_vector<int>>("host_vector");
  call_on_pointers();
}

}  // namespace memory
