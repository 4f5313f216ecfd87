// Computes speed-ups of rows.
#include "bench/harness/bench_table.hpp"

#include "bench/harness/percentile.hpp"
#include "core/error.hpp"

namespace duomap::apps {

double speed_up_over(const bench_row& baseline, const bench_row& row) {
  expects(!baseline.seconds.empty() && !row.seconds.empty(), "a speed-up is of measured rows");
  if (baseline.seconds.size() != row.seconds.size()) return median(baseline.seconds) / median(row.seconds);
  std::vector<double> ratios;
  for (std::size_t round = 0; round < row.seconds.size(); ++round)
    ratios.push_back(baseline.seconds[round] / row.seconds[round]);
  return median(std::move(ratios));
}

void set_speed_ups(bench_table& table, std::size_t first) {
  for (std::size_t i = first; i < table.rows.size(); ++i) {
    if (!table.rows[first].seconds.empty() && !table.rows[i].seconds.empty())
      table.rows[i].speed_up = speed_up_over(table.rows[first], table.rows[i]);
  }
}

}  // namespace duomap::apps
