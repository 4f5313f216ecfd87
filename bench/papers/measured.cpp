// Runs the programs of an experiment in turn and measures the memory of one more run of each.
#include "bench/papers/measured.hpp"

#include "apps/cli/console.hpp"
#include "bench/harness/memory_need.hpp"
#include "core/error.hpp"

#include <fstream>
#include <utility>

namespace duomap::apps {
namespace {

constexpr round_limits quick_rounds{.least = 3, .most = 7, .seconds = 0.5};
constexpr round_limits full_rounds{.least = 3, .most = 15, .seconds = 2};

double time_reading(const std::string& path) {
  std::vector<char> block(1 << 20);
  return seconds_of([&] {
    std::ifstream file(path, std::ios::binary);
    while (file.read(block.data(), static_cast<std::streamsize>(block.size()))) {
    }
  });
}

}  // namespace

std::size_t measured_experiment::find(const program_on& which) const {
  const std::size_t found = last_of(which);
  expects(found < rows.size(), "the experiment has no program of that name on that device");
  return found;
}

std::size_t measured_experiment::last_of(const program_on& which) const {
  std::size_t found = rows.size();
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].program == which.name && rows[i].device == which.device) found = i;
  }
  return found;
}

measured_experiment measure(const planned_experiment& plan, const bench_context& context) {
  say("measuring " + plan.paper + ": " + plan.subject + ", " + plan.size);
  const experiment one = plan.make();
  const std::vector<series> all =
      comparison(context.control)
          .in_turn(one.programs, steady_samples(context.quick ? quick_rounds : full_rounds));

  measured_experiment found{.subject = plan.subject, .size = plan.size};
  if (!one.file.empty()) found.read_seconds = time_reading(one.file);
  if (one.emits) found.emits = one.emits();
  bench_table alone;
  alone.rows = rows_of(one.programs, all, plan.subject + ", " + plan.size, {one.work, one.work_unit});
  for (std::size_t i = 0; i < all.size(); ++i) {
    found.reports.push_back(all[i].runs.empty() ? run_report{} : all[i].runs.back().report);
    if (all[i].runs.empty()) continue;
    bench_row& row = alone.rows[i];
    row.cold_seconds = all[i].first_seconds;
    stop_if_cancelled(&context.control);
    const memory_need memory = memory_needed_by([&] { static_cast<void>(one.programs[i].run()); });
    row.host_bytes = memory.host;
    row.device_bytes = memory.device;
  }
  set_speed_ups(alone);
  found.rows = std::move(alone.rows);
  return found;
}

std::vector<measured_experiment> measure_all(std::span<const planned_experiment> plans,
                                             const bench_context& context) {
  std::vector<measured_experiment> all;
  for (const planned_experiment& one : plans) {
    stop_if_cancelled(&context.control);
    if (!context.quick || one.quick) all.push_back(measure(one, context));
  }
  return all;
}

}  // namespace duomap::apps
