// Describes this machine and this build.
#include "bench/harness/bench_run.hpp"

#include "apps/report/build_text.hpp"
#include "apps/report/quantity.hpp"
#include "core/version.hpp"
#include "cpu/cores.hpp"
#include "cpu/features.hpp"
#include "cpu/host_memory.hpp"
#include "cpu/processor.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/driver_status.hpp"
#include "scheduler/history/program_build.hpp"

#include <array>
#include <cstdlib>
#include <ctime>
#include <utility>

namespace duomap::apps {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text.data();
}

bench_machine this_machine() {
  bench_machine machine{.cpu = cpu::processor_name(),
                        .cores = cpu::usable_cores().cores,
                        .vector_path = std::string(cpu::name(cpu::active_vector_path())),
                        .memory_bytes = cpu::read_host_memory().total,
                        .gpus = {},
                        .driver = {},
                        .system = kernel_text()};
  const gpu::discovery& found = gpu::discover();
  for (const gpu::device_info& device : found.devices)
    machine.gpus.push_back(device.name + ", " + bytes_text(device.memory_bytes));
  if (found.driver_version != 0) machine.driver = gpu::version_text(found.driver_version);
  return machine;
}

bench_build this_build() {
  const char* const commit = std::getenv("DUOMAP_COMMIT");
  return {std::string(version), commit != nullptr ? commit : "", scheduler::program_build(), build_text()};
}

}  // namespace

bench_run new_run(std::string command, bool quick) {
  return {utc_now(), std::move(command), quick, this_machine(), this_build(), {}, {}};
}

}  // namespace duomap::apps
