// The pieces of a sorted run go from rank to rank.
#pragma once
#include <mgpu/detail/backend/distributed/copy_kernel.cuh>
#include <mgpu/detail/backend/distributed/pieces.h>
#include <mgpu/detail/core/config.h>
#include <mgpu/detail/core/no_values.h>
#include <mgpu/detail/runtime/call.h>
#include <mgpu/detail/runtime/check.h>
#include <mgpu/detail/runtime/distributed_call.h>
#include <mgpu/detail/runtime/launch.h>
#include <mgpu/detail/runtime/side_stream.h>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace mgpu::detail {

// Receives the pieces that come from other ranks, but for those that these write themselves: writes_to(rank) tells.
// Called within an exchange.
template <class T, class WritesTo>
void receive_pieces(distributed_call const& ranks, std::vector<arriving_piece<T>> const& arriving,
                    WritesTo writes_to) {
  if constexpr (has_values<T>) {
    for (auto const& piece : arriving) {
      if (piece.from == ranks.rank() || writes_to(piece.from)) continue;
      ranks.receive(piece.memory, piece.bytes(), piece.from);
    }
  }
}

// The stream in which a rank writes to others, if it does. The call's may be the legacy default one, in which a copy
// between devices waits for all work of both: for NCCL's kernels, which wait for this rank.
class writing_stream {
 public:
  writing_stream(device_call const& outer, bool is_used) {
    if (is_used) stream_.emplace(outer);
  }
  // Calls write(call) for work that comes behind what is in the outer call's stream, where what is not written may be sent
  // meanwhile.
  template <class Write>
  void fork(Write write) {
    if (!stream_) return;
    stream_->fork();
    write(stream_->call());
  }
  // Lets what comes later in the outer call's stream wait for that.
  void join() {
    if (stream_) stream_->join();
  }

 private:
  std::optional<side_stream> stream_;
};

// Lets items go to each other rank for which sends_to(to) is true: by write(call, to), in the stream for that, where
// writes_to(to) says that this rank writes to the other one, and else by send(to), beside what receive() receives. Each
// rank begins with the next one, so that not all write to the same one at a time.
template <class SendsTo, class WritesTo, class Write, class Send, class Receive>
void exchange_items(distributed_call const& ranks, writing_stream& writing, SendsTo sends_to, WritesTo writes_to,
                    Write write, Send send, Receive receive) {
  auto const for_each_receiver = [&](bool is_written_to, auto visit) {
    for (int step = 1; step < ranks.num_ranks(); ++step) {
      int const to = (ranks.rank() + step) % ranks.num_ranks();
      if (sends_to(to) && writes_to(to) == is_written_to) visit(to);
    }
  };
  writing.fork([&](device_call const& call) { for_each_receiver(true, [&](int to) { write(call, to); }); });
  ranks.exchange([&] {
    for_each_receiver(false, send);
    receive();
  });
}

// Says whether so many of a rank's items, which stay, are copied gently: else their copy would take longest.
inline bool copies_gently(std::int64_t num_kept, std::int64_t num_items) {
  return num_kept <= 2 * (num_items - num_kept);
}

// Copies the piece that comes from this rank's own run, if there is one: to this rank's memory, or to another one's.
// `gently`, it takes few blocks, and about as long as half as much takes from GPU to GPU, which then loses nothing.
template <class T>
void copy_own_piece(device_call const& call, int rank, std::vector<arriving_piece<T>> const& arriving, column<T> run,
                    bool gently) {
  if constexpr (has_values<T>) {
    for (auto const& piece : arriving) {
      if (piece.from != rank) continue;
      void const* const from = run + piece.begin;
      void* const to = piece.memory;
      if (gently && (reinterpret_cast<std::uintptr_t>(from) | reinterpret_cast<std::uintptr_t>(to)) % 16 == 0) {
        detail::launch(call, {copy_blocks, copy_threads}, copy_kernel<copy_words_per_thread>,
                       static_cast<unsigned char const*>(from), static_cast<unsigned char*>(to),
                       static_cast<std::int64_t>(piece.bytes()));
      } else {
        detail::check(cudaMemcpyAsync(to, from, piece.bytes(), cudaMemcpyDefault, call.stream()), call.name(),
                      "cudaMemcpyAsync");
      }
    }
  }
}

// Sends `count` items of this rank's run, from `first` on, to another rank. Called within an exchange.
template <class T>
void send_piece(distributed_call const& ranks, piece_grid<T> const& grid, column<T> run, std::int64_t first,
                std::int64_t count, int to) {
  if constexpr (has_values<T>) {
    std::int64_t const begin = grid.begin_of(first);
    ranks.send(run + begin, static_cast<std::size_t>(first + count - begin) * sizeof(T), to);
  }
}

}  // namespace mgpu::detail
