// Lists of the kinds of problem that a family measures, per key type, and how a library's candidates are registered.
#pragma once
#include <harness/candidate.h>
#include <harness/types.h>
#include <memory>
#include <type_traits>

namespace perf {

// A kind of problem: what travels with the keys, and who says what comes first.
template <class Value_, class Comp_>
struct problem {
  using Value = Value_;
  using Comp = Comp_;
};

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
                                   name_of<Value>, name_of<typename Problem::Comp>,
                                   []() -> std::unique_ptr<candidate> { return std::make_unique<solver>(); }});
    }
  };
  (add(Problems{}), ...);
  return true;
}

}  // namespace perf
