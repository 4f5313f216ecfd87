// duomap: run one MapReduce task on all CPU cores and GPUs of a machine. Include this; link duomap::duomap.
// host only
#pragma once

#include "chained_run.hpp"
#include "core/collect_budget.hpp"
#include "core/deterministic.hpp"
#include "core/error.hpp"
#include "core/input/input.hpp"
#include "core/job_options.hpp"
#include "core/record/entries.hpp"
#include "core/record/fields.hpp"
#include "core/record/index_range.hpp"
#include "core/record/lines.hpp"
#include "core/record/markup.hpp"
#include "core/record/rows.hpp"
#include "core/record/strips.hpp"
#include "core/record/words.hpp"
#include "core/report.hpp"
#include "core/result.hpp"
#include "core/run_control.hpp"
#include "core/sum_fields.hpp"
#include "core/task.hpp"
#include "core/text/compare.hpp"
#include "core/text/copy.hpp"
#include "core/text/count.hpp"
#include "core/text/find.hpp"
#include "core/text/letter_case.hpp"
#include "core/text/number.hpp"
#include "core/verify/verify.hpp"
#include "cpu/cpu_backend.hpp"
#include "cpu/host_memory.hpp"
#include "cpu/machine_pool.hpp"
#include "gpu/choice/engine_choice.hpp"
#include "gpu/device/availability.hpp"
#include "gpu/device/device.hpp"
#include "gpu/feed/feed_policy.hpp"
#include "gpu/make_backend.hpp"
#include "iterative_job.hpp"
#include "run_memory.hpp"
#include "scheduler/run.hpp"

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap {

namespace detail {

/// Tasks that say about how long they take (core/task.hpp).
template <class Task>
concept estimates_its_time = requires(const Task task) {
  { task.cpu_seconds(std::uint64_t{}, 1u) } -> std::convertible_to<double>;
  { task.gpu_seconds(std::uint64_t{}) } -> std::convertible_to<double>;
};

}  // namespace detail

/// Runs a task over an input and returns its result (core/result.hpp). `pool` (cpu::machine_pool) is the
/// CPU's workers; it can also sort the result afterwards.
///
/// The answer does not depend on devices, threads or where the input is cut: integers are the same
/// everywhere, floating-point sums may differ in rounding, unless the task is a deterministic one
/// (core/deterministic.hpp).
/// @throws usage_error, device_unavailable, input_error, out_of_memory, interrupted (core/error.hpp),
/// collected_too_much (core/collect_budget.hpp), and what map throws
template <map_reduce_task Task>
[[nodiscard]] auto run(const Task& task, const input& from, parallel& pool, const job_options& options = {}) {
  run_report report;
  constexpr bool has_gpu_code = gpu::has_code<Task>;
  if (options.engine) gpu::require_engine(*options.engine, gpu::kind_of<Task>());
  gpu::run_outlook outlook = gpu::outlook_for(from, pool.workers());
  run_memory memory(options, profile_name_of(task, outlook.direct_bytes), pool.workers());
  outlook.cpu_seconds = memory.cpu_seconds(outlook.addressable_units);
  if constexpr (detail::estimates_its_time<Task>) {
    if (!outlook.cpu_seconds)
      outlook.cpu_seconds = task.cpu_seconds(outlook.addressable_units, pool.workers());
  }
  auto devices = gpu::plan_devices(options.device, has_gpu_code, outlook);
  if (!devices.note.empty()) report.notes.push_back(devices.note);
  // Starting a GPU is worth it or not whatever earlier runs took.
  const bool comparable =
      options.split.policy == split_policy::automatic && (outlook.started || devices.gpus.empty());
  scheduler::crew_choice chosen;
  if (options.device == device_choice::automatic && comparable && !devices.gpus.empty()) {
    chosen = memory.crew(outlook.addressable_units);
    if (chosen.who == scheduler::crew::pools) devices.gpus.clear();
    if (const std::string why = reason_of(chosen); !why.empty()) report.notes.push_back(why);
  }
  if constexpr (detail::estimates_its_time<Task>) {
    // Of tasks that do much with few bytes a grain takes a worker long: where GPUs are believed to be several
    // times as fast, one that was begun would end after all else. Without that, a first product of 8192 x
    // 8192 took an H200 beside 16 cores 0.15 s instead of 0.04, one of 2048 15 ms instead of 7.
    constexpr double several = 4;
    if (devices.cpu && !devices.gpus.empty() && options.split.policy == split_policy::automatic &&
        chosen.who == scheduler::crew::both) {
      const double gpus =
          task.gpu_seconds(outlook.addressable_units) / static_cast<double>(devices.gpus.size());
      const double start = outlook.started ? 5e-3 : 0.3;
      if (several * gpus < *outlook.cpu_seconds) chosen.stand_by_seconds = start + 2 * gpus;
    }
  }

  std::vector<std::shared_ptr<backend<Task>>> backends;
  const unsigned fed = has_gpu_code ? static_cast<unsigned>(devices.gpus.size()) : 0;
  const unsigned cores = gpu::usable_cores();
  const unsigned idle =
      gpu::idle_workers(pool.workers(), cores, fed, gpu::expected_staging_threads(cores, fed));
  std::shared_ptr<collect_budget> collected;
  if constexpr (detail::is_collect<typename Task::reduce>) {
    const std::uint64_t bytes = options.collect_bytes > 0 ? options.collect_bytes : cpu::memory_for_results();
    // Grouping holds what was emitted, its order and the result at the same time.
    collected = std::make_shared<collect_budget>(bytes, reduction_of(task).grouped ? 3 : 1);
  }
  if (devices.cpu) backends.push_back(std::make_shared<cpu::cpu_backend<Task>>(task, pool, collected));
  if constexpr (has_gpu_code) {
    if (!devices.gpus.empty()) {
      const gpu::near_cores near = memory.use(gpu::discovered(devices.gpus));
      for (auto& one : gpu::make_backends(
               task, devices.gpus, {.engine = options.engine, .cores_near = &near, .collected = collected}))
        backends.push_back(std::move(one));
    }
  }
  std::vector<const executor*> executors;
  for (const auto& one : backends) executors.push_back(one.get());
  std::vector<scheduler::executor_model> models = memory.models(executors, outlook.direct_bytes > 0);
  if constexpr (detail::estimates_its_time<Task>) {
    for (std::size_t i = 0; i < models.size(); ++i) {
      if (models[i].known() || outlook.addressable_units == 0) continue;
      const std::uint64_t units = outlook.addressable_units;
      const bool is_pool = executors[i]->claim_bytes() == 0;
      const double seconds = is_pool ? task.cpu_seconds(units, pool.workers()) : task.gpu_seconds(units);
      models[i].seconds_per_grain = seconds / static_cast<double>(units);
      models[i].trusted = false;
    }
  }
  auto result = scheduler::run(task, from, backends, pool, options.control, report,
                               {.models = std::move(models),
                                .split = options.split,
                                .idle = idle,
                                .stand_by_seconds = chosen.stand_by_seconds,
                                .strict = options.strict,
                                .timeline = options.timeline});
  memory.learn(report);
  // Streams are read by the CPU, whoever takes part.
  if (comparable && !report.degraded && report.units == outlook.addressable_units) {
    using scheduler::crew;
    const auto who = devices.gpus.empty()                          ? crew::pools
                     : !devices.cpu || chosen.stand_by_seconds > 0 ? crew::devices
                                                                   : crew::both;
    memory.learn_crew(report.units, who, report.map_seconds + report.merge_seconds);
  }
  if (options.report != nullptr) *options.report = std::move(report);
  return result;
}

/// The same on as many workers as this machine, the options and the size of the input call for.
template <map_reduce_task Task>
[[nodiscard]] auto run(const Task& task, const input& from, const job_options& options = {}) {
  return run(task, from, *cpu::machine_pool(options.threads, from), options);
}

}  // namespace duomap
