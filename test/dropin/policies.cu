// Every overload of every algorithm runs under each policy of Thrust. This is built a second time for per-thread
// default streams.
#include <dropin/overloads.h>

DROPIN_PROGRAM(policies) {
  dropin::for_each_policy([](char const* name, auto const& policy) {
    std::printf("-- %s\n", name);
    dropin::call_every<dropin::vector<int>>("", policy);
  });
}
