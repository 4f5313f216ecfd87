// What a task itself says about how long it takes (core/task.hpp), for where nobody has measured it.
// host only
#pragma once

#include "core/executor.hpp"
#include "gpu/device/availability.hpp"
#include "scheduler/executor_model.hpp"

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace duomap::detail {

template <class Task>
concept estimates_its_time = requires(const Task task) {
  { task.cpu_seconds(std::uint64_t{}, 1u) } -> std::convertible_to<double>;
  { task.gpu_seconds(std::uint64_t{}) } -> std::convertible_to<double>;
};

/// Of the whole input, by the CPU alone.
template <class Task>
[[nodiscard]] std::optional<double> estimated_cpu_seconds(const Task& task, const gpu::run_outlook& outlook) {
  if constexpr (estimates_its_time<Task>)
    return task.cpu_seconds(outlook.addressable_units, outlook.workers);
  else
    return std::nullopt;
}

/// How long the CPU stands by for so many GPUs (scheduler/sharing.hpp); 0: it starts with them.
///
/// Of tasks that do much with few bytes a grain takes a worker long: where GPUs are believed to be several
/// times as fast, one that was begun would end after all else. Without that, a first product of 8192 x 8192
/// took an H200 beside 16 cores 0.15 s instead of 0.04, one of 2048 15 ms instead of 7. The shorter the run,
/// the less it takes: the covariance of 60,000 x 784 floats, of which the cores alone take 2.3 times as long,
/// took both together 22 ms and the H200 14.
template <class Task>
[[nodiscard]] double estimated_stand_by(const Task& task, const gpu::run_outlook& outlook,
                                        std::size_t gpu_count) {
  constexpr double short_seconds = 20e-3;
  if constexpr (estimates_its_time<Task>) {
    const double gpus = task.gpu_seconds(outlook.addressable_units) / static_cast<double>(gpu_count);
    const double several = gpus < short_seconds ? 2.5 : 4;
    const double start = outlook.started ? 5e-3 : 0.3;
    if (several * gpus < outlook.cpu_seconds.value_or(0)) return start + 2 * gpus;
  }
  return 0;
}

/// Fills in the models of executors of which nothing is known.
template <class Task>
void estimate_unknown(std::vector<scheduler::executor_model>& models, const Task& task,
                      std::span<const executor* const> executors, const gpu::run_outlook& outlook) {
  if constexpr (estimates_its_time<Task>) {
    const std::uint64_t units = outlook.addressable_units;
    for (std::size_t i = 0; i < models.size(); ++i) {
      if (models[i].known() || units == 0) continue;
      const bool is_pool = executors[i]->claim_bytes() == 0;
      const double seconds = is_pool ? task.cpu_seconds(units, outlook.workers) : task.gpu_seconds(units);
      models[i].seconds_per_grain = seconds / static_cast<double>(units);
      models[i].trusted = false;
    }
  }
}

/// How long the CPU stands by for GPUs that are started and were never seen alone, to see what they do then;
/// 0: not at all. Workers at work make their copies several times slower, so that GPUs seem to be
/// of no use: beside workers that slow them down, simulated first runs of 1 to 4 GB take up to 0.3 of their
/// time less so, and 7 % more where nobody disturbs anybody and both are equally fast. What was learned
/// beside workers alone, in runs too short for a look, may be as wrong: after some of 128 MiB an H200 was
/// believed to do a quarter of what it does, and left out of runs of 1 GB, which took 90 ms and not 23.
[[nodiscard]] inline double first_look_seconds(std::span<const scheduler::executor_model> models,
                                               const gpu::run_outlook& outlook) {
  // In less time nothing is seen, in more nothing new.
  constexpr double least = 2e-3;
  constexpr double most = 5e-3;
  // Not so long that too little is left for others: of what the CPU alone takes, or, where that is not known,
  // of what the input takes over the link of an H200.
  constexpr double part_of_cpu = 0.1;
  constexpr double part_of_link = 0.25;
  constexpr double link_bytes_per_second = 55e9;
  const auto seen_alone = [](const scheduler::executor_model& one) {
    return one.known() && one.alone_seconds_per_grain > 0;
  };
  if (std::all_of(models.begin() + 1, models.end(), seen_alone)) return 0;
  const double link_seconds = static_cast<double>(outlook.direct_bytes) / link_bytes_per_second;
  const double look =
      std::min(most, outlook.cpu_seconds ? part_of_cpu * *outlook.cpu_seconds : part_of_link * link_seconds);
  return look < least ? 0 : look;
}

}  // namespace duomap::detail
