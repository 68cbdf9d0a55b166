// Reductions over ranks: operators in order, the same bits on every rank.
#include <mgpu/distributed.h>
#include <distributed/ranks.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

BOOST_AUTO_TEST_SUITE(distributed_reduce, *boost::unit_test::precondition(test::can_run_ranks()))

namespace {

// The map x -> scale * x + shift. Maps one after the other make a map, and their order shows.
struct linear_map {
  std::uint32_t scale;
  std::uint32_t shift;
  friend bool operator==(linear_map const& a, linear_map const& b) {
    return a.scale == b.scale && a.shift == b.shift;
  }
};
std::ostream& operator<<(std::ostream& out, linear_map const& map) { return out << map.scale << "x+" << map.shift; }

struct then {
  __host__ __device__ linear_map operator()(linear_map const& a, linear_map const& b) const {
    return {a.scale * b.scale, a.shift * b.scale + b.shift};
  }
};
struct to_map {
  __host__ __device__ linear_map operator()(std::uint32_t x) const { return {2 * x + 1, x}; }
};

std::vector<std::uint32_t> numbers(std::size_t count, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> made(count);
  for (auto& x : made) x = static_cast<std::uint32_t>(random());
  return made;
}

// Calls check(counts, seed) for all numbers of ranks and ways to share items.
template <class Check>
void for_each_sharing(Check check) {
  test::for_each_sharing({3, 700, 20000, 3000000}, check);
}

}  // namespace

BOOST_AUTO_TEST_CASE(sums) {
  for_each_sharing([](test::rank_counts const& counts, std::uint32_t seed) {
    auto const whole = numbers(test::sum_of(counts), seed);
    std::uint64_t expected = 17;
    for (std::uint32_t const x : whole) expected += x;
    std::vector<std::uint64_t> results(counts.size());
    test::run_ranks(static_cast<int>(counts.size()), seed, [&](ncclComm_t comm, int rank) {
      test::buffer<std::uint32_t> items(test::part_of(whole, counts, rank));
      test::meet();
      results[static_cast<std::size_t>(rank)] =
          mgpu::reduce(mgpu::par.over(comm), items.begin(), items.end(), std::uint64_t{17});
    });
    for (std::uint64_t const result : results) BOOST_TEST(result == expected);
  });
}

BOOST_AUTO_TEST_CASE(order) {
  for_each_sharing([](test::rank_counts const& counts, std::uint32_t seed) {
    auto const whole = numbers(test::sum_of(counts), seed);
    linear_map const init{3, 5};
    linear_map expected = init;
    for (std::uint32_t const x : whole) expected = then{}(expected, to_map{}(x));
    std::vector<linear_map> results(counts.size());
    std::vector<linear_map> written(counts.size());
    test::run_ranks(static_cast<int>(counts.size()), seed, [&](ncclComm_t comm, int rank) {
      auto const place = static_cast<std::size_t>(rank);
      std::vector<linear_map> maps;
      for (std::uint32_t const x : test::part_of(whole, counts, rank)) maps.push_back(to_map{}(x));
      test::buffer<std::uint32_t> items(test::part_of(whole, counts, rank));
      test::buffer<linear_map> given(maps);
      test::buffer<linear_map> out(1);
      test::meet();
      results[place] =
          mgpu::transform_reduce(mgpu::par.over(comm), items.begin(), items.end(), to_map{}, init, then{});
      mgpu::reduce_into(mgpu::par_nosync.over(comm), given.begin(), given.end(), out.begin(), init, then{});
      test::require(cudaDeviceSynchronize());
      written[place] = out.get()[0];
    });
    for (linear_map const& result : results) BOOST_TEST(result == expected);
    for (linear_map const& result : written) BOOST_TEST(result == expected);
  });
}

// The sum of floats depends on their order, and on which rank has which, but not on who is asked.
BOOST_AUTO_TEST_CASE(bits) {
  for_each_sharing([](test::rank_counts const& counts, std::uint32_t seed) {
    std::vector<float> whole;
    for (std::uint32_t const x : numbers(test::sum_of(counts), seed)) whole.push_back(static_cast<float>(x) * 1e-3f);
    std::vector<float> results(counts.size());
    test::run_ranks(static_cast<int>(counts.size()), seed, [&](ncclComm_t comm, int rank) {
      test::buffer<float> items(test::part_of(whole, counts, rank));
      test::meet();
      results[static_cast<std::size_t>(rank)] = mgpu::reduce(mgpu::par.over(comm), items.begin(), items.end(), 0.5f);
    });
    double sum = 0.5;
    for (float const x : whole) sum += x;
    for (float const result : results) {
      BOOST_TEST(std::memcmp(&result, &results[0], sizeof(float)) == 0);
      BOOST_TEST(result == static_cast<float>(sum), boost::test_tools::tolerance(1e-4f));
    }
  });
}

BOOST_AUTO_TEST_CASE(size_query) {
  test::run_ranks(2, 1, [&](ncclComm_t comm, int rank) {
    test::buffer<std::uint32_t> items(numbers(100000, 1));
    std::size_t bytes = 0;
    mgpu::reduce(mgpu::par.query_scratch(bytes).over(comm), items.begin(), items.end());
    test::buffer<unsigned char> scratch(bytes);
    test::meet();
    std::uint32_t const whole = mgpu::reduce(mgpu::par.over(comm), items.begin(), items.end());
    std::uint32_t const again =
        mgpu::reduce(mgpu::par.with_scratch(scratch.begin(), bytes).over(comm), items.begin(), items.end());
    if (bytes == 0 || whole != again) throw std::runtime_error("another result with scratch memory of its own");
    bool has_thrown = false;  // on all ranks, if one has too little memory
    try {
      std::size_t const given = rank == 0 ? bytes - 1 : bytes;
      mgpu::reduce(mgpu::par.with_scratch(scratch.begin(), given).over(comm), items.begin(), items.end());
    } catch (std::bad_alloc const&) {
      has_thrown = true;
    }
    if (!has_thrown) throw std::runtime_error("a rank without memory has not stopped the others");
  });
}

BOOST_AUTO_TEST_SUITE_END()
