// The tasks and inputs of the scheduling benchmark, ready to run and time.
// host only
#pragma once

#include "bench/harness/comparison.hpp"
#include "core/byte_view.hpp"
#include "core/run_options.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace duomap::apps {

/// One task over one input that stays where it is, so that no run opens it. The clock runs until the result
/// is complete. Every answer is compared with the answer of a first run on oneTBB alone.
struct workload {
  std::string name;
  std::uint64_t bytes = 0;
  /// Runs on the pool for which the workload was made. @throws error when the answer differs
  std::function<timed_run(const run_options& options)> run;
  /// Runs on oneTBB alone, with as many threads as the pool has workers (plain_tbb.hpp).
  std::function<timed_run()> run_plain;
};

/// Word count of a text. Requires `read_padding` readable bytes behind the text.
[[nodiscard]] workload wordcount_of(byte_view text, worker_pool& pool);

/// One step of k-means over points of 3 floats with 20 centres. Counts must agree exactly, because the points
/// are chosen so that no score is rounded. Sums of floats must agree to a hundredth, or to the error that the
/// number of floats allows.
[[nodiscard]] workload kmeans_of(byte_view points, worker_pool& pool);

/// The k-means step as an iterative job, whose points stay in the memory of their device. Each device choice
/// has a job of its own. Before the clock starts, the first run makes the job and lets its split settle.
[[nodiscard]] workload resident_kmeans_of(byte_view points, worker_pool& pool);

/// The synthetic task (set_cost.hpp).
[[nodiscard]] workload set_cost_of(byte_view rows, std::uint32_t steps, const std::string& name,
                                   worker_pool& pool);

/// Fills memory with floats for k-means and the synthetic task: whole numbers from 0 to 1023. The same seed
/// gives the same bytes.
void fill_with_points(char* into, std::uint64_t bytes, std::uint64_t seed, worker_pool& pool);

}  // namespace duomap::apps
