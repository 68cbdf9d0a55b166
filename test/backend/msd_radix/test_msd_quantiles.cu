// Keys that are unevenly spread are put into buckets by their quantiles, as far as a table of some keys tells these.
#include <backend/msd_radix/msd_radix_sorts.h>
#include <support/schedules.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <random>
#include <tuple>
#include <vector>

BOOST_AUTO_TEST_SUITE(msd_quantiles, *boost::unit_test::precondition(test::can_run{}))

namespace {

using test::msd_way;

template <class Tuning, int num_cells>
struct with_cells {
  __host__ __device__ static constexpr mgpu::detail::msd_radix_tuning at(int arch) {
    mgpu::detail::msd_radix_tuning numbers = Tuning::at(arch);
    numbers.refuses_alike = true;
    numbers.num_cells = num_cells;
    numbers.bin_bits = 8;
    return numbers;
  }
};
// At most 32 buckets, of at most two tiles of 256 keys; 8 segments.
using without_cells = test::msd_tuning<3, 2, 128, 2, 2>;
using small = with_cells<without_cells, 120>;
// One partition, and segments of 16 octaves of wide floats.
using one_partition = with_cells<test::msd_tuning<8, 2, 256, 2, 2>, 1024>;
// Blocks have too few registers to keep the digits that they find.
using large_blocks = with_cells<test::msd_tuning<10, 2, 1024, 2, 2>, 1024>;

// 2,048 small buckets.
struct fine {
  __host__ __device__ static constexpr mgpu::detail::msd_radix_tuning at(int) {
    mgpu::detail::msd_radix_tuning numbers{10, 2, {1024, 2, 1}, {1024, 2, 1}, {128, 4, 1}, 8, 8, 1024, 1};
    numbers.num_cells = 16384;
    numbers.bucket_fill = 12;
    return numbers;
  }
};

template <class Key, class Make>
std::vector<Key> made(std::size_t count, std::uint32_t seed, Make make) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(1e-12, 1);
  std::vector<Key> keys(count);
  for (Key& key : keys) {
    double const u = unit(random), v = unit(random);
    key = static_cast<Key>(make(u, v));
  }
  return keys;
}

double fraction(double u, double) { return u; }
double normal(double u, double v) { return std::sqrt(-2 * std::log(u)) * std::cos(6.283185307179586 * v); }
double exponential(double u, double) { return -1000 * std::log(u); }
double any_octave(double u, double) { return std::exp(20 * u); }
double fourth_power(double u, double) { return u * u * u * u; }

template <class Tuning, class Key>
void check_both_ways(std::vector<Key> const& keys, msd_way expected) {
  test::check_msd_sort<Tuning, false>(keys, expected);
  test::check_msd_sort<Tuning, true>(keys, expected);
}

}  // namespace

using key_types = std::tuple<float, double, std::uint32_t, std::int64_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(distributions, Key, key_types) {
  Key const unit = std::numeric_limits<Key>::is_integer ? static_cast<Key>(1 << 28) : Key{1};
  for (double (*const make)(double, double) : {fraction, normal, exponential, any_octave, fourth_power}) {
    auto const of_unit = [&](double u, double v) {
      double const number = make(u, v) * static_cast<double>(unit) * (make == exponential ? 1e-4 : 1);
      return std::numeric_limits<Key>::is_integer ? std::fmin(std::fabs(number), 4e9) : number;
    };
    test::check_msd_sort<small, false>(made<Key>(2801, 3, of_unit), msd_way::any);
  }
}

// Keys of these distributions are left to the other way where there is no table.
BOOST_AUTO_TEST_CASE(are_taken) {
  for (std::uint32_t seed = 0; seed < 2; ++seed) {
    auto const floats = made<float>(1900, seed, fraction);
    test::check_msd_sort<without_cells, false>(floats, msd_way::other);
    check_both_ways<small>(floats, msd_way::highest_first);
    check_both_ways<small>(made<float>(1900, seed, normal), msd_way::highest_first);
  }
  for (double (*const make)(double, double) : {fraction, normal}) {
    test::check_msd_sort<test::doubling<small>, true>(made<float>(9'000, 3, make), msd_way::highest_first);
  }
  for (double (*const make)(double, double) : {fraction, normal}) {
    test::check_msd_sort<one_partition, true>(made<double>(8'000, 3, make), msd_way::highest_first);
  }
  test::check_msd_sort<large_blocks, false>(made<float>(50'000, 3, normal), msd_way::highest_first);
  test::check_msd_sort<large_blocks, true>(made<double>(50'000, 3, fraction), msd_way::highest_first);
}

BOOST_AUTO_TEST_CASE(sizes) {
  for (std::size_t const count : {1, 2, 31, 32, 33, 191, 192, 193, 257, 1000, 7168}) {
    check_both_ways<small>(made<float>(count, 7, normal), msd_way::any);
  }
}

// Two zeros that can be told apart, infinities and NaNs among other keys.
BOOST_AUTO_TEST_CASE(special_floats) {
  auto keys = made<float>(1900, 3, normal);
  keys[5] = 0;
  check_both_ways<small>(keys, msd_way::highest_first);
  keys[7] = std::numeric_limits<float>::infinity();
  keys[100] = -std::numeric_limits<float>::quiet_NaN();
  check_both_ways<small>(keys, msd_way::highest_first);
  keys[1800] = -0.0f;
  check_both_ways<small>(keys, msd_way::other);
}

// A key that lies far from all that were looked at leaves all keys to the other way; so do keys that come many times.
BOOST_AUTO_TEST_CASE(are_left) {
  auto keys = made<std::uint64_t>(8'000, 3, [](double u, double) { return u * u * u * u * 1e9; });
  test::check_msd_sort<one_partition, false>(keys, msd_way::highest_first);
  keys[1] = std::uint64_t{1} << 60;
  test::check_msd_sort<one_partition, false>(keys, msd_way::any);
  keys[1] = keys[0];
  keys[63] = std::uint64_t{1} << 60;
  test::check_msd_sort<one_partition, false>(keys, msd_way::any);

  check_both_ways<small>(made<float>(2800, 3, [](double u, double) { return static_cast<int>(20 * u * u); }),
                         msd_way::other);
  // Half of the keys are one number.
  check_both_ways<small>(made<float>(2800, 3, [](double u, double v) { return v < 0.5 ? u : 0.3; }), msd_way::other);
}

// Keys just below the highest one, whose 32 highest bits have many quantiles, and the last bucket has none.
BOOST_AUTO_TEST_CASE(many_of_the_highest) {
  std::mt19937_64 random(0);
  std::vector<std::uint64_t> keys(131'073);
  for (auto& key : keys) {
    bool const is_high = random() % 10 < 8;
    key = is_high ? ~(random() >> 23) : random() >> 23;
  }
  test::check_msd_sort<fine, false>(keys, msd_way::any);
}

// The cells tell apart the highest bits of keys that differ in few, or in all.
BOOST_AUTO_TEST_CASE(narrow_and_wide) {
  for (std::uint32_t const span : {1u << 12, 1u << 20}) {
    auto const near = [&](double u, double) { return 3e9 + u * u * u * span; };
    test::check_msd_sort<small, false>(made<std::uint32_t>(2800, 5, near), msd_way::any);
    test::check_msd_sort<small, false>(made<std::uint64_t>(2800, 5, near), msd_way::any);
  }
  auto wide = made<std::uint64_t>(2800, 5, [](double u, double v) { return v < 0.9 ? u * u * 1e4 : u * 1.8e19; });
  test::check_msd_sort<small, false>(wide, msd_way::any);
}

#if defined(MGPU_EMULATED)
// The keys of 1,000 cells are shared out evenly among 900 of 2^16 buckets, though few cells begin where a bucket does.
BOOST_AUTO_TEST_CASE(cells_of_about_a_bucket) {
  using namespace mgpu::detail;
  constexpr int log_cells = 10, shift = 31 - log_cells, keys_of_cell = 200;
  msd_radix_digits digits;
  digits.first_bits = digits.second_bits = 8;
  int const bits = quantile_bits(digits);
  std::uint32_t const segments[2] = {key_segment(0, 0, log_cells, shift).word(),
                                     key_segment(1, 1 << log_cells, 0, 31).word()};
  std::vector<std::uint32_t> cells((1 << log_cells) + 1);
  auto const begin_of = [&](int cell) { return static_cast<std::uint32_t>((cell * 9 << (bits - 16)) / 10); };
  for (int cell = 0; cell < 1000; ++cell) {
    cells[cell] = word_of_cell(begin_of(cell), begin_of(cell + 1) - begin_of(cell), bits);
  }
  msd_bucket_of_quantile<1> const bucket_of(quantile_of<1>(segments, cells.data(), bits), 32, digits, 0);
  std::vector<int> counts(1 << 16);
  std::uint32_t last = 0;
  for (std::uint32_t key = 0; key < 1000u << shift; key += (1u << shift) / keys_of_cell) {
    std::uint32_t const bucket = bucket_of(key);
    BOOST_REQUIRE(bucket >= last);
    last = bucket;
    ++counts[bucket];
  }
  BOOST_TEST(*std::max_element(counts.begin(), counts.end()) <= keys_of_cell * 3 / 2);
}
#endif

BOOST_AUTO_TEST_CASE(schedules) {
  test::for_each_schedule(100, [](std::uint32_t seed) {
    test::check_msd_sort<small, false>(made<float>(1 + seed * 7919 % 3000, seed, normal), msd_way::any);
  });
}

BOOST_AUTO_TEST_SUITE_END()
