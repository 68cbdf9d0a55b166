// The look-back is right by itself, in a kernel that does nothing else: each warp publishes the aggregates of its
// tiles and asks what lies before them.
#include <support/schedules.h>
#include <support/scans.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/grid/look_back.cuh>
#include <mgpu/detail/simt/simt.cuh>
#include <boost/test/unit_test.hpp>
#include <cstdint>
#include <optional>
#include <tuple>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(look_back, *boost::unit_test::precondition(test::can_run{}))

namespace {

using mgpu::detail::has_values;
using mgpu::detail::no_value;
using mgpu::detail::threads_per_warp;
using mgpu::detail::tile_aggregates;
namespace simt = mgpu::detail::simt;

// Says which tiles nobody publishes, and how often the others are published.
struct publishing {
  int missing_every = 0;  // 0: none
  int times = 1;
  __host__ __device__ bool is_missing(std::int64_t tile) const {
    return missing_every != 0 && tile % missing_every == missing_every - 1;
  }
};

// Each block has one warp. prefixes[tile * 32 + lane] is what the lane is told.
template <int rows, class T, class Init, class Op>
__global__ void look_back_kernel(T const* values, T* prefixes, std::int64_t num_tiles, tile_aggregates<T> aggregates,
                                 std::uint32_t* ticket, Init init, Op op, int patience, publishing how) {
  mgpu::detail::look_back<T, rows> known(aggregates);
  if constexpr (has_values<Init>) known.set_init(init);
  for (;;) {
    std::uint32_t drawn = simt::lane() == 0 ? simt::add_relaxed<std::uint32_t>(*ticket, 1) : 0;
    std::int64_t const tile = simt::shuffle(simt::full_mask, drawn, 0);
    if (tile >= num_tiles) return;
    if (simt::lane() == 0 && !how.is_missing(tile)) {
      for (int i = 0; i < how.times; ++i) aggregates.publish(tile, values[tile]);
    }
    if (!has_values<Init> && tile == 0) continue;
    T const prefix = known.prefix(tile, op, patience, [&](std::int64_t missing, auto is_missing) {
      mgpu::detail::partial_result<T> aggregate;
      if (is_missing()) aggregate.append(values[simt::lane() == 0 ? missing : 0], op);  // lane 0's alone matters
      return aggregate;
    });
    prefixes[tile * threads_per_warp + simt::lane()] = prefix;
  }
}

template <class T>
std::vector<std::uint64_t> words_of(std::size_t tiles) {
  return std::vector<std::uint64_t>(tile_aggregates<T>::num_words(static_cast<std::int64_t>(tiles)), 0);
}

// Runs the kernel over these values and checks what each lane of each tile was told.
template <int rows, class T, class Init, class Op>
void check(std::vector<T> const& values, Init init, Op op, unsigned num_blocks = 5, publishing how = {}) {
  std::size_t const count = values.size();
  std::optional<T> first;
  if constexpr (has_values<Init>) first.emplace(init);
  auto const scanned = test::scan_one_by_one<T>(values, first, op);
  test::guarded_items<T> in(values);
  test::guarded_items<T> out(std::vector<T>(count * threads_per_warp, values[0]));
  test::buffer<std::uint64_t> words(words_of<T>(count));
  test::buffer<std::uint32_t> ticket(std::vector<std::uint32_t>{0});
  test::run_kernel(look_back_kernel<rows, T, Init, Op>, num_blocks, 32u, 0, static_cast<T const*>(in.begin()),
                   out.begin(), static_cast<std::int64_t>(count), tile_aggregates<T>{words.begin()}, ticket.begin(),
                   init, op, 3, how);
  std::vector<T> expected;
  bool const tile_0_has_one = scanned.exclusive.size() == count;
  for (std::size_t tile = 0; tile < count; ++tile) {
    T const& prefix = tile_0_has_one ? scanned.exclusive[tile] : tile > 0 ? scanned.exclusive[tile - 1] : values[0];
    for (int lane = 0; lane < threads_per_warp; ++lane) expected.push_back(prefix);
  }
  BOOST_TEST_CONTEXT(count << " tiles of " << sizeof(T) << " bytes, " << rows << " rows") {
    BOOST_TEST(out.holds(expected));
  }
}

constexpr std::size_t tile_counts[] = {1, 2, 31, 32, 33, 63, 64, 65, 97, 192, 193, 230, 385};

template <class T, class Op>
void check_type(Op op) {
  for (std::size_t const count : tile_counts) {
    auto const values = test::make_items<T>(count);
    check<2>(values, no_value{}, op);
    check<2>(values, test::make_item<T>(999), op);
  }
}

struct three_bytes {
  unsigned char at[3];
  static three_bytes make(std::size_t number, std::uint32_t) {
    return {{static_cast<unsigned char>(number), static_cast<unsigned char>(number * 3), 1}};
  }
};
struct add_bytes {
  __host__ __device__ three_bytes operator()(three_bytes a, three_bytes const& b) const {
    for (int i = 0; i < 3; ++i) a.at[i] = static_cast<unsigned char>(a.at[i] + b.at[i]);
    return a;
  }
};

template <std::size_t n>
struct any_bytes {
  unsigned char at[n];
};

// Each thread publishes its tile, or reads it.
template <class T>
__global__ void aggregates_kernel(T* values, tile_aggregates<T> aggregates, bool publishes) {
  auto const tile = static_cast<std::int64_t>(simt::thread_rank());
  if (publishes) {
    aggregates.publish(tile, values[tile]);
  } else {
    std::uint64_t read[tile_aggregates<T>::words_per_tile];
    aggregates.load(tile_aggregates<T>::place(tile), read);
    if (tile_aggregates<T>::whole(read)) values[tile] = tile_aggregates<T>::value(read);
  }
}

// Every tile has its own words, all of which are marked once it is published, and its value comes back to the bit.
template <std::size_t n>
void check_bytes() {
  using value = any_bytes<n>;
  using aggregates = tile_aggregates<value>;
  constexpr std::size_t count = 96;
  std::vector<value> values(count);
  std::uint32_t state = 1;
  for (value& v : values) {
    for (unsigned char& byte : v.at)
      byte = static_cast<unsigned char>((state = state * 1664525u + 1013904223u) >> 24);
  }
  for (unsigned char& byte : values[1].at) byte = 0;
  for (unsigned char& byte : values[2].at) byte = 255;
  test::buffer<value> memory(values);
  test::buffer<std::uint64_t> words(words_of<value>(count));
  test::run_kernel(aggregates_kernel<value>, 1u, static_cast<unsigned>(count), 0, memory.begin(),
                   aggregates{words.begin()}, true);
  std::size_t marked = 0;
  for (std::uint64_t const word : words.get()) marked += (word & aggregates::present) != 0;
  BOOST_TEST(marked == count * aggregates::words_per_tile);
  memory.set(std::vector<value>(count));
  test::run_kernel(aggregates_kernel<value>, 1u, static_cast<unsigned>(count), 0, memory.begin(),
                   aggregates{words.begin()}, false);
  BOOST_TEST(test::same_bytes(memory.get(), values), n << " bytes");
}
template <std::size_t... n>
void check_bytes_up_to(std::index_sequence<n...>) {
  (check_bytes<n + 1>(), ...);
}

}  // namespace

using numbers = std::tuple<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>;
BOOST_AUTO_TEST_CASE_TEMPLATE(sums, T, numbers) { check_type<T>(cuda::std::plus<T>{}); }
BOOST_AUTO_TEST_CASE(three_byte_items) { check_type<three_bytes>(add_bytes{}); }
BOOST_AUTO_TEST_CASE(eight_bytes_in_order) { check_type<test::affine>(test::compose{}); }
BOOST_AUTO_TEST_CASE(sixteen_bytes_in_order) { check_type<test::matrix<2>>(test::multiply{}); }
BOOST_AUTO_TEST_CASE(sixty_four_bytes_in_order) { check_type<test::matrix<4>>(test::multiply{}); }

BOOST_AUTO_TEST_CASE(aggregates_of_up_to_64_bytes) { check_bytes_up_to(std::make_index_sequence<64>{}); }
BOOST_AUTO_TEST_CASE(aggregates_of_more_words_than_a_word_has_bits) {
  check_bytes<503>();
  check_bytes<504>();
  check_bytes<512>();
}

using row_counts =
    std::tuple<std::integral_constant<int, 1>, std::integral_constant<int, 2>, std::integral_constant<int, 6>>;
// The result does not depend on how many rows are read at a time, and the operator is only given neighbours.
BOOST_AUTO_TEST_CASE_TEMPLATE(rows, Rows, row_counts) {
  for (std::size_t const count : tile_counts) {
    test::buffer<unsigned> flag(std::vector<unsigned>{0});
    auto const pieces = test::make_items<test::piece>(count);
    test::guarded_items<test::piece> in(pieces);
    test::guarded_items<test::piece> out(std::vector<test::piece>(count * 32, test::piece::of(0, 1)));
    test::buffer<std::uint64_t> words(words_of<test::piece>(count));
    test::buffer<std::uint32_t> ticket(std::vector<std::uint32_t>{0});
    test::run_kernel(look_back_kernel<Rows::value, test::piece, test::piece, test::join>, 3u, 32u, 0,
                     static_cast<test::piece const*>(in.begin()), out.begin(), static_cast<std::int64_t>(count),
                     tile_aggregates<test::piece>{words.begin()}, ticket.begin(), test::piece::of(0, 1),
                     test::join{flag.begin()}, 3, publishing{});
    std::vector<test::piece> expected;
    for (std::uint32_t i = 0; i < count * 32; ++i) expected.push_back(test::piece::of(0, i / 32 + 1));
    BOOST_TEST(out.holds(expected));
    BOOST_TEST(flag.get()[0] == 0u);
  }
}

BOOST_AUTO_TEST_CASE_TEMPLATE(one_block_or_many, Rows, row_counts) {
  auto const values = test::make_items<std::uint32_t>(300);
  for (unsigned const blocks : {1, 2, 40, 300}) {
    check<Rows::value>(values, no_value{}, cuda::std::plus<>{}, blocks);
  }
}

// To publish the same value once more changes nothing.
BOOST_AUTO_TEST_CASE(published_twice) {
  publishing how;
  how.times = 2;
  check<2>(test::make_items<test::affine>(300), no_value{}, test::compose{}, 5, how);
}

// Nobody publishes some of the tiles, up to all of them.
BOOST_AUTO_TEST_CASE_TEMPLATE(never_published, Rows, row_counts) {
  for (int const every : {1, 2, 7, 33, 300}) {
    publishing how;
    how.missing_every = every;
    check<Rows::value>(test::make_items<test::affine>(300), no_value{}, test::compose{}, 5, how);
    check<Rows::value>(test::make_items<std::uint64_t>(300), std::uint64_t{5}, cuda::std::plus<>{}, 5, how);
  }
}

// What was computed for a missing tile is published: a second launch, in which nobody publishes and nobody waits long
// enough to compute, finds it.
BOOST_AUTO_TEST_CASE(supplied_once_for_all) {
  using value = std::uint64_t;
  std::size_t const count = 100;
  test::buffer<value> in(test::make_items<value>(count));
  test::buffer<value> out(std::vector<value>(count * 32, 0));
  test::buffer<std::uint64_t> words(words_of<value>(count));
  std::vector<value> first;
  for (bool const again : {false, true}) {
    test::buffer<std::uint32_t> ticket(std::vector<std::uint32_t>{0});
    publishing how;
    how.missing_every = again ? 1 : 3;
    int const patience = again ? 1 << 30 : 0;
    test::run_kernel(look_back_kernel<2, value, no_value, cuda::std::plus<>>, 4u, 32u, 0,
                     static_cast<value const*>(in.begin()), out.begin(), static_cast<std::int64_t>(count),
                     tile_aggregates<value>{words.begin()}, ticket.begin(), no_value{}, cuda::std::plus<>{}, patience,
                     how);
    if (again) BOOST_TEST(test::same_bytes(out.get(), first));
    first = out.get();
    out.set(std::vector<value>(count * 32, 0));
  }
}

// Sums that round differently in another order are the same to the bit under every schedule.
BOOST_AUTO_TEST_CASE(the_same_to_the_bit) {
  std::vector<float> values;
  for (std::uint32_t i = 0; i < 150; ++i) values.push_back(static_cast<float>(i * 2654435761u) * 1e-7f + 1e-3f);
  std::optional<std::vector<float>> first;
  test::for_each_schedule(300, [&](std::uint32_t seed) {
    test::buffer<float> in(values);
    test::buffer<float> out(std::vector<float>(values.size() * 32, 0));
    test::buffer<std::uint64_t> words(words_of<float>(values.size()));
    test::buffer<std::uint32_t> ticket(std::vector<std::uint32_t>{0});
    publishing how;
    how.missing_every = static_cast<int>(seed % 5);
    test::run_kernel(look_back_kernel<2, float, float, cuda::std::plus<>>, 1 + seed % 9, 32u, 0,
                     static_cast<float const*>(in.begin()), out.begin(), static_cast<std::int64_t>(values.size()),
                     tile_aggregates<float>{words.begin()}, ticket.begin(), 0.1f, cuda::std::plus<>{},
                     static_cast<int>(seed % 4), how);
    if (!first) first = out.get();
    BOOST_TEST(test::same_bytes(out.get(), *first));
  });
}

BOOST_AUTO_TEST_SUITE_END()
