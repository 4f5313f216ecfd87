// An executor as it is known before the run.
#pragma once

#include "scheduler/models/grain_model.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap::scheduler {

/// At most so many executors take part in a run.
inline constexpr std::size_t most_executors = 32;

/// What is known of an executor before the run.
struct executor_config {
  unsigned workers = 1;
  /// Chunks a worker may have open.
  unsigned depth = 1;
  /// A device has one worker, takes large claims, and can be lost with all that it has not committed. The
  /// others are pools: many workers, small claims, and what is finished is safe.
  bool device = false;
  /// Grains a claim takes at most; of a pool that prefers adjacent chunks, a chunk.
  std::uint32_t most_grains = 16;
  /// Pools: executor_traits::prefers_adjacent.
  bool prefers_adjacent = false;
  grain_model model = {};
  /// Pools: workers that are to leave their cores to devices, while those are at work.
  unsigned idle = 0;
  /// Devices: whether it can time out while it hangs.
  bool can_time_out = false;
};

}  // namespace duomap::scheduler
