// Two benchmark runs beside each other: which differences are more than noise.
// host only
#pragma once

#include "apps/bench/harness/bench_run.hpp"
#include "apps/bench/harness/printed_table.hpp"

#include <string>
#include <vector>

namespace duomap::apps {

/// A difference is more than noise when both hold: the intervals from p10 to p90 of the two rows have nothing
/// in common, and the medians differ by more than this part.
inline constexpr double least_difference = 0.03;

/// The percentiles of fewer runs say nothing.
inline constexpr std::size_t least_samples = 3;

enum class verdict {
  faster,        ///< by more than noise
  slower,        ///< by more than noise
  noise,         ///< no difference that the rule sees
  too_few_runs,  ///< one of the two has fewer than `least_samples`
  other_work,    ///< one run of a row goes through another amount than the other's: not compared
  not_measured,  ///< now, before, or both
};

/// What the rule says of two rows' seconds.
[[nodiscard]] verdict judge(const bench_row& before, const bench_row& now);

/// Faster or slower.
[[nodiscard]] bool is_difference(verdict found);

/// Two rows of the same identity.
struct row_pair {
  std::string table;  ///< its name
  bench_row before;
  bench_row now;
  double ratio = 0;  ///< the median now over the one before; 0 when one is missing
  verdict found = verdict::noise;
};

/// What two runs are to each other.
struct saved_comparison {
  std::vector<row_pair> pairs;           ///< in the order of the newer run
  std::vector<std::string> only_before;  ///< rows, as text
  std::vector<std::string> only_now;
  std::vector<std::string> other_machine;  ///< what differs of the machine: "cores: 2 before, 16 now"
};

/// Pairs the rows of two runs by (table, workload, program, device, threads); of rows with equal identity in
/// one run, the first with the first and so on.
[[nodiscard]] saved_comparison compare(const bench_run& before, const bench_run& now);

/// When a difference is called one, as a sentence.
[[nodiscard]] std::string rule_of_comparison();

/// The pairs, and below them what has no partner.
[[nodiscard]] printed_table print_table(const saved_comparison& all);

/// As Markdown, the rule included.
[[nodiscard]] std::string markdown_of(const saved_comparison& all);

}  // namespace duomap::apps
