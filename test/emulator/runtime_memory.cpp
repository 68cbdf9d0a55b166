// Here the stand-in runtime has memory, pools, streams and events.
#include <emulator/emulator.h>
#include <emulator/runtime_state.h>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>

using namespace mgpu::emulator::impl;
using mgpu::emulator::runtime::catch_up;

namespace mgpu::emulator::impl {
void trim_pools() {
  auto const trim = [](memory_pool& pool) {
    pool.reserved = std::min(pool.reserved, std::max(pool.used, pool.release_threshold));
  };
  trim(state().default_pool);
  for (memory_pool* const pool : state().pools) trim(*pool);
}

bool known(cudaStream_t stream) { return state().streams.count(stream) != 0; }
}  // namespace mgpu::emulator::impl

namespace {

constexpr std::size_t device_alignment = 256;

cudaError_t allocate(void** pointer, std::size_t bytes, memory_pool* pool) {
  runtime_state& s = state();
  *pointer = nullptr;
  if (bytes == 0) return cudaSuccess;
  if (bytes > device_memory_bytes - s.memory_bytes) return cudaErrorMemoryAllocation;
  void* memory = nullptr;
  if (posix_memalign(&memory, device_alignment, bytes) != 0) return cudaErrorMemoryAllocation;
  std::memset(memory, mgpu::emulator::config().device_fill, bytes);
  s.memory[memory] = {bytes, pool};
  s.memory_bytes += bytes;
  if (pool != nullptr) {
    pool->used += bytes;
    pool->reserved = std::max(pool->reserved, pool->used);
    pool->used_high = std::max(pool->used_high, pool->used);
    pool->reserved_high = std::max(pool->reserved_high, pool->reserved);
  }
  *pointer = memory;
  return cudaSuccess;
}

cudaError_t release(void* pointer, bool stream_ordered) {
  runtime_state& s = state();
  if (pointer == nullptr) return cudaSuccess;
  auto const found = s.memory.find(pointer);
  if (found == s.memory.end()) return cudaErrorInvalidValue;
  allocation const freed = found->second;
  if (stream_ordered && freed.pool == nullptr) return cudaErrorInvalidValue;
  if (freed.num_openings > 0) return cudaErrorInvalidValue;  // CUDA leaves it undefined
  if (freed.pool != nullptr) freed.pool->used -= freed.bytes;
  s.memory_bytes -= freed.bytes;
  s.memory.erase(found);
  std::free(pointer);
  return cudaSuccess;
}

memory_pool* known(cudaMemPool_t handle) {
  auto* const pool = reinterpret_cast<memory_pool*>(handle);
  return pool == &state().default_pool || state().pools.count(pool) != 0 ? pool : nullptr;
}
cudaMemPool_t handle_of(memory_pool& pool) { return reinterpret_cast<cudaMemPool_t>(&pool); }

cudaError_t copy(void* to, void const* from, std::size_t bytes) {
  if (bytes != 0) std::memmove(to, from, bytes);
  return cudaSuccess;
}
cudaError_t fill(void* to, int value, std::size_t bytes) {
  if (bytes != 0) std::memset(to, value, bytes);
  return cudaSuccess;
}

struct event {
  std::chrono::steady_clock::time_point recorded;
  stream_place place;  // where it was recorded
};
event* known(cudaEvent_t handle) {
  return state().events.count(handle) != 0 ? reinterpret_cast<event*>(handle) : nullptr;
}

}  // namespace

extern "C" {

// ---- memory
cudaError_t cudaMalloc(void** pointer, std::size_t bytes) {
  return answer(call_kind::allocation, injectable | hidden_synchronization,
                [&] { return allocate(pointer, bytes, nullptr); });
}
cudaError_t cudaFree(void* pointer) {
  return answer(call_kind::free, hidden_synchronization, [&] { return release(pointer, false); });
}
cudaError_t cudaMallocAsync(void** pointer, std::size_t bytes, cudaStream_t stream) {
  return answer(call_kind::allocation, injectable, [&] {
    if (state().no_memory_pools) return cudaErrorNotSupported;
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    return allocate(pointer, bytes, &state().default_pool);
  });
}
cudaError_t cudaMallocFromPoolAsync(void** pointer, std::size_t bytes, cudaMemPool_t handle, cudaStream_t stream) {
  return answer(call_kind::allocation, injectable, [&] {
    memory_pool* const pool = known(handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    return allocate(pointer, bytes, pool);
  });
}
cudaError_t cudaFreeAsync(void* pointer, cudaStream_t stream) {
  return answer(call_kind::free, 0, [&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    return defer(stream, [=] { release(pointer, true); }) ? cudaSuccess : release(pointer, true);
  });
}
// This memory of the host is pinned. Allocating and freeing it may synchronise a real device.
cudaError_t cudaHostAlloc(void** pointer, std::size_t bytes, unsigned) {
  return answer(call_kind::allocation, injectable | hidden_synchronization,
                [&] { return allocate(pointer, bytes, nullptr); });
}
cudaError_t cudaFreeHost(void* pointer) {
  return answer(call_kind::free, hidden_synchronization, [&] { return release(pointer, false); });
}
cudaError_t cudaMemGetInfo(std::size_t* free_bytes, std::size_t* total_bytes) {
  return answer(call_kind::plain, injectable | unsafe_in_captures, [&] {
    *free_bytes = device_memory_bytes - state().memory_bytes;
    *total_bytes = device_memory_bytes;
    return cudaSuccess;
  });
}

// ---- pools
cudaError_t cudaDeviceGetDefaultMemPool(cudaMemPool_t* pool, int device) {
  return answer([&] {
    if (device != 0) return cudaErrorInvalidDevice;
    *pool = handle_of(state().default_pool);
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolCreate(cudaMemPool_t* pool, cudaMemPoolProps const*) {
  return answer(call_kind::plain, injectable | unsafe_in_captures, [&] {
    if (state().no_memory_pools) return cudaErrorNotSupported;
    auto* const created = new memory_pool;
    state().pools.insert(created);
    *pool = handle_of(*created);
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolDestroy(cudaMemPool_t handle) {
  return answer(call_kind::plain, unsafe_in_captures, [&] {
    memory_pool* const pool = known(handle);
    if (pool == nullptr || pool == &state().default_pool || pool->used != 0) return cudaErrorInvalidValue;
    state().pools.erase(pool);
    delete pool;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolSetAttribute(cudaMemPool_t handle, cudaMemPoolAttr which, void* value) {
  return answer(call_kind::plain, injectable | unsafe_in_captures, [&] {
    memory_pool* const pool = known(handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    if (which == cudaMemPoolAttrReleaseThreshold) std::memcpy(&pool->release_threshold, value, sizeof(std::uint64_t));
    if (which == cudaMemPoolAttrUsedMemHigh) pool->used_high = pool->used;
    if (which == cudaMemPoolAttrReservedMemHigh) pool->reserved_high = pool->reserved;
    return cudaSuccess;
  });
}
cudaError_t cudaMemPoolGetAttribute(cudaMemPool_t handle, cudaMemPoolAttr which, void* value) {
  return answer([&] {
    memory_pool* const pool = known(handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    auto const give = [&](std::uint64_t number) {
      std::memcpy(value, &number, sizeof(number));
      return cudaSuccess;
    };
    switch (which) {
      case cudaMemPoolAttrReleaseThreshold:
        return give(pool->release_threshold);
      case cudaMemPoolAttrUsedMemCurrent:
        return give(pool->used);
      case cudaMemPoolAttrUsedMemHigh:
        return give(pool->used_high);
      case cudaMemPoolAttrReservedMemCurrent:
        return give(pool->reserved);
      case cudaMemPoolAttrReservedMemHigh:
        return give(pool->reserved_high);
      default:
        return cudaErrorNotSupported;
    }
  });
}
cudaError_t cudaMemPoolTrimTo(cudaMemPool_t handle, std::size_t bytes_to_keep) {
  return answer(call_kind::plain, injectable | unsafe_in_captures, [&] {
    memory_pool* const pool = known(handle);
    if (pool == nullptr) return cudaErrorInvalidValue;
    pool->reserved = std::min(pool->reserved, std::max<std::uint64_t>(pool->used, bytes_to_keep));
    return cudaSuccess;
  });
}

// ---- copies
cudaError_t cudaMemcpy(void* to, void const* from, std::size_t bytes, cudaMemcpyKind) {
  return answer(call_kind::copy, injectable | hidden_synchronization, [&] { return copy(to, from, bytes); });
}
cudaError_t cudaMemcpyAsync(void* to, void const* from, std::size_t bytes, cudaMemcpyKind, cudaStream_t stream) {
  return answer(call_kind::copy, injectable, [&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    return defer(stream, [=] { copy(to, from, bytes); }) ? cudaSuccess : copy(to, from, bytes);
  });
}
cudaError_t cudaMemset(void* to, int value, std::size_t bytes) {
  return answer(call_kind::copy, injectable | hidden_synchronization, [&] { return fill(to, value, bytes); });
}
cudaError_t cudaMemsetAsync(void* to, int value, std::size_t bytes, cudaStream_t stream) {
  return answer(call_kind::copy, injectable, [&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    return defer(stream, [=] { fill(to, value, bytes); }) ? cudaSuccess : fill(to, value, bytes);
  });
}

// ---- streams
// Handles are used again, as CUDA's are.
cudaError_t cudaStreamCreateWithFlags(cudaStream_t* stream, unsigned) {
  return answer([&] {
    auto& unused = state().unused_streams;
    if (unused.empty()) unused.push_back(reinterpret_cast<cudaStream_t>(new char));
    *stream = unused.back();
    unused.pop_back();
    state().streams[*stream] = {++state().last_stream_id};
    draw_lateness(*stream);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamCreate(cudaStream_t* stream) { return cudaStreamCreateWithFlags(stream, cudaStreamDefault); }
cudaError_t cudaStreamDestroy(cudaStream_t stream) {
  end_lateness(stream);
  return answer(call_kind::plain, 0, [&] {
    bool const always_there = stream == nullptr || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
    if (always_there || state().streams.erase(stream) == 0) return cudaErrorInvalidResourceHandle;
    state().captures.erase(stream);
    state().unused_streams.push_back(stream);
    return cudaSuccess;
  });
}
cudaError_t cudaStreamGetId(cudaStream_t stream, unsigned long long* id) {
  return answer([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (invalidates_capture_of(stream)) return cudaErrorStreamCaptureUnsupported;
    *id = state().streams[stream].id;
    return cudaSuccess;
  });
}
cudaError_t cudaStreamSynchronize(cudaStream_t stream) {
  catch_up(stream);
  return answer(call_kind::synchronize_stream, injectable, [&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (invalidates_capture_of(stream)) return cudaErrorStreamCaptureUnsupported;
    trim_pools();
    return cudaSuccess;
  });
}
cudaError_t cudaStreamQuery(cudaStream_t stream) {
  catch_up(stream);
  return answer([&] {
    if (!known(stream)) return cudaErrorInvalidResourceHandle;
    if (invalidates_capture_of(stream)) return cudaErrorStreamCaptureUnsupported;
    if (state().busy_queries == 0) return trim_pools(), cudaSuccess;
    --state().busy_queries;
    return cudaErrorNotReady;
  });
}
cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned) {
  stream_place place{};
  cudaError_t const status = answer([&] {
    auto const* const recorded = known(event);
    if (!known(stream) || recorded == nullptr) return cudaErrorInvalidResourceHandle;
    place = recorded->place;
    return cudaSuccess;
  });
  if (status == cudaSuccess) wait_in(stream, place);
  return status;
}
cudaError_t cudaDeviceSynchronize() {
  return answer(call_kind::synchronize_device, injectable, [&] { return trim_pools(), cudaSuccess; });
}

// ---- events
cudaError_t cudaEventCreateWithFlags(cudaEvent_t* handle, unsigned) {
  return answer([&] {
    *handle = reinterpret_cast<cudaEvent_t>(new event{});
    state().events.insert(*handle);
    return cudaSuccess;
  });
}
cudaError_t cudaEventCreate(cudaEvent_t* handle) { return cudaEventCreateWithFlags(handle, cudaEventDefault); }
cudaError_t cudaEventDestroy(cudaEvent_t handle) {
  return answer(call_kind::plain, 0, [&] {
    event* const destroyed = known(handle);
    if (destroyed == nullptr) return cudaErrorInvalidResourceHandle;
    state().events.erase(handle);
    delete destroyed;
    return cudaSuccess;
  });
}
cudaError_t cudaEventRecord(cudaEvent_t handle, cudaStream_t stream) {
  return answer([&] {
    event* const recorded = known(handle);
    if (recorded == nullptr || !known(stream)) return cudaErrorInvalidResourceHandle;
    *recorded = {std::chrono::steady_clock::now(), place_in(stream)};
    return cudaSuccess;
  });
}
cudaError_t cudaEventSynchronize(cudaEvent_t handle) {
  stream_place place{};
  cudaError_t const status = answer(call_kind::synchronize_stream, injectable, [&] {
    auto const* const recorded = known(handle);
    if (recorded == nullptr) return cudaErrorInvalidResourceHandle;
    place = recorded->place;
    return cudaSuccess;
  });
  if (status == cudaSuccess) catch_up_with(place);
  return status;
}
cudaError_t cudaEventElapsedTime(float* milliseconds, cudaEvent_t start, cudaEvent_t end) {
  return answer([&] {
    event const* const first = known(start);
    event const* const last = known(end);
    if (first == nullptr || last == nullptr) return cudaErrorInvalidResourceHandle;
    *milliseconds = std::chrono::duration<float, std::milli>(last->recorded - first->recorded).count();
    return cudaSuccess;
  });
}

}  // extern "C"
