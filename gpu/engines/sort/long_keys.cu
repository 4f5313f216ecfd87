#include "core/compact_key.hpp"
#include "gpu/engines/sort/key_compare.hpp"
#include "gpu/engines/sort/long_keys.cuh"
#include "gpu/engines/sort/primitives.cuh"
#include "gpu/runtime/check.cuh"
#include "gpu/runtime/grid.cuh"
#include "gpu/runtime/launch.cuh"

namespace duomap::gpu {
namespace {

__global__ void measure_keys(const writable_keys keys, std::uint64_t count, std::uint64_t* sizes) {
  for (std::uint64_t i = first_element(); i <= count; i += element_step()) {
    sizes[i] = i < count ? stored_bytes_of(keys.at(i).bytes().size) : 0;
  }
}

/// A warp for each key.
__global__ void move_keys(const writable_keys keys, std::uint64_t count, const std::uint64_t* offsets,
                          char* to, const char* later) {
  const unsigned lane = threadIdx.x % 32;
  for (std::uint64_t i = first_element() / 32; i < count; i += element_step() / 32) {
    compact_key& key = keys.at(i);
    if (key.is_short()) continue;
    const byte_view bytes = key.bytes();
    const auto* from = reinterpret_cast<const std::uint64_t*>(bytes.data) - 1;  // the length comes first
    auto* const words = reinterpret_cast<std::uint64_t*>(to + offsets[i]);
    const std::uint64_t all = stored_bytes_of(bytes.size) / sizeof(std::uint64_t);
    for (std::uint64_t w = lane; w < all; w += 32) words[w] = from[w];
    __syncwarp();  // all lanes have read the key
    if (lane == 0) key = compact_key::of_stored(key.hash(), later + offsets[i] + sizeof(std::uint64_t));
  }
}

}  // namespace

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

void gather_long_keys(const writable_keys& keys, std::uint64_t count, const std::uint64_t* offsets, char* to,
                      const char* later, const stream& on) {
  launch(move_keys, element_grid(count * 32, on), keys, count, offsets, to, later);
}

}  // namespace duomap::gpu
