// Computes the time of an ideal scheduler, which knows everything, in simulated time.
#pragma once

#include "scheduler/dispatch/dispatcher/grain_dispatcher.hpp"
#include "scheduler/models/best_split.hpp"
#include "tests/scheduler/dispatch/dispatcher/simulation.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace duomap::test {

/// The time of the fastest executor alone.
[[nodiscard]] inline double best_single(std::uint32_t grains,
                                        const std::vector<simulated_executor>& executors,
                                        const cost_sums& costs = {}) {
  double best = std::numeric_limits<double>::infinity();
  for (const simulated_executor& each : executors) {
    auto one = each;
    one.believed.reset();
    best = std::min(best, simulate(grains, {one}, costs).seconds);
  }
  return best;
}

/// The best time of all fixed splits between the first executor and the others, tried with several chunk
/// sizes and the true speeds. No real scheduler can know this split.
[[nodiscard]] inline double oracle(std::uint32_t grains, std::vector<simulated_executor> executors,
                                   const cost_sums& costs = {}) {
  double best = best_single(grains, executors, costs);
  for (auto& each : executors) each.believed.reset();
  const auto most = executors;
  for (const std::uint32_t finer : {1U, 4U, 16U}) {
    for (std::size_t i = 0; i < executors.size(); ++i)
      executors[i].most_grains = std::max(1U, most[i].most_grains / finer);
    const auto with = [&](double share) {
      std::vector<double> shares(executors.size(), (1 - share) / static_cast<double>(executors.size() - 1));
      shares[0] = share;
      return simulate(grains, executors, costs, {.rule = scheduler::dispatch_rule::split, .shares = shares})
          .seconds;
    };
    best = std::min(best, scheduler::best_split(with).seconds);
  }
  return best;
}

}  // namespace duomap::test
