#include "apps/scheduling/rounds.hpp"

#include "apps/bench/contest.hpp"
#include "core/error.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <utility>

namespace duomap::apps {
namespace {

constexpr double sample_seconds = 10e-3;
constexpr double most_runs_of_sample = 200;
constexpr unsigned warm_up_rounds = 2;
// A run that long is warm after the first one.
constexpr double long_run_seconds = 0.1;

paired_ratio paired(const std::vector<double>& over, const std::vector<double>& under) {
  std::vector<double> ratios;
  for (std::size_t round = 0; round < over.size(); ++round) ratios.push_back(over[round] / under[round]);
  const double middle = median(ratios);
  const double rounds = static_cast<double>(ratios.size());
  for (double& one : ratios) one = std::abs(one - middle);
  // 1.4826: from the median deviation of a normal distribution to its standard one; 1.2533: a median's error
  // over a mean's.
  return {middle, 1.2533 * 1.4826 * median(std::move(ratios)) / std::sqrt(rounds)};
}

}  // namespace

double series::middle() const { return median(seconds); }

std::vector<series> run_in_turn(const std::vector<kind_of_run>& kinds, const round_limits& limits,
                                const run_control& control) {
  using clock = std::chrono::steady_clock;
  std::vector<series> all;
  std::vector<double> first_seconds(kinds.size());
  std::vector<double> runs_of_sample(kinds.size(), 1);
  for (const kind_of_run& kind : kinds) all.push_back({kind.name, {}, {}, {}});
  auto begin = clock::now();
  for (unsigned round = 0; round < warm_up_rounds + limits.most; ++round) {
    if (round == warm_up_rounds) begin = clock::now();
    const double passed = std::chrono::duration<double>(clock::now() - begin).count();
    if (round >= warm_up_rounds + limits.least && passed > limits.seconds) break;
    for (std::size_t i = 0; i < kinds.size(); ++i) {
      if (round > 0 && round < warm_up_rounds && first_seconds[i] > long_run_seconds) continue;
      std::vector<double> sample;
      std::vector<double> processor_sample;
      for (double run = 0; run < runs_of_sample[i]; ++run) {
        if (control.cancelled.load(std::memory_order_relaxed)) throw interrupted();
        timed_run one = kinds[i].run();
        sample.push_back(one.seconds);
        processor_sample.push_back(one.processor_seconds);
        all[i].report = std::move(one.report);
      }
      if (round == 0) first_seconds[i] = sample.back();
      if (round + 1 == warm_up_rounds)
        runs_of_sample[i] = std::clamp(std::round(sample_seconds / sample.back()), 1.0, most_runs_of_sample);
      if (round < warm_up_rounds) continue;
      all[i].seconds.push_back(median(std::move(sample)));
      all[i].processor_seconds.push_back(median(std::move(processor_sample)));
    }
  }
  return all;
}

paired_ratio ratio_of(const series& over, const series& under) { return paired(over.seconds, under.seconds); }

paired_ratio processor_ratio_of(const series& over, const series& under) {
  return paired(over.processor_seconds, under.processor_seconds);
}

}  // namespace duomap::apps
