// Divides the products of columns among the threads of a GPU: column blocks, tiles, phases, runs of rows.
#pragma once

#include "core/config.hpp"

#include <algorithm>
#include <cstdint>

namespace duomap {

// The triangle of products is cut into square tiles, one for each thread, whose sums stay in registers. With
// up to 15 tiles in a row, a block of threads does the whole triangle, for several runs of rows at once
// (phases), so that all threads have work. With more tiles, a block does the tiles of a pair of column
// blocks. A run is a number of rows that are added up in the type of the data. Its sums then go into wider
// sums.

/// Sizes that follow from the type of the numbers: 16-byte loads, and as many sums as registers hold.
template <class T>
struct moment_tile {
  static constexpr unsigned vector = 16 / sizeof(T);
  static constexpr unsigned edge = 2 * vector;
  static constexpr unsigned threads = 256;
  static constexpr unsigned loads = 4;         ///< 16-byte loads that a thread has under way at once
  static constexpr unsigned most_alone = 15;   ///< tiles in a row of a column block that has all columns
  static constexpr unsigned most_in_pair = 8;  ///< tiles in a row of a smaller one: a pair fills 4 phases
  /// The most numbers of a step in shared memory. Half a row of padding behind each phase puts neighbouring
  /// phases on different banks.
  static constexpr unsigned step_numbers = threads * loads * vector;
  static constexpr unsigned shared_numbers = step_numbers / 4 * 5;
  static constexpr unsigned most_width =
      2 * most_in_pair > most_alone ? 2 * most_in_pair* edge : most_alone* edge;
};

/// The division of pairs of one kind among blocks of threads.
struct moment_share {
  std::uint32_t tiles = 0;   ///< of a pair of column blocks
  std::uint32_t width = 0;   ///< numbers of a row that a block reads, with the padding of the last tile
  std::uint32_t phases = 0;  ///< runs of rows at once
  std::uint32_t step = 0;    ///< rows of each phase in shared memory at once
  std::uint32_t slices = 0;  ///< blocks of threads for each pair

  /// The distance of two phases in shared memory, counted in numbers.
  [[nodiscard]] DUOMAP_HD constexpr std::uint32_t pitch() const { return step * width + width / 2; }
};

/// The plan of one launch.
struct moment_plan {
  std::uint32_t columns = 0;
  std::uint32_t block_tiles = 0;  ///< tiles in a row of a column block
  std::uint32_t blocks = 0;       ///< number of column blocks
  std::uint32_t run = 0;          ///< rows of a run; a multiple of both steps
  std::uint32_t line = 0;         ///< places for one line of all tiles of a pair
  moment_share same;              ///< pairs of a column block with itself
  moment_share other;             ///< pairs of two column blocks

  [[nodiscard]] DUOMAP_HD std::uint32_t others() const { return blocks * (blocks - 1) / 2; }
  /// The number of blocks of threads.
  [[nodiscard]] DUOMAP_HD std::uint32_t grid() const {
    return blocks * same.slices + others() * other.slices;
  }
};

/// The number of copies of a pair's sums, for blocks with more threads than sums.
template <class T>
[[nodiscard]] DUOMAP_HD constexpr unsigned copies_of_sums(unsigned tiles) {
  const unsigned copies = moment_tile<T>::threads / (tiles * moment_tile<T>::edge);
  return copies > 1 ? copies : 1;
}

template <class T>
[[nodiscard]] moment_share plan_share(std::uint32_t tiles, std::uint32_t width, std::uint32_t most_step) {
  using tile = moment_tile<T>;
  moment_share share{.tiles = tiles, .width = width, .phases = tile::threads / tiles, .step = most_step};
  while (share.step > 1 && share.phases * share.step * width > tile::step_numbers) share.step /= 2;
  while (share.phases * share.pitch() > tile::shared_numbers) --share.phases;
  return share;
}

/// `at_once`: blocks of threads that the device runs at once. `fixed_run`: each run has `most_run` rows (a
/// power of two) from the first row on, wherever the rows are cut. Otherwise runs are shorter where that lets
/// all blocks end together.
template <class T>
[[nodiscard]] moment_plan plan_moments(std::uint32_t columns, std::uint64_t rows, unsigned at_once,
                                       std::uint32_t most_run, bool fixed_run) {
  using tile = moment_tile<T>;
  const auto divided = [](std::uint64_t a, std::uint64_t b) {
    return (a + b - 1) / b;
  };
  moment_plan plan;
  plan.columns = columns;
  plan.run = most_run;
  const auto all_tiles = static_cast<std::uint32_t>(divided(columns, tile::edge));
  const bool alone = all_tiles <= tile::most_alone;
  plan.blocks = alone ? 1 : static_cast<std::uint32_t>(divided(all_tiles, tile::most_in_pair));
  plan.block_tiles = alone ? all_tiles : tile::most_in_pair;
  const std::uint32_t most_step = std::min(16u, most_run), n = plan.block_tiles;
  plan.same = plan_share<T>(n * (n + 1) / 2, n * tile::edge, most_step);
  plan.other = plan_share<T>(n * n, 2 * n * tile::edge, most_step);
  // Fixed runs make few runs of a short input. Then more blocks with fewer runs at once are better.
  if (fixed_run && plan.blocks == 1) {
    const std::uint64_t enough = std::max<std::uint64_t>(1, divided(rows, std::uint64_t{most_run} * at_once));
    plan.same.phases = static_cast<std::uint32_t>(std::min<std::uint64_t>(plan.same.phases, enough));
  }
  // Gives the blocks of threads for both kinds of pairs about equally long work: a pair gets slices in
  // inverse proportion to its phases. With many pairs there are more blocks than run at once, which evens out
  // the rounding of the numbers of slices.
  const double work = plan.blocks / static_cast<double>(plan.same.phases) +
                      plan.others() / static_cast<double>(plan.other.phases);
  const double wanted_blocks = plan.blocks > 1 ? 3.0 * at_once : at_once;
  for (moment_share* share : {&plan.same, &plan.other})
    share->slices = std::max(1u, static_cast<std::uint32_t>(wanted_blocks / (work * share->phases)));
  if (!fixed_run) {
    // Finds the number of rounds with the longest runs, and then the shortest runs that need no more rounds.
    const moment_share& most = plan.blocks > 1 ? plan.other : plan.same;
    const std::uint64_t at_a_time = std::uint64_t{most.slices} * most.phases;
    const std::uint64_t rounds = std::max<std::uint64_t>(1, divided(rows, at_a_time * most_run));
    const std::uint64_t step = std::max(plan.same.step, plan.other.step);
    plan.run = static_cast<std::uint32_t>(
        std::max<std::uint64_t>(1, divided(divided(rows, at_a_time * rounds), step)) * step);
  }
  for (moment_share* share : {&plan.same, &plan.other}) {
    const std::uint64_t units = divided(rows, std::uint64_t{share->phases} * plan.run);
    share->slices = static_cast<std::uint32_t>(std::clamp<std::uint64_t>(units, 1, share->slices));
  }
  plan.line = tile::edge * (plan.blocks > 1 ? plan.other.tiles : plan.same.tiles);
  plan.line = std::max(plan.line, tile::threads);
  return plan;
}

}  // namespace duomap
