// duomap: run one MapReduce task on all CPU cores and GPUs of a machine. Include this; link duomap::duomap.
// host only
#pragma once

#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/job_options.hpp"
#include "core/record/fields.hpp"
#include "core/record/index_range.hpp"
#include "core/record/lines.hpp"
#include "core/record/rows.hpp"
#include "core/record/words.hpp"
#include "core/report.hpp"
#include "core/result.hpp"
#include "core/run_control.hpp"
#include "core/sum_fields.hpp"
#include "core/task.hpp"
#include "core/text/compare.hpp"
#include "core/text/copy.hpp"
#include "core/text/find.hpp"
#include "core/text/letter_case.hpp"
#include "core/text/number.hpp"
#include "core/verify/verify.hpp"
#include "cpu/cores.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/machine_pool.hpp"
#include "cpu/near_cores.hpp"
#include "cpu/numa_node.hpp"
#include "cpu/processor.hpp"
#include "cpu/topology.hpp"
#include "gpu/choice/engine_choice.hpp"
#include "gpu/device/availability.hpp"
#include "gpu/device/device.hpp"
#include "gpu/device/pci_link.hpp"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/make_backend.hpp"
#include "scheduler/profile/machine_memory.hpp"
#include "scheduler/profile/program_build.hpp"
#include "scheduler/profile/task_memory.hpp"
#include "scheduler/run.hpp"

#include <concepts>
#include <ctime>
#include <memory>
#include <optional>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace duomap {

/// What tells the profile of one task on one machine from others, whatever devices take part. A task whose
/// speed depends on its parameters says so with `std::string profile_parameters() const`.
template <map_reduce_task Task>
[[nodiscard]] scheduler::profile_key profile_key_of(const Task& task, const input& from) {
  // Reading it takes the system 0.1 ms.
  static const std::string processor = cpu::processor_name();
  scheduler::profile_key key;
  key.task = typeid(Task).name();
  if constexpr (requires {
                  { task.profile_parameters() } -> std::convertible_to<std::string>;
                })
    key.task += " " + task.profile_parameters();
  key.task += gpu::direct_bytes_of(from) > 0 ? " addressable" : " streamed";
  key.facts = {{"program", scheduler::program_build()}, {"processor", processor}};
  return key;
}

/// What a profile's figures of these GPUs depend on.
[[nodiscard]] inline std::vector<scheduler::task_memory::fact> facts_of(
    const std::vector<gpu::device_info>& gpus) {
  std::vector<scheduler::task_memory::fact> facts;
  for (const gpu::device_info& one : gpus)
    facts.emplace_back("gpu " + std::to_string(one.index), one.name + " " + one.pci_bus);
  if (!gpus.empty()) facts.emplace_back("driver", std::to_string(gpu::discover().driver_version));
  return facts;
}

/// Where a run finds profiles, and whether it may change them.
[[nodiscard]] inline scheduler::profile_options profile_options_of(const job_options& options) {
  using access = scheduler::profile_access;
  if (options.profiles.empty()) return {};
  return {options.learn ? access::read_write : access::read_only, options.profiles};
}

/// What tells whether a GPU is the one that the machine's profile was measured with.
[[nodiscard]] inline scheduler::machine_identity machine_identity_of(const gpu::device_info& device) {
  return {device.uuid,
          {{"device", device.name},
           {"pci", device.pci_bus},
           {"link", gpu::pci_link(device.pci_bus)},
           {"driver", std::to_string(gpu::discover().driver_version)},
           {"processor", cpu::processor_name()}}};
}

/// Of the machine without its GPUs.
[[nodiscard]] inline scheduler::machine_identity host_identity() {
  return {"host",
          {{"processor", cpu::processor_name()}, {"cores", std::to_string(cpu::usable_cores().cores)}}};
}

/// The cores that should feed each of the GPUs (cpu/near_cores.hpp), by index; none on machines with one NUMA
/// node.
[[nodiscard]] inline gpu::near_cores near_cores_of(const std::vector<gpu::device_info>& gpus,
                                                   const scheduler::machine_profile& known) {
  gpu::near_cores cores;
  const std::vector<cpu::numa_node> nodes = cpu::numa_nodes();
  if (nodes.size() < 2) return cores;
  for (const gpu::device_info& one : gpus) {
    const scheduler::machine_part* const part = find(known, one.uuid);
    cores[one.index] = cpu::near_cores(nodes, part == nullptr ? std::vector<machine_figure>{} : part->figures,
                                       [&] { return cpu::node_of_pci_device(one.pci_bus); });
  }
  return cores;
}

/// Runs a task over an input and returns its result (core/result.hpp). `pool` (cpu::machine_pool) is the
/// CPU's workers; it can also sort the result afterwards.
///
/// The answer does not depend on devices, threads or where the input is cut: integers are the same
/// everywhere, floating-point sums may differ in rounding.
/// @throws usage_error, device_unavailable, input_error, out_of_memory, interrupted (core/error.hpp), and
/// what map throws
template <map_reduce_task Task>
[[nodiscard]] auto run(const Task& task, const input& from, parallel& pool, const job_options& options = {}) {
  run_report report;
  constexpr bool has_gpu_code = gpu::has_code<Task>;
  if (options.engine) gpu::require_engine(*options.engine, gpu::kind_of<Task>());
  const scheduler::profile_options store = profile_options_of(options);
  gpu::run_size size{.direct_bytes = gpu::direct_bytes_of(from)};
  std::optional<scheduler::task_memory> memory;
  if (store.access != scheduler::profile_access::off) {
    memory.emplace(scheduler::profile_store(store), profile_key_of(task, from), std::time(nullptr));
    const std::vector<std::string> cpu{scheduler::profile_name("cpu", pool.workers())};
    if (const scheduler::executor_model model = memory->models(cpu).front(); model.trusted)
      size.cpu_seconds =
          (model.alone_seconds_per_grain > 0 ? model.alone_seconds_per_grain : model.seconds_per_grain) *
          static_cast<double>(size.direct_bytes);
  }
  const auto devices = gpu::plan_devices(options.device, has_gpu_code, size, pool.workers());
  if (!devices.note.empty()) report.notes.push_back(devices.note);
  const std::vector<gpu::device_info> gpus = gpu::discovered(devices.gpus);
  std::optional<scheduler::machine_memory> machine;
  if (!gpus.empty()) machine.emplace(store, std::time(nullptr));

  std::vector<std::shared_ptr<backend<Task>>> backends;
  if (devices.cpu) backends.push_back(std::make_shared<cpu::cpu_backend<Task>>(task, pool));
  scheduler::run_devices those{.first = backends.size(), .bytes = size.direct_bytes > 0};
  if constexpr (has_gpu_code) {
    if (!gpus.empty()) {
      const gpu::near_cores near = near_cores_of(gpus, machine->profile());
      for (auto& one :
           gpu::make_backends(task, devices.gpus, {.engine = options.engine, .cores_near = &near}))
        backends.push_back(std::move(one));
    }
  }
  scheduler::execute_options how{.split = options.split,
                                 .idle = gpu::idle_workers(pool.workers(), gpu::usable_cores(),
                                                           static_cast<unsigned>(devices.gpus.size())),
                                 .strict = options.strict,
                                 .timeline = options.timeline};
  how.models.resize(backends.size());
  if (memory) {
    memory->add_facts(facts_of(gpus));
    std::vector<std::string> names;
    for (const auto& one : backends) names.push_back(scheduler::profile_name(one->name(), one->workers()));
    how.models = memory->models(names);
  }
  for (const gpu::device_info& one : gpus) {
    those.cold.push_back(backends[those.first + those.are.size()]->start_seconds() > 0);
    those.are.push_back(machine_identity_of(one));
  }
  if (machine) machine->complete(how.models, those);
  auto result = scheduler::run(task, from, backends, pool, options.control, report, std::move(how));
  if (memory && options.learn) memory->learn(report.executors, report.map_seconds);
  if (machine && options.learn) machine->learn(report.executors, those);
  if (options.report != nullptr) *options.report = std::move(report);
  return result;
}

/// The same on as many workers as this machine, the options and the size of the input call for.
template <map_reduce_task Task>
[[nodiscard]] auto run(const Task& task, const input& from, const job_options& options = {}) {
  return run(task, from, *cpu::machine_pool(options.threads, from), options);
}

}  // namespace duomap
