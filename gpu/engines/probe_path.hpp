// Finds the slots of a table in device memory in which a key may stand. A key has few such slots, even if
// users choose keys that collide. host safe
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap::gpu {

/// Slots that are tried first, from a key's home on. In a table that is half full hardly any key needs more,
/// unless keys are made to collide.
inline constexpr std::uint32_t near_slots = 64;

/// One step of a hash with a secret factor: multiplies and combines both halves of the product. SipHash would
/// take more registers than word count's kernel has (decision 27).
[[nodiscard]] DUOMAP_HD inline std::uint64_t secret_product(std::uint64_t word, std::uint64_t secret) {
#if defined(__CUDA_ARCH__)
  return word * secret ^ __umul64hi(word, secret);
#else
  __extension__ using wide = unsigned __int128;
  const wide all = wide{word} * secret;
  return static_cast<std::uint64_t>(all) ^ static_cast<std::uint64_t>(all >> 64);
#endif
}

/// Finds the slot of a key in a table that the top bits of a hash index: the first slot for which takes(slot)
/// is true. Behind the near slots it tries slots that follow from far_hash(), a hash of the key with a
/// secret. No choice of keys can fill these far slots, so each of them is empty as often as an average slot.
/// The secret decides where a key stands, but never the result.
template <class Takes, class FarHash>
[[nodiscard]] DUOMAP_HD std::uint64_t find_slot(std::uint64_t home, std::uint64_t slot_mask,
                                                unsigned index_shift, const Takes& takes,
                                                const FarHash& far_hash) {
  std::uint64_t slot = home;
#if defined(__CUDA_ARCH__)
#pragma unroll 1
#endif
  for (std::uint32_t tried = 1; !takes(slot); ++tried) {
    if (tried < near_slots) {
      slot = (slot + 1) & slot_mask;
    } else {
      std::uint64_t bits = far_hash() + tried * 0x9E3779B97F4A7C15;
      bits = (bits ^ bits >> 32) * 0xBF58476D1CE4E5B9;
      slot = (bits ^ bits >> 32) * 0x94D049BB133111EB >> index_shift;
    }
  }
  return slot;
}

}  // namespace duomap::gpu
