// What is decided before an iterative job begins.
// host only
#pragma once

#include "core/device_provider.hpp"
#include "core/job_options.hpp"
#include "scheduler/planner/run_outlook.hpp"
#include "scheduler/planner/task_traits.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// When devices are started for a job.
struct resident_start {
  double start_seconds = 0;          ///< what starting them is believed to take; 0: it does not matter
  double copy_bytes_per_second = 0;  ///< ordinary memory to a device
  bool at_once = false;              ///< not only when the first steps show that it is worth it
  /// So many pay for their starts, as far as it is known how long the steps take.
  std::size_t most_devices = every_device;
};

/// `choice` is not device_choice::cpu. `any_started`: a device is started in this process. `estimate`: of one
/// step over all `units` by `workers`. `steps`: how many are expected.
[[nodiscard]] resident_start plan_resident_start(device_choice choice, bool any_started, std::uint64_t units,
                                                 unsigned workers,
                                                 const std::optional<time_estimate>& estimate,
                                                 std::uint32_t steps);

/// The devices that keep a part of `bytes` of data, in the order of the offers: those that are started, and
/// others up to `most`, or until the data has room. `gpus`: job_options::gpus. Adds to `notes` why there is
/// none, or why some are left out. Lists devices, which alone takes tens of milliseconds.
/// @throws device_unavailable with the reason when `choice` demands a device that cannot be had
[[nodiscard]] std::vector<planned_device> plan_resident_devices(
    device_choice choice, std::span<const device_offer> offers, std::vector<std::string>& notes,
    std::span<const int> gpus = {}, std::size_t most = every_device, std::uint64_t bytes = 0);

/// For so many seconds devices were at work in a job, which counts for further starts, as in runs.
void note_worked(double seconds);

}  // namespace duomap::scheduler
