// Copies long keys and values out of a chunk or out of map's own buffers.
#pragma once

#include "core/byte_view.hpp"
#include "core/compact_key.hpp"
#include "core/hash.hpp"
#include "gpu/record/key_bytes.hpp"

#include <cstdint>

namespace duomap::gpu {

/// Writes a long key (more than 15 bytes) to `to` in the form of stored_bytes_of(). Returns its hash,
/// computed from the same reads.
template <class Where>
[[nodiscard]] __device__ std::uint64_t store_long(byte_view key, char* to, Where where) {
  auto* const words = reinterpret_cast<std::uint64_t*>(to);
  words[0] = key.size;
  const std::uint64_t hash = hash_long(key, [&](const char* from) {
    const std::uint64_t word = load_eight(from, where);
    const auto at = static_cast<std::uint64_t>(from - key.data);
    if (at % 8 == 0) words[1 + at / 8] = word;  // not for the last eight bytes if they overlap earlier ones
    return word;
  });
  if (const auto rest = static_cast<unsigned>(key.size % 8); rest > 0) {
    words[1 + key.size / 8] = load_some(key.data + (key.size - rest), rest, where);
  }
  return hash;
}

/// Makes a compact_key of a short key (up to 15 bytes).
template <class Where>
[[nodiscard]] __device__ compact_key short_key(byte_view key, Where where) {
  const auto size = static_cast<unsigned>(key.size);
  const std::uint64_t lo = size < 8 ? load_some(key.data, size, where) : load_eight(key.data, where);
  const std::uint64_t hi = size <= 8 ? 0 : load_some(key.data + 8, size - 8, where);
  return {lo, hi | compact_key::length_tag(size)};
}

}  // namespace duomap::gpu
