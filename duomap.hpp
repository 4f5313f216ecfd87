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
#include "cpu/cpu_backend.hpp"
#include "cpu/machine_pool.hpp"
#include "cpu/processor.hpp"
#include "gpu/choice/engine_choice.hpp"
#include "gpu/device/availability.hpp"
#include "gpu/device/device.hpp"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/make_backend.hpp"
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

/// What tells the profile of one task on one machine from others. A task whose speed depends on its
/// parameters says so with `std::string profile_parameters() const`.
template <map_reduce_task Task>
[[nodiscard]] scheduler::profile_key profile_key_of(const Task& task, const input& from,
                                                    const gpu::device_plan& devices, const parallel& pool) {
  scheduler::profile_key key;
  key.task = typeid(Task).name();
  if constexpr (requires {
                  { task.profile_parameters() } -> std::convertible_to<std::string>;
                })
    key.task += " " + task.profile_parameters();
  key.task += gpu::direct_bytes_of(from) > 0 ? " addressable" : " streamed";
  key.facts = {{"program", scheduler::program_build()},
               {"processor", cpu::processor_name()},
               {"workers", std::to_string(pool.workers())}};
  for (const int index : devices.gpus) {
    for (const gpu::device_info& one : gpu::discover().devices) {
      if (one.index == index)
        key.facts.emplace_back("gpu " + std::to_string(index), one.name + " " + one.pci_bus);
    }
  }
  if (!devices.gpus.empty()) key.facts.emplace_back("driver", std::to_string(gpu::discover().driver_version));
  return key;
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
  const auto devices =
      gpu::plan_devices(options.device, has_gpu_code, gpu::direct_bytes_of(from), pool.workers());
  if (!devices.note.empty()) report.notes.push_back(devices.note);
  std::vector<std::shared_ptr<backend<Task>>> backends;
  const unsigned fed = has_gpu_code ? static_cast<unsigned>(devices.gpus.size()) : 0;
  const unsigned cores = gpu::usable_cores();
  const unsigned idle =
      gpu::idle_workers(pool.workers(), cores, fed, gpu::expected_staging_threads(cores, fed));
  if (devices.cpu) backends.push_back(std::make_shared<cpu::cpu_backend<Task>>(task, pool, idle));
  if constexpr (has_gpu_code) {
    for (auto& one : gpu::make_backends(task, devices.gpus, {.engine = options.engine}))
      backends.push_back(std::move(one));
  }
  scheduler::execute_options how{
      .split = options.split, .strict = options.strict, .timeline = options.timeline};
  std::optional<scheduler::task_memory> memory;
  if (!options.profiles.empty()) {
    using access = scheduler::profile_access;
    memory.emplace(
        scheduler::profile_store({options.learn ? access::read_write : access::read_only, options.profiles}),
        profile_key_of(task, from, devices, pool), std::time(nullptr));
    std::vector<std::string> names;
    for (const auto& one : backends) names.push_back(one->name());
    how.models = memory->models(names);
  }
  auto result = scheduler::run(task, from, backends, pool, options.control, report, std::move(how));
  if (memory && options.learn) memory->learn(report.executors);
  if (options.report != nullptr) *options.report = std::move(report);
  return result;
}

/// The same on as many workers as this machine, the options and the size of the input call for.
template <map_reduce_task Task>
[[nodiscard]] auto run(const Task& task, const input& from, const job_options& options = {}) {
  return run(task, from, *cpu::machine_pool(options.threads, from), options);
}

}  // namespace duomap
