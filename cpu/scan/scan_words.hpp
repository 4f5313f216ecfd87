// Visits the words of a chunk, a tile at a time.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "cpu/scan/word_edges.hpp"

#include <algorithm>
#include <array>
#include <cstdint>

namespace duomap::cpu {

/// Does the same as words::for_each_record, but faster. It first lists the edges of all words of a tile, then
/// visits the words in one counted loop. So a mispredicted branch costs once a tile and not once a word. Only
/// one thread may use a scanner at a time.
class word_scanner {
 public:
  /// All implementations of `find_edges` give the same words.
  explicit word_scanner(find_word_edges_function find_edges = active_find_word_edges())
    : find_edges_(find_edges) {}

  /// Calls use(word) for every word of the chunk, in order.
  template <class Use>
  void for_each_record(const chunk& part, Use&& use) {
    bool inside = false;  // whether the byte before the tile belongs to a word
    const char* start = nullptr;
    for (std::uint64_t at = 0; at < part.size; at += word_tile_bytes) {
      const auto count = static_cast<std::uint32_t>(std::min<std::uint64_t>(word_tile_bytes, part.size - at));
      const char* tile = part.data + at;
      const std::uint32_t edges = find_edges_(tile, count, inside, edges_.data());
      // Edges alternate between starts and ends. If a tile begins inside a word, its first edge is an end.
      std::uint32_t i = 0;
      if (inside && edges > 0) {
        use(byte_view{start, static_cast<std::uint64_t>(tile + edges_[0] - start)});
        i = 1;
      }
      for (; i + 1 < edges; i += 2) {
        use(byte_view{tile + edges_[i], static_cast<std::uint64_t>(edges_[i + 1] - edges_[i])});
      }
      if (i < edges) start = tile + edges_[i];
      inside = inside != (edges % 2 == 1);
    }
    if (inside) use(byte_view{start, static_cast<std::uint64_t>(part.data + part.size - start)});
  }

 private:
  find_word_edges_function find_edges_;
  std::array<std::uint16_t, word_tile_bytes + word_edges_slack> edges_;
};

}  // namespace duomap::cpu
