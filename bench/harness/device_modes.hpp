// Times a run in each device mode in turn: on the CPU, on GPUs, on both, and with `auto`.
// host only
#pragma once

#include "bench/harness/comparison.hpp"
#include "core/run_options.hpp"
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

/// The number of runs of one task and size after which `auto` has settled. The first run has devices, and its
/// time is not used. Two runs on each executor set follow (scheduler/history/executor_set_history.hpp).
/// Benchmarks time only later runs.
inline constexpr unsigned runs_to_learn = 1 + 2 * scheduler::executor_sets;

/// The GPU that benchmarks measure. @throws device_unavailable when there is none
[[nodiscard]] const gpu::device_info& first_gpu();

/// Makes a row for a program that may use all cores and whose answer was compared.
[[nodiscard]] bench_row row_on(device_choice device, const std::string& workload, const std::string& program,
                               const bench_work& work, std::vector<double> seconds = {});

/// Makes a variant that may use all cores. Every run counts, except a first run that is cold.
[[nodiscard]] variant variant_on(device_choice device, const std::string& name,
                                 const std::function<std::optional<timed_run>()>& run,
                                 bool first_is_cold = false);

/// The row of the CPU or of the GPU, whichever took less time. Requires rows in the order of device_modes.
[[nodiscard]] const bench_row& better_single_device(std::span<const bench_row> rows);

/// For each of device_modes, in their order, adds a row like `like` to a table: the seconds of `rounds` runs,
/// the figures of the last run, and the speed-up over the better device alone. Runs before the rounds do not
/// count, because `auto` learns in them. Before each short run the mode does an uncounted run, because
/// another mode has left threads and caches in a different state. Returns these rows.
std::span<bench_row> compare_device_modes(const bench_row& like, unsigned rounds, const run_control& control,
                                          const std::function<timed_run(device_choice mode)>& run,
                                          bench_table& table);

}  // namespace duomap::apps
