// The scheduling benchmark's figures as tables.
// host only
#pragma once

#include "apps/bench/harness/bench_table.hpp"
#include "apps/bench/scheduling/cell.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {

/// A row for every way of every cell: CPU alone, GPU alone, `auto`, both, and other ways to split; with gain
/// (as speed-up over the better device alone), efficiency, split, skew and regret; notes say how these stand
/// to the bars.
/// @param threads of the pool
[[nodiscard]] bench_table cell_table(std::span<const cell> cells, unsigned threads);

/// One cell's figures in a line.
[[nodiscard]] std::string summary_of(const cell& one);

/// Two kinds of runs of one workload, side by side.
struct compared {
  std::string task;
  std::uint64_t bytes = 0;
  series first;
  series second;
};

/// Both with the ratio of their times, and of their processor times, which other programs disturb less.
/// `device` is what both ran on.
[[nodiscard]] std::vector<bench_row> rows_of(std::span<const compared> rows, const std::string& device,
                                             unsigned threads);

/// "64 KiB", "16 MiB", "4.00 GB": as benchmarks choose sizes.
[[nodiscard]] std::string size_text(std::uint64_t bytes);

/// Cells in which a way is slower than the best device alone, or wastes more than a tenth of what both could
/// do together, and how such a run explains itself.
[[nodiscard]] std::string weak_cells(std::span<const cell> cells);

}  // namespace duomap::apps
