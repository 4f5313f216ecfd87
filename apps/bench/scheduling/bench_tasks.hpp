// The tasks of the scheduling benchmark.
// host only
#pragma once

#include "apps/bench/scheduling/material.hpp"
#include "apps/bench/scheduling/workload.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace duomap::apps {

struct bench_task {
  std::function<workload(std::uint64_t bytes)> make;
  bool resident = false;  // reads host memory once
};

/// Those that the options ask for. With a GPU the synthetic task is tried out first, so that it costs what
/// makes the GPU as many times as fast as the CPU as the options say.
[[nodiscard]] std::vector<bench_task> tasks_of(const material& from, worker_pool& pool, bool with_gpu);

/// Calls measure(tasks) with what they read in each kind of memory that was asked for.
void in_each_memory(const material& from, const std::vector<bench_task>& tasks,
                    const std::function<void(const std::vector<bench_task>& tasks)>& measure);

}  // namespace duomap::apps
