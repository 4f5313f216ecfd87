// The facts that the planner knows about an executor before the run.
#pragma once

#include "scheduler/models/grain_model.hpp"

#include <cstddef>
#include <cstdint>

namespace duomap::scheduler {

/// The largest number of executors in a run.
inline constexpr std::size_t most_executors = 32;

struct executor_config {
  unsigned workers = 1;
  /// The number of chunks that a worker may have open at once.
  unsigned depth = 1;
  /// A device has one worker, takes large claims, and loses all uncommitted work if it fails. Any other
  /// executor is a pool: it has several workers and small claims, and its finished work is safe.
  bool device = false;
  /// The largest claim, in grains. For a pool that prefers adjacent chunks: the largest chunk.
  std::uint32_t most_grains = 16;
  /// Whether a pool prefers adjacent chunks (executor_traits::prefers_adjacent).
  bool prefers_adjacent = false;
  grain_model model = {};
  /// For pools: the number of workers that leave their cores to devices at work.
  unsigned idle = 0;
  /// For devices: whether the run may give the device up if it hangs.
  bool can_time_out = false;
};

}  // namespace duomap::scheduler
