// Compares the time of a start, a commit, a block or a chunk with its expected time.
#include "scheduler/dispatch/dispatcher/overdue.hpp"

#include "scheduler/thresholds/dispatch_thresholds.hpp"

#include <algorithm>
#include <cstdint>

namespace duomap::scheduler {

bool is_overdue(const executor_state& one, const dispatch_options& how, double now) noexcept {
  const executor_stage at = one.at.load(std::memory_order_relaxed);
  if (!one.is.can_time_out || at == executor_stage::failed) return false;
  // A start may build the kernels for the device. Nobody can predict how long that takes.
  if (at == executor_stage::starting)
    return now - one.started_at.load(std::memory_order_relaxed) >
           std::max(dispatch_thresholds::late_factor * one.is.model.start_seconds, how.late_commit_seconds);
  const double since = now - one.progressed.load(std::memory_order_relaxed);
  if (one.commits_now.load(std::memory_order_relaxed))
    return since >
           std::max(dispatch_thresholds::late_factor * one.is.model.end_seconds, how.late_commit_seconds);
  // A block may be a single record whose map takes long.
  if (const double block = one.at_block_since.load(std::memory_order_relaxed); block >= 0) {
    const double longest = one.longest_block.load(std::memory_order_relaxed);
    return now - block > std::max(dispatch_thresholds::late_factor * longest, how.late_commit_seconds);
  }
  const std::uint32_t open = one.open.load(std::memory_order_relaxed);
  if (open == 0) return false;
  // Without a measured rate, the chunk is expected to take as long as the run took before it. But a device
  // that gets its first grains late, from a device that timed out, gets no more time than a commit.
  const double expected =
      one.rate.samples() > 0
          ? open * one.rate.seconds_per_grain() + one.rate.claim_seconds()
          : std::min(now - since, how.late_commit_seconds / dispatch_thresholds::late_factor);
  return since > std::max(dispatch_thresholds::late_factor * expected, how.late_chunk_seconds);
}

}  // namespace duomap::scheduler
