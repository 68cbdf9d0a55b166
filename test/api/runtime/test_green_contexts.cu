// The streams of green contexts have a part of the device: there may be less room for clusters of blocks there, or
// none. Every size that a cluster would take has its result all the same, in turns with other streams and in
// captures.
#include <mgpu/reduce.h>
#include <mgpu/scan.h>
#include <mgpu/sort.h>
#include <mgpu/sort_copy.h>
#include <support/memory.h>
#include <support/device.h>
#include <boost/test/unit_test.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <vector>
#if defined(MGPU_EMULATED)
#include <emulator/runtime.h>
#else
#include <cuda.h>
#endif

namespace {

using word = std::uint32_t;
using words = std::vector<word>;

#if defined(MGPU_EMULATED)

namespace runtime = mgpu::emulator::runtime;

// A part has room for clusters of so many blocks.
using part = unsigned;
constexpr part parts[] = {1, 4};

class green_stream {
 public:
  explicit green_stream(part blocks) { runtime::largest_cluster(stream_, blocks); }
  operator cudaStream_t() const { return stream_; }

 private:
  test::stream stream_;
};

#else

// A part has so many multiprocessors, near each other or anywhere.
struct part {
  unsigned multiprocessors, flags;
};
std::ostream& operator<<(std::ostream& out, part const& of) { return out << of.multiprocessors << '/' << of.flags; }
constexpr part parts[] = {{8, 0},
                          {16, 0},
                          {32, 0},
                          {8, CU_DEV_SM_RESOURCE_SPLIT_IGNORE_SM_COSCHEDULING},
                          {16, CU_DEV_SM_RESOURCE_SPLIT_MAX_POTENTIAL_CLUSTER_SIZE}};

// Returns a function of the driver, with which programs here are not linked.
template <class Function>
Function* driver(char const* name, Function*) {
  void* found = nullptr;
  cudaDriverEntryPointQueryResult result{};
  test::require(cudaGetDriverEntryPointByVersion(name, &found, 12050, cudaEnableDefault, &result));
  BOOST_REQUIRE(result == cudaDriverEntryPointSuccess);
  return reinterpret_cast<Function*>(found);
}
#define MGPU_TEST_DRIVER(function, ...)                                                         \
  do {                                                                                          \
    auto* const called = driver(#function, static_cast<decltype(&function)>(nullptr));          \
    BOOST_REQUIRE_EQUAL(static_cast<int>(called(__VA_ARGS__)), static_cast<int>(CUDA_SUCCESS)); \
  } while (false)

class green_stream {
 public:
  explicit green_stream(part const& of) {
    int device = 0;
    test::require(cudaGetDevice(&device));
    test::require(cudaFree(nullptr));  // so that there is a context
    CUdevResource all{}, some{};
    unsigned groups = 1;
    CUdevResourceDesc description{};
    MGPU_TEST_DRIVER(cuDeviceGetDevResource, device, &all, CU_DEV_RESOURCE_TYPE_SM);
    MGPU_TEST_DRIVER(cuDevSmResourceSplitByCount, &some, &groups, &all, nullptr, of.flags, of.multiprocessors);
    MGPU_TEST_DRIVER(cuDevResourceGenerateDesc, &description, &some, 1);
    MGPU_TEST_DRIVER(cuGreenCtxCreate, &context_, description, device, CU_GREEN_CTX_DEFAULT_STREAM);
    MGPU_TEST_DRIVER(cuGreenCtxStreamCreate, &stream_, context_, CU_STREAM_NON_BLOCKING, 0);
  }
  ~green_stream() {
    cudaStreamDestroy(stream_);
    MGPU_TEST_DRIVER(cuGreenCtxDestroy, context_);
  }
  green_stream(green_stream const&) = delete;
  green_stream& operator=(green_stream const&) = delete;
  operator cudaStream_t() const { return stream_; }

 private:
  CUgreenCtx context_ = nullptr;
  cudaStream_t stream_ = nullptr;
};

#endif

// Composes functions x -> factor * x + summand, of 16 bits each, which does not commute.
struct compose {
  __host__ __device__ word operator()(word a, word b) const {
    word const factor = (a >> 16) * (b >> 16);
    word const summand = (a & 0xFFFFu) * (b >> 16) + (b & 0xFFFFu);
    return factor << 16 | (summand & 0xFFFFu);
  }
};

// Makes a reduction and a scan. `count` decides how they are launched: by a block, a cluster, or a grid.
class calls {
 public:
  explicit calls(std::size_t count) : input_(count), in_(count), out_(count), result_(1), expected_(count) {
    word drawn = 1;
    for (word& item : input_) item = drawn = drawn * 1664525u + 1013904223u;
    in_.set(input_);
    std::partial_sum(input_.begin(), input_.end(), expected_.begin(), compose{});
  }

  void check(cudaStream_t stream) {
    check_value(mgpu::par.on(stream));
    check_rest(mgpu::par.on(stream), stream);
  }
  // Calls with as much scratch memory as is asked for on that stream.
  void check_with_scratch(cudaStream_t stream) {
    std::size_t bytes = 0;
    mgpu::inclusive_scan(mgpu::par.on(stream).query_scratch(bytes), in_.begin(), in_.end(), out_.begin(), compose{});
    std::size_t bytes_of_reduce = 0;
    mgpu::reduce(mgpu::par.on(stream).query_scratch(bytes_of_reduce), in_.begin(), in_.end(), 0u, compose{});
    test::buffer<char> scratch(bytes + bytes_of_reduce);
    check_value(mgpu::par.on(stream).with_scratch(scratch.begin(), bytes_of_reduce));
    check_rest(mgpu::par.on(stream).with_scratch(scratch.begin(), bytes + bytes_of_reduce), stream);
  }
  void capture(cudaStream_t stream) {
    test::require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    BOOST_CHECK_NO_THROW(run(mgpu::par_nosync.on(stream)));
    cudaGraph_t graph = nullptr;
    test::require(cudaStreamEndCapture(stream, &graph));
    test::require(cudaGraphDestroy(graph));
  }

  template <class Policy>
  void run(Policy const& policy) {
    mgpu::reduce_into(policy, in_.begin(), in_.end(), result_.begin(), 0x10000u, compose{});
    mgpu::inclusive_scan(policy, in_.begin(), in_.end(), out_.begin(), compose{});
  }

 private:
  template <class Policy>
  void check_value(Policy const& policy) {
    BOOST_TEST(mgpu::reduce(policy, in_.begin(), in_.end(), 0x10000u, compose{}) == expected_.back());
  }
  template <class Policy>
  void check_rest(Policy const& policy, cudaStream_t stream) {
    out_.set(input_);
    result_.set({0});
    run(policy);
    test::require(cudaStreamSynchronize(stream));
    BOOST_TEST(result_.get()[0] == expected_.back());
    BOOST_TEST((out_.get() == expected_));
  }

  words input_;
  test::buffer<word> in_, out_, result_;
  words expected_;
};

// By these counts calls are launched within a block; in clusters of two, of some, and of all that the tunings allow;
// in a grid.
constexpr std::size_t counts[] = {5000, 17000, 131072, 500000, 600000};

}  // namespace

BOOST_AUTO_TEST_SUITE(green_contexts, *boost::unit_test::precondition(test::can_run_clusters{}))

BOOST_AUTO_TEST_CASE(every_size) {
  for (part const& each : parts) {
    green_stream const stream(each);
    for (std::size_t const count : counts) {
      BOOST_TEST_CONTEXT(count << " items on part " << each) {
        calls all(count);
        all.check(stream);
        all.check_with_scratch(stream);
      }
    }
  }
}

// What was learnt on one stream says nothing of another, also of one whose handle was another's before.
BOOST_AUTO_TEST_CASE(in_turns) {
  calls reducing(300000);
  calls scanning(131072);
  test::stream const usual;
  for (int round = 0; round < 2; ++round) {
    for (part const& each : parts) {
      BOOST_TEST_CONTEXT("part " << each) {
        green_stream const stream(each);
        for (cudaStream_t const on :
             {static_cast<cudaStream_t>(usual), static_cast<cudaStream_t>(stream), cudaStreamLegacy}) {
          reducing.check(on);
          scanning.check(on);
        }
      }
    }
  }
}

// A sort that one cluster of the usual size makes is made by a smaller one, or in another way. These items are too large
// to be sorted by a sample.
BOOST_AUTO_TEST_CASE(sorts) {
  using number = std::uint64_t;
  for (part const& each : parts) {
    for (std::size_t const count : {17000, 40000, 65536}) {
      BOOST_TEST_CONTEXT(count << " items on part " << each) {
        std::vector<number> keys(count);
        number drawn = 1;
        for (number& key : keys) key = drawn = drawn * 6364136223846793005u + 1442695040888963407u;
        auto sorted = keys;
        std::sort(sorted.begin(), sorted.end());
        std::vector<number> const none(count, 0);
        test::buffer<number> in(keys), out(none), values_out(none);
        green_stream const stream(each);
        auto const check = [&](auto const& policy) {
          out.set(none);
          values_out.set(none);
          mgpu::sort_by_key_copy(policy, in.begin(), in.end(), in.begin(), out.begin(), values_out.begin());
          test::require(cudaStreamSynchronize(stream));
          BOOST_TEST((out.get() == sorted));
          BOOST_TEST((values_out.get() == sorted));
        };
        check(mgpu::par_nosync.on(stream));
        std::size_t bytes = 0;
        mgpu::sort_by_key_copy(mgpu::par.on(stream).query_scratch(bytes), in.begin(), in.end(), in.begin(),
                               out.begin(), values_out.begin());
        test::buffer<char> scratch(bytes);
        check(mgpu::par.on(stream).with_scratch(scratch.begin(), bytes));
      }
    }
  }
}

// A stream that is captured cannot be asked what it is: what was learnt of it before counts.
BOOST_AUTO_TEST_CASE(captured) {
  for (part const& each : parts) {
    for (std::size_t const count : {131072, 300000}) {
      BOOST_TEST_CONTEXT(count << " items on part " << each) {
        calls all(count);
        green_stream const stream(each);
        all.check(stream);
        all.capture(stream);
        all.capture(stream);
        all.check(stream);
      }
    }
  }
}
BOOST_AUTO_TEST_CASE(captured_at_first) {
  for (std::size_t const count : counts) {
    BOOST_TEST_CONTEXT(count << " items") {
      calls all(count);
      test::stream const usual;
      all.capture(usual);
      all.check(usual);
    }
  }
}

#if defined(MGPU_EMULATED)

// The legacy stream is that of the current context, which may be a green one's.
BOOST_AUTO_TEST_CASE(context_that_is_made_current) {
  calls reducing(300000);
  for (unsigned const blocks : {16u, 4u, 1u, 16u}) {
    runtime::largest_cluster(cudaStreamLegacy, blocks);
    reducing.check(cudaStreamLegacy);
  }
}

// What a stream has room for is asked once: later a call in a cluster asks whether the stream is captured and for its
// number, beside the device, the launch and the wait.
BOOST_AUTO_TEST_CASE(asked_once) {
  test::buffer<word> items(words(300000, 1));
  test::stream const first, second;
  green_stream const third(4);
  auto const runtime_calls = [&](cudaStream_t stream) {
    auto const before = runtime::counters().calls;
    BOOST_TEST(mgpu::reduce(mgpu::par.on(stream), items.begin(), items.end()) == 300000u);
    return runtime::counters().calls - before;
  };
  for (cudaStream_t const stream : {cudaStream_t(first), cudaStream_t(second), cudaStream_t(third)}) {
    BOOST_TEST(runtime_calls(stream) > 5u);
  }
  for (int round = 0; round < 2; ++round) {
    for (cudaStream_t const stream : {cudaStream_t(first), cudaStream_t(second), cudaStream_t(third)}) {
      BOOST_TEST(runtime_calls(stream) == 5u);
    }
  }
}

#endif

BOOST_AUTO_TEST_SUITE_END()
