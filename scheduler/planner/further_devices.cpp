// Keeps started devices first, then others as long as they pay or the data needs room.
#include "scheduler/planner/further_devices.hpp"

#include "core/seconds_text.hpp"

#include <algorithm>

namespace duomap::scheduler {

void leave_out_further(std::vector<planned_device>& devices, std::size_t most, std::uint64_t bytes,
                       const start_outlook& known, std::vector<std::string>& notes,
                       const planner_thresholds& by) {
  unsigned kept = 0;
  double room = 0;
  const auto keep = [&](const planned_device& one) {
    ++kept;
    // A quarter of the memory is kept for the job's other needs and for other processes.
    room += 0.75 * static_cast<double>(one.device.is->memory_bytes);
  };
  const auto is_started = [](const planned_device& one) {
    return one.from->is_started(one.device.is->index);
  };
  for (const planned_device& one : devices) {
    if (is_started(one)) keep(one);
  }
  std::string left_out;
  std::erase_if(devices, [&](const planned_device& one) {
    if (is_started(one)) return false;
    if (kept < most || room < static_cast<double>(bytes)) {
      keep(one);
      return false;
    }
    left_out += (left_out.empty() ? "" : ", ") + one.device.is->label;
    return true;
  });
  if (left_out.empty()) return;
  notes.push_back(left_out + " not started: one more pays when GPUs have worked for " +
                  seconds_text(worked_before_another(kept, start_cost(known.start, by))) +
                  " in this process (so far " + seconds_text(known.worked) + ")");
}

}  // namespace duomap::scheduler
