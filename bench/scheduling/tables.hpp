// Makes tables of the scheduling benchmark's figures.
// host only
#pragma once

#include "bench/harness/bench_table.hpp"
#include "bench/scheduling/cell.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace duomap::apps {

/// A row for every way of every cell: CPU alone, GPU alone, `auto`, both, and other ways to split. Rows show
/// gain (the speed-up over the better device alone), efficiency, split, skew and regret; notes compare these
/// with the bars.
/// @param threads of the pool
[[nodiscard]] bench_table cell_table(std::span<const cell> cells, unsigned threads);

/// The figures of one cell in a line.
[[nodiscard]] std::string summary_of(const cell& one);

/// Two kinds of runs of one workload, side by side.
struct compared {
  std::string task;
  std::uint64_t bytes = 0;
  series first;
  series second;
};

/// Makes two rows of each comparison, with the ratios of their times and of their processor times. Other
/// programs disturb processor times less. Both kinds ran on `device`.
[[nodiscard]] std::vector<bench_row> rows_of(std::span<const compared> rows, const std::string& device,
                                             unsigned threads);

/// A size as benchmarks choose it: "64 KiB", "16 MiB", "4.00 GB".
[[nodiscard]] std::string size_text(std::uint64_t bytes);

/// Lists the cells in which `auto` or both devices miss a bar: a gain below 0.98, or, where efficiency is
/// judged, an efficiency below 0.9. Shows how the last run explains itself.
[[nodiscard]] std::string weak_cells(std::span<const cell> cells);

}  // namespace duomap::apps
