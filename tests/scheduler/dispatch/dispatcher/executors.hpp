// Makes executors in a state that a test chooses.
#pragma once

#include "scheduler/dispatch/dispatcher/executor_config.hpp"
#include "scheduler/dispatch/dispatcher/executor_state.hpp"

#include <cstdint>

namespace duomap::test {

[[nodiscard]] inline scheduler::executor_config pool_of(unsigned workers, double seconds_per_grain = 0) {
  return {.workers = workers, .model = {.seconds_per_grain = seconds_per_grain}};
}

[[nodiscard]] inline scheduler::executor_config device_of(double seconds_per_grain = 0,
                                                          double start_seconds = 0) {
  return {.depth = 3,
          .device = true,
          .most_grains = 1000,
          .model = {.seconds_per_grain = seconds_per_grain,
                    .claim_seconds = 1e-5,
                    .start_seconds = start_seconds},
          .can_time_out = true};
}

/// Makes an executor a started device that has held `grains` grains since the time `since`.
inline void hold(scheduler::executor_state& one, std::uint32_t grains, double since = 0) {
  one.at = scheduler::executor_stage::ready;
  one.open = grains;
  one.progressed = since;
}

}  // namespace duomap::test
