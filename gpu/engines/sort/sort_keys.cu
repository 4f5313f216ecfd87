#include "gpu/engines/sort/sort_keys.cuh"
#include "gpu/runtime/grid.cuh"
#include "gpu/runtime/launch.cuh"

#include <cstdint>

namespace duomap::gpu {
namespace {

__global__ void list_sort_keys(const strided_keys keys, std::uint32_t count, const sort_order by,
                               std::uint32_t* sort_keys, std::uint32_t* order) {
  for (std::uint64_t i = first_element(); i < count; i += element_step()) {
    const compact_key& key = keys.at(i);
    // A dense key is the first word of the compact_key.
    sort_keys[i] = by.is_hashed ? by.of_hash(key.hash()) : *reinterpret_cast<const std::uint32_t*>(&key);
    order[i] = static_cast<std::uint32_t>(i);
  }
}

}  // namespace

void write_sort_keys(const strided_keys& keys, std::uint32_t count, const sort_order& by,
                     std::uint32_t* sort_keys, std::uint32_t* order, const stream& on) {
  launch(list_sort_keys, element_grid(count, on), keys, count, by, sort_keys, order);
}

}  // namespace duomap::gpu
