// Files of one program that are compiled for different architectures, or kinds of default stream, do not get into
// each other's kernels.
#include <dropin/arch_lists.h>
#include <support/device.h>
#include <vector>

BOOST_AUTO_TEST_SUITE(arch_lists, *boost::unit_test::precondition(test::can_run{}))

namespace {

std::vector<int> numbers() {
  std::vector<int> items;
  for (int i = 0; i < 100000; ++i) items.push_back(static_cast<int>(std::int64_t{i} * 7919 % 65537));
  return items;
}

}  // namespace

// Each file has functions of its own, as the linker would merge what has one name.
BOOST_AUTO_TEST_CASE(each_has_its_own_functions) {
  BOOST_TEST(dropin::foreign::address_of_sort() != dropin::usual::address_of_sort());
  BOOST_TEST(dropin::per_thread::address_of_sort() != dropin::usual::address_of_sort());
}

BOOST_AUTO_TEST_CASE(each_runs_what_it_was_compiled_for) {
  for (auto const work : {dropin::usual::work_on_device, dropin::per_thread::work_on_device}) {
    auto const report = work(numbers());
    BOOST_TEST(!report.threw);
    BOOST_TEST(report.correct);
  }
  auto const foreign = dropin::foreign::work_on_device(numbers());
  BOOST_TEST(foreign.threw != foreign.correct);
}

BOOST_AUTO_TEST_SUITE_END()
