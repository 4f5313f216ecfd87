#include "apps/bench/scheduling/rounds.hpp"

#include "apps/bench/harness/percentile.hpp"
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
// What comes before a run this long makes no difference to it.
constexpr double long_run_seconds = 1;

/// How a kind's samples are taken.
struct sampling {
  unsigned runs = 1;
  bool leads_in = false;  // with a run that does not count
};

sampling sampling_for(double seconds) {
  const double runs = std::clamp(std::round(sample_seconds / seconds), 1.0, most_runs_of_sample);
  return {static_cast<unsigned>(runs), seconds < long_run_seconds};
}

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
                                const run_control& control, turns order) {
  using clock = std::chrono::steady_clock;
  const auto run = [&](const kind_of_run& kind) {
    if (control.cancelled.load(std::memory_order_relaxed)) throw interrupted();
    return kind.run();
  };
  std::vector<series> all;
  std::vector<sampling> how;
  for (const kind_of_run& kind : kinds) {
    const double first = run(kind).seconds;
    for (unsigned n = 1; n < kind.learning; ++n) run(kind);
    const double seconds = first < long_run_seconds ? run(kind).seconds : first;  // the first has warmed up
    how.push_back(sampling_for(seconds));
    all.push_back({kind.name, {}, {}, {}, first});
  }
  const auto begin = clock::now();
  for (unsigned round = 0; round < limits.most; ++round) {
    const double passed = std::chrono::duration<double>(clock::now() - begin).count();
    if (round >= limits.least && passed > limits.seconds) break;
    const bool back = order == turns::back_and_forth && round % 2 == 1;
    for (std::size_t turn = 0; turn < kinds.size(); ++turn) {
      const std::size_t i = back ? kinds.size() - 1 - turn : turn;
      if (how[i].leads_in) run(kinds[i]);
      std::vector<double> sample;
      std::vector<double> processor_sample;
      for (unsigned n = 0; n < how[i].runs; ++n) {
        timed_run one = run(kinds[i]);
        sample.push_back(one.seconds);
        processor_sample.push_back(one.processor_seconds);
        all[i].report = std::move(one.report);
      }
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
