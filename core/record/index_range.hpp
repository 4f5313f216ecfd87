// Record format: the indices of a range, for tasks that compute their records.
#pragma once

#include "core/byte_view.hpp"
#include "core/chunk.hpp"
#include "core/config.hpp"

#include <cstdint>

namespace duomap {

/// Every index of an index_input(count) is a record. Pairs and tiles are indices that the task takes apart.
struct index_range {
  using record = std::uint64_t;

  /// The least number of indices that are handed out together, unless there are few; 1 when a record is a
  /// tile of a matrix.
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
