// Finds the places where two bytes of a text stand, with the vector instructions that the CPU has.
#pragma once

#include "core/byte_view.hpp"
#include "core/config.hpp"
#include "cpu/features.hpp"

#include <cstdint>

namespace duomap::cpu {

/// The number of positions of a text that are scanned at a time. Their list stays in the L1 cache, and a
/// position fits into 16 bits.
inline constexpr std::uint32_t candidate_tile = torture ? 64 : 4096;

/// The number of positions that may be written behind the last candidate, because whole vectors are stored.
inline constexpr std::uint32_t candidate_slack = 64;

/// The two rarest bytes of a wanted text, and their distances from its beginning.
struct byte_pair {
  struct member {
    std::uint32_t at = 0;
    char byte = 0;
    char fold = 0;  ///< or'ed to the text's byte first: 0x20 to ignore a letter's case, else 0
  };
  member first;
  member second;  ///< the same as the first if the wanted text has only one byte
};

/// Finds the two bytes of `wanted` that are rarest in prose. `wanted` is not empty. If case is ignored, it
/// has no capital letters.
[[nodiscard]] byte_pair rarest_pair(byte_view wanted, bool ignore_case) noexcept;

/// The candidates that a filter has found in a tile.
struct candidates {
  std::uint32_t count = 0;
  std::uint32_t newlines = 0;  ///< the number of newlines in text[0, count of positions)
};

/// Lists in `positions`, in ascending order, each i in [0, count) at which both bytes are in their places.
/// Requires count <= candidate_tile. Reads up to 63 bytes behind text + count + the larger `at`.
using find_byte_pair_function = candidates (*)(const char* text, std::uint32_t count, const byte_pair& pair,
                                               std::uint16_t* positions);

/// The implementation for a path. All implementations give the same positions.
[[nodiscard]] find_byte_pair_function find_byte_pair_for(vector_path path) noexcept;

}  // namespace duomap::cpu
