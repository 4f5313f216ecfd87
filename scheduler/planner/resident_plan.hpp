// What is decided before an iterative job begins.
// host only
#pragma once

#include "core/device_provider.hpp"
#include "core/job_options.hpp"
#include "scheduler/planner/run_outlook.hpp"
#include "scheduler/planner/task_traits.hpp"

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
};

/// `choice` is not device_choice::cpu. `any_started`: a device is started in this process. `estimate`: of one
/// step over all `units` by `workers`. `steps`: how many are expected.
[[nodiscard]] resident_start plan_resident_start(device_choice choice, bool any_started, std::uint64_t units,
                                                 unsigned workers,
                                                 const std::optional<time_estimate>& estimate,
                                                 std::uint32_t steps);

/// The devices that keep a part of the data, in the order of the offers; `gpus`: job_options::gpus. Adds to
/// `notes` why there is none. Lists devices, which alone takes tens of milliseconds.
/// @throws device_unavailable with the reason when `choice` demands a device that cannot be had
[[nodiscard]] std::vector<planned_device> plan_resident_devices(device_choice choice,
                                                                std::span<const device_offer> offers,
                                                                std::vector<std::string>& notes,
                                                                std::span<const int> gpus = {});

}  // namespace duomap::scheduler
