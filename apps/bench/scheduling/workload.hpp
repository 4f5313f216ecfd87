// The tasks and inputs of the scheduling benchmark, as things that can be run and timed.
// host only
#pragma once

#include "apps/bench/harness/comparison.hpp"
#include "core/byte_view.hpp"
#include "core/job_options.hpp"
#include "core/worker_pool.hpp"

#include <cstdint>
#include <functional>
#include <string>

namespace duomap::apps {

/// One task over one input that stays where it is: opening it is no part of a run. What is timed begins with
/// the input and ends with the complete result. Every run's answer is compared with that of the first one,
/// on oneTBB alone.
struct workload {
  std::string name;
  std::uint64_t bytes = 0;
  /// On the pool it was made for. @throws error when the answer is another one
  std::function<timed_run(const job_options& options)> run;
  /// On oneTBB alone, with as many threads (plain_tbb.hpp).
  std::function<timed_run()> run_plain;
  /// Whether the input can be split as other systems do.
  bool has_policies = true;
};

/// Word count of a text; `read_padding` readable bytes follow it.
[[nodiscard]] workload wordcount_of(byte_view text, worker_pool& pool);

/// One step of k-means over points of 3 floats, with 20 centres. Counts have to agree exactly, as the points
/// are made so that no score is rounded; sums of floats to a hundredth, or as far as so many floats add up.
[[nodiscard]] workload kmeans_of(byte_view points, worker_pool& pool);

/// The same step of an iterative job, whose points stay where they are: what is timed is a step after the
/// split has settled. Each device choice has a job of its own, made by its first run, which is not timed.
[[nodiscard]] workload resident_kmeans_of(byte_view points, worker_pool& pool);

/// The synthetic task.
[[nodiscard]] workload set_cost_of(byte_view rows, std::uint32_t steps, const std::string& name,
                                   worker_pool& pool);

/// Fills memory with what the last two read: floats that are whole numbers from 0 to 1023. Same seed, same
/// bytes.
void fill_with_points(char* into, std::uint64_t bytes, std::uint64_t seed, worker_pool& pool);

}  // namespace duomap::apps
