// Makes the chosen tasks, tries out the synthetic task's cost, and page-locks their inputs.
#include "bench/scheduling/bench_tasks.hpp"

#include "apps/cli/console.hpp"
#include "apps/report/quantity.hpp"
#include "bench/scheduling/scheduling_options.hpp"
#include "gpu/feed/page_lock.hpp"

#include <algorithm>
#include <memory>
#include <string>

namespace duomap::apps {
namespace {

double least_of(const std::function<timed_run()>& run, int runs = 3) {
  double least = run().seconds;
  for (int i = 1; i < runs; ++i) least = std::min(least, run().seconds);
  return least;
}

/// The cost of the synthetic task on this machine, measured on the largest input, up to 4 GB.
struct cost_model {
  double cpu_seconds = 0;  // without steps
  double step_seconds = 0;
  double gpu_seconds = 0;  // with any number of steps used here, because the GPU waits for its link

  cost_model(const material& from, worker_pool& pool) {
    const std::uint64_t bytes =
        std::min<std::uint64_t>(options_of_this_run<scheduling_options>().largest, 4'000'000'000);
    constexpr std::uint32_t some = 64;
    const workload with_some = set_cost_of(from.rows(bytes), some, "trial", pool);
    const workload with_none = set_cost_of(from.rows(bytes), 0, "trial", pool);
    cpu_seconds = least_of([&] { return with_none.run({.device = device_choice::cpu}); });
    step_seconds =
        (least_of([&] { return with_some.run({.device = device_choice::cpu}); }) - cpu_seconds) / some;
    gpu_seconds = least_of([&] { return with_some.run({.device = device_choice::gpu}); });
  }

  /// The number of steps that makes one GPU about `ratio` times as fast as the CPU.
  [[nodiscard]] std::uint32_t steps_for(unsigned ratio) const {
    return static_cast<std::uint32_t>(
        std::clamp((ratio * gpu_seconds - cpu_seconds) / step_seconds, 0.0, 1e6));
  }
};

}  // namespace

std::vector<bench_task> tasks_of(const material& from, worker_pool& pool, bool with_gpu) {
  const scheduling_options& options = options_of_this_run<scheduling_options>();
  std::vector<bench_task> all;
  if (has(options.tasks, "wordcount"))
    all.push_back({[&](std::uint64_t bytes) {
      return wordcount_of(from.text(bytes), pool);
    }});
  if (has(options.tasks, "kmeans"))
    all.push_back({[&](std::uint64_t bytes) {
      return kmeans_of(from.rows(bytes), pool);
    }});
  if (has(options.tasks, "resident"))
    all.push_back({[&](std::uint64_t bytes) { return resident_kmeans_of(from.rows(bytes), pool); }, true});
  if (!has(options.tasks, "cost")) return all;
  const auto add_cost = [&](std::uint32_t steps, const std::string& name) {
    all.push_back({[&from, &pool, steps, name](std::uint64_t bytes) {
      return set_cost_of(from.rows(bytes), steps, name + " (" + count_text(steps, "step") + ")", pool);
    }});
  };
  if (!with_gpu) {
    add_cost(64, "cost");
    return all;
  }
  const cost_model costs(from, pool);
  for (const unsigned ratio : options.ratios)
    add_cost(costs.steps_for(ratio), "cost " + std::to_string(ratio) + " : 1");
  return all;
}

void in_each_memory(const material& from, const std::vector<bench_task>& tasks,
                    const std::function<void(const std::vector<bench_task>& tasks)>& measure) {
  const scheduling_options& options = options_of_this_run<scheduling_options>();
  if (has(options.memory, "pageable")) measure(tasks);
  if (!has(options.memory, "locked")) return;
  std::vector<std::unique_ptr<gpu::page_lock>> locks;
  for (const byte_view piece : from.all()) {
    locks.push_back(std::make_unique<gpu::page_lock>(piece));
    if (const std::string& why = locks.back()->refusal(); !why.empty()) {
      say("leaving out page-locked memory: " + why);
      return;
    }
  }
  std::vector<bench_task> locked;
  for (const bench_task& task : tasks) {
    if (task.resident) continue;
    locked.push_back({[&task](std::uint64_t bytes) {
      workload one = task.make(bytes);
      one.name += ", page-locked";
      return one;
    }});
  }
  measure(locked);
}

}  // namespace duomap::apps
