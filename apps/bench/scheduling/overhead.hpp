// What the scheduler itself costs: processor time for a claim, from the decision to the account of it.
// host only
#pragma once

#include "core/report.hpp"
#include "core/worker_pool.hpp"

namespace duomap::apps {

/// Processor seconds, all threads together.
struct claim_costs {
  double of_worker = 0;  ///< one claim of a CPU worker when no other claims
  double of_pool = 0;    ///< one claim of a CPU worker when all claim every 20 us, more often than real ones
  double of_device = 0;  ///< one claim of a device, its commits included
};

/// Runs the scheduler's own loop over executors that do nothing with their chunks but let 20 us pass, with
/// inputs of two lengths, and divides the difference of processor times by that of claims, less what was let
/// pass.
[[nodiscard]] claim_costs measure_claims(worker_pool& pool);

/// Processor seconds that the scheduler took of a run, by the number of its claims.
[[nodiscard]] double scheduler_seconds(const claim_costs& costs, const run_report& report);

/// Processor seconds that this process has used so far.
[[nodiscard]] double processor_seconds();

}  // namespace duomap::apps
