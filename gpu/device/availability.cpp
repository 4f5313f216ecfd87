#include "gpu/device/availability.hpp"

#include "core/error.hpp"
#include "core/milliseconds_text.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/in_process.hpp"
#include "gpu/feed/page_lock.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

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

std::string mebibytes(std::uint64_t bytes) { return std::to_string(bytes >> 20) + " MiB"; }

constexpr std::string_view no_gpu = "no GPU used: ";

// Why a GPU would be of no help to a run, as far as that can be told without asking CUDA, as a sentence for
// the report; empty when it may.
std::string no_use(const run_outlook& outlook) {
  // Put together in one piece of memory: runs that this is said of may take 30 us.
  std::string why;
  const auto says = [&](const auto&... parts) {
    why.reserve(192);
    why += no_gpu;
    (why.append(parts), ...);
    why += "; --device gpu or cpu+gpu uses it all the same";
    return why;
  };
  const char* const worth =
      outlook.started ? " that are worth using a GPU for" : " that are worth starting a GPU for";
  if (outlook.addressable_units == 0) return says("streams and compressed files are read by the CPU");
  if (outlook.cpu_seconds) {
    static const std::string cold_text = milliseconds_text(auto_cold_seconds);
    static const std::string warm_text = milliseconds_text(auto_warm_seconds);
    if (*outlook.cpu_seconds >= (outlook.started ? auto_warm_seconds : auto_cold_seconds)) return why;
    return says("the CPU alone is expected to take ", milliseconds_text(*outlook.cpu_seconds),
                ", less than the ", outlook.started ? warm_text : cold_text, worth);
  }
  const std::uint64_t least =
      outlook.started ? auto_bytes_when_started : auto_bytes_per_worker * outlook.workers;
  if (outlook.direct_bytes >= least) return why;
  return says(mebibytes(outlook.direct_bytes), " of input in memory-mapped files are less than the ",
              mebibytes(least), worth, " beside ", std::to_string(outlook.workers),
              " CPU threads, and how long a byte takes is not known yet");
}

}  // namespace

run_outlook outlook_for(const input& from, unsigned workers) {
  run_outlook outlook{.direct_bytes = direct_bytes_of(from),
                      .workers = workers,
                      .started = any_context(),
                      .page_locked = is_page_locked(from)};
  for (std::size_t i = 0; i < from.size(); ++i) {
    if (from[i].addressable()) outlook.addressable_units += from[i].units();
  }
  return outlook;
}

device_plan plan_devices(device_choice choice, bool has_code, const run_outlook& outlook) {
  if (choice == device_choice::cpu) return {};

  if (choice == device_choice::automatic) {
    const auto without = [](const std::string& why) {
      return device_plan{true, {}, std::string(no_gpu) + why};
    };
    // In a build without CUDA, discover() has its answer without asking anybody.
    if (toolkit_version() == 0) return without(discover().reason);
    if (!has_code) return without(missing_code(has_code));
    if (std::string why = no_use(outlook); !why.empty()) return {true, {}, std::move(why)};
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
