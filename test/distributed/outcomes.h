// How calls over ranks came back, of which an exception names the call. The name is a regular expression, as a test may
// make several calls.
#pragma once
#include <distributed/nccl_stand_in.h>
#include <thrust/system_error.h>
#include <boost/test/unit_test.hpp>
#include <exception>
#include <new>
#include <regex>
#include <string>

namespace test {

enum class came { back, out_of_memory, cuda_error, nccl_error, otherwise };

inline came what_came(std::exception_ptr const& error, std::string const& name) {
  if (!error) return came::back;
  try {
    std::rethrow_exception(error);
  } catch (std::bad_alloc const& thrown) {
    BOOST_TEST(std::regex_search(thrown.what(), std::regex("^" + name + ":")), thrown.what());
    return came::out_of_memory;
  } catch (thrust::system_error const& thrown) {
    BOOST_TEST(std::regex_search(thrown.what(), std::regex("^" + name + ":")), thrown.what());
    return std::string(thrown.code().category().name()) == "nccl" ? came::nccl_error : came::cuda_error;
  } catch (...) {
    return came::otherwise;
  }
}

// Returns on how many ranks a call came back so.
inline int num_of(came what, nccl::report const& report, std::string const& name) {
  int count = 0;
  for (auto const& error : report.errors) count += what_came(error, name) == what ? 1 : 0;
  return count;
}

}  // namespace test
