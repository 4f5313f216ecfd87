// Runs a task in each device mode in turn and computes speed-ups over the better device alone.
#include "bench/harness/device_modes.hpp"

#include "bench/harness/bench_context.hpp"
#include "bench/harness/percentile.hpp"
#include "core/error.hpp"
#include "cpu/cores.hpp"

#include <cstddef>
#include <utility>

namespace duomap::apps {

const gpu::device_info& first_gpu() {
  const gpu::discovery& found = gpu::discover();
  if (found.devices.empty()) throw device_unavailable("there is no GPU: " + found.reason);
  return found.devices.front();
}

bench_row row_on(device_choice device, const std::string& workload, const std::string& program,
                 const bench_work& work, std::vector<double> seconds) {
  return {.workload = workload,
          .program = program,
          .device = device_text(device),
          .threads = cpu::usable_cores().cores,
          .seconds = std::move(seconds),
          .work = work,
          .checked = true};
}

variant variant_on(device_choice device, const std::string& name,
                   const std::function<std::optional<timed_run>()>& run, bool first_is_cold) {
  return {.name = name,
          .device = device_text(device),
          .threads = cpu::usable_cores().cores,
          .run = run,
          .warm_up = first_is_cold ? 1u : 0u,
          .first_is_cold = first_is_cold};
}

const bench_row& better_single_device(std::span<const bench_row> rows) {
  return median(rows[0].seconds) < median(rows[1].seconds) ? rows[0] : rows[1];
}

std::span<bench_row> compare_device_modes(const bench_row& like, unsigned rounds, const run_control& control,
                                          const std::function<timed_run(device_choice mode)>& run,
                                          bench_table& table) {
  std::vector<variant> variants;
  for (const device_choice mode : device_modes)
    variants.push_back({.name = like.program,
                        .device = device_text(mode),
                        .threads = like.threads,
                        .run = [&run, mode] { return run(mode); },
                        .warm_up = mode == device_choice::automatic ? runs_to_learn + 2
                                   : mode == device_choice::cpu_gpu ? 2
                                                                    : 1});
  comparison_rules rules = rounds_of_one_run(rounds);
  rules.short_seconds = 0.1;
  const std::size_t first = table.rows.size();
  for (const series& measured : comparison(control).in_turn(variants, rules)) {
    bench_row& row = table.rows.emplace_back(like);
    row.device = variants[table.rows.size() - 1 - first].device;
    row.seconds = measured.seconds();
    row.figures = measured.runs.back().figures;
  }
  const std::span rows = std::span(table.rows).subspan(first);
  const bench_row best = better_single_device(rows);
  for (bench_row& one : rows) one.speed_up = speed_up_over(best, one);
  return rows;
}

}  // namespace duomap::apps
