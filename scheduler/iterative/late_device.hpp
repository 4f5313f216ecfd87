// Waits for a device's part of a step, and gives up a device that hangs.
#pragma once

#include "core/resident_loop.hpp"
#include "scheduler/dispatch/dispatcher/overdue.hpp"
#include "scheduler/iterative/step_model.hpp"
#include "scheduler/thresholds/dispatch_thresholds.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

namespace duomap::scheduler {

/// The seconds after the begin of a step over `grains` grains at which its device counts as hanging.
[[nodiscard]] inline double late_seconds(const step_model& model, double grains) {
  if (!model.known()) return dispatch_thresholds::late_commit_seconds;
  return std::max(dispatch_thresholds::late_chunk_seconds,
                  dispatch_thresholds::late_factor * model.seconds(grains));
}

/// Keeps the loop of a device that hangs, because the loop's destructor would wait for the device.
template <map_reduce_task Task>
void keep_for_ever(std::unique_ptr<resident_loop<Task>> loop) {
  static std::mutex mutex;
  static auto& kept = *new std::vector<std::unique_ptr<resident_loop<Task>>>;
  const std::lock_guard lock(mutex);
  kept.push_back(std::move(loop));
}

/// The result of the step that `loop` has begun. No value: the step has taken `late` seconds, and
/// may_give_up() allowed to give up the loop, which is now empty.
template <map_reduce_task Task, class MayGiveUp>
[[nodiscard]] std::optional<resident_step<Task>> finish_or_give_up(std::unique_ptr<resident_loop<Task>>& loop,
                                                                   double late,
                                                                   const MayGiveUp& may_give_up) {
  for (double waited = 0; waited < late || !may_give_up(); waited += hang_check_seconds) {
    if (auto done = loop->finish_within(hang_check_seconds)) return done;
  }
  loop->give_up();
  keep_for_ever(std::move(loop));
  return std::nullopt;
}

}  // namespace duomap::scheduler
