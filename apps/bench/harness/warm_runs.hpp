// The runs of one row of a benchmark, of which the first may be cold.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"
#include "core/run_control.hpp"

namespace duomap::apps {

/// Calls run_once() `rounds` times, and once before when the first run is a cold one; it returns something
/// with its `seconds`, which go to the row, and warm(run) sees what is not cold. Stops when the user asks.
template <class RunOnce, class Warm>
void time_runs(bench_row& row, unsigned rounds, bool first_is_cold, const run_control& control,
               const RunOnce& run_once, const Warm& warm) {
  if (first_is_cold) {
    stop_if_cancelled(control);
    row.cold_seconds = run_once().seconds;
  }
  for (unsigned i = 0; i < rounds; ++i) {
    stop_if_cancelled(control);
    const auto one = run_once();
    row.seconds.push_back(one.seconds);
    warm(one);
  }
}

}  // namespace duomap::apps
