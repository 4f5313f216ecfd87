// The hash of a key's bytes: one definition for host and device, because its top bits name the partition a
// key belongs to on every backend.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>
#include <cstring>

namespace duomap {

/// The number of partitions of a keyed partial is 2^partition_bits, in all backends. 256 keeps 16 to 64
/// merging threads busy and a partition of ten million keys (about 1 MB of entries) inside a core's L2 cache.
inline constexpr unsigned partition_bits = 8;
inline constexpr unsigned partition_count = 1u << partition_bits;

/// The number of slots of a host's table in which a key may stand, from its home slot on. It is bounded
/// because keys can be made to collide. In a table that is half full, fewer than one random key of 10^9 needs
/// more.
inline constexpr unsigned longest_way = 128;

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

/// Hash of a 16-byte block. Multiplication carries every input bit to the top bits, which index a table; the
/// rotation and the shift bring the top back down in between, so that the length, which stands in the top
/// byte of a short key, reaches all bits.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t hash_block(std::uint64_t lo, std::uint64_t hi) {
  if (torture_hash) return 0x5555555555555555u;
  lo ^= lo >> 32;  // otherwise a difference in the upper half alone would reach only the top bits
  const std::uint64_t upper = hi * detail::hash_k1;
  std::uint64_t h = (lo ^ (upper << 32 | upper >> 32)) * detail::hash_k0;
  h ^= h >> 29;
  return h * detail::hash_k2;
}

/// Keys of at least this size are hashed in stripes: word i belongs to stripe i % hash_stripes. A chain over
/// all words takes a core seven cycles for each word, and a GPU's thread forty; stripes do not wait for each
/// other, and a warp has a lane for each.
inline constexpr std::uint64_t striped_bytes = 512;
inline constexpr unsigned hash_stripes = 32;

namespace detail {

[[nodiscard]] DUOMAP_HD constexpr std::uint64_t hash_step(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * hash_k0;
  return h ^ h >> 29;
}

}  // namespace detail

/// Computes the hashes of stripes `first` to `first + N - 1` of a key: N chains that do not wait for each
/// other.
template <unsigned N, class Load>
DUOMAP_HD inline void hash_stripes_from(unsigned first, byte_view key, const Load& load,
                                        std::uint64_t (&h)[N]) {
  for (std::uint64_t& one : h) one = key.size * detail::hash_k1;
  std::uint64_t i = std::uint64_t{8} * first;
  for (; i + 8 * N < key.size; i += 8 * hash_stripes) {
    for (unsigned n = 0; n < N; ++n) h[n] = detail::hash_step(h[n], load(key.data + i + 8 * n));
  }
  for (unsigned n = 0; n < N && i + 8 < key.size; ++n, i += 8)
    h[n] = detail::hash_step(h[n], load(key.data + i));
}

/// The hash of a key in stripes, from the stripe hashes that of_stripe(i) returns.
template <class OfStripe, class Load>
[[nodiscard]] DUOMAP_HD inline std::uint64_t hash_of_stripes(byte_view key, const OfStripe& of_stripe,
                                                             const Load& load) {
  std::uint64_t h = key.size * detail::hash_k1;
  for (unsigned stripe = 0; stripe < hash_stripes; ++stripe) h = detail::hash_step(h, of_stripe(stripe));
  return hash_block(h, load(key.data + key.size - 8));
}

/// The part of hash_long() for keys of at least 8 bytes and less than striped_bytes.
template <class Load>
[[nodiscard]] DUOMAP_HD inline std::uint64_t hash_in_one_chain(byte_view key, const Load& load) {
  std::uint64_t h = key.size * detail::hash_k1;
  for (std::uint64_t i = 0; i + 8 < key.size; i += 8) h = detail::hash_step(h, load(key.data + i));
  return hash_block(h, load(key.data + key.size - 8));
}

/// Hash of `key.size` >= 8 bytes, read eight at a time by load(pointer); the last eight bytes may overlap the
/// bytes before them.
template <class Load>
[[nodiscard]] DUOMAP_HD inline std::uint64_t hash_long(byte_view key, const Load& load) {
  if (key.size >= striped_bytes) {
    // The loop reads a sector of a GPU's memory at a time, which is no more than stays in registers.
    std::uint64_t four[4];
    const auto of_stripe = [&](unsigned stripe) {
      if (stripe % 4 == 0) hash_stripes_from(stripe, key, load, four);
      return four[stripe % 4];
    };
    return hash_of_stripes(key, of_stripe, load);
  }
  return hash_in_one_chain(key, load);
}

/// The hash of a key that is hashed in stripes. A core computes the stripes side by side.
[[nodiscard]] std::uint64_t hash_of_stripes_on_host(byte_view key);

[[nodiscard]] DUOMAP_HD inline std::uint64_t hash_long(byte_view key) {
#if !defined(__CUDA_ARCH__)
  if (key.size >= striped_bytes) return hash_of_stripes_on_host(key);
#endif
  return hash_long(key, [](const char* from) { return detail::load_word(from); });
}

/// The partition of a hash: its top bits.
[[nodiscard]] DUOMAP_HD constexpr unsigned partition_of(std::uint64_t hash) {
  return static_cast<unsigned>(hash >> (64 - partition_bits));
}

}  // namespace duomap
