// The hash of a key's bytes: one definition for host and device, because its top bits name the partition a
// key belongs to on every backend.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>
#include <cstring>

namespace duomap {

/// Partitions of every keyed partial: the contract between backends. 256 keeps 16 to 64 merging threads busy
/// and a partition of ten million keys (about 1 MB of entries) inside a core's L2 cache.
inline constexpr unsigned partition_bits = 8;
inline constexpr unsigned partition_count = 1u << partition_bits;

namespace detail {

// Odd constants with about as many ones as zeros, from the fractional parts of the golden ratio, e and pi.
inline constexpr std::uint64_t hash_k0 = 0x9E3779B97F4A7C15u;
inline constexpr std::uint64_t hash_k1 = 0xB7E151628AED2A6Bu;
inline constexpr std::uint64_t hash_k2 = 0x243F6A8885A308D3u;

[[nodiscard]] DUOMAP_HD inline std::uint64_t load_word(const char* from) {
  std::uint64_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace detail

/// Hash of a 16-byte block. Multiplication carries every input bit to the top, which is what indexes a table;
/// the rotation and the shift bring the top back down in between, so that the length, which stands in the top
/// byte of a short key, reaches all bits.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t hash_block(std::uint64_t lo, std::uint64_t hi) {
  if (torture_hash) return 0x5555555555555555u;
  lo ^= lo >> 32;  // what differs in the upper half only would otherwise reach the top bits alone
  const std::uint64_t upper = hi * detail::hash_k1;
  std::uint64_t h = (lo ^ (upper << 32 | upper >> 32)) * detail::hash_k0;
  h ^= h >> 29;
  return h * detail::hash_k2;
}

/// Hash of `key.size` >= 8 bytes, read eight at a time by load(pointer); the last eight may overlap the ones
/// before.
template <class Load>
[[nodiscard]] DUOMAP_HD inline std::uint64_t hash_long(byte_view key, const Load& load) {
  std::uint64_t h = key.size * detail::hash_k1;
  for (std::uint64_t i = 0; i + 8 < key.size; i += 8) {
    h = (h ^ load(key.data + i)) * detail::hash_k0;
    h ^= h >> 29;
  }
  return hash_block(h, load(key.data + key.size - 8));
}

[[nodiscard]] DUOMAP_HD inline std::uint64_t hash_long(byte_view key) {
  return hash_long(key, [](const char* from) { return detail::load_word(from); });
}

/// The partition of a hash: its top bits.
[[nodiscard]] DUOMAP_HD constexpr unsigned partition_of(std::uint64_t hash) {
  return static_cast<unsigned>(hash >> (64 - partition_bits));
}

}  // namespace duomap
