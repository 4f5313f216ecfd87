// Measures a task on one GPU, on two, four and so on, and on all GPUs of the machine.
// host only
#pragma once

#include "bench/harness/bench_context.hpp"
#include "bench/harness/bench_table.hpp"
#include "bench/harness/comparison.hpp"
#include "core/run_options.hpp"
#include "cpu/cores.hpp"
#include "cpu/tbb_pool.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace duomap::apps {

/// How many times as fast all links of a group copy as the link of the first GPU: from page-locked memory
/// (`locked`), and from ordinary memory through buffers that threads fill (`fed`).
struct link_ratios {
  double locked = 0;
  double fed = 0;
};

/// A group of the first GPUs of a machine: one, two, four and so on, or all.
struct gpu_group {
  std::vector<int> gpus;
  std::string name;  ///< "one GPU", "2 GPUs", and "all GPUs" for the last group
  link_ratios links = {};
};

struct gpus_machine {
  std::vector<gpu_group> groups;  ///< from one GPU to all
  cpu::tbb_pool pool{cpu::usable_cores().cores};
  const bench_context& context;
  unsigned rounds;
  std::uint64_t bytes;  ///< the size of the text, of the pairs and of the bare copies
};

/// The groups of these GPUs. Requires at least two GPUs.
[[nodiscard]] std::vector<gpu_group> groups_of(const std::vector<int>& all);

/// The number of devices that did a part of a run.
[[nodiscard]] std::uint64_t active_devices(const run_report& report);

/// The memory that feeds a task.
enum class source_memory : std::uint8_t { ordinary_memory, locked_memory };

/// Runs a task with the options in `job`. Fills the report that `job` names, sets `into.seconds` when the
/// result is complete, and returns the digest by which answers are compared.
using gpus_run = std::function<answer_digest(const run_options& job, timed_run& into)>;

/// Measures the groups in turn, adds a row for each, and compares their answers.
/// @throws error when answers differ; interrupted; any exception of `run`
void compare_gpus(gpus_machine& on, const std::string& workload, const bench_work& work, source_memory from,
                  const gpus_run& run, bench_table& table);

/// Compares answers that may differ by rounding. Compares one sum over each whole answer.
class rounded_answer {
 public:
  explicit rounded_answer(std::string name) : name_(std::move(name)) {}

  /// @throws error when `sum` differs from the first call's sum by more than 1e-5 of `size`
  [[nodiscard]] answer_digest of(double sum, double size, std::uint64_t rows);

 private:
  std::string name_;
  std::optional<double> first_;
};

// Each function measures one task of the benchmark and adds its rows to the table.

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
