// Finds the ends of fields and rows in a tile of text, with the vector instructions that the CPU has.
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap::cpu {

enum class vector_path;

/// The number of bytes of text in a tile. Positions fit into 16 bits, and the lists stay in the L1 cache.
inline constexpr std::uint32_t field_tile_bytes = torture ? 64 : 4096;

/// The room of a list, which is written in whole vectors.
inline constexpr std::uint32_t field_list_room = field_tile_bytes + 64;

/// The ends of fields and rows in a tile.
struct field_ends {
  std::uint32_t count = 0;            ///< number of delimiters and newlines together
  std::uint32_t rows = 0;             ///< number of newlines
  std::uint16_t at[field_list_room];  ///< positions of delimiters and newlines, ascending
  std::uint16_t
      row_ends[field_list_room];  ///< for each newline, the number of delimiters and newlines before it
};

/// Lists the delimiters and newlines of the `count` <= field_tile_bytes bytes at `data`. Reads up to 63 bytes
/// beyond them.
using find_field_ends_function = void (*)(const char* data, std::uint32_t count, char delimiter,
                                          field_ends& found);

/// The function for a vector path. All paths give the same lists.
[[nodiscard]] find_field_ends_function find_field_ends_for(vector_path path) noexcept;

/// The function for active_vector_path() (cpu/features.hpp).
[[nodiscard]] find_field_ends_function active_find_field_ends();

/// Whether that function uses vector instructions. Without them, looking for one field after the other is
/// faster.
[[nodiscard]] bool field_ends_by_vectors();

}  // namespace duomap::cpu
