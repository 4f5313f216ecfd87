// Finds the GPUs once for the process, with the reason why there are none.
#include "gpu/device/device.hpp"

#include "gpu/device/driver_query.hpp"
#include "gpu/device/driver_status.hpp"
#include "gpu/device/executor_name.hpp"
#include "gpu/device/gpu_state.hpp"

#include <atomic>
#include <exception>
#include <utility>

namespace duomap::gpu {
namespace {

std::atomic<bool> looked{false};

discovery look() noexcept {
  note_use_of_cuda();
  discovery found;
  try {
    const driver_facts facts = query_driver();
    found.driver_version = facts.driver_version;
    const driver_verdict verdict = classify(facts);
    found.reason = verdict.reason;
    if (verdict.status != driver_status::ready) return found;
    for (int index = 0; index < facts.device_count; ++index) {
      device_answer answer = query_device(index);
      if (answer.problem.empty()) {
        found.devices.push_back(std::move(answer.device));
      } else {
        found.reason += (found.reason.empty() ? "" : "; ") + answer.problem;
      }
    }
  } catch (const std::exception&) {
    // The exception means that no memory is left, not even for the text of a reason.
    found.devices.clear();
  }
  return found;
}

}  // namespace

const discovery& discover() noexcept {
  static const discovery found = look();
  looked.store(true, std::memory_order_release);
  return found;
}

bool is_discovered() noexcept { return looked.load(std::memory_order_acquire); }

std::vector<device_info> discovered(const std::vector<int>& indices) {
  std::vector<device_info> found;
  for (const int index : indices) {
    for (const device_info& one : discover().devices) {
      if (one.index == index) found.push_back(one);
    }
  }
  return found;
}

std::string executor_name(int index) {
  const std::string number = "gpu " + std::to_string(index);
  if (!is_discovered()) return number;
  for (const device_info& device : discover().devices) {
    if (device.index == index) return number + " (" + device.name + ")";
  }
  return number;
}

}  // namespace duomap::gpu
