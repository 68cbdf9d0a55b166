// Each call to the CUDA runtime is made to fail once, and a test judges what becomes of the call to mgpu. This is for
// the emulator only.
//
// A Call has a `name`, run(policy), refill() (its memory as before the first run), done() and untouched().
#pragma once
#include <emulator/runtime.h>
#include <mgpu/execution_policy.h>
#include <thrust/system_error.h>
#include <boost/test/unit_test.hpp>
#include <cstddef>
#include <cstdint>
#include <map>
#include <new>
#include <string>

namespace test {

namespace runtime = mgpu::emulator::runtime;

// A call during which one failure was to happen has one of these outcomes.
enum class outcome { done, out_of_memory, system_error };

template <class Call, class Policy>
outcome attempt(Call& call, Policy const& policy, int expected_code = 0) {
  auto const names_the_call = [](char const* what) {
    return std::string(what).rfind(std::string(Call::name) + ":", 0) == 0;
  };
  try {
    call.run(policy);
  } catch (std::bad_alloc const& error) {
    BOOST_TEST(names_the_call(error.what()), error.what());
    return outcome::out_of_memory;
  } catch (thrust::system_error const& error) {
    BOOST_TEST(names_the_call(error.what()), error.what());
    if (expected_code != 0) BOOST_TEST(error.code().value() == expected_code);
    return outcome::system_error;
  }
  return outcome::done;
}

inline bool same(runtime::live_objects const& a, runtime::live_objects const& b) {
  return a.allocations == b.allocations && a.bytes == b.bytes && a.streams == b.streams && a.events == b.events &&
         a.openings == b.openings;
}

// Makes the call with failures asked for by fail(k), k = 1, 2, ..., until none happens any more; check() gets each
// outcome and says what else must hold. Returns how many calls failed.
template <class Call, class Policy, class Fail, class Check>
int fail_one_after_the_other(Call& call, Policy const& policy, int expected_code, Fail fail, Check check) {
  for (std::uint64_t k = 1; k < 1000; ++k) {
    BOOST_TEST_CONTEXT(Call::name << ", failure " << k) {
      call.refill();
      mgpu::release_scratch();
      auto const before = runtime::live();
      fail(k);
      outcome const came = attempt(call, policy, expected_code);
      bool const happened = !runtime::failure_pending();
      runtime::fail_at(0);
      runtime::fail_allocation_at(0);
      if (!happened) {
        BOOST_TEST((came == outcome::done));
        BOOST_TEST(call.done());
        return static_cast<int>(k) - 1;
      }
      BOOST_TEST(cudaGetLastError() == cudaSuccess);  // an exception has reported it, so nobody else may
      check(came);
      mgpu::release_scratch();
      BOOST_TEST(same(runtime::live(), before));
      BOOST_TEST(cudaGetLastError() == cudaSuccess);

      call.refill();
      BOOST_TEST((attempt(call, policy) == outcome::done));
      BOOST_TEST(call.done());
    }
  }
  BOOST_ERROR("no end of failures");
  return -1;
}

// The call makes at least `least_failures` calls to the runtime, and exactly `allocations` of scratch memory.
template <class Call, class Policy>
void check_every_failure(Call& call, Policy const& policy, int least_failures, int allocations) {
  call.run(policy);  // makes what is kept for values to come back through
  auto const fail_with = [](cudaError_t error) { return [error](std::uint64_t k) { runtime::fail_at(k, error); }; };
  int const failures = fail_one_after_the_other(call, policy, cudaErrorUnknown, fail_with(cudaErrorUnknown),
                                                [](outcome came) { BOOST_TEST((came == outcome::system_error)); });
  BOOST_TEST(failures >= least_failures);

  // Running out of memory is std::bad_alloc, whichever call reports it.
  fail_one_after_the_other(call, policy, 0, fail_with(cudaErrorMemoryAllocation),
                           [](outcome came) { BOOST_TEST((came == outcome::out_of_memory)); });

  // Now each call fails with the kind of error that it has of its own.
  fail_one_after_the_other(
      call, policy, 0, [](std::uint64_t k) { runtime::fail_at(k); },
      [](outcome came) { BOOST_TEST((came != outcome::done)); });

  // Without its scratch memory a call has touched nothing.
  int const failed_allocations = fail_one_after_the_other(
      call, policy, 0, [](std::uint64_t k) { runtime::fail_allocation_at(k); },
      [&](outcome came) {
        BOOST_TEST((came == outcome::out_of_memory));
        BOOST_TEST(call.untouched());
      });
  BOOST_TEST(failed_allocations == allocations);
}

// A ledger knows which memory is lent, and has not come back. It lends as an allocator, a copy of which lends from
// the same place, and as a memory resource.
struct ledger {
  int loans = 0;
  bool mismatch = false;  // something came back that was not lent like that
  std::map<void*, std::size_t> lent;
};
class lender {
 public:
  using value_type = char;
  explicit lender(ledger& book) : book_(&book) {}

  char* allocate(std::size_t bytes, std::size_t = 1) {
    void* const memory = ::operator new(bytes);
    book_->lent[memory] = bytes;
    ++book_->loans;
    return static_cast<char*>(memory);
  }
  void deallocate(char* memory, std::size_t bytes, std::size_t = 1) {
    auto const found = book_->lent.find(memory);
    if (found == book_->lent.end() || found->second != bytes) {
      book_->mismatch = true;
      return;
    }
    book_->lent.erase(found);
    ::operator delete(memory);
  }

 private:
  ledger* book_;
};

// Whichever call to the runtime fails, the user's allocator or resource gets back what it gave.
template <class Call, class Policy>
void check_scratch_comes_back(Call& call, Policy const& policy) {
  ledger book;
  lender from(book);
  auto const fail_each = [&](auto const& lending) {
    for (std::uint64_t k = 1; k < 1000; ++k) {
      BOOST_TEST_CONTEXT(Call::name << ", failure " << k) {
        runtime::fail_at(k);
        outcome const came = attempt(call, lending);
        bool const happened = !runtime::failure_pending();
        runtime::fail_at(0);
        BOOST_TEST(((came == outcome::done) == !happened));
        BOOST_TEST(book.lent.empty());
        BOOST_TEST(!book.mismatch);
        if (!happened) return;
      }
    }
    BOOST_ERROR("no end of failures");
  };
  fail_each(policy(from));
  BOOST_TEST(book.loans > 1);  // failed calls have taken some, too
  book.loans = 0;
  fail_each(policy(&from));
  BOOST_TEST(book.loans > 1);
}

}  // namespace test
