// Finds the places where words start and end in a tile of text, with the vector instructions that the CPU
// has.
#pragma once

#include "core/config.hpp"

#include <cstdint>

namespace duomap::cpu {

enum class vector_path;

/// The bytes of a tile, which is scanned as a whole. The list of edges (at most 8 KiB) stays in the L1 cache,
/// and a position fits into 16 bits.
inline constexpr std::uint32_t word_tile_bytes = torture ? 64 : 4096;

/// The number of positions that may be written behind the last edge, because whole vectors are stored.
inline constexpr std::uint32_t word_edges_slack = 64;

/// Lists in `edges`, in ascending order, the positions i in [0, count) at which a word starts or ends: either
/// data[i] or data[i - 1] is a word byte (core/record/words.hpp), but not both. `inside` says whether the
/// byte before data[0] is a word byte. Returns the number of edges. Requires count <= word_tile_bytes. Reads
/// up to 63 bytes behind data + count, and may write word_edges_slack positions behind the last edge.
using find_word_edges_function = std::uint32_t (*)(const char* data, std::uint32_t count, bool inside,
                                                   std::uint16_t* edges);

/// The implementation for a path. All implementations give the same edges.
[[nodiscard]] find_word_edges_function find_word_edges_for(vector_path path) noexcept;

/// The implementation for active_vector_path() (cpu/features.hpp).
[[nodiscard]] find_word_edges_function active_find_word_edges();

}  // namespace duomap::cpu
