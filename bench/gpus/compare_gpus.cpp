// Runs a task on each group of GPUs in turn and compares its speed-up with that of bare copies.
#include "apps/cli/console.hpp"
#include "apps/report/quantity.hpp"
#include "bench/gpus/gpus_machine.hpp"
#include "bench/harness/bench_text.hpp"
#include "bench/harness/device_modes.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace duomap::apps {
namespace {

timed_run run_on_gpus(const gpus_run& run, const std::vector<int>& gpus) {
  timed_run one;
  run_options job{.device = device_choice::gpu, .report = &one.report};
  job.gpus = gpus;
  one.answer = run(job, one);
  one.figures = {{"of it mapping", one.report.map_seconds, "s"},
                 {"of it merging", one.report.merge_seconds, "s"},
                 {"GPUs that took part", static_cast<double>(active_devices(one.report)), ""}};
  return one;
}

}  // namespace

std::vector<gpu_group> groups_of(const std::vector<int>& all) {
  std::vector<gpu_group> groups;
  for (std::size_t count = 1; count < all.size(); count *= 2) {
    groups.push_back({.gpus = {all.begin(), all.begin() + static_cast<std::ptrdiff_t>(count)},
                      .name = count == 1 ? "one GPU" : count_text(count, "GPU")});
  }
  groups.push_back({.gpus = all, .name = "all GPUs"});
  return groups;
}

std::uint64_t active_devices(const run_report& report) {
  return static_cast<std::uint64_t>(
      std::ranges::count_if(report.executors, [](const executor_report& one) { return one.units > 0; }));
}

void compare_gpus(gpus_machine& on, const std::string& workload, const bench_work& work, source_memory from,
                  const gpus_run& run, bench_table& table) {
  stop_if_cancelled(&on.context.control);
  say(workload);
  std::vector<variant> variants;
  for (const gpu_group& group : on.groups) {
    variants.push_back(variant_on(
        device_choice::gpu, "duomap, " + group.name,
        [&]() -> std::optional<timed_run> { return run_on_gpus(run, group.gpus); }, true));
  }
  const auto rows = comparison(on.context.control).add_in_turn(variants, on.rounds, workload, work, table);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const link_ratios& links = on.groups[i].links;
    const double link = from == source_memory::locked_memory ? links.locked : links.fed;
    rows[i].figures.push_back({"all links over one", link, "x"});
    rows[i].figures.push_back({"of that", *rows[i].speed_up / link, "x"});
  }
}

answer_digest rounded_answer::of(double sum, double size, std::uint64_t rows) {
  if (!first_) first_ = sum;
  require_same_answer(std::abs(sum - *first_) <= 1e-5 * size, name_, "the first run");
  return {.rows = rows};
}

}  // namespace duomap::apps
