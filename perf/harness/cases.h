// Lists of the kinds of problem that a family measures, per key type, and how a library's candidates are registered.
#pragma once
#include <harness/candidate.h>
#include <harness/types.h>
#include <memory>
#include <type_traits>

namespace perf {

// A kind of problem: what travels with the keys, who says what comes first, and what of it all names the data sets.
template <class Value_, class Comp_, class Data_ = Value_>
struct problem {
  using Value = Value_;
  using Comp = Comp_;
  using Data = Data_;
};
// Where nothing travels, and what is done with the items is all there is to say.
template <class Operation>
using operation = problem<none, Operation, Operation>;

template <class... Problems>
struct problems {};

// Registers Candidate<Key, Value, Comp> for those of the problems that it can solve.
// The result is only there to be a static initialiser.
template <template <class, class, class> class Candidate, class Key, class... Problems>
bool register_candidates(char const* algorithm, char const* library, problems<Problems...>) {
  auto const add = [&](auto of) {
    using Problem = decltype(of);
    using Value = typename Problem::Value;
    using solver = Candidate<Key, Value, typename Problem::Comp>;
    if constexpr (solver::possible) {
      bool const by_key = !std::is_same_v<Value, none>;
      candidate_kinds().push_back({algorithm + std::string(by_key ? "_by_key" : ""), library, name_of<Key>,
                                   name_of<Value>, name_of<typename Problem::Comp>, name_of<typename Problem::Data>,
                                   []() -> std::unique_ptr<candidate> { return std::make_unique<solver>(); }});
    }
  };
  (add(Problems{}), ...);
  return true;
}

// Defines the data sets of the problems, likewise.
template <template <class, class> class Dataset, class Key, class... Problems>
bool register_datasets_of(problems<Problems...>) {
  return register_datasets<Dataset, Key, typename Problems::Data...>();
}

}  // namespace perf
