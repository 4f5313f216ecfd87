// The device modes of a run: on the CPU, on GPUs, on both, and what `auto` makes of it, timed in turn.
// host only
#pragma once

#include "apps/bench/harness/comparison.hpp"
#include "core/job_options.hpp"
#include "gpu/device/device.hpp"
#include "scheduler/history/executor_set_history.hpp"

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {

inline constexpr std::array device_modes = {device_choice::cpu, device_choice::gpu, device_choice::cpu_gpu,
                                            device_choice::automatic};

/// Runs of a task and a size in which `auto` tries each executor set twice, after a first one with devices
/// that says nothing (scheduler/history/executor_set_history.hpp). What is compared is what it has settled
/// on.
inline constexpr unsigned runs_to_learn = 1 + 2 * scheduler::executor_sets;

/// The GPU that benchmarks measure. @throws device_unavailable when there is none
[[nodiscard]] const gpu::device_info& first_gpu();

/// A row of a program that may use all cores, its answer compared.
[[nodiscard]] bench_row row_on(device_choice device, const std::string& workload, const std::string& program,
                               const bench_work& work, std::vector<double> seconds = {});

/// A variant that may use all cores; none of its runs is left out but a first one that is cold.
[[nodiscard]] variant variant_on(device_choice device, const std::string& name,
                                 const std::function<std::optional<timed_run>()>& run,
                                 bool first_is_cold = false);

/// Of rows in the order of device_modes, that of the CPU or of the GPU, whichever took less.
[[nodiscard]] const bench_row& better_alone(std::span<const bench_row> rows);

/// Adds a row like `like` to a table for each of device_modes in their order, with the seconds of `rounds`
/// runs, the figures of the last one, and the speed-up over the better device alone: below 1 the mode is
/// slower. Runs before the rounds do not count: `auto` learns, and short runs would find threads and caches
/// as another mode has left them. Returns these rows.
std::span<bench_row> compare_device_modes(const bench_row& like, unsigned rounds, const run_control& control,
                                          const std::function<timed_run(device_choice mode)>& run,
                                          bench_table& table);

}  // namespace duomap::apps
