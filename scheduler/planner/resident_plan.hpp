// Plans an iterative job before it begins.
#pragma once

#include "core/device_provider.hpp"
#include "core/run_options.hpp"
#include "scheduler/planner/run_outlook.hpp"
#include "scheduler/planner/task_traits.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace duomap::scheduler {

/// How and when a job starts devices.
struct resident_start {
  double start_seconds = 0;          ///< the believed time of a start; 0: it does not matter
  double copy_bytes_per_second = 0;  ///< from ordinary memory to a device
  bool at_once = false;              ///< whether to start at once, before steps show that it pays
  /// The number of devices that pay for their starts, if the time of the steps is known.
  std::size_t most_devices = every_device;
};

/// Plans the start of devices for a job. `choice` is not device_choice::cpu. `any_started`: whether this
/// process has started a device. `estimate`: the time of one step over all `units` with `workers` workers.
/// `steps`: the expected number of steps.
[[nodiscard]] resident_start plan_resident_start(device_choice choice, bool any_started, std::uint64_t units,
                                                 unsigned workers,
                                                 const std::optional<time_estimate>& estimate,
                                                 std::uint32_t steps);

/// The devices that share `bytes` of resident data, in the order of the offers. Started devices come first.
/// Others are added up to `most`, or until the data has room. `gpus`: run_options::gpus. Adds to `notes` why
/// devices are left out, or why there are none. Lists devices, which takes tens of milliseconds.
/// @throws device_unavailable with the reason when `choice` demands a device that cannot be had
[[nodiscard]] std::vector<planned_device> plan_resident_devices(
    device_choice choice, std::span<const device_offer> offers, std::vector<std::string>& notes,
    std::span<const int> gpus = {}, std::size_t most = every_device, std::uint64_t bytes = 0);

/// Tells that devices worked in a job for `seconds`. As in runs, this time counts for starting more devices.
void note_worked(double seconds);

}  // namespace duomap::scheduler
