// The ways to do a run: on the CPU, on GPUs, on both, and what `auto` makes of it, timed in turn.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"
#include "apps/bench/harness/percentile.hpp"
#include "core/job_options.hpp"
#include "core/run_control.hpp"
#include "scheduler/history/crew_history.hpp"

#include <array>
#include <cstddef>
#include <span>

namespace duomap::apps {

inline constexpr std::array all_ways = {device_choice::cpu, device_choice::gpu, device_choice::cpu_gpu,
                                        device_choice::automatic};

/// Runs of a task and a size in which `auto` tries each crew twice (scheduler/history/crew_history.hpp). What
/// is compared is what it has settled on.
inline constexpr unsigned runs_to_learn = 2 * scheduler::crews;

/// Of rows as time_ways() fills them in, that of the CPU or of the GPU, whichever took less.
[[nodiscard]] inline const bench_row& better_alone(std::span<const bench_row> rows) {
  return median(rows[0].seconds) < median(rows[1].seconds) ? rows[0] : rows[1];
}

/// Gives `rows`, one for each of all_ways in their order, the seconds of `rounds` runs, taken in turn so that
/// what disturbs the machine for a while disturbs all, and speed-ups over the better device alone: below 1
/// the way is slower. run_once(row, way) returns a run's seconds, and may set the row's figures.
///
/// Runs that do not count come before: at first runs_to_learn and two more of `auto`, two of both together,
/// and one of each alone; and one before each short run, so that none finds threads and caches as another way
/// has left them.
template <class RunOnce>
void time_ways(std::span<bench_row> rows, unsigned rounds, const run_control& control,
               const RunOnce& run_once) {
  constexpr double short_run_seconds = 0.1;
  std::array<double, all_ways.size()> typical{};  // the last run that does not count
  for (std::size_t i = 0; i < all_ways.size(); ++i) {
    const unsigned before = all_ways[i] == device_choice::automatic ? runs_to_learn + 2
                            : all_ways[i] == device_choice::cpu_gpu ? 2
                                                                    : 1;
    for (unsigned run = 0; run < before; ++run) {
      stop_if_cancelled(control);
      typical[i] = run_once(rows[i], all_ways[i]);
    }
  }
  for (unsigned round = 0; round < rounds; ++round) {
    for (std::size_t i = 0; i < all_ways.size(); ++i) {
      stop_if_cancelled(control);
      if (typical[i] < short_run_seconds) static_cast<void>(run_once(rows[i], all_ways[i]));
      rows[i].seconds.push_back(run_once(rows[i], all_ways[i]));
    }
  }
  const bench_row best = better_alone(rows);
  for (bench_row& one : rows) one.speed_up = speed_up_over(best, one);
}

}  // namespace duomap::apps
