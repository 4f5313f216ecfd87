// Finds or claims the slot of a key in an array of keys in device memory.
#pragma once

#include "gpu/engines/hash_partitioned/key_bits.hpp"

#include <cstdint>

namespace duomap::gpu {

/// Open addressing that gives up after some probes. The caller then stores the key elsewhere.
template <class Bits>
struct slot_finder {
  static constexpr std::uint32_t none = ~std::uint32_t{0};

  Bits* keys = nullptr;
  std::uint32_t slots = 0;  ///< at least 2
  empty_marks<Bits> marks{};

  [[nodiscard]] DUOMAP_HD std::uint32_t home(Bits key) const { return scale(spread(key), slots); }

  [[nodiscard]] __device__ bool is_occupied(std::uint32_t slot) const { return keys[slot] != marks.at(slot); }

  /// Finds the key's slot or claims one for it; none if the probes meet only other keys.
  [[nodiscard]] __device__ std::uint32_t find(Bits key) const {
    std::uint32_t slot = home(key);
    const unsigned most_probes = marks.contains(key) ? 1 : 64;
    for (unsigned probe = 0; probe < most_probes; ++probe) {
      const Bits empty = marks.at(slot);
      Bits found = __ldcg(keys + slot);
      if (found == empty) {
        const Bits before = atomicCAS(keys + slot, empty, key);
        found = before == empty ? key : before;
      }
      if (found == key) return slot;
      if (++slot == slots) slot = 0;
    }
    return none;
  }
};

template <class Bits>
[[nodiscard]] slot_finder<Bits> make_slot_finder(Bits* keys, std::uint32_t slots) {
  return {keys, slots, make_marks<Bits>([=](Bits key) { return scale(spread(key), slots); })};
}

}  // namespace duomap::gpu
