#include "core/compact_key.hpp"
#include "gpu/engines/sort/key_compare.hpp"
#include "gpu/engines/sort/long_keys.cuh"
#include "gpu/engines/sort/primitives.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/grid.cuh"
#include "gpu/runtime/launch.cuh"

#include <cstdint>

namespace duomap::gpu {
namespace {

__global__ void measure_keys(const writable_keys keys, std::uint64_t count, std::uint64_t* sizes) {
  for (std::uint64_t i = first_element(); i <= count; i += element_step()) {
    sizes[i] = i < count ? stored_bytes_of(keys.at(i).bytes().size) : 0;
  }
}

/// Moves long keys, each by one warp.
__global__ void move_keys(const writable_keys keys, std::uint64_t count, const std::uint64_t* offsets,
                          char* to, const char* later) {
  const unsigned lane = threadIdx.x % 32;
  for (std::uint64_t i = first_element() / 32; i < count; i += element_step() / 32) {
    compact_key& key = keys.at(i);
    if (key.is_short()) continue;
    const byte_view bytes = key.bytes();
    const auto* from =
        reinterpret_cast<const std::uint64_t*>(bytes.data) - 1;  // the length is before the bytes
    auto* const words = reinterpret_cast<std::uint64_t*>(to + offsets[i]);
    const std::uint64_t all = stored_bytes_of(bytes.size) / sizeof(std::uint64_t);
    for (std::uint64_t w = lane; w < all; w += 32) words[w] = from[w];
    __syncwarp();  // lane 0 changes the key when all lanes have read it
    if (lane == 0) key = compact_key::of_stored(key.hash(), later + offsets[i] + sizeof(std::uint64_t));
  }
}

/// Places the bytes of all keys one after the other. Writes count + 1 offsets; the last offset is the number
/// of all bytes, which is also returned. Waits for the stream.
std::uint64_t place_long_keys(const writable_keys& keys, std::uint64_t count, std::uint64_t* offsets,
                              scratch& temporary, const stream& on) {
  launch(measure_keys, element_grid(count + 1, on), keys, count, offsets);
  sum_before_each(offsets, count + 1, temporary, on);
  std::uint64_t all = 0;
  check(cudaMemcpyAsync(&all, offsets + count, sizeof all, cudaMemcpyDeviceToHost, on.get()),
        "reading the bytes of long keys");
  on.wait();
  return all;
}

}  // namespace

zeroed_memory bring_long_keys(const writable_keys& keys, std::uint64_t count, long_key_memory& memory,
                              to_host& host, const stream& on) {
  auto* const offsets = memory.offsets.get<std::uint64_t>(count + 1, on);
  const std::uint64_t bytes = place_long_keys(keys, count, offsets, memory.temporary, on);
  if (bytes == 0) return {};
  // The memory is on huge pages. 64 MiB of lines that are collected as keys and as values take half of the
  // time to an H200's host that small pages take.
  zeroed_memory stored = allocate_zeroed(bytes, "what a GPU has reduced of a chunk");
  char* const gathered = memory.gathered.get<char>(bytes, on);
  launch(move_keys, element_grid(count * 32, on), keys, count, offsets, gathered,
         static_cast<const char*>(stored.get()));
  host.copy(stored.get(), gathered, bytes, on);
  return stored;
}

}  // namespace duomap::gpu
