// The hash of a key's bytes. Host and device share this definition, because the top bits of the hash name the
// key's partition on every backend.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"

#include <cstdint>
#include <cstring>

namespace duomap {

/// A keyed partial has 2^partition_bits partitions, in all backends. 256 partitions keep 16 to 64 merging
/// threads busy, and a partition of ten million keys (about 1 MB of entries) fits into a core's L2 cache.
inline constexpr unsigned partition_bits = 8;
inline constexpr unsigned partition_count = 1u << partition_bits;

/// In a host's table a key stands in its home slot or within this number of slots from there. The number
/// bounds the search when an attacker chooses keys that collide. In a table that is half full, fewer than one
/// random key of 10^9 needs more slots.
inline constexpr unsigned max_probe_length = 128;

namespace detail {

// Odd constants with about as many ones as zeros: fractional digits of the golden ratio, e and pi.
inline constexpr std::uint64_t hash_k0 = 0x9E3779B97F4A7C15u;
inline constexpr std::uint64_t hash_k1 = 0xB7E151628AED2A6Bu;
inline constexpr std::uint64_t hash_k2 = 0x243F6A8885A308D3u;

[[nodiscard]] DUOMAP_HD inline std::uint64_t load_word(const char* from) {
  std::uint64_t word;
  memcpy(&word, from, sizeof word);
  return word;
}

}  // namespace detail

/// Hash of a 16-byte block. A multiplication carries every input bit to the top bits, which index a table.
/// The rotation and the shift bring them back down, so that the length in a short key's top byte changes all
/// bits.
[[nodiscard]] DUOMAP_HD constexpr std::uint64_t hash_block(std::uint64_t lo, std::uint64_t hi) {
  if (torture_hash) return 0x5555555555555555u;
  lo ^= lo >> 32;  // else the upper half of `lo` would change only top bits
  const std::uint64_t upper = hi * detail::hash_k1;
  std::uint64_t h = (lo ^ (upper << 32 | upper >> 32)) * detail::hash_k0;
  h ^= h >> 29;
  return h * detail::hash_k2;
}

/// A key of at least this number of bytes is hashed in stripes: word i belongs to stripe i % hash_stripes. In
/// one chain over all words, each word would wait for the word before it: seven cycles on a core, forty on a
/// GPU. Stripes do not wait for each other, and a warp has one lane for each.
inline constexpr std::uint64_t striped_bytes = 512;
inline constexpr unsigned hash_stripes = 32;

namespace detail {

[[nodiscard]] DUOMAP_HD constexpr std::uint64_t hash_step(std::uint64_t h, std::uint64_t word) {
  h = (h ^ word) * hash_k0;
  return h ^ h >> 29;
}

}  // namespace detail

/// Computes the hashes of stripes `first` to `first + N - 1` of a key, N chains at once.
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

/// Combines the hashes of a key's stripes. of_stripe(i) returns the hash of stripe i.
template <class OfStripe, class Load>
[[nodiscard]] DUOMAP_HD inline std::uint64_t hash_of_stripes(byte_view key, const OfStripe& of_stripe,
                                                             const Load& load) {
  std::uint64_t h = key.size * detail::hash_k1;
  for (unsigned stripe = 0; stripe < hash_stripes; ++stripe) h = detail::hash_step(h, of_stripe(stripe));
  return hash_block(h, load(key.data + key.size - 8));
}

/// hash_long() for keys of at least 8 bytes and less than striped_bytes.
template <class Load>
[[nodiscard]] DUOMAP_HD inline std::uint64_t hash_in_one_chain(byte_view key, const Load& load) {
  std::uint64_t h = key.size * detail::hash_k1;
  for (std::uint64_t i = 0; i + 8 < key.size; i += 8) h = detail::hash_step(h, load(key.data + i));
  return hash_block(h, load(key.data + key.size - 8));
}

/// Hash of a key of at least 8 bytes. load(pointer) reads eight bytes at a time; the last eight may overlap
/// the bytes before them.
template <class Load>
[[nodiscard]] DUOMAP_HD inline std::uint64_t hash_long(byte_view key, const Load& load) {
  if (key.size >= striped_bytes) {
    // Four stripes read one sector of a GPU's memory, and their hashes fit into registers.
    std::uint64_t four[4];
    const auto of_stripe = [&](unsigned stripe) {
      if (stripe % 4 == 0) hash_stripes_from(stripe, key, load, four);
      return four[stripe % 4];
    };
    return hash_of_stripes(key, of_stripe, load);
  }
  return hash_in_one_chain(key, load);
}

/// The hash of a key that is hashed in stripes, on the host.
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
