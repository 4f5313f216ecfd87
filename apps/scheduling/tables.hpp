// The scheduling benchmark's figures as tables in Markdown.
// host only
#pragma once

#include "apps/scheduling/cell.hpp"

#include <cstdint>
#include <span>
#include <string>

namespace duomap::apps {

/// CPU alone, GPU alone, `auto` and both, with gain, efficiency, split and skew; then how these stand to the
/// bars.
[[nodiscard]] std::string cell_table(std::span<const cell> cells);

/// One cell's figures in a line.
[[nodiscard]] std::string summary_of(const cell& one);

/// The other ways to split, and the regret of all; empty when none was measured.
[[nodiscard]] std::string policy_table(std::span<const cell> cells);

/// Two kinds of runs of one workload, side by side.
struct compared {
  std::string task;
  std::uint64_t bytes = 0;
  series first;
  series second;
};

/// "first" and "second" are the headings.
[[nodiscard]] std::string comparison_table(std::span<const compared> rows, const std::string& first,
                                           const std::string& second);

/// "64 KiB", "16 MiB", "4.00 GB": as benchmarks choose sizes.
[[nodiscard]] std::string size_text(std::uint64_t bytes);

/// Cells in which a way is slower than the best device alone, or wastes more than a tenth of what both could
/// do together, and how such a run explains itself.
[[nodiscard]] std::string weak_cells(std::span<const cell> cells);

}  // namespace duomap::apps
