// Record format: the indices of a range, for tasks that compute their data.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap {

/// Each index of an index_input(count) is a record. A task can compute a pair or a tile from an index.
struct index_range {
  using record = std::uint64_t;

  /// The smallest number of indices of a chunk, unless fewer are left; 1 if a record is a tile of a matrix.
  std::uint64_t indices_per_grain = 1024;

  [[nodiscard]] std::uint64_t grain() const { return torture ? 2 : indices_per_grain; }
  [[nodiscard]] static std::uint64_t first_start(byte_view /*source*/, std::uint64_t from,
                                                 std::uint64_t /*limit*/) {
    return from;
  }
  [[nodiscard]] static std::uint64_t last_start(byte_view block) { return block.size; }

  /// Calls use(index) for every index of the chunk, ascending.
  template <class Use>
  DUOMAP_HD void for_each_record(const chunk& part, Use&& use) const {
    for (std::uint64_t i = 0; i < part.size; ++i) use(part.offset + i);
  }
};

}  // namespace duomap
