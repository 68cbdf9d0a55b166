// The benchmarks' measuring loop lets candidates take turns, as often as it must, and goes on where one fails; here
// candidates only note that they were called.
#include <boost/test/unit_test.hpp>
#include <harness/measure.h>
#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace {

using namespace perf;

// A candidate appends its name to `calls`, small on the device clock, and capital on the wall clock. On the device
// clock it may throw, at which call (0: never), or have a wrong result.
candidate noting_candidate(char name, std::string& calls, int throws_at = 0, bool is_wrong = false) {
  auto const enqueue = [=, &calls, count = 0](job& of) mutable {
    if (++count == throws_at) throw std::runtime_error("no memory");
    calls += name;
    if (is_wrong) of.result = &of.data.in;
  };
  auto const call = [=, &calls](job&) { calls += static_cast<char>(name - 'a' + 'A'); };
  return {"", enqueue, call};
}

std::vector<measurement> measure_all(std::vector<candidate> const& candidates, int runs, bool wall_clock) {
  input data;
  // Results are what candidates say of themselves.
  data.verify = [&](columns const& result, bool) { return &result == &data.work ? "" : "of no use"; };
  effort limits;
  limits.min_runs = limits.max_runs = runs;
  limits.wall_clock = wall_clock;
  std::vector<candidate const*> all;
  for (candidate const& each : candidates) all.push_back(&each);
  return measure(all, data, limits);
}

// Returns the three turns, of two calls each, of all rounds.
std::vector<std::multiset<std::string>> turns_by_round(std::string const& calls) {
  std::vector<std::multiset<std::string>> rounds;
  for (std::size_t i = 0; i < calls.size(); i += 2) {
    if (i % 6 == 0) rounds.emplace_back();
    rounds.back().insert(calls.substr(i, 2));
  }
  return rounds;
}

}  // namespace

BOOST_AUTO_TEST_CASE(candidates_take_turns) {
  std::string calls;
  auto const measured = measure_all(
      {noting_candidate('a', calls), noting_candidate('b', calls), noting_candidate('c', calls)}, 2, true);
  auto const rounds = turns_by_round(calls);
  BOOST_TEST(rounds.size() == 3u);  // the first to warm up
  for (auto const& turns : rounds) BOOST_TEST((turns == std::multiset<std::string>{"aA", "bB", "cC"}));
  for (auto const& one : measured) {
    BOOST_TEST(one.failure == "");
    BOOST_TEST(one.device.size() == 2u);
    BOOST_TEST(one.wall.size() == 2u);
  }
}

// Nobody always comes after the same one.
BOOST_AUTO_TEST_CASE(the_order_of_a_round_is_drawn) {
  std::string calls;
  measure_all({noting_candidate('a', calls), noting_candidate('b', calls), noting_candidate('c', calls)}, 60, false);
  std::set<std::string> orders;
  for (std::size_t start = 3; start < calls.size(); start += 3) orders.insert(calls.substr(start, 3));
  BOOST_TEST(orders.size() == 6u);
}

BOOST_AUTO_TEST_CASE(one_that_fails_takes_no_further_part) {
  std::string calls;
  auto const measured = measure_all({noting_candidate('a', calls), noting_candidate('b', calls, 0, true),
                                     noting_candidate('c', calls, 1), noting_candidate('d', calls, 3)},
                                    3, false);
  BOOST_TEST(calls.substr(0, 3) == "abd");
  BOOST_TEST(std::count(calls.begin(), calls.end(), 'a') == 4);
  BOOST_TEST(std::count(calls.begin(), calls.end(), 'b') == 1);
  BOOST_TEST(std::count(calls.begin(), calls.end(), 'c') == 0);
  BOOST_TEST(std::count(calls.begin(), calls.end(), 'd') == 2);
  BOOST_TEST(measured[0].failure == "");
  BOOST_TEST(measured[0].device.size() == 3u);
  BOOST_TEST(measured[1].failure == "WRONG RESULT: of no use");
  BOOST_TEST(measured[2].failure == "no memory");
  BOOST_TEST(measured[3].failure == "no memory");
}
