// Which slots of a table in device memory a key may stand in, and that they are few, whatever the keys. host
// safe
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap::gpu {

/// Slots from a key's home on that are tried first. In a table that is half full hardly any key needs more,
/// if the keys are not made to collide.
inline constexpr std::uint32_t near_slots = 64;

/// A step of a hash under a secret factor: both halves of the product. SipHash takes registers that the
/// kernel of word count does not have (decision 27).
[[nodiscard]] DUOMAP_HD inline std::uint64_t secret_product(std::uint64_t word, std::uint64_t secret) {
#if defined(__CUDA_ARCH__)
  return word * secret ^ __umul64hi(word, secret);
#else
  __extension__ using wide = unsigned __int128;
  const wide all = wide{word} * secret;
  return static_cast<std::uint64_t>(all) ^ static_cast<std::uint64_t>(all >> 64);
#endif
}

/// The slot of a key in a table whose slots are indexed by the top bits of a hash: the first that takes(slot)
/// takes. After the near slots come others that follow from far_hash(), a hash of the key under a secret.
/// Nobody can fill these by a choice of keys, so each is empty as often as the table is. The secret decides
/// where a key stands, and never what is found there.
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
