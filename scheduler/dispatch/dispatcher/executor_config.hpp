// The facts that the planner knows about an executor before the run.
#pragma once

#include "scheduler/models/grain_model.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap::scheduler {

/// The largest number of executors in a run.
inline constexpr std::size_t most_executors = 32;

/// The facts about one executor.
struct executor_config {
  unsigned workers = 1;
  /// The number of chunks that a worker may have open.
  unsigned depth = 1;
  /// A device has one worker, takes large claims, and loses all uncommitted work when it is lost. The other
  /// executors are pools: they have many workers and small claims, and their finished work is safe.
  bool device = false;
  /// The largest claim in grains; for a pool that prefers adjacent chunks, the largest chunk.
  std::uint32_t most_grains = 16;
  /// For pools: executor_traits::prefers_adjacent.
  bool prefers_adjacent = false;
  grain_model model = {};
  /// For pools: the number of workers that leave their cores to devices at work.
  unsigned idle = 0;
  /// For devices: whether a hanging device can time out.
  bool can_time_out = false;
};

}  // namespace duomap::scheduler
