// Plans and does the runs of a calibration, and stores their profile.
#include "apps/commands/calibrate/calibrate.hpp"

#include "apps/commands/calibrate/machine_table.hpp"
#include "apps/commands/calibrate/task_table.hpp"
#include "apps/report/quantity.hpp"
#include "core/error.hpp"
#include "core/file_descriptor.hpp"
#include "core/output/byte_sink.hpp"
#include "cpu/cores.hpp"
#include "cpu/kind.hpp"
#include "cpu/memory_speed.hpp"
#include "cpu/numa_node.hpp"
#include "duomap.hpp"
#include "gpu/calibrate/measure_gpu.hpp"
#include "gpu/device/provider.hpp"
#include "scheduler/history/machine_history.hpp"
#include "scheduler/planner/run_history.hpp"
#include "scheduler/planner/run_outlook.hpp"

#include <fcntl.h>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <filesystem>
#include <memory>
#include <utility>
#include <vector>

namespace duomap::apps {
namespace {

// The most bytes that all measuring threads use together.
constexpr std::uint64_t most_measured_bytes = std::uint64_t{2} << 30;

// The sizes of the parts: the largest part, its half, and so on, with this number of halvings.
constexpr unsigned halvings = 6;
// The most runs of each part on each choice of devices. All choices take turns, until most_seconds are over.
constexpr std::size_t most_runs = 9;
constexpr double most_seconds = 1;
// The seconds, roughly, that a run of the largest part may take.
constexpr double largest_run_seconds = 2;

std::string why_not_stored(const scheduler::profile_options& where) {
  if (where.access == scheduler::profile_access::off)
    return "not stored: profiles are off (--profile, DUOMAP_PROFILE, or no HOME)";
  if (where.access == scheduler::profile_access::read_only) return "not stored: profiles are read-only";
  return "not stored: " + where.folder + " cannot be written";
}

/// A target for results that are thrown away.
class nowhere {
 public:
  nowhere() : file_(::open("/dev/null", O_WRONLY | O_CLOEXEC)), sink_(file_.get(), "/dev/null") {
    if (!file_) throw error(exit_status::failed, "cannot open /dev/null, where results of calibration go");
  }
  [[nodiscard]] byte_sink& sink() { return sink_; }

 private:
  file_descriptor file_;
  byte_sink sink_;
};

/// Runs the application once and throws its rows away. `table_bytes` gets run_context::table_bytes; it may be
/// null.
run_report run_once(const app& application, run_arguments options, run_control& control,
                    std::uint64_t* table_bytes = nullptr) {
  nowhere unwanted;
  run_context context{options, control, unwanted.sink()};
  run_report report = application.run(context);
  stop_if_cancelled(&control);
  if (table_bytes != nullptr) *table_bytes = context.table_bytes;
  return report;
}

double seconds_since(std::chrono::steady_clock::time_point begin) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// The runs of one choice of devices: where their reports go, and their options.
struct planned_series {
  calibration_series* into;
  run_arguments how;
};

void run_part(const app& application, std::vector<planned_series>& all, std::uint64_t bytes,
              run_control& control) {
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < most_runs && (i == 0 || seconds_since(begin) < most_seconds); ++i) {
    for (planned_series& one : all) {
      one.how.first_bytes = bytes;
      one.into->runs.push_back(run_once(application, one.how, control));
    }
  }
}

/// The bytes of the largest part: the whole input, or the part that the device of `options` does in
/// largest_run_seconds. Its first run also fills the page cache and starts the program's threads. If the
/// input is a table, `whole` becomes the bytes of the table's numbers, because the file has another size.
std::uint64_t largest_part(const app& application, run_arguments options, run_control& control,
                           std::uint64_t& whole) {
  options.first_bytes = whole >> halvings;
  std::uint64_t table_bytes = 0;
  static_cast<void>(run_once(application, options, control, &table_bytes));
  if (table_bytes > 0) whole = table_bytes;
  options.first_bytes = whole >> halvings;
  const double seconds = seconds_of(run_once(application, options, control));
  const double fits = static_cast<double>(whole >> halvings) * largest_run_seconds / std::max(seconds, 1e-6);
  return fits < static_cast<double>(whole) ? static_cast<std::uint64_t>(fits) : whole;
}

}  // namespace

std::string calibrate_machine(const run_arguments& options, const run_control& control) {
  const scheduler::profile_options where = profile_options_for(options);
  scheduler::machine_history memory(where, std::time(nullptr));
  machine_summary summary;

  cpu::memory_speed_options host{.threads = cpu::usable_cores(options.threads.value_or(0)).cores};
  host.bytes_per_thread = std::min(host.bytes_per_thread, most_measured_bytes / host.threads);
  memory.calibrate({"host",
                    {{"processor", cpu::kind::provider().processor()},
                     {"cores", std::to_string(cpu::usable_cores().cores)}}},
                   cpu::measure_memory(host));

  const device_list& found = gpu::provider().list();
  for (const listed_device& device : found.devices) {
    stop_if_cancelled(&control);
    gpu::gpu_measuring how{.while_cores_read = [&](const auto& body) { return cpu::read_during(host, body); },
                           .reading_cores = host.threads};
    for (const cpu::numa_node& node : cpu::numa_nodes()) how.nodes.push_back({node.id, node.cpus});
    memory.calibrate(scheduler::machine_part_of(device, cpu::kind::provider()),
                     gpu::measure_gpu(device.index, how));
  }
  stop_if_cancelled(&control);
  if (found.devices.empty()) summary.notes.push_back("no GPU: " + found.reason);
  if (memory.save()) {
    summary.stored_in = memory.path().string();
  } else {
    summary.notes.push_back(why_not_stored(where));
  }
  summary.profile = memory.profile();
  return options.json_summary ? machine_json(summary) : machine_text(summary);
}

std::string calibrate_application(const app& application, const run_arguments& options,
                                  run_control& control) {
  const scheduler::profile_options where = profile_options_for(options);
  task_calibration found;
  found.task = application.name;
  found.input_units = scheduler::direct_bytes_of(input_of(options));
  if (found.input_units < least_calibration_bytes)
    throw usage_error(
        "calibration takes at least 32 MiB of files that can be mapped into memory (1 MiB or more each, not "
        "compressed), to tell fixed costs from speed; there are " +
        std::to_string(found.input_units) + " bytes");

  // The profile is for runs on all devices, so runs on some devices must not change it.
  run_arguments alone = options;
  alone.profile = "off";
  alone.device = device_choice::cpu;
  const std::uint64_t largest = largest_part(application, alone, control, found.input_units);
  found.ran_all = largest == found.input_units;
  alone.first_bytes = largest >> halvings;

  run_arguments together = options;
  together.device = device_choice::cpu;
  try {
    // This run starts the GPUs, so that the measured runs need not.
    alone.device = device_choice::gpu;
    const run_report first = run_once(application, alone, control);
    for (const executor_report& one : first.executors)
      found.notes.push_back(one.name + ": ready for work after " + time_text(one.start_seconds));
    together.device = device_choice::cpu_gpu;
  } catch (const device_unavailable& none) {
    found.notes.push_back(none.what());
  }

  std::vector<planned_series> all;
  found.alone.resize(1);
  if (together.device == device_choice::cpu_gpu) {
    found.alone.resize(2);
    found.both = calibration_series{"together", {}};
    alone.device = device_choice::cpu;
    all.push_back({&found.alone[0], alone});
    alone.device = device_choice::gpu;
    all.push_back({&found.alone[1], alone});
    all.push_back({&*found.both, together});
  } else {
    all.push_back({&found.alone[0], together});
  }
  for (unsigned halved = halvings + 1; halved-- > 0;) run_part(application, all, largest >> halved, control);
  for (calibration_series& one : found.alone) {
    for (const executor_report& executor : one.runs.front().executors)
      one.name += (one.name.empty() ? "" : " + ") + executor.name;
  }
  if (where.access == scheduler::profile_access::read_write) {
    found.stored_in = where.folder;
  } else {
    found.notes.push_back(why_not_stored(where));
  }
  return options.json_summary ? calibration_json(found) : calibration_text(found);
}

}  // namespace duomap::apps
