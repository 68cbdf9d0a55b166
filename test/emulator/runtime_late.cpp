// Here the stand-in runtime has the work of late streams, which is done when something waits for it, and not before.
#include <emulator/runtime_late.h>
#include <emulator/runtime_state.h>
#include <utility>

namespace mgpu::emulator {

namespace impl {

namespace {
// Returns the stream's work that is still to be done, or null if it has none and never will.
late_work* find(unsigned long long stream_id) {
  auto const found = state().late.find(stream_id);
  return found == state().late.end() ? nullptr : &found->second;
}
unsigned long long id_of(cudaStream_t stream) {
  auto const found = state().streams.find(stream);
  return found == state().streams.end() ? 0 : found->second.id;
}
}  // namespace

// The work is done without the lock, as a kernel may make calls.
void catch_up_with(stream_place const& place) {
  for (;;) {
    std::function<void()> next;
    {
      std::lock_guard<std::recursive_mutex> const lock(state().access);
      late_work* const work = find(place.stream_id);
      if (work == nullptr || work->steps.empty() || work->num_done >= place.num_steps) return;
      next = std::move(work->steps.front());
      work->steps.pop_front();
      ++work->num_done;
    }
    next();
  }
}

bool is_late(cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> const lock(state().access);
  return find(id_of(stream)) != nullptr;
}

void draw_lateness(cudaStream_t stream) {
  runtime_state& s = state();
  if (s.late_seed == 0) return;
  s.late_seed = s.late_seed * 6364136223846793005u + 1442695040888963407u;  // Knuth's
  if ((s.late_seed >> 40) % 2 == 0) s.late[id_of(stream)];
}

stream_place place_in(cudaStream_t stream) {
  std::lock_guard<std::recursive_mutex> const lock(state().access);
  unsigned long long const id = id_of(stream);
  late_work const* const work = find(id);
  return {id, work == nullptr ? 0 : work->num_done + work->steps.size()};
}

bool defer(cudaStream_t stream, std::function<void()> step) {
  {
    std::lock_guard<std::recursive_mutex> const lock(state().access);
    late_work* const work = find(id_of(stream));
    if (work == nullptr) return false;
    if (state().captures.count(stream) == 0) {
      work->steps.push_back(std::move(step));
      return true;
    }
  }
  runtime::catch_up(stream);
  return false;
}

void wait_in(cudaStream_t stream, stream_place const& place) {
  if (!defer(stream, [place] { catch_up_with(place); })) catch_up_with(place);
}

void catch_up_with_all() {
  std::vector<stream_place> places;
  {
    std::lock_guard<std::recursive_mutex> const lock(state().access);
    for (auto const& [id, work] : state().late) places.push_back({id, work.num_done + work.steps.size()});
  }
  for (stream_place const& place : places) catch_up_with(place);
}

void end_lateness(cudaStream_t stream) {
  runtime::catch_up(stream);
  std::lock_guard<std::recursive_mutex> const lock(state().access);
  state().late.erase(id_of(stream));
}

}  // namespace impl

namespace runtime {
void late_streams(std::uint64_t seed) { impl::state().late_seed = seed; }
void catch_up(cudaStream_t stream) { impl::catch_up_with(impl::place_in(stream)); }
}  // namespace runtime

}  // namespace mgpu::emulator
