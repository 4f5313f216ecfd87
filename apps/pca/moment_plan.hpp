// How a GPU shares the products of rows among its threads: column blocks, tiles, phases, runs.
#pragma once

#include "core/config.hpp"

#include <algorithm>
#include <cstdint>

namespace duomap {

// The triangle of products is cut into square tiles, one for each thread, whose sums stay in registers. What
// a block of threads does at once is
//   up to 128 columns   all tiles of the triangle, for as many runs of rows (phases) as there are threads for
//   more                the tiles of a pair of column blocks
// A run is the rows that are added up in the type of the data; then its sums go into sums of their own, which
// are wider.

/// Sizes that follow from the type of the numbers: 16-byte loads, and as many sums as registers hold.
template <class T>
struct moment_tile {
  static constexpr unsigned vector = 16 / sizeof(T);
  static constexpr unsigned edge = sizeof(T) == 4 ? 8 : 4;
  static constexpr unsigned threads = 256;
  static constexpr unsigned most_tiles = 16;  ///< of a column block, in each direction
#ifndef LOADS
#define LOADS 4
#endif
#ifndef AT_ONCE
#define AT_ONCE 2
#endif
  static constexpr unsigned at_once = AT_ONCE;
  static constexpr unsigned loads = LOADS;        ///< 16-byte loads of a thread that are on their way at once
  /// Numbers that a step may have in shared memory; and behind each phase 16 bytes, so that neighbouring
  /// phases do not meet in the same banks.
  static constexpr unsigned step_numbers = threads * loads * vector;
  static constexpr unsigned shared_numbers = step_numbers + threads * vector;
};

/// Tiles of a pair of column blocks: of the triangle, when both are the same.
[[nodiscard]] DUOMAP_HD constexpr unsigned tiles_of_pair(unsigned tiles_i, unsigned tiles_j, bool same) {
  return same ? tiles_j * (tiles_j + 1) / 2 : tiles_i * tiles_j;
}

/// Copies of a pair's sums, for blocks that have more threads than sums to add up.
[[nodiscard]] DUOMAP_HD constexpr unsigned copies_of_sums(unsigned tiles, unsigned edge, unsigned threads) {
  return threads / (tiles * edge) > 1 ? threads / (tiles * edge) : 1;
}

/// One launch.
struct moment_plan {
  std::uint32_t columns = 0;
  std::uint32_t block_tiles = 0;  ///< tiles of a column block
  std::uint32_t blocks = 0;       ///< column blocks
  std::uint32_t phases = 0;       ///< runs that a block of threads does at once
  std::uint32_t run = 0;          ///< rows that are added up before they go into the wider sums
  std::uint32_t step = 0;         ///< rows of each phase that are in shared memory at once; divides `run`
  std::uint32_t slices = 0;       ///< blocks of threads for each pair of column blocks
  std::uint32_t line = 0;         ///< places for one line of all tiles of a pair, with its copies

  [[nodiscard]] DUOMAP_HD std::uint64_t pairs() const { return std::uint64_t{blocks} * (blocks + 1) / 2; }
  /// Rows that a block of threads does between two additions to its sums.
  [[nodiscard]] DUOMAP_HD std::uint64_t unit_rows() const { return std::uint64_t{phases} * run; }
};

/// `at_once`: blocks of threads that the device runs at once. `fixed_run`: runs are of `most_run` rows from
/// the first on, wherever the rows are cut; otherwise they are shorter where that lets all blocks end
/// together.
template <class T>
[[nodiscard]] moment_plan plan_moments(std::uint32_t columns, std::uint64_t rows, unsigned at_once,
                                       std::uint32_t most_run, bool fixed_run) {
  using tile = moment_tile<T>;
  moment_plan plan;
  plan.columns = columns;
  const std::uint32_t all_tiles = (columns + tile::edge - 1) / tile::edge;
  plan.blocks = (all_tiles + tile::most_tiles - 1) / tile::most_tiles;
  plan.block_tiles = (all_tiles + plan.blocks - 1) / plan.blocks;
  const bool one = plan.blocks == 1;
  const unsigned tiles = tiles_of_pair(plan.block_tiles, plan.block_tiles, one);
  plan.phases = tile::threads / tiles;
  const unsigned width = (one ? 1 : 2) * plan.block_tiles * tile::edge;
  plan.step = 16;
  while (plan.step > 1 && plan.phases * plan.step * width > tile::step_numbers) plan.step /= 2;
  while (plan.phases * plan.step * width > tile::step_numbers) --plan.phases;
  plan.run = most_run;
  const std::uint64_t at_most = std::max<std::uint64_t>(1, at_once / plan.pairs());
  if (!fixed_run) {
    // As many rounds as runs of the longest kind need, each as long as that leaves.
    const std::uint64_t round = at_most * plan.phases;
    const std::uint64_t rounds = std::max<std::uint64_t>(1, (rows + round * most_run - 1) / (round * most_run));
    const std::uint64_t wanted = (rows + round * rounds - 1) / (round * rounds);
    plan.run = static_cast<std::uint32_t>(
        std::max<std::uint64_t>(plan.step, (wanted + plan.step - 1) / plan.step * plan.step));
  }
  const std::uint64_t units = (rows + plan.unit_rows() - 1) / plan.unit_rows();
  plan.slices = static_cast<std::uint32_t>(std::max<std::uint64_t>(1, std::min(at_most, units)));
  const unsigned cells = tile::edge * plan.block_tiles * plan.block_tiles;
  plan.line = std::max(cells, tile::threads);
  return plan;
}

}  // namespace duomap
