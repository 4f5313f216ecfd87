// Computes the room of emits, and the number of tiles whose emits fit into memory at once. host safe
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap::gpu {

/// A number of emits and the bytes of their long keys and values (gpu/engines/sort/key_compare.hpp).
struct emit_space {
  std::uint64_t emits = 0;
  std::uint64_t bytes = 0;

  DUOMAP_HD constexpr emit_space& operator+=(const emit_space& more) {
    emits += more.emits;
    bytes += more.bytes;
    return *this;
  }
  [[nodiscard]] DUOMAP_HD friend constexpr emit_space operator-(const emit_space& all,
                                                                const emit_space& part) {
    return {all.emits - part.emits, all.bytes - part.bytes};
  }
  friend constexpr bool operator==(const emit_space&, const emit_space&) = default;
};

/// The device memory that the emits of a piece may take.
struct piece_limit {
  std::uint64_t memory = 0;          ///< bytes of device memory
  std::uint64_t bytes_per_emit = 0;  ///< bytes of one emit in all arrays together
  std::uint64_t stored_copies = 1;   ///< copies of each stored byte that exist at once

  /// Emits are numbered with 32 bits, and CUB's counts are signed.
  static constexpr std::uint64_t most_emits = (std::uint64_t{1} << 31) - 1;

  [[nodiscard]] constexpr std::uint64_t memory_of(const emit_space& space) const {
    return space.emits * bytes_per_emit + space.bytes * stored_copies;
  }
  [[nodiscard]] constexpr bool fits(const emit_space& space) const {
    // The first comparison keeps the sums of the second far below 2^64.
    return space.emits <= most_emits && space.bytes <= memory && memory_of(space) <= memory;
  }
};

/// Returns the end of the piece that begins at tile `begin`: the tile behind the piece's last tile. The piece
/// has all tiles that fit; the end is `begin` if not even one fits. before[i] is the room of the tiles before
/// tile i, for i in [0, tiles].
[[nodiscard]] constexpr std::uint64_t piece_end(const emit_space* before, std::uint64_t begin,
                                                std::uint64_t tiles, const piece_limit& limit) {
  std::uint64_t fits = begin;
  std::uint64_t beyond = tiles + 1;
  while (beyond - fits > 1) {
    const std::uint64_t middle = fits + (beyond - fits) / 2;
    (limit.fits(before[middle] - before[begin]) ? fits : beyond) = middle;
  }
  return fits;
}

}  // namespace duomap::gpu
