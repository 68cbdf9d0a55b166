// The benchmarks' measuring loop, with candidates that only note that they were called: who takes turns, how often, and
// what becomes of one that fails.
#include <boost/test/unit_test.hpp>
#include <harness/measure.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace perf;

class no_data final : public dataset {
 public:
  void generate(distribution, std::int64_t, cudaStream_t) override {}
  columns input() const override { return {}; }
  columns work() const override { return {}; }
  void refill(bool, cudaStream_t) override {}
  // Results are what candidates say of themselves.
  std::string verify(columns result, bool, cudaStream_t) override {
    return result.keys == nullptr ? "" : "of no use";
  }
  void spoil(columns, cudaStream_t) override {}
  std::size_t item_bytes() const override { return 1; }
  std::size_t traffic_bytes() const override { return 1; }
  void release() override {}
};

// Appends its name to `calls`: small on the device clock, capital on the wall clock. On the device clock it may throw,
// at which call (0: never), or have a wrong result.
class noting_candidate final : public candidate {
 public:
  noting_candidate(char name, std::string& calls, int throws_at = 0, bool is_wrong = false)
      : name_(name), calls_(calls), throws_at_(throws_at), is_wrong_(is_wrong) {}
  void prepare(dataset const&, std::int64_t, cudaStream_t) override {}
  columns enqueue(cudaStream_t) override {
    if (++count_ == throws_at_) throw std::runtime_error("no memory");
    calls_ += name_;
    return {is_wrong_ ? this : nullptr, nullptr};
  }
  columns call(cudaStream_t) override {
    calls_ += static_cast<char>(name_ - 'a' + 'A');
    return {};
  }
  bool in_place() const override { return false; }

 private:
  char name_;
  std::string& calls_;
  int throws_at_;
  bool is_wrong_;
  int count_ = 0;
};

std::vector<measurement> measure_all(std::vector<candidate*> const& candidates, int runs, bool wall_clock) {
  no_data data;
  effort limits;
  limits.min_runs = limits.max_runs = runs;
  limits.wall_clock = wall_clock;
  return measure(candidates, data, 1, nullptr, limits, false);
}

}  // namespace

BOOST_AUTO_TEST_CASE(candidates_take_turns) {
  std::string calls;
  noting_candidate a('a', calls), b('b', calls), c('c', calls);
  auto const measured = measure_all({&a, &b, &c}, 2, true);
  BOOST_TEST(calls ==
             "aAbBcC"
             "aAbBcC"
             "aAbBcC");  // the first time to warm up
  for (auto const& one : measured) {
    BOOST_TEST(one.failure == "");
    BOOST_TEST(one.device.size() == 2u);
    BOOST_TEST(one.wall.size() == 2u);
  }
}

BOOST_AUTO_TEST_CASE(one_that_fails_takes_no_further_part) {
  std::string calls;
  noting_candidate a('a', calls), wrong('b', calls, 0, true), throws('c', calls, 1), throws_late('d', calls, 3);
  auto const measured = measure_all({&a, &wrong, &throws, &throws_late}, 3, false);
  BOOST_TEST(calls ==
             "abd"
             "ad"
             "a"
             "a");
  BOOST_TEST(measured[0].failure == "");
  BOOST_TEST(measured[0].device.size() == 3u);
  BOOST_TEST(measured[1].failure == "WRONG RESULT: of no use");
  BOOST_TEST(measured[2].failure == "no memory");
  BOOST_TEST(measured[3].failure == "no memory");
}
