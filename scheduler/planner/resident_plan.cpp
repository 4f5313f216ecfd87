// Compares the cost of starting devices for a job with the savings in its steps.
#include "scheduler/planner/resident_plan.hpp"

#include "core/feeder_threshold.hpp"
#include "scheduler/history/start_account.hpp"
#include "scheduler/planner/device_plan.hpp"
#include "scheduler/planner/further_devices.hpp"
#include "scheduler/thresholds/planner_thresholds.hpp"

#include <limits>
#include <utility>

namespace duomap::scheduler {
namespace {

// A job is taken to do this multiple of the steps that its caller expects: k-means expects 10, and 100 are
// common. One start too many costs a job some tenths of a second, one too few up to half of its time.
constexpr double likely_steps = 10;

}  // namespace

resident_start plan_resident_start(device_choice choice, bool any_started, std::uint64_t units,
                                   unsigned workers, const std::optional<time_estimate>& estimate,
                                   std::uint32_t steps) {
  const planner_thresholds& by = measured_thresholds;
  resident_start start{.copy_bytes_per_second = units >= feeder_threshold
                                                    ? by.machine.fed_resident_bytes_per_second
                                                    : by.machine.resident_bytes_per_second};
  const double copying = static_cast<double>(units) / start.copy_bytes_per_second;
  if (estimate && steps > 0) {
    const double coming = copying + likely_steps * steps * estimate->device_seconds;
    start.most_devices =
        devices_that_pay(start_account::of_this_process().worked() + coming, start_cost(0, by));
  }
  if (choice != device_choice::automatic) {
    start.at_once = true;
    return start;
  }
  start.start_seconds = any_started ? by.machine.warm_resident_seconds : by.machine.cold_start_seconds;
  start.at_once = units / workers >= by.cold_bytes_per_worker();
  if (estimate) {
    // The expected steps alone must pay for devices that start while the job is being prepared.
    const double saved = estimate->pool_seconds - estimate->device_seconds;
    const double starting = any_started ? start.start_seconds : start_cost(0, by);
    start.at_once = start.at_once || steps * saved > starting + copying;
  }
  return start;
}

std::vector<planned_device> plan_resident_devices(device_choice choice, std::span<const device_offer> offers,
                                                  std::vector<std::string>& notes, std::span<const int> gpus,
                                                  std::size_t most, std::uint64_t bytes) {
  // Devices are planned for any amount of data, because many steps over little data may be worth a start.
  device_plan plan = plan_devices(
      choice, offers,
      {.direct_bytes = std::numeric_limits<std::uint64_t>::max(), .addressable_units = 1, .gpus = gpus});
  if (!plan.note.empty()) notes.push_back(std::move(plan.note));
  leave_out_further(plan.devices, most, bytes, {.worked = start_account::of_this_process().worked()}, notes);
  return std::move(plan.devices);
}

void note_worked(double seconds) {
  if (seconds > 0) start_account::of_this_process().worked(seconds);
}

}  // namespace duomap::scheduler
