#include "gpu/device/availability.hpp"

#include "core/error.hpp"
#include "gpu/device/device.hpp"

#include <algorithm>
#include <cmath>

namespace duomap::gpu {
namespace {

std::vector<int> indices_of(const std::vector<device_info>& devices) {
  std::vector<int> indices;
  for (const device_info& device : devices) indices.push_back(device.index);
  return indices;
}

// Why a machine with GPUs could not run the task on them; empty when it could.
std::string missing_code(bool has_code) {
  return has_code ? ""
                  : "this task has no GPU code in this program (gpu/make_backend.hpp says how to add it)";
}

std::string milliseconds(double seconds) {
  return std::to_string(std::llround(std::max(seconds * 1e3, 1.0))) + " ms";
}

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

}  // namespace

device_plan plan_devices(device_choice choice, bool has_code, const run_size& size, unsigned workers) {
  if (choice == device_choice::cpu) return {};

  if (choice == device_choice::automatic) {
    const auto without = [](const std::string& why) {
      return device_plan{true, {}, "no GPU used: " + why};
    };
    // In a build without CUDA, discover() has its answer without asking anybody.
    if (toolkit_version() == 0) return without(discover().reason);
    if (!has_code) return without(missing_code(has_code));
    const std::string all_the_same = "; --device gpu or cpu+gpu uses it all the same";
    const bool asked = was_discovered();
    if (size.direct_bytes == 0) return without("no input in memory or in memory-mapped files" + all_the_same);
    if (size.cpu_seconds > 0) {
      const double worth_it = asked ? auto_seconds_when_asked : auto_seconds;
      if (size.cpu_seconds < worth_it)
        return without("the CPU needs about " + milliseconds(size.cpu_seconds) + ", and from " +
                       milliseconds(worth_it) + " on a GPU is worth " + (asked ? "using" : "starting") +
                       all_the_same);
    } else {
      const std::uint64_t worth_it = asked ? auto_bytes_when_asked : auto_bytes_per_worker * workers;
      if (size.direct_bytes < worth_it)
        return without(mebibytes(size.direct_bytes) + " of input in memory-mapped files are less than the " +
                       mebibytes(worth_it) + " that are worth starting a GPU for beside " +
                       std::to_string(workers) + " CPU threads" + all_the_same);
    }
    if (discover().devices.empty()) return without(discover().reason);
    return {true, indices_of(discover().devices), {}};
  }

  const discovery& found = discover();
  const std::string problem = found.devices.empty() ? found.reason : missing_code(has_code);
  if (!problem.empty()) {
    throw device_unavailable("no GPU can be used: " + problem +
                             "; use --device cpu or auto to run on the CPU");
  }
  return {choice == device_choice::cpu_gpu, indices_of(found.devices), found.reason};
}

std::uint64_t direct_bytes_of(const input& from) {
  std::uint64_t bytes = 0;
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].addressable() && from[i].bytes().data != nullptr) bytes += from[i].units();
  }
  return bytes;
}

}  // namespace duomap::gpu
