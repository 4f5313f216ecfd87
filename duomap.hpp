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
#include "gpu/feed/page_lock.hpp"
#include "gpu/make_backend.hpp"
#include "iterative_job.hpp"
#include "run_memory.hpp"
#include "scheduler/run.hpp"
#include "task_estimate.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace duomap {

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
  using clock = std::chrono::steady_clock;
  const auto begin = clock::now();
  run_report report;
  constexpr bool has_gpu_code = gpu::has_code<Task>;
  if (options.engine) gpu::require_engine(*options.engine, gpu::kind_of<Task>());
  if (options.block_tables) gpu::require_block_tables(gpu::kind_of<Task>(), options.engine);
  gpu::run_outlook outlook = gpu::outlook_for(from, pool.workers());
  run_memory memory(options, profile_name_of(task, gpu::data_home(outlook)), pool.workers(),
                    outlook.addressable_units);
  outlook.cpu_seconds = memory.cpu_seconds();
  if (!outlook.cpu_seconds) outlook.cpu_seconds = detail::estimated_cpu_seconds(task, outlook);
  auto devices = gpu::plan_devices(options.device, has_gpu_code, outlook);
  if (!devices.note.empty()) report.notes.push_back(std::move(devices.note));
  // Starting a GPU is worth it or not whatever earlier runs took.
  const bool shared_as_measured = options.split.policy == split_policy::automatic;
  const bool comparable = shared_as_measured && (outlook.started || devices.gpus.empty());
  scheduler::crew_choice chosen;
  if (options.device == device_choice::automatic && comparable && !devices.gpus.empty()) {
    chosen = memory.crew();
    if (chosen.who == scheduler::crew::pools) devices.gpus.clear();
    if (const std::string why = reason_of(chosen); !why.empty()) report.notes.push_back(why);
  }
  if (shared_as_measured && devices.cpu && !devices.gpus.empty() && chosen.who == scheduler::crew::both)
    chosen.stand_by_seconds = detail::estimated_stand_by(task, outlook, devices.gpus.size());

  std::vector<std::shared_ptr<backend<Task>>> backends;
  unsigned idle = 0;
  if (const auto fed = static_cast<unsigned>(devices.gpus.size()); fed > 0) {
    const unsigned cores = gpu::usable_cores();
    const unsigned feeding = outlook.page_locked ? 0 : gpu::expected_staging_threads(cores, fed);
    idle = gpu::idle_workers(pool.workers(), cores, fed, feeding);
  }
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
      for (auto& one : gpu::make_backends(task, devices.gpus,
                                          {.engine = options.engine,
                                          .block_tables = options.block_tables,
                                          .cores_near = &near,
                                          .collected = collected}))
        backends.push_back(std::move(one));
    }
  }
  std::vector<const executor*> executors;
  for (const auto& one : backends) executors.push_back(one.get());
  std::vector<scheduler::executor_model> models = memory.models(executors, outlook.direct_bytes > 0);
  detail::estimate_unknown(models, task, executors, outlook);
  const double first_look =
      shared_as_measured && devices.cpu && outlook.started ? detail::first_look_seconds(models, outlook) : 0;
  const bool looks = first_look > chosen.stand_by_seconds;
  auto result = scheduler::run(task, from, backends, pool, options.control, report,
                               {.models = std::move(models),
                                .split = options.split,
                                .idle = idle,
                                .stand_by_seconds = std::max(first_look, chosen.stand_by_seconds),
                                .first_look = looks,
                                .strict = options.strict,
                                .timeline = options.timeline});
  // What a crew is worth is what it takes with all that it needs: a part of a millisecond goes into making
  // what drives a GPU, and ending it.
  backends.clear();
  const double seconds = std::chrono::duration<double>(clock::now() - begin).count();
  memory.learn(report);
  // Streams are read by the CPU, whoever takes part.
  if (comparable && !report.degraded && report.units == outlook.addressable_units) {
    using scheduler::crew;
    const double units = static_cast<double>(report.units);
    const executor_report& first = report.executors[0];
    const double pools_part = devices.cpu ? static_cast<double>(first.units) / units : 0;
    const auto who = devices.gpus.empty()                               ? crew::pools
                     : chosen.who == crew::devices || !(pools_part > 0) ? crew::devices
                                                                        : crew::both;
    memory.learn_crew(who, {seconds, pools_part, first.seconds_per_unit});
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
