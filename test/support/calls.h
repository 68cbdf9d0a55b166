// Tests call the functions of support/functions.h by these types, which have memory for a call, and know what must be
// there afterwards.
#pragma once
#include <support/functions.h>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace test {

// Says what functions are called on, and with. A test that wants something else overrides a part of it.
template <class Key, class Value = std::uint32_t, class Operators = operators<>>
struct items_of {
  using key = Key;
  using value = Value;
  using use = Operators;
  template <class T>
  using memory = buffer<T>;

  static std::vector<Key> keys(std::size_t count, std::uint32_t seed) {
    return test::keys<Key>(seed % 2 == 0 ? pattern::few_distinct : pattern::random, count, seed);
  }
  static Key init() { return at_fraction<Key>(42); }
  // These say how the iterators are handed over.
  template <class Iterator>
  static auto input(Iterator it) {
    return it;
  }
  template <class Iterator>
  static auto output(Iterator it) {
    return it;
  }
};
struct words : items_of<std::uint32_t> {};

// In every build this is memory of the host.
template <class T>
class host_memory : public std::vector<T> {
 public:
  using std::vector<T>::vector;
  host_memory(std::vector<T> const& items) : std::vector<T>(items) {}
  void set(std::vector<T> const& items) { std::vector<T>::operator=(items); }
  std::vector<T> const& get() const { return *this; }
};

template <class Keys, class Values, class Out, class ValuesOut, class Indices, class Total, class Key, class Comp,
          class Op, class Unary>
struct arguments {
  Keys first, middle, last;
  Values values, middle_values;
  Out out;
  ValuesOut values_out;
  Indices indices;
  Total total;
  Key init;
  Comp comp;
  Op op;
  Unary unary;
};
template <class Keys, class Values, class Out, class ValuesOut, class Indices, class Total, class Key, class Comp,
          class Op, class Unary>
arguments(Keys, Keys, Keys, Values, Values, Out, ValuesOut, Indices, Total, Key, Comp, Op, Unary)
    -> arguments<Keys, Values, Out, ValuesOut, Indices, Total, Key, Comp, Op, Unary>;

struct backward {
  std::size_t items;
};

// This is what a call has whatever its function is: what is given, the memory, and what must be there afterwards.
template <class Data>
class call_memory {
 protected:
  using key = typename Data::key;
  using value = typename Data::value;
  using column_set = columns<key, value>;
  template <class T>
  using memory = typename Data::template memory<T>;

 public:
  using given_type = given_columns<key, value, typename Data::use>;
  using given_pointer = std::shared_ptr<given_type const>;

  // Puts everything as it was before the first call.
  void refill() {
    auto const& before = given_->before;
    keys_.set(before.keys);
    values_.set(before.values);
    out_.set(before.out);
    values_out_.set(before.values_out);
    indices_.set(before.indices);
    total_.set(before.total);
    value_.clear();
  }

 protected:
  call_memory(given_pointer given, std::size_t backward_by)
      : backward_by_(backward_by),
        given_(std::move(given)),
        keys_(given_->before.keys),
        values_(given_->before.values),
        out_(given_->before.out),
        values_out_(given_->before.values_out),
        indices_(given_->before.indices),
        total_(given_->before.total) {}

  static std::shared_ptr<given_type> make_given(std::size_t size, std::size_t count, std::uint32_t seed) {
    auto given = std::make_shared<given_type>();
    auto& before = given->before;
    before.keys = Data::keys(size, seed);
    before.values = numbered<value>(size);
    before.out = before.keys;
    std::reverse(before.out.begin(), before.out.end());
    before.values_out = before.values;
    std::reverse(before.values_out.begin(), before.values_out.end());
    before.indices.assign(size, 0xEEEEEEEE);
    before.total.assign(1, Data::keys(1, seed + 7)[0]);
    given->count = count;
    given->init = Data::init();
    return given;
  }
  static std::ptrdiff_t middle_of(std::size_t count) { return static_cast<std::ptrdiff_t>(count / 3); }

  auto make_arguments() {
    // A backward range has room on both sides.
    auto const back = static_cast<std::ptrdiff_t>(backward_by_);
    auto const first = 2 * back;
    auto const last = first - back + static_cast<std::ptrdiff_t>(given_->count);
    auto const middle = first - back / 2 + middle_of(given_->count);
    auto const keys = [&](std::ptrdiff_t at) { return Data::input(keys_.begin() + at); };
    return arguments{keys(first),
                     keys(middle),
                     keys(last),
                     Data::input(values_.begin() + first),
                     Data::input(values_.begin() + middle),
                     Data::output(out_.begin() + first),
                     Data::output(values_out_.begin() + first),
                     Data::output(indices_.begin() + first),
                     Data::output(total_.begin()),
                     given_->init,
                     given_->use.comp,
                     given_->use.op,
                     given_->use.unary};
  }

  // These name the column that is not as wanted, or return null.
  char const* wrong_column(column_set const& wanted) const {
    return wrong_column({keys_.get(), values_.get(), out_.get(), values_out_.get(), indices_.get(), total_.get(), {}},
                        wanted);
  }
  static char const* wrong_column(column_set const& got, column_set const& wanted) {
    if (!same_bytes(got.keys, wanted.keys)) return "keys";
    if (!same_bytes(got.values, wanted.values)) return "values";
    if (!same_bytes(got.out, wanted.out)) return "out";
    if (!same_bytes(got.values_out, wanted.values_out)) return "values_out";
    if (!same_bytes(got.indices, wanted.indices)) return "indices";
    if (!same_bytes(got.total, wanted.total)) return "total";
    return nullptr;
  }
  static boost::test_tools::assertion_result verdict(char const* function, char const* wrong) {
    boost::test_tools::assertion_result result(wrong == nullptr);
    if (wrong != nullptr) result.message() << function << ": " << wrong << " is wrong";
    return result;
  }

  std::size_t backward_by_;
  given_pointer given_;
  column_set expected_;
  memory<key> keys_;
  memory<value> values_;
  memory<key> out_;
  memory<value> values_out_;
  memory<std::uint32_t> indices_;
  memory<key> total_;
  std::vector<key> value_;
};

template <class Function, class Data = words>
class call : public call_memory<Data> {
  using base = call_memory<Data>;
  using typename base::key;

 public:
  static constexpr char const* name = Function::name;
  using typename base::given_pointer;

  explicit call(std::size_t count, std::uint32_t seed = 1) : call(given(count, count, seed), 0) {}
  // Makes a call on a range whose last is so many items before its first.
  explicit call(backward range) : call(given(4 * range.items + 8, 0, 1), range.items) {}

  // Returns what is given to the function, which are the first `count` items of columns of `size`.
  static given_pointer given(std::size_t size, std::size_t count, std::uint32_t seed) {
    auto const given = base::make_given(size, count, seed);
    if constexpr (Function::takes_runs) {
      if constexpr (Function::keys_by == by::comp) {
        make_runs(given->before.keys, count, given->use.comp);
      } else {
        make_runs(given->before.keys, count, cuda::std::less<>{});
      }
    }
    return given;
  }

  // Calls the function with a policy as leading argument, or without one.
  template <class... Policy>
  void run(Policy const&... policy) {
    auto const a = this->make_arguments();
    value_.clear();
    using result = decltype(Function::run(a, policy...));
    if constexpr (std::is_void_v<result>) {
      Function::run(a, policy...);
    } else if constexpr (std::is_same_v<result, key>) {
      value_.push_back(Function::run(a, policy...));
    } else {
      ends_right_ = Function::run(a, policy...) == Function::returned(a, *given_);
    }
  }
  static constexpr bool takes_runs = Function::takes_runs;
  static constexpr bool returns_value() {
    return std::is_same_v<decltype(Function::run(std::declval<call&>().make_arguments(), policy)), key>;
  }

  using base::refill;
  // Gives the function something else.
  void refill(given_pointer given) {
    given_ = std::move(given);
    expect();
    refill();
  }

  // Tells whether the function has written and returned what it must, and nothing else.
  boost::test_tools::assertion_result done() const {
    if (!ends_right_) return base::verdict(name, "what was returned");
    if (!same_bytes(value_, expected_.value)) return base::verdict(name, "the value that was returned");
    return base::verdict(name, base::wrong_column(expected_));
  }
  boost::test_tools::assertion_result untouched() const {
    return base::verdict(name, base::wrong_column(given_->before));
  }
  // Tells whether the function has something to do, be it to return a value.
  bool has_effect() const {
    return base::wrong_column(expected_, given_->before) != nullptr || !expected_.value.empty();
  }

 private:
  using base::expected_;
  using base::given_;
  using base::value_;

  call(given_pointer given, std::size_t backward_by) : base(std::move(given), backward_by) { expect(); }
  template <class Comp>
  static void make_runs(std::vector<key>& keys, std::size_t count, Comp comp) {
    auto const middle = keys.begin() + base::middle_of(count);
    std::stable_sort(keys.begin(), middle, comp);
    std::stable_sort(middle, keys.begin() + static_cast<std::ptrdiff_t>(count), comp);
  }
  void expect() {
    expected_ = given_->before;
    Function::expect(*given_, expected_);
  }

  bool ends_right_ = true;
};

// Makes a call of each function in a list, and gives it to `use`.
template <class Functions, class Data = words, class Use>
void for_each_call(std::size_t count, Use use) {
  auto const make = [&](auto function) {
    using call_type = call<decltype(function), Data>;
    BOOST_TEST_CONTEXT(call_type::name << " of " << count << " items") {
      call_type each(count);
      use(each);
    }
  };
  std::apply([&](auto... function) { (make(function), ...); }, Functions{});
}

// Makes a call with a tuning, which unless said otherwise is one with which few items make many tiles.
template <class Function, class Data = words, class Tuning = typename Function::small>
struct tuned_call : call<Function, Data> {
  using call<Function, Data>::call;
  static constexpr std::size_t tile = Function::small_items;
  static constexpr std::size_t several_tiles = 2 * Function::small_items + 3;
  template <class Policy>
  void run(Policy const& policy) {
#if defined(MGPU_TEST_HOST)  // which has no tunings
    call<Function, Data>::run(policy);
#else
    call<Function, Data>::run(policy.with_tuning(Tuning{}));
#endif
  }
};

// These are tuples with a call of each function in a list; make_calls() makes such a tuple of calls of `count` items.
template <class Functions, class Data>
struct calls_of_list;
template <class... Function, class Data>
struct calls_of_list<std::tuple<Function...>, Data> {
  using plain = std::tuple<call<Function, Data>...>;
  using tuned = std::tuple<tuned_call<Function, Data>...>;
};
template <class Functions, class Data = words>
using calls_of = typename calls_of_list<Functions, Data>::plain;
template <class Functions, class Data = words>
using tuned_calls_of = typename calls_of_list<Functions, Data>::tuned;

template <class Calls>
struct maker_of;
template <class... Call>
struct maker_of<std::tuple<Call...>> {
  static std::tuple<Call...> make(std::size_t count) {
    return std::tuple<Call...>((static_cast<void>(sizeof(Call)), count)...);
  }
};
template <class Calls>
Calls make_calls(std::size_t count) {
  return maker_of<Calls>::make(count);
}

}  // namespace test
