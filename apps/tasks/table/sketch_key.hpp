// The keys of approximate aggregates, on any device. Values that have the same key are grouped together:
// those of a register of a HyperLogLog sketch, or those of a bucket of a histogram. So a sketch is a part of
// the keys of the task, and needs no state of its own.
#pragma once

#include "apps/tasks/table/key_sink.hpp"
#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "core/text/load.hpp"

#include <cstdint>

namespace duomap::apps {

inline constexpr unsigned register_bits = 12;
inline constexpr unsigned most_registers = 1u << register_bits;
/// Bits of a hash that have no part in the choice of the register.
inline constexpr unsigned rank_bits = 64 - register_bits;

namespace detail {

/// Changes half of all bits for each bit that changes (the last steps of SplitMix64).
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t mix_bits(std::uint64_t bits) {
  bits = (bits ^ bits >> 30) * 0xbf58476d1ce4e5b9ull;
  bits = (bits ^ bits >> 27) * 0x94d049bb133111ebull;
  return bits ^ bits >> 31;
}

/// Writes six bits as a byte that is no line feed.
DUOMAP_HD inline void put_six_bits(std::uint64_t bits, key_sink& key) {
  key.put(static_cast<char>('0' + (bits & 63)));
}

}  // namespace detail

/// A hash of 64 good bits. It is the same in all builds and on all devices, because a sketch of one part is
/// merged with that of another one.
[[nodiscard]] DUOMAP_HD inline std::uint64_t sketch_hash(std::int64_t number) {
  return detail::mix_bits(static_cast<std::uint64_t>(number) + 0x9e3779b97f4a7c15ull);
}
[[nodiscard]] DUOMAP_HD inline std::uint64_t sketch_hash(byte_view text) {
  std::uint64_t hash = text.size * 0x9e3779b97f4a7c15ull;
  std::uint64_t at = 0;
  for (; at + 8 <= text.size; at += 8) hash = detail::mix_bits(hash ^ load_eight(text.data + at));
  const std::uint64_t rest = load_some(text.data + at, static_cast<unsigned>(text.size - at));
  return detail::mix_bits(detail::mix_bits(hash ^ rest) + 0x9e3779b97f4a7c15ull);
}

/// The number of zeros before the first one among the upper rank_bits of a hash, plus 1.
[[nodiscard]] DUOMAP_HD constexpr unsigned rank_of(std::uint64_t hash) {
  unsigned rank = 1;
  for (unsigned step = 32; step > 0; step /= 2) {
    if (hash >> (64 - step) != 0) continue;
    rank += step;
    hash <<= step;
  }
  return rank < rank_bits + 1 ? rank : rank_bits + 1;
}

/// Writes the register of a hash: its lowest bits.
DUOMAP_HD inline void put_register(std::uint64_t hash, key_sink& key) {
  static_assert(register_bits == 12);
  detail::put_six_bits(hash >> 6, key);
  detail::put_six_bits(hash, key);
}

/// Writes the bucket of a number, which comes as ordered_bits(): the sign, the exponent and six bits behind
/// the leading one. The numbers of a bucket differ by at most 1/64 of the smaller one, so the middle between
/// the least and the greatest one differs from any of them by less than 0.8 %. That is not so for numbers
/// nearer to 0 than 2^-1022.
DUOMAP_HD inline void put_bucket_of(std::int64_t ordered, key_sink& key) {
  const auto bucket = static_cast<std::uint64_t>(ordered >> 46);
  for (unsigned shift = 18; shift > 0;) detail::put_six_bits(bucket >> (shift -= 6), key);
}

}  // namespace duomap::apps
