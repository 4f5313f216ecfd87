#include "apps/bench/harness/device_modes.hpp"

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/percentile.hpp"

namespace duomap::apps {

const bench_row& better_alone(std::span<const bench_row> rows) {
  return median(rows[0].seconds) < median(rows[1].seconds) ? rows[0] : rows[1];
}

std::vector<bench_row> compare_device_modes(const bench_row& like, unsigned rounds,
                                            const run_control& control,
                                            const std::function<timed_run(device_choice mode)>& run) {
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
  std::vector<bench_row> rows;
  for (const series& measured : comparison(control).in_turn(variants, rules)) {
    bench_row& row = rows.emplace_back(like);
    row.device = variants[rows.size() - 1].device;
    row.seconds = measured.seconds();
    row.figures = measured.runs.back().figures;
  }
  const bench_row best = better_alone(rows);
  for (bench_row& one : rows) one.speed_up = speed_up_over(best, one);
  return rows;
}

}  // namespace duomap::apps
