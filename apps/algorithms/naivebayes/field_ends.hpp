// Finds where fields and rows end in a tile of text, with the vector instructions of the CPU it runs on.
#pragma once

#include "core/config.hpp"
#include "cpu/features.hpp"

#include <cstdint>

namespace duomap {

/// Bytes of text looked at together: positions fit 16 bits, and the lists stay in the L1 cache.
inline constexpr std::uint32_t field_tile_bytes = torture ? 64 : 4096;

/// Room for the lists, which are written whole vectors at a time.
inline constexpr std::uint32_t field_list_room = field_tile_bytes + 64;

/// Lists of a tile.
struct field_ends {
  std::uint32_t count = 0;            ///< of delimiters and newlines together
  std::uint32_t rows = 0;             ///< of newlines
  std::uint16_t at[field_list_room];  ///< positions of both, ascending
  std::uint16_t
      row_ends[field_list_room];  ///< for each newline, how many delimiters and newlines are before it
};

/// Lists the delimiters and newlines of the `count` <= field_tile_bytes bytes at `data`. Reads up to 63 bytes
/// behind them.
using find_field_ends_function = void (*)(const char* data, std::uint32_t count, char delimiter,
                                          field_ends& found);

/// The implementation for a path. All give the same lists.
[[nodiscard]] find_field_ends_function find_field_ends_for(cpu::vector_path path) noexcept;

}  // namespace duomap
