// Measures the scheduler's own cost: the processor time of a claim, from the decision until its time is
// recorded.
// host only
#pragma once

#include "core/report.hpp"
#include "core/worker_pool.hpp"

namespace duomap::apps {

/// Processor seconds of all threads together.
struct claim_costs {
  double of_worker = 0;  ///< one claim of a CPU worker while no other worker claims
  double of_pool = 0;    ///< one claim of a CPU worker while all claim every 20 us, more often than real runs
  double of_device = 0;  ///< one claim of a device, including its commits
};

/// Runs the scheduler's own loop on a short and on a long input, with executors that spend a fixed time on
/// each chunk. Divides the difference of the processor times by the difference of the numbers of claims, and
/// subtracts the fixed time.
[[nodiscard]] claim_costs measure_claims(worker_pool& pool);

/// The processor seconds that the scheduler took of a run, computed from the number of claims.
[[nodiscard]] double scheduler_seconds(const claim_costs& costs, const run_report& report);

/// The processor seconds that this process has used so far.
[[nodiscard]] double processor_seconds();

}  // namespace duomap::apps
