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

/// The two rarest bytes of a text that is looked for, and their distances from its beginning.
struct byte_pair {
  struct member {
    std::uint32_t at = 0;
    char byte = 0;
    char fold = 0;  ///< or'ed to the text's byte first: 0x20 where either case of a letter will do, else 0
  };
  member first;
  member second;  ///< the first byte again when the text is one byte
};

/// The pair of `wanted`, which is not empty and, when case is ignored, has no capital letters: its bytes that
/// are rarest in prose.
[[nodiscard]] byte_pair rarest_pair(byte_view wanted, bool ignore_case) noexcept;

/// The result of a filter in a tile.
struct candidates {
  std::uint32_t count = 0;
  std::uint32_t newlines = 0;  ///< in text[0, count of positions)
};

/// Lists in `positions`, ascending, the i in [0, count) at which text[i + at] is the byte of both members.
/// Requires count <= candidate_tile. Reads up to 63 bytes behind text + count + the larger `at`.
using find_byte_pair_function = candidates (*)(const char* text, std::uint32_t count, const byte_pair& pair,
                                               std::uint16_t* positions);

/// The implementation for a path. All give the same positions.
[[nodiscard]] find_byte_pair_function find_byte_pair_for(vector_path path) noexcept;

}  // namespace duomap::cpu
