// A task on one GPU, on two, four and so on, and on all GPUs of the machine.
// host only
#pragma once

#include "apps/bench/harness/bench_context.hpp"
#include "apps/bench/harness/bench_table.hpp"
#include "apps/bench/harness/comparison.hpp"
#include "core/job_options.hpp"
#include "cpu/cores.hpp"
#include "cpu/tbb_pool.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// How many times as fast the links of several GPUs are as that of the first, of memory that GPUs copy where
/// it lies and of other.
struct link_ratios {
  double locked = 0;
  double fed = 0;
};

/// The first one, two, four and so on GPUs of a machine.
struct gpu_group {
  std::vector<int> gpus;
  std::string name;  ///< "one GPU", "2 GPUs", and "all GPUs" of the last
  link_ratios links = {};
};

struct gpus_machine {
  std::vector<gpu_group> groups;  ///< from one GPU to all
  cpu::tbb_pool pool{cpu::usable_cores().cores};
  const bench_context& context;
  unsigned rounds;
  std::uint64_t bytes;  ///< of the text, of the pairs and of what is only copied
};

/// The groups of these GPUs, of which there are two at least.
[[nodiscard]] std::vector<gpu_group> groups_of(const std::vector<int>& all);

/// How many devices did a part of a run.
[[nodiscard]] std::uint64_t took_part(const run_report& report);

/// What a task reads from.
enum class fed_from : std::uint8_t { ordinary_memory, locked_memory };

/// A run as `job` says. It gives the run's report to that of `job`, stops the clock when it has its result,
/// and returns what answers are compared by.
using gpus_run = std::function<answer_digest(const job_options& job, timed_run& into)>;

/// Adds a row for each group, in turn, their answers compared.
/// @throws error when answers differ; interrupted; what `run` throws
void compare_gpus(gpus_machine& on, const std::string& workload, const bench_work& work, fed_from from,
                  const gpus_run& run, bench_table& table);

/// Compares answers that are equal but for rounding by a sum.
class rounded_answer {
 public:
  explicit rounded_answer(std::string name) : name_(std::move(name)) {}

  /// @throws error when a sum is not the first one's within 1e-5 of `size`
  [[nodiscard]] answer_digest of(double sum, double size, std::uint64_t rows);

 private:
  std::string name_;
  std::optional<double> first_;
};

// The tasks of the suite. Each adds its rows.

void measure_sums(gpus_machine& on, bench_table& table);
void measure_first_values(gpus_machine& on, bench_table& table);
void measure_words(gpus_machine& on, bench_table& table);
void measure_products(gpus_machine& on, bench_table& table);
void measure_neighbours(gpus_machine& on, bench_table& table);
void measure_similar(gpus_machine& on, bench_table& table);
void measure_kmeans(gpus_machine& on, bench_table& table);
void measure_covariance(gpus_machine& on, bench_table& table);
void measure_classification(gpus_machine& on, bench_table& table);

}  // namespace duomap::apps
