// Makes the tasks of the scheduling benchmark.
// host only
#pragma once

#include "bench/scheduling/material.hpp"
#include "bench/scheduling/workload.hpp"

#include <cstdint>
#include <functional>
#include <vector>

namespace duomap::apps {

struct bench_task {
  std::function<workload(std::uint64_t bytes)> make;
  bool resident = false;  // only its first run reads host memory
};

/// Makes the tasks that the options choose. With a GPU, first tries out the synthetic task to find the steps
/// for each ratio of GPU speed to CPU speed in the options.
[[nodiscard]] std::vector<bench_task> tasks_of(const material& from, worker_pool& pool, bool with_gpu);

/// Calls measure(tasks) for pageable and for page-locked inputs, as far as the options choose them.
void in_each_memory(const material& from, const std::vector<bench_task>& tasks,
                    const std::function<void(const std::vector<bench_task>& tasks)>& measure);

}  // namespace duomap::apps
