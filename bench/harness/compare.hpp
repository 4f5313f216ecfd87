// Compares two benchmark runs and says which differences are more than noise.
// host only
#pragma once

#include "bench/harness/bench_run.hpp"
#include "bench/harness/printed_table.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// A difference is more than noise if the two rows' intervals from p10 to p90 do not overlap and their
/// medians differ by more than this fraction.
inline constexpr double least_difference = 0.03;

/// The fewest runs of a row that are judged. Percentiles of fewer runs mean nothing.
inline constexpr std::size_t least_samples = 3;

enum class verdict {
  faster,        ///< the newer row is faster by more than noise
  slower,        ///< the newer row is slower by more than noise
  noise,         ///< the difference may be noise
  too_few_runs,  ///< one of the two rows has fewer than `least_samples` runs
  other_work,    ///< the two rows have different work, so they are not compared
  not_measured,  ///< one or both of the rows have no seconds
};

/// Compares the times of two rows by the rule of least_difference and least_samples.
[[nodiscard]] verdict judge(const bench_row& before, const bench_row& now);

/// Whether the verdict is faster or slower.
[[nodiscard]] bool is_difference(verdict found);

/// Two rows with the same identity.
struct row_pair {
  std::string table;  ///< the table's name
  bench_row before;
  bench_row now;
  double ratio = 0;  ///< the median now over the median before; 0 when the rows cannot be compared
  verdict found = verdict::noise;
};

/// The result of comparing two runs.
struct saved_comparison {
  std::vector<row_pair> pairs;           ///< in the order of the newer run
  std::vector<std::string> only_before;  ///< rows, as text
  std::vector<std::string> only_now;
  std::vector<std::string> other_machine;  ///< differences between the machines: "cores: 2 before, 16 now"
};

/// Pairs the rows of two runs by (table, workload, program, device, threads). If a run has several rows with
/// one identity, the first is paired with the first and so on.
[[nodiscard]] saved_comparison compare(const bench_run& before, const bench_run& now);

/// The rule by which judge() decides, as a sentence for readers.
[[nodiscard]] std::string rule_of_comparison();

/// Makes a table with a row for each pair. Sentences below it name the rows without a partner.
[[nodiscard]] printed_table print_table(const saved_comparison& all);

/// The comparison as Markdown, with the rule.
[[nodiscard]] std::string markdown_of(const saved_comparison& all);

}  // namespace duomap::apps
